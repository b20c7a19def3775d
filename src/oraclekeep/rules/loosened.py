"""
What an owner patch loosens in the policy: notes, shown first, for the people who review it (SPEC §2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from oraclekeep.model import Finding
from oraclekeep.policy import is_adopted
from oraclekeep.policy.documents import read_document
from oraclekeep.policy.files import (
    FILE_LOCKS,
    INTENT,
    SETTINGS,
    TREE_LOCKS,
    WEIGHTS,
    in_head,
    read_file_locks,
    read_intent,
    read_settings,
    read_tree_locks,
    read_weights,
)
from oraclekeep.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from oraclekeep.model import Allowance, GateSettings, Intended, LaneSettings, Snapshot
    from oraclekeep.rules import Patch

_SIGNERS: Final = "oracle/allowed_signers"
#: (setting, its keys in gate.yaml, values from strict to loose).
_LADDERS: Final = (
    ("mode", ("mode",), ("enforce", "observe")),
    ("owners", ("owners",), ("signed", "forge")),
    ("witness", ("witness",), ("required", "optional")),
    ("additions", ("fixtures", "additions"), ("drift", "allow")),
    ("specimens_red", ("specimens", "red"), ("block", "report")),
    ("specimens_proof", ("specimens", "proof"), ("required", "report")),
    ("power", ("power",), ("block", "report", "off")),
)
#: (setting, what leaving the list means, whether entries loosen by arriving).
_LISTS: Final = (
    ("human_owned", "is no longer human-owned", False),
    ("fixtures", "is no longer named as frozen", False),
    ("plugins", "may now load in voting lanes", True),
)
#: Settings that decide what is looked at: any change is shown, since neither direction is strict by itself.
_SCOPES: Final = ("source", "tests", "test_files", "packages")


@rule("policy-loosened")
def policy_loosened(patch: Patch) -> Iterator[Finding]:
    """
    An owner may loosen the policy; nobody may do it unseen.
    """
    if not patch.policy.adopted:
        return
    touched = {delta.path for delta in patch.deltas}
    with in_head():
        if not is_adopted(patch.head):
            yield Finding(
                "oracle/",
                0,
                "policy-loosened",
                "",
                "the patch removes oracle/: nothing is gated after it lands",
            )
        for path, compare in _COMPARED.items():
            if path in touched:
                document = patch.head.read(path)
                lines = (
                    read_document(path, document) if document and path.endswith((".json", ".yaml")) else None
                )
                for keys, message in compare(patch.base, patch.head):
                    line = lines.line(*keys) if lines else 0
                    yield Finding(path, line, "policy-loosened", "", message, "a reviewer should know why")


def _weights(before: Snapshot, after: Snapshot) -> Iterator[tuple[tuple[str, ...], str]]:
    old, new = read_weights(before), read_weights(after)
    for key in type(old).__slots__:
        if getattr(new, key) < getattr(old, key):
            yield (key,), f"weight {key} falls from {getattr(old, key)} to {getattr(new, key)}"


def _intent(before: Snapshot, after: Snapshot) -> Iterator[tuple[tuple[str, ...], str]]:
    old, new = read_intent(before), read_intent(after)
    if new.debit_cap > old.debit_cap:
        yield ("debit_cap",), f"the cap rises from {old.debit_cap} to {new.debit_cap}"
    allowed = {_allowance(each) for each in old.allowances}
    for allowance in new.allowances:
        if _allowance(allowance) not in allowed:
            target = allowance.nodeid or allowance.path or allowance.property
            yield (
                ("allowances",),
                f"{allowance.row} is allowed for {target} until {allowance.expires}: {allowance.reason}",
            )
    intended = {_intended(each) for each in old.allow_behavior_change}
    for entry in new.allow_behavior_change:
        if _intended(entry) not in intended:
            until = f" until {entry.expires}" if entry.expires else ""
            yield ("allow_behavior_change",), f"the behaviour of {entry.path} may change{until}"


def _allowance(each: Allowance) -> tuple[object, ...]:
    return each.row, each.nodeid, each.path, each.property, each.expires


def _intended(each: Intended) -> tuple[object, ...]:
    return each.path, each.expires


def _settings(before: Snapshot, after: Snapshot) -> Iterator[tuple[tuple[str, ...], str]]:
    old, new = read_settings(before), read_settings(after)
    for name, keys, ladder in _LADDERS:
        was, now = getattr(old, name), getattr(new, name)
        if ladder.index(now) > ladder.index(was):
            yield keys, f"{' '.join(keys)} goes from {was} to {now}"
    if new.repeats < old.repeats:
        yield ("repeats",), f"properties are repeated {new.repeats} times, no longer {old.repeats}"
    if new.max_exception_days > old.max_exception_days:
        yield (
            ("max_exception_days",),
            f"exceptions may last {new.max_exception_days} days, no longer {old.max_exception_days}",
        )
    for name, meaning, by_arriving in _LISTS:
        old_items, new_items = getattr(old, name), getattr(new, name)
        ours, others = (new_items, old_items) if by_arriving else (old_items, new_items)
        yield from (((name,), f"{item} {meaning}") for item in ours if item not in others)
    for name in _SCOPES:
        if getattr(old, name) != getattr(new, name):
            yield (name,), f"`{name}` changes from {_words(old, name)} to {_words(new, name)}"
    for lane in sorted({*old.lanes, *new.lanes}):
        for message in _lane(lane, old.lanes.get(lane), new.lanes.get(lane)):
            yield ("lanes", lane), message


def _words(settings: GateSettings, name: str) -> str:
    return ", ".join(getattr(settings, name)) or "the default"


def _lane(name: str, old: LaneSettings | None, new: LaneSettings | None) -> Iterator[str]:
    if new and new.required is False and not (old and old.required is False):
        yield f"lane {name} becomes optional"
    for shard in old.shards if old else ():
        if shard not in (new.shards if new else ()):
            yield f"lane {name} no longer needs its shard {shard}"
    for key in ("command", "env", "setup"):
        if getattr(old, key, None) != getattr(new, key, None) and (
            getattr(old, key, None) or getattr(new, key, None)
        ):
            yield f"`{key}` of lane {name} changes what the lane runs"


def _tree_locks(before: Snapshot, after: Snapshot) -> Iterator[tuple[tuple[str, ...], str]]:
    old, new = read_tree_locks(before, read_settings(before)), read_tree_locks(after, read_settings(after))
    yield from (((), f"tree {tree} is no longer locked") for tree in old if tree not in new)


def _file_locks(before: Snapshot, after: Snapshot) -> Iterator[tuple[tuple[str, ...], str]]:
    old, new = read_file_locks(before), read_file_locks(after)
    for path, lock in old.items():
        if path not in new:
            yield (), f"{path} is no longer locked"
        elif new[path].canonical and not lock.canonical:
            yield (path,), f"the lock of {path} no longer sees the order of keys"


def _signers(before: Snapshot, after: Snapshot) -> Iterator[tuple[tuple[str, ...], str]]:
    old, new = (set((tree.read(_SIGNERS) or b"").splitlines()) for tree in (before, after))
    if new - old:
        yield (
            (),
            f"{len(new - old)} line(s) of signers are new: they prove ownership from the next patch on",
        )


_COMPARED: Final[Mapping[str, Any]] = {
    WEIGHTS: _weights,
    INTENT: _intent,
    SETTINGS: _settings,
    TREE_LOCKS: _tree_locks,
    FILE_LOCKS: _file_locks,
    _SIGNERS: _signers,
}
