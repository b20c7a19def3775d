"""
Named scripts of task runners as runs: tables of pyproject and of files like it, and Taskfiles.
"""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.machinery.runs import Run, run_of
from oraclekeep.machinery.shellrun import commands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.machinery.yamltext import Yaml

#: Where a file names its scripts; `*` stands for any key.
_TABLES: Final = {
    "pyproject.toml": (
        ("tool", "poe", "tasks"),
        ("tool", "pdm", "scripts"),
        ("tool", "hatch", "envs", "*", "scripts"),
        ("tool", "taskipy", "tasks"),
        ("tool", "pixi", "tasks"),
        ("tool", "pixi", "feature", "*", "tasks"),
    ),
    "hatch.toml": (("envs", "*", "scripts"),),
    "pixi.toml": (("tasks",), ("feature", "*", "tasks")),
    "package.json": (("scripts",),),
}
_HATCH_TEST: Final = {
    "pyproject.toml": ("tool", "hatch", "envs", "hatch-test"),
    "hatch.toml": ("envs", "hatch-test"),
}
_DASH: Final = "`- ` ignores its failure"
_KEYS: Final = {
    "ignore_fail": "`ignore_fail` ignores its failure",
    "ignore_error": "`ignore_error` ignores its failure",
}


def scripts_table(path: str, text: str) -> Iterator[Run]:
    """
    Read the scripts that a file names for hatch, poe, pdm, taskipy, pixi or npm.
    """
    document = _document(path, text)
    lines = text.split("\n")
    for keys in _TABLES[path]:
        for table in _tables(document, keys):
            for name, value in table.items():
                start = rf"\s*\[.*\b{re.escape(name)}\]|\s*\"?{re.escape(name)}\b"
                line = next((number for number, row in enumerate(lines, 1) if re.match(start, row)), 1)
                for run in _script(path, value, line):
                    yield replace(run, unit=str(name), line=line)


def _document(path: str, text: str) -> dict[str, Any]:
    try:
        found = json.loads(text) if path.endswith(".json") else tomllib.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _tables(value: Any, keys: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    if not isinstance(value, dict):
        return
    if not keys:
        yield value
    elif keys[0] == "*":
        for inner in value.values():
            yield from _tables(inner, keys[1:])
    else:
        yield from _tables(value.get(keys[0]), keys[1:])


def _script(path: str, value: object, line: int) -> Iterator[Run]:
    masks: tuple[str, ...] = ()
    if isinstance(value, dict):
        masks = tuple(why for key, why in _KEYS.items() if value.get(key) not in (None, False))
        value = value.get("cmd", value.get("shell", ""))
    rows = list(map(str, value)) if isinstance(value, list) else [str(value)]
    for row in rows:
        body = re.sub(r"\{args:?([^{}]*)\}", r"\1", row)
        whole = (*masks, _DASH) if body.startswith("- ") else masks
        for command in commands(body.removeprefix("- "), errexit=True):
            run = run_of(command, path, line, "")
            yield replace(run, masks=(*whole, *run.masks))


def hatch_test(path: str, text: str) -> Iterator[Run]:
    """
    Return what `hatch test` runs under the settings of its environment.
    """
    tables = list(_tables(_document(path, text), _HATCH_TEST[path]))
    given = tables[0] if tables else {}
    words = [str(word) for key in ("default-args", "extra-args") for word in given.get(key, [])]
    words += ["--reruns", str(given["retries"])] if given.get("retries") else []
    for command in commands(shlex.join(["pytest", *words])):
        yield run_of(command, path, 1, "hatch-test")


def taskfile(path: str, documents: tuple[Yaml, ...]) -> Iterator[Run]:
    """
    Read the tasks of a Taskfile; a task that another calls or depends on is followed by its name.
    """
    for document in documents:
        for name, task in document.at("tasks").map.items():
            whole = (_KEYS["ignore_error"],) if task.at("ignore_error").text == "true" else ()
            called = [(item, f"task {item.at('task').text or item.text}") for item in task.at("deps").items]
            steps = [*task.at("cmds").items, *task.at("cmd").items, *(task.items if not task.map else ())]
            for step in steps:
                inner = step.at("task").text
                called.append((step, f"task {inner}" if inner else step.at("cmd").raw or step.raw))
            for step, text in called:
                own = (_KEYS["ignore_error"],) if step.at("ignore_error").text == "true" else ()
                for command in commands(text, errexit=True):
                    run = run_of(command, path, step.line, name)
                    yield replace(run, masks=(*whole, *own, *run.masks))
