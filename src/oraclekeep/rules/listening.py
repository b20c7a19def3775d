"""
What a test has made audible for itself: warnings that are errors, records of a level, how a program ends.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from oraclekeep.model import Finding
from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import Kind
from oraclekeep.oracles.filters import filters_of
from oraclekeep.oracles.logged import levels
from oraclekeep.oracles.processes import unchecked
from oraclekeep.oracles.showing import show
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.traps import traps_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.oracles.checks import Facts

_LEVELS: Final = frozenset({"set_level", "at_level"})
_EXACT: Final = frozenset(
    {Kind.EQUAL, Kind.NOT_EQUAL, Kind.NOT_MEMBER, Kind.FALSY, Kind.SAME_ITEMS, Kind.ORDER}
)
_NOTHING: Final = (terms.const(0), Term("list"), Term("tuple"), terms.FALSE)
_CAPLOG: Final = Term("fixture", "caplog")


def listening(nodeid: str, old: Facts, new: Facts, deleted: frozenset[tuple[str, str]]) -> Iterator[Finding]:
    """
    Yield a finding where a test no longer hears what it heard: warnings, records, a call that must not be.
    """
    gone = traps_of(old) - traps_of(new) - {name for _, name in deleted}
    for name in sorted(gone if not _asks_for_none(old, new) else ()):
        message = f"nothing fails any more where `{name}` is called"
        found = _finding(nodeid, old, new, message)
        yield replace(found, row="oracle-removed", advice="Plant again what must not be called.")
    if unheard := _unheard(old, new):
        yield _finding(nodeid, old, new, unheard)
    heard, hears = _level(old), _level(new)
    if heard is not None and hears is not None and hears > heard and _minds_others(old):
        yield _finding(nodeid, old, new, f"records below level {hears} are no longer heard; it was {heard}")
    for program, place in unchecked(old, new):
        message = f"it no longer matters how `{show(program)}` ends"
        advice = "Start it with `check=True`, or assert its `returncode`."
        yield replace(_finding(nodeid, old, new, message), line=place.line, advice=advice, after=place.text)


def _asks_for_none(old: Facts, new: Facts) -> bool:
    """
    Return whether head asks in another way that something was not called.
    """
    known = {one.form for one in old.checks}
    fresh = [one for one in new.checks if one.form not in known and not one.dead]
    return any(
        one.detail == "not_called" or one.kind is Kind.FALSY or one.expected in _NOTHING for one in fresh
    )


def _minds_others(facts: Facts) -> bool:
    """
    Return whether some check fails on a record that should not be there.
    """
    return any(
        one.kind in _EXACT and terms.contains(one.subject, _CAPLOG) for one in facts.checks if not one.dead
    )


def _unheard(old: Facts, new: Facts) -> str:
    """
    Say which warnings that base made errors, or had recorded each time, are not any more.
    """
    before, after = (filters_of(effect for effect, _ in one.effects) for one in (old, new))
    loud = [one for one in before if one.loudness]
    records = any(terms.called(effect) == "warnings.catch_warnings" for effect, _ in new.effects)
    for one in loud:
        is_asked = one.action == "error" or records  # `pytest.warns` hears them by itself
        if is_asked and not any(other.covers(one) for other in after):
            return (
                "a warning is no error any more" if one.action == "error" else "not every warning is recorded"
            )
    quiet = [one for one in after if not one.loudness and one not in before]
    return "some warnings are no errors any more" if quiet and any(one.loudness > 1 for one in loud) else ""


def _level(facts: Facts) -> int | None:
    """
    Return the highest level that the test sets on `caplog`.
    """
    found = [
        _number(level)
        for effect, _ in facts.effects
        if terms.method(effect) in _LEVELS
        and effect.args[0].args[0] == _CAPLOG
        and (level := terms.argument(effect, 0, "level")) is not None
    ]
    known = [one for one in found if one is not None]
    return max(known, default=None)


def _number(level: Term) -> int | None:
    if terms.is_literal(level):
        value = terms.literal(level)
        return value if isinstance(value, int) else levels().get(str(value))
    return levels().get(level.value.rpartition(".")[2]) if level.op == "name" else None


def _finding(nodeid: str, old: Facts, new: Facts, message: str) -> Finding:
    place, advice = new.place, "Let the test hear what it heard."
    return Finding(
        place.path, place.line, "oracle-weakened", nodeid, message, advice, old.place.text, place.text
    )
