"""
Rewrites that lose nothing: after each of them the suite can fail in as many ways as before.
"""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING, Final

from tests.mutations import (
    Edit,
    Files,
    Home,
    Rename,
    equality,
    first_place,
    homes,
    is_check,
    is_collected,
    is_literal,
    is_test,
    literal_cases,
    locals_of,
    only,
    replace_in,
    sites,
    statement,
    taken_names,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random


def reformat(_random: Random, source: str) -> Files | None:
    return {"": ast.unparse(ast.parse(source)) + "\n"}


def rename_locals(random: Random, source: str) -> Files | None:
    tree = ast.parse(source)
    names = {id(home.node): locals_of(home.node) for home in homes(tree)}
    chosen = [home for home in homes(tree) if names[id(home.node)]]
    if not chosen:
        return None
    home = random.choice(chosen)
    taken = taken_names(tree)
    table = {name: f"{name}_now" for name in names[id(home.node)] if f"{name}_now" not in taken}
    home.node.body = [Rename(table).visit(one) for one in home.node.body]
    return only(tree) if table else None


def reorder_tests(random: Random, source: str) -> Files | None:
    tree = ast.parse(source)
    tests = [node for node in tree.body if is_test(node)]
    if len(tests) < 2:
        return None
    random.shuffle(tests)
    tree.body = [*(node for node in tree.body if not is_test(node)), *tests]
    return only(tree)


def rename_test(random: Random, source: str) -> Files | None:
    tree = ast.parse(source)
    chosen = homes(tree)
    if not chosen:
        return None
    random.choice(chosen).node.name = f"test_under_a_new_name_{random.randrange(1000)}"
    return only(tree)


def rename_all_tests(_random: Random, source: str) -> Files | None:
    tree = ast.parse(source)
    for home in homes(tree):
        home.node.name += "_as_before"
    return only(tree)


def move_tests(random: Random, source: str) -> Files | None:
    """
    Move some tests to a file of their own, with everything that is not a test.
    """
    tree = ast.parse(source)
    tests = [node for node in tree.body if is_test(node)]
    if len(tests) < 2:
        return None
    gone = random.sample(tests, random.randrange(1, len(tests)))
    frame = [
        node
        for node in tree.body
        if not is_test(node) and not (isinstance(node, ast.ClassDef) and is_collected(node))
    ]
    moved = ast.Module([*frame, *(node for node in tests if node in gone)], [])
    tree.body = [node for node in tree.body if node not in gone]
    return {"": text(tree), "moved": text(moved)}


def rename_file(_random: Random, source: str) -> Files | None:
    return {"renamed": source}


def split_test(random: Random, source: str) -> Files | None:
    """
    Split a test before one of its checks; the second half repeats what is not a check.
    """
    tree = ast.parse(source)
    chosen = [
        (home, index)
        for home in homes(tree)
        for index, node in enumerate(home.node.body)
        if index
        and is_check(node)
        and any(is_check(one) for one in home.node.body[:index])
        and not any(
            isinstance(one, ast.With) and any(item.optional_vars for item in one.items)
            for one in home.node.body
        )
    ]
    if not chosen:
        return None
    home, index = random.choice(chosen)
    rest = copy.deepcopy(home.node)
    rest.name += "_second_half"
    rest.body = [*(node for node in rest.body[:index] if not is_check(node)), *rest.body[index:]]
    home.node.body = home.node.body[:index]
    home.siblings.insert(home.siblings.index(home.node) + 1, rest)
    return only(tree)


def merge_tests(random: Random, source: str) -> Files | None:
    """
    Put the body of one plain test behind another's, under names of its own.
    """
    tree = ast.parse(source)
    chosen = [
        home
        for home in homes(tree)
        if home.is_plain
        and all(
            isinstance(one, (ast.Assert, ast.Assign, ast.With, ast.For, ast.Expr)) for one in home.node.body
        )
        and not any(isinstance(one, (ast.Lambda, ast.comprehension)) for one in ast.walk(home.node))
    ]
    if len(chosen) < 2:
        return None
    first, second = random.sample(chosen, 2)
    table = {name: f"{name}_too" for name in locals_of(second.node)}
    first.node.body += [Rename(table).visit(one) for one in second.node.body]
    second.siblings.remove(second.node)
    return only(tree)


def extract_constant(random: Random, source: str) -> Files | None:
    """
    Name an expected literal at the top of the module.
    """
    tree = ast.parse(source)
    chosen = [
        site
        for site in sites(tree)
        if (pair := equality(site.node))
        and isinstance(pair[1], ast.Constant)
        and pair[1].value not in (None, True, False)
    ]
    if not chosen or "WANTED" in taken_names(tree):
        return None
    site = random.choice(chosen)
    pair = equality(site.node)
    assert pair is not None
    constant = ast.Assign([ast.Name("WANTED", ast.Store())], copy.deepcopy(pair[1]))
    replace_in(site.node, pair[1], ast.Name("WANTED", ast.Load()))
    after = max(
        (index for index, node in enumerate(tree.body) if isinstance(node, (ast.Import, ast.ImportFrom))),
        default=-1,
    )
    tree.body.insert(after + 1, constant)
    return only(tree)


def extract_local(random: Random, source: str) -> Files | None:
    """
    Name the subject of a check before it is checked.
    """
    tree = ast.parse(source)
    chosen = [site for site in sites(tree) if (pair := equality(site.node)) and isinstance(pair[0], ast.Call)]
    if not chosen or "outcome_of_it" in taken_names(tree):
        return None
    site = random.choice(chosen)
    pair = equality(site.node)
    assert pair is not None
    named = ast.Assign([ast.Name("outcome_of_it", ast.Store())], copy.deepcopy(pair[0]))
    replace_in(site.node, pair[0], ast.Name("outcome_of_it", ast.Load()))
    site.block.insert(site.index, named)
    return only(tree)


def swap_operands(random: Random, source: str) -> Files | None:
    tree = ast.parse(source)
    chosen = [site for site in sites(tree) if equality(site.node)]
    if not chosen:
        return None
    for site in random.sample(chosen, min(3, len(chosen))):
        if isinstance(site.node, ast.Assert) and isinstance(site.node.test, ast.Compare):
            site.node.test.left, site.node.test.comparators = (
                site.node.test.comparators[0],
                [site.node.test.left],
            )
        elif isinstance(site.node, ast.Expr) and isinstance(site.node.value, ast.Call):
            site.node.value.args.reverse()
    return only(tree)


def to_unittest(random: Random, source: str) -> Files | None:
    """
    Put a plain test into a `TestCase` of its own, with its methods where they exist.
    """
    tree = ast.parse(source)
    chosen = [home for home in homes(tree) if home.is_plain and any(equality(one) for one in home.node.body)]
    if not chosen:
        return None
    home = random.choice(chosen)
    method = copy.deepcopy(home.node)
    method.args.args = [ast.arg("self")]
    method.body = [_as_method(one) for one in method.body]
    home.siblings[home.siblings.index(home.node)] = _class("TestConverted(unittest.TestCase)", method)
    tree.body.insert(first_place(tree), ast.Import([ast.alias("unittest")]))
    return only(tree)


def _class(head: str, method: ast.stmt) -> ast.ClassDef:
    klass = statement(f"class {head}:\n    pass")
    assert isinstance(klass, ast.ClassDef)
    klass.body = [method]
    return klass


def _as_method(node: ast.stmt) -> ast.stmt:
    pair = equality(node)
    if pair is None or not isinstance(node, ast.Assert):
        return node
    return ast.Expr(
        ast.Call(
            ast.Attribute(ast.Name("self", ast.Load()), "assertEqual", ast.Load()),
            [*pair, *([node.msg] if node.msg else [])],
            [],
        )
    )


def to_plain_asserts(random: Random, source: str) -> Files | None:
    tree = ast.parse(source)
    chosen = [site for site in sites(tree) if isinstance(site.node, ast.Expr) and equality(site.node)]
    if not chosen:
        return None
    for site in random.sample(chosen, min(3, len(chosen))):
        pair = equality(site.node)
        assert pair is not None
        site.block[site.index] = ast.Assert(ast.Compare(pair[0], [ast.Eq()], [pair[1]]))
    return only(tree)


def unroll_parametrize(random: Random, source: str) -> Files | None:
    """
    Give each case of a parametrized test a test of its own.
    """
    tree = ast.parse(source)
    chosen = [(home, found) for home in homes(tree) if (found := literal_cases(home.node)) is not None]
    if not chosen:
        return None
    home, (names, cases) = random.choice(chosen)
    at = home.siblings.index(home.node)
    unrolled = []
    for number, case in enumerate(cases.elts):
        one = copy.deepcopy(home.node)
        one.name, one.decorator_list = f"{home.node.name}_case_{number}", []
        one.args.args = [arg for arg in one.args.args if arg.arg not in names]
        values = list(case.elts) if len(names) > 1 and isinstance(case, (ast.Tuple, ast.List)) else [case]
        one.body = [Rename(dict(zip(names, values, strict=True))).visit(part) for part in one.body]
        unrolled.append(one)
    home.siblings[at : at + 1] = unrolled
    return only(tree)


def parametrize_loop(random: Random, source: str) -> Files | None:
    """
    Turn a test that is one loop over literals into a parametrized one.
    """
    tree = ast.parse(source)
    chosen = [home for home in homes(tree) if _is_loop(home)]
    if not chosen:
        return None
    home = random.choice(chosen)
    loop = home.node.body[0]
    assert isinstance(loop, ast.For)
    names = [one.id for one in ast.walk(loop.target) if isinstance(one, ast.Name)]
    mark = ast.parse(
        f"pytest.mark.parametrize({', '.join(names)!r}, {ast.unparse(loop.iter)})", mode="eval"
    ).body
    home.node.decorator_list = [mark]
    home.node.args.args += [ast.arg(name) for name in names]
    home.node.body = loop.body
    tree.body.insert(first_place(tree), ast.Import([ast.alias("pytest")]))
    return only(tree)


def _is_loop(home: Home) -> bool:
    loop = home.node.body[0]
    return (
        home.is_plain
        and len(home.node.body) == 1
        and isinstance(loop, ast.For)
        and not loop.orelse
        and isinstance(loop.iter, (ast.List, ast.Tuple))
        and is_literal(loop.iter)
        and all(isinstance(one, (ast.Name, ast.Tuple, ast.Store)) for one in ast.walk(loop.target))
    )


def extract_helper(random: Random, source: str) -> Files | None:
    """
    Move one equality into a helper that compares its two arguments.
    """
    tree = ast.parse(source)
    chosen = [
        site
        for site in sites(tree)
        if isinstance(site.node, ast.Assert) and equality(site.node) and site.node.msg is None
    ]
    if not chosen or "assert_same" in taken_names(tree):
        return None
    site = random.choice(chosen)
    pair = equality(site.node)
    assert pair is not None
    site.block[site.index] = ast.Expr(ast.Call(ast.Name("assert_same", ast.Load()), list(pair), []))
    tree.body.append(statement("def assert_same(left, right):\n    assert left == right"))
    return only(tree)


def into_class(random: Random, source: str) -> Files | None:
    tree = ast.parse(source)
    chosen = [home for home in homes(tree) if home.owner is None]
    if not chosen:
        return None
    home = random.choice(chosen)
    method = copy.deepcopy(home.node)
    method.args.args.insert(0, ast.arg("self"))
    home.siblings[home.siblings.index(home.node)] = _class("TestGathered", method)
    return only(tree)


def annotate_and_document(_random: Random, source: str) -> Files | None:
    tree = ast.parse(source)
    for home in homes(tree):
        home.node.returns = ast.Constant(None)
        if ast.get_docstring(home.node) is None:
            home.node.body.insert(0, ast.Expr(ast.Constant("Say what this test is about.")))
    return only(tree)


def reword_messages(_random: Random, source: str) -> Files | None:
    tree = ast.parse(source)
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    for node in found:
        node.msg = ast.Constant("it went wrong")
    return only(tree) if found else None


def add_test(_random: Random, source: str) -> Files | None:
    return {"": source + "\n\ndef test_that_is_new():\n    assert len([1, 2]) == 2\n"}


#: Every edit by its name.
HONEST: Final[Mapping[str, Edit]] = {
    edit.__name__: edit
    for edit in (
        reformat,
        rename_locals,
        reorder_tests,
        rename_test,
        rename_all_tests,
        move_tests,
        rename_file,
        split_test,
        merge_tests,
        extract_constant,
        extract_local,
        swap_operands,
        to_unittest,
        to_plain_asserts,
        unroll_parametrize,
        parametrize_loop,
        extract_helper,
        into_class,
        annotate_and_document,
        reword_messages,
        add_test,
    )
}
