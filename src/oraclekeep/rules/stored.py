"""
Data files beside the tests: what they hold is an expected value, or the input it belongs to (SPEC §2).

Frozen trees and locked files have rows of their own.  What is not locked can still be regenerated blindly
(PITFALLS T13): golden files, snapshots, recorded answers.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.model import Finding
from oraclekeep.oracles.collect import tests_in
from oraclekeep.oracles.extract import facts_of
from oraclekeep.policy.frozen import FrozenInputs, Unit
from oraclekeep.policy.landing import Landing
from oraclekeep.rules.study import is_listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.model import Delta, Policy
    from oraclekeep.rules import Patch
    from oraclekeep.rules.study import Study

_ENTRY: Final = re.compile(rb"^# name: ", re.MULTILINE)
_ROWS: Final = frozenset({"jsonl", "ndjson", "csv", "tsv"})
_SHORTEST_WORD: Final = 4


def stored(study: Study) -> Iterator[Finding]:
    """
    Yield a finding for each data file that base's tests read and that lost or changed something.
    """
    patch = study.patch
    moved = {delta.new.oid for delta in patch.deltas if delta.new is not None and delta.old is None}
    for delta in patch.deltas:
        if delta.old is None or delta.same_bytes or _is_locked(patch.policy, delta.path):
            continue
        if not patch.layout.is_test_data(delta.path):
            continue
        if delta.new is None and delta.old.oid in moved:
            continue
        if _only_grew(delta.path, patch.base.read(delta.path) or b"", patch.head.read(delta.path)):
            continue
        readers = _readers(study, delta)
        if readers and not _is_intended(study, readers) and not _is_announced(patch, delta.path):
            what = "is gone" if delta.new is None else "changed"
            yield Finding(
                delta.path,
                1 if delta.new is not None else 0,
                "expectation-rewritten",
                message=f"the data that {readers[0]} reads {what}, "
                "and the modules concerned are not listed as intended",
                advice="Restore the file; if the change of behaviour is wanted, an owner lists the module in "
                "allow_behavior_change.",
            )


def _is_locked(policy: Policy, path: str) -> bool:
    """
    Return whether the rows about frozen bytes judge the file: base has a lock or a setting for it.
    """
    trees = (*policy.tree_locks, *policy.settings.fixtures)
    held = path in policy.file_locks or any(path == tree or path.startswith(f"{tree}/") for tree in trees)
    return policy.adopted and held


def _is_announced(patch: Patch, path: str) -> bool:
    """
    Return whether a note of base announces the bytes that land, though no lock knows the file.
    """
    notes = patch.policy.intent.fixture_changes
    units = {Unit(note.tree or note.path, is_tree=bool(note.tree)) for note in notes}
    inputs = FrozenInputs(patch.deltas, patch.policy, patch.tip, Landing(patch.tip, patch.head, patch.deltas))
    return any(unit.holds(path) and inputs.announced(unit, landed=True) for unit in units)


def _only_grew(path: str, old: bytes, new: bytes | None) -> bool:
    """
    Return whether everything that the file held is still there, in a format where what is added stands apart.
    """
    if new is None:
        return False
    if old.split() == new.split():
        return True
    suffix = path.rpartition(".")[2].lower()
    if suffix == "ambr":
        return not Counter(_entries(old)) - Counter(_entries(new))
    if suffix in _ROWS:
        return _begins(_rows(suffix, old), _rows(suffix, new))
    if suffix == "json":
        before, after = _json(old), _json(new)
        return before == after or (
            isinstance(before, list) and isinstance(after, list) and _begins(before, after)
        )
    return False


def _begins(old: list[Any], new: list[Any]) -> bool:
    """
    Return whether the old rows all stand in the new ones, in their order.
    """
    rest = iter(new)
    return bool(old) and all(any(row == other for other in rest) for row in old)


def _entries(data: bytes) -> list[bytes]:
    return [entry.strip() for entry in _ENTRY.split(data)[1:]]


def _rows(suffix: str, data: bytes) -> list[Any]:
    lines = data.decode("utf-8", "surrogateescape").splitlines()
    if suffix in {"csv", "tsv"}:
        return list(csv.reader(lines, delimiter="\t" if suffix == "tsv" else ","))
    return [line.strip() for line in lines if line.strip()]


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return data


def _readers(study: Study, delta: Delta) -> list[str]:
    """
    Return the test files that name the data file, its stem or its folder; of a deleted one, head's only.
    """
    tree = (study.new if delta.new is None else study.old).sources.tree
    layout = study.patch.layout
    parts = delta.path.split("/")
    if "__snapshots__" in parts[:-1]:
        folder, stem = "/".join(parts[: parts.index("__snapshots__")]), parts[-1].partition(".")[0]
        homes = (f"{folder}/{name}.py".lstrip("/") for name in (stem, parts[-2]))
        return [path for path in homes if tree.entry(path) is not None]
    words = [parts[-1]]
    words += [word for word in (parts[-1].partition(".")[0],) if len(word) >= _SHORTEST_WORD]
    words += parts[1:-1][-1:]
    quoted = re.compile(
        rb"[\"'/](?:"
        + b"|".join(re.escape(word.encode("utf-8", "surrogateescape")) for word in words)
        + rb")[\"'/.]"
    )
    return [
        path
        for path in tree.under("")
        if (layout.is_test_file(path) or layout.is_test_support(path))
        and quoted.search(tree.read(path) or b"")
    ]


def _is_intended(study: Study, readers: list[str]) -> bool:
    """
    May what the file holds change?  If no production code changed, all that its readers use must be listed.
    """
    patch = study.patch
    if patch.intend_all:
        return True
    if study.changed:
        return all(is_listed(patch, path) for path in study.changed)
    if not patch.policy.intent.allow_behavior_change:
        return False
    sources = study.new.sources
    used = set()
    for path in readers:
        module = sources.module(path)
        for test in tests_in(sources, module).values() if module is not None else ():
            for use in facts_of(sources, test).uses:
                dotted, _, member = use.partition(":")
                definer = sources.defines(dotted, member)
                used |= {definer[0]} if definer is not None else set()
    return bool(used) and all(is_listed(patch, path) for path in used)
