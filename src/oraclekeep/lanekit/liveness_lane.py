"""
Plants each known fault in a scratch tree and says which properties notice: `liveness` (SPEC §5.6).
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from . import inventory_runner, process, pytest_lane
from .canaries import sweep
from .faults import FOLDER, Fault, FaultError, is_fault, planted, read_fault
from .inventory_classes import GREEN, RED
from .plan import LaneError, Plan, read_plan, write_evidence
from .stream import read_stream

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_GREENS: Final = frozenset({"passed", "green"})
_REDS: Final = frozenset({"failed", "red"})


@dataclass
class Tried:
    """
    What became of one fault.  ``red`` are the properties that noticed it, ``green`` those that should have.
    """

    name: str
    turns_red: tuple[str, ...] = ()
    red: list[str] = field(default_factory=list)
    green: list[str] = field(default_factory=list)
    problem: str = ""

    @property
    def is_caught(self) -> bool:
        return bool(self.red) and not self.problem


def main(gate: Path) -> int:
    """
    Try every fault: 0 where each is caught, 1 where one is not, 2 where nothing could be tried.
    """
    try:
        plan = read_plan("liveness", gate, "")
        plan.evidence.unlink(missing_ok=True)
        began = time.monotonic()
        faults, bench = _read(plan.tree), _Bench(plan)
        healthy = bench.healthy()
        tried = [_try(bench, fault, healthy) for fault in faults]
    except LaneError as error:
        sys.stderr.write(f"oraclekeep liveness: {error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("oraclekeep liveness: interrupted; there is no evidence\n")
        return 2
    states = _states(tried, healthy)
    facts = {
        "seconds": round(time.monotonic() - began, 3),
        "faults": [vars(one) for one in tried],
        "properties": states,
    }
    write_evidence(plan, facts, None)
    _say(tried, states)
    return 0 if all(one.is_caught for one in tried) else 1


def _read(tree: Path) -> list[Fault | Tried]:
    """
    Read all faults before any code of the tree runs.
    """
    paths = sorted(path for path in (tree / FOLDER).rglob("*") if path.is_file())
    found: list[Fault | Tried] = []
    for path in paths:
        name = path.relative_to(tree).as_posix()
        if is_fault(name):
            try:
                found.append(read_fault(name, path.read_bytes()))
            except FaultError as error:
                found.append(Tried(name, problem=str(error)))
    if not found:
        raise LaneError(f"{FOLDER}/ holds no fault; write one that a property must notice")
    return found


def _try(bench: _Bench, fault: Fault | Tried, healthy: dict[str, str]) -> Tried:
    if isinstance(fault, Tried):
        return fault
    tried = Tried(fault.name, fault.turns_red)
    named = {name: _of(name, healthy) for name in fault.turns_red}
    if unknown := [name for name, ids in named.items() if not ids]:
        tried.problem = f"names no property of this tree: {', '.join(unknown)}"
        return tried
    if sick := [name for name, ids in named.items() if not all(healthy[one] in _GREENS for one in ids)]:
        tried.problem = f"proves nothing: without it {', '.join(sick)} is not green either"
        return tried
    try:
        with bench.with_fault(fault):
            found = bench.run([one for ids in named.values() for one in ids])
            noticed = {name for name, ids in named.items() if any(found.get(one) in _REDS for one in ids)}
            if not noticed:  # it is not lost if another property notices
                found = bench.run()
                noticed = {_plain(one) for one, state in found.items() if state in _REDS}
                noticed -= {_plain(one) for one, state in healthy.items() if state not in _GREENS}
    except FaultError as error:
        tried.problem = str(error)
        return tried
    tried.red = sorted(noticed)
    tried.green = [name for name in fault.turns_red if name not in noticed]
    if not noticed:
        others = sorted({f"{one}: {found[one]}" for ids in named.values() for one in ids if one in found})
        tried.problem = f"nothing notices it ({'; '.join(others) or 'no property gave an answer'})"
    return tried


def _of(name: str, known: dict[str, str]) -> list[str]:
    """
    Return the ids that a name stands for: itself, or every case of a parametrized test.
    """
    return [one for one in known if one == name or _plain(one) == name]


def _plain(one: str) -> str:
    return one.partition("[")[0] if "::" in one else one


def _states(tried: Sequence[Tried], healthy: dict[str, str]) -> dict[str, list[str]]:
    """
    Sort the properties: noticed a fault, missed all that name them, never put to the test.
    """
    named = {name for one in tried if one.red or not one.problem or one.green for name in one.turns_red}
    alive = {name for one in tried for name in one.red}
    known = {_plain(one) for one in healthy}
    dead = named - alive
    return {
        "alive": sorted(alive & known),
        "dead": sorted(dead),
        "unproven": sorted(known - alive - dead),
    }


def _say(tried: Sequence[Tried], states: dict[str, list[str]]) -> None:
    lines = [f"dead: {name} stays green with every fault that names it" for name in states["dead"]]
    for one in tried:
        name = one.name.removeprefix(f"{FOLDER}/")
        lines.append(f"{name}: {one.problem}" if one.problem else f"{name}: noticed by {', '.join(one.red)}")
    if states["unproven"]:
        lines.append(f"unproven, since no fault names them: {', '.join(states['unproven'])}")
    caught = sum(one.is_caught for one in tried)
    lines.append(
        f"{caught} of {len(tried)} faults are noticed; {len(states['alive'])} properties alive, "
        f"{len(states['dead'])} dead, {len(states['unproven'])} unproven"
    )
    sys.stdout.write("".join(f"oraclekeep liveness: {line}\n" for line in lines))


class _Bench:
    """
    The scratch tree and the two runners.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan, self._tree = plan, plan.tree
        path = plan.gate / "policy" / str(plan.settings["inventory"])
        try:
            self._policy: dict[str, Any] = json.loads(path.read_bytes())
        except (OSError, ValueError) as error:
            raise LaneError(f"{path}: can't be read: {error}; run `nox -s prepare` again") from error
        self._places = [str(arg) for arg in plan.settings["args"]]
        self._ids = [one["id"] for one in self._policy["properties"]]
        sweep(self._tree)

    @contextlib.contextmanager
    def with_fault(self, fault: Fault) -> Iterator[None]:
        """
        Plant a fault for as long as the block runs.  Raises `FaultError` where it does not fit.
        """
        changed = planted(fault, self._read, self._policy["source"])
        before = {path: self._bytes(path) for path in changed}
        try:
            for path, text in changed.items():
                self._put(path, None if text is None else text.encode())
            yield
        finally:
            for path, data in before.items():
                self._put(path, data)

    def _bytes(self, path: str) -> bytes | None:
        file = self._tree / path
        return file.read_bytes() if file.is_file() else None

    def _read(self, path: str) -> str | None:
        data = self._bytes(path)
        try:
            return None if data is None else data.decode()
        except UnicodeDecodeError as error:
            raise FaultError(f"{path}: not UTF-8") from error

    def _put(self, path: str, data: bytes | None) -> None:
        file = self._tree / path
        if not file.resolve().is_relative_to(self._tree.resolve()):
            raise FaultError(f"{path}: lies outside the tree")
        if data is None:
            file.unlink(missing_ok=True)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)

    def healthy(self) -> dict[str, str]:
        """
        Run all properties as they are, and show what pytest says.

        Raises `LaneError` where it came to no end: faults would prove nothing.
        """
        tests, code = self._tests(self._places, silent=False)
        if code not in (0, 1):
            raise LaneError(f"pytest exited with {code}, so no fault can be tried; mend what it says above")
        return {**self._inventory(self._ids), **tests}

    def run(self, only: Sequence[str] | None = None) -> dict[str, str]:
        """
        Run all properties, or some, and return what became of each.
        """
        ids = self._ids if only is None else [one for one in self._ids if one in only]
        tests = self._places if only is None else [one for one in only if one not in self._ids]
        return {**self._inventory(ids), **self._tests(tests, silent=True)[0]}

    def _inventory(self, ids: Sequence[str]) -> dict[str, str]:
        if not ids:
            return {}
        settings = inventory_runner.Settings(
            tree=self._tree,
            today=dt.date.fromisoformat(self._plan.run["today"]),
            repeats=1,
            env=self._plan.settings.get("env", {}),
            seconds=float(self._plan.settings["timeout"]),
        )
        wanted = [{**one, "pending": False} for one in self._policy["properties"] if one["id"] in ids]
        found = inventory_runner.run({**self._policy, "properties": wanted, "freezes": []}, settings)
        return {row["prop_id"]: _colour(row) for row in found["properties"]}

    def _tests(self, args: Sequence[str], *, silent: bool) -> tuple[dict[str, str], int]:
        """
        Run pytest's properties; with nothing to run nothing is wrong.
        """
        if not any((self._tree / arg.partition("::")[0]).exists() for arg in args):
            return {}, 0
        work = Path(tempfile.mkdtemp(prefix="liveness-"))
        try:
            argv, env = pytest_lane.command(self._plan, work, args)
            # A planted line may have the length and the second of the old one.
            env["PYTHONDONTWRITEBYTECODE"] = "1"
            seconds = float(self._plan.settings["timeout"])
            ended = process.run(argv, self._tree, env, seconds, piped=True, silent=silent)
            seen = read_stream(ended.stream)
        finally:
            shutil.rmtree(work, ignore_errors=True)
        code = ended.exit_code if ended.how == "finished" else -1
        return {**dict.fromkeys(seen.collected, "not run"), **seen.outcomes()}, code


def _colour(row: dict[str, Any]) -> str:
    colours = set(row["repeats"])
    if colours in ({GREEN}, {RED}):
        return str(colours.pop())
    return f"{row['status']} ({row['detail']})"
