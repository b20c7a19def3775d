"""
What a property may not do: read a live clock, draw randomness that nobody seeded, reach the network.

The functions that do such things are replaced before user code is imported, so the name under which it
imports them does not matter.  Each read is blamed on the frame that asked for it: what the standard library
reads for itself (logging, asyncio, queue, names of temporary files) does not count, what the product and the
property read does.  Code that wants to hide a read from its own process can; this finds the honest ones.
"""

from __future__ import annotations

import datetime as dt
import gc
import importlib
import os
import random
import sys
import time
from typing import TYPE_CHECKING, Any, Final

from .sameness import Trouble
from .watching import CLOCK, NETWORK, RANDOMNESS

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from .watching import Watch

#: Functions of `time` that always read a clock, and those that do where a moment is left out (at that place).
_READS: Final = (
    "time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time",
    "process_time_ns", "thread_time", "thread_time_ns", "clock_gettime", "clock_gettime_ns",
)  # fmt: skip
_READS_WITHOUT: Final = {"localtime": 0, "gmtime": 0, "ctime": 0, "asctime": 0, "strftime": 1}
_NETWORK_EVENTS: Final = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
_LOOKUP_EVENTS: Final = frozenset({"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"})
_ENTROPY_FILES: Final = frozenset({"/dev/urandom", "/dev/random", b"/dev/urandom", b"/dev/random"})


