"""``aspas-verify-py``: verifies files offline, with the descriptor and the operator's key alone."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

from . import __version__
from .deployment import Deployment
from .errors import InvalidArgument
from .verify.cbor import shown
from .verify import (
    Certificate,
    CertificateVerdict,
    Descriptor,
    Finding,
    Judgement,
    Value,
    ValueVerdict,
    judge_bytes,
    verify_certificate_bytes,
    verify_link,
    verify_value_proof,
)

VALID, NOT_VALID, WRONG_USAGE = 0, 1, 2

_EPILOG = """
What FILE may be:
  a certificate         'aspas certificate show --out FILE', GET /v1/certificates/NUMBER
  a proof of a value    'aspas counter get KEY --level certified --proof FILE', ReadResult.proof
  evidence              'aspas blacklist --out DIR', GET /v1/evidence/HASH

Exit codes:
  0  all files are valid; evidence proves its accused guilty, or is well signed
  1  a file is not valid, proves nothing, or is none of these
  2  the command line is wrong, or a file cannot be read

Examples:
  aspas-verify-py newest.cbor --dir lab
  aspas-verify-py proofs/*.evidence --dir lab --operator 3b6a... --json
  aspas-verify-py 16.cbor 17.cbor 18.cbor --chain --dir lab
"""


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command; the exit code."""
    parser = argparse.ArgumentParser(
        prog="aspas-verify-py",
        description="Verify certificates, proofs of values and evidence of an ASPAS deployment, offline.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="what to verify")
    parser.add_argument(
        "--dir", required=True, metavar="DIR", help="has deployment.json, deployment.json.sig and operator.pub"
    )
    parser.add_argument(
        "--operator", metavar="KEY", help="the operator's key in hexadecimal, if you do not trust operator.pub in DIR"
    )
    parser.add_argument("--chain", action="store_true", help="the files are certificates, each following the one before")
    parser.add_argument("--json", action="store_true", help="print one JSON array, with an object for each file")
    parser.add_argument("--version", action="version", version="aspas-verify-py " + __version__)
    options = parser.parse_args(arguments)
    try:
        descriptor = Deployment.open(options.dir, _operator(options.operator)).descriptor
        contents = [(name, _content(name)) for name in options.files]
    except InvalidArgument as wrong:
        print("aspas-verify-py: %s" % wrong, file=sys.stderr)
        return WRONG_USAGE
    results = _verify(descriptor, contents, options.chain)
    if options.json:
        print(json.dumps(results, indent=2, ensure_ascii=True))
    else:
        for result in results:
            _print(result)
    return VALID if all(result["valid"] for result in results) else NOT_VALID


def _operator(key: Optional[str]) -> Optional[bytes]:
    if key is None:
        return None
    try:
        found = bytes.fromhex(key)
    except ValueError:
        found = b""
    if len(found) != 32:
        raise InvalidArgument("--operator %s is no key of 32 bytes in hexadecimal" % key)
    return found


def _content(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as broken:
        raise InvalidArgument("%s cannot be read: %s" % (name, broken.strerror)) from None


def _verify(descriptor: Descriptor, contents: List[Tuple[str, bytes]], chain: bool) -> List[Dict[str, Any]]:
    results = []
    before: Optional[Certificate] = None
    for name, data in contents:
        if chain:
            verdict = verify_certificate_bytes(descriptor, data)
            result = _certificate(verdict)
            if verdict and before is not None and verdict.certificate is not None:
                link = verify_link(before, verdict.certificate)
                if not link:
                    result = {"what": "certificate", "valid": False, "reason": link.reason}
            before = verdict.certificate if result["valid"] else before
        else:
            result = verify_any(descriptor, data)
        results.append({"file": name, **result})
    return results


def verify_any(descriptor: Descriptor, data: bytes) -> Dict[str, Any]:
    """Verifies bytes that are a certificate, a proof of a value or evidence, and says in words and fields what came out."""
    evidence = judge_bytes(descriptor, data)
    if evidence.finding is not Finding.MALFORMED:
        return _evidence(evidence)
    certificate = verify_certificate_bytes(descriptor, data)
    if certificate.certificate is not None:
        return _certificate(certificate)
    value = verify_value_proof(descriptor, data)
    if value.read is not None:
        return _value(value)
    return {"what": "unknown", "valid": False, "reason": "it is no certificate, no proof of a value and no evidence"}


def _certificate(verdict: CertificateVerdict) -> Dict[str, Any]:
    out: Dict[str, Any] = {"what": "certificate", "valid": verdict.valid}
    if not verdict or verdict.certificate is None:
        return {**out, "reason": verdict.reason}
    return {**out, **_fields(verdict.certificate)}


def _fields(certificate: Certificate) -> Dict[str, Any]:
    content = certificate.content
    return {
        "number": content.number,
        "hash": certificate.hash.hex(),
        "previous": content.previous.hex(),
        "deployment": content.deployment.hex(),
        "version": list(content.version),
        "roots": [root.hex() for root in content.roots],
        "state": content.state.hex(),
        "signers": [one.replica for one in certificate.signatures],
        "excluded": [{"origin": one.origin, "cut": one.cut} for one in content.exclusions],
    }


def _value(verdict: ValueVerdict) -> Dict[str, Any]:
    read, certificate = verdict.read, verdict.certificate
    assert read is not None
    out: Dict[str, Any] = {"what": "value", "valid": verdict.valid, "key": read.key, "type": read.type}
    if not verdict or certificate is None:
        return {**out, "reason": verdict.reason}
    value = verdict.value
    if read.part is not None and read.part.element is not None:
        out.update(element=_json(read.part.element), has=value != ())
    elif isinstance(value, tuple):
        out.update(elements=[_json(element) for element in value])
        if read.part is not None and read.part.begin is not None:
            out.update(page_from=read.part.begin.hex())
    else:
        out.update(value=_json(value))
    return {**out, "certificate": _fields(certificate)}


def _json(value: Optional[Value]) -> Any:
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    return [_json(one) for one in value] if isinstance(value, tuple) else value


def _evidence(judgement: Judgement) -> Dict[str, Any]:
    proves = judgement.finding in (Finding.GUILTY, Finding.NEEDS_REPLAY)
    assert judgement.evidence is not None
    out = {
        "what": "evidence",
        "valid": proves,
        "judgement": judgement.finding.value,
        "accused": judgement.accused_name,
        "kind": judgement.kind,
        "evidence": judgement.evidence.identity.hex(),
    }
    return out if proves else {**out, "reason": judgement.reason}


def _print(result: Dict[str, Any]) -> None:
    name, what = result["file"], result["what"]
    if not result["valid"]:
        print("%s is not valid: %s" % (name, result["reason"]))
    elif what == "certificate":
        print("%s: certificate %d is valid" % (name, result["number"]))
        for field in ("hash", "version", "signers", "excluded"):
            print("  %s: %s" % (field, result[field]))
    elif what == "value":
        found = next(result[field] for field in ("value", "elements", "has") if field in result)
        key = shown(result["key"])
        subject = key if "element" not in result else "%s has %r" % (key, result["element"])
        number = result["certificate"]["number"]
        print("%s: %s = %s is proved by certificate %d" % (name, subject, found, number))
    elif result["judgement"] == Finding.GUILTY.value:
        print("%s: %s is guilty: %s" % (name, result["accused"], result["kind"]))
    else:
        sentence = "%s: %s gave an answer that f+1 others computed otherwise; only servers that recompute it can convict"
        print(sentence % (name, result["accused"]))


if __name__ == "__main__":
    sys.exit(main())
