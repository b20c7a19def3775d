"""
From repeats to a class, and from two runs to one: the tables of the inventory (SPEC §5.3, §5.4) as data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PASS: Final = "pass"  # noqa: S105  # a class, not a password
MISS: Final = "invariant_miss"
NOISE: Final = "noise"
DRIFT: Final = "fixture_drift"
PROTOCOL: Final = "protocol_error"
FROZEN: Final = "frozen"
MISSING: Final = "missing"  # no class of its own: the other run has the property, this one has not

CLASSES: Final = (PASS, MISS, NOISE, DRIFT, PROTOCOL, FROZEN)
#: Classes that block nothing.
CALM: Final = frozenset({PASS, FROZEN})

GREEN: Final = "green"
RED: Final = "red"
ERROR: Final = "error"

#: What two runs of one property come to, the columns in the order of `_COLUMNS`.
_COLUMNS: Final = (PASS, MISS, NOISE, DRIFT, FROZEN, PROTOCOL, MISSING)
_ROWS: Final = {
    PASS: (PASS, NOISE, NOISE, PROTOCOL, PROTOCOL, PROTOCOL, PROTOCOL),
    MISS: (NOISE, MISS, NOISE, PROTOCOL, PROTOCOL, PROTOCOL, PROTOCOL),
    NOISE: (NOISE, NOISE, NOISE, PROTOCOL, PROTOCOL, PROTOCOL, PROTOCOL),
    DRIFT: (PROTOCOL, PROTOCOL, PROTOCOL, DRIFT, PROTOCOL, PROTOCOL, PROTOCOL),
    FROZEN: (PROTOCOL, PROTOCOL, PROTOCOL, PROTOCOL, FROZEN, PROTOCOL, PROTOCOL),
    PROTOCOL: (PROTOCOL, PROTOCOL, PROTOCOL, PROTOCOL, PROTOCOL, PROTOCOL, PROTOCOL),
    MISSING: (PROTOCOL, PROTOCOL, PROTOCOL, PROTOCOL, PROTOCOL, PROTOCOL, PROTOCOL),
}
COMPARED: Final = {
    (first, second): result
    for first, row in _ROWS.items()
    for second, result in zip(_COLUMNS, row, strict=True)
}


def class_of(colours: Sequence[str]) -> str:
    """
    Return the class of the repeats' colours; no repeat at all is an error of the runner.
    """
    seen = set(colours)
    if seen == {GREEN}:
        return PASS
    if seen == {RED}:
        return MISS
    if seen == {GREEN, RED}:
        return NOISE
    return PROTOCOL


def compare(first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """
    Compare two runs property by property, in the order of the first, then of what only the second has.
    """
    left, right = ({row["prop_id"]: row for row in rows} for rows in (first, second))
    return [_pair(prop_id, left.get(prop_id), right.get(prop_id)) for prop_id in {**left, **right}]


def _pair(prop_id: str, first: Mapping[str, Any] | None, second: Mapping[str, Any] | None) -> dict[str, Any]:
    one, two = (MISSING if row is None else str(row["status"]) for row in (first, second))
    status = COMPARED[one, two]
    detail = "" if status in CALM else f"{one} in the first run, {two} in the second"
    for key, word in (("seed", "seeds"), ("fixture_sha256", "digests")):
        values = [row.get(key) for row in (first, second) if row is not None and row.get(key) is not None]
        if len(values) == 2 and values[0] != values[1]:
            status, detail = (
                PROTOCOL,
                f"different {word}: {values[0]} in the first run, {values[1]} in the second",
            )
            break
    said = [str(row["detail"]) for row in (first, second) if row is not None and row.get("detail")]
    if status not in CALM and said:
        detail = f"{detail}; {said[0]}"
    return {"prop_id": prop_id, "status": status, "first": one, "second": two, "detail": detail}
