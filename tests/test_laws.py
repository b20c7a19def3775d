"""
The scorer's own laws, tried on edits made by a program: honest rewrites cost nothing, weakenings are caught.

Seeds are fixed.  `ORACLEKEEP_EDITS` sets how many edits are tried (315 by default).
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

import pytest
from tests.honest_edits import HONEST
from tests.memory import judge, losses
from tests.mutations import only, sites
from tests.random_modules import Writer, product
from tests.weakenings import WEAKENINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.mutations import Edit, Files

    from oraclekeep.model import Spend

ROOT: Final = Path(__file__).resolve().parent.parent
EDITS: Final = int(os.environ.get("ORACLEKEEP_EDITS", "315"))
SEEDS: Final = range(max(1, EDITS // (len(HONEST) + len(WEAKENINGS))))
#: One edit in so many is made to a test file of this repository, the others to random modules.
OWN_EVERY: Final = 3
#: Seeds of the laws that need no edit.
FEW: Final = range(6)
TEST: Final = "tests/test_shop.py"


def dice(seed: object) -> Random:
    return Random(str(seed))  # noqa: S311  # a repeatable choice, no secret


@cache
def own_tree() -> dict[str, bytes]:
    """
    Return this repository's sources and tests as Git lists them, without what is only data.

    What Git does not list is not ours: a lane puts canaries of its own beside the tests.
    """
    found = {"pyproject.toml": (ROOT / "pyproject.toml").read_bytes()}
    listed = subprocess.run(
        ["git", "ls-files", "-z", "src", "tests"], cwd=ROOT, check=True, capture_output=True
    )
    for name in sorted(listed.stdout.decode().split("\0")):
        data_only = name.startswith(("tests/cases/", "src/oraclekeep/demo/project/"))
        if name.endswith(".py") and not data_only and (ROOT / name).exists():
            found[name] = (ROOT / name).read_bytes()
    return found


def random_tree(seed: int) -> dict[str, bytes]:
    source = Writer(dice(seed)).module()
    return {
        "pyproject.toml": b'[project]\nname = "shop"\nversion = "1"\n',
        "src/shop/__init__.py": b"",
        "src/shop/core.py": product(source).encode(),
        "oracle/intent.json": b"{}",
        TEST: source.encode(),
    }


def subject(name: str, seed: int) -> tuple[dict[str, bytes], str]:
    """
    Return the tree and the test file that an edit is made to.
    """
    if seed % OWN_EVERY == 0:
        tests = [path for path in own_tree() if path.rpartition("/")[2].startswith("test_")]
        # Each file draws a lot of its own, so that a new file rarely changes which one is taken.
        return own_tree(), min(tests, key=lambda path: dice(f"{name} {seed} {path}").random())
    return random_tree(seed), TEST


def edited(tree: Mapping[str, bytes], path: str, files: Files) -> dict[str, bytes]:
    head = {name: data for name, data in tree.items() if name != path}
    for name, source in files.items():
        head[path.replace(".py", f"_{name}.py") if name else path] = source.encode()
    return head


def tried(edit: Edit) -> dict[str, Spend]:
    """
    Make an edit with each seed and score it; where a file of ours has nothing to edit, a random one is taken.
    """
    found = {}
    for seed in SEEDS:
        for tree, path in (subject(edit.__name__, seed), (random_tree(seed), TEST)):
            files = edit(dice(seed), tree[path].decode())
            if files is not None:
                found[f"seed {seed} in {path}"] = judge(tree, edited(tree, path, files))
                break
    return found


@pytest.mark.parametrize("edit", HONEST.values(), ids=HONEST)
def test_an_honest_rewrite_costs_nothing(edit: Edit) -> None:
    """
    Nothing that loses no check is rejected.
    """
    spent = tried(edit)
    flagged = {
        where: [charge.finding for charge in losses(one)] for where, one in spent.items() if losses(one)
    }

    assert spent
    assert flagged == {}


@pytest.mark.parametrize("edit", WEAKENINGS.values(), ids=WEAKENINGS)
def test_a_weakening_is_caught(edit: Edit) -> None:
    """
    A patch that loses one check, or one case, is rejected.
    """
    spent = tried(edit)
    missed = [where for where, one in spent.items() if not one.rejects]

    assert spent
    assert missed == []


@pytest.mark.parametrize("seed", FEW)
def test_a_patch_that_changes_no_test_costs_nothing(seed: int) -> None:
    """
    Not even where production code changes beside it.
    """
    tree = random_tree(seed)
    refactored = tree | {"src/shop/core.py": tree["src/shop/core.py"] + b"\n\nSIZE = 1\n"}

    assert judge(tree, tree).charges == ()
    assert judge(tree, refactored).score == 0


@pytest.mark.parametrize("seed", FEW)
def test_one_more_removed_check_never_scores_higher(seed: int) -> None:
    """
    Each removal costs at least nothing, and the first one costs something.
    """
    tree = random_tree(seed)
    source = tree[TEST].decode()
    scores = [0]
    for count in range(1, 6):
        head = edited(tree, TEST, only(_without(source, count, dice(seed))))
        scores.append(judge(tree, head).score or 0)

    assert scores[1] < 0
    assert scores == sorted(scores, reverse=True)


def _without(source: str, count: int, random: Random) -> ast.Module:
    """
    Remove the first so many checks of one shuffled order.
    """
    tree = ast.parse(source)
    chosen = sites(tree)
    random.shuffle(chosen)
    for site in chosen[:count]:
        site.block[site.index] = ast.Pass()
    return tree


@pytest.mark.parametrize("seed", FEW)
def test_the_order_of_tests_and_files_does_not_matter(seed: int) -> None:
    """
    The same patch with its tests in another order, and its files listed the other way round, costs the same.
    """
    tree = random_tree(seed)
    head = _damaged(tree, seed)
    turned = [_turned(side, seed) for side in (tree, head)]

    assert _told(judge(tree, head))
    assert _told(judge(tree, head)) == _told(judge(*turned))


def _damaged(tree: Mapping[str, bytes], seed: int) -> dict[str, bytes]:
    files = only(_without(tree[TEST].decode(), 3, dice(seed)))
    return edited(tree, TEST, files)


def _turned(tree: Mapping[str, bytes], seed: int) -> dict[str, bytes]:
    files = HONEST["reorder_tests"](dice(seed), tree[TEST].decode())
    assert files is not None
    return dict(reversed(edited(tree, TEST, files).items()))


def _told(spent: Spend) -> Counter[tuple[str, str, str, int]]:
    """
    Return what a report says of each loss, but for its line.
    """
    return Counter(
        (one.finding.row, one.finding.test, one.finding.message, one.points) for one in losses(spent)
    )


@pytest.mark.parametrize("seed", FEW)
def test_names_do_not_matter(seed: int) -> None:
    """
    A patch costs the same in a repository where everything is called otherwise.
    """
    tree = random_tree(seed)
    head = _damaged(tree, seed)
    plain, renamed = judge(tree, head), judge(_called_otherwise(tree), _called_otherwise(head))

    assert _rows(plain)
    assert _rows(plain) == _rows(renamed)


def _called_otherwise(tree: Mapping[str, bytes]) -> dict[str, bytes]:
    """
    Rename tests, locals, helpers, fixtures, production functions and files on one side of a patch.
    """
    words = {
        b"product_": b"zz_made_",
        b"test_": b"test_a_",
        b"local_": b"y_",
        b"stock": b"aaa",
        b"check(": b"verify(",
    }
    pattern = re.compile(b"|".join(re.escape(word) for word in words))
    return {
        path.replace("test_shop", "test_bakery"): pattern.sub(lambda found: words[found.group()], data)
        for path, data in tree.items()
    }


def _rows(spent: Spend) -> Counter[tuple[str, int]]:
    return Counter((one.finding.row, one.points) for one in losses(spent))
