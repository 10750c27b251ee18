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
    ``PATH.lock`` names the process that has it. A lock whose process has ended is taken over. Whoever lost it, as when somebody removed it by
    hand, saves and sends nothing more.
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        self.path = Path(path).absolute()
        self._lock = Path("%s.lock" % self.path)
        self._held = False
        #: What stands in its lock: the process, when that began, and what no other lock has.
        self._words = ""
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
        if not self._is_mine():
            raise OSError(errno.EBUSY, "its lock %s is not this client's any more, so that another process may have it" % self._lock)
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
            if self._is_mine():
                self._lock.unlink(missing_ok=True)

    def _is_mine(self) -> bool:
        """Whether this very process still has the lock, and not one from which it was forked."""
        return self._words.startswith("%d " % os.getpid()) and _read_if_there(self._lock) == self._words

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
        """A lock comes to be with its content, by a link."""
        token = os.urandom(8).hex()
        self._words = "%d %s %s\n" % (os.getpid(), _started(os.getpid()) or "-", token)
        mine = Path("%s.%s" % (self._lock, token))
        try:
            try:
                mine.write_text(self._words, "ascii")
                self._link(mine)
            finally:
                mine.unlink(missing_ok=True)
        except OSError as broken:
            raise InvalidArgument("%s cannot be written: %s" % (self._lock, broken.strerror)) from None

    def _link(self, mine: Path) -> None:
        for _ in range(8):
            if _link_if_free(mine, self._lock):
                self._held = True
                return
            words = _read_if_there(self._lock)
            if words is not None:
                self._refuse_if_runs(words)
                self._remove_left(mine, words)
        raise RecordInUse("%s: other processes take and leave the lock; try again" % self._lock)

    def _remove_left(self, mine: Path, words: str) -> None:
        """Removes the lock of a process that ended. One process at a time does so: else the second one would remove the lock that the first
        made anew."""
        taking = Path("%s.taking" % self._lock)
        if not _link_if_free(mine, taking):
            others = _read_if_there(taking)
            if others is not None:
                self._refuse_if_runs(others)
                taking.unlink(missing_ok=True)
            return
        if _read_if_there(self._lock) == words:
            self._lock.unlink(missing_ok=True)
        taking.unlink(missing_ok=True)

    def _refuse_if_runs(self, words: str) -> None:
        found = words.split()
        if not found or not found[0].isdigit():
            holder = "unknown (%s is damaged; remove it when no client runs)" % self._lock
        elif _runs(int(found[0])) and (len(found) < 2 or _started(int(found[0])) in ("", "-", found[1])):
            holder = found[0]
        else:
            return
        raise RecordInUse("%s is in use by process %s: give each process a record of its own" % (self.path, holder))


def _link_if_free(file: Path, name: Path) -> bool:
    """Links a file to a name, unless there is one of that name."""
    try:
        os.link(file, name)
    except FileExistsError:
        return False
    return True


def _read_if_there(path: Path) -> Optional[str]:
    try:
        return path.read_text("ascii", errors="replace")
    except FileNotFoundError:
        return None


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    # Nobody waited for it yet: it has ended all the same.
    return _state_of(pid)[:1] not in (["Z"], ["X"])


def _started(pid: int) -> str:
    """When a process began, in a unit of its system; empty where that is not known. A number is given to processes again."""
    found = _state_of(pid)
    return found[19] if len(found) > 19 else ""


def _state_of(pid: int) -> List[str]:
    """What Linux says of a process, from its state on (proc(5), "stat"); nothing elsewhere."""
    try:
        text = Path("/proc/%d/stat" % pid).read_text("ascii", errors="replace")
    except OSError:
        return []
    return text.rpartition(")")[2].split()


def _sync_directory(directory: Path) -> None:
    with contextlib.suppress(OSError):  # Not every system lets a directory be opened.
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
