"""
Findings and weights become a score.  Undefined beats negative beats zero; credits never pay for a loss.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

from oraclekeep.model import Charge, Finding, RowKind, Spend, State
from oraclekeep.rows import FIRST, ROWS

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

    from oraclekeep.model import Allowance, Intent, Weights


def spend(findings: Iterable[Finding], weights: Weights, intent: Intent, today: dt.date) -> Spend:
    """
    Price each finding with base's weights and allowances, and add up.
    """
    table = asdict(weights)
    valid = [one for one in intent.allowances if one.expires > today]
    charges = tuple(sorted((_charge(one, table, valid) for one in findings), key=_order))
    credit = sum(charge.points for charge in charges if charge.kind is RowKind.CREDIT)
    debit = -sum(charge.points for charge in charges if charge.kind is RowKind.NEGATIVE)
    kinds = {charge.kind for charge in charges}
    state = (
        State.UNDEFINED
        if RowKind.UNDEFINED in kinds
        else State.NEGATIVE
        if RowKind.NEGATIVE in kinds
        else State.OK
    )
    score = None if state is State.UNDEFINED else -debit if state is State.NEGATIVE else credit
    counts = Counter(charge.finding.row for charge in charges)
    return Spend(state, score, credit, debit, charges, {row: counts[row] for row in ROWS if counts[row]})


def _charge(finding: Finding, weights: dict[str, int], allowances: list[Allowance]) -> Charge:
    row = ROWS[finding.row]
    match row.kind:
        case RowKind.NOTE | RowKind.UNDEFINED:
            return Charge(finding, 0, row.kind)
        case RowKind.CREDIT:
            return Charge(finding, weights[row.weight] * finding.units, row.kind)
        case RowKind.NEGATIVE:
            leave = next((one for one in allowances if _allows(one, finding)), None)
            if leave is not None:
                return Charge(finding, 0, RowKind.NOTE, f"{leave.issue}: {leave.reason}")
            price = weights[row.weight] if row.weight else 1
            if not price and row.switchable:
                return Charge(finding, 0, RowKind.NOTE)
            return Charge(finding, -max(1, price) * finding.units, row.kind)


def _allows(leave: Allowance, finding: Finding) -> bool:
    """
    An allowance is for one row on one nodeid or property, or on all findings of that row in one path.
    """
    if leave.row != finding.row:
        return False
    if leave.nodeid or leave.property:
        return finding.test in (leave.nodeid, leave.property) and bool(finding.test)
    return bool(leave.path) and finding.path == leave.path


def _order(charge: Charge) -> tuple[int, int, Finding]:
    weight = {RowKind.UNDEFINED: 1, RowKind.NEGATIVE: 2, RowKind.CREDIT: 3, RowKind.NOTE: 4}[charge.kind]
    return (0 if charge.finding.row in FIRST else weight, charge.points, charge.finding)
