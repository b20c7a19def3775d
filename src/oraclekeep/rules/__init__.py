"""
Rules read a patch and yield findings.  They never print, weigh or decide.
"""

from __future__ import annotations

import importlib
import pkgutil
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Collection, Iterator

    from oraclekeep.model import Beside, Delta, Finding, PatchKind, Policy, Snapshot
    from oraclekeep.paths import Layout
    from oraclekeep.rules.study import Study


@dataclass(frozen=True, kw_only=True)
class Patch:
    """
    What a rule may look at.

    ``base`` is the merge base (what the patch started from), ``tip`` is base's tip (where it would land and
    where policy comes from); they are the same tree where base has not moved on.  ``policy`` is the tip's.
    """

    base: Snapshot
    head: Snapshot
    tip: Snapshot
    deltas: tuple[Delta, ...]
    policy: Policy
    layout: Layout
    kind: PatchKind
    today: dt.date
    intend_all: bool = False
    unproven: tuple[tuple[str, str], ...] = ()  # (commit, or "" for what is not committed; why no proof)
    beside: Beside = nullcontext  # where a part of the reading may go on

    @cached_property
    def study(self) -> Study:
        """
        Both sides' tests, read and matched once for all rules.
        """
        from oraclekeep.rules.study import study  # noqa: PLC0415  # a study is made from a patch

        return study(self)


@dataclass(frozen=True, slots=True)
class Rule:
    """
    One reader of patches and the rows of the decision table that it may report under.
    """

    name: str
    rows: tuple[str, ...]
    check: Callable[[Patch], Iterator[Finding]]


RULES: Final[dict[str, Rule]] = {}
#: The modules whose rules look at `Patch.study`.
STUDYING: Final = frozenset({"suite", "examples", "properties"})


def rule(
    *rows: str,
) -> Callable[[Callable[[Patch], Iterator[Finding]]], Callable[[Patch], Iterator[Finding]]]:
    """
    Register a rule under its function's name; a name can be taken once.
    """

    def register(check: Callable[[Patch], Iterator[Finding]]) -> Callable[[Patch], Iterator[Finding]]:
        if check.__name__ in RULES:
            raise ValueError(f"{check.__name__} is registered twice")
        RULES[check.__name__] = Rule(check.__name__, rows, check)
        return check

    return register


def load() -> dict[str, Rule]:
    """
    Import every module of this package, so that each rule has registered itself; return them by name.
    """
    return {one.name: one for one in sorted((*studying(), *unstudied()), key=lambda one: one.name)}


def studying() -> list[Rule]:
    """
    Return the rules that look at `Patch.study`.
    """
    return _rules_of(STUDYING)


def unstudied() -> list[Rule]:
    """
    Return the rules that need no study of the suite, and so may look at a patch while it is made.
    """
    return _rules_of({found.name for found in pkgutil.iter_modules(__path__)} - STUDYING)


def _rules_of(modules: Collection[str]) -> list[Rule]:
    names = {importlib.import_module(f"{__name__}.{module}").__name__ for module in sorted(modules)}
    return [one for name, one in sorted(RULES.items()) if one.check.__module__ in names]
