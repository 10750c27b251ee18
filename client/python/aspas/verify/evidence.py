"""The judge of evidence (docs/formats.md, section 10, "To verify evidence"), from signatures alone."""

from __future__ import annotations

import re
from typing import Any, List, Optional, Sequence, Tuple

from .answers import verify_entry
from .cbor import Malformed
from .certificate import verify_certificate
from .descriptor import Descriptor
from .merkle import leaf_hash
from .messages import (
    DIFFERS,
    GUILTY,
    NOBODY,
    AnswerAgainstHead,
    AnswerAgainstLog,
    BadCertificate,
    Blacklist,
    Branch,
    BrokenEntry,
    CertificateWentBack,
    ClientEquivocation,
    Entry,
    Evidence,
    ForkedEntries,
    ForkedHeads,
    Head,
    Included,
    Response,
    Signed,
    Stable,
    WrongAnswer,
    WrongState,
    VerdictMessage,
    decode,
    decode_signed,
    is_later,
)
from .verdict import Accused, Finding, Judgement

#: None, or why evidence proves nothing.
_Why = Optional[str]


def judge_bytes(descriptor: Descriptor, data: bytes) -> Judgement:
    """What the bytes of a file of evidence prove, or of a signed Verdict, which has the findings of servers beside evidence."""
    try:
        return judge(descriptor, decode(data, Evidence))
    except Malformed as malformed:
        reason = "it is no evidence: %s" % malformed
    try:
        verdict = decode_signed(data, VerdictMessage).message
    except Malformed:
        return Judgement(Finding.MALFORMED, reason)
    return judge(descriptor, verdict.evidence, verdict.findings)


def judge(descriptor: Descriptor, evidence: Evidence, findings: Sequence[Signed[Blacklist]] = ()) -> Judgement:
    """What evidence proves.

    :param findings: of appservers. A wrong answer is proved by those of f+1 that recomputed it; nothing else needs them
    """
    kind, accused = kind_name(evidence), accused_of(evidence)
    judge_of = _Judge(descriptor)
    if _names_later(evidence):
        if judge_of.all_signed(evidence):
            finding, why = Finding.CANNOT_CONFIRM, "it names an incarnation of an appserver that is not open"
        else:
            finding, why = Finding.UNFOUNDED, "it names an incarnation that is not open, not signed by the accused"
        return Judgement(finding, why, kind, accused, evidence)
    unfounded: _Why = getattr(judge_of, "_" + kind.replace(" ", "_"))(evidence)
    if unfounded is not None:
        return Judgement(Finding.UNFOUNDED, unfounded, kind, accused, evidence)
    replay = isinstance(evidence, WrongAnswer) and _recomputed(descriptor, evidence, findings) < descriptor.one_correct
    return Judgement(Finding.NEEDS_REPLAY if replay else Finding.GUILTY, None, kind, accused, evidence)


def _recomputed(descriptor: Descriptor, evidence: Evidence, findings: Sequence[Signed[Blacklist]]) -> int:
    """How many appservers signed that they recomputed the answer, and that its server is guilty."""
    right = set()
    for one in findings:
        word = one.message
        if word.finding == GUILTY and word.evidence == evidence.identity:
            if descriptor.by_appserver(word.server, "blacklist", one.payload, one.signature):
                right.add(word.server)
    return len(right)


