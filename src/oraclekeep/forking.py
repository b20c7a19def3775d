"""
The second core: work that goes on in a fork of this process.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
from typing import TYPE_CHECKING, NoReturn, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")


@contextlib.contextmanager
def beside(work: Callable[[], T]) -> Iterator[Callable[[], T]]:
    """
    Begin work in a fork; what is yielded waits for its answer, which must pickle.

    Where there is no fork, or it gave no answer, the work is done here: so it ends, and fails, as if it had
    been called.
    """
    if not _can_fork():
        yield work
        return
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        _answer(work, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:

        def answer() -> T:
            try:
                found: T = pickle.load(pipe)  # noqa: S301  # our own words
            except (EOFError, pickle.UnpicklingError):
                return work()
            return found

        try:
            yield answer
        finally:
            # It has answered, or nobody listens any more.  Until it is waited for, the id is its own.
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _can_fork() -> bool:
    """
    Return whether a fork is a whole process: other threads do not come along, and what they hold stays held.
    """
    threads = len(sys._current_frames())  # noqa: SLF001  # `threading` knows only those that it has started
    return hasattr(os, "fork") and threads == 1 and (os.cpu_count() or 1) > 1


def _answer(work: Callable[[], object], writing: int) -> NoReturn:
    """
    Do the work and end this process, whatever happens; what it buffered is its parent's to write.
    """
    try:
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(pickle.dumps(work(), pickle.HIGHEST_PROTOCOL))
    finally:
        os._exit(0)
