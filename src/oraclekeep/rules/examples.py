"""
Doctest examples that pytest collects are checks: one that is gone, looser, or wants something else is a loss.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.settings import settings_of
from oraclekeep.model import Finding
from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import Kind
from oraclekeep.oracles.examples import Example, called, examples_in, literal_call, shape
from oraclekeep.oracles.module import Module
from oraclekeep.oracles.parsing import Unparsable
from oraclekeep.rules import rule
from oraclekeep.rules.production import definitions
from oraclekeep.rules.study import is_listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from oraclekeep.oracles.checks import Check
    from oraclekeep.rules import Patch

_GONE: Final = "Put the example back, or ask an owner for an allowance."
_WANTED: Final = (
    "If the change of behaviour is wanted, an owner lists the module in allow_behavior_change; "
    "otherwise restore the example."
)


@dataclass(frozen=True)
class _Sides:
    """
    What base's examples may have become: head's others, and what happened to production code.
    """

    new: list[Example]
    deleted: frozenset[tuple[str, str]]
    renames: dict[str, str]


@rule(
    "oracle-removed",
    "oracle-weakened",
    "expectation-rewritten",
    "oracle-retired",
    "skip-outside-quarantine",
)
def doctests(patch: Patch) -> Iterator[Finding]:
    """
    Compare the examples of changed files that base's configuration has pytest collect.
    """
    old, new = _examples(patch)
    if not old:
        return
    if not any(not one.is_skipped for one in _without(old, new, {})):
        return
    study = patch.study
    deleted, renames = definitions(patch, study.old.sources, study.new.sources)
    left = [one for one in _without(old, new, renames) if not one.is_skipped]
    sides = _Sides(_without(new, old, renames), deleted, renames)
    for one in sorted(left, key=lambda example: not example.wanted):
        finding = _judged(patch, sides, one) if one.wanted else _statement(patch, sides, one)
        if finding is not None:
            yield finding


def _statement(patch: Patch, sides: _Sides, old: Example) -> Finding | None:
    """
    A statement that stands with other constants is another input of the examples after it.
    """
    mine = shape(old.meaning, sides.renames)[0]
    alike = (one for one in sides.new if one.nodeid == old.nodeid and not one.wanted)
    fed = next((one for one in alike if shape(one.meaning, sides.renames)[0] == mine), None)
    return _rewritten(patch, old, fed, "the examples are fed something else") if fed is not None else None


def _examples(patch: Patch) -> tuple[list[Example], list[Example]]:
    """
    Read the changed files that base collects for examples; head's too where head collects them.
    """
    before, after = settings_of(patch.base), settings_of(patch.head)
    old: list[Example] = []
    new: list[Example] = []
    for delta in patch.deltas:
        if delta.same_bytes or patch.layout.is_human_owned(delta.path):
            continue
        for side, settings, tree in ((old, before, patch.base), (new, after, patch.head)):
            data = tree.read(delta.path) if settings.collects_doctests(delta.path) else None
            if data is not None and b">>>" in data:
                side.extend(examples_in(delta.path, data, settings.words("doctest_optionflags")))
    return old, new


def _key(example: Example, renames: dict[str, str]) -> tuple[object, ...]:
    shown = shape(example.meaning, renames)
    return (*shown, example.wanted, example.is_skipped, example.looseness)


def _without(mine: list[Example], theirs: list[Example], renames: dict[str, str]) -> list[Example]:
    """
    Return what one side has and the other one has nowhere, in the same form.
    """
    counts = Counter(_key(one, renames) for one in theirs)
    left = []
    for one in mine:
        key = _key(one, renames)
        if counts[key]:
            counts[key] -= 1
        else:
            left.append(one)
    return left


def _judged(patch: Patch, sides: _Sides, old: Example) -> Finding | None:
    mine, constants = shape(old.meaning, sides.renames)

    def taken(fits: Callable[[Example], bool]) -> Example | None:
        near = sorted(sides.new, key=lambda one: (one.nodeid != old.nodeid, one.path != old.path))
        found = next((one for one in near if fits(one)), None)
        if found is not None:
            sides.new.remove(found)
        return found

    same = taken(lambda one: shape(one.meaning, sides.renames) == (mine, constants))
    if same is not None:
        return _same_source(patch, old, same)
    if _is_retired(patch, sides, old):
        message = "its subject was deleted in an intended module"
        return _at(old, old, "oracle-retired", message, "Nothing to do.", gone=True)
    fed = taken(lambda one: one.nodeid == old.nodeid and shape(one.meaning, sides.renames)[0] == mine)
    fed = fed or taken(
        lambda one: bool(one.wanted) and one.nodeid == old.nodeid and called(one.source) == called(old.source)
    )
    if fed is None and _asked_by_a_test(patch, old):
        return None
    if fed is None:
        return _at(
            old, old, "oracle-removed", "the example is gone and stands nowhere else", _GONE, gone=True
        )
    if not fed.wanted:
        return _at(old, fed, "oracle-removed", "the example wants nothing any more", _GONE)
    return _rewritten(patch, old, fed, "the example asks something else")


def _asked_by_a_test(patch: Patch, old: Example) -> bool:
    """
    Return whether a check that the patch brings asks the same call for the same value.
    """
    call = literal_call(old.meaning)
    added = (one.new for one in patch.study.matching.changes if one.old is None and one.new is not None)
    return call is not None and any(_asks(check, call, old.wanted.strip()) for check in added)


def _asks(check: Check, call: tuple[str, tuple[object, ...]], wanted: str) -> bool:
    if check.kind not in (Kind.EQUAL, Kind.IS) or check.dead or check.guards:
        return False
    if terms.called(check.subject).removeprefix("prod:").partition("@")[0] != call[0]:
        return False
    try:
        given = tuple(map(terms.literal, check.subject.args[1:]))
        return repr(given) == repr(call[1]) and repr(terms.literal(check.expected)) == wanted
    except terms.NotLiteral:
        return False


def _same_source(patch: Patch, old: Example, new: Example) -> Finding | None:
    if new.is_skipped:
        return _at(old, new, "skip-outside-quarantine", "the example is now skipped", "Remove the directive.")
    if not new.wanted:
        return _at(old, new, "oracle-removed", "the example wants nothing any more", _GONE)
    if new.looseness > old.looseness:
        return _at(old, new, "oracle-weakened", "the example takes more than it did", "Restore the output.")
    if old.looseness and old.accepts(new.wanted):
        return None  # it wants more of what it wanted
    return _rewritten(patch, old, new, "the wanted output changed")


def _rewritten(patch: Patch, old: Example, new: Example, what: str) -> Finding | None:
    if patch.study.allows(lambda: _reach(patch, old)):
        return None
    message = f"{what}, and the modules concerned are not listed as intended"
    return _at(old, new, "expectation-rewritten", message, _WANTED)


def _reach(patch: Patch, example: Example) -> set[str]:
    """
    Return the production files that an example is about: its own module, or those that its text imports.
    """
    if patch.layout.is_production(example.path):
        return {example.path}
    sources = patch.study.old.sources
    text = b"\n".join(
        one.source.encode() for one in examples_in(example.path, patch.base.read(example.path) or b"", ())
    )
    try:
        module = Module.load(example.path, text)
    except Unparsable:
        return set()
    found = (sources.defines(one.module, one.member) for one in module.imports.values())
    return {definer[0] for definer in found if definer is not None}


def _is_retired(patch: Patch, sides: _Sides, old: Example) -> bool:
    name = called(old.source)
    where: dict[str, set[str]] = defaultdict(set)
    for path, gone in sides.deleted:
        where[gone.rpartition(".")[2]].add(path)
    return any(patch.intend_all or is_listed(patch, path) for path in where.get(name, ()))


def _at(old: Example, new: Example, row: str, message: str, advice: str, *, gone: bool = False) -> Finding:
    before, after = (f"{one.source.strip()} -> {one.wanted.strip()}" for one in (old, new))
    return Finding(new.path, new.line, row, old.nodeid, message, advice, before, None if gone else after)
