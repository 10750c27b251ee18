"""What no server could take is refused at the call; callbacks and reprs. Nothing of it changes what else the client does."""

from __future__ import annotations

import asyncio
import inspect
import tempfile
import unittest
from pathlib import Path
from typing import Any, Awaitable, Callable, Dict, List, Optional
from unittest import mock

import aspas
from aspas import _engine, _inbox, events
from aspas.verify import Certificate, decode
from aspas.verify.cbor import wrong_element, wrong_text
from aspas.verify.host import wrong_host
from aspas.verify.messages import Part

from .servers import Servers
from .vectors import descriptor, load, raw

TEXTS = load("texts.json")
#: Whatever an application may give by mistake.
STRANGE: List[Any] = [None, "x", "1", float("nan"), -1, 1.5, {}, [], (), [1], True, object(), lambda: 1, b"x", 2**63]


def given(case: Dict[str, Any]) -> Any:
    """The input of a case."""
    if "text" in case:
        return case["text"]
    if "repeat" in case:
        return case["repeat"][0] * case["repeat"][1]
    if "int" in case:
        return int(case["int"])
    if "bytes" in case:
        return raw(case["bytes"])
    if "repeatBytes" in case:
        return raw(case["repeatBytes"][0]) * case["repeatBytes"][1]
    return case["json"]


def run(story: Callable[[aspas.Client, Servers], Awaitable[None]], **options: Any) -> Servers:
    """Tells a story with a client of servers in memory."""
    servers = Servers()

    async def told() -> None:
        options.setdefault("inspect", 0)
        async with aspas.Client(servers.descriptor, aspas.SigningKey(bytes(32)), **options) as client:
            await asyncio.wait_for(story(client, servers), 60)

    with mock.patch.object(_engine.Connection, "open", servers.open):
        asyncio.run(told())
    return servers


