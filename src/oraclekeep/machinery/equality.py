"""
Comparison methods that give one answer whatever they are compared with.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.folding import UNKNOWN
from oraclekeep.machinery.pysource import Def
from oraclekeep.oracles.parsing import last_name

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
        shape = _Shape.of(node)
        both = all(
            name in methods and _answer(methods[name], module) is True for name in ("__lt__", "__gt__")
        )
        for name, function in methods.items():
            why = _flaw(name, function, module, orders=both) or (
                _lax(function, shape) if name == "__eq__" else ""
            )
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


@dataclass(frozen=True)
class Tolerance:
    """
    A comparison method that takes near values for equal ones.
    """

    owner: str
    line: int
    text: str
    of_numbers: bool  # what it is compared with is taken for a number, or the class is a kind of number


def tolerant(module: PyFile) -> Iterator[Tolerance]:
    """
    Yield each class whose `__eq__` asks for closeness.
    """
    for node in module.of(ast.ClassDef) if b"__eq__" in module.data else ():
        function = dict(_methods(node)).get("__eq__")
        if function is None or len(function.args.args) < 2:
            continue
        other = function.args.args[1].arg
        near = [part for part in ast.walk(function.body) if _is_near(part)]
        if near:
            bare = any(_holds_bare(part, other) for part in near)
            of_numbers = bare or any(last_name(base) in _NUMBERS for base in node.bases)
            yield Tolerance(node.name, function.lineno, ast.unparse(near[0]), of_numbers)


_NUMBERS: Final = frozenset({"int", "float", "complex", "Decimal", "Fraction"})
_NEAR: Final = frozenset({"isclose", "allclose", "approx", "approx_equal", "almost_equal"})


def _is_near(node: ast.AST) -> bool:
    match node:
        case ast.Compare(left=left, ops=[ast.Lt() | ast.LtE()], comparators=[_]):
            return _is_call_of(left, {"abs", "fabs"})
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return _is_call_of(left, {"round"}) and _is_call_of(right, {"round"})
        case ast.Call(func=func):
            return last_name(func) in _NEAR
        case _:
            return False


def _is_call_of(node: ast.expr, names: set[str]) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) in names


def _holds_bare(node: ast.AST, other: str) -> bool:
    """
    Return whether the other operand is reckoned with as it is, and not asked for its fields.
    """
    fields = {id(part.value) for part in ast.walk(node) if isinstance(part, ast.Attribute | ast.Subscript)}
    return any(
        isinstance(part, ast.Name) and part.id == other and id(part) not in fields for part in ast.walk(node)
    )


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


@dataclass(frozen=True)
class _Shape:
    """
    What a class has to compare: fields of its own, written in its body or set on `self`.
    """

    has_fields: bool

    @staticmethod
    def of(node: ast.ClassDef) -> _Shape:
        named = any(isinstance(one, ast.AnnAssign) for one in node.body)
        return _Shape(
            named
            or any(
                isinstance(one, ast.Attribute)
                and isinstance(one.ctx, ast.Store)
                and getattr(one.value, "id", "") == "self"
                for one in ast.walk(node)
            )
        )


def _lax(function: _Function, shape: _Shape) -> str:
    """
    Say what an `__eq__` that looks at the other operand still takes for equal.
    """
    if len(function.args.args) < 2:
        return ""
    if any(_is_true(node) for way in _ways_out(function) for node in way):
        return "takes for equal what it cannot compare"
    values = [one for one in _returns(function) if getattr(one, "id", "") != "NotImplemented"]
    if shape.has_fields and values and all(_asks_kind(value) for value in values):
        return "looks at the type of what it is compared with, and at none of the fields"
    return ""


def _ways_out(function: _Function) -> Iterator[list[ast.stmt]]:
    """
    Yield what is done where the other operand is of another kind, or where comparing fails.
    """
    for node in ast.walk(function.body):
        match node:
            case ast.ExceptHandler(body=body):
                yield body
            case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=asked), body=body) if _asks_kind(asked):
                yield body
            case ast.If(test=asked, orelse=body) if _asks_kind(asked):
                yield body
            case _:
                continue


def _is_true(node: ast.stmt) -> bool:
    return isinstance(node, ast.Return) and isinstance(node.value, ast.Constant) and node.value.value is True


def _asks_kind(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass" | "hasattr" | "type")):
            return True
        case ast.Compare(left=left, comparators=[right]):
            return _asks_kind(left) or _asks_kind(right)
        case ast.BoolOp(values=values):
            return all(_asks_kind(value) for value in values)
        case ast.Attribute(attr="__class__"):
            return True
        case ast.Name(id="NotImplemented"):
            return True
        case _:
            return False


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
