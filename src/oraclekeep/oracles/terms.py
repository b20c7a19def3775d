"""
Terms: the normal form of an expression.

Formatting, quotes, local names, import spelling and constant arithmetic have no place in a term, so two
spellings of one value are equal terms.
"""

from __future__ import annotations

import ast
import functools
import inspect
import operator
import textwrap
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from oraclekeep.oracles.labels import label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Terms that grow larger than this by inlining are cut: equal ones stay equal, but nothing looks into them.
MAX_SIZE: Final = 400
#: So are containers that hold the same again and again, each time in more places; tables of cases end before.
_MAX_WHOLE: Final = 1_000_000
_CONTAINERS: Final = frozenset(
    {"list", "tuple", "set", "dict", "pair", "case", "cases", "comp", "cmp", "bool", "unary"}
)
#: Whose calls are looked into however large they are: each row of a table of cases counts.
_WHOLE: Final = ("pytest.", "hypothesis.", "unittest.")


def _is_whole(name: str) -> bool:
    """
    Return whether a call of this name is read argument by argument, however large they are.
    """
    return name.startswith(_WHOLE) or name.rpartition(".")[2].startswith("assert")


class _Parts(NamedTuple):
    op: str
    value: str
    args: tuple[Term, ...]
    size: int


class Term(_Parts):
    """
    One node: what it is, its own text, and its parts; ``size`` counts the nodes.
    """

    __slots__ = ()

    def __new__(cls, op: str, value: str = "", args: tuple[Term, ...] = (), size: int = 0) -> Self:
        if size:  # as it was when it was pickled
            return super().__new__(cls, op, value, args, size)
        size = 1
        for one in args:
            size += one.size
        whole = op in _CONTAINERS or (op == "call" and _is_whole(args[0].value))
        if size > (_MAX_WHOLE if whole else MAX_SIZE):
            head = next((one for arg in args for one in walk(arg) if one.op == "name"), None)
            return cls("cut", label(op, value, args), () if head is None else (head,))
        return super().__new__(cls, op, value, args, size)


def may_differ_in_literals(one: Term, other: Term) -> bool:
    """
    Return whether two terms, one of them cut, are made from other constants, as far as can be told.
    """
    return one.op != other.op or one.value.partition(":")[2] != other.value.partition(":")[2]


TRUE: Final = Term("const", "True")
FALSE: Final = Term("const", "False")
NONE: Final = Term("const", "None")
ANY: Final = "unittest.mock.ANY"


class NotLiteral(Exception):  # noqa: N818  # a signal, not an error a user sees
    """
    The term has no value that can be known without running code.
    """


#: Other names of one class; Python 3.11 has all of them.
_ALIASES: Final = {
    "IOError": "OSError", "EnvironmentError": "OSError", "os.error": "OSError", "socket.error": "OSError",
    "select.error": "OSError", "socket.timeout": "TimeoutError", "asyncio.TimeoutError": "TimeoutError",
    "asyncio.exceptions.TimeoutError": "TimeoutError", "concurrent.futures.TimeoutError": "TimeoutError",
}  # fmt: skip


def const(value: object) -> Term:
    return Term("const", repr(value))


def name(value: str) -> Term:
    return Term("name", _ALIASES.get(value, value))


def attr(base: Term, member: str) -> Term:
    # A dotted path outside the repository is one name, however it was imported.
    if base.op == "name" and not base.value.startswith(("prod:", "pmod:", "suite:")) and base.value != "self":
        return name(f"{base.value}.{member}")
    return Term("attr", member, (base,))


def call(func: Term, args: tuple[Term, ...] = (), kwargs: tuple[tuple[str, Term], ...] = ()) -> Term:
    named = tuple(Term("kw", key, (value,)) for key, value in sorted(kwargs, key=lambda pair: pair[0]))
    return Term("call", "", (func, *args, *named))


def positional(term: Term) -> tuple[Term, ...]:
    return tuple(arg for arg in term.args[1:] if arg.op != "kw")


