"""
Base's tests call production code by the names that the patch gave it.
"""

from __future__ import annotations

import pytest

from oraclekeep.head_names import Renames, in_head_form

TABLE = {"prod:old": "prod:new", "pmod:pkg.was": "pmod:pkg.now", "fetch": "load", "get": "grab"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from pkg.core import old\nold(1)\n", "from pkg.core import new as old\nold(1)\n"),
        ("from pkg.core import old as f\n", "from pkg.core import new as f\n"),
        (
            "from pkg.core import (\n    old,\n    other,\n)\n",
            "from pkg.core import (\n    new as old,\n    other,\n)\n",
        ),
        ("from pkg import was\nwas.f()\n", "from pkg import now as was\nwas.f()\n"),
        ("from pkg.was import f\n", "from pkg.now import f\n"),
        ("import pkg.was\npkg.was.old()\n", "import pkg.now\npkg.now.new()\n"),
        ("import pkg.was as w\nw.old()\n", "import pkg.now as w\nw.new()\n"),
        ("from pkg.core import T\nT().fetch()\n", "from pkg.core import T\nT().load()\n"),
        (
            "from unittest import mock\nmock.patch('pkg.was.old')\n",
            "from unittest import mock\nmock.patch('pkg.now.new')\n",
        ),
        ("import pkg\nx = 'é'; pkg.old(x)\n", "import pkg\nx = 'é'; pkg.new(x)\n"),
    ],
)
def test_what_reaches_production_code_is_renamed(before: str, after: str) -> None:
    assert in_head_form(before.encode(), Renames.of(TABLE)).decode() == after


@pytest.mark.parametrize(
    "source",
    [
        "def test_old(old):\n    assert old == 1\n",
        "{'a': 1}.get('old')\n",
        "import pkg\npkg.f(old=1)\n",
        "x.old()\n",
        "'the old. way'\n",
        "from pkg.core import older\n",
        "def broken(:\n",
    ],
)
def test_everything_else_stays(source: str) -> None:
    assert in_head_form(source.encode(), Renames.of(TABLE)).decode() == source


def test_a_patch_that_renames_nothing_changes_nothing() -> None:
    assert not Renames.of({})
    assert not Renames.of({"get": "grab"}), "a method with a common name may be anybody's"
