"""
What a repository is: where its code, tests and fixtures lie, and what manages it.  Read from one tree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from oraclekeep.adopting.dependencies import Recipe, joined, recipe_of
from oraclekeep.adopting.places import Papers
from oraclekeep.adopting.requirements import plugins_of
from oraclekeep.errors import UsageError
from oraclekeep.guessing import TEST_FOLDERS
from oraclekeep.model import Policy
from oraclekeep.paths import Layout, is_below
from oraclekeep.policy.overlay import Below

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from oraclekeep.model import Snapshot

#: Folders below tests that hold data which checks consume.
_DATA: Final = frozenset(
    {"fixtures", "fixture", "data", "testdata", "test_data", "resources", "samples", "examples"}
)
#: (mark in the tree or in pyproject, manager), the most telling first.
_MANAGERS: Final = (
    ("uv.lock", "uv"),
    ("poetry.lock", "poetry"),
    ("pdm.lock", "pdm"),
    ("Pipfile", "pipenv"),
    ("hatch.toml", "hatch"),
)
#: Marks and fixtures in tests that a plugin brings which no requirement need name.
_USES: Final = ((rb"\bmark\.anyio\b", "anyio"),)


@dataclass(frozen=True, slots=True)
class Package:
    """
    One project that a lane installs: its folder, empty for the root, and its extras.
    """

    folder: str
    extras: tuple[str, ...] = ()
    has_tests: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """
    What `init` found.
    """

    shape: str  # src, flat, or modules
    source: tuple[str, ...]
    tests: tuple[str, ...]  # empty where tests stand beside the code
    test_files: int
    uncollected: tuple[str, ...]  # unittest files whose names pytest does not collect
    runner: str  # pytest or unittest
    settings: str  # pytest's configuration file
    manager: str
    packages: tuple[Package, ...]  # none where there is nothing to install
    discovered: bool  # setuptools looks for packages at the root, and would find the gate's folders
    recipe: Recipe
    plugins: tuple[str, ...]
    fixtures: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """
        Yield what was found, a line for each fact.
        """
        yield f"code          {', '.join(self.source)} ({self.shape} layout)"
        if len(self.packages) > 1:
            yield f"packages      {', '.join(package.folder or '.' for package in self.packages)}"
        yield f"tests         {', '.join(self.tests) or 'beside the code'}: {_count(self.test_files, 'file')}"
        yield f"suite         {self.runner}{f', configured in {self.settings}' if self.settings else ''}"
        yield f"dependencies  {self.manager}; the tests' own: {', '.join(self.recipe.where) or 'none found'}"
        if self.plugins:
            yield f"plugins       {', '.join(self.plugins)}"
        yield f"fixtures      {', '.join(self.fixtures) or 'none'}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def project_of(tree: Snapshot) -> Project:
    """
    Look at a tree.

    Raises `UsageError` where there is no suite to guard, or a file can't be read that says what is needed.
    """
    papers = Papers(tree)
    layout = Layout.of(tree, Policy())
    files = [path for path in tree.under("") if path.endswith(".py")]
    tests = [path for path in files if layout.is_test_file(path)]
    uncollected = tuple(path for path in files if _is_odd(tree, layout, path))
    if not tests and not uncollected:
        raise UsageError(
            "no tests here: no file that pytest or unittest would collect.  oraclekeep guards what a suite "
            "can find; without an automated suite it isn't for this repository yet"
        )
    packages, recipe = _packages(papers, (*tests, *uncollected))
    used = [name for pattern, name in _USES if any(re.search(pattern, _read(tree, path)) for path in tests)]
    return Project(
        shape=_shape(layout.source),
        source=(*layout.source, *_sources(tree, layout, packages)),
        tests=_folders(tests),
        test_files=len(tests) + len(uncollected),
        uncollected=uncollected,
        runner=_runner(tree, layout, tests),
        settings=layout.pytest.path,
        manager=_manager(papers),
        packages=packages,
        discovered=papers.is_discovered and not tree.under("src"),
        recipe=recipe,
        plugins=tuple(dict.fromkeys((*plugins_of(recipe.all), *used))),
        fixtures=data_folders(tree),
    )


def _packages(papers: Papers, tests: Sequence[str]) -> tuple[tuple[Package, ...], Recipe]:
    """
    Return what is installed, and how what the tests need is.

    That is the root, its workspace's members, or else the projects below it.
    """
    recipe = recipe_of(papers)
    inner = {
        path.rpartition("/")[0]
        for path in papers.tree.under("")
        if path.endswith(("/pyproject.toml", "/setup.py")) and TEST_FOLDERS.isdisjoint(path.split("/"))
    }
    members = papers.members(inner)
    if papers.is_installable and not members:
        return (Package("", recipe.how.extras),), recipe
    found = {folder: Papers(Below(papers.tree, folder)) for folder in sorted(members or inner)}
    found = {folder: below for folder, below in found.items() if below.is_installable}
    if not found:
        return (), recipe
    recipes = {folder: recipe_of(below) for folder, below in found.items()}
    packages = [
        Package(folder, each.how.extras, any(is_below(path, folder) for path in tests))
        for folder, each in recipes.items()
    ]
    if papers.is_built:  # a workspace's root need not be a package of its own
        packages.append(Package("", recipe.how.extras))
    return tuple(packages), joined(recipe, recipes)


def _sources(tree: Snapshot, layout: Layout, packages: Iterable[Package]) -> Iterator[str]:
    """
    Yield the source folders of packages in which none was found, as below a root that has one itself.
    """
    for folder in (package.folder for package in packages if package.folder):
        if not any(is_below(path, folder) or is_below(folder, path) for path in layout.source):
            yield from (f"{folder}/{path}" for path in Layout.of(Below(tree, folder), Policy()).source)


def _read(tree: Snapshot, path: str) -> bytes:
    return tree.read(path) or b""


def _shape(source: tuple[str, ...]) -> str:
    if all(path.endswith(".py") for path in source):
        return "modules"
    return "src" if any("src" in path.split("/") for path in source) else "flat"


def _is_odd(tree: Snapshot, layout: Layout, path: str) -> bool:
    """
    Tell whether unittest would find tests in a file that pytest passes over.
    """
    name = path.rpartition("/")[2]
    placed = not TEST_FOLDERS.isdisjoint(path.split("/")[:-1]) or name == "tests.py"
    return (
        placed
        and name.startswith("test")
        and not layout.is_test_file(path)
        and re.search(rb"^class \w+\(.*TestCase\b", _read(tree, path), re.MULTILINE) is not None
    )


def _folders(tests: Iterable[str]) -> tuple[str, ...]:
    """
    Return the folders of tests, down to the one that is called so; none where a test stands outside of such.
    """
    found: dict[str, None] = {}
    for path in tests:
        parts = path.split("/")[:-1]
        at = next((index for index, part in enumerate(parts) if part in TEST_FOLDERS), None)
        if at is None:
            return ()
        found["/".join(parts[: at + 1])] = None
    return tuple(sorted(found))


def _runner(tree: Snapshot, layout: Layout, tests: Iterable[str]) -> str:
    if layout.pytest.path or any(path.endswith("conftest.py") for path in tree.under("")):
        return "pytest"
    plain = re.compile(rb"^\s*(import pytest|from pytest|(async )?def test_\w+\((?!self))", re.MULTILINE)
    return "pytest" if any(plain.search(_read(tree, path)) for path in tests) else "unittest"


def _manager(papers: Papers) -> str:
    for mark, name in _MANAGERS:
        if papers.tree.read(mark) is not None:
            return name
    for name in ("poetry", "pdm", "uv"):
        if papers.tool(name):
            return name
    if papers.tool("hatch", "envs"):
        return "hatch"
    backend = str(papers.pyproject.get("build-system", {}).get("build-backend", ""))
    if backend:
        return f"pip, built by {backend.partition('.')[0].replace('_core', '')}"
    return "pip" if papers.tree.read("setup.py") is None else "pip, built by setuptools"


def data_folders(tree: Snapshot) -> tuple[str, ...]:
    """
    Return the outermost folders of plain data among the tests.

    A folder with modules in it is code that happens to be called data; an owner may still freeze it.
    """
    kinds: dict[str, set[bool]] = {}
    for path in tree.under(""):
        parts = path.split("/")[:-1]
        inside = next((index for index, part in enumerate(parts) if part in TEST_FOLDERS), None)
        if inside is None:
            continue
        at = next((index for index in range(inside + 1, len(parts)) if parts[index] in _DATA), None)
        if at is not None:
            kinds.setdefault("/".join(parts[: at + 1]), set()).add(path.endswith((".py", ".pyi")))
    trees = [folder for folder, code in kinds.items() if code == {False}]
    return tuple(sorted(f for f in trees if not any(f != other and is_below(f, other) for other in trees)))
