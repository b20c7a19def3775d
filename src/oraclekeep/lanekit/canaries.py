"""
Tests that must fail, planted beside the tree's own under the names of those.

A canary module stands in the folder of a test module, under a name like its neighbours', imports what that
one imports, and borrows the names of its tests.  Whoever turns every red into green turns a canary green.
"""

from __future__ import annotations

import ast
import configparser
import fnmatch
import os
import random
import re
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_WORDS = (
    "basics", "cases", "common", "corners", "defaults", "details", "edges", "errors", "extra", "inputs",
    "limits", "misc", "more", "options", "regressions", "shapes", "values", "variants",
)  # fmt: skip
_SKIPPED_FOLDERS = {"node_modules", "build", "dist", "site-packages"}
_HOW_MANY = 2  # modules


@dataclass(frozen=True)
class Rules:
    """
    How pytest would collect: from the file that is handed to it.
    """

    files: tuple[str, ...] = ("test_*.py", "*_test.py")
    functions: tuple[str, ...] = ("test",)
    paths: tuple[str, ...] = ()
    marks: frozenset[str] = frozenset()  # named by a `-m` among the options
    unentered: tuple[str, ...] = ("*.egg", ".*", "_darcs", "build", "CVS", "dist", "node_modules", "venv")
    ignored: tuple[str, ...] = ()  # named by an `--ignore` among the options


@dataclass(frozen=True)
class Canary:
    """
    One planted module.
    """

    path: str  # relative to the tree, POSIX
    nodeids: tuple[str, ...]


def read_rules(config: Path) -> Rules:
    """
    Read pytest's own settings; a file that can't be read gives pytest's defaults.
    """
    try:
        options = _options(config)
    except (OSError, ValueError, configparser.Error):
        return Rules()
    default = Rules()
    addopts = options.get("addopts", "")
    line = addopts if isinstance(addopts, str) else " ".join(str(word) for word in addopts)
    chosen = re.findall(r"-m[ =]*(\"[^\"]*\"|'[^']*'|\S+)", line)
    return Rules(
        files=_words(options.get("python_files")) or default.files,
        functions=_words(options.get("python_functions")) or default.functions,
        paths=_words(options.get("testpaths")),
        marks=frozenset(re.findall(r"[A-Za-z_]\w*", " ".join(chosen))) - {"not", "and", "or"},
        unentered=_words(options.get("norecursedirs")) or default.unentered,
        ignored=tuple(word.strip("\"'") for word in re.findall(r"--ignore(?:-glob)?[ =]+(\S+)", line)),
    )


def _options(config: Path) -> dict[str, Any]:
    text = config.read_text(encoding="utf-8-sig")
    if config.name in ("pytest.toml", ".pytest.toml"):
        return dict(tomllib.loads(text).get("pytest", {}))
    if config.suffix == ".toml":
        table = tomllib.loads(text).get("tool", {}).get("pytest", {})
        return dict(table.get("ini_options", table))
    parser = configparser.RawConfigParser(strict=False)
    parser.read_string(text)
    section = "tool:pytest" if config.suffix == ".cfg" else "pytest"
    return dict(parser.items(section)) if parser.has_section(section) else {}


def _words(value: object) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(str(word) for word in value)
    return tuple(value.split()) if isinstance(value, str) else ()


# ------------------------------------------------------------------------------------------------- planting


def plant(tree: Path, args: Sequence[str], rules: Rules, nonce: str) -> tuple[Canary, ...]:
    """
    Write the canary modules; the same nonce and tree give the same ones.
    """
    tests = dict(_test_files(tree, args, rules))
    stand_in = _stand_in(tree, args, rules)
    for left in _leftovers({**stand_in, **tests}, rules, nonce):
        (tree / left).unlink()
        del tests[left]
    # Where pytest may not look a canary might be missing without anybody's meddling.
    tests = {path: data for path, data in tests.items() if not is_left_out(tree, path, rules)} or tests
    tests = tests or stand_in
    chosen: list[tuple[str, str, tuple[str, ...]]] = []
    folders: set[str] = set()
    order = sorted(tests)
    random.Random(nonce).shuffle(order)  # noqa: S311  # repeatable is what is wanted
    for other_folders_only in (True, False):
        for path in order:
            folder = path.rpartition("/")[0]
            if (
                len(chosen) == _HOW_MANY
                or any(path == one[0] for one in chosen)
                or (other_folders_only and folder in folders)
            ):
                continue
            name = canary_name(path, rules, nonce)
            made = _render(path, tests[path], rules, nonce) if name and not (tree / name).exists() else None
            if made is not None:
                chosen.append((path, made[0], made[1]))
                folders.add(folder)
    return tuple(
        _write(tree, canary_name(path, rules, nonce), source, tests_in) for path, source, tests_in in chosen
    )


