"""
Pytest's command line as a value, and what one such line runs less than another.
"""

from __future__ import annotations

import ast
import itertools
import math
import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_SHORT_VALUES: Final = "kmpWocrn"
_LONG_VALUES: Final = frozenset({
    "--deselect", "--ignore", "--ignore-glob", "--maxfail", "--tb", "--durations", "--durations-min",
    "--color", "--code-highlight", "--capture", "--show-capture", "--rootdir", "--confcutdir",
    "--basetemp", "--import-mode", "--override-ini", "--doctest-glob", "--doctest-report", "--junitxml",
    "--junit-xml", "--junit-prefix", "--log-level", "--log-format", "--log-date-format",
    "--log-cli-level", "--log-file", "--log-file-level", "--log-file-mode", "--log-auto-indent",
    "--assert", "--lfnf", "--last-failed-no-failures", "--pythonwarnings", "--cov", "--cov-fail-under",
    "--cov-report", "--cov-config", "--cov-context", "--dist", "--tx", "--numprocesses",
    "--maxprocesses", "--max-worker-restart", "--timeout", "--timeout-method", "--reruns",
    "--reruns-delay", "--only-rerun", "--rerun-except", "--retries", "--retry-delay",
    "--hypothesis-profile", "--hypothesis-seed", "--hypothesis-verbosity", "--randomly-seed",
    "--random-order-bucket", "--random-order-seed", "--splits", "--group", "--shard-id", "--num-shards",
    "--count", "--html", "--css", "--asyncio-mode", "--ds", "--dc", "--config-file", "--pastebin",
    "--pdbcls", "--verbosity", "--cache-clear-dir", "--pyargs-dir", "--benchmark-json",
    "--benchmark-group-by", "--session-timeout", "--splitting-algorithm", "--durations-path",
    "--fail-under", "--omit", "--include", "--source"
})  # fmt: skip
_ALIASES: Final = {
    "-k": "-k", "-m": "-m", "-p": "-p", "-W": "-W", "--pythonwarnings": "-W", "-o": "-o",
    "--override-ini": "-o",
    "-c": "-c", "--config-file": "-c", "--co": "--collect-only", "--collectonly": "--collect-only",
    "--lf": "--last-failed",
    "--sw": "--stepwise", "--sw-skip": "--stepwise-skip", "-h": "--help", "-V": "--version", "-n": "-n",
    "--numprocesses": "-n",
    "--strict": "--strict-markers", "--junit-xml": "--junitxml", "--cov": "--cov",
}  # fmt: skip
#: Options that lose something by being there.
_LESS: Final = {
    "--collect-only": "tests are only listed, none runs",
    "--setup-only": "only fixtures run",
    "--setup-plan": "nothing runs",
    "--fixtures": "nothing runs",
    "--fixtures-per-test": "nothing runs",
    "--markers": "nothing runs",
    "--cache-show": "nothing runs",
    "--help": "nothing runs",
    "--version": "nothing runs",
    "--last-failed": "only tests that failed last time run",
    "--stepwise": "tests before the last failure no longer run",
    "--testmon": "only tests that the plugin picks run",
    "--picked": "only tests that the plugin picks run",
    "--noconftest": "no conftest is read",
    "--assert=plain": "asserts are no longer rewritten",
    "--continue-on-collection-errors": "a file that cannot be collected no longer stops the run",
    "--suppress-no-test-exit-code": "a run without tests passes",
    "--suppress-tests-failed-exit-code": "a failed run passes",
    "--snapshot-update": "snapshots are rewritten instead of compared",
    "--update-snapshots": "snapshots are rewritten instead of compared",
    "--force-regen": "expected files are rewritten instead of compared",
    "--regen-all": "expected files are rewritten instead of compared",
    "--benchmark-only": "only benchmarks run",
    "--benchmark-skip": "benchmarks no longer run",
    "--force-flaky": "a failed test is tried again until it passes",
    "--no-cov": "coverage is no longer measured",
}
_LESS_PATTERN: Final = re.compile(r"--(skip|exclude|without|only|fast|quick|smoke|ignore)([-_]\w+)*$")
#: Options that lose something by going.
_MORE: Final = {
    "--strict-markers": "an unknown marker is no longer an error",
    "--strict-config": "an unknown setting is no longer an error",
    "--doctest-modules": "docstring examples of modules are no longer collected",
    "--runxfail": "a test marked xfail may fail again",
    "--error-for-skips": "a skip is no longer an error",
    "--fail-on-flaky": "a flaky test no longer fails",
    "--mpl": "figures are no longer compared",
}
_MORE_PATTERN: Final = re.compile(
    r"--((run|with|enable|include)[-_]?\w+([-_]\w+)*|slow|integration|e2e|full|all|mypy|nbval|doctest-\w+)$"
)
#: Plugins whose absence changes no result.
_HARMLESS_OFF: Final = frozenset({
    "cacheprovider", "pastebin", "nose", "logging", "capture", "stepwise", "faulthandler", "randomly",
    "random_order", "random-order", "xdist", "xdist.looponfail", "sugar", "pytest_sugar", "html",
    "pytest_html", "metadata", "debugging", "legacypath", "setuponly", "setupplan", "helpconfig",
    "rerunfailures", "flaky", "pytest_randomly", "instafail", "progress", "pretty", "allure_pytest",
    "allure", "emoji"
})  # fmt: skip
_WARNINGS_OFF: Final = frozenset({"warnings", "unraisableexception", "threadexception"})
_SNAPSHOT_MODES: Final = re.compile(r"\b(create|fix|update)\b")


