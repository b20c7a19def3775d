"""
The checks of both sides that have not found each other yet, by test.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oraclekeep.oracles.checks import Check, Facts

Pool = dict[str, list["Check"]]
#: A check that more tests hold does not tell where a test went.
_COMMON: Final = 1000


@dataclass
class Pools:
    """
    Equal checks are taken out of both sides; ``became`` counts them by the base test and the head test.
    """

    left: Pool
    right: Pool
    became: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def __post_init__(self) -> None:
        forms: dict[object, int] = {}  # a form is large, and is hashed each time that it is asked for
        self._number = {
            id(one): forms.setdefault(one.form, len(forms))
            for pool in (self.left, self.right)
            for checks in pool.values()
            for one in checks
        }

    @classmethod
    def of(cls, old: Mapping[str, Facts], new: Mapping[str, Facts]) -> Pools:
        left, right = (
            {nodeid: list(facts.checks) for nodeid, facts in sorted(side.items())} for side in (old, new)
        )
        return cls(left, right)

    def number(self, check: Check) -> int:
        """
        Return the number of a check of either side; checks that say the same have the same one.
        """
        return self._number[id(check)]

    def take_equal(self, mine: str, theirs: str) -> None:
        """
        Take what two tests have in common.
        """
        index: dict[int, list[Check]] = defaultdict(list)
        for one in reversed(self.right[theirs]):
            index[self.number(one)].append(one)
        kept, gone = [], set()
        for one in self.left[mine]:
            if same := index.get(self.number(one)):
                gone.add(id(same.pop()))
            else:
                kept.append(one)
        if gone:
            self.became[mine][theirs] += len(gone)
            self.left[mine] = kept
            self.right[theirs] = [one for one in self.right[theirs] if id(one) not in gone]

    def take_anywhere(self) -> None:
        """
        Look for what is left in every other test: first where most of it went, or the test by its name.
        """
        places: dict[int, list[str]] = defaultdict(list)
        for nodeid in sorted(self.right, reverse=True):
            for number in self._numbers(self.right[nodeid]):
                places[number].append(nodeid)
        for mine in sorted(self.left):
            found = [places[number] for number in self._numbers(self.left[mine]) if number in places]
            homes = {place for held in found if len(held) <= _COMMON for place in held}
            for theirs in sorted(homes, key=lambda place: self._distance(mine, place)):
                if theirs != mine and self.left[mine]:
                    self.take_equal(mine, theirs)
            for one in self.left[mine] if found else ():
                self._take_somewhere(mine, one, places.get(self.number(one), []))

    def _take_somewhere(self, mine: str, wanted: Check, places: list[str]) -> None:
        """
        Take one check where there is another, and forget the places that have none any more.
        """
        for index in range(len(places) - 1, -1, -1):
            theirs = places[index]
            number = self.number(wanted)
            same = next((one for one in self.right[theirs] if self.number(one) == number), None)
            if same is None:
                places.pop(index)
            elif theirs != mine:
                self.left[mine] = [one for one in self.left[mine] if one is not wanted]
                self.right[theirs] = [one for one in self.right[theirs] if one is not same]
                return

    def _numbers(self, checks: list[Check]) -> set[int]:
        return {self.number(one) for one in checks}

    def _distance(self, mine: str, theirs: str) -> tuple[int, float, str]:
        held = self._numbers(self.right[theirs])
        overlap = sum(self.number(one) in held for one in self.left[mine])
        return -overlap, -name_alike(mine, theirs), theirs


def name_alike(mine: str, theirs: str) -> float:
    """
    Return how alike the names of two tests are, 0 to 1, and a little more where they stand in one file.
    """
    one, other = (set(nodeid.rpartition("::")[2].split("_")) for nodeid in (mine, theirs))
    return len(one & other) / max(1, len(one | other)) + (
        0.2 if mine.split("::", maxsplit=1)[0] == theirs.split("::", maxsplit=1)[0] else 0.0
    )
