"""
Comparison methods that give one answer whatever they are compared with.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.folding import UNKNOWN
from oraclekeep.machinery.pysource import Def

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.machinery.pysource import PyFile

#: The constant answer that makes a check pass.
_PASSING: Final = {
    "__eq__": True,
    "__ne__": False,
    "__contains__": True,
    "__instancecheck__": True,
    "__subclasscheck__": True,
}
_WORD: Final = re.compile(rb"__(eq|ne|lt|gt|le|ge|contains|instancecheck|subclasscheck)__|\btype\(")
_ORDER: Final = ("__lt__", "__gt__", "__le__", "__ge__")


def always_equal(module: PyFile) -> Iterator[tuple[int, str, str]]:
    """
    Yield the line, the text and a sentence for each comparison that cannot fail.
    """
    if not _WORD.search(module.data):
        return
    for node in module.of(ast.ClassDef):
        methods = dict(_methods(node))
        both = all(
            name in methods and _answer(methods[name], module) is True for name in ("__lt__", "__gt__")
        )
        for name, function in methods.items():
            why = _flaw(name, function, module, orders=both)
            if why:
                yield (
                    function.lineno,
                    f"{node.name}.{name}: {ast.unparse(function.body)}",
                    f"{node.name}.{name} {why}",
                )
    for assign in module.of(ast.Assign):
        for target in assign.targets if isinstance(assign.value, ast.Lambda) else ():
            if isinstance(assign.value, ast.Lambda) and isinstance(target, ast.Attribute):
                function = _Function(assign.value.args, [ast.Return(assign.value.body)], assign.lineno)
                if why := _flaw(target.attr, function, module, orders=False):
                    yield assign.lineno, ast.unparse(assign), f"{ast.unparse(target)} {why}"
    for call in module.of(ast.Call):
        if isinstance(call.func, ast.Name) and call.func.id == "type" and len(call.args) == 3:
            yield from _made(call, module)


class _Function:
    """
    A method or lambda as parameters and statements.
    """

    def __init__(self, args: ast.arguments, statements: list[ast.stmt], lineno: int) -> None:
        self.args, self.statements, self.lineno = args, statements, lineno

    @property
    def body(self) -> ast.Module:
        return ast.Module(self.statements, [])


def _methods(node: ast.ClassDef) -> Iterator[tuple[str, _Function]]:
    for inner in node.body:
        if isinstance(inner, Def):
            statements = [
                part
                for part in inner.body
                if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
            ]
            yield inner.name, _Function(inner.args, statements, inner.lineno)
        elif isinstance(inner, ast.Assign) and isinstance(inner.value, ast.Lambda):
            for target in inner.targets:
                if isinstance(target, ast.Name):
                    yield target.id, _Function(inner.value.args, [ast.Return(inner.value.body)], inner.lineno)


def _made(node: ast.Call, module: PyFile) -> Iterator[tuple[int, str, str]]:
    if isinstance(node.args[2], ast.Dict):
        for key, value in zip(node.args[2].keys, node.args[2].values, strict=True):
            if isinstance(value, ast.Lambda):
                function = _Function(value.args, [ast.Return(value.body)], node.lineno)
                if why := _flaw(module.text(key), function, module, orders=False):
                    yield (
                        node.lineno,
                        ast.unparse(node),
                        f"A class made here has {module.text(key)} that {why}",
                    )


def _flaw(name: str, function: _Function, module: PyFile, *, orders: bool) -> str:
    if name in _PASSING:
        answer = _answer(function, module)
        if answer is _PASSING[name]:
            return f"is {answer} for everything"
        if name in {"__eq__", "__ne__"} and answer is UNKNOWN and _ignores_other(function):
            return "does not look at what it is compared with"
    if orders and name in _ORDER and _answer(function, module) is True:
        return "is True for everything"
    return ""


def _returns(function: _Function) -> list[ast.expr]:
    return [
        node.value
        for node in ast.walk(function.body)
        if isinstance(node, ast.Return) and node.value is not None
    ]


def _answer(function: _Function, module: PyFile) -> object:
    """
    Return the one truth value that all returns have, or ``UNKNOWN``.
    """
    values = [_truth(value, module) for value in _returns(function)]
    return values[0] if values and len(set(map(str, values))) == 1 else UNKNOWN


def _truth(node: ast.expr, module: PyFile) -> object:
    match node:
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, ast.Name(id="object")]):
            return True
        case ast.Call(func=ast.Name(id="bool"), args=[value]):
            return _truth(value, module)
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]) if ast.dump(
            left
        ) == ast.dump(right):
            return True
        case ast.BoolOp(op=ast.Or(), values=values) if any(_truth(value, module) is True for value in values):
            return True
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _truth(operand, module)
            return UNKNOWN if inner is UNKNOWN else not inner
        case _:
            constant = module.fold(node)
            return UNKNOWN if constant is UNKNOWN else bool(constant)


def _ignores_other(function: _Function) -> bool:
    args = function.args.posonlyargs + function.args.args
    if len(args) < 2 or not _returns(function):
        return False
    names = {node.id for node in ast.walk(function.body) if isinstance(node, ast.Name)}
    refuses = any(isinstance(node, ast.Raise) for node in ast.walk(function.body))
    plain = all(isinstance(value, ast.Name) and value.id == "NotImplemented" for value in _returns(function))
    return args[1].arg not in names and not refuses and not plain
