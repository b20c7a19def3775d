"""
`collection-tampered` in test code: exits that end the run, and patches of pytest's own names.
"""

from __future__ import annotations

import ast
import bisect
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.pysource import Def, load_or_none
from oraclekeep.model import Finding
from oraclekeep.oracles.parsing import last_name
from oraclekeep.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.machinery.pysource import PyFile
    from oraclekeep.model import Snapshot
    from oraclekeep.rules import Patch

_ADVICE: Final = "Take it out; a test tells its result by returning or raising."
_EXITS: Final = frozenset(
    {
        "sys.exit",
        "os._exit",
        "exit",
        "quit",
        "os.abort",
        "pytest.exit",
        "os.kill",
        "os.killpg",
        "os.execv",
        "os.execve",
        "os.execl",
        "os.execlp",
        "os.execvp",
    }
)
_LEAVERS: Final = _EXITS | {"atexit.register"}
_LAST_NAMES: Final = frozenset(name.rpartition(".")[2] for name in _LEAVERS)
_HARD: Final = frozenset({"os._exit", "os.abort", "pytest.exit"})
_CATCHES: Final = frozenset({"SystemExit", "BaseException"})
_PARTS: Final = frozenset({
    "fail", "raises", "skip", "xfail", "approx", "warns", "exit", "TestReport", "CollectReport", "Item",
    "Function", "Module", "Class", "Session", "Collector", "main", "fixture", "mark", "param",
    "importorskip", "Config", "hookimpl", "register_assert_rewrite", "deprecated_call", "ExitCode",
    "runner", "reports", "outcomes", "assertion", "python", "unittest"
})  # fmt: skip
#: Builtins on which checks stand.
_DECIDING: Final = frozenset(
    {
        "AssertionError",
        "Exception",
        "BaseException",
        "all",
        "any",
        "len",
        "isinstance",
        "issubclass",
        "sorted",
    }
    | {"set", "sum", "min", "max", "abs", "type", "repr", "str", "zip", "map", "filter", "enumerate"}
)
_SWITCHES: Final = frozenset({"PYTHONOPTIMIZE", "PYTEST_ADDOPTS", "PYTEST_PLUGINS"})
_BODIES: Final = frozenset({"obj", "runtest"})
_RUNNING: Final = frozenset({"item.obj", "node.obj", "request.node.obj", "pyfuncitem.obj", "item.runtest"})
#: A file without these words has nothing to find; most files have none.
_LEAVING_WORD: Final = re.compile(rb"\b(_?exit|\w*Exit|atexit|quit|abort|kill(pg)?|exec[lv]\w*)\b")
_SWITCHING_WORD: Final = re.compile(rb"environ|\.\s*(obj|runtest)\b")
_PATCHING_WORD: Final = re.compile(
    rb"_pytest|unittest|builtins|import pytest as|from pytest|pytest[.\w]*\s*=|setattr|patch|delattr"
)
_UNITTEST_PARTS: Final = frozenset(
    {
        "run",
        "__call__",
        "addFailure",
        "addError",
        "addSubTest",
        "wasSuccessful",
        "testPartExecutor",
        "_callTestMethod",
    }
)
_SETTERS: Final = frozenset({"setattr", "delattr", "object", "patch"})
_SET_UP: Final = frozenset({
    "setUp", "tearDown", "setUpClass", "tearDownClass", "setUpModule", "tearDownModule", "setup_module",
    "teardown_module", "setup_function", "teardown_function", "setup_method", "teardown_method",
    "setup_class", "teardown_class", "asyncSetUp", "asyncTearDown"
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Trick:
    """
    One call or assignment that can end the run or bend pytest.
    """

    text: str
    line: int
    what: str


@rule("collection-tampered")
def exit_calls(patch: Patch) -> Iterator[Finding]:
    """
    Report exits and patches of pytest that are new in test files and their support.
    """
    paths = [delta.path for delta in patch.deltas if patch.layout.is_suite(delta.path)]
    found = [(path, trick) for path in paths for trick in _tricks(patch, patch.head, path)]
    if not found:
        return
    known = Counter(trick.text for path in paths for trick in _tricks(patch, patch.base, path))
    for path, trick in found:
        if known[trick.text] > 0:
            known[trick.text] -= 1  # it stood in the suite before, here or in a file it moved from
        else:
            yield Finding(
                path=path,
                line=trick.line,
                row="collection-tampered",
                message=f"{trick.what}: `{trick.text}`.",
                advice=_ADVICE,
                after=trick.text,
            )


def _tricks(patch: Patch, tree: Snapshot, path: str) -> list[_Trick]:
    module = load_or_none(tree, path)
    if module is None:
        return []
    exits = _exits(module, patch) if _LEAVING_WORD.search(module.data) else ()
    patches = (
        _patches(module, is_product=_is_pytest_itself(patch)) if _PATCHING_WORD.search(module.data) else ()
    )
    if _SWITCHING_WORD.search(module.data):
        patches = (*patches, *_switched(module))
    removed = _removals(module) if b"globals" in module.data or b"sys.modules" in module.data else ()
    found = [*exits, *patches, *removed, *_load_tests(module)]
    return sorted(found, key=lambda trick: trick.line)


# ---------------------------------------------------------------------------------------------------- exits


def _exits(module: PyFile, patch: Patch) -> Iterator[_Trick]:
    hot = sorted(_hot_lines(module))
    if not hot:
        return
    top = [node for node in module.tree.body if _holds(node, hot)]
    yield from _leaving(top, module, "it ends the run while pytest imports the file")
    for node in module.functions:
        if not _holds(node, hot):
            continue
        if _is_run(node, patch):
            found = list(_leaving(node.body, module, "it ends the run before its checks are judged"))
        else:
            found = list(_leaving(node.body, module, "it can end the run at once", only=_HARD))
        if found and not _is_child(node, module):
            yield from found


def _hot_lines(module: PyFile) -> Iterator[int]:
    """
    Yield the lines that may leave: most files have none, and only what is around one is looked at closely.
    """
    yield from (node.lineno for node in module.of(ast.Raise))
    leaving = {name for name, dotted in module.names.items() if dotted in _LEAVERS} | _LAST_NAMES
    for call in module.of(ast.Call):
        for one in (call.func, *call.args):
            if (isinstance(one, ast.Call) or last_name(one) in leaving) and module.dotted(one) in _LEAVERS:
                yield call.lineno


def _holds(node: ast.stmt, lines: list[int]) -> bool:
    return bisect.bisect_left(lines, node.lineno) < bisect.bisect_right(lines, node.end_lineno or node.lineno)


def _is_run(node: Def, patch: Patch) -> bool:
    """
    Tell whether pytest or unittest calls the function itself: a test, a set-up, a fixture.
    """
    names = patch.layout.pytest.python_functions
    fixture = any("fixture" in ast.unparse(decorator) for decorator in node.decorator_list)
    return (
        fixture
        or node.name in _SET_UP
        or any(node.name.startswith(name.rstrip("*")) for name in (*names, "test"))
    )


def _is_child(node: Def, module: PyFile) -> bool:
    """
    Tell whether the function runs in a process of its own: after a fork, or as a process's target.
    """
    attributes = {inner.attr for inner in ast.walk(node) if isinstance(inner, ast.Attribute)}
    given = (
        keyword.value for call in module.of(ast.Call) for keyword in call.keywords if keyword.arg == "target"
    )
    targets = {value.id for value in given if isinstance(value, ast.Name)}
    return bool(attributes & {"fork", "forkpty"}) or node.name in targets


def _leaving(
    body: list[ast.stmt], module: PyFile, what: str, only: frozenset[str] = frozenset()
) -> Iterator[_Trick]:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                continue
            case ast.ClassDef():
                yield from _leaving(node.body, module, what, only)
            case ast.If(test=test):
                if (
                    "__name__" not in ast.unparse(test)
                    and "fork" not in ast.unparse(test)
                    and ast.unparse(test) not in {"not pid", "pid == 0"}
                ):
                    yield from _calls(test, module, what, only)
                    yield from _leaving(node.body, module, what, only)
                yield from _leaving(node.orelse, module, what, only)
            case ast.Try():
                if not any(_caught(handler) for handler in node.handlers):
                    yield from _leaving(node.body, module, what, only)
                for handler in node.handlers:
                    yield from _leaving(handler.body, module, what, only)
                yield from _leaving([*node.orelse, *node.finalbody], module, what, only)
            case ast.With() | ast.AsyncWith():
                expects = any(_expects_exit(item.context_expr) for item in node.items)
                yield from _leaving(node.body, module, what, _HARD if expects else only)
            case ast.For() | ast.AsyncFor() | ast.While():
                yield from _leaving([*node.body, *node.orelse], module, what, only)
            case ast.Raise(exc=ast.expr() as exc) if not only:
                name = module.dotted(exc.func if isinstance(exc, ast.Call) else exc)
                if name in {"SystemExit", "pytest.exit.Exception", "_pytest.outcomes.Exit"}:
                    yield _Trick(ast.unparse(node), node.lineno, f"Test code can leave early, {what}")
            case _:
                yield from _calls(node, module, what, only)


def _caught(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or any(name in ast.unparse(handler.type) for name in _CATCHES)


def _expects_exit(node: ast.expr) -> bool:
    text = ast.unparse(node)
    return any(name in text for name in _CATCHES) and any(
        word in text for word in ("raises", "Raises", "suppress")
    )


def _calls(node: ast.AST, module: PyFile, what: str, only: frozenset[str]) -> Iterator[_Trick]:
    if isinstance(node, ast.Lambda | Def | ast.ClassDef):
        return
    if isinstance(node, ast.Call):
        name = module.dotted(node.func)
        if name in (only or _EXITS) and not (
            name.startswith("os.kill") and "getpid" not in ast.unparse(node)
        ):
            yield _Trick(ast.unparse(node), node.lineno, f"Test code can leave early, {what}")
        elif name == "atexit.register" and _leaves(node, module):
            yield _Trick(ast.unparse(node), node.lineno, "Test code changes the exit code when the run ends")
        elif not only and any(module.dotted(arg) in {"os._exit", "os.abort"} for arg in node.args):
            yield _Trick(ast.unparse(node), node.lineno, "Test code has the process ended by something else")
    for child in ast.iter_child_nodes(node):
        yield from _calls(child, module, what, only)


def _leaves(call: ast.Call, module: PyFile) -> bool:
    """
    Tell whether a function given to `atexit` exits the process.
    """
    for arg in call.args:
        local = module.function(arg.id) if isinstance(arg, ast.Name) else None
        for inner in ast.walk(local or arg):
            if isinstance(inner, ast.Name | ast.Attribute) and module.dotted(inner) in _EXITS:
                return True
    return False


# --------------------------------------------------------------------------------------------------- patches


def _is_pytest_itself(patch: Patch) -> bool:
    """
    Return whether base's product is pytest: then tests may bend it for as long as they run.
    """
    paths = [f"{root.rstrip('/')}/_pytest/__init__.py" for root in patch.layout.source]
    return any(patch.base.entry(path) is not None for path in paths)


def _patches(module: PyFile, *, is_product: bool) -> Iterator[_Trick]:
    bent = set()
    if is_product:
        tests = (node for node in module.functions if node.name.startswith("test"))
        bent = {inner for test in tests for inner in ast.walk(test) if isinstance(inner, ast.Call)}
    for node in module.of(ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Call):
        if node in bent:
            continue
        for target in _replaced(node, module):
            top, _, rest = target.partition(".")
            if top == "builtins" and rest in _DECIDING:
                line = getattr(node, "lineno", 1)
                yield _Trick(ast.unparse(node), line, f"Test code replaces {target}, on which checks stand")
            runs_tests = top == "unittest" and rest.rpartition(".")[2] in _UNITTEST_PARTS
            if top == "_pytest" or runs_tests or (top == "pytest" and rest.partition(".")[0] in _PARTS):
                text = ast.unparse(node).split("\n", 1)[0]
                yield _Trick(
                    text, getattr(node, "lineno", 1), f"Test code replaces {target}, which runs the tests"
                )


def _replaced(node: ast.AST, module: PyFile) -> Iterator[str]:
    """
    Yield the dotted names that a statement or call puts something else in the place of.
    """
    if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Attribute):
                yield module.dotted(target)
    elif isinstance(node, ast.Call):
        name = module.dotted(node.func) if isinstance(node.func, ast.Attribute | ast.Name | ast.Call) else ""
        if name.rpartition(".")[2] not in _SETTERS:
            return
        words = [module.text(arg) for arg in node.args[:2]]
        if words and words[0]:
            yield words[0]
        elif len(words) == 2 and words[1]:
            yield f"{module.dotted(node.args[0])}.{words[1]}"


def _switched(module: PyFile) -> Iterator[_Trick]:
    """
    Yield statements of a module that set what decides about asserts, and any that give an item another body.
    """
    for node in module.of(ast.Assign):
        for target in node.targets:
            if last_name(target) in _BODIES and ast.unparse(target) in _RUNNING:
                yield _Trick(ast.unparse(node), node.lineno, "Test code replaces what a collected test runs")
            named = module.text(target.slice) if isinstance(target, ast.Subscript) else ""
            if named in _SWITCHES and node in module.tree.body and "environ" in ast.unparse(target):
                yield _Trick(ast.unparse(node), node.lineno, f"Test code sets {named} for what it starts")


def _removals(module: PyFile) -> Iterator[_Trick]:
    """
    Yield what takes names out of the module by values that only a run knows; tests may be among them.
    """
    for node in (inner for stmt in module.tree.body if not isinstance(stmt, Def) for inner in ast.walk(stmt)):
        match node:
            case ast.Call(func=ast.Attribute(value=own, attr="pop" | "popitem" | "clear"), args=args):
                known = bool(args) and isinstance(args[0], ast.Constant)
            case ast.Delete(targets=[ast.Subscript(value=own, slice=key)]):
                known = isinstance(key, ast.Constant)
            case ast.Call(func=ast.Name(id="delattr"), args=[own, key]):
                known = isinstance(key, ast.Constant)
            case _:
                continue
        if not known and ast.unparse(own) in {"globals()", "vars()", "sys.modules[__name__]"}:
            yield _Trick(
                ast.unparse(node), node.lineno, "Test code takes names out of its module, tests or not"
            )


# ------------------------------------------------------------------------------------------------ load_tests


def _load_tests(module: PyFile) -> Iterator[_Trick]:
    """
    Unittest's `load_tests` may add to what was found; one that builds a smaller suite loses tests.
    """
    for node in module.tree.body:
        if not (isinstance(node, Def) and node.name == "load_tests"):
            continue
        calls = {
            inner.func.attr
            for inner in ast.walk(node)
            if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute)
        }
        filters = any(
            isinstance(inner, ast.If | ast.IfExp | ast.comprehension) and getattr(inner, "ifs", True)
            for inner in ast.walk(node)
        )
        given = node.args.args[1].arg if len(node.args.args) > 1 else "tests"
        keeps = any(isinstance(inner, ast.Name) and inner.id == given for inner in ast.walk(node))
        finds = bool(calls & {"discover", "loadTestsFromModule", "loadTestsFromName", "loadTestsFromNames"})
        if not (keeps or finds) or filters or calls & {"remove", "pop", "clear"}:
            yield _Trick(
                ast.unparse(node), node.lineno, "load_tests may hand back fewer tests than were found"
            )
