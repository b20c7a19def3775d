"""
The findings as SARIF 2.1.0, which forges and editors show beside the lines.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import oraclekeep
from oraclekeep.explanations import EXPLANATIONS
from oraclekeep.model import RowKind
from oraclekeep.reports import wording
from oraclekeep.rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: Where a finding is of no file: forges refuse a result without a place.
_NOWHERE: Final = ".gate/verdict.json"
_FINGERPRINT: Final = "oraclekeepFinding/v1"


def sarif(verdict: Mapping[str, Any]) -> str:
    """
    Write every finding: what rejects as an error, good news as information, what base allows as suppressed.
    """
    findings = verdict["findings"]
    used = [row for row in ROWS if any(one["rule"] == row for one in findings)]
    prints = _fingerprints(findings)
    run = {
        "tool": {
            "driver": {
                "name": "oraclekeep",
                "version": oraclekeep.__version__,
                "rules": [_rule(row) for row in used],
            }
        },
        "automationDetails": {"id": "oraclekeep/"},
        "invocations": [{"executionSuccessful": True}],
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The root of the repository."}}},
        "results": [
            {**_result(one, used), "partialFingerprints": {_FINGERPRINT: mark}}
            for one, mark in zip(findings, prints, strict=True)
        ],
        "properties": {
            key: verdict.get(key) for key in ("decision", "state", "score", "mode", "base", "head")
        },
    }
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(document, indent=2) + "\n"


def _rule(row: str) -> dict[str, Any]:
    words = EXPLANATIONS[row]
    parts = ("Why it matters", words.why), ("When to allow it", words.allow)
    plain = [f"{title}: {text}" for title, text in parts]
    marked = [f"**{title}:** {text}" for title, text in parts]
    plain.insert(1, f"Example:\n{words.example}")
    marked.insert(1, f"**Example**\n\n```\n{words.example}\n```")
    blocks = ROWS[row].kind in (RowKind.NEGATIVE, RowKind.UNDEFINED)
    return {
        "id": row,
        "name": "".join(part.capitalize() for part in row.split("-")),
        "shortDescription": {"text": f"{_sentence(ROWS[row].observed)}."},
        "fullDescription": {"text": f"{_sentence(words.why)}"},
        "help": {"text": "\n\n".join(plain), "markdown": "\n\n".join(marked)},
        "defaultConfiguration": {"level": "error" if blocks else "note"},
        "properties": {"kind": str(ROWS[row].kind)},
    }


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _result(finding: Mapping[str, Any], used: Sequence[str]) -> dict[str, Any]:
    row, allowed = finding["rule"], finding.get("allowed_by")
    good = row in wording.GOOD_NEWS and finding["gate"] != "reject"
    level = "error" if finding["gate"] == "reject" else "none" if good else "note"
    suppressed = {"kind": "external", "status": "accepted", "justification": wording.one_line(allowed)}
    return {
        "ruleId": row,
        "ruleIndex": used.index(row),
        "kind": "informational" if good else "fail",
        "level": level,
        "message": {"text": _message(finding)},
        "locations": [_location(finding)],
        **({"suppressions": [suppressed]} if allowed else {}),
        "properties": _properties(finding),
    }


def _message(finding: Mapping[str, Any]) -> str:
    """
    Say what happened in plain text, in which SARIF would read `[text](target)` as a link and `{0}` as a gap.
    """
    line = finding["line"]
    at_base = f"line {line} of base" if line > 0 and wording.side(finding) == "base" else ""
    told = (
        wording.one_line(finding.get("test") or ""),
        wording.message(finding),
        wording.change(finding),
        at_base,
    )
    text = ": ".join(part for part in told if part)
    return re.sub(r"\{(\d+)\}", r"{{\1}}", text.replace("](", "] ("))


def _location(finding: Mapping[str, Any]) -> dict[str, Any]:
    """
    Point at the line where it is one of head.

    A check that is gone has a line of base: in head's file another line would be blamed, so that only the
    file is named, also where the file itself is gone.
    """
    place: dict[str, Any] = {
        "artifactLocation": {"uri": _uri(finding["path"]) or _NOWHERE, "uriBaseId": "%SRCROOT%"}
    }
    if finding["path"] and finding["line"] > 0 and wording.side(finding) == "head":
        place["region"] = {"startLine": finding["line"]}
    test = wording.one_line(finding.get("test") or "")
    logical = {"logicalLocations": [{"fullyQualifiedName": test, "kind": "function"}]} if test else {}
    return {"physicalLocation": place, **logical}


def _uri(path: str) -> str:
    """
    Return a relative URI reference; bytes that are not UTF-8 and everything that is not plain are encoded.
    """
    return quote(path.encode("utf-8", "surrogatepass" if _lone(path) else "surrogateescape").lstrip(b"/"))


def _lone(path: str) -> bool:
    return re.search("[\ud800-\udc7f\udd00-\udfff]", path) is not None


def _properties(finding: Mapping[str, Any]) -> dict[str, Any]:
    told = {
        "gate": finding["gate"],
        "points": finding["points"],
        "side": wording.side(finding) if finding["line"] > 0 else None,
        "line": finding["line"] or None,
        "lane": finding.get("lane"),
        "advice": wording.one_line(finding.get("advice") or "") or None,
    }
    return {key: value for key, value in told.items() if value is not None}


def _fingerprints(findings: Sequence[Mapping[str, Any]]) -> list[str]:
    """
    Name each finding by all but its line and wording, so that it is known again when lines move.

    Those that would share a name are counted.
    """
    seen: Counter[str] = Counter()
    marks = []
    for one in findings:
        parts = [str(one.get(key) or "") for key in ("path", "rule", "test", "before", "after", "lane")]
        mark = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        seen[mark] += 1
        marks.append(f"{mark}:{seen[mark]}")
    return marks
