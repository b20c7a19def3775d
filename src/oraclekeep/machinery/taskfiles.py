"""
noxfile.py, tasks.py and other Python scripts of the machinery as runs and as places that fail.
"""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.commands import check_of
from oraclekeep.machinery.folding import UNKNOWN
from oraclekeep.machinery.runs import Run, run_of
from oraclekeep.machinery.shellrun import commands

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from oraclekeep.machinery.pysource import Def, PyFile

_PROCESS: Final = {
    "subprocess.run": False, "subprocess.call": False, "subprocess.Popen": False,
    "subprocess.getoutput": False,
    "subprocess.check_call": True, "subprocess.check_output": True, "os.system": False, "os.popen": False,
}  # fmt: skip
_EXITS: Final = frozenset({"sys.exit", "exit", "quit"})
_BROAD: Final = frozenset(
    {
        "Exception",
        "BaseException",
        "SystemExit",
        "CommandFailed",
        "CalledProcessError",
        "UnexpectedExit",
        "Failure",
        "Exit",
    }
)


@dataclass(frozen=True)
class _Scope:
    unit: str
    masks: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    depth: int = 0  # how many of the file's own functions led here


class _Bound(ast.NodeTransformer):
    """
    Puts arguments in the place of names, so that a helper's body reads as its caller means it.
    """

    def __init__(self, values: Mapping[str, ast.expr | list[ast.expr]]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.AST:  # the name is ast's
        value = self._values.get(node.id)
        return value if isinstance(value, ast.expr) and isinstance(node.ctx, ast.Load) else node

    def visit_Starred(self, node: ast.Starred) -> ast.AST:  # the name is ast's
        value = self._values.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if isinstance(value, list):
            return ast.Starred(ast.Tuple(value, ast.Load()), ast.Load())
        return self.generic_visit(node)

    def body(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [self.visit(copy.deepcopy(node)) for node in body]


def runs_in(module: PyFile) -> tuple[Run, ...]:
    """
    Return the commands that a task file's functions run, by function.
    """
    return tuple(_Reader(module).body(module.tree.body, _Scope("")))


class _Reader:
    def __init__(self, module: PyFile) -> None:
        self._module = module
        self._function: ast.AST = module.tree

    def body(self, body: list[ast.stmt], scope: _Scope) -> Iterator[Run]:
        for node in body:
            yield from self._statement(node, scope)
            scope = self._after(node, scope)

    def _after(self, node: ast.stmt, scope: _Scope) -> _Scope:
        """
        An early way out puts everything below it under a condition.
        """
        if isinstance(node, ast.If) and not node.orelse and node.body and self._leaves_well(node.body[-1]):
            return replace(scope, conditions=(*scope.conditions, f"unless {ast.unparse(node.test)}"))
        if self._leaves_well(node):
            return replace(
                scope, conditions=(*scope.conditions, "never: something above leaves the function")
            )
        return scope

    def _leaves_well(self, node: ast.stmt) -> bool:
        match node:
            case ast.Return(value=value):
                return value is None or self._module.fold(value) in (0, None, True)
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="skip"))):
                return True
            case ast.Expr(value=ast.Call(func=func, args=args)) if self._module.dotted(func) in _EXITS:
                return not args or self._module.fold(args[0]) in (0, None)
            case _:
                return False

    def _statement(self, node: ast.stmt, scope: _Scope) -> Iterator[Run]:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                outer, self._function = self._function, node
                yield from self.body(node.body, _Scope(scope.unit or session_name(node, self._module)))
                self._function = outer
            case ast.ClassDef():
                yield from self.body(node.body, scope)
            case ast.If():
                yield from self._calls(node.test, scope, kept=True)
                main = "__name__" in ast.unparse(node.test)
                text = ast.unparse(node.test)
                inside = scope if main else replace(scope, conditions=(*scope.conditions, text))
                yield from self.body(node.body, inside)
                yield from self.body(
                    node.orelse, replace(scope, conditions=(*scope.conditions, f"not ({text})"))
                )
            case ast.Try():
                yield from self._try(node, scope)
            case ast.With() | ast.AsyncWith():
                hides = [
                    ast.unparse(item.context_expr)
                    for item in node.items
                    if "suppress" in ast.unparse(item.context_expr)
                ]
                masks = tuple(f"`{text}` hides its failure" for text in hides)
                yield from self.body(node.body, replace(scope, masks=(*scope.masks, *masks)))
            case ast.For(target=ast.Name(id=name)) if isinstance(
                values := self._module.fold(node.iter), tuple
            ):
                for value in values:
                    yield from self.body(_Bound({name: ast.Constant(value)}).body(node.body), scope)
            case ast.For() | ast.AsyncFor() | ast.While():
                yield from self.body([*node.body, *node.orelse], scope)
            case ast.Expr(value=value):
                exits = isinstance(value, ast.Call) and self._module.dotted(value.func) in _EXITS
                yield from self._calls(value, scope, kept=exits)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield from self._calls(value, scope, kept=self._acted_on(name))
            case _:
                yield from self._calls(node, scope, kept=True)

    def _try(self, node: ast.Try, scope: _Scope) -> Iterator[Run]:
        hiding = [
            handler
            for handler in node.handlers
            if _is_broad(handler) and not _fails(handler.body, self._module)
        ]
        masks = tuple(f"`except {_caught(handler)}` hides its failure" for handler in hiding)
        yield from self.body(node.body, replace(scope, masks=(*scope.masks, *masks)))
        for handler in node.handlers:
            yield from self.body(
                handler.body, replace(scope, conditions=(*scope.conditions, f"except {_caught(handler)}"))
            )
        yield from self.body([*node.orelse, *node.finalbody], scope)

    def _acted_on(self, name: str) -> bool:
        """
        Tell whether the function raises, returns, exits or branches on a kept result.
        """
        for node in ast.walk(self._function):
            if isinstance(node, ast.Return | ast.Raise | ast.Assert | ast.If | ast.IfExp) and _mentions(
                node, name
            ):
                if isinstance(node, ast.If) and not (
                    _mentions(node.test, name) and _fails(node.body + node.orelse, self._module)
                ):
                    continue
                return True
            if (
                isinstance(node, ast.Call)
                and "exit" in self._module.dotted(node.func).lower()
                and _mentions(node, name)
            ):
                return True
            if isinstance(node, ast.Attribute) and node.attr == "check_returncode" and _mentions(node, name):
                return True
        return False

    def _calls(self, node: ast.AST, scope: _Scope, *, kept: bool) -> Iterator[Run]:
        for call in ast.walk(node):
            if isinstance(call, ast.Call):
                yield from self._call(call, scope, kept=kept)

    def _call(self, call: ast.Call, scope: _Scope, *, kept: bool) -> Iterator[Run]:
        name = self._module.dotted(call.func)
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        options = self._options(call)
        if name in _PROCESS:
            checked = _PROCESS[name] or self._module.fold(options.get("check")) is True
            why = "" if checked or kept else f"`{name}` does not look at its status"
            yield from self._process(call, scope, why)
        elif name == "pytest.main":
            given = call.args[0] if call.args else ast.List([], ast.Load())
            words = (
                given.elts if isinstance(given, ast.List | ast.Tuple) else [ast.Starred(given, ast.Load())]
            )
            why = "" if kept else "`pytest.main` only returns its status"
            yield from self._argv([ast.Constant("pytest"), *words], call.lineno, scope, why)
        elif method in {"run", "run_always", "run_install", "sudo"} and call.args:
            why = ""
            if (codes := options.get("success_codes")) is not None and self._module.fold(codes) != (0,):
                why = f"`success_codes={ast.unparse(codes)}` lets a failure pass"
            if "warn" in options and self._module.fold(options["warn"]) is not False and not kept:
                why = "`warn=True` ignores its failure"
            if name.startswith(("session.", "s.")) or len(call.args) > 1:
                yield from self._argv(call.args, call.lineno, scope, why)
            else:
                yield from self._process(call, scope, why)
        elif isinstance(call.func, ast.Name) and scope.unit and scope.depth < 3:
            yield from self._helper(call, call.func.id, scope)

    def _options(self, call: ast.Call) -> dict[str, ast.expr]:
        named = {item.arg: item.value for item in call.keywords if item.arg}
        for item in call.keywords:
            node = item.value
            spread = self._module.constants.get(node.id) if isinstance(node, ast.Name) else node
            if item.arg is None and isinstance(spread, ast.Dict):
                keys = (getattr(key, "value", "") for key in spread.keys)
                named |= {str(key): value for key, value in zip(keys, spread.values, strict=True)}
        return named

    def _helper(self, call: ast.Call, name: str, scope: _Scope) -> Iterator[Run]:
        """
        A function of the file that runs something for its caller.
        """
        function = self._module.function(name)
        if function is None or function is self._function:
            return
        params = [arg.arg for arg in function.args.args]
        values: dict[str, ast.expr | list[ast.expr]] = dict(zip(params, call.args, strict=False))
        values |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
        if function.args.vararg is not None:
            values[function.args.vararg.arg] = call.args[len(params) :]
        outer, self._function = self._function, function
        for run in self.body(_Bound(values).body(function.body), replace(scope, depth=scope.depth + 1)):
            yield replace(run, line=call.lineno)
        self._function = outer

    def _process(self, call: ast.Call, scope: _Scope, why: str) -> Iterator[Run]:
        first = call.args[0] if call.args else None
        if isinstance(first, ast.List | ast.Tuple):
            yield from self._argv(first.elts, call.lineno, scope, why)
        elif first is not None and (text := self._shown(first)):
            for command in commands(text, errexit=False):
                run = replace(run_of(command, self._module.path, call.lineno, scope.unit), line=call.lineno)
                yield self._placed(run, scope, why)

    def _argv(self, args: list[ast.expr], line: int, scope: _Scope, why: str) -> Iterator[Run]:
        words = [word for arg in args for word in self._word(arg)]
        yield self._placed(
            Run(check_of([word for word in words if word]), self._module.path, line, scope.unit), scope, why
        )

    def _word(self, arg: ast.expr) -> list[str]:
        return self._starred(arg.value) if isinstance(arg, ast.Starred) else [self._shown(arg)]

    def _starred(self, node: ast.expr) -> list[str]:
        """
        `*(session.posargs or ["tests"])` runs `tests` by default.
        """
        value = self._module.fold(node)
        if isinstance(value, tuple):
            return [str(item) for item in value]
        if isinstance(node, ast.Tuple):
            return [word for item in node.elts for word in self._word(item)]
        if isinstance(node, ast.BoolOp) or (isinstance(node, ast.IfExp) and "posargs" in ast.unparse(node)):
            last = node.values[-1] if isinstance(node, ast.BoolOp) else node.orelse
            return self._starred(last)
        return []

    def _shown(self, node: ast.expr) -> str:
        value = self._module.fold(node)
        if isinstance(value, str):
            return value
        if isinstance(node, ast.JoinedStr):
            return "".join(
                self._shown(part) if isinstance(part, ast.Constant) else "$X" for part in node.values
            )
        if isinstance(node, ast.Call) and self._module.dotted(node.func) == "str" and node.args:
            return self._shown(node.args[0])
        text = ast.unparse(node)
        return "python" if text == "sys.executable" else f"${text}" if value is UNKNOWN else str(value)

    def _placed(self, run: Run, scope: _Scope, why: str) -> Run:
        masks = (*scope.masks, *((why,) if why else ()), *run.masks)
        return replace(run, masks=masks, conditions=(*scope.conditions, *run.conditions))


