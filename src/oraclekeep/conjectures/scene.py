"""
What ideas look at, and what they come to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oraclekeep.conjectures.functions import Function, unsuitable
from oraclekeep.conjectures.kinds import spelled
from oraclekeep.conjectures.reach import reached, touches
from oraclekeep.conjectures.samples import Samples, Shelf, samples_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from oraclekeep.model import CheckCall
    from oraclekeep.oracles.module import Module
    from oraclekeep.oracles.source import Sources


@dataclass(frozen=True, slots=True, kw_only=True)
class Idea:
    """
    One law that a function may keep.
    """

    function: Function
    claim: str  # the end of the candidate's id
    checks: tuple[CheckCall, ...]
    why: str
    samples: Samples
    named: bool = False  # a name says so; else it is a try
    takes: Function | None = None  # whose samples they are: a law speaks only of those that it accepts
    as_before: bool = False  # the samples still lack the answers that base gives to them


@dataclass(frozen=True)
class Scene:
    """
    One function with all that ideas look at.
    """

    function: Function
    module: Module
    neighbours: Mapping[str, Function]
    sources: Sources
    shelf: Shelf
    before: Function | None = None  # what base has under this name
    old: Sources | None = None

    def kind(self, function: Function) -> str:
        return spelled(function.parameters[0].annotation, self.module.constants)

    def result(self, function: Function) -> str:
        return spelled(function.returns, self.module.constants)

    def samples(self, function: Function, *, wide: bool = False) -> Samples | None:
        return samples_for(function, function.parameters[0], self.module, self.shelf, wide=wide)

    @property
    def keeps_kind(self) -> bool | None:
        """
        Whether the result is of a kind that the parameter takes; None where the annotations do not say.
        """
        taken, given = self.kind(self.function), self.result(self.function)
        return given in (taken, *taken.split(" | ")) if taken and given else None

    def partners(self) -> Iterator[Function]:
        """
        Yield the other functions of the same class or module that a check could call.
        """
        for other in self.neighbours.values():
            if (other.name, other.owner) == (self.function.name, self.function.owner):
                continue
            if other.owner == self.function.owner and not obstacle(other, self.sources):
                yield other


def obstacle(function: Function, sources: Sources) -> str:
    """
    Say why no check should call the function, or nothing.
    """
    if why := unsuitable(function):
        return why
    outside = touches(reached(sources, function, wide=True))
    return f"it calls {outside}, which reaches beyond the process" if outside else ""
