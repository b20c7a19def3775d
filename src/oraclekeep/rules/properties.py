"""
Property files under `oracle/properties/`: read by the same engine as tests, owned by humans.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from oraclekeep.model import Finding, PatchKind
from oraclekeep.paths import PytestSettings
from oraclekeep.rules import Patch, rule
from oraclekeep.rules.inputs import inputs
from oraclekeep.rules.lost import lost
from oraclekeep.rules.silenced import skips
from oraclekeep.rules.study import study_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOLDER: Final = "oracle/properties/"
_GOOD: Final = frozenset(
    {"oracle-added", "skip-removed", "specimen-skipped", "oracle-retired", "expectation-rewritten"}
)


@rule("property-removed", "property-added")
def properties(patch: Patch) -> Iterator[Finding]:
    """
    A property that says less is removed; one that is new, and can fail, is a credit of an owner's patch.
    """
    deltas = [delta for delta in patch.deltas if delta.path.startswith(_FOLDER)]
    if not deltas:
        return
    layout = replace(
        patch.layout,
        human_owned=(),
        tests=(_FOLDER,),
        frozen_trees=(),
        frozen_files=(),
        pytest=PytestSettings(),
    )
    found = study_of(patch, (layout, layout), deltas)
    reported: set[str] = set()
    for finding in (*lost(found), *skips(found), *inputs(found)):
        key = finding.test or finding.path
        if finding.row not in _GOOD and key not in reported:
            reported.add(key)
            yield replace(
                finding,
                row="property-removed",
                units=1,
                advice="Restore the property, or add an allowance for it in a patch of its own first.",
            )
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
