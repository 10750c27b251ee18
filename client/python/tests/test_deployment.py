"""The client and the verifier against real deployments on loopback sockets, one of whose appservers may attack.

``ASPAS_ROLES`` names the roles that are tried, joined by commas; ``./aspas demo --byzantine list`` knows them all.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import queue
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request
from pathlib import Path
from typing import Any, Awaitable, Callable, Dict, List, Optional

import aspas
from aspas import cli, events
from aspas.verify import Finding, judge, judge_bytes, verify_value_proof

ROOT = Path(__file__).resolve().parents[3]
LAUNCHER = Path(os.environ.get("ASPAS_LAUNCHER") or ROOT / "aspas")
BUILT = LAUNCHER if "ASPAS_LAUNCHER" in os.environ else ROOT / "emulab" / "cli" / "target" / "launcher" / "emulab.jar"
ROLES = os.environ.get("ASPAS_ROLES", "forking,signed-forged-certificates").split(",")
#: What these do is proved soon with the little traffic here. (Others are proved by what clients have inspected, or by more traffic.)
PROVABLE = (
    "backward-dependencies",
    "broken-last-entry",
    "certificates-going-back",
    "forged-requests",
    "forking",
    "heads-of-nothing",
    "signed-forged-certificates",
    "twins",
    "two-logs",
    "wrong-values",
    "two-stables",
    "understated-dependencies",
    "wrong-stable",
)
START_SECONDS = 600
#: A client with a record that increments without end, and says so when something is answered: to be killed.
ENDLESS = """
import asyncio, sys, aspas

async def main():
    lab = aspas.Deployment.open(sys.argv[1])
    key = aspas.SigningKey(bytes.fromhex(sys.argv[2]))
    async with aspas.Client(lab.descriptor, key, record=sys.argv[3], tolerance=64) as client:
        while True:
            update = client.submit("py/killed", "pn-counter", "increment", 1)
            await update.answered
            print("answered", update.number, flush=True)

asyncio.run(main())
"""
#: So many clients begin at the attacker.
VICTIMS = 5
PATIENCE_SECONDS = 300


class Cluster:
    """All servers of a new deployment in one process; with a role, the last appserver attacks."""

    def __init__(self, role: Optional[str] = None) -> None:
        self._files = tempfile.TemporaryDirectory(prefix="aspas-python-")
        self.directory = Path(self._files.name) / "lab"
        command = [str(LAUNCHER), "cluster", "--dir", str(self.directory), "--until-eof"]
        command += [] if role is None else ["--byzantine", role]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.said: "queue.Queue[Optional[str]]" = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self._await_ready()
        self.deployment = aspas.Deployment.open(self.directory)

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.put(line)
        self.said.put(None)

    def _await_ready(self) -> None:
        lines: List[str] = []
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                line = self.said.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                line = None
            if line is None:
                self.close()
                raise AssertionError("the servers did not start: " + "".join(lines))
            lines.append(line)
            if line.startswith("ready"):
                return

    def http(self, server: int, path: str) -> bytes:
        node = self.deployment.descriptor.appservers[server]
        with urllib.request.urlopen("http://%s:%d%s" % (node.host, node.service_port, path), timeout=20) as reply:
            return bytes(reply.read())

    def close(self) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self._files.cleanup()


async def until(condition: Callable[[], Awaitable[bool]], what: str) -> None:
    """Asks until a condition holds."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not await condition():
        if time.monotonic() > deadline:
            raise AssertionError("in %d s not: %s" % (PATIENCE_SECONDS, what))
        await asyncio.sleep(0.2)


async def increments(client: aspas.Client, key: str, count: int) -> None:
    """So many increments, each of which is confirmed."""
    updates = [client.submit(key, "pn-counter", "increment", 1) for _ in range(count)]
    await asyncio.wait_for(asyncio.gather(*[update.confirmed for update in updates]), PATIENCE_SECONDS)


