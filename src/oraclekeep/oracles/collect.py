"""
Which functions of a module pytest would collect as tests, by its own rules and unittest's.
"""

from __future__ import annotations

import ast
import fnmatch
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles.ancestry import brings, is_case, linearised
from oraclekeep.oracles.module import Def, Module
from oraclekeep.oracles.parsing import last_name
from oraclekeep.oracles.records import is_record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.oracles.source import Sources
    from oraclekeep.paths import PytestSettings

_MACHINES: Final = ("RuleBasedStateMachine",)
_SCENARIOS: Final = frozenset({"rule", "invariant", "initialize"})


@dataclass(frozen=True)
class Class:
    """
    A class of the suite with its bases in the order in which they are asked; bases elsewhere are names.
    """

    node: ast.ClassDef
    module: Module
    qualname: str
    line: tuple[Class | str, ...] = ()

    @cached_property
    def mro(self) -> tuple[Class, ...]:
        return tuple(one for one in self.line if isinstance(one, Class))

    @cached_property
    def outside(self) -> tuple[str, ...]:
        return tuple(one for one in self.line if isinstance(one, str))

    @property
    def is_case(self) -> bool:
        return any(map(is_case, self.outside))

    @property
    def is_async(self) -> bool:
        return any(
            "Async" in base
            or base.startswith("django.")
            or base.rpartition(".")[2] in {"SimpleTestCase", "TransactionTestCase", "LiveServerTestCase"}
            for base in self.outside
        )

    @property
    def is_machine(self) -> bool:
        return any(base.rpartition(".")[2] in _MACHINES for base in self.outside)

    def member(self, name: str) -> tuple[Def | ast.ClassDef | ast.expr, Class] | None:
        """
        Find a method or a class attribute along the bases; the last definition in a body wins.

        What a unittest case brings itself hides what stands in bases behind it.
        """
        for one in (self, *self.line):
            if isinstance(one, Class) and (found := one.own.get(name)) is not None:
                return found, one
            if isinstance(one, str) and brings(one, name):
                return None
        return None

    @cached_property
    def own(self) -> dict[str, Def | ast.ClassDef | ast.expr]:
        """
        The methods and attributes that its own body defines; the last definition wins.
        """
        found: dict[str, Def | ast.ClassDef | ast.expr] = {}
        for node in self.node.body:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    found[node.name] = node
                case (
                    ast.Assign(targets=[ast.Name(id=target)], value=value)
                    | ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value)
                ):
                    found[target] = value
                case _:
                    continue
        return found

    def names(self) -> Iterator[str]:
        """
        Yield every method name along the bases, each once, bases' methods first come.
        """
        seen: set[str] = set()
        for klass in (self, *self.mro):
            for node in klass.node.body:
                if isinstance(node, Def) and node.name not in seen:
                    seen.add(node.name)
                    yield node.name


@dataclass(frozen=True)
class Test:
    """
    One collected function; ``owner`` is the class it runs in, which may only inherit it.
    """

    __test__ = False

    nodeid: str
    node: Def
    module: Module  # where the function is written
    home: Module  # where it is collected
    owner: Class | None = None
    defined_in: Class | None = None


def class_of(sources: Sources, module: Module, node: ast.ClassDef, prefix: str = "", depth: int = 0) -> Class:
    """
    Resolve a class and its bases through the suite's modules.
    """
    bases: list[Class | str] = [
        find_class(sources, module, base, depth + 1) or _dotted(module, base)
        for base in (node.bases if depth < 12 else ())
    ]
    return Class(node, module, f"{prefix}{node.name}", linearised(bases))


def find_class(sources: Sources, module: Module, node: ast.expr, depth: int = 0) -> Class | None:
    if isinstance(node, ast.Subscript):
        return find_class(sources, module, node.value, depth)
    if isinstance(node, ast.Name):
        found = lookup(sources, module, node.id)
    elif (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in module.imports
    ):
        target = sources.find(module.path, module.imports[node.value.id])
        found = lookup(sources, target[0], node.attr) if target is not None and not target[1] else None
    else:
        return None
    if found is not None and isinstance(found[0], ast.ClassDef):
        return class_of(sources, found[1], found[0], depth=depth)
    return None


