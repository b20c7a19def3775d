"""
The ideas: each looks at one function and its neighbours, and yields what may hold.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.conjectures import words
from oraclekeep.conjectures.kinds import has_shape, spelled
from oraclekeep.conjectures.reach import raised, reached
from oraclekeep.conjectures.samples import Samples
from oraclekeep.conjectures.scene import Idea, Scene, obstacle
from oraclekeep.model import CheckCall

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from oraclekeep.conjectures.functions import Function

#: Kinds for which "the same type in and out" is worth a try.
_TRIED: Final = ("str", "int", "float", "list", "dict")
_RANGES: Final = ((0, 10, 5), (0, 10, -1), (0, 10, 11), (0, 10, 0), (0, 10, 10), (-5, -1, 0), (3, 3, 7))
_FEW_PAIRS: Final = 12
_MOST_ANSWERS: Final = 20


def _safe(scene: Scene) -> Iterator[Idea]:
    """
    It raises nothing, or only what it says.
    """
    function = scene.function
    samples = scene.samples(function) if function.takes_one else None
    if samples is None:
        return
    if known := raised(scene.sources, reached(scene.sources, function)):
        names = " or ".join(name.rpartition(".")[2] for name in known)
        call = CheckCall("raises_only", {"exceptions": list(known)})
        yield Idea(
            function=function,
            claim="raises_only",
            checks=(call,),
            why=f"{function.short} answers, or raises {names}; its code raises nothing else by name.",
            samples=scene.samples(function, wide=True) or samples,
        )
    else:
        yield Idea(
            function=function,
            claim="never_raises",
            checks=(CheckCall("never_raises"),),
            why=f"{function.short} answers all that its signature takes.",
            samples=samples,
        )
    yield Idea(
        function=function,
        claim="is_deterministic",
        checks=(CheckCall("deterministic"),),
        why=f"{function.short} says the same each time.",
        samples=samples,
        takes=function,
    )


def _idempotent(scene: Scene) -> Iterator[Idea]:
    function = scene.function
    samples = scene.samples(function) if function.takes_one else None
    if samples is None or scene.keeps_kind is False or words.is_of_pair(function.short):
        return
    named = not words.IDEMPOTENT.isdisjoint(words.words_of(function.short))
    kind = scene.result(function)
    if named or (scene.keeps_kind and kind.partition("[")[0] in _TRIED and has_shape(kind)):
        yield Idea(
            function=function,
            claim="is_idempotent",
            checks=(CheckCall("idempotent"),),
            why=f"{function.short} of what {function.short} made changes nothing more.",
            samples=samples,
            named=named,
            takes=function,
        )


def _shape(scene: Scene) -> Iterator[Idea]:
    """
    What a name says of a list's order, length and members.
    """
    function = scene.function
    samples = scene.samples(function) if function.takes_one else None
    is_list = scene.keeps_kind and scene.kind(function).startswith("list")
    if samples is None or not is_list:
        return
    told = set(words.words_of(function.short))
    plain = scene.kind(function) in ("list[str]", "list[int]", "list[float]")
    table = (
        (words.SORTED, "sorted_output", "is_sorted", "gives its items in order", plain),
        (words.SUBSET, "subset_of_input", "adds_nothing", "gives only items that it got", True),
        (words.SAME_LENGTH, "length_preserved", "keeps_length", "gives as many items as it got", True),
    )
    for known, check, claim, why, fitting in table:
        if fitting and told & known and not {"by", "key"} & told:
            yield Idea(
                function=function,
                claim=claim,
                checks=(CheckCall(check),),
                why=f"{function.short} {why}.",
                samples=samples,
                named=True,
                takes=function,
            )


def _round_trip(scene: Scene) -> Iterator[Idea]:
    """
    One function of the module undoes another, or one undoes itself with `reverse`.
    """
    function = scene.function
    if "reverse" in function.keywords and function.takes_one and scene.keeps_kind:
        samples = scene.samples(function)
        if samples and words.SORTED.isdisjoint(words.words_of(function.short)):
            yield Idea(
                function=function,
                claim="can_be_undone",
                checks=(CheckCall("roundtrip"),),
                why=f"{function.short} with reverse=False undoes it with reverse=True.",
                samples=samples,
                named=True,
                takes=function,
            )
    for other in scene.partners():
        for there, back in ((function, other), (other, function)):
            if words.words_of(back.short) in words.backs_of(there.short):
                yield from _undoes(scene, there, back)


def _undoes(scene: Scene, there: Function, back: Function) -> Iterator[Idea]:
    between = scene.result(there), scene.kind(back) if back.parameters else ""
    around = scene.kind(there) if there.parameters else "", scene.result(back)
    fitting = all(one == two or not one or not two for one, two in (between, around))
    samples = scene.samples(there) if fitting and there.takes_one and back.takes_one else None
    if samples is not None:
        yield Idea(
            function=back,
            claim=f"undoes_{there.short}",
            checks=(CheckCall("inverse_of", {"function": there.dotted}),),
            why=f"{back.short} gives back what {there.short} got.",
            samples=samples,
            named=True,
            takes=there,
        )


def _as_before(scene: Scene) -> Iterator[Idea]:
    """
    A function whose code changed answers as it did at base.
    """
    function, before = scene.function, scene.before
    if before is None or scene.old is None or not (function.takes_one and before.takes_one):
        return
    samples = scene.samples(function)
    values = samples.values or scene.shelf.files.get(samples.fixture, ()) if samples else ()
    same = [one.name for one in before.parameters] == [one.name for one in function.parameters]
    if samples and values and same and not obstacle(before, scene.old):
        yield Idea(
            function=function,
            claim="keeps_its_answers",
            checks=(CheckCall("matches_expected"),),
            why=f"{function.short} answers as it did before its code changed.",
            samples=Samples(samples.source, values[:_MOST_ANSWERS]),
            named=True,
            as_before=True,
        )


def _equivalent(scene: Scene) -> Iterator[Idea]:
    """
    Two functions that differ in a word like `fast` do the same.
    """
    function = scene.function
    for other in scene.partners():
        held, reference = (function, other) if _role(function) > _role(other) else (other, function)
        alike = words.core(held.short) == words.core(reference.short) and _signature(
            scene, held
        ) == _signature(scene, reference)
        samples = (
            scene.samples(held) if alike and held.takes_one and _role(held) != _role(reference) else None
        )
        if samples is not None:
            yield Idea(
                function=held,
                claim=f"equals_{reference.short.lstrip('_')}",
                checks=(CheckCall("equivalent_to", {"function": reference.dotted}),),
                why=f"{held.short} does what {reference.short} does.",
                samples=samples,
                named=True,
            )


def _role(function: Function) -> int:
    return words.role(function.short)


def _signature(scene: Scene, function: Function) -> tuple[object, ...]:
    kinds = tuple(spelled(one.annotation, scene.module.constants) for one in function.parameters)
    return kinds, function.required, scene.result(function)


def _two_arguments(scene: Scene) -> Iterator[Idea]:
    """
    An operation on two values of a kind.
    """
    function, aliases = scene.function, scene.module.constants
    if function.required != 2 or function.demanded:
        return
    kinds = {spelled(one.annotation, aliases) for one in function.parameters[:2]}
    told = words.words_of(function.short)
    samples = scene.samples(function)
    if len(kinds) != 1 or samples is None or not samples.values:
        return
    for known, check, count in (
        (words.COMMUTATIVE, "commutative", 2),
        (words.ASSOCIATIVE, "associative", 3),
    ):
        if told and told[-1] in known and (count == 2 or scene.keeps_kind):
            yield Idea(
                function=function,
                claim=f"is_{check}",
                checks=(CheckCall(check),),
                why=f"{function.short} is {check}.",
                samples=Samples(samples.source, _together(samples.values, count)),
                named=True,
            )


def _together(values: tuple[Any, ...], count: int) -> tuple[Any, ...]:
    """
    Return some argument lists, with neighbours and with the two ends.
    """
    ring = [*values, *values]
    near = [ring[at : at + count] for at in range(len(values))]
    far = [list(one) for one in itertools.product((values[0], values[-1]), repeat=count)]
    return tuple((*near, *far)[:_FEW_PAIRS])


def _in_range(scene: Scene) -> Iterator[Idea]:
    """
    Three numbers: two bounds, and what is brought between them.
    """
    function = scene.function
    names = [one.name for one in function.parameters[:3]]
    if function.required != 3 or function.demanded:
        return
    if all(name in known for name, known in zip(names, words.RANGE, strict=True)):
        rows = tuple(dict(zip(("lo", "hi", "x"), row, strict=True)) for row in _RANGES)
        yield Idea(
            function=function,
            claim="stays_in_range",
            checks=(CheckCall("output_in_range"),),
            why=f"{function.short} answers with something between its bounds.",
            samples=Samples("bounds and values around them", rows),
            named=True,
        )


IDEAS: Final[tuple[Callable[[Scene], Iterator[Idea]], ...]] = (
    _round_trip, _equivalent, _as_before, _idempotent, _shape, _two_arguments, _in_range, _safe,
)  # fmt: skip
