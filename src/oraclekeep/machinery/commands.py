"""
What one command checks: wrappers taken off, noise left out, so that two spellings of one check compare equal.
"""

from __future__ import annotations

import itertools
import posixpath
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.options import Options, losses

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PYTHON: Final = re.compile(r"(python|pypy)[\d.]*(\.exe)?|py")
_PLAIN_WRAPPERS: Final = frozenset(
    {
        "time",
        "nice",
        "sudo",
        "nohup",
        "command",
        "xvfb-run",
        "catchsegv",
        "stdbuf",
        "ionice",
        "xargs",
        "npx",
        "uvx",
        "pipx",
    }
)
_RUNNERS: Final = frozenset(
    {"uv", "poetry", "pipenv", "pdm", "rye", "hatch", "conda", "mamba", "micromamba", "pixi", "pipx"}
)
_RUNNER_VALUES: Final = frozenset({
    "--with", "--group", "--extra", "--python", "-p", "--project", "--directory", "--with-requirements",
    "-n", "--name", "--package", "--only-group", "--env-file", "--index", "--from", "-e",
    "--environment", "-m", "--manifest-path"
})  # fmt: skip
#: Programs that run another one somewhere else; the command stands at the end of their arguments.
_CARRIERS: Final = frozenset(
    {"docker", "docker-compose", "podman", "kubectl", "ssh", "singularity", "apptainer", "nix", "parallel"}
)
_SCRIPT_SHELLS: Final = frozenset({"bash", "sh", "dash", "zsh", "ash", "source", "."})
_LINT: Final = frozenset({
    "ruff", "flake8", "pylint", "black", "isort", "bandit", "pre-commit", "prek", "codespell",
    "pydocstyle", "pycodestyle", "pyflakes", "yamllint", "actionlint", "shellcheck", "zizmor",
    "vulture", "typos", "reuse", "eslint", "prettier", "refurb", "autoflake", "interrogate",
    "docformatter", "pyupgrade"
})  # fmt: skip
_TYPES: Final = frozenset({
    "mypy", "pyright", "basedpyright", "pyre", "pytype", "ty", "pyrefly", "tsc", "dmypy"
})  # fmt: skip
_OTHER_TESTS: Final = {
    "cargo": {"test", "nextest"}, "go": {"test"}, "npm": {"test", "t"}, "yarn": {"test"}, "pnpm": {"test"},
    "mvn": {"test", "verify"},
    "gradle": {"test", "check"}, "./gradlew": {"test", "check"}, "dotnet": {"test"}, "bundle": {"exec"},
    "hatch": {"test"},
    "ctest": set(), "doctest": set(), "behave": set(), "robot": set(), "sybil": set(), "nose2": set(),
    "trial": set(),
    "unittest": set(), "stestr": set(), "mutmut": set(), "cosmic-ray": set(),
}  # fmt: skip
_CHECK_WORD: Final = re.compile(
    r"(^|[/_.-])(tests?|checks?|gate|lint|verify|ci|validate|locks?|audit|suite|invariants?|oracle)([/_.-]|$)"
)
#: Settings that decide what is collected and what counts as a failure.
_SETTINGS: Final = frozenset({
    "addopts", "python_files", "python_classes", "python_functions", "testpaths", "norecursedirs",
    "xfail_strict", "strict", "filterwarnings"
})  # fmt: skip
#: Tools whose floor is a number on their own line.
FLOORED: Final = frozenset({"diff-cover", "diff-quality"})
_COVERAGE_VALUES: Final = frozenset(
    {"--source", "--omit", "--include", "--rcfile", "--data-file", "--context", "--concurrency"}
)
_NOX_VALUES: Final = frozenset({
    "-s", "-e", "--session", "--sessions", "-k", "--keywords", "-t", "--tags", "-f", "--noxfile", "-p",
    "--python", "--pythons", "-db", "--default-venv-backend", "--envdir", "--report", "-j", "--jobs"
})  # fmt: skip


_SKIPS_MISSING: Final = re.compile(r"(?:--skip-missing-interpreters|-s)(?:=(\w+))?")
_TRUE: Final = frozenset({"true", "yes", "1"})
_FALSE: Final = frozenset({"false", "no", "0", "config"})


