"""Appservers of the vectors' deployment in memory, of which the test is the other end: they take everything, and certify nothing."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

import aspas
from aspas.errors import Unreachable
from aspas.verify.descriptor import Limits, Node
from aspas.verify.merkle import leaf_hash
from aspas.verify.messages import (
    Answer,
    CertificateReply,
    Dot,
    Entry,
    GetCertificate,
    Hello,
    OpenSession,
    Read,
    Request,
    Response,
    Signed,
    TaggedRequest,
    decode_frame,
    encode,
)

from . import vectors

_KEYS = [aspas.SigningKey(bytes([0x10 + i]) * 32) for i in range(4)]


class Connection:
    """A connection to one of the servers."""

    def __init__(self, servers: "Servers", server: int) -> None:
        self._servers = servers
        self._server = server
        self._frames: "asyncio.Queue[Optional[bytes]]" = asyncio.Queue()
        self.give(Hello(servers.descriptor.id, server))

    def give(self, message: Any) -> None:
        self._frames.put_nowait(encode(message))

    def cut(self) -> None:
        self._frames.put_nowait(None)

    def send(self, frame: bytes) -> None:
        if self._server not in self._servers.frozen:
            answer = self._servers.answer(self._server, decode_frame(frame))
            if answer is not None:
                self.give(answer)

    async def receive(self) -> bytes:
        frame = await self._frames.get()
        if frame is None:
            raise Unreachable("cut by the test")
        return frame

    def close(self) -> None:
        self.cut()

    async def wait_closed(self) -> None:
        pass


class Servers:
    """All appservers. Give :meth:`open` in place of ``Connection.open``."""

    def __init__(self) -> None:
        self.descriptor = vectors.descriptor()
        #: The numbers and arguments of the updates that came.
        self.updates: List[Tuple[int, Any]] = []
        self.asked = 0
        self.frozen: Set[int] = set()
        self.connections: Dict[int, Connection] = {}
        self.certificates: Dict[int, Any] = {}
        #: The newest certificate of a server.
        self.newest: Callable[[int], Any] = lambda server: None
        self._sequences = [0, 0, 0, 0]
        self._answers = 0
        self._held: Dict[Tuple[int, int], Answer] = {}
        self._reader = b""

    async def open(self, node: Node, limits: Limits, tls: Any) -> Connection:
        connection = self.connections[node.index] = Connection(self, node.index)
        return connection

    def answer(self, server: int, frame: Any) -> Any:
        if isinstance(frame, TaggedRequest):
            frame = frame.request
        if isinstance(frame, GetCertificate):
            found = self.newest(server) if frame.number == 0 else self.certificates.get(frame.number)
            return CertificateReply(frame.number, found)
        if isinstance(frame, Read):
            self.asked += 1
            return self._signed(server, self._reader, frame.nonce, () if frame.type == "aw-set" else 0, None, frame.digest)
        if isinstance(frame, Signed) and isinstance(frame.message, OpenSession):
            return self._entered(server, frame, 0)
        if isinstance(frame, Signed) and isinstance(frame.message, Request):
            request = frame.message
            self.asked += 1
            self.updates.append((request.number, request.operation.arguments))
            place = server, request.number
            if place not in self._held:  # A request that comes again is answered as before.
                self._held[place] = self._entered(server, frame, request.number)
            return self._held[place]
        return None

    def _entered(self, server: int, words: Signed[Any], reference: int) -> Answer:
        self._reader = words.message.client
        before = [self._sequences[server] if one == server else 0 for one in range(4)]
        self._sequences[server] += 1
        dot = Dot(server, self._sequences[server])
        leaf = leaf_hash(encode(Entry(dot, tuple(before), words)))
        return self._signed(server, words.message.client, reference, (), dot, leaf)

    def _signed(self, server: int, client: bytes, reference: int, result: Any, dot: Optional[Dot], leaf: bytes) -> Answer:
        self._answers += 1
        version = tuple(self._sequences[one] if one == server else 0 for one in range(4))
        roots = sha256(b"").digest()
        response = Response(server, self._answers, client, reference, result, dot, leaf, version, roots, 0, bytes(32))
        return Answer(_KEYS[server].sign(self.descriptor.id, response), None, None)