def seen_from(package: str | None, canaries: Sequence[Canary]) -> tuple[Canary, ...]:
    """
    Return the canaries of one package under their names from the tree's root.
    """
    before = f"{package}/" if package not in (None, "", ".") else ""
    return tuple(
        Canary(before + one.path, tuple(before + nodeid for nodeid in one.nodeids)) for one in canaries
    )


def uproot(tree: Path, canaries: Sequence[Canary]) -> None:
    """
    Take the planted modules out again.
    """
    for canary in canaries:
        (tree / canary.path).unlink(missing_ok=True)


def sweep(tree: Path) -> None:
    """
    Remove compiled files that came with the tree: Python would run them in place of their sources.
    """
    for folder, folders, _ in os.walk(tree):
        if "__pycache__" in folders:
            folders.remove("__pycache__")
            shutil.rmtree(Path(folder) / "__pycache__")
        folders[:] = [name for name in folders if name != ".git"]


def _write(tree: Path, path: str, source: str, tests: tuple[str, ...]) -> Canary:
    (tree / path).write_text(source, encoding="utf-8", newline="\n")
    return Canary(path, tuple(f"{path}::{test}" for test in tests))


def _leftovers(tests: Mapping[str, bytes], rules: Rules, nonce: str) -> list[str]:
    """
    Return the canaries that a killed run of this nonce left behind.
    """
    planted = {canary_name(path, rules, nonce): path for path in tests}
    found = []
    for name, donor in planted.items():
        made = _render(donor, tests[donor], rules, nonce) if name in tests else None
        if made is not None and tests[name] == made[0].encode():
            found.append(name)
    return found


def _test_files(tree: Path, args: Sequence[str], rules: Rules) -> Iterator[tuple[str, bytes]]:
    """
    Yield the test modules that the lane collects, as far as names and places tell.
    """
    wanted = _wanted(args, rules)
    for folder, folders, names in os.walk(tree):
        here = Path(folder)
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith((".", "__pycache__"))
            and name not in _SKIPPED_FOLDERS
            and not (here / name / "pyvenv.cfg").exists()
        )
        for name in names:
            path = (here / name).relative_to(tree).as_posix()
            named = any(fnmatch.fnmatchcase(name, pattern.rpartition("/")[2]) for pattern in rules.files)
            if name.endswith(".py") and (
                path in wanted or (named and any(_below(path, root) for root in wanted))
            ):
                yield path, (here / name).read_bytes()


def is_left_out(tree: Path, path: str, rules: Rules) -> bool:
    """
    Tell whether settings, options or a conftest may keep pytest from collecting a module.
    """
    parts = path.split("/")
    folders = ["/".join(parts[:depth]) for depth in range(1, len(parts))]
    for folder in folders:
        for pattern in rules.unentered:
            name = f"/{folder}" if "/" in pattern else folder.rpartition("/")[2]
            if fnmatch.fnmatchcase(name, f"*/{pattern}" if "/" in pattern else pattern):
                return True
    if any(_ignores(pattern, path) for pattern in rules.ignored):
        return True
    return any(
        _ignores(pattern, path.removeprefix(f"{folder}/" if folder else ""))
        for folder in ("", *folders)
        for pattern in _collect_ignore(tree / folder / "conftest.py")
    )


def _ignores(pattern: str, path: str) -> bool:
    plain = pattern.removeprefix("./").rstrip("/")
    return path == plain or path.startswith(f"{plain}/") or fnmatch.fnmatchcase(path, plain)


def _collect_ignore(conftest: Path) -> tuple[str, ...]:
    """
    Return the texts in what a conftest does with `collect_ignore`, under whatever condition it stands.
    """
    try:
        module = ast.parse(conftest.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    statements = (
        node for node in ast.walk(module) if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr))
    )
    return tuple(
        inner.value
        for node in statements
        if any(isinstance(one, ast.Name) and one.id.startswith("collect_ignore") for one in ast.walk(node))
        for inner in ast.walk(node)
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
    )


def _wanted(args: Sequence[str], rules: Rules) -> list[str]:
    named = [arg.partition("::")[0].rstrip("/") for arg in args if not arg.startswith("-")]
    return named or list(rules.paths) or ["."]


def _stand_in(tree: Path, args: Sequence[str], rules: Rules) -> dict[str, bytes]:
    """
    Return an empty module to plant beside where there is none: a suite may be docstrings alone.
    """
    home = next((Path(place) for place in _wanted(args, rules) if (tree / place).is_dir()), None)
    return {} if home is None else {(home / "test.py").as_posix(): b""}


