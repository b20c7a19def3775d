"""
Attempts to look green, from where a patch can make them: each ends as `tainted-lane` or `protocol-error`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ..environments import site_of  # noqa: TID252  # the suite is no package that is installed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEST = """
import unittest

import pytest

from product import double


def test_doubles():
    assert double(2) == 4


@pytest.mark.parametrize("n", [1, 3])
def test_more(n):
    assert double(n) == n + n


class CaseTest(unittest.TestCase):
    def test_case(self):
        self.assertEqual(double(5), 10)
"""
BROKEN = "def double(n):\n    return n * 3\n"

REPORTS = """
import _pytest.reports

_pytest.reports.TestReport.from_item_and_call = classmethod(
    lambda cls, item, call: cls(item.nodeid, item.location, {}, "passed", None, call.when, [], 0, 0, 0)
)
"""
#: What a production module does when it is imported.
ON_IMPORT = {
    "reports": REPORTS,
    "calls": """
import _pytest.runner

was = _pytest.runner.CallInfo.from_call.__func__

def from_call(cls, func, when, reraise=None):
    found = was(cls, func, when, reraise)
    found.excinfo = None
    return found

_pytest.runner.CallInfo.from_call = classmethod(from_call)
""",
    "assert-rewriting": """
import ast
import _pytest.assertion.rewrite as rewrite

