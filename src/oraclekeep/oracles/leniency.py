"""
Options of calls that let more pass: what an assertion ignores, what a fake answers, how often a test runs.
"""

from __future__ import annotations

import enum
import functools
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import ABSENT
from oraclekeep.oracles.terms import Term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.oracles.checks import Check, Facts, Place
    from oraclekeep.oracles.values import Run


class Way(enum.Enum):
    """
    How an option lets more pass.
    """

    COMES = "by being given, or by naming more"
    GOES = "by being given no longer"
    OFF = "by being said to be false"
    LEAVES = "by being anything but the one strict value"
    MOST = "by a higher number, or by none"
    LEAST = "by a lower number, or by none"
    LIMIT = "by being given no longer, or by a number ten times as high"


class Turn(enum.Enum):
    """
    What became of an option.
    """

    SAME = "as strict as it was"
    LOOSER = "lets more pass"
    STRICTER = "lets less pass"
    OTHER = "cannot be told"


@dataclass(frozen=True, slots=True)
class Option:
    """
    One option of calls whose label the pattern matches; ``place`` is where it stands without its name.

    ``value`` is the strict value, or the number that holds where none is given.  ``alone`` says that a call
    which is not made at all says nothing, like one without options.  ``asked`` are members whose check makes
    up for it.
    """

    calls: str
    key: str
    way: Way
    place: int | None = None
    value: Any = None
    alone: bool = False
    asked: frozenset[str] = frozenset()


_INF: Final = float("inf")
_ENDED: Final = frozenset({"exit_code", "exception", "exc_info"})
_CLOSE: Final = r"(.*\.)?assert_(all)?close"
_STARTED: Final = r"subprocess\.(run|call|check_call|check_output)"
_MATCHED: Final = r"responses(\.RequestsMock\(\))?\.(add|get|post|put|patch|delete|head|options|upsert)"
#: The only place where these options are written down.
OPTIONS: Final = (
    Option(r".*\.invoke", "catch_exceptions", Way.LEAVES, value=False, asked=_ENDED),
    Option(r"(.*\.)?DeepDiff", "exclude_*", Way.COMES),
    Option(r"(.*\.)?DeepDiff", "ignore_*", Way.COMES),
    Option(r"(.*\.)?DeepDiff", "include_*", Way.COMES),
    Option(r"(.*\.)?DeepDiff", "significant_digits", Way.COMES),
    Option(r"(.*\.)?DeepDiff", "math_epsilon", Way.COMES),
    Option(r"(.*\.)?DeepDiff", "truncate_datetime", Way.COMES),
    Option(_CLOSE, "check_*", Way.OFF),
    Option(r"torch\.testing\.assert_close", "equal_nan", Way.COMES),
    *(
        Option(r"(numpy|np)\.errstate", key, Way.LEAVES, value="raise")
        for key in ("all", "divide", "over", "under", "invalid")
    ),
    Option(r".*assertSequenceEqual", "seq_type", Way.GOES),
    Option(r"the fields of \w+", "compare", Way.COMES, alone=True),  # those of a data class that do not count
    Option(r"pytest\.RaisesGroup", "allow_unwrapped", Way.COMES),
    Option(r"pytest\.RaisesGroup", "flatten_subgroups", Way.COMES),
    Option(r"asyncio\.timeout", "delay", Way.LIMIT, 0),
    Option(r"asyncio\.wait_for", "timeout", Way.LIMIT, 1),
    Option(_STARTED, "timeout", Way.LIMIT),
    *(
        Option(r"httpx_mock\.add_(response|callback|exception)", key, Way.GOES)
        for key in ("method", "url", "match_*")
    ),
    *(
        Option(r"pytest\.mark\.httpx_mock", f"assert_all_{key}", Way.OFF, alone=True)
        for key in ("responses_were_requested", "requests_were_expected")
    ),
    Option(_MATCHED, "match", Way.GOES),
    Option(r"responses\.activate", "assert_all_requests_are_fired", Way.GOES),
    Option(r"responses\.RequestsMock", "assert_all_requests_are_fired", Way.OFF, 0),
    Option(r"respx\.mock|respx\.MockRouter|pytest\.mark\.respx", "assert_all_called", Way.OFF, alone=True),
    Option(r"respx\.mock|respx\.MockRouter|pytest\.mark\.respx", "assert_all_mocked", Way.OFF, alone=True),
    *(
        Option(r"respx(_mock)?\.(route|get|post|put|patch|delete|head|options)", key, Way.GOES, place)
        for key, place in (
            ("url*", 0),
            ("method", None),
            ("json*", None),
            ("data*", None),
            ("content*", None),
        )
    ),
    Option(r"pytest\.mark\.repeat", "count", Way.LEAST, 0, 1, alone=True),
    Option(r"pytest\.mark\.parallel_threads", "n", Way.LEAST, 0, 1, alone=True),
    Option(r"pytest\.mark\.limit_memory", "limit", Way.MOST, 0, _INF, alone=True),
    Option(r"pytest\.mark\.mpl_image_compare", "tolerance", Way.MOST, value=2),
    Option(r"pytest\.mark\.xfail", "strict", Way.LEAVES, value=True),
    Option(r"pytest\.mark\.xfail", "raises", Way.GOES),
    Option(r"pytest\.mark\.xfail", "run", Way.OFF),
)
#: The same of what a check leaves to its options, whoever makes it.
_OF_CHECKS: Final = (
    Option("", "check_like", Way.COMES),
    Option("", "check_less_precise", Way.COMES),
    Option("", "check_exact", Way.GOES),
    Option("", "check_*", Way.OFF),
    Option("", "equal_nan", Way.OFF),
    Option("", "strict", Way.GOES),
    Option("", "ignore_*", Way.COMES),
    Option("", "ordered", Way.OFF),
    Option("", "count", Way.GOES),
    Option("", "fetch_redirect_response", Way.OFF),
    Option("", "rtol", Way.MOST, value=0),
    Option("", "atol", Way.MOST, value=0),
)
_VERB: Final = re.compile(r"(respx(?:_mock)?\.)(get|post|put|patch|delete|head|options)")
_SIZE: Final = re.compile(r"([\d.]+)\s*([KMGT]?)I?B?", re.IGNORECASE)


