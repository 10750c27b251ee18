"""The deployment descriptor (docs/formats.md, section 11): who the servers are, as the operator signed it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from hashlib import sha256
from typing import Any, Dict, FrozenSet, List, Optional, Tuple

from . import ed25519
from .host import wrong_host
from .state import ZERO

FORMAT = 1
_INT32 = 2**31


class InvalidDescriptor(ValueError):
    """A descriptor that must not be used; one line that names the field."""


@dataclass(frozen=True)
class Limits:
    """The bounds that all servers and clients of a deployment share."""

    clientFrameBytes: int
    linkFrameBytes: int
    keyBytes: int
    operationBytes: int
    batchEntries: int
    batchBytes: int
    tickMillis: int
    epochTicks: int
    roundTicks: int
    retainedCertificates: int

    def __post_init__(self) -> None:
        for name, least, most in (
            ("clientFrameBytes", 1024, 16 << 20),
            ("linkFrameBytes", max(64 << 10, 2 * self.clientFrameBytes), 64 << 20),
            ("keyBytes", 1, 4096),
            ("operationBytes", 16, self.clientFrameBytes // 2),
            ("batchEntries", 1, 65536),
            ("batchBytes", self.clientFrameBytes, self.linkFrameBytes // 2),
            ("tickMillis", 5, 10_000),
            ("epochTicks", 0, 10_000),
            ("roundTicks", 1, 10_000),
            ("retainedCertificates", 2, 1_000_000),
        ):
            number = getattr(self, name)
            if not least <= number <= most:
                raise InvalidDescriptor("limits.%s = %d is outside %d..%d" % (name, number, least, most))


@dataclass(frozen=True)
class Node:
    """One server. ``session_port`` is 0 where there are no binary sessions."""

    role: str
    index: int
    key: bytes
    host: str
    link_port: int
    service_port: int
    session_port: int = 0
    client_tls: bool = False
    agreement_key: Optional[bytes] = None

    def __str__(self) -> str:
        return "%s-%d" % (self.role, self.index)


@dataclass(frozen=True)
class Descriptor:
    """A deployment, and the verifier of all its signatures. :meth:`open` reads and verifies one. Immutable."""

    id: bytes
    name: str
    f: int
    b: int
    operator: bytes
    appservers: Tuple[Node, ...]
    bftservers: Tuple[Node, ...]
    admitted: FrozenSet[bytes]
    limits: Optional[Limits] = field(repr=False, default=None)

    @staticmethod
    def open(text: bytes, signature: bytes, operator: bytes) -> "Descriptor":
        """Verifies and reads a descriptor.

        :param text: the exact bytes of ``deployment.json``
        :param signature: the 64 bytes of the operator's signature
        :param operator: the operator's key of 32 bytes, from a source that you trust; never from the text itself
        :raises InvalidDescriptor: when the signature or a field is wrong
        """
        ed25519.self_test()
        if not ed25519.verify(operator, signed_text("deployment", ZERO, text), signature):
            raise InvalidDescriptor("the descriptor is not signed by the operator " + operator.hex())
        return _read(text, operator)

    @property
    def servers(self) -> int:
        """The number of appservers, N = 3f+1."""
        return len(self.appservers)

    @property
    def quorum(self) -> int:
        """How many bftservers make a certificate, 2b+1."""
        return 2 * self.b + 1

    @property
    def one_correct(self) -> int:
        """Of so many appservers one is correct, f+1."""
        return self.f + 1

    def admits(self, client: bytes) -> bool:
        """Whether a client, named by its key or its 48 bytes, may have entries."""
        return not self.admitted or client[:32] in self.admitted

    def verify(self, key: bytes, domain: str, payload: bytes, signature: bytes) -> bool:
        """Whether a signature in a domain of this deployment is right."""
        return ed25519.verify(key, signed_text(domain, self.id, payload), signature)

    def by_appserver(self, index: int, domain: str, payload: bytes, signature: bytes) -> bool:
        """Whether the appserver with this index, which may be out of range, signed."""
        return 0 <= index < len(self.appservers) and self.verify(
            self.appservers[index].key, domain, payload, signature
        )

    def by_bftserver(self, index: int, domain: str, payload: bytes, signature: bytes) -> bool:
        """Whether the bftserver with this index, which may be out of range, signed."""
        return 0 <= index < len(self.bftservers) and self.verify(
            self.bftservers[index].key, domain, payload, signature
        )


def signed_text(domain: str, deployment: bytes, payload: bytes) -> bytes:
    """The text that is signed (docs/formats.md, section 3)."""
    return b"aspas/v1/" + domain.encode("ascii") + b"\x00" + deployment + payload


# ---- The JSON text ----


def _pairs(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise InvalidDescriptor("the descriptor has a name twice in one object")
    return found


def _no_number(text: str) -> Any:
    raise InvalidDescriptor(text + " is not a whole number without fraction or exponent")


def _whole_number(text: str) -> int:
    if len(text) > 11:
        raise InvalidDescriptor(text[:20] + " is not a whole number of 32 bits")
    return int(text)


class _Fields:
    """The fields of one object, read without leniency."""

    def __init__(self, owner: str, node: Any, known: Tuple[str, ...]) -> None:
        if not isinstance(node, dict):
            raise InvalidDescriptor(owner + " is not a JSON object")
        for name in node:
            if name not in known:
                raise InvalidDescriptor("%s: there is no field %s" % (owner, name))
        self.owner = owner
        self.node: Dict[str, Any] = node

    def has(self, name: str) -> bool:
        return name in self.node

    def _get(self, name: str, kind: type, expected: str) -> Any:
        if name not in self.node:
            raise InvalidDescriptor("%s.%s is missing; it is %s" % (self.owner, name, expected))
        found = self.node[name]
        if not isinstance(found, kind) or (kind is int and isinstance(found, bool)):
            raise InvalidDescriptor("%s.%s is not %s" % (self.owner, name, expected))
        return found

    def integer(self, name: str, least: int = -_INT32, most: int = _INT32 - 1) -> int:
        found: int = self._get(name, int, "a whole number")
        if not least <= found <= most:
            raise InvalidDescriptor("%s.%s = %d is outside %d..%d" % (self.owner, name, found, least, most))
        return found

    def text(self, name: str) -> str:
        return str(self._get(name, str, "a text"))

    def flag(self, name: str) -> bool:
        return bool(self._get(name, bool, "true or false"))

    def array(self, name: str) -> List[Any]:
        return list(self._get(name, list, "an array"))

    def hex(self, name: str) -> bytes:
        return _hex("%s.%s" % (self.owner, name), self.text(name))

    def key(self, name: str) -> bytes:
        return _key("%s.%s" % (self.owner, name), self.text(name))


_DIGITS = frozenset("0123456789abcdefABCDEF")


def _hex(name: str, digits: str) -> bytes:
    if len(digits) % 2 or not _DIGITS.issuperset(digits):
        raise InvalidDescriptor(name + " is not hexadecimal")
    return bytes.fromhex(digits)


def _key(name: str, digits: str) -> bytes:
    key = _hex(name, digits)
    if len(key) != ed25519.KEY_BYTES:
        raise InvalidDescriptor(name + " is not a key of 32 bytes")
    if not ed25519.is_sound(key):
        raise InvalidDescriptor("%s = %s is not the encoding of a point of prime order" % (name, digits))
    return key


_ROOT = ("format", "signatures", "name", "f", "b", "operator", "nodes", "admitted", "limits")
_NODE = (
    "role",
    "index",
    "key",
    "host",
    "linkPort",
    "servicePort",
    "sessionPort",
    "clientTls",
    "agreementKey",
    "orderingKey",
)


def _read(text: bytes, operator: bytes) -> Descriptor:
    try:
        tree = json.loads(
            text.decode("utf-8"),
            object_pairs_hook=_pairs,
            parse_float=_no_number,
            parse_int=_whole_number,
            parse_constant=_no_number,
        )
    except InvalidDescriptor:
        raise
    except (ValueError, RecursionError):
        raise InvalidDescriptor("the descriptor is not JSON") from None
    root = _Fields("descriptor", tree, _ROOT)
    if root.integer("format") != FORMAT:
        raise InvalidDescriptor("format = %d is not %d" % (root.integer("format"), FORMAT))
    if root.text("signatures") != ed25519.RULE:
        raise InvalidDescriptor(
            "signatures = %s is a rule that is not known here; %s is" % (root.text("signatures"), ed25519.RULE)
        )
    if root.key("operator") != operator:
        raise InvalidDescriptor("operator = %s is not who signed" % root.text("operator"))
    f, b = root.integer("f", 1, 33), root.integer("b", 1, 33)
    nodes = [_read_node("nodes[%d]" % i, node) for i, node in enumerate(root.array("nodes"))]
    keys = [node.key for node in nodes]
    if len(set(keys)) != len(keys):
        raise InvalidDescriptor("nodes: two servers have one key")
    bounds = _Fields("limits", root.node.get("limits"), tuple(bound.name for bound in fields(Limits)))
    descriptor = Descriptor(
        id=sha256(text).digest(),
        name=root.text("name"),
        f=f,
        b=b,
        operator=operator,
        appservers=_of_role(nodes, "appserver", 3 * f + 1),
        bftservers=_of_role(nodes, "bftserver", 3 * b + 1),
        admitted=frozenset(_admitted(root.array("admitted"))),
        limits=Limits(*[bounds.integer(bound.name) for bound in fields(Limits)]),
    )
    _check_agreements(descriptor)
    return descriptor


def _admitted(keys: List[Any]) -> List[bytes]:
    for key in keys:
        if not isinstance(key, str):
            raise InvalidDescriptor("descriptor.admitted is not an array of texts")
    return [_key("admitted", key) for key in keys]


def _read_node(owner: str, node: Any) -> Node:
    found = _Fields(owner, node, _NODE)
    if found.text("role") not in ("appserver", "bftserver"):
        raise InvalidDescriptor("nodes: there is no role " + found.text("role"))
    wrong = wrong_host(found.text("host"))
    if wrong is not None:
        raise InvalidDescriptor("%s.host is no name and no address (%s)" % (owner, wrong))
    found.hex("orderingKey")
    agreement = found.hex("agreementKey") if found.has("agreementKey") else None
    if agreement is not None and len(agreement) != 32:
        raise InvalidDescriptor(owner + ".agreementKey is not 32 bytes")
    return Node(
        role=found.text("role"),
        index=found.integer("index"),
        key=found.key("key"),
        host=found.text("host"),
        link_port=found.integer("linkPort", 0, 65535),
        service_port=found.integer("servicePort", 0, 65535),
        session_port=found.integer("sessionPort", 1, 65535) if found.has("sessionPort") else 0,
        client_tls=found.flag("clientTls") if found.has("clientTls") else False,
        agreement_key=agreement,
    )


def _of_role(nodes: List[Node], role: str, expected: int) -> Tuple[Node, ...]:
    members = sorted((node for node in nodes if node.role == role), key=lambda node: node.index)
    if [node.index for node in members] != list(range(expected)):
        raise InvalidDescriptor("nodes: %d of role %s with the indices 0..%d are due" % (expected, role, expected - 1))
    return tuple(members)


def _check_agreements(descriptor: Descriptor) -> None:
    keys = [node.agreement_key for node in descriptor.appservers if node.agreement_key is not None]
    others = [node for node in descriptor.bftservers if node.agreement_key is not None]
    if others or (keys and len(set(keys)) != descriptor.servers):
        raise InvalidDescriptor("nodes: either every appserver has an agreementKey of its own, or no server has one")
