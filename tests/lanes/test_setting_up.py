"""
`setup:` of `gate.yaml`: what runs in a lane's tree before the lane.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

TEST = "from pathlib import Path\n\ndef test_made():\n    assert Path('made.txt').read_text() == 'x'\n"
MAKE = f"""{sys.executable} -c 'open("made.txt", "w").write("x")'"""


def test_the_lane_finds_what_its_setup_made(gate: Callable[..., Any]) -> None:
    made = gate({"tests/test_a.py": TEST}, setup=[MAKE])

    assert made.start().returncode == 0
    assert made.read().klass == "green"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (f"{sys.executable} -c 'raise SystemExit(3)'", "exit 3"),
        ("no-such-program", "No such file"),
        ("echo 'unclosed", "No closing quotation"),
        ("", "an empty command line"),
    ],
    ids=["exit", "program", "quote", "empty"],
)
def test_a_setup_that_fails_leaves_no_answer(gate: Callable[..., Any], line: str, says: str) -> None:
    """
    Not even that of an earlier run of the same lane.
    """
    made = gate({"tests/test_a.py": "def test_a():\n    assert 1\n"})
    made.start()
    run = made.run_json
    run["lanes"]["suite"]["setup"] = [line]
    (made.folder / "run.json").write_text(json.dumps(run))

    done = made.start()

    assert done.returncode == 2
    assert says in done.stderr
    assert made.read().klass == "missing"
