"""
What a property does to the machine, told and not refused: processes that it starts, files that it writes.
"""

from __future__ import annotations

import os
import sys
import tempfile
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from .watching import Watch

_STARTS: Final = frozenset(
    {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "pty.spawn", "os.startfile"}
)
_FORKS: Final = frozenset({"os.fork", "os.forkpty"})
#: Audit event -> the place of the path that it changes.
_CHANGES: Final = {
    "os.mkdir": 0, "os.rmdir": 0, "os.remove": 0, "os.rename": 1, "os.link": 1, "os.symlink": 1,
    "os.truncate": 0, "os.chmod": 0, "os.chown": 0, "sqlite3.connect": 0,
}  # fmt: skip
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_NO_FILES: Final = frozenset({":memory:", ""})  # databases that live in memory, or in a file without a name
_MOST: Final = 3


class Deeds:
    """
    Each deed once, with the line of the product that did it.
    """

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._found: dict[str, dict[str, None]] = {}
        self._own = os.path.join(os.path.realpath(tempfile.gettempdir()), "")  # noqa: PTH118  # keeps the last separator

    def install(self) -> None:
        """
        Listen for the rest of this process.
        """
        sys.addaudithook(self._auditor())

    def sentence(self) -> str:
        """
        Say what was done, or nothing where nothing was.
        """
        return "; ".join(f"{verb} {_listed(list(places))}" for verb, places in self._found.items())

    def _auditor(self) -> Callable[[str, tuple[Any, ...]], None]:
        def audit(event: str, args: tuple[Any, ...]) -> None:
            if event == "open":
                if _writes(args[1], args[2]):
                    self._note_file(args[0], sys._getframe(1))  # noqa: SLF001  # the caller is the point
            elif event in _CHANGES:
                self._note_file(args[_CHANGES[event]], sys._getframe(1))  # noqa: SLF001
            elif event in _STARTS:
                self._note("starts a process:", _program(args), sys._getframe(1))  # noqa: SLF001
            elif event in _FORKS:
                self._note("forks", "", sys._getframe(1))  # noqa: SLF001

        return audit

    def _note_file(self, path: object, frame: FrameType) -> None:
        if not isinstance(path, (str, bytes, os.PathLike)):
            return
        name = os.fsdecode(path)
        if name in _NO_FILES:
            return
        full = os.path.realpath(name)
        if not f"{full}/".startswith(self._own) and full != os.devnull:  # a nameless file is its folder's
            self._note("writes", name, frame)

    def _note(self, verb: str, what: str, frame: FrameType) -> None:
        place = self._watch.doer(frame)
        places = self._found.setdefault(verb, {}) if place else {}
        if len(places) < 2 * _MOST:
            places[f"{what} at {place}".strip()] = None


def _writes(mode: object, flags: object) -> bool:
    if isinstance(mode, str):
        return not {"w", "a", "x", "+"}.isdisjoint(mode)
    return isinstance(flags, int) and bool(flags & _WRITING)


def _program(args: tuple[Any, ...]) -> str:
    """
    Return the name of what is started, for an event's path or its command line.
    """
    given = args[0] or (args[1] if len(args) > 1 else "")
    first = given[0] if isinstance(given, (list, tuple)) and given else given
    text = os.fsdecode(first) if isinstance(first, (str, bytes, os.PathLike)) else str(first)
    return os.path.basename(text.partition(" ")[0]) or text  # noqa: PTH119  # `pathlib` is slow to load


def _listed(places: list[str]) -> str:
    more = f" (and {len(places) - _MOST} more)" if len(places) > _MOST else ""
    return ", ".join(places[:_MOST]) + more