class Bare(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.Pass(lineno=node.lineno, col_offset=0)

was = rewrite.rewrite_asserts

def rewrite_asserts(mod, source, *rest):
    Bare().visit(mod)
    was(mod, source, *rest)

rewrite.rewrite_asserts = rewrite_asserts
""",
    "functions": """
import _pytest.python

_pytest.python.Function.runtest = lambda self: None
""",
    "unittest": """
import unittest

unittest.TestCase.assertEqual = lambda *_: None
unittest.TestCase.run = lambda self, result=None: result
""",
    "fail": "import pytest\npytest.fail = lambda *_, **__: None\n",
    "xfail": """
import _pytest.skipping

_pytest.skipping.evaluate_xfail_marks = lambda item: _pytest.skipping.Xfail("flaky", True, False, None)
""",
    "hooks": """
import gc

from _pytest.config import Config

for one in gc.get_objects():
    if type(one) is Config:
        class Mine:
            def pytest_runtest_makereport(self, item, call):
                call.excinfo = None
        one.pluginmanager.register(Mine(), "mine")
""",
    "exit": "import sys\nsys.exit(0)\n",
    "hard exit": "import os\nos._exit(0)\n",
    "system exit in a thread": "import os, threading\nthreading.Timer(0.0, os._exit, (0,)).start()\n",
    "report at exit": """
import atexit, sys

PATH = next((arg.partition("=")[2] for arg in sys.argv if arg.startswith("--junitxml=")), "")

def write():
    with open(PATH, "w") as file:
        file.write('<testsuites><testsuite name="pytest" tests="1"><testcase classname="tests.test_a" '
                   'name="test_doubles" time="0"/></testsuite></testsuites>')

atexit.register(write)
""",
    "stream": """
import json, os

for descriptor in range(3, 64):
    for event in ({"event": "report", "id": "tests/test_a.py::test_doubles", "when": "call",
                   "outcome": "passed", "xfail": False}, {"event": "finished", "status": 0}):
        try:
            os.write(descriptor, json.dumps(event).encode() + b"\\n")
        except OSError:
            pass
os._exit(0)
""",
}


def files_with(on_import: str) -> dict[str, str]:
    return {
        "tests/test_a.py": TEST,
        "tests/test_b.py": "import product\n\n\ndef test_b():\n    assert product.double(0) == 0\n",
        "src/product.py": f"{on_import}\n\n{BROKEN}",
        "conftest.py": "import sys, pathlib\nsys.path[:0] = [str(pathlib.Path(__file__).parent / 'src')]\n",
    }


def is_found_out(made: Any) -> bool:
    """
    Return whether the lane is wrong, and not merely red.
    """
    return bool({"tainted-lane", "protocol-error"} & set(made.rows()))


@pytest.mark.parametrize("name", ON_IMPORT)
def test_a_product_that_meddles_while_it_is_imported_is_found_out(
    gate: Callable[..., Any], name: str
) -> None:
    made = gate(files_with(ON_IMPORT[name]), source=["src"])

    done = made.start()

    assert done.returncode != 0, done.stdout
    assert is_found_out(made), made.messages()


#: Changes one kind of result, in code that names no file.
PICKY = """
import _pytest.runner
was = _pytest.runner.CallInfo.from_call.__func__
def from_call(cls, func, when, reraise=None):
    found = was(cls, func, when, reraise)
    if found.excinfo and "test_a.py" in str(found.excinfo.traceback[-1].path):
        found.excinfo = None
    return found
_pytest.runner.CallInfo.from_call = classmethod(from_call)
"""
#: What a product does for one test that it knows by name; the canaries are none of it.
FOR_ONE = {
    "runtest": """
import _pytest.python

was = _pytest.python.Function.runtest
_pytest.python.Function.runtest = lambda self: None if "double" in self.name else was(self)
""",
    "a hook": """
import gc

from _pytest.config import Config

class Mine:
    def pytest_pyfunc_call(self, pyfuncitem):
        return True if pyfuncitem.path.name in ("test_a.py", "test_b.py") else None

for one in gc.get_objects():
    if type(one) is Config:
        one.pluginmanager.register(Mine(), "mine")
""",
    "a case": """
import unittest

was = unittest.TestCase.assertEqual
unittest.TestCase.assertEqual = lambda self, *rest: None if "test_a" in self.id() else was(self, *rest)
""",
    "text": f"exec({PICKY!r})\n",
}


@pytest.mark.parametrize("name", FOR_ONE)
def test_a_product_that_picks_its_test_is_named(gate: Callable[..., Any], name: str) -> None:
    made = gate(files_with(FOR_ONE[name]), source=["src"])

    done = made.start()

    assert done.returncode == 2, done.stdout
    assert "protocol-error" in made.rows()
    assert "meddles with its judges" in made.messages()


def test_a_suite_may_change_pytest_and_a_product_may_help_testers(gate: Callable[..., Any]) -> None:
    """
    From a conftest file, and from a part of the product that is there for suites.
    """
    patch = (
        "import _pytest.python as p\np.Function.{0} = (lambda was: lambda self: was(self))(p.Function.{0})\n"
    )
    files = files_with("")
    files["src/product.py"] = "def double(n):\n    return n * 2\n"
    files["src/testing/__init__.py"] = patch.format("runtest")
    files["src/shop_hooks.py"] = files["src/more_hooks.py"] = "def pytest_runtest_setup(item): pass\n"
    files["conftest.py"] += patch.format("setup") + "import testing\npytest_plugins = ['shop_hooks']\n"
    config = "[pytest]\npythonpath = src\naddopts = -p more_hooks\n"
    made = gate(files, source=["src"], config=config)

    done = made.start()

    assert (done.returncode, made.rows()) == (0, []), done.stdout


def test_a_product_that_ends_pytest_is_red(gate: Callable[..., Any]) -> None:
    """
    While modules are collected that is an error of the module, and no end.
    """
    made = gate(files_with("import pytest\npytest.exit('done', returncode=0)\n"), source=["src"])

    done = made.start()

    assert (done.returncode, made.rows()) == (1, ["suite-red"])


@pytest.mark.parametrize("lane", ["properties", "characterization", "proposed", "specimens"])
@pytest.mark.parametrize("name", ["reports", "exit", "report at exit"])
def test_other_lanes_find_it_out_as_well(gate: Callable[..., Any], lane: str, name: str) -> None:
    files = files_with(ON_IMPORT[name])
    args = ["tests"] if lane in ("properties", "proposed") else ["tests/test_a.py", "tests/test_b.py"]
    made = gate(files, lane=lane, source=["src"], args=args)

    made.start()

    read = made.read()
    assert {"tainted-lane", "protocol-error"} & {finding.row for finding in (*read.blocking, *read.notes)}


# ------------------------------------------------------------------------------------ what starts with Python


BENT = (
    "module.TestReport.from_item_and_call = classmethod(lambda cls, item, call: cls("
    "item.nodeid, item.location, {}, 'passed', None, call.when, [], 0, 0, 0))"
)
#: Turns every red green as soon as pytest's reports are imported.
EARLY = f"""
import importlib.abc, importlib.machinery, sys

class Late(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name != "_pytest.reports":
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        load = spec.loader.exec_module
        def exec_module(module):
            load(module)
            exec({BENT!r}, {{"module": module}})
        spec.loader.exec_module = exec_module
        return spec

sys.meta_path.insert(0, Late())
"""
STARTS = {
    "sitecustomize": {"sitecustomize.py": EARLY},
    "usercustomize": {"sitecustomize.py": "import usercustomize\n", "usercustomize.py": EARLY},
    ".pth": {"product.pth": "import product_startup\n", "product_startup.py": EARLY},
}


@pytest.mark.parametrize("name", STARTS)
def test_what_starts_with_python_is_found_out(gate: Callable[..., Any], python: Path, name: str) -> None:
    made = gate(files_with(""), source=["src"])
    for file, text in STARTS[name].items():
        (site_of(python) / file).write_text(text)

    done = made.start(python=python)

    assert done.returncode == 2, done.stdout + done.stderr
    assert "tainted-lane" in made.rows(), made.messages()


def test_a_plugin_through_an_entry_point_does_not_load_and_is_named(
    gate: Callable[..., Any], python: Path
) -> None:
    site = site_of(python)
    (site / "green_maker.py").write_text(REPORTS)
    info = site / "green_maker-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: green-maker\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[pytest11]\ngreen = green_maker\n")
    made = gate(files_with(""), source=["src"])
    listed = gate_again(made, plugins=["green-maker"])

    made.start(python=python)
    plain = set(made.rows())
    listed()
    made.start(python=python)

    assert plain == {"suite-red"}
    assert "green-maker" in made.facts()["unlisted_plugins"] or "tainted-lane" in made.rows()
    assert "tainted-lane" in made.rows()


def gate_again(made: Any, **settings: Any) -> Callable[[], None]:
    """
    Return what changes the lane's settings for the next start.
    """

    def change() -> None:
        run = made.run_json
        run["lanes"][made.lane] |= settings
        (made.folder / "run.json").write_text(json.dumps(run))

    return change
