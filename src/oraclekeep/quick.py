"""
`oraclekeep score` without Invoke: importing it takes longer than judging most patches.

Only lines of whole options are understood; help, short options and mistakes are left to Invoke.
"""

from __future__ import annotations

from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def understood(body: Callable[..., int], words: Sequence[str]) -> partial[int] | None:
    """
    Return the task with what the words say, as Invoke would; None where Invoke has to be asked.
    """
    if not isinstance(body, FunctionType):
        return None
    names = body.__code__.co_varnames[1 : body.__code__.co_argcount]  # the first one is Invoke's context
    defaults = dict(zip(names, body.__defaults__ or (), strict=True))
    given: dict[str, str | bool] = {}
    rest = iter(words)
    for word in rest:
        option, equals, value = word.partition("=")
        name = option.removeprefix("--").replace("-", "_")
        if name not in defaults or name in given or option != f"--{name.replace('_', '-')}":
            return None
        if isinstance(defaults[name], bool):
            if equals:
                return None
            given[name] = True
        else:
            value = value if equals else next(rest, "")
            if not value or value.startswith("-"):
                return None
            given[name] = value
    return partial(body, None, **given)
