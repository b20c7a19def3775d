"""
Assembles everything under `.gate/` that the lanes and the verdict start from, and says so in `run.json`.

Everything but the nonces follows from the two commits, the date and the kit, so a second call with the same
ones changes nothing; that is how the lanes of one run, on one machine or several, belong together.
"""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import oraclekeep
from oraclekeep import inventory, trees
from oraclekeep.days import day
from oraclekeep.effects import sha256, write_atomic
from oraclekeep.errors import UsageError
from oraclekeep.git import Repo, TreeSnapshot
from oraclekeep.head_names import Renames
from oraclekeep.lane_plans import Trees, plan_lanes, plan_liveness
from oraclekeep.lane_trees import Sides, changes
from oraclekeep.lanekit.plan import LIVENESS
from oraclekeep.model import PatchKind
from oraclekeep.oracles.source import Sources
from oraclekeep.paths import Layout
from oraclekeep.patterns import SESSIONS
from oraclekeep.policy import read_policy
from oraclekeep.policy.digests import fixture_digest
from oraclekeep.policy.frozen import FrozenInputs
from oraclekeep.refs import WORKTREE, default_base, hide_gate, object_store, uncommitted, worktree_tree
from oraclekeep.rules import Patch
from oraclekeep.rules.owned import patch_kind
from oraclekeep.rules.production import definitions

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Mapping

    from oraclekeep.git import Blobs
    from oraclekeep.model import Snapshot

