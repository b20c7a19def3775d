"""
Runs that crash, hang, exit or hide what failed: none of them may be green.
"""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from oraclekeep.lanekit import canaries

if TYPE_CHECKING:
    from collections.abc import Callable

GREEN = """
import pytest

def test_adds():
    assert 1 + 1 == 2

@pytest.mark.parametrize("text", ["a::b", "x[y]", "p/q", "\\x00", "é"])
def test_text(text):
    assert text

class TestGroup:
    def test_inner(self):
        assert True
"""
RED = GREEN + "\ndef test_breaks():\n    assert sorted([2, 1]) == [2, 1]\n"


CRASHES = {
    "exit-in-test": (
        {"tests/test_z.py": "import os\ndef test_z(): os._exit(0)\n"},
        "protocol-error",
        "mid-run",
    ),
    "exit-at-import": ({"tests/test_z.py": "import sys\nsys.exit(0)\n"}, "protocol-error", ""),
    "hard-exit-at-import": ({"tests/test_z.py": "import os\nos._exit(0)\n"}, "protocol-error", "mid-run"),
    "exit-in-conftest": ({"conftest.py": "import os\nos._exit(0)\n"}, "protocol-error", "mid-run"),
    "pytest-exit": (
        {"tests/test_0.py": "import pytest\ndef test_z(): pytest.exit('done', returncode=0)\n"},
        "protocol-error",
        "no result",
    ),
    "killed": (
        {"tests/test_z.py": "import os, signal\ndef test_z(): os.kill(os.getpid(), signal.SIGKILL)\n"},
        "protocol-error",
        "was killed",
    ),
    "atexit-code": (
        {"conftest.py": "import atexit, os\natexit.register(os._exit, 0)\n"},
        "protocol-error",
        "its process exited with 0",
    ),
}


@pytest.mark.parametrize("name", CRASHES)
def test_a_run_that_ends_early_is_never_green_and_says_why(gate: Callable[..., Any], name: str) -> None:
    files, row, said = CRASHES[name]
    made = gate({"tests/test_a.py": GREEN, **files})

    done = made.start()

    assert done.returncode == 2
    assert row in made.rows()
    assert said in made.messages()


def test_a_hanging_test_runs_into_the_timeout_and_leaves_no_process(gate: Callable[..., Any]) -> None:
    text = (
        "import os, subprocess, time\ndef test_hang():\n"
        "    p = subprocess.Popen(['sleep', '60'])\n"
        "    open('child', 'w').write(str(p.pid))\n    time.sleep(60)\n"
    )
    made = gate({"tests/test_hang.py": text}, timeout=2)

    done = made.start()
    child = int((made.tree / "child").read_text())

    assert done.returncode == 2
    assert "ran into its timeout" in made.messages()
    assert not Path(f"/proc/{child}").exists() or "Z" in Path(f"/proc/{child}/stat").read_text().split()[2]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a killed lane leaves its child behind")
def test_a_lane_that_is_killed_takes_its_hanging_test_along(gate: Callable[..., Any]) -> None:
    """
    Whoever waits for the end of the lane's output would else wait for the test.
    """
    made = gate({"tests/test_a.py": "import os, signal, time\ndef test_hang():\n"
                 "    os.kill(os.getppid(), signal.SIGKILL)\n    time.sleep(60)\n"})  # fmt: skip
    begun = time.monotonic()

    done = made.start()

    assert done.returncode == -signal.SIGKILL
    assert time.monotonic() - begun < 30
    assert "neither report nor evidence" in made.messages()


def test_no_tests_is_not_a_pass(gate: Callable[..., Any]) -> None:
    made = gate({"tests/readme.txt": ""})

    done = made.start()

    assert done.returncode == 2
    assert "the lane ran nothing" in made.messages() or "exited with 5" in made.messages()


def test_an_interpreter_that_finds_no_pytest_leaves_evidence_that_says_so(gate: Callable[..., Any]) -> None:
    made = gate({"tests/test_a.py": GREEN}, env={"PYTHONPATH": "shadow"})
    shadow = made.tree / "shadow" / "pytest.py"
    shadow.parent.mkdir()
    shadow.write_text("raise ImportError('not here')\n")

    done = made.start()

    assert done.returncode == 2
    assert "protocol-error" in made.rows()


HIDERS = {
    "makereport": """
import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.outcome, report.longrepr = "passed", None
""",
    "makereport-of-one": """
import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if item.name == "test_breaks":
        report.outcome, report.longrepr = "passed", None
""",
    "makereport-to-skip": """
import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if item.name == "test_breaks" and report.failed:
        report.outcome, report.longrepr = "skipped", ("x", 1, "flaky")
""",
    "excinfo": """
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item, call):
    call.excinfo = None
""",
    "pyfunc": """
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    return True
""",
    "call-wrapper": """
import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    outcome = yield
    outcome.force_result(None)
""",
    "exit-status": """
def pytest_sessionfinish(session, exitstatus):
    session.exitstatus = 0
""",
    "report-class": """
import _pytest.reports

_pytest.reports.TestReport.from_item_and_call = classmethod(
    lambda cls, item, call: cls(item.nodeid, item.location, {}, "passed", None, call.when, [], 0, 0, 0)
)
""",
    "dropped-items": """
def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if item.path.name == "test_a.py" and item.name != "test_breaks"]
""",
    "report-rewritten-at-exit": """
import atexit, re, sys

PATH = next(arg.partition("=")[2] for arg in sys.argv if arg.startswith("--junitxml="))

def rewrite():
    text = open(PATH).read()
    open(PATH, "w").write(re.sub("<failure.*?</failure>", "", text, flags=re.S))

atexit.register(rewrite)
""",
    "pytest-assertions-off": """
import _pytest.assertion.rewrite as rewrite
import builtins

class Never(BaseException):
    pass

builtins.AssertionError = Never
""",
}


@pytest.mark.parametrize("name", HIDERS)
def test_a_hook_that_turns_red_into_green_is_found(gate: Callable[..., Any], name: str) -> None:
    made = gate({"tests/test_a.py": RED, "conftest.py": HIDERS[name]})

    done = made.start()
    read = made.read()

    assert done.returncode != 0
    assert read.blocking, name
    assert {"tainted-lane", "protocol-error", "suite-red"} & set(made.rows())
    if name not in {"exit-status", "pytest-assertions-off"}:
        assert {"tainted-lane", "protocol-error"} & set(made.rows()), made.messages()


def test_a_canary_that_a_killed_run_left_behind_is_removed(gate: Callable[..., Any]) -> None:
    made = gate({"tests/test_a.py": GREEN})
    made.start()
    planted = {one["nodeid"].partition("::")[0] for one in made.facts()["canaries"]}
    left = canaries.plant(made.tree, [], canaries.read_rules(made.tree / "pytest.ini"), "5eed")
    done = made.start()

    assert planted == {one.path for one in left}
    assert (done.returncode, len(made.read().results)) == (0, 7)
