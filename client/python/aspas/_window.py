"""The unconfirmed updates of a client, and their numbers."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Any, Deque, Dict, Iterable, List, Optional, Sequence, Set, Tuple

from .verify.answers import verify_covered
from .verify.cbor import Value
from .verify.messages import Certificate, Covered, Dot, Exclusion, Operation, Request, Response, Signed
from .verify.verdict import HOLDS, Verdict, wrong

#: A server may answer an update with another place when it has forgotten a certified one, but not without end.
_MOST_PLACES = 16


def settle(future: "asyncio.Future[Any]", result: Any = None, error: Optional[BaseException] = None) -> None:
    """Ends a future unless it has ended."""
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
        future.exception()  # Whoever does not wait for it is not told in the log.


@dataclass(frozen=True)
class UpdateAnswer:
    """The verified answer to an update: who entered it, and where. The result is the server's word."""

    number: int
    server: int
    dot: Dot
    result: Value


@dataclass(frozen=True)
class UpdateConfirmation:
    """The proof that a certificate covers an update."""

    number: int
    dot: Dot
    certificate: Certificate

    @property
    def certificate_number(self) -> int:
        """The number of the certificate."""
        return self.certificate.number


class Pending:
    """One update, from when it is asked for until it is confirmed."""

    def __init__(self, key: str, type_name: str, operation: Operation, loop: asyncio.AbstractEventLoop) -> None:
        self.key = key
        self.type = type_name
        self.operation = operation
        self.answered: "asyncio.Future[Any]" = loop.create_future()
        self.confirmed: "asyncio.Future[Any]" = loop.create_future()
        #: 0 while it waits for room.
        self.number = 0
        #: Its key in the window: the number, or less than 0 for what an earlier client with the key left.
        self.place = 0
        #: Who numbered it.
        self.client = b""
        self.request: Optional[Signed[Request]] = None
        #: The verified answers by their place.
        self.answers: Dict[Dot, Response] = {}
        #: A confirmation that came before the answer with its place.
        self.early: Optional[Tuple[Certificate, Covered]] = None
        #: When it was last sent.
        self.sent_at = -1.0
        #: When the present server first answered it; negative before.
        self.held_since = -1.0
        #: Since when a verified certificate covers its place here, without a proof; negative before.
        self.covered_since = -1.0
        #: Whether the present connection refused it as unfit.
        self.refused_here = False
        self.refused_by: Set[int] = set()
        self.doubtful = False

    @classmethod
    def left(cls, request: Signed[Request], place: int, loop: asyncio.AbstractEventLoop) -> "Pending":
        """What an earlier client with the key left, byte for byte as it was signed."""
        message = request.message
        update = cls(message.key, message.type, message.operation, loop)
        update.number, update.client = message.number, message.client
        update.place, update.request = place, request
        return update

    def answered_at(self, server: int) -> Optional[Dot]:
        """Where the newest answer of a server says that it is."""
        return next((dot for dot in reversed(list(self.answers)) if dot.origin == server), None)

    def end(self, error: BaseException) -> None:
        """Fails what waits for it."""
        settle(self.answered, error=error)
        settle(self.confirmed, error=error)


