"""
A check: one way in which a test can fail, in a form that refactoring does not change.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.regexes import spelt
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.topics import Topic

ABSENT: Final = Term("none")
#: What a predicate asks of a block that must not raise what is caught.
NO_ERROR: Final = "raises nothing"
#: Exceptions whose catching also catches a failed assertion.
COVERING: Final = frozenset(
    {"AssertionError", "Exception", "BaseException", "builtins.Exception", "builtins.AssertionError"}
)


class Kind(enum.StrEnum):
    """
    What a check does with its subject.
    """

    EQUAL = "equality"
    IS = "identity"
    NOT_EQUAL = "inequality"
    ORDER = "ordering"
    CLOSE = "approximate equality"
    MEMBER = "membership"
    NOT_MEMBER = "absence"
    SAME_ITEMS = "same items in any order"
    RAISES = "exception type"
    WARNS = "warning type"
    TEXT = "exception text"
    LOGS = "log records"
    TYPE = "type"
    PREDICATE = "predicate"
    TRUTHY = "truthiness"
    FALSY = "falsiness"
    NOT_NONE = "not None"
    MOCK = "mock call"
    SNAPSHOT = "snapshot"
    ANY_OF = "one of several checks"
    FAILS = "explicit failure"
    NEVER = "never fails"


@dataclass(frozen=True, slots=True)
class Place:
    """
    Where a check is written.
    """

    path: str
    line: int
    text: str


@dataclass(frozen=True)
class Check:
    """
    One oracle.

    ``detail`` is the operator, the mock's method or the way a text is compared; ``extra`` the tolerance;
    ``guards`` the conditions and loops it stands under; ``why_never`` says why it cannot fail.
    """

    kind: Kind
    subject: Term
    expected: Term = ABSENT
    detail: str = ""
    extra: Term = ABSENT
    guards: tuple[Term, ...] = ()
    why_never: str = ""
    alternatives: tuple[Check, ...] = ()
    moment: int = field(default=0, compare=False)  # how much had happened in the test by then
    taken: int = field(default=0, compare=False)  # how much had happened when its value was taken
    scene: tuple[Term, ...] = field(default=(), compare=False)  # what the test had done by then
    place: Place = field(default=Place("", 0, ""), compare=False)

    @cached_property
    def bare(self) -> tuple[object, ...]:
        """
        What the check asks, wherever it stands.
        """
        sides = (self.subject, self.expected)
        if (
            self.kind in (Kind.EQUAL, Kind.IS, Kind.NOT_EQUAL, Kind.SAME_ITEMS)
            and self.expected < self.subject
        ):
            sides = (self.expected, self.subject)
        inner = tuple(one.form for one in self.alternatives)
        return (self.kind, *sides, self.detail, self.extra, self.why_never, inner)

    @cached_property
    def form(self) -> tuple[object, ...]:
        """
        What makes two checks the same check.
        """
        return (*self.bare, self.guards)

    @cached_property
    def sides(self) -> tuple[Term, ...]:
        """
        What the check is about: of a comparison between two live values either side may be meant.
        """
        live = (
            self.kind in (Kind.EQUAL, Kind.IS, Kind.SAME_ITEMS)
            and not terms.is_literal(self.expected)
            and any(one.op == "call" and not makes(one) for one in terms.walk(self.expected))
        )
        return (plain(self.subject), plain(self.expected)) if live else (plain(self.subject),)

    @cached_property
    def topics(self) -> tuple[Topic, ...]:
        return tuple(map(Topic, self.sides))

    @cached_property
    def blocks(self) -> tuple[Term, ...]:
        """
        What is expected to raise or to warn, where the check is about that, or about the error itself.
        """
        if self.kind in (Kind.RAISES, Kind.WARNS):
            return (self.subject,)
        return tuple(one.args[0] for one in terms.walk(self.subject) if one.op == "raised" and one.args)

    @property
    def dead(self) -> bool:
        return self.kind is Kind.NEVER or bool(self.why_never)


#: Calls that keep what they are given, as far as a comparison goes.
_NEUTRAL: Final = frozenset({"list", "tuple"})


def plain(term: Term) -> Term:
    """
    Return the term without wrappers that keep what they are given, and without the names of mocks.
    """
    while terms.called(term) in _NEUTRAL and len(term.args) == 2:
        term = term.args[1]
    if term.op == "mock":
        return Term("mock", "", tuple(map(plain, term.args)))
    if not term.args:
        return term
    args = tuple(map(plain, term.args))
    if term.op == "bin" and term.value == "Add" and any(one.op in _NEUTRAL for one in args):
        return _together(args)
    return Term(term.op, term.value, args) if args != term.args else term


def _together(parts: tuple[Term, ...]) -> Term:
    """
    Return the display that a sum of lists is: `x + [1]` is `[*x, 1]`.
    """
    kind = next(one.op for one in parts if one.op in _NEUTRAL)
    items = (one.args if one.op == kind else (Term("star", "", (one,)),) for one in parts)
    return Term(kind, "", tuple(item for some in items for item in some))


def makes(term: Term) -> bool:
    """
    Return whether this call is the making of a value: a class called by its name.
    """
    name = terms.called(term).rpartition(".")[2].rpartition(":")[2].lstrip("_")
    return name[:1].isupper() or name in _MADE


_MADE: Final = frozenset({"dict", "set", "list", "tuple", "frozenset", "bytes", "str", "int", "float"})


@dataclass(frozen=True, slots=True)
class Gate:
    """
    What keeps a test from running or from failing: a skip, an xfail, a missing import, `__test__ = False`.

    ``condition`` is the term under which it bites; `True` means always.
    """

    kind: str
    condition: Term
    place: Place = field(compare=False)


@dataclass(slots=True)
class Facts:
    """
    All that one test does, gathered over its cases.
    """

    nodeid: str
    checks: list[Check] = field(default_factory=list)
    gates: list[Gate] = field(default_factory=list)
    effects: list[tuple[Term, Place]] = field(default_factory=list)
    strategies: dict[str, Term] = field(default_factory=dict)
    max_examples: int | None = None
    time_limit: float | None = None  # seconds after which a mark has the test fail
    generates: bool | None = None  # whether the settings' phases have hypothesis draw; None: they say nothing
    specced: int = 0
    mocks: int = 0
    patches: dict[Term, Place] = field(default_factory=dict)
    unpacked: set[tuple[Term, int]] = field(
        default_factory=set
    )  # what was taken apart into so many names; negative: a star is one
    options: dict[tuple[Term, Term], Place] = field(default_factory=dict)  # a call, and what its options said
    uses: set[str] = field(default_factory=set)  # dotted first-party names that the test and its fixtures use
    cases: dict[Term, frozenset[object]] = field(
        default_factory=dict
    )  # parameters of a case -> forms of its checks
    marks: set[str] = field(default_factory=set)
    case_marks: set[str] = field(default_factory=set)  # marks that only some cases bear
    awaited: bool | None = None  # of an async function: whether a mark has it run
    written_out: bool = True  # each case was read by itself
    place: Place = Place("", 0, "")


def gone(old: Facts, new: Facts) -> list[Term]:
    """
    Return what the one test does and the other one does not.
    """
    theirs = {term for term, _ in new.effects}
    return [term for term, _ in old.effects if term not in theirs]


_META: Final = re.compile(r"(?<!\\)[.^$*+?{}\[\]|()]|\\[a-zA-Z0-9]")
_BEGUN: Final = re.compile(r"\A(?:\^|\\A)(.*)\Z", re.DOTALL)
_ANCHORED: Final = re.compile(r"\A(?:\^|\\A)(.*)(?:\$|\\Z|\\z)\Z", re.DOTALL)


def text_check(subject: Term, pattern: Term, place: Place, guards: tuple[Term, ...]) -> Check:
    """
    Read a regular expression that is searched for as the text comparison that it is.
    """
    pattern = spelt(pattern)
    if terms.called(pattern) == "re.escape" and len(pattern.args) == 2:
        return Check(Kind.TEXT, subject, pattern.args[1], "contains", guards=guards, place=place)
    if pattern.op == "const":
        try:
            text = terms.literal(pattern)
        except terms.NotLiteral:
            text = None
        if isinstance(text, str):
            anchored, begun = _ANCHORED.match(text), _BEGUN.match(text)
            held = anchored or begun
            inner = held.group(1) if held else text
            if not _META.search(inner):
                plain = re.sub(r"\\(.)", r"\1", inner)
                return Check(
                    Kind.TEXT,
                    subject,
                    terms.const(plain),
                    "exact" if anchored else "starts" if begun else "contains",
                    guards=guards,
                    place=place,
                )
    return Check(Kind.TEXT, subject, pattern, "regex", guards=guards, place=place)
