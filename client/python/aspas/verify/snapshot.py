"""The messages of snapshots (docs/formats.md, section 2, kinds 27 to 29). What they prove is for servers; only their form is read here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Tuple

from .cbor import Malformed, Reader, Writer
from .messages import (
    BSTR,
    CLIENT,
    DOT,
    HASH,
    INCLUDED,
    MAX_LIST,
    MAX_SERVERS,
    NAT,
    PAGE,
    PATH,
    POS,
    TEXT,
    VALUE,
    Certificate,
    Codec,
    Dot,
    Included,
    Message,
    field,
    kind,
    list_of,
    number,
    optional,
    parts,
    whole,
)
from .state import PageProof

_BLOCK = 32


@dataclass(frozen=True)
class Place:
    """Where a chunk begins: in the state tree, or in the tree of an object's elements."""

    object: Optional[bytes]
    begin: bytes


_PLACE = parts(Place, optional(HASH), HASH)


@kind(27)
@dataclass(frozen=True, repr=False)
class SnapshotPull(Message):
    """A question for a part of a snapshot."""

    number: int = field(NAT)
    place: Optional[Place] = field(optional(_PLACE))


@dataclass(frozen=True)
class LogEnd:
    """The end of one origin's log."""

    peaks: Tuple[bytes, ...]
    last: Optional[Included]


@kind(28)
@dataclass(frozen=True, repr=False)
class SnapshotHead(Message):
    """The certificate of a snapshot and the ends of all logs."""

    certificate: Optional[Certificate] = field(optional(whole(Certificate)))
    logs: Tuple[LogEnd, ...] = field(list_of(parts(LogEnd, PATH, optional(INCLUDED)), MAX_SERVERS))


@dataclass(frozen=True)
class Counted:
    """A counted request: its number, the place that counted, and its identity."""

    number: int
    dot: Dot
    identity: bytes


@dataclass(frozen=True)
class Content:
    """What a leaf stands for: its kind from 1 to 4, and the items of that kind in the order of the page."""

    kind: int
    items: Tuple[Any, ...]


@dataclass(frozen=True)
class ElementState:
    """An element and its state."""

    element: Any
    state: Any


_ELEMENTS = list_of(parts(ElementState, VALUE, VALUE), MAX_LIST)
_BLOCKS = list_of(list_of(parts(Counted, POS, DOT, HASH), _BLOCK), _BLOCK + 1)
_ITEMS: Tuple[Tuple[Codec[Any], ...], ...] = (
    (TEXT, TEXT, VALUE),
    (TEXT, TEXT, NAT, HASH, optional(_ELEMENTS)),
    (VALUE, VALUE),
    (CLIENT, NAT, NAT, NAT, BSTR, _BLOCKS),
)


def _read_content(reader: Reader) -> Content:
    items = reader.array()
    if items == 0:
        raise Malformed("an empty array is no leaf")
    content = number(1, len(_ITEMS)).read(reader)
    codecs = _ITEMS[content - 1]
    if items != 1 + len(codecs):
        raise Malformed("a leaf with another number of items")
    return Content(content, tuple([codec.read(reader) for codec in codecs]))


def _write_content(out: Writer, content: Content) -> None:
    codecs = _ITEMS[content.kind - 1]
    out.array(1 + len(codecs))
    out.integer(content.kind)
    for codec, item in zip(codecs, content.items):
        codec.write(out, item)


@kind(29)
@dataclass(frozen=True, repr=False)
class SnapshotChunk(Message):
    """Leaves of a snapshot with their proof."""

    number: int = field(NAT)
    place: Place = field(_PLACE)
    page: Optional[PageProof] = field(optional(PAGE))
    contents: Tuple[Content, ...] = field(list_of(Codec(_read_content, _write_content), MAX_LIST))