@unittest.skipUnless(BUILT.exists(), "the tree is not built: './aspas --version' builds it")
class HonestDeploymentTest(unittest.TestCase):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = Cluster()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.cluster.close()

    def run_client(self, story: Callable[[aspas.Client], Awaitable[None]], **options: Any) -> List[events.Event]:
        told: List[events.Event] = []

        async def run() -> None:
            descriptor = self.cluster.deployment.descriptor
            key = aspas.SigningKey.generate()
            async with aspas.Client(descriptor, key, on_event=told.append, **options) as client:
                await asyncio.wait_for(story(client), PATIENCE_SECONDS)

        asyncio.run(run())
        self.assertFalse([one for one in told if isinstance(one, events.Misbehaved)], "nobody is accused wrongly")
        return told

    def test_counter(self) -> None:
        async def story(client: aspas.Client) -> None:
            update = await client.counter("py/counter").increment(5)
            answer, confirmation = await update.answered, await update.confirmed
            self.assertEqual((1, 0), (answer.number, answer.server))
            self.assertEqual(answer.dot, confirmation.dot)
            self.assertEqual(5, await client.counter("py/counter").get())
            await (await client.counter("py/counter").decrement(7)).confirmed
            self.assertEqual(-2, await client.counter("py/counter").get(certified=True))
            self.assertEqual(0, await client.counter("py/nothing").get(certified=True))
            self.assertEqual(0, client.unconfirmed)

        self.run_client(story, tolerance=8)

    def test_set(self) -> None:
        async def story(client: aspas.Client) -> None:
            tags = client.set("py/set")
            elements: List[Any] = ["é", "b", b"\x00", -3, 2**63 - 1]
            for element in elements:
                await tags.add(element)
            await (await tags.remove("b")).confirmed
            expected = [-3, 2**63 - 1, "é", b"\x00"]
            self.assertEqual(expected, await tags.get())
            self.assertEqual(expected, await tags.get(certified=True))
            self.assertTrue(await tags.has("é", certified=True))
            self.assertFalse(await tags.has("b", certified=True))
            paged = [element async for page in tags.pages() for element in page]
            self.assertEqual(set(expected), set(paged))
            await (await tags.clear()).confirmed
            self.assertEqual([], await tags.get(certified=True))

        self.run_client(story)

    def test_tolerance(self) -> None:
        async def story(client: aspas.Client) -> None:
            most = 0
            updates = [client.submit("py/window", "pn-counter", "increment", 1) for _ in range(40)]
            for update in updates:
                await update.answered
                most = max(most, client.unconfirmed)
            self.assertLessEqual(most, 3)
            await asyncio.gather(*[update.confirmed for update in updates])
            self.assertEqual(list(range(1, 41)), [update.number for update in updates])
            client.tolerance = 1
            update = await client.counter("py/window").increment()
            self.assertEqual(0, client.unconfirmed, "with 1 an update returns with its confirmation")
            await update.confirmed
            self.assertEqual(41, await client.counter("py/window").get(certified=True))

        self.run_client(story, tolerance=3)

    def test_proof_for_others(self) -> None:
        async def story(client: aspas.Client) -> None:
            await (await client.counter("py/proof").increment(3)).confirmed
            result = await client.counter("py/proof").read(certified=True)
            assert result.proof is not None
            verdict = verify_value_proof(self.cluster.deployment.descriptor, result.proof)
            self.assertEqual((True, 3), (verdict.valid, verdict.value))
            with tempfile.TemporaryDirectory() as files:
                path = os.path.join(files, "proof.cbor")
                Path(path).write_bytes(result.proof)
                directory = str(self.cluster.directory)
                with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                    self.commands(path, directory, result.proof)

        self.run_client(story, tolerance=8)

    def commands(self, path: str, directory: str, proof: bytes) -> None:
        self.assertEqual(cli.VALID, cli.main([path, "--dir", directory, "--json"]))
        Path(path).write_bytes(proof[:-1] + bytes((proof[-1] ^ 1,)))
        self.assertEqual(cli.NOT_VALID, cli.main([path, "--dir", directory]))
        self.assertEqual(cli.WRONG_USAGE, cli.main([path + ".not", "--dir", directory]))
        self.assertEqual(cli.WRONG_USAGE, cli.main([path, "--dir", os.path.dirname(path)]))

    def test_another_type(self) -> None:
        async def story(client: aspas.Client) -> None:
            await (await client.counter("py/type").increment()).confirmed
            with self.assertRaises(aspas.Refused) as refused:
                await client.set("py/type").add("x")
            self.assertEqual("wrong type", refused.exception.reason)
            with self.assertRaises(aspas.Refused):
                await client.set("py/type").get()
            await (await client.counter("py/type").increment()).confirmed
            self.assertEqual(2, await client.counter("py/type").get(certified=True), "its number is filled")

        told = self.run_client(story)
        self.assertEqual(1, len([one for one in told if isinstance(one, events.MayTakeEffect)]))

    def test_bad_arguments(self) -> None:
        async def story(client: aspas.Client) -> None:
            for wrong in (
                lambda: client.counter("py/bad").increment(0),
                lambda: client.counter("py/bad").increment(2**63),
                lambda: client.counter("k" * 5000).increment(),
                lambda: client.counter("\ud800").increment(),
                lambda: client.set("py/bad").add("x" * 4097),
                lambda: client.set("py/bad").add(2**63),
            ):
                with self.assertRaises(aspas.InvalidArgument):
                    await wrong()  # type: ignore[no-untyped-call]
            self.assertEqual(0, client.unconfirmed, "nothing of it was signed")

        self.run_client(story)

    def test_one_key_twice(self) -> None:
        async def run() -> None:
            key = aspas.SigningKey.generate()
            descriptor = self.cluster.deployment.descriptor
            async with aspas.Client(descriptor, key, server=0) as one, aspas.Client(descriptor, key, server=1) as other:
                self.assertNotEqual(one.id, other.id)
                await asyncio.gather(increments(one, "py/twice", 20), increments(other, "py/twice", 20))
                self.assertEqual(40, await one.counter("py/twice").get(certified=True))

        asyncio.run(run())

    def test_a_killed_client_goes_on(self) -> None:
        """What it had signed counts once, and none of its numbers gets another content."""
        files = tempfile.TemporaryDirectory()
        self.addCleanup(files.cleanup)
        path, seed = os.path.join(files.name, "me.record"), os.urandom(32)
        killed = subprocess.Popen(
            [sys.executable, "-c", ENDLESS, str(self.cluster.directory), seed.hex(), path],
            stdout=subprocess.PIPE,
            cwd=Path(__file__).resolve().parents[1],
            text=True,
        )
        assert killed.stdout is not None
        try:
            for _ in range(7):
                self.assertIn("answered", killed.stdout.readline())
        finally:
            killed.kill()
            killed.stdout.close()
            killed.wait()
        key = aspas.SigningKey(seed)
        descriptor = self.cluster.deployment.descriptor
        record = aspas.FileRecord(path)
        left = record.open(descriptor.id, key.public)
        record.close()
        self.assertTrue(left.open, "it was killed with updates unconfirmed")
        numbers = [one.message.number for one in left.open]
        self.assertEqual(numbers, sorted(set(numbers)))

        async def story(client: aspas.Client) -> None:
            with self.assertRaises(aspas.RecordInUse):
                await aspas.Client(descriptor, key, record=path).open()
            self.assertNotEqual(left.open[0].message.client, client.id, "its own numbers are those of another client")
            await asyncio.gather(*[update.confirmed for update in client.inherited])
            self.assertEqual([], client.inherited)
            await increments(client, "py/killed", 5)
            self.assertEqual(numbers[-1] + 5, await client.counter("py/killed").get(certified=True), "each counts once")

        told: List[events.Event] = []

        async def run() -> None:
            async with aspas.Client(descriptor, key, record=path, tolerance=8, server=1, on_event=told.append) as client:
                await asyncio.wait_for(story(client), PATIENCE_SECONDS)

        asyncio.run(run())
        self.assertFalse([one for one in told if isinstance(one, events.Misbehaved)], "nobody is accused wrongly")
        self.assertEqual([], json.loads(self.cluster.http(0, "/v1/blacklist"))["clients"])
        self.assertEqual([], json.loads(Path(path).read_text())["open"], "nothing is open any more")

    def test_another_deployment(self) -> None:
        descriptor = self.cluster.deployment.descriptor
        with self.assertRaises(aspas.InvalidArgument):
            aspas.Deployment.open(self.cluster.directory, operator=descriptor.appservers[0].key)


