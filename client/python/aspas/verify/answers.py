"""Answers, confirmations and certified reads (docs/formats.md, sections 9, 10 and 20)."""

from __future__ import annotations

from typing import Any, Callable, Optional, Tuple

from .cbor import Malformed, Value, decode_value, encode_value, order, shown, wrong_element
from .certificate import verify_certificate
from .descriptor import Descriptor
from .merkle import leaf_hash
from .messages import (
    Answer,
    Certificate,
    Covered,
    Elements,
    Entry,
    ObjectProof,
    Part,
    Read,
    Response,
    Signed,
    decode,
    encode,
    is_later,
)
from .state import Leaf, element_leaf, element_path, elements_leaf, object_leaf, object_path
from .verdict import HOLDS, ValueVerdict, Verdict, wrong

COUNTER = "pn-counter"
SET = "aw-set"
#: The empty value of each type.
EMPTY = {COUNTER: 0, SET: ()}
#: The layout of a file with the proof of a value.
_LAYOUT = 1


def verify_response(descriptor: Descriptor, server: int, client: bytes, signed: Signed[Response]) -> Verdict:
    """What every answer must satisfy: signed by the server that was asked, for this client, of the open incarnation."""
    response = signed.message
    if not descriptor.by_appserver(server, "response", signed.payload, signed.signature):
        return wrong("the answer is not signed by appserver %d" % server)
    if response.server != server:
        return wrong("the answer names appserver %d" % response.server)
    if response.client != client:
        return wrong("the answer is for another client")
    if len(response.version) != descriptor.servers:
        return wrong("the version has %d components" % len(response.version))
    if is_later(*response.version) or (response.dot is not None and is_later(response.dot.sequence)):
        return wrong("the answer names an incarnation that is not open")
    return HOLDS


def verify_attached(
    descriptor: Descriptor,
    response: Response,
    certificate: Certificate,
    check: Callable[[Descriptor, Certificate], Verdict] = verify_certificate,
) -> Verdict:
    """Whether the certificate that came with an answer is the one that the answer names, and genuine.

    :param check: verifies the certificate; give one of your own to remember results
    """
    if certificate.digest != response.certificate_digest or certificate.number != response.certificate:
        return wrong("the answer came with another certificate than it names")
    return check(descriptor, certificate)


def verify_entry(response: Response, reference: int, request: Signed[Any]) -> Verdict:
    """Whether an answer enters exactly this update or session record of the client's.

    :param reference: the number of the update, or 0 for a session record
    :param request: what the client itself signed
    """
    dot = response.dot
    if response.reference != reference:
        return wrong("the answer is to request %d" % response.reference)
    if dot is None or dot.origin != response.server or dot.origin >= len(response.version):
        return wrong("the answer names no entry of its server")
    if response.version[dot.origin] != dot.sequence:
        return wrong("the version does not end with the entry")
    dependencies = list(response.version)
    dependencies[dot.origin] -= 1
    entry = Entry(dot, tuple(dependencies), request)
    if leaf_hash(encode(entry)) != response.leaf:
        return wrong("the leaf is not that of the request")
    return HOLDS


def verify_covered(certificate: Certificate, covered: Covered, response: Response) -> Verdict:
    """Whether a verified certificate covers the update that this verified response answers.

    :param certificate: one that :func:`verify_certificate` found right
    :param covered: the item of the confirmation
    :param response: one that :func:`verify_response` and :func:`verify_entry` found right
    """
    dot, content = covered.dot, certificate.content
    if response.dot != dot or response.reference != covered.number:
        return wrong("the confirmation is of another place than the answer")
    if is_later(dot.sequence):
        return wrong("the confirmation names an incarnation that is not open")
    if dot.origin >= len(content.version) or dot.sequence > content.version[dot.origin]:
        return wrong("certificate %d does not cover %s" % (content.number, dot))
    proof = covered.proof
    right = (
        proof.size == content.version[dot.origin]
        and proof.index == dot.sequence - 1
        and proof.proves(response.leaf, content.roots[dot.origin])
    )
    return HOLDS if right else wrong("request %d is not proved to be at %s" % (covered.number, dot))


