"""
How a lane installs what a project's tests need, chosen among the places where that may stand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oraclekeep.adopting.places import TESTING, UNKNOWN, places, rank
from oraclekeep.adopting.requirements import Words, name_of, normal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from oraclekeep.adopting.places import Papers, Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """
    How a lane installs what the tests need.  ``where`` is for people; ``all`` is all that is asked for.
    """

    how: Words = field(default_factory=Words)
    where: tuple[str, ...] = ()
    all: tuple[str, ...] = ()


def recipe_of(papers: Papers) -> Recipe:
    """
    Choose where the tests' dependencies come from; pytest is added where nothing asks for it.
    """
    every = sorted(places(papers), key=lambda place: place.rank)
    known = [place for place in every if place.has_pytest or rank(place.name) < UNKNOWN]
    chosen = known[:1]
    # The suite's own extra or group may stand beside the one that brings pytest.
    chosen += [
        place
        for place in known[1:]
        if place.kind in ("group", "extra") and normal(place.name) in TESTING and chosen
    ]
    needed = [
        place
        for place in every
        if place.kind == "requirements"
        and place.where == "requirements.txt"
        and not papers.is_installable
        and place not in chosen
    ]
    return _joined([*needed, *chosen])


def _joined(chosen: Sequence[Place]) -> Recipe:
    every = tuple(dict.fromkeys(word for place in chosen for word in place.all))
    missing = () if any(name_of(word) == "pytest" for word in every) else ("pytest",)
    return Recipe(
        how=Words(
            tuple(word for place in chosen for word in place.how.words) + missing,
            tuple(dict.fromkeys(extra for place in chosen for extra in place.how.extras)),
            tuple(dict.fromkeys(group for place in chosen for group in place.how.groups)),
        ),
        where=tuple(place.where for place in chosen),
        all=every + missing,
    )


def joined(root: Recipe, inner: Mapping[str, Recipe]) -> Recipe:
    """
    Return one recipe for several projects of one repository; groups below the root are written out.
    """
    units = dict.fromkeys(_units(root.how.words) if root.where else ())
    has_pytest = bool(root.where) and any(name_of(word) == "pytest" for word in root.all)
    for folder, recipe in inner.items():
        if has_pytest and not recipe.where:  # it would ask for pytest alone
            continue
        for unit in _units(recipe.how.words):
            units[unit if len(unit) == 1 else (unit[0], f"{folder}/{unit[1]}")] = None
        units |= {(word,): None for word in (recipe.all if recipe.how.groups else ())}
    where = [f"{folder}: {place}" for folder, recipe in inner.items() for place in recipe.where]
    return Recipe(
        how=Words(tuple(word for unit in units for word in unit), (), root.how.groups),
        where=(*root.where, *where),
        all=tuple(dict.fromkeys(word for recipe in (root, *inner.values()) for word in recipe.all)),
    )


def _units(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """
    Yield requirements one by one, options with their value.
    """
    rest = iter(words)
    for word in rest:
        yield (word, next(rest, "")) if word in ("-r", "-c") else (word,)
