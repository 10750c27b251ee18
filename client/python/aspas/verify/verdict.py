"""What a verification comes to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Optional, Union

from .cbor import Value
from .messages import Certificate, Evidence, Read


@dataclass(frozen=True)
class Verdict:
    """Whether something holds, and if not, the first reason found. It is true in an ``if`` when it holds."""

    valid: bool
    reason: Optional[str] = None

    def __bool__(self) -> bool:
        return self.valid


#: It holds.
HOLDS = Verdict(True)


def wrong(reason: str) -> Verdict:
    """It does not hold."""
    return Verdict(False, reason)


@dataclass(frozen=True)
class CertificateVerdict(Verdict):
    """The verdict on the bytes of a certificate; the certificate is there when the bytes can be read."""

    certificate: Optional[Certificate] = None


@dataclass(frozen=True)
class ValueVerdict(Verdict):
    """The verdict on the proof of a certified value."""

    read: Optional[Read] = None
    value: Optional[Value] = None
    certificate: Optional[Certificate] = None


class Finding(Enum):
    """What a judge finds of evidence."""

    #: The accused is faulty: anybody with the descriptor can see it.
    GUILTY = "guilty"
    #: Well signed; only servers that compute the answer again can convict.
    NEEDS_REPLAY = "needs replay"
    #: It names an incarnation that is not open here; neither proved nor false.
    CANNOT_CONFIRM = "cannot confirm"
    #: It proves nothing.
    UNFOUNDED = "unfounded"
    #: The bytes are no evidence.
    MALFORMED = "malformed"


#: Whom evidence accuses: the index of an appserver, or the 48 bytes of a client.
Accused = Union[int, bytes]


@dataclass(frozen=True)
class Judgement:
    """What evidence proves. It is true in an ``if`` when the accused is guilty."""

    finding: Finding
    reason: Optional[str] = None
    kind: Optional[str] = None
    accused: Optional[Accused] = None
    evidence: Optional[Evidence] = None

    def __bool__(self) -> bool:
        return self.finding is Finding.GUILTY

    @property
    def accused_name(self) -> Optional[str]:
        """The accused in words."""
        if isinstance(self.accused, bytes):
            return "client %s/%s" % (self.accused.hex()[:16], self.accused[40:].hex()[:8])
        return None if self.accused is None else "appserver-%d" % self.accused
