"""The messages of docs/formats.md, section 2, as immutable objects, and their one encoding.

Decoding verifies no signature. It is strict: what it takes, :func:`encode` would write in exactly these bytes.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, Callable, ClassVar, Dict, Generic, Optional, Tuple, Type, TypeVar, Union

from .cbor import BINARY, MAX_INT, Malformed, Reader, Value, Writer
from .merkle import MAX_PATH, Consistency, Inclusion
from .state import BITS, Leaf, PageProof, PathProof

#: Sequences, sizes and components from here on name an incarnation of an appserver that is not open (section 4).
LATER = 1 << 40
#: The most appservers or bftservers, and the bound of lists with one item for each.
MAX_SERVERS = 100
#: Names no client.
NOBODY = bytes(48)
CLIENT_BYTES = 48
#: The bound of other lists.
MAX_LIST = 1 << 16
_MAX_NAMED = 1024

T = TypeVar("T")
M = TypeVar("M", bound="Message")


@dataclass(frozen=True)
class Codec(Generic[T]):
    read: Callable[[Reader], T]
    write: Callable[[Writer, T], None]


def number(least: int, most: int) -> Codec[int]:
    """An integer in a range."""

    def read(reader: Reader) -> int:
        found = reader.integer()
        if not least <= found <= most:
            raise Malformed("a number out of range")
        return found

    def write(out: Writer, given: int) -> None:
        if not least <= given <= most:
            raise ValueError("%d is outside %d..%d" % (given, least, most))
        out.integer(given)

    return Codec(read, write)


def _exactly(length: int) -> Codec[bytes]:
    def write(out: Writer, data: bytes) -> None:
        if len(data) != length:
            raise ValueError("%d bytes where %d are due" % (len(data), length))
        out.binary(data)

    return Codec(lambda reader: reader.exactly(length), write)


def _read_client(reader: Reader) -> bytes:
    client = reader.exactly(CLIENT_BYTES)
    if client[32] >= 0x80:
        raise Malformed("the start of a client is below 2^63")
    return client


def optional(codec: Codec[Any]) -> Codec[Any]:
    def write(out: Writer, item: Any) -> None:
        if item is None:
            out.null()
        else:
            codec.write(out, item)

    return Codec(lambda reader: None if reader.absent() else codec.read(reader), write)


def list_of(codec: Codec[T], bound: int, ascending: Optional[Callable[[T], int]] = None) -> Codec[Tuple[T, ...]]:
    def read(reader: Reader) -> Tuple[T, ...]:
        count = reader.array()
        if count > bound:
            raise Malformed("too many items")
        items = tuple([codec.read(reader) for _ in range(count)])
        if ascending is not None and any(ascending(a) >= ascending(b) for a, b in zip(items, items[1:])):
            raise Malformed("a list out of order")
        return items

    def write(out: Writer, items: Tuple[T, ...]) -> None:
        out.array(len(items))
        for item in items:
            codec.write(out, item)

    return Codec(read, write)


def parts(make: Callable[..., Any], *codecs: Codec[Any]) -> Codec[Any]:
    """A dataclass without a kind: an array of its fields in order."""

    def write(out: Writer, item: Any) -> None:
        out.array(len(codecs))
        for field, codec in zip(dataclasses.fields(item), codecs):
            codec.write(out, getattr(item, field.name))

    def read(reader: Reader) -> Any:
        reader.fixed(len(codecs))
        return make(*[codec.read(reader) for codec in codecs])

    return Codec(read, write)


NAT = number(0, MAX_INT)
POS = number(1, MAX_INT)
INDEX = number(0, MAX_SERVERS - 1)
BOOL: Codec[bool] = Codec(lambda reader: reader.boolean(), lambda out, item: out.boolean(item))
TEXT: Codec[str] = Codec(lambda reader: reader.text(), lambda out, item: out.text(item))
BSTR: Codec[bytes] = Codec(lambda reader: reader.binary(), lambda out, item: out.binary(item))
HASH = _exactly(32)
SIG = _exactly(64)
CLIENT: Codec[bytes] = Codec(_read_client, _exactly(CLIENT_BYTES).write)
VALUE: Codec[Value] = Codec(lambda reader: reader.value(), lambda out, item: out.value(item))
VERSION = list_of(NAT, MAX_SERVERS)
HASHES = list_of(HASH, MAX_SERVERS)
PATH = list_of(HASH, MAX_PATH)


def _read_tags(reader: Reader) -> bytes:
    tags = reader.binary()
    if not tags or len(tags) % 16:
        raise Malformed("tags have 16 bytes each")
    return tags


TAGS: Codec[bytes] = Codec(_read_tags, BSTR.write)


@dataclass(frozen=True)
class Dot:
    """The place of an entry: its origin and its sequence there."""

    origin: int
    sequence: int

    def __str__(self) -> str:
        return "%d:%d" % (self.origin, self.sequence)


def _read_dot(reader: Reader) -> Dot:
    reader.fixed(2)
    dot = Dot(INDEX.read(reader), POS.read(reader))
    if dot.sequence % LATER == 0:
        raise Malformed("no entry has the sequence %d" % dot.sequence)
    return dot


DOT: Codec[Dot] = Codec(_read_dot, parts(Dot, INDEX, POS).write)


@dataclass(frozen=True)
class Operation:
    """What an update does: a name and arguments."""

    name: str
    arguments: Tuple[Value, ...]


def _read_operation(reader: Reader) -> Operation:
    reader.fixed(2)
    name = reader.text()
    return Operation(name, tuple([reader.value(1) for _ in range(reader.array())]))


def _write_operation(out: Writer, operation: Operation) -> None:
    out.array(2)
    out.text(operation.name)
    out.array(len(operation.arguments))
    for argument in operation.arguments:
        out.value(argument, 1)


OPERATION: Codec[Operation] = Codec(_read_operation, _write_operation)
INCLUSION = parts(Inclusion, NAT, NAT, PATH)
CONSISTENCY = parts(Consistency, NAT, NAT, PATH)
LEAF = parts(Leaf, HASH, HASH)
PAGE = parts(PageProof, number(0, BITS), list_of(HASH, BITS), optional(LEAF))
STATE_PATH = parts(PathProof, list_of(HASH, BITS), optional(LEAF))


class Message:
    """A message of some kind. Objects are immutable and compare by content."""

    KIND: ClassVar[int] = -1
    #: The domain under which a message of this kind is signed; none for kinds that are never signed.
    DOMAIN: ClassVar[Optional[str]] = None
    _FIELDS: ClassVar[Tuple[Tuple[str, Codec[Any]], ...]] = ()
    #: How many fields at the end may be absent together.
    _SPARE: ClassVar[int] = 0

    def __repr__(self) -> str:
        return brief_repr(self)


KINDS: Dict[int, Type[Message]] = {}


def field(codec: Codec[Any], default: Any = dataclasses.MISSING) -> Any:
    if default is dataclasses.MISSING:
        return dataclasses.field(metadata={"codec": codec})
    return dataclasses.field(default=default, metadata={"codec": codec})


def brief(item: Any) -> str:
    """An item for people: long byte strings and lists by their beginning and their size."""
    if dataclasses.is_dataclass(item) and not isinstance(item, (Message, Signed)):
        return brief_repr(item)
    if isinstance(item, (bytes, bytearray)) and len(item) > 8:
        return "<%s... %d bytes>" % (bytes(item[:4]).hex(), len(item))
    if isinstance(item, tuple) and len(item) > 8:
        return "(%s, ... %d items)" % (", ".join(map(brief, item[:3])), len(item))
    if isinstance(item, tuple):
        return "(%s%s)" % (", ".join(map(brief, item)), "," if len(item) == 1 else "")
    return repr(item)


def brief_repr(item: Any) -> str:
    """The ``repr`` of a dataclass with brief fields."""
    shown = ["%s=%s" % (one.name, brief(getattr(item, one.name))) for one in dataclasses.fields(item)]
    return "%s(%s)" % (type(item).__name__, ", ".join(shown))


def kind(number: int, domain: Optional[str] = None, spare: int = 0) -> Callable[[Type[M]], Type[M]]:
    def register(cls: Type[M]) -> Type[M]:
        cls.KIND, cls.DOMAIN, cls._SPARE = number, domain, spare
        cls._FIELDS = tuple([(f.name, f.metadata["codec"]) for f in dataclasses.fields(cls)])  # type: ignore[arg-type]
        KINDS[number] = cls
        return cls

    return register


def _read_message(reader: Reader, expected: Union[Type[M], Tuple[Type[M], ...]]) -> M:
    items = reader.array()
    return _read_body(reader, items, expected)


def _read_body(reader: Reader, items: int, expected: Union[Type[M], Tuple[Type[M], ...]]) -> M:
    if items == 0:
        raise Malformed("an empty array is no message")
    cls = KINDS.get(NAT.read(reader))
    if cls is None:
        raise Malformed("no message has this kind")
    if not issubclass(cls, expected):
        raise Malformed("not a message of the expected kind")
    given = items - 1
    if given not in (len(cls._FIELDS), len(cls._FIELDS) - cls._SPARE):
        raise Malformed("a message with another number of fields")
    return cls(*[codec.read(reader) for _, codec in cls._FIELDS[:given]])  # type: ignore[return-value]


def _write_message(out: Writer, message: Message) -> None:
    fields = message._FIELDS
    spare = message._SPARE
    if spare and all(getattr(message, name) is None for name, _ in fields[-spare:]):
        fields = fields[:-spare]
    out.array(1 + len(fields))
    out.integer(message.KIND)
    for name, codec in fields:
        codec.write(out, getattr(message, name))


def whole(expected: Type[Message]) -> Codec[Any]:
    """A message inside another: its whole array, kind first."""
    return Codec(lambda reader: _read_message(reader, expected), _write_message)


@dataclass(frozen=True, repr=False)
class Signed(Generic[M]):
    """A message with the exact bytes that were signed and a signature, which is not verified yet."""

    message: M
    payload: bytes
    signature: bytes

    def __repr__(self) -> str:
        return "Signed(%r)" % (self.message,)

    @cached_property
    def identity(self) -> bytes:
        """The SHA-256 of the payload."""
        return sha256(self.payload).digest()


def _read_signed_parts(reader: Reader, items: int, expected: Any) -> Signed[Any]:
    if items != 2:
        raise Malformed("a signed message is a payload and a signature")
    payload = reader.binary()
    signature = reader.exactly(64)
    message = decode(payload, expected)
    if message.DOMAIN is None:
        raise Malformed("nobody signs messages of this kind")
    return Signed(message, payload, signature)


def _write_signed(out: Writer, signed: Signed[Any]) -> None:
    out.array(2)
    out.binary(signed.payload)
    out.binary(signed.signature)


def _signed(*expected: Type[Message]) -> Codec[Any]:
    return Codec(lambda reader: _read_signed_parts(reader, reader.array(), expected), _write_signed)


def _by(name: str) -> Callable[[Signed[Any]], int]:
    return lambda signed: getattr(signed.message, name)


# ---- What clients and appservers say to each other ----


@kind(1, "request")
@dataclass(frozen=True, repr=False)
class Request(Message):
    """An update, numbered and signed by its client."""

    client: bytes = field(CLIENT)
    number: int = field(POS)
    key: str = field(TEXT)
    type: str = field(TEXT)
    operation: Operation = field(OPERATION)


@kind(2, "session", spare=2)
@dataclass(frozen=True, repr=False)
class OpenSession(Message):
    """A client opens a session, or opens it anew with another tolerance (0: unbounded)."""

    client: bytes = field(CLIENT)
    number: int = field(POS)
    tolerance: int = field(NAT)
    share: Optional[bytes] = field(HASH, None)
    home: Optional[int] = field(INDEX, None)


@kind(3, "response")
@dataclass(frozen=True, repr=False)
class Response(Message):
    """What an appserver signs of an answer; without a dot it answers a read."""

    server: int = field(INDEX)
    sequence: int = field(NAT)
    client: bytes = field(CLIENT)
    reference: int = field(NAT)
    result: Value = field(VALUE)
    dot: Optional[Dot] = field(optional(DOT))
    leaf: bytes = field(HASH)
    version: Tuple[int, ...] = field(VERSION)
    roots: bytes = field(HASH)
    certificate: int = field(NAT)
    certificate_digest: bytes = field(HASH)


@kind(20, "head")
@dataclass(frozen=True, repr=False)
class Head(Message):
    """The size and root of an origin's log, signed by the origin."""

    origin: int = field(INDEX)
    size: int = field(NAT)
    root: bytes = field(HASH)


