"""
The rows as a page: `python -m oraclekeep.reports.rows_page docs/rows.md` writes it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Final

from oraclekeep.effects import write_atomic
from oraclekeep.errors import Exit
from oraclekeep.explanations import EXPLANATIONS
from oraclekeep.rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oraclekeep.rows import Row

_INTRO: Final = """\
# Rows of the decision table

Each finding of a verdict names one of these rows; `oraclekeep explain ROW` prints the same text. *negative*
rows cost points and reject, *undefined* rows reject whatever the score, the *credit* row earns points, *note*
rows are reported. Base says what is allowed: an owner lands an allowance before the patch that needs it."""
_WIDTH: Final = 120


def rows_page() -> str:
    """
    Return the page, one section for each row, as the code has them.
    """
    return "\n\n".join((_INTRO, *(_section(row) for row in ROWS.values()))) + "\n"


def _section(row: Row) -> str:
    words = EXPLANATIONS[row.id]
    lines = words.example.splitlines()
    language = "diff" if any(line.startswith(("+", "-")) for line in lines) else "text"
    return "\n\n".join(
        (
            f"## {row.id}",
            f"*{row.kind}*{_price(row)}",
            _paragraph("What it means", f"{row.observed}."),
            _paragraph("Why it matters", words.why),
            "**Example**",
            "\n".join((f"```{language}", *lines, "```")),
            _paragraph("When to allow it", words.allow),
        )
    )


def _price(row: Row) -> str:
    fixed = "" if row.switchable or not row.weight else ", can't be switched off"
    return f", `{row.weight}` points each{fixed}" if row.weight else ""


def _paragraph(title: str, text: str) -> str:
    return fill(f"**{title}:** {text}", _WIDTH, break_long_words=False, break_on_hyphens=False)


def main(argv: Sequence[str]) -> int:
    for name in argv:
        write_atomic(Path(name), rows_page())
    return Exit.ALLOW


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
