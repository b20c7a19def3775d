"""
CODEOWNERS as forges read it: the last line that matches a path says who owns it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from oraclekeep.model import Snapshot

#: Where forges look, the first that is there.
PLACES: Final = (
    ".github/CODEOWNERS",
    "CODEOWNERS",
    "docs/CODEOWNERS",
    ".gitlab/CODEOWNERS",
    ".forgejo/CODEOWNERS",
    ".gitea/CODEOWNERS",
)
_SECTION: Final = re.compile(r"\^?\[[^\]]*\](?:\[\d+\])?(.*)")


@dataclass(frozen=True, slots=True)
class Line:
    """
    One pattern with its owners; none means that nobody does.
    """

    pattern: re.Pattern[str]
    owners: tuple[str, ...]


def owners_file(tree: Snapshot) -> str:
    """
    Return where the file is; empty where there is none.
    """
    return next((path for path in PLACES if tree.read(path) is not None), "")


def lines_of(text: str) -> Iterator[Line]:
    """
    Yield the lines in order; owners of a GitLab section are those of its lines that name none.
    """
    default: tuple[str, ...] = ()
    for raw in text.splitlines():
        bare = re.sub(r"(^|\s)#.*$", "", raw).strip()
        section = _SECTION.fullmatch(bare)
        if section:
            default = tuple(section[1].split())
        elif bare:
            pattern, *owners = re.split(r"(?<!\\)\s+", bare)
            yield Line(_regex(pattern.replace("\\ ", " ")), tuple(owners) or default)


def owners_of(path: str, lines: Iterable[Line]) -> tuple[str, ...]:
    """
    Return who owns a path; nobody where no line matches.
    """
    found: tuple[str, ...] = ()
    for line in lines:
        if line.pattern.fullmatch(path):
            found = line.owners
    return found


def _regex(pattern: str) -> re.Pattern[str]:
    """
    Translate a pattern: without a slash inside it matches at any depth, and a folder holds all below it.
    """
    bare = pattern.strip("/")
    anchored = pattern.startswith("/") or "/" in bare
    pieces = re.split(r"(\*\*/|/\*\*|\*\*|\*|\?)", bare)
    known = {"**/": "(?:.*/)?", "/**": "/.*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    body = "".join(known.get(piece) or re.escape(piece) for piece in pieces)
    below = "/.*" if pattern.endswith("/") else "" if bare.endswith("/*") else "(?:/.*)?"
    return re.compile(("" if anchored else "(?:.*/)?") + body + below)