def lookup(
    sources: Sources, module: Module, name: str, depth: int = 0
) -> tuple[Def | ast.ClassDef | ast.expr, Module] | None:
    """
    Find what a module-level name of the suite is defined as, through imports and star imports.
    """
    if depth > 8:
        return None
    if name in module.defs:
        return module.defs[name][-1], module
    if name in module.constants:
        return module.constants[name], module
    imports = [module.imports[name]] if name in module.imports else list(module.stars)
    for one in imports:
        found = sources.find(module.path, one)
        if found is not None and found[0] is not module:
            wanted = name if found[1] in ("", "*") and one.member in ("", "*") else found[1]
            if (
                wanted
                and wanted != "*"
                and (deeper := lookup(sources, found[0], wanted, depth + 1)) is not None
            ):
                return deeper
    return None


def _dotted(module: Module, node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            found = module.imports.get(name)
            return f"{found.module}.{found.member}" if found is not None and found.member else name
        case ast.Attribute(value=value, attr=member):
            return f"{_dotted(module, value)}.{member}"
        case ast.Call(func=func):
            return _dotted(module, func)
        case _:
            return ""


def tests_in(sources: Sources, module: Module) -> dict[str, Test]:
    """
    Return the collected tests of a module by nodeid (without parameters), in order.
    """
    settings = sources.layout.pytest_of(module.path)
    found: dict[str, Test] = {}
    if _is_off(module.constants.get("__test__")):
        return found
    off = _switched_off_names(module)
    for name, (node, home) in _top_level(sources, module).items():
        if isinstance(node, ast.ClassDef):
            if name not in off:
                _collect_class(sources, module, class_of(sources, home, node), settings, found)
        elif _named(name, settings.python_functions) and name not in off and is_called(node):
            nodeid = f"{module.path}::{name}"
            found[nodeid] = Test(nodeid, node, home, module)
    return found


def _top_level(sources: Sources, module: Module) -> dict[str, tuple[Def | ast.ClassDef, Module]]:
    found: dict[str, tuple[Def | ast.ClassDef, Module]] = {
        name: (nodes[-1], module) for name, nodes in module.defs.items()
    }
    wanted = [
        name
        for name in module.imports
        if name.startswith(("test", "Test")) or name.endswith(("Test", "Tests", "TestCase"))
    ]
    for name in wanted:
        target = lookup(sources, module, name)
        if target is not None and isinstance(
            target[0], (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        ):
            found.setdefault(name, (target[0], target[1]))
    for star in module.stars:
        target_module = sources.find(module.path, star)
        if target_module is not None:
            for name, nodes in target_module[0].defs.items():
                if target_module[0].gives(name):
                    found.setdefault(name, (nodes[-1], target_module[0]))
    # A name that was later bound to something else is no test any more.
    return {name: pair for name, pair in found.items() if name not in module.constants}


def _collect_class(
    sources: Sources,
    module: Module,
    klass: Class,
    settings: PytestSettings,
    found: dict[str, Test],
    depth: int = 0,
) -> None:
    path = f"{module.path}::{klass.qualname}"
    if klass.is_machine:
        if (
            f"{klass.node.name}.TestCase" not in module.text
            and f"run_state_machine_as_test({klass.node.name}" not in module.text
        ):
            return  # a machine runs only through its TestCase
        for node in klass.node.body:
            if isinstance(node, Def) and _is_scenario(node):
                found[f"{path}::{node.name}"] = Test(
                    f"{path}::{node.name}", node, klass.module, module, klass, klass
                )
        return
    if not klass.is_case and (
        not _named(klass.node.name, settings.python_classes) or _has_constructor(klass)
    ):
        return
    if switched_off(klass):
        return
    gone = sources.once("replaced methods", module.tree, _replaced_methods)
    for name in klass.names():
        if (klass.qualname, name) in gone:
            continue
        if name.startswith("test") if klass.is_case else _named(name, settings.python_functions):
            member = klass.member(name)
            if member is not None and isinstance(member[0], Def) and (klass.is_case or is_called(member[0])):
                found[f"{path}::{name}"] = Test(
                    f"{path}::{name}", member[0], member[1].module, module, klass, member[1]
                )
    for node in klass.node.body:
        if isinstance(node, ast.ClassDef) and depth < 4:
            _collect_class(
                sources,
                module,
                class_of(sources, klass.module, node, f"{klass.qualname}::"),
                settings,
                found,
                depth + 1,
            )


def _replaced_methods(tree: ast.AST) -> frozenset[tuple[str, str]]:
    """
    Return the methods, with their classes, that statements of the module replace or delete.
    """
    found = set()
    for node in tree.body if isinstance(tree, ast.Module) else ():
        targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else []
        match node:
            case ast.Expr(
                value=ast.Call(
                    func=ast.Name(id="setattr" | "delattr"),
                    args=[ast.Name(id=owner), ast.Constant(value=str(attr)), *_],
                )
            ):
                found.add((owner, attr))
            case _:
                pass
        for one in targets:
            if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name):
                found.add((one.value.id, one.attr))
    return frozenset(found)


def _has_constructor(klass: Class) -> bool:
    """
    Return whether the class is made in a way of its own; pytest collects no such class.
    """
    if klass.member("__init__") is not None or klass.member("__new__") is not None:
        return True
    return any(is_record(one) for one in (klass, *klass.mro))


def is_switched_off(sources: Sources, module: Module, name: str) -> bool:
    """
    Return whether `__test__ = False` of the module, a class or a function keeps a top-level name uncollected.
    """
    if _is_off(module.constants.get("__test__")) or name in _switched_off_names(module):
        return True
    nodes = module.defs.get(name, [])
    return (
        bool(nodes)
        and isinstance(nodes[-1], ast.ClassDef)
        and switched_off(class_of(sources, module, nodes[-1]))
    )


def _is_off(value: object) -> bool:
    return isinstance(value, ast.Constant) and not value.value


def _switched_off_names(module: Module) -> set[str]:
    """
    Return what `NAME.__test__ = False` takes out of collection.
    """
    found = set()
    for node in module.effects:
        match node:
            case (
                ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name), attr="__test__")], value=value)
                | ast.Expr(
                    value=ast.Call(
                        func=ast.Name(id="setattr"),
                        args=[ast.Name(id=name), ast.Constant(value="__test__"), value],
                    )
                )
            ) if _is_off(value):
                found.add(name)
            case _:
                continue
    return found


#: Decorators that make something of a function which pytest does not call as a test.
_TAKING: Final = frozenset({"fixture", "yield_fixture", "property", "cached_property"})


def is_called(node: Def) -> bool:
    """
    Return whether pytest calls a function as it stands, if it is named like a test.
    """
    return not any(
        last_name(one.func if isinstance(one, ast.Call) else one) in _TAKING for one in node.decorator_list
    )


def switched_off(klass: Class) -> bool:
    """
    Return whether `__test__ = False` keeps the class out of collection.
    """
    member = klass.member("__test__")
    return member is not None and isinstance(member[0], ast.Constant) and not member[0].value


def _is_scenario(node: Def) -> bool:
    for decorator in node.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        if last_name(target) in _SCENARIOS:
            return True
    return False


def _named(name: str, patterns: tuple[str, ...]) -> bool:
    return any(
        fnmatch.fnmatchcase(name, pattern)
        if "*" in pattern or "?" in pattern or "[" in pattern
        else name.startswith(pattern)
        for pattern in patterns
    )