def _below(path: str, folder: str) -> bool:
    return (
        folder in ("", ".")
        or path == folder
        or path.startswith(folder + "/")
        or fnmatch.fnmatchcase(path, folder + "/*")
    )


def canary_name(path: str, rules: Rules, nonce: str) -> str:
    """
    Return the path of a module's canary, or nothing where no ordinary name would be collected.
    """
    folder, slash, name = path.rpartition("/")
    stem = name.removesuffix(".py")
    word = random.Random(os.fsencode(nonce + path)).choice(_WORDS)  # noqa: S311
    other = f"{stem.removesuffix('_test')}_{word}_test.py" if stem.endswith("_test") else f"{stem}_{word}.py"
    return (
        folder + slash + other if any(fnmatch.fnmatchcase(other, pattern) for pattern in rules.files) else ""
    )


# ------------------------------------------------------------------------------------------------- writing


def _render(path: str, data: bytes, rules: Rules, nonce: str) -> tuple[str, tuple[str, ...]] | None:
    """
    Return a canary's source and its tests, or None where the module has nothing to borrow from.
    """
    try:
        module = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    # A module may hold nothing but classes that inherit their tests.
    borrowed = [*dict.fromkeys(_test_names(module)), "test_values", "check_values", "values_test"]
    names = [name for name in borrowed if _matches(name, rules.functions)]
    if not names:
        return None
    dice = random.Random(os.fsencode(nonce + path + "body"))  # noqa: S311
    numbers = [dice.randint(2, 99) for _ in range(3)]
    total = sum(numbers) + dice.randint(1, 9)
    first = names[0]
    second = next((name for name in (*names[1:], f"{first}_again") if _matches(name, rules.functions)), "")
    third = (
        f"{first}_any" if _imports_hypothesis(module) and _matches(f"{first}_any", rules.functions) else ""
    )
    unit = first if first.startswith("test") else "test_values"
    case = "".join(word.title() for word in first.split("_")) + "Case"
    bodies = {
        first: f"def {first}():\n    values = {numbers}\n    assert sum(values) == {total}\n",
        second: f"def {second}():\n    if max({numbers}) != {total}:\n        pytest.fail('values differ')\n",
        third: (
            f"@hypothesis.given(strategies.integers())\n"
            f"def {third}(value):\n    assert value + {total} == value\n"
        ),
        f"{case}::{unit}": (
            f"class {case}(unittest.TestCase):\n"
            f"    def {unit}(self):\n        self.assertEqual(max({numbers}), {total})\n"
        ),
    }
    bodies.pop("", None)
    marks = "".join(f"@pytest.mark.{mark}\n" for mark in sorted(rules.marks & _marks(module)))
    head = "".join(_imports(module, hypothesis=bool(third)))
    return "\n\n".join([head, *(marks + body for body in bodies.values())]), tuple(bodies)


def _test_names(module: ast.Module) -> Iterator[str]:
    for node in module.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name
        elif isinstance(node, ast.ClassDef):
            yield from (
                child.name
                for child in node.body
                if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))
            )


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(
        fnmatch.fnmatchcase(name, pattern) if "*" in pattern else name.startswith(pattern)
        for pattern in patterns
    )


def _imports_hypothesis(module: ast.Module) -> bool:
    return any(
        re.match(r"(from|import) hypothesis\b", ast.unparse(node))
        for node in module.body
        if isinstance(node, (ast.Import, ast.ImportFrom))
    )


def _marks(module: ast.Module) -> set[str]:
    return set(re.findall(r"\bmark\.([A-Za-z_]\w*)", ast.unparse(module)))


def _imports(module: ast.Module, *, hypothesis: bool) -> Iterator[str]:
    """
    Yield the module's imports.  Each may fail, as the module's own would; the canary is collected anyhow.
    """
    yield "import unittest\n\nimport pytest\n"
    if hypothesis:
        yield "import hypothesis\nfrom hypothesis import strategies\n"
    for node in module.body:
        if not isinstance(node, (ast.Import, ast.ImportFrom)) or (
            isinstance(node, ast.ImportFrom) and node.module == "__future__"
        ):
            continue
        # What is named like a test would be collected a second time.
        names = [
            name
            for name in node.names
            if name.name != "*" and not re.match("[Tt]est", name.asname or name.name)
        ]
        node.names = [
            name
            for name in names
            if (name.asname or name.name) not in ("pytest", "unittest", "hypothesis", "strategies")
        ]
        if node.names:
            yield f"try:\n    {ast.unparse(node)}\nexcept BaseException:\n    pass\n"
