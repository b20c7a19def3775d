"""
A check before and after as lines of a diff, with what differs inside them.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.reports.wording import sides

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LONGEST: Final = 2000  # characters of one side; scorer and lanes cut far earlier
_TOKENS: Final = 300  # comparing more of them takes longer than a reader would look
_ALIKE: Final = 0.3  # below it, marking what differs would mark everything


@dataclass(frozen=True, slots=True)
class Piece:
    """
    A part of a line, and whether the other side lacks it.
    """

    text: str
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """
    One line of a diff; ``sign`` is `-`, `+`, or a space where both sides read the same.
    """

    sign: str
    pieces: tuple[Piece, ...]


def diff(finding: Mapping[str, Any]) -> tuple[Line, ...]:
    """
    Return the lines that show a finding's check; none where it shows no check.
    """
    before, after = sides(finding, _LONGEST)
    if before == after:
        return (Line(" ", (Piece(before),)),) if before else ()
    if before is None or after is None:
        told = (("-", before), ("+", after))
        return tuple(Line(sign, (Piece(text),)) for sign, text in told if text is not None)
    old, new = _marked(before, after)
    return Line("-", old), Line("+", new)


def _marked(before: str, after: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    old, new = (re.findall(r"\w+|\s+|[^\w\s]", text) for text in (before, after))
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    if len(old) > _TOKENS or len(new) > _TOKENS or matcher.ratio() < _ALIKE:
        return (Piece(before),), (Piece(after),)
    steps = matcher.get_opcodes()
    return (
        _pieces(old, [(first, last, tag != "equal") for tag, first, last, _, _ in steps]),
        _pieces(new, [(first, last, tag != "equal") for tag, _, _, first, last in steps]),
    )


def _pieces(tokens: Sequence[str], spans: Sequence[tuple[int, int, bool]]) -> tuple[Piece, ...]:
    return tuple(
        Piece("".join(tokens[first:last]), differs) for first, last, differs in spans if first < last
    )
