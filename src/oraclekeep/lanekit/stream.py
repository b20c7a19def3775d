"""
From the lines that the plugin streamed to what became of each test.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

#: Worst first.
_ORDER = ("failed", "error", "flaky", "skipped", "xfailed", "xpassed", "passed")


@dataclass
class Observed:
    """
    What the parent knows without the report file.  Filled line by line, read when the child has ended.
    """

    collected: dict[str, None] = field(default_factory=dict)
    repeated: list[str] = field(default_factory=list)
    deselected: list[str] = field(default_factory=list)
    uncollected: dict[str, str] = field(default_factory=dict)  # module -> failed or skipped
    reports: dict[str, list[str]] = field(default_factory=dict)
    raised: dict[str, list[str]] = field(default_factory=dict)
    odd: list[str] = field(default_factory=list)
    internal: str = ""
    status: int | None = None

    def outcomes(self) -> dict[str, str]:
        """
        Return the worst of each test's reports; a pass after a rerun is flaky.
        """
        return {nodeid: min(reports, key=_ORDER.index) for nodeid, reports in self.reports.items()}

    def contradictions(self) -> list[str]:
        """
        Return what the reports deny that was seen from inside.
        """
        outcomes = self.outcomes()
        turned = [
            f"{nodeid} raised in its {when}, yet was reported as {outcomes[nodeid]}"
            for nodeid, whens in self.raised.items()
            for when in whens[:1]
            if outcomes.get(nodeid) in ("passed", "xpassed", "skipped")
        ]
        return [*self.odd, *turned]


def read_stream(data: bytes) -> Observed:
    """
    Read all that came through the pipe.
    """
    seen = Observed()
    *lines, rest = data.split(b"\n")
    if rest:
        seen.odd.append("the stream of outcomes ends in the middle of a line")
    for line in lines:
        try:
            event = json.loads(line)
            _take(seen, event)
        except (ValueError, KeyError, TypeError, AttributeError):
            seen.odd.append(f"the stream of outcomes holds a line that is not ours: {line[:80]!r}")
    return seen


def _take(seen: Observed, event: dict[str, Any]) -> None:
    match event["event"]:
        case "collected":
            nodeid = str(event["id"])
            if nodeid in seen.collected and not event.get("worker"):
                seen.repeated.append(nodeid)
            seen.collected[nodeid] = None
        case "deselected":
            seen.deselected.append(str(event["id"]))
        case "uncollected":
            seen.uncollected[str(event["id"])] = str(event["outcome"])
        case "raised":
            if event["kind"] == "error":
                seen.raised.setdefault(str(event["id"]), []).append(str(event["when"]))
        case "report":
            seen.reports.setdefault(str(event["id"]), []).append(_outcome(event))
        case "internal":
            seen.internal = str(event["text"])
        case "finished":
            seen.status = int(event["status"])
        case "left":
            seen.odd.append(f"{event['id']} was skipped by the product itself, in {event['place']}")
        case "meddled":
            seen.odd.append(f"the product meddles with its judges: {event['what']}")
        case "configured":
            pass
        case other:
            raise ValueError(other)


def _outcome(event: dict[str, Any]) -> str:
    outcome, when, xfail = event["outcome"], event["when"], event["xfail"]
    if outcome == "rerun":
        return "flaky"
    if outcome == "failed":
        return "error" if when in ("setup", "teardown") else "failed"
    if outcome == "skipped":
        return "xfailed" if xfail else "skipped"
    if outcome == "passed":
        return "xpassed" if xfail else "passed"
    raise ValueError(outcome)