@unittest.skipUnless(BUILT.exists(), "the tree is not built: './aspas --version' builds it")
class AttackedDeploymentTest(unittest.TestCase):
    def test_roles(self) -> None:
        for role in ROLES:
            with self.subTest(role):
                cluster = Cluster(role)
                try:
                    asyncio.run(asyncio.wait_for(self.under_attack(cluster, role), 3 * PATIENCE_SECONDS))
                finally:
                    cluster.close()

    async def under_attack(self, cluster: Cluster, role: str) -> None:
        """Clients begin at the attacker; each update counts once, and every proof convicts the attacker alone."""
        descriptor = cluster.deployment.descriptor
        attacker = descriptor.servers - 1
        told: List[events.Event] = []
        options: Dict[str, Any] = {"server": attacker, "tolerance": 16, "grace": 3.0, "patience": 3.0, "inspect": 0.2}
        began = time.monotonic()
        async with contextlib.AsyncExitStack() as stack:

            async def client(**options: Any) -> aspas.Client:
                return await stack.enter_async_context(aspas.Client(descriptor, aspas.SigningKey.generate(), **options))

            # Several are on the attacker: some roles show different things to different clients.
            victims = [await client(on_event=told.append, **options) for _ in range(VICTIMS)]
            honest = [await client(server=one) for one in range(attacker)]
            await asyncio.gather(*[increments(one, "py/attacked", 20) for one in victims + honest])
            took = time.monotonic() - began
            for one in (victims[0], honest[0]):
                value = await one.counter("py/attacked").get(certified=True)
                self.assertEqual(20 * (len(victims) + len(honest)), value, "nothing lost or doubled")
            kinds = self.evidence_of_client(descriptor, told, attacker)

            async def convicted() -> bool:
                kinds.extend(self.evidence_of_servers(cluster, attacker))
                if not kinds:  # Who attacks in silence is found when there is more to do.
                    more = await client(**options)
                    await increments(more, "py/more", 10)
                return bool(kinds)

            if role in PROVABLE:
                await until(convicted, "%s is proved" % role)
        switched = [one.reason for one in told if isinstance(one, events.Switched)]
        sys.stderr.write(
            "%s: %d updates confirmed once in %.1f s; evidence: %s; %d switches: %s\n"
            % (
                role,
                20 * (len(victims) + len(honest)),
                took,
                ", ".join(sorted(set(kinds))) or "none",
                len(switched),
                sorted(set(re.sub(r"\d+", "N", reason) for reason in switched)),
            )
        )

    def evidence_of_client(self, descriptor: aspas.Descriptor, told: List[events.Event], attacker: int) -> List[str]:
        kinds = []
        for event in told:
            if isinstance(event, events.Misbehaved):
                self.assertEqual(attacker, event.server, event.reason)
                if event.evidence is not None:
                    judgement = judge(descriptor, event.evidence)
                    self.assertIn(judgement.finding, (Finding.GUILTY, Finding.NEEDS_REPLAY), judgement.reason)
                    self.assertEqual(attacker, judgement.accused)
                    kinds.append(str(judgement.kind))
        return kinds

    def evidence_of_servers(self, cluster: Cluster, attacker: int) -> List[str]:
        """What the deployment excluded somebody for, judged here from the file alone."""
        kinds = []
        for server in json.loads(cluster.http(0, "/v1/blacklist"))["appservers"]:
            data = cluster.http(0, "/v1/evidence/" + server["evidence"])
            judgement = judge_bytes(cluster.deployment.descriptor, data)
            self.assertIn(judgement.finding, (Finding.GUILTY, Finding.NEEDS_REPLAY), judgement.reason)
            self.assertEqual(attacker, judgement.accused)
            assert judgement.evidence is not None
            self.assertEqual(server["evidence"], judgement.evidence.identity.hex())
            kinds.append(str(judgement.kind))
        return kinds


