"""
From two names to a score: each step is a plain value handed to the next.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oraclekeep import rules
from oraclekeep.budget import spend
from oraclekeep.git import Repo, TreeSnapshot
from oraclekeep.model import PatchKind, Policy, Spend
from oraclekeep.paths import Layout
from oraclekeep.refs import WORKTREE, default_base, object_store, uncommitted, worktree_tree
from oraclekeep.rules import Patch

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from oraclekeep.git import Blobs


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
    power: tuple[int, int]
    fixture_digest: Mapping[str, str]
    not_judged: tuple[str, ...]
    policy: Policy = field(default_factory=Policy)
    #: Says whether a test's expectations may change.
    is_intended: Callable[[str], bool] = field(default=lambda _: False)


def resolve(repo: Repo, request: Request) -> tuple[Repo, Range]:
    """
    Turn names into hashes.  A worktree's tree is written beside the repository's objects, never into them.
    """
    if request.worktree:
        objects = repo.root / ".gate" / "objects"
        head = WORKTREE + worktree_tree(repo, objects)
        repo = Repo(repo.root, objects=objects) if object_store(repo, objects) else repo
        commit, unjudged = repo.resolve("HEAD"), 0
    else:
        head = commit = repo.resolve(request.head)
        unjudged = uncommitted(repo)
    base, base_from = (
        (repo.resolve(request.base), request.base) if request.base else default_base(repo, head, os.environ)
    )
    return repo, Range(base, base_from, repo.merge_base(base, commit), head, unjudged)


def score(request: Request) -> Score:
    """
    Score what the patch did to the suite.  Runs nothing of the project's.

    Raises `MissingEvidence` and `ConfigError` where it cannot judge.
    """
    repo, span = resolve(Repo.at(request.root), request)
    deltas = repo.deltas(span.merge_base, span.tree)
    with repo.blobs() as blobs:
        base, head, tip = (TreeSnapshot(repo, blobs, one) for one in (span.merge_base, span.tree, span.base))
        if not deltas:
            return _empty(span, tip, request)
        return _score(repo, span, Sides(base, head, tip, blobs), request)


@dataclass(frozen=True, slots=True)
class Sides:
    """
    The trees that a score reads.
    """

    base: TreeSnapshot
    head: TreeSnapshot
    tip: TreeSnapshot
    blobs: Blobs


def _empty(span: Range, tip: TreeSnapshot, request: Request) -> Score:
    from oraclekeep.policy import read_policy  # noqa: PLC0415  # start-up counts

    policy = read_policy(tip)
    nothing = spend((), policy.weights, policy.intent, request.today)
    return Score(span, PatchKind.EMPTY, nothing, (), (0, 0), {}, (), policy)


def _score(repo: Repo, span: Range, sides: Sides, request: Request) -> Score:
    from oraclekeep.policy import read_policy  # noqa: PLC0415  # start-up counts
    from oraclekeep.rules.owned import patch_kind  # noqa: PLC0415  # same
    from oraclekeep.signatures import unproven_commits  # noqa: PLC0415  # same

    policy = read_policy(sides.tip)
    if not policy.adopted:
        read_policy(sides.head)  # a first policy that is broken is no policy
    deltas = repo.deltas(span.merge_base, span.tree)
    layout = Layout.of(sides.tip, policy)
    signers = sides.tip.read("oracle/allowed_signers")
    needs_proof = policy.settings.owners == "signed" and not span.head.startswith(WORKTREE)
    patch = Patch(
        base=sides.base,
        head=sides.head,
        tip=sides.tip,
        deltas=deltas,
        policy=policy,
        layout=layout,
        kind=patch_kind(deltas, layout, policy, sides.tip, sides.head),
        today=request.today,
        intend_all=request.intend_all,
        unproven=unproven_commits(repo, span.merge_base, span.head, layout, signers) if needs_proof else (),
    )
    findings = sorted(finding for rule in rules.load().values() for finding in rule.check(patch))
    return Score(
        span,
        patch.kind,
        spend(findings, policy.weights, policy.intent, request.today),
        _intent(policy, request),
        (patch.study.old.power, patch.study.new.power),
        _digests(sides.head, policy),
        tuple(delta.path for delta in deltas if delta.path.endswith(".ipynb")),
        policy,
        patch.study.is_intended,
    )


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
