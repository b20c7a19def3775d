"""
Many small patches in one real repository: `git fast-import` writes them in one go.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_WHO: Final = b"A. Tester <tester@example.invalid> 1704067200 +0000"


@dataclass(frozen=True)
class Sides:
    """
    One patch: the whole base tree and the whole head tree, and where a mode is not 100644.
    """

    base: Mapping[str, bytes]
    head: Mapping[str, bytes]
    modes: Mapping[str, str] = field(default_factory=dict)  # of head


def write_branches(root: Path, patches: Mapping[str, Sides]) -> None:
    """
    Make a repository with branches `NAME/base` and `NAME/head` for each patch.
    """
    env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    env |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    stream = b"".join(
        part for number, name in enumerate(patches) for part in _commits(name, 2 * number + 1, patches[name])
    )
    for args, data in ((("init", "--quiet", "--bare"), b""), (("fast-import", "--quiet"), stream)):
        subprocess.run(("git", *args), cwd=root, env=env, input=data, check=True, capture_output=True)


def _commits(name: str, mark: int, sides: Sides) -> Iterator[bytes]:
    yield b"commit refs/heads/%s/base\nmark :%d\ncommitter %s\ndata 4\nbase\n" % (name.encode(), mark, _WHO)
    yield from _files(sides.base, {})
    yield b"commit refs/heads/%s/head\nmark :%d\ncommitter %s\ndata 4\nhead\nfrom :%d\ndeleteall\n" % (
        name.encode(),
        mark + 1,
        _WHO,
        mark,
    )
    yield from _files(sides.head, sides.modes)


def _files(files: Mapping[str, bytes], modes: Mapping[str, str]) -> Iterator[bytes]:
    for path, data in sorted(files.items()):
        mode = modes.get(path, "100644").encode()
        yield b"M %s inline %s\ndata %d\n%s\n" % (
            mode,
            path.encode("utf-8", "surrogateescape"),
            len(data),
            data,
        )
