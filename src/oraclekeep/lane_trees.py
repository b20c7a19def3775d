"""
What each lane's tree holds: which paths come from base's tip, and which from what would land (SPEC §6).

Pure: trees are mappings from path to entry, and nothing here talks to Git.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from oraclekeep.guessing import TEST_FOLDERS
from oraclekeep.paths import is_below
from oraclekeep.patterns import is_placed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from oraclekeep.model import Delta, Entry, PatchKind, Policy
    from oraclekeep.paths import Layout
    from oraclekeep.policy.frozen import FrozenInputs

    Tree = Mapping[str, Entry]

_PROPOSABLE: Final = ("oracle/", "invariants/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """
    The two trees a lane may draw from, and the rules that choose.
    """

    tip: Mapping[str, Entry]
    landing: Mapping[str, Entry]
    deltas: tuple[Delta, ...]
    layout: Layout
    policy: Policy
    frozen: FrozenInputs
    kind: PatchKind
    adoption: bool  # base has no policy yet, so nothing of base's is laid over the patch

    def suite(self) -> dict[str, Entry]:
        """
        What would land, judged by base's machinery.
        """
        return self._with_tip(self._is_owned)

    def characterization(self) -> dict[str, Entry]:
        """
        The patched code under base's tests, fixtures and configuration, announced fixtures excepted.
        """

        def from_tip(path: str) -> bool:
            if self.frozen.holds(path):
                return path not in self.frozen.free
            return self._is_owned(path) or self.is_test_side(path)

        return self._with_tip(from_tip)

    def properties(self) -> dict[str, Entry]:
        """
        The same under base's properties, inventory and locks; where base has none, what would land.
        """
        return dict(self.landing) if self.adoption else self.characterization()

    def specimens(self) -> dict[str, Entry]:
        """
        Base's production code under the patch's tests.
        """

        def from_landing(path: str) -> bool:
            return not self._is_owned(path) and (self.frozen.holds(path) or self.is_test_side(path))

        return _mixed(self.tip, self.landing, from_landing)

    def proposed(self) -> dict[str, Entry]:
        return dict(self.landing)

    def _with_tip(self, from_tip: Callable[[str], bool]) -> dict[str, Entry]:
        return _mixed(self.landing, self.tip, from_tip)

    def _is_owned(self, path: str) -> bool:
        return not self.adoption and self.layout.is_human_owned(path)

    def is_test_side(self, path: str) -> bool:
        """
        Test files, what they stand on, and the data that lies beside them.
        """
        layout = self.layout
        if layout.is_human_owned(path):
            return False
        if layout.is_suite(path) or layout.is_frozen(path):
            return True
        if is_placed(path, layout.tests_of(path)):
            return True
        folders = set(PurePosixPath(path).parts[:-1]) & TEST_FOLDERS
        # A product may ship a `testing` package of its own: that is production code.
        in_source = any(is_below(path, folder) for folder in layout.source)
        return bool(folders - {"testing"} if in_source else folders)

    def touches_proposable(self) -> bool:
        """
        Tell whether the patch changes what a `proposed` lane would run.
        """
        paths = [delta.path for delta in self.deltas]
        return any(path.startswith(_PROPOSABLE) or self.frozen.holds(path) for path in paths)

    def changes_production(self) -> bool:
        return any(self._is_subject(delta.path) for delta in self.deltas)

    def _is_subject(self, path: str) -> bool:
        return self.layout.is_production(path) or self.layout.is_build_file(path)

    def patched_tests(self) -> list[str]:
        """
        Test files of the landing tree that the patch adds or changes.
        """
        paths = (delta.path for delta in self.deltas if not delta.same_bytes)
        return sorted(path for path in paths if self.layout.is_test_file(path) and path in self.landing)

    def base_tests(self, read: Callable[[str], bytes]) -> list[str]:
        """
        Base's test files that the patch changes or deletes, or that a changed support file reaches.
        """
        tests = [path for path in self.tip if self.layout.is_test_file(path)]
        changed = {delta.path for delta in self.deltas if self.is_test_side(delta.path)}
        reached = changed.intersection(tests)
        for path in sorted(changed.difference(tests)):
            if not self.frozen.holds(path):
                reached.update(self._reached(path, tests, read))
        return sorted(reached)

    def _reached(self, support: str, tests: Iterable[str], read: Callable[[str], bytes]) -> set[str]:
        """
        A conftest, package or data file reaches its whole folder; a module, whoever names it.
        """
        name = PurePosixPath(support).name
        if name in {"conftest.py", "__init__.py"}:
            return {path for path in tests if is_below(path, str(PurePosixPath(support).parent))}
        if not name.endswith(".py"):
            return {path for path in tests if is_below(path, _test_root(support))}
        return self._naming(support, tests, read)

    def _naming(self, support: str, tests: Iterable[str], read: Callable[[str], bytes]) -> set[str]:
        helpers = [path for path in self.tip if self.layout.is_test_support(path)]
        found: set[str] = set()
        waiting, seen = [support], {support}
        while waiting:
            current = waiting.pop()
            word = re.compile(rb"\b" + re.escape(os.fsencode(PurePosixPath(current).stem)) + rb"\b")
            found.update(path for path in tests if path not in found and word.search(read(path)))
            for path in helpers:
                if path in seen or not word.search(read(path)):
                    continue
                seen.add(path)
                if PurePosixPath(path).name in {"conftest.py", "__init__.py"}:
                    found.update(self._reached(path, tests, read))
                waiting.append(path)
        return found


def _mixed(first: Tree, second: Tree, from_second: Callable[[str], bool]) -> dict[str, Entry]:
    kept = {path: entry for path, entry in first.items() if not from_second(path)}
    return kept | {path: entry for path, entry in second.items() if from_second(path)}


def changes(old: Tree, new: Tree) -> dict[str, Entry | None]:
    """
    Return what turns one tree into the other.
    """
    gone: dict[str, Entry | None] = {path: None for path in old if path not in new}
    return gone | {path: entry for path, entry in new.items() if old.get(path) != entry}


def _test_root(path: str) -> str:
    """
    Return the topmost test folder above a path, or the folder it lies in.
    """
    parts = PurePosixPath(path).parts
    depth = next((index for index, part in enumerate(parts[:-1]) if part in TEST_FOLDERS), len(parts) - 2)
    return "/".join(parts[: depth + 1]) or "."
