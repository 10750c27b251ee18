"""The client: updates, confirmations, local and certified reads. See :class:`Client`."""

from __future__ import annotations

import asyncio
import os
import ssl
from dataclasses import dataclass
from inspect import iscoroutinefunction
from typing import Any, AsyncIterator, Callable, List, Optional, Tuple, Union

from ._arguments import element_of, integer, seconds
from ._engine import Engine, Options
from ._window import Pending, UpdateAnswer, UpdateConfirmation
from .errors import InvalidArgument, NotVerified
from .events import Event
from .keys import SigningKey
from .record import FileRecord
from .verify.answers import COUNTER, SET, next_page, write_value_proof
from .verify.cbor import Value
from .verify.descriptor import Descriptor
from .verify.messages import Answer, Certificate, Part, Read, brief_repr
from .verify.state import ZERO

#: An element of a set: an integer of 64 bits, or a text or byte string of at most 4,096 bytes.
Element = Union[int, str, bytes]


class Update:
    """An update of the application. Both moments can be awaited any number of times; a wait that is cancelled ends nothing."""

    def __init__(self, pending: Pending) -> None:
        self._pending = pending

    def __repr__(self) -> str:
        state = "confirmed" if _done(self._pending.confirmed) else "answered" if _done(self._pending.answered) else "waiting"
        pending = self._pending
        return "<Update %d: %s of %r, %s>" % (pending.number, pending.operation.name, pending.key, state)

    @property
    def number(self) -> int:
        """Its request number; 0 while it waits for room in the window."""
        return self._pending.number

    @property
    def answered(self) -> "asyncio.Future[UpdateAnswer]":
        """Done when the server's answer is verified: one round trip."""
        return asyncio.shield(self._pending.answered)

    @property
    def confirmed(self) -> "asyncio.Future[UpdateConfirmation]":
        """Done when a verified certificate covers this very update."""
        return asyncio.shield(self._pending.confirmed)


@dataclass(frozen=True)
class ReadResult:
    """A value. Of a certified read it has the certificate, and the bytes of a file that proves it to everybody."""

    value: Value
    server: int
    certificate: Optional[Certificate]
    proof: Optional[bytes]

    @property
    def certificate_number(self) -> int:
        """The number of the certificate that proves the value; 0 without one."""
        return 0 if self.certificate is None else self.certificate.number

    def __repr__(self) -> str:
        return brief_repr(self)