@dataclass(frozen=True, slots=True)
class Check:
    """
    One command as a check.

    ``group`` is `test`, `gate`, `types`, `lint` or empty for a command that checks nothing; ``targets`` are
    what a runner is asked to run; ``flaws`` are masks that the command carries in itself; ``told`` and
    ``env`` are what its wrappers are told: `python -W error -m`, `coverage run --branch`, `env A=1`.
    """

    tool: str
    key: tuple[str, ...]
    group: str = ""
    targets: tuple[str, ...] = ()
    options: Options = field(default_factory=Options)
    floor: float = 0.0
    flaws: tuple[str, ...] = ()
    told: Options = field(default_factory=Options)
    env: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        return " ".join(self.key)


def check_of(words: Sequence[str]) -> Check:
    """
    Read one command.
    """
    outer = _Outer()
    rest = _unwrap(list(words), outer)
    if not rest:
        return Check("", ())
    check = _plain_check(rest, tuple(outer.flaws))
    return replace(check, told=Options.of(outer.told), env=(*outer.env, *check.env))


def _plain_check(rest: list[str], flaws: tuple[str, ...]) -> Check:
    program = (
        posixpath.basename(rest[0])
        if "/" in rest[0] and not rest[0].endswith((".sh", ".py", ".bash"))
        else rest[0]
    )
    program = "nox" if program in {"noxw", "noxw.cmd"} else program  # the wrapper that installs it
    args = rest[1:]
    if program in {"pytest", "py.test"}:
        return _pytest(args, flaws)
    if program in _CARRIERS:
        inside = (check_of(args[place:]) for place in range(len(args)) if not args[place].startswith("-"))
        return next(
            (check for check in inside if check.group and check.tool != "script"), Check("", tuple(rest))
        )
    if program in {"nox", "tox", "make", "gmake", "just", "invoke", "inv", "task", "poe", "thx"}:
        return _runner(program, args, flaws)
    if program in _LINT or program in _TYPES:
        group = "types" if program in _TYPES else "lint"
        more = tuple(_lint_flaws(program, args))
        return Check(program, (program, *_steady(args)), group, flaws=(*flaws, *more))
    if program == "coverage" or program in FLOORED:
        return _floored(program, args, flaws)
    if program == "oraclekeep":
        names = [word for word in args if re.fullmatch(r"[a-z][a-z-]*", word)]
        return Check(program, (program, *names[:1]), "gate", flaws=(*flaws, *_same_tree(args)))
    if program in _OTHER_TESTS and (not _OTHER_TESTS[program] or _OTHER_TESTS[program] & set(args)):
        return Check(program, (program, *_steady(args)), "test", flaws=flaws)
    if (
        program in {"npm", "yarn", "pnpm"}
        and len(args) > 1
        and args[0] == "run"
        and _CHECK_WORD.search(args[1])
    ):
        return Check(program, (program, "run", args[1]), "test", flaws=flaws)
    if (program == "git" and "--exit-code" in args) or (
        program in {"sha256sum", "shasum"} and {"-c", "--check"} & set(args)
    ):
        return Check(program, (program, *_steady(args)), "gate", flaws=flaws)
    if program in {"[", "[[", "test"} and any("needs." in word for word in args):
        return Check(program, (program, *args), "gate")
    return _script(program, args, flaws)


@dataclass
class _Outer:
    """
    What the wrappers around a command say.
    """

    flaws: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    env: list[str] = field(default_factory=list)


