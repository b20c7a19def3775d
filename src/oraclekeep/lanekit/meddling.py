"""
Finds production code that replaced what decides about tests: pytest's own functions, unittest's, or a hook.

Suites and plugins may change pytest, and do.  A product has no business there, however well it picks the one
test that it means; so what was replaced is asked where its code lies.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_JUDGES: Final = frozenset({"_pytest", "pytest", "pluggy", "unittest"})
#: Looked at after each test, the others at the end.
_CENTRAL: Final = frozenset(
    {
        "_pytest.python",
        "_pytest.reports",
        "_pytest.runner",
        "_pytest.skipping",
        "unittest.case",
        "pluggy._hooks",
    }
)


class Judges:
    """
    The functions that decide, as they were before any of the tree's code ran.
    """

    def __init__(self, holds: Callable[[str], bool]) -> None:
        self._holds = holds
        self._central: list[_Names] = []
        self._others: list[_Names] = []
        for name, module in sorted(sys.modules.items()):
            if name.partition(".")[0] in _JUDGES:
                (self._central if name in _CENTRAL else self._others).extend(_all_of(module))

    def replaced(self, *, everywhere: bool = False) -> Iterator[str]:
        """
        Yield what a product's code stands for now, with its place.
        """
        for names in (*self._central, *(self._others if everywhere else ())):
            for name, value in names.changed():
                file, line = _place(value)
                if file.startswith("<") or self._holds(file):  # text that names no file is nobody's plugin
                    yield f"{names.place}.{name} was replaced by {file}:{line}"

    def registered(self, manager: Any, named: Iterable[str]) -> Iterator[str]:
        """
        Yield the plugins that a product's code made of itself, those aside that somebody asked for by name.
        """
        plugins = list(manager.get_plugins())
        welcome = {id(plugin) for plugin, _ in manager.list_plugin_distinfo()}
        names = {
            *named,
            *(name for plugin in plugins for name in _words(getattr(plugin, "pytest_plugins", ()))),
        }
        for plugin in plugins:
            module = plugin if isinstance(plugin, ModuleType) else sys.modules.get(type(plugin).__module__)
            file = str(getattr(module, "__file__", None) or "")
            asked_for = id(plugin) in welcome or (plugin is module and module.__name__ in names)
            if file and not asked_for and self._holds(file):
                yield f"a plugin of pytest was made by {file}"


def _words(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [str(one) for one in value] if isinstance(value, (list, tuple)) else []


class _Names:
    """
    What the names of one module or class stood for.
    """

    def __init__(self, place: str, now: Mapping[str, Any]) -> None:
        self.place = place
        self._now, self._before = now, dict(now)

    def changed(self) -> Iterator[tuple[str, Any]]:
        for name, value in self._before.items():
            now = self._now.get(name)
            if now is not value and now is not None:
                yield name, now


def _all_of(module: ModuleType) -> Iterator[_Names]:
    yield _Names(module.__name__, vars(module))
    for name, value in list(vars(module).items()):
        if isinstance(value, type) and value.__module__ == module.__name__:
            yield _Names(f"{module.__name__}.{name}", vars(value))


def _place(value: Any) -> tuple[str, int]:
    """
    Return the file and line of a function's code, whatever it is wrapped in; empty for what has none.

    Code made of text lies where the module does whose names it uses.
    """
    for inner in ("__func__", "fget", "func"):  # class and static methods, properties, partials
        value = getattr(value, inner, value)
    if not hasattr(value, "__code__"):  # an object that can be called
        value = vars(type(value)).get("__call__")
    code = getattr(value, "__code__", None)
    if code is None:
        return "", 0
    file = str(code.co_filename)
    return str(value.__globals__.get("__file__") or file) if file.startswith(
        "<"
    ) else file, code.co_firstlineno
