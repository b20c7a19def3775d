"""
Which lanes a patch needs, what each one runs, and under whose configuration.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.head_names import in_head_form
from oraclekeep.lane_parts import check_packages, config_places, named_parts, whole_parts
from oraclekeep.lanekit.faults import is_fault
from oraclekeep.model import Entry, LaneSettings, PatchKind
from oraclekeep.paths import pytest_settings
from oraclekeep.policy.ledgers import nodeid_parts
from oraclekeep.trees import write_blob

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Mapping, Sequence

    from oraclekeep.git import Repo
    from oraclekeep.head_names import Renames
    from oraclekeep.lane_parts import Part
    from oraclekeep.lane_trees import Sides
    from oraclekeep.model import Policy, Snapshot

_CONFIG: Final = ".oraclekeep-pytest"
_EMPTY_CONFIG: Final = b"[pytest]\n"
#: pytest reads these by their names, not by their suffix.
_BY_NAME: Final = frozenset({"pytest.toml", ".pytest.toml"})
#: Lanes that need the same service or variables as another, for which nothing more need be said.
_LIKE: Final = {
    "characterization": "suite",
    "specimens": "suite",
    "proposed": "properties",
    "liveness": "properties",
}
_PROPERTIES: Final = "oracle/properties"
#: Where a patch may add a property, or the fault that proves one.
_EARNING: Final = (f"{_PROPERTIES}/", "oracle/known_fail/", "invariants/inventory.yaml", "invariants/checks/")


@dataclass(frozen=True, slots=True, kw_only=True)
class LanePlan:
    """
    One lane before its tree is written.
    """

    name: str
    contents: Mapping[str, Entry]
    required: bool
    config: str = ""
    args: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()  # one for each package, where `packages:` names some
    empty_ok: bool = False  # it has nothing to do, and says so
    specimens: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()  # nodeids whose tests the patch changes: no quarantine covers them

    def to_json(self, policy: Policy, today: dt.date) -> dict[str, Any]:
        """
        Return the lane's part of `run.json`, but for its nonce.
        """
        settings = _settings(policy, self.name)
        return {
            "tree": f"trees/{self.name}",
            "required": self.required if settings.required is None else settings.required,
            "timeout": settings.timeout,
            "config": self.config,
            "args": list(self.args),
            "packages": [
                {"folder": part.folder, "config": part.config, "args": list(part.args)} for part in self.parts
            ],
            "shards": list(settings.shards),
            "env": dict(settings.env),
            "command": list(settings.command),
            "setup": list(settings.setup),
            "quarantine": [
                row.nodeid
                for row in policy.quarantine
                if row.expires > today and row.nodeid not in self.changed
            ],
            "quarantine_changed": list(self.changed),
            "specimens": list(self.specimens),
            "specimens_red": policy.settings.specimens_red,
            "plugins": list(policy.settings.plugins),
            "empty_ok": self.empty_ok,
        }


def _settings(policy: Policy, lane: str) -> LaneSettings:
    """
    Return what `gate.yaml` says of a lane, or else the surroundings of the lane whose tests it runs, too.
    """
    lanes = policy.settings.lanes
    if lane in lanes:
        return lanes[lane]
    like = lanes.get(_LIKE.get(lane, ""), LaneSettings())
    return replace(like, required=None, command=(), shards=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Trees:
    """
    The snapshots whose pytest configuration a lane may run under.
    """

    repo: Repo
    tip: Snapshot
    landing: Snapshot
    renames: Renames

    def configured(self, lane: LanePlan, source: Snapshot) -> LanePlan:
        """
        Hand the lane the pytest configuration of one side, as a file at its tree's root.

        A package has its own, or else that of the nearest folder above it.
        """
        contents, parts = dict(lane.contents), []
        for part in lane.parts:
            config = self._config(contents, source, part.folder)
            parts.append(replace(part, config=config))
        config = self._config(contents, source, "")
        return replace(lane, config=config, contents=contents, parts=tuple(parts))

    def _config(self, contents: dict[str, Entry], source: Snapshot, folder: str) -> str:
        """
        Return the file for pytest's `-c`; it is put among the contents where they do not hold it.
        """
        for place in config_places(folder):
            path = pytest_settings(source, place).path
            if path:
                break
        else:
            place, path = folder, ""
        top = f"{place}/" if place else ""
        if path and contents.get(top + path) == source.entry(top + path):
            return top + path
        data = source.read(top + path) if path else None
        name = top + (path if path in _BY_NAME else _CONFIG + (PurePosixPath(path).suffix or ".ini"))
        blob = write_blob(self.repo, _EMPTY_CONFIG if data is None else data)
        contents[name] = Entry("100644", blob)
        return name

    def under_new_names(self, contents: Mapping[str, Entry], sides: Sides) -> dict[str, Entry]:
        """
        Let base's tests call production code by the names that the patch gave it.
        """
        found = dict(contents)
        tests = [path for path in contents if path.endswith(".py") and sides.is_test_side(path)]
        for path in tests if self.renames else ():
            source = self.tip.read(path)
            if source is None or contents[path] != self.tip.entry(path):
                continue
            data = in_head_form(source, self.renames)
            if data != source:
                found[path] = Entry(contents[path].mode, write_blob(self.repo, data))
        return found

    def read_tip(self, path: str) -> bytes:
        return self.tip.read(path) or b""


def plan_lanes(trees: Trees, sides: Sides, proposed: Policy) -> Iterator[LanePlan]:
    """
    Yield the lanes of a run, the cheapest answer first.

    ``proposed`` is head's policy, which only an owner patch may bring.
    """
    policy, settings = sides.policy, sides.policy.settings
    packages = settings.packages
    check_packages(packages, trees.tip, trees.landing)
    base = trees.landing if sides.adoption else trees.tip
    judged = sides.properties()
    holds_inventory = bool(policy.inventory.properties)
    inventory = LanePlan(name="inventory", contents=judged, required=holds_inventory)
    properties = LanePlan(
        name="properties", contents=judged, required=policy.has_properties, args=(_PROPERTIES,)
    )
    specimens = tuple(sides.patched_tests()) if sides.changes_production() else ()
    suite = LanePlan(
        name="suite",
        contents=sides.suite(),
        required=True,
        args=settings.tests or _test_places(sides, trees.landing),
        parts=whole_parts(packages, _tests(sides), trees.landing, settings) if packages else (),
        specimens=specimens,
        changed=tuple(_changed_tests(trees, sides, [row.nodeid for row in policy.quarantine])),
    )
    touched = tuple(sides.base_tests(trees.read_tip))
    characterization = LanePlan(
        name="characterization",
        contents=trees.under_new_names(sides.characterization(), sides),
        required=True,
        args=touched,
        parts=named_parts(packages, touched) if packages else (),
    )
    for lane, source, runs in (
        (properties, base, policy.has_properties),
        (inventory, base, holds_inventory),
        (suite, trees.landing, True),
        (characterization, trees.tip, bool(touched)),
    ):
        yield trees.configured(replace(lane, empty_ok=not runs), source)
    if specimens:
        proof = settings.specimens_proof == "required"
        lane = LanePlan(
            name="specimens",
            contents=sides.specimens(),
            required=proof,
            args=specimens,
            parts=named_parts(packages, specimens) if packages else (),
        )
        yield trees.configured(lane, trees.landing)
    if sides.kind is PatchKind.OWNER and sides.touches_proposable():
        lane = LanePlan(name="proposed", contents=sides.proposed(), required=True, args=(_PROPERTIES,))
        runs = proposed.has_properties or bool(proposed.inventory.properties)
        yield trees.configured(replace(lane, empty_ok=not runs), trees.landing)
    witness = replace(inventory, name="witness", required=settings.witness == "required")
    yield trees.configured(replace(witness, empty_ok=not holds_inventory), base)


def _changed_tests(trees: Trees, sides: Sides, nodeids: Sequence[str]) -> Iterator[str]:
    """
    Yield the quarantined tests that are not the ones that an owner put there.
    """
    touched = {delta.path for delta in sides.deltas if not delta.same_bytes}
    for nodeid in nodeids:
        path, names, _ = nodeid_parts(nodeid)
        if path in touched:
            before, after = (_definition(tree.read(path), names) for tree in (trees.tip, trees.landing))
            if before is None or before != after:
                yield nodeid


def _definition(data: bytes | None, names: Sequence[str]) -> str | None:
    """
    Return a test's own syntax, its decorators too, without its layout; None where it is not found.
    """
    try:
        node: ast.AST = ast.parse(data or b"")
    except (SyntaxError, ValueError, RecursionError):
        return None
    for name in names:
        inner = [each for each in getattr(node, "body", ()) if getattr(each, "name", "") == name]
        if not inner:
            return None
        node = inner[-1]
    return ast.dump(node)


def plan_liveness(trees: Trees, sides: Sides, proposed: Policy) -> tuple[LanePlan, bool] | None:
    """
    Return how known faults are planted, and whether the gate itself must; None where there are none.

    An owner patch is judged by the properties and faults that it proposes: they may earn it a credit.
    """
    own = sides.kind is PatchKind.OWNER and sides.touches_proposable()
    policy = proposed if own else sides.policy
    contents = sides.proposed() if own else sides.properties()
    runs = policy.has_properties or bool(policy.inventory.properties)
    if not runs or not any(map(is_fault, contents)):
        return None
    lane = LanePlan(name="liveness", contents=contents, required=False, args=(_PROPERTIES,))
    due = own and any(delta.path.startswith(_EARNING) for delta in sides.deltas)
    base = trees.landing if own or sides.adoption else trees.tip
    return trees.configured(lane, base), due


def _test_places(sides: Sides, landing: Snapshot) -> tuple[str, ...]:
    """
    Return where a suite lies that pytest's own settings do not place, base's properties left out.
    """
    if pytest_settings(landing).testpaths:
        return ()
    return tuple(sorted({path.partition("/")[0] for path in _tests(sides)}))


def _tests(sides: Sides) -> list[str]:
    return [path for path in sides.landing if sides.layout.is_test_file(path)]
