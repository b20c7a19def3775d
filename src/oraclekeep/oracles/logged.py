"""
Records of a logger, as unittest's `assertLogs` and pytest's `caplog` tell them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import ABSENT, Kind
from oraclekeep.oracles.strength import Fate, Relation
from oraclekeep.oracles.terms import Term

if TYPE_CHECKING:
    from oraclekeep.oracles.checks import Check

#: All that was logged, whoever listens.
_LOGGED: Final = Term("logged")
_TUPLES: Final = Term("attr", "record_tuples", (Term("fixture", "caplog"),))


_RECORDS: Final = Term("attr", "records", (Term("fixture", "caplog"),))
MESSAGES: Final = Term("attr", "messages", (Term("fixture", "caplog"),))
_TEXT: Final = Term("attr", "text", (Term("fixture", "caplog"),))


def of_record(record: Term, name: str) -> Term | None:
    """
    Return the message of one of the records that `caplog` caught, as one of its messages.
    """
    if name == "message" and record.op in {"index", "each"} and record.args[0] == _RECORDS:
        return Term(record.op, record.value, (MESSAGES, *record.args[1:]))
    return None


def is_in_text(old: Check, new: Check) -> bool:
    """
    Return whether a message was looked for in all that `caplog` caught, and is one of its messages now.
    """
    kinds = old.kind is Kind.MEMBER and new.kind in (Kind.MEMBER, Kind.EQUAL)
    if not kinds or new.dead or (old.subject, new.subject) != (_TEXT, MESSAGES) or old.expected.op != "const":
        return False
    said = terms.literal(old.expected)
    shown = new.expected.args if new.kind is Kind.EQUAL and new.expected.op == "list" else (new.expected,)
    texts = (terms.literal(one) for one in shown if one.op == "const")
    return isinstance(said, str) and any(isinstance(one, str) and said in one for one in texts)


def logged(check: Check) -> Check | None:
    """
    Return a check of all records as one of tuples (logger, level, message); None where it is none.
    """
    if check.kind is not Kind.EQUAL or check.expected.op != "list" or not check.expected.args:
        return None
    if check.subject == _TUPLES:
        return replace(check, subject=_LOGGED)
    subject = check.subject
    if subject.op != "attr" or subject.value != "output" or subject.args[0].op != "excinfo":
        return None
    rows = [_row(one) for one in check.expected.args]
    found = tuple(row for row in rows if row is not None)
    return (
        replace(check, subject=_LOGGED, expected=Term("list", "", found)) if len(found) == len(rows) else None
    )


def _row(line: Term) -> Term | None:
    """
    Read `WARNING:app.feed:empty row`.
    """
    text = terms.literal(line) if line.op == "const" else None
    parts = text.split(":", 2) if isinstance(text, str) else []
    level = levels().get(parts[0]) if len(parts) == 3 else None
    return terms.of((parts[1], level, parts[2])) if level is not None else None


def levels() -> dict[str, int]:
    """
    Return the numbers of the levels by their names.
    """
    import logging  # noqa: PLC0415  # start-up counts

    return logging.getLevelNamesMapping()


def heard(check: Check, term: Term) -> Check:
    """
    Return the check of `assertLogs` or `assertNoLogs` with the logger and the level that it listens to.
    """
    level = terms.argument(term, 1, "level")
    given = terms.literal(level) if level is not None and terms.is_literal(level) else "INFO"
    number = levels().get(given) if isinstance(given, str) else given
    return replace(
        check,
        expected=terms.argument(term, 0, "logger") or ABSENT,
        detail="none" if terms.method(term) == "assertNoLogs" else "some",
        extra=terms.const(number),
    )


def hears(old: Check, new: Check) -> Relation:
    """
    Compare what two checks of the same block listen to.
    """
    if old.detail != new.detail:
        return Relation(Fate.REWRITTEN, "records are expected instead of none, or the other way round", 60)
    before, after = terms.literal(old.extra), terms.literal(new.extra)
    known = isinstance(before, int) and isinstance(after, int)
    if known and (after > before if old.detail == "none" else after < before):
        return Relation(Fate.WEAKER, "the level that it listens to lets more pass", 70)
    if old.expected == new.expected:
        fate = Fate.SAME if before == after else Fate.STRONGER if known else Fate.REWRITTEN
        return Relation(fate, "the level that it listens to changed", 80)
    if old.detail == "some" and new.expected in (ABSENT, terms.NONE):
        return Relation(Fate.WEAKER, "a record of any logger passes now", 70)
    return Relation(Fate.REWRITTEN, "another logger is listened to", 65)