@kind(21)
@dataclass(frozen=True, repr=False)
class Entry(Message):
    """What stands at one place of an origin's log."""

    dot: Dot = field(DOT)
    dependencies: Tuple[int, ...] = field(VERSION)
    body: Signed[Any] = field(_signed(Request, OpenSession))


@dataclass(frozen=True)
class Exclusion:
    """An origin that is out, up to where its log counts, and the identity of the evidence."""

    origin: int
    cut: int
    evidence: bytes


_EXCLUSIONS = list_of(parts(Exclusion, INDEX, NAT, HASH), MAX_SERVERS)


@kind(35, "certificate")
@dataclass(frozen=True, repr=False)
class CertificateContent(Message):
    """What a certificate says."""

    deployment: bytes = field(HASH)
    number: int = field(POS)
    previous: bytes = field(HASH)
    version: Tuple[int, ...] = field(VERSION)
    roots: Tuple[bytes, ...] = field(HASHES)
    state: bytes = field(HASH)
    exclusions: Tuple[Exclusion, ...] = field(_EXCLUSIONS)


@dataclass(frozen=True)
class ReplicaSignature:
    """The signature of one bftserver."""

    replica: int
    signature: bytes


@kind(37)
@dataclass(frozen=True, repr=False)
class Certificate(Message):
    """A content with the signatures of bftservers, not verified yet."""

    payload: bytes = field(BSTR)
    signatures: Tuple[ReplicaSignature, ...] = field(
        list_of(parts(ReplicaSignature, INDEX, SIG), MAX_SERVERS, lambda one: one.replica)
    )

    def __post_init__(self) -> None:
        # Decoded at once: a certificate whose payload is no content is malformed.
        object.__setattr__(self, "_content", decode(self.payload, CertificateContent))

    def __repr__(self) -> str:
        return "Certificate(number=%d, signers=%s)" % (self.number, brief(tuple([one.replica for one in self.signatures])))

    @property
    def content(self) -> CertificateContent:
        """What it says."""
        return self._content  # type: ignore[attr-defined,no-any-return]

    @property
    def number(self) -> int:
        """Its number, from 1."""
        return self.content.number

    @cached_property
    def hash(self) -> bytes:
        """Its hash, which does not cover the signatures."""
        return sha256(self.payload).digest()

    @cached_property
    def digest(self) -> bytes:
        """The SHA-256 of the whole encoding, which a Response names."""
        return sha256(encode(self)).digest()


