"""
Trees held in memory, scored by every rule of the gate without a repository.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oraclekeep import rules
from oraclekeep.budget import spend
from oraclekeep.model import Delta, Entry, PatchKind
from oraclekeep.paths import Layout
from oraclekeep.policy import read_policy
from oraclekeep.rules import Patch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oraclekeep.model import Charge, Spend


@dataclass(frozen=True)
class Tree:
    """
    A tree held in memory: a `Snapshot` like those read from Git.
    """

    files: Mapping[str, bytes]
    commit: str = "0" * 40

    def entry(self, path: str) -> Entry | None:
        return Entry("100644", str(hash(self.files[path]))) if path in self.files else None

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def under(self, folder: str) -> Mapping[str, Entry]:
        prefix = folder.rstrip("/") + "/" if folder else ""
        return {
            path: Entry("100644", str(hash(data)))
            for path, data in sorted(self.files.items())
            if path.startswith(prefix)
        }


def judge(base: Mapping[str, bytes], head: Mapping[str, bytes]) -> Spend:
    """
    Score the patch from one tree to the other with every rule of the gate.
    """
    old, new = Tree(base), Tree(head)
    policy = read_policy(old)
    paths = sorted(path for path in base.keys() | head.keys() if base.get(path) != head.get(path))
    patch = Patch(
        base=old,
        head=new,
        tip=old,
        deltas=tuple(Delta(path, old.entry(path), new.entry(path)) for path in paths),
        policy=policy,
        layout=Layout.of(old, policy),
        kind=PatchKind.AGENT,
        today=dt.date(2024, 6, 1),
    )
    findings = [finding for rule in rules.load().values() for finding in rule.check(patch)]
    return spend(findings, policy.weights, policy.intent, patch.today)


def losses(spent: Spend) -> list[Charge]:
    """
    Return the charges that reject.
    """
    return [charge for charge in spent.charges if charge.kind in ("negative", "undefined")]
