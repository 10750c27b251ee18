"""A client of ASPAS and a verifier without I/O. See :class:`Client` and :mod:`aspas.verify`."""

from __future__ import annotations

from ._window import UpdateAnswer, UpdateConfirmation
from .client import Client, Counter, ReadResult, Set, Update
from .deployment import Deployment
from .errors import (
    AspasError,
    ClientClosed,
    InvalidArgument,
    NotVerified,
    RecordFailed,
    RecordInUse,
    Refused,
    TimedOut,
    Unreachable,
)
from .keys import SigningKey
from .record import FileRecord
from .transport import tls_context
from .verify.descriptor import Descriptor

__version__ = "0.1.0"

__all__ = [
    "AspasError",
    "Client",
    "ClientClosed",
    "Counter",
    "Deployment",
    "Descriptor",
    "FileRecord",
    "InvalidArgument",
    "NotVerified",
    "ReadResult",
    "RecordFailed",
    "RecordInUse",
    "Refused",
    "Set",
    "SigningKey",
    "TimedOut",
    "Unreachable",
    "Update",
    "UpdateAnswer",
    "UpdateConfirmation",
    "tls_context",
]
