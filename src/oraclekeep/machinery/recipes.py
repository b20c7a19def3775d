"""
Makefiles, justfiles, tox, pre-commit and Jenkinsfiles as runs.
"""

from __future__ import annotations

import configparser
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

_TARGET: Final = re.compile(r"^(@?[\w./%$(){} -]+?)((?:\s+[\w*+=\"'-]+)*)\s*::?(?!=)\s*(.*)$")
_SHELL_CALL: Final = re.compile(r"\bsh\s*\(?\s*(?:script\s*:\s*)?(\"\"\"|'''|\"|')(.*?)\1([^\n]*)", re.DOTALL)


def makefile(path: str, text: str) -> Iterator[Run]:
    """
    Read recipes of make or just: every line is a shell of its own, `-` ignores its failure.
    """
    units: list[str] = []
    ignored = {name for names in re.findall(r"(?m)^\.IGNORE:(.*)$", text) for name in names.split()}
    ignores_all = bool(re.search(r"(?m)^\.IGNORE:\s*$|^MAKEFLAGS\s*[+:]?=.*(-i\b|--ignore-errors)", text))
    rows = text.replace("\\\n", "\x00").split("\n")
    values = _variables(rows)
    shell = values.get("SHELL", "sh")
    unread = (
        () if re.search(r"sh\b|cmd|python|perl", shell) else (f"`{shell}` runs the recipes, and is no shell",)
    )
    exports = tuple(
        f"{name}={values[name]}"
        for row in rows
        if (found := _EXPORT.match(row))
        for name in re.sub(r"[:+?]*=.*", "", found[1]).split()
        if name in values
    )
    line = 1
    for row in rows:
        here, line = line, line + 1 + row.count("\x00")
        whole = row.replace("\x00", " ")
        if not whole.strip() or whole.lstrip().startswith("#"):
            continue
        if whole[0] not in " \t":
            found = _TARGET.match(whole)
            units = found[1].lstrip("@").split() if found and not whole.startswith(".") else []
            if path.rpartition("/")[2].lower().lstrip(".").startswith("just"):
                units = units[:1]
            for unit in units:
                yield from _prerequisites(path, found[3] if found else "", here, unit)
            continue
        spared = ignores_all or not ignored.isdisjoint(units)
        for run in _recipe(path, _spelt_out(whole.strip(), values), here, units, ignores_all=spared):
            yield replace(run, masks=(*unread, *run.masks), env=(*exports, *run.env))


_VARIABLE: Final = re.compile(r"(?:export\s+|override\s+)*(\w+)\s*(\+|\?|::?)?=\s*([^#]*)")
_EXPORT: Final = re.compile(r"export\s+(.*)")
#: Deeper than this no variable names another.
_MAX_NAMED: Final = 8


def _variables(rows: list[str]) -> dict[str, str]:
    """
    Return the variables that stand at the top of a makefile, as they are written.
    """
    values: dict[str, str] = {}
    for row in rows:
        if found := _VARIABLE.fullmatch(row.replace("\x00", " ")):
            name, how, value = found[1], found[2], found[3].strip()
            values[name] = f"{values.get(name, '')} {value}".strip() if how == "+" else value
    return values


def _spelt_out(row: str, values: dict[str, str]) -> str:
    """
    Put the values of variables in the place of their names; what a recipe has make work out stays.
    """
    for _ in range(_MAX_NAMED):
        known = row
        row = re.sub(r"(?<!\$)\$[({](\w+)[)}]", lambda found: values.get(found[1], found[0]), row)
        if row == known:
            break
    return row


def _prerequisites(path: str, text: str, line: int, unit: str) -> Iterator[Run]:
    tool = "just" if path.rpartition("/")[2].lower().lstrip(".").startswith("just") else "make"
    for name in re.split("[#;]", text, maxsplit=1)[0].split():
        if re.fullmatch(r"[\w.-]+", name):
            yield run_of(commands(f"{tool} {name}")[0], path, line, unit)


def _recipe(path: str, row: str, line: int, units: list[str], *, ignores_all: bool) -> Iterator[Run]:
    body = row.lstrip("@-+ ")
    prefix = row[: len(row) - len(body)]
    body = body.replace("$$", "$").replace("$(MAKE)", "make").replace("${MAKE}", "make")
    body = re.sub(r"\$[({](PYTHON|PY|PYTEST_PYTHON)[)}]", "python", body)
    why = (
        "`-` ignores its failure" if "-" in prefix else "`.IGNORE` ignores its failure" if ignores_all else ""
    )
    for command in commands(body):
        run = run_of(command, path, line, "")
        masked = replace(run, masks=(*run.masks, why)) if why else run
        for unit in units:
            yield replace(masked, unit=unit)


