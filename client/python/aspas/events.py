"""What a client tells beside answers, confirmations and values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple, Union

from .verify.messages import Evidence


@dataclass(frozen=True)
class SessionOpened:
    """A server opened a session of the client."""

    server: int


@dataclass(frozen=True)
class CertificateAdvanced:
    """A certificate newer than all before was verified."""

    number: int


@dataclass(frozen=True)
class Confirmed:
    """All updates up to this number are confirmed."""

    number: int


@dataclass(frozen=True)
class Switched:
    """The client left a server for another one, and gives it again what is unconfirmed."""

    left: int
    server: int
    reason: str
    resubmitted: int


@dataclass(frozen=True)
class Disconnected:
    """The connection is gone; the client connects again."""

    server: int
    reason: str


@dataclass(frozen=True)
class Revoked:
    """These updates lay beyond the cut of an excluded server. The client gives them again by itself."""

    numbers: Tuple[int, ...]
    certificate: int


@dataclass(frozen=True)
class MayTakeEffect:
    """A server refused an update that is signed. It keeps its number, and ends with its confirmation."""

    number: int
    reason: str


@dataclass(frozen=True)
class Misbehaved:
    """A server said what it could not prove; with ``evidence``, everybody can verify that it lied."""

    server: int
    reason: str
    evidence: Optional[Evidence]


Event = Union[
    SessionOpened, CertificateAdvanced, Confirmed, Switched, Disconnected, Revoked, MayTakeEffect, Misbehaved
]
