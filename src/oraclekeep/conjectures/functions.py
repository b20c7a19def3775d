"""
The public functions that a patch changed or added, and how each can be called.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles.parsing import same_code
from oraclekeep.rules.production import production_deltas

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from oraclekeep.model import Snapshot
    from oraclekeep.oracles.module import Def, Module
    from oraclekeep.oracles.source import Sources
    from oraclekeep.paths import Layout
    from oraclekeep.rules import Patch

#: Decorators that leave a function callable as it is written.
_TRANSPARENT: Final = frozenset(
    {"staticmethod", "classmethod", "cache", "lru_cache", "wraps", "final", "override"}
)
#: Modules that do something when they are imported: a program's door, and how it is built.
_PROGRAMS: Final = frozenset({"__main__.py", "setup.py", "conftest.py"})


@dataclass(frozen=True, slots=True)
class Parameter:
    """
    One parameter that a caller may give by position.
    """

    name: str
    annotation: ast.expr | None
    default: ast.expr | None


@dataclass(frozen=True)
class Function:
    """
    One public function of production code.  ``name`` is dotted for a method of a class.
    """

    path: str
    module: str
    name: str
    node: Def
    parameters: tuple[Parameter, ...]
    required: int  # how many a caller must give by position
    demanded: tuple[str, ...]  # keyword-only parameters without a default
    keywords: tuple[str, ...]  # what a caller may give by name, and leave out
    returns: ast.expr | None

    @property
    def short(self) -> str:
        return self.name.rpartition(".")[2]

    @property
    def owner(self) -> str:
        return self.name.rpartition(".")[0]

    @property
    def dotted(self) -> str:
        return f"{self.module}.{self.name}"

    @property
    def takes_one(self) -> bool:
        """
        Whether `fn(sample)` is a call that it understands.
        """
        return bool(self.parameters) and self.required <= 1 and not self.demanded


@dataclass(frozen=True, slots=True)
class LeftOut:
    """
    A function for which there is no candidate, and why.
    """

    name: str
    why: str


def changed_functions(
    patch: Patch, old: Sources, new: Sources
) -> tuple[tuple[Function, ...], tuple[LeftOut, ...]]:
    """
    Return the public functions that the patch changed or added, also through what they use in their module.
    """
    found: list[Function] = []
    left: list[LeftOut] = []
    for delta in production_deltas(patch):
        name = delta.path.rpartition("/")[2]
        if not delta.path.endswith(".py") or delta.deleted or delta.same_bytes or name in _PROGRAMS:
            continue
        after = new.module(delta.path)
        if after is None:
            left.append(LeftOut(delta.path, "it does not parse"))
            continue
        dotted = patch.layout.module_name(delta.path)
        if not all(part.isidentifier() for part in dotted.split(".")):
            left.append(LeftOut(delta.path, f"{dotted} can't be imported by that name"))
            continue
        touched = _touched(_definitions(old.module(delta.path)), _definitions(after))
        ours = (one for one in _public(delta.path, dotted, after) if one.name in touched)
        found += [replace(one, module=door) for one in ours if (door := _door(new, one))]
    return tuple(found), tuple(left)


def is_first_party(tree: Snapshot, layout: Layout, module: str) -> bool:
    """
    Return whether a module of this name may lie in production code, be it Python or compiled.
    """
    first = module.partition(".")[0]
    return any(
        layout.is_production(path) and layout.module_name(path).partition(".")[0] == first
        for path in tree.under("")
    )


def functions_of(path: str, dotted: str, module: Module) -> dict[str, Function]:
    """
    Return every function of a module that can be called without an object, private ones as well.
    """
    return {one.name: one for one in _callables(path, dotted, module)}


def _door(sources: Sources, function: Function) -> str:
    """
    Return the module through which callers reach a function; a private one needs a package that hands it on.
    """
    parts = function.module.split(".")
    if not any(part.startswith("_") for part in parts):
        return function.module
    first = function.name.partition(".")[0]
    packages = (".".join(parts[:count]) for count in range(len(parts) - 1, 0, -1))
    public = (package for package in packages if not any(part.startswith("_") for part in package.split(".")))
    return next(
        (package for package in public if sources.defines(package, first) == (function.path, first)), ""
    )


def _touched(before: Mapping[str, ast.AST], after: Mapping[str, ast.AST]) -> set[str]:
    """
    Return what is new or another code than before, with all that uses it in the same module.
    """
    found = {
        name
        for name, node in after.items()
        if name not in before or not same_code(before[name], node, documented=False)
    }
    uses = {name: _names(node) for name, node in after.items()}
    while more := {name for name, used in uses.items() if name not in found and used & found}:
        found |= more
    return found


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _definitions(module: Module | None) -> dict[str, ast.AST]:
    """
    Return what a module defines by name, methods under their class.
    """
    found: dict[str, ast.AST] = {}
    for name, nodes in module.defs.items() if module else ():
        node = nodes[-1]
        found[name] = node
        if isinstance(node, ast.ClassDef):
            found |= {f"{name}.{one.name}": one for one in _methods(node)}
    return found | (dict(module.constants) if module else {})


def _methods(node: ast.ClassDef) -> Iterator[Def]:
    yield from (one for one in node.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)))


def _public(path: str, dotted: str, module: Module) -> Iterator[Function]:
    for function in _callables(path, dotted, module):
        first = function.name.partition(".")[0]
        listed = module.exported is None or first in module.exported
        if listed and not any(part.startswith("_") for part in function.name.split(".")):
            yield function


def _callables(path: str, dotted: str, module: Module) -> Iterator[Function]:
    for name, nodes in module.defs.items():
        node = nodes[-1]
        if not isinstance(node, ast.ClassDef):
            yield _function(path, dotted, name, node, bound=False)
            continue
        for method in _methods(node):
            kinds = {_decorator(one) for one in method.decorator_list}
            if kinds & {"staticmethod", "classmethod"}:
                yield _function(path, dotted, f"{name}.{method.name}", method, bound="classmethod" in kinds)


def _function(path: str, dotted: str, name: str, node: Def, *, bound: bool) -> Function:
    args = node.args
    positional = [*args.posonlyargs, *args.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(args.defaults)) + [*args.defaults]
    parameters = tuple(
        Parameter(arg.arg, _unquoted(arg.annotation), default)
        for arg, default in zip(positional, defaults, strict=True)
    )[int(bound) :]
    only = [(arg.arg, default) for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    return Function(
        path=path,
        module=dotted,
        name=name,
        node=node,
        parameters=parameters,
        required=sum(one.default is None for one in parameters),
        demanded=tuple(name for name, default in only if default is None),
        keywords=(
            *(one.name for one in parameters if one.default is not None),
            *(name for name, default in only if default is not None),
        ),
        returns=_unquoted(node.returns),
    )


def _unquoted(annotation: ast.expr | None) -> ast.expr | None:
    """
    Read an annotation that is written as text.
    """
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            return ast.parse(annotation.value, mode="eval").body
        except (SyntaxError, ValueError):
            return None
    return annotation


def _decorator(node: ast.expr) -> str:
    """
    Return the last part of a decorator's name.
    """
    match node.func if isinstance(node, ast.Call) else node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return "an expression"


def unsuitable(function: Function) -> str:
    """
    Say why no check could call the function as it stands, or nothing.
    """
    node = function.node
    own = [*own_nodes(node)]
    unknown = [name for one in node.decorator_list if (name := _decorator(one)) not in _TRANSPARENT]
    body = [
        one for one in node.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
    ]
    if unknown:
        return f"what @{unknown[0]} makes of it is not known"
    if isinstance(node, ast.AsyncFunctionDef):
        return "it is async"
    if any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in own):
        return "it is a generator function"
    if all(isinstance(one, (ast.Raise, ast.Pass)) for one in body):
        return "it is a stub"
    given = [one.value for one in own if isinstance(one, ast.Return) and _says_something(one.value)]
    if not given:
        return "it returns nothing that could be looked at"
    inner = {one.name for one in own if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))}
    if all(isinstance(one, ast.Lambda) or (isinstance(one, ast.Name) and one.id in inner) for one in given):
        return "it makes a function, and no check calls that one"
    if function.demanded:
        return f"it demands {function.demanded[0]}, and a check passes a sample alone"
    return "" if function.parameters else "it takes no argument"


def _says_something(value: ast.expr | None) -> bool:
    return value is not None and not (isinstance(value, ast.Constant) and value.value is None)


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """
    Yield what stands in a function's own body, without what it defines inside.
    """
    stack = [*getattr(node, "body", ())]
    while stack:
        one = stack.pop()
        yield one
        if not isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            stack += ast.iter_child_nodes(one)
