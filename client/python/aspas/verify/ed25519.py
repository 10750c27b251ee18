"""Ed25519 by the one rule of every deployment, ``ed25519-cofactorless`` (docs/formats.md, section 3).

OpenSSL, behind the library ``cryptography``, decides the parts 2 and 3 of the rule. Part 1, that the key has prime order, is
decided here, once for each key; and so is part 4. :func:`self_test` runs the vectors of the formats page.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Optional, Tuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .ed25519_vectors import VECTORS

#: The name of the rule in a descriptor.
RULE = "ed25519-cofactorless"
KEY_BYTES = 32
SIGNATURE_BYTES = 64

_P = 2**255 - 19
_L = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_ROOT_OF_MINUS_ONE = pow(2, (_P - 1) // 4, _P)
_NEUTRAL = bytes([1]) + bytes(31)

_Point = Tuple[int, int, int, int]


class UnfitLibrary(RuntimeError):
    """The cryptographic library of this machine decides otherwise than the rule."""


def _decode(encoded: bytes) -> Optional[_Point]:
    """The point that these bytes encode canonically, in extended coordinates."""
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    if y >= _P:
        return None
    square = y * y % _P
    u, v = (square - 1) % _P, (_D * square + 1) % _P
    x = u * pow(v, 3, _P) * pow(u * pow(v, 7, _P), (_P - 5) // 8, _P) % _P
    if v * x * x % _P == (-u) % _P:
        x = x * _ROOT_OF_MINUS_ONE % _P
    if v * x * x % _P != u or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = _P - x
    return (x, y, 1, x * y % _P)


def _add(p: _Point, q: _Point) -> _Point:
    a = (p[1] - p[0]) * (q[1] - q[0]) % _P
    b = (p[1] + p[0]) * (q[1] + q[0]) % _P
    c = 2 * p[3] * q[3] * _D % _P
    d = 2 * p[2] * q[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _is_neutral(point: _Point) -> bool:
    return point[0] == 0 and (point[1] - point[2]) % _P == 0


@lru_cache(maxsize=4096)
def is_sound(key: bytes) -> bool:
    """Whether a key is the canonical encoding of a point of prime order; costs milliseconds once for each key."""
    point = _decode(key) if len(key) == KEY_BYTES else None
    if point is None or _is_neutral(point):
        return False
    product: _Point = (0, 1, 1, 0)
    for bit in bin(_L)[2:]:
        product = _add(product, product)
        if bit == "1":
            product = _add(product, point)
    return _is_neutral(product)


@lru_cache(maxsize=4096)
def _library_key(key: bytes) -> Optional[Ed25519PublicKey]:
    try:
        return Ed25519PublicKey.from_public_bytes(key)
    except ValueError:
        return None


def verify(key: bytes, text: bytes, signature: bytes) -> bool:
    """Whether a signature of a text verifies under a key by the rule. Total: wrong lengths are false."""
    if len(key) != KEY_BYTES or len(signature) != SIGNATURE_BYTES or signature[:32] == _NEUTRAL:
        return False
    public = _library_key(key)
    if public is None:
        return False
    try:
        public.verify(signature, text)
    except InvalidSignature:
        return False
    return is_sound(key)


@lru_cache(maxsize=1)
def self_test() -> None:
    """Runs the vectors once; :class:`UnfitLibrary` when the library decides one of them wrongly."""
    for name, valid, key, text, signature in VECTORS:
        if verify(bytes.fromhex(key), bytes.fromhex(text), bytes.fromhex(signature)) != valid:
            raise UnfitLibrary("the Ed25519 of this machine decides wrongly: " + name)
