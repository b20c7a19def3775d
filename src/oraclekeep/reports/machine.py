"""
The verdict for machines: JSON, SARIF, and one merged JUnit file.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

import oraclekeep
from oraclekeep.model import RowKind
from oraclekeep.nodeids import as_text, pair_of
from oraclekeep.reports import wording
from oraclekeep.rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Mapping

_RESULTS: Final = {
    "failed": Failure,
    "error": Error,
    "flaky": Failure,
    "unknown": Error,
    "skipped": Skipped,
    "xfailed": Skipped,
}
_LEVELS: Final = {RowKind.UNDEFINED: "error", RowKind.NEGATIVE: "error"}


def as_json(verdict: Mapping[str, Any]) -> str:
    """
    Write the document itself; names that are not UTF-8 are escaped, so that any reader takes it.
    """
    return json.dumps(verdict, indent=2) + "\n"


def junit(verdict: Mapping[str, Any]) -> str:
    """
    Merge all lanes into one file, with one more suite that holds a testcase per finding.
    """
    merged = JUnitXml("oraclekeep")
    for name, lane in verdict["lanes"].items():
        merged.add_testsuite(_suite(name, [_case(test) for test in lane["tests"]]))
    merged.add_testsuite(_suite("findings", [_finding(finding) for finding in verdict["findings"]]))
    text: bytes | str = merged.tostring()  # type: ignore[no-untyped-call]  # junitparser has no types here
    return text.decode("utf-8") if isinstance(text, bytes) else text


def _suite(name: str, cases: list[TestCase]) -> TestSuite:
    suite = TestSuite(name)
    suite.add_testcases(cases)  # one by one, each would count all of them again
    return suite


def _case(test: Mapping[str, Any]) -> TestCase:
    classname, name = pair_of(test["nodeid"])
    case = TestCase(_xml(name), _xml(classname) or None, test["seconds"])
    kind = _RESULTS.get(test["outcome"])
    if kind is not None:
        case.result = [kind(_xml(wording.one_line(test["message"])), test["outcome"])]
    return case


def _finding(finding: Mapping[str, Any]) -> TestCase:
    about = finding.get("test") or wording.place(finding) or finding.get("lane", "")
    case = TestCase(_xml(wording.one_line(about) or finding["rule"]), finding["rule"])
    if finding["gate"] == "reject":
        case.result = [Failure(_xml(wording.message(finding)), finding["rule"])]
    return case


def _xml(text: str) -> str:
    return as_text(wording.printable(text))


def sarif(verdict: Mapping[str, Any]) -> str:
    """
    Write the findings as SARIF 2.1.0, which forges show beside the lines.
    """
    used = sorted({finding["rule"] for finding in verdict["findings"]})
    rules = [{"id": row, "shortDescription": {"text": ROWS[row].observed}} for row in used]
    driver = {"name": "oraclekeep", "version": oraclekeep.__version__, "rules": rules}
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": [_result(one) for one in verdict["findings"]]}],
    }
    return json.dumps(document, indent=2) + "\n"


def _result(finding: Mapping[str, Any]) -> dict[str, Any]:
    level = _LEVELS.get(ROWS[finding["rule"]].kind, "warning") if finding["gate"] == "reject" else "note"
    told = [wording.one_line(finding.get("test") or ""), wording.message(finding), wording.change(finding)]
    region = {"region": {"startLine": finding["line"]}} if finding["line"] > 0 else {}
    where = {"physicalLocation": {"artifactLocation": {"uri": wording.one_line(finding["path"])}, **region}}
    return {
        "ruleId": finding["rule"],
        "level": level,
        "message": {"text": ": ".join(part for part in told if part)},
        **({"locations": [where]} if finding["path"] else {}),
    }
