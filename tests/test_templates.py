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

from oraclekeep.adopting.systems import SYSTEMS
from oraclekeep.reports import FILES as FORMS

ROOT = Path(__file__).resolve().parents[1]
GITHUB, GITLAB = ROOT / "ci/github/gate.yml", ROOT / "ci/gitlab/gate.yml"
JENKINS = ROOT / "ci/jenkins/Jenkinsfile.gate"
ALL = sorted({ROOT / system.template for system in SYSTEMS.values()})
SPLIT = [path for path in ALL if "woodpecker" not in path.parts]  # one job there: nothing is handed on
CI_FILES = [path for path in sorted((ROOT / "ci").rglob("*")) if path.suffix == ".yml" or path == JENKINS]
EXPIRY = sorted((ROOT / "ci").glob("*/expiry.yml"))
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


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.parent.name)
def test_says_at_its_top_what_it_does(path: Path) -> None:
    mark = "//" if path == JENKINS else "#"
    header = [line for line in re.split(rf"\n(?!{mark})", path.read_text())[0].splitlines() if line != mark]

    assert 8 <= len(header) <= 14
    assert {"prepare", "lanes", "witness", "verdict"} <= {line.split()[1] for line in header}


@pytest.mark.parametrize("path", SPLIT, ids=lambda path: path.parent.name)
def test_the_verdict_is_kept_in_every_form(path: Path) -> None:
    """
    Woodpecker, which keeps nothing, prints the one that people read.
    """
    text = path.read_text()

    assert ".gate/verdict.*" in text or all(f".gate/verdict.{form}" in text for form in FORMS)


@pytest.mark.parametrize("path", SPLIT, ids=lambda path: path.parent.name)
def test_calls_only_sessions_that_exist(path: Path) -> None:
    called = set(re.findall(r"(?:noxw -s |LANE=)(\w+)", path.read_text()))

    assert {"prepare", "witness", "verdict"} <= called <= set(sessions(ADOPTED))


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.parent.name)
def test_keeps_secrets_and_privileges_away(path: Path) -> None:
    code = "\n".join(line.partition("#")[0] for line in path.read_text().splitlines())

    assert not re.search(r"pull_request_target|workflow_run|secrets\.|: write|id-token", code)


@pytest.mark.parametrize("path", SPLIT, ids=lambda path: path.parent.name)
def test_every_job_compares_the_same_commits_on_the_same_day(path: Path) -> None:
    calls = re.findall(r"noxw -s (?!expiry)(.+)", path.read_text())

    assert all("--base" in call and "--head" in call for call in calls)
    assert all("--today" in call for call in calls if not call.startswith("prepare"))


def test_github_reads_with_full_history_and_pinned_actions() -> None:
    workflow = load(GITHUB)
    steps = [step for job in workflow["jobs"].values() for step in job["steps"] if "uses" in step]

    assert workflow["permissions"] == {"contents": "read"}
    assert all(re.search(r"@[0-9a-f]{40}$", step["uses"]) for step in steps)
    for step in steps:
        if step["uses"].startswith("actions/checkout@"):
            assert step["with"]["fetch-depth"] == 0
            assert step["with"]["persist-credentials"] is False


