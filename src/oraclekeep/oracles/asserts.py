"""
Assertions as expressions: a term that is asserted becomes checks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import mocks, terms
from oraclekeep.oracles.checks import NO_ERROR, Check, Kind, Place, plain
from oraclekeep.oracles.idioms import (
    approximate,
    distance,
    is_live,
    length,
    predicate,
    same_items,
    searched,
    unwrapped,
)
from oraclekeep.oracles.owndoing import own_call, own_doing
from oraclekeep.oracles.scene import edits
from oraclekeep.oracles.spelling import TRUTHS, fold
from oraclekeep.oracles.subjects import names_production, written_before
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.texts import exception_text
from oraclekeep.oracles.values import UNKNOWN, Run, Scope

if TYPE_CHECKING:
    import ast


_NEGATED: Final = {
    "Eq": "NotEq",
    "NotEq": "Eq",
    "Lt": "GtE",
    "GtE": "Lt",
    "Gt": "LtE",
    "LtE": "Gt",
    "Is": "IsNot",
    "IsNot": "Is",
    "In": "NotIn",
    "NotIn": "In",
}


#: What a name means that nothing was assigned to.
UNBOUND: Final = Term("unbound")
_FLIPPED: Final = {"Lt": "Gt", "Gt": "Lt", "LtE": "GtE", "GtE": "LtE"}


def place_of(node: ast.AST, scope: Scope) -> Place:
    return Place(scope.module.path, getattr(node, "lineno", 1), scope.module.segment(node))


def record(run: Run, check: Check) -> None:
    """
    Add a check as it stands under the conditions of the moment.
    """
    scene = run.scene()
    changed = edits(check.subject, scene)
    subject = Term("edited", "", (check.subject, *changed)) if changed else check.subject
    if own := own_call(check, scene) or own_doing(check, run.trace, scene):
        check = replace(check, kind=Kind.NEVER, why_never=own)
    turned = replace(check, subject=check.expected, expected=check.subject)
    if check.kind is Kind.EQUAL and any(written_before(one, run.written) for one in (check, turned)):
        check = replace(check, kind=Kind.NEVER, why_never="the test itself writes what it expects")
    never = check.why_never or run.swallowed
    taken = run.taken if run.taken is not None else run.epoch
    run.checks.append(
        replace(check, subject=subject, why_never=never, moment=run.epoch, taken=taken, scene=scene)
    )


def as_long(run: Run, items: list[Term], place: Place) -> None:
    """
    Record that what is gone through side by side is as long: `zip(…, strict=True)` fails where it is not.
    """
    known = [one.op in {"list", "tuple"} and not any(arg.op == "star" for arg in one.args) for one in items]
    sizes = [
        terms.const(len(one.args)) if is_known else terms.call(terms.name("len"), (one,))
        for one, is_known in zip(items, known, strict=True)
    ]
    for size, one in zip(sizes[1:], items[1:], strict=True):
        if names_production(one) or names_production(items[0]):
            emit(run, Term("cmp", "Eq", (sizes[0], size)), place)


def emit(run: Run, term: Term, place: Place, *, positive: bool = True, trusted: bool = True) -> None:
    """
    Record what asserting a term checks.

    ``trusted`` says that equal terms of it are one value, not two calls.
    """
    if (
        run.caught
        and (flag := _flag(term)) is not None
        and _by_error(run, term, flag, place, positive=positive)
    ):
        return
    match term:
        case Term(op="unary", value="Not"):
            emit(run, term.args[0], place, positive=not positive, trusted=trusted)
        case Term(op="cmp", args=(inner, answer)) if _asks_truth(term):
            emit(run, inner, place, positive=positive == (answer == terms.TRUE), trusted=trusted)
        case Term(op="call", args=(_, inner)) if terms.called(term) == "bool" and inner.op not in _UNSURE:
            emit(run, inner, place, positive=positive, trusted=trusted)
        case Term(op="cmp", value="Eq", args=(left, right)) if positive and (found := _pairs(left, right)):
            for pair in found:
                emit(run, Term("cmp", "Eq", pair), place, trusted=trusted)
        case Term(op="bool", value="Or") if positive and (merged := _one_of_types(term)) is not None:
            emit(run, merged, place)
        case Term(op="bool", value=value) if (value == "And") == positive:
            for one in term.args:
                emit(run, one, place, positive=positive, trusted=trusted)
        case Term(op="bool"):
            _any_of(run, term, place, positive=positive)
        case Term(op="ifexp"):
            _branches(run, term, place, positive=positive)
        case Term(op="call") if positive and (each := _elementwise(term)) is not None:
            sides = (each[1], each[0]) if is_live(each[1]) and not is_live(each[0]) else each
            extra = Term("elementwise")
            record(run, Check(Kind.EQUAL, *sides, extra=extra, guards=run.guards, place=place))
        case Term(op="call") if (terms.called(term) == "all" and positive) or (
            terms.called(term) == "any" and not positive
        ):
            _each(run, term, place, positive=positive)
        case _:
            record(run, _read(run, term, place, positive=positive, trusted=trusted))


def _flag(term: Term) -> Term | None:
    """
    Return the value in a term that hangs on whether an error was caught: `raised = False`, then a `try`.
    """
    return next((one for one in terms.walk(term) if one.op == "ifexp" and one.args[0].op == "except"), None)


def _by_error(run: Run, term: Term, flag: Term, place: Place, *, positive: bool) -> bool:
    """
    Record that an error is expected where the assertion fails without one, or none where it fails with it.
    """
    (caught, *raising), said, other = flag.args[0].args, *flag.args[1:]
    with_it, without = (fold(terms.replace(term, flag, one)) for one in (said, other))
    known = terms.is_literal(without)
    if not raising or not (known or other == UNBOUND or (other == terms.NONE and _looked_into(term, flag))):
        return False
    if known and bool(terms.literal(without)) == positive:
        if not terms.is_literal(with_it) or bool(terms.literal(with_it)) == positive:
            return False
        record(run, Check(Kind.PREDICATE, raising[0], detail=NO_ERROR, guards=run.guards, place=place))
        return True
    expected = Check(Kind.RAISES, raising[0], caught, guards=run.guards, place=place)
    if all(one.form != expected.form for one in run.checks):  # it is expected once, however often asked
        record(run, expected)
    if not terms.is_literal(with_it) and with_it not in (said, Term("cmp", "IsNot", (said, terms.NONE))):
        emit(run, with_it, place, positive=positive)
    return True


def _looked_into(term: Term, value: Term) -> bool:
    """
    Return whether a part of a value is asked for, which nothing has.
    """
    return any(one.op in {"attr", "index"} and one.args[0] == value for one in terms.walk(term))


def _asks_truth(term: Term) -> bool:
    """
    Return whether a comparison, which is true or false and nothing else, is compared with one of them.
    """
    inner, answer = term.args
    plain = term.value in {"Eq", "Is"} and answer in (terms.TRUE, terms.FALSE)
    return plain and (inner.op == "cmp" or terms.called(inner) in TRUTHS)


_UNSURE: Final = frozenset({"kw", "star"})


def _elementwise(term: Term) -> tuple[Term, Term] | None:
    """
    Return the two sides of `(a == b).all()`, which says nothing of an array that is empty.
    """
    inner = term.args[0].args[0] if terms.method(term) == "all" and len(term.args) == 1 else None
    if terms.called(term) in {"numpy.all", "np.all"} and len(term.args) == 2:
        inner = term.args[1]
    if inner is None or inner.op != "cmp" or inner.value != "Eq":
        return None
    return unwrapped(inner.args[0]), unwrapped(inner.args[1])


def _pairs(left: Term, right: Term) -> tuple[tuple[Term, Term], ...]:
    """
    Return the pairs of elements where a comparison of two displays is one comparison for each of them.
    """
    if terms.called(right) == "pytest.approx" and len(right.args) > 1 and right.args[1].op in _DISPLAYS:
        near = _pairs(left, right.args[1])
        return tuple((one, Term("call", "", (right.args[0], other, *right.args[2:]))) for one, other in near)
    if (
        left.op not in _DISPLAYS
        or left.op != right.op
        or len(left.args) != len(right.args)
        or len(left.args) < 2
    ):
        return ()
    if any(one.op == "star" for one in (*left.args, *right.args)) or not (is_live(left) or is_live(right)):
        return ()
    if left.op != "dict":
        return tuple(zip(left.args, right.args, strict=True))
    if any(one.op != "pair" for one in (*left.args, *right.args)):
        return ()
    mine, theirs = ({pair.args[0]: pair.args[1] for pair in side.args} for side in (left, right))
    if mine.keys() != theirs.keys() or not all(map(terms.is_literal, mine)):
        return ()
    return tuple(
        (one, theirs[key]) for key, one in mine.items() if one != theirs[key] or not terms.is_literal(one)
    )


_DISPLAYS: Final = frozenset({"list", "tuple", "dict"})


def _one_of_types(term: Term) -> Term | None:
    """
    `isinstance(x, A) or isinstance(x, B)` is `isinstance(x, (A, B))`.
    """
    if (
        not all(terms.called(one) == "isinstance" and len(one.args) == 3 for one in term.args)
        or len({one.args[1] for one in term.args}) > 1
    ):
        return None
    kinds = Term("tuple", "", tuple(one.args[2] for one in term.args))
    return terms.call(terms.name("isinstance"), (term.args[0].args[1], kinds))


def _branches(run: Run, term: Term, place: Place, *, positive: bool) -> None:
    condition, then, other = term.args
    if {then, other} == {terms.TRUE, terms.FALSE}:
        emit(run, condition, place, positive=positive == (then == terms.TRUE))
        return
    guards = run.guards
    run.guards = (*guards, condition)
    emit(run, then, place, positive=positive)
    run.guards = (*guards, Term("unary", "Not", (condition,)))
    emit(run, other, place, positive=positive)
    run.guards = guards


def _any_of(run: Run, term: Term, place: Place, *, positive: bool) -> None:
    outer, run.checks = run.checks, []
    for one in term.args:
        emit(run, one, place, positive=positive)
    inner, run.checks = run.checks, outer
    never = next((one for one in inner if one.dead), None)
    if never is not None:
        record(
            run,
            Check(
                Kind.NEVER,
                inner[0].subject,
                guards=run.guards,
                why_never="one alternative is always true",
                place=place,
            ),
        )
        return
    ordered = tuple(sorted((replace(one, guards=()) for one in inner), key=lambda one: repr(one.form)))
    record(run, Check(Kind.ANY_OF, inner[0].subject, guards=run.guards, alternatives=ordered, place=place))


def _each(run: Run, term: Term, place: Place, *, positive: bool) -> None:
    """
    `all(...)` over a display or a comprehension is a check of each element.
    """
    inner = term.args[1] if len(term.args) > 1 else UNKNOWN
    if inner.op in {"list", "tuple"} and inner.args:
        for one in inner.args:
            emit(run, one, place, positive=positive)
    elif inner.op == "comp" and inner.args:
        guards = run.guards
        loops = dict.fromkeys(Term("foreach", "", one.args) for one in terms.walk(inner) if one.op == "each")
        conditions = tuple(one.args[0] for one in inner.args if one.op == "if")
        run.guards = (*guards, *(loop for loop in loops if loop not in guards), *conditions)
        for one in inner.args:
            if one.op != "if":
                emit(run, one, place, positive=positive)
        run.guards = guards
    elif inner.op in {"call", "attr", "index", "name", "fixture", "param", "each"}:
        guards, loop = run.guards, Term("foreach", "", (inner,))
        run.guards = guards if loop in guards else (*guards, loop)
        emit(run, Term("each", "", (inner,)), place, positive=positive)
        run.guards = guards
    else:
        record(run, Check(Kind.TRUTHY if positive else Kind.FALSY, term, guards=run.guards, place=place))


def _read(run: Run, term: Term, place: Place, *, positive: bool, trusted: bool) -> Check:
    guards = run.guards
    if terms.is_literal(term) and bool(terms.literal(term)) != positive:
        return Check(Kind.FAILS, Term("fails"), guards=guards, place=place)
    if term.op == "cmp":
        op = term.value if positive else _NEGATED[term.value]
        return _compare(op, *term.args, place=place, guards=guards, trusted=trusted)
    never = _always(term) if positive else ""
    if never:
        return Check(Kind.NEVER, term, guards=guards, why_never=never, place=place)
    of_length = length("Gt" if positive else "Eq", term, terms.const(0), place, guards)
    if of_length is not None:  # a length is false where it is 0
        return of_length
    if term.op == "call" and (found := predicate(term, place, guards, positive=positive)) is not None:
        return found
    return Check(Kind.TRUTHY if positive else Kind.FALSY, term, guards=guards, place=place)


def _always(term: Term) -> str:
    """
    Say why asserting this term cannot fail, or nothing.
    """
    if term.op == "lambda":
        return "a function object is always true"
    if term.op == "tuple" and term.args:
        return "a tuple that is not empty is always true"
    if term.op in {"list", "dict", "set"} and term.args:
        return "a container that is not empty is always true"
    if term.op == "attr" and (term.value.startswith("assert") or mocks.is_assertion(term.value)):
        return "the check is named but not called"
    if terms.is_literal(term) and terms.literal(term):
        return "the value is a constant"
    return ""


def _compare(
    op: str, left: Term, right: Term, *, place: Place, guards: tuple[Term, ...], trusted: bool
) -> Check:
    same = left == right or (op == "Eq" and plain(left) == plain(right))
    if same and trusted and op in {"Eq", "Is", "LtE", "GtE"}:
        if any(one.op == "call" for one in terms.walk(left)):
            return Check(Kind.PREDICATE, left, detail="compared with itself", guards=guards, place=place)
        return Check(Kind.NEVER, left, guards=guards, why_never="both sides are the same value", place=place)
    if is_live(right) and not is_live(left) and op not in {"In", "NotIn"}:
        left, right, op = right, left, _FLIPPED.get(op, op)
    if op in {"Gt", "GtE"} and is_live(right):
        left, right, op = right, left, _FLIPPED[op]
    for reader in (exception_text, approximate, distance, same_items, length, searched):
        if (found := reader(op, left, right, place, guards)) is not None:
            return found
    if op in {"In", "NotIn"}:
        return _membership(op, left, right, place, guards)
    if (
        terms.called(right) in {"inline_snapshot.snapshot", "inline_snapshot.external"}
        and len(right.args) > 1
    ):
        right = right.args[1]
    if op in {"IsNot", "NotEq"} and right == terms.NONE:
        return Check(Kind.NOT_NONE, left, guards=guards, place=place)
    kind = {"Eq": Kind.EQUAL, "Is": Kind.IS, "NotEq": Kind.NOT_EQUAL, "IsNot": Kind.NOT_EQUAL}.get(
        op, Kind.ORDER
    )
    return Check(kind, left, right, "" if kind in (Kind.EQUAL, Kind.IS) else op, guards=guards, place=place)


def _membership(op: str, left: Term, right: Term, place: Place, guards: tuple[Term, ...]) -> Check:
    kind = Kind.MEMBER if op == "In" else Kind.NOT_MEMBER
    if is_live(right) and not is_live(left):
        return Check(kind, right, left, "has", guards=guards, place=place)
    return Check(kind, left, right, "in", guards=guards, place=place)
