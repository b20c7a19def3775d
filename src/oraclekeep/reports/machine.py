"""
The verdict for machines: the document itself, and one merged JUnit file.
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET  # writes, and reads nothing
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.nodeids import as_text, pair_of
from oraclekeep.reports import wording

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: What a test came to -> the child that says so; a test without one has passed.
_RESULTS: Final = {
    "failed": "failure",
    "error": "error",
    "flaky": "failure",
    "unknown": "error",
    "skipped": "skipped",
    "xfailed": "skipped",
}
#: Attribute of a suite -> the child that it counts.
_COUNTED: Final = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def as_json(verdict: Mapping[str, Any]) -> str:
    """
    Write the document itself; names that are not UTF-8 are escaped, so that any reader takes it.
    """
    return json.dumps(verdict, indent=2, allow_nan=False) + "\n"


def junit(verdict: Mapping[str, Any]) -> str:
    """
    Merge all lanes into one file, with one more suite that holds a testcase per finding.

    It keeps to what the strictest readers ask for: names and classnames throughout, counts that are true, no
    two findings of one name, times with three digits, nothing that XML can't hold.
    """
    root = ET.Element("testsuites", name="oraclekeep")
    for name, lane in verdict["lanes"].items():
        _suite(root, name, (_case(name, test) for test in lane["tests"]))
    seen: Counter[tuple[str, str]] = Counter()
    _suite(root, "findings", [_finding(one, seen) for one in verdict["findings"]])
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in root)))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _suite(root: ET.Element, name: str, cases: Iterable[ET.Element]) -> None:
    suite = ET.SubElement(root, "testsuite", name=_xml(name))
    suite.extend(cases)
    children = Counter(child.tag for case in suite for child in case)
    suite.set("tests", str(len(suite)))
    for key, tag in _COUNTED.items():
        suite.set(key, str(children[tag]))
    suite.set("time", f"{sum(float(case.get('time', '0')) for case in suite):.3f}")


def _case(lane: str, test: Mapping[str, Any]) -> ET.Element:
    classname, name = pair_of(test["nodeid"])
    case = ET.Element("testcase", classname=_xml(classname) or _xml(lane), name=_xml(name))
    if test["seconds"] is not None:
        case.set("time", f"{test['seconds']:.3f}")
    if tag := _RESULTS.get(test["outcome"]):
        _result(case, tag, test["outcome"], wording.one_line(test["message"]))
    return case


def _finding(finding: Mapping[str, Any], seen: Counter[tuple[str, str]]) -> ET.Element:
    row, test = finding["rule"], wording.one_line(finding.get("test") or "")
    where = wording.place(finding) or finding.get("lane", "") or row
    name = f"{test} (line {finding['line']})" if test and finding["line"] else test or where
    seen[row, name] += 1
    number = f" #{seen[row, name]}" if seen[row, name] > 1 else ""
    case = ET.Element("testcase", classname=row, name=_xml(name + number))
    if finding["gate"] == "reject":
        said = wording.message(finding)
        details = (said, where, wording.change(finding), wording.one_line(finding.get("advice") or ""))
        _result(case, "failure", row, said, "\n".join(line for line in details if line))
    return case


def _result(case: ET.Element, tag: str, kind: str, message: str, text: str = "") -> None:
    child = ET.SubElement(case, tag, type=kind, message=_xml(message))
    if text or message:
        child.text = "\n".join(map(_xml, (text or message).splitlines()))


def _xml(text: str) -> str:
    return as_text(wording.printable(text))
