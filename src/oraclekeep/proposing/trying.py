"""
Candidates through the real runner, in a scratch copy of the tree.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.inventory import plan
from oraclekeep.lanekit import inventory_runner
from oraclekeep.model import CheckCall, FileLock, Inventory, Property
from oraclekeep.policy.digests import file_digest
from oraclekeep.policy.overlay import Overlaid
from oraclekeep.proposing.queue import fixture_text

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from oraclekeep.conjectures.functions import Function
    from oraclekeep.model import Policy, Snapshot

#: A check of our own: it notes what a function answers to each sample, or which exception it raises.
_NOTED: Final = "oraclekeep_notes_answer"
_NOTING: Final = """
import copy, json

def plain(value):
    kind = type(value)
    if kind is dict:
        return all(type(key) is str and plain(one) for key, one in value.items())
    return all(map(plain, value)) if kind is list else kind in (str, int, float, bool, type(None))

def answer_of(fn, sample):
    try:
        answer = fn(copy.deepcopy(sample))
    except BaseException as error:
        kind = type(error)
        home = "" if kind.__module__ == "builtins" else kind.__module__ + "."
        try:
            words = str(error)[:200]
        except BaseException:
            words = ""
        return {"raises": home + kind.__qualname__, "words": words}
    return {"expected": answer} if plain(answer) else {}

def check_oraclekeep_notes_answer(fn, sample, path):
    row = {"input": sample, **answer_of(fn, sample)}
    with open(path, "a", encoding="ascii") as file:
        file.write(json.dumps(row) + chr(10))
"""
_LONGEST: Final = 10.0  # seconds; a candidate that takes longer is none
_ALTOGETHER: Final = 600.0
_PROBES: Final = ".gate/probes"


@dataclass(frozen=True, slots=True)
class Notes:
    """
    What a function made of samples: rows of `matches_expected`, but that an odd answer has no `expected`.
    """

    rows: tuple[dict[str, Any], ...]
    detail: str = ""  # what the runner said of the whole

    @property
    def accepted(self) -> tuple[Any, ...]:
        """
        The samples that the function answers: a law speaks only of those.
        """
        return tuple(row["input"] for row in self.rows if "raises" not in row)

    @property
    def refusal(self) -> str:
        """
        One example of how it refuses.
        """
        row = next((row for row in self.rows if "raises" in row), None)
        return f"{row['raises'].rpartition('.')[2]}: {row['words']}" if row else self.detail

    @property
    def answers(self) -> tuple[dict[str, Any], ...]:
        """
        The rows of a fixture that carries answers; none where the function only refuses, or answers oddly.
        """
        kept = [row for row in self.rows if "expected" in row or "raises" in row]
        rows = [{key: value for key, value in row.items() if key != "words"} for row in kept]
        return tuple(rows) if any("expected" in row for row in rows) else ()


@dataclass(frozen=True)
class Bench:
    """
    Where candidates are run: a tree, the same as files, and by which interpreter.
    """

    tree: Snapshot
    folder: Path
    policy: Policy
    today: dt.date
    python: str
    progress: Callable[[str], None]
    earlier: tuple[Snapshot, ...] = ()

    def run(
        self,
        properties: Sequence[Property],
        files: Mapping[str, bytes],
        *,
        repeats: int = 0,
        longest: float = _LONGEST,
    ) -> dict[str, dict[str, Any]]:
        """
        Run properties and return their rows by id.  A fixture that no lock names is taken as it is.
        """
        if not properties:
            return {}
        for path, data in files.items():
            place = self.folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        tree = Overlaid(self.tree, files)
        found = {one.fixture: tree.read(one.fixture) for one in properties if one.fixture}
        locks = {path: FileLock(file_digest(data)) for path, data in found.items() if data is not None}
        policy = replace(
            self.policy,
            inventory=Inventory(tuple(replace(one, timeout=min(one.timeout, longest)) for one in properties)),
            file_locks=locks | dict(self.policy.file_locks),
        )
        settings = inventory_runner.Settings(
            tree=self.folder,
            today=self.today,
            python=self.python,
            repeats=repeats or policy.settings.repeats,
            seconds=_ALTOGETHER,
            progress=self.progress,
        )
        wanted = plan(policy, tree, earlier=self.earlier)
        wanted["checks"][_NOTED] = {"path": "oraclekeep", "source": _NOTING}
        run = inventory_runner.run(wanted, settings)
        self.progress("")
        return {row["prop_id"]: row for row in run["properties"]}

    def notes(self, asked: Iterable[tuple[Function, tuple[Any, ...]]]) -> dict[str, Notes]:
        """
        Call functions with samples and return what each made of them, by its dotted name.

        One process for each function: it may hang, or be slow to import.
        """
        wanted = {function.dotted: (function, samples) for function, samples in asked}
        files = {
            f"{_PROBES}/{number}.json": fixture_text(samples).encode()
            for number, (_, samples) in enumerate(wanted.values())
        }
        properties = [
            Property(
                id=name,
                module=function.module,
                fn=function.name,
                seed=1,
                checks=(CheckCall(_NOTED, {"path": f"{path}.lines"}),),
                fixture=path,
            )
            for path, (name, (function, _)) in zip(files, wanted.items(), strict=True)
        ]
        rows = self.run(properties, files, repeats=1)
        found = {}
        for path, (name, (_, samples)) in zip(files, wanted.items(), strict=True):
            place = self.folder / f"{path}.lines"
            lines = place.read_text(encoding="ascii").splitlines() if place.is_file() else []
            noted = {json.dumps(row["input"], sort_keys=True): row for row in map(json.loads, lines)}
            known = [noted.get(json.dumps(one, sort_keys=True)) for one in samples]
            found[name] = Notes(tuple(row for row in known if row), rows[name]["detail"])
        return found
