"""
What hypothesis draws for a test: how many examples, from how wide a strategy, under which profile.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.profiles import DEFAULT_EXAMPLES, drawn_by, examples, loaded, loadings, registered
from oraclekeep.model import Finding
from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import gone
from oraclekeep.oracles.showing import show
from oraclekeep.oracles.terms import Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from oraclekeep.oracles.checks import Facts, Place
    from oraclekeep.oracles.module import Module
    from oraclekeep.rules.study import Study

#: What hypothesis does where nothing is said.
_DEFAULTS: Final = {"max_examples": DEFAULT_EXAMPLES, "stateful_step_count": 50}


def finding(
    place: Place, row: str, nodeid: str, message: str, advice: str, units: int = 1, before: str | None = None
) -> Finding:
    return Finding(place.path, place.line, row, nodeid, message, advice, before, place.text, units)


def strategies(study: Study, nodeid: str, old: Facts, new: Facts) -> Iterator[Finding]:
    advice = "Draw as much as before."
    before, after = old.max_examples, new.max_examples
    if (
        after is not None
        and after < (before if before is not None else DEFAULT_EXAMPLES)
        and (before is not None or old.strategies)
    ):
        shown = before if before is not None else "the profile's number"
        yield finding(
            new.place, "test-lost", nodeid, f"hypothesis draws {after} examples now, not {shown}", advice
        )
    if any(terms.called(term) in _THROWING for term in gone(new, old)):
        yield finding(
            new.place, "oracle-weakened", nodeid, "inputs that were checked are thrown away", advice
        )
    if new.generates is False and old.generates is not False and old.strategies:
        yield finding(new.place, "oracle-weakened", nodeid, "hypothesis draws no input any more", advice)
    for key, held in old.strategies.items():
        strategy, now = _keyed(held), new.strategies.get(key)
        now = _keyed(now) if now is not None else None
        if now is None or now == strategy:
            continue
        narrower = _narrower(strategy, now)
        if narrower:
            message = f"the strategy draws less: `{show(strategy)}` became `{show(now)}`"
            yield finding(new.place, "oracle-weakened", nodeid, message, advice, before=old.place.text)
        elif narrower is None and not study.is_intended(nodeid):
            message = f"the strategy changed: `{show(strategy)}` became `{show(now)}`"
            yield finding(new.place, "expectation-rewritten", nodeid, message, advice, before=old.place.text)


#: Names of the arguments that strategies take by place.
_PLACES: Final = {
    **dict.fromkeys(
        ("integers", "floats", "decimals", "fractions", "dates", "times", "datetimes", "timedeltas"),
        ("min_value", "max_value"),
    ),
    **dict.fromkeys(("lists", "sets", "frozensets", "iterables"), ("elements",)),
    "text": ("alphabet",),
    "dictionaries": ("keys", "values"),
}


def _keyed(term: Term) -> Term:
    """
    Return a strategy with all its arguments given by name.
    """
    if not term.args:
        return term
    term = Term(term.op, term.value, tuple(map(_keyed, term.args)))
    names = _PLACES.get(terms.called(term).rpartition(".")[2], ())
    places = terms.positional(term)
    if not names or len(places) > len(names) or any(one.op == "star" for one in places):
        return term
    named = {arg.value: arg.args[0] for arg in term.args[1:] if arg.op == "kw"}
    return terms.call(term.args[0], (), tuple((dict(zip(names, places, strict=False)) | named).items()))


def time_limit(nodeid: str, old: Facts, new: Facts) -> Iterator[Finding]:
    """
    A test that may take longer notices less.
    """
    before, after = old.time_limit, new.time_limit
    if before is not None and (after is None or after > before):
        now = "is gone" if after is None else f"is {after:g} seconds" if after < float("inf") else "is off"
        message = f"the time limit of {before:g} seconds {now}"
        yield finding(new.place, "oracle-weakened", nodeid, message, "Keep the limit.", before=old.place.text)


_THROWING: Final = frozenset({"hypothesis.assume", "hypothesis.reject", "hypothesis.stateful.precondition"})
#: Strategies whose every argument leaves values out.
_OPEN: Final = frozenset(
    {
        "integers",
        "floats",
        "decimals",
        "fractions",
        "datetimes",
        "dates",
        "times",
        "timedeltas",
        "text",
        "binary",
    }
)
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


#: Strategies that draw some texts and not others.
_SOME_TEXTS: Final = frozenset({"from_regex", "sampled_from", "just", "characters", "emails", "domains"})


def _narrower(old: Term, new: Term) -> bool | None:
    """
    Does the new strategy draw fewer values?  None where it cannot be told.
    """
    if old == new:
        return False
    if terms.method(new) in {"filter", "map", "flatmap"} and terms.contains(new, old):
        return True
    if terms.called(old).rpartition(".")[2] == "text" and not terms.keyword(old, "alphabet"):
        kind = terms.called(new).rpartition(".")[2]
        if kind in _SOME_TEXTS or (kind == "text" and terms.keyword(new, "alphabet") is not None):
            return True
    if terms.method(old) == "filter" and terms.contains(old, new):
        return False
    if old in _alternatives(new):
        return False
    if new in _alternatives(old):
        return True
    if old.op == new.op == "composite":
        return _narrower_draws(old, new)
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
    if terms.method(old) and terms.method(old) == terms.method(new):  # `.map(f)` of something
        verdicts.append(_narrower(old.args[0].args[0], new.args[0].args[0]))
    if True in verdicts:
        return True
    return None if None in verdicts else False


def _alternatives(strategy: Term) -> tuple[Term, ...]:
    """
    Return the strategies that one of several draws from.
    """
    if strategy.op == "bin" and strategy.value == "BitOr":
        return tuple(part for one in strategy.args for part in (*_alternatives(one), one))
    return terms.positional(strategy) if terms.called(strategy).endswith(".one_of") else ()


def _narrower_draws(old: Term, new: Term) -> bool | None:
    """
    A composite strategy is as wide as what it draws.
    """
    (mine, made), (theirs, remade) = ((one.args[0].args, one.args[1:]) for one in (old, new))
    if len(mine) != len(theirs):
        return None
    verdicts = [_narrower(one, other) for one, other in zip(mine, theirs, strict=True)]
    return True if True in verdicts else None if None in verdicts or made != remade else False


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
        return theirs not in (None, terms.NONE) if terms.called(old).rpartition(".")[2] in _OPEN else None
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
        says_nothing = new == terms.NONE or (key == "min_size" and new == terms.const(0))
        return (new is not None and not says_nothing) if key in _LESS | _MORE else None
    return _bound(key, old, new) if terms.is_literal(old) and terms.is_literal(new) else _narrower(old, new)


def _bound(key: str, old: Term, new: Term) -> bool | None:
    try:
        before, after = terms.literal(old), terms.literal(new)
        return bool(after < before) if key in _LESS else bool(after > before) if key in _MORE else None
    except TypeError:
        return None


def profiles(
    old: Module | None, new: Module | None, loads_elsewhere: Callable[[], bool]
) -> Iterator[Finding]:
    """
    A hypothesis profile that draws fewer examples weakens every property under it.
    """
    yield from _machines(old, new)
    yield from _loaded(old, new, loads_elsewhere)
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


def _loaded(old: Module | None, new: Module | None, loads_elsewhere: Callable[[], bool]) -> Iterator[Finding]:
    """
    The profile that a module loads, last of all, is the one that counts.
    """
    if new is None or not any(module is not None and "load_profile" in module.text for module in (old, new)):
        return
    was, now = (loaded(module.tree, {}) if module is not None else () for module in (old, new))
    before, after = (
        examples(names, drawn_by(module.tree) if module is not None else {})
        for names, module in ((was, old), (now, new))
    )
    if before is None or after is None or after >= before or was == now:
        return  # the same profile that draws less is told where it is registered
    calls = loadings(new.tree)
    if not calls and loads_elsewhere():
        return
    message = f"the hypothesis profile that is loaded draws {after} examples, not {before}"
    line, text = (calls[-1].lineno, new.segment(calls[-1])) if calls else (1, "")
    yield Finding(new.path, line, "test-lost", "", message, "Draw as many as before.", None, text)


def _machines(old: Module | None, new: Module | None) -> Iterator[Finding]:
    """
    `Machine.TestCase.settings = settings(…)` says how much a state machine is tried.
    """
    before = {owner: numbers for owner, numbers, _ in _assigned(old)}
    for owner, numbers, node in _assigned(new):
        known = before.get(owner, {})
        less = [key for key, number in numbers.items() if number < known.get(key, _DEFAULTS[key])]
        if less and new is not None and (owner in before or owner.partition(".")[0] in _names_of(old)):
            number = known.get(less[0], _DEFAULTS[less[0]])
            what, text = f"{less[0]} of {owner} is {numbers[less[0]]} now, not {number}", new.segment(node)
            yield Finding(new.path, node.lineno, "test-lost", "", what, "Try as much as before.", None, text)


def _assigned(module: Module | None) -> Iterator[tuple[str, dict[str, int], ast.stmt]]:
    for node in module.effects if module is not None else ():
        match node:
            case ast.Assign(
                targets=[ast.Attribute(attr="settings") as target], value=ast.Call(keywords=keys)
            ):
                numbers = {
                    key.arg: key.value.value
                    for key in keys
                    if key.arg in _DEFAULTS
                    and isinstance(key.value, ast.Constant)
                    and isinstance(key.value.value, int)
                }
                yield ast.unparse(target.value), numbers, node
            case _:
                continue


def _names_of(module: Module | None) -> set[str]:
    return set() if module is None else {*module.defs, *module.constants}


def _registered(module: Module | None) -> dict[str, tuple[int, int, str]]:
    """
    Return the profiles whose number of examples can be told, with their lines and texts.
    """
    if module is None or "register_profile" not in module.text:
        return {}
    return {
        name: (number, node.lineno, module.segment(node))
        for name, (number, node) in registered(module.tree).items()
        if number is not None
    }
