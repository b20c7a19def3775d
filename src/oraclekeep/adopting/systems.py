"""
The CI systems that there are templates for: how a repository shows that it uses one, and where its file goes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from oraclekeep.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """
    One CI system.

    ``entry`` is the only file that the system reads, where it reads only one: the gate's own file is it where
    there is none yet, else the template is put to ``target`` and a person joins the two as ``join`` says.
    """

    name: str
    template: str
    target: str
    marks: tuple[str, ...]
    hosts: tuple[str, ...] = ()
    entry: str = ""
    join: str = ""


SYSTEMS: Final = {
    system.name: system
    for system in (
        System(
            name="github",
            template="ci/github/gate.yml",
            target=".github/workflows/gate.yml",
            marks=(".github/",),
            hosts=("github.com",),
        ),
        System(
            name="gitlab",
            template="ci/gitlab/gate.yml",
            target="ci/gate.gitlab.yml",
            marks=(".gitlab-ci.yml", ".gitlab/"),
            hosts=("gitlab.",),
            join="add `include: ci/gate.gitlab.yml` to .gitlab-ci.yml",
        ),
        System(
            name="forgejo",
            template="ci/forgejo/gate.yml",
            target=".forgejo/workflows/gate.yml",
            marks=(".forgejo/",),
            hosts=("codeberg.org", "forgejo."),
        ),
        System(
            name="gitea",
            template="ci/forgejo/gate.yml",
            target=".gitea/workflows/gate.yml",
            marks=(".gitea/",),
            hosts=("gitea.",),
        ),
        System(
            name="jenkins",
            template="ci/jenkins/Jenkinsfile.gate",
            target="Jenkinsfile.gate",
            marks=("Jenkinsfile",),
        ),
        System(
            name="circleci",
            template="ci/circleci/config.yml",
            target="ci/gate.circleci.yml",
            marks=(".circleci/",),
            entry=".circleci/config.yml",
            join="join ci/gate.circleci.yml to .circleci/config.yml: executors, commands, jobs, workflow",
        ),
        System(
            name="azure",
            template="ci/azure/gate.yml",
            target="azure-pipelines-gate.yml",
            marks=("azure-pipelines.yml", "azure-pipelines.yaml", ".azure-pipelines/"),
            hosts=("dev.azure.com", "visualstudio.com"),
        ),
        System(
            name="buildkite",
            template="ci/buildkite/gate.yml",
            target=".buildkite/gate.yml",
            marks=(".buildkite/",),
        ),
        System(
            name="bitbucket",
            template="ci/bitbucket/bitbucket-pipelines.yml",
            target="ci/gate.bitbucket.yml",
            marks=("bitbucket-pipelines.yml",),
            hosts=("bitbucket.org",),
            entry="bitbucket-pipelines.yml",
            join="join ci/gate.bitbucket.yml to bitbucket-pipelines.yml: its definitions and `pull-requests`",
        ),
        System(
            name="woodpecker",
            template="ci/woodpecker/gate.yml",
            target=".woodpecker/gate.yml",
            marks=(".woodpecker/", ".woodpecker.yml", ".woodpecker.yaml"),
        ),
    )
}


def named(text: str) -> tuple[System, ...]:
    """
    Return the systems that `--ci` names, separated by commas; `none` is none.

    Raises `UsageError` for an unknown one.
    """
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in SYSTEMS and name != "none":
            raise UsageError(f"--ci {name}: not known; there are {', '.join(SYSTEMS)} and none")
    return tuple(SYSTEMS[name] for name in dict.fromkeys(names) if name != "none")


def found(has: Callable[[str], bool], remote: str) -> tuple[System, ...]:
    """
    Return the systems that a repository uses, or else the one of the host that it is pushed to.
    """
    every = SYSTEMS.values()
    used = tuple(system for system in every if any(map(has, system.marks)))
    return used or tuple(system for system in every if any(host in remote for host in system.hosts))
