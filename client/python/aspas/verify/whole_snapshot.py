"""Verifies whole snapshots of a certified state (docs/formats.md, section 10): every object, element and client, nothing left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple

from .cbor import Malformed, Value, wrong_element
from .certificate import verify_certificate
from .descriptor import Descriptor
from .merkle import EMPTY_ROOT, leaf_hash, node_hash
from .messages import Certificate, CertificateContent, Entry, decode
from .snapshot import Content, LogEnd, SnapshotChunk, SnapshotHead
from .state import (
    ZERO,
    Leaf,
    client_leaf,
    client_path,
    element_leaf,
    element_path,
    elements_leaf,
    object_leaf,
    object_path,
    short_state,
    subtree_hash,
)
from .verdict import Verdict

_WHOLE, _ELEMENTS, _ELEMENT, _CLIENT = 1, 2, 3, 4


@dataclass(frozen=True)
class SnapshotVerdict(Verdict):
    """The verdict on a snapshot; the rest is there when it is valid.

    ``objects`` are by key and type: the state of one without elements, else the states by element.
    """

    certificate: Optional[Certificate] = None
    objects: Optional[Dict[Tuple[str, str], Any]] = None
    clients: int = 0


def verify_snapshot(descriptor: Descriptor, head: bytes, chunks: Sequence[bytes]) -> SnapshotVerdict:
    """Whether an encoded SnapshotHead and encoded SnapshotChunks, in any order, are a whole snapshot."""
    try:
        first = decode(head, SnapshotHead)
        parts = [decode(chunk, SnapshotChunk) for chunk in chunks]
    except Malformed as malformed:
        return SnapshotVerdict(False, "a part is malformed: %s" % malformed)
    if first.certificate is None:
        return SnapshotVerdict(False, "there is no certificate, and so no certified state")
    verdict = verify_certificate(descriptor, first.certificate)
    if not verdict:
        return SnapshotVerdict(False, verdict.reason)
    content = first.certificate.content
    if len(first.logs) != len(content.version):
        return SnapshotVerdict(False, "there are the ends of %d logs" % len(first.logs))
    for origin, end in enumerate(first.logs):
        if not _right_end(end, origin, content):
            return SnapshotVerdict(False, "the end of the log of origin %d is not the certified one" % origin)
    assembly = _Assembly(content)
    try:
        assembly.take(parts)
    except _Wrong as found:
        return SnapshotVerdict(False, str(found))
    return SnapshotVerdict(True, None, first.certificate, assembly.objects, assembly.clients)


class _Wrong(Exception):
    """What is wrong with the chunks."""


def _right_end(end: LogEnd, origin: int, content: CertificateContent) -> bool:
    size, root = content.version[origin], content.roots[origin]
    if len(end.peaks) != bin(size).count("1"):
        return False
    found = end.peaks[-1] if end.peaks else EMPTY_ROOT
    for peak in reversed(end.peaks[:-1]):
        found = node_hash(peak, found)
    if found != root:
        return False
    if end.last is None or size == 0:
        return end.last is None and size == 0
    proof = end.last.proof
    if (proof.size, proof.index) != (size, size - 1) or not proof.proves(leaf_hash(end.last.entry), root):
        return False
    try:
        entry = decode(end.last.entry, Entry)
    except Malformed:
        return False
    right = (entry.dot.origin, entry.dot.sequence) == (origin, size)
    return right and len(entry.dependencies) == len(content.version)


def _leaf(content: Content) -> Leaf:
    items = content.items
    if content.kind == _WHOLE:
        return Leaf(object_path(items[0]), object_leaf(*items))
    if content.kind == _ELEMENTS:
        return Leaf(object_path(items[0]), elements_leaf(*items[:4]))
    if content.kind == _ELEMENT:
        return _element(*items)
    client, *counts, blocks = items
    counted = [[(one.number, (one.dot.origin, one.dot.sequence), one.identity) for one in block] for block in blocks]
    return Leaf(client_path(client), client_leaf(client, *counts, counted))


def _element(element: Value, state: Value) -> Leaf:
    return Leaf(element_path(element), element_leaf(element, short_state(state)))


class _Pages:
    """Pages of one tree, by where they begin."""

    def __init__(self, root: bytes) -> None:
        self._root = root
        self._following: Dict[bytes, Optional[bytes]] = {}
        self.contents: List[Content] = []

    def take(self, chunk: SnapshotChunk) -> None:
        begin = chunk.place.begin
        if begin in self._following:
            raise _Wrong("a chunk comes twice")
        if chunk.page is None or not chunk.page.page(self._root, begin, [_leaf(one) for one in chunk.contents]):
            raise _Wrong("a chunk is not what is certified")
        self._following[begin] = chunk.page.following(begin)
        self.contents.extend(chunk.contents)

    def end(self) -> None:
        """They follow each other to the end of the tree, and none is besides."""
        begin: Optional[bytes] = ZERO
        used = 0
        while begin is not None:
            if begin not in self._following:
                raise _Wrong("a chunk is missing")
            begin = self._following[begin]
            used += 1
        if used != len(self._following):
            raise _Wrong("a chunk is not needed")


class _Assembly:
    def __init__(self, content: CertificateContent) -> None:
        self._content = content
        self.objects: Dict[Tuple[str, str], Any] = {}
        self.clients = 0

    def take(self, chunks: Sequence[SnapshotChunk]) -> None:
        state = _Pages(self._content.state)
        elements: Dict[bytes, List[SnapshotChunk]] = {}
        for chunk in chunks:
            of_elements = chunk.place.object is not None
            if chunk.number != self._content.number:
                raise _Wrong("a chunk is of another certificate")
            if any((one.kind == _ELEMENT) != of_elements for one in chunk.contents):
                raise _Wrong("a chunk has leaves of another tree")
            if chunk.place.object is None:
                state.take(chunk)
            else:
                elements.setdefault(chunk.place.object, []).append(chunk)
        state.end()
        for content in state.contents:
            self._add(content, elements)
        if elements:
            raise _Wrong("there are elements of an object that needs none")

    def _add(self, content: Content, elements: Dict[bytes, List[SnapshotChunk]]) -> None:
        if content.kind == _CLIENT:
            self.clients += 1
            return
        key, type_name = content.items[:2]
        if content.kind == _WHOLE:
            self.objects[key, type_name] = content.items[2]
            return
        size, root, inside = content.items[2:]
        if inside is None:
            pages = _Pages(root)
            for chunk in elements.pop(object_path(key), []):
                pages.take(chunk)
            pages.end()
            found = {one.items[0]: one.items[1] for one in pages.contents}
        else:
            found = {one.element: one.state for one in inside}
            leaves = sorted((_element(*item) for item in found.items()), key=lambda leaf: leaf.path)
            if len(inside) != len(found) or subtree_hash(leaves) != root:
                raise _Wrong("the elements of %r are not those that are certified" % key)
        if any(wrong_element(element) is not None for element in found):
            raise _Wrong("%r has an element that no set can have" % key)
        if len(found) != size:
            raise _Wrong("%r has another number of elements" % key)
        self.objects[key, type_name] = found
