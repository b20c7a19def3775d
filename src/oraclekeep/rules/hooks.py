"""
`collection-tampered`: conftests and plugins that drop tests, or turn results into others.
"""

from __future__ import annotations

import ast
import fnmatch
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.hookbody import Effect, HookReader
from oraclekeep.machinery.options import is_error
from oraclekeep.machinery.plugins import plugin_paths
from oraclekeep.machinery.pysource import Def, load, load_or_none, module_path, own_nodes
from oraclekeep.machinery.runs import is_machinery
from oraclekeep.machinery.settings import settings_of
from oraclekeep.model import Finding
from oraclekeep.oracles.parsing import Unparsable
from oraclekeep.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oraclekeep.machinery.pysource import PyFile
    from oraclekeep.model import Snapshot
    from oraclekeep.rules import Patch

_ADVICE: Final = "Take the hook out, or ask the owner for an allowance in oracle/intent.json."
_TELLING: Final = (
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
    "tox.ini",
)
_IGNORES: Final = frozenset({"collect_ignore", "collect_ignore_glob"})


@rule("collection-tampered")
def plugin_hooks(patch: Patch) -> Iterator[Finding]:
    """
    Report what hooks of head's plugins do to tests and results that base's plugins did not do.
    """
    changed = {delta.path for delta in patch.deltas}
    ci = [path for path in changed if is_machinery(path)]
    if not ci and not any(path.endswith(".py") or path in _TELLING for path in changed):
        return
    # Where no changed file speaks of hooks or plugins, what the other test files load makes no difference.
    telling = any(path in _TELLING or b"pytest_" in (patch.head.read(path) or b"") for path in changed)
    asked = None if ci or telling else sorted(changed)
    old, new = (plugin_paths(tree, patch.layout, ci, asked) for tree in (patch.base, patch.head))
    before = [effect for path in sorted(old) for effect in _effects(patch, patch.base, path)]
    generated = {path for path in changed if patch.layout.is_test_file(path)}
    for path in sorted(new):
        if path in changed or path not in old:
            yield from _judged(patch, path, before)
    for path in sorted(generated - new):
        before_here = _effects(patch, patch.base, path, only="pytest_generate_tests")
        yield from _findings(_effects(patch, patch.head, path, only="pytest_generate_tests"), before_here)


def _judged(patch: Patch, path: str, before: Sequence[Effect]) -> Iterator[Finding]:
    try:
        load(patch.head, path)
    except Unparsable as error:
        yield Finding(
            path=path,
            line=error.line,
            row="collection-tampered",
            message=f"{path} does not parse ({error.words}), so what it does to the run cannot be told.",
            advice="Mend the file.",
        )
    yield from _findings(_effects(patch, patch.head, path), before)
    yield from _ignored(patch, path)


def _findings(effects: Sequence[Effect], before: Sequence[Effect]) -> Iterator[Finding]:
    """
    Yield one finding for each hook that does something new.
    """
    hooks: dict[tuple[str, str], list[Effect]] = {}
    for effect in effects:
        if not any(effect.is_covered_by(other) for other in before):
            hooks.setdefault((effect.path, effect.hook.split(".")[0].removesuffix("()")), []).append(effect)
    for (path, hook), found in hooks.items():
        whys = ", ".join(dict.fromkeys(effect.why for effect in found))
        yield Finding(
            path=path,
            line=found[0].line,
            row="collection-tampered",
            message=f"{hook} now changes what the run collects or reports: {whys}.",
            advice=_ADVICE,
            after="; ".join(effect.text for effect in found)[:400],
        )


def _effects(patch: Patch, tree: Snapshot, path: str, only: str = "") -> tuple[Effect, ...]:
    module = load_or_none(tree, path)
    if module is None:
        return ()

    def resolve(importer: PyFile, dotted: str) -> tuple[PyFile, Def] | None:
        owner, _, name = dotted.rpartition(".")
        found = module_path(tree, owner, importer=importer.path) if owner.strip(".") else None
        target = load_or_none(tree, found) if found is not None else None
        function = target.function(name) if target is not None else None
        return (target, function) if target is not None and function is not None else None

    strict = any(map(is_error, settings_of(patch.base).filters))
    reader = HookReader(resolve, strict_warnings=strict)
    found: list[Effect] = []
    for hook, function in _hooks(module):
        if hook.startswith(only):
            found += reader.effects(hook, function, module)
    return tuple(found)


def _hooks(module: PyFile) -> Iterator[tuple[str, Def]]:
    """
    Yield functions that pytest takes for hooks: by name, by `specname`, or by assignment.
    """
    for function in module.functions:
        name = function.name
        for decorator in function.decorator_list:
            for keyword in decorator.keywords if isinstance(decorator, ast.Call) else ():
                if keyword.arg == "specname":
                    name = module.text(keyword.value) or name
        if name.startswith("pytest_"):
            yield name, function
    for node in module.of(ast.Assign):
        yield from _assigned(module, node)


def _assigned(module: PyFile, node: ast.Assign) -> Iterator[tuple[str, Def]]:
    for target in node.targets:
        name = (
            target.id
            if isinstance(target, ast.Name)
            else module.text(target.slice)
            if isinstance(target, ast.Subscript)
            else ""
        )
        if not name.startswith("pytest_") or name == "pytest_plugins":
            continue
        if isinstance(node.value, ast.Lambda):
            body = ast.Return(node.value.body, lineno=node.lineno, col_offset=0)
            yield (
                name,
                ast.FunctionDef(
                    name=name, args=node.value.args, body=[body], decorator_list=[], lineno=node.lineno
                ),
            )
        elif isinstance(node.value, ast.Name) and (function := module.function(node.value.id)) is not None:
            yield name, function


def _ignored(patch: Patch, path: str) -> Iterator[Finding]:
    """
    `collect_ignore` and `collect_ignore_glob`: entries that hide a test, or that cannot be read.
    """
    old = _ignore_entries(patch.base, path)
    known = {text for text, _ in old}
    for text, line in _ignore_entries(patch.head, path):
        if text in known or (text and not _hides_tests(patch, path, text)):
            continue
        yield Finding(
            path=path,
            line=line,
            row="collection-tampered",
            message=f"collect_ignore now leaves out {text or 'files that cannot be told'}.",
            advice=_ADVICE,
            after=text or None,
        )


def _ignore_entries(tree: Snapshot, path: str) -> list[tuple[str, int]]:
    module = load_or_none(tree, path)
    found: list[tuple[str, int]] = []
    for node in own_nodes(module.tree) if module is not None else ():
        value: ast.expr | None = None
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            value = node.value if any(_is_ignore(target) for target in targets) else None
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and _is_ignore(node.func.value)
        ):
            value = node.args[-1] if node.args else None
        if value is not None and module is not None:
            items = value.elts if isinstance(value, ast.List | ast.Tuple | ast.Set) else [value]
            for item in items:
                folded = module.fold(item)
                found += [
                    (str(text), item.lineno)
                    for text in (folded if isinstance(folded, tuple) else (module.text(item),))
                ]
    return found


def _is_ignore(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in _IGNORES


def _hides_tests(patch: Patch, path: str, entry: str) -> bool:
    if "test" in entry.rpartition("/")[2]:
        return True
    folder = path.rpartition("/")[0]
    pattern = f"{folder}/{entry}" if folder else entry
    return any(
        patch.layout.is_test_file(item)
        and (fnmatch.fnmatchcase(item, pattern) or item.startswith(pattern.rstrip("/*") + "/"))
        for item in patch.head.under(folder)
    )
