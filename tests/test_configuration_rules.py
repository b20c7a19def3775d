"""
Settings of pytest and coverage are compared by what they do, wherever they stand.
"""

# ruff: noqa: E501  # a case stands on one line, however long it is

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oraclekeep.rules.configuration import suite_settings
from oraclekeep.rules.startup import environment, startup_files
from oraclekeep.rules.statuses import coverage_statuses

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from oraclekeep.model import Finding

    Check = Callable[[Mapping[str, str], Mapping[str, str | None]], list[Finding]]

TREE = {
    "src/pkg/__init__.py": 'def f(x):\n    """\n    >>> f(1)\n    1\n    """\n    return x\n',
    "tests/test_a.py": "def test_a():\n    assert 1\n\n\nclass TestB:\n    def test_b(self):\n        assert 1\n",
    "tests/check_b.py": "def check_b():\n    assert 1\n",
    "tests/slow/test_c.py": "def test_c():\n    assert 1\n",
    "docs/conf.py": "x = 1\n",
}


def toml(body: str, extra: str = "") -> dict[str, str]:
    return {"pyproject.toml": f"[tool.pytest.ini_options]\n{body}\n{extra}"}


def ini(body: str, section: str = "pytest") -> str:
    return f"[{section}]\n{body}\n"


@pytest.fixture
def check(make_repo, patch_of) -> Check:
    def run(base: Mapping[str, str], head: Mapping[str, str | None]) -> list[Finding]:
        repo = make_repo()
        repo.commit({**TREE, **base})
        repo.git("switch", "--quiet", "--create", "patch")
        repo.commit(head)
        patch = patch_of(repo)
        return [
            finding
            for rule in (suite_settings, environment, startup_files, coverage_statuses)
            for finding in rule(patch)
        ]

    return run


PLAIN = toml('testpaths = ["tests"]\naddopts = "-ra --strict-markers"\nxfail_strict = true')

