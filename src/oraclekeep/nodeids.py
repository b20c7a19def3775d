"""
From what was collected to what a JUnit file calls it, never back: a classname cannot be split again.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

Pair = tuple[str, str]  # classname, name

#: The characters that pytest rewrites in a name because XML has no way to hold them.
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\x7e\x80-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: One member of a set as Python writes it.
_MEMBER: Final = r"""(?:b?'[^']*'|b?"[^"]*"|-?\d[\d.e+-]*|<[^<>]*>|None|True|False)"""
_UNSTABLE: Final = re.compile(
    r"0x[0-9a-fA-F]{6,}"  # an address
    r"|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"  # a uuid
    r"|(?P<day>\d{4}-\d\d-\d\d)[T _]\d\d:\d\d"  # a point in time
    r"|(?<![\d.])(?P<epoch>1[5-9]\d{8})(?:\.\d+|\d{3})?(?![\d.])"  # the same as an epoch
    rf"|\{{{_MEMBER}(?:, {_MEMBER})+\}}"  # a set, whose order changes with the hash seed
)
#: A live clock stands near the day of the run; other points in time are written in the test.
_NEAR: Final = dt.timedelta(days=31)


@dataclass(frozen=True, slots=True)
class Index:
    """
    The collected tests by the names that a JUnit file gives them.
    """

    nodeids: dict[Pair, str]
    ambiguous: tuple[tuple[str, str], ...]  # two nodeids with one pair


@dataclass(frozen=True, slots=True)
class Difference:
    """
    Two lists of nodeids compared; functions with unstable ids stand apart and are not missing.
    """

    missing: tuple[str, ...]
    added: tuple[str, ...]
    unstable: tuple[str, ...]  # functions whose ids changed while their number did not


def pair_of(nodeid: str) -> Pair:
    """
    Return the (classname, name) under which a JUnit file lists a collected test.
    """
    path, _, rest = nodeid.partition("::")
    dotted = path.replace("/", ".").removesuffix(".py")
    head, bracket, parameters = rest.partition("[")
    *classes, name = (dotted, *head.split("::")) if rest else (dotted,)
    return as_text(".".join(classes)), as_text(name + bracket + parameters)


def as_text(name: str) -> str:
    """
    Write a name as an XML attribute hands it back: illegal characters spelled out, white space made spaces.
    """
    escaped = _NOT_XML.sub(
        lambda match: f"#x{ord(match[0]):02X}" if ord(match[0]) <= 0xFF else f"#x{ord(match[0]):04X}", name
    )
    return re.sub(r"[\t\n\r]", " ", escaped)


def index(collected: Iterable[str]) -> Index:
    """
    Index collected tests by pair; two of them with one pair are ambiguous, also two with one nodeid.
    """
    nodeids: dict[Pair, str] = {}
    ambiguous: list[tuple[str, str]] = []
    for nodeid in collected:
        pair = pair_of(nodeid)
        if pair in nodeids:
            ambiguous.append((nodeids[pair], nodeid))
        else:
            nodeids[pair] = nodeid
    return Index(nodeids, tuple(ambiguous))


def is_unstable(nodeid: str) -> bool:
    """
    Tell whether the parameter part holds an address, a uuid, a time or the order of a set.
    """
    _, bracket, parameters = nodeid.partition("::")[2].partition("[")
    return bool(bracket) and _UNSTABLE.search(parameters) is not None


def is_made_up(nodeid: str, today: dt.date) -> bool:
    """
    Tell the same of a run on this day: a point in time far from it is no live clock's.
    """
    _, bracket, parameters = nodeid.partition("::")[2].partition("[")
    return bool(bracket) and any(_is_live(found, today) for found in _UNSTABLE.finditer(parameters))


def _is_live(found: re.Match[str], today: dt.date) -> bool:
    try:
        if found["day"]:
            return abs(dt.date.fromisoformat(found["day"]) - today) <= _NEAR
        if found["epoch"]:
            return abs(dt.datetime.fromtimestamp(int(found["epoch"]), dt.UTC).date() - today) <= _NEAR
    except ValueError:
        return False  # no such day
    return True


def function_of(nodeid: str) -> str:
    """
    Return the nodeid without its parameters.
    """
    path, colons, rest = nodeid.partition("::")
    return path + colons + rest.partition("[")[0]


def compare(one: Iterable[str], two: Iterable[str]) -> Difference:
    """
    Compare the tests of two runs; unstable ids are matched per function, by their number.
    """
    left, right = dict.fromkeys(one), dict.fromkeys(two)
    missing = [nodeid for nodeid in left if nodeid not in right]
    added = [nodeid for nodeid in right if nodeid not in left]
    gone = Counter(function_of(nodeid) for nodeid in missing if is_unstable(nodeid))
    come = Counter(function_of(nodeid) for nodeid in added if is_unstable(nodeid))
    moved = tuple(function for function, number in gone.items() if come.get(function) == number)
    return Difference(
        missing=tuple(
            nodeid for nodeid in missing if not (is_unstable(nodeid) and function_of(nodeid) in moved)
        ),
        added=tuple(nodeid for nodeid in added if not (is_unstable(nodeid) and function_of(nodeid) in moved)),
        unstable=moved,
    )