def keyword(term: Term, key: str) -> Term | None:
    return next((arg.args[0] for arg in term.args[1:] if arg.op == "kw" and arg.value == key), None)


def argument(term: Term, index: int, key: str) -> Term | None:
    """
    Return one argument of a call, given by place or by name.
    """
    places = positional(term)
    return places[index] if index < len(places) else keyword(term, key)


def called(term: Term) -> str:
    """
    Return the dotted name of what a call term calls, or an empty string.
    """
    return term.args[0].value if term.op == "call" and term.args[0].op == "name" else ""


def method(term: Term) -> str:
    """
    Return the method's name where the term calls a method of something, or an empty string.
    """
    return term.args[0].value if term.op == "call" and term.args[0].op == "attr" else ""


def walk(term: Term) -> Iterator[Term]:
    """
    Yield the term and all its parts, outermost first.
    """
    stack = [term]
    while stack:
        one = stack.pop()
        yield one
        stack.extend(reversed(one.args))


def contains(term: Term, part: Term) -> bool:
    if term.size <= part.size:
        return term == part
    return any(contains(arg, part) for arg in term.args if arg.size >= part.size)


def names_in(term: Term) -> Iterator[str]:
    return (one.value for one in walk(term) if one.op == "name")


def replace(term: Term, old: Term, new: Term) -> Term:
    if term.size <= old.size:
        return new if term == old else term
    args = tuple(replace(arg, old, new) for arg in term.args)
    return term if all(map(operator.is_, args, term.args)) else Term(term.op, term.value, args)


def skeleton(term: Term) -> Term:
    """
    The term with its constants blanked: what is called, not with what.
    """
    if term.op in {"const", "cut"}:
        return Term("const")
    if term.op in {"list", "tuple", "set", "dict"} and is_literal(term):
        return Term("const")
    if term.op in {"unary", "bin", "fstr"} and is_literal(term):
        return Term("const")
    return Term(term.op, term.value, tuple(skeleton(arg) for arg in term.args))


def is_literal(term: Term) -> bool:
    if term.op not in _LITERAL:
        return False
    try:
        literal(term)
    except NotLiteral:
        return False
    return True


_BINARY: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": operator.truediv,
    "FloorDiv": operator.floordiv, "Mod": operator.mod,
    "BitOr": operator.or_, "BitAnd": operator.and_, "BitXor": operator.xor,
    "Pow": operator.pow, "LShift": operator.lshift,
}  # fmt: skip
_COMPARE: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "Eq": operator.eq, "NotEq": operator.ne, "Lt": operator.lt, "LtE": operator.le,
    "Gt": operator.gt, "GtE": operator.ge,
    "Is": operator.is_, "IsNot": operator.is_not, "In": lambda a, b: a in b, "NotIn": lambda a, b: a not in b,
}  # fmt: skip
#: Pure functions whose value on literals can be known; all total enough to be tried.
PURE: Final[dict[str, Callable[..., Any]]] = {
    "len": len, "sorted": sorted, "set": set, "frozenset": frozenset, "list": list, "tuple": tuple,
    "dict": dict, "sum": sum, "min": min, "max": max, "str": str, "int": int, "float": float, "bool": bool,
    "abs": abs, "any": any, "all": all, "type": type, "round": round, "repr": repr, "bytes": bytes,
    "isinstance": isinstance, "range": range, "zip": lambda *xs: list(zip(*xs, strict=False)),
    "textwrap.dedent": textwrap.dedent, "inspect.cleandoc": inspect.cleandoc,
    "enumerate": lambda xs, start=0: list(enumerate(xs, start)), "reversed": lambda xs: list(reversed(xs)),
}  # fmt: skip
_PURE_METHODS: Final = frozenset(
    {"items", "keys", "values", "split", "splitlines", "strip", "lower", "upper", "startswith", "endswith"}
    | {"join", "encode", "count", "format"}
)
_TYPES: Final = {
    t.__name__: t for t in (int, float, str, bytes, bool, list, tuple, dict, set, frozenset, complex, type)
}
_MAX_TEXT: Final = 4096
#: What can have a value; "name" is here for the few classes that are values themselves.
_LITERAL: Final = _CONTAINERS | {"const", "bin", "index", "name", "call"}


