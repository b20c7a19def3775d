"""
What runs for a test without being asked for, read by itself: a module's import and its autouse fixtures.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

from oraclekeep.oracles import terms
from oraclekeep.oracles.collect import Test
from oraclekeep.oracles.fixtures import autouse, value_of
from oraclekeep.oracles.following import invoke
from oraclekeep.oracles.gates import front_of
from oraclekeep.oracles.sayings import text_of_node
from oraclekeep.oracles.scene import counts, receiver
from oraclekeep.oracles.values import Run

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oraclekeep.oracles.fixtures import Fixture
    from oraclekeep.oracles.module import Module
    from oraclekeep.oracles.source import Sources
    from oraclekeep.oracles.terms import Term

#: What an autouse fixture says that may fail the tests under it by itself.
_TELLING: Final = re.compile(
    r"\b(assert\w*|fail|skip\w*|Skip\w*|xfail|raises|raise|applymarker|add_marker|simplefilter|filterwarnings)\b"
)


def _stand_in(module: Module) -> Test:
    """
    Return a test of a module that asks for nothing.
    """
    node = cast("ast.FunctionDef", ast.parse("def stand_in(): ...").body[0])
    return Test(module.path, node, module, module)


def asked(sources: Sources, path: str, words: frozenset[str]) -> dict[str, Fixture]:
    """
    Return those fixtures, among these names, that run unasked for every test of a file.
    """
    module = sources.module(path)
    found = autouse(sources, _stand_in(module)) if module is not None else []
    return {one.name: one for one in found if one.name in words}


def given(sources: Sources, path: str, fixture: Fixture) -> Run | None:
    """
    Read what one fixture does to a test that asks for nothing else.
    """
    module = sources.module(path)
    if module is None:
        return None
    run = Run(sources, module, invoke)
    value_of(run, _stand_in(module), fixture.name)
    while run.teardown:
        run.teardown.pop()(run)
    return run


def felt(sources: Sources, path: str, fixture: Fixture) -> Run | None:
    """
    Read what one fixture lets a test fail by; where it only sets things up, that is looked at on its own.
    """
    run = given(sources, path, fixture)
    if run is None or _TELLING.search(text_of_node(fixture.module, fixture.node)):
        return run
    return replace(run, effects=[], patches={}, options={}, mocks=0, specced=0)


def differ(runs: Iterable[Run | None]) -> bool:
    """
    Return whether what was read does not do the same to a test.
    """
    old, new = map(_deeds, runs)
    return old != new


def _deeds(run: Run | None) -> tuple[object, ...]:
    if run is None:
        return ()
    found = (
        tuple(one.form for one in run.checks),
        tuple(run.gates),
        tuple(effect for effect, _ in run.effects if counts(effect) or _listens(effect)),
        frozenset(run.patches),
        run.swallowed,
        run.mocks,
        run.specced,
        frozenset(run.options),
    )
    return found if any(found) else ()


def _listens(effect: Term) -> bool:
    """
    Return whether a statement settles which warnings or records a test hears of.
    """
    owner = receiver(effect)
    return terms.called(effect).startswith("warnings.") or (owner is not None and owner.op == "fixture")


def marked(sources: Sources, test: Test, selecting: list[str]) -> object:
    """
    Return what a test's marks and decorators do to it; two answers are equal where they do the same.

    A mark that does nothing counts where its name holds one of the words by which tests are left out.
    """
    run = Run(sources, test.home, invoke)
    front = front_of(run, test)
    if front.wrappers or front.contexts:
        return test  # code of the suite's own, which is read with the test alone
    marks, case_marks = (
        {one for one in every if any(word in one for word in selecting)}
        for every in (front.marks, front.case_marks)
    )
    named = replace(front, marks=marks, case_marks=case_marks, scene=[])
    return named, [term for term, _ in front.scene], _deeds(run)
