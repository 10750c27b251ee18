"""A client's record on disk: what it has signed and not seen confirmed, so that the next client with the key goes on with it.

The file and its lock are those of the JavaScript client (client/js/src/client/record.js): each reads what the other wrote.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
from pathlib import Path
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple, Union

from .errors import InvalidArgument, RecordInUse
from .verify.cbor import MAX_INT, Malformed
from .verify.messages import Request, Signed, decode_signed, encode

FORMAT = 1
#: So many updates may be unconfirmed in a client with a record.
MOST_OPEN = 4096
_MOST_BYTES = 64 << 20
_CERTIFICATE = re.compile("[0-9]{1,19}")
_NAMES = {"format", "deployment", "key", "certificate", "open"}


class Left(NamedTuple):
    """What an earlier client left: the newest certificate that it verified, and its open requests, byte for byte as signed."""

    certificate: int
    open: Tuple[Signed[Request], ...]


class FileRecord:
    """A record in one file, for one process at a time.

    Each write goes to a new file, reaches the disk, and takes the place of the old one: a crash leaves the old or the new record.
    ``PATH.lock`` names the process that has it. A lock whose process has ended is taken over.
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        self.path = Path(path)
        self._lock = Path(str(path) + ".lock")
        self._held = False
        self._owner: Tuple[str, str] = ("", "")

    def open(self, deployment: bytes, key: bytes) -> Left:
        """Locks the record and reads it.

        :param deployment: the id of the deployment
        :param key: the public key of the client
        :raises RecordInUse: when another process has it
        :raises InvalidArgument: when it is damaged, or of another deployment or key
        """
        self._take_lock()
        self._owner = (deployment.hex(), key.hex())
        try:
            return self._read()
        except BaseException:
            self.close()
            raise

    def save(self, certificate: int, requests: Sequence[Signed[Request]]) -> None:
        """Replaces the record; when this returns, the disk has it. What :meth:`open` would refuse for its length is not written.

        :raises OSError: when it cannot be written
        """
        deployment, key = self._owner
        found = {
            "format": FORMAT,
            "deployment": deployment,
            "key": key,
            "certificate": str(certificate),
            "open": [encode(request).hex() for request in requests],
        }
        text = json.dumps(found, indent=1) + "\n"
        if len(text) > _MOST_BYTES:
            raise OSError(errno.EFBIG, "it would be longer than %d bytes" % _MOST_BYTES)
        fresh = Path(str(self.path) + ".new")
        with open(fresh, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, self.path)
        _sync_directory(self.path.parent)

    def close(self) -> None:
        """Lets another process have it."""
        if self._held:
            self._held = False
            self._lock.unlink(missing_ok=True)

    # ---- The file ----

    def _read(self) -> Left:
        try:
            with open(self.path, "rb") as file:
                text = file.read(_MOST_BYTES + 1)
        except FileNotFoundError:
            return Left(0, ())
        except OSError as broken:
            raise InvalidArgument("%s cannot be read: %s" % (self.path, broken.strerror)) from None
        if len(text) > _MOST_BYTES:
            raise self._damaged("it is longer than %d bytes" % _MOST_BYTES)
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as broken:
            raise self._damaged(str(broken)) from None
        if not isinstance(found, dict) or set(found) != _NAMES or found["format"] != FORMAT:
            raise self._damaged("it is no record of format %d" % FORMAT)
        for name, own in zip(("deployment", "key"), self._owner):
            if found[name] != own:
                raise InvalidArgument("%s is the record of another %s: use another file" % (self.path, name))
        return self._left(found["certificate"], found["open"])

    def _left(self, certificate: Any, requests: Any) -> Left:
        if not isinstance(certificate, str) or not _CERTIFICATE.fullmatch(certificate) or int(certificate) > MAX_INT:
            raise self._damaged("its certificate is no number")
        if not isinstance(requests, list) or len(requests) > MOST_OPEN:
            raise self._damaged("its requests are no list of at most %d" % MOST_OPEN)
        read: List[Signed[Request]] = []
        for one in requests:
            try:
                request = decode_signed(bytes.fromhex(one), Request)
            except (TypeError, ValueError, Malformed):
                raise self._damaged("it has a request that is none") from None
            if request.message.client[:32].hex() != self._owner[1]:
                raise self._damaged("it has a request of another key")
            read.append(request)
        return Left(int(certificate), tuple(read))

    def _damaged(self, why: str) -> InvalidArgument:
        return InvalidArgument(
            "%s is damaged: %s. Put back a copy, however old, or move it away: then what it had open is not sent again"
            % (self.path, why)
        )

    # ---- The lock ----

    def _take_lock(self) -> None:
        """A lock comes to be with its content, by a link. Should two ever take one at once, both send the same bytes, which count once."""
        mine = Path("%s.%d" % (self._lock, os.getpid()))
        try:
            try:
                mine.write_text("%d %s\n" % (os.getpid(), _started(os.getpid())), "ascii")
                self._link(mine)
            finally:
                mine.unlink(missing_ok=True)
        except OSError as broken:
            raise InvalidArgument("%s cannot be written: %s" % (self._lock, broken.strerror)) from None

    def _link(self, mine: Path) -> None:
        for _ in range(8):
            try:
                os.link(mine, self._lock)
                self._held = True
                return
            except FileExistsError:
                holder = self._holder()
            if holder is not None:
                raise RecordInUse(
                    "%s is in use by process %s: give each process a record of its own" % (self.path, holder)
                )
        raise RecordInUse("%s: other processes take and leave the lock; try again" % self._lock)

    def _holder(self) -> Optional[str]:
        """The process that has the record; none when it ended, and then its lock is gone."""
        try:
            text = self._lock.read_text("ascii", errors="replace")
        except FileNotFoundError:
            return None
        words = text.split()
        if not words or not words[0].isdigit():
            return "unknown (%s is damaged; remove it when no client runs)" % self._lock
        pid = int(words[0])
        if _runs(pid) and (len(words) < 2 or _started(pid) in ("", words[1])):
            return words[0]
        aside = Path("%s.%d.old" % (self._lock, os.getpid()))
        with contextlib.suppress(FileNotFoundError):
            os.rename(self._lock, aside)  # Of two that see this, the second one may get the first one's new lock.
            if aside.read_text("ascii", errors="replace") != text:
                with contextlib.suppress(FileExistsError):
                    os.link(aside, self._lock)
            aside.unlink()
        return None


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _started(pid: int) -> str:
    """When a process began, in a unit of its system; empty where that is not known. A number is given to processes again."""
    try:
        text = Path("/proc/%d/stat" % pid).read_text("ascii", errors="replace")
    except OSError:
        return ""
    return text.rpartition(")")[2].split()[19]


def _sync_directory(directory: Path) -> None:
    with contextlib.suppress(OSError):  # Not every system lets a directory be opened.
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