def tox(path: str, text: str) -> Iterator[Run]:
    """
    Read each tox environment; `-` ignores one command's failure, `ignore_outcome` all of them.
    """
    parser = configparser.RawConfigParser(strict=False, interpolation=None)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    lines = text.split("\n")
    for section in parser.sections():
        if not section.startswith("testenv"):
            continue
        unit = section.partition(":")[2] or "testenv"
        start = next((number for number, line in enumerate(lines, 1) if line.strip() == f"[{section}]"), 1)
        whole = []
        if parser.get(section, "ignore_outcome", fallback="false").strip().lower() == "true":
            whole.append("`ignore_outcome` ignores its failure")
        said = parser.get(section, "set_env", fallback=parser.get(section, "setenv", fallback=""))
        env = tuple(re.sub(r"\s*=\s*", "=", row.strip(), count=1) for row in said.split("\n") if "=" in row)
        for key in ("commands_pre", "commands", "commands_post"):
            body = parser.get(section, key, fallback="").replace("\\\n", " ")
            for row in filter(None, map(str.strip, body.split("\n"))):
                line = next(
                    (number for number, other in enumerate(lines, 1) if number > start and row[:30] in other),
                    start,
                )
                for run in _tox_command(path, row, line, unit):
                    yield replace(run, masks=(*whole, *run.masks), env=(*env, *run.env))


def _tox_command(path: str, row: str, line: int, unit: str) -> Iterator[Run]:
    masks = []
    if row.startswith("-"):
        masks.append("`-` ignores its failure")
    row = row.lstrip("-! ")
    row = re.sub(r"\{posargs:?([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}", r"\1", row)
    row = re.sub(r"^[\w!,{}.-]+:\s+", "", row)
    for command in commands(row):
        run = run_of(command, path, line, unit)
        yield replace(run, masks=(*masks, *run.masks))


def tox_table(path: str, text: str) -> Iterator[Run]:
    """
    Read tox's native tables, in `tox.toml` or under `[tool.tox]`.
    """
    try:
        document: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    tox_part = document if path.endswith("tox.toml") else document.get("tool", {}).get("tox", {})
    tables = {"testenv": tox_part.get("env_run_base", {}), **tox_part.get("env", {})}
    lines = text.split("\n")
    for name, table in tables.items():
        masks = ("`ignore_outcome` ignores its failure",) if table.get("ignore_outcome") is True else ()
        said = table.get("set_env", {})
        env = tuple(f"{key}={value}" for key, value in said.items()) if isinstance(said, dict) else ()
        for key in ("commands_pre", "commands", "commands_post"):
            for words in table.get(key, []):
                argv = [part for word in words for part in _words(word)] if isinstance(words, list) else []
                line = next((number for number, row in enumerate(lines, 1) if argv and argv[0] in row), 1)
                row = shlex.join(argv)
                for run in _tox_command(path, row, line, name):
                    yield replace(run, masks=(*masks, *run.masks), env=(*env, *run.env))


def _words(word: object) -> list[str]:
    """
    A word of a native tox command is text, or a table such as `{replace = "posargs", default = ["tests"]}`.
    """
    if isinstance(word, dict):
        default = word.get("default", [])
        return list(map(str, default)) if isinstance(default, list) else [str(default)]
    return [str(word)]


def hook_list(path: str, documents: tuple[Yaml, ...]) -> Iterator[Run]:
    """
    Read pre-commit's hooks: a local one by its entry, another by its id.
    """
    for document in documents:
        for repo in document.at("repos").items:
            for hook in repo.at("hooks").items:
                entry = hook.at("entry").raw or hook.at("id").text.removesuffix("-check").removesuffix(
                    "-format"
                )
                stages = [item.text for item in hook.at("stages").items]
                for command in commands(entry, errexit=True):
                    run = replace(run_of(command, path, hook.line, hook.at("id").text), line=hook.line)
                    yield replace(run, conditions=("stages: manual",)) if stages == ["manual"] else run


def jenkinsfile(path: str, text: str) -> Iterator[Run]:
    """
    Read `sh` steps of a Jenkinsfile; Groovy itself is not read, only what is known to swallow a status.
    """
    for found in _SHELL_CALL.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        before = text[: found.start()]
        masks = []
        if "returnStatus: true" in found[3] or "returnStatus: true" in before[before.rfind("sh") :]:
            masks.append("`returnStatus` keeps its status from failing the step")
        if re.search(r"(catchError|warnError)\s*(\([^)]*\))?\s*\{[^}]*$", before):
            masks.append("`catchError` ignores its failure")
        for command in commands(found[2], errexit=True):
            run = run_of(command, path, line, "")
            yield replace(run, masks=(*masks, *run.masks))
