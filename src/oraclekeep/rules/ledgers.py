"""
Rules about the ledgers: rows of quarantine and freezes, their dates, the cap on both (SPEC §2, §3, §5.5).
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from oraclekeep.model import Finding, PatchKind
from oraclekeep.policy import digests
from oraclekeep.policy.files import in_head, read_file_locks
from oraclekeep.policy.landing import Landing
from oraclekeep.policy.ledgers import INVENTORY, QUARANTINE, quarantine_of, replays_of
from oraclekeep.rules import rule
from oraclekeep.rules.nodeids import missing_test

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from oraclekeep.model import Freeze, Inventory, Policy, Quarantined, Snapshot
    from oraclekeep.paths import Layout
    from oraclekeep.policy.schema import Problem
    from oraclekeep.rules import Patch


@dataclass(frozen=True, slots=True)
class _Row:
    """
    A row of either ledger; rows are the same when all but their lines are.
    """

    path: str
    key: tuple[object, ...]  # what it covers
    test: str
    expires: dt.date
    points: int
    value: Quarantined | Freeze
    line: int = field(compare=False)

    @property
    def expired_row(self) -> str:
        return "quarantine-expired" if self.path == QUARANTINE else "freeze-expired"


@dataclass(frozen=True, slots=True)
class _Ledger:
    """
    One ledger on the three sides of a patch, and how to tell that a row of it names nothing.
    """

    path: str
    base: tuple[_Row, ...]
    tip: tuple[_Row, ...]
    head: tuple[_Row, ...]
    faults: tuple[Problem, ...]
    at_tip: Callable[[_Row], str]
    at_head: Callable[[_Row], str]

    @property
    def fresh(self) -> tuple[_Row, ...]:
        """
        The rows that the patch adds or changes.
        """
        return tuple(row for row in self.head if row not in self.base)

    @property
    def kept(self) -> tuple[_Row, ...]:
        """
        The rows of the tip that still stand, untouched, after the patch.
        """
        taken = {row.key for row in self.base if row not in self.head} | {row.key for row in self.fresh}
        return tuple(row for row in self.tip if row.key not in taken)


@rule(
    "quarantine-added",
    "quarantine-invalid",
    "quarantine-expired",
    "freeze-expired",
    "ledger-lapsed",
    "overdrawn",
)
def ledger_rows(patch: Patch) -> Iterator[Finding]:
    """
    An exception has a reason, a date and a price, or it is none.
    """
    if not patch.policy.adopted:
        return
    cap = patch.policy.intent.debit_cap
    used, added = 0, []
    for ledger in (_quarantine(patch), _freezes(patch)):
        yield from _faults(ledger)
        for row in ledger.kept:
            lapsed = "is past its date" if row.expires <= patch.today else ledger.at_tip(row)
            if lapsed:
                yield Finding(
                    row.path,
                    row.line,
                    "ledger-lapsed",
                    row.test,
                    f"the row for {row.test} {lapsed}: it covers nothing",
                    "an owner removes the row, or renews it in a patch of its own",
                )
            else:
                used += row.points
        for row in ledger.fresh:
            if (bad := _judge(row, ledger, patch)) is not None:
                yield bad
            else:
                used += row.points
                added.append(row)
    for row in added if patch.kind is PatchKind.OWNER else ():
        yield Finding(
            row.path,
            row.line,
            "quarantine-added",
            row.test,
            f"{row.test} does not vote until {row.expires}; {used} of {cap} points are used",
        )
    if used > cap:
        yield Finding(
            QUARANTINE,
            0,
            "overdrawn",
            "",
            f"live rows of both ledgers cost {used} points, and the cap is {cap}",
            "repair a test and remove its row, or have an owner raise `debit_cap` first",
            units=used,
        )


def _judge(row: _Row, ledger: _Ledger, patch: Patch) -> Finding | None:
    horizon = patch.policy.settings.max_exception_days
    if row.expires <= patch.today:
        return Finding(
            row.path,
            row.line,
            row.expired_row,
            row.test,
            f"the row for {row.test} ended on {row.expires}, before it begins",
            "give it a date ahead, or leave it out",
        )
    if (row.expires - patch.today).days > horizon:
        last = patch.today + dt.timedelta(days=horizon)
        return _invalid(
            row.path,
            row.line,
            row.test,
            f"the row for {row.test} lasts until {row.expires}, beyond the horizon of {horizon} days",
            f"{last} is the latest date that `max_exception_days` allows",
        )
    if missing := ledger.at_head(row):
        return _invalid(
            row.path,
            row.line,
            row.test,
            f"the row for {row.test} {missing}",
            "name what stands at head, exactly",
        )
    return None


def _faults(ledger: _Ledger) -> Iterator[Finding]:
    """
    Report each row that is not even well-formed, with everything that is wrong with it.
    """
    rows: dict[int | str, list[Problem]] = {}
    for fault in sorted(ledger.faults, key=lambda each: each.line):
        rows.setdefault(fault.where[1], []).append(fault)
    for found in rows.values():
        yield _invalid(
            ledger.path,
            found[0].line,
            "",
            "; ".join(dict.fromkeys(fault.message for fault in found)),
            "mend the row, or leave it out",
        )


def _invalid(path: str, line: int, test: str, message: str, advice: str) -> Finding:
    return Finding(path, line, "quarantine-invalid", test, message, advice)


@dataclass(frozen=True, slots=True)
class Standing:
    """
    A row of either ledger as it stands in one tree; ``wrong`` says why it covers nothing any more.
    """

    path: str
    line: int
    test: str
    expires: dt.date
    points: int
    value: Quarantined | Freeze
    wrong: str


def standing(tree: Snapshot, policy: Policy, layout: Layout, today: dt.date) -> Iterator[Standing]:
    """
    Yield the rows of both ledgers of one tree, as a merge today would see them.
    """
    sides = (
        (_quarantined(policy.quarantine), _finder(tree, layout)),
        (_frozen(policy.inventory.freezes), _matcher(tree, policy.inventory)),
    )
    for rows, problem in sides:
        for row in rows:
            wrong = "is past its date" if row.expires <= today else problem(row)
            yield Standing(row.path, row.line, row.test, row.expires, row.points, row.value, wrong)


# -------------------------------------------------------------------------------------------- the two ledgers


def _quarantine(patch: Patch) -> _Ledger:
    tip = tuple(_quarantined(patch.policy.quarantine))
    base, head = tip, tip
    faults: tuple[Problem, ...] = ()
    if QUARANTINE in {delta.path for delta in patch.deltas}:
        base = (
            tip
            if patch.base.commit == patch.tip.commit
            else tuple(_quarantined(quarantine_of(patch.base).rows))
        )
        with in_head():
            ledger = quarantine_of(patch.head)
        head, faults = tuple(_quarantined(ledger.rows)), ledger.faults
    return _Ledger(
        QUARANTINE,
        base,
        tip,
        head,
        faults,
        _finder(patch.tip, patch.layout),
        _finder(patch.head, patch.layout),
    )


def _quarantined(rows: Iterable[Quarantined]) -> Iterator[_Row]:
    for row in rows:
        yield _Row(
            QUARANTINE, (row.nodeid,), row.nodeid, row.expires, row.points, replace(row, line=0), row.line
        )


def _finder(tree: Snapshot, layout: Layout) -> Callable[[_Row], str]:
    return lambda row: missing_test(tree, row.test, layout)


def _freezes(patch: Patch) -> _Ledger:
    tip = tuple(_frozen(patch.policy.inventory.freezes))
    base, head = tip, tip
    faults: tuple[Problem, ...] = ()
    after = patch.policy.inventory
    if INVENTORY in {delta.path for delta in patch.deltas}:
        base = (
            tip
            if patch.base.commit == patch.tip.commit
            else tuple(_frozen(replays_of(patch.base).inventory.freezes))
        )
        with in_head():
            found = replays_of(patch.head)
        after, head, faults = found.inventory, tuple(_frozen(found.inventory.freezes)), found.faults
    land = Landing(patch.tip, patch.head, patch.deltas)
    return _Ledger(
        INVENTORY, base, tip, head, faults, _matcher(patch.tip, patch.policy.inventory), _matcher(land, after)
    )


def _frozen(rows: Iterable[Freeze]) -> Iterator[_Row]:
    for row in rows:
        key = (row.property_id, row.seed, row.fixture_sha256)
        yield _Row(
            INVENTORY, key, row.property_id, row.expires_on, row.points, replace(row, line=0), row.line
        )


def _matcher(tree: Snapshot, inventory: Inventory) -> Callable[[_Row], str]:
    """
    Return what tells what is wrong with a freeze's triple in a tree.
    """
    properties = {each.id: each for each in inventory.properties}

    def mismatch(row: _Row) -> str:
        property_id, seed, sha256 = row.key
        found = properties.get(str(property_id))
        if found is None:
            return "names no property of the inventory"
        if found.seed != seed:
            return f"has seed {seed}, and the property's is {found.seed}"
        if getattr(row.value, "fixture", "") not in ("", found.fixture):
            return f"names another fixture than the property, which uses {found.fixture or 'none'}"
        actual = (
            digests.fixture_digest(tree, found.fixture, read_file_locks(tree))
            if found.fixture
            else digests.NOTHING
        )
        return "" if sha256 == actual else f"has another fixture_sha256 than the fixture, which is {actual}"

    return mismatch
