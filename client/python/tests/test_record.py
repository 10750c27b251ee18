"""The record on disk: what it keeps, who may have it, and what it refuses. A killed process is in test_deployment.py."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, List
from unittest import mock

import aspas
from aspas import _engine, record
from aspas.verify.messages import Operation, Request, Signed, encode

from . import vectors

#: Takes the lock of a record, says so, and waits.
HOLDER = """
import sys
from aspas import FileRecord
FileRecord(sys.argv[1]).open(bytes(32), bytes(32))
print("held", flush=True)
sys.stdin.read()
"""
#: Takes the record again and again, adds one to what is in it; now and then it leaves its lock as if it had been killed.
CONTENDER = """
import os, sys
from aspas import FileRecord, RecordInUse
path, rounds, done = sys.argv[1], int(sys.argv[2]), 0
while done < rounds:
    kept = FileRecord(path)
    try:
        left = kept.open(bytes(32), bytes(32))
    except RecordInUse:
        continue
    open(path + ".alone", "x").close()
    kept.save(left.certificate + 1, [])
    os.remove(path + ".alone")
    done += 1
    if done % 7:
        kept.close()
    else:
        open(path + ".lock", "w").write("999999999 1 00\\n")
"""


class RecordTest(unittest.TestCase):
    def setUp(self) -> None:
        files = tempfile.TemporaryDirectory()
        self.addCleanup(files.cleanup)
        self.path = Path(files.name) / "me.record"
        self.key = aspas.SigningKey(bytes(range(32)))
        self.deployment = vectors.descriptor().id

    def request(self, number: int, key: Any = None) -> Signed[Request]:
        signer = key or self.key
        client = signer.public + bytes(16)
        return signer.sign(self.deployment, Request(client, number, "c", "pn-counter", Operation("increment", (5,))))

    def open(self) -> "tuple[record.FileRecord, record.Left]":
        kept = record.FileRecord(self.path)
        left = kept.open(self.deployment, self.key.public)
        self.addCleanup(kept.close)
        return kept, left

    def damaged(self, change: Any) -> str:
        found = json.loads(self.path.read_text())
        change(found)
        self.path.write_text(json.dumps(found))
        with self.assertRaises(aspas.InvalidArgument) as refused:
            self.open()
        self.assertFalse(Path(str(self.path) + ".lock").exists(), "who cannot use it does not keep it")
        return str(refused.exception)

    def test_what_was_saved_is_there_in_the_same_bytes(self) -> None:
        kept, left = self.open()
        self.assertEqual((0, ()), left)
        requests = [self.request(number) for number in (3, 4)]
        kept.save(17, requests)
        kept.close()
        again, left = self.open()
        self.assertEqual(17, left.certificate)
        self.assertEqual([encode(one) for one in requests], [encode(one) for one in left.open])
        again.save(18, [])
        again.close()
        self.assertEqual((18, ()), self.open()[1])

    def test_a_crash_between_two_steps_leaves_the_old_record(self) -> None:
        kept, _ = self.open()
        kept.save(1, [self.request(1)])
        with mock.patch.object(os, "replace", side_effect=OSError("the power went")):
            with self.assertRaises(OSError):
                kept.save(2, [])
        kept.close()
        left = self.open()[1]
        self.assertEqual((1, 1), (left.certificate, len(left.open)))

    def test_what_would_be_too_long_to_read_again_is_not_written(self) -> None:
        kept, _ = self.open()
        kept.save(1, [])
        with mock.patch.object(record, "_MOST_BYTES", 100), self.assertRaisesRegex(OSError, "longer than 100 bytes"):
            kept.save(2, [self.request(1)])
        kept.close()
        self.assertEqual((1, ()), self.open()[1])

    def client(self, kept: record.FileRecord) -> aspas.Client:
        return aspas.Client(vectors.descriptor(), self.key, record=kept)

    def test_a_client_that_cannot_have_it_leaves_it_to_who_has(self) -> None:
        kept, _ = self.open()

        async def run() -> None:
            client = self.client(kept)
            with self.assertRaises(aspas.RecordInUse):
                await client.open()
            await client.close()

        asyncio.run(run())
        self.assertEqual([self.path.name + ".lock"], self.files())

    def test_a_client_that_does_not_begin_does_not_keep_it(self) -> None:
        client = self.client(record.FileRecord(self.path))

        async def refused(*_: Any) -> None:
            client._engine.end(aspas.Refused("unknown client", "", 0))
            raise aspas.Unreachable("refused")

        with mock.patch.object(_engine.Connection, "open", refused), self.assertRaises(aspas.Refused):
            asyncio.run(client.open())
        self.assertEqual([], self.files())

    def test_a_disk_that_fails_is_told_as_such(self) -> None:
        engine = self.client(record.FileRecord(self.path))._engine

        async def run() -> None:
            engine._inherit()
            with mock.patch.object(os, "replace", side_effect=OSError("the power went")):
                with self.assertRaisesRegex(aspas.RecordFailed, "me.record cannot be written: the power went"):
                    engine._save()
            engine._close_record()

        asyncio.run(run())

    def test_one_process_has_it(self) -> None:
        kept, _ = self.open()
        with self.assertRaises(aspas.RecordInUse) as refused:
            self.open()
        self.assertIn("in use by process %d" % os.getpid(), str(refused.exception))
        kept.close()
        self.open()

    def test_a_killed_process_leaves_it_to_the_next(self) -> None:
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(self.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path(__file__).resolve().parents[1],
        )
        assert holder.stdin is not None and holder.stdout is not None
        try:
            self.assertEqual(b"held\n", holder.stdout.readline())
            with self.assertRaises(aspas.RecordInUse) as refused:
                self.open()
            self.assertIn("process %d" % holder.pid, str(refused.exception))
        finally:
            holder.kill()
            holder.wait()
            holder.stdin.close()
            holder.stdout.close()
        self.open()
        self.assertEqual([self.path.name + ".lock"], self.files(), "nothing else is left")

    def test_processes_that_take_it_at_once_have_it_one_at_a_time(self) -> None:
        here, rounds = Path(__file__).resolve().parents[1], 40
        children = [
            subprocess.Popen([sys.executable, "-c", CONTENDER, str(self.path), str(rounds)], cwd=here) for _ in range(3)
        ]
        self.assertEqual([0, 0, 0], [child.wait() for child in children])
        Path(str(self.path) + ".lock").unlink(missing_ok=True)
        kept = record.FileRecord(self.path)
        self.assertEqual((3 * rounds, ()), kept.open(bytes(32), bytes(32)), "no save is lost")
        kept.close()
        self.assertEqual([self.path.name], self.files())

    def test_who_lost_the_lock_saves_nothing_and_leaves_the_lock_of_the_next(self) -> None:
        kept, _ = self.open()
        kept.save(1, [])
        Path(str(self.path) + ".lock").unlink()
        with self.assertRaisesRegex(OSError, "not this client's any more"):
            kept.save(2, [])
        following, left = self.open()
        self.assertEqual((1, ()), left)
        kept.close()
        with self.assertRaises(aspas.RecordInUse):
            self.open()
        following.close()

    @unittest.skipUnless(hasattr(os, "fork"), "processes do not fork here")
    def test_a_forked_process_has_no_part_in_it(self) -> None:
        kept, _ = self.open()
        child = os.fork()
        if child == 0:
            try:
                kept.save(7, [])
            except OSError:
                kept.close()
                os._exit(0)
            os._exit(1)
        self.assertEqual(0, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        with self.assertRaises(aspas.RecordInUse):
            self.open()
        kept.save(2, [])

    @unittest.skipUnless(sys.platform == "linux", "this is not Linux")
    def test_the_lock_of_a_process_for_which_nobody_waited_holds_nothing(self) -> None:
        ended = subprocess.Popen([sys.executable, "-c", ""])
        while record._state_of(ended.pid)[0] != "Z":
            pass
        began = record._started(ended.pid)
        Path(str(self.path) + ".lock").write_text("%d %s 00\n" % (ended.pid, began))
        self.open()
        ended.wait()

    def files(self) -> List[str]:
        return sorted(one.name for one in self.path.parent.iterdir())

    def test_a_number_that_another_process_has_now_holds_nothing(self) -> None:
        Path(str(self.path) + ".lock").write_text("%d 1\n" % os.getpid())
        if not record._started(os.getpid()):
            self.skipTest("this system does not say when a process began")
        self.open()

    def test_what_is_damaged_is_refused(self) -> None:
        kept, _ = self.open()
        kept.save(1, [self.request(1)])
        kept.close()
        good = self.path.read_text()
        for change, words in (
            (lambda found: found.update(open=["00"]), "a request that is none"),
            (lambda found: found.update(open=[1]), "a request that is none"),
            (lambda found: found.update(certificate=1), "no number"),
            (lambda found: found.update(certificate="²"), "no number"),
            (lambda found: found.update(certificate=str(2**63)), "no number"),
            (lambda found: found.update(format=2), "no record of format 1"),
            (lambda found: found.pop("open"), "no record of format 1"),
            (lambda found: found.update(key="00" * 32), "record of another key"),
            (lambda found: found.update(deployment="00" * 32), "record of another deployment"),
            (lambda found: found.update(open=found["open"] * 5000), "at most 4096"),
        ):
            self.path.write_text(good)
            self.assertIn(words, self.damaged(change))
        self.path.write_text(good[:-20])
        with self.assertRaises(aspas.InvalidArgument):
            self.open()

    def test_a_request_of_another_key_is_refused(self) -> None:
        kept, _ = self.open()
        kept.save(1, [self.request(1, aspas.SigningKey(bytes(32)))])
        kept.close()
        with self.assertRaisesRegex(aspas.InvalidArgument, "another key"):
            self.open()


if __name__ == "__main__":
    unittest.main()