@dataclass(frozen=True, slots=True)
class Loss:
    """
    One way in which the second of two settings runs less; ``coverage`` tells a coverage floor apart.
    """

    what: str
    before: str
    after: str
    coverage: bool = False


@dataclass(frozen=True, slots=True)
class Options:
    """
    Words of a pytest command line: options with their values, and paths.
    """

    flags: tuple[tuple[str, str], ...] = ()
    paths: tuple[str, ...] = ()

    @classmethod
    def of(cls, words: Sequence[str]) -> Options:
        """
        Read words as pytest's parser would; what follows an option of an unknown plugin counts as its value.
        """
        flags: list[tuple[str, str]] = []
        paths: list[str] = []
        queue = list(words)
        while queue:
            word = queue.pop(0)
            if word == "--":
                paths += queue
                break
            if word.startswith("--"):
                flags.append(_long(word, queue))
            elif word.startswith("-") and len(word) > 1:
                flags += _short(word, queue)
            else:
                paths.append(word.removeprefix("./").rstrip("/"))
        return cls(tuple(flags), tuple(path for path in paths if path))

    @classmethod
    def split(cls, text: str) -> Options:
        try:
            return cls.of(shlex.split(text))
        except ValueError:  # an open quote: pytest would refuse it, the words still count
            return cls.of(text.split())

    def values(self, name: str) -> tuple[str, ...]:
        return tuple(value for flag, value in self.flags if flag == name)

    def has(self, name: str) -> bool:
        return any(flag == name for flag, _ in self.flags)

    def last(self, name: str) -> str:
        found = self.values(name)
        return found[-1] if found else ""

    @property
    def floor(self) -> float:
        """
        Return the coverage floor that the line itself sets.
        """
        return self.number("--cov-fail-under")

    def number(self, name: str) -> float:
        return number_of(self.last(name))

    @property
    def overrides(self) -> dict[str, str]:
        """
        Return ini values that `-o name=value` sets.
        """
        return {name.strip(): value for name, _, value in (item.partition("=") for item in self.values("-o"))}


def _long(word: str, queue: list[str]) -> tuple[str, str]:
    name, has_value, value = word.partition("=")
    name = _ALIASES.get(name, name)
    if not has_value and queue and not queue[0].startswith("-"):
        looks_like_path = "/" in queue[0] or "::" in queue[0] or queue[0].endswith(".py")
        plain = (
            name in _LESS
            or name in _MORE
            or name in {"--pyargs", "--exitfirst", "--failed-first", "--new-first"}
        )
        if name in _LONG_VALUES or not (plain or looks_like_path or _known_plain(name)):
            value = queue.pop(0)
    return name, value


def _known_plain(name: str) -> bool:
    return bool(_LESS_PATTERN.match(name) or _MORE_PATTERN.match(name)) or name in {
        "--verbose", "--quiet", "--showlocals", "--no-header", "--no-summary", "--disable-warnings",
        "--ff", "--nf",
        "--full-trace", "--pdb", "--trace", "--strict", "--no-cov-on-fail", "--cov-branch", "--cov-append",
        "--cache-clear",
    }  # fmt: skip


def _short(word: str, queue: list[str]) -> Iterator[tuple[str, str]]:
    rest = word[1:]
    while rest:
        letter, rest = rest[0], rest[1:]
        name = _ALIASES.get(f"-{letter}", f"-{letter}")
        if letter in _SHORT_VALUES:
            value = rest.removeprefix("=") if rest else (queue.pop(0) if queue else "")
            yield name, value
            return
        yield name, ""


