"""
What a path is: human-owned, neutral, frozen, a test, test support, production, or configuration (SPEC §1).
"""

from __future__ import annotations

import configparser
import functools
import re
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.guessing import TEST_FOLDERS, guess_source
from oraclekeep.patterns import (
    BUILD_FILES,
    HUMAN_OWNED,
    LOCK_FILES,
    NEUTRAL,
    NOT_HUMAN_OWNED,
    any_match,
    in_one_spelling,
    is_placed,
    like,
    one_spelling,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from oraclekeep.model import GateSettings, Policy, Snapshot

#: Pytest's own order; the first that holds a pytest table wins.
CONFIG_NAMES: Final = (
    "pytest.toml",
    ".pytest.toml",
    "pytest.ini",
    ".pytest.ini",
    "pyproject.toml",
    "tox.ini",
    "setup.cfg",
)
#: Folders that pytest does not look into unless the configuration names others.
NORECURSE: Final = ("*.egg", ".*", "_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}")
#: Words for people that stand among the tests.
_NOTES: Final = (
    "README*",
    "LICENSE*",
    "NOTICE*",
    "CHANGELOG*",
    ".gitignore",
    ".gitattributes",
    ".editorconfig",
)


@dataclass(frozen=True, slots=True)
class PytestSettings:
    """
    The collection rules of one tree, from the one file that pytest would read.
    """

    path: str = ""  # the file they come from; empty where pytest finds none
    python_files: tuple[str, ...] = ("test_*.py", "*_test.py")
    python_classes: tuple[str, ...] = ("Test",)
    python_functions: tuple[str, ...] = ("test",)
    testpaths: tuple[str, ...] = ()
    norecurse: tuple[str, ...] = NORECURSE
    options: Mapping[str, object] = field(default_factory=dict)


def _remembered(question: Callable[[Layout, str], bool]) -> Callable[[Layout, str], bool]:
    """
    Answer a question about a path once for each layout; rules ask the same ones over and over.
    """

    @functools.wraps(question)
    def ask(layout: Layout, path: str) -> bool:
        key = (question.__name__, path)
        if key not in layout._answers:  # noqa: SLF001  # the layout's own memory
            layout._answers[key] = question(layout, path)  # noqa: SLF001  # same
        return layout._answers[key]  # noqa: SLF001  # same

    return ask


@dataclass(frozen=True, slots=True)
class Layout:
    """
    Where the things of one repository lie.  Built from base, used for both sides.
    """

    source: tuple[str, ...] = ("src",)
    tests: tuple[str, ...] = ()
    frozen_trees: tuple[str, ...] = ("tests/fixtures",)
    frozen_files: tuple[str, ...] = ()
    human_owned: tuple[str, ...] = HUMAN_OWNED
    pytest: PytestSettings = field(default_factory=PytestSettings)
    only_named: bool = (
        False  # the owner says where the tests are; else `testpaths` is only where pytest starts
    )
    nested: tuple[tuple[str, PytestSettings], ...] = ()  # packages with settings of their own, deepest first
    _answers: dict[tuple[str, str], bool] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of(cls, tree: Snapshot, policy: Policy) -> Layout:
        """
        Read the layout of a tree; the owner's settings win over what the tree suggests.
        """
        settings = policy.settings
        pytest = pytest_settings(tree)
        nested = _nested(tree, settings.packages)
        if settings.test_files:
            pytest = replace(pytest, python_files=settings.test_files)
            nested = [(folder, replace(one, python_files=settings.test_files)) for folder, one in nested]
        return cls(
            source=settings.source or guess_source(tree),
            tests=settings.tests or pytest.testpaths,
            frozen_trees=_frozen_trees(policy, settings),
            frozen_files=tuple(policy.file_locks),
            human_owned=HUMAN_OWNED + settings.human_owned,
            pytest=pytest,
            only_named=bool(settings.tests),
            nested=tuple(nested),
        )

    def pytest_of(self, path: str) -> PytestSettings:
        """
        Return the collection rules for one file: its package's own, or the root's.
        """
        return next((one for folder, one in self.nested if is_below(path, folder)), self.pytest)

    def tests_of(self, path: str) -> tuple[str, ...]:
        """
        Return where tests stand; empty where nothing says so.
        """
        if self.only_named or not self.nested:
            return self.tests
        settings = self.pytest_of(path)
        return self.tests if settings is self.pytest else settings.testpaths

    def is_neutral(self, path: str) -> bool:
        return any_match(path, NEUTRAL) and not self.is_frozen(path) and not self.is_human_owned(path)

    @_remembered
    def is_human_owned(self, path: str) -> bool:
        """
        Return whether only a human may change this path.

        So is what takes such a path's place: another spelling, which a disk that ignores case takes for the
        same, and a link, submodule or file where a folder of theirs stands or would stand.
        """
        spelt = one_spelling(path)
        owned = in_one_spelling(self.human_owned)
        claimed = any_match(spelt, owned) or any(pattern.startswith(f"{spelt}/") for pattern in owned)
        return claimed and not any_match(spelt, NOT_HUMAN_OWNED)

    @_remembered
    def is_frozen(self, path: str) -> bool:
        return path in self.frozen_files or any(is_below(path, tree) for tree in self.frozen_trees)

    @_remembered
    def is_test_file(self, path: str) -> bool:
        """
        Return whether pytest would collect this file by its name and place.
        """
        if self.is_human_owned(path) or self.is_frozen(path) or not path.endswith(".py"):
            return False
        name = path.rpartition("/")[2]
        patterns = self.pytest_of(path).python_files
        if not any(like(name, pattern.rpartition("/")[2]) for pattern in patterns):
            return False
        tests = self.tests_of(path)
        if tests and not is_placed(path, tests):
            return False
        # A pattern names its folders itself.
        tops = [one for one in tests or ("",) if is_below(path, one)] or [path.rpartition("/")[0]]
        return any(self._reaches(top, path) for top in tops)

    def _reaches(self, top: str, path: str) -> bool:
        """
        Return whether pytest, started on a folder, comes down to the file.
        """
        inside = (path if top == "." else path.removeprefix(top.rstrip("/"))).split("/")[:-1]
        return not any(
            like(part, pattern)
            for part in inside
            for pattern in self.pytest_of(path).norecurse
            if part and "/" not in pattern
        )

    @_remembered
    def is_stray_test(self, path: str) -> bool:
        """
        Return whether this is a test file outside `testpaths`: another run of pytest may name it.
        """
        if self.only_named or not self.tests_of(path) or self.is_test_file(path):
            return False
        if self.is_human_owned(path) or self.is_frozen(path) or not path.endswith(".py"):
            return False
        *folders, name = path.split("/")
        words = {word for folder in folders for word in re.split(r"[-_.]", folder)}
        product = any(is_below(path, folder) for folder in self.source) and not words & {"test", "tests"}
        patterns = (pattern.rpartition("/")[2] for pattern in self.pytest_of(path).python_files)
        return not product and any(like(name, pattern) for pattern in patterns)

    @_remembered
    def is_test_support(self, path: str) -> bool:
        """
        Return whether tests stand on this file though it is not collected: conftest, helpers, test utilities.
        """
        if (
            not path.endswith(".py")
            or self.is_test_file(path)
            or self.is_human_owned(path)
            or self.is_frozen(path)
        ):
            return False
        name = path.rpartition("/")[2]
        return name == "conftest.py" or (self._is_in_tests(path) and not self._only_in_source(path))

    def is_suite(self, path: str) -> bool:
        """
        Return whether the file is a test or what tests stand on.
        """
        return self.is_test_file(path) or self.is_test_support(path)

    @_remembered
    def is_test_data(self, path: str) -> bool:
        """
        Return whether the file stands among the tests and holds no code.
        """
        return (
            not path.endswith((".py", ".pyi", ".ini", ".toml", ".cfg"))
            and not any_match(path.rpartition("/")[2], _NOTES)
            and self._is_in_tests(path)
            and not self._only_in_source(path)
            and not self.is_human_owned(path)
        )

    def _is_in_tests(self, path: str) -> bool:
        """
        Where a place holds the product too, being in it says nothing: pytest looks there for examples.
        """
        places = [
            place
            for place in self.tests_of(path)
            if not any(is_below(folder, place) for folder in self.source if is_below(path, folder))
        ]
        inside = is_placed(path, places)
        return inside or not TEST_FOLDERS.isdisjoint(PurePosixPath(path).parts[:-1])

    def _only_in_source(self, path: str) -> bool:
        """
        `src/pkg/testing/x.py` is a product's own testing module unless `tests` says otherwise.
        """
        inside = any(is_below(path, folder) for folder in self.source)
        return inside and "testing" in PurePosixPath(path).parts and not is_placed(path, self.tests_of(path))

    @_remembered
    def is_production(self, path: str) -> bool:
        if (
            self.is_test_file(path)
            or self.is_test_support(path)
            or self.is_frozen(path)
            or self.is_human_owned(path)
        ):
            return False
        if any_match(path, LOCK_FILES) or any_match(path, NEUTRAL):
            return False
        return any(is_below(path, folder) for folder in self.source)

    def is_build_file(self, path: str) -> bool:
        return path in BUILD_FILES

    def module_name(self, path: str) -> str:
        """
        Return the dotted name under which a production file is imported.
        """
        roots = sorted((folder for folder in self.source if is_below(path, folder)), key=len)
        stem = path.removesuffix(".py")
        if roots:
            top = roots[0].rstrip("/")
            # A source folder that is itself a package keeps its own name.
            inner = stem[len(top) + 1 :] if top in {"src", "lib", "python"} or "/" in top else stem
            stem = inner if top not in ("", ".") else stem
        return stem.removesuffix("/__init__").replace("/", ".")


def _nested(tree: Snapshot, packages: Iterable[str]) -> list[tuple[str, PytestSettings]]:
    """
    Return the packages that bring pytest settings, with `testpaths` seen from the root.
    """
    found = []
    for folder in sorted(filter(None, packages), key=len, reverse=True):
        settings = pytest_settings(tree, folder)
        if settings.path:
            testpaths = tuple(f"{folder}/{path}" for path in settings.testpaths)
            found.append((folder, replace(settings, path=f"{folder}/{settings.path}", testpaths=testpaths)))
    return found


def _frozen_trees(policy: Policy, settings: GateSettings) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*policy.tree_locks, *settings.fixtures))) or ("tests/fixtures",)


