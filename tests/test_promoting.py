"""
`promote`, through the real program: what moves, what is refused, and the commit that it prints.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from oraclekeep.errors import ConfigError
from oraclekeep.policy.documents import read_document
from oraclekeep.policy.yaml_editing import remove_row, written

from .program import Answer
from .program import run as program

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.conftest import GitRepo

INVENTORY, INTENT, LOCK = "invariants/inventory.yaml", "oracle/intent.json", "invariants/fixture.lock.json"
QUEUE = "invariants/proposed/core.yaml"
CORE = """\
import random
import time


def clean(text):
    return " ".join(text.split())


def shout(text):
    return text + "!"


def wobble(text):
    return [text, object()][id(object()) % 2 == 7]


def now(text):
    return time.time()
"""
INVENTED = """\
# Ours.
version: 1
properties:
  # The first one.
  - id: old
    module: shop.core
    fn: clean
    seed: 41
    fixture: tests/fixtures/words.json   # frozen
    checks: [never_raises]
    note: "n"

freezes: []
"""
ROWS = """\
# What waits.
properties:
  # about clean
  - id: clean_once
    module: shop.core
    fn: clean
    seed: 7
    fixture: invariants/proposed/samples/words.json
    note: proposed
    checks:
      - idempotent
      - raises_only: {exceptions: [ValueError, KeyError]}
  # about shout
  - id: shout_once
    module: shop.core
    fn: shout
    seed: 7
    fixture: invariants/proposed/samples/words.json
    checks: [idempotent]
  - id: frozen_already
    module: shop.core
    fn: clean
    seed: 7
    fixture: tests/fixtures/words.json
    checks: [total]
