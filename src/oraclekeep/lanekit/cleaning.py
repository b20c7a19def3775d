"""
Takes the canaries out of a report, so that they are in no count that anybody reads.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_BYTES = 64 * 1024 * 1024


def cleaned(report: bytes, canaries: Sequence[str], prefix: str = "") -> bytes:
    """
    Return the report without the testcases of the planted modules, each place named from the tree's root.

    ``prefix`` is the folder, with its slash, that the report names places from.  What can't be parsed, or has
    a DOCTYPE, is handed on as it is: the verdict refuses it and says why.
    """
    if not (canaries or prefix) or len(report) > MAX_BYTES or b"<!DOCTYPE" in report:
        return report
    try:
        root = ET.fromstring(report)  # noqa: S314  # without a DOCTYPE there is no entity to expand
    except ET.ParseError:
        return report
    for case in root.iter("testcase") if prefix else ():
        # A module that could not be imported has a name alone.
        key = "classname" if case.get("classname") else "name"
        case.set(key, prefix.replace("/", ".") + case.get(key, ""))
    dotted = tuple(path.removesuffix(".py").replace("/", ".") for path in canaries)
    for parent in list(root.iter()):
        for case in parent.findall("testcase"):
            place = case.get("classname") or case.get("name") or ""
            if any(place == module or place.startswith(module + ".") for module in dotted):
                parent.remove(case)
    for suite in root.iter("testsuite"):
        cases = list(suite.iter("testcase"))
        suite.set("tests", str(len(cases)))
        for counter, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            suite.set(counter, str(sum(case.find(tag) is not None for case in cases)))
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))
