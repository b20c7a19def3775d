"""
What a test is fed: its cases, its strategies, the calls that set the scene, and how closely mocks fit.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import gone
from oraclekeep.oracles.editing import as_edit
from oraclekeep.oracles.mocks import WHOLE
from oraclekeep.oracles.scene import concerns, counts, spot_of, tells_the_same
from oraclekeep.oracles.showing import show
from oraclekeep.oracles.strength import Fate
from oraclekeep.oracles.subjects import names_production
from oraclekeep.rules.drawn import finding, profiles, strategies, time_limit
from oraclekeep.rules.lenient import lenient
from oraclekeep.rules.listening import listening
from oraclekeep.rules.lost import is_off
from oraclekeep.rules.replaced import shared_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from oraclekeep.model import Finding
    from oraclekeep.oracles.checks import Check, Facts, Place
    from oraclekeep.oracles.terms import Term
    from oraclekeep.rules.replaced import Span
    from oraclekeep.rules.study import Study

_CHOOSES: Final = re.compile(rb"load_profile|hypothesis-profile")
_INPUT_ADVICE: Final = "Restore the input, or ask an owner to list the module in allow_behavior_change."


def inputs(study: Study) -> Iterator[Finding]:
    """
    Yield a finding for each test that is fed less than it was, or something else.
    """
    shared = tuple(shared_spans(study))
    reported = {
        change.test
        for change in study.matching.changes
        if change.old is not None and change.fate in (None, Fate.REWRITTEN, Fate.WEAKER)
    }
    for nodeid, old in sorted(study.old.facts.items()):
        new = study.new.facts.get(nodeid)
        if new is None or nodeid in study.shadowed or is_off(old):
            continue
        yield from _cases(study, nodeid, old, new)
        yield from strategies(study, nodeid, old, new)
        yield from listening(nodeid, old, new, study.deleted)
        yield from lenient(study, nodeid, old, new)
        if "timeout" not in study.new.sources.layout.pytest.options:
            yield from time_limit(nodeid, old, new)
        yield from _mocks(study, nodeid, old, new, shared)
        if nodeid not in reported:
            yield from _scene(study, nodeid, old, new)
    for delta in study.patch.deltas:
        if delta.path.endswith(".py") and study.new.sources.owns(delta.path):
            sides = (study.old.sources.module(delta.path), study.new.sources.module(delta.path))
            yield from profiles(*sides, lambda: _loads_elsewhere(study))


def _loads_elsewhere(study: Study) -> bool:
    """
    Tell whether some other file of head chooses a hypothesis profile.
    """
    head, changed = study.patch.head, {delta.path for delta in study.patch.deltas}
    asked = (path for path in head.under("") if path in changed or path.rpartition("/")[2] == "conftest.py")
    return any(_CHOOSES.search(head.read(path) or b"") for path in asked)


def _cases(study: Study, nodeid: str, old: Facts, new: Facts) -> Iterator[Finding]:
    """
    A case whose checks all stand elsewhere in the test still was an input of its own.
    """
    if not old.written_out and not new.written_out:
        yield from _tables(study, nodeid, old, new)
        return
    if len(new.cases) >= len(old.cases):
        return
    names = [_names(facts) for facts in (old, new)]
    forms = frozenset().union(*new.cases.values())
    mine: frozenset[object] = frozenset().union(*old.cases.values())
    if names[0] != names[1] or not mine <= forms:
        return
    gone = [case for case in old.cases if case not in new.cases]
    if gone:
        message = f"{len(gone)} of {len(old.cases)} cases are gone, `{show(gone[0])}` among them"
        yield finding(new.place, "test-lost", nodeid, message, "Put the cases back.", len(gone))


def _tables(study: Study, nodeid: str, old: Facts, new: Facts) -> Iterator[Finding]:
    """
    Large tables of cases are compared row by row.
    """
    before, after = ({row for case in facts.cases for row in case.args} for facts in (old, new))
    gone, fresh = sorted(before - after), after - before
    lost = max(0, len(gone) - len(fresh))
    if lost:
        message = f"{lost} of {len(before)} cases are gone, `{show(gone[0])}` among them"
        yield finding(new.place, "test-lost", nodeid, message, "Put the cases back.", lost)
    elif gone and not study.is_intended(nodeid):
        message = f"{len(gone)} of {len(before)} cases changed, `{show(gone[0])}` among them"
        yield finding(new.place, "expectation-rewritten", nodeid, message, "Restore the cases.", len(gone))


def _names(facts: Facts) -> set[str]:
    return {part.value for case in facts.cases for part in case.args if part.op == "kw"}


# ---------------------------------------------------------------------------------------- scene and mocks


def _scene(study: Study, nodeid: str, old: Facts, new: Facts) -> Iterator[Finding]:
    """
    The same calls with other constants set another scene: the input of the checks that follow changed.
    """
    lost = [term for term in gone(old, new) if counts(term)]
    fresh: dict[tuple[Term, ...], Term] = {}
    for term in gone(new, old) if lost else ():
        if counts(term):
            fresh.setdefault(spot_of(term), term)
    for term in lost if fresh else ():
        twin = fresh.get(spot_of(term))
        if twin is not None and not tells_the_same(term, twin) and not study.is_intended(nodeid):
            message = (
                f"the input changed: `{show(term)}` became `{show(twin)}`, "
                f"and {study.unlisted} not listed as intended"
            )
            yield finding(
                new.place,
                "expectation-rewritten",
                nodeid,
                message,
                _INPUT_ADVICE,
            )
            return
    for check, action in _otherwise_done(old, new):
        if not study.is_intended(nodeid):
            what = f"`{show(action)}`, which was done before it, is gone"
            if action in map(as_edit, check.scene):
                what = f"the test itself sets `{action.value}` in the object that it asks"
            message = f"{what}, and {study.unlisted} not listed as intended"
            yield finding(check.place, "expectation-rewritten", nodeid, message, _INPUT_ADVICE)
            return


def _otherwise_done(old: Facts, new: Facts) -> Iterator[tuple[Check, Term]]:
    """
    Yield the checks that stand as they were, after less has been done to what they look at, or its insides.
    """
    now: dict[object, list[Check]] = defaultdict(list)
    for check in new.checks:
        now[check.form].append(check)
    for before in old.checks:
        found: list[tuple[Check, Term | None]] = []
        for check in now.get(before.form, ()):
            if before.scene == check.scene:
                found.append((check, None))
                continue
            mine, theirs = Counter(map(as_edit, before.scene)), Counter(map(as_edit, check.scene))
            gone, fresh = _actions(mine - theirs, check), _actions(theirs - mine, check)
            said = set(check.scene)  # what is planted and taken away again is a mock, and told as one
            inside = [
                one for one in fresh if one in said and one.op == "set" and one.value[:1] == "_" and not gone
            ]
            found.append((check, min(inside or (gone if not fresh else ()), default=None)))
        if found and all(action is not None for _, action in found):
            check, action = found[0]
            if action is not None:
                yield check, action


def _actions(effects: Iterable[Term], check: Check) -> list[Term]:
    """
    Return what of it was done to the product's own objects that a check looks at.
    """
    return [
        effect
        for effect in effects
        if concerns(effect, check.subject, check.expected) and names_production(effect)
    ]


def _mocks(study: Study, nodeid: str, old: Facts, new: Facts, shared: tuple[Span, ...]) -> Iterator[Finding]:
    advice = "Keep the mock as close to the real thing as it was."
    if new.specced < old.specced and new.mocks >= old.mocks:
        yield finding(
            new.place,
            "oracle-weakened",
            nodeid,
            "a mock lost its spec: it now accepts any call",
            advice,
            before=old.place.text,
        )
    lost, fresh = old.patches.keys() - new.patches.keys(), new.patches.keys() - old.patches.keys()
    moved = {_label(one) for one in lost if not _stands(study, one)}
    fresh = {one for one in fresh if _label(one) not in moved}  # the module has another name now
    asked = _asked(new)
    for target in sorted(fresh):
        if any(_holds(span, new.patches[target]) for span in shared):
            continue
        if _label(target) in asked or _is_whole(target, new) or _is_method(target, new):
            message = (
                f"`{_shown(target)}`, which the test asks, is replaced: the code under test no longer runs"
            )
            yield finding(
                new.patches[target], "oracle-weakened", nodeid, message, advice, before=old.place.text
            )
        elif (check := _planted(target, old, new)) is not None:
            message = f"`{_shown(target)}` is replaced by a mock that gives the answer which is expected"
            yield finding(
                new.patches[target], "oracle-weakened", nodeid, message, advice, before=check.place.text
            )
        elif not lost and not study.changed and _stood(study, target, old, new):
            message = f"`{_shown(target)}`, which the checks ran before, is replaced in the test"
            yield finding(
                new.patches[target], "oracle-weakened", nodeid, message, advice, before=old.place.text
            )
    for target in sorted(fresh):
        label = _label(target)
        below = next((one for one in sorted(lost) if _mentions(study, target, label, _label(one))), None)
        if below is not None:
            message = (
                f"`{_label(below)}` was replaced before, now `{label}`, which uses it: "
                "less production code runs"
            )
            yield finding(new.place, "oracle-weakened", nodeid, message, advice, before=old.place.text)


def _stood(study: Study, target: Term, old: Facts, new: Facts) -> bool:
    """
    Return whether a function of the product is replaced under checks that stand as they stood.
    """
    module, _, label = (
        str(terms.literal(target)).rpartition(".") if terms.is_literal(target) else ("", "", "")
    )
    if target.op == "attr" and target.args[0].op == "name" and target.args[0].value.startswith("pmod:"):
        module, label = target.args[0].value[5:], target.value
    path = study.old.sources.production(module) if module else None
    found = study.old.sources.module(path) if path is not None else None
    if found is None or not any(isinstance(one, ast.FunctionDef) for one in found.defs.get(label, ())):
        return False
    known = {one.form for one in old.checks}
    return any(check.form in known and names_production(check.subject) for check in new.checks)


def _stands(study: Study, target: Term) -> bool:
    """
    Return whether head still has the module in which something was replaced.
    """
    named = [str(terms.literal(target)).rpartition(".")[0]] if terms.is_literal(target) else []
    named += [name[5:] for name in terms.names_in(target) if name.startswith("pmod:")]
    return not named or any(study.new.sources.production(name) is not None for name in named)


def _planted(target: Term, old: Facts, new: Facts) -> Check | None:
    """
    Return a check of both sides whose answer the test now has a mock give.
    """
    if not names_production(target) and not terms.is_literal(target):
        return None
    told = [
        one.args[0]
        for effect, _ in new.effects
        if effect.op == "patched" and effect.value == show(target)
        for one in effect.args
        if one.op == "kw" and one.value == "return_value" and terms.is_literal(one.args[0])
    ]
    known = {one.form for one in old.checks}
    return next(
        (
            check
            for check in new.checks
            for value in told
            if check.form in known and len(value.value) > 3 and terms.contains(check.expected, value)
        ),
        None,
    )


def _holds(span: Span, place: Place) -> bool:
    return span.path == place.path and span.first <= place.line <= span.last


def _is_method(target: Term, facts: Facts) -> bool:
    """
    Return whether a method of a class of the product is replaced that a check asks an object of it for.
    """
    if terms.is_literal(target):
        owner, _, label = str(terms.literal(target)).rpartition(".")
        owner = f"prod:{owner.rpartition('.')[2]}"
    else:
        owner, label = next(terms.names_in(target), ""), _label(target)
    return owner.startswith("prod:") and any(
        terms.method(one) == label and owner in terms.names_in(one)
        for check in facts.checks
        for one in terms.walk(check.subject)
    )


def _is_whole(target: Term, facts: Facts) -> bool:
    """
    Return whether a whole module that the test uses is replaced.
    """
    modules = {use.partition(":")[0] for use in facts.uses}
    return _label(target) == WHOLE and any(
        name.removeprefix("pmod:") in modules for name in terms.names_in(target)
    )


def _shown(target: Term) -> str:
    return show(target.args[0]) if _label(target) == WHOLE else _label(target)


def _asked(facts: Facts) -> set[str]:
    """
    Return the production names that a test's checks ask first.
    """
    found = set()
    for check in facts.checks:
        first = next(
            (one for one in terms.walk(check.subject) if one.op == "name" and one.value.startswith("prod:")),
            None,
        )
        if first is not None:
            found.add(first.value[5:].partition("@")[0])
    return found


def _label(target: Term) -> str:
    return (
        target.value
        if target.op == "attr"
        else str(terms.literal(target)).rpartition(".")[2]
        if terms.is_literal(target)
        else show(target)
    )


def _mentions(study: Study, target: Term, label: str, lost: str) -> bool:
    """
    Return whether the production function that is now replaced uses what was replaced before.
    """
    paths = {
        delta
        for delta in study.old.sources.tree.under("")
        if study.patch.layout.is_production(delta) and delta.endswith(".py")
    }
    names = {one.removeprefix("pmod:").replace(".", "/") for one in terms.names_in(target)}
    if terms.is_literal(target):
        names = {str(terms.literal(target)).rpartition(".")[0].replace(".", "/")}
    for path in sorted(paths):
        if not any(
            path.removesuffix(".py").removesuffix("/__init__").endswith(name) for name in names if name
        ):
            continue
        module = study.new.sources.module(path)
        for node in module.defs.get(label, []) if module is not None else ():
            if any(isinstance(one, ast.Name) and one.id == lost for one in ast.walk(node)):
                return True
    return False