def _optional(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


#: Found out once, before the worker forks.
_UUID: Final = _optional("_uuid")


class _Watched:
    """
    Stands in for a builtin function.

    An object and not a function: as an attribute of a class it must not become a method.
    """

    def __init__(self, original: Callable[..., Any], stand_in: Callable[..., Any]) -> None:
        self.__name__ = self.__qualname__ = getattr(original, "__name__", "")
        self.__doc__, self.__module__ = original.__doc__, original.__module__
        self.__wrapped__, self._stand_in = original, stand_in

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self._stand_in(sys._getframe(1), *args, **keywords)  # noqa: SLF001  # the caller is the point

    def __repr__(self) -> str:
        return repr(self.__wrapped__)

    def __reduce__(self) -> str:
        return self.__name__


def install(watch: Watch) -> None:
    """
    Put the watch in place for the rest of this process.  It can't be taken away again.

    Raises `Trouble` on a Python whose clocks can't be watched.
    """
    _watch_time(watch)
    _watch_datetime(watch)
    _watch_entropy(watch)
    sys.addaudithook(_auditor(watch))


# ------------------------------------------------------------------------------------------------- clocks


def _watch_time(watch: Watch) -> None:
    original = {name: getattr(time, name) for name in (*_READS, *_READS_WITHOUT) if hasattr(time, name)}
    pinned = _pinned(watch.moment, original) if watch.moment is not None else {}
    for name, function in original.items():
        setattr(
            time,
            name,
            _Watched(function, pinned.get(name) or _reader(watch, name, function, pinned=bool(pinned))),
        )


def _reader(watch: Watch, name: str, original: Callable[..., Any], *, pinned: bool) -> Callable[..., Any]:
    place = _READS_WITHOUT.get(name)

    def read(frame: FrameType, *args: Any, **keywords: Any) -> Any:
        missing = place is None or len(args) <= place or args[place] is None
        if missing and not pinned:
            watch.note(CLOCK, f"time.{name}()", frame)
        return original(*args, **keywords)

    return read


def _pinned(moment: float, original: dict[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """
    Return the functions that say what time of day it is, made to say ``moment``.

    Clocks that only measure how long something takes go on: waiting must end.
    """
    nanoseconds = round(moment * 1_000_000) * 1000
    fields = original["localtime"]

    def gettime(_: FrameType, clock: int) -> float:
        return moment if clock == time.CLOCK_REALTIME else float(original["clock_gettime"](clock))

    def gettime_ns(_: FrameType, clock: int) -> int:
        return nanoseconds if clock == time.CLOCK_REALTIME else int(original["clock_gettime_ns"](clock))

    def of_seconds(name: str) -> Callable[..., Any]:
        return lambda _, seconds=None: original[name](moment if seconds is None else seconds)

    return {
        "time": lambda _: moment,
        "time_ns": lambda _: nanoseconds,
        "clock_gettime": gettime,
        "clock_gettime_ns": gettime_ns,
        **{name: of_seconds(name) for name in ("localtime", "gmtime", "ctime")},
        "asctime": lambda _, parts=None: original["asctime"](fields(moment) if parts is None else parts),
        "strftime": lambda _, form, parts=None: original["strftime"](
            form, fields(moment) if parts is None else parts
        ),
    }


def _watch_datetime(watch: Watch) -> None:
    """
    Replace `datetime.now`, `utcnow` and `today` in the classes themselves.

    A subclass under the old name would not be the type that the product's values have.
    """
    moment, live = watch.moment, time.time.__wrapped__  # type: ignore[attr-defined]  # replaced just before
    now = _class_dict(dt.datetime)["now"]

    def watched_now(cls: type[dt.datetime], tz: dt.tzinfo | None = None) -> dt.datetime:
        if moment is not None:
            return cls.fromtimestamp(moment, tz)
        watch.note(CLOCK, "datetime.now()", sys._getframe(1))  # noqa: SLF001  # the caller is the point
        found: dt.datetime = now.__get__(None, cls)(tz)
        return found

    def watched_utcnow(cls: type[dt.datetime]) -> dt.datetime:
        if moment is None:
            watch.note(CLOCK, "datetime.utcnow()", sys._getframe(1))  # noqa: SLF001
        return cls.fromtimestamp(live() if moment is None else moment, dt.timezone.utc).replace(tzinfo=None)  # noqa: UP017

    def watched_today(cls: type[dt.date]) -> dt.date:
        if moment is None:
            watch.note(CLOCK, f"{cls.__name__}.today()", sys._getframe(1))  # noqa: SLF001
        return cls.fromtimestamp(live() if moment is None else moment)

    _replace(dt.datetime, "now", watched_now)
    _replace(dt.datetime, "utcnow", watched_utcnow)
    _replace(dt.date, "today", watched_today)


def _replace(cls: type, name: str, function: Callable[..., Any]) -> None:
    _class_dict(cls)[name] = classmethod(function)
    if getattr(getattr(cls, name), "__func__", None) is not function:
        # Someone looked the name up before us, and the interpreter remembers what it found.
        ctypes = importlib.import_module("ctypes")
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(cls))
    if getattr(getattr(cls, name), "__func__", None) is not function:
        python = f"{sys.implementation.name} {sys.version.split()[0]}"
        raise Trouble(f"{cls.__name__}.{name} can't be watched on {python}; run the inventory on CPython")


def _class_dict(cls: type) -> dict[str, Any]:
    """
    Return the dictionary behind a class, also of one that refuses assignment.
    """
    found: list[dict[str, Any]] = gc.get_referents(cls.__dict__)
    return found[0]


# --------------------------------------------------------------------------------------------- randomness


def _watch_entropy(watch: Watch) -> None:
    for name in ("urandom", "getrandom"):
        if hasattr(os, name):
            setattr(os, name, _Watched(getattr(os, name), _drawer(watch, f"os.{name}()", getattr(os, name))))
    random._urandom = os.urandom  # type: ignore[attr-defined]  # noqa: SLF001  # what SystemRandom and secrets draw from
    _watch_seeding(watch)
    for name in ("generate_time_safe", "UuidCreate"):
        if callable(getattr(_UUID, name, None)):
            function = getattr(_UUID, name)
            setattr(_UUID, name, _Watched(function, _drawer(watch, "uuid.uuid1()", function)))


def _drawer(watch: Watch, call: str, original: Callable[..., Any]) -> Callable[..., Any]:
    def draw(frame: FrameType, *args: Any, **keywords: Any) -> Any:
        watch.note(RANDOMNESS, call, frame)
        return original(*args, **keywords)

    return draw


def _watch_seeding(watch: Watch) -> None:
    """
    A generator that nobody seeded is found when it is used: `Random()` that is seeded later is pinned.
    """
    base, shared = random.Random, random.seed.__self__  # type: ignore[attr-defined]  # a bound method
    seed, setstate = base.seed, base.setstate

    def pin(self: random.Random) -> None:
        for name in ("random", "getrandbits"):
            vars(self).pop(name, None)

    def unpin(self: random.Random) -> None:
        for name in ("random", "getrandbits"):
            if getattr(type(self), name) is getattr(base, name):
                original = getattr(base, name).__get__(self, type(self))
                vars(self)[name] = _Watched(
                    original, _drawer(watch, "random.Random() without a seed", original)
                )

    def watched_seed(self: random.Random, a: Any = None, version: int = 2) -> None:
        seed(self, a, version)
        if a is not None:
            pin(self)
        elif self is shared:  # its functions were bound when `random` was imported
            watch.note(RANDOMNESS, "random.seed()", sys._getframe(1))  # noqa: SLF001  # the caller is the point
        else:
            unpin(self)

    def watched_setstate(self: random.Random, state: Any) -> None:
        setstate(self, state)
        pin(self)

    base.seed, base.setstate = watched_seed, watched_setstate  # type: ignore[method-assign]  # that is what this is for
    random.seed, random.setstate = shared.seed, shared.setstate


# ------------------------------------------------------------------------------------------------ network


def _auditor(watch: Watch) -> Callable[[str, tuple[Any, ...]], None]:
    def audit(event: str, args: tuple[Any, ...]) -> None:
        if event in _NETWORK_EVENTS:
            address = args[1] if len(args) > 1 else None
            if isinstance(address, tuple):  # a local socket's address is a path
                _refuse(watch, event, address)
        elif event in _LOOKUP_EVENTS:
            if args and args[0] not in (None, "", b""):
                _refuse(watch, event, args[0])
        elif event == "open" and args[0] in _ENTROPY_FILES:
            watch.note(RANDOMNESS, f"open({os.fsdecode(args[0])!r})", sys._getframe(1))  # noqa: SLF001

    return audit


def _refuse(watch: Watch, event: str, target: object) -> None:
    frame = sys._getframe(2)  # noqa: SLF001  # the caller is the point
    watch.note(NETWORK, f"{event}({target!r})", frame)
    raise ConnectionRefusedError(f"{event} to {target!r}: an inventory property may not use the network")