"""
WORDS = '["a  b", ""]\n'
SHA = hashlib.sha256(WORDS.encode()).hexdigest()
BASE = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "oracle/gate.yaml": "source: [src]\ntests: [tests]\n",
    INTENT: '{\n    "debit_cap": 2\n}\n',
    INVENTORY: INVENTED,
    LOCK: json.dumps({"tests/fixtures/words.json": SHA}, indent=2) + "\n",
    "tests/fixtures/words.json": WORDS,
    "src/shop/core.py": CORE,
    QUEUE: ROWS,
    "invariants/proposed/samples/words.json": WORDS,
}
NOTE = ("--note", "it's what  we\nsell")


@pytest.fixture
def repo(make_repo: Callable[..., GitRepo]) -> GitRepo:
    made = make_repo()
    made.commit(BASE)
    return made


def promote(repo: GitRepo, *words: str) -> Answer:
    return program(repo.root, *words, task="promote")


def text(repo: GitRepo, path: str) -> str:
    return (repo.root / path).read_text()


def commit_as_told(repo: GitRepo, commands: list[str]) -> None:
    for line in commands:
        repo.git(*shlex.split(line)[1:])


def test_a_candidate_moves_with_a_seed_and_a_locked_fixture_of_its_own(repo: GitRepo) -> None:
    """
    All else keeps its bytes, and the commit that is printed is an owner's patch that the gate allows.
    """
    answer = promote(repo, "clean_once", *NOTE, "--json")
    found = answer.document

    assert answer.code == 0, answer.err
    assert found["property"] == {
        "id": "clean_once",
        "module": "shop.core",
        "fn": "clean",
        "seed": 42,
        "fixture": "invariants/fixtures/clean_once.json",
        "note": "it's what we sell",
        "checks": ["idempotent", {"raises_only": {"exceptions": ["ValueError", "KeyError"]}}],
    }
    assert found["status"] == "pass"
    before, after = INVENTED.split("\nfreezes: []\n", maxsplit=1)[0], text(repo, INVENTORY)
    assert after.startswith(before)
    assert yaml.safe_load(after)["properties"][1] == found["property"]
    assert text(repo, QUEUE) == ROWS[: ROWS.index("  # about clean")] + ROWS[ROWS.index("  # about shout") :]
    assert text(repo, "invariants/fixtures/clean_once.json") == WORDS
    assert json.loads(text(repo, LOCK))["invariants/fixtures/clean_once.json"] == SHA
    assert json.loads(text(repo, INTENT))["fixture_changes"] == [
        {"path": "invariants/fixtures/clean_once.json", "digest": SHA, "reason": "it's what we sell"}
    ]
    commit_as_told(repo, found["commands"])
    assert repo.git("status", "--porcelain") == ""
    assert (repo.root / "invariants/proposed/samples/words.json").exists()  # shout_once runs on it
    scored = program(repo.root, "--base", "HEAD~1", "--json")
    assert (scored.code, scored.document["patch"], scored.document["score"]) == (0, "owner", 2)
    assert {"property-added", "fixture-updated"} <= set(scored.document["counts"])
    assert program(repo.root, task="inventory").code == 0


def test_the_last_candidate_takes_its_file_and_its_samples_along(repo: GitRepo) -> None:
    """
    Also where they were never committed.
    """
    row = "properties: [{id: one, module: shop.core, fn: clean, seed: 1, checks: [total], fixture: %s}]\n"
    mine = "invariants/proposed/samples/mine.jsonl"
    repo.write({"invariants/proposed/new.yaml": row % mine, mine: '"x"\n"y"\n'})
    answer = promote(repo, "one", *NOTE, "--seed", "-3", "--json")
    found = answer.document
    commit_as_told(repo, found["commands"])

    assert found["property"]["seed"] == -3
    assert found["property"]["fixture"] == "invariants/fixtures/one.jsonl"
    assert sorted(found["removed"]) == ["invariants/proposed/new.yaml", mine]
    assert not (repo.root / mine).exists()
    assert repo.git("status", "--porcelain") == ""


def test_a_fixture_that_is_frozen_stays_and_one_that_agents_write_is_copied(repo: GitRepo) -> None:
    kept = promote(repo, "frozen_already", *NOTE, "--json").document
    repo.commit()
    theirs = ROWS.replace("tests/fixtures/words.json", "tests/data/w.txt").replace("frozen_already", "theirs")
    repo.commit({"tests/data/w.txt": "a\nb\n", QUEUE: theirs})
    copied = promote(repo, "theirs", *NOTE, "--json").document

    assert kept["property"]["fixture"] == "tests/fixtures/words.json"
    assert LOCK not in kept["written"]
    assert copied["property"]["fixture"] == "invariants/fixtures/theirs.txt"
    assert text(repo, "invariants/fixtures/theirs.txt") == "a\nb\n"
    assert "tests/data/w.txt" not in copied["removed"]


def test_a_red_candidate_is_refused_unless_it_may_be_pending(repo: GitRepo) -> None:
    refused = promote(repo, "shout_once", *NOTE)
    clean = repo.git("status", "--porcelain")
    taken = promote(repo, "shout_once", *NOTE, "--pending")

    assert (refused.code, clean) == (2, "")
    assert "shout_once is red: idempotent: sample" in refused.err
    assert "--pending" in refused.err
    assert taken.code == 0, taken.err
    assert "votes from the first merge at which it passes" in taken.out
    assert (
        "it holds shop.core.shout to idempotent; its run said invariant_miss: idempotent: sample" in taken.out
    )
    assert yaml.safe_load(text(repo, INVENTORY))["properties"][1]["pending"] is True
    commit_as_told(repo, [line.strip() for line in taken.out.splitlines() if line.startswith("  git ")])
    assert program(repo.root, "--base", "HEAD~1").code == 0
    assert program(repo.root, task="inventory").code == 0  # it does not vote


def test_a_signed_owner_is_told_to_sign(repo: GitRepo) -> None:
    repo.commit({"oracle/gate.yaml": "source: [src]\nowners: signed\n", "oracle/allowed_signers": "a x y\n"})

    assert "git commit -S -m" in promote(repo, "clean_once", *NOTE).out


def test_an_owners_commit_on_a_branch_with_code_is_warned_of(repo: GitRepo) -> None:
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    calm = promote(repo, "frozen_already", *NOTE, "--json").document
    repo.git("checkout", "--quiet", ".")
    repo.commit({"src/shop/more.py": "X = 1\n"})
    answer = promote(repo, "clean_once", *NOTE)

    assert calm["remarks"] == []
    assert "this branch also changes src/shop/more.py since origin/main" in answer.out


# -------------------------------------------------------------------------------------------------- refusals

ONE = "  - id: {0}\n    module: {1}\n    fn: {2}\n    seed: 1\n    checks: [{3}]\n    {4}\n"
SAMPLES = "fixture: invariants/proposed/samples/words.json"


def row(
    ident: str = "mine",
    module: str = "shop.core",
    fn: str = "clean",
    check: str = "total",
    samples: str = SAMPLES,
) -> str:
    return "properties:\n" + ONE.format(ident, module, fn, check, samples)


MINE = "invariants/proposed/mine.yaml"
#: what is written before (None deletes), the words, what is said
REFUSED: dict[str, tuple[Mapping[str, Any], list[str], str]] = {
    "no note": ({}, ["clean_once"], "give --note"),
    "an empty note": ({}, ["clean_once", "--note", " "], "give --note"),
    "an odd seed": ({}, ["clean_once", *NOTE, "--seed", "x"], "--seed 'x' is not an integer"),
    "an odd day": ({}, ["clean_once", *NOTE, "--today", "soon"], "is not a date"),
    "a slip": ({}, ["clean_onec", *NOTE], "did you mean clean_once?"),
    "a stranger": ({}, ["zzz", *NOTE], "there are clean_once, shout_once, frozen_already"),
    "nothing waits": ({QUEUE: None}, ["zzz", *NOTE], "none; run `oraclekeep propose`"),
    "two of one id": ({MINE: row("clean_once")}, ["clean_once", *NOTE], f"stands in {QUEUE}:4, {MINE}:2"),
    "a bad file": ({MINE: "properties:\n- {id: mine}\n"}, ["mine", *NOTE], f"{MINE}:2: properties[0]: "),
    "an id that is taken": ({MINE: row("old")}, ["old", *NOTE], "is the id of a property"),
    "a hidden letter": (
        {MINE: row('"my\\u202ename"')},
        ["my\u202ename", *NOTE],
        "the id holds what can't be seen",
    ),
    "another's module": ({MINE: row(module="os", fn="system")}, ["mine", *NOTE], "os is no module of this"),
    "a test's module": ({MINE: row(module="tests.x")}, ["mine", *NOTE], "tests.x is no module of this"),
    "no function": ({MINE: row(fn="nonesuch")}, ["mine", *NOTE], "protocol_error: shop.core has no"),
    "no check": ({MINE: row(check="")}, ["mine", *NOTE], "has no checks"),
    "no such check": ({MINE: row(check="bogus")}, ["mine", *NOTE], "there is no check named bogus"),
    "no strategy": ({MINE: row(samples="strategy: words")}, ["mine", *NOTE], "no invariants/strategies.py"),
    "a live clock": ({MINE: row(fn="now")}, ["mine", *NOTE], "can't be promoted: protocol_error: live clock"),
    "green and pending": ({}, ["clean_once", *NOTE, "--pending"], "without --pending"),
    "no fixture": ({MINE: row(samples="fixture: a/b.json")}, ["mine", *NOTE], "a/b.json is not there"),
    "no samples": (
        {MINE: row(samples="fixture: invariants/proposed/e.json"), "invariants/proposed/e.json": "[]"},
        ["mine", *NOTE],
        "holds no samples",
    ),
    "no JSON": (
        {MINE: row(samples="fixture: invariants/proposed/e.json"), "invariants/proposed/e.json": "[1"},
        ["mine", *NOTE],
        "invariants/proposed/e.json: not JSON",
    ),
    "a dirty mix": ({"src/shop/core.py": CORE + "X = 1\n"}, ["clean_once", *NOTE], "must not land together"),
    "a stale lock": ({"tests/fixtures/words.json": "[1]\n"}, ["frozen_already", *NOTE], "json is stale"),
    "an inventory in one line": (
        {INVENTORY: "version: 1\nproperties: [{id: o, module: m, fn: f, seed: 1, strategy: s, checks: []}]"},
        ["clean_once", *NOTE],
        f"{INVENTORY}:2: properties is written in one line",
    ),
    "candidates in one line": (
        {MINE: "properties: [" + ", ".join(
            f"{{id: m{n}, module: shop.core, fn: clean, seed: 1, checks: [total], {SAMPLES}}}" for n in (1, 2)
        ) + "]\n"},
        ["m1", *NOTE],
        f"{MINE}:1: the row does not begin a line",
    ),
    "a broken inventory": ({INVENTORY: "version: 2\n"}, ["clean_once", *NOTE], f"{INVENTORY}:1: version"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_makes_no_sense_is_refused_and_nothing_written(repo: GitRepo, name: str) -> None:
    files, words, said = REFUSED[name]
    repo.write(files)
    before = repo.git("status", "--porcelain", "--untracked-files=all"), repo.git("diff")
    answer = promote(repo, *words)

    assert answer.code == 2, answer.out
    assert said in answer.err
    assert (repo.git("status", "--porcelain", "--untracked-files=all"), repo.git("diff")) == before


def test_links_are_not_followed(repo: GitRepo, tmp_path: Any) -> None:
    """
    A candidate's fixture, or the owner's folder, that leads elsewhere.
    """
    (tmp_path / "words.json").write_text(WORDS)
    repo.write({MINE: row(samples="fixture: invariants/proposed/link.json")})
    (repo.root / "invariants/proposed/link.json").symlink_to(tmp_path / "words.json")
    (repo.root / "invariants/fixtures").symlink_to(tmp_path)
    linked, folder = promote(repo, "mine", *NOTE), promote(repo, "clean_once", *NOTE)

    assert (linked.code, folder.code) == (2, 2)
    assert "link.json is a link" in linked.err
    assert "invariants/fixtures: is a link" in folder.err
    assert not (tmp_path / "clean_once.json").exists()
    assert text(repo, INVENTORY) == INVENTED


def test_without_the_gate_there_is_nothing_to_promote(make_repo: Callable[..., GitRepo]) -> None:
    made = make_repo()
    made.commit({"src/a.py": ""})

    assert "run `oraclekeep init` first" in promote(made, "x", *NOTE).err


# ----------------------------------------------------------------------------------------------- rows of YAML

ODD = [
    {"id": "no", "note": 'a "b" \\ \x1b\u2028\U0001f600', "seed": -1, "tolerance": 1e-09, "on": 2.0},
    {"checks": ["a", {"b": {"function": "x.y", "deep": [{"k": [1, None, True]}]}}], "empty": [], "d": "1e5"},
]


def test_rows_read_back_whatever_they_hold() -> None:
    text = "".join(f"{line}\n" for line in ("properties:", *written(ODD)))

    assert read_document("x.yaml", text.encode()).value == {"properties": ODD}


LIST = (
    "# top\nproperties:\n  # first\n  - id: a\n    b: 1\n\n"
    "  # second\n  # more\n  - id: b\n    # in\n    b: 2\n  - id: c\nversion: 1\n"
)

#: which row goes, what is left
TAKEN = [
    (0, LIST.replace("  # first\n  - id: a\n    b: 1\n\n", "")),
    (1, LIST.replace("  # second\n  # more\n  - id: b\n    # in\n    b: 2\n", "")),
    (2, LIST.replace("  - id: c\n", "")),
]


@pytest.mark.parametrize(("index", "left"), TAKEN)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_row_goes_with_its_comments_and_all_else_stays(index: int, left: str, newline: str) -> None:
    found = remove_row("x.yaml", LIST.replace("\n", newline), "properties", (4, 9, 12), index)

    assert found == left.replace("\n", newline)


def test_a_row_in_one_line_with_others_is_left_to_its_owner() -> None:
    with pytest.raises(ConfigError, match=r"x\.yaml:1: the row does not begin a line"):
        remove_row("x.yaml", "properties: [{id: a}, {id: b}]\n", "properties", (1, 1), 0)