@dataclass(frozen=True)
class Elements:
    """What an answer says of the tree of all elements of an object, and the short states of those in the answer."""

    size: int
    root: bytes
    page: PageProof
    states: Tuple[Value, ...]


@dataclass(frozen=True)
class ObjectProof:
    """The proof of a certified read; without a type the object is proved absent."""

    type: Optional[str]
    elements: Optional[Elements]
    path: PathProof


_PROOF = parts(
    ObjectProof,
    optional(TEXT),
    optional(parts(Elements, NAT, HASH, PAGE, list_of(VALUE, MAX_INT))),
    STATE_PATH,
)


@kind(4)
@dataclass(frozen=True, repr=False)
class Answer(Message):
    """A signed response, the certificate if the client has not had it, and the proof of a certified read."""

    response: Signed[Response] = field(_signed(Response))
    certificate: Optional[Certificate] = field(optional(whole(Certificate)))
    proof: Optional[ObjectProof] = field(optional(_PROOF))


#: The names of the reasons of a Refusal, by number.
REASONS = (
    "malformed",
    "bad signature",
    "unknown client",
    "no session",
    "number reused",
    "behind",
    "wrong type",
    "bad operation",
    "too large",
    "no certificate",
    "busy",
    "too often",
    "false complaints",
    "excluded",
    "moved on",
    "amnesiac",
    "draining",
)


