"""
What the condition of a skip means: names of the product read through, one spelling for one platform.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.evaluate import term_of
from oraclekeep.oracles.following import invoke
from oraclekeep.oracles.parsing import below
from oraclekeep.oracles.spelling import fold
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import Run, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oraclekeep.oracles.module import Module
    from oraclekeep.oracles.source import Sources

#: (what is asked, the text that stands for it) -> one name of the platform.
_PLATFORMS: Final = {
    ("platform.system", "Windows"): "on Windows",
    ("os.name", "nt"): "on Windows",
    ("sys.platform", "win32"): "on Windows",
    ("sys.platform", "win"): "on Windows",
    ("platform.system", "Darwin"): "on macOS",
    ("sys.platform", "darwin"): "on macOS",
    ("platform.system", "Linux"): "on Linux",
    ("sys.platform", "linux"): "on Linux",
    ("platform.python_implementation", "PyPy"): "on PyPy",
    ("sys.implementation.name", "pypy"): "on PyPy",
    ("platform.python_implementation", "CPython"): "on CPython",
    ("sys.implementation.name", "cpython"): "on CPython",
}
#: A comparison -> the one that holds where it does not.
_OPPOSITES: Final = {"Lt": "GtE", "LtE": "Gt", "Gt": "LtE", "GtE": "Lt"}
_INFO: Final = terms.name("sys.version_info")
_NEGATED: Final = {"NotEq": "Eq", "IsNot": "Is", "NotIn": "In"}

_SMALL: Final = 24  # questions about the machine are short
_MACHINE: Final = ("sys.platform", "sys.version_info", "sys.implementation", "platform.", "os.name")


def meaning(sources: Sources, uses: Iterable[str], condition: Term) -> Term:
    """
    Return a condition with the product's constants written out and platforms named in one way.
    """
    named = set(terms.names_in(condition))
    for use in sorted(uses) if named else ():
        dotted, _, member = use.partition(":")
        found = terms.name(sources.spelled(f"prod:{member}"))
        if found.value in named:
            condition = terms.replace(condition, found, _written_out(sources, dotted, member) or found)
    return _plain(condition)


def of_the_machine(run: Run, condition: Term) -> Term:
    """
    Return a condition in one spelling where it asks about the platform or the interpreter.
    """
    if condition.size > _SMALL:
        return condition
    names = list(terms.names_in(condition))
    if any(name.startswith(_MACHINE) for name in names):
        return _plain(condition)
    if any(name.startswith("prod:") for name in names):
        found = meaning(run.sources, run.uses, condition)
        if any(name.startswith((*_MACHINE, "on ")) for name in terms.names_in(found)):
            return found
    return condition


def decided(run: Run, condition: Term) -> bool | None:
    """
    Answer what a table of cases asks of the error in it: a class of errors is there; None: who knows.
    """
    if terms.is_literal(condition):
        return bool(terms.literal(condition))
    if condition.op == "unary" and condition.value == "Not":
        answer = decided(run, condition.args[0])
        return None if answer is None else not answer
    if condition.op == "bool":
        answers, deciding = [decided(run, one) for one in condition.args], condition.value == "Or"
        if deciding in answers:
            return deciding
        return None if None in answers else not deciding
    asked, places = terms.called(condition), terms.positional(condition)
    if asked == "isinstance" and len(places) == 2 and places[1].value == "type":
        return False if terms.is_literal(places[0]) else _is_error(run, places[0]) or None
    if asked == "issubclass" and len(places) == 2 and places[1].value in {"Exception", "BaseException"}:
        return _is_error(run, places[0]) or None
    return _is_error(run, condition) or None


def _is_error(run: Run, term: Term) -> bool:
    """
    Return whether a name is that of a class of errors or warnings; of a library's, its spelling tells.
    """
    if term.op != "name" or term.value.startswith("suite:"):
        return False
    label = term.value.removeprefix("prod:").partition("@")[0]
    if term.value.startswith("prod:"):
        named = run.home.imports.values()
        places = {dotted for one in named for dotted in (one.module, f"{one.module}.{one.member}")}
        return any(_is_class(run.sources, dotted, label) for dotted in sorted(places))
    if "." in label:
        return label.endswith(("Error", "Exception", "Warning"))
    known = getattr(builtins, label, None)
    return isinstance(known, type) and issubclass(known, BaseException)


def _is_class(sources: Sources, dotted: str, member: str) -> bool:
    defined = sources.defines(dotted, member)
    module = sources.module(defined[0]) if defined is not None else None
    nodes = module.defs.get(defined[1], []) if defined is not None and module is not None else []
    return bool(nodes) and isinstance(nodes[-1], ast.ClassDef)


def is_on(condition: Term) -> bool:
    """
    Return whether a switch of the environment is on unless somebody empties it: `environ.get("X", "1")`.
    """
    if terms.called(condition) not in {"os.environ.get", "os.getenv"} or len(condition.args) != 3:
        return False
    default = terms.argument(condition, 1, "default")
    return default is not None and terms.is_literal(default) and bool(terms.literal(default))


def _written_out(sources: Sources, dotted: str, member: str) -> Term | None:
    defined = sources.defines(dotted, member)
    module = sources.module(defined[0]) if defined is not None else None
    if defined is None or module is None or not _is_set_once(sources, module, defined[1]):
        return None
    return term_of(Run(sources, module, invoke), module.constants[defined[1]], Scope(module))


def _is_set_once(sources: Sources, module: Module, name: str) -> bool:
    """
    A name that two branches set is not known by the last of them.
    """
    plain = any(
        isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is module.constants.get(name)
        for node in module.tree.body
    )
    stores = sources.once("stores", module.tree, _stores)
    return plain and stores[name] == 1


def _stores(tree: ast.AST) -> Counter[str]:
    """
    Count how often each name is bound anywhere in a module.
    """
    names = (node for node in below(tree) if isinstance(node, ast.Name))
    return Counter(node.id for node in names if isinstance(node.ctx, ast.Store))


def _plain(term: Term) -> Term:
    if term.args:
        term = fold(Term(term.op, term.value, tuple(_plain(one) for one in term.args)))
    if terms.called(term) == "bool" and len(term.args) == 2:
        return term.args[1]
    if term.op == "unary" and term.value == "Not":
        return _not(term.args[0])
    if term.op == "cmp" and term.value in _NEGATED:
        return _not(_plain(Term("cmp", _NEGATED[term.value], term.args)))
    if term.op == "cmp" and term.value == "In" and term.args[1].op in {"tuple", "list", "set"}:
        each = (Term("cmp", "Eq", (term.args[0], one)) for one in term.args[1].args)
        return Term("bool", "Or", tuple(_plain(one) for one in each))
    return _platform(term) or _version(term) or term


def _not(term: Term) -> Term:
    if term.op == "unary" and term.value == "Not":
        return term.args[0]
    if term.op == "cmp" and term.value in _OPPOSITES:
        return Term("cmp", _OPPOSITES[term.value], term.args)
    if term.op == "bool":
        other = "And" if term.value == "Or" else "Or"
        return Term("bool", other, tuple(_not(one) for one in term.args))
    return fold(Term("unary", "Not", (term,)))


def _platform(term: Term) -> Term | None:
    if term.op == "cmp" and term.value == "Eq":
        asked, wanted = term.args
    elif terms.called(term).endswith(".startswith") and len(term.args) == 2:
        asked, wanted = terms.name(terms.called(term).rpartition(".")[0]), term.args[1]
    else:
        return None
    asked = asked.args[0] if asked.op == "call" and len(asked.args) == 1 else asked
    if asked.op != "name" or wanted.op != "const":
        return None
    known = _PLATFORMS.get((asked.value, str(terms.literal(wanted))))
    return terms.name(known) if known is not None else None


def _version(term: Term) -> Term | None:
    """
    `sys.version_info[:2] >= (3, 10)` is `sys.version_info >= (3, 10)`.
    """
    if term.op != "cmp" or term.value not in {"GtE", "Lt"} or term.args[1].op != "tuple":
        return None
    bound = term.args[1]
    cut = Term("slice", "", (terms.NONE, terms.const(len(bound.args)), terms.NONE))
    if term.args[0] == Term("index", "", (_INFO, cut)):
        return Term("cmp", term.value, (_INFO, bound))
    return None