class Client:
    """A client of a deployment, which trusts no server: it verifies every answer, certificate and proof.

    ::

        async with Client(descriptor, key, server=0, tolerance=8) as c:
            update = await c.counter("likes/42").increment(1)   # one round trip
            await update.confirmed                              # a certificate covers it
            await c.counter("likes/42").get(certified=True)     # a value with its proof

    A client leaves a server that lies, withholds or is gone, and gives its unconfirmed updates to the next one; each counts
    once. Use it from one event loop. Without a record nothing is kept on disk: what is unconfirmed when the program ends may take
    effect, and nobody gives it again.

    An argument that no server could take raises :class:`InvalidArgument` at the call, whose ``reason`` says why a text or an element is
    none. Nothing was numbered or sent then, and the client goes on.

    :param descriptor: a verified one, as of :class:`aspas.Deployment`
    :param key: the client's key
    :param server: the index of the appserver to begin with
    :param tolerance: how many updates may be unconfirmed at once, from 1; none for unbounded
    :param tls: a context for servers that are reached by TLS; see :func:`aspas.tls_context`
    :param least_certificate: reads take no certificate with a lower number; what an earlier run has seen
    :param grace: seconds that an answered update may stay unconfirmed before the client asks other servers
    :param inspect: the share of answers, from 0 to 1, that other servers are asked to compute again
    :param patience: seconds that a server may leave an update unanswered
    :param on_event: is called with what happens; it must return soon. What it raises goes to the exception handler of the event loop, and
        changes nothing
    :param record: a file, or a :class:`aspas.FileRecord`, that keeps what is unconfirmed for the next client with the key. The
        client gives what it finds there first. Each update waits for the disk before it is sent
    :raises InvalidArgument: when an option is out of range
    """

    def __init__(
        self,
        descriptor: Descriptor,
        key: SigningKey,
        *,
        server: int = 0,
        tolerance: Optional[int] = None,
        tls: Optional[ssl.SSLContext] = None,
        least_certificate: int = 0,
        grace: float = 10.0,
        patience: float = 10.0,
        inspect: float = 0.01,
        on_event: Optional[Callable[[Event], None]] = None,
        record: Union[FileRecord, str, "os.PathLike[str]", None] = None,
    ) -> None:
        if not isinstance(descriptor, Descriptor) or descriptor.limits is None:
            raise InvalidArgument("descriptor is a verified one: Deployment.open(directory).descriptor")
        if not isinstance(key, SigningKey):
            raise InvalidArgument("key is a SigningKey")
        integer("server", server, 0, descriptor.servers - 1)
        if tolerance is not None:
            integer("tolerance", tolerance, 1)
        integer("least_certificate", least_certificate, 0)
        seconds("grace", grace)
        seconds("patience", patience)
        if isinstance(inspect, bool) or not isinstance(inspect, (int, float)) or not 0 <= inspect <= 1:
            raise InvalidArgument("inspect is a number from 0 to 1")
        if tls is not None and not isinstance(tls, ssl.SSLContext):
            raise InvalidArgument("tls is an ssl.SSLContext, as of aspas.tls_context")
        if on_event is not None and (not callable(on_event) or iscoroutinefunction(on_event)):
            raise InvalidArgument("on_event is a function, and no coroutine function")
        if record is not None and not isinstance(record, (FileRecord, str, os.PathLike)):
            raise InvalidArgument("record is a path, or a FileRecord")
        if not descriptor.admits(key.public):
            raise InvalidArgument("the deployment does not admit the key %s" % key.public.hex())
        kept = record if record is None or isinstance(record, FileRecord) else FileRecord(record)
        options = Options(server, tolerance, tls, least_certificate, grace, patience, inspect, on_event, kept)
        self._descriptor = descriptor
        self._engine = Engine(descriptor, key, options)

    def __repr__(self) -> str:
        return "<Client %s at appserver %d, %d unconfirmed>" % (self.id[:4].hex(), self.server, self.unconfirmed)

    async def __aenter__(self) -> "Client":
        await self.open()
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    async def open(self, timeout: float = 30.0) -> None:
        """Connects and opens a session; :class:`Unreachable` when no server opened one in time.

        :raises RecordInUse: when another process has the record
        """
        await self._engine.open(seconds("timeout", timeout))

    async def close(self) -> None:
        """Ends the client at once. Who still waits for an update or a read gets :class:`ClientClosed`."""
        await self._engine.close()

    @property
    def id(self) -> bytes:
        """The 48 bytes of this client: key, clock at its start, random bits."""
        return self._engine.id

    @property
    def server(self) -> int:
        """The appserver that the client is on."""
        return self._engine.server

    @property
    def tolerance(self) -> Optional[int]:
        """How many updates may be unconfirmed at once; none for unbounded. It can be set at any time."""
        return self._engine.window.tolerance

    @tolerance.setter
    def tolerance(self, tolerance: Optional[int]) -> None:
        if tolerance is not None:
            integer("tolerance", tolerance, 1)
        self._engine.set_tolerance(tolerance)

    @property
    def inherited(self) -> List[Update]:
        """What the record had open when the client began, and is not confirmed yet; each can be awaited."""
        return [Update(one) for one in self._engine.window.open.values() if one.place < 0]

    @property
    def unconfirmed(self) -> int:
        """How many updates are signed and not confirmed, those of the record among them."""
        return len(self._engine.window.open)

    @property
    def waiting(self) -> int:
        """How many updates wait for room in the window."""
        return len(self._engine.window.waiting)

    @property
    def certificate(self) -> Optional[Certificate]:
        """The newest certificate that this client has verified."""
        return self._engine.certificates.newest

    async def get_certificate(self, number: int = 0, timeout: float = 15.0) -> Optional[Certificate]:
        """A verified certificate by its number, or the newest that the server has; none when it has none."""
        return await self._engine.certificate(number, timeout)

    def counter(self, key: str) -> "Counter":
        """The counter with a key."""
        return Counter(self, key)

    def set(self, key: str) -> "Set":
        """The add-wins set with a key."""
        return Set(self, key)

    def submit(self, key: str, type_name: str, name: str, *arguments: Value) -> Update:
        """Asks for an update and returns at once; it waits for room in the window, in order."""
        return Update(self._engine.submit(key, type_name, name, arguments))

    async def update(self, key: str, type_name: str, name: str, *arguments: Value) -> Update:
        """Asks for an update and waits for its answer, with τ = 1 for its confirmation."""
        update = self.submit(key, type_name, name, *arguments)
        await update.answered
        return update

    async def read(
        self, key: str, type_name: str, certified: bool = False, part: Optional[Part] = None, timeout: float = 15.0
    ) -> ReadResult:
        """Reads a value, or a part of one; :class:`Refused`, :class:`NotVerified` or :class:`TimedOut` without one."""
        result, _, _ = await self._read(key, type_name, certified, part, timeout)
        return result

    async def _read(
        self, key: str, type_name: str, certified: bool, part: Optional[Part], timeout: float
    ) -> Tuple[ReadResult, Read, Answer]:
        read, answer = await self._engine.read(key, type_name, certified, part, timeout)
        proof = write_value_proof(read, answer) if certified else None
        response = answer.response.message
        return ReadResult(response.result, response.server, answer.certificate, proof), read, answer


