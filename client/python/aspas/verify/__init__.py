"""A verifier for everything that an ASPAS deployment signs, certifies and proves, without any I/O.

All functions are pure and thread-safe; what they get may be anything. They need a :class:`Descriptor`, which
:meth:`Descriptor.open` makes from ``deployment.json``, its signature, and the operator's key, which you have to trust.
"""

from __future__ import annotations

from .answers import (
    COUNTER,
    SET,
    next_page,
    read_value_proof,
    verify_attached,
    verify_covered,
    verify_entry,
    verify_response,
    verify_value,
    verify_value_proof,
    write_value_proof,
)
from .cbor import Malformed, Value, decode_value, encode_value
from .certificate import (
    verify_certificate,
    verify_certificate_bytes,
    verify_content,
    verify_growth,
    verify_link,
)
from .descriptor import Descriptor, InvalidDescriptor, Limits, Node
from .ed25519 import UnfitLibrary
from .evidence import accused_of, judge, judge_bytes, kind_name
from .merkle import Consistency, Inclusion
from .messages import (
    Answer,
    Certificate,
    CertificateContent,
    Confirmation,
    Evidence,
    Message,
    Read,
    Request,
    Response,
    Signed,
    decode,
    decode_frame,
    decode_signed,
    encode,
)
from .state import Leaf, PageProof, PathProof
from .verdict import CertificateVerdict, Finding, Judgement, ValueVerdict, Verdict
from .whole_snapshot import SnapshotVerdict, verify_snapshot

__all__ = [
    "COUNTER",
    "SET",
    "Answer",
    "Certificate",
    "CertificateContent",
    "CertificateVerdict",
    "Confirmation",
    "Consistency",
    "Descriptor",
    "Evidence",
    "Finding",
    "Inclusion",
    "InvalidDescriptor",
    "Judgement",
    "Leaf",
    "Limits",
    "Malformed",
    "Message",
    "Node",
    "PageProof",
    "PathProof",
    "Read",
    "Request",
    "Response",
    "Signed",
    "SnapshotVerdict",
    "UnfitLibrary",
    "Value",
    "ValueVerdict",
    "Verdict",
    "accused_of",
    "decode",
    "decode_frame",
    "decode_signed",
    "decode_value",
    "encode",
    "encode_value",
    "judge",
    "judge_bytes",
    "kind_name",
    "next_page",
    "read_value_proof",
    "verify_attached",
    "verify_certificate",
    "verify_certificate_bytes",
    "verify_content",
    "verify_covered",
    "verify_entry",
    "verify_growth",
    "verify_link",
    "verify_response",
    "verify_snapshot",
    "verify_value",
    "verify_value_proof",
    "write_value_proof",
]
