"""The command ``aspas-verify-py`` on files of the vectors."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import tempfile
import unittest
from pathlib import Path
from typing import Any, List, Tuple

from aspas import cli
from aspas.verify import read_value_proof, write_value_proof

from .vectors import load, raw


class CommandTest(unittest.TestCase):
    def setUp(self) -> None:
        files = tempfile.TemporaryDirectory()
        self.addCleanup(files.cleanup)
        self.root = Path(files.name)
        case = load("descriptor.json")["cases"][0]
        (self.root / "deployment.json").write_bytes(case["text"].encode("utf-8"))
        (self.root / "deployment.json.sig").write_text(case["signatureFile"], "ascii")
        (self.root / "operator.pub").write_text(case["operatorKey"] + "\n", "ascii")
        self.operator = case["operatorKey"]

    def file(self, name: str, data: bytes) -> str:
        path = self.root / name
        path.write_bytes(data)
        return str(path)

    def run_command(self, *arguments: str) -> Tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = cli.main([*arguments, "--dir", str(self.root)])
            except SystemExit as end:
                code = int(end.code or 0)
        return code, out.getvalue(), err.getvalue()

    def shown(self, code: int, *arguments: str) -> List[Any]:
        found, out, err = self.run_command(*arguments, "--json")
        self.assertEqual((code, ""), (found, err))
        results: List[Any] = json.loads(out)
        return results

    def test_certificates(self) -> None:
        for case in load("certificates.json")["certificates"]:
            with self.subTest(case["name"]):
                code = cli.VALID if case["valid"] else cli.NOT_VALID
                result = self.shown(code, self.file("c.cbor", raw(case["certificate"])))[0]
                self.assertEqual(case["valid"], result["valid"])
                self.assertEqual("reason" in result, not case["valid"])

    def test_chains(self) -> None:
        for case in load("certificates.json")["chains"]:
            with self.subTest(case["name"]):
                names = [self.file("%d.cbor" % i, raw(one)) for i, one in enumerate(case["certificates"])]
                self.shown(cli.VALID if case["valid"] else cli.NOT_VALID, "--chain", *names)

    def test_values(self) -> None:
        for case in load("proof-files.json")["cases"]:
            with self.subTest(case["name"]):
                self.shown(cli.VALID if case["valid"] else cli.NOT_VALID, self.file("p.cbor", raw(case["file"])))
                code, out, _ = self.run_command(self.file("p.cbor", raw(case["file"])))
                self.assertEqual(code == cli.VALID, "is proved by certificate" in out)

    def test_evidence(self) -> None:
        for case in load("evidence.json")["cases"]:
            with self.subTest(case["name"]):
                proves = case["finding"] in ("guilty", "needs replay")
                name = self.file("e.evidence", raw(case["evidence"]))
                result = self.shown(cli.VALID if proves else cli.NOT_VALID, name)[0]
                self.assertEqual(case["finding"], result["judgement"])
                self.assertEqual(case["identity"], result["evidence"])
                self.assertEqual(proves, "reason" not in result)

    def test_several_files(self) -> None:
        good = self.file("good.cbor", raw(load("certificates.json")["certificates"][0]["certificate"]))
        bad = self.file("bad.cbor", b"no certificate")
        self.assertEqual([True, False], [one["valid"] for one in self.shown(cli.NOT_VALID, good, bad)])

    def test_wrong_usage(self) -> None:
        good = self.file("good.cbor", raw(load("certificates.json")["certificates"][0]["certificate"]))
        for arguments in (
            [],
            [good, "--colour"],
            [str(self.root / "missing")],
            [str(self.root)],
            [good, "--operator", "12"],
            [good, "--operator", "00" * 32],
        ):
            with self.subTest(arguments):
                code, out, err = self.run_command(*arguments)
                self.assertEqual((cli.WRONG_USAGE, ""), (code, out))
                self.assertTrue(err)
        self.assertEqual(cli.VALID, self.run_command(good, "--operator", self.operator)[0])

    def test_what_a_terminal_would_obey_is_escaped(self) -> None:
        read, answer = read_value_proof(raw(load("proof-files.json")["cases"][0]["file"]))
        spoofed = dataclasses.replace(read, key="x\n\x1b[2J\x9b31m\u202ey")
        code, out, _ = self.run_command(self.file("spoofed.cbor", write_value_proof(spoofed, answer)))
        self.assertEqual(cli.NOT_VALID, code)
        self.assertIn(r"'x\n\x1b[2J\x9b31m\u202ey'", out)
        self.assertTrue(out.rstrip("\n").isprintable(), repr(out))

    def test_help(self) -> None:
        code, out, _ = self.run_command("--help")
        self.assertEqual(0, code)
        self.assertIn("Exit codes", out)


if __name__ == "__main__":
    unittest.main()
