"""
Everything that one tree's machinery runs, and what of it CI reaches: sessions, targets and scripts followed.
"""

from __future__ import annotations

import ast
import fnmatch
import posixpath
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery import pipelines, recipes, scripts, sessions, taskfiles, yamltext
from oraclekeep.machinery.places import text_of
from oraclekeep.machinery.pysource import load_or_none
from oraclekeep.machinery.runs import (
    Run,
    is_action,
    is_ci_yaml,
    is_hook_list,
    is_recipe,
    is_task_file,
    is_taskfile,
    machinery_paths,
    names_scripts,
    run_of,
)
from oraclekeep.machinery.shellrun import commands

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from oraclekeep.machinery.pysource import PyFile
    from oraclekeep.model import Snapshot

_DEPTH: Final = 8
_PUT_ON_PATH: Final = frozenset({"sys.path.insert", "sys.path.append", "site.addsitedir"})
_MAKEFILES: Final = ("GNUmakefile", "makefile", "Makefile")
_JUSTFILES: Final = ("justfile", "Justfile", ".justfile")


class Machinery:
    """
    The machinery of one tree.
    """

    def __init__(self, tree: Snapshot, retired: AbstractSet[str] = frozenset()) -> None:
        self.tree = tree
        self._retired = retired
        self._runs: dict[str, tuple[Run, ...]] = {}

    @cached_property
    def paths(self) -> tuple[str, ...]:
        return tuple(machinery_paths(self.tree.under("")))

    def documents(self, path: str) -> tuple[yamltext.Yaml, ...]:
        """
        Return a YAML file's documents; none where it is no YAML, which the rules report.
        """
        try:
            return yamltext.read(text_of(self.tree, path))
        except yamltext.BadYaml:
            return ()

    def runs(self, path: str) -> tuple[Run, ...]:
        """
        Return what one file runs itself.
        """
        if path not in self._runs:
            entry = self.tree.entry(path)
            readable = entry is not None and not entry.is_link and not entry.is_submodule
            self._runs[path] = tuple(self._read(path)) if readable else ()
        return self._runs[path]

    @cached_property
    def _built_on(self) -> frozenset[str]:
        files = (path for path in self.paths if is_ci_yaml(path) and pipelines.is_gitlab(path))
        return frozenset(name for path in files for name in pipelines.built_on(self.documents(path)))

    def retiring(self, base: Machinery) -> Machinery:
        """
        Return the machinery with functions in mind that were sessions of Nox at base and are none any more.
        """
        old = {name for module in base.session_files for name in sessions.decorated(module)}
        new = {name for module in self.session_files for name in sessions.undecorated(module)}
        return Machinery(self.tree, old & new)

    def _read(self, path: str) -> Iterator[Run]:
        name = posixpath.basename(path)
        if is_ci_yaml(path) or is_action(path):
            used = self._built_on if pipelines.is_gitlab(path) else frozenset()
            yield from pipelines.runs_in(path, self.documents(path), used)
        elif is_hook_list(path):
            yield from recipes.hook_list(path, self.documents(path))
        elif is_taskfile(path):
            yield from scripts.taskfile(path, self.documents(path))
        elif path == "pyproject.toml" or names_scripts(path):
            yield from scripts.scripts_table(path, text_of(self.tree, path))
            yield from recipes.tox_table(path, text_of(self.tree, path))
        elif name in {"pyproject.toml", "tox.toml"}:
            yield from recipes.tox_table(path, text_of(self.tree, path))
        elif name == "tox.ini":
            yield from recipes.tox(path, text_of(self.tree, path))
        elif name.startswith("Jenkinsfile"):
            yield from recipes.jenkinsfile(path, text_of(self.tree, path))
        elif is_recipe(path):
            yield from recipes.makefile(path, text_of(self.tree, path))
        elif path.endswith(".py"):
            module = load_or_none(self.tree, path)
            for run in taskfiles.runs_in(module) if module is not None else ():
                gone = run.unit in self._retired and module in self.session_files
                why = f"{run.unit}() is no session of Nox any more"
                yield replace(run, masks=(*run.masks, why)) if gone else run
        else:
            for command in commands(text_of(self.tree, path)):
                yield run_of(command, path, 1, "")

    @cached_property
    def entries(self) -> tuple[Run, ...]:
        """
        Return what CI starts by itself; a reusable workflow waits to be called.
        """
        found = [run for path in self.paths if is_ci_yaml(path) for run in self.runs(path)]
        return tuple(run for run in found if {event.name for event in run.events} != {"workflow_call"})

    @cached_property
    def reached(self) -> tuple[Run, ...]:
        """
        Return the checks that CI reaches, each under the masks and conditions of everything that leads to it.
        """
        return tuple(leaf for run in self.entries for leaf in self.leaves(run))

    def all_runs(self) -> tuple[Run, ...]:
        return tuple(run for path in (*self.paths, "pyproject.toml") for run in self.runs(path))

    def leaves(self, run: Run, seen: frozenset[tuple[str, str]] = frozenset()) -> Iterator[Run]:
        """
        Follow one run into the file it calls; what leads nowhere that can be read is a leaf itself.
        """
        mark = (run.check.tool, run.check.shown)
        called = self._called(run) if mark not in seen and len(seen) < _DEPTH else ()
        found = [leaf for inner in called for leaf in self.leaves(inner.under(run), seen | {mark})]
        if any(leaf.check.group for leaf in found):
            yield from (replace(leaf, path=run.path, line=run.line, unit=run.unit) for leaf in found)
        elif run.check.group:
            yield run

    def _called(self, run: Run) -> tuple[Run, ...]:
        check, targets = run.check, run.check.targets
        match check.tool:
            case "script":
                path = self._local(targets[0], run.path)
                plain = path and (
                    not path.endswith(".py") or (len(check.key) == 1 and not is_task_file(path))
                )
                return self.runs(path) if path and plain else ()
            case "part":
                return self._part(targets[0])
            case "nox":
                return self._sessions(targets)
            case "tox":
                return self._environments(targets)
            case "make" | "just":
                names = _MAKEFILES if check.tool == "make" else _JUSTFILES
                return self._targets(names, targets)
            case "invoke":
                wanted = {name.replace("-", "_").rpartition(".")[2] for name in targets}
                return tuple(item for item in self.runs("tasks.py") if item.unit in wanted)
            case "pre-commit" | "prek":
                return tuple(item for path in self.paths if is_hook_list(path) for item in self.runs(path))
            case "hatch" if len(check.key) == 2:  # `hatch test` with options of its own stays what it is
                return self._hatch_test()
            case "poe" | "task":
                return self._scripts(frozenset(targets))
            case "npm" | "yarn" | "pnpm":
                return self._scripts(frozenset({{"t": "test"}.get(word, word) for word in check.key[-1:]}))
            case _:
                return self._scripts(frozenset(check.key[:1] if not check.group else ()))

    def _scripts(self, names: frozenset[str]) -> tuple[Run, ...]:
        files = ("pyproject.toml", *filter(names_scripts, self.paths)) if names else ()
        return tuple(run for path in files for run in self.runs(path) if run.unit in names)

    def _hatch_test(self) -> tuple[Run, ...]:
        path = next((name for name in ("hatch.toml",) if self.tree.entry(name)), "pyproject.toml")
        return tuple(scripts.hatch_test(path, text_of(self.tree, path)))

    def _local(self, path: str, caller: str) -> str | None:
        for folder in ("", posixpath.dirname(caller)):
            place = posixpath.normpath(posixpath.join(folder, path))
            if self.tree.entry(place) is not None:
                return place
        return None

    def _part(self, name: str) -> tuple[Run, ...]:
        for path in (name, f"{name}/action.yml", f"{name}/action.yaml"):
            if self.tree.entry(path) is not None:
                return tuple(pipelines.runs_in(path, self.documents(path)))
        return ()

    @cached_property
    def session_files(self) -> tuple[PyFile, ...]:
        """
        Return noxfile.py and what it imports of the repository's own that has sessions: Nox takes them all.
        """
        noxfile = load_or_none(self.tree, "noxfile.py")
        if noxfile is None:
            return ()
        near = (load_or_none(self.tree, path) for path in dict.fromkeys(_imported(noxfile)))
        return (
            noxfile,
            *(module for module in near if module is not None and "nox" in module.names.values()),
        )

    def session_runs(self) -> tuple[Run, ...]:
        return tuple(run for module in self.session_files for run in self.runs(module.path))

    def default_sessions(self) -> tuple[tuple[str, ...] | None, int]:
        """
        Return what a bare `nox` runs and the line that says so; None means all that are not hidden.
        """
        said = (sessions.default_sessions(module) for module in self.session_files)
        return next((found for found in said if found[0] is not None), (None, 1))

    def hidden_sessions(self) -> frozenset[str]:
        return frozenset().union(*map(sessions.hidden_sessions, self.session_files))

    def _sessions(self, names: tuple[str, ...]) -> tuple[Run, ...]:
        runs = self.session_runs()
        if not names:
            default, _ = self.default_sessions()
            units = tuple({run.unit for run in runs} - self.hidden_sessions())
            names = default if default is not None else units
        wanted = {name.split("(")[0] for name in names}
        return tuple(run for run in runs if any(_is_session(name, run.unit) for name in wanted))

    def _environments(self, names: tuple[str, ...]) -> tuple[Run, ...]:
        runs = tuple(run for path in ("tox.ini", "tox.toml", "pyproject.toml") for run in self.runs(path))
        if not names:
            return runs
        units = {run.unit for run in runs}
        wanted = {name if name in units else "testenv" for name in names}
        factors = {unit for name in names for unit in units if set(unit.split("-")) & set(name.split("-"))}
        return tuple(run for run in runs if run.unit in wanted | factors)

    def _targets(self, names: tuple[str, ...], targets: tuple[str, ...]) -> tuple[Run, ...]:
        path = next((name for name in names if self.tree.entry(name) is not None), "")
        runs = self.runs(path) if path else ()
        wanted = set(targets) or {run.unit for run in runs[:1]}
        return tuple(
            run
            for run in runs
            if run.unit in wanted or any(fnmatch.fnmatchcase(name, run.unit) for name in wanted)
        )


def _is_session(name: str, unit: str) -> bool:
    """
    `tests-3.12` is the session `tests` on one Python.
    """
    return bool(unit) and (
        name == unit or (name.startswith(unit + "-") and name[len(unit) + 1 :][:1].isdigit())
    )


def _imported(module: PyFile) -> tuple[str, ...]:
    """
    Return where the modules that a task file imports may lie: below the root, or a folder put on `sys.path`.
    """
    names = [alias.name for node in module.of(ast.Import) for alias in node.names]
    for source in module.of(ast.ImportFrom):
        names += [source.module or "", *(f"{source.module}.{alias.name}" for alias in source.names)]
    folders = [
        value.value
        for call in module.of(ast.Call)
        if module.dotted(call.func) in _PUT_ON_PATH
        for argument in call.args
        for value in ast.walk(argument)
        if isinstance(value, ast.Constant) and isinstance(value.value, str)
    ]
    files = (f"{name.replace('.', '/')}.py" for name in names if name)
    return tuple(
        posixpath.normpath(posixpath.join(folder, file)) for file in files for folder in ("", *folders)
    )
