"""
Tests that still stand, with a mark or under a name by which the configuration leaves them out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oraclekeep.machinery.options import selects
from oraclekeep.machinery.settings import settings_of
from oraclekeep.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.oracles.checks import Facts
    from oraclekeep.rules.study import Study


def deselected(study: Study) -> Iterator[Finding]:
    """
    Yield a finding for each test that head's `-m` or `-k` would have run as base had it, and runs no more.

    A change of the expression itself is another row's matter.
    """
    options = settings_of(study.patch.head).options
    marks, keywords = options.last("-m"), options.last("-k")
    if not (marks or keywords):
        return
    for nodeid, old in sorted(study.old.facts.items()):
        for place in (study.matching.became.get(nodeid, ()) or (nodeid,))[:1]:
            new = study.new.facts.get(place)
            if new is None:
                continue
            gone = (bool(marks) and _by_mark(marks, old) and not _by_mark(marks, new)) or (
                bool(keywords) and _by_name(keywords, nodeid, old) and not _by_name(keywords, place, new)
            )
            if gone:
                yield Finding(
                    new.place.path,
                    new.place.line,
                    "skip-outside-quarantine",
                    place,
                    f"the configuration's `{marks or keywords}` now leaves the test, or a case of it, out",
                    "Take the mark or the name back, or ask an owner for an allowance.",
                    old.place.text,
                    new.place.text,
                )


def _by_mark(expression: str, facts: Facts) -> bool:
    """
    Return whether the test and all its marked cases are selected.
    """
    kinds = (facts.marks, *(facts.marks | {one} for one in facts.case_marks))
    return all(selects(expression, kind.__contains__) for kind in kinds)


def _by_name(expression: str, nodeid: str, facts: Facts) -> bool:
    words = [part.lower() for part in (*nodeid.replace("/", "::").split("::"), *facts.marks)]
    return selects(expression, lambda word: any(word.lower() in one for one in words))
