"""
An inventory run as JUnit XML: one testcase per property.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any, Final

from .inventory_classes import DRIFT, FROZEN, MISS, NOISE, PASS, PROTOCOL

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Class -> the element that tells it.
_TAGS: Final = {MISS: "failure", NOISE: "failure", PROTOCOL: "error", DRIFT: "error", FROZEN: "skipped"}
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_of(inventory: Mapping[str, Any], name: str) -> bytes:
    """
    Return the report; a property that does not vote (yet) is skipped and says what it found.
    """
    rows = inventory["properties"]
    tags = [_tag(row) for row in rows]
    counts = {
        "tests": len(rows),
        "failures": tags.count("failure"),
        "errors": tags.count("error"),
        "skipped": tags.count("skipped"),
    }
    seconds = sum(row["seconds"] for row in rows)
    attributes = {**{key: str(value) for key, value in counts.items()}, "time": f"{seconds:.3f}"}
    root = ET.Element("testsuites")
    suite = ET.SubElement(root, "testsuite", {"name": name, **attributes})
    for row, tag in zip(rows, tags, strict=True):
        case = ET.SubElement(
            suite,
            "testcase",
            {"classname": "inventory", "name": _xml(row["prop_id"]), "time": f"{row['seconds']:.3f}"},
        )
        if tag:
            ET.SubElement(case, tag, {"type": row["status"], "message": _xml(row["detail"])})
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _tag(row: Mapping[str, Any]) -> str:
    if row["status"] == PASS:
        return ""
    return _TAGS[row["status"]] if row["votes"] else "skipped"


def _xml(text: str) -> str:
    """
    Write what XML has no place for as an escape.
    """
    return _NOT_XML.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
