"""What the present server says, and to whom it matters."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Optional, Set, Tuple

from . import events
from ._window import Pending, UpdateAnswer, UpdateConfirmation, settle
from .errors import Refused
from .verify.answers import verify_attached, verify_entry, verify_response, verify_value
from .verify.cbor import Malformed
from .verify.evidence import judge
from .verify.messages import (
    NOBODY,
    Answer,
    BadCertificate,
    Certificate,
    CertificateReply,
    CertificateWentBack,
    Confirmation,
    Evidence,
    Part,
    Question,
    Read,
    Refusal,
    Response,
    Signed,
    decode_frame,
)
from .verify.verdict import Verdict

if TYPE_CHECKING:
    from ._engine import Engine

_LATER = ("busy", "behind", "too often")
_FOR_GOOD = ("unknown client", "number reused", "excluded")
_UNFIT = ("wrong type", "bad operation")


class Leave(Exception):
    """The present server is not right; with ``blame`` the client does not come back to it."""

    def __init__(self, reason: str, blame: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.blame = blame


@dataclass
class PendingRead:
    """A read of the application."""

    nonce: int
    key: str
    type: str
    certified: bool
    part: Optional[Part]
    done: "asyncio.Future[Tuple[Read, Answer]]"
    #: What was sent on the present connection and is not answered.
    sent: Optional[Read] = None


class Inbox:
    """Takes the frames of a session. It raises :class:`Leave` when the server is to be left."""

    def __init__(self, engine: "Engine") -> None:
        self._engine = engine
        #: The answer with the highest sequence on this connection, by the client that it addresses.
        self._last: Dict[bytes, Signed[Response]] = {}
        #: Updates of these are known to be refused as unfit, by f+1 servers.
        self._unfit: Set[Tuple[str, str, str]] = set()
        self._refused_for_good: Set[int] = set()

    def disconnected(self) -> None:
        """The order of answers is judged within one connection."""
        self._last.clear()

    def frame(self, data: bytes) -> None:
        """Takes one frame."""
        try:
            message = decode_frame(data)
        except Malformed as malformed:
            raise Leave("the server sent no message: %s" % malformed, blame=True) from None
        if isinstance(message, Answer):
            self._answer(message)
        elif isinstance(message, Confirmation):
            self._confirmation(message)
        elif isinstance(message, Refusal):
            self._refusal(message)
        elif isinstance(message, CertificateReply):
            self._certificate_reply(message)
        else:
            raise Leave("a server sends no such message to a client", blame=True)

    def _lie(self, reason: str, evidence: Optional[Evidence] = None) -> Leave:
        self._engine.misbehaved(self._engine.server, reason, evidence)
        return Leave(reason, blame=True)

    # ---- Certificates ----

    def take(self, certificate: Certificate) -> Verdict:
        """Verifies a certificate from anybody and acts on what it says."""
        engine = self._engine
        before = engine.certificates.newest
        verdict = engine.certificates.verify(certificate)
        newest = engine.certificates.newest
        if verdict and newest is not None and newest is not before:
            engine.tell(events.CertificateAdvanced(newest.number))
            revoked = engine.window.cut(newest.content.exclusions, engine.server)
            if revoked:
                engine.tell(events.Revoked(tuple(revoked), newest.number))
            if any(one.origin == engine.server for one in newest.content.exclusions):
                engine.distrusted.add(engine.server)
                engine.abandon("certificate %d excludes the server" % newest.number, blame=True)
        return verdict

    def _certificate_reply(self, reply: CertificateReply) -> None:
        certificate = reply.certificate
        if certificate is not None:
            verdict = self.take(certificate)
            if not verdict:
                raise self._lie(str(verdict.reason))
            if reply.number not in (0, certificate.number):
                raise self._lie("another certificate than the one asked for")
            certificate = self._engine.certificates.genuine(certificate)
            self._engine.caught_up(certificate.number)
        for query in self._engine.certificate_queries.pop(reply.number, []):
            settle(query, certificate)

    # ---- Answers ----

    def _answer(self, answer: Answer) -> None:
        engine, signed, response = self._engine, answer.response, answer.response.message
        # What an earlier client left is answered to that client.
        theirs = response.dot is not None and response.reference > 0 and response.client in engine.window.earlier
        client = response.client if theirs else engine.id
        verdict = verify_response(engine.descriptor, engine.server, client, signed)
        if not verdict:
            raise self._lie(str(verdict.reason))
        if answer.certificate is not None:
            self._attached(signed, answer.certificate)
        self._order(signed)
        engine.named(response.certificate)
        if response.dot is None:
            self._read(answer)
        elif response.reference == 0:
            self._opened(response)
        else:
            self._update(signed)

    def _attached(self, signed: Signed[Response], certificate: Certificate) -> None:
        descriptor = self._engine.descriptor
        verdict = verify_attached(descriptor, signed.message, certificate, lambda _, named: self.take(named))
        if not verdict:
            evidence = BadCertificate(signed, certificate)  # Proves nothing where the certificate only contradicts another one.
            raise self._lie(str(verdict.reason), evidence if judge(descriptor, evidence) else None)

    def _order(self, signed: Signed[Response]) -> None:
        response = signed.message
        last = self._last.setdefault(response.client, signed)
        if last is signed:
            return
        later = response.sequence > last.message.sequence
        earlier, newer = (last, signed) if later else (signed, last)
        if earlier.message.sequence < newer.message.sequence:
            if newer.message.certificate < earlier.message.certificate:
                reason = "a later answer names a lower certificate"
                raise self._lie(reason, CertificateWentBack(earlier, newer))
        if later:
            self._last[response.client] = signed

    def _opened(self, response: Response) -> None:
        engine = self._engine
        if not engine.openings:
            raise self._lie("an answer to a session record that was never sent")
        verdict = verify_entry(response, 0, engine.openings.popleft())
        if not verdict:
            raise self._lie(str(verdict.reason))
        engine.tagger.opened()
        if not engine.up and not engine.openings:
            engine.behind_since = engine.now()
            engine.caught_up(response.certificate)

    def _update(self, signed: Signed[Response]) -> None:
        engine, response, number = self._engine, signed.message, signed.message.reference
        update = engine.window.find(response.client, number)
        if update is None:
            if response.client == engine.id and number > engine.window.last:
                raise self._lie("an answer to request %d, never made" % number)
            return
        assert update.request is not None and response.dot is not None
        verdict = verify_entry(response, number, update.request)
        if verdict:
            verdict = engine.window.accept(update, engine.server, response, engine.certificates.newest)
        if not verdict:
            raise self._lie(str(verdict.reason))
        engine.inspections.offer(signed, Question(update.request, None))
        if update.held_since < 0:
            update.held_since = engine.now()
        if engine.window.tolerance != 1:
            self.tell_answered(update)
        early = update.early
        if early is not None and early[1].dot == response.dot:
            self._confirm(update, *early)
        engine.pump()

    def tell_answered(self, update: Pending) -> None:
        """Tells the application the answer to an update, if there is one."""
        for dot, response in update.answers.items():
            settle(update.answered, UpdateAnswer(update.number, response.server, dot, response.result))
            return

    # ---- Confirmations ----

    def _confirmation(self, confirmation: Confirmation) -> None:
        engine = self._engine
        verdict = self.take(confirmation.certificate)
        if not verdict:
            raise self._lie(str(verdict.reason))
        certificate = engine.certificates.genuine(confirmation.certificate)
        for item in sorted(confirmation.covered, key=lambda one: one.number):
            update = engine.window.find(confirmation.client, item.number)
            if update is not None:
                self._confirm(update, certificate, item)
        number = engine.window.newly_confirmed()
        if number:
            engine.tell(events.Confirmed(number))
        engine.caught_up(certificate.number)
        engine.pump()

    def _confirm(self, update: Pending, certificate: Certificate, item: Any) -> None:
        engine = self._engine
        verdict = engine.window.confirm(update, certificate, item, engine.server)
        if not verdict:
            if item.dot.origin == engine.server:
                raise self._lie(str(verdict.reason))
            return  # The server of that answer may have had two logs, and is not here.
        if update.place not in engine.window.open:
            engine.closed_some()
            self.tell_answered(update)
            settle(update.confirmed, UpdateConfirmation(update.number, item.dot, certificate))
            engine.confirmed_some()

    # ---- Reads ----

    def _read(self, answer: Answer) -> None:
        engine, response = self._engine, answer.response.message
        pending = engine.reads.get(response.reference)
        if pending is None or pending.sent is None:
            if not engine.nonce_used(response.reference):
                raise self._lie("an answer to read %d, never made" % response.reference)
            return
        read = pending.sent
        if response.leaf != read.digest:
            raise self._lie("the answer is to another question than that of the read")
        if not read.certified:
            engine.inspections.offer(answer.response, Question(None, read))
            settle(pending.done, (read, answer))
            return
        certificate = engine.certificates.proving(read, answer)
        if read.part is not None and read.part.certificate and certificate is None:
            settle(pending.done, error=Refused("moved on", "the certificate of the page is forgotten here"))
            return
        if certificate is None or answer.proof is None:
            raise self._lie("a certified read was answered without its proof")
        verdict = verify_value(read, response.result, certificate, answer.proof)
        if not verdict:
            raise self._lie(str(verdict.reason))
        settle(pending.done, (read, Answer(answer.response, certificate, answer.proof)))

    # ---- Refusals ----

    def _refusal(self, refusal: Refusal) -> None:
        known = self._engine.window.find(refusal.client, refusal.reference) is not None
        if refusal.client not in (self._engine.id, NOBODY) and not known:
            return
        if refusal.name == "draining":
            raise Leave("the server is about to end")
        if refusal.nonce:
            self._read_refused(refusal)
        elif refusal.reference:
            self._update_refused(refusal)
        elif refusal.name in _FOR_GOOD:
            self._for_good(refusal)
        else:
            raise Leave("%s: %s" % (refusal.name, refusal.detail))

    def _read_refused(self, refusal: Refusal) -> None:
        engine = self._engine
        pending = engine.reads.get(refusal.reference)
        if pending is None:
            return
        pending.sent = None  # The next tick asks again.
        soon = refusal.name == "no certificate" and engine.certificates.highest > 0
        if refusal.name not in _LATER and not soon:
            settle(pending.done, error=Refused(refusal.name, refusal.detail, engine.server))

    def _update_refused(self, refusal: Refusal) -> None:
        update = self._engine.window.find(refusal.client, refusal.reference)
        if update is None:
            return
        self._engine.window.refused(update)
        if refusal.name in ("busy", "behind"):
            return  # The next tick gives it again.
        if refusal.name in _FOR_GOOD:
            self._for_good(refusal)
        if refusal.name not in _UNFIT:
            self._believe(update, refusal, known=False)
            raise Leave("%s: %s" % (refusal.name, refusal.detail))
        again, update.refused_here = update.refused_here, True
        what = (update.key, update.type, refusal.name if refusal.name == "wrong type" else str(update.operation))
        if not self._believe(update, refusal, what in self._unfit) or again:
            raise Leave("%s: %s" % (refusal.name, refusal.detail))
        self._unfit.add(what)  # A correct server takes the update the second time, which fills its number.

    def _believe(self, update: Pending, refusal: Refusal, known: bool) -> bool:
        engine = self._engine
        update.refused_by.add(engine.server)
        if not known and len(update.refused_by) < engine.descriptor.one_correct:
            return False
        if not update.doubtful:
            update.doubtful = True
            engine.tell(events.MayTakeEffect(update.number, "%s: %s" % (refusal.name, refusal.detail)))
            update.end(Refused(refusal.name, refusal.detail, engine.server))
        return True

    def _for_good(self, refusal: Refusal) -> None:
        engine = self._engine
        self._refused_for_good.add(engine.server)
        if len(self._refused_for_good) >= engine.descriptor.one_correct:
            engine.end(Refused(refusal.name, refusal.detail, engine.server))
        raise Leave("%s: %s" % (refusal.name, refusal.detail))