LESS = {
    "testpaths-one-file": (PLAIN, toml('testpaths = ["tests/test_a.py"]\naddopts = "-ra --strict-markers"\nxfail_strict = true')),
    "testpaths-by-addopts": (toml('testpaths = ["tests"]'), toml('addopts = "tests/slow"\ntestpaths = ["tests"]')),
    "testpaths-nothing-there": ({"pytest.ini": ini("testpaths = checks")}, {"pytest.ini": ini("testpaths = checks/unit")}),
    "python-files": (toml('python_files = ["test_*.py", "check_*.py"]'), toml('python_files = ["test_*.py"]')),
    "python-functions": (toml('python_files = ["check_*.py"]\npython_functions = ["check"]'), toml('python_files = ["check_*.py"]')),
    "python-classes": (toml(""), toml('python_classes = ["Spec*"]')),
    "norecursedirs": (toml(""), toml('norecursedirs = ["slow", ".*"]')),
    "ignore": (toml(""), toml('addopts = "--ignore=tests/slow"')),
    "ignore-glob": (toml(""), toml("addopts = \"--ignore-glob='tests/*_c.py'\"")),
    "ignore-glob-folder": (toml(""), toml('addopts = ["--ignore-glob", "tests/sl*"]')),
    "deselect": (toml(""), toml('addopts = ["--deselect", "tests/test_a.py::test_a"]')),
    "keyword": (toml(""), toml("addopts = \"-k 'not test_a'\"")),
    "keyword-joined": (toml(""), toml('addopts = "-vknot_slow"')),
    "marker": (toml(""), toml("addopts = \"-m 'not slow'\"")),
    "marker-narrowed": (toml("addopts = \"-m 'not slow'\""), toml("addopts = \"-m 'not slow and not net'\"")),
    "marker-replaced": (toml("addopts = \"-m 'a or b'\""), toml('addopts = "-m a"')),
    "plugin-off": (toml(""), toml('addopts = "-p no:unittest"')),
    "plugin-off-joined": (toml(""), toml('addopts = "-pno:doctest"')),
    "plugin-off-asyncio": (toml(""), toml('addopts = "-p no:asyncio"')),
    "collect-only": (toml(""), toml('addopts = "--co -q"')),
    "last-failed": (toml(""), toml('addopts = "--lf"')),
    "assert-plain": (toml(""), toml('addopts = "--assert=plain"')),
    "assert-plain-apart": (toml(""), toml('addopts = "--assert plain"')),
    "no-conftest": (toml(""), toml('addopts = "--noconftest"')),
    "exit-code": (toml(""), toml('addopts = "--suppress-tests-failed-exit-code"')),
    "reruns": (toml(""), toml('addopts = "--reruns 5"')),
    "reruns-raised": (toml('addopts = "--reruns=1"'), toml('addopts = "--reruns=9"')),
    "snapshots": (toml(""), toml('addopts = "--snapshot-update"')),
    "inline-snapshots": (toml(""), toml('addopts = "--inline-snapshot=fix"')),
    "custom-skip-option": (toml(""), toml('addopts = "--skip-slow"')),
    "custom-run-option-gone": (toml('addopts = "--runslow"'), toml("")),
    "doctests-gone": (toml('addopts = "--doctest-modules"\ntestpaths = ["src", "tests"]'), toml('testpaths = ["src", "tests"]')),
    "figures-compared-no-more": (toml('addopts = "--mpl"'), toml('addopts = ""')),
    "doctests-out-of-reach": (
        toml('addopts = "--doctest-modules"\ntestpaths = ["src", "tests"]'),
        toml('addopts = "--doctest-modules"\ntestpaths = ["tests"]'),
    ),
    "doctest-glob-gone": (toml('addopts = "--doctest-glob=*.md"'), toml("")),
    "doctest-flags": (
        toml('addopts = "--doctest-modules"'),
        toml('addopts = "--doctest-modules"\ndoctest_optionflags = ["IGNORE_EXCEPTION_DETAIL"]'),
    ),
    "xfail-strict-off": (PLAIN, toml('testpaths = ["tests"]\naddopts = "-ra --strict-markers"\nxfail_strict = false')),
    "xfail-strict-gone": (PLAIN, toml('testpaths = ["tests"]\naddopts = "-ra --strict-markers"')),
    "xfail-strict-overridden": (PLAIN, toml('testpaths = ["tests"]\naddopts = "--strict-markers -o xfail_strict=0"\nxfail_strict = true')),
    "strict-gone": (toml("strict = true"), toml("")),
    "strict-markers-gone": (PLAIN, toml('testpaths = ["tests"]\naddopts = "-ra"\nxfail_strict = true')),
    "error-filter-gone": (toml('filterwarnings = ["error"]'), toml("filterwarnings = []")),
    "error-filter-narrowed": (toml('filterwarnings = ["error"]'), toml('filterwarnings = ["error::DeprecationWarning"]')),
    "ignore-filter-added": (toml('filterwarnings = ["error"]'), toml('filterwarnings = ["error", "ignore::UserWarning"]')),
    "ignore-filter-own-module": (
        toml('filterwarnings = ["error"]'),
        toml("filterwarnings = ['error', 'ignore::DeprecationWarning:pkg.*']"),
    ),
    "dash-w-error-gone": (toml('addopts = "-W error"'), toml("")),
    "warnings-plugin-off": (toml('filterwarnings = ["error"]'), toml('filterwarnings = ["error"]\naddopts = "-p no:warnings"')),
    "empty-parameters": (toml('empty_parameter_set_mark = "fail_at_collect"'), toml("")),
    "new-file-takes-over": (PLAIN, {"pytest.ini": ini("testpaths = tests\npython_files = test_a.py")}),
    "new-empty-file-takes-over": (PLAIN, {"pytest.ini": ""}),
    "hidden-file-takes-over": (PLAIN, {".pytest.ini": ini("addopts = -k a")}),
    "nested-file-takes-over": (PLAIN, {"tests/pytest.ini": ini("addopts = --strict-markers -k a\nxfail_strict = true")}),
    "file-deleted": ({"pytest.ini": ini("xfail_strict = true")}, {"pytest.ini": None}),
    "section-renamed": ({"setup.cfg": ini("xfail_strict = true", "tool:pytest")}, {"setup.cfg": ini("xfail_strict = true", "pytest")}),
    "toml-broken": (PLAIN, {"pyproject.toml": PLAIN["pyproject.toml"] + "\n[tool.pytest.ini_options"}),
    "ini-broken": ({"pytest.ini": ini("xfail_strict = true")}, {"pytest.ini": "xfail_strict = true\n"}),
    "file-moved-and-hidden": (
        toml('testpaths = ["tests"]'),
        {**toml('testpaths = ["tests"]\nnorecursedirs = ["attic"]'), "tests/test_a.py": None, "tests/attic/test_a.py": TREE["tests/test_a.py"]},
    ),
    "options-file": (toml(""), {**toml("addopts = '@more.txt'"), "more.txt": "-k a\n"}),
    "stub-folder": (toml('pythonpath = ["src"]'), {**toml('pythonpath = ["stubs", "src"]'), "stubs/pkg/__init__.py": "def f(x):\n    return 1\n"}),
    "pytest-env": (toml(""), toml("", '[tool.pytest_env]\nPYTHONOPTIMIZE = "1"\n')),
    "env-lines": ({"pytest.ini": ini("")}, {"pytest.ini": ini("env =\n    PYTEST_ADDOPTS=-k fast")}),
    "tox-env": ({"tox.ini": "[testenv]\ncommands = pytest\n"}, {"tox.ini": "[testenv]\nsetenv = PYTEST_ADDOPTS=--deselect tests/test_a.py\ncommands = pytest\n"}),
    "docker-env": ({"Dockerfile": "FROM python\n"}, {"Dockerfile": "FROM python\nENV PYTHONOPTIMIZE=2\n"}),
    "sitecustomize": ({}, {"sitecustomize.py": "import unittest\nunittest.TestCase.run = None\n"}),
    "pth": ({}, {"src/pkg.pth": "import os; os.environ['X'] = '1'\n"}),
    "hiding-dependency": (toml(""), toml("", '[dependency-groups]\ntest = ["pytest-ignore-flaky>=2"]\n')),
    "hiding-dependency-in-a-session": (
        {"ci/gate_sessions.py": 'TESTS = ("pytest",)\n'},
        {"ci/gate_sessions.py": 'TESTS = ("pytest", "pytest-ignore-flaky")\n'},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", LESS)
def test_a_run_that_collects_runs_or_reports_less_is_reported(check, case: str) -> None:
    base, head = LESS[case]

    assert {"collection-tampered"} == {finding.row for finding in check(base, head)}


SAME = {
    "reordered": (PLAIN, toml('xfail_strict = true\naddopts = "--strict-markers -ra"\ntestpaths = ["tests"]')),
    "reformatted": (PLAIN, toml('testpaths = [\n    "tests/",\n]\naddopts = ["-ra", "--strict-markers"]\nxfail_strict = true')),
    "moved-to-ini": (
        PLAIN,
        {"pyproject.toml": "[project]\nname = 'x'\n", "pytest.ini": ini("testpaths =\n    tests\naddopts = -ra --strict-markers\nxfail_strict = True")},
    ),
    "moved-to-toml": (
        {"setup.cfg": ini("testpaths = tests\nxfail_strict = on", "tool:pytest")},
        {"setup.cfg": "[metadata]\nname = x\n", "pytest.toml": '[pytest]\ntestpaths = ["tests"]\nxfail_strict = true\n'},
    ),
    "native-table": (PLAIN, {"pyproject.toml": '[tool.pytest]\ntestpaths = ["tests"]\naddopts = ["-ra", "--strict-markers"]\nxfail_strict = true\n'}),
    "strict-instead": (PLAIN, toml('testpaths = ["tests"]\nstrict = true')),
    "ini-instead-of-flag": (PLAIN, toml('testpaths = ["tests"]\nstrict_markers = true\nxfail_strict = true')),
    "stricter": (PLAIN, toml('testpaths = ["tests"]\naddopts = "-ra --strict-markers --strict-config -W error"\nxfail_strict = true')),
    "more-paths": (PLAIN, toml('testpaths = ["tests", "src"]\naddopts = "-ra --strict-markers --doctest-modules"\nxfail_strict = true')),
    "paths-spelt-out": (toml('testpaths = ["tests"]'), toml('testpaths = ["tests/slow", "tests/test_a.py"]')),
    "first-testpaths": (toml(""), toml('testpaths = ["tests"]')),
    "marker-registered": (PLAIN, {"pyproject.toml": PLAIN["pyproject.toml"] + '\nmarkers = ["net: needs a network"]\n'}),
    "workers": (toml('addopts = "-ra"'), toml('addopts = "-ra -n 2 --dist loadscope"')),
    "stops-earlier": (toml(""), toml('addopts = "-x --maxfail=1 --ff --nf"')),
    "output": (toml('addopts = "-ra"'), toml('addopts = "-q --tb=short --color yes --durations 5 --no-header --junitxml report/junit.xml"')),
    "import-mode": (toml(""), toml('addopts = "--import-mode=importlib"')),
    "unknown-value": (toml(""), toml('addopts = "--ds config.settings --some-option value"')),
    "ignore-without-tests": (toml(""), toml('addopts = "--ignore=docs --ignore build"')),
    "cache-off": (toml(""), toml('addopts = "-p no:cacheprovider -p no:randomly"')),
    "warnings-off-unfiltered": (toml(""), toml('addopts = "-p no:warnings"\nfilterwarnings = ["ignore::UserWarning"]')),
    "marker-widened": (toml("addopts = \"-m 'not slow and not net'\""), toml("addopts = \"-m 'not slow'\"")),
    "marker-rewritten": (toml("addopts = \"-m 'not (slow or net)'\""), toml("addopts = \"-m 'not net and not slow'\"")),
    "deselect-dropped": (toml('addopts = "--deselect tests/test_a.py::test_a"'), toml("")),
    "error-moved": (toml('addopts = "-W error"'), toml('filterwarnings = ["error"]')),
    "error-widened": (toml('filterwarnings = ["error::UserWarning"]'), toml('filterwarnings = ["error"]')),
    "norecursedirs-without-tests": (toml(""), toml('norecursedirs = ["docs", "build"]')),
    "ignore-filter-for-others": (
        toml('filterwarnings = ["error"]'),
        toml("filterwarnings = ['error', 'ignore:ast.Num is deprecated:DeprecationWarning:astor']"),
    ),
    "folder-moved": (
        toml('testpaths = ["tests"]'),
        {
            **toml('testpaths = ["checks"]'),
            **{path.replace("tests/", "checks/"): text for path, text in TREE.items() if path.startswith("tests/")},
            **{path: None for path in TREE if path.startswith("tests/")},
        },
    ),
    "helper-folder": (toml('pythonpath = ["src"]'), {**toml('pythonpath = ["src", "tests/lib"]'), "tests/lib/helpers.py": "x = 1\n"}),
    "sample-project": (PLAIN, {"docs/example/pytest.ini": ini("addopts = -k nothing")}),
    "harmless-env": ({"tox.ini": "[testenv]\ncommands = pytest\n"}, {"tox.ini": "[testenv]\nsetenv =\n    PYTEST_ADDOPTS=--color=yes\n    PYTHONOPTIMIZE=0\ncommands = pytest\n"}),
    "honest-dependencies": (toml(""), toml("", '[dependency-groups]\ntest = ["pytest-xdist", "pytest-cov", "pytest-rerunfailures"]\n')),
    "coverage-start": ({}, {"sitecustomize.py": '"""Start coverage."""\nimport coverage\n\ncoverage.process_startup()\n'}),
    "path-file": ({}, {"src/pkg.pth": "/opt/lib\n"}),
    "other-tables": (PLAIN, {"pyproject.toml": PLAIN["pyproject.toml"] + "\n[tool.ruff]\nline-length = 100\n"}),
}  # fmt: skip


@pytest.mark.parametrize("case", SAME)
def test_an_honest_edit_of_settings_says_nothing(check, case: str) -> None:
    base, head = SAME[case]

    assert check(base, head) == []


def cover(report: str = "", run: str = "", addopts: str = "") -> dict[str, str]:
    tables = f"[tool.coverage.report]\n{report}\n[tool.coverage.run]\n{run}\n"
    return toml(f'addopts = "{addopts}"', tables)


def status(text: str, path: str = "codecov.yml") -> dict[str, str]:
    return {path: f"coverage:\n  status:\n{text}"}


PROJECT = "    project:\n      default:\n        target: 90%\n        threshold: 1%\n"
FLOOR = {
    "status-lowered": (status(PROJECT), status(PROJECT.replace("90", "60")), True),
    "status-lets-more-pass": (status(PROJECT), status(PROJECT.replace("1%", "30%")), True),
    "status-informs": (status(PROJECT), status(PROJECT + "        informational: true\n"), True),
    "status-off": (status(PROJECT), status("    project: off\n"), True),
    "status-file-gone": (status(PROJECT), {"codecov.yml": None}, True),
    "status-of-the-patch": (status(PROJECT + "    patch: true\n"), status(PROJECT + "    patch: false\n"), True),
    "status-follows-base-no-more": (status(PROJECT.replace("90%", "auto")), status(PROJECT), True),
    "status-broken": (status(PROJECT), {"codecov.yml": "coverage: ["}, True),
    "status-raised": (status(PROJECT), status(PROJECT.replace("90", "95")), False),
    "status-moved": (status(PROJECT), {"codecov.yml": None, **status(PROJECT, ".github/codecov.yml")}, False),
    "status-added": (status(PROJECT), status(PROJECT + "    patch:\n      default:\n        target: 80%\n"), False),
    "status-comment": (status(PROJECT), {"codecov.yml": status(PROJECT)["codecov.yml"] + "comment: false\n"}, False),
    "lowered": (cover("fail_under = 95"), cover("fail_under = 60"), True),
    "removed": (cover("fail_under = 95"), cover(), True),
    "lowered-in-addopts": (cover(addopts="--cov --cov-fail-under=90"), cover(addopts="--cov --cov-fail-under=50"), True),
    "omit": (cover("fail_under = 95"), cover("fail_under = 95", 'omit = ["src/pkg/hard.py"]'), True),
    "exclude": (cover("fail_under = 95"), cover('fail_under = 95\nexclude_lines = ["except"]'), True),
    "branch": (cover("fail_under = 95", "branch = true"), cover("fail_under = 95"), True),
    "shadowed": (cover("fail_under = 95"), {".coveragerc": "[report]\nshow_missing = true\n"}, True),
    "no-cov": (cover("fail_under = 95", addopts="--cov"), cover("fail_under = 95", addopts="--cov --no-cov"), True),
    "raised": (cover("fail_under = 80"), cover("fail_under = 85.5"), False),
    "moved-to-file": (cover("fail_under = 80"), {"pyproject.toml": "", ".coveragerc": "[report]\nfail_under = 80\n"}, False),
    "moved-to-addopts": (cover("fail_under = 80"), cover(addopts="--cov --cov-fail-under=80"), False),
    "moved-to-ci": (
        cover("fail_under = 80"),
        {**cover(), ".github/workflows/ci.yml": "on: push\njobs:\n  a:\n    steps:\n      - run: coverage report --fail-under=80\n"},
        False,
    ),
    "typing-lines": (cover("fail_under = 80"), cover('fail_under = 80\nexclude_also = ["if TYPE_CHECKING:", "@overload"]'), False),
    "omit-without-floor": (cover(), cover(run='omit = ["src/pkg/hard.py"]'), False),
}  # fmt: skip


@pytest.mark.parametrize("case", FLOOR)
def test_a_coverage_floor_is_kept_by_meaning(check, case: str) -> None:
    base, head, lower = FLOOR[case]

    assert ({"machinery-weakened"} if lower else set()) == {finding.row for finding in check(base, head)}


def test_a_finding_names_both_sides_and_the_line(check) -> None:
    [finding] = check(
        PLAIN,
        {"pyproject.toml": PLAIN["pyproject.toml"].replace("xfail_strict = true", "xfail_strict = false")},
    )

    assert (finding.path, finding.line) == ("pyproject.toml", 4)
    assert (finding.before, (finding.after or "").lower()) == ("xfail_strict = true", "xfail_strict = false")
    assert finding.message
    assert finding.advice
