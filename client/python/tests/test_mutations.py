"""Nothing that was changed is accepted for more than it was: every byte of each sample, and 20,000 seeded changes."""

from __future__ import annotations

import dataclasses
import random
import sys
import time
import unittest
from typing import Any, Callable, Dict, FrozenSet, Iterator, List, NamedTuple, Optional, Set, Tuple

from aspas.keys import SigningKey
from aspas.verify import (
    Answer,
    Confirmation,
    Descriptor,
    Finding,
    InvalidDescriptor,
    Malformed,
    Read,
    Request,
    Signed,
    Value,
    decode,
    decode_frame,
    decode_signed,
    encode,
    judge_bytes,
    verify_attached,
    verify_certificate,
    verify_certificate_bytes,
    verify_covered,
    verify_entry,
    verify_response,
    verify_value_proof,
)
from aspas.verify.messages import Message, OpenSession, Response

from . import vectors
from .vectors import load, raw

SEED = 20261127
CHANGES = 20_000

#: What bytes are accepted for; none when they are refused.
Claim = Optional[FrozenSet[Any]]


class Sample(NamedTuple):
    name: str
    data: bytes
    claim: Callable[[bytes], Claim]


class World:
    """All samples of the vectors, and what is true in their deployment."""

    def __init__(self) -> None:
        self.descriptor: Descriptor = vectors.descriptor()
        self.outsider = SigningKey(bytes([0x77]) * 32)
        answers = load("answers.json")
        self.server, self.client = int(answers["server"]), raw(answers["client"])
        self.samples: List[Sample] = []
        self.signed: Set[Tuple[bytes, bytes]] = set()
        self.elements: Set[Value] = set()
        self._deployment()
        self._certificates()
        self._answers(answers)
        self._proof_files()
        self._evidence()

    def _add(self, name: str, data: bytes, claim: Callable[[bytes], Claim]) -> None:
        if claim(data) is None:
            raise AssertionError("the sample %s is not accepted as it is" % name)
        self.samples.append(Sample(name, data, claim))

    def _deployment(self) -> None:
        case = load("descriptor.json")["cases"][0]
        signature, operator = vectors.signature_file(case["signatureFile"]), raw(case["operatorKey"])
        text = case["text"].encode("utf-8")

        def of_text(data: bytes) -> Claim:
            return self._opened(data, signature, operator)

        def of_signature(data: bytes) -> Claim:
            return self._opened(text, data, operator)

        self._add("descriptor", text, of_text)
        self._add("signature of the descriptor", signature, of_signature)

    @staticmethod
    def _opened(text: bytes, signature: bytes, operator: bytes) -> Claim:
        try:
            return frozenset([Descriptor.open(text, signature, operator).id])
        except InvalidDescriptor:
            return None

    def _certificates(self) -> None:
        def claim(data: bytes) -> Claim:
            verdict = verify_certificate_bytes(self.descriptor, data)
            return frozenset([verdict.certificate.hash]) if verdict and verdict.certificate else None

        for case in load("certificates.json")["certificates"]:
            if case["valid"]:
                self._add(case["name"], raw(case["certificate"]), claim)

    def _right(self, request: Signed[Any], answer: Answer) -> bool:
        response = answer.response.message
        reference = request.message.number if isinstance(request.message, Request) else 0
        if not verify_response(self.descriptor, self.server, self.client, answer.response):
            return False
        attached = answer.certificate
        if attached is not None and not verify_attached(self.descriptor, response, attached):
            return False
        return verify_entry(response, reference, request).valid

    def _answers(self, found: Dict[str, Any]) -> None:
        for case in found["answers"]:
            if case["valid"]:
                self._add(case["name"], raw(case["answer"]), self._answer_claim(raw(case["request"])))
        for case in found["confirmations"]:
            if case["valid"]:
                self._add(case["name"], raw(case["confirmation"]), self._confirmation_claim(case["updates"]))

    def _answer_claim(self, sent: bytes) -> Callable[[bytes], Claim]:
        request = decode_signed(sent, Request, OpenSession)

        def claim(data: bytes) -> Claim:
            try:
                answer = decode(data, Answer)
            except Malformed:
                return None
            return frozenset([answer.response.payload]) if self._right(request, answer) else None

        return claim

    def _confirmation_claim(self, updates: List[Dict[str, str]]) -> Callable[[bytes], Claim]:
        responses: Dict[int, Response] = {}
        for update in updates:
            answer = decode(raw(update["answer"]), Answer)
            responses[answer.response.message.reference] = answer.response.message

        def claim(data: bytes) -> Claim:
            try:
                confirmation = decode(data, Confirmation)
            except Malformed:
                return None
            certificate = confirmation.certificate
            if confirmation.client != self.client or not verify_certificate(self.descriptor, certificate):
                return None
            covered = [
                (item.number, item.dot, certificate.hash)
                for item in confirmation.covered
                if item.number in responses and verify_covered(certificate, item, responses[item.number])
            ]
            return frozenset(covered) or None

        return claim

    def _proof_files(self) -> None:
        def claim(data: bytes) -> Claim:
            verdict = verify_value_proof(self.descriptor, data)
            if not verdict:
                return None
            read, certificate = verdict.read, verdict.certificate
            assert read is not None and certificate is not None
            if self._trivially_true(read, verdict.value):
                return frozenset()
            return frozenset([(read.key, read.type, read.part, verdict.value, certificate.hash)])

        for case in load("proof-files.json")["cases"]:
            if case["valid"]:
                self._add(case["name"], raw(case["file"]), claim)
        for case in load("reads.json")["cases"]:
            if case["valid"] and isinstance(case.get("result"), list):
                self.elements.update(vectors.item(case["result"]))

    def _trivially_true(self, read: Read, value: Optional[Value]) -> bool:
        """One proof shows that many keys and elements are absent; that is right of all that are."""
        if read.key not in ("c", "s"):
            return value in (0, ())
        element = None if read.part is None else read.part.element
        return element is not None and value == () and element not in self.elements

    def _evidence(self) -> None:
        cases = [case for case in load("evidence.json")["cases"] if case["valid"]]
        for case in load("evidence.json")["cases"]:
            self._collect(decode(raw(case["evidence"]), Message))

        def claim(data: bytes) -> Claim:
            judgement = judge_bytes(self.descriptor, data)
            if judgement.finding not in (Finding.GUILTY, Finding.NEEDS_REPLAY):
                return None
            forged = [one for one in _signed_in(judgement.evidence) if one not in self.signed]
            return frozenset([("forged", tuple(forged))] if forged else [judgement.accused])

        for case in cases:
            self._add(case["name"], raw(case["evidence"]), claim)

    def _collect(self, message: Any) -> None:
        self.signed.update(_signed_in(message))


