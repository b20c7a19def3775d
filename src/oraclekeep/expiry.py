"""
The life of both ledgers' rows: which have lapsed, which soon will, which freeze is needless (SPEC §5.5).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.lanekit.inventory_classes import GREEN
from oraclekeep.lanekit.inventory_runner import THAW
from oraclekeep.model import Freeze
from oraclekeep.paths import Layout
from oraclekeep.policy import read_policy
from oraclekeep.policy.ledgers import INVENTORY
from oraclekeep.rules.ledgers import Standing, standing

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Mapping

    from oraclekeep.model import Snapshot

SCHEMA: Final = "oraclekeep/expiry/1"


@dataclass(frozen=True, slots=True)
class Row:
    """
    One row and its state: `lapsed`, `soon` or `live`; ``greens`` counts the green repeats that were given.
    """

    standing: Standing
    state: str
    days: int
    greens: int

    @property
    def thaw(self) -> bool:
        return self.state != "lapsed" and self.greens >= THAW


@dataclass(frozen=True, slots=True)
class Expiry:
    """
    Both ledgers on one day.
    """

    rows: tuple[Row, ...]
    today: dt.date
    used: int
    cap: int

    @property
    def lapsed(self) -> bool:
        return any(row.state == "lapsed" for row in self.rows)

    @property
    def soon(self) -> bool:
        return any(row.state == "soon" for row in self.rows)

    def to_json(self) -> dict[str, Any]:
        """
        Return the answer as `oraclekeep/expiry/1`.
        """
        return {
            "schema": SCHEMA,
            "today": self.today.isoformat(),
            "points": {"used": self.used, "cap": self.cap},
            "rows": [_as_json(row) for row in self.rows],
        }

    def to_text(self) -> str:
        """
        Return a line per row, the most pressing first, and one that sums up.
        """
        lines = [_line(row) for row in self.rows]
        lines.append(f"{len(self.rows)} rows, {self.used} of {self.cap} points used")
        return "".join(f"{line}\n" for line in lines)


def expiry(
    tree: Snapshot, today: dt.date, within: int, runs: Iterable[Iterable[Mapping[str, Any]]]
) -> Expiry:
    """
    Look at both ledgers of a tree; ``runs`` are rows of inventory runs, in which frozen properties ran too.
    """
    policy = read_policy(tree)
    repeats: dict[tuple[object, ...], Counter[str]] = {}
    for run in runs:
        for one in run:
            triple = (one["prop_id"], one.get("seed"), one.get("fixture_sha256"))
            repeats.setdefault(triple, Counter()).update(map(str, one.get("repeats") or ()))
    rows = [
        _row(each, today, within, repeats) for each in standing(tree, policy, Layout.of(tree, policy), today)
    ]
    used = sum(row.standing.points for row in rows if row.state != "lapsed")
    return Expiry(tuple(sorted(rows, key=_pressing)), today, used, policy.intent.debit_cap)


def _row(
    each: Standing, today: dt.date, within: int, repeats: Mapping[tuple[object, ...], Counter[str]]
) -> Row:
    days = (each.expires - today).days
    state = "lapsed" if each.wrong else "soon" if days <= within else "live"
    greens = 0
    if isinstance(each.value, Freeze):
        triple = (each.value.property_id, each.value.seed, each.value.fixture_sha256)
        seen = repeats.get(triple, Counter())
        greens = seen[GREEN] if set(seen) == {GREEN} else 0
    return Row(each, state, days, greens)


def _pressing(row: Row) -> tuple[int, dt.date, str]:
    return ("lapsed", "soon", "live").index(row.state), row.standing.expires, row.standing.test


def _line(row: Row) -> str:
    each = row.standing
    when = (
        f"the row {each.wrong}: it covers nothing; renew or remove it"
        if each.wrong
        else f"ends on {each.expires}, in {row.days} {'day' if row.days == 1 else 'days'}"
    )
    about = [text for key in ("issue", "owner") if (text := getattr(each.value, key, ""))]
    thaw = f"; green {row.greens} times and never red: the freeze can go" if row.thaw else ""
    names = f" ({', '.join(about)})" if about else ""
    return f"{row.state:<6}  {each.path}:{each.line}  {each.test}  {when}{names}{thaw}"


def _as_json(row: Row) -> dict[str, Any]:
    each = row.standing
    return {
        "ledger": "freeze" if each.path == INVENTORY else "quarantine",
        "path": each.path,
        "line": each.line,
        "test": each.test,
        "expires": each.expires.isoformat(),
        "days": row.days,
        "points": each.points,
        "state": row.state,
        "why": each.wrong,
        "reason": each.value.reason,
        "issue": getattr(each.value, "issue", ""),
        "owner": getattr(each.value, "owner", ""),
        "greens": row.greens,
        "thaw": row.thaw,
    }