def session_name(node: Def, module: PyFile) -> str:
    """
    Return the name under which Nox runs a function.
    """
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call):
            for keyword in decorator.keywords:
                if keyword.arg == "name" and (text := module.text(keyword.value)):
                    return text
    return node.name


def _caught(handler: ast.ExceptHandler) -> str:
    return ast.unparse(handler.type) if handler.type is not None else "anything"


def _is_broad(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or any(name in _caught(handler) for name in _BROAD)


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(node))


def _fails(body: list[ast.stmt], module: PyFile) -> bool:
    return any(failure(node, module) for statement in body for node in ast.walk(statement))


def failure(node: ast.AST, module: PyFile) -> str:
    """
    Say how a statement ends in failure: a raise, a non-zero exit or return; empty where it does not.
    """
    match node:
        case ast.Raise():
            text = ast.unparse(node)
            exits = isinstance(node.exc, ast.Call) and module.dotted(node.exc.func).rpartition(".")[2] in {
                "SystemExit",
                "Exit",
            }
            if exits and isinstance(node.exc, ast.Call) and _is_zero(node.exc, module):
                return ""
            return text
        case ast.Return(value=ast.expr() as value):
            found = module.fold(value)
            return (
                f"return {found}"
                if isinstance(found, int) and not isinstance(found, bool) and found != 0
                else ""
            )
        case ast.Call(func=func) if module.dotted(func) in {"sys.exit", "exit", "quit", "os._exit"}:
            return "" if _is_zero(node, module) else ast.unparse(node)
        case ast.Call(func=ast.Attribute(attr="error" | "abort", value=ast.Name(id="session"))):
            return ast.unparse(node)
        case ast.Assert():
            return ast.unparse(node)
        case _:
            return ""


def _is_zero(call: ast.Call, module: PyFile) -> bool:
    named = [keyword.value for keyword in call.keywords if keyword.arg == "code"]
    values = [*named, *call.args]
    return not values or module.fold(values[0]) in (0, None)
