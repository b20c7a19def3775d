"""
The templates under `ci/` as jobs for the bench, by each system's own keys.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

import yaml

from .ci_bench import Bench, Job, Keep, Run, Take

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CI: Final = Path(__file__).resolve().parent.parent / "ci"


class Reference(list[str]):
    """
    GitLab's `!reference`: the keys that lead to a value elsewhere in the file.
    """


class Loader(yaml.SafeLoader):
    pass


Loader.add_constructor("!reference", lambda loader, node: Reference(loader.construct_sequence(node)))


def load(name: str) -> dict[str, Any]:
    return yaml.load((CI / name).read_text(), Loader)  # noqa: S506  # a safe loader, with one tag more


def words(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else (str(value),) if value else ()


# ------------------------------------------------------------------------------- GitHub, and what is like it


def actions(bench: Bench, name: str) -> Iterator[Job]:
    """
    Yield the jobs of a workflow; a matrix may be made from what an earlier job has said.
    """
    flow = load(name)
    bench.resolve, bench.read_after = _expressions, _outputs
    for job_name, job in flow["jobs"].items():
        matrix = job.get("strategy", {}).get("matrix", {"lane": [""]})["lane"]
        if isinstance(matrix, str):
            matrix = json.loads(_expressions(bench, job_name, matrix) or '[""]')
        lanes: list[str] = matrix
        for lane in lanes:
            steps = tuple(one for step in job["steps"] for one in _action(step))
            label = f"{job_name}-{lane}" if lane else job_name
            bench.outputs[f"{label}:matrix.lane"] = lane
            yield Job(
                name=label,
                steps=steps,
                env=flow["env"],
                after=words(job.get("needs")),
                always=job.get("if") == "always()",
                soft=bool(lane),  # a lane is not a required check
            )


def _action(step: dict[str, Any]) -> Iterator[Run | Keep | Take]:
    always, given = step.get("if") == "always()", step.get("with", {})
    used = step.get("uses", "")
    if "run" in step:
        yield Run(script=step["run"], env=step.get("env", {}), always=always)
    elif "upload-artifact" in used:
        patterns = tuple(line.partition(" #")[0].strip() for line in given["path"].splitlines())
        folders = [str(PurePosixPath(pattern).parent) for pattern in patterns]
        yield Keep(artifact=given["name"], patterns=patterns, root=os.path.commonpath(folders), always=always)
    elif "download-artifact" in used:
        names = re.split(r"[{},]+", given.get("name") or given.get("pattern") or "*")
        wanted = [re.compile(part.replace("*", ".*")) for part in names if part]
        yield Take(
            wanted=lambda found: any(one.fullmatch(found) for one in wanted),
            into=given["path"],
            each=not {"name", "merge-multiple"} & set(given),
        )


def _expressions(bench: Bench, job: str, text: str) -> str:
    """
    Replace `${{ … }}`; the few that the templates use are known, and any other is an error.
    """

    queue, given = bench.event == "merge_group", "" if bench.event == "merge_group" else "x"
    known = {
        "env.HEAD": bench.head,
        "matrix.lane": bench.outputs.get(f"{job}:matrix.lane", ""),
        **{f"github.event.pull_request.{side}.sha": given and getattr(bench, side) for side in SIDES},
        **{f"github.event.merge_group.{side}_sha": getattr(bench, side) if queue else "" for side in SIDES},
        **{f"inputs.{side}": getattr(bench, side) for side in SIDES if job == "action"},
        **{key: text for key, text in bench.outputs.items() if key.startswith("needs.")},
    }

    def one(name: str) -> str:
        if name.startswith("'"):
            return name.strip("'")
        if name.startswith(("needs.", "inputs.")):  # what nobody has said is empty
            return known.get(name, "")
        return known[name]

    def value(match: re.Match[str]) -> str:
        names = re.sub(r"fromJSON\((.*)\)", r"\1", match[1].strip()).split(" || ")
        return next(filter(None, map(one, names)), "")

    return re.sub(r"\$\{\{(.*?)\}\}", value, text)


def _outputs(bench: Bench, job: str, place: Path, said: str) -> None:
    file = place.parent / "outputs"
    for line in file.read_text().splitlines() if file.exists() else ():
        key, _, value = line.partition("=")
        bench.outputs[f"needs.{job}.outputs.{key}"] = value


def github(bench: Bench) -> Iterator[Job]:
    for job in actions(bench, "github/gate.yml"):
        yield Job(**{**vars(job), "env": {**job.env, **_files(bench)}})


def _files(bench: Bench) -> dict[str, str]:
    return {
        "GITHUB_OUTPUT": str(bench.folder / "work/outputs"),
        "GITHUB_STEP_SUMMARY": str(bench.folder / "summary"),
    }


def action(bench: Bench) -> Iterator[Job]:
    """
    The composite action, used as its first lines say.
    """
    bench.resolve = _expressions
    used = re.search(r"#       - run: (.+?) #", (CI / "github/action/action.yml").read_text())
    assert used
    stand = Run(script=used[1], env={"BASE": bench.base})
    steps = load("github/action/action.yml")["runs"]["steps"]
    done = tuple(one for step in steps for one in _action(step))
    yield Job(name="action", steps=(stand, *done), env=_files(bench))


def forgejo(bench: Bench) -> Iterator[Job]:
    yield from actions(bench, "forgejo/gate.yml")


# --------------------------------------------------------------------------------------------------- GitLab


def gitlab(bench: Bench) -> Iterator[Job]:
    plain = {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_RUNNER_ID": "7", "CI_PROJECT_ID": "1"}
    plain |= {"CI_COMMIT_SHA": bench.head, "CI_MERGE_REQUEST_PROJECT_ID": "1"}
    if bench.event == "merge_group":
        plain["CI_MERGE_REQUEST_TARGET_BRANCH_SHA"] = bench.base
    yield from _gitlab(bench, "merge_request_event", plain)


def _gitlab(bench: Bench, source: str, plain: dict[str, str]) -> Iterator[Job]:
    """
    Yield the jobs that a pipeline of this source has.
    """
    flow = load("gitlab/gate.yml")
    bench.read_after = _dotenv
    wanted = [{"if": f'$CI_PIPELINE_SOURCE == "{source}"'}]
    jobs = {name: {**flow[".gate"], **flow[name]} for name in flow if name.startswith("gate ")}
    names = [name for name, job in jobs.items() if job["rules"] == wanted]
    for name in sorted(names, key=lambda each: flow["stages"].index(jobs[each]["stage"])):
        job = jobs[name]
        for lane in job.get("parallel", {}).get("matrix", [{"LANE": [""]}])[0]["LANE"]:
            script = [line for part in (*job["before_script"], *job["script"]) for line in _lines(flow, part)]
            artifacts = job.get("artifacts", {})
            kept = tuple(path.replace("$LANE", lane) for path in artifacts.get("paths", ()))
            label = f"{name} {lane}".strip()
            yield Job(
                name=label.replace(" ", "-"),
                steps=(
                    Take(wanted=lambda _: True),
                    Run(script="\n".join(script), env=_known(bench)),
                    Keep(artifact=label, patterns=kept, always=artifacts.get("when") == "always"),
                ),
                env={**plain, **job.get("variables", {}), **({"LANE": lane} if lane else {})},
                after=tuple(each.replace(" ", "-") for each in job.get("needs", ())),
                always=job.get("when") == "always",
                soft=job.get("allow_failure", False),
            )


def _lines(flow: dict[str, Any], part: object) -> list[str]:
    if isinstance(part, Reference):
        return [line for each in flow[part[0]][part[1]] for line in _lines(flow, each)]
    return [str(part)]


def _known(bench: Bench) -> dict[str, str]:
    return {key: value for key, value in bench.outputs.items() if key.startswith("GATE_")}


def _dotenv(bench: Bench, job: str, place: Path, said: str) -> None:
    file = place / "gate.env"
    for line in file.read_text().splitlines() if file.exists() else ():
        key, _, value = line.partition("=")
        bench.outputs[key] = value


# ---------------------------------------------------------------------------------------------------- Azure


def azure(bench: Bench) -> Iterator[Job]:
    flow = load("azure/gate.yml")
    bench.resolve, bench.read_after = _macros, _set_variables
    for job in flow["jobs"]:
        for lane in list(job.get("strategy", {}).get("matrix", {"": ""})):
            label = f"{job['job']}-{lane}".rstrip("-")
            bench.outputs[f"{label}:LANE"] = lane
            yield Job(
                name=label,
                steps=tuple(one for step in job["steps"] for one in _azure_step(step, lane)),
                env={**flow["variables"], **job.get("variables", {}), "LANE": lane},
                after=words(job.get("dependsOn")),
                always=job.get("condition") == "always()",
            )


def _azure_step(step: dict[str, Any], lane: str) -> Iterator[Run | Keep | Take]:
    always = step.get("condition") == "always()"
    if "bash" in step:
        yield Run(script=step["bash"], env=step.get("env", {}), always=always, argv=("bash", "-c"))
    elif "download" in step:
        name = step.get("artifact", "")
        yield Take(wanted=lambda found: name in ("", found), into="../pipeline", each=True)
    elif step.get("task") == "CopyFiles@2":
        patterns = tuple(
            line.replace("$(LANE)", lane).partition(" #")[0] for line in step["inputs"]["Contents"].split()
        )
        name = "verdict" if patterns == (".gate/verdict.*",) else f"lane-{lane or 'witness'}-1"
        yield Keep(artifact=name, patterns=patterns, always=always)
    elif str(step.get("publish", "")).startswith(".gate"):
        yield Keep(artifact=step["artifact"], patterns=(step["publish"],), root=".gate", always=always)


def _macros(bench: Bench, job: str, text: str) -> str:
    known = {
        "$(System.PullRequest.SourceCommitId)": bench.head,
        "$(System.PullRequest.TargetBranch)": "refs/heads/main",
        "$(Pipeline.Workspace)": str(bench.folder / "work/pipeline"),
        "$(LANE)": bench.outputs.get(f"{job}:LANE", ""),
        **{
            f"$[ dependencies.prepare.outputs['run.{key}'] ]": bench.outputs.get(key, "")
            for key in ("base", "today")
        },
    }
    for macro, value in known.items():
        text = text.replace(macro, value)
    return text


def _set_variables(bench: Bench, job: str, place: Path, said: str) -> None:
    for key, value in re.findall(
        r"^##vso\[task\.setvariable variable=(\w+);isOutput=true\](.*)$", said, re.MULTILINE
    ):
        bench.outputs[key] = value


# ------------------------------------------------------------------------------------------------- CircleCI


def circleci(bench: Bench) -> Iterator[Job]:
    yield from _circleci(bench, "gate")


def _circleci(bench: Bench, workflow: str) -> Iterator[Job]:
    flow = load("circleci/config.yml")
    for entry in flow["workflows"][workflow]["jobs"]:
        ((name, wish),) = entry.items() if isinstance(entry, dict) else ((entry, {}),)
        job = flow["jobs"][name]
        lanes = wish.get("matrix", {}).get("parameters", {}).get("lane", [""])
        for lane in lanes:
            label = f"lanes-{lane}" if lane else name
            env = {**job.get("environment", {}), "CIRCLE_SHA1": bench.head}
            env["BASH_ENV"] = str(bench.folder / f"{label}.env")
            Path(env["BASH_ENV"]).touch()
            yield Job(
                name=label,
                steps=tuple(one for step in job["steps"] for one in _circle_step(flow, step, lane, label)),
                env={key: value.replace("<< parameters.lane >>", lane) for key, value in env.items()},
                after=tuple(
                    each
                    for need in wish.get("requires", ())
                    for each in ([f"lanes-{lane}" for lane in LANES] if need == "lanes" else [need])
                ),
            )


def _circle_step(flow: dict[str, Any], step: Any, lane: str, label: str) -> Iterator[Run | Keep | Take]:
    if isinstance(step, str):
        for inner in flow["commands"].get(step, {}).get("steps", ()):
            yield from _circle_step(flow, inner, lane, label)
    elif "run" in step:
        run = step["run"]
        text = run if isinstance(run, str) else run["command"]
        yield Run(script=text.replace("<< pipeline.parameters.target >>", "main"))
    elif "attach_workspace" in step:
        yield Take(wanted=lambda _: True)
    elif "persist_to_workspace" in step:
        paths = step["persist_to_workspace"]["paths"]
        yield Keep(
            artifact=label, patterns=tuple(path.replace("<< parameters.lane >>", lane) for path in paths)
        )


# --------------------------------------------------------------------------- Buildkite, Bitbucket, Woodpecker


def buildkite(bench: Bench) -> Iterator[Job]:
    plain = {"BUILDKITE_COMMIT": bench.head, "BUILDKITE_PULL_REQUEST_BASE_BRANCH": "main"}
    if bench.event == "merge_group":
        plain = {"BUILDKITE_COMMIT": bench.head, "BUILDKITE_MERGE_QUEUE_BASE_BRANCH": "main"}
        plain["BUILDKITE_MERGE_QUEUE_BASE_COMMIT"] = bench.base
    words = {"merge_group": "build.merge_queue.base_commit != null"}
    yield from _buildkite(words.get(bench.event, "build.pull_request.id != null"), plain)


def _buildkite(wish: str, plain: dict[str, str]) -> Iterator[Job]:
    for step in load("buildkite/gate.yml")["steps"]:
        if wish not in step["if"].split(" || "):
            continue
        plugins = [(name.split("#")[0], given) for one in step["plugins"] for name, given in one.items()]
        for lane in step.get("matrix", [""]):
            label = f"{step['key']}-{lane}".rstrip("-")
            taken = [given["step"] for name, given in plugins if name == "artifacts"]
            kept = tuple(path.replace("{{matrix}}", lane) for path in words(step.get("artifact_paths")))
            yield Job(
                name=label,
                steps=(
                    Take(wanted=_of_steps(taken)),
                    Run(script=step["command"].replace("$$", "$"), argv=("sh", "-e", "-c")),
                    Keep(artifact=label, patterns=kept, always=True),
                ),
                env={**plain, **step.get("env", {}), "LANE": lane},
                after=words(step.get("depends_on")),
                always=step.get("allow_dependency_failure", False),
                soft=step.get("soft_fail", False),
            )


def _of_steps(steps: list[str]) -> Callable[[str], bool]:
    return lambda found: found.split("-")[0] in steps


def bitbucket(bench: Bench) -> Iterator[Job]:
    flow = load("bitbucket/bitbucket-pipelines.yml")
    yield from _bitbucket(bench, flow["pipelines"]["pull-requests"]["**"])


def _bitbucket(bench: Bench, stages: list[dict[str, Any]]) -> Iterator[Job]:
    before: tuple[str, ...] = ()
    for stage in stages:
        steps = stage["parallel"]["steps"] if "parallel" in stage else [stage]
        names = []
        for step in (each["step"] for each in steps):
            name = step["name"].replace(" ", "-")
            names.append(name)
            yield Job(
                name=name,
                steps=(
                    Take(wanted=lambda _: True),
                    Run(script="\n".join(step["script"])),
                    Keep(artifact=name, patterns=tuple(step.get("artifacts", ()))),
                ),
                env={"BITBUCKET_PR_DESTINATION_BRANCH": "main", "BITBUCKET_COMMIT": bench.head},
                after=before,
            )
        before = (*before, *names)


def woodpecker(bench: Bench) -> Iterator[Job]:
    """
    Two workflows whose status is required, so either one holds the patch: the gate comes last here.
    """
    (witness,), (gate,) = _woodpecker(bench, "witness"), _woodpecker(bench, "gate")
    yield witness
    yield Job(**{**vars(gate), "after": (witness.name,)})


def _woodpecker(bench: Bench, name: str) -> Iterator[Job]:
    steps = load(f"woodpecker/{name}.yml")["steps"]
    yield Job(
        name=name,
        steps=tuple(
            Run(
                script="\n".join(step["commands"]),
                env=step.get("environment", {}),
                argv=("sh", "-e", "-c"),
                always="when" in step,
            )
            for step in steps
        ),
        env={"CI_COMMIT_TARGET_BRANCH": "main", "CI_COMMIT_SHA": bench.head},
    )


# --------------------------------------------------------------------------------------- what a schedule runs


def _expiry_actions(bench: Bench, name: str) -> Iterator[Job]:
    steps = load(name)["jobs"]["expiry"]["steps"]
    yield Job(name="expiry", steps=tuple(one for step in steps for one in _action(step)))


def _expiry_azure(bench: Bench) -> Iterator[Job]:
    steps = load("azure/expiry.yml")["jobs"][0]["steps"]
    yield Job(name="expiry", steps=tuple(one for step in steps for one in _azure_step(step, "")))


SIDES: Final = ("base", "head")
LANES: Final = ("properties", "inventory", "suite", "characterization", "specimens", "proposed", "liveness")
#: Those that run lanes as jobs of their own, then those that do all in one.
SPLIT: Final = {
    function.__name__: function
    for function in (github, gitlab, forgejo, azure, circleci, buildkite, bitbucket)
}
SYSTEMS: Final = {**SPLIT, "action": action, "woodpecker": woodpecker}
QUEUES: Final = ("github", "gitlab", "buildkite")
SCHEDULES: Final = {
    "github": lambda bench: _expiry_actions(bench, "github/expiry.yml"),
    "forgejo": lambda bench: _expiry_actions(bench, "forgejo/expiry.yml"),
    "gitlab": lambda bench: _gitlab(bench, "schedule", {}),
    "azure": _expiry_azure,
    "circleci": lambda bench: _circleci(bench, "expiry"),
    "buildkite": lambda _: _buildkite('build.source == "schedule"', {}),
    "bitbucket": lambda bench: _bitbucket(
        bench, load("bitbucket/bitbucket-pipelines.yml")["pipelines"]["custom"]["expiry"]
    ),
    "woodpecker": lambda bench: _woodpecker(bench, "expiry"),
}
