"""
Statements of a test are read in the order they would run; nothing is run.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles.values import MAX_STEPS

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Sequence

    from oraclekeep.oracles.terms import Term
    from oraclekeep.oracles.values import Run, Scope, Value


class Flow(enum.Enum):
    """
    How a block ends.
    """

    NEXT = "goes on"
    LEAVES = "goes on with the next turn of a loop"
    BREAKS = "ends a loop"
    RETURNS = "ends the function"
    FAILS = "raises or fails"
    SKIPS = "skips the test"


LEAVING: Final = frozenset({Flow.LEAVES, Flow.BREAKS, Flow.RETURNS})


class Returned:
    """
    Collects the values that a function returns, each with the guards it was returned under.
    """

    def __init__(self) -> None:
        self.values: list[tuple[tuple[Term, ...], Value]] = []
        self.within = 0  # how many `with` blocks a return stands in


#: Readers of statements by node type; the modules beside this one register theirs.
HANDLERS: Final[dict[type[ast.stmt], Callable[..., Flow]]] = {}


def handles(*kinds: type[ast.stmt]) -> Callable[[Callable[..., Flow]], Callable[..., Flow]]:
    """
    Register a reader for statement types; a type can be taken once.
    """

    def register(handler: Callable[..., Flow]) -> Callable[..., Flow]:
        for kind in kinds:
            if kind in HANDLERS:
                raise ValueError(f"{kind.__name__} is handled twice")
            HANDLERS[kind] = handler
        return handler

    return register


def execute(run: Run, body: Sequence[ast.stmt], scope: Scope, returned: Returned) -> Flow:
    """
    Read a block and say how it ends.
    """
    for node in body:
        run.steps += 1
        if run.steps > MAX_STEPS:
            run.cut += 1
            return Flow.NEXT
        handler = HANDLERS.get(type(node))
        flow = handler(run, node, scope, returned) if handler is not None else Flow.NEXT
        if flow is not Flow.NEXT:
            return flow
    return Flow.NEXT