class ArgumentsTest(unittest.TestCase):
    async def refused(self, reason: Optional[str], call: Callable[[], Any], what: str) -> None:
        """The call is refused for the reason; none for whatever reason."""
        with self.assertRaises(aspas.InvalidArgument, msg=what) as refused:
            found = call()
            if inspect.isawaitable(found):
                await asyncio.wait_for(found, 5)
        if reason is not None:
            self.assertEqual(reason, refused.exception.reason, what)

    def test_keys(self) -> None:
        cases = [case for case in TEXTS["keys"] if "hex" not in case]  # Bytes are no text here.

        async def story(client: aspas.Client, servers: Servers) -> None:
            for case in cases:
                key = given(case)
                self.assertEqual(case.get("reason"), wrong_text(key, 1, 512), case["name"])
                if case["valid"]:
                    await client.counter(key).get()
                    continue
                before = servers.asked
                for call in (
                    lambda: client.counter(key).increment(),
                    lambda: client.counter(key).decrement(),
                    lambda: client.counter(key).get(),
                    lambda: client.counter(key).read(certified=True),
                    lambda: client.set(key).add("x"),
                    lambda: client.set(key).clear(),
                    lambda: client.set(key).has("x"),
                    lambda: client.set(key).pages().__anext__(),
                    lambda: client.submit(key, "pn-counter", "increment", 1),
                    lambda: client.update(key, "pn-counter", "increment", 1),
                    lambda: client.read(key, "pn-counter"),
                ):
                    await self.refused(case["reason"], call, case["name"])
                self.assertEqual(before, servers.asked)
            for key in (b"k", 7.0, object(), ["k"], Path("k")):
                await self.refused("not-text", lambda: client.counter(key).increment(), repr(key))  # type: ignore[arg-type]

        self.assertEqual([], run(story).updates)

    def test_elements(self) -> None:
        async def story(client: aspas.Client, servers: Servers) -> None:
            tags = client.set("s")
            for case in TEXTS["elements"]:
                element = given(case)
                self.assertEqual(case.get("reason"), wrong_element(element), case["name"])
                if case["valid"]:
                    await tags.add(element)
                    continue
                for call in (lambda: tags.add(element), lambda: tags.remove(element), lambda: tags.has(element)):
                    await self.refused(case["reason"], call, case["name"])
            for element in (1.0, float("nan"), object(), bytearray(2), memoryview(b"x"), {1}, lambda: 1):
                await self.refused("not-an-element", lambda: tags.add(element), repr(element))  # type: ignore[arg-type]

        valid = [given(case) for case in TEXTS["elements"] if case["valid"]]
        self.assertEqual([(i + 1, (one,)) for i, one in enumerate(valid)], run(story).updates)

    def test_hosts(self) -> None:
        for case in TEXTS["hosts"]:
            if "hex" not in case:
                self.assertEqual(case.get("reason"), wrong_host(given(case)), case["name"])

    def test_all_other_arguments(self) -> None:
        async def story(client: aspas.Client, servers: Servers) -> None:
            counter, tags = client.counter("c"), client.set("s")
            for strange in STRANGE:
                what = repr(strange)
                calls = [lambda: counter.increment(strange), lambda: counter.decrement(strange)]
                calls += [lambda: client.get_certificate(strange)]
                if strange != 1.5:
                    calls += [lambda: client.get_certificate(0, timeout=strange)] if strange != 2**63 else []
                    calls += [lambda: client.read("c", "pn-counter", timeout=strange)] if strange != 2**63 else []
                if not isinstance(strange, str):
                    calls += [lambda: client.submit("c", strange, "increment", 1), lambda: client.read("c", strange)]
                    calls += [lambda: client.submit("c", "pn-counter", strange, 1)]
                if strange is not None:
                    calls += [lambda: client.read("c", "aw-set", True, part=strange), lambda: setattr(client, "tolerance", strange)]
                for call in calls:
                    await self.refused(None, call, what)
            for wrong in (0, float("inf"), 0.0):
                await self.refused(None, lambda: counter.increment(wrong), repr(wrong))  # type: ignore[arg-type]
            for wrong in ("\ud800", ("\ud800",), [["x", "\udc00"]]):
                await self.refused("lone-surrogate", lambda: client.submit("c", "t", "n", wrong), repr(wrong))
            for wrong in (None, True, 1.5, {}, object(), 2**63, Part("x", None, 0), "x" * 10**6):
                await self.refused(None, lambda: client.submit("c", "t", "n", wrong), repr(wrong)[:40])
            await self.refused("lone-surrogate", lambda: client.submit("c", "\ud800", "n"), "a type")
            await self.refused("lone-surrogate", lambda: client.submit("c", "t", "\ud800"), "a name")
            await self.refused(None, lambda: client.read("c", "aw-set", True, Part("\ud800", None, 0)), "a part")
            self.assertEqual(0, servers.asked, "nothing was sent")
            self.assertEqual((0, 0), (client.unconfirmed, client.waiting))
            update = await counter.increment()
            self.assertEqual(1, update.number, "nothing took a number")
            self.assertEqual([], await tags.get())

        run(story)

    def test_all_options(self) -> None:
        key = aspas.SigningKey(bytes(32))
        for name in ("server", "tolerance", "tls", "least_certificate", "grace", "patience", "inspect", "on_event", "record"):
            for strange in STRANGE:
                fits = {
                    "tolerance": strange is None,
                    "tls": strange is None,
                    "grace": strange in (1.5, 2**63),
                    "patience": strange in (1.5, 2**63),
                    "on_event": strange is None or callable(strange),
                    "record": strange is None or isinstance(strange, str),
                }
                if fits.get(name, False):
                    continue
                with self.subTest(name, strange=repr(strange)), self.assertRaises(aspas.InvalidArgument):
                    aspas.Client(descriptor(), key, **{name: strange})
        for strange in STRANGE:
            with self.subTest(repr(strange)):
                with self.assertRaises(aspas.InvalidArgument):
                    aspas.Client(strange, key)
                with self.assertRaises(aspas.InvalidArgument):
                    aspas.Client(descriptor(), strange)
                with self.assertRaises(aspas.InvalidArgument):
                    aspas.SigningKey(strange)
        with self.assertRaises(aspas.InvalidArgument):
            aspas.SigningKey.load("/nowhere/at/all.key")

        async def event(_: Any) -> None:
            pass

        with self.assertRaises(aspas.InvalidArgument):
            aspas.Client(descriptor(), key, on_event=event)  # type: ignore[arg-type]

    def test_a_client_is_made_outside_of_a_loop(self) -> None:
        """As a program does that runs several loops, one after the other."""
        servers = Servers()
        asyncio.run(asyncio.sleep(0))
        client = aspas.Client(servers.descriptor, aspas.SigningKey(bytes(32)), inspect=0)

        async def told() -> int:
            async with client:
                return (await client.counter("c").increment()).number

        with mock.patch.object(_engine.Connection, "open", servers.open):
            self.assertEqual(1, asyncio.run(told()))
        unused = aspas.Client(servers.descriptor, aspas.SigningKey(bytes(32)))
        asyncio.run(unused.close())

    def test_arguments_that_change_later_are_sent_as_they_were(self) -> None:
        async def story(client: aspas.Client, servers: Servers) -> None:
            element = bytearray(b"ab")
            update = client.submit("s", "aw-set", "add", element)
            element[0] = 0
            await update.answered

        self.assertEqual([(1, (b"ab",))], run(story, tolerance=8).updates)

    def test_a_defect_ends_the_client(self) -> None:
        async def story(client: aspas.Client, servers: Servers) -> None:
            with mock.patch.object(_inbox, "verify_response", side_effect=ZeroDivisionError("a defect")):
                with self.assertRaises(aspas.AspasError) as broken:
                    await client.counter("c").get()
            self.assertIsInstance(broken.exception.__cause__, ZeroDivisionError)

        run(story)


