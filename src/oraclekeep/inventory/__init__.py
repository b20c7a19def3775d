"""
The inventory: properties with pinned seeds, run apart from the runner and classified (SPEC §5).

`plan` turns the owner's files into what a lane can read without YAML; the runner and the classes live in
`lanekit`, because they also run where the kit is not installed.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.errors import ConfigError
from oraclekeep.lanekit.builtin_checks import CHECKS
from oraclekeep.lanekit.inventory_runner import PLAN_SCHEMA
from oraclekeep.paths import Layout
from oraclekeep.policy.digests import file_digest, tree_digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oraclekeep.model import Policy, Property, Snapshot

__all__ = ["plan"]

_CHECKS: Final = "invariants/checks"
_STRATEGIES: Final = "invariants/strategies.py"


def plan(policy: Policy, tree: Snapshot, *, earlier: Sequence[Snapshot] = ()) -> dict[str, Any]:
    """
    Return what the runner needs of one tree's policy, as `oraclekeep/inventory-plan/1`.

    A function counts as known at base where ``tree`` or one of ``earlier`` defines it.  Raises `ConfigError`
    for checks whose names are taken twice.
    """
    roots = _import_roots(tree, Layout.of(tree, policy).source)
    strategies = tree.read(_STRATEGIES)
    return {
        "schema": PLAN_SCHEMA,
        "repeats": policy.settings.repeats,
        "source": roots,
        "checks": _own_checks(tree),
        "strategies": {}
        if strategies is None
        else {"path": _STRATEGIES, "source": _text(_STRATEGIES, strategies)},
        "freezes": [
            {
                "property_id": freeze.property_id,
                "seed": freeze.seed,
                "fixture_sha256": freeze.fixture_sha256,
                "expires_on": freeze.expires_on.isoformat(),
            }
            for freeze in policy.inventory.freezes
        ],
        "properties": [
            _property(one, policy, tree)
            | {"known_at_base": any(_defines(side, roots, one) for side in (tree, *earlier))}
            for one in policy.inventory.properties
        ],
    }


def _property(one: Property, policy: Policy, tree: Snapshot) -> dict[str, Any]:
    lock = policy.file_locks.get(one.fixture)
    return {
        "id": one.id,
        "module": one.module,
        "fn": one.fn,
        "seed": one.seed,
        "fixture": one.fixture,
        "sha256": lock.sha256 if lock else _locked_by_tree(one.fixture, policy, tree),
        "canonical": lock.canonical if lock else "",
        "checks": [{"name": call.name, "parameters": dict(call.parameters)} for call in one.checks],
        "clock": one.clock,
        "timeout": one.timeout,
        "strategy": one.strategy,
        "examples": one.examples,
        "pending": one.pending,
    }


def _locked_by_tree(path: str, policy: Policy, tree: Snapshot) -> str:
    """
    Return the digest of a fixture that no file lock names, where the lock of its tree vouches for it.
    """
    data = tree.read(path) if path else None
    held = (
        path.startswith(f"{top}/") and tree_digest(tree, top) == digest
        for top, digest in policy.tree_locks.items()
    )
    return file_digest(data) if data is not None and any(held) else ""


def _import_roots(tree: Snapshot, source: Sequence[str]) -> list[str]:
    """
    Return the folders for the import path: a source folder, or the parent of what is a package or a module.
    """
    roots = []
    for folder in source:
        top = folder.strip("/")
        if tree.entry(f"{top}/__init__.py") is not None or tree.entry(top) is not None:
            top = top.rpartition("/")[0]
        roots.append(top or ".")
    return list(dict.fromkeys(roots))


# ----------------------------------------------------------------------------------------- owner's sources


def _own_checks(tree: Snapshot) -> dict[str, dict[str, str]]:
    """
    Find every `check_<name>` function under `invariants/checks/`, with the source that defines it.
    """
    found: dict[str, dict[str, str]] = {}
    for path in tree.under(_CHECKS):
        if not path.endswith(".py"):
            continue
        source = _text(path, tree.read(path) or b"")
        for name in _check_names(path, source):
            if name in CHECKS:
                raise ConfigError(
                    f"{path}: check_{name} has the name of a check that comes with the kit; rename it"
                )
            if name in found and found[name]["path"] != path:
                raise ConfigError(
                    f"{path}: check_{name} is also defined in {found[name]['path']}; rename one"
                )
            found[name] = {"path": path, "source": source}
    return found


def _check_names(path: str, source: str) -> Iterator[str]:
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None) or 1
        raise ConfigError(
            f"{path}:{line}: not Python: {error}; mend it, or take it out of {_CHECKS}/"
        ) from error
    for name in _bound(module.body):
        if name.startswith("check_"):
            yield name.removeprefix("check_")


def _text(path: str, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from error


# ---------------------------------------------------------------------------------------- what a tree defines


def _defines(tree: Snapshot, roots: Sequence[str], one: Property) -> bool:
    """
    Return whether the tree holds the property's function, as far as its syntax tells.
    """
    path = one.module.replace(".", "/")
    files = [f"{root}/{path}{end}".removeprefix("./") for root in roots for end in (".py", "/__init__.py")]
    data = next((data for file in files if (data := tree.read(file)) is not None), None)
    if data is None:
        return False
    try:
        body: list[ast.stmt] = ast.parse(data).body
    except (SyntaxError, ValueError, RecursionError):
        return False
    first, *rest = one.fn.split(".")
    classes = [node for node in body if isinstance(node, ast.ClassDef) and node.name == first]
    if rest and classes:
        return rest[0] in _bound(classes[-1].body)
    return first in _bound(body) or "*" in _bound(body)


def _bound(body: Sequence[ast.stmt]) -> set[str]:
    """
    Return the names that statements bind, also under `if`, `try` and `with`.
    """
    names: set[str] = set()
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names |= {alias.asname or alias.name.partition(".")[0] for alias in aliases}
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                stored = (inner for inner in ast.walk(node) if isinstance(inner, ast.Name))
                names |= {inner.id for inner in stored if isinstance(inner.ctx, ast.Store)}
            case ast.If() | ast.Try() | ast.TryStar() | ast.With() | ast.For() | ast.While():
                blocks = (getattr(node, field, ()) for field in ("body", "orelse", "finalbody"))
                names |= {name for block in blocks for name in _bound(block)}
                names |= {name for handler in getattr(node, "handlers", ()) for name in _bound(handler.body)}
            case _:
                pass
    return names
