"""Binary sessions over TCP or TLS (docs/formats.md, section 21)."""

from __future__ import annotations

import asyncio
import contextlib
import os
import ssl
from typing import Optional, Union

from .errors import Unreachable
from .verify.descriptor import Limits, Node

PREFACE = b"ASPAS/1\n"
#: A server on which nothing comes for so many seconds is gone.
IDLE_SECONDS = 60.0
#: The rest of a frame that has begun comes within so many seconds.
FRAME_SECONDS = 10.0
CONNECT_SECONDS = 5.0
_CLOSE_SECONDS = 1.0


def tls_context(authorities: Optional[Union[str, "os.PathLike[str]"]]) -> ssl.SSLContext:
    """TLS 1.3 that trusts the authorities in a PEM file, or without one those of this machine; names are verified."""
    context = ssl.create_default_context(cafile=None if authorities is None else os.fspath(authorities))
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    return context


class Connection:
    """Frames to and from one appserver. Used by one task for receiving; :meth:`send` may be called by any of the loop."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limits: Limits) -> None:
        self._reader = reader
        self._writer = writer
        self._limits = limits

    @classmethod
    async def open(cls, node: Node, limits: Limits, tls: Optional[ssl.SSLContext]) -> "Connection":
        """Connects and says which protocol it is; :class:`Unreachable` in one line when that does not succeed."""
        if node.session_port == 0:
            raise Unreachable("%s has no port of binary sessions (sessionPort) in the descriptor" % node)
        context = (tls or tls_context(None)) if node.client_tls else None
        try:
            reader, writer = await asyncio.wait_for(
                asyncio.open_connection(node.host, node.session_port, ssl=context, limit=1 << 18), CONNECT_SECONDS
            )
        except (asyncio.TimeoutError, TimeoutError):
            raise Unreachable("%s does not answer at %s:%d" % (node, node.host, node.session_port)) from None
        except ssl.SSLError as broken:
            raise Unreachable("%s: TLS failed: %s" % (node, broken)) from None
        except OSError as broken:
            raise Unreachable("%s: %s" % (node, broken)) from None
        writer.write(PREFACE)
        return cls(reader, writer, limits)

    def send(self, frame: bytes) -> None:
        """Sends a frame, behind those before it. Does nothing on a connection that is gone: the receiver learns it."""
        if len(frame) > self._limits.clientFrameBytes:
            raise ValueError("a frame of %d bytes where %d are allowed" % (len(frame), self._limits.clientFrameBytes))
        if not self._writer.is_closing():
            self._writer.write(len(frame).to_bytes(4, "big") + frame)

    async def receive(self) -> bytes:
        """The next frame that says something; :class:`Unreachable` when the connection is over."""
        try:
            while True:
                head = await asyncio.wait_for(self._reader.readexactly(4), IDLE_SECONDS)
                length = int.from_bytes(head, "big")
                if length > self._limits.linkFrameBytes:
                    raise Unreachable("the server sends a frame of %d bytes" % length)
                if length > 0:
                    return await asyncio.wait_for(self._reader.readexactly(length), FRAME_SECONDS)
                self.send(b"")
        except (asyncio.TimeoutError, TimeoutError):
            raise Unreachable("the server is silent") from None
        except asyncio.IncompleteReadError:
            raise Unreachable("the server closed the connection") from None
        except OSError as broken:
            raise Unreachable("the connection broke: %s" % broken) from None

    def close(self) -> None:
        """Ends the connection at once."""
        if not self._writer.is_closing():
            self._writer.close()

    async def wait_closed(self) -> None:
        """Waits a moment until nothing is left of a connection that was closed."""
        with contextlib.suppress(OSError, asyncio.TimeoutError, TimeoutError):
            await asyncio.wait_for(self._writer.wait_closed(), _CLOSE_SECONDS)
