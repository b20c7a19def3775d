"""
What a property's world can be varied in, one thing at a time: the table that `--vary` and `--diagnose` share.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: Stands for the worker's own folder, which is new each time.
FRESH: Final = "{fresh}"
#: Name -> what stays the same without it, and the values that are tried.
VARIATIONS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "hash-seed": ("the hash seed, and with it the order of sets", ("1", "2", "3", "4711")),
    "clock": ("the instant of `clock:`", ("2000-02-29T23:59:59Z", "2038-01-19T03:14:08Z")),
    "order": ("the order of the samples", ("reversed", "1", "2")),
    "locale": ("the locale", ("C", "ascii", "de_DE.UTF-8", "tr_TR.UTF-8")),
    "timezone": ("the time zone", ("KIT-05:45", "EST5EDT,M3.2.0,M11.1.0")),
    "cpus": ("how many CPUs it may use", ("1",)),
    "umask": ("the umask", ("000", "077")),
    "home": ("the home folder", ("a home with blanks \u00e9",)),
    "folder": ("the working folder", ("fresh",)),
}
_ENV: Final = {"hash-seed": "PYTHONHASHSEED", "timezone": "TZ"}
_JOB: Final = frozenset({"order", "cpus", "umask", "folder"})


@dataclass(frozen=True)
class Varied:
    """
    Some variations, as the environment of a worker, as keys of its job, and as keys of each property.
    """

    env: Mapping[str, str] = field(default_factory=dict)
    job: Mapping[str, Any] = field(default_factory=dict)
    clock: str = ""

    def property_changes(self, one: Mapping[str, Any]) -> dict[str, Any]:
        """
        Return what changes in a property: its clock, where it has one.
        """
        return {"clock": self.clock} if self.clock and one["clock"] else {}


def problem(words: Sequence[str]) -> str:
    """
    Say what is wrong with words like `hash-seed=1`, or nothing.
    """
    for word in words:
        name, equals, value = word.partition("=")
        if name not in VARIATIONS or not equals or not value:
            return f"{word!r}: write NAME=VALUE; names are {', '.join(VARIATIONS)}"
        is_octal = all(digit in "01234567" for digit in value)
        if (name == "umask" and not is_octal) or (name in ("cpus", "hash-seed") and not value.isdecimal()):
            return f"{word!r}: write it like {name}={VARIATIONS[name][1][0]}"
    return ""


def apply(words: Sequence[str]) -> Varied:
    """
    Return what words like `hash-seed=1` come to.
    """
    given = dict(word.split("=", 1) for word in words)
    env = {variable: given[name] for name, variable in _ENV.items() if name in given}
    if "locale" in given:
        env |= _locale(given["locale"])
    if "home" in given:
        env["HOME"] = f"{FRESH}/{given['home']}"
    return Varied(env, {name: given[name] for name in _JOB if name in given}, given.get("clock", ""))


def _locale(value: str) -> dict[str, str]:
    """
    Return a locale's variables; `ascii` is the one in which Python, too, takes text for ASCII.
    """
    if value == "ascii":
        return {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    return {"LC_ALL": value, "LANG": value}
