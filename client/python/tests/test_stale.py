"""A server whose certificates have fallen behind those of others: its values are genuine, and old."""

from __future__ import annotations

import asyncio
import unittest
from typing import Any, Callable, List
from unittest import mock

import aspas
from aspas import _engine, events
from aspas.verify import Certificate, decode

from .servers import Servers
from .vectors import load, raw


class StaleTest(unittest.TestCase):
    def reading(self, newest: Callable[[int], Any], comparisons: int) -> List[events.Switched]:
        """The switches of a client that reads all the time; `newest` says what each server has once it is connected."""
        servers = Servers()
        asked: List[int] = []
        left: List[events.Switched] = []

        def known(server: int) -> Any:
            asked.append(server)
            return newest(server)

        def note(event: Any) -> None:
            if isinstance(event, events.Switched):
                left.append(event)

        async def run() -> None:
            key = aspas.SigningKey(bytes(32))
            async with aspas.Client(servers.descriptor, key, inspect=0, grace=0.02, on_event=note) as client:
                await client.counter("c").increment()
                servers.newest = known
                while not left and len(asked) < comparisons:
                    try:
                        await asyncio.wait_for(client.counter("c").get(), 0.5)
                    except asyncio.TimeoutError:
                        pass  # The server that it turned to does not have the certificate either.

        with mock.patch.object(_engine.Connection, "open", servers.open):
            asyncio.run(asyncio.wait_for(run(), 20))
        return left

    def certificate(self) -> Certificate:
        first = next(one for one in load("certificates.json")["certificates"] if one["valid"])
        return decode(raw(first["certificate"]), Certificate)

    def test_a_reader_leaves_a_server_whose_certificates_have_fallen_behind(self) -> None:
        certificate = self.certificate()
        (first,) = self.reading(lambda server: None if server == 0 else certificate, 1000)[:1]
        self.assertEqual(0, first.left)
        self.assertIn("another server has long had", first.reason)

    def test_a_reader_stays_with_a_server_that_has_what_others_have(self) -> None:
        self.assertEqual([], self.reading(lambda server: None, 3))


if __name__ == "__main__":
    unittest.main()
