"""
What the names of a module are said to be, to tell whether a patch says something else.
"""

from __future__ import annotations

import ast
import copy
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles.beginning import SET_UP
from oraclekeep.oracles.calling import asserts
from oraclekeep.oracles.casework import RUNNERS
from oraclekeep.oracles.collect import is_called
from oraclekeep.oracles.extract import BEFORE, TEAR_DOWN
from oraclekeep.oracles.generating import HOOK
from oraclekeep.oracles.module import Def
from oraclekeep.oracles.parsing import below, same_code

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oraclekeep.oracles.collect import Class, Test
    from oraclekeep.oracles.module import Import, Module
    from oraclekeep.oracles.source import Sources


#: What a module does to all its tests when it is imported, the cases its hook gives them, its star imports.
IMPORT, CASES, STARS = "<import>", "<cases>", "*"
WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True)
class Saying:
    """
    What a name of a module is said to be: the text, and the syntax where there is any.
    """

    text: str
    nodes: tuple[ast.AST, ...] = ()
    is_import: bool = False

    def is_like(self, other: Saying | None) -> bool:
        """
        Return whether both say the same thing, however it is laid out and explained.
        """
        if other is None or self.text == other.text:
            return other is not None
        return bool(self.nodes) and same_code([*self.nodes], [*other.nodes], documented=False)

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(WORD.findall(self.text))


def text_of_node(module: Module, node: ast.AST) -> str:
    first = min([getattr(node, "lineno", 1), *(one.lineno for one in getattr(node, "decorator_list", []))])
    return "\n".join(module.lines[first - 1 : getattr(node, "end_lineno", first)])


def _saying(module: Module, nodes: Iterable[ast.AST]) -> Saying:
    parts = tuple(part for node in nodes for part in _own_parts(node))
    return Saying("\n".join(text_of_node(module, part) for part in parts), parts)


def _own_parts(node: ast.AST) -> list[ast.AST]:
    """
    Return what a definition says; a class says no more than its tests do, which are looked at one by one.
    """
    if not isinstance(node, ast.ClassDef):
        return [node]
    body = (one for one in node.body if not is_test(one))
    return [*node.decorator_list, *node.bases, *node.keywords, *body]


def is_test(node: ast.AST) -> bool:
    """
    Return whether a definition is named like a test, and no fixture.
    """
    return isinstance(node, Def) and node.name.startswith("test") and is_called(node)


def sayings_of(sources: Sources, module: Module | None) -> dict[str, Saying]:
    """
    Return what the names of a module are said to be, members of its classes too, and what it does at import.
    """
    if module is None:
        return {}
    nodes: dict[str, list[ast.AST]] = {}
    for name, node in ((name, node) for name, found in module.defs.items() for node in found):
        if not isinstance(node, ast.ClassDef):
            nodes.setdefault(name, []).append(node)
            continue
        for member, said in members_of(node).items():
            unnamed = is_unasked(member, _saying(module, said)) or any(map(asserts, said))
            nodes.setdefault(name if unnamed else member, []).extend(said)
        if not sources.collects(module.path):
            nodes.setdefault(name, []).extend(filter(is_test, node.body))  # tests of those that inherit it
    for name in module.constants:
        nodes.setdefault(name, []).extend(module.bindings(name))
    gates = (one for one in module.constants.values() if "importorskip" in text_of_node(module, one))
    hooks = (node for name in BEFORE for node in module.defs.get(name, []))
    nodes[IMPORT] = [*(one for one in module.effects if not _is_idle(one)), *gates, *hooks]
    nodes[CASES] = [*module.defs.get(HOOK, [])]
    found = {name: _saying(module, said) for name, said in nodes.items()}
    for name, one in module.imports.items():
        text = (found[name].text if name in found else "") + _origin(sources, one)
        text += " rebound" if name in module.rebound else ""
        found[name] = Saying(text, is_import=True)
    found[STARS] = Saying("|".join(one.module for one in module.stars))
    return found


