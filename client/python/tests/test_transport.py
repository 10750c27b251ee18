"""Binary sessions over real sockets, with TLS and without: what is sent first, empty frames, names and authorities."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import datetime
import ipaddress
import ssl
import tempfile
import unittest
from pathlib import Path
from typing import Any, AsyncIterator, Awaitable, Callable, List, Optional

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

import aspas
from aspas.errors import Unreachable
from aspas.transport import PREFACE, Connection, tls_context
from aspas.verify import Descriptor, Node

from . import vectors

Story = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Authority:
    """A certificate of 127.0.0.1 that signs itself, in files."""

    def __init__(self, directory: str, address: str = "127.0.0.1") -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a server")])
        now = datetime.datetime(2020, 1, 1)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now)
            .not_valid_after(now + datetime.timedelta(days=36500))
            .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(address))]), False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
            .sign(key, hashes.SHA256())
        )
        self.path = Path(directory) / (address + ".pem")
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        self.path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM) + private)

    def server(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.path)
        return context


async def frame(reader: asyncio.StreamReader) -> bytes:
    return await reader.readexactly(int.from_bytes(await reader.readexactly(4), "big"))


def framed(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


@contextlib.asynccontextmanager
async def served(story: Story, tls: Optional[ssl.SSLContext] = None) -> AsyncIterator[Node]:
    """A server on a port of its own; the node to reach it."""
    talks: List["asyncio.Task[None]"] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talks.append(asyncio.current_task())  # type: ignore[arg-type]
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await story(reader, writer)
        writer.close()
        with contextlib.suppress(OSError, asyncio.CancelledError):
            await writer.wait_closed()

    server = await asyncio.start_server(talk, "127.0.0.1", 0, ssl=tls)
    port = server.sockets[0].getsockname()[1]
    node = dataclasses.replace(vectors.descriptor().appservers[0], session_port=port, client_tls=tls is not None)
    try:
        yield node
    finally:
        server.close()
        for task in talks:
            task.cancel()
        await asyncio.gather(*talks, return_exceptions=True)


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Wants the preface, says nothing twice, wants an answer to that, and gives back the next frame."""
    if await reader.readexactly(len(PREFACE)) == PREFACE:
        writer.write(framed(b"") + framed(b"hello"))
        if await frame(reader) == b"":
            writer.write(framed(await frame(reader)))
        await reader.read()


class TransportTest(unittest.TestCase):
    def setUp(self) -> None:
        files = tempfile.TemporaryDirectory()
        self.addCleanup(files.cleanup)
        self.directory = files.name
        self.descriptor: Descriptor = vectors.descriptor()

    def run_story(self, story: Story, tls: Optional[ssl.SSLContext], then: Callable[[Node], Awaitable[Any]]) -> None:
        async def run() -> None:
            async with served(story, tls) as node:
                await asyncio.wait_for(then(node), 60)

        asyncio.run(run())

    async def converse(self, node: Node, tls: Optional[ssl.SSLContext] = None) -> None:
        assert self.descriptor.limits is not None
        connection = await Connection.open(node, self.descriptor.limits, tls)
        try:
            self.assertEqual(b"hello", await connection.receive())
            connection.send(b"a frame")
            self.assertEqual(b"a frame", await connection.receive())
            with self.assertRaises(ValueError):
                connection.send(bytes(self.descriptor.limits.clientFrameBytes + 1))
        finally:
            connection.close()
            await connection.wait_closed()

    def test_frames(self) -> None:
        self.run_story(echo, None, self.converse)

    def test_tls(self) -> None:
        authority = Authority(self.directory)
        self.run_story(echo, authority.server(), lambda node: self.converse(node, tls_context(authority.path)))

    def test_whom_the_client_does_not_trust(self) -> None:
        authority, other = Authority(self.directory), Authority(self.directory, "127.0.0.2")

        async def then(node: Node) -> None:
            for context in (tls_context(other.path), None):
                with self.assertRaisesRegex(Unreachable, "TLS failed"):
                    await self.converse(node, context)

        self.run_story(echo, authority.server(), then)
        # The right authority, and a certificate of another address.
        self.run_story(echo, other.server(), lambda node: self.refuses(node, tls_context(other.path), "TLS failed"))

    def test_no_tls_where_the_descriptor_says_so(self) -> None:
        authority = Authority(self.directory)

        async def then(node: Node) -> None:
            await self.refuses(dataclasses.replace(node, client_tls=True), tls_context(authority.path), ".")

        self.run_story(echo, None, then)

    async def refuses(self, node: Node, tls: Optional[ssl.SSLContext], words: str) -> None:
        with self.assertRaisesRegex(Unreachable, words):
            await self.converse(node, tls)

    def test_a_frame_that_is_too_long(self) -> None:
        async def story(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"\xff\xff\xff\xff")
            await reader.read()

        self.run_story(story, None, lambda node: self.refuses(node, None, "frame of 4294967295 bytes"))

    def test_a_connection_that_ends(self) -> None:
        async def story(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"\x00\x00\x00\x05he")

        self.run_story(story, None, lambda node: self.refuses(node, None, "closed the connection|broke"))

    def test_nobody_there(self) -> None:
        async def run() -> None:
            async with served(echo) as node:
                port = node.session_port
            gone = dataclasses.replace(self.descriptor.appservers[0], session_port=port)
            await self.refuses(gone, None, "appserver-0")
            await self.refuses(dataclasses.replace(gone, session_port=0), None, "no port of binary sessions")

        asyncio.run(run())

    def test_a_client_says_why_it_cannot_begin(self) -> None:
        async def story(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(framed(b"no message"))
            await reader.read()

        async def then(node: Node) -> None:
            others = [dataclasses.replace(one, session_port=0) for one in self.descriptor.appservers[1:]]
            descriptor = dataclasses.replace(self.descriptor, appservers=(node, *others))
            client = aspas.Client(descriptor, aspas.SigningKey.generate())
            with self.assertRaisesRegex(Unreachable, "no server opened a session"):
                await client.open(timeout=1.0)

        self.run_story(story, None, then)


if __name__ == "__main__":
    unittest.main()