def verify_value(read: Read, value: Value, certificate: Certificate, proof: ObjectProof) -> Verdict:
    """Whether a verified certificate proves the value that a certified read got (section 10, steps 2 to 5).

    :param certificate: one that :func:`verify_certificate` found right
    """
    wanted = 0 if read.part is None else read.part.certificate
    if certificate.number != wanted and (wanted != 0 or certificate.number < read.certificate):
        return wrong("the value is of certificate %d, asked for %d" % (certificate.number, wanted or read.certificate))
    if not _proves(read, value, proof, certificate.content.state):
        return wrong("the value of %s is not proved in certificate %d" % (shown(read.key), certificate.number))
    return HOLDS


def _proves(read: Read, value: Value, proof: ObjectProof, root: bytes) -> bool:
    if read.type not in EMPTY:
        return False
    path = object_path(read.key)
    elements = proof.elements
    if proof.type is None:
        return value == EMPTY[read.type] and elements is None and proof.path.absence(root, path)
    if proof.type != read.type or (elements is not None) != (read.type == SET):
        return False
    if elements is None:
        leaf = object_leaf(read.key, read.type, value)
        return read.part is None and proof.path.presence(root, path, leaf)
    leaf = elements_leaf(read.key, read.type, elements.size, elements.root)
    return _elements_proved(read.part, value, elements) and proof.path.presence(root, path, leaf)


def _elements_proved(part: Optional[Part], value: Value, proof: Elements) -> bool:
    if not isinstance(value, tuple) or len(value) != len(proof.states):
        return False
    if any(wrong_element(element) is not None for element in value):
        return False
    keys = [order(element) for element in value]
    if any(one >= other for one, other in zip(keys, keys[1:])):
        return False
    leaves = sorted(
        (Leaf(element_path(element), element_leaf(element, state)) for element, state in zip(value, proof.states)),
        key=lambda leaf: leaf.path,
    )
    if part is not None and part.element is not None:
        return proof.page.one(proof.root, element_path(part.element), leaves)
    if part is not None and part.begin is not None:
        return proof.page.page(proof.root, part.begin, leaves)
    return len(leaves) == proof.size and proof.page.whole(proof.root, leaves)


def next_page(read: Read, proof: ObjectProof) -> Optional[bytes]:
    """Where the page behind a verified one begins; none behind the last one, or when the read was of no page."""
    part, elements = read.part, proof.elements
    if part is None or part.begin is None or elements is None:
        return None
    return elements.page.following(part.begin)


# ---- Files ----


def write_value_proof(read: Read, answer: Answer) -> bytes:
    """The bytes of a file that proves a certified value; the answer has its certificate."""
    return encode_value((_LAYOUT, encode(read), encode(answer)))


def read_value_proof(data: bytes) -> Tuple[Read, Answer]:
    """The question and the answer in such a file, of which nothing is verified; :class:`Malformed` when it is none."""
    parts = decode_value(data)
    if not isinstance(parts, tuple) or len(parts) != 3:
        raise Malformed("not the three parts of a proof")
    layout, read, answer = parts
    if layout != _LAYOUT or not isinstance(read, bytes) or not isinstance(answer, bytes):
        raise Malformed("not the layout of a proof")
    return decode(read, Read), decode(answer, Answer)


def verify_value_proof(descriptor: Descriptor, data: bytes) -> ValueVerdict:
    """Whether the bytes of a file prove a certified value. Who answered does not matter, so that signature is not checked."""
    try:
        read, answer = read_value_proof(data)
    except Malformed as malformed:
        return ValueVerdict(False, "it is no proof of a value: %s" % malformed)
    value, certificate = answer.response.message.result, answer.certificate
    if certificate is None or answer.proof is None:
        return ValueVerdict(False, "it has no certificate, or no proof", read)
    verdict = verify_certificate(descriptor, certificate)
    if verdict:
        verdict = verify_value(read, value, certificate, answer.proof)
    return ValueVerdict(verdict.valid, verdict.reason, read, value if verdict else None, certificate)
