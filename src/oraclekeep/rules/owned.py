"""
Rules about who may change what: the write set, proofs of ownership, a looser policy, candidates (SPEC §1-§3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oraclekeep.errors import ConfigError
from oraclekeep.model import Finding, PatchKind
from oraclekeep.policy import attributes, is_adopted
from oraclekeep.policy.documents import read_document
from oraclekeep.policy.frozen import FrozenInputs
from oraclekeep.policy.landing import Landing
from oraclekeep.policy.ledgers import read_properties
from oraclekeep.policy.schema import problems, refuse
from oraclekeep.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from oraclekeep.model import Delta, Policy, Snapshot
    from oraclekeep.paths import Layout
    from oraclekeep.rules import Patch

_FEW = 4
_PROPOSED = "invariants/proposed/"
#: Kit, reports and evidence; environments; the environment of `noxw`.
_OUTPUTS = (".gate", ".nox", ".noxw")


@dataclass(frozen=True, slots=True)
class WriteSet:
    """
    The changed paths by who may change them.  Neutral ones are in none of the three.
    """

    owned: tuple[str, ...]  # human-owned, or frozen
    agent: tuple[str, ...]
    free: tuple[str, ...]  # frozen, but announced by a human: go with either kind

    @property
    def kind(self) -> PatchKind:
        if self.owned and self.agent:
            return PatchKind.MIXED
        if self.owned or (self.free and not self.agent):
            return PatchKind.OWNER
        return PatchKind.AGENT


def patch_kind(
    deltas: tuple[Delta, ...], layout: Layout, policy: Policy, base: Snapshot, head: Snapshot
) -> PatchKind:
    """
    Return whose patch it is; ``base`` is the tree that it lands on.

    A patch of neutral paths alone is an agent's, one of announced bytes alone an owner's.
    """
    return write_set_of(deltas, layout, policy, base, head).kind if deltas else PatchKind.EMPTY


def write_set_of(
    deltas: tuple[Delta, ...], layout: Layout, policy: Policy, base: Snapshot, head: Snapshot
) -> WriteSet:
    inputs = FrozenInputs(deltas, policy, base, Landing(base, head, deltas))
    owned, agent, free = [], [], []
    for path in (delta.path for delta in deltas):
        converts = path.rpartition("/")[2] == attributes.NAME and bool(inputs.converted)
        if layout.is_human_owned(path):
            owned.append(path)
        elif path in inputs.free:
            free.append(path)
        elif inputs.holds(path) or converts:
            owned.append(path)
        elif not layout.is_neutral(path):
            agent.append(path)
    return WriteSet(tuple(owned), tuple(agent), tuple(free))


@rule("write-set")
def write_set(patch: Patch) -> Iterator[Finding]:
    """
    Human-owned paths and frozen inputs change alone.
    """
    if patch.kind is not PatchKind.MIXED or not patch.policy.adopted:
        return
    found = write_set_of(patch.deltas, patch.layout, patch.policy, patch.tip, patch.head)
    yield Finding(
        found.owned[0] if found.owned else "",
        0,
        "write-set",
        "",
        f"the patch changes what a human owns ({_some(found.owned)}) together with {_some(found.agent)}",
        "split it in two: a patch by an owner for the first, one for the rest",
    )


@rule("owner-unproven")
def owner_unproven(patch: Patch) -> Iterator[Finding]:
    """
    With `owners: signed`, what touches human-owned paths is signed by someone whom base knows.
    """
    signed = patch.policy.settings.owners == "signed"
    owned = [delta.path for delta in patch.deltas if patch.layout.is_human_owned(delta.path)]
    if not signed or not owned:
        return
    for commit, why in patch.unproven:
        what = f"commit {commit[:12]}" if commit else "the working copy"
        yield Finding(
            owned[0],
            0,
            "owner-unproven",
            "",
            f"{what} touches human-owned paths, and {why}",
            "have an owner whom `oracle/allowed_signers` of base lists sign it: `git commit -S`",
        )


@rule("machinery-weakened")
def kept_outputs(patch: Patch) -> Iterator[Finding]:
    """
    What the gate writes and installs for itself is never part of a tree: a checkout would put it in place.
    """
    for delta in patch.deltas:
        top = delta.path.partition("/")[0].lower()
        if top in _OUTPUTS and not delta.deleted:
            yield Finding(
                delta.path,
                0,
                "machinery-weakened",
                "",
                f"the patch puts a file where the gate keeps its own ({top}/)",
                f"take it out: `git rm -r --cached {top}`, and list {top}/ in .gitignore",
            )


@rule("adoption")
def adoption(patch: Patch) -> Iterator[Finding]:
    """
    Without an `oracle/` at base there is no policy to judge by but the defaults.
    """
    if patch.policy.adopted:
        return
    joins = is_adopted(patch.head)
    yield Finding(
        "oracle/",
        0,
        "adoption",
        "",
        "base has no oracle/: the patch brings it, and is scored with the defaults"
        if joins
        else "neither base nor head has an oracle/: the patch is scored with the defaults",
        "" if joins else "run `invoke init` to adopt the gate",
    )


@rule("untrusted-proposal")
def proposals(patch: Patch) -> Iterator[Finding]:
    """
    Candidates are queued for an owner; they have no vote.
    """
    for delta in patch.deltas:
        if delta.path.startswith(_PROPOSED) and delta.path.endswith((".yaml", ".yml")) and not delta.deleted:
            yield from _candidates(delta.path, patch.head.read(delta.path) or b"")


def _candidates(path: str, data: bytes) -> Iterator[Finding]:
    try:
        document = read_document(path, data)
        refuse(path, problems(document, "proposed"))
        candidates = read_properties(document)
    except ConfigError as error:
        # Nobody's vote hangs on it, so it blocks nothing; `promote` would refuse it in the same words.
        yield Finding(
            path,
            0,
            "untrusted-proposal",
            "",
            f"the candidate cannot be read: {error}",
            "mend it, or delete the file",
        )
        return
    for each in candidates:
        yield Finding(
            path,
            each.line,
            "untrusted-proposal",
            each.id,
            f"property {each.id} is proposed for {each.module}.{each.fn}",
            f"an owner who wants it runs `invoke promote {each.id} --note WHY`",
        )


def _some(paths: Iterable[str]) -> str:
    names = tuple(paths)
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return ", ".join(names[:_FEW]) + more