def _signed_in(thing: Any) -> Iterator[Tuple[bytes, bytes]]:
    """Everything in a message that carries a signature of an appserver or a client."""
    if isinstance(thing, Signed):
        yield thing.payload, thing.signature
    elif dataclasses.is_dataclass(thing):
        for field in dataclasses.fields(thing):
            yield from _signed_in(getattr(thing, field.name))
    elif isinstance(thing, tuple):
        for one in thing:
            yield from _signed_in(one)


class Mutator:
    """Changes of bytes that a damaged disk, a buggy program or a liar makes."""

    def __init__(self, world: World, rng: random.Random) -> None:
        self._world = world
        self._rng = rng
        self._hashes = [sample.data[i : i + 32] for sample in world.samples for i in range(0, len(sample.data), 97)]

    def change(self, data: bytes) -> bytes:
        rng = self._rng
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            data = rng.choice(
                (self._flip, self._put, self._cut, self._insert, self._double, self._hash, self._splice, self._longer)
            )(data)
        return self._resigned(data) if rng.random() < 0.2 else data

    def _at(self, data: bytes) -> int:
        return self._rng.randrange(len(data) + 1) if data else 0

    def _flip(self, data: bytes) -> bytes:
        at = self._at(data)
        return data[:at] + bytes(b ^ 1 << self._rng.randrange(8) for b in data[at : at + 1]) + data[at + 1 :]

    def _put(self, data: bytes) -> bytes:
        at = self._at(data)
        interesting = (0x00, 0x17, 0x18, 0x19, 0x1B, 0x20, 0x3B, 0x40, 0x58, 0x60, 0x80, 0x9F, 0xF4, 0xF6, 0xFF)
        return data[:at] + bytes((self._rng.choice(interesting),)) + data[at + 1 :]

    def _cut(self, data: bytes) -> bytes:
        at = self._at(data)
        return data[:at] + data[at + self._rng.choice((1, 1, 2, 33, 1000)) :]

    def _insert(self, data: bytes) -> bytes:
        at = self._at(data)
        return data[:at] + bytes(self._rng.randrange(256) for _ in range(self._rng.choice((1, 2, 8)))) + data[at:]

    def _double(self, data: bytes) -> bytes:
        begin = self._at(data)
        end = begin + self._rng.choice((1, 34, 66, 100))
        return data[:end] + data[begin:end] + data[end:]

    def _hash(self, data: bytes) -> bytes:
        at = data.find(b"\x58\x20", self._at(data))
        return data if at < 0 else data[: at + 2] + self._rng.choice(self._hashes) + data[at + 34 :]

    def _splice(self, data: bytes) -> bytes:
        other, at = self._rng.choice(self._world.samples).data, self._at(data)
        return data[:at] + other[min(at, len(other)) :]

    def _longer(self, data: bytes) -> bytes:
        """An integer or a length in a longer form than the deterministic one."""
        at = self._at(data)
        if at >= len(data):
            return data
        head = data[at]
        if head & 0x1F < 24:
            return data[:at] + bytes((head & 0xE0 | 24, head & 0x1F)) + data[at + 1 :]
        return data[:at] + bytes((head + 1 & 0xFF, 0)) + data[at + 1 :]

    def _resigned(self, data: bytes) -> bytes:
        """A change below a signature, signed again by somebody else."""
        try:
            message = decode_frame(data)
        except Malformed:
            return data
        for field in dataclasses.fields(message) if isinstance(message, Message) else ():
            inner = getattr(message, field.name)
            if isinstance(inner, Signed):
                signed = self._world.outsider.sign(self._world.descriptor.id, self._other(inner.message))
                return encode(dataclasses.replace(message, **{field.name: signed}))
        return data

    def _other(self, message: Message) -> Message:
        names = [f.name for f in dataclasses.fields(message) if isinstance(getattr(message, f.name), bytes)]
        if not names:
            return message
        name = self._rng.choice(names)
        value = bytearray(getattr(message, name))
        value[self._rng.randrange(32)] ^= 1
        return dataclasses.replace(message, **{name: bytes(value)})


