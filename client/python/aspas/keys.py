"""The key of a client, and the client that one start of a program is."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any, Union

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from .errors import InvalidArgument
from .verify.descriptor import signed_text
from .verify.messages import Message, Signed, encode

_SEED_BYTES = 32


class SigningKey:
    """An Ed25519 key that signs. Immutable; the seed is not shown by ``repr``."""

    def __init__(self, seed: bytes) -> None:
        """A key by its private seed of 32 bytes."""
        if not isinstance(seed, bytes) or len(seed) != _SEED_BYTES:
            raise InvalidArgument("a private seed is 32 bytes")
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        #: The public key, 32 bytes.
        self.public: bytes = self._private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    @classmethod
    def generate(cls) -> "SigningKey":
        """A new key, which ends with the program unless you write its seed somewhere."""
        return cls(os.urandom(_SEED_BYTES))

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "SigningKey":
        """The key in a file that holds its seed in hexadecimal, as ``clients/NAME.key`` of a deployment does."""
        try:
            seed = bytes.fromhex(Path(path).read_text("ascii").strip())
        except ValueError:
            raise InvalidArgument("%s is not hexadecimal" % path) from None
        except OSError as broken:
            raise InvalidArgument("%s cannot be read: %s" % (path, broken.strerror)) from None
        return cls(seed)

    def sign(self, deployment: bytes, message: Message) -> Signed[Any]:
        """A message of a kind that clients sign, with its signature."""
        if message.DOMAIN is None:
            raise InvalidArgument("nobody signs messages of this kind")
        payload = encode(message)
        return Signed(message, payload, self._private.sign(signed_text(message.DOMAIN, deployment, payload)))

    def new_client(self) -> bytes:
        """The 48 bytes of a client: this key, the clock in microseconds, and 64 random bits. One for each start."""
        return self.public + (time.time_ns() // 1000).to_bytes(8, "big") + os.urandom(8)

    def __repr__(self) -> str:
        return "SigningKey(public=%s)" % self.public.hex()