def note(run: Run, term: Term, place: Place) -> None:
    """
    Note the options of a call that the table knows.
    """
    options = known(label := label_of(term))
    if not options or any(one.op in {"star", "unknown"} or one.value == "**" for one in term.args[1:]):
        return
    given = dict(_given(term, options))
    if (verb := _VERB.fullmatch(label)) is not None:  # a route for one method
        label, given["method"] = f"{verb[1]}route", terms.const(verb[2].upper())
    places = {one.place for one in options}
    rest = [one for index, one in enumerate(terms.positional(term)) if index not in places]
    call = Term("asked", label, tuple(rest) if term.op == "call" else ())
    settings = Term("options", "", tuple(Term("kw", key, (one,)) for key, one in sorted(given.items())))
    run.options.setdefault((call, settings), place)


@functools.lru_cache(maxsize=4096)  # a suite calls the same functions again and again
def known(label: str) -> tuple[Option, ...]:
    """
    Return the options of a call that the table knows, going by the name of what is called.
    """
    return tuple(one for one in OPTIONS if _pattern(one.calls).fullmatch(label)) if _any(label) else ()


@functools.cache
def _pattern(calls: str) -> re.Pattern[str]:
    return re.compile(calls)


def _any(label: str) -> bool:
    return _pattern("|".join(dict.fromkeys(one.calls for one in OPTIONS))).fullmatch(label) is not None


def label_of(term: Term) -> str:
    """
    Return what a call calls as a dotted name, a fixture by its name and an object by its class.
    """
    func = term.args[0] if term.op == "call" else term
    if func.op != "attr":
        return func.value
    owner = func.args[0]
    owner = owner.args[0] if owner.op == "entered" else owner
    made = f"{terms.called(owner)}()" if owner.op == "call" else owner.value if owner.op == "fixture" else "?"
    return f"{made}.{func.value}"


def _given(term: Term, options: tuple[Option, ...]) -> Iterator[tuple[str, Term]]:
    if term.op != "call":
        return
    places, owner = terms.positional(term), term.args[0].args[0] if terms.method(term) else term
    made = owner.args[1:] if owner.op == "call" and owner is not term else ()  # its object may say it for all
    for one in options:
        if one.place is not None and one.place < len(places):
            yield one.key, places[one.place]
        for arg in (*made, *term.args[1:]):
            if arg.op == "kw" and fnmatchcase(arg.value, one.key):
                yield (one.key if one.place is not None else arg.value), arg.args[0]


def loosened(old: Facts, new: Facts) -> Iterator[tuple[str, str, Place]]:
    """
    Yield the calls of both sides, each with the option that lets more pass than on any call of base.
    """
    for call in sorted({call for call, _ in (*old.options, *new.options)}):
        options = known(call.value)
        nothing = {Term("options"): new.place} if any(one.alone for one in options) else {}
        before, after = (
            {settings: place for (one, settings), place in facts.options.items() if one == call} or nothing
            for facts in (old, new)
        )
        gone = [one for one in before if one not in after]
        for settings, place in after.items():
            if settings in before:
                continue
            found = (_looser(options, one, settings) for one in gone)
            option = next((one for one in found if one is not None), None)
            if option is not None and not any(_makes_up(option, check) for check in new.checks):
                yield call.value, option.key, place