@kind(5)
@dataclass(frozen=True, repr=False)
class Refusal(Message):
    """A server does not do what it was asked for; not signed."""

    client: bytes = field(CLIENT)
    reference: int = field(NAT)
    nonce: bool = field(BOOL)
    reason: int = field(number(0, len(REASONS) - 1))
    detail: str = field(TEXT)

    @property
    def name(self) -> str:
        """The reason in words."""
        return REASONS[self.reason]


@dataclass(frozen=True)
class Part:
    """A part of a set: one element, or the page that begins with a path."""

    element: Optional[Value]
    begin: Optional[bytes]
    certificate: int

    def __post_init__(self) -> None:
        if (self.element is None) == (self.begin is None) or (self.element is not None and self.certificate):
            raise Malformed("a part is an element or a page")


@kind(6)
@dataclass(frozen=True, repr=False)
class Read(Message):
    """A question for the value of an object, or of a part of it."""

    nonce: int = field(NAT)
    key: str = field(TEXT)
    type: str = field(TEXT)
    certified: bool = field(BOOL)
    certificate: int = field(NAT)
    part: Optional[Part] = field(optional(parts(Part, optional(VALUE), optional(HASH), NAT)))

    @property
    def digest(self) -> bytes:
        """What the Response names as its leaf."""
        return sha256(encode(self)).digest()


