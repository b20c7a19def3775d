"""
From two names to a score: each step is a plain value handed to the next.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from oraclekeep import rules
from oraclekeep.budget import spend
from oraclekeep.forking import beside
from oraclekeep.git import Repo, TreeSnapshot
from oraclekeep.model import PatchKind, Policy, PowerShift, Spend
from oraclekeep.paths import Layout
from oraclekeep.refs import WORKTREE, default_base, object_store, uncommitted, worktree_tree
from oraclekeep.rules import Patch

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

    from oraclekeep.git import Blobs
    from oraclekeep.model import Beside, Delta, Finding

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """
    What the command line asks to be judged.
    """

    root: Path
    today: dt.date
    base: str = ""
    head: str = "HEAD"
    worktree: bool = False
    intend_all: bool = False


@dataclass(frozen=True, slots=True)
class Range:
    """
    The two sides, resolved: full hashes, or `worktree:<tree>` for an uncommitted head.
    """

    base: str
    base_from: str
    merge_base: str
    head: str
    unjudged: int = 0  # uncommitted files that this run does not see
    commit: str = ""  # head's last commit, also where head is the working copy

    @property
    def tree(self) -> str:
        return self.head.removeprefix(WORKTREE)


@dataclass(frozen=True, slots=True)
class Score:
    """
    The scorer's answer with everything a report needs.
    """

    range: Range
    kind: PatchKind
    spend: Spend
    intent: tuple[str, ...]
    power: PowerShift
    fixture_digest: Mapping[str, str]
    not_judged: tuple[str, ...]
    policy: Policy = field(default_factory=Policy)
    #: Says whether a test's expectations may change.
    is_intended: Callable[[str], bool] = field(default=lambda _: False)
    #: Names the changed modules that are not listed, with the verb that follows: "src/a.py is".
    unlisted: str = ""


def resolve(repo: Repo, request: Request) -> tuple[Repo, Range]:
    """
    Turn names into hashes.  A worktree's tree is written beside the repository's objects, never into them.
    """
    working, named = "", request.head
    if request.worktree:
        objects = repo.root / ".gate" / "objects"
        working, named = WORKTREE + worktree_tree(repo, objects), "HEAD"
        repo = Repo(repo.root, objects=objects) if object_store(repo, objects) else repo
    if request.base:
        base, commit, merge_base = repo.resolve_both(request.base, named)
        base_from = request.base
    else:
        commit = repo.resolve(named)
        base, base_from = default_base(repo, working or commit, os.environ)
        merge_base = repo.merge_base(base, commit)
    unjudged = 0 if working else uncommitted(repo)
    span = Range(base, base_from, merge_base, working or commit, unjudged, commit)
    if span.base not in (span.merge_base, span.commit):
        _refuse_conflict(repo, span)
    return repo, span


def _refuse_conflict(repo: Repo, span: Range) -> None:
    """
    A patch that cannot land on base as it is cannot be judged; the merge is tried beside the user's objects.
    """
    from oraclekeep.effects import scratch_folder  # noqa: PLC0415  # only where base has moved on
    from oraclekeep.trees import landing_tree  # noqa: PLC0415  # same

    with scratch_folder() as scratch:
        object_store(repo, scratch)
        landing_tree(Repo(repo.root, objects=scratch), span.base, span.commit)


def score(request: Request) -> Score:
    """
    Score what the patch did to the suite.  Runs nothing of the project's.

    Raises `MissingEvidence` and `ConfigError` where it cannot judge.
    """
    repo, span = resolve(Repo.at(request.root), request)
    deltas = repo.deltas(span.merge_base, span.tree)
    with repo.blobs() as blobs:
        base = TreeSnapshot(repo, blobs, span.merge_base)
        head = TreeSnapshot(repo, blobs, span.tree, base, deltas)
        tip = base if span.base == span.merge_base else TreeSnapshot(repo, blobs, span.base)
        if not deltas:
            return _empty(span, tip, head, request)
        return _score(repo, span, Sides(base, head, tip), deltas, request, _beside(blobs))


@dataclass(frozen=True, slots=True)
class Sides:
    """
    The trees that a score reads.
    """

    base: TreeSnapshot
    head: TreeSnapshot
    tip: TreeSnapshot


def _empty(span: Range, tip: TreeSnapshot, head: TreeSnapshot, request: Request) -> Score:
    """
    Score a patch that changes nothing by what is wrong at base already: its locks and its ledgers.
    """
    from oraclekeep.policy import read_policy  # noqa: PLC0415  # start-up counts
    from oraclekeep.rules.frozen import frozen_inputs  # noqa: PLC0415  # same
    from oraclekeep.rules.ledgers import ledger_rows  # noqa: PLC0415  # same

    policy = read_policy(tip)
    patch = Patch(
        base=head,
        head=head,
        tip=tip,
        deltas=(),
        policy=policy,
        layout=Layout.of(tip, policy),
        kind=PatchKind.EMPTY,
        today=request.today,
    )
    findings = sorted((*frozen_inputs(patch), *ledger_rows(patch)))
    return Score(
        span,
        PatchKind.EMPTY,
        spend(findings, policy.weights, policy.intent, request.today),
        _intent(policy, request),
        PowerShift(),
        _digests(tip, policy),
        (),
        policy,
    )


def read_patch(sides: Sides, deltas: tuple[Delta, ...], request: Request) -> Patch:
    """
    Return what the rules look at: the two sides, judged by the policy of the tip.

    Raises `ConfigError` where that policy is broken; a first policy that is broken is no policy.
    """
    from oraclekeep.policy import read_policy  # noqa: PLC0415  # start-up counts
    from oraclekeep.rules.owned import patch_kind  # noqa: PLC0415  # same

    policy = read_policy(sides.tip)
    if not policy.adopted:
        read_policy(sides.head)
    layout = Layout.of(sides.tip, policy)
    return Patch(
        base=sides.base,
        head=sides.head,
        tip=sides.tip,
        deltas=deltas,
        policy=policy,
        layout=layout,
        kind=patch_kind(deltas, layout, policy, sides.tip, sides.head),
        today=request.today,
        intend_all=request.intend_all,
    )


def _beside(blobs: Blobs) -> Beside:
    """
    Return what begins work in a fork, which ends the Git process that it asks before it ends itself.
    """

    def begin(work: Callable[[], T]) -> AbstractContextManager[Callable[[], T]]:
        def closing() -> T:
            with blobs:
                return work()

        return beside(closing)

    return begin


def _score(
    repo: Repo, span: Range, sides: Sides, deltas: tuple[Delta, ...], request: Request, begin: Beside
) -> Score:
    patch = replace(read_patch(sides, deltas, request), beside=begin)
    policy = patch.policy
    if policy.settings.owners == "signed":
        patch = replace(patch, unproven=_unproven(repo, span, sides.tip, patch.layout))
    studying = rules.studying()  # imported before the fork, which needs most of it as well
    with begin(lambda: _found(patch, rules.unstudied())) as others:
        findings = sorted([*_found(patch, studying), *others()])
    return Score(
        span,
        patch.kind,
        spend(findings, policy.weights, policy.intent, request.today),
        _intent(policy, request),
        patch.study.power,
        _digests(sides.head, policy),
        tuple(delta.path for delta in deltas if delta.path.endswith(".ipynb")),
        policy,
        patch.study.is_intended,
        patch.study.unlisted,
    )


def _found(patch: Patch, asked: Iterable[rules.Rule]) -> list[Finding]:
    return [finding for rule in asked for finding in rule.check(patch)]


def _unproven(repo: Repo, span: Range, tip: TreeSnapshot, layout: Layout) -> tuple[tuple[str, str], ...]:
    """
    Return what touches human-owned paths without a proof: commits, and what is not committed at all.
    """
    from oraclekeep.signatures import SIGNERS, unproven_commits  # noqa: PLC0415  # start-up counts

    found = unproven_commits(repo, span.merge_base, span.commit, layout, tip.read(SIGNERS))
    waiting = repo.deltas(span.commit, span.tree) if span.head.startswith(WORKTREE) else ()
    if any(layout.is_human_owned(delta.path) for delta in waiting):
        found += (("", "what is not committed is not signed"),)
    return found


def _intent(policy: Policy, request: Request) -> tuple[str, ...]:
    return tuple(
        one.path
        for one in policy.intent.allow_behavior_change
        if one.expires is None or one.expires > request.today
    )


def _digests(head: TreeSnapshot, policy: Policy) -> dict[str, str]:
    if not policy.tree_locks:
        return {}
    from oraclekeep.policy.digests import tree_digest  # noqa: PLC0415  # start-up counts

    return {tree: tree_digest(head, tree) for tree in policy.tree_locks}
