"""
What humans own and judge by, read by the same engine as tests: `oracle/properties/` and `invariants/checks/`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from oraclekeep.errors import MissingEvidence
from oraclekeep.model import Finding, PatchKind
from oraclekeep.paths import PytestSettings
from oraclekeep.rules import Patch, rule
from oraclekeep.rules.inputs import inputs
from oraclekeep.rules.lost import lost
from oraclekeep.rules.replaced import patched_for_all
from oraclekeep.rules.silenced import skips, unawaited
from oraclekeep.rules.study import study_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.rules.study import Study

_FOLDER: Final = "oracle/properties/"
_CHECKS: Final = "invariants/checks/"
#: pytest never sees the owner's checks; the engine reads them as if it did.
_CHECK_NAMES: Final = PytestSettings(python_files=("*.py",), python_functions=("check_",), python_classes=())
_GOOD: Final = frozenset(
    {"oracle-added", "skip-removed", "specimen-skipped", "oracle-retired", "expectation-rewritten"}
)


@rule("property-removed", "property-added")
def properties(patch: Patch) -> Iterator[Finding]:
    """
    A property that says less is removed; one that is new, and can fail, is a credit of an owner's patch.
    """
    found = _study(patch, _FOLDER, PytestSettings())
    if found is None:
        return
    yield from _losses(found)
    if patch.kind is not PatchKind.OWNER:
        return
    became = {place for places in found.matching.became.values() for place in places}
    for nodeid, facts in sorted(found.new.facts.items()):
        if (
            nodeid not in found.old.collected
            and nodeid not in became
            and any(not check.dead for check in facts.checks)
            and not facts.gates
        ):
            yield Finding(
                facts.place.path,
                facts.place.line,
                "property-added",
                nodeid,
                "a property was added",
                "Give it a fault in oracle/known_fail/ to prove that it is alive.",
                None,
                facts.place.text,
            )


@rule("property-removed")
def inventory_checks(patch: Patch) -> Iterator[Finding]:
    """
    A check of the owner's own that can fail in fewer ways weakens every property that names it.
    """
    found = _study(patch, _CHECKS, _CHECK_NAMES)
    if found is not None:
        yield from _losses(found)


def _study(patch: Patch, folder: str, collected: PytestSettings) -> Study | None:
    """
    Read one human-owned folder as a suite of its own; None where the patch leaves it alone.
    """
    deltas = [delta for delta in patch.deltas if delta.path.startswith(folder)]
    if not deltas:
        return None
    layout = replace(
        patch.layout,
        human_owned=(),
        tests=(folder,),
        frozen_trees=(),
        frozen_files=(),
        pytest=collected,
    )
    return study_of(patch, (layout, layout), deltas)


def _losses(found: Study) -> Iterator[Finding]:
    """
    Yield a finding for each property or check that says less than before.

    Raises `MissingEvidence` where head's syntax is newer than the Python that runs the kit.
    """
    yield from _unparsable(found)
    reported: set[str] = set()
    for finding in (
        *lost(found),
        *skips(found),
        *unawaited(found),
        *patched_for_all(found),
        *inputs(found),
    ):
        key = finding.test or finding.path
        if finding.row not in _GOOD and key not in reported:
            reported.add(key)
            yield replace(
                finding,
                row="property-removed",
                units=1,
                advice="Restore it, or add an allowance for it in a patch of its own first.",
            )


def _unparsable(found: Study) -> Iterator[Finding]:
    for path, error in sorted(found.new.sources.unparsable.items()):
        if error.newer:
            raise MissingEvidence(
                f"{error}; the syntax may be newer than this Python: run the kit with the newest Python"
            )
        if path not in found.old.sources.unparsable and found.patch.base.entry(path) is not None:
            message = f"the file does not parse: {error.words}"
            yield Finding(path, error.line, "property-removed", "", message, "Mend the syntax.")
