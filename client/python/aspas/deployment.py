"""A deployment as a directory: what ``aspas init`` makes, and what a client needs of it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Optional, Union

from .errors import InvalidArgument
from .verify.descriptor import Descriptor, InvalidDescriptor


@dataclass(frozen=True)
class Deployment:
    """The verified descriptor, and the files beside it.

    The operator's key is read from ``operator.pub`` in the same directory: whoever can write there decides whom you trust.
    """

    descriptor: Descriptor
    #: The file with whom clients trust for TLS; none where there is none.
    authorities: Optional[Path]

    @classmethod
    def open(cls, directory: Union[str, "os.PathLike[str]"], operator: Optional[bytes] = None) -> "Deployment":
        """Reads and verifies a deployment.

        :param directory: has ``deployment.json`` and ``deployment.json.sig``
        :param operator: the operator's key of 32 bytes; without it, ``operator.pub`` is read and trusted
        :raises InvalidArgument: when a file is missing or wrong; one line that names it
        """
        root = Path(directory)
        text = _read(root / "deployment.json")
        signature = _hex(root / "deployment.json.sig")
        if operator is not None and not isinstance(operator, bytes):
            raise InvalidArgument("operator is a key of 32 bytes")
        trusted = _hex(root / "operator.pub") if operator is None else operator
        try:
            descriptor = Descriptor.open(text, signature, trusted)
        except InvalidDescriptor as invalid:
            raise InvalidArgument("%s: %s" % (root / "deployment.json", invalid)) from None
        authorities = root / "tls-ca.pem"
        return cls(descriptor, authorities if authorities.exists() else None)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InvalidArgument("%s is missing" % path) from None
    except OSError as broken:
        raise InvalidArgument("%s cannot be read: %s" % (path, broken.strerror)) from None


def _hex(path: Path) -> bytes:
    try:
        return bytes.fromhex(_read(path).decode("ascii").strip())
    except ValueError:
        raise InvalidArgument("%s is not hexadecimal" % path) from None
