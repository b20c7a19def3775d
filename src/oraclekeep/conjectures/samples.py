"""
Samples for a parameter: from frozen fixtures where they speak of it, else from its annotation and default.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.conjectures.kinds import fits, literal, spelled, values
from oraclekeep.lanekit.fixtures import FixtureError, samples_of
from oraclekeep.oracles.module import Module
from oraclekeep.oracles.parsing import Unparsable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from oraclekeep.conjectures.functions import Function, Parameter
    from oraclekeep.rules import Patch

STRATEGIES: Final = "invariants/strategies.py"
_SUFFIXES: Final = (".json", ".jsonl", ".ndjson", ".csv", ".tsv")
_MOST_FILES, _MOST_BYTES, _MOST_SAMPLES = 200, 256 * 1024, 20
_MOST_DRAWN: Final = 10  # beside samples that are made
_QUOTED: Final = re.compile(
    r"``([^`\n]{1,60})``|`([^`\n]{1,60})`|(?<!\w)'([^'\n]{1,60})'|\"([^\"\n]{1,60})\""
)
#: Checks that call `fn(sample)` with a sample of the fixture as it stands.
_DIRECT: Final = frozenset(
    {
        *("idempotent", "deterministic", "never_raises", "raises_only", "total", "type_stable", "monotone"),
        *("length_preserved", "subset_of_input", "sorted_output", "no_extra_keys", "matches_schema"),
    }
)


@dataclass(frozen=True, slots=True)
class Samples:
    """
    What a candidate runs on: values, or a fixture that is there, or a strategy; and where they come from.
    """

    source: str
    values: tuple[Any, ...] = ()
    fixture: str = ""
    strategy: str = ""


@dataclass(frozen=True)
class Shelf:
    """
    What base's frozen inputs hold, and what its inventory and strategies already say of functions.
    """

    files: Mapping[str, tuple[Any, ...]]
    used: Mapping[tuple[str, str], str]  # (module, function) -> a fixture of samples that it takes
    strategies: frozenset[str]

    @classmethod
    def of(cls, patch: Patch) -> Shelf:
        """
        Read the frozen files that hold samples, of base's tip.
        """
        used = {
            (one.module, one.fn): one.fixture
            for one in patch.policy.inventory.properties
            if one.fixture and not _DIRECT.isdisjoint(call.name for call in one.checks)
        }
        return cls(dict(_files(patch)), used, _strategies(patch))


def _files(patch: Patch) -> Iterator[tuple[str, tuple[Any, ...]]]:
    paths = [
        path
        for path, entry in patch.tip.under("").items()
        if path.endswith(_SUFFIXES) and patch.layout.is_frozen(path) and entry.mode.startswith("100")
    ]
    for path in paths[:_MOST_FILES]:
        data = patch.tip.read(path) or b""
        if len(data) <= _MOST_BYTES:
            try:
                yield path, tuple(samples_of(path, data))
            except FixtureError:
                continue


def _strategies(patch: Patch) -> frozenset[str]:
    try:
        module = Module.load(STRATEGIES, patch.tip.read(STRATEGIES) or b"")
    except Unparsable:
        return frozenset()
    return frozenset({*module.defs, *module.constants})


def samples_for(
    function: Function, parameter: Parameter, module: Module, shelf: Shelf, *, wide: bool = False
) -> Samples | None:
    """
    Return samples for one parameter, or None where nothing says what it takes.

    Those that a fixture holds are of the right sort; ``wide`` adds what the annotation allows as well.
    """
    kind = spelled(parameter.annotation, module.constants)
    default = literal(parameter.default)
    made = values(parameter.annotation, module.constants)
    if parameter.annotation is None and default and default[0] is not None:
        kind = type(default[0]).__name__
        made = values(ast.Name(id=kind), {})
    fixture = shelf.used.get((function.module, function.name), "")
    fixture = fixture if function.parameters[0] == parameter else ""
    if not (wide and made) and (whole := fixture or _named_like(function, parameter, kind, shelf)):
        return Samples(whole, fixture=whole)
    for source, found in (*_whole(fixture, shelf), *_columns(parameter, kind, shelf)):
        if wide and made:
            return Samples(f"{source}, and `{kind}`", _unique((*found[:_MOST_DRAWN], *default, *made)))
        return Samples(source, _unique((*found, *default)))
    told = _told(function, kind)
    if made or (told and function.parameters[0] == parameter):
        source = " and ".join((*(("its docstring",) if told else ()), *((f"`{kind}`",) if made else ())))
        return Samples(source, _unique((*default, *told, *made)))
    names = (parameter.name, f"{parameter.name}s", kind.lower(), f"{kind.lower()}s")
    if strategy := next((name for name in names if name in shelf.strategies), ""):
        return Samples(f"{strategy} of {STRATEGIES}", strategy=strategy)
    return None


def _whole(path: str, shelf: Shelf) -> Iterator[tuple[str, tuple[Any, ...]]]:
    if path in shelf.files:
        yield path, shelf.files[path]


def _columns(parameter: Parameter, kind: str, shelf: Shelf) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """
    Yield what stands under the parameter's name in files of mappings, where that is more than one value.
    """
    for path, samples in shelf.files.items():
        column = [one[parameter.name] for one in samples if isinstance(one, dict) and parameter.name in one]
        if all(not kind or fits(one, kind) for one in column) and len(found := _unique(column)) > 1:
            yield f"{parameter.name} in {path}", found


def _named_like(function: Function, parameter: Parameter, kind: str, shelf: Shelf) -> str:
    """
    Return a file of samples of this kind that is called like the parameter, the function or the module.
    """
    words = (parameter.name, function.short, function.module.rpartition(".")[2])
    stems = {name for word in words for name in (word, f"{word}s")}
    for path, samples in shelf.files.items():
        stem = path.rpartition("/")[2].partition(".")[0].lower()
        if stem in stems and kind and samples and all(fits(one, kind) for one in samples):
            return path
    return ""


def _told(function: Function, kind: str) -> tuple[Any, ...]:
    """
    Return what a docstring shows: arguments in its examples, and for a text what it quotes.
    """
    doc = ast.get_docstring(function.node) or ""
    found = [one for one in _examples(doc, function.short) if not kind or fits(one, kind)]
    if kind == "str":
        found += [quoted for pair in _QUOTED.findall(doc) if (quoted := next(filter(None, pair)))]
    return tuple(found[:_MOST_DRAWN])


def _examples(doc: str, name: str) -> Iterator[Any]:
    try:
        sources = [one.source for one in doctest.DocTestParser().get_examples(doc)]
        trees = [ast.parse(source) for source in sources]
    except (ValueError, SyntaxError, RecursionError):
        return
    for node in (inner for tree in trees for inner in ast.walk(tree)):
        match node:
            case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called), args=[one], keywords=[]):
                with contextlib.suppress(ValueError, TypeError):
                    value = ast.literal_eval(one)
                    if called == name and value == json.loads(json.dumps(value, allow_nan=False)):
                        yield value
            case _:
                pass


def _unique(values: Iterable[Any]) -> tuple[Any, ...]:
    """
    Return the values without repeats, in order; 1 and True are two.
    """
    found = {json.dumps(one, sort_keys=True): one for one in reversed([*values])}
    return tuple(reversed(found.values()))[:_MOST_SAMPLES]
