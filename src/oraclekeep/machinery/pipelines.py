"""
CI files as runs: jobs, steps and commands of the usual systems, what starts and what silences them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.commands import Check
from oraclekeep.machinery.runs import Event, Run, condition, run_of
from oraclekeep.machinery.shellrun import commands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.machinery.yamltext import Yaml

_GITHUB: Final = (".github/", ".forgejo/", ".gitea/", "action.y")
_SCRIPT_KEYS: Final = frozenset(
    {
        "run",
        "script",
        "before_script",
        "command",
        "commands",
        "bash",
        "sh",
        "pwsh",
        "powershell",
        "after_script",
    }
)
_MASK_KEYS: Final = {
    "continue-on-error": "`continue-on-error` ignores its failure",
    "continueOnError": "`continueOnError` ignores its failure",
    "allow_failure": "`allow_failure` ignores its failure",
    "allow_failures": "`allow_failures` ignores its failure",
    "soft_fail": "`soft_fail` ignores its failure",
    "ignore_failure": "`ignore_failure` ignores its failure",
    "ignoreFailure": "`ignoreFailure` ignores its failure",
    "ignore_errors": "`ignore_errors` ignores its failure",
}
_CONDITION_KEYS: Final = (
    "if",
    "when",
    "condition",
    "only_if",
    "skip",
    "skip_if",
    "rules",
    "only",
    "except",
    "filters",
    "branches",
    "trigger",
)
_SKIP_KEYS: Final = frozenset(
    {
        "on",
        "env",
        "variables",
        "with",
        "needs",
        "permissions",
        "strategy",
        "services",
        "environment",
        "stages",
        "workflow",
        "concurrency",
        "defaults",
    }
)
#: What reads `run` as shell commands.  An expression may be any of them; anything else is another language.
_SHELL: Final = re.compile(r"(^|/)(ba|z|da|a|k|fi|pw)?sh(\.exe)?$|^(powershell|cmd|\$\{\{)")
_PART_WORD: Final = re.compile(
    r"(^|[/_-])(tests?|checks?|gate|lint|pre-commit|alls-green|nox|tox|verify)([/_@-]|$)"
)


@dataclass(frozen=True)
class _Context:
    """
    What holds for everything below one place of the file.
    """

    path: str
    unit: str = ""
    masks: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    shallow: bool = False
    errexit: bool = True
    pipefail: bool = False
    foreign: bool = False  # the interpreter is no shell: `shell: python`
    env: tuple[str, ...] = ()
    matrix: Yaml | None = None
    depth: int = 0


def runs_in(path: str, documents: tuple[Yaml, ...], used: frozenset[str] = frozenset()) -> tuple[Run, ...]:
    """
    Return the commands and reusable parts that one CI file runs.

    ``used`` names the hidden jobs of GitLab that some file of the tree builds on.
    """
    found: list[Run] = []
    for document in documents:
        base = _Context(
            path,
            errexit=not path.startswith(("azure-pipelines", ".azure")),
            pipefail=path.startswith(".gitlab"),
        )
        if path.startswith(_GITHUB):
            found += _github(document, replace(base, events=events_of(document)))
        elif is_gitlab(path):
            found += _gitlab(document, base, used)
        else:
            outer = replace(base, events=events_of(document))
            found += _walk(document, outer, _scheduled(document))
    return tuple(found)


def _github(document: Yaml, context: _Context) -> Iterator[Run]:
    outer = _shell(document.at("defaults", "run", "shell").text, _with_variables(document, context))
    if (action := document.get("runs")) is not None:
        yield from _walk(action, replace(outer, unit="action"))
    for name, job in document.at("jobs").map.items():
        inner = _shell(job.at("defaults", "run", "shell").text, outer)
        inner = replace(inner, unit=name, shallow=_is_shallow(job), matrix=job.get("strategy"))
        yield from _walk(job, inner)


def is_gitlab(path: str) -> bool:
    return ".gitlab" in path


def built_on(documents: tuple[Yaml, ...]) -> Iterator[str]:
    """
    Yield the jobs that others extend or take parts of: `extends: .unit`, `!reference [.unit, script]`.
    """
    for document in documents:
        for value in document.walk():
            yield from (name.text for name in value.at("extends").items)
            if isinstance(value.value, tuple) and value.items and value.items[0].text.startswith("."):
                yield value.items[0].text


def _gitlab(document: Yaml, context: _Context, used: frozenset[str]) -> Iterator[Run]:
    jobs = document.map
    extended = {name.text for job in jobs.values() for name in job.at("extends").items}
    outer = _with_variables(document.at("default"), _with_variables(document, context))
    if (rules := document.at("workflow").get("rules")) is not None:
        outer = replace(outer, conditions=tuple(condition("rules", rules)))
    for name, job in jobs.items():
        hidden = name.startswith(".") and (name in extended or name not in used)
        if hidden or name in {
            "default",
            "include",
            "stages",
            "variables",
            "workflow",
        }:
            continue
        yield from _walk(_extended(job, jobs, 0), replace(outer, unit=name))


def _extended(job: Yaml, jobs: dict[str, Yaml], depth: int) -> Yaml:
    merged: dict[str, Yaml] = {}
    for name in job.at("extends").items:
        if name.text in jobs and depth < 10:
            merged |= _extended(jobs[name.text], jobs, depth + 1).map
    return replace(job, value=merged | job.map) if job.map else job


def _scheduled(document: Yaml) -> dict[str, tuple[str, ...]] | None:
    """
    Return the jobs that a CircleCI file's workflows start, with their filters; None for other systems.
    """
    if "workflows" not in document.map or "jobs" not in document.map:
        return None
    found: dict[str, tuple[str, ...]] = {}
    for workflow in document.at("workflows").map.values():
        for job in workflow.at("jobs").items:
            if job.text:
                found[job.text] = ()
            for name, settings in job.map.items():
                filters = settings.get("filters")
                found[name] = tuple(condition("filters", filters)) if filters is not None else ()
    return found


def _shell(shell: str, context: _Context) -> _Context:
    if not shell:
        return context
    words = shell.split()
    custom = len(words) > 1
    errexit = any(re.fullmatch(r"-[a-z]*e[a-z]*", word) for word in words) if custom else True
    pipefail = "pipefail" in words or words == ["bash"]
    return replace(context, errexit=errexit, pipefail=pipefail, foreign=not _SHELL.search(words[0]))


def _walk(
    node: Yaml, context: _Context, scheduled: dict[str, tuple[str, ...]] | None = None
) -> Iterator[Run]:
    if isinstance(node.value, tuple):
        for item in node.value:
            yield from _walk(item, context)
        return
    if not node.map or context.depth > 40:
        return
    context = replace(_silenced(node, _with_variables(node, context)), depth=context.depth + 1)
    context = _shell(node.at("shell").text, context)
    if (uses := node.get("uses")) is not None:
        yield from _part(node, uses, context)
    for key, value in node.map.items():
        if key in _SCRIPT_KEYS or key.endswith("_script"):
            yield from _script(key, value, context)
        elif key not in _SKIP_KEYS and key not in _CONDITION_KEYS:
            inner = context if context.unit and "jobs" not in node.map else replace(context, unit=key)
            if scheduled is not None and key == "jobs":
                for name, job in value.map.items():
                    if name in scheduled:
                        yield from _walk(
                            job, replace(inner, unit=name, conditions=(*inner.conditions, *scheduled[name]))
                        )
                continue
            yield from _walk(
                value,
                replace(inner, unit="")
                if key in {"jobs", "steps", "pipelines"} and not context.unit
                else inner,
            )


def _with_variables(node: Yaml, context: _Context) -> _Context:
    found = tuple(
        f"{name}={value.text}"
        for key in ("env", "variables", "environment")
        for name, value in node.at(key).map.items()
    )
    return replace(context, env=(*context.env, *found)) if found else context


def _silenced(node: Yaml, context: _Context) -> _Context:
    masks, conditions = list(context.masks), list(context.conditions)
    for key, why in _MASK_KEYS.items():
        value = node.get(key)
        if value is not None and _is_on(value, context):
            masks.append(why)
    if node.at("failure").text == "ignore" or node.at("on-fail", "strategy").text == "ignore":
        masks.append("`failure: ignore` ignores its failure")
    for key in _CONDITION_KEYS:
        value = node.get(key)
        if value is not None and not (key == "trigger" and value.text != "manual"):
            conditions += condition(key, value)
    return replace(context, masks=tuple(masks), conditions=tuple(conditions))


def _is_on(value: Yaml, context: _Context) -> bool:
    """
    Tell whether the switch is on; one that a matrix sets for some of its cells only is not.
    """
    if not isinstance(value.value, str):
        return True
    if value.text.lower() in {"", "false", "no", "off", "${{false}}", "${{ false }}"}:
        return False
    found = re.search(r"\bmatrix\.([\w-]+)", value.text)
    if found and context.matrix is not None:
        cells = context.matrix.at("matrix")
        axis = [item.text for item in cells.at(found[1]).items]
        return bool(axis) and all(item == "true" for item in axis)
    return True


def _script(key: str, value: Yaml, context: _Context) -> Iterator[Run]:
    if value.map:
        yield from _walk(value, context)
        return
    lines = [item for item in value.items if isinstance(item.value, str)]
    if any(item.map for item in value.items):
        for item in value.items:
            yield from _walk(item, context)
    text = "\n".join(item.raw for item in lines)
    if re.fullmatch(r"\s*(echo [^\n]*\n\s*)*exit [1-9]\d*\s*", text) and context.conditions:
        check = Check(
            "exit", ("exit", *context.conditions), "gate"
        )  # `if: failure()` and `exit 1`: a verdict
        yield Run(
            check, context.path, value.line, context.unit, context.masks, context.conditions, context.events
        )
    masks = (
        (*context.masks, "what stands in `after_script` fails nothing")
        if key == "after_script"
        else context.masks
    )
    if context.foreign:
        return  # another language; a check that went there is a check that is gone
    starts = [
        (sum(row.raw.count("\n") + 1 for row in lines[:place]), row.line) for place, row in enumerate(lines)
    ]
    for command in commands(text, errexit=context.errexit, pipefail=context.pipefail):
        offset, line = max((start for start in starts if start[0] < command.line), default=(0, value.line))
        run = run_of(replace(command, line=command.line - offset), context.path, line, context.unit)
        yield replace(
            run,
            masks=(*masks, *run.masks),
            conditions=(*context.conditions, *run.conditions),
            events=context.events,
            shallow=context.shallow,
            env=(*context.env, *run.env),
        )


def _part(node: Yaml, uses: Yaml, context: _Context) -> Iterator[Run]:
    """
    A reusable workflow or action, of this repository or another.
    """
    name = uses.text.partition("@")[0]
    local = name.startswith("./")
    tool = "part" if local else "uses"
    flaws = tuple(
        f"`{key}: {node.at('with', key).canon()}` lets failures pass"
        for key in ("allowed-failures", "allowed-skips")
        if node.at("with", key).canon() not in {"", "[]"}
    )
    group = "gate" if _PART_WORD.search(name) and not local else ""
    check = Check(tool, ("uses", name.removeprefix("./")), group, (name.removeprefix("./"),), flaws=flaws)
    yield Run(
        check,
        context.path,
        uses.line,
        context.unit,
        context.masks,
        context.conditions,
        context.events,
        context.shallow,
        context.env,
    )


def _is_shallow(job: Yaml) -> bool:
    steps = job.at("steps").items
    checkouts = [step for step in steps if re.search(r"(^|/)checkout@", step.at("uses").text)]
    full = any(step.at("with", "fetch-depth").text == "0" for step in checkouts)
    return bool(checkouts) and not full and not any("--unshallow" in step.at("run").raw for step in steps)


def events_of(document: Yaml) -> tuple[Event, ...]:
    """
    Return what starts a file's jobs, with each trigger's filters; empty where the system has no such list.
    """
    if (on := document.get("on")) is not None:
        if on.map:
            return tuple(Event(name, _filters(settings), settings.line) for name, settings in on.map.items())
        return tuple(Event(item.text, (), item.line) for item in on.items)
    found = []
    for key in ("trigger", "pr"):
        value = document.get(key)
        if value is not None and value.text != "none":
            found.append(Event(key, _filters(value), value.line))
        elif value is not None:
            found.append(Event(f"no {key}", (), value.line))
    return tuple(found)


def _filters(settings: Yaml) -> tuple[str, ...]:
    found: list[str] = []
    for key in ("paths", "paths-ignore", "branches", "branches-ignore", "types"):
        value = settings.get(key)
        entries = {item.text for item in value.items} if value is not None else set()
        everything = "**" in entries or (key == "types" and entries >= {"opened", "synchronize", "reopened"})
        if value is not None and not everything:
            found += condition(key, value)
    return tuple(found)