def _looser(options: tuple[Option, ...], old: Term, new: Term) -> Option | None:
    """
    Return the option that lets more pass, where no other one lets less pass or says something else.
    """
    turns = list(_turns(options, old, new))
    if any(one in (Turn.STRICTER, Turn.OTHER) for _, one in turns):
        return None
    return next((option for option, one in turns if one is Turn.LOOSER), None)


def _turns(options: tuple[Option, ...], old: Term, new: Term) -> Iterator[tuple[Option, Turn]]:
    mine, theirs = ({arg.value: arg.args[0] for arg in one.args} for one in (old, new))
    for key in sorted({*mine, *theirs}):
        option = next((one for one in options if fnmatchcase(key, one.key)), None)
        if option is not None:
            yield option, turn(option, mine.get(key), theirs.get(key))


def _makes_up(option: Option, check: Check) -> bool:
    """
    Return whether a check sees what the option hid: how a command ended.
    """
    return check.expected != terms.const(1) and any(
        one.op == "attr" and one.value in option.asked for one in terms.walk(check.subject)
    )


def of_checks(old: Term, new: Term) -> Turn:
    """
    Say whether the options of one comparison let more pass; of two turns at once the worse one counts.
    """
    mine, theirs = ({arg.value: arg.args[0] for arg in one.args if arg.op == "kw"} for one in (old, new))
    unknown = {key for key in {*mine, *theirs} if not any(fnmatchcase(key, one.key) for one in _OF_CHECKS)}
    if {old.op, new.op} - {"options", ABSENT.op} or any(mine.get(key) != theirs.get(key) for key in unknown):
        return Turn.LOOSER
    turns = {one for _, one in _turns(_OF_CHECKS, old, new)}
    return next((one for one in (Turn.LOOSER, Turn.OTHER, Turn.STRICTER) if one in turns), Turn.SAME)


def turn(option: Option, old: Term | None, new: Term | None) -> Turn:
    """
    Say what became of one option between two calls.
    """
    if old == new:
        return Turn.SAME
    match option.way:
        case Way.COMES | Way.GOES:
            return _named(old, new, is_wider=option.way is Way.COMES)
        case Way.OFF | Way.LEAVES:
            strict = option.value if option.way is Way.LEAVES else False
            before, after = (one == terms.const(strict) for one in (old, new))
            if option.way is Way.OFF:
                before, after = not before, not after
            if new is not None and not terms.is_literal(new):
                return Turn.OTHER
            return Turn.SAME if before == after else Turn.LOOSER if before else Turn.STRICTER
        case _:
            return _numbers(option, old, new)


def _named(old: Term | None, new: Term | None, *, is_wider: bool) -> Turn:
    """
    Compare what is given: nothing, something, or several things.
    """
    before, after = (one is not None and not _is_nothing(one) for one in (old, new))
    if before != after:
        return Turn.LOOSER if after == is_wider else Turn.STRICTER
    if not before or old is None or new is None:
        return Turn.SAME
    mine, theirs = set(old.args), set(new.args)
    if old.op not in {"list", "tuple", "set"} or new.op != old.op or not (mine < theirs or theirs < mine):
        return Turn.OTHER
    return Turn.LOOSER if (mine < theirs) == is_wider else Turn.STRICTER


def _is_nothing(term: Term) -> bool:
    return term in (terms.FALSE, terms.NONE) or (term.op in {"list", "tuple", "set"} and not term.args)


def _numbers(option: Option, old: Term | None, new: Term | None) -> Turn:
    default = _INF if option.way is Way.LIMIT else option.value
    before, after = _number(old, default), _number(new, default)
    if before is None or after is None:
        return Turn.OTHER
    if option.way is Way.LIMIT:
        is_looser = after >= 10 * before if before < _INF else False
        return Turn.LOOSER if is_looser else Turn.SAME
    if before == after:
        return Turn.SAME
    return Turn.LOOSER if (after > before) == (option.way is Way.MOST) else Turn.STRICTER


def _number(term: Term | None, default: float) -> float | None:
    """
    Return a number, or a size such as `10 MB`; None where it cannot be known.
    """
    if term is None or term == terms.NONE:
        return default
    value = terms.literal(term) if terms.is_literal(term) else None
    if isinstance(value, int | float):
        return float(value)
    found = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    try:
        return float(found[1]) * 1024.0 ** " KMGT".index(found[2].upper() or " ") if found else None
    except ValueError:
        return None
