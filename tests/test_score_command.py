"""
`oraclekeep score` as users and CI run it: exit codes, the shape of the JSON, and what cannot be judged.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Final

import jsonschema
import pytest
from tests.program import BASE, CODE, CORE, GOOD, MORE, SOURCE, TEST, WEAK, branched, run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import GitRepo

SHA: Final = {"type": "string", "pattern": "^[0-9a-f]{40}$"}
#: SPEC §8, as a schema: what `--json` prints at least.
SHAPE: Final = {
    "type": "object",
    "required": [
        *("schema", "decision", "state", "score", "base", "merge_base", "head", "patch", "credit", "debit"),
        *("counts", "power", "fixture_digest", "intent", "reasons", "findings"),
    ],
    "properties": {
        "schema": {"const": "oraclekeep/score/1"},
        "decision": {"enum": ["allow", "reject"]},
        "state": {"enum": ["ok", "negative", "undefined"]},
        "score": {"type": ["integer", "null"]},
        "base": SHA,
        "merge_base": SHA,
        "head": {"type": "string", "pattern": "^(worktree:)?[0-9a-f]{40}$"},
        "patch": {"enum": ["agent", "owner", "mixed", "empty"]},
        "credit": {"type": "integer", "minimum": 0},
        "debit": {"type": "integer", "minimum": 0},
        "counts": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}},
        "power": {
            "type": "object",
            "required": ["base", "head"],
            "additionalProperties": {"type": "integer"},
        },
        "fixture_digest": {
            "type": "object",
            "additionalProperties": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        },
        "intent": {"type": "array", "items": {"type": "string"}},
        "reasons": {"type": "array", "items": {"type": "string", "minLength": 1}},
        "findings": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["rule", "path", "line", "test", "before", "after", "points", "gate", "advice"],
                "properties": {
                    "rule": {"type": "string"},
                    "path": {"type": "string"},
                    "line": {"type": "integer", "minimum": 0},
                    "test": {"type": "string"},
                    "before": {"type": ["string", "null"]},
                    "after": {"type": ["string", "null"]},
                    "points": {"type": "integer"},
                    "gate": {"enum": ["reject", "note"]},
                    "advice": {"type": "string", "minLength": 1},
                },
            },
        },
    },
}


#: What a patch does, and the exit code, decision, state and score that it gets.
PATCHES: Final[dict[str, tuple[dict[str, str], tuple[int, str, str, int | None]]]] = {
    "nothing lost": ({TEST: MORE}, (0, "allow", "ok", 0)),
    "production only": ({CODE: "def total(items):\n    return sum(list(items))\n"}, (0, "allow", "ok", 0)),
    "an allowed rewrite": (
        {TEST: GOOD.replace("== 3", "== 4"), CODE: CORE.replace("(items)\n", "(items) + 1\n")},
        (0, "allow", "ok", 0),
    ),
    "a check lost": ({TEST: WEAK}, (1, "reject", "negative", -1)),
    "a test skipped": (
        {TEST: GOOD.replace("def ", "import pytest\n\n\n@pytest.mark.skip\ndef ")},
        (1, "reject", "negative", -99),
    ),
    "a mixed patch": ({TEST: MORE, "oracle/weights.json": "{}\n"}, (1, "reject", "negative", -99)),
    "frozen bytes": ({"tests/fixtures/a.csv": "a\n2\n"}, (1, "reject", "undefined", None)),
}


@pytest.mark.parametrize("name", PATCHES)
def test_the_exit_code_is_the_decision(name: str, make_repo: Callable[..., GitRepo]) -> None:
    """
    0 allows and 1 rejects; the JSON has the promised shape and says the same.
    """
    head, expected = PATCHES[name]
    repo = make_repo()
    digest = hashlib.sha256(b"a.csv\0a\n1\n\0").hexdigest()
    branched(repo, head, {**BASE, "tests/fixtures/a.csv": "a\n1\n", "oracle/fixtures.lock": digest + "\n"})
    answer = run(repo.root, "--base", "main", "--head", "patch", "--json")
    doc = answer.document

    jsonschema.validate(doc, SHAPE)
    assert expected == (answer.code, doc["decision"], doc["state"], doc["score"])
    assert bool(doc["reasons"]) == (answer.code == 1)
    assert repo.git("rev-parse", "main") == doc["base"] == doc["merge_base"]
    assert repo.git("rev-parse", "patch") == doc["head"]


def test_each_format_says_the_decision(make_repo: Callable[..., GitRepo]) -> None:
    """
    The plain text, the annotations and the file that `--output` writes agree with the JSON.
    """
    repo = make_repo()
    branched(repo, {TEST: WEAK})
    plain = run(repo.root, "--base", "main")
    github = run(repo.root, "--base", "main", "--format", "github", "--output", "score.json")
    written = json.loads((repo.root / "score.json").read_text(encoding="utf-8"))

    assert (plain.code, github.code) == (1, 1)
    assert plain.out.startswith("REJECT  score -1")
    assert f"::error file={TEST},line=1,title=oracle-removed::" in github.out
    assert "(line 6 of base)" in github.out, "head's line 6, if it has one, is another"
    assert written["decision"] == "reject"


def test_a_rewritten_expectation_names_the_modules_that_intent_lacks(
    make_repo: Callable[..., GitRepo],
) -> None:
    """
    An owner who listed one of two changed modules reads which one is missing.
    """
    repo = make_repo()
    other = "src/shop/other.py"
    head = {
        TEST: GOOD.replace("== 3", "== 4"),
        CODE: CORE.replace("sum(items)", "sum(items) + 1"),
        other: "X = 2\n",
    }
    branched(repo, head, {**BASE, other: "X = 1\n"})
    doc = run(repo.root, "--base", "main", "--json").document
    messages = [one["message"] for one in doc["findings"] if one["rule"] == "expectation-rewritten"]

    assert [message.partition(", and ")[2] for message in messages] == [f"{other} is not listed as intended"]


@pytest.mark.parametrize("form", ["plain", "github"])
def test_no_name_from_outside_steers_the_terminal_or_begins_a_line(
    form: str, make_repo: Callable[..., GitRepo]
) -> None:
    """
    A file's name may hold line breaks and escape sequences; nothing that is printed does.
    """
    name = "tests/test_\x1b[2J\nALLOW  score 0.py"
    repo = make_repo()
    branched(repo, {name: WEAK}, {**BASE, name: GOOD})
    answer = run(repo.root, "--base", "main", "--format", form)

    assert answer.code == 1
    assert r"test_\x1b[2J" in answer.out
    assert "\x1b" not in answer.out
    assert not [line for line in answer.out.splitlines() if line.startswith("ALLOW")]


@pytest.mark.parametrize(("place", "code"), [("base", 0), ("head", 1)])
def test_observing_prints_the_rejection_and_exits_0(
    place: str, code: int, make_repo: Callable[..., GitRepo]
) -> None:
    """
    `mode: observe` counts where base says it; a patch cannot ask for it.
    """
    repo = make_repo()
    settings = {"oracle/gate.yaml": "mode: observe\n"}
    before, after = (settings, {}) if place == "base" else ({}, settings)
    branched(repo, {TEST: WEAK, **after}, {**BASE, **before})

    answer = run(repo.root, "--base", "main", "--json")

    assert answer.code == code
    assert answer.document["decision"] == "reject"


def test_a_program_without_a_patch_says_so(make_repo: Callable[..., GitRepo]) -> None:
    """
    An empty patch is allowed, and called empty.
    """
    repo = make_repo()
    repo.commit(BASE)
    repo.commit()
    answer = run(repo.root, "--json")

    assert (answer.code, answer.document["patch"], answer.document["score"]) == (0, "empty", 0)


def _no_repository(make_repo: Callable[..., GitRepo]) -> Path:
    folder = make_repo().root
    (folder / ".git").rename(folder / "git")
    return folder


def _unborn(make_repo: Callable[..., GitRepo]) -> Path:
    return make_repo().root


def _one_commit(make_repo: Callable[..., GitRepo]) -> Path:
    repo = make_repo()
    repo.commit(BASE)
    return repo.root


def _patched(make_repo: Callable[..., GitRepo]) -> Path:
    repo = make_repo()
    branched(repo, {TEST: MORE})
    return repo.root


def _unrelated(make_repo: Callable[..., GitRepo]) -> Path:
    repo = make_repo()
    repo.commit(BASE)
    repo.git("checkout", "--quiet", "--orphan", "patch")
    repo.commit({TEST: MORE})
    return repo.root


def _shallow(make_repo: Callable[..., GitRepo]) -> Path:
    repo = make_repo()
    branched(repo, {TEST: MORE})
    repo.git("checkout", "--quiet", "main")
    repo.commit({CODE: CORE + "\n\nSIZE = 1\n"})
    url = f"file://{repo.root}"
    copy = repo.root.parent / "shallow"
    repo.git("clone", "--quiet", "--depth=1", "--no-single-branch", url, str(copy))
    return copy


def _conflict(make_repo: Callable[..., GitRepo]) -> Path:
    repo = make_repo()
    branched(repo, {CODE: CORE.replace("sum(items)", "sum(items) + 1")})
    repo.git("checkout", "--quiet", "main")
    repo.commit({CODE: CORE.replace("sum(items)", "sum(items) + 2")})
    repo.git("checkout", "--quiet", "patch")
    return repo.root


def _bad_policy(make_repo: Callable[..., GitRepo]) -> Path:
    repo = make_repo()
    branched(repo, {TEST: MORE}, {**BASE, "oracle/weights.json": '{\n  "assert_removd": 1\n}\n'})
    return repo.root


UNJUDGED: Final[dict[str, tuple[Callable[[Callable[..., GitRepo]], Path], tuple[str, ...], str]]] = {
    "no repository": (_no_repository, (), "not inside a Git repository"),
    "unborn HEAD": (_unborn, (), "no commit yet"),
    "first commit": (_one_commit, (), "--base"),
    "unknown base": (_patched, ("--base", "nowhere"), "'nowhere'"),
    "unknown head": (_patched, ("--base", "main", "--head", "nowhere"), "'nowhere'"),
    "a base that looks like a flag": (_patched, ("--base=--all",), "'--all'"),
    "a blob": (_patched, ("--base", f"main:{TEST}"), TEST),
    "unrelated histories": (_unrelated, ("--base", "main"), "unrelated"),
    "shallow clone": (_shallow, ("--base", "origin/main", "--head", "origin/patch"), "git fetch --unshallow"),
    "conflict with base": (_conflict, ("--base", "main"), "conflict"),
    "bad policy file": (_bad_policy, ("--base", "main"), "oracle/weights.json:2"),
    "unknown flag": (_patched, ("--base", "main", "--fast"), "--fast"),
    "unknown format": (_patched, ("--base", "main", "--format", "xml"), "xml"),
    "no date": (_patched, ("--base", "main", "--today", "tomorrow"), "YYYY-MM-DD"),
}


@pytest.mark.parametrize("name", UNJUDGED)
def test_what_cannot_be_judged_exits_2_and_says_why(name: str, make_repo: Callable[..., GitRepo]) -> None:
    """
    "Could not judge" is never read as allow; the message names the thing, and no traceback is shown.
    """
    start, words, message = UNJUDGED[name]
    answer = run(start(make_repo), *words)

    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert "Traceback" not in answer.err


@pytest.mark.parametrize("task", ["prepare", "verdict"])
def test_a_gate_folder_that_cannot_be_written_is_named(task: str, make_repo: Callable[..., GitRepo]) -> None:
    """
    The disk's refusal is no crash of ours: it says which path, and what to do.
    """
    repo = make_repo()
    branched(repo, {TEST: WEAK})
    (repo.root / ".gate").write_text("in the way", encoding="utf-8")
    answer = run(repo.root, "--base", "main", task=task)

    assert answer.code == 2
    assert f"{repo.root / '.gate'}" in answer.err
    assert "delete .gate and run again" in answer.err
    assert "Traceback" not in answer.err


def test_a_reader_that_leaves_early_is_no_crash(make_repo: Callable[..., GitRepo]) -> None:
    """
    `oraclekeep score | head -1`: no traceback, and never a yes.
    """
    repo = make_repo()
    branched(repo, {TEST: WEAK})
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "oraclekeep", "score", "--base", "main"],
        cwd=repo.root, env={**os.environ, "PYTHONPATH": str(SOURCE)}, stdout=writing,
        stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    os.close(writing)

    assert done.returncode == 2
    assert done.stderr == "oraclekeep: nobody reads the answer to its end\n"


def test_an_unknown_task_exits_2(make_repo: Callable[..., GitRepo]) -> None:
    """
    Invoke's own code for this, 1, would read as a refusal.
    """
    answer = run(make_repo().root, task="scroe")

    assert answer.code == 2
    assert "scroe" in answer.err


def test_a_bad_policy_file_names_the_nearest_key(make_repo: Callable[..., GitRepo]) -> None:
    """
    A misspelt key is an error that shows how it is spelt.
    """
    answer = run(_bad_policy(make_repo), "--base", "main")

    assert "assert_removed" in answer.err


def test_every_run_says_the_same(make_repo: Callable[..., GitRepo]) -> None:
    """
    Where several checks are equally good partners of a lost one, the order of hashes does not choose.
    """

    def check(number: int) -> str:
        many = ", ".join(f"price({number}, {step})" for step in range(150))
        return f"    assert price(sum([{many}]), 1) == 1\n"

    head = "from shop.core import price\n\n\ndef test_price():\n"
    repo = make_repo()
    branched(repo, {TEST: head + "".join(map(check, range(1, 9)))}, {**BASE, TEST: head + check(0)})

    said = {
        run(repo.root, "--base", "main", "--json", env={"PYTHONHASHSEED": str(seed)}).out
        for seed in range(1, 5)
    }

    assert len(said) == 1
    assert '"rule": "oracle-added"' in said.pop()


def test_the_difference_in_power_is_told_by_kind_and_by_test(make_repo: Callable[..., GitRepo]) -> None:
    repo = make_repo()
    raising = "\n\ndef test_raises():\n    with pytest.raises(TypeError):\n        total(3)\n"
    branched(repo, {TEST: f"import pytest\n{WEAK}{raising}"})

    answer = run(repo.root, "--base", "main", "--json").document

    assert answer["power"] == {"base": 2, "head": 2}
    assert answer["power_delta"] == {
        "by_kind": {"equality": -1, "exception type": 1},
        "by_test": {f"{TEST}::test_raises": 1, f"{TEST}::test_total": -1},
    }
    assert "  equality -1, exception type +1\n" in run(repo.root, "--base", "main").out


def test_of_several_cases_the_one_that_changed_is_shown(make_repo: Callable[..., GitRepo]) -> None:
    """
    The assertion reads the same before and after; what changed stands in its cases.
    """
    cases = (
        "import pytest\nfrom shop.core import total\n\n\n"
        "@pytest.mark.parametrize('items, cents', [([1, 2], 3), ([], 0)])\n"
        "def test_total(items, cents):\n    assert total(items) == cents\n"
    )
    shown = {}
    for name, head in (
        ("rewritten", cases.replace("([], 0)", "([], 7)")),
        ("dropped", cases.replace(", ([], 0)", "")),
    ):
        repo = make_repo(name)
        branched(repo, {TEST: head}, {**BASE, TEST: cases, "oracle/intent.json": "{}\n"})
        found = run(repo.root, "--base", "main", "--json").document["findings"]
        shown[name] = [(one["rule"], one["before"], one["after"]) for one in found if one["gate"] == "reject"]

    line = "assert total(items) == cents  # "
    assert ("expectation-rewritten", f"{line}total([]) == 0", f"{line}total([]) == 7") in shown["rewritten"]
    assert ("test-lost", f"{line}total([]) == 0", None) in shown["dropped"]


def test_a_module_of_the_product_does_not_stand_for_pythons_own(make_repo: Callable[..., GitRepo]) -> None:
    """
    `asyncio.run` runs the test, whether or not the package has a module `asyncio` too.
    """
    repo = make_repo()
    test = (
        "import asyncio\nfrom functools import wraps\n\nfrom pkg.core import total\n\n\n"
        "def runs(function):\n    @wraps(function)\n    def run(*args):\n"
        "        return asyncio.run(function(*args))\n\n    return run\n\n\n"
        "@runs\nasync def test_total():\n    assert total([1]) == 1\n    assert total([]) == 0\n"
    )
    base = {"pkg/__init__.py": "", "pkg/core.py": CORE, "pkg/asyncio.py": "X = 1\n", TEST: test}
    branched(repo, {TEST: test.replace("    assert total([]) == 0\n", "")}, base)

    assert run(repo.root, "--base", "main", "--json").rejecting == ["oracle-removed"]
