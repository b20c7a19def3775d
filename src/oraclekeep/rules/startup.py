"""
`collection-tampered` at start-up: files that Python runs by itself, and dependencies that hide results.
"""

from __future__ import annotations

import ast
import re
import tomllib
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.machinery.options import Options, losses
from oraclekeep.machinery.places import line_of, text_of
from oraclekeep.machinery.pysource import load_or_none
from oraclekeep.machinery.runs import is_ci_yaml, is_machinery
from oraclekeep.model import Finding
from oraclekeep.patterns import SESSIONS
from oraclekeep.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.model import Snapshot
    from oraclekeep.rules import Patch

_ADVICE: Final = "Take it out, or ask the owner for an allowance in oracle/intent.json."
#: As a module, a package, bytecode or a library.
_AT_START: Final = re.compile(r"(^|/)((?:site|user)customize)(/__init__)?\.([\w-]+\.)?(py|pyc|so|pyd)$")
#: Plugins whose only use is to make a failure count for less.
_HIDING: Final = frozenset(
    {"pytest-ignore-flaky", "flaky", "pytest-quarantine", "pytest-skip-failures", "pytest-custom-exit-code"}
)
_REQUIREMENTS: Final = re.compile(
    r"(^|/)requirements[^/]*\.(txt|in)$|(^|/)requirements/[^/]+\.(txt|in)$|(^|/)(Pipfile|environment\.ya?ml)$"
)
_DEPENDENCY_FILES: Final = ("pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "noxfile.py", SESSIONS)
_ENVIRONMENT: Final = re.compile(
    r"""\b(PYTEST_ADDOPTS|PYTHONOPTIMIZE|TOX_SKIP_ENV)["']?\]?\s*(?:[:=]|,)\s*(?:["'](?P<quoted>.*?)["'](?=\s*[,}\])\n]|$)|(?P<plain>[^\n#]*))"""
)
_ENVIRONMENT_FILES: Final = re.compile(
    r"(^|/)(\.env[^/]*|[^/]*Dockerfile[^/]*|docker-compose[^/]*\.ya?ml|compose\.ya?ml|\.envrc)$"
)


@rule("collection-tampered")
def startup_files(patch: Patch) -> Iterator[Finding]:
    """
    Report code that every Python of the run would execute, and new dependencies that hide results.
    """
    for delta in patch.deltas:
        name = delta.path.rpartition("/")[2]
        if delta.deleted:
            continue
        at_start = _AT_START.search(delta.path)
        if at_start and _code(patch.head, delta.path) - _code(patch.base, delta.path):
            yield _finding(
                delta.path, 1, f"Python runs {at_start[2]} before pytest, so it can change every result.", ""
            )
        elif name.endswith(".pth"):
            old = set(text_of(patch.base, delta.path).splitlines())
            for number, line in enumerate(text_of(patch.head, delta.path).splitlines(), 1):
                if line.startswith(("import ", "import\t")) and line not in old and "coverage" not in line:
                    yield _finding(
                        delta.path, number, f"Python runs this line of {name} before pytest.", line
                    )
        elif delta.path in _DEPENDENCY_FILES or _REQUIREMENTS.search(delta.path):
            for found in sorted(
                _dependencies(patch.head, delta.path) - _dependencies(patch.base, delta.path)
            ):
                line_number = line_of(patch.head, delta.path, found)
                yield _finding(
                    delta.path,
                    line_number,
                    f"The new dependency {found} makes failures count for less.",
                    found,
                )


def _finding(path: str, line: int, what: str, now: str, row: str = "collection-tampered") -> Finding:
    return Finding(path, line, row, message=what, advice=_ADVICE, after=now or None)


def _code(tree: Snapshot, path: str) -> set[str]:
    """
    Return a file's statements, without docstrings and the lines that start coverage in child processes.
    """
    module = load_or_none(tree, path)
    if module is None:
        return {text_of(tree, path)} - {""}
    statements = (
        node
        for node in module.tree.body
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    )
    return {text for node in statements if "coverage" not in (text := ast.unparse(node))}


def _dependencies(tree: Snapshot, path: str) -> set[str]:
    text = text_of(tree, path).lower()
    if path == "pyproject.toml":
        try:
            document: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            return set()
        words = set(_strings(document))
    else:
        words = set(re.split(r"[\s\"',\[\]()]+", re.sub(r"#.*", "", text)))
    return {
        name
        for word in words
        if (name := re.split(r"[\s<>=!~;\[@]", word.strip(), maxsplit=1)[0].replace("_", "-")) in _HIDING
    }


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from map(str, value)
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


@rule("collection-tampered", "machinery-weakened")
def environment(patch: Patch) -> Iterator[Finding]:
    """
    Report variables, set anywhere in configuration or machinery, that make pytest run or check less.
    """
    paths = [delta.path for delta in patch.deltas if _sets_environment(delta.path)]
    known = {item for path in paths for item, _ in _variables(patch.base, path)}
    for path in paths:
        for (name, value), line in _variables(patch.head, path):
            if (name, value) not in known and (why := _harm(name, value)):
                row = (
                    "machinery-weakened"
                    if is_machinery(path) and path != "tox.ini"
                    else "collection-tampered"
                )
                yield _finding(path, line, f"{name} is set for the run: {why}.", f"{name}={value}", row)


def _sets_environment(path: str) -> bool:
    config = path.rpartition("/")[2] in {
        "pyproject.toml",
        "setup.cfg",
        "tox.ini",
        "pytest.ini",
        ".pytest.ini",
        "pytest.toml",
    }
    return config or is_machinery(path) or is_ci_yaml(path) or bool(_ENVIRONMENT_FILES.search(path))


def _variables(tree: Snapshot, path: str) -> Iterator[tuple[tuple[str, str], int]]:
    for number, line in enumerate(text_of(tree, path).split("\n"), 1):
        if line.lstrip().startswith(("#", ";", "//")):
            continue
        for found in _ENVIRONMENT.finditer(line):
            value = found["quoted"] if found["quoted"] is not None else found["plain"] or ""
            yield (found[1], value.strip().strip("\"'").strip()), number


def _harm(name: str, value: str) -> str:
    if name == "PYTHONOPTIMIZE":
        return "Python takes asserts out" if value not in {"", "0", "''", '""'} else ""
    if name == "TOX_SKIP_ENV":
        return "tox leaves environments out" if value else ""
    options = Options.split(value)
    loss = next(losses(Options(), options), None)
    if loss is not None:
        return loss.what
    return (
        "pytest ignores files"
        if options.has("--ignore") or options.has("--ignore-glob") or options.paths
        else ""
    )
