"""
What a name or an attribute of a test stands for.
"""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import captured, terms
from oraclekeep.oracles.collect import class_of, lookup
from oraclekeep.oracles.constants import of_class, status_code
from oraclekeep.oracles.evaluate import as_term, evaluate, reads
from oraclekeep.oracles.logged import of_record
from oraclekeep.oracles.mocks import handed_on
from oraclekeep.oracles.parsing import below, last_name
from oraclekeep.oracles.records import record_fields
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import MAX_DEPTH, Args, Bag, Function, Instance, Scope, Space

if TYPE_CHECKING:
    from oraclekeep.oracles.module import Import, Module
    from oraclekeep.oracles.values import Run, Value


@reads(ast.Constant)
def _constant(_run: Run, node: ast.Constant, _scope: Scope) -> Value:
    return Term("const", repr(node.value))


@reads(ast.Name)
def _name(run: Run, node: ast.Name, scope: Scope) -> Value:
    held = scope.holder(node.id)
    if held is not None:
        value = held.names[node.id]
        boxed = node.id in held.changed or (run.boxing and node.id in held.passed)
        if boxed and isinstance(value, Term) and terms.is_literal(value):
            return Term("acc", "", (value,))
        return value
    return resolve(run, scope.module, node.id, node.lineno if scope.is_at_import else None)


def resolve(run: Run, module: Module, name: str, line: int | None = None) -> Value:
    """
    Return what a module-level name stands for, at a line of the module or once all of it has run.
    """
    found = lookup(run.sources, module, name)
    if found is not None:
        node, home = found
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return Function(node, home, is_context=is_context(node))
        if isinstance(node, ast.ClassDef):
            return Term("name", f"suite:{name}")
        return _module_constant(run, module.constant(name, line) if home is module else node, home, name)
    if name in module.imports and name in module.rebound:
        return terms.name(f"suite:{name}")  # it was the product's until a function of the suite ran
    if name in module.imports:
        target = run.sources.find(module.path, module.imports[name])
        if target is not None and not target[1]:
            return Space(target[0])
        return imported(run, module.imports[name])
    for star in module.stars:
        if run.sources.production(star.module) is not None and not _is_builtin(run, star.module, name):
            return _production(run, star.module, name)
    return terms.name(name)


def _is_builtin(run: Run, dotted: str, name: str) -> bool:
    """
    Return whether a name is Python's own, although all names of a product's module are taken.
    """
    if not hasattr(builtins, name):
        return False
    path = run.sources.production(dotted)
    module = run.sources.module(path) if path is not None else None
    return module is None or not any(name in one for one in (module.defs, module.constants, module.imports))


def _module_constant(run: Run, node: ast.expr, home: Module, name: str) -> Value:
    if run.depth > MAX_DEPTH:
        run.cut += 1
        return terms.name(f"suite:{name}")
    run.depth += 1
    try:
        value = _once(run, node, home, name)
        grows = isinstance(value, Term) and value.op in {"list", "dict", "set"}
        if grows and name in run.sources.once("filled", home.tree, lambda _: filled_names(home)):
            return Term("acc", "", (as_term(value),))
        return value
    finally:
        run.depth -= 1


def _once(run: Run, node: ast.expr, home: Module, name: str) -> Value:
    """
    Read a module's constant the first time that it is mentioned; always, if reading it does more than that.
    """
    sources, key = run.sources, (run.home.path, run.boxing, node)
    if (held := sources.constants.get(key)) is not None:
        known: Term = held[0]
        run.uses |= held[1]
        sources.asked |= held[2]
        return known
    if key in sources.open:  # made of itself: of what the name stood for before, if it did
        if (before := home.before.get((name, node))) is not None:
            return _once(run, before, home, name)
        run.loops += 1
        return terms.name(f"suite:{name}")
    uses, asked, tally, loops = run.uses, sources.asked, run.tally(), run.loops
    run.uses, sources.asked = set(), set()
    sources.open.add(key)
    value = evaluate(run, node, Scope(home))
    sources.open.remove(key)
    alone = not sources.open or run.loops == loops  # else it depends on where the reading of a ring began
    if isinstance(value, Term) and run.tally() == tally and alone:
        sources.constants[key] = (value, run.uses, sources.asked)
    run.uses, sources.asked = uses | run.uses, asked | sources.asked
    return value


