"""
The verdict as Markdown, for a job's summary or a comment: short, and safe with names from outside.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.reports import wording

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

#: Forges cut comments at 65,536 characters; a cut table is worse than a shorter one.
MAX_BYTES: Final = 60_000
_CUTS: Final = (400, 150, 60, 25, 10, 3, 0)  # findings of each sort, as many as fit
_REST: Final = "more in `.gate/verdict.json`"


def markdown(verdict: Mapping[str, Any]) -> str:
    """
    Render for a forge, below the size at which it cuts; what is left out is counted, and named where it is.
    """
    pages = ("\n".join(_page(verdict, shown)) for shown in _CUTS)
    return next((page for page in pages if len(page.encode("utf-8", "replace")) < MAX_BYTES), _short(verdict))


def _short(verdict: Mapping[str, Any]) -> str:
    return f"{_head(verdict)}\nAll {len(verdict['findings'])} findings are in `.gate/verdict.json`.\n"


def _head(verdict: Mapping[str, Any]) -> str:
    return (
        f"## oraclekeep: {wording.headline(verdict)}\n\n"
        f"{wording.summary(verdict)}\n\n{code(wording.about(verdict))}\n"
    )


def _page(verdict: Mapping[str, Any], shown: int) -> Iterator[str]:
    blocking, told = wording.split(verdict)
    yield _head(verdict)
    yield from (f"> {alert}\n" for alert in wording.alerts(verdict))
    if first := [one for one in told if wording.comes_first(one)]:
        yield from ("### Read this first\n", _table(first, shown))
    if blocking:
        yield from ("### Why\n", _table(blocking, shown))
    elif verdict["decision"] != "allow":
        yield from ("### Why\n", _list([code(reason) for reason in verdict["reasons"]], shown))
    if steps := wording.steps(blocking):
        yield from ("### What to do\n", _list([code(step) for step in steps], shown))
    if changes := [one for one in blocking if wording.change(one)]:
        yield _folded(f"Before and after ({len(changes)})", _changes(changes, shown))
    if verdict["lanes"]:
        yield from ("### Lanes\n", _lanes(verdict["lanes"]))
    if lines := wording.witness(verdict):
        yield f"{code(lines[0])}\n"
        if lines[1:]:
            yield _folded("Both environments", _list([code(line) for line in lines[1:]], shown))
    if remarks := wording.remarks(verdict):
        yield _folded("About the runs", _list([code(remark, 700) for remark in remarks], shown))
    for title, found in wording.sorts(told):
        yield _folded(f"{title} ({len(found)})", _table(found, shown))


def code(text: object, limit: int = 300) -> str:
    """
    Return text as a code span, in which neither Markdown, HTML nor a mention means anything.
    """
    line = wording.one_line(text, limit)
    if not line:
        return ""
    fence = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def cell(text: object) -> str:
    """
    Return text as a code span in a table, which is cut at bars even inside code.
    """
    return code(text).replace("|", "\\|")


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def _table(findings: Sequence[Mapping[str, Any]], shown: int) -> str:
    lines = ["| row | where | what | points |", "|---|---|---|---|"] * bool(shown)
    for one in findings[:shown]:
        where = "<br>".join(part for part in (cell(wording.place(one)), cell(one.get("test") or "")) if part)
        allowed = f"<br>allowed: {cell(one['allowed_by'])}" if one.get("allowed_by") else ""
        what = f"{cell(wording.message(one))}{allowed}"
        lines.append(f"| {cell(one['rule'])} | {where} | {what} | {wording.price(one)} |")
    return "".join(f"{line}\n" for line in lines) + _left_out(len(findings) - shown, "\n" * bool(shown))


def _list(lines: Sequence[str], shown: int) -> str:
    return "".join(f"- {line}\n" for line in lines[:shown]) + _left_out(len(lines) - shown, "- ")


def _left_out(more: int, lead: str) -> str:
    return f"{lead}and {more} {_REST}\n" if more > 0 else ""


def _changes(findings: Sequence[Mapping[str, Any]], shown: int) -> str:
    """
    Show checks as diffs.  A fence is longer than any run of backticks in it, so that nothing ends it early.
    """
    parts = []
    for one in findings[:shown]:
        before, after = wording.sides(one)
        told = ((" ", before),) if before == after else (("-", before), ("+", after))
        lines = [f"{sign} {text}" for sign, text in told if text is not None]
        fence = "`" * max(3, _longest_run("".join(lines)) + 1)
        parts.append(
            "\n".join((f"{code(wording.place(one) or one['rule'])}\n", f"{fence}diff", *lines, fence))
        )
    return "\n\n".join(parts) + "\n" + _left_out(len(findings) - shown, "\n")


def _lanes(lanes: Mapping[str, Mapping[str, Any]]) -> str:
    names = ("lane", "result", *wording.COUNTS, "seconds")
    lines = [f"| {' | '.join(names)} |", "|---|---|" + "---:|" * (len(names) - 2)]
    for name, lane in lanes.items():
        cells = [
            cell(name),
            lane["class"],
            *(str(lane[count]) for count in wording.COUNTS),
            wording.seconds(lane["seconds"]),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{body}\n</details>\n"
