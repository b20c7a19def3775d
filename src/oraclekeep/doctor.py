"""
Is this repository gated well?  Each check looks at one thing and says what is wrong and how to mend it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import oraclekeep
from oraclekeep.adopting.facts import data_folders
from oraclekeep.adopting.sessions import MODULE, existing, kit_kept
from oraclekeep.codeowners import lines_of, owners_file, owners_of
from oraclekeep.errors import ConfigError, GateError, UsageError
from oraclekeep.expiry import expiry
from oraclekeep.git import TreeSnapshot
from oraclekeep.lanekit.faults import is_fault
from oraclekeep.locking import relock
from oraclekeep.machinery.runs import is_machinery
from oraclekeep.paths import Layout, is_below
from oraclekeep.policy import is_adopted, read_policy
from oraclekeep.signatures import SIGNERS

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator

    from oraclekeep.git import Repo
    from oraclekeep.model import Policy, Snapshot

SCHEMA: Final = "oraclekeep/doctor/1"
BAD, WEAK, GOOD = "bad", "weak", "good"
_FEW: Final = 4
#: Sessions without which nothing is judged.
_SESSIONS: Final = (
    *("gate", "verdict", "prepare", "properties", "inventory", "suite", "characterization"),
    *("specimens", "proposed", "witness", "liveness"),
)
_RUNS: Final = (b"-s verdict", b"-s gate", b"oraclekeep verdict")


@dataclass(frozen=True, slots=True)
class Item:
    """
    What one check found.  ``level`` is bad (the gate has a hole), weak, or good.
    """

    level: str
    about: str
    message: str
    advice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient:
    """
    What the checks look at: the last commit, which is what patches are judged by, and the clone around it.
    """

    repo: Repo
    tree: Snapshot
    policy: Policy
    layout: Layout
    today: dt.date
    within: int


def examine(repo: Repo, today: dt.date, within: int) -> tuple[Item, ...]:
    """
    Run every check on the last commit of a clone.
    """
    with repo.blobs() as blobs:
        tree = TreeSnapshot(repo, blobs, repo.resolve("HEAD"))
        if not is_adopted(tree):
            return (Item(BAD, "adoption", "the last commit has no oracle/", "run `oraclekeep init`"),)
        try:
            policy = read_policy(tree)
        except ConfigError as error:
            return (Item(BAD, "policy", str(error), "mend it: nothing can be judged until then"),)
        layout = Layout.of(tree, policy)
        patient = Patient(repo=repo, tree=tree, policy=policy, layout=layout, today=today, within=within)
        return tuple(item for check in CHECKS for item in _or_good(check.__name__, check(patient)))


def _or_good(name: str, items: Iterable[Item]) -> Iterator[Item]:
    found = tuple(items)
    yield from found or (Item(GOOD, name, "nothing wrong"),)


def clone(patient: Patient) -> Iterator[Item]:
    """
    The merge base needs the history, and what a run leaves must stay out of it.
    """
    repo = patient.repo
    if repo.git("rev-parse", "--is-shallow-repository").strip() == b"true":
        yield Item(
            BAD, "clone", "the clone is shallow: patches may have no merge base", "git fetch --unshallow"
        )
    kept = [path for path in patient.tree.under("") if path.split("/")[0] in (".gate", ".nox", ".noxw")]
    if kept:
        yield Item(BAD, "clone", f"{_some(kept)}: a run's own files are committed", "git rm -r --cached them")
    for name in (".gate/", ".nox/", ".noxw/"):
        try:
            repo.git("check-ignore", "--quiet", f"{name}x")
        except GateError:
            yield Item(WEAK, "clone", f"Git does not ignore {name}", f"add /{name} to .gitignore")


def owners(patient: Patient) -> Iterator[Item]:
    """
    Human-owned paths are only as safe as the forge, or their signatures, make them.
    """
    if patient.policy.settings.owners == "signed":
        if not patient.tree.read(SIGNERS):
            yield Item(
                BAD, "owners", f"`owners: signed` without {SIGNERS}: no owner can sign", "list the keys"
            )
        return
    path = owners_file(patient.tree)
    if not path:
        yield Item(
            BAD,
            "owners",
            "no CODEOWNERS: whoever may merge may change the gate",
            "`oraclekeep init` prints the lines; then require a review by code owners",
        )
        return
    lines = tuple(lines_of((patient.tree.read(path) or b"").decode("utf-8", "replace")))
    free = [
        each
        for each in patient.tree.under("")
        if patient.layout.is_human_owned(each) and not owners_of(each, lines)
    ]
    if free:
        yield Item(BAD, "owners", f"nobody owns {_some(free)}", f"add them to {path}")


def fixtures(patient: Patient) -> Iterator[Item]:
    """
    Data that checks consume is locked, and the locks are right.
    """
    try:
        stale = relock(patient.repo, "").changes
    except UsageError:
        stale = ()
    for change in stale:
        state = "stale" if change.before else "missing"
        yield Item(BAD, "fixtures", f"{change.unit.name}: its lock is {state}", "invoke lock --note WHY")
    locked = (*patient.policy.tree_locks, *patient.policy.settings.fixtures)
    names = {change.unit.name for change in stale}
    for folder in data_folders(patient.tree):
        files = [*patient.tree.under(folder)]
        held = any(is_below(folder, tree) or is_below(tree, folder) for tree in locked)
        if folder not in names and not held and not all(path in patient.policy.file_locks for path in files):
            yield Item(
                WEAK,
                "fixtures",
                f"{folder} holds {len(files)} data files, and nothing freezes them",
                "list it under `fixtures:` in oracle/gate.yaml and run `invoke lock`",
            )


def lanes(patient: Patient) -> Iterator[Item]:
    """
    A lane without tests guards nothing.
    """
    policy = patient.policy
    if not any(map(patient.layout.is_test_file, patient.tree.under(""))):
        yield Item(
            BAD, "lanes", "the suite has no test file where oracle/gate.yaml says", "mend `tests:` there"
        )
    if not policy.has_properties and not policy.inventory.properties:
        yield Item(
            WEAK,
            "lanes",
            "neither a property nor an inventory: an agent may change every check there is",
            "write one under oracle/properties/, or in invariants/inventory.yaml",
        )
    if policy.settings.mode == "observe":
        yield Item(WEAK, "lanes", "`mode: observe`: nothing is rejected", "set `mode: enforce` when ready")
    for one in policy.inventory.properties:
        if one.pending:
            yield Item(WEAK, "lanes", f"property {one.id} is pending and does not vote", "finish it")


def liveness(patient: Patient) -> Iterator[Item]:
    """
    A property is alive when a known fault turns it red.
    """
    policy = patient.policy
    if not policy.has_properties and not policy.inventory.properties:
        return
    if not any(map(is_fault, patient.tree.under("oracle/known_fail"))):
        yield Item(
            WEAK, "liveness", "oracle/known_fail/ holds no fault: no property is proven alive", "add some"
        )
        return
    try:
        report = json.loads((patient.repo.root / ".gate/evidence/liveness.json").read_bytes())
        dead, unproven = (list(map(str, report["properties"][key])) for key in ("dead", "unproven"))
    except (OSError, ValueError, KeyError, TypeError):
        yield Item(WEAK, "liveness", "nobody has planted the known faults here", "nox -s liveness")
        return
    if dead:
        yield Item(BAD, "liveness", f"no fault turns {_some(dead)} red", "make them stricter")
    if unproven:
        yield Item(WEAK, "liveness", f"no fault names {_some(unproven)}", "add one for each")


def ledgers(patient: Patient) -> Iterator[Item]:
    """
    Exceptions end; those that have ended go.
    """
    found = expiry(patient.tree, patient.today, patient.within, ())
    for row in found.rows:
        each = row.standing
        place = f"{each.path}:{each.line} {each.test}"
        if row.state == "lapsed":
            yield Item(WEAK, "ledgers", f"{place}: the row {each.wrong}", "remove it, or renew it")
        elif row.state == "soon":
            yield Item(WEAK, "ledgers", f"{place}: ends on {each.expires}", "repair it, or renew the row")
    for one in patient.policy.intent.allow_behavior_change:
        if one.path.rstrip("/") in patient.layout.source or one.path == "./":
            yield Item(
                WEAK,
                "ledgers",
                f"oracle/intent.json:{one.line} lets all of {one.path} change: expectations may be rewritten",
                "list the modules that change, and take them out again",
            )


def machinery(patient: Patient) -> Iterator[Item]:
    """
    Something must run the gate: its sessions, and a CI file that starts them.
    """
    source = patient.tree.read("noxfile.py")
    if source is None:
        yield Item(BAD, "machinery", "no noxfile.py: nothing runs the lanes", "run `oraclekeep init`")
    else:
        yield from _sessions(patient, source.decode("utf-8", "replace"))
    starts = [
        path
        for path in patient.tree.under("")
        if path not in ("noxfile.py", "noxw", MODULE)
        and is_machinery(path)
        and any(words in (patient.tree.read(path) or b"") for words in _RUNS)
    ]
    if not starts:
        yield Item(BAD, "machinery", "no CI file runs the gate", "`oraclekeep init --ci SYSTEM` shows one")


def _sessions(patient: Patient, source: str) -> Iterator[Item]:
    beside = (patient.tree.read(MODULE) or b"").decode("utf-8", "replace")
    try:
        found = existing("noxfile.py", source)
        known = {*found.sessions, *(existing(MODULE, beside).sessions if found.is_joined else ())}
    except UsageError as error:
        yield Item(BAD, "machinery", str(error), "mend it")
        return
    missing = [name for name in _SESSIONS if name not in known]
    if missing:
        yield Item(BAD, "machinery", f"noxfile.py has no session {_some(missing)}", "run `oraclekeep init`")
    text = f"{source}\n{beside}"
    version = oraclekeep.__version__
    if "oraclekeep==" in text and f"oraclekeep=={version}" not in text and not version.startswith("0+"):
        yield Item(
            WEAK, "machinery", f"the lanes' kit is not this one, {version}", "`oraclekeep init` shows more"
        )
    kit = kit_kept(text)
    if kit and kit != "." and not patient.tree.under(kit):  # a folder of base's own is as fixed as base
        yield Item(WEAK, "machinery", f"the kit comes from {kit}, whatever lies there", "pin a version")


CHECKS: Final = (clone, owners, fixtures, lanes, liveness, ledgers, machinery)


def _some(names: Iterable[str]) -> str:
    every = tuple(names)
    more = f" and {len(every) - _FEW} more" if len(every) > _FEW else ""
    return ", ".join(every[:_FEW]) + more


def as_text(items: Iterable[Item]) -> str:
    """
    Return a line for each item, the worst first.
    """
    order = (BAD, WEAK, GOOD)
    lines = []
    for item in sorted(items, key=lambda each: order.index(each.level)):
        lines.append(f"{item.level:<5} {item.about}: {item.message}")
        lines += [f"      {item.advice}"] if item.advice else []
    return "".join(f"{line}\n" for line in lines)


def as_json(items: Iterable[Item]) -> dict[str, Any]:
    """
    Return the answer as `oraclekeep/doctor/1`.
    """
    return {
        "schema": SCHEMA,
        "items": [
            {"level": one.level, "about": one.about, "message": one.message, "advice": one.advice}
            for one in items
        ],
    }
