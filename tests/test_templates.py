"""
The CI files people copy, and the noxfile they start from.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
GITHUB, GITLAB = ROOT / "ci/github/gate.yml", ROOT / "ci/gitlab/gate.yml"
NOXFILE, ADOPTED = ROOT / "noxfile.py", ROOT / "src/oraclekeep/demo/project/noxfile.py"
LANES = {"properties", "inventory", "suite", "characterization", "specimens", "proposed", "liveness"}


class Loader(yaml.SafeLoader):
    """
    YAML with GitLab's `!reference`.
    """


Loader.add_constructor("!reference", lambda loader, node: loader.construct_sequence(node))


def load(path: Path) -> dict[str, Any]:
    return yaml.load(path.read_text(), Loader)  # noqa: S506  # a safe loader, with one tag more


def sessions(path: Path) -> dict[str, str]:
    """
    Return the sessions of a noxfile with their source.
    """
    module = ast.parse(path.read_text())
    return {
        node.name: ast.unparse(node)
        for node in module.body
        if isinstance(node, ast.FunctionDef) and any("session" in ast.unparse(d) for d in node.decorator_list)
    }


@pytest.mark.parametrize("path", [GITHUB, GITLAB], ids=lambda path: path.parent.name)
def test_says_at_its_top_what_it_does(path: Path) -> None:
    header = [line for line in re.split(r"\n(?!#)", path.read_text())[0].splitlines() if line != "#"]

    assert 9 <= len(header) <= 14
    assert {"prepare", "lanes", "witness", "verdict"} <= {line.split()[1] for line in header}


@pytest.mark.parametrize("path", [GITHUB, GITLAB], ids=lambda path: path.parent.name)
def test_calls_only_sessions_that_exist(path: Path) -> None:
    called = set(re.findall(r"noxw -s (\w+)", path.read_text()))

    assert {"prepare", "witness", "verdict"} <= called <= set(sessions(ADOPTED))


@pytest.mark.parametrize("path", [GITHUB, GITLAB], ids=lambda path: path.parent.name)
def test_keeps_secrets_and_privileges_away(path: Path) -> None:
    code = "\n".join(line.partition("#")[0] for line in path.read_text().splitlines())

    assert not re.search(r"pull_request_target|workflow_run|secrets\.|: write|id-token", code)


@pytest.mark.parametrize("path", [GITHUB, GITLAB], ids=lambda path: path.parent.name)
def test_every_job_compares_the_same_commits_on_the_same_day(path: Path) -> None:
    calls = re.findall(r"noxw -s (.+)", path.read_text())

    assert all("--base" in call and "--head" in call for call in calls)
    assert all("--today" in call for call in calls if not call.startswith("prepare"))


def test_github_reads_with_full_history_and_pinned_actions() -> None:
    workflow = load(GITHUB)
    steps = [step for job in workflow["jobs"].values() for step in job["steps"] if "uses" in step]

    assert workflow["permissions"] == {"contents": "read"}
    assert all(re.search(r"@v\d+\.\d+\.\d+$|@[0-9a-f]{40}$", step["uses"]) for step in steps)
    for step in steps:
        if step["uses"].startswith("actions/checkout@"):
            assert step["with"]["fetch-depth"] == 0
            assert step["with"]["persist-credentials"] is False


def test_githubs_verdict_always_runs_after_all_the_others() -> None:
    jobs = load(GITHUB)["jobs"]
    verdict = jobs.pop("verdict")

    assert verdict["if"] == "always()"
    assert set(verdict["needs"]) == set(jobs)
    assert not any("continue-on-error" in job for job in (verdict, *jobs.values()))


def test_gitlabs_verdict_always_runs_and_alone_decides() -> None:
    jobs = {name: job for name, job in load(GITLAB).items() if isinstance(job, dict) and "script" in job}
    verdict = jobs.pop("gate verdict")

    assert verdict["when"] == "always"
    assert set(verdict["needs"]) == set(jobs)
    assert "allow_failure" not in verdict
    assert set(jobs["gate lane"]["parallel"]["matrix"][0]["LANE"]) == LANES


@pytest.mark.parametrize("path", [GITHUB, GITLAB], ids=lambda path: path.parent.name)
def test_a_lane_leaves_only_its_own_files(path: Path) -> None:
    """
    A lane runs code from the patch; what it uploads must not stand in for another lane.
    """
    left = re.findall(r"\.gate/(?:junit|evidence)\S*", path.read_text())

    assert left
    assert all(re.search(r"/(\$LANE|\$\{\{|witness)", place) for place in left)


def test_a_noxfile_has_a_session_for_every_lane() -> None:
    assert LANES | {"gate", "prepare", "witness", "verdict"} <= set(sessions(ADOPTED))
    assert "oraclekeep" not in {name.name for node in ast.walk(ast.parse(ADOPTED.read_text()))
                                if isinstance(node, ast.Import) for name in node.names}  # fmt: skip


def test_adopters_start_from_the_noxfile_that_judges_the_kit_itself() -> None:
    """
    The two differ in where the kit comes from, and in the sessions for work on the kit.
    """
    own, adopted = (
        [ast.unparse(node) for node in ast.parse(path.read_text()).body[1:]] for path in (NOXFILE, ADOPTED)
    )

    assert [line for line in adopted if line not in own] == ["KIT = ('oraclekeep==0.1.0',)"]
