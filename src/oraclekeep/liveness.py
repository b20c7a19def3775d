"""
Which properties no known fault turns red, as the last `nox -s liveness` of the same run found (SPEC §5.6).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from oraclekeep.lanekit.plan import LIVENESS
from oraclekeep.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


def dead_properties(gate: Path, run: Mapping[str, Any]) -> frozenset[str]:
    """
    Return their ids; none where there is no report, or one of another run.

    A report can take a credit away and never give one, so there is nothing to forge in it.
    """
    try:
        report = json.loads((gate / "evidence" / f"{LIVENESS}.json").read_bytes())
        wanted = {**{key: run[key] for key in ("base", "head", "kit")}, "nonce": run[LIVENESS]["nonce"]}
        if any(report[key] != value for key, value in wanted.items()):
            return frozenset()
        return frozenset(map(str, report["properties"]["dead"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return frozenset()


def dead_notes(dead: frozenset[str], score: Mapping[str, Any]) -> Iterator[Finding]:
    """
    Yield a note for each dead property, but for those whose credit the verdict takes away and says so.
    """
    earning = {one.get("test") for one in score["findings"] if one["rule"] == "property-added"}
    for name in sorted(dead - earning):
        place = name.partition("::")[0] if "::" in name else "invariants/inventory.yaml"
        message = f"property {name} stays green with every fault of oracle/known_fail/ that names it"
        yield Finding(place, 0, "dead-property", name, message, "Make it stricter, or correct the fault.")