SCHEMA: Final = "oraclekeep/run/1"
_KIT: Final = Path(__file__).with_name("lanekit")
_KIT_NAME: Final = "oraclekeep_lanekit"
#: What a run is: two runs that agree in these may share nonces, trees and reports.
IDS: Final = ("schema", "kit", "base", "merge_base", "head", "landing", "today", "policy_tree", "inventory")
_INVENTORY_LANES: Final = frozenset({"inventory", "proposed", "witness"})
_SESSIONS: Final = ("noxfile.py", SESSIONS)
_MACHINERY: Final = (*_SESSIONS, "tasks.py", "noxw")
#: How a noxfile names the kit.
_PINNED: Final = re.compile(rb"""["']oraclekeep==([A-Za-z0-9.+!]+)["']""")
_RESULTS: Final = (
    "junit",
    "evidence",
    "score.json",
    "verdict.json",
    "verdict.md",
    "verdict.xml",
    "verdict.html",
    "verdict.sarif",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """
    What the command line asks for.
    """

    base: str = ""
    head: str = ""
    worktree: bool = False
    today: str = ""
    fresh: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Refs:
    """
    The commits of one run.  ``commit`` is head as a commit, also where head is the working copy.
    """

    base: str
    merge_base: str
    head: str
    commit: str
    landing: str  # the commit that would land
    origin: str  # where base came from


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """
    One run, as `run.json` has it, and what a person should know about it.
    """

    folder: Path
    run: Mapping[str, Any]
    notes: tuple[str, ...]


def prepare(start: Path, request: Request, environ: Mapping[str, str]) -> Prepared:
    """
    Write `.gate/` for one pair of commits and return what it says.

    Raises a `GateError` where there is nothing that could be judged; no `run.json` is left then.
    """
    user = Repo.at(start)
    folder = (user.root / ".gate").absolute()
    if folder.is_symlink():
        raise UsageError(f"{folder} is a link; delete it, the gate writes and deletes below that name")
    old = _read_run(folder / "run.json")
    try:
        return _prepare(user, folder, old, request, environ)
    except BaseException:
        (folder / "run.json").unlink(missing_ok=True)
        _forget_results(folder)  # nothing of the last run may stand in for this one
        raise


def _prepare(
    user: Repo, folder: Path, old: Mapping[str, Any], request: Request, environ: Mapping[str, str]
) -> Prepared:
    object_store(user, folder / "objects")
    hide_gate(user)
    repo = replace(user, objects=folder / "objects")
    refs = resolve(repo, request, environ)
    with repo.blobs() as blobs:
        plan = _plan(repo, blobs, refs, day(request.today))
    _write(repo, plan, folder, fresh=request.fresh)
    run = plan.run
    keep = not request.fresh and all(run[key] == old.get(key) for key in IDS)
    if not keep:
        _forget_results(folder)
    run = _with_nonces(run, old if keep else {})
    write_atomic(folder / "run.json", json.dumps(run, indent=2) + "\n")
    return Prepared(folder=folder, run=run, notes=tuple(_notes(user, run, refs, request)))


def expected_run(start: Path, request: Request, environ: Mapping[str, str]) -> dict[str, Any]:
    """
    Return what `run.json` must say for these commits, nonces aside; it writes nothing but objects of the run.

    The verdict asks again, because the code that the lanes ran could reach the file.
    """
    user = Repo.at(start)
    folder = (user.root / ".gate").absolute()
    object_store(user, folder / "objects")
    repo = replace(user, objects=folder / "objects")
    refs = resolve(repo, request, environ)
    with repo.blobs() as blobs:
        return _plan(repo, blobs, refs, day(request.today)).run


def resolve(repo: Repo, request: Request, environ: Mapping[str, str]) -> Refs:
    """
    Turn names into commits and merge them; ``repo`` has an object store of its own to write to.
    """
    if request.worktree and request.head:
        raise UsageError("--worktree judges the working copy; leave out --head")
    commit = head = repo.resolve(request.head or "HEAD")
    if request.worktree and repo.objects is not None:
        tree = worktree_tree(repo, repo.objects)
        head = WORKTREE + tree
        commit = trees.commit_tree(repo, tree, (commit,), "The working copy")
    base, origin = (
        (repo.resolve(request.base), "--base") if request.base else default_base(repo, head, environ)
    )
    merge_base = repo.merge_base(base, commit)
    tree = trees.landing_tree(repo, base, commit)
    landing = _landing(repo, tree, base, commit)
    return Refs(base=base, merge_base=merge_base, head=head, commit=commit, landing=landing, origin=origin)


def _landing(repo: Repo, tree: str, base: str, commit: str) -> str:
    parents = (base,) if base == commit else (base, commit)
    return trees.commit_tree(repo, tree, parents, "What would land")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """
    Everything that follows from the commits and the date, before any of it is written down.
    """

    run: dict[str, Any]
    commits: Mapping[str, str]  # lane -> the commit that its tree is checked out from
    policy: Mapping[str, bytes]


def _write(repo: Repo, plan: _Plan, folder: Path, *, fresh: bool) -> None:
    """
    Write trees, kit and policy; a fresh run keeps no tree that another run's code had in its hands.
    """
    lender = trees.Lender.of(repo)
    for lane, commit in plan.commits.items():
        tree = folder / "trees" / lane
        if fresh and tree.exists():
            trees.remove(tree)
        lender.check_out(commit, tree)
    kit = {f"{_KIT_NAME}/{name}": data for name, data in _files_below(_KIT).items()}
    _mirror(kit, folder / "kit")  # the whole folder: it is on the lanes' import path
    _mirror(plan.policy, folder / "policy")


def _plan(repo: Repo, blobs: Blobs, refs: Refs, today: dt.date) -> _Plan:
    tip, landing = TreeSnapshot(repo, blobs, refs.base), TreeSnapshot(repo, blobs, refs.landing)
    policy, source = read_policy(tip), tip
    adoption = not policy.adopted
    if adoption:
        policy, source = read_policy(landing), landing
    layout = Layout.of(tip, policy)
    deltas = repo.deltas(refs.merge_base, refs.commit)
    sides = Sides(
        tip=tip.under(""),
        landing=landing.under(""),
        deltas=deltas,
        layout=layout,
        policy=policy,
        frozen=FrozenInputs(deltas, policy, tip, landing),
        kind=patch_kind(deltas, layout, policy, tip, landing),
        adoption=adoption,
    )
    proposed = read_policy(landing) if sides.kind is PatchKind.OWNER else policy
    renames = _renames(
        TreeSnapshot(repo, blobs, refs.merge_base), TreeSnapshot(repo, blobs, refs.commit), sides, today
    )
    lanes, commits = {}, {}
    drawn = Trees(repo=repo, tip=tip, landing=landing, renames=renames)
    alive = plan_liveness(drawn, sides, proposed)
    for lane in (*plan_lanes(drawn, sides, proposed), *([alive[0]] if alive else ())):
        commits[lane.name] = refs.landing
        if edits := changes(sides.landing, lane.contents):
            tree = trees.edit_tree(repo, refs.landing, edits)
            commits[lane.name] = _landing(repo, tree, refs.base, refs.commit)
        lanes[lane.name] = {**lane.to_json(policy, today), "source": list(layout.source)}
    owned = {path: source.read(path) or b"" for path in source.under("") if layout.is_human_owned(path)}
    plans = {"inventory.json": _announced(inventory.plan(policy, source), sides, landing)}
    if "proposed" in lanes:
        plans["proposed.json"] = inventory.plan(proposed, landing, earlier=(tip,))
    for name in _INVENTORY_LANES & lanes.keys():
        plan = plans["proposed.json" if name == "proposed" else "inventory.json"]
        lanes[name]["properties"] = [one["id"] for one in plan["properties"]]
    liveness = lanes.pop(LIVENESS, None)
    if liveness and alive:
        plan_name = "proposed.json" if "proposed" in lanes else "inventory.json"
        liveness |= {"inventory": plan_name, "due": alive[1]}
    written = {name: json.dumps(plan, indent=2, sort_keys=True).encode() for name, plan in plans.items()}
    run = {
        "schema": SCHEMA,
        "kit": oraclekeep.__version__,
        "base": refs.base,
        "merge_base": refs.merge_base,
        "head": refs.head,
        "landing": refs.landing,
        "patch": sides.kind.value,
        "adoption": adoption,
        "mode": policy.settings.mode,
        "today": today.isoformat(),
        "policy_tree": repo.git("rev-parse", "--verify", f"{source.commit}^{{tree}}").decode().strip(),
        "inventory": sha256(written["inventory.json"]),
        "lanes": lanes,
        **({LIVENESS: liveness} if liveness else {}),
    }
    return _Plan(run=run, commits=commits, policy=owned | written)


def _renames(base: TreeSnapshot, head: TreeSnapshot, sides: Sides, today: dt.date) -> Renames:
    """
    Return what the patch renamed in production code, as the score sees it.
    """
    layout, deltas = sides.layout, sides.deltas
    patch = Patch(
        base=base,
        head=head,
        tip=base,
        deltas=deltas,
        policy=sides.policy,
        layout=layout,
        kind=sides.kind,
        today=today,
    )
    sources = Sources(base, layout), Sources(head, Layout.of(head, sides.policy))
    return Renames.of(definitions(patch, *sources)[1])


def _announced(plan: dict[str, Any], sides: Sides, landing: Snapshot) -> dict[str, Any]:
    """
    Expect the bytes that a human announced where the patch brings them: the lock at base has the old ones.
    """
    for one in plan["properties"]:
        if one["fixture"] in sides.frozen.free:
            one["sha256"] = fixture_digest(landing, one["fixture"], sides.policy.file_locks)
    return plan


# ----------------------------------------------------------------------------------------------- run.json


def _read_run(path: Path) -> dict[str, Any]:
    """
    Return the last run, or nothing where there is none that can be read: then everything is made anew.
    """
    try:
        run = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return run if isinstance(run, dict) else {}


def _with_nonces(run: dict[str, Any], old: Mapping[str, Any]) -> dict[str, Any]:
    before = old.get("lanes")
    known = before if isinstance(before, dict) else {}
    lanes = {name: _with_nonce(lane, known.get(name)) for name, lane in run["lanes"].items()}
    liveness = {LIVENESS: _with_nonce(run[LIVENESS], old.get(LIVENESS))} if LIVENESS in run else {}
    return {**run, "lanes": lanes, **liveness}


def _with_nonce(lane: dict[str, Any], known: object) -> dict[str, Any]:
    nonce = known.get("nonce") if isinstance(known, dict) else None
    return {"nonce": nonce if isinstance(nonce, str) and nonce else secrets.token_hex(16), **lane}


def _forget_results(folder: Path) -> None:
    for name in _RESULTS:
        path = folder / name
        if path.is_dir():
            trees.remove(path)
        else:
            path.unlink(missing_ok=True)


def _files_below(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.py"))}


def _mirror(files: Mapping[str, bytes], folder: Path) -> None:
    """
    Make a folder hold exactly these files; one that a running lane reads is left alone where it is right.
    """
    for path in sorted(folder.rglob("*")) if folder.exists() else ():
        if path.is_symlink() or (path.is_file() and path.relative_to(folder).as_posix() not in files):
            path.unlink()
    for name, data in files.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != data:
            write_atomic(path, data)


def _notes(user: Repo, run: Mapping[str, Any], refs: Refs, request: Request) -> Iterator[str]:
    waiting = uncommitted(user)
    if waiting and not request.worktree:
        files = "1 uncommitted file was" if waiting == 1 else f"{waiting} uncommitted files were"
        yield f"{files} not judged; --worktree takes them in"
    head = refs.head.removeprefix(WORKTREE)[:12]
    yield f"base {refs.base[:12]} (from {refs.origin}), head {head}: {run['patch']} patch"
    if run["patch"] == PatchKind.EMPTY.value:
        yield "the patch is empty; the lanes run all the same"
    if run["adoption"]:
        yield "base has no oracle/: head's own policy is tried out"
    theirs = user.ls(refs.base)
    for name in _MACHINERY:
        path = user.root / name
        if path.is_file() and name in theirs:
            ours = user.git("hash-object", "--path", name, "--", name).decode().strip()
            if ours != theirs[name].oid:
                yield f"{name} here is not base's; CI runs base's"
    sources = (user.git("cat-file", "blob", theirs[name].oid) for name in _SESSIONS if name in theirs)
    pinned = next(filter(None, map(_PINNED.search, sources)), None)
    if pinned and pinned[1].decode() != oraclekeep.__version__:
        yield f"this is oraclekeep {oraclekeep.__version__}; CI runs base's, {pinned[1].decode()}"
