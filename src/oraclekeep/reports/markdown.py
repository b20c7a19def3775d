"""
The verdict as Markdown, for a job's summary or a comment: short, and safe with names from outside.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.reports import wording

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: Forges cut comments at 65,536 characters; a cut table is worse than a shorter one.
MAX_BYTES: Final = 60_000
_CUTS: Final = (400, 150, 60, 25, 10, 3, 0)  # findings of each sort, as many as fit


def markdown(verdict: Mapping[str, Any]) -> str:
    """
    Render for a forge, below the size at which it cuts.
    """
    pages = (_page(verdict, shown) for shown in _CUTS)
    return next((page for page in pages if len(page.encode("utf-8", "replace")) < MAX_BYTES), _short(verdict))


def _short(verdict: Mapping[str, Any]) -> str:
    return f"## oraclekeep: {wording.headline(verdict)}\n\nThe details are in `.gate/verdict.json`.\n"


def _page(verdict: Mapping[str, Any], shown: int) -> str:
    blocking, told = wording.split(verdict)
    parts = [f"## oraclekeep: {wording.headline(verdict)}\n", f"{code(wording.about(verdict))}\n"]
    if blocking:
        parts += ["### Why\n", _table(blocking, shown)]
    elif verdict["decision"] != "allow":
        parts += ["### Why\n", "".join(f"- {code(reason)}\n" for reason in verdict["reasons"][:shown])]
    if steps := wording.steps(blocking)[:shown]:
        parts += ["### What to do\n", "".join(f"- {code(step)}\n" for step in steps)]
    changes = [one for one in blocking if wording.change(one)]
    if changes and shown:
        parts.append(_folded("Before and after", _changes(changes[:shown])))
    if verdict["lanes"]:
        parts += ["### Lanes\n", _lanes(verdict["lanes"])]
    if lines := wording.witness(verdict)[: max(shown, 1)]:
        parts.append("\n".join(f"- {code(line)}" for line in lines) + "\n")
    if remarks := wording.remarks(verdict)[:shown]:
        parts.append(_folded("About the runs", "".join(f"- {code(remark, 700)}\n" for remark in remarks)))
    if told and shown:
        parts.append(_folded(f"Also seen ({len(told)})", _table(told, shown)))
    return "\n".join(parts)


def code(text: object, limit: int = 300) -> str:
    """
    Return text as a code span, in which neither Markdown, HTML nor a mention means anything.
    """
    line = wording.one_line(text, limit).replace("|", "\\|")
    if not line:
        return ""
    fence = "`" * (max((len(run) for run in re.findall("`+", line)), default=0) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def _table(findings: Sequence[Mapping[str, Any]], shown: int) -> str:
    lines = ["| row | where | what | points |", "|---|---|---|---|"]
    for one in findings[:shown]:
        where = "<br>".join(part for part in (code(wording.place(one)), code(one.get("test") or "")) if part)
        lines.append(
            f"| {code(one['rule'])} | {where} | {code(wording.message(one))} | {wording.price(one)} |"
        )
    more = len(findings) - shown
    return "\n".join(lines) + "\n" + (f"\nand {more} more in `.gate/verdict.json`\n" if more > 0 else "")


def _changes(findings: Sequence[Mapping[str, Any]]) -> str:
    return "".join(f"- {code(wording.place(one))} {code(wording.change(one), 620)}\n" for one in findings)


def _lanes(lanes: Mapping[str, Mapping[str, Any]]) -> str:
    names = ("lane", "result", *wording.COUNTS, "seconds")
    lines = [f"| {' | '.join(names)} |", "|---|---|" + "---:|" * (len(names) - 2)]
    for name, lane in lanes.items():
        cells = [
            code(name),
            lane["class"],
            *(str(lane[count]) for count in wording.COUNTS),
            wording.seconds(lane["seconds"]),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{body}\n</details>\n"
