"""
Checks that are gone, weaker, or about another value: what the matching says, as rows.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from oraclekeep.model import Finding
from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import Kind
from oraclekeep.oracles.collect import is_switched_off
from oraclekeep.oracles.parsing import same_code
from oraclekeep.oracles.relating import UNDRAWN
from oraclekeep.oracles.showing import with_values
from oraclekeep.oracles.strength import Fate
from oraclekeep.oracles.subjects import asks_others
from oraclekeep.rules.study import is_listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.match import Change
    from oraclekeep.oracles.checks import Check, Facts
    from oraclekeep.rules.study import Study

_ADVICE = {
    "oracle-removed": "Put the check back, or ask an owner for an allowance.",
    "oracle-weakened": "Restore the stronger check, or ask an owner for an allowance.",
    "expectation-rewritten": (
        "If the change of behaviour is wanted, an owner lists the module in allow_behavior_change; "
        "otherwise restore the value."
    ),
    "test-lost": "Restore the test, or show where its checks went.",
    "errors-swallowed": "Let the failure through.",
    "oracle-retired": "Nothing to do: its subject went in the same patch.",
    "oracle-added": "Good news; nothing to do.",
    "skip-outside-quarantine": "Remove it; a flaky test goes to oracle/quarantine.json, in an owner's patch.",
}


_FEWER: Final = "the case is gone"
_SWITCHED_OFF: Final = "`__test__ = False` takes the test out of collection"


def lost(study: Study) -> Iterator[Finding]:
    """
    Yield a finding for each check that base had and head has no longer in the same strength.
    """
    grouped: dict[tuple[object, ...], Finding] = {}
    for change in study.matching.changes:
        finding = _finding(study, change)
        if finding is not None:
            key = (finding.path, finding.line, finding.row, finding.test, finding.message)
            held = grouped.get(key)
            grouped[key] = finding if held is None else replace(held, units=held.units + finding.units)
    yield from grouped.values()
    yield from _empty_tests(study)


def is_off(facts: Facts) -> bool:
    """
    A test that base always skips can lose nothing.
    """
    return any(gate.kind == "skip" and gate.condition == terms.TRUE for gate in facts.gates)


def _finding(study: Study, change: Change) -> Finding | None:
    old, new = change.old, change.new
    if old is None:
        return None
    if (
        old.dead
        or is_off(study.old.facts[change.test])
        or change.test.split("::")[0] in study.new.sources.unparsable
    ):
        return None
    match change.fate:
        case None:
            if change.test not in study.new.collected and _stays_in_conftest(study, old):
                return None
            return _removed(study, change, old)
        case Fate.WEAKER if new is not None:
            swallowed = new.dead and new.kind is not Kind.NEVER
            row = "errors-swallowed" if swallowed else "oracle-weakened"
            return _at(new, "test-lost" if change.why == UNDRAWN else row, change, f"{change.why}")
        case Fate.REWRITTEN if new is not None and new is not old and asks_others(old, new):
            return _at(new, "oracle-weakened", change, "the code under test is no longer asked")
        case Fate.REWRITTEN if new is old and not study.changed:
            return _removed(study, change, old)  # a contract is inverted by production code, or not at all
        case Fate.REWRITTEN if new is not None and not study.is_intended(change.test):
            return _at(
                new,
                "expectation-rewritten",
                change,
                f"{change.why}, and {study.unlisted} not listed as intended",
            )
        case _:
            return None


def _at(new: Check, row: str, change: Change, message: str) -> Finding:
    before = change.old.place.text if change.old is not None else None
    after = new.place.text
    if change.old is not None and before == after:  # what changed stands in a case, or above
        before, after = with_values(change.old), with_values(new)
    return Finding(new.place.path, new.place.line, row, change.test, message, _ADVICE[row], before, after)


def _removed(study: Study, change: Change, old: Check) -> Finding:
    place = old.place
    if is_retired(study, change.test, old):
        return Finding(
            place.path,
            place.line,
            "oracle-retired",
            change.test,
            "its subject was deleted in an intended module",
            _ADVICE["oracle-retired"],
            place.text,
            None,
        )
    if change.test in study.new.collected and change.test not in study.shadowed:
        if (constant := _constant(study, change.test)) is not None:
            return _at(constant, "oracle-weakened", change, "what is asserted now is a constant")
        fewer = (
            len(study.new.facts[change.test].cases) < len(study.old.facts[change.test].cases)
            if change.test in study.new.facts
            else False
        )
        row, message = (
            ("test-lost", _FEWER)
            if fewer
            else ("oracle-removed", "the check is gone and stands nowhere else")
        )
    elif _switched_off(study, change.test):
        row, message = "skip-outside-quarantine", _SWITCHED_OFF
    else:
        row = "test-lost"
        message = (
            "a later definition of the same name hides the test"
            if change.test in study.shadowed
            else "the test is no longer collected, and this check stands nowhere else"
        )
    before = with_values(old) if message == _FEWER else place.text
    return Finding(place.path, place.line, row, change.test, message, _ADVICE[row], before, None)


def _constant(study: Study, nodeid: str) -> Check | None:
    """
    Return an assertion of a constant that a test has in head and had not in base.
    """
    old, new = study.old.facts[nodeid], study.new.facts.get(nodeid)
    known = {one.form for one in old.checks}
    fresh = (one for one in new.checks if one.form not in known) if new is not None else ()
    return next((one for one in fresh if one.kind is Kind.NEVER and terms.is_literal(one.subject)), None)


def _switched_off(study: Study, nodeid: str) -> bool:
    path, *parts = nodeid.split("::")
    module = study.new.sources.module(path)
    return module is not None and is_switched_off(study.new.sources, module, parts[0])


def is_retired(study: Study, nodeid: str, check: Check) -> bool:
    """
    Return whether what this check is about was deleted from a module that may change its behaviour.
    """
    facts = study.old.facts[nodeid]
    for subject in (check.subject, check.expected):
        first = next((name for name in terms.names_in(subject) if name.startswith("prod:")), None)
        if first is None:
            continue
        bare = first[5:].partition("@")[0]
        members = {bare} | {f"{bare}.{one.value}" for one in terms.walk(subject) if one.op == "attr"}
        for path, name in study.deleted:
            if (
                name in members
                and _defines(study, facts, name, path)
                and (is_listed(study.patch, path) or study.patch.intend_all)
            ):
                return True
    return False


def _defines(study: Study, facts: Facts, name: str, path: str) -> bool:
    top = name.partition(".")[0]
    for use in facts.uses:
        dotted, _, member = use.partition(":")
        if member == top:
            definer = study.old.sources.defines(dotted, member)
            if definer is not None and definer[0] == path:
                return True
    return False


def _empty_tests(study: Study) -> Iterator[Finding]:
    """
    A test without live checks still fails when the code raises: it is lost when nothing took its place.
    """
    effects: dict[str, set[object]] = defaultdict(set)
    for nodeid, facts in study.new.facts.items():
        if not study.new.sources.layout.is_stray_test(nodeid.split("::")[0]):
            effects[nodeid] = {term for term, _ in facts.effects}
    everywhere = set().union(*effects.values()) if effects else set()
    for nodeid, facts in sorted(study.old.facts.items()):
        if (
            any(not one.dead and not _stays_in_conftest(study, one) for one in facts.checks)
            or is_off(facts)
            or nodeid.split("::")[0] in study.new.sources.unparsable
            or _is_empty(study.old.collected[nodeid].node)
        ):
            continue
        if nodeid in study.new.collected:
            yield from _hollowed(facts, study.new.facts.get(nodeid))
            continue
        mine = {term for term, _ in facts.effects}
        if (mine and mine <= everywhere) or _same_body(study, nodeid):
            continue
        if _uses_deleted(study, facts):
            yield _of_test(facts, "oracle-retired", "its subject was deleted in an intended module")
        elif _switched_off(study, nodeid):
            yield _of_test(facts, "skip-outside-quarantine", _SWITCHED_OFF)
        else:
            yield _of_test(facts, "test-lost", "the test is no longer collected")


def _of_test(facts: Facts, row: str, message: str) -> Finding:
    place = facts.place
    return Finding(place.path, place.line, row, facts.nodeid, message, _ADVICE[row], place.text, None)


def _hollowed(old: Facts, new: Facts | None) -> Iterator[Finding]:
    """
    Assertions of constants cannot fail; that they are reached, for each case, is all that they show.
    """
    if new is None or not old.checks:
        return
    if not new.checks:
        yield _of_test(old, "oracle-removed", "its assertion is reached no more, and no other took its place")
    elif len(new.cases) < len(old.cases) and old.written_out and new.written_out:
        gone = len(old.cases.keys() - new.cases.keys())
        yield _of_test(old, "test-lost", f"{gone} of {len(old.cases)} cases are gone")


def _stays_in_conftest(study: Study, check: Check) -> bool:
    """
    What a fixture for all tests checks is no loss of the one test that goes.
    """
    path = check.place.path
    return path.endswith("conftest.py") and study.patch.base.read(path) == study.patch.head.read(path)


def _is_empty(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """
    Return whether a test does nothing, and asks its fixtures for nothing.
    """
    idle = (
        isinstance(one, ast.Pass) or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
        for one in node.body
    )
    return all(idle) and not [
        one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg) and one.arg != "self"
    ]


def _uses_deleted(study: Study, facts: Facts) -> bool:
    return any(
        _defines(study, facts, name, path) and (is_listed(study.patch, path) or study.patch.intend_all)
        for path, name in study.deleted
        if "." not in name
    )


def _same_body(study: Study, nodeid: str) -> bool:
    mine = study.old.collected[nodeid].node.body
    return any(
        same_code(test.node.body, mine)
        for other, test in study.new.collected.items()
        if other not in study.old.collected
    )


def gained(study: Study) -> Iterator[Finding]:
    """
    Yield the good news, one note for each test.
    """
    notes: dict[str, list[Change]] = defaultdict(list)
    for change in study.matching.changes:
        added = change.old is None and change.new is not None and not change.new.dead
        if added or change.fate is Fate.STRONGER:
            notes[change.at or change.test].append(change)
    for nodeid, changes in sorted(notes.items()):
        facts = study.new.facts.get(nodeid.removesuffix(" (later definition)"))
        if facts is None or is_off(facts):
            continue
        news = [change for change in changes if change.old is None]
        stronger = len(changes) - len(news)
        words = [f"{len(news)} added"] * bool(news) + [f"{stronger} strengthened"] * bool(stronger)
        place = next(change.new.place for change in changes if change.new is not None)
        yield Finding(
            place.path,
            place.line,
            "oracle-added",
            nodeid,
            f"checks: {', '.join(words)}",
            _ADVICE["oracle-added"],
            None,
            place.text,
            units=len(changes),
        )
