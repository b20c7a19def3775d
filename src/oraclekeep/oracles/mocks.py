"""
`unittest.mock` and `monkeypatch`: what is replaced, how closely it is specified, and what is asked of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.captured import buffer_of
from oraclekeep.oracles.checks import Check, Kind, Place
from oraclekeep.oracles.showing import show
from oraclekeep.oracles.subjects import outputs
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.topics import path_of

if TYPE_CHECKING:
    from oraclekeep.oracles.values import Run

#: Mock assertions, strongest first; the number is how much of the calls they pin.
PINS: Final = {
    "called_once_with": 5, "not_called": 5, "has_calls": 4, "called_with": 4, "any_call": 3, "called_once": 3,
    "called": 1,
}  # fmt: skip
_CLASSES: Final = frozenset(
    {
        "Mock",
        "MagicMock",
        "AsyncMock",
        "NonCallableMock",
        "NonCallableMagicMock",
        "PropertyMock",
        "create_autospec",
        "mock_open",
    }
)
TOLD: Final = frozenset({"return_value", "side_effect"})
_WORDS: Final = frozenset({"name", "instance", "unsafe"})
#: Fixtures of pytest-mock: what they patch stays so until the test is over.
_MOCKERS: Final = tuple(
    Term("fixture", f"{scope}mocker") for scope in ("", "class_", "module_", "package_", "session_")
)
#: What pytest-mock hands on from `unittest.mock`.
_HANDED_ON: Final = frozenset({"call", "ANY", "sentinel", "DEFAULT"})
MODULES: Final = terms.name("sys.modules")
#: What the names of the product, and of the tools that judge it, start with.
REPLACEABLE: Final = ("prod:", "pmod:", "unittest.", "pytest", "_pytest.", "builtins")
#: The member that stands for all of a module.
WHOLE: Final = "*"
_SPECS: Final = frozenset({"spec", "spec_set", "autospec", "wraps"})


def is_assertion(short: str) -> bool:
    return _asked(short) in PINS and short.startswith("assert_")


def _asked(short: str) -> str:
    return (
        short.removeprefix("assert_")
        .replace("await_any", "any")
        .replace("awaited", "called")
        .replace("any_await", "any_call")
        .replace("has_awaits", "has_calls")
    )


def check(term: Term, guards: tuple[Term, ...], place: Place) -> Check:
    """
    Read `mock.assert_…(…)`.
    """
    short = terms.method(term)
    awaited = "await" in short
    subject = term.args[0].args[0]
    return Check(
        Kind.MOCK,
        subject,
        Term("args", "awaited" if awaited else "", term.args[1:]),
        _asked(short),
        guards=guards,
        place=place,
    )


def handed_on(owner: Term, name: str) -> Term | None:
    """
    Return what a name of the `mocker` fixture stands for, where it is one of `unittest.mock`.
    """
    return terms.name(f"unittest.mock.{name}") if owner in _MOCKERS and name in _HANDED_ON else None


def concerns(short: str) -> bool:
    """
    Return whether a call of this name may make or plant a mock.
    """
    return short in _CLASSES or short in {"setattr", "setitem", "patch", "object", "dict", "multiple"}


def made(run: Run, term: Term, short: str, place: Place) -> Term | None:
    """
    Return the term of a mock that a call makes or plants, and note how closely it is specified.
    """
    name = terms.called(term) or path_of(term.args[0])
    if short in {"setitem", "dict"}:
        _planted(run, term, short, place)
    if short in _CLASSES and ("mock" in name or name == short or terms.method(term)):
        return _mock(run, term, short, place)
    if short == "setattr" and len(term.args) >= (3 if terms.method(term) else 4):
        if terms.method(term) or term.args[1].value.startswith(REPLACEABLE):
            run.patches[_target(term.args[1], term.args[2] if len(term.args) > 3 else None)] = place
        return None
    if (
        (short == "patch" or name.endswith(("patch.object", "patch.dict", "patch.multiple")))
        and "patch" in name
        and len(term.args) > 1
    ):
        planted = _patch(run, term, name, place)
        return planted.args[1] if any(one in _MOCKERS for one in terms.walk(term.args[0])) else planted
    return None


def plant(run: Run, key: Term, place: Place) -> None:
    """
    Note a module of the product that `sys.modules` is told to be something else.
    """
    dotted = terms.literal(key) if terms.is_literal(key) else None
    if isinstance(dotted, str) and run.sources.production(dotted) is not None:
        run.patches[Term("attr", WHOLE, (terms.name(f"pmod:{dotted}"),))] = place


def _planted(run: Run, term: Term, short: str, place: Place) -> None:
    if len(term.args) > 2 and term.args[1] in (MODULES, terms.const(MODULES.value)):
        keys = (
            [term.args[2]]
            if short == "setitem"
            else [pair.args[0] for pair in term.args[2].args if pair.args]
        )
        for key in keys:
            plant(run, key, place)


def _mock(run: Run, term: Term, short: str, place: Place) -> Term:
    specified = short == "create_autospec" or any(
        arg.op == "kw" and arg.value in _SPECS and arg.args[0] not in (terms.NONE, terms.FALSE)
        for arg in term.args
    )
    specified = specified or (short in {"Mock", "MagicMock", "AsyncMock"} and bool(terms.positional(term)))
    run.mocks += 1
    run.specced += specified
    rest = tuple(arg for arg in term.args[1:] if arg.op == "kw" and arg.value not in _SPECS | _WORDS)
    for arg in rest:
        if "." in arg.value or arg.value in TOLD:
            *path, last = arg.value.split(".")
            owner = Term("mock")
            for part in path:
                owner = Term("attr", part, (owner,))
            run.effects.append((Term("set", last, (owner, arg.args[0])), place))
    return Term("mock", "", tuple(arg for arg in rest if "." not in arg.value))


def _target(first: Term, second: Term | None) -> Term:
    return (
        first if second is None or first.op == "const" else Term("attr", show(second).strip("'\""), (first,))
    )


def _patch(run: Run, term: Term, name: str, place: Place) -> Term:
    is_object = name.endswith("object")
    target = _target(term.args[1], term.args[2] if is_object and len(term.args) > 2 else None)
    run.patches[target] = place
    given = terms.argument(term, 2 if is_object else 1, "new")
    specified = any(
        arg.op == "kw" and arg.value in _SPECS and arg.args[0] not in (terms.NONE, terms.FALSE)
        for arg in term.args
    )
    run.mocks += 1
    run.specced += specified
    told = tuple(arg for arg in term.args[1:] if arg.op == "kw" and arg.value not in _SPECS | _WORDS)
    told += () if given is None else (given,)
    if told:
        run.effects.append((Term("patched", show(target), told), place))
    if is_object and given is not None and given.op != "mock" and any(outputs(term.args[1])):
        run.effects.append((Term("set", target.value, (term.args[1], given)), place))
    if name.endswith("dict") and given is not None and any(outputs(term.args[1])):
        run.effects.append((terms.call(terms.attr(term.args[1], "update"), (given,)), place))
    if (buffer := buffer_of(target, told)) is not None:
        return Term("patch", "", (target, buffer))
    return Term("patch", "", (target, given if given is not None else Term("mock", show(target))))
