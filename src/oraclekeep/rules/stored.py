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
from oraclekeep.oracles.recorded import entries, file_of, names_of
from oraclekeep.policy.frozen import FrozenInputs, Unit
from oraclekeep.policy.landing import Landing
from oraclekeep.rules.contents import WHY
from oraclekeep.rules.study import definers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.model import Delta
    from oraclekeep.oracles.source import Sources
    from oraclekeep.rules import Patch
    from oraclekeep.rules.study import Study

_ENTRY: Final = re.compile(rb"^# name: ", re.MULTILINE)
_ROWS: Final = frozenset({"jsonl", "ndjson", "csv", "tsv"})
_SHORTEST_WORD: Final = 4
#: Where tools store what the tests of a file are compared with, and what such a file says of them.
_NAMED_AFTER: Final = (
    (re.compile(r"(.*/)?([^/.]+)/[^/]+\.[a-z]+"), b"_regression"),
    (re.compile(r"(.*/)?([^/.]+)\.[^/]+\.approved\.\w+"), b"approvaltests"),
    (re.compile(r"(.*/)?cassettes/([^/.]+)/[^/]+\.(?:ya?ml|json)"), b"vcr"),
)
#: What stands after a quote or a slash, up to the next one or to a dot.
_QUOTED: Final = re.compile(rb"(?<=[\"'/])[^\"'/\n]+(?=[\"'/.])")


def stored(study: Study) -> Iterator[Finding]:
    """
    Yield a finding for each data file that base's tests read and that lost or changed something.

    The rows about frozen bytes judge what a lock of base knows, or what base says is frozen.
    """
    patch = study.patch
    land = Landing(patch.tip, patch.head, patch.deltas)
    frozen = FrozenInputs(patch.deltas, patch.policy, patch.tip, land)
    moved = {
        delta.new.oid: delta.path for delta in patch.deltas if delta.new is not None and delta.old is None
    }
    changed = [
        delta
        for delta in patch.deltas
        if delta.old is not None
        and not delta.same_bytes
        and patch.layout.is_test_data(delta.path)
        and not (patch.policy.adopted and frozen.holds(delta.path))
        and not (delta.new is None and _moved(study, delta.path, moved.get(delta.old.oid)))
        and not _only_grew(delta.path, patch.base.read(delta.path) or b"", patch.head.read(delta.path))
        and not _told_elsewhere(study, delta.path)
    ]
    for delta, readers in _read(study, changed):
        if not _is_intended(study, readers) and not _is_announced(patch, frozen, delta.path):
            what = "is gone" if delta.new is None else "changed"
            yield Finding(
                delta.path,
                1 if delta.new is not None else 0,
                "expectation-rewritten",
                message=f"the data that {readers[0]} reads {what}, "
                f"and {study.unlisted} not listed as intended",
                advice="Restore the file; if the change of behaviour is wanted, an owner lists the module in "
                "allow_behavior_change.",
            )


def _moved(study: Study, old: str, new: str | None) -> bool:
    """
    Return whether a file only has another name; one that a pattern of the tests no longer finds is gone.
    """
    if new is None:
        return False
    suffix = old.rpartition(".")[2]
    if new.endswith(f".{suffix}"):
        return True
    pattern, layout = f"*.{suffix}".encode(), study.patch.layout
    tree = study.patch.head
    return not any(pattern in (tree.read(path) or b"") for path in tree.under("") if layout.is_suite(path))


def _is_announced(patch: Patch, frozen: FrozenInputs, path: str) -> bool:
    """
    Return whether a note of base announces the bytes that land, though no lock knows the file.
    """
    notes = patch.policy.intent.fixture_changes
    units = {Unit(note.tree or note.path, is_tree=bool(note.tree)) for note in notes}
    return any(unit.holds(path) and frozen.announced(unit, landed=True) for unit in units)


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