class MutationsTest(unittest.TestCase):
    world: World

    @classmethod
    def setUpClass(cls) -> None:
        cls.world = World()

    def judge(self, sample: Sample, right: FrozenSet[Any], changed: bytes, how: str) -> bool:
        """Whether changed bytes were accepted; fails when they were for what is not right."""
        claim = sample.claim(changed)
        if claim is not None and not claim <= right:
            self.fail("%s, %s, is accepted for %r: %s" % (sample.name, how, claim, changed.hex()))
        return claim is not None

    def test_every_byte(self) -> None:
        tried = accepted = 0
        begin = time.process_time()
        for sample in self.world.samples:
            right = sample.claim(sample.data)
            assert right is not None
            for at in range(len(sample.data)):
                for change in (0xFF, 0x01):
                    changed = sample.data[:at] + bytes((sample.data[at] ^ change,)) + sample.data[at + 1 :]
                    accepted += self.judge(sample, right, changed, "byte %d ^ %d" % (at, change))
                    tried += 1
        self.report("each byte of %d samples" % len(self.world.samples), tried, accepted, begin)

    def test_seeded_changes(self) -> None:
        rng = random.Random(SEED)
        mutator = Mutator(self.world, rng)
        rights = {sample.name: sample.claim(sample.data) for sample in self.world.samples}
        everything: FrozenSet[Any] = frozenset().union(*[right for right in rights.values() if right is not None])
        tried = accepted = 0
        begin = time.process_time()
        while tried < CHANGES:
            sample = rng.choice(self.world.samples)
            changed = mutator.change(sample.data)
            if changed != sample.data:
                # What is spliced from another sample may be right of that one.
                accepted += self.judge(sample, everything, changed, "change %d of seed %d" % (tried, SEED))
                tried += 1
        self.report("changes of seed %d" % SEED, tried, accepted, begin)

    def test_what_is_right_is_accepted(self) -> None:
        begin, done = time.process_time(), 0
        for _ in range(20):
            for sample in self.world.samples:
                self.assertIsNotNone(sample.claim(sample.data), sample.name)
                done += 1
        self.report("as they are", done, done, begin)

    @staticmethod
    def report(what: str, tried: int, accepted: int, begin: float) -> None:
        rate = tried / (time.process_time() - begin)
        sys.stderr.write("%s: %d verified, %d harmless, 0 wrong, %d verifications per second of processor time\n" % (what, tried, accepted, rate))


if __name__ == "__main__":
    unittest.main()
