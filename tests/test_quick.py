"""
Plain lines of `oraclekeep score` are understood without Invoke, and as Invoke understands them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from invoke.exceptions import ParseError
from invoke.parser import Parser

from oraclekeep.commands.score import score
from oraclekeep.invoke_tasks import collection
from oraclekeep.quick import understood

from .program import SOURCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import GitRepo

VALUES = ("base", "head", "format", "today", "output")
FLAGS = ("pushed", "worktree", "watch", "json", "intend-all")
WORDS = st.one_of(
    st.sampled_from([f"--{name}" for name in (*VALUES, *FLAGS, "help", "Base", "intend_all", "no-json")]),
    st.sampled_from([f"--{name}={value}" for name in (*VALUES, *FLAGS) for value in ("", "a", "a=b", "-x")]),
    st.sampled_from(["", "-", "--", "-j", "-b", "HEAD", "main", "plain", "score", "x=1"]),
)
LINES = st.lists(
    st.one_of(
        st.tuples(st.sampled_from([f"--{name}" for name in VALUES]), st.sampled_from(["a", "HEAD~1", "a=b"])),
        st.tuples(st.sampled_from([f"--{name}" for name in FLAGS])),
        st.tuples(WORDS),
    ),
    max_size=5,
).map(lambda parts: [word for part in parts for word in part])


def as_invoke_reads(words: list[str]) -> dict[str, Any] | None:
    """
    Return the parameters of the one task that Invoke finds in a line.
    """
    try:
        found = Parser(contexts=collection().to_contexts()).parse_argv(["score", *words])
    except (ParseError, ValueError):
        return None
    return dict(found[0].as_kwargs) if len(found) == 1 and not found.remainder else None


@pytest.mark.parametrize(
    ("line", "given_words"),
    [
        ("", {}),
        ("--base main --head HEAD", {"base": "main", "head": "HEAD"}),
        ("--base=main --json", {"base": "main", "json": True}),
        ("--intend-all --today 2026-01-31", {"intend_all": True, "today": "2026-01-31"}),
        ("--base a=b --output=x=y", {"base": "a=b", "output": "x=y"}),
    ],
)
def test_whole_options_are_understood(line: str, given_words: dict[str, object]) -> None:
    found = understood(score, line.split())

    assert found is not None
    assert found.keywords == given_words


@pytest.mark.parametrize(
    "line",
    ["--help", "-j", "main", "--base", "--base --json", "--json=yes", "--bas main", "--base a --base b"],
)
def test_all_else_is_left_to_invoke(line: str) -> None:
    assert understood(score, line.split()) is None


@given(LINES)
def test_what_is_understood_is_what_invoke_understands(words: list[str]) -> None:
    found = understood(score, words)

    if found is not None:
        defaults = understood(score, [])
        assert defaults is not None
        assert as_invoke_reads(words) == (as_invoke_reads([]) or {}) | found.keywords


@pytest.mark.parametrize(("option", "said"), [("--base", "0 False"), ("-b", "0 True")])
def test_a_plain_score_does_not_import_invoke(
    make_repo: Callable[..., GitRepo], option: str, said: str
) -> None:
    repo = make_repo()
    repo.commit({"a.txt": "a\n"})
    repo.commit({"a.txt": "b\n"})
    code = (
        "import sys; from oraclekeep.cli import main; "
        f"print(main(['score', {option!r}, 'HEAD~1']), 'invoke' in sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=repo.root, env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert done.stdout.splitlines()[-1] == said
