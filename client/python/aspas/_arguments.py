"""What the application gives, judged at the call, before anything is numbered or sent."""

from __future__ import annotations

import math
from typing import Any, Optional

from .errors import InvalidArgument
from .verify.cbor import ELEMENT_BYTES, MAX_INT, Reader, Writer, wrong_element, wrong_text
from .verify.descriptor import Limits
from .verify.messages import OPERATION, Message, Operation, encode

_ELEMENT = "an element is an integer of 64 bits, a text or bytes, of at most %d bytes: %s"
_WHY = {
    "not-text": "it is no text",
    "empty": "it is empty",
    "too-long": "it is longer",
    "lone-surrogate": "it has a lone surrogate, which UTF-8 cannot encode",
    "not-an-element": "it is of another type",
    "out-of-range": "it is beyond 64 bits",
}


def key_of(key: Any, limits: Limits) -> str:
    """A key of an object."""
    wrong = wrong_text(key, 1, limits.keyBytes)
    if wrong is not None:
        raise InvalidArgument("a key is a text of 1 to %d bytes in UTF-8: %s" % (limits.keyBytes, _WHY[wrong]), wrong)
    return key  # type: ignore[no-any-return]


def element_of(element: Any) -> Any:
    """An element of a set."""
    wrong = wrong_element(element)
    if wrong is not None:
        raise InvalidArgument(_ELEMENT % (ELEMENT_BYTES, _WHY[wrong]), wrong)
    return element


def integer(name: str, value: Any, least: int, most: int = MAX_INT) -> int:
    """An integer in a range; True and False are none."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        shown = "2^63 - 1" if most == MAX_INT else str(most)
        raise InvalidArgument("%s is an integer from %d to %s" % (name, least, shown), "out-of-range")
    return value


def seconds(name: str, value: Any) -> float:
    """A duration above 0."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or math.isnan(value) or value <= 0:
        raise InvalidArgument("%s is a number of seconds above 0" % name)
    return value


def operation_of(type_name: Any, name: Any, arguments: Any, limits: Limits) -> Operation:
    """An operation as it is sent; what the application does with its arguments later changes nothing."""
    for what, text in (("a type", type_name), ("an operation", name)):
        wrong = wrong_text(text, 1, limits.operationBytes)
        if wrong is not None:
            raise InvalidArgument("%s has a name of text: %s" % (what, _WHY[wrong]), wrong)
    encoded = _encoded(lambda out: OPERATION.write(out, Operation(name, arguments)))
    if len(encoded) > limits.operationBytes:
        raise InvalidArgument(
            "an operation has at most %d bytes in this deployment, not %d" % (limits.operationBytes, len(encoded)), "too-long"
        )
    return OPERATION.read(Reader(encoded))


def sendable(message: Message) -> None:
    """Raises when a message has no encoding."""
    _encoded(lambda out: out.binary(encode(message)))


def _encoded(write: Any) -> bytes:
    out = Writer()
    try:
        write(out)
    except UnicodeEncodeError:
        raise InvalidArgument("a text has a lone surrogate, which UTF-8 cannot encode", "lone-surrogate") from None
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as wrong:
        raise InvalidArgument("an argument has no encoding: %s" % wrong) from None
    return out.encoded()