def imported(run: Run, found: Import) -> Value:
    """
    Return the term of an imported name that is not the suite's own.
    """
    dotted = found.module
    if found.member:
        package = run.sources.production(dotted)
        inside = run.sources.module(package) if package is not None else None
        if inside is not None and (
            found.member in inside.defs or found.member in inside.imports or found.member in inside.constants
        ):
            return _production(run, dotted, found.member)
        if run.sources.production(f"{dotted}.{found.member}") is not None:
            return _module(run, f"{dotted}.{found.member}")
        if run.sources.production(dotted) is not None:
            return _production(run, dotted, found.member)
        return status_code(dotted, found.member) or terms.name(f"{dotted}.{found.member}")
    return _module(run, dotted) if run.sources.production(dotted) is not None else terms.name(dotted)


def _module(run: Run, dotted: str) -> Term:
    return Term("name", run.sources.spelled(f"pmod:{dotted}"))


def _production(run: Run, dotted: str, member: str) -> Term:
    run.uses.add(f"{dotted}:{member}")
    label = f"prod:{member}"
    if member in run.sources.namesakes.get(run.home.path, ()):
        definer = run.sources.defines(dotted, member)
        label += f"@{definer[0] if definer is not None else dotted}"
    return Term("name", run.sources.spelled(label))


#: What `assertWarns` tells of the warning that it met -> what the first record of `pytest.warns` calls that.
_OF_FIRST: Final = {"warning": "message", "filename": "filename", "lineno": "lineno"}


@reads(ast.Attribute)
def _attribute(run: Run, node: ast.Attribute, scope: Scope) -> Value:
    base = evaluate(run, node.value, scope)
    found = member_of(run, base, node.attr)
    if run.boxing and isinstance(base, Instance) and isinstance(found, Term) and terms.is_literal(found):
        owner = node.value.id if isinstance(node.value, ast.Name) else ""
        held = scope.holder(owner)
        if held is not None and owner in held.passed:
            return Term("acc", "", (found,))  # whoever was given the object may have changed it
    return found


def member_of(run: Run, base: Value, name: str) -> Value:
    match base:
        case Instance():
            return _of_instance(run, base, name)
        case Bag() if name in base.items:
            return base.items[name]
        case Space():
            return resolve(run, base.module, name)
        case Term(op="call") if (held := _field(run, base, name)) is not None:
            return held
        case Term(op="excinfo", args=block) if name in {"value", "exception"}:
            return Term("raised", "", block)
        case Term(op="excinfo") if name in _OF_FIRST:
            return terms.attr(Term("index", "", (base, terms.const(0))), _OF_FIRST[name])
        case Term(op="name", value=value) if value.startswith("pmod:"):
            dotted = value[5:]
            if run.sources.production(f"{dotted}.{name}") is not None:
                return _module(run, f"{dotted}.{name}")
            return _production(run, dotted, name)
        case Term(op="name", value=value) if value.startswith("suite:"):
            held = of_class(run, value.removeprefix("suite:"), name)
            return held if held is not None else terms.attr(base, run.sources.spelled(name))
        case Term(op="const") if name == "value":
            return base  # a member of an enumeration that is read as what it stands for
        case _:
            term = as_term(base)
            if term.op == "name" and (code := status_code(term.value, name)) is not None:
                return code
            if (known := handed_on(term, name) or of_record(term, name)) is not None:
                return known
            if name in _OF_CALLS and term.op in {"attr", "index", "each"} and _is_call(term):
                return Term("index", "", (term, terms.const(_OF_CALLS[name])))
            found = terms.attr(term, run.sources.spelled(name))
            return captured.read(found) or found if name in {"out", "err"} else found


#: Parts of a recorded call, by name and by place.
_OF_CALLS: Final = {"args": 0, "kwargs": 1}


def _is_call(term: Term) -> bool:
    """
    Return whether a term is a call that a mock has recorded.
    """
    if term.op in {"index", "each"} and term.args:
        term = term.args[0]
        return term.op == "attr" and term.value in {"call_args_list", "await_args_list", "mock_calls"}
    return term.op == "attr" and term.value in {"call_args", "await_args"}


