"""
Signs in production code that it asks whether it is under test.
"""

from __future__ import annotations

import ast
import bisect
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.machinery.pysource import PyFile

_RUNNER: Final = re.compile(
    r"^_?(pytest|py\.test|unittest|hypothesis|nose2?|nox|tox|conftest|coverage)\b|_pytest|pytest_|PYTEST"
)
_ARGV: Final = re.compile(r"py\.?test|\bnox\b|^nox|unittest|\btox\b|^tox$")
_STACK_WORD: Final = re.compile(r"(^|[^a-z])_?tests?([^a-z]|$)|pytest|unittest|conftest")
_VARIABLE: Final = re.compile(
    r"^(TEST|TESTS|TESTING|TEST_MODE|TEST_ENV|UNIT_?TEST(S|ING)?|(IS_|IN_|UNDER_|RUNNING_)+TEST(S|ING)?|"
    r"\w+_(UNDER_TEST|TESTING|TEST_MODE)|(PYTEST|NOX|TOX|HYPOTHESIS|COV_CORE)_\w*|NOXSESSION|PYTEST|COVERAGE_RUN|"
    r"COVERAGE_PROCESS_START)$"
)
_STACK: Final = frozenset({
    "inspect.stack", "inspect.currentframe", "sys._getframe", "inspect.getouterframes",
    "traceback.extract_stack", "traceback.format_stack", "sys._current_frames", "traceback.walk_stack"
})  # fmt: skip
_TEST_FILE: Final = re.compile(
    r"^tests$|^tests?/|^[^:]*/tests?/|(^|/)(test_\w+|\w+_test|conftest)\.py$|^(oracle|invariants)/"
)
_READS: Final = frozenset({
    "open", "read_text", "read_bytes", "exists", "is_file", "is_dir", "isfile", "isdir", "glob", "rglob",
    "iterdir", "getsource", "run_path", "spec_from_file_location", "listdir"
})  # fmt: skip
_EXACT: Final = frozenset({"pytest", "_pytest", "unittest", "py.test"})
_TEST_MODULES: Final = frozenset({"pytest", "_pytest", "unittest", "nose"})
_FOR_TESTERS: Final = re.compile(
    r"(^|/|_)(testing|tests?|pytest|unittest|test_?utils?|fixtures?|plugin|mocks?|conftest)(_|/|\.py$)"
)
_ENVIRONMENT_READS: Final = frozenset(
    {"os.getenv", "os.environ.get", "os.environ.pop", "os.environ.setdefault"}
)
#: A file without these words asks nothing; most files have none.
_ASKING_WORD: Final = re.compile(
    rb"\btests?[/\"']|test_\w+\.py|_test\.py|conftest|__main__|cmdline|"
    rb"__module__|Mock\b|\bsys\b|environ|getenv|PYTEST|_called_from_test|find_spec|import_module|__import__|inspect|traceback"
)
_TRIES_MODULE: Final = frozenset({"importlib.util.find_spec", "importlib.import_module", "__import__"})
#: Names, wherever they come from, that a question starts with.
_HOT: Final = frozenset(
    {
        "modules",
        "argv",
        "environ",
        "getenv",
        "find_spec",
        "import_module",
        "_called_from_test",
        "cmdline",
        "__main__",
        "__module__",
        "__name__",
        "__qualname__",
    }
)
#: What says of an object whether a test library made it.
_ORIGINS: Final = frozenset({"__module__", "__name__", "__qualname__"})
_MOCKED: Final = re.compile(r"^((unittest|mock)\b|(Magic|Async|NonCallable|NonCallableMagic|Property)?Mock$)")


@dataclass(frozen=True, slots=True)
class Sign:
    """
    One place that can tell a test run from a real one; ``key`` is what stays when the code moves.
    """

    key: str
    line: int
    what: str


def signs(module: PyFile, package: str) -> Iterator[Sign]:
    """
    Yield the places where a module asks whether it is under test; ``package`` is the product's own name.
    """
    if _ASKING_WORD.search(module.data):
        yield from _asks(module, package)
        yield from _stack_walks(module)
    yield from _imports(module)


def _asks(module: PyFile, package: str) -> Iterator[Sign]:
    """
    Statements that bring a test runner's name together with modules, arguments or the environment.
    """
    found: list[Sign] = []
    apart: list[Sign] = []
    for node in _hot_statements(module):
        parts = list(_own_parts(node))
        texts = [text for part in parts for text in module.texts(part)]
        texts += [text for held in _held(parts, module) for text in module.texts(held)]
        sources = {source for part in parts for source in _sources(part, module)}
        what = _question(sources, texts) or _variable(parts, module, package)
        what = what or _test_files(parts, texts)
        if not what and (any("PYTEST_CURRENT_TEST" in text for text in texts) or _reads_flag(parts)):
            what = "Production code asks whether pytest runs it"
        if what:
            found.append(Sign(_text(node), node.lineno, what))
        elif sources & {"sys.modules", "sys.argv"}:
            what = f"Production code reads {min(sources)} and knows a test runner's name"
            apart.append(Sign(_text(node), node.lineno, what))
    yield from found
    if apart and not found:
        parts = [part for node in module.statements for part in _own_parts(node)]
        if _EXACT & {text for part in parts for text in module.texts(part)}:
            yield from apart


