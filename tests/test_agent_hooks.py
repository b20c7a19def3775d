"""
The hooks of `ci/agents/`: each command, as its agent's file names it, on the JSON that its agent sends.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from oraclekeep.policy.digests import digest_of

from .program import SOURCE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import GitRepo

AGENTS = SOURCE.parent / "ci/agents"
BASE = {
    "src/shop/core.py": "X = 1\n",
    "tests/fixtures/a.json": "[1]\n",
    "oracle/fixtures.lock": digest_of([("a.json", b"[1]\n")]) + "\n",
    "oracle/gate.yaml": "human_owned: [secret/]\n",
}


@pytest.fixture
def repo(make_repo) -> GitRepo:
    """
    A repository with the hooks in the place that the page names.
    """
    made = make_repo()
    shutil.copytree(AGENTS, made.root / "ci/agents")
    made.commit(BASE)
    return made


@pytest.fixture
def path(tmp_path: Path) -> str:
    """
    A PATH on which `oraclekeep` is this checkout's.
    """
    program = tmp_path / "bin/oraclekeep"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH={SOURCE} exec {sys.executable} -m oraclekeep "$@"\n')
    program.chmod(0o755)
    return os.pathsep.join((str(program.parent), os.environ["PATH"]))


def settings(name: str) -> dict[str, Any]:
    return dict(json.loads((AGENTS / name).read_text())["hooks"])


@dataclass(frozen=True)
class Agent:
    """
    One agent: its command and matcher, the calls that it sends, and how it reads an answer.
    """

    command: str
    calls: Callable[[str], list[dict[str, Any]]]
    refused: Callable[[subprocess.CompletedProcess[str]], str]
    matcher: str = ".*"
    allowed: str = ""
    env: str = ""


def by_code(done: subprocess.CompletedProcess[str]) -> str:
    """
    Two blocks, and standard error is the reason; any other code lets the call through.
    """
    return done.stderr if done.returncode == 2 else ""


def by_json(*keys: str) -> Callable[[subprocess.CompletedProcess[str]], str]:
    """
    The first key's value says no; the last one's is the reason.
    """

    def read(done: subprocess.CompletedProcess[str]) -> str:
        answer = json.loads(done.stdout) if done.stdout.strip() and done.returncode == 0 else {}
        return str(answer[keys[-1]]) if answer.get(keys[0]) in ("deny", True) else ""

    return read


def claude(file: str) -> list[dict[str, Any]]:
    common = {"session_id": "abc", "transcript_path": "/t.jsonl", "cwd": "/w", "permission_mode": "default"}
    inputs = {
        "Write": {"file_path": file, "content": "oracle/ is not a path here\n"},
        "Edit": {"file_path": file, "old_string": "a", "new_string": "b", "replace_all": False},
        "NotebookEdit": {
            "notebook_path": file,
            "new_source": "x",
            "cell_type": "code",
            "edit_mode": "replace",
        },
    }
    event = {**common, "hook_event_name": "PreToolUse", "tool_use_id": "toolu_01"}
    return [{**event, "tool_name": name, "tool_input": given} for name, given in inputs.items()]


def codex(file: str) -> list[dict[str, Any]]:
    patch = f"*** Begin Patch\n*** Update File: {file}\n@@\n-a\n+b\n*** End Patch\n"
    common = {"session_id": "abc", "cwd": "/w", "hook_event_name": "PreToolUse", "turn_id": "1"}
    return [{**common, "tool_name": "apply_patch", "tool_input": {"command": patch}}]


def gemini(file: str) -> list[dict[str, Any]]:
    common = {"session_id": "abc", "transcript_path": "/t", "cwd": "/w", "timestamp": "2026-11-30T00:00:00Z"}
    inputs = {
        "write_file": {"file_path": file, "content": "x"},
        "replace": {"file_path": file, "old_string": "a", "new_string": "b", "expected_replacements": 1},
    }
    event = {**common, "hook_event_name": "BeforeTool"}
    return [{**event, "tool_name": name, "tool_input": given} for name, given in inputs.items()]


def cursor(file: str) -> list[dict[str, Any]]:
    common = {"conversation_id": "c", "generation_id": "g", "model": "m", "hook_event_name": "preToolUse"}
    common |= {"cursor_version": "3.2", "workspace_roots": ["/w"], "user_email": None, "tool_use_id": "t"}
    inputs = {
        "Write": {"file_path": file, "content": "x"},
        "StrReplace": {"path": file, "old_string": "a", "new_string": "b"},
        "Delete": {"path": file},
    }
    return [{**common, "tool_name": name, "tool_input": given} for name, given in inputs.items()]


def windsurf(file: str) -> list[dict[str, Any]]:
    common = {"agent_action_name": "pre_write_code", "trajectory_id": "t", "execution_id": "e"}
    edits = [{"old_string": "a", "new_string": "b"}]
    return [{**common, "timestamp": "2026-11-30T00:00:00Z", "tool_info": {"file_path": file, "edits": edits}}]


def copilot(file: str) -> list[dict[str, Any]]:
    common = {"timestamp": 1704614600000, "cwd": "/w", "sessionId": "s"}
    given = {"path": file, "old_str": "a", "new_str": "b"}
    return [
        {**common, "toolName": "edit", "toolArgs": json.dumps(given)},
        {**common, "toolName": "create", "toolArgs": {"path": file, "file_text": "x"}},
    ]


def cline(file: str) -> list[dict[str, Any]]:
    common = {
        "clineVersion": "3.36.0",
        "hookName": "PreToolUse",
        "timestamp": "1",
        "taskId": "t",
        "userId": "u",
    }
    inputs = {"write_to_file": {"path": file, "content": "x"}, "replace_in_file": {"path": file, "diff": "x"}}
    return [
        {**common, "workspaceRoots": ["/w"], "preToolUse": {"toolName": name, "parameters": given}}
        for name, given in inputs.items()
    ]


CLAUDE, CODEX = settings("claude.settings.json"), settings("codex.hooks.json")["PreToolUse"][0]
GEMINI = settings("gemini.settings.json")["BeforeTool"][0]
CURSOR = settings("cursor.hooks.json")["preToolUse"][0]
KNOWN = {
    "claude": Agent(
        CLAUDE["PreToolUse"][0]["hooks"][0]["command"],
        claude,
        by_code,
        matcher=f"^(?:{CLAUDE['PreToolUse'][0]['matcher']})$",
        env="CLAUDE_PROJECT_DIR",
    ),
    "codex": Agent(CODEX["hooks"][0]["command"], codex, by_code, CODEX["matcher"]),
    "gemini": Agent(
        GEMINI["hooks"][0]["command"], gemini, by_code, GEMINI["matcher"], env="GEMINI_PROJECT_DIR"
    ),
    "cursor": Agent(
        CURSOR["command"], cursor, by_json("permission", "agent_message"), CURSOR["matcher"], "{}"
    ),
    "windsurf": Agent(settings("windsurf.hooks.json")["pre_write_code"][0]["command"], windsurf, by_code),
    "copilot": Agent(
        settings("copilot.hooks.json")["preToolUse"][0]["bash"],
        copilot,
        by_json("permissionDecision", "permissionDecisionReason"),
    ),
    "cline": Agent(
        ".clinerules/hooks/PreToolUse",
        cline,
        by_json("cancel", "errorMessage"),
        allowed='{"cancel": false}',
    ),
}


def ask(agent: Agent, repo: GitRepo, call: str, path: str) -> subprocess.CompletedProcess[str]:
    """
    Run a hook as its agent does: the command in a shell, in the repository, the call on standard input.
    """
    if agent.command.startswith(".clinerules"):
        place = repo.root / agent.command
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(AGENTS / "answer.sh", place)
        place.chmod(0o755)
    env = {**os.environ, "PATH": path, **({agent.env: str(repo.root)} if agent.env else {})}
    argv = ("sh", "-c", agent.command)
    return subprocess.run(
        argv, cwd=repo.root, env=env, input=call, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("name", KNOWN)
def test_a_write_that_is_not_the_agents_is_stopped_with_the_reason(repo, path: str, name: str) -> None:
    agent = KNOWN[name]
    calls = [*agent.calls("oracle/x.json"), agent.calls(str(repo.root / "oracle/x.json"))[0]]
    for call in calls:
        done = ask(agent, repo, json.dumps(call), path)

        assert re.search(agent.matcher, call.get("tool_name") or call.get("toolName") or "")
        assert "oracle/x.json: it is human-owned" in agent.refused(done), done
        assert "say in your answer" in agent.refused(done)


@pytest.mark.parametrize("name", KNOWN)
def test_a_write_that_is_the_agents_passes_in_silence(repo, path: str, name: str) -> None:
    agent = KNOWN[name]
    for call in agent.calls("src/shop/core.py"):
        done = ask(agent, repo, json.dumps(call), path)

        assert (done.returncode, done.stdout.strip(), done.stderr) == (0, agent.allowed, "")
        assert agent.refused(done) == ""


@pytest.mark.parametrize("name", KNOWN)
def test_a_call_that_nobody_can_read_is_stopped(repo, path: str, name: str) -> None:
    assert "this is none" in KNOWN[name].refused(ask(KNOWN[name], repo, "no json", path))


@pytest.mark.parametrize("name", KNOWN)
def test_without_the_kit_nothing_is_written(repo, name: str) -> None:
    call = json.dumps(KNOWN[name].calls("src/shop/core.py")[0])

    assert KNOWN[name].refused(ask(KNOWN[name], repo, call, "/usr/bin:/bin"))


@pytest.mark.parametrize("name", ["claude", "codex", "gemini", "windsurf", "cursor", "copilot"])
def test_a_frozen_input_is_stopped_as_well(repo, path: str, name: str) -> None:
    call = json.dumps(KNOWN[name].calls("tests/fixtures/a.json")[0])

    assert "it is frozen" in KNOWN[name].refused(ask(KNOWN[name], repo, call, path))


@pytest.mark.parametrize("name", ["cursor", "copilot", "cline"])
def test_a_name_that_would_bend_the_json_does_not(repo, path: str, name: str) -> None:
    call = json.dumps(KNOWN[name].calls('oracle/a"b\\c\x1b[31m.json')[0])

    assert "human-owned" in KNOWN[name].refused(ask(KNOWN[name], repo, call, path))


def test_codex_may_stand_in_a_subfolder(repo, path: str) -> None:
    """
    Its hooks run where the session does, and a patch names files from there.
    """
    inner = type(repo)(repo.root / "src")

    assert "oracle/x: it is human-owned" in by_code(
        ask(KNOWN["codex"], inner, json.dumps(codex("../oracle/x")[0]), path)
    )
    assert ask(KNOWN["codex"], inner, json.dumps(codex("oracle/x")[0]), path).returncode == 0


def test_where_a_hook_fails_cursor_stops_as_well() -> None:
    assert CURSOR["failClosed"]


def stopped(repo: GitRepo, path: str, *, again: bool) -> subprocess.CompletedProcess[str]:
    call = {"session_id": "abc", "transcript_path": "/t.jsonl", "cwd": "/w", "permission_mode": "default"}
    call |= {"hook_event_name": "Stop", "stop_hook_active": again}
    stop = Agent(CLAUDE["Stop"][0]["hooks"][0]["command"], claude, by_code, env="CLAUDE_PROJECT_DIR")
    return ask(stop, repo, json.dumps(call), path)


def test_a_score_is_handed_back_once(repo, path: str) -> None:
    repo.commit({"tests/test_a.py": "from shop.core import X\n\n\ndef test_x():\n    assert X == 1\n"})
    repo.write({"tests/test_a.py": "def test_x():\n    pass\n"})
    first = stopped(repo, path, again=False)

    assert first.returncode == 2
    assert "oracle-removed" in first.stderr
    assert "next: " in first.stderr
    assert stopped(repo, path, again=True).returncode == 0
    repo.git("checkout", "--quiet", "--", ".")
    assert stopped(repo, path, again=False).returncode == 0


def test_the_page_names_every_file() -> None:
    page = (AGENTS / "README.md").read_text()
    files = {file.name for file in AGENTS.iterdir()} - {"README.md"}

    assert {name for name in files if f"`{name}`" in page} == files