def _field(run: Run, made: Term, name: str) -> Value | None:
    """
    Return a field of a record of the suite: a dataclass or a named tuple made from its fields.
    """
    label = terms.called(made)
    if not label.startswith("suite:") or any(one.op == "star" for one in made.args):
        return None
    found = lookup(run.sources, run.home, label.removeprefix("suite:"))
    if found is None or not isinstance(found[0], ast.ClassDef):
        return None
    klass = class_of(run.sources, found[1], found[0])
    fields = record_fields(klass)
    if name not in fields:
        return None
    index, default = list(fields).index(name), fields[name]
    given = terms.argument(made, index, name)
    return (
        given
        if given is not None
        else evaluate(run, default, Scope(found[1]))
        if default is not None
        else None
    )


def _of_instance(run: Run, base: Instance, name: str) -> Value:
    if name in base.attrs:
        value = base.attrs[name]
        grows = isinstance(value, Term) and value.op in {"list", "dict", "set"}
        if grows and name in run.sources.once("filled attributes", base.klass.module.tree, filled_attributes):
            return Term("acc", "", (as_term(value),))
        return value
    if (held := _field(run, base.term, name)) is not None:
        return held
    found = base.klass.member(name)
    if name == "__class__":
        return base
    if found is None and name == "client" and any(one.startswith("django.") for one in base.klass.outside):
        return Term("fixture", "client")
    if found is None:
        return Term("attr", name, (base.term,))
    node, owner = found
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        static = any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in node.decorator_list)
        function = Function(node, owner.module, owner=None if static else base, is_context=is_context(node))
        if any(
            isinstance(one, ast.Name) and one.id in {"property", "cached_property"}
            for one in node.decorator_list
        ):
            return run.invoke(run, function, Args())
        return function
    if isinstance(node, ast.ClassDef):
        return Term("name", f"suite:{node.name}")
    return evaluate(run, node, Scope(owner.module))


def is_context(node: ast.AST) -> bool:
    return not _labels(node).isdisjoint({"contextmanager", "asynccontextmanager"})


def is_composite(node: ast.AST) -> bool:
    """
    Return whether a function is a strategy of hypothesis, made of draws.
    """
    return "composite" in _labels(node)


def _labels(node: ast.AST) -> set[str]:
    """
    Return the last names of a function's decorators.
    """
    targets = (one.func if isinstance(one, ast.Call) else one for one in getattr(node, "decorator_list", []))
    return {last_name(one) for one in targets}


@reads(ast.NamedExpr)
def _walrus(run: Run, node: ast.NamedExpr, scope: Scope) -> Value:
    value = evaluate(run, node.value, scope)
    scope.set(node.target.id, value, run.epoch)
    return value


@reads(ast.Lambda)
def _lambda(_run: Run, node: ast.Lambda, scope: Scope) -> Value:
    return Function(node, scope.module, scope)


_FILLERS: Final = frozenset(
    {"append", "extend", "add", "update", "insert", "setdefault", "remove", "pop", "clear"}
)


def filled_attributes(tree: ast.AST) -> frozenset[str]:
    """
    Return the attributes whose containers a module changes in place, whatever object they are on.
    """
    found = set()
    for node in below(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name), attr=member)) if (
                member in _FILLERS
            ):
                found.add(name)
            case ast.Subscript(value=ast.Attribute(attr=name), ctx=ast.Store()):
                found.add(name)
            case _:
                continue
    return frozenset(found)


def filled_names(module: Module) -> frozenset[str]:
    """
    Return the names whose containers a module's functions change, or its statements in a way not understood.
    """
    found = set()
    body = [one for one in module.tree.body if one not in module.building]
    for node in (inner for one in body for inner in below(one)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=member)) if member in _FILLERS:
                found.add(name)
            case (
                ast.Subscript(value=ast.Name(id=name), ctx=ast.Store())
                | ast.AugAssign(target=ast.Name(id=name))
            ):
                found.add(name)
            case _:
                continue
    return frozenset(found)
