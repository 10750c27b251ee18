"""CBOR in its deterministic form (docs/formats.md, section 1): one encoding for each value, and nothing else is read."""

from __future__ import annotations

from typing import List, Optional, Tuple, Union

UNSIGNED, NEGATIVE, BINARY, TEXT, ARRAY = 0, 1, 2, 3, 4
FALSE, TRUE, NULL = 0xF4, 0xF5, 0xF6

#: No item of a value stands inside more arrays than this.
MAX_DEPTH = 8
#: The largest ``nat`` and ``int``.
MAX_INT = 2**63 - 1
#: The least ``int``.
MIN_INT = -(2**63)

#: The longest element of a set.
ELEMENT_BYTES = 4096

#: A value of the data types: an integer of 64 bits, a text, a byte string, or a tuple of values.
Value = Union[int, str, bytes, Tuple["Value", ...]]


class Malformed(ValueError):
    """Bytes that are not the one encoding of what was asked for."""


class Reader:
    """Reads items from front to back. Every method raises :class:`Malformed` when the next item is another one."""

    __slots__ = ("_data", "_at")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def major(self) -> int:
        """The major type of the next item; -1 at the end of the bytes."""
        return self._data[self._at] >> 5 if self._at < len(self._data) else -1

    def _head(self, major: int, what: str) -> int:
        data, at = self._data, self._at
        if at >= len(data) or data[at] >> 5 != major:
            raise Malformed("expected " + what)
        number = data[at] & 0x1F
        at += 1
        if number >= 24:
            if number > 27:
                raise Malformed("broken CBOR")
            more = 1 << (number - 24)
            if len(data) - at < more:
                raise Malformed("broken CBOR")
            number = int.from_bytes(data[at : at + more], "big")
            at += more
            if number < (24 if more == 1 else 1 << (4 * more)):
                raise Malformed("not the deterministic encoding")
        self._at = at
        return number

    def _span(self, major: int, what: str) -> bytes:
        length = self._head(major, what)
        begin = self._at
        if length > len(self._data) - begin:
            raise Malformed("broken CBOR")
        self._at = begin + length
        return self._data[begin : self._at]

    def array(self) -> int:
        """The head of an array: how many items follow."""
        items = self._head(ARRAY, "an array")
        if items > len(self._data) - self._at:
            raise Malformed("broken CBOR")
        return items

    def fixed(self, items: int) -> None:
        """The head of an array of exactly so many items."""
        if self.array() != items:
            raise Malformed("an array of another length")

    def integer(self) -> int:
        """An integer from -2^63 to 2^63 - 1."""
        negative = self.major() == NEGATIVE
        number = self._head(NEGATIVE if negative else UNSIGNED, "an integer")
        if number > MAX_INT:
            raise Malformed("an integer beyond 64 bits")
        return -1 - number if negative else number

    def boolean(self) -> bool:
        """``true`` or ``false``."""
        first = self._data[self._at] if self._at < len(self._data) else -1
        if first not in (FALSE, TRUE):
            raise Malformed("expected a truth value")
        self._at += 1
        return first == TRUE

    def absent(self) -> bool:
        """Takes a ``null`` if it is next; whether it was."""
        if self._at < len(self._data) and self._data[self._at] == NULL:
            self._at += 1
            return True
        return False

    def text(self) -> str:
        """A text of well-formed UTF-8."""
        try:
            return self._span(TEXT, "a text").decode("utf-8")
        except UnicodeDecodeError:
            raise Malformed("a broken text") from None

    def binary(self) -> bytes:
        """A byte string of any length."""
        return self._span(BINARY, "a byte string")

    def exactly(self, length: int) -> bytes:
        """A byte string of one length."""
        found = self.binary()
        if len(found) != length:
            raise Malformed("a byte string of %d bytes where %d are due" % (len(found), length))
        return found

    def value(self, depth: int = 0) -> Value:
        """A value; ``depth`` is how many arrays are around it."""
        if depth > MAX_DEPTH:
            raise Malformed("values nested too deep")
        major = self.major()
        if major in (UNSIGNED, NEGATIVE):
            return self.integer()
        if major == TEXT:
            return self.text()
        if major == BINARY:
            return self.binary()
        return tuple([self.value(depth + 1) for _ in range(self.array())])

    def finish(self) -> None:
        """Checks that nothing follows."""
        if self._at < len(self._data):
            raise Malformed("bytes after the end")


