"""
The decision table as Markdown: `python -m oraclekeep.reports.tables README.md` writes it between its markers.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from oraclekeep.effects import write_atomic
from oraclekeep.errors import Exit, UsageError
from oraclekeep.rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Sequence

BEGIN: Final = "<!-- rows -->"
END: Final = "<!-- /rows -->"


def rows_table() -> str:
    """
    Return one line for each row, as the code has them.
    """
    lines = []
    for row in ROWS.values():
        weight = f" (`{row.weight}`)" if row.weight else ""
        lines.append(f"| `{row.id}` | {row.observed} | {row.kind.value}{weight} |")
    return "\n".join(("| row | observed | kind |", "|---|---|---|", *lines))


def with_table(text: str) -> str:
    """
    Return a page with the table between its markers.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise UsageError(f"the page has no {BEGIN} … {END}; put both where the table belongs")
    return f"{before}{BEGIN}\n{rows_table()}\n{END}{after}"


def main(argv: Sequence[str]) -> int:
    for name in argv:
        page = Path(name)
        write_atomic(page, with_table(page.read_text(encoding="utf-8")))
    return Exit.ALLOW


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
