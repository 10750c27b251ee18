"""The Merkle trees of origin logs (docs/formats.md, section 4; RFC 9162, section 2.1)."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Sequence, Tuple

#: The root of a log without entries.
EMPTY_ROOT = sha256(b"").digest()
#: No proof has more hashes.
MAX_PATH = 64


def leaf_hash(entry: bytes) -> bytes:
    """The hash of one entry."""
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """The root over the hashes of leaves."""
    if not leaves:
        return EMPTY_ROOT
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << ((len(leaves) - 1).bit_length() - 1)
    return node_hash(root(leaves[:split]), root(leaves[split:]))


@dataclass(frozen=True)
class Inclusion:
    """A claim that a leaf is at one index of a tree; it may hold anything, and only :meth:`proves` says what it proves."""

    index: int
    size: int
    path: Tuple[bytes, ...]

    def proves(self, leaf: bytes, tree_root: bytes) -> bool:
        """Whether the leaf is there in the tree with this root (RFC 9162, section 2.1.3.2)."""
        if not 0 <= self.index < self.size or len(self.path) > MAX_PATH:
            return False
        node, last, found = self.index, self.size - 1, leaf
        for sibling in self.path:
            if last == 0:
                return False
            if node & 1 or node == last:
                found = node_hash(sibling, found)
                while not node & 1 and node:
                    node >>= 1
                    last >>= 1
            else:
                found = node_hash(found, sibling)
            node >>= 1
            last >>= 1
        return last == 0 and found == tree_root


@dataclass(frozen=True)
class Consistency:
    """A claim that one log is a prefix of another; only :meth:`proves` says whether it is."""

    old_size: int
    new_size: int
    path: Tuple[bytes, ...]

    def proves(self, old_root: bytes, new_root: bytes) -> bool:
        """Whether the log with the old root is a prefix of that with the new one (RFC 9162, section 2.1.4.2)."""
        old, new, path = self.old_size, self.new_size, self.path
        if not 0 <= old <= new or len(path) > MAX_PATH:
            return False
        if old == 0 or old == new:
            right = not path and (old > 0 or old_root == EMPTY_ROOT)
            return right and (old < new or old_root == new_root)
        if old & (old - 1) == 0:
            path = (old_root,) + path
        if not path:
            return False
        node, last = old - 1, new - 1
        while node & 1:
            node >>= 1
            last >>= 1
        old_found = new_found = path[0]
        for sibling in path[1:]:
            if last == 0:
                return False
            if node & 1 or node == last:
                old_found = node_hash(sibling, old_found)
                new_found = node_hash(sibling, new_found)
                while not node & 1 and node:
                    node >>= 1
                    last >>= 1
            else:
                new_found = node_hash(new_found, sibling)
            node >>= 1
            last >>= 1
        return last == 0 and old_found == old_root and new_found == new_root