@kind(7)
@dataclass(frozen=True, repr=False)
class Hello(Message):
    """The first frame of a server."""

    deployment: bytes = field(HASH)
    server: int = field(INDEX)


@dataclass(frozen=True)
class Covered:
    """The proof that a certificate covers one update."""

    number: int
    dot: Dot
    proof: Inclusion


@kind(8)
@dataclass(frozen=True, repr=False)
class Confirmation(Message):
    """Updates of a client that a certificate covers."""

    client: bytes = field(CLIENT)
    certificate: Certificate = field(whole(Certificate))
    covered: Tuple[Covered, ...] = field(list_of(parts(Covered, POS, DOT, INCLUSION), MAX_LIST))


@kind(9)
@dataclass(frozen=True, repr=False)
class GetCertificate(Message):
    """A question for a certificate; 0 for the newest."""

    number: int = field(NAT)


@kind(10)
@dataclass(frozen=True, repr=False)
class CertificateReply(Message):
    """The certificate that was asked for."""

    number: int = field(NAT)
    certificate: Optional[Certificate] = field(optional(whole(Certificate)))


@dataclass(frozen=True)
class Named:
    """An update by its number and identity."""

    number: int
    identity: bytes


@kind(11, "inquiry")
@dataclass(frozen=True, repr=False)
class AskStanding(Message):
    """A client asks a server for its newest certificate and which updates it holds."""

    client: bytes = field(CLIENT)
    nonce: int = field(NAT)
    updates: Tuple[Named, ...] = field(list_of(parts(Named, POS, HASH), _MAX_NAMED))


@dataclass(frozen=True)
class Held:
    """Whether a server holds an update, and where."""

    number: int
    dot: Optional[Dot]


@kind(12, "standing")
@dataclass(frozen=True, repr=False)
class Standing(Message):
    """The answer to AskStanding."""

    server: int = field(INDEX)
    client: bytes = field(CLIENT)
    nonce: int = field(NAT)
    certificate: Optional[Certificate] = field(optional(whole(Certificate)))
    updates: Tuple[Held, ...] = field(list_of(parts(Held, POS, optional(DOT)), _MAX_NAMED))


@dataclass(frozen=True)
class Question:
    """What an answer is to: an update or a read."""

    update: Optional[Signed[Request]]
    read: Optional[Read]

    def __post_init__(self) -> None:
        if (self.update is None) == (self.read is None):
            raise Malformed("a question is an update or a read")


_QUESTION = parts(Question, optional(_signed(Request)), optional(whole(Read)))


