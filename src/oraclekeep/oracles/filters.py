"""
Filters of warnings that a test sets for itself, by `warnings` or by a mark.

The order of fields in a text, `action:message:category:module`, is that of Python's `-W`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from oraclekeep.oracles.terms import Term

#: The parameters of each function in order; only some restrict what a filter is about.
_CALLS: Final = {
    "warnings.simplefilter": ("action", "category"),
    "warnings.filterwarnings": ("action", "message", "category", "module"),
    "warnings.catch_warnings": (),
}
_MARK: Final = "pytest.mark.filterwarnings"
_RESTRICTIONS: Final = ("message", "category", "module")
#: Actions that have a warning seen each time, the louder the higher.
_LOUD: Final = {"always": 1, "all": 1, "error": 2}


@dataclass(frozen=True, slots=True)
class Filter:
    """
    What becomes of the warnings that all its restrictions fit; an empty one fits every warning.
    """

    action: str
    restrictions: tuple[str, ...]  # message, category, module

    @property
    def loudness(self) -> int:
        return _LOUD.get(self.action, 0)

    def covers(self, other: Filter) -> bool:
        """
        Return whether each warning that the other one makes heard is heard as loud by this one.
        """
        pairs = zip(self.restrictions, other.restrictions, strict=True)
        return self.loudness >= other.loudness and all(mine in ("", theirs) for mine, theirs in pairs)


def filters_of(effects: Iterable[Term]) -> list[Filter]:
    """
    Return the filters that a test sets, in its own order.
    """
    return [one for effect in effects for one in _read(effect)]


def _read(effect: Term) -> Iterator[Filter]:
    name = terms.called(effect)
    if name == _MARK:
        for text in effect.args[1:]:
            action, *rest = text.value.strip("'\"").split(":") if text.op == "const" else ("",)
            yield _filter(action, [*rest, "", "", ""][:3])
    elif name in _CALLS:
        places = _CALLS[name]
        found = {one: terms.argument(effect, places.index(one) if one in places else 99, one) for one in _ALL}
        if found["action"] is not None:
            said = ["" if one is None else one.value.strip("'\"") for one in found.values()]
            yield _filter(said[0], said[1:])


_ALL: Final = ("action", *_RESTRICTIONS)


def _filter(action: str, restrictions: Iterable[str]) -> Filter:
    return Filter(action, tuple("" if one == "Warning" else one for one in restrictions))
