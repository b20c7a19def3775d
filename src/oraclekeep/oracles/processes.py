"""
Processes that a test starts: their status can be asked for, or checked by who starts them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import Check, Kind

if TYPE_CHECKING:
    from oraclekeep.oracles.checks import Facts
    from oraclekeep.oracles.terms import Term

_RUN: Final = "subprocess.run"
_CHECKING: Final = frozenset({"subprocess.check_output", "subprocess.check_call"})


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
    checked = terms.called(new) in _CHECKING or (
        terms.called(new) == _RUN and terms.keyword(new, "check") == terms.TRUE
    )
    return checked and terms.positional(old)[:1] == terms.positional(new)[:1]