@kind(13, "inquiry")
@dataclass(frozen=True, repr=False)
class Inspect(Message):
    """A client has an answer inspected."""

    client: bytes = field(CLIENT)
    nonce: int = field(NAT)
    response: Signed[Response] = field(_signed(Response))
    question: Question = field(_QUESTION)


#: Outcome of an InspectReply: the server computed another answer.
DIFFERS = 1
#: A finding: the server is guilty.
GUILTY = 0


@kind(14, "inspectreply")
@dataclass(frozen=True, repr=False)
class InspectReply(Message):
    """What a server found when it computed an answer again."""

    server: int = field(INDEX)
    client: bytes = field(CLIENT)
    nonce: int = field(NAT)
    answer: bytes = field(HASH)
    roots: bytes = field(HASH)
    outcome: int = field(number(0, 7))


@kind(15)
@dataclass(frozen=True, repr=False)
class TaggedRequest(Message):
    """A signed request with a tag for each appserver."""

    request: Signed[Request] = field(_signed(Request))
    tags: bytes = field(TAGS)


# ---- What servers say to each other ----

_HEADS = list_of(_signed(Head), MAX_SERVERS, _by("origin"))


@kind(22, spare=1)
@dataclass(frozen=True, repr=False)
class Batch(Message):
    """Entries of one origin under its signed head."""

    head: Signed[Head] = field(_signed(Head))
    entries: Tuple[bytes, ...] = field(list_of(BSTR, MAX_LIST))
    tags: Optional[bytes] = field(TAGS, None)

    def __post_init__(self) -> None:
        if self.tags is not None and len(self.tags) != 16 * len(self.entries):
            raise Malformed("as many tags as entries are due")


@kind(23)
@dataclass(frozen=True, repr=False)
class Frontier(Message):
    """How far a server is."""

    version: Tuple[int, ...] = field(VERSION)
    heads: Tuple[Signed[Head], ...] = field(_HEADS)
    certificate: int = field(NAT)


@kind(24)
@dataclass(frozen=True, repr=False)
class Pull(Message):
    """A server asks for entries."""

    origin: int = field(INDEX)
    after: int = field(NAT)
    certified: int = field(NAT)


@kind(25)
@dataclass(frozen=True, repr=False)
class CertifiedEntries(Message):
    """Entries that a certificate covers."""

    origin: int = field(INDEX)
    root_before: bytes = field(HASH)
    before: Consistency = field(CONSISTENCY)
    entries: Tuple[bytes, ...] = field(list_of(BSTR, MAX_LIST))
    after: Consistency = field(CONSISTENCY)


@kind(30, "vertobft")
@dataclass(frozen=True, repr=False)
class VertObft(Message):
    """A server reports its version to the bftservers."""

    server: int = field(INDEX)
    version: Tuple[int, ...] = field(VERSION)
    heads: Tuple[Signed[Head], ...] = field(_HEADS)


@kind(31, "bftreqstable")
@dataclass(frozen=True, repr=False)
class BftReqStable(Message):
    """A bftserver asks what is stable at a version."""

    replica: int = field(INDEX)
    epoch: int = field(NAT)
    round: int = field(NAT)
    previous: bytes = field(HASH)
    number: int = field(NAT)
    version: Tuple[int, ...] = field(VERSION)
    exclusions: Tuple[Exclusion, ...] = field(_EXCLUSIONS)


@kind(32, "stable")
@dataclass(frozen=True, repr=False)
class Stable(Message):
    """What an appserver says is stable."""

    server: int = field(INDEX)
    epoch: int = field(NAT)
    round: int = field(NAT)
    previous: bytes = field(HASH)
    version: Tuple[int, ...] = field(VERSION)
    roots: Tuple[bytes, ...] = field(HASHES)
    closed: Tuple[int, ...] = field(VERSION)
    closed_roots: Tuple[bytes, ...] = field(HASHES)
    state: bytes = field(HASH)


@kind(33, "tick")
@dataclass(frozen=True, repr=False)
class Tick(Message):
    """A step of ordered time."""

    replica: int = field(INDEX)
    k: int = field(NAT)


