"""Tags (docs/formats.md, section 22): they tell a server that a client sent a request, so that it need not verify the signature."""

from __future__ import annotations

import os
from typing import Any, List, Optional, Tuple

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256, Hash
from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from .verify.descriptor import Descriptor
from .verify.messages import Signed, TaggedRequest

_TAG_BYTES = 16
#: A session with fewer requests is not worth the keys of its tags.
_WORTHWHILE = 3
#: Servers count the tags of a session for two hours; a client takes a new key before.
OLD_SECONDS = 3600.0


class SessionKey:
    """The key of one session record: its public half is the share."""

    def __init__(self, private: Optional[bytes] = None) -> None:
        self._private = X25519PrivateKey.from_private_bytes(os.urandom(32) if private is None else private)
        self.share: bytes = self._private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def with_server(self, agreement: bytes, deployment: bytes, session: bytes, server: int) -> Optional[bytes]:
        """The key of this session and a server; none when X25519 gives zeros."""
        try:
            secret = self._private.exchange(X25519PublicKey.from_public_bytes(agreement))
        except ValueError:
            return None
        if not any(secret):
            return None
        info = b"aspas/v1/tags\x00" + session + bytes((server,))
        return HKDF(SHA256(), 32, salt=deployment, info=info).derive(secret)


def tag(key: Optional[bytes], request: Signed[Any]) -> bytes:
    """The tag of a request; zeros without a key."""
    if key is None:
        return bytes(_TAG_BYTES)
    digest = Hash(SHA256())
    digest.update(request.payload)
    mac = HMAC(key, SHA256())
    mac.update(b"aspas/v1/request-tag\x00" + digest.finalize() + request.signature)
    return mac.finalize()[:_TAG_BYTES]


class Tagger:
    """Tags the requests of the present session; does nothing in a deployment without tags."""

    def __init__(self, descriptor: Descriptor) -> None:
        keys = [node.agreement_key for node in descriptor.appservers]
        self._deployment = descriptor.id
        self._agreements: List[bytes] = [key for key in keys if key is not None]
        self._opening: List[Tuple[SessionKey, bytes]] = []
        self._session: Optional[Tuple[SessionKey, bytes]] = None
        self._keys: List[Optional[bytes]] = []
        self._sent = 0

    def offer(self) -> Optional[SessionKey]:
        """The key for a session record that is made now; none where there are no tags."""
        return SessionKey() if self._agreements else None

    def opening(self, key: Optional[SessionKey], session: Signed[Any]) -> None:
        """A session record with this key is on its way."""
        if key is not None:
            self._opening.append((key, session.identity))

    def opened(self) -> None:
        """The server answered the oldest session record."""
        if self._opening:
            self._session = self._opening.pop(0)
            self._keys = []
            self._sent = 0

    def disconnected(self) -> None:
        """The session is over."""
        self._opening.clear()
        self._session = None

    @property
    def used(self) -> bool:
        """Whether requests were sent in this session."""
        return self._session is not None and self._sent > 0

    def frame(self, request: Signed[Any]) -> Any:
        """What gives a request to the server."""
        self._sent += 1
        if self._session is None or self._sent < _WORTHWHILE:
            return request
        if not self._keys:
            key, session = self._session
            self._keys = [
                key.with_server(agreement, self._deployment, session, server)
                for server, agreement in enumerate(self._agreements)
            ]
        return TaggedRequest(request, b"".join(tag(key, request) for key in self._keys))
