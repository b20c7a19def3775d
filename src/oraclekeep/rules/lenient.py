"""
Options by which a test lets more pass than it did.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oraclekeep.model import Finding
from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import Kind, plain
from oraclekeep.oracles.leniency import loosened
from oraclekeep.oracles.showing import show

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.oracles.checks import Check, Facts
    from oraclekeep.oracles.terms import Term
    from oraclekeep.rules.study import Study

#: Settings of pytest that make every xfail strict, and how they are switched on.
_STRICT: Final = ("xfail_strict", "strict_xfail", "strict")
_ON: Final = frozenset({"true", "1", "yes", "on"})


def lenient(study: Study, nodeid: str, old: Facts, new: Facts) -> Iterator[Finding]:
    """
    Yield a finding for each call whose options let more pass than those of any such call of base.
    """
    yield from _starred(nodeid, old, new)
    settings = study.new.sources.layout.pytest_of(nodeid.partition("::")[0]).options
    for call, key, place in loosened(old, new):
        if key == "strict" and any(str(settings.get(name, "")).lower() in _ON for name in _STRICT):
            continue  # the settings say it for every test
        message = f"`{key}` of `{call}` lets more pass than it did"
        yield Finding(
            place.path,
            place.line,
            "oracle-weakened",
            nodeid,
            message,
            "Restore the option.",
            old.place.text,
            place.text,
        )


def _starred(nodeid: str, old: Facts, new: Facts) -> Iterator[Finding]:
    """
    Taking apart into names fails on a value of another length, until one of them is starred.
    """
    fresh = {whole for whole, count in new.unpacked - old.unpacked if count < 0}
    lost = {whole for whole, count in old.unpacked - new.unpacked if count > 0}
    told = {whole for one in new.checks if not one.dead for whole in _told(one)}
    for whole in sorted(fresh & lost - told):
        place, message = new.place, f"`{show(whole)}` may hold any number of items more now"
        advice = "Take it apart into as many names as it has items, or compare its length."
        yield Finding(
            place.path, place.line, "oracle-weakened", nodeid, message, advice, old.place.text, place.text
        )


def _told(check: Check) -> Iterator[Term]:
    """
    Yield the values whose length a check tells: its subject, and what the rest of it was taken from.
    """
    if check.kind not in (Kind.EQUAL, Kind.SAME_ITEMS, Kind.FALSY):
        return
    counts = terms.called(check.subject) == "len" and len(check.subject.args) == 2
    subject = plain(check.subject.args[1] if counts else check.subject)
    yield subject
    if subject.op == "index" and (
        counts or check.kind is Kind.FALSY or check.expected.op in {"list", "tuple"}
    ):
        yield subject.args[0]
