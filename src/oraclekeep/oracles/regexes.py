"""
Regular expressions with their flags written into them, however a test says them.
"""

from __future__ import annotations

import re
from typing import Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.terms import Term

_LETTERS: Final = {
    "I": "i", "IGNORECASE": "i", "S": "s", "DOTALL": "s", "M": "m", "MULTILINE": "m",
    "X": "x", "VERBOSE": "x", "A": "a", "ASCII": "a", "L": "L", "LOCALE": "L",
    "U": "", "UNICODE": "", "NOFLAG": "",
}  # fmt: skip
_INLINE: Final = re.compile(r"\A\(\?([aiLmsux]+)\)")
#: Where each flag changes what a pattern matches; `a` lets less pass.
_EFFECTS: Final = {
    "i": re.compile(r"(?<!\\)[^\W\d_]|\\[wW]"),
    "s": re.compile(r"(?<!\\)\."),
    "m": re.compile(r"(?<!\\)[\^$]"),
    "x": re.compile(r"\s|#"),
}


def spelt(pattern: Term, flags: Term | None = None) -> Term:
    """
    Return a pattern as a plain text, its flags at its beginning; as it is where they cannot be known.
    """
    if terms.called(pattern) == "re.compile" and flags is None:
        return spelt(terms.argument(pattern, 0, "pattern") or pattern, terms.argument(pattern, 1, "flags"))
    letters = _letters(flags) if flags is not None else ""
    text = terms.literal(pattern) if pattern.op == "const" else None
    if letters is None:
        return Term("pattern", "", (pattern, flags)) if flags is not None else pattern
    if not isinstance(text, str):
        return pattern if not letters else Term("pattern", letters, (pattern,))
    inline, bare = apart(text)
    every = "".join(sorted({*inline, *letters}))
    said = "".join(sorted(apart(f"(?{every}){bare}")[0])) if every else ""
    return terms.const(f"(?{said}){bare}" if said else bare)


def _letters(flags: Term) -> str | None:
    if flags.op == "bin" and flags.value in {"BitOr", "Add"}:
        parts = [_letters(one) for one in flags.args]
        return None if None in parts else "".join(sorted({*"".join(filter(None, parts))}))
    if flags == terms.const(0):
        return ""
    label = flags.value.removeprefix("re.").removeprefix("RegexFlag.") if flags.op == "name" else ""
    return _LETTERS.get(label)


def apart(text: str) -> tuple[frozenset[str], str]:
    """
    Return the flags at a pattern's beginning that change what it matches, and the rest of it.
    """
    found = _INLINE.match(text)
    bare = text[found.end() :] if found is not None else text
    said = found[1] if found is not None else ""
    return frozenset(one for one in said if one not in _EFFECTS or _EFFECTS[one].search(bare)), bare