def _held(parts: list[ast.AST], module: PyFile) -> Iterator[ast.expr]:
    """
    Yield what the module's constants hold that a statement names: a path may be put together elsewhere.
    """
    for part in parts:
        for node in ast.walk(part):
            if isinstance(node, ast.Name) and isinstance(module.constants.get(node.id), ast.BinOp):
                yield module.constants[node.id]


def _hot_statements(module: PyFile) -> Iterator[ast.stmt]:
    """
    Yield the statements that mention what can tell a test run apart, under whatever name.
    """
    names = {name for name, dotted in module.names.items() if dotted.rpartition(".")[2] in _HOT}
    telling = list(module.of(ast.Attribute, ast.Name, ast.Constant))
    hot = sorted(node.lineno for node in telling if _is_hot(node, names))
    holders = {name for name, value in module.constants.items() if _on_lines(value, hot)}
    hot = sorted(hot + [node.lineno for node in telling if isinstance(node, ast.Name) and node.id in holders])
    for node in module.statements if hot else ():
        for part in _own_parts(node):
            if _on_lines(part if hasattr(part, "lineno") else node, hot):
                yield node
                break


def _on_lines(node: ast.AST, lines: list[int]) -> bool:
    first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
    return bisect.bisect_left(lines, first) < bisect.bisect_right(lines, max(first, last))


def _is_hot(node: ast.AST, names: set[str]) -> bool:
    match node:
        case ast.Attribute(attr=attr):
            return attr in _HOT
        case ast.Name(id=name):
            return name in names or name in {"__import__", "getattr"}
        case ast.Constant(value=str(text)):
            return "PYTEST" in text or text == "_called_from_test" or bool(_TEST_FILE.search(text))
        case _:
            return False


def _test_files(parts: list[ast.AST], texts: list[str]) -> str:
    """
    Say which file of the suite a statement reads; one that writes files makes a project, it asks nothing.
    """
    named = next((text for text in texts if _TEST_FILE.search(text)), "")
    called = {
        ast.unparse(node.func).rpartition(".")[2]
        for part in parts
        for node in ast.walk(part)
        if named and isinstance(node, ast.Call)
    }
    asked = {"exists", "is_dir", "isdir"} if named == "tests" else _READS
    reads = called & asked and not any("write" in name or name == "mkdir" for name in called)
    return f"Production code looks at {named}, a file of the test suite" if reads else ""


def _question(sources: set[str], texts: list[str]) -> str:
    if "sys.modules" in sources and any(_RUNNER.search(text) for text in texts):
        return "Production code asks whether a test runner is loaded"
    if "sys.argv" in sources and any(_ARGV.search(text) for text in texts):
        return "Production code asks whether a test runner was started"
    if "__module__" in sources and any(_MOCKED.search(text) for text in texts):
        return "Production code asks whether it was handed a mock"
    if "find_spec" in sources and any(_RUNNER.search(text) for text in texts):
        return "Production code looks for a test runner"
    return ""


def _sources(part: ast.AST, module: PyFile) -> Iterator[str]:
    """
    Yield what an expression looks at: loaded modules, the program's name, a module by name.
    """
    if (
        isinstance(part, ast.Subscript)
        and _named(part.value, module) == "sys.argv"
        and not _is_first(part.slice, module)
    ):
        return  # the user's own arguments
    if isinstance(part, ast.Call) and module.dotted(part.func) in _TRIES_MODULE:
        yield "find_spec"
    if isinstance(part, ast.Attribute) and part.attr in _ORIGINS:
        yield "__module__"
    name = _named(part, module)
    if name.split(".")[0] == "__main__" or (isinstance(part, ast.Attribute) and part.attr == "cmdline"):
        yield "sys.argv"
    if name in {"sys.modules", "sys.argv"}:
        yield name
        return
    for child in ast.iter_child_nodes(part):
        yield from _sources(child, module)


def _is_first(index: ast.expr, module: PyFile) -> bool:
    return module.fold(index) == 0 or (isinstance(index, ast.Slice) and module.fold(index.lower) in (0, None))


def _named(node: ast.AST, module: PyFile) -> str:
    """
    Return the dotted name of an expression; a name that holds `sys.modules` or a part of it counts as that.
    """
    dotted = module.dotted(node)
    if (
        isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Load)
        and (value := module.constants.get(node.id)) is not None
    ):
        inner = (
            value.func
            if isinstance(value, ast.Call)
            else value.value
            if isinstance(value, ast.Subscript)
            else value
        )
        held = module.dotted(inner)
        if held.startswith(("sys.modules", "sys.argv", "os.environ")):
            return held.removesuffix(".keys").removesuffix(".copy")
        if isinstance(value, ast.Call) and value.args:
            return module.dotted(value.args[0])
    return dotted.removesuffix(".keys").removesuffix(".copy")