def _told_elsewhere(study: Study, path: str) -> bool:
    """
    Return whether each snapshot that went is one of a renamed test now, or is written out in its test.
    """
    if not path.endswith(".ambr"):
        return False
    before, after = (entries(tree.read(path) or b"") for tree in (study.patch.base, study.patch.head))
    if any(after[name] != text for name, text in before.items() if name in after):
        return False
    fresh = {name: text for name, text in after.items() if name not in before}
    owners = {names_of(nodeid): nodeid for nodeid in study.old.facts if file_of(nodeid) == path}
    spelt = Counter(change.test for change in study.matching.changes if change.why == WHY)
    for name in sorted(before.keys() - after.keys()):
        owner = owners.get(re.sub(r"\.\d+$", "", name)) or owners.get(name.partition("[")[0], "")
        heirs = {names_of(nodeid) for nodeid in study.matching.became.get(owner, ())}
        heir = next((other for other in fresh if fresh[other] == before[name] and _is_of(other, heirs)), None)
        if heir is not None:
            del fresh[heir]
        elif spelt[owner] > 0:
            spelt[owner] -= 1
        else:
            return False
    return True


def _is_of(entry: str, tests: set[str]) -> bool:
    return any(entry == name or entry.startswith((f"{name}.", f"{name}[")) for name in tests)


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


def _read(study: Study, changed: list[Delta]) -> Iterator[tuple[Delta, list[str]]]:
    """
    Yield the files that tests read, each with those tests; of a deleted one, head's tests only.
    """
    for side, deltas in (
        (study.old, [delta for delta in changed if delta.new is not None]),
        (study.new, [delta for delta in changed if delta.new is None]),
    ):
        words = {delta.path: _words(delta.path) for delta in deltas}
        naming = _naming(side.sources, frozenset().union(*words.values()))
        for delta in deltas:
            homes = _snapshot_homes(delta.path)
            if delta.new is not None and not homes:  # a test fails where its stored answer is gone
                homes = _own_homes(side.sources, delta.path)
            readers = (
                [path for path in homes if side.sources.tree.entry(path) is not None]
                if homes
                else sorted({path for word in words[delta.path] for path in naming.get(word, ())})
            )
            if readers:
                yield delta, readers


def _snapshot_homes(path: str) -> tuple[str, ...]:
    """
    Return the test files that a snapshot can belong to; empty for any other file.
    """
    parts = path.split("/")
    if "__snapshots__" not in parts[:-1]:
        return ()
    folder = "/".join(parts[: parts.index("__snapshots__")])
    return tuple(f"{folder}/{name}.py".lstrip("/") for name in (parts[-1].partition(".")[0], parts[-2]))


def _own_homes(sources: Sources, path: str) -> tuple[str, ...]:
    """
    Return the test file that a tool has named a stored answer after, where that file uses the tool.
    """
    for pattern, word in _NAMED_AFTER:
        found = pattern.fullmatch(path)
        home = f"{found[1] or ''}{found[2]}.py" if found is not None else ""
        if home and sources.layout.is_suite(home) and word in (sources.tree.read(home) or b""):
            return (home,)
    return ()


def _words(path: str) -> frozenset[bytes]:
    """
    Return what a test may call a data file: its name, its stem or its folder.
    """
    parts = path.split("/")
    stem = parts[-1].partition(".")[0]
    words = {parts[-1], *parts[1:-1][-1:], *([stem] if len(stem) >= _SHORTEST_WORD else [])}
    return frozenset(word.encode("utf-8", "surrogateescape") for word in words)


def _naming(sources: Sources, words: frozenset[bytes]) -> dict[bytes, set[str]]:
    """
    Return the files of the suite that hold each word between quotes or slashes; each file is read once.
    """
    found: dict[bytes, set[str]] = {}
    for path in sources.tree.under("") if words else ():
        if not sources.layout.is_suite(path):
            continue
        for token in set(_QUOTED.findall(sources.tree.read(path) or b"")):
            pieces = token.split(b".")
            for word in (b".".join(pieces[:count]) for count in range(1, len(pieces) + 1)):
                if word in words:
                    found.setdefault(word, set()).add(path)
    return found


def _is_intended(study: Study, readers: list[str]) -> bool:
    """
    May what the file holds change?  If no production code changed, all that its readers use must be listed.
    """
    return study.patch.intend_all or study.allows(lambda: _reach(study.new.sources, readers))


def _reach(sources: Sources, readers: list[str]) -> set[str]:
    modules = (sources.module(path) for path in readers)
    tests = (test for module in modules if module is not None for test in tests_in(sources, module).values())
    return {path for test in tests for path in definers(sources, facts_of(sources, test))}
