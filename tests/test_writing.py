"""
`writeset`, and the hooks for pre-commit that call it.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from oraclekeep.invoke_tasks import collection
from oraclekeep.policy.digests import digest_of

from .program import SOURCE, Answer
from .program import run as program

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import GitRepo

ROOT = SOURCE.parent
BASE = {
    "src/shop/core.py": "X = 1\n",
    "tests/fixtures/a.json": "[1]\n",
    "oracle/fixtures.lock": digest_of([("a.json", b"[1]\n")]) + "\n",
    "oracle/gate.yaml": "human_owned: [secret/]\n",
    "README.md": "words\n",
}


@pytest.fixture
def repo(make_repo) -> GitRepo:
    made = make_repo()
    made.commit(BASE)
    return made


def writeset(folder: Path, *words: str, stdin: str = "") -> Answer:
    if not stdin:
        return program(folder, *words, task="writeset")
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    argv = (sys.executable, "-m", "oraclekeep", "writeset", *words)
    done = subprocess.run(argv, cwd=folder, env=env, input=stdin, capture_output=True, text=True, check=False)
    return Answer(done.returncode, done.stdout, done.stderr)


#: the paths, the exit code, a word of the reason
PATHS = [
    (["src/shop/core.py", "tests/test_new.py"], 0, ""),
    (["README.md"], 0, ""),
    (["invariants/proposed/p.yaml"], 0, ""),
    (["src/shop/core.py", "oracle/gate.yaml"], 1, "oracle/gate.yaml: it is human-owned"),
    (["./oracle//x"], 1, "human-owned"),
    (["src/../noxfile.py"], 1, "noxfile.py: it is human-owned"),
    (["ORACLE/gate.yaml"], 1, "human-owned"),
    ([".github/workflows/new.yml"], 1, "human-owned"),
    (["secret/x"], 1, "secret/x: it is human-owned"),
    (["oracle"], 1, "human-owned"),
    (["tests/fixtures/a.json"], 1, "it is frozen"),
    (["tests/fixtures/new.json"], 1, "it is frozen"),
    ([".gate/verdict.json"], 1, "takes none from a patch"),
    (["../elsewhere/oracle/x"], 0, ""),
    ([], 2, "give the paths"),
    (["--staged", "--hook"], 2, "give the paths"),
]


@pytest.mark.parametrize(
    ("paths", "code", "said"), PATHS, ids=[" ".join(case[0]) or "none" for case in PATHS]
)
def test_paths_are_told_apart(repo, paths, code: int, said: str) -> None:
    answer = writeset(repo.root, *paths)

    assert code == answer.code
    assert said in answer.out + answer.err
    assert ("say in your answer" in answer.out) is (code == 1)


def test_a_path_counts_from_where_one_stands_and_by_what_its_links_lead_to(repo) -> None:
    (repo.root / "src/link").symlink_to(repo.root / "oracle")

    assert writeset(repo.root / "src", "../oracle/x").code == 1
    assert writeset(repo.root / "src", "oracle/x").code == 0
    assert writeset(repo.root, "src/link/gate.yaml").code == 1
    assert writeset(repo.root, str(repo.root / "oracle/x")).code == 1


def test_announced_bytes_and_allowed_additions_may_be_written(repo) -> None:
    note = {"tree": "tests/fixtures", "digest": "0" * 64, "reason": "r"}
    repo.commit({"oracle/intent.json": json.dumps({"fixture_changes": [note]})})
    assert writeset(repo.root, "tests/fixtures/a.json").code == 0
    repo.commit({"oracle/intent.json": "{}", "oracle/gate.yaml": "fixtures: {additions: allow}\n"})

    assert writeset(repo.root, "tests/fixtures/new.json").code == 0
    assert writeset(repo.root, "tests/fixtures/a.json").code == 1


def test_the_last_commits_policy_counts_and_not_the_working_copys(repo) -> None:
    repo.write({"oracle/gate.yaml": ""})

    assert writeset(repo.root, "secret/x").code == 1


def test_before_adoption_and_before_the_first_commit_the_built_in_list_counts(make_repo) -> None:
    made = make_repo()
    assert writeset(made.root, "noxfile.py").code == 1
    made.commit({"tests/fixtures/a.json": "1"})

    assert writeset(made.root, "tests/fixtures/a.json", "src/x").code == 0
    assert writeset(made.root, "oracle/x").code == 1


CALLS: list[tuple[Any, int]] = [
    ({"tool_name": "Write", "tool_input": {"file_path": "oracle/x", "content": "path: src/x"}}, 1),
    ({"tool_name": "Write", "tool_input": {"file_path": "src/x", "content": "oracle/x"}}, 0),
    ({"tool_input": {"edits": [{"filePath": "src/x"}, {"filePath": "noxfile.py"}]}}, 1),
    ({"toolName": "edit", "toolArgs": '{"path": "oracle/x"}'}, 1),
    ({"toolName": "edit", "toolArgs": '{"path": "oracle/x'}, 2),
    ({"tool_info": {"file_path": "file:///nowhere/oracle/x"}}, 0),
    ({"tool_input": {"input": "*** Begin Patch\n*** Update File: src/x\n@@\n*** Move to: oracle/x\n"}}, 1),
    ({"tool_input": {"command": ["apply_patch", "*** Add File: tasks.py\n+x\n"]}}, 1),
    ({"tool_input": {"files": ["src/x", "ci/y"]}}, 1),
    ({"tool_input": {"command": "ls"}}, 0),
    ({"toolName": "view", "toolArgs": '{"path": "oracle/x"}'}, 0),
    ({"tool_name": "Read", "tool_input": {"file_path": "oracle/x"}}, 0),
    ({"hookName": "x", "preToolUse": {"toolName": "read_file", "parameters": {"path": "oracle/x"}}}, 0),
    ({"hookName": "x", "preToolUse": {"toolName": "write_to_file", "parameters": {"path": "oracle/x"}}}, 1),
    ({"tool_name": "Write", "tool_input": {"tool": "read", "file_path": "oracle/x"}}, 1),
    ({"tool_input": {"tool_name": "read", "file_path": "oracle/x"}}, 1),
    ({"tool_name": "Scribble", "tool_input": {"file_path": "oracle/x"}}, 1),
    ("not json", 2),
]


@pytest.mark.parametrize(("call", "code"), CALLS, ids=lambda value: str(value)[:60])
def test_a_tools_call_says_what_it_would_write(repo, call, code: int) -> None:
    text = call if isinstance(call, str) else json.dumps(call)
    answer = writeset(repo.root, "--hook", stdin=text)

    assert code == answer.code, answer.err


STAGED = [
    ({"src/shop/core.py": "X = 2\n"}, 0),
    ({"oracle/weights.json": "{}\n", "tests/fixtures/a.json": "[2]\n", "README.md": "other\n"}, 0),
    ({"src/shop/core.py": "X = 2\n", "oracle/weights.json": "{}\n"}, 1),
    ({"src/shop/core.py": None, "oracle/gate.yaml": None}, 1),
    ({"src/shop/core.py": "X = 2\n", "tests/fixtures/a.json": "[2]\n"}, 1),
]


@pytest.mark.parametrize(("files", "code"), STAGED)
def test_a_commit_is_one_persons_or_the_others(repo, files, code: int) -> None:
    repo.write(files)
    repo.git("add", "--all")
    repo.write({"src/not_staged.py": "", "tasks.py": ""})
    answer = writeset(repo.root, "--staged")

    assert code == answer.code
    assert ("git restore --staged -- " in answer.out) is (code == 1)


def test_what_it_says_of_a_mixed_commit_mends_it(repo) -> None:
    repo.write({"src/shop/core.py": "X = 2\n", "oracle/weights.json": "{}\n"})
    repo.git("add", "--all")
    line = writeset(repo.root, "--staged").out.splitlines()[-1].removeprefix("oraclekeep: ")
    repo.git(*shlex.split(line)[1:])

    assert writeset(repo.root, "--staged").code == 0


def test_the_commit_that_brings_the_gate_is_no_mix(make_repo) -> None:
    made = make_repo()
    made.commit({"src/a.py": ""})
    made.write({"src/a.py": "X = 1\n", "oracle/weights.json": "{}\n"})
    made.git("add", "--all")

    assert writeset(made.root, "--staged").code == 0


def test_as_json_it_says_what_is_refused(repo) -> None:
    found = writeset(repo.root, "oracle/x", "src/y", "--json").document

    assert found["schema"] == "oraclekeep/writeset/1"
    assert found["allowed"] is False
    assert [one["path"] for one in found["refused"]] == ["oracle/x"]
    assert found["agent"] == ["src/y"]


def test_hooks_for_pre_commit_call_tasks_that_exist() -> None:
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}

    assert set(hooks) == {"oraclekeep-score", "oraclekeep-writeset"}
    assert hooks["oraclekeep-score"]["stages"] == ["pre-push"]
    for hook in hooks.values():
        words = hook["entry"].split()
        assert words[0] == "oraclekeep"
        assert words[1] in collection().task_names
        assert not hook["pass_filenames"]
        assert hook["always_run"]
