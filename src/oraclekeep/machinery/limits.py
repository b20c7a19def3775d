"""
What one run is held to: a coverage floor, warnings as errors, a time limit, a number of examples.

A command line, its environment and the settings below it say so together; the nearest one counts.
"""

from __future__ import annotations

import ast
import itertools
import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.machinery import profiles
from oraclekeep.machinery.coverage import coverage_of
from oraclekeep.machinery.options import filters_lost, number_of
from oraclekeep.machinery.places import text_of
from oraclekeep.machinery.pysource import load_or_none
from oraclekeep.machinery.settings import settings_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from oraclekeep.machinery.options import Options
    from oraclekeep.machinery.pysource import PyFile
    from oraclekeep.machinery.runs import Run
    from oraclekeep.machinery.settings import Settings
    from oraclekeep.model import Snapshot

#: What compares a measurement with a floor, and the table of pyproject that may say it.
_FLOORED: Final = {"coverage": "", "diff-cover": "diff_cover", "diff-quality": "diff_quality"}
_MUCH: Final = 4
_TESTS: Final = re.compile(r"(\*\*?/|\./)*tests?([/_*]|$)|.*(conftest|setup)\.py$")


@dataclass(frozen=True, slots=True)
class Held:
    """
    What one run is held to; ``said`` names what its own line or environment says, in words.
    """

    measures: bool = False
    floor: float = 0.0
    branches: bool = False
    sources: tuple[str, ...] = ()
    leaves_out: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()  # the filters of the settings alone
    timeout: float = inf
    examples: int | None = None
    skips_missing: bool = False  # tox passes over a Python that is not there
    said: Mapping[str, str] | None = None

    def saying(self, kind: str) -> str:
        return (self.said or {}).get(kind, "")


@dataclass(frozen=True, slots=True)
class Looser:
    """
    One thing that the second run is held to less.
    """

    kind: str
    what: str
    before: str
    after: str


class Limits:
    """
    The limits of one tree's runs.
    """

    def __init__(self, tree: Snapshot) -> None:
        self._tree = tree
        self._settings = settings_of(tree)
        self._coverage = coverage_of(tree)

    def of(self, run: Run) -> Held:
        if run.check.tool in _FLOORED:
            return self._report(run)
        return self._tests(run) if run.check.group == "test" else Held()

    def has_floor(self, runs: Iterable[Run]) -> bool:
        """
        Tell whether the settings or some run say how much code must be covered.
        """
        return bool(
            self._coverage.floor() or self._settings.options.floor or any(self.of(run).floor for run in runs)
        )

    def _report(self, run: Run) -> Held:
        options, table = run.check.options, _FLOORED[run.check.tool]
        shown = options.last("--fail-under")
        below = self._table(table) if table else self._coverage.floor()
        return Held(
            measures=True,
            floor=number_of(shown) if options.has("--fail-under") else below,
            leaves_out=_patterns(options, "--omit") + (() if table else self._left_out),
            only=_patterns(options, "--include"),
            said={"floor": f"--fail-under={shown}" if shown else ""},
        )

    def _tests(self, run: Run) -> Held:
        line, told, below = run.check.options, run.check.told, self._settings.options
        env = dict(item.partition("=")[::2] for item in run.variables)
        shown = line.last("--cov-fail-under")
        measures = (line.has("--cov") or below.has("--cov")) and not line.has("--no-cov")
        floor = next((one.floor for one in (line, below) if one.has("--cov-fail-under")), None)
        own = (*env.get("PYTHONWARNINGS", "").split(","), *told.values("-W"), *line.values("-W"))
        settings = self._settings.filters if run.check.tool == "pytest" else ()
        branches = told.has("--branch") or line.has("--cov-branch")
        limit = line.last("--timeout") or env.get("PYTEST_TIMEOUT", "")
        profile = line.last("--hypothesis-profile")
        return Held(
            measures,
            (self._coverage.floor() if floor is None else floor) if measures else 0.0,
            branches or below.has("--cov-branch") or self._coverage.is_true("run:branch"),
            tuple(map(_dotted, line.values("--cov"))),
            _patterns(told, "--omit") + self._left_out,
            _patterns(told, "--include"),
            (*settings, *filter(None, map(str.strip, own))),
            settings,
            limit_of(limit or said_limit(self._settings)),
            self.examples(profile or below.last("--hypothesis-profile"), env),
            env.get("TOX_SKIP_MISSING_INTERPRETERS", "").lower() in {"true", "yes", "1"},
            {
                "floor": f"--cov-fail-under={shown}" if shown else "",
                "branch": "--branch" if branches else "",
                "timeout": f"a limit of {limit} seconds" if limit else "",
                "profile": profile
                or " ".join(sorted(f"{name}={env[name]}" for name in self._asked & env.keys())),
            },
        )

    @cached_property
    def _left_out(self) -> tuple[str, ...]:
        return self._coverage.items("run:omit") + self._coverage.items("report:omit")

    def _table(self, name: str) -> float:
        try:
            document: dict[str, Any] = tomllib.loads(text_of(self._tree, "pyproject.toml"))
        except tomllib.TOMLDecodeError:
            return 0.0
        return number_of(str(document.get("tool", {}).get(name, {}).get("fail_under", "")))

    # ---------------------------------------------------------------------------- hypothesis's profiles

    @cached_property
    def _conftests(self) -> tuple[PyFile, ...]:
        paths = (path for path in self._tree.under("") if path.rpartition("/")[2] == "conftest.py")
        modules = (load_or_none(self._tree, path) for path in paths)
        return tuple(module for module in modules if module is not None and b"_profile" in module.data)

    @cached_property
    def _asked(self) -> frozenset[str]:
        """
        The variables that a conftest's choice of a profile hangs on.
        """
        return frozenset(
            node.value
            for module in self._conftests
            for call in module.of(ast.Call, ast.Subscript)
            if "environ" in (text := ast.unparse(call)) or "getenv" in text
            for node in ast.walk(call)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and "PROFILE" in node.value.upper()
        )

    def examples(self, profile: str, env: Mapping[str, str]) -> int | None:
        """
        Return how many examples a run draws, under a profile or under what the conftests load.
        """
        known = {
            name: number
            for module in self._conftests
            for name, number in profiles.drawn_by(module.tree).items()
        }
        if profile:
            return profiles.examples((profile,), known)
        loads = [name for module in self._conftests for name in profiles.loaded(module.tree, env)]
        return profiles.examples(tuple(loads), known)


