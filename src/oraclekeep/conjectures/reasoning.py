"""
From functions to candidates: each idea looks at one function and its neighbours, and yields what may hold.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.conjectures import words
from oraclekeep.conjectures.functions import Function, LeftOut, changed_functions, functions_of, unsuitable
from oraclekeep.conjectures.kinds import has_shape, spelled
from oraclekeep.conjectures.reach import raised, reached, touches
from oraclekeep.conjectures.samples import Samples, Shelf, samples_for
from oraclekeep.model import CheckCall
from oraclekeep.oracles.source import Sources
from oraclekeep.paths import Layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from oraclekeep.oracles.source import Module
    from oraclekeep.rules import Patch

#: Kinds for which "the same type in and out" is worth a try.
_TRIED: Final = ("str", "int", "float", "list", "dict")
_RANGES: Final = ((0, 10, 5), (0, 10, -1), (0, 10, 11), (0, 10, 0), (0, 10, 10), (-5, -1, 0), (3, 3, 7))
_FEW_PAIRS: Final = 12
_MOST_ANSWERS: Final = 20


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
            if other.owner == self.function.owner and not _obstacle(other, self.sources):
                yield other


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
    if not _obstacle(scene.function, scene.sources):
        for idea in _IDEAS:
            yield from idea(scene)


def _once(ideas: Iterable[Idea]) -> tuple[Idea, ...]:
    """
    Two functions that both changed have the same idea of each other.
    """
    return tuple({(one.function.dotted, repr(one.checks)): one for one in ideas}.values())


def _obstacle(function: Function, sources: Sources) -> str:
    """
    Say why no check should call the function, or nothing.
    """
    if why := unsuitable(function):
        return why
    outside = touches(reached(sources, function))
    return f"it calls {outside}, which reaches beyond the process" if outside else ""


def _why_not(scene: Scene) -> str:
    function = scene.function
    if why := _obstacle(function, scene.sources):
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


# ------------------------------------------------------------------------------------------------- the ideas


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
    if samples and values and same and not _obstacle(before, scene.old):
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


_IDEAS: Final[tuple[Callable[[Scene], Iterator[Idea]], ...]] = (
    _round_trip, _equivalent, _as_before, _idempotent, _shape, _two_arguments, _in_range, _safe,
)  # fmt: skip
