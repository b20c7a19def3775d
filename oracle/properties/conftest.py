"""
A patch made of two small trees, for the laws beside this file.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import dataclass, field

import pytest
from hypothesis import settings

from oraclekeep import rules
from oraclekeep.budget import spend
from oraclekeep.model import Delta, Entry, PatchKind, Policy
from oraclekeep.paths import Layout
from oraclekeep.rules import Patch

settings.register_profile("laws", deadline=None, derandomize=True, database=None)
settings.load_profile("laws")


@dataclass(frozen=True)
class Tree:
    files: dict[str, str] = field(default_factory=dict)

    @property
    def commit(self) -> str:
        return "0" * 40

    def entry(self, path: str) -> Entry | None:
        return self.under("").get(path)

    def read(self, path: str) -> bytes | None:
        text = self.files.get(path)
        return None if text is None else text.encode()

    def under(self, folder: str) -> dict[str, Entry]:
        prefix = f"{folder.rstrip('/')}/" if folder else ""
        return {
            path: Entry("100644", hashlib.sha1(text.encode()).hexdigest())  # noqa: S324  # Git's own name of a blob
            for path, text in sorted(self.files.items())
            if path.startswith(prefix)
        }


def score_of(base: dict[str, str], head: dict[str, str]) -> int | None:
    """What the scorer says of a patch between two trees, under the default policy."""
    before, after = Tree(base), Tree(head)
    policy = Policy(adopted=True)
    deltas = tuple(
        Delta(path, before.entry(path), after.entry(path))
        for path in sorted(base.keys() | head.keys())
        if before.entry(path) != after.entry(path)
    )
    patch = Patch(
        base=before,
        head=after,
        tip=before,
        deltas=deltas,
        policy=policy,
        layout=Layout.of(before, policy),
        kind=PatchKind.AGENT if deltas else PatchKind.EMPTY,
        today=dt.date(2026, 1, 1),
    )
    findings = [finding for rule in rules.load().values() for finding in rule.check(patch)]
    return spend(findings, policy.weights, policy.intent, patch.today).score


@pytest.fixture(scope="session")
def score():
    return score_of


@pytest.fixture(scope="session")
def make_tree():
    return Tree
