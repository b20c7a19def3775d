"""
The human-owned files of one tree as one value.

Base's tip decides how head is judged, so callers read the policy of the tip; head's is only reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oraclekeep.model import Policy
from oraclekeep.policy.files import read_file_locks, read_intent, read_settings, read_tree_locks, read_weights
from oraclekeep.policy.ledgers import read_inventory, read_quarantine

if TYPE_CHECKING:
    from oraclekeep.model import Snapshot

__all__ = ["is_adopted", "read_policy"]

_PROPERTIES = "oracle/properties"


def read_policy(tree: Snapshot) -> Policy:
    """
    Read every human-owned file of a tree; one that has no `oracle/` has the defaults.

    Raises `ConfigError` with `file:line` for a file that says something the gate does not understand.
    """
    if not is_adopted(tree):
        return Policy()
    settings = read_settings(tree)
    return Policy(
        adopted=True,
        weights=read_weights(tree),
        intent=read_intent(tree),
        tree_locks=read_tree_locks(tree, settings),
        file_locks=read_file_locks(tree),
        quarantine=read_quarantine(tree),
        inventory=read_inventory(tree),
        has_properties=any(_is_property_file(path) for path in tree.under(_PROPERTIES)),
        settings=settings,
    )


def is_adopted(tree: Snapshot) -> bool:
    """
    Return whether the repository has an `oracle/`.
    """
    return bool(tree.under("oracle"))


def _is_property_file(path: str) -> bool:
    name = path.rpartition("/")[2]
    return (
        name.endswith(".py")
        and name not in ("conftest.py", "__init__.py")
        and (name.startswith("test_") or name.endswith("_test.py"))
    )