def _unwrap(words: list[str], outer: _Outer) -> list[str]:
    for _ in range(12):
        if not words:
            break
        program = posixpath.basename(words[0])
        if program in {"env", "timeout", "retry"}:
            words = _past_options(words[1:], {"-u", "-k", "-s", "--signal", "--kill-after", "-n"})
            outer.env += words[: len(words) - len(_past_assignments(words))]
            words = _past_assignments(words) if program == "env" else words[1:]
        elif program in _RUNNERS and {"run", "exec"} & set(words[1:3]):
            start = next(place for place, word in enumerate(words) if word in {"run", "exec"})
            words = _past_options(words[start + 1 :], _RUNNER_VALUES)
            if program == "hatch" and words and ":" in words[0]:
                words = [words[0].rpartition(":")[2], *words[1:]]
        elif program in _PLAIN_WRAPPERS:
            words = _past_options(words[1:], _RUNNER_VALUES)
        elif program == "coverage" and words[1:2] == ["run"]:
            words = _coverage_run(words[2:], outer.told)
        elif _PYTHON.fullmatch(program) or (words[0].startswith("$") and words[1:2] == ["-m"]):
            inner = _python(words[1:], outer)
            if inner is None:
                break
            words = inner
        else:
            break
    return words


def _past_options(words: list[str], with_values: frozenset[str] | set[str]) -> list[str]:
    while words and words[0].startswith("-"):
        if words[0] == "--":
            return words[1:]
        if words[0] == "-m" and "-m" in with_values:  # `uv run -m pytest`
            return ["python", *words]
        words = words[2:] if words[0] in with_values else words[1:]
    return words


def _past_assignments(words: list[str]) -> list[str]:
    while words and re.match(r"[A-Za-z_]\w*=", words[0]):
        words = words[1:]
    return words


def _coverage_run(words: list[str], told: list[str]) -> list[str]:
    while words and words[0].startswith("-") and words[0] not in {"-m", "--module"}:
        count = 2 if words[0] in _COVERAGE_VALUES else 1
        told.append("=".join(words[:count]))
        words = words[count:]
    return ["python", *words]


def _python(words: list[str], outer: _Outer) -> list[str] | None:
    while words and words[0].startswith("-"):
        option = words[0]
        if re.fullmatch(r"-[a-zA-Z]*O+[a-zA-Z]*", option):
            outer.flaws.append("`python -O` takes asserts out")
        if option == "-m":
            return words[1:]
        if option == "-c":
            return ["python-c", *words[1:2]]
        count = 2 if option in {"-X", "-W"} else 1
        outer.told += words[:count] if option.startswith("-W") else []
        words = words[count:]
    return words or None


def _steady(args: Sequence[str]) -> Iterator[str]:
    """
    Yield the arguments that say what is checked; output and colour do not.
    """
    for word in args:
        if not re.match(
            r"(-q+|-v+|--quiet|--verbose|--color.*|--colour.*|--no-color|--output.*|--show-.*|-r\w*)$", word
        ):
            yield word


def _pytest(args: Sequence[str], flaws: tuple[str, ...]) -> Check:
    options = Options.of(args)
    return Check(
        "pytest", ("pytest", *_steady(args)), "test", options=options, floor=options.floor, flaws=flaws
    )


def _runner(program: str, args: list[str], flaws: tuple[str, ...]) -> Check:
    tool = {"inv": "invoke", "gmake": "make"}.get(program, program)
    targets: list[str] = []
    queue = list(args)
    listing = False
    more: list[str] = []
    env: tuple[str, ...] = ()
    while queue:
        word = queue.pop(0)
        if word == "--":
            break
        listing |= word in {
            "-l",
            "--list",
            "--list-sessions",
            "--install-only",
            "--notest",
            "--help",
            "-n",
            "--dry-run",
            "--summary",
        }
        if tool == "nox" and word in _NOX_VALUES:
            while queue and not queue[0].startswith("-"):
                value = queue.pop(0)
                targets += (
                    [value]
                    if word in {"-s", "-e", "--session", "--sessions", "-t", "--tags", "-k", "--keywords"}
                    else []
                )
                if word not in {"-s", "-e", "--session", "--sessions", "-t", "--tags"}:
                    break
        elif tool == "tox" and (found := _SKIPS_MISSING.fullmatch(word)):
            value = found[1] or (queue.pop(0) if queue and queue[0] in _TRUE | _FALSE else "true")
            env = (f"TOX_SKIP_MISSING_INTERPRETERS={value}",)
        elif tool == "tox" and word in {"-e", "--env", "-m", "-c", "--conf", "-f"}:
            value = queue.pop(0) if queue else ""
            targets += value.split(",") if word in {"-e", "--env"} else []
        elif tool == "make" and word in {"-C", "-f", "--file", "-j"} and queue and word != "-j":
            queue.pop(0)
        elif tool == "make" and re.fullmatch(r"-\w*i\w*|--ignore-errors|--keep-going|-\w*k\w*", word):
            more += ["`make -i` ignores failures"] if "i" in word and "keep" not in word else []
        elif word.startswith(("-s=", "-e=", "--session=", "--sessions=")):
            targets.append(word.partition("=")[2])
        elif not word.startswith("-") and "=" not in word:
            targets += [] if tool == "tox" and word in {"run", "r", "p", "run-parallel"} else [word]
    group = "" if listing else _runner_group(tool, targets)
    return Check(tool, (tool, *sorted(targets)), group, tuple(targets), flaws=(*flaws, *more), env=env)


