"""Inspections: chance picks answers that other servers compute again (docs/protocol.md, section 7)."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Any, Dict, Optional, Set

from .verify.messages import DIFFERS, Inspect, InspectReply, Question, Refusal, Response, Signed, WrongAnswer

if TYPE_CHECKING:
    from ._engine import Engine

MATCH = 0
#: Servers are asked when an update has most likely reached them, and again when it had not.
_PAUSES = (0.5, 1.0, 2.0, 4.0)
_MOST_AT_ONCE = 8


class Inspections:
    """Has answers inspected; f+1 servers that computed another answer make evidence, of which servers convict by replay."""

    def __init__(self, engine: "Engine", share: float) -> None:
        self._engine = engine
        self._share = share
        self._chance = random.SystemRandom()
        self._running: Set["asyncio.Task[None]"] = set()

    def offer(self, signed: Signed[Response], question: Question) -> None:
        """Takes a verified answer, which chance may pick."""
        if self._share > 0 and len(self._running) < _MOST_AT_ONCE and self._chance.random() < self._share:
            task = asyncio.ensure_future(self._inspect(self._engine.server, signed, question))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    def close(self) -> None:
        """Ends those that are running."""
        for task in list(self._running):
            task.cancel()

    async def _inspect(self, server: int, signed: Signed[Response], question: Question) -> None:
        engine = self._engine
        said: Dict[int, Signed[InspectReply]] = {}
        for pause in _PAUSES:
            await asyncio.sleep(pause)
            open_ones = [
                one
                for one in range(engine.descriptor.servers)
                if one != server and (one not in said or said[one].message.outcome not in (MATCH, DIFFERS))
            ]
            replies = await asyncio.gather(*[self._ask(one, signed, question) for one in open_ones])
            said.update({one: reply for one, reply in zip(open_ones, replies) if reply is not None})
            differs = [said[one] for one in sorted(said) if self._differs(said[one], signed.message)]
            matches = sum(1 for reply in said.values() if reply.message.outcome == MATCH)
            if len(differs) >= engine.descriptor.one_correct:
                engine.misbehaved(server, "f+1 others computed another answer", _evidence(signed, question, differs))
                return
            if matches >= engine.descriptor.one_correct:
                return
        unknown = sum(1 for reply in said.values() if reply.message.outcome not in (MATCH, DIFFERS))
        if unknown >= engine.descriptor.one_correct and matches < engine.descriptor.f and engine.server == server:
            engine.abandon("f+1 servers cannot compute its answers")

    @staticmethod
    def _differs(reply: Signed[InspectReply], response: Response) -> bool:
        return reply.message.outcome == DIFFERS and reply.message.roots == response.roots

    async def _ask(self, server: int, signed: Signed[Response], question: Question) -> Optional[Signed[InspectReply]]:
        engine = self._engine
        nonce = engine.next_nonce()

        def mine(frame: Any) -> Any:
            if isinstance(frame, Refusal):
                return frame
            if not isinstance(frame, Signed) or not isinstance(frame.message, InspectReply):
                return None
            reply = frame.message
            right = (reply.server, reply.client, reply.nonce) == (server, engine.id, nonce)
            named = right and reply.answer == signed.identity
            return frame if named and engine.by_server(server, frame) else None

        found = await engine.ask_other(server, engine.sign(Inspect(engine.id, nonce, signed, question)), mine)
        return found if isinstance(found, Signed) else None


def _evidence(signed: Signed[Response], question: Question, replies: Any) -> WrongAnswer:
    return WrongAnswer(signed, question, tuple(replies))
