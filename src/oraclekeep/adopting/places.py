"""
Where a project may keep what its tests need, in every notation.
"""

from __future__ import annotations

import ast
import configparser
import fnmatch
import re
import tomllib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.adopting.noxfiles import sessions_of
from oraclekeep.adopting.requirements import (
    Words,
    chosen,
    from_file,
    from_lines,
    from_poetry,
    lines_of,
    name_of,
    normal,
    split,
)
from oraclekeep.errors import UsageError
from oraclekeep.guessing import TEST_FOLDERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from oraclekeep.model import Snapshot

#: Names of groups and extras that hold a suite's dependencies, the most telling first.
_NAMES: Final = ("test", "tests", "testing", "unittest", "pytest", "dev", "develop", "development", "ci")
TESTING: Final = frozenset(_NAMES[:5])
#: The notations, the most exact first: where two hold pytest, the first is taken.
_KINDS: Final = (
    "group", "extra", "hatch", "pdm", "uv", "poetry", "tox", "nox", "requirements", "pipenv", "setup",
)  # fmt: skip


UNKNOWN: Final = len(_NAMES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """
    One place where test dependencies may stand; ``all`` is all that it asks for, ``how`` installs it.
    """

    kind: str
    name: str
    where: str
    how: Words
    all: tuple[str, ...] = ()

    @property
    def has_pytest(self) -> bool:
        return any(name_of(word) == "pytest" for word in self.all)

    @property
    def rank(self) -> tuple[bool, int, int]:
        return not self.has_pytest, _KINDS.index(self.kind), rank(self.name)


class Papers:
    """
    The files in which one project describes itself.
    """

    def __init__(self, tree: Snapshot) -> None:
        self.tree = tree

    def text(self, path: str) -> str:
        return (self.tree.read(path) or b"").decode("utf-8-sig", "replace")

    def toml(self, path: str) -> dict[str, Any]:
        """
        Read a TOML file; one that is not there is empty.

        Raises `UsageError` with the line where it can't be read.
        """
        try:
            return tomllib.loads(self.text(path))
        except tomllib.TOMLDecodeError as error:
            raise UsageError(f"{path}: not TOML: {error}; mend it first") from error

    def ini(self, path: str) -> configparser.RawConfigParser:
        parser = configparser.RawConfigParser(strict=False, interpolation=None)
        try:
            parser.read_string(self.text(path))
        except configparser.Error as error:
            what = error.message.partition("\n")[0].removesuffix(": '<string>'").rstrip(".")
            lines = [getattr(error, "lineno", 0), *(at for at, _ in getattr(error, "errors", ()))]
            raise UsageError(f"{path}:{max(lines)}: cannot be read: {what}; mend it first") from error
        return parser

    @cached_property
    def pyproject(self) -> dict[str, Any]:
        return self.toml("pyproject.toml")

    def tool(self, *keys: str) -> dict[str, Any]:
        """
        Return a table below `[tool]` of pyproject.toml; empty where there is none.
        """
        found: Any = self.pyproject.get("tool", {})
        for key in keys:
            found = found.get(key, {}) if isinstance(found, dict) else {}
        return found if isinstance(found, dict) else {}

    @cached_property
    def is_installable(self) -> bool:
        """
        Tell whether pip can install the project: it has a name, and something builds it.
        """
        if self.tree.read("setup.py") is not None or "build-system" in self.pyproject:
            return True
        return "project" in self.pyproject or self.ini("setup.cfg").has_section("metadata")

    @cached_property
    def is_built(self) -> bool:
        """
        Tell whether the project says what builds it.
        """
        return self.tree.read("setup.py") is not None or "build-system" in self.pyproject

    def members(self, folders: Iterable[str]) -> frozenset[str]:
        """
        Return the folders that are members of a workspace, as uv and rye have it.
        """
        table = self.tool("uv", "workspace") or self.tool("rye", "workspace")
        wanted, left = ([str(one).strip("/") for one in table.get(key, ())] for key in ("members", "exclude"))
        return frozenset(
            folder
            for folder in folders
            if any(fnmatch.fnmatchcase(folder, one) for one in wanted)
            and not any(fnmatch.fnmatchcase(folder, one) for one in left)
        )

    @cached_property
    def is_discovered(self) -> bool:
        """
        Tell whether setuptools looks for the packages by itself: it then refuses a root with several.
        """
        backend = str(self.pyproject.get("build-system", {}).get("build-backend", "setuptools"))
        table, cfg = self.tool("setuptools"), self.ini("setup.cfg")
        named = {"packages", "py-modules"} & set(table) or any(
            cfg.has_option("options", key) for key in ("packages", "py_modules")
        )
        given = _setup_call(self.text("setup.py"))
        in_call = {keyword.arg for keyword in given.keywords} if given else set()
        in_call &= {"packages", "py_modules", None}  # None stands for `**`: nobody knows
        return self.is_installable and backend.startswith("setuptools") and not named and not in_call


def rank(name: str) -> int:
    plain = normal(name)
    if plain in _NAMES:
        return _NAMES.index(plain)
    words = set(plain.split("-"))
    return next((index for index, known in enumerate(_NAMES) if known in words), len(_NAMES))


def places(papers: Papers) -> Iterator[Place]:
    yield from _groups(papers)
    yield from _extras(papers)
    yield from _hatch(papers)
    yield from _managers(papers)
    yield from _tox(papers)
    yield from _nox(papers)
    yield from _files(papers)
    yield from _setup(papers)


# ------------------------------------------------------------------------------ pyproject.toml, the standards


def _groups(papers: Papers) -> Iterator[Place]:
    table = papers.pyproject.get("dependency-groups", {})
    for name in table:
        yield Place(
            kind="group",
            name=name,
            where=f"[dependency-groups] {name}",
            how=Words(groups=(name,)),
            all=tuple(_group(table, name, ())),
        )


def _group(table: Mapping[str, Any], name: str, above: tuple[str, ...]) -> Iterator[str]:
    for each in table.get(name, ()):
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict) and (inner := str(each.get("include-group", ""))) not in (*above, name):
            found = next((key for key in table if normal(key) == normal(inner)), inner)
            yield from _group(table, found, (*above, name))


