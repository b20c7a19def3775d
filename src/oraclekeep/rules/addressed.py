"""
`collection-tampered` by address: a test tool that comes from somewhere else, and not by its version.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.model import Finding
from oraclekeep.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.model import Snapshot
    from oraclekeep.rules import Patch

_ADVICE: Final = "Name a version, or ask the owner for an allowance in oracle/intent.json."
_TOOLS: Final = frozenset({"pytest", "pluggy", "hypothesis"})
_NAME: Final = "(?P<tool>pytest|pluggy|hypothesis)"
#: `pytest[extra] @ https://…`, in whatever file it stands.
_DIRECT: Final = re.compile(rf"(?<![\w.-]){_NAME}(?:\[[^\]]*\])?\s*@\s*[\w.+]+[:/]")
#: The last part of an address: an archive, a repository or a folder of that name, or what pip is told it is.
_LAST: Final = re.compile(
    rf"[/\\=]{_NAME}(?:-\d[^/\s#]*?)?(?:\.git|\.whl|\.tar\.gz|\.zip)?/?(?:@[^\s#/]+)?(?=[\s#&;\[]|$)"
)
_ARCHIVE: Final = (".whl", ".tar.gz", ".zip", ".git")
#: Keys of a table that says where a package lies, as Poetry, Pipenv and uv have it.
_PLACES: Final = frozenset({"git", "url", "path", "file"})
_FILES: Final = ("-r", "--requirement", "-c", "--constraint")
_TABLES: Final = re.compile(r"(^|/)(pyproject\.toml|tox\.toml|hatch\.toml|Pipfile)$")
_LISTS: Final = re.compile(
    r"(^|/)(tox\.ini|[^/]*requirements[^/]*\.(txt|in)|(requirements?|reqs)/[^/]+\.(txt|in))$"
)
_SETUP: Final = re.compile(r"(^|/)setup\.(cfg|py)$")


@rule("collection-tampered")
def tools_from_elsewhere(patch: Patch) -> Iterator[Finding]:
    """
    Report a test tool that the patch has installed from an address or a folder, and not by its version.
    """
    for delta in patch.deltas:
        if delta.deleted or not declares(delta.path):
            continue
        for name in sorted(_addressed(patch.head, delta.path) - _addressed(patch.base, delta.path)):
            what = f"{name} is no longer installed by its version: {delta.path} says where another one lies."
            yield Finding(delta.path, 1, "collection-tampered", message=what, advice=_ADVICE)


def declares(path: str) -> bool:
    """
    Tell whether a file says what is installed.
    """
    return any(kind.search(path) for kind in (_TABLES, _LISTS, _SETUP))


def _addressed(tree: Snapshot, path: str) -> set[str]:
    text = (tree.read(path) or b"").decode("utf-8", "replace")
    found = {match["tool"] for match in _DIRECT.finditer(text)}
    if _LISTS.search(path):
        found.update(_in_lines(text))
    elif _TABLES.search(path):
        try:
            document = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            return found
        found.update(_in_tables(document))
        sources = document.get("tool", {}).get("uv", {}).get("sources", {}) if "uv" in text else {}
        found |= _TOOLS & set(sources)
    return found


def _in_lines(text: str) -> Iterator[str]:
    """
    Yield the tools that a line of requirements names by an address; a line of commands is none.
    """
    for line in text.splitlines():
        words = re.sub(r"(^|\s)[#;].*$", "", line).split()
        is_path = len(words) == 1 or (len(words) == 2 and words[0] in ("-e", "--editable"))
        if not words or words[0] in _FILES:
            continue
        if "://" in words[-1] or (is_path and words[-1].startswith((".", "/"))):
            yield from (match["tool"] for match in [_LAST.search(words[-1])] if match)


def _in_tables(value: Any) -> Iterator[str]:
    """
    Yield the tools for which a table says where they lie, or a list holds an address.
    """
    if isinstance(value, dict):
        for key, inner in value.items():
            each = inner if isinstance(inner, list) else [inner]
            if key in _TOOLS and any(isinstance(one, dict) and not _PLACES.isdisjoint(one) for one in each):
                yield key
            yield from _in_tables(inner)
    elif isinstance(value, list):
        for inner in value:
            if isinstance(inner, str) and ("://" in inner or inner.endswith(_ARCHIVE)):
                yield from (match["tool"] for match in [_LAST.search(inner)] if match)
            else:
                yield from _in_tables(inner)
