"""
The pytest settings in force for one folder of one tree, whichever file they stand in, and what they collect.
"""

from __future__ import annotations

import fnmatch
import posixpath
import shlex
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from oraclekeep.machinery.options import Options
from oraclekeep.paths import CONFIG_NAMES, NORECURSE, pytest_options
from oraclekeep.patterns import named_by

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oraclekeep.model import Snapshot


@dataclass(frozen=True)
class Settings:
    """
    What pytest takes from its one configuration file; ``folder`` is that file's folder.
    """

    path: str = ""
    folder: str = ""
    ini: Mapping[str, object] = field(default_factory=dict)

    @cached_property
    def options(self) -> Options:
        value = self.ini.get("addopts", "")
        if isinstance(value, list):
            return Options.of([str(item) for item in value])
        return Options.split(str(value))

    def _raw(self, key: str) -> object:
        overrides = self.options.overrides
        return overrides[key] if key in overrides else self.ini.get(key)

    def words(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        value = self._raw(key)
        if isinstance(value, list):
            return tuple(str(item) for item in value)
        if value is None:
            return default
        try:
            return tuple(shlex.split(str(value)))
        except ValueError:
            return tuple(str(value).split())

    def lines(self, key: str) -> tuple[str, ...]:
        value = self._raw(key)
        items = [str(item) for item in value] if isinstance(value, list) else str(value or "").splitlines()
        return tuple(item.strip() for item in items if item.strip() and not item.strip().startswith("#"))

    def text(self, key: str) -> str:
        value = self._raw(key)
        return "" if value is None else str(value).strip()

    def is_true(self, *keys: str) -> bool:
        """
        Tell whether the first of the settings that is set at all is switched on.
        """
        for key in keys:
            if self._raw(key) is not None:
                return self.text(key).lower() in {"true", "1", "yes", "on"}
        return False

    @cached_property
    def testpaths(self) -> tuple[str, ...]:
        """
        Return where a bare `pytest` looks: paths in `addopts` win over `testpaths`.
        """
        named = [path.split("::", 1)[0] for path in self.options.paths] or self.words("testpaths")
        return tuple(dict.fromkeys(self._from_root(path) for path in named))

    def _from_root(self, path: str) -> str:
        joined = posixpath.normpath(posixpath.join(self.folder, path.rstrip("/") or "."))
        return "" if joined == "." else joined

    @cached_property
    def filters(self) -> tuple[str, ...]:
        return (*self.lines("filterwarnings"), *self.options.values("-W"))

    @property
    def doctests(self) -> bool:
        return self.options.has("--doctest-modules")

    def collects(self, path: str) -> bool:
        """
        Tell whether a bare `pytest` would take this file as a test module, by its place and name.
        """
        return self._in_place(path) and any(
            fnmatch.fnmatchcase(path.rpartition("/")[2], pattern) or fnmatch.fnmatchcase(path, f"*/{pattern}")
            for pattern in self.words("python_files", ("test_*.py", "*_test.py"))
        )

    def _in_place(self, path: str) -> bool:
        root = self.folder
        if root and not path.startswith(root + "/"):
            return False
        tops = [top for place in self._tops if (top := named_by(path, place)) is not None]
        return any(self._reaches(top, path) for top in tops) and not self._ignored(path)

    @cached_property
    def _tops(self) -> tuple[str, ...]:
        return self.testpaths or (self.folder,)

    def _reaches(self, top: str, path: str) -> bool:
        inner = path[len(top) :].strip("/") if top != path else ""
        folders = inner.split("/")[:-1]
        patterns = self.words("norecursedirs", NORECURSE)
        for depth, name in enumerate(folders):
            whole = "/".join([part for part in (top, *folders[: depth + 1]) if part])
            for pattern in patterns:
                plain = fnmatch.fnmatchcase(name, pattern)
                deep = "/" in pattern and fnmatch.fnmatchcase(f"/{whole}", f"*/{pattern.strip('/')}")
                if plain or deep:
                    return False
        return True

    def _ignored(self, path: str) -> bool:
        for value in self.options.values("--ignore"):
            place = self._from_root(value)
            if path == place or path.startswith(place + "/"):
                return True
        for value in self.options.values("--ignore-glob"):
            pattern = self._from_root(value)
            parents = [path, *(path.rsplit("/", count)[0] for count in range(1, path.count("/") + 1))]
            if any(fnmatch.fnmatchcase(place, pattern) for place in parents):
                return True
        return False

    def collects_examples(self, path: str) -> bool:
        """
        Tell whether docstring examples of this module would be collected.
        """
        return self.doctests and path.endswith(".py") and self._in_place(path)

    def collects_doctests(self, path: str) -> bool:
        """
        Tell whether examples of this file would be collected: docstrings, or a text under `--doctest-glob`.
        """
        if path.endswith(".py"):
            return self.collects_examples(path)
        name, globs = path.rpartition("/")[2], self.options.values("--doctest-glob") or ("test*.txt",)
        matches = (
            fnmatch.fnmatchcase(path if "/" in one else name, f"*/{one}" if "/" in one else one)
            for one in globs
        )
        return any(matches) and self._in_place(path)


def settings_of(tree: Snapshot, folder: str = "") -> Settings:
    """
    Read what pytest would read when it is started on a folder: the nearest file on the way up.
    """
    parts = folder.split("/") if folder else []
    for count in range(len(parts), -1, -1):
        place = "/".join(parts[:count])
        for name in CONFIG_NAMES:
            path = f"{place}/{name}" if place else name
            data = tree.read(path)
            options = pytest_options(path, data) if data is not None else None
            if options is not None:
                return Settings(path, place, options)
    return Settings()
