"""
Processes that a test starts: their status can be asked for, or checked by who starts them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import Check, Kind
from oraclekeep.oracles.terms import Term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.oracles.checks import Facts, Place

_RUN: Final = "subprocess.run"
_CHECKING: Final = frozenset({"subprocess.check_output", "subprocess.check_call"})
_STARTING: Final = _CHECKING | {_RUN, "subprocess.call"}


def is_checked(old: Check, facts: list[Facts]) -> bool:
    """
    Return whether head starts the process that base asked for status 0 in a way that fails on any other.
    """
    subject = old.subject
    if old.kind is not Kind.EQUAL or old.expected != terms.const(0) or subject.value != "returncode":
        return False
    started = subject.args[0] if subject.op == "attr" else None
    if started is None or terms.called(started) != _RUN:
        return False
    seen = (part for one in facts for check in one.checks for part in terms.walk(check.subject))
    done = (part for one in facts for effect, _ in one.effects for part in terms.walk(effect))
    return any(_is_same(started, call) for calls in (seen, done) for call in calls if call.op == "call")


def _is_same(old: Term, new: Term) -> bool:
    return _is_checking(new) and terms.positional(old)[:1] == terms.positional(new)[:1]


#: Arguments that say how the output is caught and whether the status is looked at.
_CATCHING: Final = frozenset({"capture_output", "stdout", "text", "universal_newlines", "encoding", "check"})


def same_output(old: Term, new: Term, facts: Facts) -> bool:
    """
    Return whether two values are the output of one program, and as much is asked of its status as before.
    """
    before, after = _output(old), _output(new)
    if before is None or after is None or before != after:
        return False
    if not any(_is_checking(one) for one in terms.walk(old)) or any(map(_is_checking, terms.walk(new))):
        return True
    runs = [one for one in terms.walk(new) if terms.called(one) == _RUN]
    statuses = {terms.attr(one, "returncode") for one in runs}
    return any(
        check.kind is Kind.EQUAL and check.expected == terms.const(0) and check.subject in statuses
        for check in facts.checks
    )


def _is_checking(term: Term) -> bool:
    return terms.called(term) in _CHECKING or (
        terms.called(term) == _RUN and terms.keyword(term, "check") == terms.TRUE
    )


def unchecked(old: Facts, new: Facts) -> Iterator[tuple[Term, Place]]:
    """
    Yield the programs that head still starts and of which it no longer says that they must end well.
    """
    before, after = _started(old), _started(new)
    asked = {part for check in new.checks for part in terms.walk(check.subject) if part.value == "returncode"}
    for program, starts in after.items():
        if asked or not any(is_checking for is_checking, _ in before.get(program, ())):
            continue  # which of several programs a status belongs to is not told
        if not any(is_checking for is_checking, _ in starts):
            yield program, starts[0][1]


def _started(facts: Facts) -> dict[Term, list[tuple[bool, Place]]]:
    """
    Return the programs that statements start, whatever is done with their output.
    """
    found: dict[Term, list[tuple[bool, Place]]] = {}
    for effect, place in facts.effects:
        if terms.called(effect) in _STARTING and (words := terms.positional(effect)[:1]):
            found.setdefault(words[0], []).append((_is_checking(effect), place))
    return found


def _output(term: Term) -> Term | None:
    """
    Return a term with each program's output spelt as `run(…).stdout`; None where no program runs in it.
    """
    name = terms.called(term)
    if name in {_RUN, "subprocess.check_output"}:
        kept = tuple(one for one in term.args[1:] if not (one.op == "kw" and one.value in _CATCHING))
        bare = Term("call", "", (terms.name(_RUN), *kept))
        return bare if name == _RUN else terms.attr(bare, "stdout")
    parts = [_output(one) for one in term.args]
    if not any(parts):
        return None
    both = zip(parts, term.args, strict=True)
    return Term(term.op, term.value, tuple(part or one for part, one in both))
