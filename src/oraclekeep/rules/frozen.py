"""
Rules about frozen bytes and the two locks that know them (SPEC §2, §3).

A lock moves together with a note under `fixture_changes`, and an entry of `invariants/fixture.lock.json` also
with the `note` of every property that uses the file.  Notes of head count in an owner patch only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oraclekeep.model import Finding, PatchKind
from oraclekeep.policy import digests
from oraclekeep.policy.files import (
    FILE_LOCKS,
    INTENT,
    SETTINGS,
    TREE_LOCKS,
    in_head,
    read_file_locks,
    read_intent,
    read_settings,
    read_tree_locks,
)
from oraclekeep.policy.frozen import FrozenInputs, Locks, Unit
from oraclekeep.policy.landing import Landing
from oraclekeep.policy.ledgers import INVENTORY, replays_of
from oraclekeep.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.model import FixtureNote
    from oraclekeep.rules import Patch

_FEW = 5


@dataclass(frozen=True, slots=True)
class _Case:
    """
    One frozen unit with everything that its findings need.
    """

    patch: Patch
    inputs: FrozenInputs
    after: Locks
    notes: tuple[FixtureNote, ...]  # that count for this patch
    unit: Unit

    @property
    def old_lock(self) -> str | None:
        return self.inputs.locks.of(self.unit)

    @property
    def new_lock(self) -> str | None:
        return self.after.of(self.unit)

    @property
    def landed(self) -> str:
        return self.inputs.digest(self.unit, landed=True)

    @property
    def landed_in_new_form(self) -> str:
        lock = self.after.files.get(self.unit.name)
        return self.inputs.digest(self.unit, landed=True, canonical=lock.canonical if lock else "")

    @property
    def relocked(self) -> bool:
        files, name = self.after.files, self.unit.name
        old_form = self.inputs.policy.file_locks.get(name) if not self.unit.is_tree else None
        return self.old_lock != self.new_lock or (old_form is not None and old_form != files.get(name))

    @property
    def by_owner(self) -> bool:
        return self.patch.kind is PatchKind.OWNER


@rule("fixture-drift", "fixture-announced", "fixture-updated", "lock-without-intent", "lock-stale")
def frozen_inputs(patch: Patch) -> Iterator[Finding]:
    """
    Frozen bytes stay as the locks of base know them, unless a human said otherwise beforehand.
    """
    if not patch.policy.adopted:
        return
    land = Landing(patch.tip, patch.head, patch.deltas)
    inputs = FrozenInputs(patch.deltas, patch.policy, patch.tip, land)
    touched = {delta.path for delta in patch.deltas}
    after, notes = inputs.locks, patch.policy.intent.fixture_changes
    with in_head():
        if touched & {TREE_LOCKS, FILE_LOCKS, SETTINGS}:
            after = Locks(read_tree_locks(land, read_settings(land)), read_file_locks(land))
        if INTENT in touched and patch.kind is PatchKind.OWNER:
            notes += read_intent(land).fixture_changes
    for unit in sorted({*inputs.units, *after.units()}):
        case = _Case(patch, inputs, after, notes, unit)
        yield from _stale(case)
        lock = tuple(_relocked(case))
        yield from lock
        yield from _bytes(case, clean=not lock)
    yield from _converted(patch, inputs, notes)


def _stale(case: _Case) -> Iterator[Finding]:
    inputs, unit = case.inputs, case.unit
    if case.old_lock is None or (unit.is_tree and inputs.policy.settings.additions == "allow"):
        return  # where files may arrive, no digest of the whole tree can be expected
    found = inputs.digest(unit, landed=False)
    if found == case.old_lock or inputs.announced(unit, landed=False):
        return
    mended = case.landed_in_new_form == case.new_lock or case.landed in unit.noted(case.notes)
    if not (case.by_owner and (mended or (case.new_lock is None and case.relocked))):
        is_there = found != digests.NOTHING
        what = (
            f"does not know the bytes of {unit.name}" if is_there else f"locks {unit.name}, where nothing is"
        )
        yield Finding(
            unit.lock,
            0,
            "lock-stale",
            message=f"at base, {unit.lock} {what}",
            advice="an owner runs `invoke lock --note WHY` on base and lands that in a patch of its own",
            before=case.old_lock,
            after=found if is_there else None,
        )


def _relocked(case: _Case) -> Iterator[Finding]:
    if not case.relocked:
        return
    unit, new = case.unit, case.new_lock
    wanted = new or digests.NOTHING
    if wanted not in unit.noted(case.notes) and not (new is None and _is_split(case)):
        what = "changed" if new else "was dropped"
        yield Finding(
            unit.lock,
            0,
            "lock-without-intent",
            message=f"the lock of {unit.name} {what}, and no human's note announces it",
            advice=f"an owner adds {_note(unit, wanted)} to {INTENT}; `invoke lock --note WHY` does",
            before=case.old_lock,
            after=new,
        )
    if case.old_lock is not None and not unit.is_tree:
        yield from _silent_properties(case)
    if new is not None and new != case.landed_in_new_form:
        yield Finding(
            unit.lock,
            0,
            "lock-stale",
            message=f"the new lock of {unit.name} is not the digest of the bytes that land with it",
            advice="run `invoke lock` on the tree that is to land",
            before=new,
            after=case.landed_in_new_form,
        )


def _is_split(case: _Case) -> bool:
    """
    Return whether other tree locks now hold every file that the dropped one held.
    """
    others = [unit for unit in case.after.units() if unit.is_tree]
    held = case.inputs.tip.under(case.unit.name) if case.unit.is_tree else ()
    return bool(held) and all(any(other.holds(path) for other in others) for path in held)


def _silent_properties(case: _Case) -> Iterator[Finding]:
    """
    Name the properties that use a relocked file and whose notes say nothing of it.
    """
    with in_head():
        after = replays_of(Landing(case.patch.tip, case.patch.head, case.patch.deltas)).inventory.properties
    before = {each.id: each.note.split() for each in replays_of(case.patch.base).inventory.properties}
    for each in after:
        if each.fixture == case.unit.name and before.get(each.id, [""]) == each.note.split():
            yield Finding(
                INVENTORY,
                each.line,
                "lock-without-intent",
                each.id,
                f"the lock of {case.unit.name} changed, and the note of property {each.id} did not",
                "say in the property's `note` what the new samples are, in the same patch",
                each.note,
                each.note,
            )


def _bytes(case: _Case, *, clean: bool) -> Iterator[Finding]:
    """
    Judge a change of the bytes; ``clean`` says that the lock's own change is in order.
    """
    inputs, unit = case.inputs, case.unit
    frozen = unit in inputs.units
    if strays := _strays(case):
        message = f"{_some(strays)}: a link in place of frozen bytes reads what no lock knows"
        yield Finding(strays[0], 0, "fixture-drift", message=message, advice="put a plain file there")
        return
    changed = [delta for delta in inputs.changed if unit.holds(delta.path)]
    if not changed or case.landed == inputs.digest(unit, landed=False):
        return
    first = changed[0].path
    if frozen and inputs.announced(unit, landed=True):
        message = f"{unit.name} now has the bytes that {INTENT} at base announces"
        yield Finding(first, 0, "fixture-announced", message=message)
    elif case.relocked and case.by_owner and clean:
        message = f"{unit.name} changed together with its lock and its note"
        yield Finding(first, 0, "fixture-updated", message=message)
    elif (
        frozen
        and case.landed != case.old_lock
        and not all(inputs.may_arrive(unit, delta) for delta in changed)
    ):
        yield _drift(case, tuple(delta.path for delta in changed))


def _strays(case: _Case) -> tuple[str, ...]:
    """
    Return the paths of a unit that links make unsafe; a tree speaks for the locked files in it.
    """
    inputs, unit = case.inputs, case.unit
    if any(other.is_tree and other != unit and other.holds(unit.name) for other in inputs.units):
        return ()
    retyped = inputs.retyped(unit) if unit in inputs.units else ()
    return tuple(dict.fromkeys((*inputs.leaving(unit), *retyped)))


def _drift(case: _Case, paths: tuple[str, ...]) -> Finding:
    unit, land = case.unit, case.inputs.land
    message = f"frozen bytes of {unit.name} changed, and neither its lock nor a note at base knows them"
    if unit.is_tree:
        message += f": {_some(paths)}"
    if pointers := [path for path in paths if digests.is_lfs_pointer(land.read(path))]:
        message += f"; {_some(pointers)} is only a Git LFS pointer"
    advice = f"restore the bytes, or have an owner announce {_note(unit, case.landed)} in {INTENT} first"
    if case.by_owner and case.landed in unit.noted(case.notes):
        advice = f"the note is there, and {unit.lock} still has the old digest: run `invoke lock`"
    return Finding(paths[0], 0, "fixture-drift", "", message, advice, case.old_lock, case.landed)


def _converted(patch: Patch, inputs: FrozenInputs, notes: tuple[FixtureNote, ...]) -> Iterator[Finding]:
    """
    Attributes decide what checkout makes of frozen bytes; only an owner's fresh note lets them change.
    """
    fresh = [
        note
        for note in notes
        if all(_same(note) != _same(old) for old in patch.policy.intent.fixture_changes)
    ]
    for unit in inputs.units:
        paths = tuple(path for path in inputs.converted if unit.holds(path))
        if not paths:
            continue
        if patch.kind is PatchKind.OWNER and inputs.digest(unit, landed=True) in unit.noted(fresh):
            yield Finding(
                paths[0],
                0,
                "fixture-updated",
                "",
                f"the git attributes of {unit.name} changed together with a note",
            )
        else:
            yield Finding(
                paths[0],
                0,
                "fixture-drift",
                "",
                f"git attributes of frozen bytes changed ({_some(paths)}): checkout makes others of them",
                f"leave the attributes of {unit.name}, or have an owner change them with a new note "
                f"for its digest in `fixture_changes` of {INTENT}",
            )


def _note(unit: Unit, digest: str) -> str:
    return f'{{"{unit.kind}": "{unit.name}", "digest": "{digest}", "reason": …}}'


def _same(note: FixtureNote) -> tuple[str, ...]:
    return note.tree, note.path, note.digest, note.reason


def _some(paths: tuple[str, ...] | list[str]) -> str:
    more = f" and {len(paths) - _FEW} more" if len(paths) > _FEW else ""
    return ", ".join(paths[:_FEW]) + more