def _extras(papers: Papers) -> Iterator[Place]:
    project = papers.pyproject.get("project", {})
    own, table = normal(str(project.get("name", ""))), project.get("optional-dependencies", {})
    for name in table:
        yield _extra(name, tuple(_extra_words(table, own, name, ())))
    poetry = papers.tool("poetry")
    for name, members in poetry.get("extras", {}).items():
        wanted = {key: poetry.get("dependencies", {}).get(key, "*") for key in members}
        yield _extra(name, from_poetry(wanted))


def _extra(name: str, words: tuple[str, ...]) -> Place:
    return Place(kind="extra", name=name, where=f"extra {name}", how=Words(extras=(name,)), all=words)


def _extra_words(table: Mapping[str, Any], own: str, name: str, above: tuple[str, ...]) -> Iterator[str]:
    for word in table.get(name, ()):
        brackets = re.search(r"\[([^\]]*)\]", word)
        if own and name_of(word) == own and brackets:
            for inner in split(brackets[1]):
                if inner not in (*above, name):
                    yield from _extra_words(table, own, inner, (*above, name))
        else:
            yield word


# ------------------------------------------------------------------------------------------- package managers


def _hatch(papers: Papers) -> Iterator[Place]:
    table = papers.tool("hatch", "envs") or papers.toml("hatch.toml").get("envs", {})
    for name, env in table.items():
        if not isinstance(env, dict):
            continue
        # `hatch test` brings these by itself.
        built_in = ("pytest", "pytest-mock") if name == "hatch-test" else ()
        words = (*built_in, *env.get("dependencies", ()), *env.get("extra-dependencies", ()))
        yield Place(
            kind="hatch",
            name="test" if name == "hatch-test" else "dev" if name == "default" else name,
            where=f"hatch environment {name}",
            how=Words(words, tuple(env.get("features", ())), tuple(env.get("dependency-groups", ()))),
            all=words,
        )


def _managers(papers: Papers) -> Iterator[Place]:
    for name, words in papers.tool("pdm", "dev-dependencies").items():
        yield _literal("pdm", name, f"[tool.pdm.dev-dependencies] {name}", from_lines(words).words)
    if words := papers.tool("uv").get("dev-dependencies"):
        yield _literal("uv", "dev", "[tool.uv] dev-dependencies", words)
    poetry = papers.tool("poetry")
    tables = {"dev": poetry.get("dev-dependencies", {})}
    tables |= {name: group.get("dependencies", {}) for name, group in poetry.get("group", {}).items()}
    for name, table in tables.items():
        if table:
            yield _literal("poetry", name, f"Poetry's group {name}", from_poetry(table))
    if table := papers.toml("Pipfile").get("dev-packages"):
        yield _literal("pipenv", "dev", "Pipfile [dev-packages]", from_poetry(table))


def _literal(kind: str, name: str, where: str, words: Sequence[str]) -> Place:
    return Place(kind=kind, name=name, where=where, how=Words(tuple(words)), all=tuple(words))


# ------------------------------------------------------------------------------------ tox, files, setuptools


