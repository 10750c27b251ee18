"""Proofs in the state tree and the leaves that they prove (docs/formats.md, sections 5 and 6)."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Optional, Sequence, Tuple

from .cbor import Value, Writer, encode_value
from .merkle import node_hash

#: The hash of a subtree without leaves, the first path, and a certificate or hash that is not there.
ZERO = bytes(32)
#: The number of bits of a path.
BITS = 256
#: A state that is longer when encoded has the hash of its encoding as its short form.
SHORT_STATE_BYTES = 32


@dataclass(frozen=True)
class Leaf:
    """A leaf of a state tree: 32 bytes path and 32 bytes value."""

    path: bytes
    value: bytes

    def hash(self) -> bytes:
        """The hash of a subtree with this leaf only."""
        return sha256(b"\x00" + self.path + self.value).digest()


def _bit(path: bytes, bit: int) -> int:
    return path[bit >> 3] >> (7 - (bit & 7)) & 1


def _agree(one: bytes, other: bytes, bits: int) -> bool:
    whole, rest = bits >> 3, bits & 7
    if one[:whole] != other[:whole]:
        return False
    return rest == 0 or (one[whole] ^ other[whole]) >> (8 - rest) == 0


def _climb(bottom: bytes, path: bytes, siblings: Sequence[bytes]) -> bytes:
    found = bottom
    for depth in range(len(siblings) - 1, -1, -1):
        sibling = siblings[depth]
        found = node_hash(sibling, found) if _bit(path, depth) else node_hash(found, sibling)
    return found


def subtree_hash(leaves: Sequence[Leaf], depth: int = 0) -> bytes:
    """The hash of the subtree at a depth that has exactly these leaves, by ascending path, each path once."""
    if not leaves:
        return ZERO
    if len(leaves) == 1:
        return leaves[0].hash()
    right = next((i for i, leaf in enumerate(leaves) if _bit(leaf.path, depth)), len(leaves))
    return node_hash(subtree_hash(leaves[:right], depth + 1), subtree_hash(leaves[right:], depth + 1))


@dataclass(frozen=True)
class PathProof:
    """A claim about one path; only :meth:`presence` and :meth:`absence` say what it proves."""

    siblings: Tuple[bytes, ...]
    terminal: Optional[Leaf]

    def presence(self, root: bytes, path: bytes, value: bytes) -> bool:
        """Whether the tree with this root has the value at the path."""
        found = self.terminal
        return found is not None and found == Leaf(path, value) and self._leads(root, path, found.hash())

    def absence(self, root: bytes, path: bytes) -> bool:
        """Whether the tree with this root has nothing at the path."""
        found = self.terminal
        if found is None:
            return self._leads(root, path, ZERO)
        return (
            found.path != path
            and self._leads(root, path, found.hash())
            and _agree(found.path, path, len(self.siblings))
        )

    def _leads(self, root: bytes, path: bytes, bottom: bytes) -> bool:
        return len(self.siblings) <= BITS and _climb(bottom, path, self.siblings) == root


@dataclass(frozen=True)
class PageProof:
    """A claim that a tree has exactly some leaves under the first ``bits`` bits of a path."""

    bits: int
    siblings: Tuple[bytes, ...]
    other: Optional[Leaf]

    def whole(self, root: bytes, leaves: Sequence[Leaf]) -> bool:
        """Whether these are all leaves of the tree."""
        return self.bits == 0 and self._shows(root, ZERO, leaves)

    def one(self, root: bytes, path: bytes, leaves: Sequence[Leaf]) -> bool:
        """Whether these, one or none, are all leaves at one path."""
        return self.bits == BITS and self._shows(root, path, leaves)

    def page(self, root: bytes, begin: bytes, leaves: Sequence[Leaf]) -> bool:
        """Whether these are all leaves from a path to the end of the page."""
        least = _least_bits(begin)
        deep_enough = self.bits >= least and (len(self.siblings) == self.bits or self.bits == least)
        return deep_enough and self._shows(root, begin, leaves)

    def following(self, begin: bytes) -> Optional[bytes]:
        """Where the next page begins; none when this one reaches the end of the tree."""
        if self.bits == 0:
            return None
        shift = BITS - self.bits
        number = ((int.from_bytes(begin, "big") >> shift) + 1) << shift
        return number.to_bytes(32, "big") if number < 1 << BITS else None

    def _shows(self, root: bytes, path: bytes, leaves: Sequence[Leaf]) -> bool:
        depth = len(self.siblings)
        if not depth <= self.bits <= BITS:
            return False
        for i, leaf in enumerate(leaves):
            if not _agree(leaf.path, path, self.bits) or (i > 0 and leaves[i - 1].path >= leaf.path):
                return False
        bottom = self._bottom(path, leaves, depth)
        return bottom is not None and _climb(bottom, path, self.siblings) == root

    def _bottom(self, path: bytes, leaves: Sequence[Leaf], depth: int) -> Optional[bytes]:
        other = self.other
        if depth == self.bits:
            return subtree_hash(leaves, depth) if other is None else None
        if other is None:
            return subtree_hash(leaves, depth) if len(leaves) <= 1 else None
        outside = not leaves and _agree(other.path, path, depth) and not _agree(other.path, path, self.bits)
        return other.hash() if outside else None


def _least_bits(path: bytes) -> int:
    """Behind how many bits a path has zeros only."""
    number = int.from_bytes(path, "big")
    return BITS - ((number & -number).bit_length() - 1) if number else 0


def object_path(key: str) -> bytes:
    """Where an object is in the state tree."""
    return sha256(b"aspas/v1/object-path\x00" + key.encode("utf-8")).digest()


def client_path(client: bytes) -> bytes:
    """Where a client of 48 bytes is in the state tree."""
    return sha256(b"aspas/v1/client-path\x00" + client).digest()


def element_path(element: Value) -> bytes:
    """Where an element is in the tree of its object."""
    return sha256(b"aspas/v1/element-path\x00" + encode_value(element)).digest()


def short_state(state: Value) -> Value:
    """The short form of the state of an element: itself, or the hash of its encoding."""
    encoded = encode_value(state)
    return state if len(encoded) <= SHORT_STATE_BYTES else sha256(encoded).digest()


def element_leaf(element: Value, short: Value) -> bytes:
    """The leaf value of an element with the short form of its state."""
    return _leaf(b"aspas/v1/element-leaf\x00", (1, element, short))


def object_leaf(key: str, type_name: str, value: Value) -> bytes:
    """The leaf value of an object of a type without elements."""
    return _leaf(b"aspas/v1/object-leaf\x00", (1, key, type_name, value))


def elements_leaf(key: str, type_name: str, size: int, root: bytes) -> bytes:
    """The leaf value of an object of a type with elements: their number, and the root of their tree."""
    return _leaf(b"aspas/v1/object-leaf\x00", (1, key, type_name, size, root))


def client_leaf(
    client: bytes, session: int, tolerance: int, full: int, rest: bytes, blocks: Sequence[Sequence[Tuple[Value, ...]]]
) -> bytes:
    """The leaf value of a client: its session, and which of its requests are counted."""
    hashes = tuple(_leaf(b"aspas/v1/counted-block\x00", block) for block in blocks)
    return _leaf(b"aspas/v1/client-leaf\x00", (1, client, session, tolerance, full, rest, hashes))


def _leaf(prefix: bytes, items: Sequence[Value]) -> bytes:
    out = Writer()
    out.array(len(items))
    for item in items:
        out.value(item)
    return sha256(prefix + out.encoded()).digest()
