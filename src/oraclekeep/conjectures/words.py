"""
What names promise: the one place where words are tied to laws.
"""

from __future__ import annotations

import re
from typing import Final

#: Doing it twice is doing it once.
IDEMPOTENT: Final = frozenset(
    {
        *("normalise", "normalize", "normalised", "normalized", "clean", "cleanup", "cleaned", "canonical"),
        *("canonicalise", "canonicalize", "sanitise", "sanitize", "sort", "sorted", "strip", "trim", "tidy"),
        *("dedupe", "dedup", "deduplicate", "unique", "uniq", "slug", "slugify", "collapse", "simplify"),
        *("standardise", "standardize", "prettify", "squash", "squeeze", "lower", "upper", "lowercase"),
        *("uppercase", "casefold", "round", "rounded", "clamp", "clip", "abs", "absolute", "compact"),
    }
)
SORTED: Final = frozenset({"sort", "sorted", "order", "ordered"})
#: What comes out was in.
SUBSET: Final = frozenset(
    {
        "filter",
        "filtered",
        "select",
        "unique",
        "uniq",
        "dedupe",
        "dedup",
        "deduplicate",
        "keep",
        "drop",
        "pick",
    }
)
SAME_LENGTH: Final = frozenset({"sort", "sorted", "reverse", "reversed", "shuffle", "shuffled"})
COMMUTATIVE: Final = frozenset(
    {
        *("add", "plus", "sum", "multiply", "times", "product", "gcd", "lcm", "union", "intersection"),
        *("intersect", "overlap", "overlaps", "distance", "similarity", "max", "maximum", "min", "minimum"),
    }
)
ASSOCIATIVE: Final = frozenset(
    {
        "add",
        "plus",
        "sum",
        "multiply",
        "product",
        "gcd",
        "lcm",
        "union",
        "intersection",
        "intersect",
        "concat",
    }
)
#: (there, back): the second undoes the first.
PAIRS: Final = (
    ("encode", "decode"), ("encoded", "decoded"), ("dump", "load"), ("dumps", "loads"),
    ("pickle", "unpickle"),
    ("serialise", "deserialise"), ("serialize", "deserialize"), ("marshal", "unmarshal"),
    ("compress", "decompress"), ("deflate", "inflate"), ("zip", "unzip"), ("pack", "unpack"),
    ("encrypt", "decrypt"), ("cipher", "decipher"), ("escape", "unescape"), ("quote", "unquote"),
    ("format", "parse"), ("render", "parse"), ("stringify", "parse"), ("unparse", "parse"),
    ("print", "parse"), ("serialize", "parse"), ("serialise", "parse"), ("write", "read"),
    ("flatten", "unflatten"), ("flatten", "nest"), ("wrap", "unwrap"), ("split", "join"),
    ("tokenize", "detokenize"), ("tokenise", "detokenise"), ("hexlify", "unhexlify"),
    ("shift", "unshift"), ("rotate", "unrotate"), ("box", "unbox"), ("fold", "unfold"), ("freeze", "thaw"),
    ("to", "from"), ("as", "from"),
)  # fmt: skip
#: Words of the trustworthy one of two functions that should agree, and of the one that is held to it.
REFERENCE: Final = frozenset(
    {
        *("slow", "naive", "simple", "reference", "ref", "old", "legacy", "original", "orig", "plain"),
        *("brute", "recursive", "pure", "py", "python", "v1"),
    }
)
HELD: Final = frozenset(
    {
        *("fast", "faster", "quick", "optimised", "optimized", "new", "cached", "vectorised", "vectorized"),
        *("iterative", "bulk", "batch", "parallel", "native", "c", "numpy", "v2", "v3"),
    }
)
#: Bounds of a range, and what is brought into it, in the order of the call.
RANGE: Final = (
    frozenset({"lo", "low", "lower", "minimum", "min", "min_value", "start"}),
    frozenset({"hi", "high", "upper", "maximum", "max", "max_value", "end"}),
    frozenset({"x", "value", "number", "n", "v"}),
)
_WORD: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+\d*|[A-Z]+\d*|\d+")


def words_of(name: str) -> tuple[str, ...]:
    """
    Return the words of a name: `toJSONLine` and `to_json_line` have the same.
    """
    return tuple(word.lower() for word in _WORD.findall(name))


def backs_of(name: str) -> tuple[tuple[str, ...], ...]:
    """
    Return the words of names that would undo a function of this name.
    """
    words = words_of(name)
    found = [
        (*words[:at], back, *words[at + 1 :])
        for there, back in PAIRS
        for at, word in enumerate(words)
        if word == there and (there not in ("to", "as") or at == 0)
    ]
    if "to" in words[1:-1]:  # celsius_to_kelvin
        at = words.index("to", 1)
        found.append((*words[at + 1 :], "to", *words[:at]))
    return tuple(dict.fromkeys(found))


def is_of_pair(name: str) -> bool:
    """
    Return whether the name is one that has, or is, an inverse.
    """
    known = {word for pair in PAIRS for word in pair} - {"format"}
    return not known.isdisjoint(words_of(name))


def role(name: str) -> int:
    """
    Return how much a name asks to be held to another: more than 0, or less where it is the other.
    """
    words = {*words_of(name)}
    return len(words & HELD) - len(words & REFERENCE)


def core(name: str) -> tuple[str, ...]:
    """
    Return the words of a name without those that tell two ways of doing one thing apart.
    """
    return tuple(word for word in words_of(name) if word not in HELD | REFERENCE)