def _origin(sources: Sources, found: Import) -> str:
    """
    A product's name is the same name from whichever of its modules it comes.
    """
    inside = found.member and sources.production(found.module) is not None
    return f"prod:{found.member}" if inside else f"{found.module}:{found.member}"


def _is_idle(node: ast.stmt) -> bool:
    """
    Return whether a statement says nothing to a test: a text, or what only a type checker or a script reads.
    """
    match node:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"), orelse=[]):
            return True
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__")), orelse=[]):
            return True
        case _:
            return False


def said_by(sources: Sources, test: Test) -> tuple[list[Saying], list[Saying]]:
    """
    Return what a test says itself, and how it is marked: by its decorators, and by its module.
    """
    home, name = test.home, test.nodeid.split("::")[1]
    bare = copy.copy(test.node)
    bare.decorator_list = []
    own = [_saying(test.module, [bare])]
    if name in home.under:
        node, positive = home.under[name]
        own.append(_saying(home, [node if positive else ast.UnaryOp(ast.Not(), node, lineno=node.lineno)]))
    marks = [home.constants["pytestmark"]] if "pytestmark" in home.constants else []
    done = (_said_of(sources, home, one) for one in home.effects)
    return own, [
        _saying(test.module, test.node.decorator_list),
        *(_said_of(sources, home, one) for one in marks),
        *(one for one in done if not one.words.isdisjoint({name, "pytestmark"})),
    ]


#: What a class says at its head, and statements in it that define no member.
_HEAD, _BODY = "<head>", "<body>"


def members_of(klass: ast.ClassDef) -> dict[str, list[ast.AST]]:
    """
    Return what a class says but for its tests, member by member.
    """
    found: dict[str, list[ast.AST]] = {_HEAD: [*klass.decorator_list, *klass.bases, *klass.keywords]}
    for node in klass.body:
        match node:
            case _ if is_test(node):
                continue
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.setdefault(node.name, []).append(node)
            case (
                ast.Assign(targets=[ast.Name(id=name)])
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr())
            ):
                found.setdefault(name, []).append(node)
            case _ if not _is_idle(node):
                found.setdefault(_BODY, []).append(node)
            case _:
                continue
    return found


def sayings_of_class(klass: Class) -> dict[str, Saying]:
    return {name: _saying(klass.module, nodes) for name, nodes in members_of(klass.node).items()}


#: Members that a test's own class, its framework or pytest ask for.
_UNASKED: Final = frozenset(
    {_HEAD, _BODY, *SET_UP, *TEAR_DOWN, *RUNNERS, HOOK, "pytestmark", "failureException"}
)


def is_unasked(name: str, saying: Saying) -> bool:
    """
    Return whether a member of a class matters to tests that do not name it.
    """
    return name in _UNASKED or name.startswith("__") or "autouse" in saying.words


def _said_of(sources: Sources, module: Module, node: ast.AST) -> Saying:
    """
    Return what many tests ask for, putting it together once.
    """
    return sources.once("saying", node, lambda _: _saying(module, [node]))


#: An import that may stand in a function, with what it names in brackets or on continued lines.  In a text it
#: counts as well: that leads to more, and never to less.
_INNER: Final = re.compile(
    r"(?:^[ \t]+|[:;][ \t]*)(?:from|import)\b(?:\\\r?\n|[^\n\\(])*(?:\([^)]*\))?", re.MULTILINE
)


def leads(sources: Sources, path: str) -> frozenset[str]:
    """
    Return the parts of all module paths and members that a file imports or names as plugins.
    """
    module = sources.module(path)
    return sources.once("leads", module.tree, lambda _: _leads(module)) if module is not None else frozenset()


def _leads(module: Module) -> frozenset[str]:
    found = [*module.imports.values(), *module.stars]
    parts = {part for one in found for part in (*one.module.split("."), one.member)}
    for statement in _INNER.finditer(module.text):
        parts.update(WORD.findall(statement[0]))
    plugins = module.constants.get("pytest_plugins")
    named = below(plugins) if plugins is not None else []
    texts = (one.value for one in named if isinstance(one, ast.Constant) and isinstance(one.value, str))
    return frozenset(parts.union(*(text.split(".") for text in texts)))