def _runner_group(tool: str, targets: list[str]) -> str:
    if tool in {"nox", "tox"} and not targets:
        return "test"
    words = [
        target
        for target in targets
        if _CHECK_WORD.search(target)
        or target in {"suite", "properties", "witness", "inventory", "characterization"}
    ]
    if words:
        return "gate"
    return "test" if tool == "tox" and any(re.match(r"py\d", target) for target in targets) else ""


def _lint_flaws(program: str, args: Sequence[str]) -> Iterator[str]:
    if {"--exit-zero", "--exit-zero-even-if-changed"} & set(args) or (
        program == "pylint" and "--fail-under=0" in args
    ):
        yield "`--exit-zero` ignores failures"


def _floored(program: str, args: list[str], flaws: tuple[str, ...]) -> Check:
    """
    What compares a measurement with a floor.
    """
    if program == "coverage" and args[:1] != ["report"]:
        return Check("coverage", ("coverage", *args[:1]))
    options = Options.of([word for word in args if not re.fullmatch("-[mi]+", word)])
    key = (program, "report") if program == "coverage" else (program,)
    return Check(program, key, "test", options=options, floor=options.number("--fail-under"), flaws=flaws)


def _same_tree(args: Sequence[str]) -> Iterator[str]:
    """
    A gate that compares a commit with itself sees no patch.
    """
    named = dict(itertools.pairwise(args))
    base, head = named.get("--base", ""), named.get("--head", "HEAD")
    if base and base == head:
        yield f"it compares {base} with itself"


def _script(program: str, args: list[str], flaws: tuple[str, ...]) -> Check:
    path, rest = program, list(args)
    if program in _SCRIPT_SHELLS:
        while rest and rest[0].startswith("-"):
            rest = rest[1:]
        if not rest:
            return Check("", (program,))
        path, rest = rest[0], rest[1:]
    elif not program.endswith((".py", ".sh", ".bash")) and "/" not in program:
        return Check("", (program, *args))
    path = posixpath.normpath(path.removeprefix("$PWD/").removeprefix("${{github.workspace}}/"))
    names = [word for word in rest if re.fullmatch(r"[a-z][a-z0-9_-]*", word)] if path.endswith(".py") else []
    group = (
        "gate"
        if _CHECK_WORD.search(path) or path in {"tasks.py", "noxfile.py"} or ".gate/kit" in path
        else ""
    )
    same = [f"it compares {rest[0]} with itself"] if group and len(rest) >= 2 and rest[0] == rest[1] else []
    return Check("script", (path, *names), group, (path,), flaws=(*flaws, *same))


def narrower(before: Check, after: Check) -> str:
    """
    Say how a pytest call runs less than another did, paths aside; empty where it does not.
    """
    for loss in losses(before.options, after.options):
        return f"{loss.what}: {loss.after or f'`{loss.before}` is gone'}"
    for name in ("--ignore", "--ignore-glob", "-c", "--rootdir"):
        for value in after.options.values(name):
            if value not in before.options.values(name):
                return f"`{name} {value}` was added"
    for name, value in after.options.overrides.items():
        if name in _SETTINGS and before.options.overrides.get(name) != value:
            return f"`-o {name}={value}` was added"
    return ""
