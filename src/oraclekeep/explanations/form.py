"""
The form of an explanation, so that the modules beside this one read as a page.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True, slots=True)
class Explanation:
    """
    Why a row matters, an example of it, and when and how a human may allow it.
    """

    why: str
    example: str
    allow: str


def told(*, why: str, example: str, allow: str) -> Explanation:
    """
    Return an explanation from indented text: prose becomes one line, an example keeps its own.
    """
    return Explanation(_one_line(why), dedent(example).strip("\n"), _one_line(allow))


def allowance(row: str, *targets: str) -> str:
    """
    Say how an owner allows findings of a row, by the first of ``targets`` or any of the others.
    """
    first, *others = targets
    entry = {"row": row, first: "...", "issue": "...", "reason": "...", "expires": "YYYY-MM-DD"}
    instead = f" (or `{'` or `'.join(others)}` in place of `{first}`)" if others else ""
    return (
        f"an owner first lands `{json.dumps(entry)}`{instead} under `allowances` of `oracle/intent.json`,"
        " in a patch of its own; base's file counts, so an allowance never arrives with what it excuses"
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())