def _variable(parts: list[ast.AST], module: PyFile, package: str) -> str:
    """
    Say which variable of a test run a statement reads; setting one for a child process is no question.
    """
    for part in parts:
        for node in ast.walk(part):
            for text in _read_names(node, part, module):
                own = bool(package) and text.lower().startswith(package.lower())  # nox may read NOX_SESSION
                if not own and (_VARIABLE.match(text) or re.search("pytest", text, re.IGNORECASE)):
                    return f"Production code reads {text} from the environment, which tells a test run apart"
    return ""


def _read_names(node: ast.AST, whole: ast.AST, module: PyFile) -> Iterator[str]:
    match node:
        case ast.Subscript(value=value, slice=index, ctx=ast.Load()) if _named(value, module) == "os.environ":
            yield module.text(index)
        case ast.Call(func=func, args=[first, *_]) if module.dotted(func) in _ENVIRONMENT_READS or _is_read(
            func, module
        ):
            yield module.text(first)
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[right]) if (
            _named(_bare(right), module) == "os.environ"
        ):
            yield from [module.text(left)] if module.text(left) else module.texts(whole)
        case ast.comprehension(iter=iterable) if _named(_bare(iterable), module) == "os.environ":
            yield from (text for text in module.texts(whole) if text.isupper())


def _bare(node: ast.expr) -> ast.expr:
    """
    `os.environ.keys()` and `.items()` are read like `os.environ`.
    """
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"keys", "items"}
    ):
        return node.func.value
    return node


def _is_read(func: ast.expr, module: PyFile) -> bool:
    return (
        isinstance(func, ast.Attribute)
        and func.attr in {"get", "pop", "__contains__", "__getitem__"}
        and _named(func.value, module) == "os.environ"
    )


def _reads_flag(parts: list[ast.AST]) -> bool:
    """
    `sys._called_from_test`, the flag that pytest's documentation suggests.
    """
    for part in parts:
        for inner in ast.walk(part):
            named = isinstance(inner, ast.Attribute) and inner.attr == "_called_from_test"
            if named or (isinstance(inner, ast.Constant) and inner.value == "_called_from_test"):
                return True
    return False


def _own_parts(node: ast.stmt) -> Iterator[ast.AST]:
    """
    Yield a statement's expressions without the statements inside it and without bare strings.
    """
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr | ast.arguments | ast.keyword | ast.withitem):
            yield child
        elif isinstance(child, ast.match_case):
            yield from (part for part in (child.pattern, child.guard) if part is not None)


def _text(node: ast.stmt) -> str:
    if isinstance(node, ast.If | ast.While):
        return f"{'if' if isinstance(node, ast.If) else 'while'} {ast.unparse(node.test)}"
    return ast.unparse(node).split("\n", 1)[0]


def _imports(module: PyFile) -> Iterator[Sign]:
    if _FOR_TESTERS.search(module.path) or "pytest_plugin" in module.path:
        return
    found: list[tuple[str, ast.stmt]] = []
    found += [(alias.name, node) for node in module.of(ast.Import) for alias in node.names]
    found += [(node.module or "", node) for node in module.of(ast.ImportFrom) if not node.level]
    for name, node in found:
        top = name.split(".")[0]
        if top in _TEST_MODULES and not _for_types(node, module):
            yield Sign(f"import {top}", node.lineno, f"Production code now imports {name}")


def _for_types(node: ast.stmt, module: PyFile) -> bool:
    return any(
        "TYPE_CHECKING" in ast.unparse(block.test)
        and any(inner is node for part in block.body for inner in ast.walk(part))
        for block in module.of(ast.If)
    )


def _stack_walks(module: PyFile) -> Iterator[Sign]:
    walkers = [node for node in module.of(ast.Call) if module.dotted(node.func) in _STACK]
    if not walkers:
        return
    functions = module.functions
    for call in walkers:
        around = [
            node for node in functions if node.lineno <= call.lineno <= (node.end_lineno or node.lineno)
        ]
        places: list[ast.AST] = list(around) or [module.tree]
        texts = {text for place in places for text in module.texts(place)}
        names = {name for place in around for name in [place.name]}
        callers = [node for node in functions if any(_calls(node, name) for name in names)]
        texts |= {text for place in callers for text in module.texts(place)}
        word = next((text for text in sorted(texts) if _STACK_WORD.search(text) and len(text) < 40), "")
        if word:
            yield Sign(
                f"{ast.unparse(call)} with {word!r}",
                call.lineno,
                f"Production code walks the stack and looks for {word!r}",
            )


def _calls(node: ast.AST, name: str) -> bool:
    return any(
        isinstance(inner, ast.Call) and ast.unparse(inner.func).rpartition(".")[2] == name
        for inner in ast.walk(node)
    )