class Writer:
    """Writes items one behind the other. Ranges are checked with :class:`ValueError`."""

    __slots__ = ("_parts",)

    def __init__(self) -> None:
        self._parts: List[bytes] = []

    def _head(self, major: int, number: int) -> None:
        if number < 24:
            self._parts.append(bytes((major << 5 | number,)))
            return
        for code, length in ((24, 1), (25, 2), (26, 4), (27, 8)):
            if number < 1 << (8 * length):
                self._parts.append(bytes((major << 5 | code,)) + number.to_bytes(length, "big"))
                return
        raise ValueError("a number beyond 64 bits")

    def array(self, items: int) -> None:
        """The head of an array."""
        self._head(ARRAY, items)

    def integer(self, number: int) -> None:
        """An integer from -2^63 to 2^63 - 1."""
        if not MIN_INT <= number <= MAX_INT:
            raise ValueError("%d is beyond 64 bits" % number)
        self._head(UNSIGNED if number >= 0 else NEGATIVE, number if number >= 0 else -1 - number)

    def boolean(self, truth: bool) -> None:
        """``true`` or ``false``."""
        self._parts.append(bytes((TRUE if truth else FALSE,)))

    def null(self) -> None:
        """``null``."""
        self._parts.append(bytes((NULL,)))

    def text(self, text: str) -> None:
        """A text; one with lone surrogates has no encoding."""
        encoded = text.encode("utf-8")
        self._head(TEXT, len(encoded))
        self._parts.append(encoded)

    def binary(self, data: bytes) -> None:
        """A byte string."""
        self._head(BINARY, len(data))
        self._parts.append(bytes(data))

    def value(self, value: Value, depth: int = 0) -> None:
        """A value; ``depth`` is how many arrays are around it."""
        if depth > MAX_DEPTH:
            raise ValueError("values nested too deep")
        if isinstance(value, bool):
            raise ValueError("a truth value is no value of the data types")
        if isinstance(value, int):
            self.integer(value)
        elif isinstance(value, str):
            self.text(value)
        elif isinstance(value, (bytes, bytearray)):
            self.binary(bytes(value))
        elif isinstance(value, (tuple, list)):
            self.array(len(value))
            for item in value:
                self.value(item, depth + 1)
        else:
            raise ValueError("%s is no value of the data types" % type(value).__name__)

    def encoded(self) -> bytes:
        """All that was written."""
        return b"".join(self._parts)


def encode_value(value: Value) -> bytes:
    """The encoding of a value; :class:`ValueError` when it has none."""
    out = Writer()
    out.value(value)
    return out.encoded()


def decode_value(data: bytes) -> Value:
    """Reads a value to the end of the bytes; :class:`Malformed` when they are something else."""
    reader = Reader(data)
    value = reader.value()
    reader.finish()
    return value


def wrong_text(text: object, least: int, most: int) -> Optional[str]:
    """Why a text is none of so many bytes in UTF-8, in a word of docs/vectors/texts.json; none when it is one."""
    if not isinstance(text, str):
        return "not-text"
    if len(text) > most:  # Each character has a byte at least.
        return "too-long"
    try:
        length = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        return "lone-surrogate"
    if length > most:
        return "too-long"
    return "empty" if length < least else None


def wrong_element(value: object) -> Optional[str]:
    """Why a value cannot be an element of a set, in a word of docs/vectors/texts.json; none when it can."""
    if isinstance(value, int) and not isinstance(value, bool):
        return None if MIN_INT <= value <= MAX_INT else "out-of-range"
    if isinstance(value, bytes):
        return None if len(value) <= ELEMENT_BYTES else "too-long"
    return wrong_text(value, 0, ELEMENT_BYTES) if isinstance(value, str) else "not-an-element"


def shown(text: str) -> str:
    """A text for a person, in one line: in quotes and with escapes where a terminal would obey it."""
    return text if text.isprintable() else repr(text)


def order(value: Value) -> Tuple[int, int, bytes]:
    """A sort key for elements: integers by number, then texts by UTF-8 bytes, then byte strings."""
    if isinstance(value, int):
        return (0, value, b"")
    if isinstance(value, str):
        return (1, 0, value.encode("utf-8"))
    if isinstance(value, bytes):
        return (2, 0, value)
    raise ValueError("an array is no element")
