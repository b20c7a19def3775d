"""
Tables of answers: production code that first looks its input up among literals taken from the tests.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.folding import UNKNOWN
from oraclekeep.machinery.pysource import Def, body_text, load_or_none, outer_functions
from oraclekeep.oracles.parsing import below

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from oraclekeep.machinery.pysource import PyFile
    from oraclekeep.rules import Patch

_TRIVIAL: Final = frozenset(
    {"0", "1", "-1", "True", "False", "None", "''", "b''", "()", "{}", "2", "0.0", "1.0"}
)
_EMPTY: Final = frozenset({"None", "()", "{}", "''", "b''"})  # answers that a guard gives
_OWN: Final = frozenset({"get", "__getitem__", "__contains__", "setdefault", "pop"})


@dataclass(frozen=True, slots=True)
class Answered:
    """
    One special path with the test whose input and expected value it holds.
    """

    path: str
    line: int
    what: str
    text: str


@dataclass(frozen=True, slots=True)
class _Pair:
    """
    An input and the answer that the code gives it without computing.
    """

    given: str
    answer: str
    line: int


def answer_tables(patch: Patch, modules: Mapping[str, PyFile]) -> Iterator[Answered]:
    """
    Yield the functions of changed modules that gained a path which only knows tests' inputs.
    """
    special: list[tuple[str, Def, list[_Pair]]] = []
    for path, module in modules.items():
        found = [(node, pairs) for node in outer_functions(module.tree) if (pairs := _pairs(node, module))]
        before = load_or_none(patch.base, path) if found else None
        if before is not None:
            old = {node.name: node for node in outer_functions(before.tree)}
            known = {pair for node in outer_functions(before.tree) for pair in _keys(_pairs(node, before))}
            found = [
                (node, [pair for pair in pairs if (pair.given, pair.answer) not in known])
                for node, pairs in found
                if node.name not in old
                or body_text(old[node.name]) != body_text(node)
                or _table_is_new(module, before, node)
            ]
        special += [(path, node, pairs) for node, pairs in found if pairs]
    if not special:
        return
    tests = list(_tests(patch, {node.name.encode() for _, node, _ in special}))
    for path, node, pairs in special:
        yield from _matched(path, node, pairs, tests)


def _keys(pairs: list[_Pair]) -> set[tuple[str, str]]:
    return {(pair.given, pair.answer) for pair in pairs}


def _table_is_new(module: PyFile, before: PyFile, node: Def) -> bool:
    """
    Tell whether a table changed that an unchanged function consults.
    """
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and inner.id in module.constants:
            old = before.constants.get(inner.id)
            if old is None or ast.dump(old) != ast.dump(module.constants[inner.id]):
                return True
    return False


def _matched(path: str, node: Def, pairs: list[_Pair], tests: list[_TestCase]) -> Iterator[Answered]:
    """
    A table all of whose inputs are a test's is no data; one that knows more than the tests is.
    """
    hits = [(pair, test) for pair in pairs for test in tests if test.knows(pair, node.name)]
    covered = {pair.given for pair, _ in hits}
    if not hits or covered != {pair.given for pair in pairs if pair.given not in _TRIVIAL}:
        return
    pair, test = hits[0]
    where = f"{test.path}::{test.name} (line {test.line})"
    what = f"{node.name} answers {pair.given} with {pair.answer} and computes nothing; {where} holds both."
    yield Answered(path, pair.line, what, f"{pair.given} -> {pair.answer}")


# ---------------------------------------------------------------------------------------------- special paths


def _pairs(node: Def, module: PyFile) -> list[_Pair]:
    """
    Return the answers that a function gives from literals, if it also has a way to compute them.
    """
    params = {arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)} - {
        "self",
        "cls",
    }
    if not params:
        return []
    found: list[_Pair] = []
    for inner in below(node):
        match inner:
            case ast.If(test=test, body=[*_, ast.Return(value=ast.expr() as value)]):
                found += [
                    _Pair(given, _shown(value, module), inner.lineno)
                    for given in _compared(test, params, module)
                ]
            case ast.IfExp(test=test, body=value):
                found += [
                    _Pair(given, _shown(value, module), inner.lineno)
                    for given in _compared(test, params, module)
                ]
            case ast.Match(subject=subject, cases=cases) if _is_whole(subject, params):
                found += _cases(cases, module)
            case _:
                table = _consulted(inner, params, module)
                if table is not None:
                    found += _entries(table, module)
    found = [pair for pair in found if pair.answer and pair.answer not in _EMPTY]
    return found if found and _computes(node, params, module) else []


def _compared(test: ast.expr, params: set[str], module: PyFile) -> Iterator[str]:
    """
    Yield the literals that a condition compares a whole argument with.
    """
    match test:
        case ast.BoolOp(values=values):
            for value in values:
                yield from _compared(value, params, module)
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
            for side, other in ((left, right), (right, left)):
                if _is_whole(side, params) and (given := _shown(other, module)):
                    yield given
        case ast.Compare(
            left=left,
            ops=[ast.In()],
            comparators=[ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts)],
        ):
            if _is_whole(left, params):
                yield from filter(None, (_shown(item, module) for item in elts))
        case _:
            pass


def _cases(cases: list[ast.match_case], module: PyFile) -> Iterator[_Pair]:
    for case in cases:
        match case:
            case ast.match_case(
                pattern=ast.MatchValue(value=given), body=[*_, ast.Return(value=ast.expr() as value)]
            ):
                yield _Pair(_shown(given, module), _shown(value, module), case.pattern.lineno)
            case _:
                pass


def _consulted(node: ast.AST, params: set[str], module: PyFile) -> ast.Dict | None:
    """
    Return the literal table that an expression looks a whole argument up in.
    """
    match node:
        case ast.Subscript(value=owner, slice=key):
            pass
        case ast.Call(func=ast.Attribute(value=owner, attr=attr), args=[key, *_]) if attr in _OWN:
            pass
        case ast.Compare(left=key, ops=[ast.In()], comparators=[owner]):
            pass
        case _:
            return None
    if not _is_whole(key, params):
        return None
    value = module.constants.get(owner.id) if isinstance(owner, ast.Name) else owner
    return value if isinstance(value, ast.Dict) else None


def _is_whole(node: ast.expr, params: set[str]) -> bool:
    """
    Tell whether the expression is an argument as it came, or arguments put together or only converted.
    """
    match node:
        case ast.Name(id=name):
            return name in params
        case ast.Tuple(elts=elts):
            return bool(elts) and all(_is_whole(item, params) for item in elts)
        case ast.Call(func=ast.Name(id="tuple" | "str" | "repr" | "frozenset" | "bytes" | "map"), args=args):
            return bool(args) and any(_is_whole(item, params) for item in args)
        case ast.Call(
            func=ast.Attribute(value=value, attr="strip" | "lower" | "upper" | "casefold"), args=[]
        ):
            return _is_whole(value, params)
        case _:
            return False


def _entries(table: ast.Dict, module: PyFile) -> Iterator[_Pair]:
    for key, value in zip(table.keys, table.values, strict=True):
        if key is None or not (given := _shown(key, module)):
            continue
        if isinstance(value, ast.Dict):
            for inner in _entries(value, module):
                yield _Pair(given, inner.answer, key.lineno)
        else:
            yield _Pair(given, _shown(value, module), key.lineno)


def _computes(node: Def, params: set[str], module: PyFile) -> bool:
    """
    Tell whether the function also returns something that it works out; a plain table is data.
    """
    for inner in ast.walk(node):
        if not (isinstance(inner, ast.Return) and inner.value is not None):
            continue
        value = inner.value.orelse if isinstance(inner.value, ast.IfExp) else inner.value
        if module.fold(value) is not UNKNOWN or _shown(value, module):
            continue
        if any(_consulted(part, params, module) is not None for part in ast.walk(value)):
            if _falls_back(value, params):
                return True
            continue
        if isinstance(value, ast.Name) and _is_lookup(value.id, node, params, module):
            continue
        if (
            isinstance(value, ast.Subscript)
            and isinstance(value.value, ast.Name)
            and _is_lookup(value.value.id, node, params, module)
        ):
            continue
        return True
    return False


def _falls_back(value: ast.expr, params: set[str]) -> bool:
    """
    `TABLE.get(x, work(x))` and `TABLE.get(x) or work(x)` compute where the table has nothing.
    """
    match value:
        case ast.BoolOp(op=ast.Or(), values=[*_, other]):
            pass
        case ast.Call(args=[_, other]):
            pass
        case _:
            return False
    return any(
        isinstance(node, ast.Call) or (isinstance(node, ast.Name) and node.id in params)
        for node in ast.walk(other)
    )


def _is_lookup(name: str, node: Def, params: set[str], module: PyFile) -> bool:
    for inner in ast.walk(node):
        target = (
            inner.target
            if isinstance(inner, ast.NamedExpr)
            else inner.targets[0]
            if isinstance(inner, ast.Assign)
            else None
        )
        if (
            isinstance(inner, ast.Assign | ast.NamedExpr)
            and isinstance(target, ast.Name)
            and target.id == name
        ):
            return any(_consulted(part, params, module) is not None for part in ast.walk(inner.value))
    return False


# ------------------------------------------------------------------------------------------------------ tests


@dataclass(frozen=True, slots=True)
class _TestCase:
    """
    One test function: the names it calls and the literals it holds.
    """

    path: str
    name: str
    line: int
    calls: frozenset[str]
    literals: frozenset[str]
    truths: bool  # it asserts a call's truth

    def knows(self, pair: _Pair, function: str) -> bool:
        if function not in self.calls or pair.given in _TRIVIAL or pair.given not in self.literals:
            return False
        return pair.answer in self.literals or (pair.answer in {"True", "False"} and self.truths)


def _tests(patch: Patch, functions: set[bytes]) -> Iterator[_TestCase]:
    for path in patch.head.under(""):
        if not patch.layout.is_test_file(path):
            continue
        data = patch.head.read(path) or b""
        module = load_or_none(patch.head, path) if any(name in data for name in functions) else None
        shared = _literals(module.tree.body, module) if module is not None else frozenset()
        for node in outer_functions(module.tree) if module is not None else ():
            if module is None or not node.name.startswith("test"):
                continue
            inside = list(ast.walk(node))
            calls = frozenset(
                ast.unparse(inner.func).rpartition(".")[2] for inner in inside if isinstance(inner, ast.Call)
            )
            truths = any(
                isinstance(inner, ast.Assert) and isinstance(inner.test, ast.Call | ast.UnaryOp)
                for inner in inside
            )
            yield _TestCase(path, node.name, node.lineno, calls, _literals([node], module) | shared, truths)


def _literals(body: list[ast.stmt], module: PyFile) -> frozenset[str]:
    """
    Return the literals of statements; of a module's body only those that its constants hold.
    """
    found: set[str] = set()
    for node in body:
        if isinstance(node, Def | ast.ClassDef) and len(body) != 1:
            continue
        for inner in ast.walk(node):
            if isinstance(inner, ast.expr) and (text := _shown(inner, module)):
                found.add(text)
            elif isinstance(inner, ast.Call) and all(given := [_shown(arg, module) for arg in inner.args]):
                found.add(f"({', '.join(given)})")  # a table may be keyed by all arguments together
    return frozenset(found)


def _shown(node: ast.AST | None, module: PyFile) -> str:
    """
    Return a literal in a form that compares by value, lists and tuples alike; empty for anything else.
    """
    match node:
        case ast.Dict(keys=keys, values=values):
            parts = [
                (_shown(key, module), _shown(value, module)) for key, value in zip(keys, values, strict=True)
            ]
            return (
                f"{{{', '.join(f'{key}: {value}' for key, value in sorted(parts))}}}"
                if all(all(part) for part in parts)
                else ""
            )
        case ast.Set(elts=elts):
            inner = sorted(_shown(item, module) for item in elts)
            return f"{{{', '.join(inner)}}}" if all(inner) else ""
        case ast.List(elts=elts) | ast.Tuple(elts=elts):
            shown = [_shown(item, module) for item in elts]
            return f"({', '.join(shown)})" if all(shown) else ""
        case ast.Call(func=func, args=args, keywords=[]) if ast.unparse(func).rpartition(".")[2] in {
            "Decimal",
            "Fraction",
            "date",
            "datetime",
            "timedelta",
        }:
            shown = [_shown(item, module) for item in args]
            return f"{ast.unparse(func).rpartition('.')[2]}({', '.join(shown)})" if all(shown) else ""
        case _:
            value = UNKNOWN if node is None else module.fold(node)
            return "" if value is UNKNOWN else _tuple(value) if isinstance(value, tuple) else repr(value)


def _tuple(value: tuple[object, ...]) -> str:
    return f"({', '.join(_tuple(item) if isinstance(item, tuple) else repr(item) for item in value)})"