def _patterns(options: Options, name: str) -> tuple[str, ...]:
    return tuple(item.strip() for value in options.values(name) for item in value.split(",") if item.strip())


def _dotted(source: str) -> str:
    """
    `src/shop` and `shop` are measured alike.
    """
    return source.strip("./").removeprefix("src/").replace("/", ".").removesuffix(".src")


def said_limit(settings: Settings) -> str:
    """
    Return the seconds that the settings give a test.
    """
    return settings.options.last("--timeout") or settings.text("timeout")


def is_lifted(before: float, after: float) -> bool:
    """
    Tell whether a time limit is gone, or so much higher that it is another one.

    A limit guards against what hangs; one that a slower runner needs some more of still does.
    """
    return after > _MUCH * before


def limit_of(text: str) -> float:
    """
    A limit of 0 seconds is none.
    """
    return number_of(text) or inf


def looser(before: Held, after: Held, *, floored: bool) -> Iterator[Looser]:
    """
    Yield what the second run is held to less; what the settings alone say is another rule's.

    ``floored`` tells whether a coverage floor held anything in the first tree.
    """
    said = before.saying("floor") or after.saying("floor") or (before.measures and not after.measures)
    if after.floor < before.floor and said:
        now = after.saying("floor")
        what = f"no longer holds the coverage floor of {before.floor:g}"
        yield Looser("floor", what, before.saying("floor") or f"fail_under = {before.floor:g}", now)
    if floored:
        yield from _less_measured(before, after)
    apart = tuple(filters_lost(before.settings, after.settings))
    whole = (loss for loss in filters_lost(before.filters, after.filters) if loss not in apart)
    for loss in itertools.islice(whole, 1):
        yield Looser("warnings", f"hears less: {loss.what}", loss.before, loss.after)
    limited = before.saying("timeout") or after.saying("timeout")
    if limited and is_lifted(before.timeout, after.timeout):
        was, now = before.saying("timeout") or f"timeout = {before.timeout:g}", after.saying("timeout")
        yield Looser("timeout", f"may take longer than {before.timeout:g} seconds for a test now", was, now)
    old, new = before.examples, after.examples
    if (
        before.saying("profile") != after.saying("profile")
        and old is not None
        and new is not None
        and new < old
    ):
        was, now = (one.saying("profile") for one in (before, after))
        yield Looser("profile", f"has hypothesis draw {new} examples now, not {old}", was, now)
    if after.skips_missing and not before.skips_missing:
        yield Looser("interpreters", "passes where a Python is missing", "", "--skip-missing-interpreters")


def _less_measured(before: Held, after: Held) -> Iterator[Looser]:
    if before.saying("branch") and not after.branches:
        yield Looser(
            "branch", "no longer counts branches for the coverage floor", before.saying("branch"), ""
        )
    for item in after.leaves_out:
        if item not in before.leaves_out and not _TESTS.match(item):
            yield Looser("omit", "leaves more code out of the coverage floor", "", f"--omit={item}")
            break
    if after.only and not before.only:
        now = f"--include={','.join(after.only)}"
        yield Looser("include", "measures only a part of the code for the coverage floor", "", now)
    inner = [new for new in after.sources if any(old and new.startswith(old + ".") for old in before.sources)]
    if inner and not set(before.sources) & set(after.sources):
        was, now = (f"--cov={','.join(names)}" for names in (before.sources, tuple(inner)))
        yield Looser("source", "measures less code for the coverage floor", was, now)
