"""
Tests that still stand and no longer run, or can no longer fail: skips, and fixtures that hide failures.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from oraclekeep.model import Finding
from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import Kind
from oraclekeep.oracles.conditions import meaning
from oraclekeep.oracles.marks import is_false
from oraclekeep.oracles.showing import show
from oraclekeep.oracles.terms import TRUE, Term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.oracles.checks import Check, Facts, Gate
    from oraclekeep.oracles.source import Sources
    from oraclekeep.rules.study import Study

_SKIP_ADVICE: Final = "Remove the skip; a flaky test goes to oracle/quarantine.json, in an owner's patch."


def skips(study: Study) -> Iterator[Finding]:
    """
    Yield a finding for each gate that head puts before a test that base ran, and a note for each one removed.
    """
    seen: set[tuple[str, int, str]] = set()
    for nodeid, old in sorted(study.old.facts.items()):
        for place in (
            study.matching.became.get(nodeid, ()) or ((nodeid,) if nodeid in study.new.facts else ())
        )[:1]:
            new = study.new.facts.get(place)
            if new is None:
                continue
            before, after = _known(study.old.sources, old), _known(study.new.sources, new)
            for gate in after:
                covered = any(_covers(one, gate) for one in before) or _asked_nothing(old, gate)
                if gate.kind != "exit" and not covered:
                    key = (gate.place.path, gate.place.line, place)
                    if key not in seen:
                        seen.add(key)
                        yield Finding(
                            gate.place.path,
                            gate.place.line,
                            "errors-swallowed"
                            if gate.kind.startswith("retry")
                            else "skip-outside-quarantine",
                            place,
                            _words(gate, before),
                            _SKIP_ADVICE,
                            _shown(before),
                            gate.place.text,
                        )
            gone = [
                gate
                for gate in before
                if gate.kind != "retry" and not any(_overlaps(gate, one) for one in after)
            ]
            narrower = [
                gate
                for gate in before
                if gate not in gone and gate not in after and any(_covers(gate, one) for one in after)
            ]
            if gone or narrower:
                one = (gone or narrower)[0]
                yield Finding(
                    one.place.path,
                    one.place.line,
                    "skip-removed",
                    place,
                    "the test runs in more places now",
                    "Good news; nothing to do.",
                    one.place.text,
                    None,
                )
    yield from _specimens(study)


def _known(sources: Sources, facts: Facts) -> list[Gate]:
    """
    Return a test's gates with conditions that compare, whatever names they are written under.
    """
    read = ((gate, meaning(sources, facts.uses, gate.condition)) for gate in facts.gates)
    return [
        replace(gate, condition=TRUE if terms.is_literal(condition) else condition)
        for gate, condition in read
        if not is_false(condition)
    ]


def unawaited(study: Study) -> Iterator[Finding]:
    """
    Yield a finding for each async test whose mark is gone: pytest skips or fails what nothing awaits.
    """
    for nodeid, old in sorted(study.old.facts.items()):
        settings = study.new.sources.layout.pytest_of(nodeid.partition("::")[0])
        if settings.options.get("asyncio_mode") == "auto":
            continue
        new = study.new.facts.get(nodeid)
        if new is not None and old.awaited and new.awaited is False:
            checks = sum(1 for one in old.checks if not one.dead)
            message = "the mark that has the coroutine awaited is gone: its checks no longer run"
            yield Finding(
                new.place.path,
                new.place.line,
                "oracle-removed",
                nodeid,
                message,
                "Put the mark back.",
                old.place.text,
                new.place.text,
                max(1, checks),
            )


def _specimens(study: Study) -> Iterator[Finding]:
    became = {place for places in study.matching.became.values() for place in places}
    for nodeid, facts in sorted(study.new.facts.items()):
        if nodeid not in study.old.collected and nodeid not in became:
            gate = next((one for one in facts.gates if one.kind in {"skip", "xfail"}), None)
            if gate is not None:
                yield Finding(
                    gate.place.path,
                    gate.place.line,
                    "specimen-skipped",
                    nodeid,
                    "a new test arrives with a skip; it adds nothing",
                    "Un-skip it when it can run.",
                    None,
                    gate.place.text,
                )


def _words(gate: Gate, before: list[Gate]) -> str:
    if gate.kind.endswith("of a case"):
        return f"a case of the test is now marked {gate.kind.split()[0]}"
    if gate.kind == "retry":
        return "a failure of the test is tried away: it runs again until it passes"
    wider = any(_overlaps(one, gate) for one in before)
    what = "may now fail unseen (xfail)" if gate.kind == "xfail" else "is now skipped"
    if gate.condition == TRUE:
        return f"the test {what}"
    return f"the test {what} where `{show(gate.condition)}`" + (
        "; the condition is wider than it was" if wider else ""
    )


def _shown(before: list[Gate]) -> str | None:
    return before[0].place.text if before else None


def _covers(old: Gate, new: Gate) -> bool:
    """
    Return whether base already gated the test wherever the new gate bites.
    """
    if old.kind != new.kind and not (
        old.kind == "skip" and new.kind in {"xfail", "xfail of a case", "skip of a case"}
    ):
        return False
    return old.condition in (TRUE, new.condition) or all(
        any(_implies(one, other) for other in _disjuncts(old.condition)) for one in _disjuncts(new.condition)
    )


def _asked_nothing(old: Facts, gate: Gate) -> bool:
    """
    Return whether no check of base could fail where the test is skipped now: each allowed for that with `or`.
    """
    live = [one for one in old.checks if not one.dead]
    return (
        gate.kind == "skip"
        and bool(live)
        and all(any(_holds(other, gate.condition) for other in one.alternatives) for one in live)
    )


def _holds(check: Check, condition: Term) -> bool:
    if check.kind not in (Kind.TRUTHY, Kind.FALSY):
        return False
    positive = check.kind is Kind.TRUTHY
    return condition == (check.subject if positive else Term("unary", "Not", (check.subject,)))


def _overlaps(old: Gate, new: Gate) -> bool:
    if old.kind.split()[0] != new.kind.split()[0]:
        return False
    return _covers(old, new) or any(
        any(_implies(one, other) or _implies(other, one) for other in _disjuncts(new.condition))
        for one in _disjuncts(old.condition)
    )


def _disjuncts(term: Term) -> list[Term]:
    if term.op == "bool" and term.value == "Or":
        return [part for one in term.args for part in _disjuncts(one)]
    return [term]


def _conjuncts(term: Term) -> list[Term]:
    return (
        [part for one in term.args for part in _conjuncts(one)]
        if term.op == "bool" and term.value == "And"
        else [term]
    )


def _implies(narrow: Term, wide: Term) -> bool:
    """
    Return whether the first condition holds only where the second one does.
    """
    if wide in (TRUE, narrow):
        return True
    if narrow.op == "bool" and narrow.value == "And":
        return any(_implies(one, wide) for one in _conjuncts(narrow))
    if wide.op == "bool" and wide.value == "And":
        return all(_implies(narrow, one) for one in _conjuncts(wide))
    if (
        narrow.op == wide.op == "cmp"
        and narrow.args[0] == wide.args[0]
        and narrow.value[:2] == wide.value[:2]
    ):
        try:
            low, high = terms.literal(narrow.args[1]), terms.literal(wide.args[1])
            return bool(
                low <= high
                if narrow.value.startswith("Lt")
                else low >= high
                if narrow.value.startswith("Gt")
                else False
            )
        except (terms.NotLiteral, TypeError):
            return False
    if narrow.op == wide.op == "missing":
        return narrow.args[:1] == wide.args[:1] and len(narrow.args) == 1
    return terms.method(narrow) == terms.method(wide) == "startswith" and narrow == wide
