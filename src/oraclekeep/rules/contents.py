"""
Checks whose expected value moved between a file and the test, or from one file to another.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles.checks import Kind
from oraclekeep.oracles.logged import logged
from oraclekeep.oracles.recorded import with_contents
from oraclekeep.oracles.strength import Fate

if TYPE_CHECKING:
    from oraclekeep.match import Matching
    from oraclekeep.model import Snapshot
    from oraclekeep.oracles.checks import Check, Facts

WHY: Final = "what the file held is compared"


def same_contents(
    matching: Matching, sides: tuple[Snapshot, Snapshot], old: dict[str, Facts], new: dict[str, Facts]
) -> Matching:
    """
    Return the matching where a check that asks for the same, wherever that is written down, still stands.
    """
    left = [
        index
        for index, change in enumerate(matching.changes)
        if change.old is not None and change.fate in (None, Fate.REWRITTEN, Fate.WEAKER)
    ]
    added = [index for index, change in enumerate(matching.changes) if change.old is None] if left else []
    come: dict[object, list[tuple[int, bool]]] = defaultdict(list)
    for index in [*left, *added]:
        change = matching.changes[index]
        if change.new is not None and change.new is not change.old and not change.new.dead:
            resolved = _resolved(sides[1], change.at, change.new, new)
            come[resolved.form].append((index, resolved is not change.new))
    found = dict(enumerate(matching.changes))
    for index in left:
        change = matching.changes[index]
        if change.old is None:
            continue
        wanted = _resolved(sides[0], change.test, change.old, old)
        for place, changed in come.get(wanted.form, ()):
            other = found.get(place)
            is_free = other is not None and (place == index or other.old is None)
            if other is not None and is_free and (changed or wanted is not change.old):
                found.pop(place)
                found[index] = replace(change, new=other.new, fate=Fate.SAME, why=WHY, at=other.at)
                break
    told = [one for one in found.values() if one.why == WHY and one.old is not None and logged(one.old)]
    heard = {one.test for one in told}
    for index in left:
        change = found[index]
        old_check = change.old
        is_some = old_check is not None and old_check.kind is Kind.LOGS and old_check.detail == "some"
        if change.fate is None and is_some and change.test in heard:
            found[index] = replace(change, new=old_check, fate=Fate.SAME)  # there is a record
    return replace(matching, changes=tuple(found[index] for index in sorted(found)))


def _resolved(tree: Snapshot, nodeid: str, check: Check, facts: dict[str, Facts]) -> Check:
    beside = facts[nodeid].checks if nodeid in facts else []
    return with_contents(tree, nodeid, check, beside) or logged(check) or check
