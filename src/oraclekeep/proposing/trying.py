"""
Candidates through the real runner, in a scratch copy of the tree.
"""

from __future__ import annotations

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

#: A candidate that takes longer is none; a function that answers one sample takes less.
_LONGEST, _LONGEST_SAMPLE = 20.0, 5.0
_ALTOGETHER: Final = 600.0


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
        run = inventory_runner.run(plan(policy, tree, earlier=self.earlier), settings)
        self.progress("")
        return {row["prop_id"]: row for row in run["properties"]}

    def accepted(
        self, asked: Iterable[tuple[Function, tuple[Any, ...]]]
    ) -> dict[str, tuple[tuple[Any, ...], str]]:
        """
        Return which samples a function does not refuse, by its dotted name, and how it refused another.

        A law speaks only of the first.
        """
        probes: dict[str, tuple[str, Any]] = {}
        properties, files = [], {}
        for function, samples in asked:
            for number, sample in enumerate(samples):
                ident = f"{function.dotted} {number}"
                path = f".gate/probes/{len(probes)}.json"
                probes[ident] = function.dotted, sample
                files[path] = fixture_text([sample]).encode()
                properties.append(
                    Property(
                        id=ident,
                        module=function.module,
                        fn=function.name,
                        seed=1,
                        checks=(CheckCall("never_raises"),),
                        fixture=path,
                        timeout=_LONGEST_SAMPLE,
                    )
                )
        rows = self.run(properties, files, repeats=1)
        found: dict[str, tuple[tuple[Any, ...], str]] = {}
        for ident, (name, sample) in probes.items():
            taken, refusal = found.get(name, ((), ""))
            refused = rows[ident]["status"] == MISS
            found[name] = (
                taken if refused else (*taken, sample),
                refusal or (rows[ident]["detail"] if refused else ""),
            )
        return found
