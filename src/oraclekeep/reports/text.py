"""
The verdict on a terminal: the decision, why, what to do, and the lanes.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Final

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from oraclekeep.reports import wording

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SHOWN: Final = 25  # findings of each sort; the rest is in verdict.json


def terminal(verdict: Mapping[str, Any], *, color: bool = False, width: int = 100) -> str:
    """
    Render for a terminal; without colour it is plain text for logs.
    """
    buffer = io.StringIO()
    console = Console(
        file=buffer, width=width, force_terminal=color, color_system="standard" if color else None,
        highlight=False, markup=False, emoji=False, legacy_windows=False,
    )  # fmt: skip
    allowed = verdict["decision"] == "allow"
    console.print(
        Text("oraclekeep: " + wording.headline(verdict), style="bold green" if allowed else "bold red")
    )
    console.print(Text(wording.about(verdict)))
    for alert in wording.alerts(verdict):
        console.print(Text(alert, style="yellow"))
    blocking, told = wording.split(verdict)
    _findings(console, "Read this first", [one for one in told if wording.comes_first(one)])
    _findings(console, "Why", blocking)
    if not allowed and not blocking:
        _lines(console, "Why", [wording.one_line(reason) for reason in verdict["reasons"]])
    _lines(console, "What to do", wording.steps(blocking))
    _lanes(console, verdict["lanes"])
    for number, line in enumerate(wording.witness(verdict)[:_SHOWN]):
        console.print(Padding(Text(line), (0, 0, 0, 2 if number else 0)))
    for title, found in wording.sorts(told):
        _findings(console, title, found)
    _lines(console, "About the runs", wording.remarks(verdict))
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"


def _findings(console: Console, title: str, findings: Sequence[Mapping[str, Any]]) -> None:
    if not findings:
        return
    console.print(Text(f"\n{title}", style="bold"))
    for one in findings[:_SHOWN]:
        where = " ".join(
            part for part in (wording.place(one), wording.one_line(one.get("test") or "")) if part
        )
        console.print(Padding(Text(f"{one['rule']} ({wording.price(one)})  {where}"), (0, 0, 0, 2)))
        for line in (wording.message(one), wording.change(one)):
            if line:
                console.print(Padding(Text(line), (0, 0, 0, 6)))
    if len(findings) > _SHOWN:
        console.print(Padding(Text(f"and {len(findings) - _SHOWN} more in .gate/verdict.json"), (0, 0, 0, 2)))


def _lines(console: Console, title: str, lines: Sequence[str]) -> None:
    if lines:
        console.print(Text(f"\n{title}", style="bold"))
    for line in lines[:_SHOWN]:
        console.print(Padding(Text(f"- {line}"), (0, 0, 0, 2)))


def _lanes(console: Console, lanes: Mapping[str, Mapping[str, Any]]) -> None:
    if not lanes:
        return
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="")
    table.add_column("lane")
    table.add_column("result")
    for name in (*wording.COUNTS, "seconds"):
        table.add_column(name, justify="right")
    for name, lane in lanes.items():
        counts = [str(lane[count] or "") for count in wording.COUNTS]
        table.add_row(Text(name), Text(lane["class"]), *counts, wording.seconds(lane["seconds"]))
    console.print()
    console.print(table)
