"""The certificates that a client has verified."""

from __future__ import annotations

from typing import Dict, Optional

from .verify.certificate import verify_certificate, verify_growth, verify_link
from .verify.descriptor import Descriptor
from .verify.messages import Answer, Certificate, Read
from .verify.verdict import HOLDS, Verdict, wrong

_KEPT = 64


class Certificates:
    """Verifies each certificate once, and that it fits those before and behind it."""

    def __init__(self, descriptor: Descriptor, least: int) -> None:
        self._descriptor = descriptor
        self._kept: Dict[int, Certificate] = {}
        #: The highest number ever verified, or the least that the application accepts.
        self.highest = least

    @property
    def newest(self) -> Optional[Certificate]:
        """The newest certificate of this run."""
        return self._kept[max(self._kept)] if self._kept else None

    def get(self, number: int) -> Optional[Certificate]:
        """A verified certificate that is still kept."""
        return self._kept.get(number)

    def genuine(self, certificate: Certificate) -> Certificate:
        """What to use in place of one that :meth:`verify` found right: of those with one content, the kept one's signatures are verified."""
        return self._kept.get(certificate.number, certificate)

    def proving(self, read: Read, answer: Answer) -> Optional[Certificate]:
        """The one that the proof in a certified answer is against, if it is kept: of a page the one that its read names. What came with the
        answer has to be verified before."""
        if read.part is not None and read.part.certificate:
            return self._kept.get(read.part.certificate)
        if answer.certificate is not None:
            return self.genuine(answer.certificate)
        return self._kept.get(answer.response.message.certificate)

    def verify(self, certificate: Certificate) -> Verdict:
        """Verifies a certificate, which is kept if it is right."""
        known = self._kept.get(certificate.number)
        if known is not None and known.hash == certificate.hash:
            return HOLDS
        verdict = verify_certificate(self._descriptor, certificate)
        if not verdict:
            return wrong("certificate %d: %s" % (certificate.number, verdict.reason))
        misfit = self._fits(certificate, known)
        if misfit:
            self._kept[certificate.number] = certificate
            self.highest = max(self.highest, certificate.number)
            if len(self._kept) > _KEPT:
                del self._kept[min(self._kept)]
        return misfit

    def _fits(self, certificate: Certificate, known: Optional[Certificate]) -> Verdict:
        number = certificate.number
        if known is not None:
            return wrong("two certificates have number %d: more than b bftservers lie" % number)
        lower = max((kept for kept in self._kept if kept < number), default=None)
        higher = min((kept for kept in self._kept if kept > number), default=None)
        for before, after in (
            (None if lower is None else self._kept[lower], certificate),
            (certificate, None if higher is None else self._kept[higher]),
        ):
            if before is None or after is None:
                continue
            direct = after.number == before.number + 1
            verdict = verify_link(before, after) if direct else verify_growth(before.content, after.content)
            if not verdict:
                return wrong("certificate %d does not fit the chain: %s" % (number, verdict.reason))
        return HOLDS