class CallbackTest(unittest.TestCase):
    def test_what_a_callback_raises_changes_nothing(self) -> None:
        certificate = decode(raw(load("certificates.json")["certificates"][0]["certificate"]), Certificate)
        for raised in (ValueError("mine"), asyncio.CancelledError()):
            with self.subTest(repr(raised)):
                told: List[events.Event] = []
                reported: List[Any] = []

                def on_event(event: events.Event) -> None:
                    told.append(event)
                    raise raised

                async def story(client: aspas.Client, servers: Servers) -> None:
                    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context["exception"]))
                    servers.certificates[1] = certificate
                    await client.counter("c").increment()
                    servers.connections[0].cut()
                    await client.counter("c").get()
                    self.assertEqual(0, client.server, "the same server gets one more chance")
                    servers.connections[0].give(certificate)
                    await client.counter("c").increment()
                    self.assertEqual(1, client.server)
                    self.assertEqual(certificate, await client.get_certificate(1))

                with self.assertLogs("asyncio"):
                    run(story, on_event=on_event)
                kinds = {type(one) for one in told}
                for kind in (events.Disconnected, events.Switched, events.CertificateAdvanced, events.SessionOpened):
                    self.assertIn(kind, kinds)
                self.assertEqual([raised] * (len(told) - 1), reported, "but for the first, which came before the handler")


class ReprTest(unittest.TestCase):
    def test_reprs_are_short(self) -> None:
        certificate = decode(raw(load("certificates.json")["certificates"][0]["certificate"]), Certificate)
        self.assertEqual("Certificate(number=1, signers=(0, 1, 2))", repr(certificate))
        confirmation = aspas.UpdateConfirmation(1, aspas.verify.messages.Dot(0, 2), certificate)
        self.assertEqual(1, confirmation.certificate_number)
        self.assertLess(len(repr(confirmation)), 140)
        result = aspas.ReadResult(5, 0, certificate, bytes(2048))
        self.assertEqual(
            "ReadResult(value=5, server=0, certificate=Certificate(number=1, signers=(0, 1, 2)), proof=<00000000... 2048 bytes>)",
            repr(result),
        )
        for case in load("messages.json")["cases"]:
            if case["valid"]:
                frame = aspas.verify.decode_frame(raw(case["frame"]))
                self.assertLess(len(repr(frame)), 2000, case["name"])

        async def story(client: aspas.Client, servers: Servers) -> None:
            update = client.submit("likes/42", "pn-counter", "increment", 1)
            self.assertEqual("<Update 1: increment of 'likes/42', waiting>", repr(update))
            await update.answered
            self.assertEqual("<Update 1: increment of 'likes/42', answered>", repr(update))
            self.assertEqual("Counter('likes/42')", repr(client.counter("likes/42")))
            self.assertRegex(repr(client), "^<Client [0-9a-f]{8} at appserver 0, 1 unconfirmed>$")

        run(story)


if __name__ == "__main__":
    unittest.main()
