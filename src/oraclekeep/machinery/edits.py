"""
Steps of the machinery that take test files away or rewrite them before they run.
"""

from __future__ import annotations

import fnmatch
import re
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.jobs import Weakness

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.machinery.reach import Machinery

#: A command that changes the files it is given -> the option without which it does not.
_EDITORS: Final = {
    "rm": "", "unlink": "", "truncate": "", "mv": "", "git": "rm", "sed": "-i", "perl": "-i"
}  # fmt: skip
_TEST_FILE: Final = re.compile(r"(test_.*|.*_test|conftest)\.py$")


def edited(path: str, before: Machinery, after: Machinery) -> Iterator[Weakness]:
    """
    Yield commands that are new in a file and change test files before a check of the same job or target.
    """
    known = {run.check.key for run in before.all_runs()}
    runs = after.runs(path)
    for place, run in enumerate(runs):
        key = run.check.key
        checks = (
            later for later in runs[place + 1 :] if later.unit == run.unit and later.check.group in _CHECKS
        )
        if run.check.group or key in known or not _edits(key):
            continue
        hit = next((word for word in key[1:] if _is_test(word, after)), "")
        check = next(checks, None) if hit else None
        if check is not None:
            what = f"runs after {hit} was changed by `{' '.join(key)}`"
            yield Weakness(path, run.line, f"`{check.check.shown}`", what, "", " ".join(key))


_CHECKS: Final = frozenset({"test", "gate"})


def _edits(key: tuple[str, ...]) -> bool:
    option = _EDITORS.get(key[0]) if key else None
    if option is None or not option:
        return option == ""
    if option == "-i":
        return any(re.match(r"(-[a-zA-Z]*i|--in-place)", word) for word in key[1:])
    return option in key[1:]


def _is_test(word: str, side: Machinery) -> bool:
    """
    Tell whether a word names a test file, by its own name or by those that it stands for.
    """
    place = word.removeprefix("./").rstrip("/")
    if place in ("", ".") or place.startswith("-"):
        return False
    if _TEST_FILE.fullmatch(place.rpartition("/")[2]):
        return True
    fixed, star, _ = place.partition("*")
    below = side.tree.under(fixed.rpartition("/")[0] if star else place)
    tests = (item for item in below if _TEST_FILE.fullmatch(item.rpartition("/")[2]))
    return any(not star or fnmatch.fnmatchcase(item, place) for item in tests)
