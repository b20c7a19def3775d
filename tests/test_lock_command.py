"""
`invoke lock` writes what Git would store, and nothing else.
"""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

import pytest
from invoke.context import Context
from invoke.exceptions import Exit

from oraclekeep.commands.owning import lock
from oraclekeep.errors import ConfigError, UsageError
from oraclekeep.policy.digests import NOTHING, digest_of, file_digest, sha256
from oraclekeep.rules.frozen import frozen_inputs

if TYPE_CHECKING:
    from conftest import GitRepo

TREES, FILES, INTENT = "oracle/fixtures.lock", "invariants/fixture.lock.json", "oracle/intent.json"
INVENTORY, FILE = "invariants/inventory.yaml", "tests/fixtures/s.json"
ONE = "{id: p, module: pkg, fn: f, seed: 1, fixture: tests/fixtures/s.json, note: %s, checks: [idempotent]}"
BASE = {
    "oracle/weights.json": "{}",
    INTENT: '{\n    "allow_behavior_change": ["src/a.py"],\n    "debit_cap": 3\n}\n',
    INVENTORY: f"version: 1\nproperties:\n  - {ONE % 'n'}\n",
    FILE: "[1]\n",
}


@pytest.fixture
def repo(make_repo) -> GitRepo:
    """
    A repository whose locks are right.
    """
    made = make_repo()
    made.commit(BASE)
    lock(Context(), tree=str(made.root))
    made.commit(message="lock")
    return made


def files(repo: GitRepo) -> dict[str, str]:
    names = (TREES, FILES, INTENT)
    return {name: (repo.root / name).read_text("utf-8") for name in names if (repo.root / name).exists()}


def tree(data: bytes) -> str:
    return digest_of([("s.json", data)])


def test_both_locks_are_written(repo):
    """
    One tree has the short form; a file of the inventory is locked by itself.
    """
    assert files(repo)[TREES] == tree(b"[1]\n") + "\n"
    assert json.loads(files(repo)[FILES]) == {FILE: sha256(b"[1]\n")}


def test_nothing_to_do_changes_nothing(repo, capsys):
    before = files(repo)
    lock(Context(), tree=str(repo.root), note="why")

    assert "up to date" in capsys.readouterr().out
    assert before == files(repo)


def test_a_check_names_what_is_stale_and_writes_nothing(repo, capsys):
    repo.write({FILE: "[2]\n"})
    before = files(repo)
    with pytest.raises(Exit) as caught:
        lock(Context(), tree=str(repo.root), check=True)

    assert caught.value.code == 1
    assert before == files(repo)
    assert f"stale: {FILE}" in capsys.readouterr().out


def test_a_check_of_right_locks_is_silent_about_it(repo):
    lock(Context(), tree=str(repo.root), check=True)


def test_a_note_goes_into_intent_and_leaves_the_rest_as_it_was(repo, capsys):
    repo.write({FILE: "[2]\n"})
    lock(Context(), tree=str(repo.root), note="new sample")
    text = files(repo)[INTENT]

    assert text.startswith('{\n    "allow_behavior_change": ["src/a.py"],\n    "debit_cap": 3,\n')
    assert json.loads(text)["fixture_changes"] == [
        {"tree": "tests/fixtures", "digest": tree(b"[2]\n"), "reason": "new sample"},
        {"path": FILE, "digest": sha256(b"[2]\n"), "reason": "new sample"},
    ]
    out = capsys.readouterr().out
    assert "say in the `note` of p" in out
    assert "git commit -m 'Lock fixtures: new sample'" in out


def test_a_note_may_come_after_the_locks(repo):
    """
    The locks are right by then, and still differ from the last commit.
    """
    repo.write({FILE: "[2]\n"})
    lock(Context(), tree=str(repo.root))
    lock(Context(), tree=str(repo.root), note="late")
    lock(Context(), tree=str(repo.root), note="twice")

    assert [each["reason"] for each in json.loads(files(repo)[INTENT])["fixture_changes"]] == ["late", "late"]


def test_what_it_prints_makes_a_patch_that_the_rules_accept(repo, patch_of, capsys):
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.write({FILE: "[2]\n", INVENTORY: BASE[INVENTORY].replace("note: n", "note: m")})
    lock(Context(), tree=str(repo.root), note="new", json_=True)
    for command in json.loads(capsys.readouterr().out)["commands"]:
        repo.git(*shlex.split(command)[1:])

    assert repo.git("status", "--porcelain") == ""
    assert {finding.row for finding in frozen_inputs(patch_of(repo))} == {"fixture-updated"}


def test_bytes_are_those_that_git_would_store(repo):
    """
    A working copy with CRLF says nothing, and the user's index stays as it was.
    """
    repo.commit({".gitattributes": "*.json text\n"})
    index = (repo.root / ".git/index").read_bytes()
    (repo.root / FILE).write_bytes(b"[1]\r\n")
    lock(Context(), tree=str(repo.root), check=True)

    assert index == (repo.root / ".git/index").read_bytes()


def test_files_that_git_ignores_are_not_locked(repo):
    repo.write({".gitignore": "*.tmp\n", "tests/fixtures/x.tmp": "1"})

    lock(Context(), tree=str(repo.root), check=True)


def test_named_trees_and_canonical_entries_keep_their_form(repo):
    canonical = {"sha256": "0" * 64, "canonical": "json"}
    repo.write(
        {
            TREES: f"{'0' * 64}  tests/fixtures\n{'1' * 64}  tests/gone\n",
            FILES: json.dumps({"tests/fixtures/gone.json": "0" * 64, FILE: canonical}),
        }
    )
    lock(Context(), tree=str(repo.root), note="w")

    assert files(repo)[TREES] == tree(b"[1]\n") + "  tests/fixtures\n"
    assert json.loads(files(repo)[FILES]) == {FILE: {**canonical, "sha256": file_digest(b"[1]", "json")}}
    announced = {each["digest"] for each in json.loads(files(repo)[INTENT])["fixture_changes"]}
    assert NOTHING not in announced  # neither the tree nor the file was ever committed


def test_json_has_a_schema(repo, capsys):
    repo.write({FILE: "[2]\n"})
    lock(Context(), tree=str(repo.root), json_=True)
    answer = json.loads(capsys.readouterr().out)

    assert answer["schema"] == "oraclekeep/lock/1"
    assert answer["changes"][1] == {"path": FILE, "before": sha256(b"[1]\n"), "after": sha256(b"[2]\n")}
    assert (answer["files"], answer["properties"]) == ([TREES, FILES], ["p"])


def test_a_link_out_of_the_tree_is_not_locked(repo):
    (repo.root / "tests/fixtures/out.json").symlink_to("../../README.md")

    with pytest.raises(ConfigError, match=r"out\.json: the link leaves"):
        lock(Context(), tree=str(repo.root))


def test_a_fixture_that_git_does_not_have_is_not_locked(repo):
    repo.write({FILE: None})

    with pytest.raises(ConfigError, match=r"s\.json: .* uses this fixture"):
        lock(Context(), tree=str(repo.root))


def test_what_is_not_json_has_no_canonical_lock(repo):
    repo.write({FILE: "[1", FILES: json.dumps({FILE: {"sha256": "0" * 64, "canonical": "json"}})})

    with pytest.raises(ConfigError, match="not strict JSON"):
        lock(Context(), tree=str(repo.root))


def test_without_oracle_there_is_nothing_to_lock(make_repo):
    made = make_repo("bare")
    made.commit({"a": ""})

    with pytest.raises(UsageError, match="invoke init"):
        lock(Context(), tree=str(made.root))
