"""
`invariants/proposed/`: the candidates that wait there, and the files for new ones.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.errors import ConfigError
from oraclekeep.model import Property
from oraclekeep.policy.documents import read_document
from oraclekeep.policy.ledgers import read_properties
from oraclekeep.policy.schema import problems, refuse
from oraclekeep.policy.yaml_editing import written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from oraclekeep.conjectures.scene import Idea
    from oraclekeep.model import CheckCall, Snapshot
    from oraclekeep.policy.documents import Document

FOLDER: Final = "invariants/proposed/"
SAMPLES: Final = f"{FOLDER}samples/"
_SUFFIXES: Final = (".yaml", ".yml")
_USUAL: Final = Property(id="", module="", fn="", seed=0, checks=())


@dataclass(frozen=True, slots=True)
class Waiting:
    """
    One file of candidates.
    """

    path: str
    text: str
    document: Document
    properties: tuple[Property, ...]


@dataclass(frozen=True, slots=True)
class Queue:
    """
    The files that can be read, and what is wrong with the others.
    """

    files: tuple[Waiting, ...]
    faults: tuple[str, ...]

    @classmethod
    def of(cls, tree: Snapshot) -> Queue:
        """
        Read the folder.
        """
        files, faults = [], []
        for path in sorted(tree.under(FOLDER)):
            if path.endswith(_SUFFIXES):
                try:
                    files.append(read(path, tree.read(path) or b""))
                except ConfigError as error:
                    faults.append(str(error))
        return cls(tuple(files), tuple(faults))

    @property
    def properties(self) -> Iterator[Property]:
        for file in self.files:
            yield from file.properties


def read(path: str, data: bytes) -> Waiting:
    """
    Read one file of candidates, or what a program printed in its form.

    Raises `ConfigError` with `path:line` where the schema has something against it.
    """
    document = read_document(path, data)
    refuse(path, problems(document, "proposed"))
    return Waiting(path, data.decode("utf-8-sig"), document, read_properties(document))


@dataclass(frozen=True, slots=True)
class Candidate:
    """
    One property to be tried, with the samples that have to be written for it.

    ``origin`` is empty for our own reasoning, else the command that printed it.
    """

    law: Property
    source: str = ""  # where the samples come from
    named: bool = False
    origin: str = ""
    idea: Idea | None = None
    samples: tuple[Any, ...] = ()

    @property
    def data(self) -> bytes | None:
        """
        The bytes of a fixture of its own, or None where it has none.
        """
        return fixture_text(self.samples).encode() if self.samples else None


class Names:
    """
    Ids and paths that are taken; each one is given once.
    """

    def __init__(self, ids: Iterable[str], tree: Snapshot) -> None:
        self._ids, self._tree = set(ids), tree
        self._files: dict[str, bytes] = {}

    def id_for(self, *spellings: str) -> str:
        """
        Return the first spelling that is free, or the last with a number behind it.
        """
        numbered = (f"{spellings[-1]}_{number}" for number in range(2, len(self._ids) + 3))
        found = next(name for name in (*spellings, *numbered) if name not in self._ids)
        self._ids.add(found)
        return found

    def file_for(self, stem: str, suffix: str, data: bytes) -> str:
        """
        Return a path for these bytes: one that has them already, or one that nothing has.
        """
        number = 1
        while True:
            path = f"{stem}{suffix}" if number == 1 else f"{stem}-{number}{suffix}"
            there = self._files.get(path, self._tree.read(path))
            if there == data or (there is None and self._tree.entry(path) is None):
                self._files[path] = data
                return path
            number += 1


def claim_of(one: Property) -> tuple[str, str, str]:
    """
    Return what a property says, whatever it is called.
    """
    return one.module, one.fn, json.dumps(_checks(one.checks), sort_keys=True)


def candidate_of(idea: Idea, names: Names) -> Candidate:
    """
    Name an idea.  Its samples get their file when it is known which of them the function takes.
    """
    function = idea.function
    stem = "_".join((*function.name.split("."), idea.claim))
    ident = names.id_for(stem, f"{function.module.rpartition('.')[2]}_{stem}")
    return Candidate(
        Property(
            id=ident,
            module=function.module,
            fn=function.name,
            seed=seed_of(ident),
            checks=idea.checks,
            fixture=idea.samples.fixture,
            strategy=idea.samples.strategy,
            note=idea.why,
        ),
        source=idea.samples.source,
        named=idea.named,
        idea=idea,
        samples=idea.samples.values,
    )


def with_file(one: Candidate, names: Names) -> Candidate:
    """
    Give a candidate with samples of its own a path for them.
    """
    if one.data is None or one.law.fixture:
        return one
    stem = f"{SAMPLES}{one.law.module}.{one.law.fn}"
    return replace(one, law=replace(one.law, fixture=names.file_for(stem, ".json", one.data)))


def seed_of(ident: str) -> int:
    """
    Return a seed that a name always has.
    """
    return 1000 + zlib.crc32(ident.encode("utf-8", "surrogatepass")) % 9000


def fixture_text(samples: Sequence[Any]) -> str:
    """
    Return samples as a JSON list with a line for each.
    """
    lines = ",\n".join(f"  {json.dumps(one)}" for one in samples)
    return f"[\n{lines}\n]\n"


def row_of(one: Property) -> dict[str, Any]:
    """
    Return a property as a row of YAML.
    """
    row: dict[str, Any] = {"id": one.id, "module": one.module, "fn": one.fn, "seed": one.seed}
    row |= {
        key: value for key in ("fixture", "strategy", "examples", "clock") if (value := getattr(one, key))
    }
    row |= {"timeout": one.timeout} if one.timeout != _USUAL.timeout else {}
    row |= {"note": one.note} if one.note else {}
    row |= {"pending": True} if one.pending else {}
    return {**row, "checks": _checks(one.checks)}


def _checks(calls: Iterable[CheckCall]) -> list[Any]:
    return [{call.name: dict(call.parameters)} if call.parameters else call.name for call in calls]


def file_text(rows: Iterable[Property], head: str) -> str:
    """
    Return a file of candidates.  Raises `ConfigError` where it would not say what it shall.
    """
    kept = list(rows)
    lines = (*(f"# {line}" for line in head.splitlines()), "properties:", *written(map(row_of, kept)))
    text = "".join(f"{line}\n" for line in lines)
    found = read("the candidates", text.encode("utf-8"))
    if [replace(one, line=0) for one in found.properties] != [replace(one, line=0) for one in kept]:
        raise ConfigError("the candidates can't be written in a form that reads back; this is our own fault")
    return text
