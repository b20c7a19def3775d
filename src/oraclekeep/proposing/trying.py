"""
Candidates through the real runner, in a scratch copy of the tree.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.inventory import plan
from oraclekeep.lanekit import inventory_runner
from oraclekeep.lanekit.inventory_classes import MISS
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

#: A check of our own: it notes what a function answers, or which exception it raises.
_NOTED: Final = "oraclekeep_notes_answer"
_NOTING: Final = """
import json

def plain(value):
    kind = type(value)
    if kind is dict:
        return all(type(key) is str and plain(one) for key, one in value.items())
    return all(map(plain, value)) if kind is list else kind in (str, int, float, bool, type(None))

def check_oraclekeep_notes_answer(fn, sample, path):
    row = {"input": json.loads(json.dumps(sample))}
    try:
        answer = fn(sample)
    except Exception as error:
        kind = type(error)
        home = "" if kind.__module__ == "builtins" else kind.__module__ + "."
        row["raises"] = home + kind.__qualname__
    else:
        assert plain(answer)
        row["expected"] = answer
    text = json.dumps(row, allow_nan=False)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
"""
#: A candidate that takes longer is none; a function that answers one sample takes less.
_LONGEST, _LONGEST_SAMPLE = 20.0, 5.0
_ALTOGETHER: Final = 600.0
_PROBES: Final = ".gate/probes"


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

    def answers(
        self, asked: Iterable[tuple[Function, tuple[Any, ...]]]
    ) -> dict[str, tuple[dict[str, Any], ...]]:
        """
        Return what functions answer to samples, as rows of `matches_expected`; by their dotted name.

        An answer that JSON can't carry is left out, and a function that only refuses has none.
        """
        probes = [(function, sample) for function, samples in asked for sample in samples]
        notes = [f"{_PROBES}/answer-{number}.json" for number in range(len(probes))]
        calls = [CheckCall(_NOTED, {"path": path}) for path in notes]
        self._probe(probes, calls)
        found: dict[str, tuple[dict[str, Any], ...]] = {}
        for (function, _), path in zip(probes, notes, strict=True):
            place = self.folder / path
            if place.is_file():
                noted = json.loads(place.read_text(encoding="utf-8"))
                found[function.dotted] = (*found.get(function.dotted, ()), noted)
        return {name: rows for name, rows in found.items() if any("expected" in row for row in rows)}

    def _probe(
        self, probes: Sequence[tuple[Function, Any]], calls: Sequence[CheckCall]
    ) -> list[dict[str, Any]]:
        """
        Call functions with one sample each, and return the rows in that order.
        """
        files = {
            f"{_PROBES}/{number}.json": fixture_text([one]).encode() for number, (_, one) in enumerate(probes)
        }
        properties = [
            Property(
                id=str(number),
                module=function.module,
                fn=function.name,
                seed=1,
                checks=(call,),
                fixture=f"{_PROBES}/{number}.json",
                timeout=_LONGEST_SAMPLE,
            )
            for number, ((function, _), call) in enumerate(zip(probes, calls, strict=True))
        ]
        rows = self.run(properties, files, repeats=1)
        return [rows[one.id] for one in properties]

    def accepted(
        self, asked: Iterable[tuple[Function, tuple[Any, ...]]]
    ) -> dict[str, tuple[tuple[Any, ...], str]]:
        """
        Return which samples a function does not refuse, by its dotted name, and how it refused another.

        A law speaks only of the first.
        """
        probes = [(function, sample) for function, samples in asked for sample in samples]
        rows = self._probe(probes, [CheckCall("never_raises")] * len(probes))
        found: dict[str, tuple[tuple[Any, ...], str]] = {}
        for (function, sample), row in zip(probes, rows, strict=True):
            taken, refusal = found.get(function.dotted, ((), ""))
            refused = row["status"] == MISS
            found[function.dotted] = (
                taken if refused else (*taken, sample),
                refusal or (row["detail"] if refused else ""),
            )
        return found