@pytest.mark.parametrize("path", CI_FILES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_is_fetched_is_pinned_by_digest(path: Path) -> None:
    """
    Each with the version behind it, for people.  Not to be had: Azure's tasks, and Woodpecker's clone plugin.
    """
    text = path.read_text()
    images = re.findall(r"(?:\bimage:|container:|\{ image) ['\"]?([^\s'\"]+)", text)
    fetched = re.findall(r"(?:uses: (?!\./)|- (?=(?:docker|artifacts)#))(.+)$", text, re.MULTILINE)

    for name in images:
        known = name.startswith("docker.io/woodpeckerci/plugin-git:2.")
        assert known or re.search(r"@sha256:[0-9a-f]{64}$", name), name
    for line in fetched:
        known = line.startswith("OWNER/")  # a caller's own repository
        assert known or re.search(r"[@#][0-9a-f]{40}:? # v\d+\.\d+\.\d+$", line), line


def test_one_version_of_each_thing_is_used_everywhere() -> None:
    pins: dict[str, set[str]] = {}
    for path in CI_FILES:
        for name, digest in re.findall(
            r"([\w./-]+)(?::[\w.-]+)?[@#](?:sha256:)?([0-9a-f]{40,64})", path.read_text()
        ):
            forge = "forgejo" if "forgejo" in path.parts else ""
            pins.setdefault(f"{forge} {name.rpartition('/')[2]}", set()).add(digest)

    assert {name: len(digests) for name, digests in pins.items() if len(digests) > 1} == {
        " python": 2,  # the lanes' and the witness'
        "forgejo node": 2,
    }


@pytest.mark.parametrize("path", EXPIRY, ids=lambda path: path.parent.name)
def test_a_schedule_judges_no_patch(path: Path) -> None:
    text = path.read_text()

    assert "./noxw -s expiry -- --within 14 --strict" in text
    assert "nothing of it is to be required" in text.replace("\n# ", " ")
    assert not re.search(r"^ *-? ?(pull_request|merge_group|event: pull_request)\b", text, re.MULTILINE)


def test_githubs_workflow_can_be_called_and_asks_for_no_secret() -> None:
    """
    The event is the caller's, so base and head are found the same way.
    """
    triggers = load(GITHUB)[True]  # YAML 1.1 reads `on` so

    assert set(triggers) == {"pull_request", "merge_group", "workflow_call"}
    assert set(triggers["workflow_call"]) == {"inputs"}
    for name, given in triggers["workflow_call"]["inputs"].items():
        assert f"inputs.{name} || '{given['default']}'" in GITHUB.read_text()


def test_the_action_judges_by_base_alone() -> None:
    steps = load(ROOT / "ci/github/action/action.yml")["runs"]["steps"]
    texts = [step["run"] for step in steps if "run" in step]

    assert texts[0].startswith('test "$(git rev-parse HEAD)" =')
    assert not any("${{" in text for text in texts)  # an input never becomes code


def test_woodpeckers_witness_is_another_workflow_on_another_agent() -> None:
    gate, witness = (load(ROOT / f"ci/woodpecker/{name}.yml") for name in ("gate", "witness"))

    assert "labels" not in gate
    assert witness["labels"]
    assert witness["when"] == gate["when"]
    assert witness["clone"] == gate["clone"]
    assert witness["steps"][0]["image"] != gate["steps"][0]["image"]


def test_githubs_verdict_always_runs_after_all_the_others() -> None:
    jobs = load(GITHUB)["jobs"]
    verdict = jobs.pop("verdict")

    assert verdict["if"] == "always()"
    assert set(verdict["needs"]) == set(jobs)
    assert not any("continue-on-error" in job for job in (verdict, *jobs.values()))


def test_gitlabs_verdict_always_runs_and_alone_decides() -> None:
    jobs = {name: job for name, job in load(GITLAB).items() if isinstance(job, dict) and "script" in job}
    jobs.pop("gate expiry")  # a schedule's, not a patch's
    verdict = jobs.pop("gate verdict")

    assert verdict["when"] == "always"
    assert set(verdict["needs"]) == set(jobs)
    assert "allow_failure" not in verdict
    assert set(jobs["gate lane"]["parallel"]["matrix"][0]["LANE"]) == LANES


@pytest.mark.parametrize("path", SPLIT, ids=lambda path: path.parent.name)
def test_a_lane_leaves_only_its_own_files(path: Path) -> None:
    """
    A lane runs code from the patch; what it uploads must not stand in for another lane.
    """
    lines = [line for line in path.read_text().splitlines() if "download:" not in line]
    left = re.findall(r"\.gate/(?:junit|evidence)/([^\s,]+)", "\n".join(lines))
    own = r"\$LANE|\$\{LANE\}|\$\(LANE\)|\$\{\{|\{\{matrix\}\}|<<|witness"

    assert left
    if path.parent.name != "bitbucket":
        assert all(re.match(own, name) for name in left)


def test_bitbuckets_steps_each_leave_their_own_lanes_files() -> None:
    """
    There is no matrix: each step names its lane, and files of that name alone.
    """
    steps = load(ROOT / "ci/bitbucket/bitbucket-pipelines.yml")["pipelines"]["pull-requests"]["**"]
    lanes = [one["step"] for one in steps[1]["parallel"]["steps"]]
    names = [next(line[12:] for line in step["script"] if line.startswith("export LANE=")) for step in lanes]

    assert set(names) == {*LANES, "witness"}
    assert not steps[1]["parallel"]["fail-fast"]
    for name, step in zip(names, lanes, strict=True):
        assert all(
            re.fullmatch(rf"\.gate/(junit|evidence)/{name}(@\*)?\.(xml|json)\*?", each)
            for each in step["artifacts"]
        )


@pytest.mark.parametrize(
    "path", [path for path in SPLIT if path != GITHUB], ids=lambda path: path.parent.name
)
def test_a_matrix_that_is_written_out_has_every_lane(path: Path) -> None:
    """
    GitHub's is made from the run.
    """
    assert all(re.search(rf"\b{lane}\b", path.read_text()) for lane in LANES)


def test_the_verdict_runs_after_all_the_others_wherever_a_system_can_say_so() -> None:
    forgejo, azure, buildkite = (
        load(ROOT / f"ci/{name}/gate.yml") for name in ("forgejo", "azure", "buildkite")
    )
    jobs = {job["job"]: job for job in azure["jobs"]}
    steps = {step["key"]: step for step in buildkite["steps"] if "schedule" not in step["if"]}
    flow = load(ROOT / "ci/circleci/config.yml")["workflows"]["gate"]["jobs"]

    assert forgejo["jobs"]["verdict"]["if"] == jobs["verdict"]["condition"] == "always()"
    assert set(forgejo["jobs"]["verdict"]["needs"]) == set(forgejo["jobs"]) - {"verdict"}
    assert set(jobs["verdict"]["dependsOn"]) == set(jobs) - {"verdict"}
    assert steps["verdict"]["allow_dependency_failure"]
    assert set(steps["verdict"]["depends_on"]) == set(steps) - {"verdict"}
    assert flow[-1] == {"verdict": {"requires": ["prepare", "lanes", "witness"]}}
    assert all("soft_fail" not in step for step in (steps["verdict"], steps["prepare"]))


def test_the_page_that_compares_them_names_every_template() -> None:
    page = (ROOT / "ci/README.md").read_text()

    for system in SYSTEMS.values():
        assert f"`{system.template.removeprefix('ci/')}`" in page
        assert f"`{system.entry or system.target}`" in page


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
