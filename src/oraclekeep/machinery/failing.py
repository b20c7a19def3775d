"""
Where a script of the machinery ends in failure, and under which condition.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.folding import UNKNOWN
from oraclekeep.machinery.pysource import Def
from oraclekeep.machinery.shell import AndOr, Branches, Function, Group, Node, Simple, parse
from oraclekeep.machinery.taskfiles import failure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.machinery.pysource import PyFile


_GRAMMAR: Final = frozenset({
    "not", "and", "or", "is", "in", "None", "if", "then", "True", "False", "grep", "test", "len",
    "unless", "except"
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Branch:
    """
    One condition of a function; ``how`` is the failure that it leads to, or empty.
    """

    function: str
    condition: str
    how: str
    line: int

    @property
    def alternatives(self) -> frozenset[str]:
        """
        Return the parts of an `a or b` condition.
        """
        try:
            tree = ast.parse(self.condition, mode="eval").body
        except (SyntaxError, ValueError):
            return frozenset({self.condition})
        parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.Or) else [tree]
        return frozenset(ast.unparse(part) for part in parts)

    def asks_less_than(self, other: Branch) -> bool:
        """
        Return whether this condition holds only where the other one does, and not everywhere there.

        It asks for more besides, or it compares no more than lengths and their like.
        """
        mine, theirs = (_expression(one.condition) for one in (self, other))
        if self.function != other.function or mine is None or theirs is None:
            return False
        if isinstance(mine, ast.BoolOp) and isinstance(mine.op, ast.And):
            return any(_same(part, theirs) or _coarser(part, theirs) for part in mine.values)
        return _coarser(mine, theirs)

    @property
    def names(self) -> frozenset[str]:
        """
        Return the names that the condition looks at, without the grammar around them.
        """
        plain = re.sub(r"'[^']*'|\"[^\"]*\"", "", self.condition)
        return frozenset(re.findall(r"[A-Za-z_]\w+", plain)) - _GRAMMAR


#: Functions under which different values may look alike.
_COARSE: Final = frozenset({"len", "bool", "type", "set", "sorted"})


def _expression(condition: str) -> ast.expr | None:
    try:
        return ast.parse(condition, mode="eval").body
    except (SyntaxError, ValueError):
        return None


def _same(one: ast.expr, other: ast.expr) -> bool:
    return ast.dump(one) == ast.dump(other)


def _coarser(mine: ast.expr, theirs: ast.expr) -> bool:
    """
    `len(a) != len(b)` says less than `a != b`.
    """
    match mine, theirs:
        case (
            ast.Compare(
                left=ast.Call(func=ast.Name(id=name), args=[left]), comparators=[ast.Call(args=[right])]
            ),
            ast.Compare(left=before, comparators=[after]),
        ):
            return name in _COARSE and _same(left, before) and _same(right, after)
        case _:
            return False


def python_branches(module: PyFile) -> tuple[Branch, ...]:
    return tuple(_python(module.tree.body, "", "", module))


def _python(body: list[ast.stmt], function: str, condition: str, module: PyFile) -> Iterator[Branch]:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from _python(node.body, node.name, "", module)
            case ast.ClassDef():
                yield from _python(node.body, function, condition, module)
            case ast.If():
                text = ast.unparse(node.test)
                yield from _arm(node.body, function, text, module)
                yield from _arm(node.orelse, function, f"not ({text})", module)
                if _leaves(node.body):
                    condition = f"not ({text})"
            case ast.Try():
                yield from _python([*node.body, *node.orelse, *node.finalbody], function, condition, module)
                for handler in node.handlers:
                    caught = ast.unparse(handler.type) if handler.type else "anything"
                    yield from _arm(handler.body, function, f"except {caught}", module)
            case ast.With() | ast.For() | ast.While() | ast.AsyncWith() | ast.AsyncFor():
                yield from _python(node.body, function, condition, module)
            case _:
                how = next(filter(None, (failure(inner, module) for inner in ast.walk(node))), "")
                how = how or (_tallied(node, function, module) if condition else "")
                if how:
                    yield Branch(function, condition, how, node.lineno)


def _tallied(node: ast.stmt, function: str, module: PyFile) -> str:
    """
    Say how a statement changes what a function answers with in the end: `status = 1`, `problems.append(…)`.
    """
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant()):
            pass
        case ast.AugAssign(target=ast.Name(id=name)):
            pass
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "add" | "extend"))
        ):
            pass
        case _:
            return ""
    if function not in answering(module):
        return ""
    given = (
        inner.id
        for found in module.functions
        if found.name == function
        for one in ast.walk(found)
        if isinstance(one, ast.Return) and one.value is not None
        for inner in ast.walk(one.value)
        if isinstance(inner, ast.Name)
    )
    return ast.unparse(node) if name in given else ""


def _arm(body: list[ast.stmt], function: str, condition: str, module: PyFile) -> Iterator[Branch]:
    if not body:
        return
    found = list(_python(body, function, condition, module))
    yield from found
    if not any(branch.condition == condition for branch in found):
        yield Branch(function, condition, "", body[0].lineno)


def _leaves(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], ast.Return | ast.Raise | ast.Continue)


def local_names(module: PyFile, *, inner: bool = False) -> dict[str, frozenset[str]]:
    """
    Return what the module defines at its top, each with the names that its definition mentions.

    With ``inner``, names that functions give to values are told, too.
    """
    found: dict[str, frozenset[str]] = {}
    for node in [*module.of(ast.Assign), *module.tree.body] if inner else module.tree.body:
        names = frozenset(one.id for one in ast.walk(node) if isinstance(one, ast.Name))
        if isinstance(node, Def | ast.ClassDef):
            found[node.name] = names
        elif isinstance(node, ast.Assign):
            found |= {target.id: names for target in node.targets if isinstance(target, ast.Name)}
    return found


def answering(module: PyFile) -> dict[str, tuple[bool, int]]:
    """
    Return the functions whose result becomes an exit code, with whether it can be anything but zero.
    """
    used = {
        module.dotted(inner.func).rpartition(".")[2]
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        and module.dotted(node.func).rpartition(".")[2] in {"exit", "SystemExit", "_exit", "Exit"}
        for arg in [*node.args, *(keyword.value for keyword in node.keywords)]
        for inner in ast.walk(arg)
        if isinstance(inner, ast.Call)
    }
    found: dict[str, tuple[bool, int]] = {}
    for node in ast.walk(module.tree):
        if isinstance(node, Def) and node.name in used:
            values = [
                module.fold(inner.value)
                for inner in ast.walk(node)
                if isinstance(inner, ast.Return) and inner.value
            ]
            other = any(isinstance(inner, ast.Raise) or failure(inner, module) for inner in ast.walk(node))
            found[node.name] = (
                other or any(value is UNKNOWN or value not in (0, None) for value in values),
                node.lineno,
            )
    return found


def shell_branches(text: str) -> tuple[Branch, ...]:
    return tuple(_shell(parse(text), "", ""))


def _shell(body: tuple[AndOr, ...], function: str, condition: str) -> Iterator[Branch]:
    for item in body:
        left = ""
        for operator, pipeline in item.items:
            shown = f"{'not ' if pipeline.negated else ''}{' | '.join(map(_words, pipeline.parts))}"
            inside = f"{'not ' if operator == '||' else ''}{left}" if operator else condition
            for part in pipeline.parts:
                yield from _shell_node(part, function, inside)
            left = shown


def _shell_node(node: Node, function: str, condition: str) -> Iterator[Branch]:
    match node:
        case Simple(words=words, line=line):
            fails = words[0] in {"exit", "return"} and words[1:2] not in ((), ("0",))
            if fails or (condition and words[0] in {"exit", "return", "true", ":", "echo"}):
                yield Branch(function, condition, " ".join(words) if fails else "", line)
        case Group(body=body):
            yield from _merged(_shell(body, function, condition))
        case Branches(arms=arms):
            for text, _, body in arms:
                yield from _merged(_shell(body, function, text or "else"))
        case Function(name=name, body=body):
            yield from _shell(body, name, "")


def _merged(found: Iterator[Branch]) -> Iterator[Branch]:
    """
    A body that fails somewhere fails; its echo does not say otherwise.
    """
    branches = list(found)
    failing = {branch.condition for branch in branches if branch.how}
    yield from (branch for branch in branches if branch.how or branch.condition not in failing)


def _words(node: Node) -> str:
    return " ".join(node.words) if isinstance(node, Simple) else "{ ... }"