def kind_name(evidence: Evidence) -> str:
    """The kind in words, such as ``forked heads``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(evidence).__name__).lower()


def accused_of(evidence: Evidence) -> Accused:
    """Whom evidence accuses, whatever it proves."""
    if isinstance(evidence, ClientEquivocation):
        return evidence.one.message.client
    if isinstance(evidence, ForkedHeads):
        return evidence.one.message.origin
    if isinstance(evidence, ForkedEntries):
        return evidence.one.head.message.origin
    if isinstance(evidence, BrokenEntry):
        return evidence.head.message.origin
    if isinstance(evidence, WrongState):
        return evidence.stable.message.server
    if isinstance(evidence, CertificateWentBack):
        return evidence.earlier.message.server
    if isinstance(evidence, (AnswerAgainstLog, AnswerAgainstHead, BadCertificate, WrongAnswer)):
        return evidence.response.message.server
    raise ValueError("no evidence: %r" % evidence)


# ---- Incarnations that are not open ----


def _heads(evidence: Evidence) -> List[Signed[Head]]:
    if isinstance(evidence, ForkedHeads):
        return [evidence.one, evidence.other]
    if isinstance(evidence, ForkedEntries):
        return [evidence.one.head, evidence.other.head]
    if isinstance(evidence, (BrokenEntry, AnswerAgainstHead)):
        return [evidence.head]
    return []


def _answers(evidence: Evidence) -> List[Signed[Response]]:
    if isinstance(evidence, CertificateWentBack):
        return [evidence.earlier, evidence.later]
    if isinstance(evidence, (AnswerAgainstLog, AnswerAgainstHead, BadCertificate, WrongAnswer)):
        return [evidence.response]
    return []


def _versions(evidence: Evidence) -> List[Tuple[int, ...]]:
    if isinstance(evidence, (AnswerAgainstLog, BadCertificate)):
        return [evidence.certificate.content.version]
    if isinstance(evidence, WrongState):
        return [evidence.stable.message.version, evidence.stable.message.closed]
    return []


def _names_later(evidence: Evidence) -> bool:
    numbers = [head.message.size for head in _heads(evidence)]
    for version in _versions(evidence):
        numbers.extend(version)
    for answer in _answers(evidence):
        numbers.extend(answer.message.version)
        if answer.message.dot is not None:
            numbers.append(answer.message.dot.sequence)
    if isinstance(evidence, BrokenEntry):
        for included in (evidence.entry, evidence.before):
            entry = _entry(included)
            if entry is not None:
                origin = evidence.head.message.origin
                numbers.append(entry.dot.sequence)
                numbers.extend(entry.dependencies[origin : origin + 1])
    return is_later(*numbers)


def _entry(included: Optional[Included]) -> Optional[Entry]:
    try:
        return None if included is None else decode(included.entry, Entry)
    except Malformed:
        return None


# ---- The kinds ----


class _Judge:
    """Each method says why evidence of its kind proves nothing, or nothing when it does."""

    def __init__(self, descriptor: Descriptor) -> None:
        self.descriptor = descriptor

    def all_signed(self, evidence: Evidence) -> bool:
        """Whether the accused signed all that evidence has of it."""
        stable = not isinstance(evidence, WrongState) or self._signed(evidence.stable.message.server, evidence.stable)
        return (
            stable
            and all(self._signed(head.message.origin, head) for head in _heads(evidence))
            and all(self._signed(answer.message.server, answer) for answer in _answers(evidence))
        )

    def _signed(self, server: int, signed: Signed[Any]) -> bool:
        return self.descriptor.by_appserver(server, signed.message.DOMAIN, signed.payload, signed.signature)

    def _client_signed(self, signed: Signed[Any]) -> bool:
        message = signed.message
        return self.descriptor.verify(message.client[:32], message.DOMAIN, signed.payload, signed.signature)

    def _answer(self, signed: Signed[Response]) -> _Why:
        return None if self._signed(signed.message.server, signed) else "an answer is not signed by its server"

    def _forked_heads(self, evidence: ForkedHeads) -> _Why:
        one, other = evidence.one.message, evidence.other.message
        if one.origin != other.origin or one.size != other.size:
            return "the heads are not of one origin and size"
        if one.root == other.root:
            return "the heads have one root"
        signed = self._signed(one.origin, evidence.one) and self._signed(other.origin, evidence.other)
        return None if signed else "a head is not signed by its origin"

    def _forked_entries(self, evidence: ForkedEntries) -> _Why:
        one, other = evidence.one, evidence.other
        if one.head.message.origin != other.head.message.origin or one.proof.index != other.proof.index:
            return "the leaves are not at one index of one origin's log"
        if one.leaf == other.leaf:
            return "the leaves are the same"
        proved = self._branch(one) and self._branch(other)
        return None if proved else "a leaf is not proved under a head signed by its origin"

    def _branch(self, branch: Branch) -> bool:
        head = branch.head.message
        return (
            branch.proof.size == head.size
            and branch.proof.proves(branch.leaf, head.root)
            and self._signed(head.origin, branch.head)
        )

    def _broken_entry(self, evidence: BrokenEntry) -> _Why:
        head, before = evidence.head.message, evidence.before
        place = evidence.entry.proof.index
        in_place = before is None or (before.proof.index == place - 1 and _under(before, head))
        if not _under(evidence.entry, head) or not in_place:
            return "an entry is not proved at its place under the head"
        if not self._signed(head.origin, evidence.head):
            return "the head is not signed by its origin"
        entry = _entry(evidence.entry)
        if entry is not None and self._sound(entry, head.origin, place, self._dependencies(before)):
            return "the entry breaks no rule"
        return None

    def _dependencies(self, before: Optional[Included]) -> Tuple[int, ...]:
        entry = _entry(before)
        if entry is None or len(entry.dependencies) != self.descriptor.servers:
            return (0,) * self.descriptor.servers
        return entry.dependencies

    def _sound(self, entry: Entry, origin: int, index: int, least: Tuple[int, ...]) -> bool:
        dependencies = entry.dependencies
        return (
            (entry.dot.origin, entry.dot.sequence) == (origin, index + 1)
            and len(dependencies) == self.descriptor.servers
            and dependencies[origin] == index
            and all(now >= then for now, then in zip(dependencies, least))
            and self.descriptor.admits(entry.body.message.client)
            and self._client_signed(entry.body)
        )

    def _answer_against_log(self, evidence: AnswerAgainstLog) -> _Why:
        response, content, dot = evidence.response.message, evidence.certificate.content, evidence.response.message.dot
        if dot is None or dot.origin != response.server:
            return "the answer names no entry of its server"
        if response.leaf == evidence.leaf:
            return "the answer names the certified leaf"
        verdict = verify_certificate(self.descriptor, evidence.certificate)
        if not verdict:
            return "the certificate does not verify: %s" % verdict.reason
        proved = (
            dot.origin < len(content.version)
            and evidence.proof.size == content.version[dot.origin]
            and evidence.proof.index == dot.sequence - 1
            and evidence.proof.proves(evidence.leaf, content.roots[dot.origin])
        )
        if not proved:
            return "the leaf is not proved at the answer's dot in the certified log"
        return self._answer(evidence.response)

    def _answer_against_head(self, evidence: AnswerAgainstHead) -> _Why:
        response, head, dot = evidence.response.message, evidence.head.message, evidence.response.message.dot
        if dot is None or dot.origin != response.server or head.origin != response.server:
            return "the answer and the head are not of one server's log"
        if response.leaf == evidence.leaf:
            return "the answer names the leaf under the head"
        proved = (
            evidence.proof.size == head.size
            and evidence.proof.index == dot.sequence - 1
            and evidence.proof.proves(evidence.leaf, head.root)
            and self._signed(head.origin, evidence.head)
        )
        if not proved:
            return "the leaf is not proved at the answer's dot under a head signed by its origin"
        return self._answer(evidence.response)

    def _bad_certificate(self, evidence: BadCertificate) -> _Why:
        response, certificate = evidence.response.message, evidence.certificate
        if certificate.digest != response.certificate_digest:
            return "the answer names another certificate"
        if certificate.number == response.certificate and verify_certificate(self.descriptor, certificate):
            return "the certificate verifies"
        return self._answer(evidence.response)

    def _certificate_went_back(self, evidence: CertificateWentBack) -> _Why:
        earlier, later = evidence.earlier.message, evidence.later.message
        if earlier.server != later.server or earlier.client != later.client:
            return "the answers are not of one server to one client"
        if earlier.client == NOBODY:
            return "answers without a session are not in order"
        if later.sequence <= earlier.sequence or later.certificate >= earlier.certificate:
            return "the later answer does not name a lower certificate"
        return self._answer(evidence.earlier) or self._answer(evidence.later)

    def _client_equivocation(self, evidence: ClientEquivocation) -> _Why:
        one, other = evidence.one.message, evidence.other.message
        if one.client != other.client or one.number != other.number:
            return "the requests are not of one client and number"
        if evidence.one.payload == evidence.other.payload:
            return "the requests are the same"
        signed = self._client_signed(evidence.one) and self._client_signed(evidence.other)
        return None if signed else "a request is not signed by the client"

    def _wrong_state(self, evidence: WrongState) -> _Why:
        accused = evidence.stable.message
        if len(evidence.others) < self.descriptor.one_correct:
            return "fewer than f+1 others"
        if not self._signed(accused.server, evidence.stable):
            return "the STABLE is not signed by its server"
        state, last = evidence.others[0].message.state, -1
        for signed in evidence.others:
            stable = signed.message
            counts = (
                stable.server > last
                and stable.server != accused.server
                and _but_state(stable) == _but_state(accused)
                and stable.state == state
                and self._signed(stable.server, signed)
            )
            if not counts:
                return "the STABLE of another server does not fit"
            last = stable.server
        return "the states are equal" if state == accused.state else None

    def _wrong_answer(self, evidence: WrongAnswer) -> _Why:
        response = evidence.response.message
        if len(evidence.replies) < self.descriptor.one_correct:
            return "fewer than f+1 replies"
        if not self._signed(response.server, evidence.response):
            return "the answer is not signed by its server"
        if not _answers_question(evidence):
            return "the answer is to another question"
        last = -1
        for signed in evidence.replies:
            reply = signed.message
            counts = (
                reply.server > last
                and reply.server != response.server
                and reply.outcome == DIFFERS
                and reply.answer == evidence.response.identity
                and reply.roots == response.roots
                and self._signed(reply.server, signed)
            )
            if not counts:
                return "the reply of a server does not fit"
            last = reply.server
        return None


def _under(included: Included, head: Head) -> bool:
    return included.proof.size == head.size and included.proof.proves(leaf_hash(included.entry), head.root)


def _but_state(stable: Stable) -> Tuple[Any, ...]:
    return (
        stable.epoch,
        stable.round,
        stable.previous,
        stable.version,
        stable.roots,
        stable.closed,
        stable.closed_roots,
    )


def _answers_question(evidence: WrongAnswer) -> bool:
    response, update, read = evidence.response.message, evidence.question.update, evidence.question.read
    if update is not None:
        same = update.message.client == response.client
        return same and verify_entry(response, update.message.number, update).valid
    return (
        read is not None
        and response.dot is None
        and response.reference == read.nonce
        and response.leaf == read.digest
    )
