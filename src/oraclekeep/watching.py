"""
Tells when the working copy has changed, by looking at it now and then.
"""

from __future__ import annotations

import gc
import os
import time
from typing import TYPE_CHECKING, Final

from oraclekeep.errors import GateError
from oraclekeep.refs import QUIET

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.git import Repo

#: Seconds between two looks, and how often a change may go on before it counts as it is.
PAUSE: Final = 1.0
_PATIENCE: Final = 6
#: What Git would take into a commit, and the names that a base may have.
_LISTED: Final = ("--cached", "--others", "--exclude-standard", "--", ":/", ":(top,exclude).gate")
_REFS: Final = ("for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/remotes")

_State = tuple[object, ...]


def changes(repo: Repo) -> Iterator[None]:
    """
    Yield at once, and again whenever files or commits have changed and the change has come to rest.

    Ends only from outside.  Nothing is read but names and times, and nothing is written.
    """
    seen: _State = ()
    while True:
        now = _state(repo)
        if now != seen:
            seen = _at_rest(repo, now) if seen else now
            yield
            gc.collect()  # the program itself lets things lie: it mostly ends after one answer
        time.sleep(PAUSE)


def _at_rest(repo: Repo, state: _State) -> _State:
    """
    Wait while a tool is still writing; a file that changes all the time must not keep the answer back.
    """
    for _ in range(_PATIENCE):
        time.sleep(PAUSE / 2)
        later = _state(repo)
        if later == state:
            break
        state = later
    return state


def _state(repo: Repo) -> _State:
    try:
        head = repo.git("rev-parse", "--verify", "--quiet", "HEAD")
        refs, names = repo.git(*_REFS), repo.git(*QUIET, "ls-files", "-z", *_LISTED)
    except GateError as error:  # whoever asks for a score now is told the same
        return (str(error),)
    paths = sorted(set(names.split(b"\0")) - {b""})
    return (head, refs, *((path, _stamp(repo, path)) for path in paths))


def _stamp(repo: Repo, path: bytes) -> tuple[int, ...]:
    try:
        found = (repo.root / os.fsdecode(path)).lstat()
    except OSError:
        return ()
    return (found.st_mtime_ns, found.st_size, found.st_mode, found.st_ino)
