"""
A default that changes in production code while every test is given the variable that would show it.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.pysource import load_or_none
from oraclekeep.model import Finding
from oraclekeep.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.machinery.pysource import PyFile
    from oraclekeep.rules import Patch

_ADVICE: Final = (
    "Set the variable in the tests that need it; the others should see the product's own default."
)
_READS: Final = frozenset({"os.getenv", "os.environ.get", "os.environ.setdefault"})
_WORD: Final = re.compile(rb"getenv|environ")


@rule("errors-swallowed")
def hidden_defaults(patch: Patch) -> Iterator[Finding]:
    """
    Report a variable that is newly set under all tests while the patch changes the product's default for it.
    """
    settings = [one for one in patch.deltas if not one.deleted and _is_under_all(patch, one.path)]
    moved = _moved_defaults(patch) if settings else {}
    for delta in settings if moved else ():
        before, after = (tree.read(delta.path) or b"" for tree in (patch.base, patch.head))
        for variable, (path, default) in moved.items():
            word = re.compile(rb"\b%s\b" % re.escape(variable.encode()))
            if (place := word.search(after)) is None or word.search(before):
                continue
            line = after.count(b"\n", 0, place.start()) + 1
            text = after.splitlines()[line - 1].decode("utf-8", "replace").strip()
            what = (
                f"Every test gets {variable} from here, while {path} now falls back to {default} without it."
            )
            yield Finding(delta.path, line, "errors-swallowed", message=what, advice=_ADVICE, after=text)


def _is_under_all(patch: Patch, path: str) -> bool:
    """
    Return whether a file sets things up for all tests: a conftest, a plugin of the suite, a configuration.
    """
    if patch.layout.is_production(path) and path.endswith(".py"):
        return False
    return not patch.layout.is_test_file(path) and not patch.layout.is_neutral(path)


def _moved_defaults(patch: Patch) -> dict[str, tuple[str, str]]:
    """
    Return the variables whose default changed, with the module that reads them and the new default.
    """
    found: dict[str, tuple[str, str]] = {}
    for delta in patch.deltas:
        if not delta.path.endswith(".py") or not patch.layout.is_production(delta.path):
            continue
        if not all(_WORD.search(tree.read(delta.path) or b"") for tree in (patch.base, patch.head)):
            continue  # a default moves where both sides have one
        sides = [load_or_none(tree, delta.path) for tree in (patch.base, patch.head)]
        before, after = (dict(_defaults(module)) if module is not None else {} for module in sides)
        for variable in sorted(before.keys() & after.keys()):
            if before[variable] != after[variable]:
                found[variable] = (delta.path, after[variable])
    return found


def _defaults(module: PyFile) -> Iterator[tuple[str, str]]:
    for node in module.of(ast.Call):
        if module.dotted(node.func) in _READS and node.args and (variable := module.text(node.args[0])):
            given = [*node.args[1:], *(key.value for key in node.keywords if key.arg == "default")]
            yield variable, _shown(module, given[0]) if given else "None"


def _shown(module: PyFile, node: ast.expr) -> str:
    held = module.constants.get(node.id) if isinstance(node, ast.Name) else None
    return ast.unparse(held if held is not None else node)
