"""
Path patterns: which paths humans own and which are neutral, and how a pattern is matched (SPEC §1).
"""

from __future__ import annotations

import fnmatch
import functools
import re
import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Where the gate's Nox sessions stand beside a noxfile that was there before; `init` puts them there.
SESSIONS: Final = "ci/gate_sessions.py"
#: Paths that a human owns whatever the settings say.  A trailing `/` names a folder at the root.
HUMAN_OWNED: Final = (
    "oracle/",
    "invariants/",
    "noxfile.py",
    "noxw*",
    "tasks.py",
    "ci/",
    ".ci/",
    ".github/workflows/",
    ".github/actions/",
    ".gitlab-ci.yml",
    ".gitlab/ci/",
    ".forgejo/workflows/",
    ".gitea/workflows/",
    ".circleci/",
    ".buildkite/",
    ".woodpecker/",
    ".woodpecker.yml",
    ".woodpecker.yaml",
    ".travis.yml",
    "azure-pipelines*.yml",
    "bitbucket-pipelines.yml",
    "Jenkinsfile*",
    "appveyor.yml",
    ".appveyor.yml",
    ".cirrus.yml",
    ".drone.yml",
    "action.yml",
    "CODEOWNERS",
    ".github/CODEOWNERS",
    ".gitlab/CODEOWNERS",
    "docs/CODEOWNERS",
    ".forgejo/CODEOWNERS",
    ".gitea/CODEOWNERS",
)
NOT_HUMAN_OWNED: Final = ("invariants/proposed/",)
NEUTRAL: Final = (
    "*.md",
    "*.rst",
    "docs/",
    "invariants/proposed/",
    ".gitignore",
    "**/.gitignore",
    "LICENSE*",
    "LICENCE*",
    "COPYING*",
    "NOTICE*",
    "AUTHORS*",
    "CHANGELOG*",
    "CHANGES*",
    "HISTORY*",
    "NEWS*",
    "changelog.d/",
    "newsfragments/",
)
BUILD_FILES: Final = ("setup.py", "setup.cfg", "pyproject.toml")
LOCK_FILES: Final = (
    "poetry.lock",
    "uv.lock",
    "pdm.lock",
    "Pipfile.lock",
    "pylock.toml",
    "requirements*.txt",
    "package-lock.json",
)


def any_match(path: str, patterns: Iterable[str]) -> bool:
    return any(matches(path, pattern) for pattern in patterns)


def one_spelling(path: str) -> str:
    """
    Return the one spelling of all that a disk may take for this name.
    """
    return path.casefold() if path.isascii() else unicodedata.normalize("NFC", path).casefold()


@functools.cache
def in_one_spelling(patterns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(one_spelling, patterns))


def like(text: str, pattern: str) -> bool:
    """
    Return what `fnmatch.fnmatchcase` does; most patterns need none of the expressions that it has to compile.
    """
    head, star, tail = pattern.partition("*")
    if "?" in pattern or "[" in pattern:
        return fnmatch.fnmatchcase(text, pattern)
    if not star:
        return text == pattern
    if not text.startswith(head):
        return False
    if "*" in tail:
        return fnmatch.fnmatchcase(text, pattern)
    return len(text) >= len(head) + len(tail) and text.endswith(tail)


@functools.cache
def _beginnings(patterns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(re.split(r"[*?\[]", pattern, maxsplit=1)[0] for pattern in patterns)


def is_like(text: str, patterns: tuple[str, ...]) -> bool:
    """
    Return whether a text is `like` one of the patterns; most texts begin as none of them does.
    """
    return text.startswith(_beginnings(patterns)) and any(like(text, pattern) for pattern in patterns)


def matches(path: str, pattern: str) -> bool:
    """
    Match a path: `folder/` means everything below, `**/x` any depth, `*.md` any folder, others from the root.
    """
    if pattern.endswith("/"):
        return path.startswith(pattern)
    if pattern.startswith("**/"):
        return like(path, pattern[3:]) or like(path, "*/" + pattern[3:])
    if pattern.startswith("*."):
        return like(path, pattern)
    return "/" not in path[len(pattern.rpartition("/")[0]) + 1 :] and like(path, pattern)


def named_by(path: str, place: str) -> str | None:
    """
    Return the folder or file of a path that a place of `testpaths` names; such a place may be a glob.
    """
    place = place.rstrip("/")
    if place in ("", "."):
        return ""
    if path == place or path.startswith(f"{place}/"):
        return place
    if any(letter in place for letter in "*?["):
        parts = path.split("/")
        for depth in range(1, len(parts) + 1):
            here = "/".join(parts[:depth])
            if fnmatch.fnmatchcase(here, place):
                return here
    return None


def is_placed(path: str, places: Iterable[str]) -> bool:
    return any(named_by(path, place) is not None for place in places)
