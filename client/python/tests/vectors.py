"""Where the test vectors are, and what they hold in the objects of the verifier."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Dict, List, Optional

from aspas.verify import Descriptor, Leaf, PageProof, PathProof

_HERE = Path(__file__).resolve()
DIRECTORY = Path(os.environ.get("ASPAS_VECTORS") or _HERE.parents[3] / "docs" / "vectors")


def load(name: str) -> Dict[str, Any]:
    """One file of docs/vectors."""
    with open(DIRECTORY / name, encoding="utf-8") as file:
        found: Dict[str, Any] = json.load(file)
    return found


def raw(digits: str) -> bytes:
    return bytes.fromhex(digits)


def hashes(digits: List[str]) -> tuple:  # type: ignore[type-arg]
    return tuple(bytes.fromhex(one) for one in digits)


def descriptor() -> Descriptor:
    """The deployment of all vectors."""
    return open_descriptor(load("descriptor.json")["cases"][0])


def open_descriptor(case: Dict[str, Any]) -> Descriptor:
    text = case["text"].encode("utf-8")
    return Descriptor.open(text, signature_file(case["signatureFile"]), raw(case["operatorKey"]))


def signature_file(content: str) -> bytes:
    """What stands in deployment.json.sig: hexadecimal, and a line feed."""
    return bytes.fromhex(content.strip())


def leaf(item: Optional[Dict[str, str]]) -> Optional[Leaf]:
    return None if item is None else Leaf(raw(item["path"]), raw(item["value"]))


def path_proof(item: Dict[str, Any]) -> PathProof:
    return PathProof(hashes(item["siblings"]), leaf(item["terminal"]))


def page_proof(item: Dict[str, Any]) -> PageProof:
    return PageProof(int(item["bits"]), hashes(item["siblings"]), leaf(item["other"]))


def item(shown: Any) -> Any:
    """A CBOR item as the vectors show it."""
    if isinstance(shown, list):
        return tuple(item(one) for one in shown)
    if isinstance(shown, dict):
        if "int" in shown:
            return int(shown["int"])
        return shown["text"] if "text" in shown else raw(shown["bytes"])
    return shown
