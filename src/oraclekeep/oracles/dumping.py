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

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        if len(node.body) > 1 and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
        self.generic_visit(node)
        return node


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