@functools.lru_cache(maxsize=8192)
def _constant(text: str) -> Any:
    return ast.literal_eval(text)


def literal(term: Term) -> Any:
    """
    Return the term's value.

    Raises `NotLiteral` where code would have to run.  Only small pure functions of literals are evaluated.
    """
    try:
        value = _literal(term)
    except NotLiteral:
        raise
    except Exception as error:  # a wrong type, an overflow: the code under test would say so, we don't know
        raise NotLiteral from error
    return value


def _literal(term: Term) -> Any:
    match term.op:
        case "const":
            return _constant(term.value) if term.value else _no()
        case "list":
            return [_literal(arg) for arg in term.args]
        case "tuple":
            return tuple(_literal(arg) for arg in term.args)
        case "set":
            return {_literal(arg) for arg in term.args}
        case "dict":
            return {
                _literal(arg.args[0]): _literal(arg.args[1]) for arg in term.args if arg.op == "pair" or _no()
            }
        case "unary":
            return _unary(term.value, _literal(term.args[0]))
        case "bin" if term.value in _BINARY:
            left, right = _literal(term.args[0]), _literal(term.args[1])
            return _small(_BINARY[term.value](left, right)) if _cheap(term.value, left, right) else _no()
        case "cmp" if term.value in _COMPARE:
            return _COMPARE[term.value](_literal(term.args[0]), _literal(term.args[1]))
        case "index":
            return _literal(term.args[0])[_literal(term.args[1])]
        case "name" if term.value in _TYPES:
            return _TYPES[term.value]
        case "call":
            return _small(_pure_call(term))
        case _:
            return _no()


def _pure_call(term: Term) -> Any:
    if called(term) in PURE and not any(arg.op == "kw" for arg in term.args):
        return PURE[called(term)](*(_literal(arg) for arg in term.args[1:]))
    if method(term) in _PURE_METHODS and not any(arg.op == "kw" for arg in term.args):
        target = _literal(term.args[0].args[0])
        found = getattr(target, method(term))(*(_literal(arg) for arg in positional(term)))
        return list(found) if method(term) in {"items", "keys", "values"} else found
    return _no()


def _unary(op: str, value: Any) -> Any:
    match op:
        case "USub":
            return -value
        case "UAdd":
            return +value
        case "Not":
            return not value
        case _:
            return _no()


def _cheap(op: str, left: Any, right: Any) -> bool:
    """
    Multiplying a sequence, or raising a number, can be made to cost any amount of memory.
    """
    if op in {"Pow", "LShift"}:
        return bool(abs(left) < 1 << 64 and 0 <= right <= 128)
    return (
        op != "Mult"
        or isinstance(left, (int, float)) == isinstance(right, (int, float))
        or (isinstance(right, int) and right < 64)
    )


def _small(value: Any) -> Any:
    return _no() if isinstance(value, (str, bytes)) and len(value) > _MAX_TEXT else value


def _no() -> Any:
    raise NotLiteral


def of(value: object) -> Term:
    """
    Return the term of a plain Python value.
    """
    if isinstance(value, list):
        return Term("list", "", tuple(of(item) for item in value))
    if isinstance(value, tuple):
        return Term("tuple", "", tuple(of(item) for item in value))
    if isinstance(value, (set, frozenset)):
        return Term("set", "", tuple(sorted(of(item) for item in value)))
    if isinstance(value, dict):
        return Term(
            "dict", "", tuple(sorted(Term("pair", "", (of(key), of(item))) for key, item in value.items()))
        )
    return const(value)
