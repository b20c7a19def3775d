"""
Conftests and plugins may sort, mark and report; they may not drop tests or turn results.
"""

# ruff: noqa: E501  # a case stands on one line, however long it is

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from oraclekeep.rules.exits import exit_calls
from oraclekeep.rules.hooks import plugin_hooks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from oraclekeep.model import Finding

    Check = Callable[[Mapping[str, str], Mapping[str, str | None]], list[Finding]]

CONFTEST = "tests/conftest.py"
TREE = {
    "pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
    "src/pkg/__init__.py": "x = 1\n",
    "tests/test_a.py": "def test_a():\n    assert 1\n",
}


@pytest.fixture
def check(make_repo, patch_of) -> Check:
    def run(base: Mapping[str, str], head: Mapping[str, str | None]) -> list[Finding]:
        repo = make_repo()
        repo.commit({**TREE, **{path: dedent(text) for path, text in base.items()}})
        repo.git("switch", "--quiet", "--create", "patch")
        repo.commit({path: text if text is None else dedent(text) for path, text in head.items()})
        patch = patch_of(repo)
        return [*plugin_hooks(patch), *exit_calls(patch)]

    return run


HOSTILE = {
    "slice-filter": """
        def pytest_collection_modifyitems(config, items):
            items[:] = [item for item in items if "slow" not in item.name]
        """,
    "delete": """
        def pytest_collection_modifyitems(items):
            items.sort(key=lambda item: item.nodeid)
            del items[-3:]
        """,
    "remove": """
        def pytest_collection_modifyitems(items):
            for item in list(items):
                if item.name == "test_a":
                    items.remove(item)
        """,
    "clear": "def pytest_collection_modifyitems(items): items.clear()\n",
    "add-skip": """
        import pytest

        def pytest_collection_modifyitems(items):
            skip = pytest.mark.skip(reason="flaky here")
            for item in items:
                item.add_marker(skip)
        """,
    "add-xfail-assembled": """
        import pytest

        def pytest_collection_modifyitems(items):
            for item in items:
                item.add_marker(getattr(pytest.mark, "x" + "fail"))
        """,
    "add-skip-by-name": """
        def pytest_collection_modifyitems(items):
            for item in items:
                item.add_marker("skip")
        """,
    "deselected": """
        def pytest_collection_modifyitems(config, items):
            kept, rest = [], []
            for item in items:
                (kept if "a" in item.name else rest).append(item)
            config.hook.pytest_deselected(items=rest)
            items[:] = kept
        """,
    "through-helper": """
        def _tidy(tests):
            tests.pop()

        def pytest_collection_modifyitems(items):
            _tidy(items)
        """,
    "session-items": "def pytest_collection_finish(session): session.items = session.items[:1]\n",
    "replace-test": """
        def pytest_collection_modifyitems(items):
            for item in items:
                item.obj = lambda: None
        """,
    "specname": """
        import pytest

        @pytest.hookimpl(specname="pytest_collection_modifyitems")
        def order(items):
            items.pop()
        """,
    "assigned": """
        def _order(items):
            items.pop()

        pytest_collection_modifyitems = _order
        """,
    "assigned-lambda": "pytest_ignore_collect = lambda collection_path: True\n",
    "by-globals": """
        def _order(items):
            items.pop()

        globals()["pytest_collection_" + "modifyitems"] = _order
        """,
    "registered-class": """
        class Order:
            def pytest_collection_modifyitems(self, items):
                items.pop()

        def pytest_configure(config):
            config.pluginmanager.register(Order())
        """,
    "ignore-collect": 'def pytest_ignore_collect(collection_path): return "hard" in collection_path.name or None\n',
    "makereport-wrapper": """
        import pytest

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_makereport(item, call):
            outcome = yield
            report = outcome.get_result()
            report.outcome = "passed"
        """,
    "makereport-setattr": """
        import pytest

        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_makereport(item, call):
            report = yield
            setattr(report, "out" + "come", "passed")
            return report
        """,
    "makereport-dict": """
        import pytest

        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_makereport(item, call):
            report = yield
            report.__dict__["outcome"] = "passed"
            return report
        """,
    "makereport-excinfo": """
        def pytest_runtest_makereport(item, call):
            call.excinfo = None
        """,
    "makereport-own": """
        from _pytest.reports import TestReport

        def pytest_runtest_makereport(item, call):
            return TestReport(item.nodeid, item.location, {}, "passed", None, call.when)
        """,
    "logreport": "def pytest_runtest_logreport(report): report.outcome = 'passed'\n",
    "force-result": """
        import pytest

        @pytest.hookimpl(hookwrapper=True)
        def pytest_pyfunc_call(pyfuncitem):
            outcome = yield
            outcome.force_result(True)
        """,
    "swallow-yield": """
        import pytest

        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_call(item):
            try:
                return (yield)
            except Exception:
                return None
        """,
    "swallow-runtest": """
        def pytest_runtest_call(item):
            try:
                item.runtest()
            except AssertionError:
                pass
        """,
    "protocol": "def pytest_runtest_protocol(item, nextitem): return True\n",
    "runtestloop": "def pytest_runtestloop(session): return True\n",
    "teststatus": "def pytest_report_teststatus(report): return 'passed', '.', 'PASSED'\n",
    "exit-status": "def pytest_sessionfinish(session): session.exitstatus = 0\n",
    "exit-now": "import os\n\ndef pytest_sessionfinish(session): os._exit(0)\n",
    "exit-later": "import os\n\ndef pytest_unconfigure(config): os._exit(0)\n",
    "setup-skips": """
        import pytest

        def pytest_runtest_setup(item):
            if "net" in item.keywords:
                pytest.skip("no network")
        """,
    "options": "def pytest_configure(config): config.option.keyword = 'fast'\n",
    "unregister": "def pytest_configure(config): config.pluginmanager.unregister(name='unittest')\n",
    "arguments": "def pytest_load_initial_conftests(args): args[:] = ['-k', 'fast']\n",
    "arguments-appended": "def pytest_load_initial_conftests(args): args += ['--deselect', 'tests/test_a.py::test_a']\n",
    "collect-ignore": "collect_ignore = ['test_hard.py']\n",
    "collect-ignore-glob": "collect_ignore_glob = ['test_slow_*.py']\n",
    "collect-ignore-appended": "collect_ignore = []\ncollect_ignore.append('test_a.py')\n",
    "collect-ignore-assembled": "collect_ignore = ['te' + 'st_a.py']\n",
    "collect-ignore-computed": "import os\n\ncollect_ignore = os.environ['HARD'].split()\n",
    "no-cases": "def pytest_generate_tests(metafunc): metafunc.parametrize('x', []) or __import__('pytest').skip('x')\n",
    "exit-at-import": "import sys\n\nsys.exit(0)\n",
    "kill-at-import": "import os\n\nos._exit(0)\n",
    "atexit": "import atexit\nimport os\n\natexit.register(os._exit, 0)\n",
    "atexit-function": "import atexit\nimport os\n\n\ndef bye():\n    os._exit(0)\n\n\natexit.register(bye)\n",
    "fixture-exit": "import os\n\nimport pytest\n\n\n@pytest.fixture(autouse=True)\ndef calm():\n    yield\n    os._exit(0)\n",
    "report-class": "from _pytest.reports import TestReport\n\nTestReport.failed = property(lambda self: False)\n",
    "runner-patch": "import _pytest.runner as r\n\nr.check_interactive_exception = print\n",
    "pytest-fail": "import pytest\n\npytest.fail = lambda *a, **k: None\n",
    "monkeypatched-report": "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef quiet(monkeypatch):\n    monkeypatch.setattr('_pytest.reports.TestReport.failed', False)\n",
    "summary": "def pytest_terminal_summary(terminalreporter): terminalreporter.stats.pop('failed', None)\n",
    "exec": "import os\nimport sys\n\nos.execv(sys.executable, ['python', '-c', 'pass'])\n",
    "timer": "import os\nimport threading\n\nthreading.Timer(1, os._exit, [0]).start()\n",
    "unittest-run": "import unittest\n\nunittest.TestCase.run = lambda self, result=None: result\n",
    "setattr-pytest": "import pytest\n\nsetattr(pytest, 'raises', lambda *a, **k: None)\n",
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hook_that_drops_or_turns_is_reported(check, case: str) -> None:
    found = check({}, {CONFTEST: HOSTILE[case]})

    assert {"collection-tampered"} == {finding.row for finding in found}
    assert found[0].path == CONFTEST


BENT = """
def test_writing(monkeypatch):
    monkeypatch.setattr("_pytest.runner.show", print)
"""


OWN = {"src/_pytest/__init__.py": "", "src/_pytest/runner.py": "show = repr\n"}


@pytest.mark.parametrize(
    ("tree", "path", "text", "rows"),
    [
        ({}, "tests/test_a.py", BENT, ["collection-tampered"]),
        (OWN, "tests/test_a.py", BENT, []),
        (OWN, CONFTEST, "import _pytest.runner\n\n_pytest.runner.show = str\n", ["collection-tampered"]),
        (OWN, CONFTEST, BENT.replace("test_writing", "quiet"), ["collection-tampered"]),
    ],
    ids=["elsewhere", "its own", "for all tests", "in a helper"],
)
def test_pytest_is_the_product_of_its_own_repository(check, tree, path, text, rows) -> None:
    assert [one.row for one in check(tree, {path: text})] == rows


HONEST = {
    "sorts": "def pytest_collection_modifyitems(items): items.sort(key=lambda item: item.nodeid)\n",
    "sorts-slice": "def pytest_collection_modifyitems(items): items[:] = sorted(items, key=str)\n",
    "reverses": "def pytest_collection_modifyitems(items): items[:] = list(reversed(items))\n",
    "shuffles": "import random\n\ndef pytest_collection_modifyitems(items): random.shuffle(items)\n",
    "slow-last": """
        def pytest_collection_modifyitems(items):
            items[:] = [i for i in items if "slow" not in i.keywords] + [i for i in items if "slow" in i.keywords]
        """,
    "partition": """
        def pytest_collection_modifyitems(items):
            fast, slow = [], []
            for item in items:
                if "slow" in item.keywords:
                    slow.append(item)
                else:
                    fast.append(item)
            items[:] = fast + slow
        """,
    "adds-marker": """
        import pytest

        def pytest_collection_modifyitems(items):
            for item in items:
                if "unit" in str(item.path):
                    item.add_marker(pytest.mark.unit)
        """,
    "adds-folder-marker": """
        import pytest

        def pytest_collection_modifyitems(items):
            for item in items:
                item.add_marker(getattr(pytest.mark, item.path.parent.name))
        """,
    "adds-fixture": """
        def pytest_collection_modifyitems(items):
            for item in items:
                item.fixturenames.insert(0, "clock")
        """,
    "registers-markers": """
        def pytest_configure(config):
            config.addinivalue_line("markers", "slow: takes long")
        """,
    "adds-option": "def pytest_addoption(parser): parser.addoption('--seed', type=int, default=1)\n",
    "header": "def pytest_report_header(config): return 'seed 1'\n",
    "compare-text": "def pytest_assertrepr_compare(op, left, right): return ['a is not b']\n",
    "keeps-report": """
        import pytest

        @pytest.hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_runtest_makereport(item, call):
            outcome = yield
            rep = outcome.get_result()
            setattr(item, "rep_" + rep.when, rep)
        """,
    "keeps-report-new-style": """
        import pytest

        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_makereport(item, call):
            rep = yield
            item.stash["rep"] = rep
            rep.sections.append(("log", "x"))
            return rep
        """,
    "counts": """
        class Counter:
            def __init__(self):
                self.failed = 0

            def pytest_runtest_logreport(self, report):
                self.failed = self.failed + int(report.failed)
        """,
    "times": """
        import time

        import pytest

        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_call(item):
            start = time.perf_counter()
            result = yield
            print(time.perf_counter() - start)
            return result
        """,
    "parametrizes": """
        def pytest_generate_tests(metafunc):
            if "case" in metafunc.fixturenames:
                metafunc.parametrize("case", [1, 2, 3])
        """,
    "collects-more": """
        import pytest

        def pytest_collect_file(parent, file_path):
            if file_path.suffix == ".yaml":
                return pytest.File.from_parent(parent, path=file_path)
        """,
    "ignore-nothing": "def pytest_ignore_collect(collection_path): return None\n",
    "collect-ignore-setup": "collect_ignore = ['setup.py']\n",
    "finish-prints": "def pytest_sessionfinish(session, exitstatus): print(exitstatus)\n",
    "workers": "def pytest_load_initial_conftests(args): args += ['-n', '2']\n",
    "cleanup": "import atexit\nimport shutil\n\natexit.register(shutil.rmtree, '/tmp/x', True)\n",
    "fixture": "import pytest\n\n\n@pytest.fixture\ndef client():\n    return object()\n",
    "namespace": "import pytest\n\npytest.shared_state = {}\n",
    "main-guard": "import sys\n\nimport pytest\n\nif __name__ == '__main__':\n    sys.exit(pytest.main())\n",
}  # fmt: skip


@pytest.mark.parametrize("case", HONEST)
def test_an_honest_hook_says_nothing(check, case: str) -> None:
    assert check({}, {CONFTEST: HONEST[case]}) == []


RUNSLOW = """
    import pytest

    def pytest_addoption(parser):
        parser.addoption("--runslow", action="store_true")

    def pytest_collection_modifyitems(config, items):
        if config.getoption("--runslow"):
            return
        skip = pytest.mark.skip(reason="needs --runslow")
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(skip)
    """


def test_a_hook_that_stood_at_base_may_move_and_be_reworded(check) -> None:
    moved = {CONFTEST: None, "conftest.py": RUNSLOW.replace("needs --runslow", "slow; use --runslow")}

    assert check({CONFTEST: RUNSLOW}, moved) == []


@pytest.mark.parametrize(
    "change",
    [
        ('if "slow" in item.keywords:', "if True:"),
        ('if config.getoption("--runslow"):', "if False:"),
        ("item.add_marker(skip)", "items.remove(item)"),
    ],
)
def test_a_hook_that_reaches_further_than_at_base_is_reported(check, change: tuple[str, str]) -> None:
    [finding] = check({CONFTEST: RUNSLOW}, {CONFTEST: RUNSLOW.replace(*change)})

    assert finding.row == "collection-tampered"


def test_a_hook_that_reaches_less_far_says_nothing(check) -> None:
    narrower = RUNSLOW.replace('if "slow" in item.keywords:', 'if "slow" in item.keywords and not item.own:')
    split = RUNSLOW.replace(
        'if "slow" in item.keywords:\n                item.add',
        'if "slow" in item.keywords:\n                if item.own:\n                    item.add',
    )

    assert check({CONFTEST: RUNSLOW}, {CONFTEST: split}) == []
    assert narrower != RUNSLOW


DROPS = "def pytest_collection_modifyitems(items):\n    items.pop()\n"
NAMED = {
    "pytest_plugins": {"conftest.py": "pytest_plugins = ['tests.order']\n", "tests/order.py": DROPS},
    "pytest_plugins-string": {"tests/conftest.py": "pytest_plugins = 'tests.' + 'order'\n", "tests/order.py": DROPS},
    "pytest_plugins-in-test": {"tests/test_a.py": "pytest_plugins = ('order',)\n\n\ndef test_a():\n    assert 1\n", "tests/order.py": DROPS},
    "chain": {
        "conftest.py": "pytest_plugins = ['tests.one']\n",
        "tests/one.py": "pytest_plugins = ['tests.order']\n",
        "tests/order.py": DROPS,
    },
    "imported": {"tests/conftest.py": "from tests.order import pytest_collection_modifyitems\n", "tests/order.py": DROPS},
    "star": {"tests/conftest.py": "from .order import *\n", "tests/order.py": DROPS},
    "imported-helper": {
        "tests/conftest.py": "from tests.order import tidy\n\n\ndef pytest_collection_modifyitems(items):\n    tidy(items)\n",
        "tests/order.py": "def tidy(found):\n    found.pop()\n",
    },
    "addopts": {"pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-p tests.order'\n", "tests/order.py": DROPS},
    "entry-point": {
        "pyproject.toml": "[project.entry-points.pytest11]\npkg = 'pkg.order'\n[tool.pytest.ini_options]\ntestpaths = ['tests']\n",
        "src/pkg/order.py": DROPS,
    },
    "setup-cfg": {"setup.cfg": "[options.entry_points]\npytest11 =\n    pkg = pkg.order\n", "src/pkg/order.py": DROPS},
    "setup-py": {"setup.py": "setup(entry_points={'pytest11': ['pkg = pkg.order']})\n", "src/pkg/order.py": DROPS},
    "workflow": {
        ".github/workflows/ci.yml": "on: push\njobs:\n  a:\n    env: {PYTEST_PLUGINS: tests.order}\n    steps: [{run: pytest}]\n",
        "tests/order.py": DROPS,
    },
}  # fmt: skip


@pytest.mark.parametrize("case", NAMED)
def test_a_module_that_becomes_a_plugin_is_judged_as_one(check, case: str) -> None:
    files = NAMED[case]
    quiet = {
        path: text.replace("items.pop()", "items.sort()").replace("found.pop()", "found.sort()")
        for path, text in files.items()
    }

    assert {"collection-tampered"} == {finding.row for finding in check({}, files)}
    assert quiet != files


@pytest.mark.parametrize("case", NAMED)
def test_a_quiet_plugin_says_nothing(check, case: str) -> None:
    quiet = {
        path: text.replace("items.pop()", "items.sort()").replace("found.pop()", "found.sort()")
        for path, text in NAMED[case].items()
    }

    assert check({}, quiet) == []


def test_an_old_module_that_is_now_loaded_counts_as_new(check) -> None:
    [finding] = check({"tests/order.py": DROPS}, {"conftest.py": "pytest_plugins = ['tests.order']\n"})

    assert finding.path == "tests/order.py"


def test_a_conftest_that_does_not_parse_is_reported(check) -> None:
    assert [finding.row for finding in check({CONFTEST: "x = 1\n"}, {CONFTEST: "def (\n"})] == [
        "collection-tampered"
    ]


BODIES = {
    "exit-before-checks": ("import sys\n\n\ndef test_a():\n    sys.exit(0)\n    assert 1\n", True),
    "exit-in-branch": ("import os\n\n\ndef test_a():\n    if 1:\n        os._exit(0)\n    assert 1\n", True),
    "raise-system-exit": ("def test_a():\n    raise SystemExit(0)\n", True),
    "pytest-exit": ("import pytest\n\n\ndef test_a():\n    pytest.exit('done', returncode=0)\n", True),
    "pytest-exit-in-helper": ("import pytest\n\n\ndef done():\n    pytest.exit('done', 0)\n\n\ndef test_a():\n    done()\n", True),
    "alias": ("from os import _exit as bye\n\n\ndef test_a():\n    bye(0)\n", True),
    "set-up": ("import sys\nimport unittest\n\n\nclass TestA(unittest.TestCase):\n    def setUp(self):\n        sys.exit(0)\n", True),
    "load-tests-empty": ("import unittest\n\n\ndef load_tests(loader, tests, pattern):\n    return unittest.TestSuite()\n", True),
    "load-tests-filter": (
        "import unittest\n\n\ndef load_tests(loader, tests, pattern):\n    return unittest.TestSuite(t for t in tests if 'a' in str(t))\n",
        True,
    ),
    "load-tests-doctests": (
        "import doctest\n\n\ndef load_tests(loader, tests, pattern):\n    tests.addTests(doctest.DocTestSuite('pkg'))\n    return tests\n",
        False,
    ),
    "expected-exit": ("import sys\n\nimport pytest\n\n\ndef test_a():\n    with pytest.raises(SystemExit):\n        sys.exit(3)\n", False),
    "caught-exit": (
        "import sys\n\n\ndef test_a():\n    try:\n        sys.exit(3)\n    except SystemExit as error:\n        assert error.code == 3\n",
        False,
    ),
    "fake-main": ("import sys\n\n\ndef test_a():\n    def main():\n        sys.exit(3)\n    assert main\n", False),
    "forked-child": ("import os\n\n\ndef test_a():\n    if os.fork() == 0:\n        os._exit(0)\n    assert 1\n", False),
    "process-target": (
        "import multiprocessing\nimport os\n\n\ndef child():\n    os._exit(3)\n\n\ndef test_a():\n    multiprocessing.Process(target=child).start()\n    assert 1\n",
        False,
    ),
    "script-text": ("import subprocess\n\n\ndef test_a():\n    assert subprocess.run(['python', '-c', 'import sys; sys.exit(3)'])\n", False),
    "main-guard": ("import unittest\n\n\ndef test_a():\n    assert 1\n\n\nif __name__ == '__main__':\n    unittest.main()\n", False),
}  # fmt: skip


@pytest.mark.parametrize("case", BODIES)
def test_exits_in_test_code(check, case: str) -> None:
    text, is_trick = BODIES[case]

    assert (["collection-tampered"] if is_trick else []) == [
        finding.row for finding in check({}, {"tests/test_a.py": text})
    ]


def test_an_exit_that_moves_with_its_test_says_nothing(check) -> None:
    text = "import sys\n\n\ndef test_a():\n    sys.exit(3)\n"

    assert check({"tests/test_a.py": text}, {"tests/test_a.py": None, "tests/test_b.py": text}) == []