def losses(before: Options, after: Options, *, warnings_are_errors: bool = False) -> Iterator[Loss]:
    """
    Yield what the second command line runs or reports less; paths and ignored files are the caller's.
    """
    yield from _selection(before, after)
    for name, value in after.flags:
        shown = f"{name}={value}" if value else name
        key = f"{name}={value}" if f"{name}={value}" in _LESS else name
        had = before.has(name) and (key == name or value in before.values(name))
        if (
            key in _LESS or (_LESS_PATTERN.match(name) and name not in {"--ignore", "--ignore-glob"})
        ) and not had:
            yield Loss(_LESS.get(key, "the option runs fewer tests"), "", shown, coverage=name == "--no-cov")
        if name == "--inline-snapshot" and _SNAPSHOT_MODES.search(value) and value not in before.values(name):
            yield Loss("snapshots are rewritten instead of compared", "", shown)
        if name in {"--reruns", "--retries"} and number_of(value) > number_of(before.last(name)):
            yield Loss("a failed test is tried again until it passes", before.last(name), shown)
        if name == "-p" and value.startswith("no:") and value not in before.values("-p"):
            plugin = value.removeprefix("no:")
            if plugin not in _HARMLESS_OFF and (plugin not in _WARNINGS_OFF or warnings_are_errors):
                yield Loss(f"plugin {plugin} is switched off", "", shown)
    yield from _gone(before, after)


def _selection(before: Options, after: Options) -> Iterator[Loss]:
    for name, what in (("-k", "fewer tests match -k"), ("-m", "fewer tests match -m")):
        old, new = before.last(name).strip(), after.last(name).strip()
        if new and not implies(old or "True", new):
            yield Loss(what, f"{name} {old!r}" if old else "", f"{name} {new!r}")
    for path in after.paths:
        if path.startswith("@") and path not in before.paths:
            yield Loss("options are read from a file that the gate does not follow", "", path)
    for value in after.values("--deselect"):
        if value not in before.values("--deselect"):
            yield Loss("a test is deselected", "", f"--deselect {value}")


def _gone(before: Options, after: Options) -> Iterator[Loss]:
    for name, value in before.flags:
        if (name in _MORE or _MORE_PATTERN.match(name)) and name != "--doctest-glob" and not after.has(name):
            yield Loss(_MORE.get(name, "the option that runs more tests is gone"), name, "")
        if name == "--doctest-glob" and value not in after.values(name):
            yield Loss("text files with examples are no longer collected", f"{name} {value}", "")


def number_of(text: str) -> float:
    """
    Return a number; 0 for any other text, so also for `nan`, which no measurement is below.
    """
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if math.isfinite(value) else 0.0


def implies(narrow: str, wide: str) -> bool:
    """
    Tell whether the second `-k` or `-m` expression selects every test that the first one does.

    Decided by trying all truth values of the names; what cannot be read is equal only to itself.
    """
    if narrow == wide:
        return True
    trees = [_expression(text) for text in (narrow, wide)]
    if any(tree is None for tree in trees):
        return False
    names = sorted(
        {node.id for tree in trees if tree for node in ast.walk(tree) if isinstance(node, ast.Name)}
    )
    if len(names) > 10:
        return False
    for values in itertools.product((False, True), repeat=len(names)):
        facts = dict(zip(names, values, strict=True))
        first, second = (_holds(tree, facts) for tree in trees if tree)
        if first and not second:
            return False
    return True


def selects(expression: str, knows: Callable[[str], bool]) -> bool:
    """
    Tell whether a `-k` or `-m` expression selects a test, given which of its words hold for it.

    What cannot be read selects everything.
    """
    tree = _expression(expression)
    if tree is None:
        return True
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return _holds(tree, {name: knows(bytes.fromhex(name[1:]).decode()) for name in names})


_TERM: Final = re.compile(r"[^\s()]+")


def _expression(text: str) -> ast.expr | None:
    seen: dict[str, str] = {}

    def name(found: re.Match[str]) -> str:
        word = found[0]
        if word in {"and", "or", "not", "True", "False"}:
            return word
        return seen.setdefault(word, "n" + word.encode().hex())

    try:
        return ast.parse(_TERM.sub(name, text.strip()), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None


def _holds(node: ast.expr, facts: dict[str, bool]) -> bool:
    match node:
        case ast.BoolOp(op=ast.And(), values=values):
            return all(_holds(value, facts) for value in values)
        case ast.BoolOp(values=values):
            return any(_holds(value, facts) for value in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _holds(operand, facts)
        case ast.Name(id=name):
            return facts[name]
        case ast.Constant(value=bool(value)):
            return value
        case _:
            return False


def is_error(entry: str) -> bool:
    """
    Tell whether a warning filter turns warnings into errors.
    """
    return entry.strip().split(":", 1)[0].strip() == "error"


def is_quieter(entry: str) -> bool:
    return entry.strip().split(":", 1)[0].strip() in {"ignore", "default", "once", "always", "module", "all"}


def filters_lost(before: Iterable[str], after: Iterable[str]) -> Iterator[Loss]:
    """
    Yield warning filters whose loss or arrival lets more warnings pass; only where warnings were errors.
    """
    old, new = ([entry.strip() for entry in side if entry.strip()] for side in (before, after))
    for entry in old:
        if is_error(entry) and entry not in new and "error" not in new:
            yield Loss("a warning is no longer an error", entry, "")
    if any(map(is_error, old)):
        for entry in new:
            if is_quieter(entry) and entry not in old:
                yield Loss("a warning that was an error is let through", "", entry)