def is_below(path: str, folder: str) -> bool:
    folder = folder.rstrip("/")
    return folder in ("", ".") or path == folder or path.startswith(folder + "/")


# --------------------------------------------------------------------------------------- pytest's own files


def pytest_settings(tree: Snapshot, folder: str = "") -> PytestSettings:
    """
    Read the file of a folder that pytest would take its configuration from, in pytest's own order.

    A file that cannot be parsed gives the defaults; the rules of `collection-tampered` name it.
    """
    for path in CONFIG_NAMES:
        data = tree.read(f"{folder}/{path}" if folder else path)
        if data is None:
            continue
        options = pytest_options(path, data)
        if options is not None:
            return _settings_of(path, options)
    return PytestSettings()


def pytest_options(path: str, data: bytes) -> dict[str, object] | None:
    """
    Return pytest's table in a configuration file, or None where pytest would look on.
    """
    found = _pytest_options(path.rpartition("/")[2], data)
    return None if found is None else dict(found)


@functools.lru_cache(maxsize=256)
def _pytest_options(name: str, data: bytes) -> Mapping[str, object] | None:
    text = data.decode("utf-8-sig", "replace")
    if name.endswith(".toml"):
        try:
            document: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            return None
        if name != "pyproject.toml":
            return dict(document.get("pytest", {}))
        table = document.get("tool", {}).get("pytest")
        if not isinstance(table, dict):
            return None
        old = table.get("ini_options")
        return dict(old) if isinstance(old, dict) else dict(table)
    parser = configparser.RawConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # pytest's keys keep their case
    try:
        parser.read_string(text)
    except configparser.Error:
        return None
    section = "tool:pytest" if name == "setup.cfg" else "pytest"
    if parser.has_section(section):
        return dict(parser.items(section))
    return {} if name in {"pytest.ini", ".pytest.ini"} else None


def _settings_of(path: str, options: Mapping[str, object]) -> PytestSettings:
    default = PytestSettings()

    def words(key: str, fallback: tuple[str, ...]) -> tuple[str, ...]:
        value = options.get(key)
        if isinstance(value, str):
            return tuple(value.split()) or fallback
        if isinstance(value, list):
            return tuple(str(item) for item in value) or fallback
        return fallback

    return PytestSettings(
        path=path,
        python_files=words("python_files", default.python_files),
        python_classes=words("python_classes", default.python_classes),
        python_functions=words("python_functions", default.python_functions),
        testpaths=tuple(folder.rstrip("/") for folder in words("testpaths", ())),
        norecurse=words("norecursedirs", NORECURSE),
        options=options,
    )