def launch(*arguments: str) -> None:
    """Runs a command of this tree to its end."""
    subprocess.run([str(LAUNCHER), *arguments], check=True, stdout=subprocess.DEVNULL)


def free_ports(count: int) -> List[int]:
    """Ports that nobody has now, chosen all at once."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [int(one.getsockname()[1]) for one in sockets]
    for one in sockets:
        one.close()
    return ports


@unittest.skipUnless(BUILT.exists(), "the tree is not built: './aspas --version' builds it")
class TlsDeploymentTest(unittest.TestCase):
    """A deployment that ``aspas init --tls`` made, and another one whose authorities are not its own."""

    ours: Path
    others: Path

    @classmethod
    def setUpClass(cls) -> None:
        files = tempfile.TemporaryDirectory(prefix="aspas-python-tls-")
        cls.addClassCleanup(files.cleanup)
        cls.ours, cls.others = (Path(files.name) / name for name in ("ours", "others"))
        for directory in (cls.ours, cls.others):
            ports = free_ports(16)
            appservers = ["127.0.0.1:%d:%d:%d" % tuple(ports[3 * i : 3 * i + 3]) for i in range(4)]
            bftservers = ["127.0.0.1:%d" % port for port in ports[12:]]
            nodes = ["--appservers", ",".join(appservers), "--bftservers", ",".join(bftservers)]
            launch("init", str(directory), "--tls", *nodes)
        cls.addClassCleanup(launch, "down", str(cls.ours), "--force")
        launch("up", str(cls.ours), "--wait=%d" % START_SECONDS)

    def client(self, authorities: Optional[Path]) -> aspas.Client:
        descriptor = aspas.Deployment.open(self.ours).descriptor
        return aspas.Client(descriptor, aspas.SigningKey.generate(), tls=aspas.tls_context(authorities), patience=60.0)

    def test_the_authorities_of_the_deployment(self) -> None:
        async def run() -> None:
            async with self.client(aspas.Deployment.open(self.ours).authorities) as client:
                await asyncio.wait_for((await client.counter("py/tls").increment(3)).confirmed, PATIENCE_SECONDS)
                self.assertEqual(3, await client.counter("py/tls").get(certified=True))

        asyncio.run(run())

    def test_other_authorities(self) -> None:
        for authorities in (aspas.Deployment.open(self.others).authorities, None):
            with self.assertRaisesRegex(aspas.Unreachable, "TLS failed: .*certificate verify failed"):
                asyncio.run(self.client(authorities).open(3.0))


if __name__ == "__main__":
    unittest.main()
