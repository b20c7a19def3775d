"""
Two inventory runs of two runners: they agree, they do not and why, or there is nothing to compare.

Pure.  What a run says of itself was checked before (`lane_reading`); one that may not be believed comes here
with the reasons and is compared with nothing.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from oraclekeep import nodeids
from oraclekeep.inventory.classify import Compared
from oraclekeep.inventory.classify import compare as compare_rows
from oraclekeep.lane_reading import ADVICE
from oraclekeep.lanekit.inventory_classes import MISSING
from oraclekeep.model import Finding, InventoryClass
from oraclekeep.replays import Run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from oraclekeep.model import Lane
    from oraclekeep.replays import Row

#: What two environments may differ in, in the order in which reports show it.
ENVIRONMENT: Final = ("os", "machine", "python", "tz", "locale", "cpus", "packages")
_PATH: Final = "invariants/inventory.yaml"
_SHOWN: Final = 6  # differences in one sentence; all of them are in verdict.json


class Standing(enum.StrEnum):
    """
    Where a witness stands; what blocks comes first.
    """

    DISAGREES = "disagrees"
    PROTOCOL_ERROR = "protocol-error"  # it is not of this run, or not to be believed
    COULD_NOT_RUN = "could-not-run"  # it ran, and not one property came to an answer
    AGREES = "agrees"
    SAME_MACHINE = "same-machine"  # no witness: the main run's own runner
    NONE = "none"


_ORDER: Final = tuple(Standing)
#: Only these saw the inventory run somewhere else.
_COUNTS: Final = frozenset({Standing.AGREES, Standing.DISAGREES})


@dataclass(frozen=True, slots=True)
class Comparison:
    """
    What the witnesses come to: `verdict.json`'s part, what blocks, and what is only told.
    """

    document: Mapping[str, Any]
    blocking: tuple[Finding, ...] = ()
    notes: tuple[Finding, ...] = ()


def compare(mains: Sequence[Run], witnesses: Sequence[Run], *, required: bool) -> Comparison:
    """
    Compare each witness with the main run of its shard.

    A witness never votes: where both say red, or both say green, there is nothing to find.  Where they do
    not, it blocks, even if the second run was on the main run's own machine and counts for nothing else.  The
    replay under varied pins is not compared (SPEC §7): it tells a steady witness from one that wobbles, and a
    property that is red only there is told.
    """
    seen = [_seen(one, main) for one in witnesses for main in _mains(one, mains)]
    blocking = [finding for one in seen for finding in one.blocking]
    standings = [one.standing for one in seen] or [Standing.NONE]
    if required and seen and not _COUNTS.intersection(standings):
        blocking.append(_uncounted(seen))
    document = {
        "state": str(min(standings, key=_ORDER.index)),
        "required": required,
        "runs": [one.to_json() for one in seen],
    }
    return Comparison(document, tuple(blocking), tuple(finding for one in seen for finding in one.notes))


def joined(lane: Lane, comparison: Comparison) -> Lane:
    """
    Return the witness' lane as the comparison leaves it.
    """
    klass = "red" if comparison.blocking and lane.klass == "green" else lane.klass
    return replace(lane, klass=klass, notes=(*lane.notes, *comparison.notes))


def _mains(witness: Run, mains: Sequence[Run]) -> Sequence[Run]:
    """
    Return the main runs that a witness replays: of its own shard, else the one without, else every one.
    """
    for shard in (witness.shard, ""):
        if found := [one for one in mains if one.shard == shard]:
            return found
    return mains or (Run(place="", doubts=("the lane `inventory` left nothing to compare with",)),)


def _uncounted(seen: Sequence[_Seen]) -> Finding:
    told = "; ".join(f"{one.witness.place}: {one.standing.replace('-', ' ')}" for one in seen)
    return Finding(
        path="",
        line=0,
        row="witness-missing",
        message=f"a witness is required and none counts ({told})",
        advice="run `nox -s witness` on another runner; ORACLEKEEP_RUNNER names it",
    )


@dataclass(frozen=True, slots=True)
class Difference:
    """
    One property on which two runs do not say the same.
    """

    prop_id: str
    main: str
    witness: str
    row: str  # of the decision table
    kind: str  # disagree, missing, extra, weaker, unstable
    votes: bool
    finding: Finding

    def to_json(self) -> dict[str, Any]:
        return {
            "prop_id": self.prop_id, "main": self.main, "witness": self.witness, "row": self.row,
            "kind": self.kind, "votes": self.votes,
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """
    One witness beside one main run.
    """

    main: Run
    witness: Run
    standing: Standing
    agreed: int = 0
    differences: tuple[Difference, ...] = ()
    environment: tuple[tuple[str, str, str], ...] = ()
    notes: tuple[Finding, ...] = ()

    @property
    def blocking(self) -> tuple[Finding, ...]:
        doubts = (
            Finding(run.place, 0, "protocol-error", "", f"witness: {doubt}", ADVICE["protocol-error"])
            for run in (self.witness, self.main)
            for doubt in run.doubts
        )
        return (*doubts, *(one.finding for one in self.differences if one.votes))

    def to_json(self) -> dict[str, Any]:
        return {
            "state": str(self.standing),
            "shard": self.witness.shard,
            "runner": self.witness.runner,
            "main_runner": self.main.runner,
            "signed_by": self.witness.signer,
            "agreed": self.agreed,
            "differences": [one.to_json() for one in self.differences],
            "environment": {"main": dict(self.main.environment), "witness": dict(self.witness.environment)},
            "environment_differences": [
                {"what": what, "main": ours, "witness": theirs} for what, ours, theirs in self.environment
            ],
            "reasons": [why for run in (self.witness, self.main) for why in (*run.wrongs, *run.doubts)],
        }


def _seen(witness: Run, main: Run) -> _Seen:
    if any(run.wrongs or run.doubts for run in (witness, main)):
        return _Seen(main=main, witness=witness, standing=Standing.PROTOCOL_ERROR)
    environment = tuple(differences(main.environment, witness.environment))
    unstable = nodeids.compare(_ids(main), _ids(witness)).unstable
    sides = ([row for row in run.rows if not _is_of(row, unstable)] for run in (main, witness))
    compared = compare_rows(*sides)
    judge = _Judge(main, witness, environment)
    found = [judge.difference(one) for one in compared if not _same(one)]
    found += [judge.unstable(name) for name in unstable]
    blocks = any(one.votes for one in found)
    standing = Standing.DISAGREES if blocks else Standing.AGREES
    if witness.runner and witness.runner == main.runner:
        standing = Standing.SAME_MACHINE
    if witness.answers_nothing:
        standing = Standing.COULD_NOT_RUN
    told = (one.finding for one in found if not one.votes)
    return _Seen(
        main=main,
        witness=witness,
        standing=standing,
        agreed=sum(map(_same, compared)),
        differences=tuple(found),
        environment=environment,
        notes=(*told, *judge.varied(compared)),
    )


def _ids(run: Run) -> list[str]:
    return [row["prop_id"] for row in run.rows]


def _is_of(row: Row, functions: Iterable[str]) -> bool:
    ident = row["prop_id"]
    return nodeids.is_unstable(ident) and nodeids.function_of(ident) in functions


def _same(one: Compared) -> bool:
    """
    Two runs with one class say the same, even where that is an error; not with two seeds or two digests.
    """
    return one.first == one.second == one.status


def differences(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """
    Yield what two environments differ in: what it is, ours, theirs.
    """
    for key in ENVIRONMENT:
        one, two = ours.get(key, ""), theirs.get(key, "")
        if isinstance(one, dict) and isinstance(two, dict):
            for name in sorted({*one, *two}):
                if one.get(name) != two.get(name):
                    yield name, str(one.get(name, "none")), str(two.get(name, "none"))
        elif one != two:
            yield key, str(one), str(two)


class _Judge:
    """
    Names the row of each property on which a main run and a witness do not say the same.
    """

    def __init__(self, main: Run, witness: Run, environment: Sequence[tuple[str, str, str]]) -> None:
        self._main, self._witness, self._environment = main, witness, environment
        self._rows = [{row["prop_id"]: row for row in run.rows} for run in (main, witness)]

    def difference(self, one: Compared) -> Difference:
        kind = {(True, False): "missing", (False, True): "extra"}.get(
            (one.second == MISSING, one.first == MISSING), "disagree"
        )
        if (one.first, one.second) == ("pass", "frozen"):
            kind = "weaker"
        row, why = self._row(one)
        runners = [run.runner or run.place for run in (self._main, self._witness)]
        told = f"witness: {one.first} on {runners[0]}, {one.second} on {runners[1]}; {why}"
        return self._difference(one, row, kind, told)

    def _row(self, one: Compared) -> tuple[str, str]:
        if one.status is not InventoryClass.NOISE:
            return "protocol-error", one.detail
        said = one.detail.partition("; ")[2]
        ending = f": {said}" if said else ""
        wobbling = [
            name
            for name, run, rows in zip(
                ("the main run", "the witness"), (self._main, self._witness), self._rows, strict=True
            )
            if _wobbles(run, rows[one.prop_id])
        ]
        if wobbling:
            return "noise", f"{' and '.join(wobbling)} wobbled by itself{ending}"
        if not self._environment:
            known = self._main.environment or self._witness.environment
            why = "their environments are the same" if known else "nothing is known of their environments"
            return "noise", f"{why}{ending}"
        shown = [f"{what} {ours} / {theirs}" for what, ours, theirs in self._environment[:_SHOWN]]
        more = len(self._environment) - len(shown)
        listed = ", ".join(shown) + (f" and {more} more" if more else "")
        return "environment-drift", f"each is steady and their environments differ in {listed}{ending}"

    def _difference(self, one: Compared, row: str, kind: str, told: str) -> Difference:
        main = self._rows[0].get(one.prop_id, {})
        votes = main.get("votes") is not False or main.get("status") == "frozen"
        finding = Finding(_PATH, 0, row, one.prop_id, told, ADVICE[row] if votes else "")
        return Difference(one.prop_id, one.first, one.second, row, kind, votes, finding)

    def unstable(self, function: str) -> Difference:
        """
        Name a function whose parametrized ids are others in each run: nobody can say which of them agree.
        """
        told = "witness: its ids hold an address, a time or a set's order and differ in each run; give ids="
        compared = Compared(function, InventoryClass.PROTOCOL_ERROR, "unstable", "unstable", told)
        return self._difference(compared, "protocol-error", "unstable", told)

    def varied(self, compared: Iterable[Compared]) -> Iterator[Finding]:
        """
        Tell what depends on the time zone, the locale or the hash seed.
        """
        varied = self._witness.varied or {}
        for one in compared:
            other = varied.get(one.prop_id, one.second)
            if _same(one) and other != one.second:
                told = f"witness: {one.second} under the pins, {other} with {self._witness.variation}"
                yield Finding(_PATH, 0, "noise", one.prop_id, told)


def _wobbles(run: Run, row: Row) -> bool:
    varied = (run.varied or {}).get(row["prop_id"], row["status"])
    return row["status"] == "noise" or len(set(row.get("repeats", ()))) > 1 or varied != row["status"]
