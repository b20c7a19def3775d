"""
Which tests a patch touches: in their own text, or through what they stand on.
"""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from oraclekeep.model import PowerShift
from oraclekeep.oracles.collect import Test, tests_in
from oraclekeep.oracles.extract import facts_of
from oraclekeep.oracles.namesakes import namesakes
from oraclekeep.oracles.touched import Ground

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from oraclekeep.model import Beside, Delta
    from oraclekeep.oracles.checks import Facts
    from oraclekeep.oracles.source import Sources
    from oraclekeep.paths import Layout

#: Fewer tests than these are read sooner than a second process has told what it read.
_MANY: Final = 40


@dataclass
class Side:
    """
    One side's touched tests, and every collected test of the affected files.
    """

    sources: Sources
    collected: dict[str, Test] = field(default_factory=dict)
    facts: dict[str, Facts] = field(default_factory=dict)
    asked: dict[str, set[str]] = field(default_factory=dict)  # nodeid -> names that could have been respelled

    def read(self, nodeid: str, *, write_out: bool = True) -> None:
        self.sources.asked = set()
        self.facts[nodeid] = facts_of(self.sources, self.collected[nodeid], write_out=write_out)
        self.asked[nodeid] = self.sources.asked

    def read_all(self, nodeids: Sequence[str]) -> tuple[dict[str, Facts], dict[str, set[str]], list[str]]:
        """
        Read tests; return their facts, what they asked for, and the files that turned out not to parse.
        """
        for nodeid in nodeids:
            self.read(nodeid)
        return (
            {nodeid: self.facts[nodeid] for nodeid in nodeids},
            {nodeid: self.asked[nodeid] for nodeid in nodeids},
            list(self.sources.unparsable),
        )

    def live(self) -> Iterator[tuple[str, str]]:
        """
        Yield the nodeid and the kind of every check that can fail.
        """
        for nodeid, one in self.facts.items():
            yield from ((nodeid, str(check.kind)) for check in one.checks if not check.dead)


def power_between(old: Side, new: Side) -> PowerShift:
    """
    Count the oracles of both sides' touched tests.
    """
    before, after = list(old.live()), list(new.live())
    return PowerShift(
        len(before),
        len(after),
        _difference((kind for _, kind in before), (kind for _, kind in after)),
        _difference((nodeid for nodeid, _ in before), (nodeid for nodeid, _ in after)),
    )


def _difference(before: Iterable[str], after: Iterable[str]) -> dict[str, int]:
    left = Counter(after)
    left.subtract(before)
    return {name: count for name, count in sorted(left.items()) if count}


def suite_paths(layouts: tuple[Layout, Layout], deltas: Iterable[Delta]) -> list[str]:
    """
    Return the changed files that belong to the suite on either side.
    """
    return [
        delta.path
        for delta in deltas
        if not delta.same_bytes
        and any(layout.is_suite(delta.path) or layout.is_stray_test(delta.path) for layout in layouts)
    ]


def read_respelled(old: Side, new: Side, renames: dict[str, str]) -> None:
    """
    Read the tests anew that mention a name which the patch only renamed; both sides in the new spelling.
    """
    for side in (old, new):
        side.sources.respell(renames)
        for nodeid, asked in list(side.asked.items()):
            if not asked.isdisjoint(renames):
                side.read(nodeid, write_out=side.facts[nodeid].written_out)


def read_touched(
    old: Side, new: Side, changed: list[str], product: list[str], beside: Beside = nullcontext
) -> None:
    """
    Read the tests of both sides that the changed files, of the suite and of the product, may have changed.
    """
    ground = Ground(old.sources, new.sources, changed, product)
    for side in (old, new):
        for path in ground.files:
            module = side.sources.module(path) if side.sources.collects(path) else None
            if module is not None:
                side.collected |= tests_in(side.sources, module)
    _tell_apart(old, new, ground.files)
    both = old.collected.keys() & new.collected.keys()
    same = {nodeid for nodeid in both if not ground.touches(old.collected[nodeid], new.collected[nodeid])}
    _read((old, new), [[one for one in side.collected if one not in same] for side in (old, new)], beside)
    for nodeid in old.facts.keys() & new.facts.keys():
        for side, other in ((old, new), (new, old)):  # both must be read in the same way to be compared
            if side.facts[nodeid].written_out and not other.facts[nodeid].written_out:
                side.read(nodeid, write_out=False)


def _read(sides: tuple[Side, Side], wanted: Sequence[Sequence[str]], beside: Beside) -> None:
    """
    Read the wanted tests of both sides, those of some files beside those of the others.
    """
    apart = _second_half(wanted)
    theirs = [[one for one in nodeids if _home(one) in apart] for nodeids in wanted]

    def elsewhere() -> list[tuple[dict[str, Facts], dict[str, set[str]], list[str]]]:
        return [side.read_all(nodeids) for side, nodeids in zip(sides, theirs, strict=True)]

    with beside(elsewhere) if apart else nullcontext(elsewhere) as answer:
        for side, nodeids in zip(sides, wanted, strict=True):
            side.read_all([one for one in nodeids if _home(one) not in apart])
        for side, nodeids, (facts, asked, unparsable) in zip(sides, wanted, answer(), strict=True):
            side.facts = {nodeid: (facts if nodeid in facts else side.facts)[nodeid] for nodeid in nodeids}
            side.asked |= asked
            for path in unparsable:
                side.sources.module(path)


def _second_half(wanted: Sequence[Sequence[str]]) -> set[str]:
    """
    Return files that hold about half of the wanted tests; none where there are too few for two processes.

    What the tests of one file share is read once, so no file is shared out.
    """
    sizes = Counter(_home(nodeid) for nodeids in wanted for nodeid in nodeids)
    if sum(sizes.values()) < _MANY:
        return set()
    halves: list[tuple[int, set[str]]] = [(0, set()), (0, set())]
    for path, size in sizes.most_common():
        halves.sort(key=lambda half: half[0])
        halves[0] = (halves[0][0] + size, halves[0][1] | {path})
    return halves[0][1]


def _home(nodeid: str) -> str:
    return nodeid.partition("::")[0]


def _tell_apart(old: Side, new: Side, paths: Iterable[str]) -> None:
    """
    Both sides tell the same namesakes apart, so that they can be compared.
    """
    for path in paths:
        either = frozenset().union(
            *(namesakes(side.sources, side.sources.module(path)) for side in (old, new))
        )
        if either:
            old.sources.namesakes[path] = new.sources.namesakes[path] = either
