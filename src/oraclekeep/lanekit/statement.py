"""
A replay's evidence as an in-toto statement with the test-result predicate, made from what the run left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .inventory_classes import CALM, PASS

if TYPE_CHECKING:
    from collections.abc import Mapping

STATEMENT: Final = "https://in-toto.io/Statement/v1"
PREDICATE: Final = "https://in-toto.io/attestation/test-result/v0.1"


def statement(run: Mapping[str, Any], facts: Mapping[str, Any], *, tainted: bool) -> dict[str, Any]:
    """
    Return the statement's keys, or none where head is a working copy: nobody else could replay that.

    Its subjects are the head commit, the policy's tree and the inventory.  The predicate knows three results
    and no runner, so the classes, the runner and its environment stand in annotations.
    """
    if ":" in run["head"]:
        return {}
    rows = facts["inventory"]["properties"]
    passed = [row["prop_id"] for row in rows if row["status"] == PASS]
    failed = [row["prop_id"] for row in rows if row["votes"] and row["status"] not in CALM]
    warned = [row["prop_id"] for row in rows if row["prop_id"] not in {*passed, *failed}]
    inventory = {"name": "inventory", "digest": {"sha256": facts["inventory_sha256"]}}
    about = {
        "runner": facts["runner"],
        "environment": facts["environment"],
        "classes": {row["prop_id"]: row["status"] for row in rows},
    }
    return {
        "_type": STATEMENT,
        "subject": [
            {"name": "head", "digest": {"gitCommit": run["head"]}},
            {"name": "policy", "digest": {"gitTree": facts["policy_tree"]}},
            inventory,
        ],
        "predicateType": PREDICATE,
        "predicate": {
            "result": "FAILED" if failed or tainted else "WARNED" if warned or not rows else "PASSED",
            "configuration": [{**inventory, "annotations": about}],
            "passedTests": passed,
            "warnedTests": warned,
            "failedTests": failed,
        },
    }
