"""
The date that expiry is judged by: today in UTC, or `--today`; nothing of the patch can set it.
"""

from __future__ import annotations

import datetime as dt

from oraclekeep.errors import UsageError


def day(text: str, option: str = "--today") -> dt.date:
    """
    Read `--today`, or another option that is a date; without a word it is today.

    Raises `UsageError` where it is no date.
    """
    if not text:
        return dt.datetime.now(dt.UTC).date()
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"{option} {text!r} is not a date; write it as YYYY-MM-DD") from error
