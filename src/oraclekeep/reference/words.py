"""
Tasks, sessions and exit codes as pages.
"""

from __future__ import annotations

import ast
import inspect
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.errors import MEANINGS, Exit
from oraclekeep.invoke_tasks import collection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from invoke.tasks import Task

_TASKS: Final = """\
# Tasks

`oraclekeep TASK` and, in a repository that has adopted the gate, `invoke TASK` are the same.
Options may be shortened to their first letter; `oraclekeep --help TASK` prints what stands here.
"""
_SESSIONS: Final = """\
# Sessions

What `nox -s SESSION` runs in a repository that has adopted the gate; `./noxw` gets Nox first. After `--` the
options of `prepare` may follow: `--base REF`, `--head REF`, `--worktree`.

| session | does |
|---|---|
"""
_CODES: Final = """\
# Exit codes

`oraclekeep` and `nox -s gate` promise these. Plain `invoke` may turn 2 into 1, and never into 0.

| code | means |
|---|---|
"""


def tasks_page() -> str:
    """
    Return one section for each task: what it does, its words and its options.
    """
    tasks: dict[str, Task[Any]] = collection().tasks
    return _TASKS + "".join(_task(name, tasks[name]) for name in sorted(tasks))


def _task(name: str, task: Task[Any]) -> str:
    rows = list(_options(task))
    table = "".join(f"| {option} | {default} | {text} |\n" for option, default, text in rows)
    head = "\n| option | default | says |\n|---|---|---|\n" if rows else ""
    return f"\n## {name}\n\n{inspect.cleandoc(task.__doc__ or '')}\n{head}{table}"


def _options(task: Task[Any]) -> Iterator[tuple[str, str, str]]:
    positional = list(task.positional or ())
    for argument in task.get_arguments():
        word = str(argument.name).strip("_").replace("_", "-")
        takes = argument.kind is not bool
        more = " …" if argument.kind is list else ""
        option = f"`--{word}{'=…' if takes else ''}`{' (repeatable)' if more else ''}"
        shown = f"`{word.upper()}{more}`" if argument.name in positional else option
        default = argument.default
        plain = default in (None, "", [], False) or default is inspect.Parameter.empty
        yield shown, "" if plain else f"`{default}`", _cell(_sentence(str(argument.help or "")))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "." if text else ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def sessions_page(noxfile: str) -> str:
    """
    Return the sessions of a noxfile with their docstrings.
    """
    return _SESSIONS + "".join(
        f"| `{node.name}` | {_cell(ast.get_docstring(node) or '')} |\n"
        for node in ast.parse(noxfile).body
        if isinstance(node, ast.FunctionDef) and any("session" in ast.unparse(d) for d in node.decorator_list)
    )


def codes_page() -> str:
    """
    Return every exit code with its meaning.
    """
    return _CODES + "".join(f"| {int(code)} | {MEANINGS[code]} |\n" for code in Exit)
