"""What a client may fail with. All are :class:`AspasError`."""

from __future__ import annotations

from typing import Optional


class AspasError(Exception):
    """The base of all errors of a client."""


class InvalidArgument(AspasError, ValueError):
    """An argument that no server could take: nothing was numbered, signed or sent, and the client goes on."""

    def __init__(self, message: str, reason: Optional[str] = None) -> None:
        super().__init__(message)
        #: Of a text or an element that is none a word of docs/vectors/texts.json, such as ``lone-surrogate``; else none.
        self.reason = reason


class RecordInUse(InvalidArgument):
    """Another process has the client's record."""


class RecordFailed(AspasError):
    """The client's record cannot be written; the client has ended."""


class Unreachable(AspasError):
    """No appserver can be used; the sentence says why the last one could not."""


class TimedOut(AspasError, TimeoutError):
    """There was no answer in time. An update stays with the client and may still take effect."""


class NotVerified(AspasError):
    """A server said what its own signature, a certificate or a proof does not bear out."""


class Refused(AspasError):
    """A server does not do what it was asked for. An update that was sent may still take effect."""

    def __init__(self, reason: str, detail: str, server: Optional[int] = None) -> None:
        super().__init__("%s: %s" % (reason, detail))
        #: One of the names in ``aspas.verify.messages.REASONS``.
        self.reason = reason
        self.detail = detail
        self.server = server


class ClientClosed(AspasError):
    """The client was closed first. What it had sent may still take effect."""
