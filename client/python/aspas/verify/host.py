"""The rule for hosts of docs/vectors/texts.json, as every part of the system has it."""

from __future__ import annotations

import re
from typing import Optional

_MOST_CHARACTERS = 253
_GROUPS = 8
_KNOWN = re.compile(r"[A-Za-z0-9.:%\[\]-]*")
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")
_OCTET = re.compile(r"0|[1-9][0-9]{0,2}")
_GROUP = re.compile(r"[0-9A-Fa-f]{1,4}")


def wrong_host(host: object) -> Optional[str]:
    """Why a text is no host, in a word of docs/vectors/texts.json; none when it is one."""
    if not isinstance(host, str):
        return "not-text"
    if not host:
        return "empty"
    if not _KNOWN.fullmatch(host):
        return "bad-character"
    if any(one in host for one in ":[]"):
        return None if _is_v6(host) else "bad-address"
    if "%" in host:
        return "bad-character"
    if len(host) > _MOST_CHARACTERS:
        return "too-long"
    labels = host.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return None if _is_v4(host) else "bad-address"
    if not all(_LABEL.fullmatch(label) for label in labels):
        return "bad-label"
    return "bad-address" if len(labels) > 1 and labels[-1][0].isdigit() else None


def _is_v4(host: str) -> bool:
    numbers = host.split(".")
    return len(numbers) == 4 and all(_OCTET.fullmatch(one) and int(one) <= 255 for one in numbers)


def _is_v6(host: str) -> bool:
    before, gap, behind = host.partition("::")
    if not gap:
        return _groups(host, True) == _GROUPS
    first, last = _groups(before, False), _groups(behind, True)
    return first >= 0 and last >= 0 and first + last < _GROUPS


def _groups(part: str, may_end_in_v4: bool) -> int:
    """How many groups of 16 bits a part of an IPv6 address has; an IPv4 address at its end is two. Less than 0 when it is none."""
    groups = part.split(":") if part else []
    count = 0
    for i, group in enumerate(groups):
        if _GROUP.fullmatch(group):
            count += 1
        elif may_end_in_v4 and i == len(groups) - 1 and _is_v4(group):
            count += 2
        else:
            return -1
    return count
