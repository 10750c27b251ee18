"""What keeps a client in a session: connections, the window, reads, and turning to another server."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections import deque
from dataclasses import dataclass
from typing import Any, Callable, Deque, Dict, List, Optional, Set, Tuple

from . import events
from ._arguments import integer, key_of, operation_of, seconds, sendable
from ._certificates import Certificates
from ._doubts import Doubts
from ._inbox import Inbox, Leave, PendingRead
from ._inspections import Inspections
from ._tags import OLD_SECONDS, Tagger
from ._window import Pending, Window, settle
from .errors import AspasError, ClientClosed, InvalidArgument, NotVerified, RecordFailed, Refused, TimedOut, Unreachable
from .keys import SigningKey
from .record import MOST_OPEN, FileRecord
from .transport import Connection
from .verify.descriptor import Descriptor, Limits
from .verify.messages import (
    Answer,
    Certificate,
    Evidence,
    GetCertificate,
    Hello,
    OpenSession,
    Part,
    Read,
    Request,
    Signed,
    decode,
    encode,
)

_TICK_SECONDS = 0.1
_LONGEST_PAUSE = 5.0
#: So many updates are on their way to a server at once.
_MOST_ON_THEIR_WAY = 512


@dataclass(frozen=True)
class Options:
    """What the application chose."""

    server: int
    tolerance: Optional[int]
    tls: Optional[ssl.SSLContext]
    least_certificate: int
    grace: float
    patience: float
    inspect: float
    on_event: Optional[Callable[[events.Event], None]]
    record: Optional[FileRecord] = None


class Engine:
    """One client. Everything happens in one event loop; nothing here waits for the application."""

    def __init__(self, descriptor: Descriptor, key: SigningKey, options: Options) -> None:
        assert descriptor.limits is not None
        self.descriptor = descriptor
        self.limits: Limits = descriptor.limits
        self.options = options
        self.id = key.new_client()
        self.server = options.server
        self.window = Window(options.tolerance, self.id)
        self.certificates = Certificates(descriptor, options.least_certificate)
        #: The record while this client has it.
        self._record: Optional[FileRecord] = None
        #: Whether more is on the disk as open than is.
        self._record_old = False
        self.reads: Dict[int, PendingRead] = {}
        self.openings: Deque[Signed[OpenSession]] = deque()
        #: Whether the server is given requests; false also while it lacks a certificate that this client has.
        self.up = False
        #: Since when the session waits for that certificate; negative when it does not.
        self.behind_since = -1.0
        self.distrusted: Set[int] = set()
        self._key = key
        self._inbox = Inbox(self)
        self._doubts = Doubts(self)
        self.inspections = Inspections(self, options.inspect)
        self.tagger = Tagger(descriptor)
        #: Futures of who asked for a certificate, by its number.
        self.certificate_queries: Dict[int, List["asyncio.Future[Optional[Certificate]]"]] = {}
        self._session_since = 0.0
        self._connection: Optional[Connection] = None
        self._leave: Optional[Leave] = None
        self._sessions = 0
        self._nonce = 0
        self._failures = 0
        self._reason = "nothing was tried"
        self._error: Optional[AspasError] = None
        self._tasks: List["asyncio.Task[None]"] = []
        #: Made by :meth:`open`: before Python 3.10 an event belongs to the loop in which it is made.
        self._opened: Optional[asyncio.Event] = None

    # ---- The life of a client ----

    async def open(self, timeout: float) -> None:
        """Begins, and waits for a session."""
        if self._tasks:
            raise InvalidArgument("the client was opened before")
        self._opened = asyncio.Event()
        self._inherit()
        self._tasks = [asyncio.ensure_future(self._run()), asyncio.ensure_future(self._ticks())]
        for task in self._tasks:
            task.add_done_callback(self._broke)
        try:
            await asyncio.wait_for(self._opened.wait(), timeout)
            if self._error is not None:
                raise self._error
        except (asyncio.TimeoutError, TimeoutError):
            await self.close()
            raise Unreachable("no server opened a session in %g s; %s" % (timeout, self._reason)) from None
        except BaseException:
            await self.close()
            raise

    def _broke(self, task: "asyncio.Task[None]") -> None:
        """A defect of this client ends it, so that nobody waits for what will never come."""
        broken = None if task.cancelled() else task.exception()
        if broken is not None:
            error = AspasError("the client ended by a defect of its own: %r" % broken)
            error.__cause__ = broken
            self.end(error)

    def _inherit(self) -> None:
        record = self.options.record
        if record is None:
            return
        left = record.open(self.descriptor.id, self._key.public)
        self._record = record
        self.certificates.highest = max(self.certificates.highest, left.certificate)
        self.window.most = MOST_OPEN
        self.window.inherit(left.open, asyncio.get_running_loop())

    def _save(self) -> None:
        """Makes durable what is open; nothing is sent before. :class:`RecordFailed` when that fails."""
        record = self._record
        if record is not None:
            requests = [update.request for update in self.window.open.values() if update.request is not None]
            try:
                record.save(self.certificates.highest, requests)
            except OSError as broken:
                raise RecordFailed("the record %s cannot be written: %s" % (record.path, broken.strerror or broken)) from None
            self._record_old = False

    def closed_some(self) -> None:
        """Something is confirmed. The record says so soon; until then the next client would give it again, which counts once."""
        self._record_old = self._record is not None

    def _close_record(self) -> None:
        if self._record is not None:
            try:
                if self._record_old:
                    self._save()
            except RecordFailed:
                pass  # The record that is there has more in it, which counts once.
            self._record.close()
            self._record = None

    async def close(self) -> None:
        """Ends the client."""
        connection = self._connection
        self.end(ClientClosed("the client is closed"))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._doubts.close()
        self.inspections.close()
        self._close_record()
        if connection is not None:
            await connection.wait_closed()

    def end(self, error: AspasError) -> None:
        """Fails everything that is pending, for good."""
        if self._error is None:
            self._error = error
        for update in [*self.window.open.values(), *self.window.waiting]:
            update.end(self._error)
        for read in self.reads.values():
            settle(read.done, error=self._error)
        for waiting in self.certificate_queries.values():
            for query in waiting:
                settle(query, error=self._error)
        self.window.waiting.clear()
        self.reads.clear()
        if self._opened is not None:
            self._opened.set()
        self._drop()

    def tell(self, event: events.Event) -> None:
        """Tells the application. The only place that does: what it raises goes to the loop's handler of exceptions, and changes nothing."""
        if self.options.on_event is not None:
            try:
                self.options.on_event(event)
            except (Exception, asyncio.CancelledError) as broken:
                asyncio.get_running_loop().call_exception_handler(
                    {"message": "on_event of an ASPAS client failed", "exception": broken}
                )

    @staticmethod
    def now() -> float:
        """Seconds of a clock that does not jump."""
        return time.monotonic()

    def sign(self, message: Any) -> Signed[Any]:
        """The message with the client's signature."""
        return self._key.sign(self.descriptor.id, message)

    def next_nonce(self) -> int:
        """A nonce that was never given out."""
        self._nonce += 1
        return self._nonce

    def nonce_used(self, nonce: int) -> bool:
        """Whether a nonce was given out."""
        return 1 <= nonce <= self._nonce

    # ---- What the application asks ----

    def submit(self, key: str, type_name: str, name: str, arguments: Tuple[Any, ...]) -> Pending:
        """Takes an update; :class:`InvalidArgument` when no server would."""
        self._require_life()
        key = key_of(key, self.limits)
        operation = operation_of(type_name, name, arguments, self.limits)
        update = Pending(key, type_name, operation, asyncio.get_running_loop())
        self.window.waiting.append(update)
        self.pump()
        return update

    def _require_life(self) -> None:
        if self._error is not None:
            raise self._error
        if not self._tasks:
            raise InvalidArgument("the client is not open; 'async with' opens it")

    async def read(
        self, key: str, type_name: str, certified: bool, part: Optional[Part], timeout: float
    ) -> Tuple[Read, Answer]:
        """Asks for a value; the question and the verified answer, of a certified read with its certificate."""
        self._require_life()
        key, timeout = key_of(key, self.limits), seconds("timeout", timeout)
        sendable(Read(0, key, type_name, certified, 0, part))
        if part is not None and part.certificate and self.certificates.get(part.certificate) is None:
            raise Refused("moved on", "the certificate of the page is not kept here any more")
        nonce = self.next_nonce()
        pending = PendingRead(nonce, key, type_name, certified, part, asyncio.get_running_loop().create_future())
        self.reads[nonce] = pending
        if self.up:
            self._ask(pending)
        try:
            return await asyncio.wait_for(pending.done, timeout)
        except (asyncio.TimeoutError, TimeoutError) as late:
            if isinstance(late, TimedOut):
                raise
            raise TimedOut("no answer to a read in %g s" % timeout) from None
        finally:
            self.reads.pop(nonce, None)

    async def certificate(self, number: int, timeout: float) -> Optional[Certificate]:
        """A certificate by its number, or with 0 the newest that the server has; verified. None when the server has none."""
        self._require_life()
        number, timeout = integer("number", number, 0), seconds("timeout", timeout)
        done: "asyncio.Future[Optional[Certificate]]" = asyncio.get_running_loop().create_future()
        waiting = self.certificate_queries.setdefault(number, [])
        waiting.append(done)
        if self.up:
            self.send(GetCertificate(number))
        try:
            return await asyncio.wait_for(done, timeout)
        except (asyncio.TimeoutError, TimeoutError):
            raise TimedOut("no answer about a certificate in %g s" % timeout) from None
        finally:
            if done in waiting:
                waiting.remove(done)

    def set_tolerance(self, tolerance: Optional[int]) -> None:
        """Changes τ, and tells the server."""
        before, self.window.tolerance = self.window.tolerance, tolerance
        if before == 1 and tolerance != 1:
            for update in self.window.open.values():
                self._inbox.tell_answered(update)
        if self._connection is not None and self.up:
            self._open_session()
        self.pump()

    # ---- Sending ----

    def send(self, message: Any) -> None:
        """Sends a message on the present connection, if there is one."""
        if self._connection is not None:
            self._connection.send(encode(message))

    def pump(self) -> None:
        """Sends what the server has to be given and can be given now."""
        if not self.up:
            return
        now = self.now()
        for update in self.window.due():
            if self.window.on_their_way >= _MOST_ON_THEIR_WAY:
                return
            self._give(update, now)
        begun: List[Pending] = []
        while self.window.on_their_way + len(begun) < _MOST_ON_THEIR_WAY:
            admitted = self.window.admit()
            if admitted is None:
                break
            request = Request(self.id, admitted.number, admitted.key, admitted.type, admitted.operation)
            admitted.request = self.sign(request)
            begun.append(admitted)
        if not begun:
            return
        try:
            self._save()
        except RecordFailed as failed:
            for update in begun:
                self.window.give_up(update)
                update.end(failed)
            self.end(failed)
            return
        for update in begun:
            self._give(update, now)

    def _give(self, update: Pending, now: float) -> None:
        assert update.request is not None
        self.window.sent(update, now)
        # Tags are for the requests of this client alone.
        self.send(self.tagger.frame(update.request) if update.place > 0 else update.request)

    def _ask(self, pending: PendingRead) -> None:
        read = Read(
            pending.nonce, pending.key, pending.type, pending.certified, self.certificates.highest, pending.part
        )
        pending.sent = read
        self.send(read)

    def _open_session(self) -> None:
        self._sessions += 1
        self._session_since = self.now()
        key = self.tagger.offer()
        share, home = (None, None) if key is None else (key.share, self.server)
        opening = self.sign(OpenSession(self.id, self._sessions, self.window.tolerance or 0, share, home))
        self.openings.append(opening)
        self.tagger.opening(key, opening)
        self.send(opening)

    # ---- The session ----

    def caught_up(self, certificate: int) -> None:
        """The server names a certificate; with as new a one as this client knows, it is given requests."""
        if self.up or self.openings or self.behind_since < 0 or certificate < self.certificates.highest:
            return
        self.up = True
        self.behind_since = -1.0
        self._failures = 0
        self.window.begin(self.server)
        self.tell(events.SessionOpened(self.server))
        for pending in self.reads.values():
            self._ask(pending)
        for number, waiting in self.certificate_queries.items():
            if waiting:
                self.send(GetCertificate(number))
        self.pump()
        assert self._opened is not None
        self._opened.set()

    async def _run(self) -> None:
        while self._error is None:
            self._leave = None
            try:
                await self._session()
            except (Unreachable, NotVerified) as gone:
                self._reason = str(gone)
            except Leave as leave:
                self._leave = leave
            self._disconnected()
            await self._next()

    async def _session(self) -> None:
        node = self.descriptor.appservers[self.server]
        connection = await Connection.open(node, self.limits, self.options.tls)
        self._connection = connection
        try:
            hello = await asyncio.wait_for(connection.receive(), self.options.patience)
        except (asyncio.TimeoutError, TimeoutError):
            raise Unreachable("%s does not greet" % node) from None
        self._greeted(hello)
        self._open_session()
        while True:
            self._inbox.frame(await connection.receive())

    def _greeted(self, frame: bytes) -> None:
        try:
            hello = decode(frame, Hello)
        except ValueError:
            raise Leave("the server did not greet first", blame=True) from None
        if hello.deployment != self.descriptor.id or hello.server != self.server:
            raise Leave("the server is another one than the descriptor says", blame=True)

    def _disconnected(self) -> None:
        self._drop()
        self.up = False
        self.behind_since = -1.0
        self.openings.clear()
        self.tagger.disconnected()
        self._inbox.disconnected()
        for read in self.reads.values():
            read.sent = None

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def abandon(self, reason: str, blame: bool = False) -> None:
        """Leaves the present server from outside of its frames."""
        if self._connection is not None and self._leave is None:
            self._leave = Leave(reason, blame)
            self._drop()

    async def _next(self) -> None:
        """Chooses the server to go on with: the same once more when it is only gone, else another one."""
        if self._error is not None:
            return
        leave = self._leave
        if leave is not None:
            self._reason = leave.reason
            if leave.blame:
                self.distrusted.add(self.server)
        self._failures += 1
        if leave is None and self._failures <= 1:
            self.tell(events.Disconnected(self.server, self._reason))
            return
        left, self.server = self.server, self._other()
        if self.server != left:
            self.window.switched()
            self._doubts.switched()
            self.tell(events.Switched(left, self.server, self._reason, len(self.window.open)))
        if self._failures > 2:
            await asyncio.sleep(min(_LONGEST_PAUSE, 0.05 * 2 ** min(self._failures, 8)))

    def _other(self) -> int:
        newest = self.certificates.newest
        excluded = set() if newest is None else {one.origin for one in newest.content.exclusions}
        others = [(self.server + step) % self.descriptor.servers for step in range(1, self.descriptor.servers + 1)]
        fit = [one for one in others if one not in excluded and one not in self.distrusted]
        if not fit:
            self.distrusted.clear()  # All of them: then this machine or its network may be at fault.
            fit = [one for one in others if one not in excluded]
        return fit[0] if fit else self.server

    # ---- Time ----

    async def _ticks(self) -> None:
        while self._error is None:
            await asyncio.sleep(_TICK_SECONDS)
            self._tick()

    def _tick(self) -> None:
        now = self.now()
        if self.behind_since >= 0:
            if now - self.behind_since > self.options.grace:
                self.abandon("the server lacks certificate %d" % self.certificates.highest)
            else:
                self.send(GetCertificate(0))
        if not self.up:
            return
        late = self.window.oldest_on_its_way()
        if late is not None and now - late.sent_at > self.options.patience * self._doubts.patience:
            self.abandon("the server leaves request %d unanswered" % late.number)
            return
        self._doubts.tick(now)
        if self._record_old:
            self._save_soon()
        if self.tagger.used and not self.openings and now - self._session_since > OLD_SECONDS:
            self._open_session()
        for pending in list(self.reads.values()):
            if pending.sent is None:
                self._ask(pending)
        self.pump()

    def _save_soon(self) -> None:
        try:
            self._save()
        except RecordFailed as failed:
            self.end(failed)

    def take_from_others(self, certificate: Certificate) -> bool:
        """Takes a certificate that another server gave; a wrong one is nothing. Whether it is right."""
        return bool(self._inbox.take(certificate))

    def named(self, certificate: int) -> None:
        """A verified answer of the present server names its newest certificate."""
        self._doubts.names(certificate)

    def misbehaved(self, server: int, reason: str, evidence: Optional[Evidence]) -> None:
        """Tells of a server that cannot be trusted, brings the evidence to the others, and leaves it."""
        self.tell(events.Misbehaved(server, reason, evidence))
        self.distrusted.add(server)
        if evidence is not None:
            self._doubts.complain(server, evidence)
        if server == self.server:
            self.abandon(reason, blame=True)

    async def ask_other(self, server: int, question: Signed[Any], wanted: Callable[[Any], Any]) -> Any:
        """Asks another server on a connection of its own; None when it does not answer in time."""
        return await self._doubts.ask(server, question, wanted)

    def by_server(self, server: int, signed: Signed[Any]) -> bool:
        """Whether an appserver signed a message."""
        domain = str(signed.message.DOMAIN)
        return self.descriptor.by_appserver(server, domain, signed.payload, signed.signature)

    def confirmed_some(self) -> None:
        """The present server is of use."""
        self._doubts.progress()
