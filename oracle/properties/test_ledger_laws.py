"""
A ledger survives the trip through its file.
"""

from __future__ import annotations

import datetime as dt
import json

from hypothesis import given
from hypothesis import strategies as st

from oraclekeep.policy.ledgers import read_quarantine

NAMES = st.text("abcdefgh_", min_size=1, max_size=8)
ROWS = st.fixed_dictionaries(
    {
        "nodeid": st.tuples(NAMES, NAMES).map(lambda pair: f"tests/test_{pair[0]}.py::test_{pair[1]}"),
        "issue": NAMES,
        "expires": st.dates(dt.date(2026, 1, 1), dt.date(2030, 1, 1)).map(dt.date.isoformat),
        "points": st.integers(1, 9),
        "reason": NAMES,
    }
)


@given(st.lists(ROWS, max_size=5, unique_by=lambda row: row["nodeid"]))
def test_a_ledger_survives_a_round_trip(make_tree, rows):
    text = json.dumps({"items": rows}, indent=2)
    found = read_quarantine(make_tree({"oracle/quarantine.json": text}))
    back = [
        {
            "nodeid": row.nodeid,
            "issue": row.issue,
            "expires": row.expires.isoformat(),
            "points": row.points,
            "reason": row.reason,
        }
        for row in found
    ]
    assert back == rows
