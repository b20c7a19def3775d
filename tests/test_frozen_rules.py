"""
Frozen bytes change only as a human said they would, and locks only with a note.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from oraclekeep.errors import ConfigError
from oraclekeep.model import PatchKind
from oraclekeep.policy.digests import NOTHING, digest_of, file_digest, sha256
from oraclekeep.rules.frozen import frozen_inputs
from oraclekeep.rules.owned import write_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oraclekeep.model import Finding

OLD, NEW, OTHER = b'["a"]\n', b'["a", "b"]\n', b"[]\n"
TREE, FILE = "tests/fixtures", "tests/fixtures/s.json"
TREES, FILES, INTENT = "oracle/fixtures.lock", "invariants/fixture.lock.json", "oracle/intent.json"
INVENTORY, GATE = "invariants/inventory.yaml", "oracle/gate.yaml"
CODE = {"src/pkg/__init__.py": "x = 2\n"}


def tree_of(data: bytes, **more: bytes) -> str:
    """
    Return the digest of the fixture tree with these bytes, and with other files by their stems.
    """
    files = {"s.json": data, **{f"{name}.json": each for name, each in more.items()}}
    return digest_of(sorted(files.items()))


def locks(data: bytes) -> dict[str, str]:
    return {TREES: f"{tree_of(data)}\n", FILES: json.dumps({FILE: sha256(data)})}


def notes(*pairs: tuple[str, str]) -> dict[str, str]:
    """
    Return `oracle/intent.json` with a note for each (name, digest).
    """
    entries = [
        {"path" if name.endswith(".json") else "tree": name, "digest": digest, "reason": "r"}
        for name, digest in pairs
    ]
    return {INTENT: json.dumps({"fixture_changes": entries})}


def inventory(note: str, other: str = "o") -> dict[str, str]:
    rows = [
        {
            "id": id_,
            "module": "pkg",
            "fn": "f",
            "seed": 1,
            "fixture": FILE,
            "note": each,
            "checks": ["idempotent"],
        }
        for id_, each in (("p", note), ("q", other))
    ]
    return {INVENTORY: json.dumps({"version": 1, "properties": rows})}


BOTH_NEW = notes((TREE, tree_of(NEW)), (FILE, sha256(NEW)))
BASE = {"src/pkg/__init__.py": "x = 1\n", FILE: OLD, **locks(OLD), **notes()}
UPDATE = {FILE: NEW, **locks(NEW), **BOTH_NEW, **inventory("m", "n")}


@pytest.fixture
def judge(make_repo, patch_of):
    """
    Return a function from base files and head files to the kind of the patch and the findings.
    """

    def run(base: Mapping[str, Any], head: Mapping[str, Any]) -> tuple[PatchKind, list[Finding]]:
        repo = make_repo()
        repo.commit({**BASE, **inventory("n"), **base})
        repo.git("checkout", "--quiet", "-b", "patch")
        repo.commit(head)
        patch = patch_of(repo)
        return patch.kind, [*frozen_inputs(patch), *write_set(patch)]

    return run


AGENT, OWNER, MIXED = PatchKind.AGENT, PatchKind.OWNER, PatchKind.MIXED
DRIFT, STALE, SILENT = "fixture-drift", "lock-stale", "lock-without-intent"
CASES = {
    "nothing frozen changes": ({}, CODE, AGENT, set()),
    "bytes with code": ({}, {FILE: NEW, **CODE}, MIXED, {DRIFT, "write-set"}),
    "bytes alone": ({}, {FILE: NEW}, OWNER, {DRIFT}),
    "a new file in the tree": ({}, {"tests/fixtures/t.json": "1"}, OWNER, {DRIFT}),
    "a file that is gone": ({}, {FILE: None}, OWNER, {DRIFT}),
    "the locks follow, without a note": ({}, {FILE: NEW, **locks(NEW)}, OWNER, {DRIFT, SILENT}),
    "all of it together": ({}, UPDATE, OWNER, {"fixture-updated"}),
    "all of it, with code": ({}, {**UPDATE, **CODE}, MIXED, {DRIFT, SILENT, "write-set"}),
    "one property keeps its note": (
        {},
        {**UPDATE, **inventory("m", "o")},
        OWNER,
        {"fixture-updated", DRIFT, SILENT},
    ),
    "no note for the file": (
        {},
        {**UPDATE, **notes((TREE, tree_of(NEW)))},
        OWNER,
        {"fixture-updated", DRIFT, SILENT},
    ),
    "no note for the tree": (
        {},
        {**UPDATE, **notes((FILE, sha256(NEW)))},
        OWNER,
        {"fixture-updated", DRIFT, SILENT},
    ),
    "the note is for other bytes": (
        {},
        {**UPDATE, **notes((TREE, tree_of(OTHER)), (FILE, sha256(OTHER)))},
        OWNER,
        {DRIFT, SILENT},
    ),
    "the file's lock stays": (
        {},
        {**UPDATE, FILES: json.dumps({FILE: sha256(OLD)}, indent=1)},
        OWNER,
        {"fixture-updated", DRIFT},
    ),
    "the new lock is of other bytes": ({}, {**UPDATE, FILE: OTHER}, OWNER, {STALE, DRIFT}),
    "a lock moves alone": ({}, {TREES: f"{tree_of(NEW)}\n", **BOTH_NEW}, OWNER, {STALE}),
    "announced bytes with code": (BOTH_NEW, {FILE: NEW, **CODE}, AGENT, {"fixture-announced"}),
    "announced bytes alone": (BOTH_NEW, {FILE: NEW}, OWNER, {"fixture-announced"}),
    "other bytes than announced": (BOTH_NEW, {FILE: OTHER, **CODE}, MIXED, {DRIFT, "write-set"}),
    "announced bytes and another file": (
        BOTH_NEW,
        {FILE: NEW, "tests/fixtures/t.json": "1"},
        OWNER,
        {DRIFT, "fixture-announced"},
    ),
    "an announcement of the patch's own": ({}, {FILE: NEW, **BOTH_NEW, **CODE}, MIXED, {DRIFT, "write-set"}),
    "the owner locks what was announced": (
        {FILE: NEW, **BOTH_NEW},
        {**locks(NEW), **inventory("m", "n")},
        OWNER,
        set(),
    ),
    "announced bytes that landed are not stale": ({FILE: NEW, **BOTH_NEW}, CODE, AGENT, set()),
    "stale locks and code": ({FILE: NEW}, CODE, AGENT, {STALE}),
    "stale locks are renewed": (
        {FILE: NEW},
        {**locks(NEW), **BOTH_NEW, **inventory("m", "n")},
        OWNER,
        set(),
    ),
    "stale locks are renewed without a note": ({FILE: NEW}, locks(NEW), OWNER, {SILENT}),
    "the bytes that the lock knows come back": ({FILE: NEW}, {FILE: OLD}, OWNER, set()),
    "they come back with code": ({FILE: NEW}, {FILE: OLD, **CODE}, MIXED, {STALE, "write-set"}),
    "the tree's lock is dropped": ({}, {TREES: None}, OWNER, {SILENT}),
    "the file's lock is dropped": ({}, {FILES: "{}"}, OWNER, {SILENT}),
    "the file's lock is dropped with a note": (
        {},
        {FILES: "{}", **notes((FILE, NOTHING)), **inventory("m", "n")},
        OWNER,
        set(),
    ),
    "a lock for another tree": (
        {"tests/more/x.json": OLD},
        {
            TREES: f"{tree_of(OLD)}  {TREE}\n{digest_of([('x.json', OLD)])}  tests/more\n",
            **notes(("tests/more", digest_of([("x.json", OLD)]))),
        },
        OWNER,
        set(),
    ),
    "the head's lock makes no owner of an agent": (
        {},
        {TREES: f"{tree_of(OLD)}  {TREE}\n{NOTHING}  src\n", **notes(("src", NOTHING)), **CODE},
        MIXED,
        {STALE, SILENT, "write-set"},
    ),
}


@pytest.mark.parametrize(("base", "head", "kind", "expected"), CASES.values(), ids=CASES)
def test_bytes_locks_and_notes(judge, base, head, kind, expected):
    actual, findings = judge(base, head)

    assert kind is actual
    assert {finding.row for finding in findings} == expected


def test_a_locked_file_that_base_does_not_have_is_said_to_be_missing(judge):
    """
    The digest of nothing would read like that of a file.
    """
    base = {FILES: json.dumps({FILE: sha256(OLD), "tests/gone.json": sha256(OLD)})}
    _, (finding,) = judge(base, CODE)

    assert finding.message == f"at base, {FILES} locks tests/gone.json, where nothing is"
    assert finding.after is None


def test_an_addition_may_be_allowed(judge):
    """
    Files may arrive, together with code; what stands stays frozen.
    """
    base = {GATE: "fixtures: {additions: allow}\n"}
    kind, found = judge(base, {"tests/fixtures/t.json": "1", **CODE})

    assert (kind, found) == (PatchKind.AGENT, [])


def test_an_allowed_addition_frees_no_other_byte(judge):
    base = {GATE: "fixtures: {additions: allow}\n", "tests/fixtures/t.json": "1"}
    kind, found = judge(base, {"tests/fixtures/u.json": "1", "tests/fixtures/t.json": "2", **CODE})

    assert kind is PatchKind.MIXED
    assert {DRIFT, "write-set"} == {finding.row for finding in found}


def test_a_tree_that_the_settings_name_needs_no_lock_to_be_frozen(judge):
    base = {GATE: "fixtures: [tests/fixtures, tests/golden]\n", TREES: f"{tree_of(OLD)}  {TREE}\n"}
    base["tests/golden/g.txt"] = "1"
    _, found = judge(base, {"tests/golden/g.txt": "2"})

    assert [finding.row for finding in found] == [DRIFT]


def test_the_order_of_keys_carries_no_meaning_where_the_lock_says_so(judge):
    base = {
        FILE: b'{"a": 1, "b": 2}',
        FILES: json.dumps({FILE: {"sha256": file_digest(b'{"b":2,"a":1}', "json"), "canonical": "json"}}),
        "tests/none/s.json": OLD,
        TREES: f"{tree_of(OLD)}  tests/none\n",
    }
    _, same = judge(base, {FILE: b'{"b": 2, "a": 1}\n'})

    assert same == []


@pytest.mark.parametrize("target", ["../data/s.json", "/etc/hosts", "s2/../../data/s.json"])
def test_a_link_out_of_the_tree_is_drift_whatever_the_locks_say(make_repo, patch_of, target):
    """
    The digest of a link is that of its target's name; what it reads is known to no lock.
    """
    repo = make_repo()
    repo.commit({**BASE, **inventory("n"), "tests/data/s.json": OLD})
    repo.git("checkout", "--quiet", "-b", "patch")
    (repo.root / FILE).unlink()
    (repo.root / FILE).symlink_to(target)
    text = target.encode()
    new = notes((TREE, tree_of(text)), (FILE, sha256(text)))
    repo.commit({**locks(text), **new, **inventory("m", "n")})

    assert DRIFT in {finding.row for finding in frozen_inputs(patch_of(repo))}


def test_a_file_that_turns_into_a_link_with_the_same_bytes_is_drift(make_repo, patch_of):
    repo = make_repo()
    base = {**BASE, FILE: b"t.json", "tests/fixtures/t.json": OLD, FILES: "{}"}
    repo.commit({**base, TREES: f"{tree_of(b't.json', t=OLD)}\n"})
    repo.git("checkout", "--quiet", "-b", "patch")
    (repo.root / FILE).unlink()
    (repo.root / FILE).symlink_to("t.json")
    repo.commit()
    (found,) = frozen_inputs(patch_of(repo))

    assert (found.row, found.path) == (DRIFT, FILE)


@pytest.mark.parametrize(
    ("line", "expected"),
    [("*.json text eol=crlf\n", [DRIFT]), ("*.py text\n", []), ("*.json linguist-generated\n", [])],
)
def test_attributes_of_frozen_paths_are_frozen(judge, line, expected):
    kind, found = judge({FILES: "{}"}, {".gitattributes": line})

    assert [finding.row for finding in found] == expected
    assert (kind is PatchKind.OWNER) == bool(expected)


def test_attributes_with_code_are_a_mixed_patch(judge):
    kind, _ = judge({}, {".gitattributes": "*.json -text\n", **CODE})

    assert kind is PatchKind.MIXED


def test_an_owner_may_change_attributes_with_a_fresh_note(judge):
    head = {".gitattributes": "*.json -text\n", **notes((TREE, tree_of(OLD)))}
    _, found = judge({FILES: "{}"}, head)

    assert [finding.row for finding in found] == ["fixture-updated"]


def test_an_old_note_frees_no_attributes(judge):
    base = {FILES: "{}", **notes((TREE, tree_of(OLD)))}
    _, found = judge(base, {".gitattributes": "*.json -text\n"})

    assert [finding.row for finding in found] == [DRIFT]


def test_a_mode_bit_is_no_byte(make_repo, patch_of):
    repo = make_repo()
    repo.commit({**BASE, **inventory("n")})
    repo.git("checkout", "--quiet", "-b", "patch")
    (repo.root / FILE).chmod(0o755)
    repo.commit()

    assert list(frozen_inputs(patch_of(repo))) == []


def test_a_git_lfs_pointer_is_named(judge):
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'a' * 64}\nsize 3\n"
    _, found = judge({}, {FILE: pointer})

    assert any("Git LFS pointer" in finding.message for finding in found)


def test_bytes_that_base_gained_meanwhile_are_not_the_patchs(make_repo, patch_of):
    """
    The patch is judged by what lands, not by its own old copy of the tree.
    """
    repo = make_repo()
    repo.commit({**BASE, **inventory("n")})
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit(CODE)
    repo.git("checkout", "--quiet", "main")
    repo.commit(UPDATE)

    assert list(frozen_inputs(patch_of(repo, head="patch"))) == []


def test_before_adoption_nothing_is_frozen(make_repo, patch_of):
    repo = make_repo()
    repo.commit({FILE: OLD})
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit({**BASE, FILE: NEW})

    assert list(frozen_inputs(patch_of(repo))) == []


def test_a_lock_of_head_that_cannot_be_read_is_not_judged(judge):
    with pytest.raises(ConfigError, match=r"fixtures\.lock:1: not a lock line.*\(in head\)"):
        judge({}, {TREES: "x\n"})
