"""
What the body of a pytest hook does to collection, to a run and to its reports.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.folding import UNKNOWN
from oraclekeep.machinery.hookterms import SILENCING, is_list, marker_names, reorders
from oraclekeep.machinery.options import Options, losses

if TYPE_CHECKING:
    from collections.abc import Callable

    from oraclekeep.machinery.pysource import Def, PyFile

#: Hooks where the first result that is not None stands for everybody's.
_DECIDES: Final = frozenset(
    {
        "pytest_ignore_collect", "pytest_pycollect_makeitem", "pytest_pycollect_makemodule",
        "pytest_collect_directory",
        "pytest_make_collect_report", "pytest_runtest_makereport", "pytest_report_teststatus",
        "pytest_runtest_protocol",
        "pytest_pyfunc_call", "pytest_runtestloop", "pytest_cmdline_main", "pytest_collection",
        "pytest_cmdline_parse",
        "pytest_report_from_serializable", "pytest_fixture_setup",
    }
)  # fmt: skip
_LISTS: Final = {
    "pytest_collection_modifyitems": "items",
    "pytest_load_initial_conftests": "args",
    "pytest_cmdline_preparse": "args",
    "pytest_cmdline_parse": "args",
}
_RESULTS: Final = frozenset({
    "outcome", "longrepr", "excinfo", "exitstatus", "wasxfail", "testsfailed", "shouldfail", "_excinfo",
    "_result", "passed", "failed", "skipped"
})  # fmt: skip
_SUBJECT: Final = frozenset({"obj", "_obj", "runtest", "function", "_fixtureinfo", "__code__"})
_OPTIONS: Final = frozenset({
    "keyword", "markexpr", "deselect", "ignore", "ignore_glob", "collectonly", "lf", "last_failed",
    "file_or_dir", "xmlpath", "plugins", "assertmode", "reruns", "continue_on_collection_errors",
    "noconftest", "override_ini", "cov_fail_under", "no_cov", "strict_markers", "strict_config",
    "strict"
})  # fmt: skip
_REMOVES: Final = frozenset({"remove", "pop", "clear", "__delitem__", "__setitem__", "__init__"})
_HARMLESS: Final = frozenset({
    "len", "enumerate", "sorted", "list", "tuple", "set", "print", "any", "all", "max", "min", "iter",
    "map", "filter", "zip", "reversed", "sum", "dict", "next", "id", "repr", "str", "bool",
    "isinstance", "hasattr", "getattr", "setattr", "type", "vars"
})  # fmt: skip
_SKIPS: Final = frozenset({
    "pytest.skip", "pytest.xfail", "pytest.importorskip", "pytest.exit", "pytest.skip.Exception",
    "pytest.exit.Exception", "unittest.SkipTest", "unittest.case.SkipTest", "sys.exit", "os._exit",
    "os.abort", "exit", "quit", "SystemExit"
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Effect:
    """
    One thing a hook does that can lose a test or a result; ``guards`` are the conditions it stands under.
    """

    hook: str
    text: str
    line: int
    why: str
    guards: frozenset[str] = frozenset()
    path: str = ""

    def is_covered_by(self, other: Effect) -> bool:
        return (self.hook, self.text) == (other.hook, other.text) and other.guards <= self.guards


@dataclass(frozen=True)
class _State:
    hook: str
    module: PyFile
    lists: frozenset[str] = frozenset()
    guards: frozenset[str] = frozenset()
    waits: frozenset[str] = frozenset()  # names that hold what `yield` gave back
    depth: int = 0


@dataclass
class HookReader:
    """
    Reads hook bodies; ``resolve`` finds a function of the repository that a module imports.
    """

    resolve: Callable[[PyFile, str], tuple[PyFile, Def] | None]
    strict_warnings: bool = False
    _found: list[Effect] = field(default_factory=list)

    def effects(self, hook: str, function: Def, module: PyFile) -> tuple[Effect, ...]:
        self._found = []
        lists = frozenset({_LISTS[hook]}) if hook in _LISTS else frozenset()
        waits = frozenset(
            target.id
            for node in ast.walk(function)
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Yield)
            for target in node.targets
            if isinstance(target, ast.Name)
        )
        self._body(function.body, _State(hook, module, lists, waits=waits))
        return tuple(replace(effect, path=effect.path or module.path) for effect in self._found)

    # ----------------------------------------------------------------------------------------- statements

    def _body(self, body: list[ast.stmt], state: _State) -> None:
        for node in body:
            self._statement(node, state)
            if (
                isinstance(node, ast.If)
                and not node.orelse
                and isinstance(node.body[-1], ast.Return | ast.Continue | ast.Raise)
            ):
                state = self._under(state, f"not ({ast.unparse(node.test)})")

    @staticmethod
    def _under(state: _State, guard: str) -> _State:
        return replace(state, guards=state.guards | {guard})

    def _statement(self, node: ast.stmt, state: _State) -> None:
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                self._expressions(test, state)
                text = ast.unparse(test)
                self._body(body, self._under(state, text))
                self._body(orelse, self._under(state, f"not ({text})"))
            case (
                ast.For(target=target, iter=iterable, body=body, orelse=orelse)
                | ast.AsyncFor(target=target, iter=iterable, body=body, orelse=orelse)
            ):
                self._expressions(iterable, state)
                self._body([*body, *orelse], state)
            case ast.While(test=test, body=body):
                self._expressions(test, state)
                self._body(body, state)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    if "suppress" in ast.unparse(item.context_expr):
                        self._note(node, state, "it swallows exceptions")
                    self._expressions(item.context_expr, state)
                self._body(body, state)
            case ast.Try():
                self._try(node, state)
            case ast.Return(value=value):
                self._return(node, value, state)
                if value is not None:
                    self._expressions(value, state)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._target(node, target, value, state)
                self._expressions(value, state)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._target(node, target, value, state)
                self._expressions(value, state)
            case ast.AugAssign(target=target, op=op, value=value):
                if not isinstance(op, ast.Add) or not is_list(target, state.lists):
                    self._target(node, target, value, state)
                elif state.hook != "pytest_collection_modifyitems":
                    self._arguments(node, value, state)
                self._expressions(value, state)
            case ast.Delete(targets=targets):
                if any(
                    isinstance(target, ast.Subscript) and is_list(target.value, state.lists)
                    for target in targets
                ):
                    self._note(node, state, "it takes items out")
            case ast.Raise(exc=exc) if exc is not None:
                name = state.module.dotted(exc.func if isinstance(exc, ast.Call) else exc)
                if name in _SKIPS or name.endswith("SkipTest"):
                    self._note(node, state, "it skips or ends the run")
                self._expressions(exc, state)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._body(node.body, replace(state, hook=f"{state.hook}.{node.name}"))
            case _:
                self._expressions(node, state)

    def _try(self, node: ast.Try, state: _State) -> None:
        runs = any(
            isinstance(inner, ast.Yield)
            or (isinstance(inner, ast.Attribute) and inner.attr in {"runtest", "obj", "get_result"})
            for statement in node.body
            for inner in ast.walk(statement)
        )
        for handler in node.handlers:
            raises = any(
                isinstance(inner, ast.Raise) for statement in handler.body for inner in ast.walk(statement)
            )
            if runs and not raises:
                self._note(handler, state, "it swallows a test's exception")
            self._body(
                handler.body,
                self._under(state, f"except {ast.unparse(handler.type) if handler.type else ''}"),
            )
        self._body([*node.body, *node.orelse, *node.finalbody], state)

    def _return(self, node: ast.Return, value: ast.expr | None, state: _State) -> None:
        if value is None or state.hook not in _DECIDES or isinstance(value, ast.Yield):
            return
        if isinstance(value, ast.Name) and value.id in state.waits:
            return
        if state.module.fold(value) is None or (
            state.hook == "pytest_ignore_collect" and state.module.fold(value) is False
        ):
            return
        self._note(node, state, "its result stands in place of pytest's own")

    def _target(self, node: ast.stmt, target: ast.expr, value: ast.expr, state: _State) -> None:
        match target:
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                for inner in elts:
                    self._target(node, inner, value, state)
            case ast.Subscript(value=owner, slice=index):
                if is_list(owner, state.lists):
                    if not reorders(value, state.lists, state.module):
                        self._note(node, state, "it replaces the list of what runs")
                elif isinstance(owner, ast.Attribute) and owner.attr in {"inicfg", "_inicache"}:
                    self._note(node, state, "it changes pytest's settings")
                elif (isinstance(owner, ast.Attribute) and owner.attr == "stats") or (
                    isinstance(owner, ast.Attribute)
                    and owner.attr == "__dict__"
                    and state.module.text(index) in _RESULTS
                ):
                    self._note(node, state, "it rewrites a result")
            case ast.Attribute(value=owner, attr=attr):
                self._attribute(node, owner, attr, state)
            case _:
                pass

    def _attribute(self, node: ast.AST, owner: ast.expr, attr: str, state: _State) -> None:
        shown = ast.unparse(owner)
        if shown in {"self", "cls"}:
            return
        if attr in _RESULTS:
            self._note(node, state, "it rewrites a result")
        elif attr in _SUBJECT:
            self._note(node, state, "it replaces what a test runs")
        elif (
            attr == "items"
            and "session" in shown
            and isinstance(node, ast.Assign)
            and not reorders(node.value, state.lists, state.module)
        ):
            self._note(node, state, "it replaces the list of what runs")
        elif attr == "args" and "config" in shown:
            self._note(node, state, "it changes what pytest was asked to run")
        elif attr in _OPTIONS and shown.endswith(("option", "namespace", "options")):
            self._note(node, state, "it changes pytest's options")

    # ---------------------------------------------------------------------------------------- expressions

    def _expressions(self, node: ast.AST, state: _State) -> None:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Call):
                self._call(inner, state)

    def _call(self, call: ast.Call, state: _State) -> None:
        name = state.module.dotted(call.func)
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        if name in _SKIPS or name.startswith("_pytest.outcomes."):
            self._note(call, state, "it skips tests or ends the run")
        elif method in {"force_result", "force_exception"}:
            self._note(call, state, "it replaces the result of a hook")
        elif method == "pytest_deselected":
            self._note(call, state, "it deselects tests")
        elif method in {"unregister", "set_blocked"}:
            self._note(call, state, "it takes a plugin out")
        elif method == "add_marker" and call.args:
            self._marker(call, call.args[0], state)
        elif method == "addinivalue_line" and len(call.args) == 2:
            self._ini_line(call, state)
        elif method in _REMOVES and isinstance(owner, ast.Attribute) and owner.attr == "stats":
            self._note(call, state, "it rewrites a result")
        elif owner is not None and is_list(owner, state.lists):
            if method in _REMOVES:
                self._note(call, state, "it takes items out")
            elif method in {"append", "extend", "insert"} and state.hook != "pytest_collection_modifyitems":
                self._arguments(call, call.args[-1], state)
        elif name in {"setattr", "object.__setattr__"} and len(call.args) == 3:
            attr = state.module.text(call.args[1])
            if attr:
                self._attribute(call, call.args[0], attr, state)
            elif ast.unparse(call.args[0]) in {"report", "rep"}:
                self._note(call, state, "it rewrites a result")
        elif (
            method == "update"
            and isinstance(owner, ast.Attribute | ast.Call)
            and ("__dict__" in ast.unparse(owner) or "vars(" in ast.unparse(owner))
        ):
            self._note(call, state, "it rewrites a result")
        else:
            self._handed_on(call, name, state)

    def _handed_on(self, call: ast.Call, name: str, state: _State) -> None:
        places = [place for place, arg in enumerate(call.args) if is_list(arg, state.lists)]
        words = [
            keyword.arg for keyword in call.keywords if keyword.arg and is_list(keyword.value, state.lists)
        ]
        if state.depth < 4 and isinstance(call.func, ast.Name | ast.Attribute):
            local = state.module.function(call.func.id) if isinstance(call.func, ast.Name) else None
            found = (
                (state.module, local)
                if local is not None
                else self.resolve(state.module, name)
                if name
                else None
            )
            if found is not None:
                module, function = found
                params = [arg.arg for arg in function.args.args]
                lists = {params[place] for place in places if place < len(params)} | set(words)
                deeper = _State(state.hook, module, frozenset(lists), state.guards, depth=state.depth + 1)
                self._body(
                    function.body,
                    replace(deeper, hook=state.hook if state.hook not in _DECIDES else f"{state.hook}()"),
                )
                return
        unknown = isinstance(call.func, ast.Name) and name not in _HARMLESS and "." not in name
        if (places or words) and unknown and not name[:1].isupper():
            self._note(call, state, "it hands the list of what runs to something that cannot be read")

    def _marker(self, call: ast.Call, arg: ast.expr, state: _State) -> None:
        names = marker_names(arg, state.module)
        if names is None:
            self._note(call, state, "it puts a marker that cannot be read on tests")
        elif names & SILENCING:
            self._note(call, state, f"it puts {min(names & SILENCING)} on tests")

    def _ini_line(self, call: ast.Call, state: _State) -> None:
        name, value = (state.module.text(arg) for arg in call.args)
        quiet = name == "filterwarnings" and not value.startswith("error") and self.strict_warnings
        if name in {"norecursedirs", "addopts", "collect_ignore"} or quiet:
            self._note(call, state, f"it adds to pytest's {name}")

    def _arguments(self, node: ast.AST, value: ast.expr, state: _State) -> None:
        """
        Words put on pytest's command line.
        """
        folded = state.module.fold(value)
        words = folded if isinstance(folded, tuple) else (folded,)
        if isinstance(value, ast.List) and folded is UNKNOWN:
            words = tuple(state.module.text(item) or "unknown" for item in value.elts)
        found = next(losses(Options(), Options.of([str(word) for word in words])), None)
        if found is not None or UNKNOWN in words:
            self._note(node, state, "it changes pytest's command line")

    # -------------------------------------------------------------------------------------------- helpers

    def _note(self, node: ast.AST, state: _State, why: str) -> None:
        line = getattr(node, "lineno", 1)
        text = (
            ast.unparse(node) if not isinstance(node, ast.With | ast.AsyncWith | ast.ExceptHandler) else why
        )
        self._found.append(Effect(state.hook, text, line, why, state.guards, state.module.path))
