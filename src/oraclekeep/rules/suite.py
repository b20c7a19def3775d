"""
The suite's rules in one pass: both sides are read and matched once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oraclekeep.errors import MissingEvidence
from oraclekeep.model import Finding
from oraclekeep.rules import Patch, rule
from oraclekeep.rules.deselected import deselected
from oraclekeep.rules.inputs import inputs
from oraclekeep.rules.lost import gained, lost
from oraclekeep.rules.replaced import patched_for_all, stopped_clocks
from oraclekeep.rules.silenced import skips, unawaited
from oraclekeep.rules.stored import stored

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.rules.study import Study


@rule(
    "oracle-removed",
    "oracle-weakened",
    "expectation-rewritten",
    "test-lost",
    "test-unparsable",
    "skip-outside-quarantine",
    "errors-swallowed",
    "oracle-added",
    "skip-removed",
    "oracle-retired",
    "specimen-skipped",
)
def suite(patch: Patch) -> Iterator[Finding]:
    """
    Compare what the tests of both sides can notice.

    Raises `MissingEvidence` where head's syntax is newer than the Python that runs the kit.
    """
    found = patch.study
    yield from _unparsable(found)
    for reader in (
        lost,
        skips,
        deselected,
        unawaited,
        patched_for_all,
        stopped_clocks,
        inputs,
        stored,
        gained,
    ):
        yield from reader(found)


def _unparsable(found: Study) -> Iterator[Finding]:
    for path, error in sorted(found.new.sources.unparsable.items()):
        if error.newer:
            raise MissingEvidence(
                f"{error}; the syntax may be newer than this Python: run the kit with the newest Python"
            )
        before = [facts for nodeid, facts in found.old.facts.items() if nodeid.split("::")[0] == path]
        if path in found.old.sources.unparsable or found.old.sources.tree.entry(path) is None:
            continue
        oracles = sum(1 for facts in before for check in facts.checks if not check.dead)
        yield Finding(
            path,
            error.line,
            "test-unparsable",
            "",
            f"the file does not parse: {error.words}",
            "Mend the syntax.",
            None,
            None,
            units=max(1, oracles),
        )


@rule("production-only")
def production_only(patch: Patch) -> Iterator[Finding]:
    """
    Say so where a patch touches nothing that judges it.
    """
    layout = patch.layout
    judges = [
        delta
        for delta in patch.deltas
        if layout.is_suite(delta.path)
        or layout.is_test_data(delta.path)
        or layout.is_frozen(delta.path)
        or layout.is_human_owned(delta.path)
    ]
    if patch.deltas and not judges:
        yield Finding(
            patch.deltas[0].path,
            0,
            "production-only",
            message="no test, frozen input or human-owned file changed",
            advice="Nothing to do; the lanes judge the code.",
        )
