"""A client of ASPAS and a verifier without I/O. See :class:`Client` and :mod:`aspas.verify`."""

from __future__ import annotations

from ._window import UpdateAnswer, UpdateConfirmation
from .client import Client, Counter, ReadResult, Set, Update
from .deployment import Deployment
from .errors import AspasError, ClientClosed, InvalidArgument, NotVerified, Refused, TimedOut, Unreachable
from .keys import SigningKey
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
    "InvalidArgument",
    "NotVerified",
    "ReadResult",
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
