"""
Calls that assert: unittest's methods, pytest's functions, mocks, and the numeric libraries.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import captured, files, mocks, outside, terms
from oraclekeep.oracles.asserts import emit, place_of, record
from oraclekeep.oracles.blocks import block_of
from oraclekeep.oracles.checks import ABSENT, COVERING, Check, Gate, Kind, Place, text_check
from oraclekeep.oracles.decimals import exact
from oraclekeep.oracles.displays import elements
from oraclekeep.oracles.evaluate import as_term, evaluate
from oraclekeep.oracles.idioms import half_of_last, tolerance, unordered
from oraclekeep.oracles.leniency import known, label_of, note
from oraclekeep.oracles.marks import gate_of
from oraclekeep.oracles.numeric import library
from oraclekeep.oracles.parsing import below
from oraclekeep.oracles.spelling import fold
from oraclekeep.oracles.terms import TRUE, Term
from oraclekeep.oracles.traps import trap
from oraclekeep.oracles.values import UNKNOWN, Args, Function, Pending, Run, Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from oraclekeep.oracles.values import Value


ASSERTED: Final = Term("asserted")


_STACKS: Final = frozenset({"ExitStack", "AsyncExitStack"})
_SKIPS: Final = frozenset({"pytest.skip", "pytest.xfail", "pytest.importorskip"})


def on_call(run: Run, term: Term, node: ast.Call, scope: Scope, args: Args) -> Term:
    """
    Record a call that is itself an assertion, a skip or a mock; return the call's term otherwise.
    """
    name = terms.called(term) or terms.method(term)
    short = name.rpartition(".")[2]
    if (planted := trap(term, short, args)) is not None:
        run.effects.append((planted, place_of(node, scope)))
    label = label_of(term)
    if known(label):
        note(run, term, place_of(node, scope))
    if mocks.concerns(short) and (made := mocks.made(run, term, short, place_of(node, scope))) is not None:
        return made
    if short in _UNITTEST and (terms.method(term) or "unittest" in name or "pytest_django" in name):
        term = _seen_again(run, term, node, scope, args)
        trusted = one_moment(run, node.args[:2], scope)
        return _unittest(run, short, term, args, place_of(node, scope), trusted=trusted)
    if name.startswith("nose.tools.assert_") and (camel := _camel(short)) in _UNITTEST:
        return _unittest(run, camel, term, args, place_of(node, scope))
    if name in _SKIPS or terms.method(term) == "skipTest":
        _gate(run, short, term, place_of(node, scope))
        return UNKNOWN if short == "importorskip" else ASSERTED
    if short == "enter_context" and len(term.args) > 1 and _suppresses(term.args[1]):
        run.swallowed = run.swallowed or "`suppress` hides the failure"
    if short == "getvalue" and (printed := captured.read(term)) is not None:
        return printed
    if short == "start" and term.args[0].op == "attr" and term.args[0].args[0].op == "patch":
        return term.args[0].args[0].args[1]
    if short in {"result", "exception"} and run.promised:
        run.checks, run.promised = [*run.checks, *run.promised], []
    if short == "addTypeEqualityFunc" and len(args.positional) > 1 and _never_raises(args.positional[1]):
        run.swallowed = run.swallowed or "`addTypeEqualityFunc` takes any two values for equal"
    if short == "push" and _hides_all(run, term, args):
        run.swallowed = run.swallowed or "what the exit stack calls hides the failure"
    if short in {"add_marker", "applymarker"} and terms.method(term) and len(term.args) > 1:
        _marked(run, term.args[1], place_of(node, scope))
    if name in {"pytest.fail", "fail"}:
        fail(run, place_of(node, scope))
        return ASSERTED
    if name in {"pytest.raises", "pytest.warns"} and len(args.positional) >= 2:
        kind = Kind.RAISES if short == "raises" else Kind.WARNS
        block = _raises_call(run, term, kind, args, place_of(node, scope))
        return Term("excinfo", "", (block,)) if kind is Kind.RAISES else ASSERTED
    if short == "match" and term.args[0].op == "attr" and term.args[0].args[0].op == "excinfo":
        subject = Term("raised", "", term.args[0].args[0].args)
        record(
            run,
            text_check(
                subject, term.args[1] if len(term.args) > 1 else UNKNOWN, place_of(node, scope), run.guards
            ),
        )
        return ASSERTED
    if mocks.is_assertion(short) and terms.method(term):
        record(run, mocks.check(term, run.guards, place_of(node, scope)))
        return ASSERTED
    if outside.readers(label) and outside.asked(run, label, term, place_of(node, scope)):
        return ASSERTED
    if short.startswith("assert_") and short != "assert_that":
        library(run, short, term, place_of(node, scope))
        return ASSERTED
    if short in files.ASKING and (asked := files.spelt(term)) is not None:
        return asked
    if short == "Decimal":
        return exact(term)
    if name in {"list", "tuple"} and len(term.args) == 2 and terms.called(term.args[1]) == "range":
        items = elements(term.args[1])
        return Term(name, "", items) if items is not None else term
    if terms.method(term) and _rooted_in_assert_that(term):
        _chain(run, term, place_of(node, scope))
    return fold(term) if not any(isinstance(one, (Function, Pending)) for one in args.positional) else term


def _camel(short: str) -> str:
    """
    Return the method of `unittest.TestCase` that a function of nose repeats: `assert_is_none`.
    """
    first, *rest = short.split("_")
    return first + "".join(part.title() for part in rest)


def _seen_again(run: Run, term: Term, node: ast.Call, scope: Scope, args: Args) -> Term:
    """
    Where only constants are left to compare, look again for a local that calls may have changed.
    """
    plain = len(node.args) == len(args.positional) == len(terms.positional(term))
    if run.boxing or not plain or not all(terms.is_literal(one) for one in terms.positional(term)):
        return term
    run.boxing = True
    args.positional[:] = [evaluate(run, one, scope) for one in node.args]
    run.boxing = False
    keywords = tuple(one for one in term.args[1:] if one.op == "kw")
    return Term(term.op, term.value, (term.args[0], *(as_term(one) for one in args.positional), *keywords))


def _suppresses(term: Term) -> bool:
    return terms.called(term).rpartition(".")[2] == "suppress" and any(
        one.value in COVERING for one in term.args[1:]
    )


def _hides_all(run: Run, term: Term, args: Args) -> bool:
    """
    Return whether an exit stack is given a function of the suite that answers every error with true.
    """
    func = args.positional[0] if args.positional else None
    if not isinstance(func, Function) or terms.called(term.args[0].args[0]).rpartition(".")[2] not in _STACKS:
        return False
    return run.invoke(run, func, Args([Term("param", "exc")] * 3)) == TRUE


def _never_raises(value: Value) -> bool:
    return isinstance(value, Function) and not any(
        isinstance(one, ast.Assert | ast.Raise | ast.Call) for one in below(value.node)
    )


def _marked(run: Run, mark: Term, place: Place) -> None:
    gate = gate_of(mark, place)
    if gate is not None:
        condition = run.condition()
        both = (
            gate.condition
            if condition == TRUE
            else condition
            if gate.condition == TRUE
            else Term("bool", "And", (condition, gate.condition))
        )
        run.gates.append(replace(gate, condition=both))


def fail(run: Run, place: Place) -> None:
    """
    An explicit failure under a condition asserts the opposite of that condition.
    """
    conditions = [guard for guard in run.guards if guard.op != "foreach"]
    if not conditions:
        record(run, Check(Kind.FAILS, Term("fails"), guards=run.guards, place=place))
        return
    guards = run.guards
    run.guards = tuple(guard for guard in guards if guard is not conditions[-1])
    emit(run, conditions[-1], place, positive=False)
    run.guards = guards


def _gate(run: Run, short: str, term: Term, place: Place) -> None:
    condition = Term("missing", "", term.args[1:]) if short == "importorskip" else run.condition()
    run.gates.append(Gate("xfail" if short == "xfail" else "skip", condition, place))


def _raises_call(run: Run, term: Term, kind: Kind, args: Args, place: Place) -> Term:
    """
    Read a call that is given what it expects to raise; that is a block of one statement.
    """
    func = args.positional[1]
    outer, run.trace = run.trace, []
    if isinstance(func, Function):
        before, done = len(run.checks), len(run.effects)
        named = {key: one for key, one in args.named.items() if key != "match"}
        value = run.invoke(run, func, Args(args.positional[2:], named))
        run.note(as_term(value), since=0)
        del run.checks[before:]
        if kind is Kind.RAISES:
            run.effects[done:] = [(Term("failing", "", (one,)), where) for one, where in run.effects[done:]]
    else:
        given = (one for one in term.args[2:] if one.op != "kw" or one.value != "match")
        run.trace = [fold(Term("call", "", tuple(given)))]
    block = block_of(run.trace)
    run.trace = [*outer, block]
    run.epoch += 1
    record(run, Check(kind, block, term.args[1], guards=run.guards, place=place))
    return block


def _rooted_in_assert_that(term: Term) -> bool:
    one = term
    while one.op in {"call", "attr"} and one.args:
        if outside.EXPECTING.fullmatch(terms.called(one)):
            return True
        one = one.args[0]
    return False


#: What a link of a chain says as a plain expression.
_CHAINED: Final[dict[str, Callable[[Term, Term], Term]]] = {
    "is_length": lambda a, b: Term("cmp", "Eq", (terms.call(terms.name("len"), (a,)), b)),
    "is_not_equal_to": lambda a, b: Term("cmp", "NotEq", (a, b)),
    "is_greater_than": lambda a, b: Term("cmp", "Gt", (a, b)),
    "is_greater_than_or_equal_to": lambda a, b: Term("cmp", "GtE", (a, b)),
    "is_less_than": lambda a, b: Term("cmp", "Lt", (a, b)),
    "is_less_than_or_equal_to": lambda a, b: Term("cmp", "LtE", (a, b)),
    "starts_with": lambda a, b: terms.call(terms.attr(a, "startswith"), (b,)),
    "ends_with": lambda a, b: terms.call(terms.attr(a, "endswith"), (b,)),
}


def _chain(run: Run, term: Term, place: Place) -> None:
    root = next(one for one in terms.walk(term) if outside.EXPECTING.fullmatch(terms.called(one)))
    subject = root.args[1] if len(root.args) > 1 else UNKNOWN
    build, places = _CHAINED.get(terms.method(term)), terms.positional(term)
    if build is not None and len(places) == 1:
        emit(run, build(subject, places[0]), place)
        return
    kinds = {
        "is_equal_to": Kind.EQUAL, "is_same_as": Kind.IS, "is_instance_of": Kind.TYPE, "is_true": Kind.TRUTHY,
        "is_false": Kind.FALSY, "is_not_none": Kind.NOT_NONE, "is_in": Kind.MEMBER, "contains": Kind.MEMBER,
    }  # fmt: skip
    kind = kinds.get(terms.method(term), Kind.PREDICATE)
    said = outside.said(term)
    expected = Term("args", "", said) if len(said) > 1 else (said[0] if said else ABSENT)
    detail = {Kind.PREDICATE: terms.method(term), Kind.MEMBER: "has"}.get(kind, "")
    record(run, Check(kind, subject, expected, detail, guards=run.guards, place=place))


def _eq(a: Term, b: Term) -> Term:
    return Term("cmp", "Eq", (a, b))


def _op(value: str) -> Callable[..., Term]:
    return lambda a, b: Term("cmp", value, (a, b))


def _call_of(name: str) -> Callable[..., Term]:
    return lambda a, b: terms.call(terms.name(name), (a, b))


#: What each method of `unittest.TestCase` says as a plain expression; None where it is read apart.
_UNITTEST: Final[dict[str, Callable[..., Term] | None]] = {
    **dict.fromkeys(
        ("assertEqual", "assertEquals", "assertListEqual", "assertTupleEqual", "assertDictEqual",
         "assertSetEqual", "assertSequenceEqual", "assertMultiLineEqual", "assertQuerysetEqual",
         "assertQuerySetEqual", "assertJSONEqual"),
        _eq,
    ),
    "assertNotEqual": _op("NotEq"), "assertIs": _op("Is"), "assertIsNot": _op("IsNot"),
    "assertIn": _op("In"), "assertNotIn": _op("NotIn"),
    "assertLess": _op("Lt"), "assertLessEqual": _op("LtE"),
    "assertGreater": _op("Gt"), "assertGreaterEqual": _op("GtE"),
    "assertIsInstance": _call_of("isinstance"),
    "assertNotIsInstance": lambda a, b: Term("unary", "Not", (_call_of("isinstance")(a, b),)),
    "assertTrue": lambda a: a, "assertFalse": lambda a: Term("unary", "Not", (a,)),
    "assertIsNone": lambda a: Term("cmp", "Is", (a, terms.NONE)),
    "assertIsNotNone": lambda a: Term("cmp", "IsNot", (a, terms.NONE)),
    "assertRegex": lambda a, b: terms.call(terms.name("re.search"), (b, a)),
    "assertNotRegex": lambda a, b: Term("unary", "Not", (terms.call(terms.name("re.search"), (b, a)),)),
    "assertStartsWith": lambda a, b: terms.call(terms.attr(a, "startswith"), (b,)),
    "assertEndsWith": lambda a, b: terms.call(terms.attr(a, "endswith"), (b,)),
    "assertHasAttr": _call_of("hasattr"), "assertIsSubclass": _call_of("issubclass"),
    **dict.fromkeys(
        ("assertAlmostEqual", "assertAlmostEquals", "assertNotAlmostEqual", "assertCountEqual",
         "assertItemsEqual", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp", "assertWarns",
         "assertWarnsRegex", "assertLogs", "assertNoLogs"),
        None,
    ),
}  # fmt: skip


_ARITY: Final = {"assertTrue": 1, "assertFalse": 1, "assertIsNone": 1, "assertIsNotNone": 1}


def one_moment(run: Run, sides: Sequence[ast.expr], scope: Scope) -> bool:
    """
    Were both sides of a comparison taken at the same moment?  Two calls with something between may differ.
    """
    moments = set()
    for side in sides:
        inner = [run.epoch] if any(isinstance(one, ast.Call) for one in below(side)) else []
        inner += [
            stamp
            for one in below(side)
            if isinstance(one, ast.Name) and (stamp := scope.stamp(one.id)) is not None
        ]
        moments.add(min(inner, default=run.epoch))
    return len(moments) <= 1


def _unittest(run: Run, short: str, term: Term, args: Args, place: Place, *, trusted: bool = True) -> Term:
    named = [
        terms.keyword(term, key)
        for key in ("first", "second", "expr", "obj", "cls", "member", "container", "a", "b")
    ]
    places = (*terms.positional(term), *(one for one in named if one is not None))
    if terms.keyword(term, "ordered") == terms.FALSE:
        short = "assertCountEqual"
    build = _UNITTEST[short]
    if build is not None:
        wanted = _ARITY.get(short, 2)
        if len(places) < wanted:
            return term
        emit(run, build(*places[:wanted]), place, trusted=trusted)
        return ASSERTED
    if short.startswith(("assertRaises", "assertWarns")):
        skip = 2 if "Regex" in short else 1
        if len(places) <= skip:
            return term  # a context manager; `with` reads it
        block = _raises_call(
            run,
            Term("call", "", (term.args[0], places[0], *places[skip:])),
            Kind.RAISES if "Raises" in short else Kind.WARNS,
            Args([args.positional[0], *args.positional[skip:]], args.named),
            place,
        )
        if skip == 2:
            record(run, text_check(Term("raised", "", (block,)), places[1], place, run.guards))
        return ASSERTED
    if short in {"assertCountEqual", "assertItemsEqual"} and len(places) >= 2:
        items = unordered(places[1])
        record(run, Check(Kind.SAME_ITEMS, unordered(places[0]), items, guards=run.guards, place=place))
    elif "AlmostEqual" in short and len(places) >= 2:
        delta = terms.keyword(term, "delta")
        digits = terms.argument(term, 2, "places")
        number = terms.literal(digits) if digits is not None and terms.is_literal(digits) else 7
        kind = Kind.NOT_EQUAL if "Not" in short else Kind.CLOSE
        near = half_of_last(number if isinstance(number, int) else 7)
        wide = tolerance(None, delta) if delta is not None else near
        record(run, Check(kind, places[0], places[1], extra=wide, guards=run.guards, place=place))
    else:
        return term  # assertLogs and assertNoLogs are contexts
    return ASSERTED
