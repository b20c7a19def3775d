"""
Edits that lose exactly one thing: after each of them some fault goes unnoticed that the suite noticed before.
"""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING, Final

from tests.mutations import (
    Edit,
    Files,
    Site,
    equality,
    first_place,
    homes,
    is_literal,
    literal_cases,
    only,
    sites,
    statement,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random


def _pick(random: Random, tree: ast.Module, wanted: Callable[[Site], bool] = lambda _: True) -> Site | None:
    chosen = [site for site in sites(tree) if wanted(site)]
    return random.choice(chosen) if chosen else None


def _strict(site: Site) -> bool:
    """
    An equality with a literal, about something that is not one: the check to weaken.
    """
    pair = equality(site.node)
    return pair is not None and is_literal(pair[1]) and not is_literal(pair[0])


def _put(site: Site, *nodes: ast.stmt) -> None:
    site.block[site.index : site.index + 1] = nodes


def _to_test(random: Random, source: str, make: Callable[[ast.expr, ast.expr], str]) -> Files | None:
    """
    Replace an equality by an assert of another expression, made from subject and expected value.
    """
    tree = ast.parse(source)
    site = _pick(random, tree, _strict)
    pair = equality(site.node) if site is not None else None
    if site is None or pair is None:
        return None
    _put(site, statement(f"assert {make(*pair)}"))
    return only(tree)


def drop_check(random: Random, source: str) -> Files | None:
    tree = ast.parse(source)
    site = _pick(random, tree)
    if site is None:
        return None
    _put(site, ast.Pass())
    return only(tree)


def keep_the_expression_only(random: Random, source: str) -> Files | None:
    tree = ast.parse(source)
    site = _pick(random, tree, lambda one: isinstance(one.node, ast.Assert))
    if site is None or not isinstance(site.node, ast.Assert):
        return None
    _put(site, ast.Expr(site.node.test))
    return only(tree)


def one_of_several(random: Random, source: str) -> Files | None:
    return _to_test(
        random,
        source,
        lambda subject, expected: f"({ast.unparse(subject)}) in ({ast.unparse(expected)}, None)",
    )


def not_none(random: Random, source: str) -> Files | None:
    return _to_test(random, source, lambda subject, _: f"({ast.unparse(subject)}) is not None")


def truthy(random: Random, source: str) -> Files | None:
    return _to_test(random, source, lambda subject, _: ast.unparse(subject))


def compared_with_itself(random: Random, source: str) -> Files | None:
    return _to_test(
        random, source, lambda subject, _: f"({ast.unparse(subject)}) == ({ast.unparse(subject)})"
    )


def or_true(random: Random, source: str) -> Files | None:
    return _to_test(
        random,
        source,
        lambda subject, expected: f"({ast.unparse(subject)}) == ({ast.unparse(expected)}) or True",
    )


def or_another(random: Random, source: str) -> Files | None:
    return _to_test(
        random,
        source,
        lambda subject, expected: (
            f"({ast.unparse(subject)}) == ({ast.unparse(expected)}) or ({ast.unparse(subject)}) is None"
        ),
    )


def only_its_type(random: Random, source: str) -> Files | None:
    return _to_test(
        random,
        source,
        lambda subject, expected: f"isinstance({ast.unparse(subject)}, type({ast.unparse(expected)}))",
    )


def always_true_tuple(random: Random, source: str) -> Files | None:
    return _to_test(
        random,
        source,
        lambda subject, expected: f"(({ast.unparse(subject)}) == ({ast.unparse(expected)}), 'same')",
    )


def another_value(random: Random, source: str) -> Files | None:
    """
    Expect something else: not weaker, but nobody allowed it.
    """
    return _to_test(
        random,
        source,
        lambda subject, expected: (
            f"({ast.unparse(subject)}) == {'987654' if ast.unparse(expected) != '987654' else '0'}"
        ),
    )


def _raises(site: Site) -> ast.Call | None:
    node = site.node
    if (
        isinstance(node, ast.With)
        and isinstance(node.items[0].context_expr, ast.Call)
        and ast.unparse(node.items[0].context_expr.func) in ("pytest.raises", "self.assertRaises")
    ):
        return node.items[0].context_expr
    return None


def wider_exception(random: Random, source: str) -> Files | None:
    tree = ast.parse(source)
    site = _pick(
        random,
        tree,
        lambda one: (
            (call := _raises(one)) is not None
            and bool(call.args)
            and isinstance(call.args[0], (ast.Name, ast.Attribute))
            and ast.unparse(call.args[0]) not in ("Exception", "BaseException")
        ),
    )
    call = _raises(site) if site is not None else None
    if call is None:
        return None
    call.args[0] = ast.Name("Exception", ast.Load())
    return only(tree)


def drop_match(random: Random, source: str) -> Files | None:
    tree = ast.parse(source)
    site = _pick(
        random,
        tree,
        lambda one: (call := _raises(one)) is not None and any(word.arg == "match" for word in call.keywords),
    )
    call = _raises(site) if site is not None else None
    if call is None:
        return None
    call.keywords = [word for word in call.keywords if word.arg != "match"]
    return only(tree)


def add_skip(random: Random, source: str) -> Files | None:
    tree = ast.parse(source)
    site = _pick(random, tree)
    if site is None:
        return None
    mark = random.choice(
        [
            "pytest.mark.skip",
            "pytest.mark.skip(reason='later')",
            "pytest.mark.xfail",
            "pytest.mark.skipif(True, reason='x')",
        ]
    )
    site.home.node.decorator_list.insert(0, ast.parse(mark, mode="eval").body)
    tree.body.insert(first_place(tree), ast.Import([ast.alias("pytest")]))
    return only(tree)


def drop_case(random: Random, source: str) -> Files | None:
    tree = ast.parse(source)
    chosen = [
        cases
        for home in homes(tree)
        if (cases := literal_cases(home.node)) is not None
        and any(site.home.node is home.node for site in sites(tree))
    ]
    if not chosen:
        return None
    _, values = random.choice(chosen)
    values.elts.pop(random.randrange(len(values.elts)))
    return only(tree)


def guard_with_false(random: Random, source: str) -> Files | None:
    return _guarded(random, source, "if False:\n    pass")


def guard_with_the_unknown(random: Random, source: str) -> Files | None:
    return _guarded(random, source, "if __import__('os').environ.get('STRICT'):\n    pass")


def swallow(random: Random, source: str) -> Files | None:
    return _guarded(random, source, "try:\n    pass\nexcept Exception:\n    pass")


def suppress(random: Random, source: str) -> Files | None:
    return _guarded(random, source, "with __import__('contextlib').suppress(AssertionError):\n    pass")


def move_into_a_function_nobody_calls(random: Random, source: str) -> Files | None:
    return _guarded(random, source, "def later():\n    pass")


def _guarded(random: Random, source: str, frame: str) -> Files | None:
    """
    Put a check into the body of a statement.
    """
    tree = ast.parse(source)
    site = _pick(random, tree, lambda one: isinstance(one.node, ast.Assert))
    if site is None:
        return None
    around = statement(frame)
    around.body = [site.node]  # type: ignore[attr-defined]  # every frame above has a body
    _put(site, around)
    return only(tree)


def return_early(random: Random, source: str) -> Files | None:
    tree = ast.parse(source)
    site = _pick(random, tree)
    if site is None:
        return None
    _put(site, ast.Return(), site.node)
    return only(tree)


def delete_test(random: Random, source: str) -> Files | None:
    tree = ast.parse(source)
    site = _pick(random, tree)
    if site is None:
        return None
    site.home.siblings[site.home.siblings.index(site.home.node)] = ast.Pass()
    return only(tree)


def rename_out_of_collection(random: Random, source: str) -> Files | None:
    tree = ast.parse(source)
    site = _pick(random, tree)
    if site is None:
        return None
    site.home.node.name = "check_" + site.home.node.name
    return only(tree)


def shadow(random: Random, source: str) -> Files | None:
    """
    Define the test again below itself, without its checks.
    """
    tree = ast.parse(source)
    site = _pick(random, tree)
    if site is None:
        return None
    twin = copy.deepcopy(site.home.node)
    twin.body = [ast.Pass()]
    site.home.siblings.append(twin)
    return only(tree)


#: Every edit by its name.
WEAKENINGS: Final[Mapping[str, Edit]] = {
    edit.__name__: edit
    for edit in (
        drop_check,
        keep_the_expression_only,
        one_of_several,
        not_none,
        truthy,
        compared_with_itself,
        or_true,
        or_another,
        only_its_type,
        always_true_tuple,
        another_value,
        wider_exception,
        drop_match,
        add_skip,
        drop_case,
        guard_with_false,
        guard_with_the_unknown,
        swallow,
        suppress,
        move_into_a_function_nobody_calls,
        return_early,
        delete_test,
        rename_out_of_collection,
        shadow,
    )
}