@kind(34, "accept")
@dataclass(frozen=True, repr=False)
class Accept(Message):
    """A bftserver accepts a content."""

    replica: int = field(INDEX)
    number: int = field(NAT)
    attempt: int = field(NAT)
    content: bytes = field(HASH)


@kind(36)
@dataclass(frozen=True, repr=False)
class Share(Message):
    """One signature of a certificate."""

    replica: int = field(INDEX)
    content: Signed[CertificateContent] = field(_signed(CertificateContent))


@kind(40, "commit")
@dataclass(frozen=True, repr=False)
class Commit(Message):
    """A bftserver commits a content."""

    replica: int = field(INDEX)
    number: int = field(NAT)
    attempt: int = field(NAT)
    content: bytes = field(HASH)


@kind(42)
@dataclass(frozen=True, repr=False)
class ProvenContent(Message):
    """A content with signed acceptances."""

    payload: bytes = field(BSTR)
    accepts: Tuple[Signed[Accept], ...] = field(list_of(_signed(Accept), MAX_SERVERS, _by("replica")))

    def __post_init__(self) -> None:
        decode(self.payload, CertificateContent)


@kind(41, "recover")
@dataclass(frozen=True, repr=False)
class Recover(Message):
    """What a bftserver still knows after a cold start."""

    replica: int = field(INDEX)
    start: bytes = field(HASH)
    answers: bytes = field(HASH)
    knowing: bool = field(BOOL)
    epoch: int = field(NAT)
    number: int = field(NAT)
    attempt: int = field(NAT)
    proven: Optional[ProvenContent] = field(optional(whole(ProvenContent)))


# ---- Evidence ----


class Evidence(Message):
    """A proof that somebody is faulty; the kinds 50 to 59."""

    @property
    def identity(self) -> bytes:
        """The SHA-256 of the encoding."""
        return sha256(encode(self)).digest()


@kind(50)
@dataclass(frozen=True, repr=False)
class ForkedHeads(Evidence):
    """Two heads of one origin and size with different roots."""

    one: Signed[Head] = field(_signed(Head))
    other: Signed[Head] = field(_signed(Head))


@dataclass(frozen=True)
class Branch:
    """A leaf under a signed head."""

    head: Signed[Head]
    leaf: bytes
    proof: Inclusion


_BRANCH = parts(Branch, _signed(Head), HASH, INCLUSION)


@kind(51)
@dataclass(frozen=True, repr=False)
class ForkedEntries(Evidence):
    """Two leaves at one index of one origin's log."""

    one: Branch = field(_BRANCH)
    other: Branch = field(_BRANCH)


@dataclass(frozen=True)
class Included:
    """The bytes at one place of a log."""

    entry: bytes
    proof: Inclusion


INCLUDED = parts(Included, BSTR, INCLUSION)


@kind(52)
@dataclass(frozen=True, repr=False)
class BrokenEntry(Evidence):
    """An entry in a signed log that breaks a rule."""

    head: Signed[Head] = field(_signed(Head))
    entry: Included = field(INCLUDED)
    before: Optional[Included] = field(optional(INCLUDED))


@kind(53)
@dataclass(frozen=True, repr=False)
class AnswerAgainstLog(Evidence):
    """An answer that names another leaf than the certified log has."""

    response: Signed[Response] = field(_signed(Response))
    certificate: Certificate = field(whole(Certificate))
    leaf: bytes = field(HASH)
    proof: Inclusion = field(INCLUSION)


@kind(54)
@dataclass(frozen=True, repr=False)
class AnswerAgainstHead(Evidence):
    """An answer that names another leaf than the log under the server's own head has."""

    response: Signed[Response] = field(_signed(Response))
    head: Signed[Head] = field(_signed(Head))
    leaf: bytes = field(HASH)
    proof: Inclusion = field(INCLUSION)


@kind(55)
@dataclass(frozen=True, repr=False)
class BadCertificate(Evidence):
    """An answer with a certificate that does not verify."""

    response: Signed[Response] = field(_signed(Response))
    certificate: Certificate = field(whole(Certificate))


