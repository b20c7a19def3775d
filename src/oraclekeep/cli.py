"""
The `oraclekeep` program: one task, our exit codes.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from oraclekeep.boundary import ended
from oraclekeep.commands.score import score
from oraclekeep.errors import Exit
from oraclekeep.quick import understood

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run the program and return its exit code: 0 allow, 1 reject, 2 could not judge, 130 interrupted.
    """
    if argv is None:  # the process is ours, and nearly all that a score makes lives until it is given
        gc.disable()
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        code = _run(words)
        sys.stdout.flush()
    except SystemExit as end:
        if end.code is None:
            return Exit.ALLOW
        return end.code if isinstance(end.code, int) else Exit.CANNOT_JUDGE
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:  # as in `oraclekeep --list | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left has no reader
        return Exit.CANNOT_JUDGE
    finally:
        gc.freeze()  # the process ends: nothing of a large score is worth looking through once more
    return code


def _run(words: list[str]) -> int:
    task = understood(score, words[1:]) if words[:1] == ["score"] else None
    if task is None:
        from oraclekeep.program import run  # noqa: PLC0415  # start-up counts

        sys.stdout.write(run(words))
        return Exit.ALLOW
    code, message = ended(task)
    sys.stderr.write(f"{message}\n" if message else "")
    return code