class Window:
    """At most ``tolerance`` updates are unconfirmed at once; the rest waits unsigned, in order."""

    def __init__(self, tolerance: Optional[int], client: bytes) -> None:
        self.tolerance = tolerance
        self.waiting: Deque[Pending] = deque()
        #: How many may be unconfirmed whatever the tolerance; none for no bound.
        self.most: Optional[int] = None
        self._client = client
        #: Earlier clients whose requests the record had.
        self.earlier: Set[bytes] = set()
        #: The places of these requests, by client and number.
        self._left: Dict[Tuple[bytes, int], int] = {}
        #: By place, ascending.
        self.open: Dict[int, Pending] = {}
        self.last = 0
        self._told = 0
        #: The places of those that the present server has to be given.
        self._due: Set[int] = set()
        #: Those that were sent and are not answered, in the order of sending.
        self._on_their_way: Dict[int, Pending] = {}

    def inherit(self, requests: Sequence[Signed[Request]], loop: asyncio.AbstractEventLoop) -> None:
        """Takes in what earlier clients left, before anything else is in the window."""
        for place, request in enumerate(requests, -len(requests)):
            self.open[place] = Pending.left(request, place, loop)
            self.earlier.add(request.message.client)
            self._left[request.message.client, request.message.number] = place

    def find(self, client: bytes, number: int) -> Optional[Pending]:
        """The unconfirmed update with this number of this client or an earlier one."""
        place = number if client == self._client else self._left.get((client, number), 0)
        return self.open.get(place)

    def admit(self) -> Optional[Pending]:
        """The next update for which there is room, with its number; it is in the window from now on."""
        while self.waiting and self.waiting[0].answered.cancelled():
            self.waiting.popleft()  # Nothing of it is signed.
        bounds = [bound for bound in (self.tolerance, self.most) if bound is not None]
        if not self.waiting or any(len(self.open) >= bound for bound in bounds):
            return None
        update = self.waiting.popleft()
        self.last += 1
        update.number = update.place = self.last
        update.client = self._client
        self.open[update.place] = update
        return update

    def give_up(self, update: Pending) -> None:
        """Takes out an update that was never sent; its number stays unused, so that the client has to end."""
        self.open.pop(update.place, None)

    def begin(self, server: int) -> None:
        """A session is open: the server has to be given what it has not answered."""
        self._on_their_way.clear()
        self._due = {place for place, update in self.open.items() if update.answered_at(server) is None}
        for update in self.open.values():
            update.refused_here = False

    def switched(self) -> None:
        """The server is another one."""
        for update in self.open.values():
            update.held_since = update.covered_since = -1.0

    def due(self) -> List[Pending]:
        """What the present server has to be given, in order."""
        return [self.open[place] for place in sorted(self._due)]

    def sent(self, update: Pending, now: float) -> None:
        """An update is on its way to the server."""
        update.sent_at = now
        self._due.discard(update.place)
        self._on_their_way[update.place] = update

    def refused(self, update: Pending) -> None:
        """It came back, and has to be given again."""
        self._on_their_way.pop(update.place, None)
        self._due.add(update.place)

    @property
    def on_their_way(self) -> int:
        """How many were sent and are not answered."""
        return len(self._on_their_way)

    def oldest_on_its_way(self) -> Optional[Pending]:
        """Of these the one that was sent first."""
        return next(iter(self._on_their_way.values()), None)

    def accept(self, update: Pending, server: int, response: Response, newest: Optional[Certificate]) -> Verdict:
        """Takes a verified answer to an update."""
        dot = response.dot
        assert dot is not None
        before = update.answered_at(server)
        if before is not None and before != dot:
            certified = newest is not None and before.sequence <= newest.content.version[server]
            if not certified or len(update.answers) >= _MOST_PLACES:
                return wrong("request %d got the two places %s and %s" % (update.number, before, dot))
        update.answers[dot] = response
        self._on_their_way.pop(update.place, None)
        self._due.discard(update.place)
        return HOLDS

    def confirm(self, update: Pending, certificate: Certificate, item: Covered, server: int) -> Verdict:
        """Takes an item of a confirmation with a verified certificate; when it proves the update, that leaves the window."""
        response = update.answers.get(item.dot)
        if response is None:
            if item.dot.origin == server:
                update.early = (certificate, item)
            return HOLDS
        verdict = verify_covered(certificate, item, response)
        if verdict:
            del self.open[update.place]
            self._due.discard(update.place)
            self._on_their_way.pop(update.place, None)
        return verdict

    def newly_confirmed(self) -> int:
        """The number up to which all is confirmed, if that is news; else 0."""
        number = next(iter(self.open)) - 1 if self.open else self.last
        if number <= self._told:
            return 0
        self._told = number
        return number

    def cut(self, exclusions: Iterable[Exclusion], server: int) -> List[int]:
        """Forgets the places beyond a cut; the numbers that have no place left."""
        cuts = {one.origin: one.cut for one in exclusions}
        revoked = []
        for update in self.open.values():
            lost = [dot for dot in update.answers if dot.sequence > cuts.get(dot.origin, dot.sequence)]
            for dot in lost:
                del update.answers[dot]
            if lost and update.answered_at(server) is None and update.place not in self._on_their_way:
                self._due.add(update.place)
            if lost and not update.answers:
                revoked.append(update.number)
        return revoked
