"""
`explain` and `power-of` as text and JSON.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from oraclekeep.errors import UsageError
from oraclekeep.explanations import EXPLANATIONS
from oraclekeep.rows import ROWS

if TYPE_CHECKING:
    from oraclekeep.power import Power


def explained(row_id: str, *, as_json: bool) -> str:
    """
    Say what a row means, why it matters, an example, and when a human may allow it and how.

    Raises `UsageError` for an unknown row, naming the nearest one.
    """
    row = ROWS.get(row_id)
    if row is None:
        near = difflib.get_close_matches(row_id, ROWS, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else "; `oraclekeep explain` lists them"
        raise UsageError(f"no row is called {row_id!r}{hint}")
    words = EXPLANATIONS[row_id]
    if as_json:
        return json.dumps(
            {
                "schema": "oraclekeep/row/1",
                "id": row.id,
                "kind": str(row.kind),
                "weight": row.weight or None,
                "observed": row.observed,
                **asdict(words),
            },
            indent=2,
        )
    price = f", {row.weight} points each" if row.weight else ""
    return "\n".join(
        [
            f"{row.id}  ({row.kind}{price})",
            "",
            f"What it means:  {row.observed}.",
            f"Why it matters: {words.why}",
            "",
            "Example:",
            *(f"    {line}" for line in words.example.splitlines()),
            "",
            f"When to allow it: {words.allow}",
        ]
    )


def listed(*, as_json: bool) -> str:
    if as_json:
        return json.dumps(
            {
                "schema": "oraclekeep/rows/1",
                "rows": [
                    {"id": row.id, "kind": str(row.kind), "observed": row.observed} for row in ROWS.values()
                ],
            },
            indent=2,
        )
    width = max(len(row_id) for row_id in ROWS)
    return "\n".join(f"{row.id:<{width}}  {row.kind:<9}  {row.observed}" for row in ROWS.values())


def power_text(power: Power, *, as_json: bool) -> str:
    if as_json:
        return json.dumps({"schema": "oraclekeep/power/1", **asdict(power)}, indent=2)
    lines = [
        (
            f"{power.commit[:12]}: {power.total} oracles in {len(power.by_test)} tests, "
            f"{power.weighted} weighted by strength"
        ),
        "",
    ]
    lines += [f"  {count:>6}  {kind}" for kind, count in power.by_kind.items()]
    empty = sum(1 for count in power.by_test.values() if not count)
    lines += ["", f"{empty} test(s) hold no oracle that the scorer can see."] * bool(empty)
    lines += [f"unreadable: {path}" for path in power.unreadable]
    return "\n".join(lines)
