"""
Oracle power: the checks that a tree's tests hold (SPEC §4.5).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oraclekeep.git import Repo, TreeSnapshot
from oraclekeep.oracles.collect import tests_in
from oraclekeep.oracles.extract import facts_of
from oraclekeep.oracles.source import Sources
from oraclekeep.oracles.strength import rank
from oraclekeep.paths import Layout
from oraclekeep.policy import read_policy

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Power:
    """
    The oracles of one tree: how many, weighted by strength (60 for an exact value), by kind and by test.
    """

    commit: str
    total: int
    weighted: int
    by_kind: Mapping[str, int]
    by_test: Mapping[str, int]
    unreadable: tuple[str, ...]


def power_of(root: Path, ref: str) -> Power:
    """
    Count a tree.  Raises `MissingEvidence` for an unknown ref, `ConfigError` for a bad policy file.
    """
    repo = Repo.at(root)
    commit = repo.resolve(ref)
    kinds: Counter[str] = Counter()
    tests: dict[str, int] = {}
    weighted = 0
    with repo.blobs() as blobs:
        tree = TreeSnapshot(repo, blobs, commit)
        layout = Layout.of(tree, read_policy(tree))
        sources = Sources(tree, layout)
        for path in tree.under(""):
            module = sources.module(path) if layout.is_test_file(path) else None
            for nodeid, test in (tests_in(sources, module) if module is not None else {}).items():
                live = [check for check in facts_of(sources, test).checks if not check.dead]
                tests[nodeid] = len(live)
                kinds.update(str(check.kind) for check in live)
                weighted += sum(rank(check) for check in live)
        return Power(
            commit,
            sum(tests.values()),
            weighted,
            dict(kinds.most_common()),
            tests,
            tuple(sorted(sources.unparsable)),
        )
