"""
A piece of code as a text that stays the same where only names of its own change.
"""

from __future__ import annotations

import ast
import copy


class _Bare(ast.NodeTransformer):
    """
    Takes away what says something to people alone: docstrings, annotations, and the messages of assertions.
    """

    def visit_Assert(self, node: ast.Assert) -> ast.Assert:
        node.msg = None
        self.generic_visit(node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self.visit_def(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self.visit_def(node)

    def visit_def(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        if len(node.body) > 1 and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
        self.generic_visit(node)
        return node


class _Plain(_Bare):
    """
    Also takes away what the parameters are called, in each function by itself.
    """

    def visit_def(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        super().visit_def(node)
        spec = node.args
        every = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]
        places = {one.arg: f"${index}" for index, one in enumerate(every)}
        for one in ast.walk(node):
            if isinstance(one, ast.arg):
                one.arg = places.get(one.arg, one.arg)
            elif isinstance(one, ast.Name):
                one.id = places.get(one.id, one.id)
        return node


def plain_form(node: ast.AST) -> ast.AST:
    """
    Return a copy of a definition without docstrings, hints, and the names of parameters.
    """
    plain: ast.AST = _Plain().visit(copy.deepcopy(node)) if isinstance(node, ast.stmt) else node
    return plain


def dumped(node: ast.AST) -> str:
    """
    Dump a piece of code; a function that only returns a value is the lambda that it could be.
    """
    value = node.body if isinstance(node, ast.Lambda) else None
    if isinstance(node, ast.FunctionDef) and not node.decorator_list:
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        match body:
            case [ast.Return(value=ast.expr() as value)]:
                pass
            case _:
                return _bare(node)
    if value is None or not isinstance(node, ast.Lambda | ast.FunctionDef):
        return _bare(node)
    spec = node.args
    shape = [len(spec.posonlyargs), bool(spec.vararg), bool(spec.kwarg), [one.arg for one in spec.kwonlyargs]]
    defaults = [ast.dump(one) for one in (*spec.defaults, *filter(None, spec.kw_defaults))]
    text = f"{shape} {defaults} {ast.dump(value)}"
    for index, one in enumerate((*spec.posonlyargs, *spec.args)):  # what they are called is its own business
        text = text.replace(f"id='{one.arg}'", f"id='{index}'")
    return f"{len(spec.args)} {text}"


def _bare(node: ast.AST) -> str:
    return ast.dump(_Bare().visit(copy.deepcopy(node)) if isinstance(node, ast.stmt) else node)
