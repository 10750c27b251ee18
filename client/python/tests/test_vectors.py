"""The verifier decides every case of docs/vectors as the page says."""

from __future__ import annotations

import dataclasses
import unittest
from typing import Any, Callable, Dict, Iterable

from aspas._certificates import Certificates
from aspas._tags import SessionKey, tag
from aspas.keys import SigningKey
from aspas.verify import (
    Answer,
    Certificate,
    Confirmation,
    Consistency,
    Inclusion,
    InvalidDescriptor,
    Leaf,
    Malformed,
    Read,
    Request,
    Signed,
    decode,
    decode_frame,
    decode_signed,
    decode_value,
    encode,
    encode_value,
    judge_bytes,
    next_page,
    verify_attached,
    verify_certificate,
    verify_certificate_bytes,
    verify_covered,
    verify_entry,
    verify_link,
    verify_response,
    verify_snapshot,
    verify_value,
    verify_value_proof,
)
from aspas.verify import ed25519, merkle, messages, state
from aspas.verify.descriptor import signed_text
from aspas.verify.messages import KINDS, NOBODY, Message, OpenSession, TaggedRequest
from aspas.verify.snapshot import SnapshotChunk

from . import vectors
from .vectors import hashes, load, raw


class VectorsTest(unittest.TestCase):
    def each(self, cases: Iterable[Dict[str, Any]], decide: Callable[[Dict[str, Any]], bool]) -> None:
        """Every case is decided as it says; there are valid ones among them."""
        accepted = refused = 0
        for case in cases:
            with self.subTest(case["name"]):
                self.assertEqual(case["valid"], bool(decide(case)), case.get("reason"))
            accepted += case["valid"]
            refused += not case["valid"]
        self.assertGreater(accepted, 0)

    def test_cbor(self) -> None:
        def decide(case: Dict[str, Any]) -> bool:
            try:
                value = decode_value(raw(case["hex"]))
            except Malformed:
                return False
            self.assertEqual(encode_value(value), raw(case["hex"]))
            self.assertEqual(vectors.item(case["value"]), value)
            return True

        self.each(load("cbor.json")["cases"], decide)

    def test_signatures(self) -> None:
        self.each(
            load("signatures.json")["cases"],
            lambda case: ed25519.verify(raw(case["key"]), raw(case["text"]), raw(case["signature"])),
        )

    def test_signed_texts(self) -> None:
        def decide(case: Dict[str, Any]) -> bool:
            text = signed_text(case["domain"], raw(case["deployment"]), raw(case["payload"]))
            if "signedText" in case:
                self.assertEqual(text, raw(case["signedText"]))
                self.assertEqual(SigningKey(raw(case["seed"])).public, raw(case["key"]))
            return ed25519.verify(raw(case["key"]), text, raw(case["signature"]))

        self.each(load("signed-texts.json")["cases"], decide)

    def test_log(self) -> None:
        log = load("log.json")
        leaves = [raw(case["leaf"]) for case in log["leaves"]]
        self.each(log["leaves"], lambda case: merkle.leaf_hash(raw(case["entry"])) == raw(case["leaf"]))
        self.each(log["roots"], lambda case: merkle.root(leaves[: int(case["size"])]) == raw(case["root"]))
        self.each(
            log["inclusion"],
            lambda case: Inclusion(int(case["leafIndex"]), int(case["treeSize"]), hashes(case["path"])).proves(
                raw(case["leaf"]), raw(case["root"])
            ),
        )
        self.each(
            log["consistency"],
            lambda case: Consistency(int(case["oldSize"]), int(case["newSize"]), hashes(case["path"])).proves(
                raw(case["oldRoot"]), raw(case["newRoot"])
            ),
        )

    def test_state_leaves(self) -> None:
        def decide(case: Dict[str, Any]) -> bool:
            if "client" in case:
                return state.client_path(raw(case["client"])) == raw(case["path"])
            if "element" in case:
                element, short = decode_value(raw(case["element"])), state.short_state(decode_value(raw(case["state"])))
                path, leaf = state.element_path(element), state.element_leaf(element, short)
            elif "size" in case:
                path = state.object_path(case["key"])
                leaf = state.elements_leaf(case["key"], case["type"], int(case["size"]), raw(case["root"]))
            else:
                path = state.object_path(case["key"])
                leaf = state.object_leaf(case["key"], case["type"], decode_value(raw(case["value"])))
            return (path, leaf) == (raw(case["path"]), raw(case["leaf"]))

        self.each(load("state.json")["leaves"], decide)

    def test_state_trees(self) -> None:
        def decide(case: Dict[str, Any]) -> bool:
            leaves = sorted((Leaf(raw(one["path"]), raw(one["value"])) for one in case["leaves"]), key=lambda x: x.path)
            return state.subtree_hash(leaves) == raw(case["root"])

        self.each(load("state.json")["trees"], decide)

    def test_state_paths(self) -> None:
        def decide(case: Dict[str, Any]) -> bool:
            proof = vectors.path_proof(case["proof"])
            if case["proves"] == "presence":
                return proof.presence(raw(case["root"]), raw(case["path"]), raw(case["value"]))
            return proof.absence(raw(case["root"]), raw(case["path"]))

        self.each(load("state.json")["paths"], decide)

    def test_state_pages(self) -> None:
        def decide(case: Dict[str, Any]) -> bool:
            proof, begin = vectors.page_proof(case["proof"]), raw(case["from"])
            leaves = [Leaf(raw(one["path"]), raw(one["value"])) for one in case["leaves"]]
            valid = proof.page(raw(case["root"]), begin, leaves)
            if valid and "next" in case:
                following = proof.following(begin)
                self.assertEqual(case["next"], None if following is None else following.hex())
            return valid

        self.each(load("state.json")["pages"], decide)

    def test_messages(self) -> None:
        def decide(case: Dict[str, Any]) -> bool:
            data = raw(case["hex"])
            try:
                message = decode(data, Message)
            except Malformed:
                message = None
            try:
                frame = decode_frame(raw(case["frame"]) if "frame" in case else data)
            except Malformed:
                frame = None
            if message is None or frame is None:
                self.assertFalse(case["valid"])
                self.assertIsNone(frame, "a frame is refused as its message is")
                return message is not None
            self.assertEqual(int(case["kind"]), message.KIND)
            self.assertEqual(case["domain"], message.DOMAIN)
            self.assertEqual(encode(message), data)
            self.assertEqual(encode(frame), raw(case["frame"]))
            self.assertEqual(frame.message if isinstance(frame, Signed) else frame, message)
            return True

        cases = load("messages.json")["cases"]
        self.each(cases, decide)
        self.assertEqual({int(case["kind"]) for case in cases if "kind" in case}, set(KINDS), "every kind occurs")

    def test_descriptors(self) -> None:
        def decide(case: Dict[str, Any]) -> bool:
            try:
                descriptor = vectors.open_descriptor(case)
            except (InvalidDescriptor, ValueError):
                return False
            self.assertEqual(raw(case["deploymentId"]), descriptor.id)
            return True

        self.each(load("descriptor.json")["cases"], decide)

    def test_certificates(self) -> None:
        descriptor = vectors.descriptor()

        def decide(case: Dict[str, Any]) -> bool:
            verdict = verify_certificate_bytes(descriptor, raw(case["certificate"]))
            if verdict and verdict.certificate is not None and "hash" in case:
                certificate = verdict.certificate
                self.assertEqual(int(case["number"]), certificate.number)
                self.assertEqual(raw(case["hash"]), certificate.hash)
                self.assertEqual(raw(case["stateRoot"]), certificate.content.state)
            return bool(verdict)

        def chain(case: Dict[str, Any]) -> bool:
            certificates = [decode(raw(one), Certificate) for one in case["certificates"]]
            for certificate in certificates:
                self.assertTrue(verify_certificate(descriptor, certificate))
            return all(verify_link(one, other) for one, other in zip(certificates, certificates[1:]))

        found = load("certificates.json")
        self.each(found["certificates"], decide)
        self.each(found["chains"], chain)

    def test_answers(self) -> None:
        descriptor, found = vectors.descriptor(), load("answers.json")
        server, client = int(found["server"]), raw(found["client"])

        def right(request: Signed[Any], answer: Answer) -> bool:
            response = answer.response.message
            reference = request.message.number if isinstance(request.message, Request) else 0
            verdict = verify_response(descriptor, server, client, answer.response)
            if verdict and answer.certificate is not None:
                verdict = verify_attached(descriptor, response, answer.certificate)
            return bool(verdict and verify_entry(response, reference, request))

        def decide(case: Dict[str, Any]) -> bool:
            request = decode_signed(raw(case["request"]), Request, OpenSession)
            try:
                return right(request, decode(raw(case["answer"]), Answer))
            except Malformed:
                return False

        def confirms(case: Dict[str, Any]) -> bool:
            answers = {}
            for update in case["updates"]:
                request, answer = decode_signed(raw(update["request"]), Request), decode(raw(update["answer"]), Answer)
                self.assertTrue(right(request, answer))
                answers[request.message.number] = answer.response.message
            try:
                confirmation = decode(raw(case["confirmation"]), Confirmation)
            except Malformed:
                return False
            covered = {item.number: item for item in confirmation.covered}
            return bool(
                verify_certificate(descriptor, confirmation.certificate)
                and confirmation.client == client
                and all(
                    number in covered and verify_covered(confirmation.certificate, covered[number], response)
                    for number, response in answers.items()
                )
            )

        self.each(found["answers"], decide)
        self.each(found["confirmations"], confirms)

    def test_reads(self) -> None:
        descriptor, found = vectors.descriptor(), load("reads.json")
        server = int(found["server"])

        def decide(case: Dict[str, Any]) -> bool:
            certificates = Certificates(descriptor, 0)
            for one in case.get("held", []):
                self.assertTrue(certificates.verify(decode(raw(one), Certificate)))
            read = decode(raw(case["read"]), Read)
            try:
                answer = decode(raw(case["answer"]), Answer)
            except Malformed:
                return False
            client = raw(case.get("client", found["client"]))
            response = answer.response.message
            verdict = verify_response(descriptor, server, client, answer.response)
            if not verdict or response.dot is not None:
                return False
            if response.reference != read.nonce or response.leaf != read.digest:
                return False
            if answer.certificate is not None:
                if not verify_attached(descriptor, response, answer.certificate, lambda _, one: certificates.verify(one)):
                    return False
            certificate = certificates.proving(read, answer)
            if certificate is None or answer.proof is None:
                return False
            if not verify_value(read, response.result, certificate, answer.proof):
                return False
            if "result" in case:
                self.assertEqual(vectors.item(case["result"]), response.result)
            if "next" in case:
                following = next_page(read, answer.proof)
                self.assertEqual(case["next"], None if following is None else following.hex())
            return True

        self.assertEqual(NOBODY, bytes(48))
        self.each(found["cases"], decide)

    def test_proof_files(self) -> None:
        descriptor = vectors.descriptor()

        def decide(case: Dict[str, Any]) -> bool:
            verdict = verify_value_proof(descriptor, raw(case["file"]))
            if verdict:
                self.assertEqual(vectors.item(case["result"]), verdict.value)
            return bool(verdict)

        self.each(load("proof-files.json")["cases"], decide)

    def test_evidence(self) -> None:
        descriptor = vectors.descriptor()
        guilty = set()
        for case in load("evidence.json")["cases"]:
            with self.subTest(case["name"]):
                judgement = judge_bytes(descriptor, raw(case["evidence"]))
                self.assertEqual(case["finding"], judgement.finding.value, judgement.reason)
                assert judgement.evidence is not None
                self.assertEqual(int(case["kind"]), judgement.evidence.KIND)
                self.assertEqual(raw(case["identity"]), judgement.evidence.identity)
                accused = case["accused"]
                expected = int(accused["server"]) if "server" in accused else raw(accused["client"])
                self.assertEqual(expected, judgement.accused)
                if judgement.finding.value in ("guilty", "needs replay"):
                    guilty.add(judgement.evidence.KIND)
        self.assertEqual(set(range(50, 60)), guilty, "every provable kind is proved")

    def test_snapshots(self) -> None:
        descriptor = vectors.descriptor()

        def decide(case: Dict[str, Any]) -> bool:
            chunks = [raw(one) for one in case["chunks"]]
            verdict = verify_snapshot(descriptor, raw(case["head"]), chunks)
            self.assertEqual(verdict.valid, verify_snapshot(descriptor, raw(case["head"]), chunks[::-1]).valid)
            if verdict:
                assert verdict.objects is not None and verdict.certificate is not None
                self.assertEqual((5, 1), (verdict.objects["c", "pn-counter"], verdict.clients))
                if verdict.certificate.number > 1:
                    self.assertEqual(20, len(verdict.objects["s", "aw-set"]))
            return bool(verdict)

        self.each(load("snapshots.json")["cases"], decide)

    def test_contents_of_a_chunk_come_by_ascending_paths(self) -> None:
        case = next(one for one in load("snapshots.json")["cases"] if one["name"] == "in one chunk")
        chunk = decode(raw(case["chunks"][0]), SnapshotChunk)
        for contents, right in ((chunk.contents, True), (chunk.contents[::-1], False)):
            data = messages.encode(dataclasses.replace(chunk, contents=contents))
            self.assertEqual(right, verify_snapshot(vectors.descriptor(), raw(case["head"]), [data]).valid)

    def test_a_snapshot_with_a_byte_changed_is_none(self) -> None:
        descriptor = vectors.descriptor()
        case = next(one for one in load("snapshots.json")["cases"] if one["name"] == "in one chunk")
        head, chunk = raw(case["head"]), raw(case["chunks"][0])
        for at in range(0, len(head) + len(chunk), 5):
            data = bytearray(head + chunk)
            data[at] ^= 1 << (at % 8)
            changed = bytes(data)
            self.assertFalse(verify_snapshot(descriptor, changed[: len(head)], [changed[len(head) :]]), "byte %d" % at)

    def test_attacks(self) -> None:
        """Attackers of every provable role, convicted in runs of the real servers."""
        found = load("attacks.json")
        descriptor = vectors.open_descriptor(found["descriptor"])
        self.assertEqual(raw(found["descriptor"]["deploymentId"]), descriptor.id)
        kinds = set()
        for case in found["cases"]:
            with self.subTest(case["role"], kind=case["kind"]):
                data = raw(case["evidence"])
                judgement = judge_bytes(descriptor, data)
                self.assertEqual(case["finding"], judgement.finding.value, judgement.reason)
                assert judgement.evidence is not None
                self.assertEqual(raw(case["identity"]), judgement.evidence.identity)
                accused = case["accused"]
                expected = int(accused["server"]) if "server" in accused else raw(accused["client"])
                self.assertEqual(expected, judgement.accused)
                kinds.add(judgement.evidence.KIND)
                if "verdict" in case:
                    whole = judge_bytes(descriptor, raw(case["verdict"]))
                    self.assertEqual(("guilty", expected), (whole.finding.value, whole.accused), whole.reason)
                for change in case["changed"]:
                    at = int(change["at"])
                    changed = judge_bytes(descriptor, data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :])
                    self.assertEqual(change["finding"], changed.finding.value, "byte %d" % at)
                    self.assertNotIn(changed.finding.value, ("guilty", "needs replay"))
                elsewhere = judge_bytes(vectors.descriptor(), data)
                self.assertEqual("unfounded", elsewhere.finding.value, "in another deployment it proves nothing")
        self.assertEqual(set(range(50, 60)), kinds, "every kind of evidence")

    def test_too_few_findings(self) -> None:
        found = load("attacks.json")
        descriptor = vectors.open_descriptor(found["descriptor"])
        case = next(one for one in found["cases"] if one["finding"] == "needs replay")
        verdict = decode_signed(raw(case["verdict"]), messages.VerdictMessage)
        for findings, expected in ((verdict.message.findings, "guilty"), (verdict.message.findings[:1], "needs replay")):
            message = dataclasses.replace(verdict.message, findings=findings)
            data = messages.encode(messages.Signed(message, messages.encode(message), bytes(64)))
            judgement = judge_bytes(descriptor, data)
            self.assertEqual(expected, judgement.finding.value, "whoever handed the findings on need not be trusted")

    def test_tags(self) -> None:
        found = load("tags.json")
        key = SessionKey(raw(found["sharePrivateKey"]))
        deployment = vectors.descriptor().id
        session, request = decode_signed(raw(found["openSession"]), OpenSession), decode_signed(raw(found["request"]), Request)
        self.assertEqual(raw(found["share"]), key.share)
        self.assertEqual(raw(found["openSessionIdentity"]), session.identity)
        tags = b""
        for server in found["servers"]:
            index, agreement = int(server["server"]), raw(server["agreementKey"])
            shared = key.with_server(agreement, deployment, session.identity, index)
            self.assertEqual(raw(server["key"]), shared)
            self.assertEqual(raw(server["tag"]), tag(shared, request))
            tags += tag(shared, request)
        self.assertEqual(raw(found["tags"]), tags)
        self.assertEqual(raw(found["taggedRequest"]), encode(TaggedRequest(request, tags)))
        for case in found["noKey"]:
            self.assertIsNone(key.with_server(raw(case["share"]), deployment, session.identity, 0), case["name"])

    def test_a_client_hands_on_verified_signatures_alone(self) -> None:
        genuine = decode(raw(load("certificates.json")["certificates"][0]["certificate"]), Certificate)
        unsigned = dataclasses.replace(
            genuine, signatures=tuple(dataclasses.replace(one, signature=bytes(64)) for one in genuine.signatures)
        )
        certificates = Certificates(vectors.descriptor(), 0)
        self.assertFalse(certificates.verify(unsigned))
        self.assertTrue(certificates.verify(genuine))
        self.assertTrue(certificates.verify(unsigned), "the content is the certified one")
        self.assertIs(certificates.genuine(unsigned), genuine)

    def test_messages_are_values(self) -> None:
        certificate = decode(raw(load("certificates.json")["certificates"][0]["certificate"]), Certificate)
        self.assertEqual(certificate, dataclasses.replace(certificate))


if __name__ == "__main__":
    unittest.main()
