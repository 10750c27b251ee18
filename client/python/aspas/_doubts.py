"""When a client doubts its server: updates that stay unconfirmed, for which nobody is blamed; and complaints, with proof."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Callable, List, Optional, Set

from ._window import Pending
from .errors import Unreachable
from .transport import Connection
from .verify.cbor import Malformed
from .verify.messages import (
    AskStanding,
    Blacklist,
    Certificate,
    CertificateReply,
    Complain,
    Evidence,
    GetCertificate,
    Hello,
    Named,
    Refusal,
    Signed,
    Standing,
    decode,
    decode_frame,
    encode,
)

if TYPE_CHECKING:
    from ._engine import Engine

_ASK_SECONDS = 5.0
_LONGEST = 8
#: So many grace times lie between two comparisons of the own server's newest certificate with another one's.
_COMPARISON_GRACES = 12


class Doubts:
    """Asks the other servers when an update stays unconfirmed for too long, and leaves a server that withholds."""

    def __init__(self, engine: "Engine") -> None:
        self._engine = engine
        self._question: Optional["asyncio.Task[None]"] = None
        self._complaints: Set["asyncio.Task[None]"] = set()
        self._next_question = 0.0
        #: How many times the usual patience the next server gets; 1 again when something is confirmed.
        self.patience = 1
        self._comparison: Optional["asyncio.Task[None]"] = None
        self._next_comparison = -1.0
        self._turn = 0
        #: The newest certificate that the own server named since the last comparison began; negative for none.
        self._named = -1

    def progress(self) -> None:
        """An update was confirmed."""
        self.patience = 1
        self._next_question = 0.0

    def switched(self) -> None:
        """Another server gets more time, as long as nothing is confirmed."""
        self.patience = min(_LONGEST, 2 * self.patience)
        self._next_question = 0.0
        self._next_comparison = -1.0
        self._named = -1

    def close(self) -> None:
        """Ends a question that is open."""
        for task in [*self._complaints, self._question, self._comparison]:
            if task is not None:
                task.cancel()

    def complain(self, accused: int, evidence: Evidence) -> None:
        """Brings evidence to all other servers, which judge it by themselves."""
        task = asyncio.ensure_future(self._complain(accused, evidence))
        self._complaints.add(task)
        task.add_done_callback(self._complaints.discard)

    async def _complain(self, accused: int, evidence: Evidence) -> None:
        engine = self._engine
        complaint = engine.sign(Complain(engine.id, engine.next_nonce(), evidence))
        others = [one for one in range(engine.descriptor.servers) if one != accused]
        talks = [asyncio.wait_for(self._converse(other, complaint, _found), _ASK_SECONDS) for other in others]
        await asyncio.gather(*talks, return_exceptions=True)

    def tick(self, now: float) -> None:
        """Time has passed."""
        self._compare(now)
        engine = self._engine
        grace = engine.options.grace * self.patience
        oldest = next((one for one in engine.window.open.values() if one.held_since >= 0), None)
        if oldest is None or now - oldest.held_since < grace:
            return
        if self._covered(oldest):
            self._withheld(oldest, now, grace)
        elif now >= self._next_question and (self._question is None or self._question.done()):
            self._next_question = now + grace
            self._question = asyncio.ensure_future(self._ask(oldest))

    def names(self, certificate: int) -> None:
        """An answer of the own server names its newest certificate."""
        self._named = max(self._named, certificate)

    def _compare(self, now: float) -> None:
        """Now and then a client that is at work asks another server for its newest certificate, a different one each time.

        A client that only reads has no update to tell it that its server's certificates have fallen behind: each certified value
        is genuine, and old.
        """
        if self._next_comparison < 0:
            self._next_comparison = now + _COMPARISON_GRACES * self._engine.options.grace
        elif now >= self._next_comparison and self._named >= 0 and (self._comparison is None or self._comparison.done()):
            self._next_comparison = now + _COMPARISON_GRACES * self._engine.options.grace
            self._comparison = asyncio.ensure_future(self._compared())

    async def _compared(self) -> None:
        engine, server = self._engine, self._engine.server
        others = [one for one in range(engine.descriptor.servers) if one != server]
        self._named = -1
        self._turn += 1
        newer = await self._newest(others[self._turn % len(others)])
        if newer is None:
            return
        await asyncio.sleep(2 * engine.options.grace)  # The own server may be about to have it.
        own = await self._newest(server) if self._named < newer.number else None
        if engine.server != server:
            return
        if own is not None and engine.take_from_others(own):
            self.names(own.number)
        if 0 <= self._named < newer.number and engine.take_from_others(newer) and engine.server == server:
            engine.abandon("it is at certificate %d, and another server has long had %d" % (self._named, newer.number))

    async def _newest(self, server: int) -> Optional[Certificate]:
        """The newest certificate that a server gives, not verified."""

        def replied(frame: Any) -> Any:
            return frame if isinstance(frame, CertificateReply) else None

        reply = await self.ask(server, GetCertificate(0), replied)
        return None if reply is None else reply.certificate

    def _covered(self, update: Pending) -> bool:
        engine = self._engine
        newest, dot = engine.certificates.newest, update.answered_at(engine.server)
        return newest is not None and dot is not None and dot.sequence <= newest.content.version[dot.origin]

    def _withheld(self, update: Pending, now: float, grace: float) -> None:
        if update.covered_since < 0:
            for one in self._engine.window.open.values():  # For all at once: proving one at a time gains nothing.
                if one.held_since >= 0 and one.covered_since < 0 and self._covered(one):
                    one.covered_since = now
        elif now - update.covered_since >= grace / 2:
            self._engine.abandon("a certificate covers request %d, which is not proved here" % update.number)

    async def _ask(self, update: Pending) -> None:
        engine, server = self._engine, self._engine.server
        assert update.request is not None
        nonce = engine.next_nonce()
        named = Named(update.number, update.request.identity)
        question = engine.sign(AskStanding(update.client, nonce, (named,)))
        others = [one for one in range(engine.descriptor.servers) if one != server]
        said: List[Any] = await asyncio.gather(
            *[self._standing(other, nonce, question, update.client) for other in others], return_exceptions=True
        )
        if engine.server != server or update.place not in engine.window.open:
            return
        lacking = holding = 0
        for word in said:
            if isinstance(word, Standing):
                held = len(word.updates) == 1 and word.updates[0].number == update.number
                holding += held and word.updates[0].dot is not None
                lacking += held and word.updates[0].dot is None
                if word.certificate is not None:
                    engine.take_from_others(word.certificate)
        if lacking >= engine.descriptor.one_correct and holding < engine.descriptor.f and not self._covered(update):
            engine.abandon("request %d is answered and not spread to others" % update.number)

    async def _standing(self, server: int, nonce: int, question: Signed[AskStanding], client: bytes) -> Any:
        def mine(frame: Any) -> Any:
            return self._verified(server, nonce, frame, client)

        return await asyncio.wait_for(self._converse(server, question, mine), _ASK_SECONDS)

    async def ask(self, server: int, question: Any, wanted: Callable[[Any], Any]) -> Any:
        """The first frame that is wanted, or None when another server gives none in time."""
        try:
            return await asyncio.wait_for(self._converse(server, question, wanted), _ASK_SECONDS)
        except (Unreachable, ValueError, asyncio.TimeoutError, TimeoutError):
            return None

    async def _converse(self, server: int, question: Any, wanted: Callable[[Any], Any]) -> Any:
        """Asks another server on a connection of its own; the first frame that is wanted."""
        engine = self._engine
        connection = await Connection.open(engine.descriptor.appservers[server], engine.limits, engine.options.tls)
        try:
            hello = decode(await connection.receive(), Hello)
            if (hello.deployment, hello.server) != (engine.descriptor.id, server):
                raise Unreachable("another server")
            connection.send(encode(question))
            while True:
                found = wanted(decode_frame(await connection.receive()))
                if found is not None:
                    return found
        except Malformed:
            raise Unreachable("no message") from None
        finally:
            connection.close()

    def _verified(self, server: int, nonce: int, frame: Any, client: bytes) -> Optional[Standing]:
        if not isinstance(frame, Signed) or not isinstance(frame.message, Standing):
            return None
        word = frame.message
        right = (word.server, word.client, word.nonce) == (server, client, nonce)
        return word if right and self._engine.by_server(server, frame) else None


def _found(frame: Any) -> Any:
    """A finding, or a refusal: the complaint was heard."""
    heard = isinstance(frame, Signed) and isinstance(frame.message, Blacklist)
    return frame if heard or isinstance(frame, Refusal) else None