@kind(56)
@dataclass(frozen=True, repr=False)
class CertificateWentBack(Evidence):
    """A later answer that names a lower certificate."""

    earlier: Signed[Response] = field(_signed(Response))
    later: Signed[Response] = field(_signed(Response))


@kind(57)
@dataclass(frozen=True, repr=False)
class WrongAnswer(Evidence):
    """An answer that f+1 others computed otherwise."""

    response: Signed[Response] = field(_signed(Response))
    question: Question = field(_QUESTION)
    replies: Tuple[Signed[InspectReply], ...] = field(list_of(_signed(InspectReply), MAX_SERVERS, _by("server")))


@kind(58)
@dataclass(frozen=True, repr=False)
class WrongState(Evidence):
    """A STABLE with another state than those of f+1 others with the same log."""

    stable: Signed[Stable] = field(_signed(Stable))
    others: Tuple[Signed[Stable], ...] = field(list_of(_signed(Stable), MAX_SERVERS, _by("server")))


@kind(59)
@dataclass(frozen=True, repr=False)
class ClientEquivocation(Evidence):
    """Two contents of one client under one number."""

    one: Signed[Request] = field(_signed(Request))
    other: Signed[Request] = field(_signed(Request))


def _read_accused(reader: Reader) -> Union[int, bytes]:
    return CLIENT.read(reader) if reader.major() == BINARY else INDEX.read(reader)


def _write_accused(out: Writer, accused: Union[int, bytes]) -> None:
    if isinstance(accused, int):
        INDEX.write(out, accused)
    else:
        CLIENT.write(out, accused)


@kind(60, "complaint")
@dataclass(frozen=True, repr=False)
class Complain(Message):
    """A client brings evidence."""

    client: bytes = field(CLIENT)
    nonce: int = field(NAT)
    evidence: Evidence = field(whole(Evidence))


@kind(61, "blacklist")
@dataclass(frozen=True, repr=False)
class Blacklist(Message):
    """What a server finds of evidence: 0 guilty, 1 false, 2 unconfirmed."""

    server: int = field(INDEX)
    evidence: bytes = field(HASH)
    accused: Union[int, bytes] = field(Codec(_read_accused, _write_accused))
    finding: int = field(number(0, 2))


@kind(62, "verdict")
@dataclass(frozen=True, repr=False)
class VerdictMessage(Message):
    """A server passes evidence on, with what others found."""

    server: int = field(INDEX)
    evidence: Evidence = field(whole(Evidence))
    findings: Tuple[Signed[Blacklist], ...] = field(list_of(_signed(Blacklist), MAX_SERVERS, _by("server")))


# ---- Bytes ----


def decode(data: bytes, expected: Union[Type[M], Tuple[Type[M], ...]]) -> M:
    """Reads one message of an expected kind to the end of the bytes; :class:`Malformed` when they are something else."""
    reader = Reader(data)
    message = _read_message(reader, expected)
    reader.finish()
    return message


def decode_signed(data: bytes, *expected: Type[M]) -> Signed[M]:
    """Reads a signed message of an expected kind; its signature is not verified."""
    reader = Reader(data)
    signed = _read_signed_parts(reader, reader.array(), expected)
    reader.finish()
    return signed


def decode_frame(data: bytes) -> Union[Message, Signed[Any]]:
    """Reads a frame: a message, or a signed one."""
    reader = Reader(data)
    items = reader.array()
    frame: Union[Message, Signed[Any]]
    if reader.major() == BINARY:
        frame = _read_signed_parts(reader, items, Message)
    else:
        frame = _read_body(reader, items, Message)
    reader.finish()
    return frame


def encode(message: Union[Message, Signed[Any]]) -> bytes:
    """The bytes of a message, signed or not; :class:`ValueError` when a field is out of range."""
    out = Writer()
    if isinstance(message, Signed):
        _write_signed(out, message)
    else:
        _write_message(out, message)
    return out.encoded()


def is_later(*numbers: int) -> bool:
    """Whether any of these sequences, sizes or components names an incarnation that is not open."""
    return any(number >= LATER for number in numbers)
