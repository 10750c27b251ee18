"""Certificates and their chain (docs/formats.md, section 8)."""

from __future__ import annotations

from .cbor import Malformed
from .descriptor import Descriptor
from .messages import Certificate, CertificateContent, decode
from .state import ZERO
from .verdict import HOLDS, CertificateVerdict, Verdict, wrong


def verify_certificate(descriptor: Descriptor, certificate: Certificate) -> Verdict:
    """Whether 2b+1 bftservers of the deployment signed this content, which is consistent in itself."""
    content = verify_content(descriptor, certificate.content)
    if not content:
        return content
    signatures = certificate.signatures
    if not descriptor.quorum <= len(signatures) <= len(descriptor.bftservers):
        return wrong("%d signatures where %d are needed" % (len(signatures), descriptor.quorum))
    last = -1
    for one in signatures:
        if one.replica <= last:
            return wrong("the signatures are not in order of distinct replicas")
        last = one.replica
        if not descriptor.by_bftserver(one.replica, "certificate", certificate.payload, one.signature):
            return wrong("the signature of replica %d is wrong" % one.replica)
    return HOLDS


def verify_content(descriptor: Descriptor, content: CertificateContent) -> Verdict:
    """What can be said of a content without signatures."""
    if content.deployment != descriptor.id:
        return wrong("the deployment is another one")
    if content.number == 1 and content.previous != ZERO:
        return wrong("the first certificate names a previous one")
    if len(content.version) != descriptor.servers or len(content.roots) != descriptor.servers:
        return wrong("the version or the roots are not of %d appservers" % descriptor.servers)
    last = -1
    for exclusion in content.exclusions:
        if not last < exclusion.origin < descriptor.servers:
            return wrong("the exclusions are out of order or out of range")
        if content.version[exclusion.origin] != exclusion.cut:
            return wrong("origin %d is not certified up to its cut" % exclusion.origin)
        last = exclusion.origin
    return HOLDS


def verify_certificate_bytes(descriptor: Descriptor, data: bytes) -> CertificateVerdict:
    """The same of the bytes of a file."""
    try:
        certificate = decode(data, Certificate)
    except Malformed as malformed:
        return CertificateVerdict(False, "it is no certificate: %s" % malformed)
    verdict = verify_certificate(descriptor, certificate)
    return CertificateVerdict(verdict.valid, verdict.reason, certificate)


def verify_link(previous: Certificate, following: Certificate) -> Verdict:
    """Whether a certificate directly follows another. Both must have been verified on their own."""
    if following.number != previous.number + 1:
        return wrong("the number is not one higher")
    if following.content.previous != previous.hash:
        return wrong("it names another previous content")
    return verify_growth(previous.content, following.content)


def verify_growth(before: CertificateContent, after: CertificateContent) -> Verdict:
    """Whether a content can come somewhere after another one."""
    if len(before.version) != len(after.version):
        return wrong("the version is of another number of appservers")
    for origin, (old, new) in enumerate(zip(before.version, after.version)):
        if new < old:
            return wrong("the version of origin %d goes back" % origin)
        if new == old and before.roots[origin] != after.roots[origin]:
            return wrong("the root of origin %d changed without an entry" % origin)
    if not set(before.exclusions) <= set(after.exclusions):
        return wrong("an exclusion was lifted or changed")
    return HOLDS
