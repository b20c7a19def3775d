"""
What base's `gate.yaml` runs in a lane's tree before the lane: its `setup:` command lines.
"""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING

from . import process
from .plan import LaneError, Plan, read_plan

if TYPE_CHECKING:
    from pathlib import Path


def set_up(lane: str, gate: Path, shard: str, kept: list[int]) -> bool:
    """
    Run the lane's setup and return whether it may start; a lane without one may.

    What it starts may go on in the background; ``kept`` takes its process groups.  What the last run of the
    lane left goes first: it must not stand in for one that could not start.
    """
    try:
        plan = read_plan(lane, gate, shard)
    except LaneError:
        return True  # the lane itself says so
    if plan.settings.get("empty_ok"):
        return True
    plan.forget()
    for line in plan.settings.get("setup", ()):
        problem = _run(plan, str(line), kept)
        if problem:
            sys.stderr.write(f"oraclekeep {lane}: setup: {line}: {problem}; mend it, or oracle/gate.yaml\n")
            return False
    return True


def _run(plan: Plan, line: str, kept: list[int]) -> str:
    env = process.environment(os.environ, plan.settings.get("env", {}))
    try:
        words = shlex.split(line)
        timeout = float(plan.settings.get("timeout", 1800))
        ended = process.run(words, plan.tree, env, timeout, piped=False, kept=kept)
    except IndexError:
        return "an empty command line"
    except (OSError, ValueError) as error:
        return str(error)
    if ended.how != "finished":
        return ended.how
    return f"exit {ended.exit_code}" if ended.exit_code else ""