class Counter:
    """A counter of 64 bits, which wraps around."""

    def __init__(self, client: Client, key: str) -> None:
        self._client = client
        self.key = key

    def __repr__(self) -> str:
        return "Counter(%r)" % self.key

    async def increment(self, by: int = 1) -> Update:
        """Adds; returns with the answer."""
        return await self._client.update(self.key, COUNTER, "increment", integer("by", by, 1))

    async def decrement(self, by: int = 1) -> Update:
        """Subtracts; returns with the answer."""
        return await self._client.update(self.key, COUNTER, "decrement", integer("by", by, 1))

    async def get(self, certified: bool = False) -> int:
        """The sum: the server's present word, or the newest certified one with its proof."""
        return _integer((await self.read(certified)).value)

    async def read(self, certified: bool = False) -> ReadResult:
        """The sum with what comes with it."""
        return await self._client.read(self.key, COUNTER, certified)


class Set:
    """An add-wins set."""

    def __init__(self, client: Client, key: str) -> None:
        self._client = client
        self.key = key

    def __repr__(self) -> str:
        return "Set(%r)" % self.key

    async def add(self, element: Element) -> Update:
        """Adds an element; returns with the answer."""
        return await self._client.update(self.key, SET, "add", element_of(element))

    async def remove(self, element: Element) -> Update:
        """Removes an element; returns with the answer."""
        return await self._client.update(self.key, SET, "remove", element_of(element))

    async def clear(self) -> Update:
        """Removes all elements; returns with the answer."""
        return await self._client.update(self.key, SET, "clear")

    async def get(self, certified: bool = False) -> List[Element]:
        """All elements, ascending. A set of megabytes is read by :meth:`pages`."""
        return _elements((await self.read(certified)).value)

    async def read(self, certified: bool = False) -> ReadResult:
        """All elements with what comes with them."""
        return await self._client.read(self.key, SET, certified)

    async def has(self, element: Element, certified: bool = False) -> bool:
        """Whether an element is in the set."""
        part = Part(element_of(element), None, 0)
        found = _elements((await self._client.read(self.key, SET, certified, part)).value)
        if found not in ([], [element]):
            raise NotVerified("the answer has other elements than the one asked for")
        return bool(found)

    async def pages(self) -> AsyncIterator[List[Element]]:
        """All elements of one certificate, page by page, each proved; the order of pages means nothing."""
        begin: Optional[bytes] = ZERO
        certificate = 0
        while begin is not None:
            part = Part(None, begin, certificate)
            result, read, answer = await self._client._read(self.key, SET, True, part, 15.0)
            assert result.certificate is not None and answer.proof is not None
            certificate = result.certificate.number
            begin = next_page(read, answer.proof)
            yield _elements(result.value)


def _done(future: "asyncio.Future[Any]") -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _integer(value: Value) -> int:
    if not isinstance(value, int):
        raise NotVerified("the server's value of a counter is no integer")
    return value


def _elements(value: Value) -> List[Element]:
    if not isinstance(value, tuple):
        raise NotVerified("the server's value of a set is no array")
    found: List[Element] = []
    for element in value:
        if isinstance(element, tuple):
            raise NotVerified("the server's value of a set has an array in it")
        found.append(element)
    return found
