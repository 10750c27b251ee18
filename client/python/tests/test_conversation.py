"""The client in the recorded conversation of docs/vectors: it sends the same bytes, comes to the same outcomes, and to no others.

The frames of the server were made by real cores. They come from memory here, so that each of their bytes can be changed.
"""

from __future__ import annotations

import asyncio
import sys
import time
import unittest
from typing import Any, Dict, List, Optional, Tuple
from unittest import mock

import aspas
from aspas import _engine, _tags
from aspas.errors import AspasError, Unreachable
from aspas.transport import PREFACE
from aspas.verify.descriptor import Limits, Node
from aspas.verify.messages import REASONS, Operation, Part

from . import vectors
from .vectors import load, raw

#: Of the server's bytes, each of these steps one is changed.
STRIDE = 7


class Recorded:
    """A connection of which the test is the other end."""

    def __init__(self) -> None:
        self.sent: "asyncio.Queue[bytes]" = asyncio.Queue()
        self.frames: "asyncio.Queue[bytes]" = asyncio.Queue()
        self.closed = False

    def send(self, frame: bytes) -> None:
        self.sent.put_nowait(frame)

    async def receive(self) -> bytes:
        return await self.frames.get()

    def close(self) -> None:
        self.closed = True

    async def wait_closed(self) -> None:
        pass


class Play:
    """A client in the conversation, whose servers but for the one of the recording do not answer."""

    def __init__(self, recording: Dict[str, Any]) -> None:
        self.recording = recording
        self.connection = Recorded()
        self.connected = False
        who = recording["client"]
        key = aspas.SigningKey(raw(who["seed"]))
        with mock.patch.object(key, "new_client", lambda: raw(who["client"])):
            self.client = aspas.Client(
                vectors.descriptor(), key, server=int(recording["server"]), tolerance=int(who["tolerance"]), inspect=0
            )

    async def open(self, node: Node, limits: Limits, tls: Any) -> Recorded:
        if self.connected:
            raise Unreachable("the recording has one connection")
        self.connected = True
        return self.connection

    async def scene(self, scene: Dict[str, Any], change: Optional[Tuple[int, int, int]] = None) -> Any:
        """Plays a scene; its outcome, or None when there is none. ``change`` is of a byte in one of its frames."""
        call = asyncio.ensure_future(self.call(scene["call"]))
        try:
            for number, frame in enumerate(scene["frames"]):
                data = raw(frame["hex"])
                if frame["from"] == "client":
                    if change is None or not self.connection.closed:
                        sent = await asyncio.wait_for(self.connection.sent.get(), 10)
                        assert sent == data, "%s: %s is sent as %s" % (scene["what"], frame["kind"], sent.hex())
                    continue
                if change is not None and change[0] == number:
                    data = data[: change[1]] + bytes((data[change[1]] ^ change[2],)) + data[change[1] + 1 :]
                self.connection.frames.put_nowait(data)
                await self._settled()
            if change is None:
                return await asyncio.wait_for(call, 10)
            await self._settled()
            return call.result() if call.done() else None
        finally:
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)

    @staticmethod
    async def _settled() -> None:
        for _ in range(12):
            await asyncio.sleep(0)

    async def call(self, call: Optional[Dict[str, Any]]) -> Any:
        """What the application asks; the outcome as the recording shows it."""
        if call is None:
            await self.client.open()
            return None
        try:
            if call["do"] == "update":
                operation = call["operation"]
                return await self._update(call, Operation(operation["name"], vectors.item(operation["arguments"])))
            if call["do"] == "certificate":
                certificate = await self.client.get_certificate(int(call["number"]))
                return {"hash": None if certificate is None else certificate.hash.hex()}
            part = None
            if "element" in call:
                part = Part(vectors.item(call["element"]), None, 0)
            elif "from" in call:
                part = Part(None, raw(call["from"]), 0)
            result = await self.client.read(call["key"], call["type"], call["certified"], part)
            number = None if result.certificate is None else str(result.certificate.number)
            return {"result": result.value, "certificate": number}
        except aspas.Refused as refused:
            return {"refused": str(REASONS.index(refused.reason))}
        except AspasError:
            return None

    async def _update(self, call: Dict[str, Any], operation: Operation) -> Any:
        update = self.client.submit(call["key"], call["type"], operation.name, *operation.arguments)
        answer, confirmation = await update.answered, await update.confirmed
        dot = [str(answer.dot.origin), str(answer.dot.sequence)]
        return {"result": answer.result, "dot": dot, "certificate": str(confirmation.certificate.number)}


def expected(scene: Dict[str, Any]) -> Any:
    outcome = scene.get("outcome")
    if outcome is None or "result" not in outcome:
        return outcome
    return {**outcome, "result": vectors.item(outcome["result"])}


class ConversationTest(unittest.TestCase):
    recording: Dict[str, Any]

    @classmethod
    def setUpClass(cls) -> None:
        cls.recording = load("conversation.json")

    def play(self, scenes: List[Dict[str, Any]], change: Optional[Tuple[int, int, int]] = None) -> List[Any]:
        """The outcomes of scenes, of which the last may be changed."""
        secret = raw(self.recording["client"]["sharePrivateKey"])

        async def run() -> List[Any]:
            play = Play(self.recording)
            with mock.patch.object(_engine.Connection, "open", play.open), mock.patch.object(
                _tags.Tagger, "offer", lambda _: _tags.SessionKey(secret)
            ):
                try:
                    outcomes = [await play.scene(scene) for scene in scenes[:-1]]
                    return outcomes + [await play.scene(scenes[-1], change)]
                finally:
                    await play.client.close()

        return asyncio.run(run())

    def test_it_is_sent_and_understood_as_recorded(self) -> None:
        self.assertEqual(PREFACE, raw(self.recording["preamble"]))
        scenes = self.recording["scenes"]
        for scene, outcome in zip(scenes, self.play(scenes)):
            self.assertEqual(expected(scene), outcome, scene["what"])

    def test_no_changed_byte_leads_to_another_outcome(self) -> None:
        scenes = self.recording["scenes"]
        tried, begin = 0, time.perf_counter()
        for last, scene in enumerate(scenes):
            if scene["call"] is None or "refused" in scene["outcome"]:
                continue  # Nothing of a refusal is signed.
            for number, frame in enumerate(scene["frames"]):
                if frame["from"] == "client":
                    continue
                for at in range(number % STRIDE, len(frame["hex"]) // 2, STRIDE):
                    outcome = self.play(scenes[: last + 1], (number, at, 0x01))[-1]
                    if outcome is not None and "refused" not in outcome:
                        self.assertEqual(expected(scene), outcome, "%s: byte %d" % (scene["what"], at))
                    tried += 1
        rate = tried / (time.perf_counter() - begin)
        sys.stderr.write("conversations with a changed byte: %d, 0 other outcomes, %d/s\n" % (tried, rate))
        self.assertGreater(tried, 500)


if __name__ == "__main__":
    unittest.main()
