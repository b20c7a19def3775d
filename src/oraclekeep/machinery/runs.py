"""
One command as CI or a task runner runs it, wherever it was written down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.commands import Check, check_of
from oraclekeep.patterns import is_like

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from oraclekeep.machinery.shellrun import Command
    from oraclekeep.machinery.yamltext import Yaml

SOFT: Final = ("lint", "types")  # one tool of these may take another's place
CI_YAML: Final = (
    ".github/workflows/*.yml", ".github/workflows/*.yaml", ".forgejo/workflows/*.y*ml",
    ".gitea/workflows/*.y*ml",
    ".gitlab-ci.yml", ".gitlab/ci/*.yml", ".gitlab/*.yml", ".circleci/*.y*ml", ".buildkite/*.y*ml",
    ".woodpecker/*.y*ml",
    ".woodpecker.y*ml", ".travis.yml", "azure-pipelines*.y*ml", ".azure-pipelines/*.y*ml", ".azure/*.y*ml",
    "bitbucket-pipelines.yml", "appveyor.yml", ".appveyor.yml", ".cirrus.yml", ".drone.yml", "ci/*.y*ml",
    ".ci/*.y*ml",
)  # fmt: skip
ACTION_YAML: Final = (".github/actions/*/action.y*ml", "action.y*ml")
_SCRIPTS: Final = ("*.sh", "*.bash", "ci/*", ".ci/*")
_PYTHON: Final = ("noxfile.py", "tasks.py", "ci/*.py", ".ci/*.py", "noxw*.py", "tasks/*.py")
_RECIPES: Final = (
    "Makefile",
    "makefile",
    "GNUmakefile",
    "*.mk",
    "justfile",
    "Justfile",
    ".justfile",
    "tox.ini",
    "tox.toml",
    "Jenkinsfile*",
)
_SCRIPT_TABLES: Final = frozenset({"hatch.toml", "pixi.toml", "package.json"})
_TASKFILES: Final = frozenset({"Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"})


@dataclass(frozen=True, slots=True)
class Event:
    """
    One trigger of a CI file with the filters that narrow it.
    """

    name: str
    filters: tuple[str, ...] = ()
    line: int = 1


@dataclass(frozen=True, slots=True)
class Run:
    """
    One check in one place.

    ``unit`` is the job, session or target it belongs to; ``events`` the triggers that start it (empty where
    the system has none); ``masks`` say why its failure fails nothing; ``conditions`` when it runs at all.
    """

    check: Check
    path: str
    line: int
    unit: str = ""
    masks: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    shallow: bool = False  # a job that checks out without history
    env: tuple[str, ...] = ()  # `NAME=value`; the last one counts

    @property
    def variables(self) -> tuple[str, ...]:
        return (*self.env, *self.check.env)

    @property
    def masked(self) -> bool:
        return bool(self.masks or self.check.flaws)

    @property
    def why_masked(self) -> str:
        return "; ".join(dict.fromkeys((*self.masks, *self.check.flaws)))

    def under(self, outer: Run) -> Run:
        """
        Return the run as something else calls it: the caller's masks and conditions come on top.
        """
        return replace(
            self,
            masks=(*outer.masks, *outer.check.flaws, *self.masks),
            conditions=(*outer.conditions, *self.conditions),
            events=outer.events,
            shallow=outer.shallow,
            env=(*outer.variables, *self.env),
        )


def run_of(command: Command, path: str, line: int, unit: str) -> Run:
    """
    Return a shell command as a run; ``line`` is where the script starts in its file.
    """
    return Run(
        check_of(command.words),
        path,
        line + command.line - 1,
        unit,
        command.masks,
        command.conditions,
        env=command.env,
    )


def is_ci_yaml(path: str) -> bool:
    return is_like(path, CI_YAML)


def is_action(path: str) -> bool:
    return is_like(path, ACTION_YAML)


def is_script(path: str) -> bool:
    name = path.rpartition("/")[2]
    shell = name.endswith((".sh", ".bash")) or "." not in name
    return shell and is_like(path, _SCRIPTS) and name != "CODEOWNERS"


def is_task_file(path: str) -> bool:
    return is_like(path, _PYTHON)


def is_taskfile(path: str) -> bool:
    return path in _TASKFILES


def names_scripts(path: str) -> bool:
    """
    Tell whether a file beside pyproject names scripts for a task runner.
    """
    return path in _SCRIPT_TABLES or is_taskfile(path)


def is_recipe(path: str) -> bool:
    return is_like(path.rpartition("/")[2], _RECIPES)


def is_hook_list(path: str) -> bool:
    return path in {".pre-commit-config.yaml", ".pre-commit-config.yml"}


def is_machinery(path: str) -> bool:
    """
    Tell whether the file says what is run to check the project.
    """
    return any(
        kind(path)
        for kind in (is_ci_yaml, is_action, is_script, is_task_file, is_recipe, is_hook_list, names_scripts)
    )


def machinery_paths(paths: Iterable[str]) -> list[str]:
    return sorted(path for path in paths if is_machinery(path))


#: Conditions that are lists: whether an entry more lets more runs through, or fewer.
_WIDENS: Final = frozenset({"only", "branches", "paths", "rules", "types", "filters"})
_NARROWS: Final = frozenset({"except", "branches-ignore", "paths-ignore", "rules-not"})
_NO_CONDITION: Final = frozenset({
    "always", "always()", "success()", "on_success", "!cancelled()", "!failure()", "true",
    "succeeded()", "succeededOrFailed()", "success()||failure()", "failure()||success()",
    "always()&&!cancelled()", "!failure()&&!cancelled()", "!cancelled()&&!failure()"
})  # fmt: skip


def condition(key: str, value: Yaml) -> Iterator[str]:
    """
    Yield a CI file's condition in a form that compares by meaning: nothing for one that always holds.
    """
    if key == "rules":
        entries = [item.canon() for item in value.items]
        denied = [
            entry
            for entry in entries
            if any(word in entry for word in ("when: never", "when: manual", "allow_failure: true"))
        ]
        if allowed := [entry for entry in entries if entry not in denied and entry != "{when: always}"]:
            yield f"rules={_SEPARATOR.join(sorted(allowed))}"
        if denied:
            yield f"rules-not={_SEPARATOR.join(sorted(denied))}"
    elif key in _WIDENS | _NARROWS:
        entries = [item.canon() for item in value.items] or ([value.canon()] if value.map else [])
        if entries:
            yield f"{key}={_SEPARATOR.join(sorted(entries))}"
    else:
        text = value.canon().removeprefix("${{").removesuffix("}}").strip()
        if text and text.replace(" ", "") not in _NO_CONDITION and not (key == "skip" and text == "false"):
            yield text if key == "if" else f"{key}: {text}"


_SEPARATOR: Final = " ; "


def narrowed(before: Iterable[str], after: Iterable[str]) -> str:
    """
    Return the condition that makes the second run happen less often than the first; empty where none does.
    """
    old = list(before)
    for text in after:
        if text in old:
            continue
        key, is_list, entries = text.partition("=")
        if is_list and key in _WIDENS | _NARROWS:
            mates = [item.partition("=")[2].split(_SEPARATOR) for item in old if item.startswith(f"{key}=")]
            now = set(entries.split(_SEPARATOR))
            if not mates:
                return text.replace("=", ": ", 1)
            was = set(mates[0])
            renamed = len(was) == len(now) == 1 and key == "branches"
            if not renamed and (was - now if key in _WIDENS else now - was):
                return text.replace("=", ": ", 1)
        elif not any(other in {part.strip() for part in text.split("||")} for other in old):
            return text
    return ""


#: Triggers that stand between a change and its merge.
GATING: Final = ("pull_request", "pull_request_target", "merge_group", "pr")


def events_lost(before: tuple[Event, ...], after: Sequence[tuple[Event, ...]]) -> list[str]:
    """
    Say which triggers of the first run start none of the others, or narrower ones.
    """
    others = [event for events in after for event in events]
    refused = [other for other in others if other.name.startswith("no ") and other not in before]
    if refused:
        return [f"`{refused[0].name[3:]}: none` starts it no more"]
    if not all(after):
        return []
    gating = [event for event in before if event.name in GATING]
    reasons: list[str] = []
    for event in gating or before:
        mates = [other for other in others if other.name == event.name]
        if not mates:
            reasons.append(f"it no longer runs on {event.name}")
        elif all(narrowed(event.filters, other.filters) for other in mates):
            reasons.append(f"on {event.name} it runs only for {narrowed(event.filters, mates[0].filters)}")
    return reasons if gating or len(reasons) == len(before) else []
