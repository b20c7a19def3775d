"""
What a test is fed: its cases, its strategies, the calls that set the scene, and how closely mocks fit.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from oraclekeep.model import Finding
from oraclekeep.oracles import terms
from oraclekeep.oracles.strength import Fate
from oraclekeep.rules.lost import is_off

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.oracles.checks import Facts, Place
    from oraclekeep.oracles.source import Module
    from oraclekeep.oracles.terms import Term
    from oraclekeep.rules.study import Study

_DEFAULT_EXAMPLES: Final = 100


def inputs(study: Study) -> Iterator[Finding]:
    """
    Yield a finding for each test that is fed less than it was, or something else.
    """
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
        yield from _strategies(study, nodeid, old, new)
        yield from _mocks(study, nodeid, old, new)
        if nodeid not in reported:
            yield from _scene(study, nodeid, old, new)
    for delta in study.patch.deltas:
        if delta.path.endswith(".py") and study.new.sources.owns(delta.path):
            yield from _profiles(study.old.sources.module(delta.path), study.new.sources.module(delta.path))


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
        message = f"{len(gone)} of {len(old.cases)} cases are gone, `{terms.show(gone[0])}` among them"
        yield _finding(new.place, "test-lost", nodeid, message, "Put the cases back.", len(gone))


def _tables(study: Study, nodeid: str, old: Facts, new: Facts) -> Iterator[Finding]:
    """
    Large tables of cases are compared row by row.
    """
    before, after = ({row for case in facts.cases for row in case.args} for facts in (old, new))
    gone, fresh = sorted(before - after), after - before
    lost = max(0, len(gone) - len(fresh))
    if lost:
        message = f"{lost} of {len(before)} cases are gone, `{terms.show(gone[0])}` among them"
        yield _finding(new.place, "test-lost", nodeid, message, "Put the cases back.", lost)
    elif gone and not study.is_intended(nodeid):
        message = f"{len(gone)} of {len(before)} cases changed, `{terms.show(gone[0])}` among them"
        yield _finding(new.place, "expectation-rewritten", nodeid, message, "Restore the cases.", len(gone))


def _names(facts: Facts) -> set[str]:
    return {part.value for case in facts.cases for part in case.args if part.op == "kw"}


def _finding(
    place: Place, row: str, nodeid: str, message: str, advice: str, units: int = 1, before: str | None = None
) -> Finding:
    return Finding(place.path, place.line, row, nodeid, message, advice, before, place.text, units)


# ------------------------------------------------------------------------------------------- hypothesis


def _strategies(study: Study, nodeid: str, old: Facts, new: Facts) -> Iterator[Finding]:
    advice = "Draw as much as before."
    before, after = old.max_examples, new.max_examples
    if (
        after is not None
        and after < (before if before is not None else _DEFAULT_EXAMPLES)
        and (before is not None or old.strategies)
    ):
        shown = before if before is not None else "the profile's number"
        yield _finding(
            new.place, "test-lost", nodeid, f"hypothesis draws {after} examples now, not {shown}", advice
        )
    if any(terms.called(term).endswith("hypothesis.assume") for term in _gone(new, old)):
        yield _finding(
            new.place, "oracle-weakened", nodeid, "`assume` throws away inputs that were checked", advice
        )
    for key, strategy in old.strategies.items():
        now = new.strategies.get(key)
        if now is None or now == strategy:
            continue
        narrower = _narrower(strategy, now)
        if narrower:
            message = f"the strategy draws less: `{terms.show(strategy)}` became `{terms.show(now)}`"
            yield _finding(new.place, "oracle-weakened", nodeid, message, advice, before=old.place.text)
        elif narrower is None and not study.is_intended(nodeid):
            message = f"the strategy changed: `{terms.show(strategy)}` became `{terms.show(now)}`"
            yield _finding(new.place, "expectation-rewritten", nodeid, message, advice, before=old.place.text)


_LESS: Final = frozenset({"max_size", "max_value", "max_codepoint", "max_leaves", "max_examples"})
_MORE: Final = frozenset({"min_size", "min_value", "min_codepoint"})
_BARRED: Final = frozenset(
    {
        "allow_nan",
        "allow_infinity",
        "allow_subnormal",
        "unique",
        "blacklist_characters",
        "blacklist_categories",
        "exclude_categories",
        "exclude_characters",
    }
)


def _narrower(old: Term, new: Term) -> bool | None:
    """
    Does the new strategy draw fewer values?  None where it cannot be told.
    """
    if old == new:
        return False
    if terms.method(new) == "filter" and terms.contains(new, old):
        return True
    if terms.method(old) == "filter" and terms.contains(old, new):
        return False
    short = terms.called(old).rpartition(".")[2]
    if old.op != "call" or new.op != "call" or (terms.called(old) != terms.called(new)):
        return True if terms.called(new).rpartition(".")[2] in {"just", "none", "nothing"} else None
    if short in {"sampled_from", "one_of"}:
        mine, theirs = (
            set(terms.positional(one))
            if short == "one_of"
            else set(one.args[1].args)
            if len(one.args) > 1
            else set()
            for one in (old, new)
        )
        return True if theirs < mine else False if mine < theirs else None
    verdicts = [_narrower_argument(index, old, new) for index in range(1, max(len(old.args), len(new.args)))]
    verdicts += [
        _narrower_keyword(key, terms.keyword(old, key), terms.keyword(new, key))
        for key in _keywords(old) | _keywords(new)
    ]
    if True in verdicts:
        return True
    return None if None in verdicts else False


def _keywords(term: Term) -> set[str]:
    return {arg.value for arg in term.args[1:] if arg.op == "kw"}


def _narrower_argument(index: int, old: Term, new: Term) -> bool | None:
    mine, theirs = (
        one.args[index] if index < len(one.args) and one.args[index].op != "kw" else None
        for one in (old, new)
    )
    if mine == theirs:
        return False
    if mine is None or theirs is None:
        return None
    if terms.is_literal(mine) and terms.is_literal(theirs):
        return _bound("min_value" if index == 1 else "max_value", mine, theirs)
    return _narrower(mine, theirs)


def _narrower_keyword(key: str, old: Term | None, new: Term | None) -> bool | None:
    if old == new:
        return False
    if key in _BARRED:
        opened = new is None or new == terms.TRUE
        return not opened if key.startswith("allow") else new is not None
    if old is None or new is None:
        return new is not None if key in _LESS | _MORE else None
    return _bound(key, old, new) if terms.is_literal(old) and terms.is_literal(new) else _narrower(old, new)


def _bound(key: str, old: Term, new: Term) -> bool | None:
    try:
        before, after = terms.literal(old), terms.literal(new)
        return bool(after < before) if key in _LESS else bool(after > before) if key in _MORE else None
    except TypeError:
        return None


def _profiles(old: Module | None, new: Module | None) -> Iterator[Finding]:
    """
    A hypothesis profile that draws fewer examples weakens every property under it.
    """
    before, after = (_registered(module) for module in (old, new))
    for name, (number, line, text) in after.items():
        known = before.get(name)
        if known is not None and number < known[0] and new is not None:
            yield Finding(
                new.path,
                line,
                "test-lost",
                "",
                f"the hypothesis profile {name!r} draws {number} examples, not {known[0]}",
                "Draw as many as before.",
                known[2],
                text,
            )


def _registered(module: Module | None) -> dict[str, tuple[int, int, str]]:
    found: dict[str, tuple[int, int, str]] = {}
    for node in ast.walk(module.tree) if module is not None and "register_profile" in module.text else ():
        if (
            not (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "register_profile"
            )
            or module is None
        ):
            continue
        for key in node.keywords:
            if (
                key.arg == "max_examples"
                and isinstance(key.value, ast.Constant)
                and isinstance(key.value.value, int)
                and node.args
            ):
                found[ast.unparse(node.args[0])] = (key.value.value, node.lineno, module.segment(node))
    return found


# ---------------------------------------------------------------------------------------- scene and mocks


def _gone(old: Facts, new: Facts) -> list[Term]:
    theirs = {term for term, _ in new.effects}
    return [term for term, _ in old.effects if term not in theirs]


def _scene(study: Study, nodeid: str, old: Facts, new: Facts) -> Iterator[Finding]:
    """
    The same calls with other constants set another scene: the input of the checks that follow changed.
    """
    gone = [term for term in _gone(old, new) if _counts(term)]
    fresh: dict[Term, Term] = {}
    for term in _gone(new, old) if gone else ():
        if _counts(term):
            fresh.setdefault(terms.skeleton(term), term)
    for term in gone if fresh else ():
        twin = fresh.get(terms.skeleton(term))
        if twin is not None and not study.is_intended(nodeid):
            message = (
                f"the input changed: `{terms.show(term)}` became `{terms.show(twin)}`, "
                "and the modules concerned are not listed as intended"
            )
            yield _finding(
                new.place,
                "expectation-rewritten",
                nodeid,
                message,
                "Restore the input, or ask an owner to list the module in allow_behavior_change.",
            )
            return


def _counts(term: Term) -> bool:
    return any(name.startswith("prod:") for name in terms.names_in(term)) or term.op == "set"


def _mocks(study: Study, nodeid: str, old: Facts, new: Facts) -> Iterator[Finding]:
    advice = "Keep the mock as close to the real thing as it was."
    if new.specced < old.specced and new.mocks >= old.mocks:
        yield _finding(
            new.place,
            "oracle-weakened",
            nodeid,
            "a mock lost its spec: it now accepts any call",
            advice,
            before=old.place.text,
        )
    lost, fresh = old.patches.keys() - new.patches.keys(), new.patches.keys() - old.patches.keys()
    asked = _asked(new)
    for target in sorted(fresh):
        if _label(target) in asked:
            message = (
                f"`{_label(target)}`, which the test asks, is replaced: the code under test no longer runs"
            )
            yield _finding(
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
            yield _finding(new.place, "oracle-weakened", nodeid, message, advice, before=old.place.text)


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
            found.add(first.value[5:])
    return found


def _label(target: Term) -> str:
    return (
        target.value
        if target.op == "attr"
        else str(terms.literal(target)).rpartition(".")[2]
        if terms.is_literal(target)
        else terms.show(target)
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