def _tox(papers: Papers) -> Iterator[Place]:
    legacy = papers.tool("tox").get("legacy_tox_ini")
    if isinstance(legacy, str):
        parser = configparser.RawConfigParser(strict=False, interpolation=None)
        parser.read_string(legacy)
    else:
        parser = papers.ini("tox.ini")
    if parser.has_section("testenv"):
        options = dict(parser.items("testenv"))
        deps, extras, groups = (
            chosen(lines_of(options.get(key, ""))) for key in ("deps", "extras", "dependency_groups")
        )
        yield from _environment(papers, "tox.ini, testenv", "tox", from_lines(deps), [*extras], [*groups])
    for path, table in (("tox.toml", papers.toml("tox.toml")), ("[tool.tox]", papers.tool("tox"))):
        env = table.get("env_run_base", {})
        if isinstance(env, dict) and env:
            listed = from_lines(each for each in env.get("deps", ()) if isinstance(each, str))
            extras, groups = env.get("extras", ()), env.get("dependency_groups", ())
            yield from _environment(papers, f"{path}, testenv", "tox", listed, extras, groups)


def _environment(
    papers: Papers, where: str, kind: str, deps: Words, extras: Iterable[str], groups: Iterable[str]
) -> Iterator[Place]:
    """
    Yield what an environment of tox or Nox installs, unless that is nothing.
    """
    how = replace(deps, extras=(*deps.extras, *extras), groups=tuple(groups))
    every = [word for word in how.words if not word.startswith("-")]
    for option, file in zip(how.words, how.words[1:], strict=False):
        if option == "-r":
            every += from_file(file, papers.tree.read)[1]
    every += [word for place in _extras(papers) if place.name in how.extras for word in place.all]
    every += [word for place in _groups(papers) if place.name in how.groups for word in place.all]
    if how != Words():
        yield Place(kind=kind, name="test", where=where, how=how, all=tuple(every))


def _nox(papers: Papers) -> Iterator[Place]:
    try:
        module = ast.parse(papers.text("noxfile.py"))
    except (SyntaxError, ValueError):
        return  # who writes beside it says so
    for session in sessions_of(module):
        lines, groups = session.installs()
        if rank(session.name) < UNKNOWN:
            for place in _environment(papers, "noxfile.py", "nox", from_lines(lines), (), groups):
                yield replace(place, name=session.name, where=f"noxfile.py, session {session.name}")


def _files(papers: Papers) -> Iterator[Place]:
    for path in papers.tree.under(""):
        folder, _, name = path.rpartition("/")
        stem = name.removesuffix(".txt")
        beside = folder in TEST_FOLDERS
        if stem == name or not (
            folder in ("requirements", "requirement", "reqs")
            or ("requirement" in name and (beside or not folder))
        ):
            continue
        how, every = from_file(path, papers.tree.read)
        yield Place(kind="requirements", name="test" if beside else stem, where=path, how=how, all=every)


def _setup(papers: Papers) -> Iterator[Place]:
    cfg = papers.ini("setup.cfg")
    if cfg.has_section("options.extras_require"):
        for name, text in cfg.items("options.extras_require"):
            yield _extra(name, tuple(lines_of(text)))
    if cfg.has_option("options", "tests_require"):
        yield _literal(
            "setup", "test", "setup.cfg, tests_require", [*lines_of(cfg.get("options", "tests_require"))]
        )
    arguments = _setup_arguments(papers.text("setup.py"))
    extras = arguments.get("extras_require")
    for name, words in extras.items() if isinstance(extras, dict) else ():
        yield _extra(str(name), tuple(_words(words)))
    if words := tuple(_words(arguments.get("tests_require"))):
        yield _literal("setup", "test", "setup.py, tests_require", words)


def _words(value: object) -> list[str]:
    if isinstance(value, str):
        return [*lines_of(value)]
    return [str(each) for each in value] if isinstance(value, (list, tuple, set)) else []


def _setup_arguments(source: str) -> dict[str, Any]:
    """
    Return those arguments of `setup()` that are written out, in the call or under a name of the module.
    """
    call = _setup_call(source)
    if call is None:
        return {}
    names = {
        target.id: node.value
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    found = {}
    for keyword in call.keywords:
        if keyword.arg in ("extras_require", "tests_require"):
            value = keyword.value
            value = names.get(value.id, value) if isinstance(value, ast.Name) else value
            try:
                found[keyword.arg] = ast.literal_eval(value)
            except ValueError:
                continue
    return found


def _setup_call(source: str) -> ast.Call | None:
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError):
        return None
    calls = (node for node in ast.walk(module) if isinstance(node, ast.Call))
    return next(
        (call for call in calls if getattr(call.func, "id", getattr(call.func, "attr", "")) == "setup"), None
    )
