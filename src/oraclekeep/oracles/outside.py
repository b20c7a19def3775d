"""
Assertions of other libraries: hamcrest's matchers, Playwright's `expect`, Django's methods, stored answers.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.asserts import emit, record
from oraclekeep.oracles.checks import ABSENT, Check, Kind
from oraclekeep.oracles.idioms import is_live
from oraclekeep.oracles.terms import Term

if TYPE_CHECKING:
    from collections.abc import Callable

    from oraclekeep.oracles.checks import Place
    from oraclekeep.oracles.values import Run

    #: Records a call, and tells whether it gives no value; None where it is no assertion after all.
    _Reader = Callable[[Run, str, Term, Place], bool | None]

#: Functions and methods that fail by themselves, by their whole name, with the names of their two sides.
_COMPARING: Final = {
    "testfixtures.compare": (Kind.EQUAL, ("x", "actual"), ("y", "expected")),
    "nose.tools.eq_": (Kind.EQUAL, ("a",), ("b",)),
    "jsonschema.validate": (Kind.PREDICATE, ("instance",), ("schema",)),
}
#: Functions that are an `assert` of their first argument.
_ASSUMING: Final = frozenset({"pytest.assume", "delayed_assert.expect", "nose.tools.ok_"})
#: Methods whose last word is enough, since nothing else is called so: what is asked of their object.
_METHODS: Final = frozenset(
    {
        *("fnmatch_lines", "fnmatch_lines_random", "re_match_lines", "re_match_lines_random"),
        *("no_fnmatch_line", "no_re_match_line", "mustcontain", "call_and_validate", "validate_response"),
        *("check_assertions", "check_handler_errors", "expect_exact"),
    }
)
#: Fixtures, and the calls on them, that compare what they are given with what is stored.
_STORED: Final = re.compile(
    r"\w*_regression\.check|approvaltests(\.approvals)?\.verify\w*"
    r"|testfixtures\.LogCapture\(\)\.check\w*|jsonschema(\.\w+)?\.\w+Validator\(\)\.validate"
)
#: Functions of other packages that say by their names what they do to the value that they are given.
_TELLING: Final = re.compile(
    r"(?!subprocess\.|unittest\.|pytest\.)\w+(\.\w+)*\.(check|verify|expect|ensure)_\w+"
)
#: Objects that are asked by a chain of words: `expect(page).to_have_title("…")`.
EXPECTING: Final = re.compile(
    r"(.*\.)?assert_that|(playwright\.(sync|async)_api|sure|expects)\.expect|mockito\.verify"
)
_SPAWNED: Final = re.compile(r"pexpect(\.\w+)+\(\)\.expect(_list)?")
_OURS: Final = ("prod:", "pmod:", "suite:")
_CAMEL: Final = re.compile(r"assert[A-Z]\w*")
#: Methods of test cases that are contexts, and read as such.
_CONTEXTS: Final = frozenset({"assertRaisesMessage", "assertWarnsMessage", "assertNumQueries"})
#: What a failure says, and how long it is waited for.
_WORDS: Final = frozenset({"msg", "msg_prefix", "message", "prefix", "suffix", "reason", "timeout"})
#: What pytest-check calls the methods of unittest.
_CHECKS: Final = {
    "equal": "Eq", "not_equal": "NotEq", "is_": "Is", "is_not": "IsNot", "is_in": "In", "is_not_in": "NotIn",
    "greater": "Gt", "greater_equal": "GtE", "less": "Lt", "less_equal": "LtE",
}  # fmt: skip
_CHECK: Final = re.compile(r"(pytest_check\.(check\.)?|check\.)(\w+)")


@functools.lru_cache(maxsize=4096)  # a suite calls the same functions again and again
def readers(label: str) -> tuple[_Reader, ...]:
    """
    Return what may read a call as an assertion of another library, going by the name of what is called.
    """
    short = label.rpartition(".")[2]
    return tuple(reader for fits, reader in _READERS if fits(label, short))


def asked(run: Run, label: str, term: Term, place: Place) -> bool:
    """
    Record a call that another library makes an assertion of; return whether it is one and gives no value.
    """
    answers = (reader(run, label, term, place) for reader in readers(label))
    return next((answer for answer in answers if answer is not None), False)


def said(term: Term) -> tuple[Term, ...]:
    return tuple(one for one in term.args[1:] if not (one.op == "kw" and one.value in _WORDS))


def _options(term: Term, but: tuple[str, ...] = ()) -> Term:
    """
    Return the options of a comparison as they are kept with it.
    """
    found = tuple(one for one in said(term) if one.op == "kw" and one.value not in but)
    return Term("options", "", found) if found else ABSENT


def _compared(run: Run, label: str, term: Term, place: Place) -> bool:
    kind, *names = _COMPARING[label]
    places = list(terms.positional(term))
    sides = []
    for words in names:
        said = next((one for word in words if (one := terms.keyword(term, word)) is not None), None)
        sides.append(said or (places.pop(0) if places else ABSENT))
    subject, expected = sides
    if is_live(expected) and not is_live(subject):
        subject, expected = expected, subject
    extra = _options(term, tuple(word for words in names for word in words))
    if terms.keyword(term, "raises") == terms.FALSE:
        return True  # it tells the difference, and fails on none
    detail = label if kind is Kind.PREDICATE else ""
    record(run, Check(kind, subject, expected, detail, extra, guards=run.guards, place=place))
    return True


def _of_case(run: Run, label: str, term: Term, place: Place) -> bool | None:
    """
    Record a method that a base class from elsewhere has: `assertContains(response, text, count=1)`.
    """
    short = label.rpartition(".")[2]
    if terms.called(term) == short:
        return None
    subject, expected, *rest = (*terms.positional(term), ABSENT, ABSENT)
    if is_live(expected) and not is_live(subject):
        subject, expected = expected, subject
    more = [Term("kw", f"#{index}", (one,)) for index, one in enumerate(rest[:-2], start=2)] if rest else []
    options = _options(term)
    extra = Term("options", "", (*more, *options.args)) if more else options
    record(run, Check(Kind.PREDICATE, subject, expected, short, extra, guards=run.guards, place=place))
    return True


def _assumed(run: Run, _label: str, term: Term, place: Place) -> bool | None:
    if len(term.args) < 2:
        return None
    emit(run, term.args[1], place)
    return True


def _checked(run: Run, label: str, term: Term, place: Place) -> bool:
    """
    Record a method of pytest-check.
    """
    word, places = label.rpartition(".")[2], terms.positional(term)
    if word in _CHECKS and len(places) >= 2:
        emit(run, Term("cmp", _CHECKS[word], places[:2]), place)
    elif places and word not in _CHECKS:
        emit(run, places[0], place, positive=word == "is_true")
    return True


def _answered(run: Run, _label: str, term: Term, place: Place) -> bool | None:
    if not terms.method(term):
        return None
    answer = term.args[0].args[0]
    status = terms.attr(answer, "status" if answer.op == "entered" else "status_code")  # aiohttp's, or not
    emit(run, Term("cmp", "Lt", (status, terms.const(400))), place)
    return False


def _ended(run: Run, _label: str, term: Term, place: Place) -> bool | None:
    if not terms.method(term):
        return None
    emit(run, Term("cmp", "Eq", (terms.attr(term.args[0].args[0], "returncode"), terms.const(0))), place)
    return True


def _of_object(run: Run, label: str, term: Term, place: Place) -> bool | None:
    if not terms.method(term):
        return None
    short, expected = label.rpartition(".")[2], Term("args", "", said(term))
    owner = term.args[0].args[0]
    record(run, Check(Kind.PREDICATE, owner, expected, short, guards=run.guards, place=place))
    return "validate" not in short


def _of_function(run: Run, label: str, term: Term, place: Place) -> bool | None:
    if term.args[0].op != "name":
        return None
    subject = next(filter(is_live, terms.positional(term)), None)
    if subject is not None:
        expected = Term("args", "", tuple(one for one in said(term) if one != subject))
        record(run, Check(Kind.PREDICATE, subject, expected, label, guards=run.guards, place=place))
    return False


def _stored(run: Run, label: str, term: Term, place: Place) -> bool:
    places, short = terms.positional(term), label.rpartition(".")[2]
    subject = places[0] if places else ABSENT
    expected = Term("args", "", (term.args[0], *(one for one in said(term) if one != subject)))
    record(run, Check(Kind.PREDICATE, subject, expected, short, guards=run.guards, place=place))
    return True


def _matched(run: Run, _label: str, term: Term, place: Place) -> bool:
    places = terms.positional(term)
    if len(places) < 2 or not terms.called(places[1]).startswith("hamcrest."):
        emit(run, places[-1] if len(places) > 1 and places[0].op == "const" else places[0], place)
    elif (read := _meant(places[0], places[1])) is not None:
        emit(run, read, place)
    else:
        matcher, expected = terms.called(places[1]), Term("args", "", places[1].args[1:])
        check = Check(Kind.PREDICATE, places[0], expected, matcher, guards=run.guards, place=place)
        record(run, check)
    return True


def _meant(value: Term, matcher: Term) -> Term | None:
    """
    Return what a matcher of hamcrest says of a value, as an expression; None where none says it.
    """
    short, places = terms.called(matcher).rpartition(".")[2], terms.positional(matcher)
    if not terms.called(matcher).startswith("hamcrest."):
        return Term("cmp", "Eq", (value, matcher))
    if short == "anything":
        return terms.TRUE
    if short in _EACH:
        return Term("cmp", "Eq", _EACH[short](value, Term("list", "", places)))
    if short in {"all_of", "any_of"}:
        parts = [_meant(value, one) for one in places]
        known = tuple(one for one in parts if one is not None)
        return Term("bool", "And" if short == "all_of" else "Or", known) if len(known) == len(parts) else None
    if short == "none" and not places:
        return Term("cmp", "Is", (value, terms.NONE))
    if short == "not_none" and not places:
        return Term("cmp", "IsNot", (value, terms.NONE))
    if short in {"is_", "is_not", "not_"} and len(places) == 1:
        inner = _meant(value, places[0])
        return inner if short == "is_" or inner is None else Term("unary", "Not", (inner,))
    if short == "close_to" and len(places) == 2:
        far = terms.call(terms.name("abs"), (Term("bin", "Sub", (value, places[0])),))
        return Term("cmp", "LtE", (far, places[1]))
    build = _MATCHERS.get(short)
    if build is None or len(places) != 1 or terms.called(places[0]).startswith("hamcrest."):
        return None
    return build(value, places[0])


def _compare(op: str) -> Callable[[Term, Term], Term]:
    return lambda value, wanted: Term("cmp", op, (value, wanted))


def _method(name: str) -> Callable[[Term, Term], Term]:
    return lambda value, wanted: terms.call(terms.attr(value, name), (wanted,))


def _function(name: str) -> Callable[[Term, Term], Term]:
    return lambda value, wanted: terms.call(terms.name(name), (value, wanted))


#: What a matcher with one argument says as a plain expression.
_MATCHERS: Final[dict[str, Callable[[Term, Term], Term]]] = {
    "equal_to": _compare("Eq"), "same_instance": _compare("Is"), "greater_than": _compare("Gt"),
    "greater_than_or_equal_to": _compare("GtE"), "less_than": _compare("Lt"),
    "less_than_or_equal_to": _compare("LtE"), "is_in": _compare("In"),
    "has_item": lambda value, wanted: Term("cmp", "In", (wanted, value)),
    "contains_string": lambda value, wanted: Term("cmp", "In", (wanted, value)),
    "has_length": lambda value, wanted: Term("cmp", "Eq", (terms.call(terms.name("len"), (value,)), wanted)),
    "starts_with": _method("startswith"), "ends_with": _method("endswith"),
    "instance_of": _function("isinstance"), "has_property": _function("hasattr"),
    "has_key": lambda value, wanted: Term("cmp", "In", (wanted, value)),
    "matches_regexp": lambda value, wanted: terms.call(terms.name("re.search"), (wanted, value)),
}  # fmt: skip


def _sorted(items: Term) -> Term:
    return terms.call(terms.name("sorted"), (items,))


#: The two sides that a matcher of each item compares.
_EACH: Final[dict[str, Callable[[Term, Term], tuple[Term, Term]]]] = {
    "contains_exactly": lambda value, items: (value, items),
    "contains_inanyorder": lambda value, items: (_sorted(value), _sorted(items)),
}


def _is_checked(label: str, _short: str) -> bool:
    found = _CHECK.fullmatch(label)
    return found is not None and found[3] in {*_CHECKS, "is_true", "is_false"}


#: Which names a reader is for, in their order; one that gives None leaves the call to those after it.
_READERS: Final[tuple[tuple[Callable[[str, str], bool], _Reader], ...]] = (
    (lambda label, _: label in _COMPARING, _compared),
    (lambda _, short: _CAMEL.fullmatch(short) is not None and short not in _CONTEXTS, _of_case),
    (lambda label, _: label in _ASSUMING, _assumed),
    (lambda label, short: label.startswith("hamcrest.") and short == "assert_that", _matched),
    (_is_checked, _checked),
    (lambda _, short: short == "raise_for_status", _answered),
    (lambda _, short: short == "check_returncode", _ended),
    (lambda label, short: short in _METHODS or _SPAWNED.fullmatch(label) is not None, _of_object),
    (lambda label, _: _TELLING.fullmatch(label) is not None and not label.startswith(_OURS), _of_function),
    (lambda label, _: _STORED.fullmatch(label) is not None, _stored),
)
