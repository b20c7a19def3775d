"""
Two texts that an error, a warning or an output is compared with: which of them lets more pass.
"""

from __future__ import annotations

import re
from typing import Final

from oraclekeep.oracles.regexes import apart
from oraclekeep.oracles.strength import Fate, Relation


def relate_texts(old: tuple[str, str], new: tuple[str, str]) -> Relation:
    """
    Relate two ways of comparing a text, `exact`, `starts`, `contains` or `regex`, each with what is wanted.
    """
    (how, before), (how_now, after) = old, new
    if before == after and how == how_now:
        return Relation(Fate.SAME, near=90)
    if (flagged := _flagged(before, after)) is not None and "regex" in (how, how_now):
        return flagged
    if _matches_all(how_now, after):
        return Relation(Fate.WEAKER, "every message passes now", 75)
    sample_old, sample_new = (
        text if detail != "regex" else None for text, detail in ((before, how), (after, how_now))
    )
    if sample_new is not None and _accepts(how, before, sample_new):
        tighter = how_now == "exact" or sample_old is None or len(after) > len(before) or before == after
        if tighter and _TIGHT.get(how_now, 0) >= _TIGHT.get(how, 0):
            return Relation(Fate.STRONGER, "more of the text is compared", 75)
    if sample_old is not None and _accepts(how_now, after, sample_old):
        return Relation(Fate.WEAKER, "less of the text is compared", 75)
    if sample_old is None and how_now in _PATTERNS and _loosened(before, _PATTERNS[how_now] + after):
        return Relation(Fate.WEAKER, "the pattern matches more texts", 70)
    return Relation(Fate.REWRITTEN, "the expected text changed", 65)


def _flagged(before: str, after: str) -> Relation | None:
    """
    Compare the flags of one pattern; only `a` has it match less.
    """
    (mine, old), (theirs, new) = apart(before), apart(after)
    if old != new or mine == theirs:
        return None
    looser = (theirs - mine - {"a"}) or ((mine - theirs) & {"a"})
    if looser:
        return Relation(Fate.WEAKER, "the pattern matches more texts", 75)
    return Relation(Fate.STRONGER, "the pattern matches fewer texts", 75)


#: Ways of comparing a text that leave less open than to find it anywhere.
_TIGHT: Final = {"exact": 2, "starts": 1}
#: Ways of comparing a text with a pattern, and what such a pattern begins with.
_PATTERNS: Final = {"regex": "", "starts": "^"}


def _accepts(detail: str, wanted: str, text: str) -> bool:
    if detail == "exact":
        return text == wanted
    if detail == "contains":
        return wanted in text
    if detail == "starts":
        return text.startswith(wanted)
    try:
        return re.search(wanted, text) is not None
    except re.error:
        return False


def _matches_all(detail: str, wanted: str) -> bool:
    if detail == "regex":
        return _accepts("regex", wanted, "") and _accepts("regex", wanted, "\0 unlikely")
    return detail in {"contains", "starts"} and not wanted


def _loosened(before: str, after: str) -> bool:
    """
    A pattern that is a piece of the old one, or that has more wildcards around the same words, matches more.
    """
    words = re.findall(r"\w{2,}", re.sub(r"\\[a-zA-Z]", " ", before))
    kept = re.findall(r"\w{2,}", re.sub(r"\\[a-zA-Z]", " ", after))
    if after.startswith(f"{before}|") or after.endswith(f"|{before}"):
        return True
    return after in before or (len(kept) < len(words) and set(kept) <= set(words))
