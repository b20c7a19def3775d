"""
From a patch to what may hold for the functions that it changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oraclekeep.conjectures.functions import Function, LeftOut, changed_functions, functions_of
from oraclekeep.conjectures.ideas import IDEAS
from oraclekeep.conjectures.samples import Samples, Shelf, samples_for
from oraclekeep.conjectures.scene import Idea, Scene, obstacle
from oraclekeep.oracles.source import Sources
from oraclekeep.paths import Layout

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from oraclekeep.oracles.module import Module
    from oraclekeep.rules import Patch


def reason(patch: Patch) -> tuple[tuple[Idea, ...], tuple[LeftOut, ...]]:
    """
    Return what may hold for the public functions that a patch changed or added, and what was left out.
    """
    old = Sources(patch.base, patch.layout)
    new = Sources(patch.head, Layout.of(patch.head, patch.policy))
    shelf = Shelf.of(patch)
    changed, left = changed_functions(patch, old, new)
    found: list[Idea] = []
    missing = list(left)
    for function in changed:
        module = new.module(function.path)
        if module is None:
            continue
        scene = _scene(function, module, (old, new), shelf)
        ideas = list(_ideas(scene))
        found += ideas
        if not ideas:
            missing.append(LeftOut(function.dotted, _why_not(scene)))
    return _once(found), tuple(missing)


def _scene(function: Function, module: Module, sides: tuple[Sources, Sources], shelf: Shelf) -> Scene:
    old, new = sides
    dotted = new.layout.module_name(function.path)
    earlier = old.module(function.path)
    before = functions_of(function.path, dotted, earlier).get(function.name) if earlier else None
    neighbours = functions_of(function.path, dotted, module)
    return Scene(function, module, neighbours, new, shelf, before, old)


def samples_of_function(patch: Patch, module: str, name: str) -> Samples | None:
    """
    Return samples for the first parameter of a function of head, or None where nothing says what it takes.
    """
    sources = Sources(patch.head, Layout.of(patch.head, patch.policy))
    path = sources.production(module)
    found = sources.module(path) if path else None
    function = functions_of(path, module, found).get(name) if path and found else None
    if found is None or function is None or not function.takes_one:
        return None
    return samples_for(function, function.parameters[0], found, Shelf.of(patch))


def _ideas(scene: Scene) -> Iterator[Idea]:
    if not obstacle(scene.function, scene.sources):
        for idea in IDEAS:
            yield from idea(scene)


def _once(ideas: Iterable[Idea]) -> tuple[Idea, ...]:
    """
    Two functions that both changed have the same idea of each other.
    """
    return tuple({(one.function.dotted, repr(one.checks)): one for one in ideas}.values())


def _why_not(scene: Scene) -> str:
    function = scene.function
    if why := obstacle(function, scene.sources):
        return why
    if not function.takes_one:
        return f"it needs {function.required} arguments, and most checks pass one sample"
    first = function.parameters[0]
    kind = scene.kind(function)
    if not kind:
        return f"its parameter {first.name} has no annotation, and no frozen fixture speaks of {first.name}"
    return (
        f"no value of JSON is known for {first.name}: {kind}; a strategy in invariants/strategies.py "
        f"named {first.name} would do"
    )
