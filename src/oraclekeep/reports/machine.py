"""
The verdict for machines: the document itself, and one merged JUnit file.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from oraclekeep.nodeids import as_text, pair_of
from oraclekeep.reports import wording

if TYPE_CHECKING:
    from collections.abc import Mapping

    from junitparser.junitparser import FinalResult

#: What a test came to -> the child that says so; a test without one has passed.
_RESULTS: Final = {
    "failed": Failure,
    "error": Error,
    "flaky": Failure,
    "unknown": Error,
    "skipped": Skipped,
    "xfailed": Skipped,
}


def as_json(verdict: Mapping[str, Any]) -> str:
    """
    Write the document itself; names that are not UTF-8 are escaped, so that any reader takes it.
    """
    return json.dumps(verdict, indent=2, allow_nan=False) + "\n"


def junit(verdict: Mapping[str, Any]) -> str:
    """
    Merge all lanes into one file, with one more suite that holds a testcase per finding.

    It keeps to what the strictest readers ask for: names and classnames throughout, counts that are true, no
    two findings of one name, times without an exponent, nothing that XML can't hold.
    """
    merged = JUnitXml("oraclekeep")
    for name, lane in verdict["lanes"].items():
        merged.add_testsuite(_suite(name, [_case(name, test) for test in lane["tests"]]))
    seen: Counter[tuple[str, str]] = Counter()
    merged.add_testsuite(_suite("findings", [_finding(one, seen) for one in verdict["findings"]]))
    suites = list(merged)
    merged.tests, merged.failures, merged.errors = (
        sum(getattr(suite, key) for suite in suites) for key in ("tests", "failures", "errors")
    )
    written = io.BytesIO()
    merged.write(written)
    return written.getvalue().decode("utf-8")


def _suite(name: str, cases: list[TestCase]) -> TestSuite:
    suite = TestSuite(_xml(name))
    suite.add_testcases(cases)  # one by one, each would count all of them again
    suite.time = round(suite.time or 0, 3)
    return suite


def _case(lane: str, test: Mapping[str, Any]) -> TestCase:
    classname, name = pair_of(test["nodeid"])
    seconds = test["seconds"]
    rounded = None if seconds is None else round(seconds, 3)  # 1e-05 is no decimal
    case = TestCase(_xml(name), _xml(classname) or _xml(lane), rounded)
    kind = _RESULTS.get(test["outcome"])
    if kind is not None:
        message = _xml(wording.one_line(test["message"]))
        case.result = [_told(kind, message, test["outcome"], message)]
    return case


def _finding(finding: Mapping[str, Any], seen: Counter[tuple[str, str]]) -> TestCase:
    row, test = finding["rule"], wording.one_line(finding.get("test") or "")
    where = wording.place(finding) or finding.get("lane", "") or row
    name = f"{test} (line {finding['line']})" if test and finding["line"] else test or where
    seen[row, name] += 1
    number = f" #{seen[row, name]}" if seen[row, name] > 1 else ""
    case = TestCase(_xml(name + number), row)
    if finding["gate"] == "reject":
        said = wording.message(finding)
        details = (said, where, wording.change(finding), wording.one_line(finding.get("advice") or ""))
        text = "\n".join(_xml(line) for detail in details if detail for line in detail.splitlines())
        case.result = [_told(Failure, _xml(said), row, text)]
    return case


def _told(kind: type[FinalResult], message: str, sort: str, text: str) -> FinalResult:
    result = kind(message, sort)
    result.text = text
    return result


def _xml(text: str) -> str:
    return as_text(wording.printable(text))
