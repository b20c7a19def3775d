"""
Who did it: the frame of the product, or of the property, that asked for something.

What the standard library reads for itself (logging, asyncio, queue, names of temporary files) does not count.
"""

from __future__ import annotations

import datetime as dt
import os
import sysconfig
from typing import TYPE_CHECKING, Final

from .sameness import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import FrameType

CLOCK: Final = "clock"
RANDOMNESS: Final = "randomness"
NETWORK: Final = "network"

#: Modules of the standard library that only pass on what their caller asks for.
_GO_BETWEENS: Final = frozenset(
    {"random", "secrets", "uuid", "datetime", "_pydatetime", "email.utils", "functools", "timeit"}
)
_MOST: Final = 20  # reads that are kept
_ITSELF: Final = "the property itself"


def _library() -> tuple[str, ...]:
    folders = {sysconfig.get_paths()[key] for key in ("stdlib", "platstdlib")}
    folders |= {os.path.realpath(folder) for folder in folders}
    return tuple(os.path.join(folder, "") for folder in sorted(folders))  # noqa: PTH118  # keeps the last separator


#: Found out once, before the worker forks.
_LIBRARY: Final = _library()


class Watch:
    """
    What one property's process did, and the clock that it runs by.

    ``product`` holds the first parts of the names of the modules under test: they may lie outside the tree.
    """

    def __init__(self, tree: str, product: Iterable[str], clock: str = "") -> None:
        self.moment = _moment(clock) if clock else None
        self.reads: dict[tuple[str, str, str], None] = {}
        self._tree = os.path.join(os.path.realpath(tree), "")  # noqa: PTH118  # keeps the last separator
        self._product = frozenset(product)
        self._kit = os.path.join(os.path.realpath(os.path.dirname(__file__)), "")  # noqa: PTH118, PTH120  # as above
        self._zones: dict[str, str] = {}

    def note(self, kind: str, call: str, frame: FrameType | None) -> None:
        """
        Record a read if it is the product's or the property's.
        """
        place = self._place(frame, everyone=kind == NETWORK)
        if place is not None and len(self.reads) < _MOST:
            self.reads[kind, call + self._asked_through(frame), place] = None

    def doer(self, frame: FrameType | None) -> str | None:
        """
        Return the line of the product that does something; None where the kit or an import does.
        """
        if frame is None or self._zone(frame) == "import":  # bytecode
            return None
        place = self._place(frame, everyone=True)
        return None if place == _ITSELF else place

    def _asked_through(self, frame: FrameType | None) -> str:
        """
        Name the function of the standard library that the product called, where that is another.
        """
        name = ""
        while frame is not None and self._zone(frame) == "go-between":
            name = f" in {frame.f_globals['__name__']}.{frame.f_code.co_qualname}()"
            frame = frame.f_back
        return name

    def sentence(self) -> str:
        """
        Say what was read, or nothing where nothing was.
        """
        found = [f"{_WORDS[kind]}: {call} at {place}" for kind, call, place in self.reads]
        more = f" (and {len(found) - 3} more)" if len(found) > 3 else ""
        return "; ".join(found[:3]) + more

    def _place(self, frame: FrameType | None, *, everyone: bool) -> str | None:
        """
        Walk outwards to whoever asked; None where a library or an installed package did for itself.
        """
        passed_on = False  # an installed package stands between the read and whoever called it
        while frame is not None:
            match self._zone(frame):
                case "product":
                    return self._shown(frame)
                case "kit":
                    return None if passed_on and not everyone else _ITSELF
                case "import" if passed_on and not everyone:
                    return None  # an installed package prepares itself while it is imported
                case "library" if not (passed_on or everyone):
                    return None
                case "package":
                    passed_on = True
                case _:
                    pass
            frame = frame.f_back
        return "a thread" if everyone else None

    def _zone(self, frame: FrameType) -> str:
        name = str(frame.f_globals.get("__name__", ""))
        if name.partition(".")[0] in self._product:
            return "product"
        file = frame.f_code.co_filename
        if file.startswith("<frozen importlib"):
            return "import"
        if name in _GO_BETWEENS and not file.startswith("<"):
            return "go-between"
        if file.startswith("<"):  # made by exec: judged by the module it was made for
            file = str(frame.f_globals.get("__file__", file))
        if file not in self._zones:
            self._zones[file] = self._zone_of(file)
        return self._zones[file]

    def _zone_of(self, file: str) -> str:
        path = os.path.realpath(file)
        if path.startswith(self._kit):
            return "kit"
        if "site-packages" in path or "dist-packages" in path:
            return "package"
        if path.startswith(self._tree):
            return "product"
        if file.startswith(("<frozen", *_LIBRARY)) or path.startswith(_LIBRARY):
            return "library"
        return "package" if os.path.isfile(path) else "product"  # noqa: PTH113  # text of unknown origin is the product's

    def _shown(self, frame: FrameType) -> str:
        path = os.path.realpath(frame.f_code.co_filename)
        file = path.removeprefix(self._tree) if path.startswith(self._tree) else frame.f_code.co_filename
        return f"{file}:{frame.f_lineno}"


_WORDS: Final = {CLOCK: "live clock", RANDOMNESS: "unpinned randomness", NETWORK: "network"}


def _moment(clock: str) -> float:
    """
    Return an ISO 8601 instant as seconds; without a zone it is UTC.  Raises `Trouble` for anything else.
    """
    try:
        moment = dt.datetime.fromisoformat(clock)
    except ValueError as error:
        raise Trouble(f"clock: {clock!r} is not an instant; write it like 2026-01-31T12:00:00Z") from error
    return (moment if moment.tzinfo else moment.replace(tzinfo=dt.timezone.utc)).timestamp()  # noqa: UP017  # 3.9
