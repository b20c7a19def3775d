"""
Where production code lies in a repository that does not say so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from oraclekeep.model import Snapshot

TEST_FOLDERS: Final = frozenset({"tests", "test", "testing", "testsuite"})
_NOT_SOURCE: Final = TEST_FOLDERS | {
    "docs",
    "doc",
    "examples",
    "example",
    "oracle",
    "invariants",
    "ci",
    "bench",
    "benchmarks",
    "scripts",
    "tools",
}


def guess_source(tree: Snapshot) -> tuple[str, ...]:
    """
    Return `src`, or else every `src` folder and every outermost package further down.
    """
    files = [path for path in tree.under("") if path.endswith(".py")]
    if any(path.startswith("src/") for path in files):
        return ("src",)
    packages = {path.rpartition("/")[0] for path in files if path.endswith("/__init__.py")}
    found = set()
    for folder in packages:
        parts = folder.split("/")
        if not _NOT_SOURCE.isdisjoint(parts):
            continue
        if "src" in parts:
            found.add("/".join(parts[: parts.index("src") + 1]))
        elif "/".join(parts[:-1]) not in packages:
            found.add(folder)
    modules = {
        path
        for path in files
        if "/" not in path and not path.startswith(("test_", "conftest", "setup", "noxfile", "tasks"))
    }
    return tuple(sorted(found)) or tuple(sorted(modules)) or ("src",)
