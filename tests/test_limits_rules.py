"""
What a command line holds a run to: floors, warnings, time limits and profiles are compared by what counts.
"""

# ruff: noqa: E501  # a case stands on one line, however long it is

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oraclekeep.rules.configuration import suite_settings
from oraclekeep.rules.workflows import ci_machinery

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from oraclekeep.model import Finding

    Check = Callable[[Mapping[str, str], Mapping[str, str | None]], list[Finding]]
    Side = dict[str, str | None]

CI, PROJECT = ".github/workflows/ci.yml", "pyproject.toml"
CONFTEST = """\
import os

from hypothesis import settings

settings.register_profile("ci", max_examples=500)
settings.register_profile("dev", max_examples=10)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))
"""
TREE = {"tests/test_a.py": "def test_a():\n    assert 1\n", "tests/conftest.py": CONFTEST, PROJECT: ""}


def flow(*lines: str, env: str = "") -> Side:
    steps = "".join(f"      - run: {line}\n" for line in lines)
    said = f"env:\n  {env}\n" if env else ""
    return {CI: f"on: pull_request\n{said}jobs:\n  tests:\n    steps:\n{steps}"}


def toml(pytest: str = "", coverage: str = "", run: str = "", extra: str = "") -> Side:
    tables = {"pytest.ini_options": pytest, "coverage.report": coverage, "coverage.run": run}
    text = "".join(f"[tool.{name}]\n{body}\n" for name, body in tables.items() if body)
    return {PROJECT: text + extra}


def make(*rows: str, top: str = "") -> Side:
    return {"Makefile": top + "check:\n" + "".join(f"\t{row}\n" for row in rows)}


def nox(*words: str) -> Side:
    return {
        "noxfile.py": f"import nox\n\n\n@nox.session\ndef tests(session):\n    session.run({', '.join(map(repr, words))})\n"
    }


@pytest.fixture
def check(make_repo, patch_of) -> Check:
    def run(base: Mapping[str, str], head: Mapping[str, str | None]) -> list[Finding]:
        repo = make_repo()
        repo.commit({**TREE, **base})
        repo.git("switch", "--quiet", "--create", "patch")
        repo.commit(head)
        patch = patch_of(repo)
        return [finding for rule in (ci_machinery, suite_settings) for finding in rule(patch)]

    return run


LINE = "pytest --cov=shop --cov-fail-under=90"
REPORT = "coverage report --fail-under=90"
LOOSER: dict[str, tuple[Side, Side]] = {
    "floor-lowered": (flow(LINE), flow(LINE.replace("90", "50"))),
    "floor-gone": (flow(LINE), flow("pytest --cov=shop")),
    "floor-that-is-no-number": (flow(LINE), flow(LINE.replace("90", "nan"))),
    "floor-of-a-makefile": (make(LINE), make("pytest --cov=shop")),
    "floor-of-a-session": (nox(*LINE.split()), nox("pytest", "--cov=shop", "--cov-fail-under", "20")),
    "floor-of-the-settings-passed-by": (flow("pytest --cov") | toml(coverage="fail_under = 90"), flow("pytest --cov --cov-fail-under=10")),
    "floor-of-a-report": (flow("coverage run -m pytest", REPORT), flow("coverage run -m pytest", "coverage report -m --fail-under 40")),
    "no-longer-measured": (flow(LINE), flow("pytest")),
    "no-longer-measured-by-settings": (flow("pytest --cov") | toml(coverage="fail_under = 90"), flow("pytest")),
    "diff-cover": (flow("diff-cover coverage.xml --fail-under=90"), flow("diff-cover coverage.xml --fail-under=9")),
    "another-floor-stood-before": (flow(LINE) | make(REPORT), flow(LINE.replace("90", "9")) | make(REPORT)),
    "branches-of-a-line": (flow("coverage run --branch -m pytest", REPORT), flow("coverage run -m pytest", REPORT)),
    "branches-of-pytest": (flow(f"{LINE} --cov-branch"), flow(LINE)),
    "branches-of-addopts": (toml("addopts = '--cov --cov-branch --cov-fail-under=90'"), toml("addopts = '--cov --cov-fail-under=90'")),
    "omit": (flow("coverage run -m pytest", REPORT), flow("coverage run -m pytest", f"{REPORT} --omit='src/*'")),
    "omit-in-the-run": (flow("coverage run -m pytest", REPORT), flow("coverage run --omit src/shop/hard.py -m pytest", REPORT)),
    "include": (flow("coverage run -m pytest", REPORT), flow("coverage run -m pytest", f"{REPORT} --include=src/shop/easy.py")),
    "source": (flow(LINE), flow(LINE.replace("=shop", "=shop.easy"))),
    "python-w": (flow("python -W error -m pytest"), flow("python -m pytest")),
    "python-w-joined": (flow("python -Werror -m pytest"), flow("pytest -W default")),
    "pytest-w": (flow("pytest -W error"), flow("pytest")),
    "pytest-w-opened": (flow("pytest -W error"), flow("pytest -W error -W ignore::UserWarning")),
    "environment": (flow("pytest", env="PYTHONWARNINGS: error"), flow("pytest")),
    "environment-before-a-command": (flow("PYTHONWARNINGS=error pytest"), flow("pytest")),
    "environment-of-a-wrapper": (flow("env PYTHONWARNINGS=error pytest"), flow("pytest")),
    "environment-exported": (flow("export PYTHONWARNINGS=error; pytest"), flow("export PYTHONWARNINGS=default; pytest")),
    "environment-of-make": (make("pytest", top="export PYTHONWARNINGS=error\n"), make("pytest")),
    "environment-of-tox": ({"tox.ini": "[testenv]\nsetenv = PYTHONWARNINGS=error\ncommands = pytest\n"}, {"tox.ini": "[testenv]\ncommands = pytest\n"}),
    "environment-of-tox-tables": ({"tox.toml": "[env_run_base]\nset_env = {PYTHONWARNINGS = 'error'}\ncommands = [['pytest']]\n"}, {"tox.toml": "[env_run_base]\ncommands = [['pytest']]\n"}),
    "environment-of-gitlab": ({".gitlab-ci.yml": "variables:\n  PYTHONWARNINGS: error\nunit:\n  script: [pytest]\n"}, {".gitlab-ci.yml": "unit:\n  script: [pytest]\n"}),
    "timeout-raised": (flow("pytest --timeout=10"), flow("pytest --timeout=1000")),
    "timeout-gone": (flow("pytest --timeout 10"), flow("pytest")),
    "timeout-off": (flow("pytest --timeout=10"), flow("pytest --timeout=0")),
    "timeout-of-the-settings": (toml("timeout = 10"), toml("timeout = 600")),
    "timeout-of-the-settings-gone": (toml("timeout = 10"), toml("")),
    "missing-pythons": (flow("tox"), flow("tox --skip-missing-interpreters=true")),
    "missing-pythons-of-one": (flow("tox -e py313"), flow("tox -s -e py313")),
    "profile": (flow("pytest --hypothesis-profile=ci"), flow("pytest --hypothesis-profile=dev")),
    "profile-gone": (flow("pytest --hypothesis-profile=ci"), flow("pytest")),
    "profile-by-environment": (flow("HYPOTHESIS_PROFILE=ci pytest"), flow("HYPOTHESIS_PROFILE=dev pytest")),
    "profile-of-a-workflow": (flow("pytest", env="HYPOTHESIS_PROFILE: ci"), flow("pytest")),
    "profile-of-addopts": (toml("addopts = '--hypothesis-profile=ci'"), toml("addopts = '--hypothesis-profile=dev'")),
}  # fmt: skip


@pytest.mark.parametrize("case", LOOSER)
def test_a_run_that_is_held_to_less_is_reported_once(check, case: str) -> None:
    base, head = LOOSER[case]
    [finding] = check(base, head)

    assert finding.row in {"machinery-weakened", "collection-tampered"}


KEPT: dict[str, tuple[Side, Side]] = {
    "floor-raised": (flow(LINE), flow(LINE.replace("90", "95"))),
    "floor-respelled": (flow(LINE), flow("python -m pytest --cov shop --cov-fail-under 90.0")),
    "floor-to-the-settings": (flow(LINE), flow("pytest --cov=shop") | toml(coverage="fail_under = 90")),
    "floor-to-addopts": (flow(LINE), flow("pytest") | toml("addopts = '--cov=shop --cov-fail-under=90'")),
    "floor-from-the-settings": (flow("pytest --cov") | toml(coverage="fail_under = 90"), flow("pytest --cov --cov-fail-under=90")),
    "floor-to-a-report": (flow(LINE), flow("pytest --cov=shop", REPORT)),
    "floor-to-a-report-in-another-job": (flow(LINE), {CI: f"{flow('pytest --cov=shop')[CI]}  combined:\n    steps:\n      - run: {REPORT}\n"}),
    "floor-from-a-report": (flow("coverage run -m pytest", REPORT), flow(LINE)),
    "floor-of-a-report-to-the-settings": (flow("coverage run -m pytest", REPORT), flow("coverage run -m pytest", "coverage report") | toml(coverage="fail_under = 90")),
    "floor-said-twice": (flow(LINE, REPORT), flow("pytest --cov=shop", REPORT)),
    "floor-of-diff-cover-to-the-settings": (flow("diff-cover coverage.xml --fail-under=90"), flow("diff-cover coverage.xml") | toml(extra="[tool.diff_cover]\nfail_under = 90\n")),
    "floor-without-a-measurement": (flow("pytest --cov-fail-under=90"), flow("pytest")),
    "measured-elsewhere": (flow("pytest --cov") | toml(coverage="fail_under = 90"), flow("coverage run -m pytest", "coverage report")),
    "no-floor": (flow("pytest --cov"), flow("pytest")),
    "branches-to-the-settings": (flow("coverage run --branch -m pytest", REPORT), flow("coverage run -m pytest", REPORT) | toml(run="branch = true")),
    "branches-to-pytest": (flow("coverage run --branch -m pytest", REPORT), flow(f"{LINE} --cov-branch")),
    "branches-to-addopts": (toml("addopts = '--cov --cov-fail-under=90'", run="branch = true"), toml("addopts = '--cov --cov-fail-under=90 --cov-branch'")),
    "branches-without-a-floor": (flow("coverage run --branch -m pytest"), flow("coverage run -m pytest")),
    "omit-tests": (flow("coverage run -m pytest", REPORT), flow("coverage run -m pytest", f"{REPORT} --omit='tests/*,*/tests/*,tests/conftest.py'")),
    "omit-from-the-settings": (flow("coverage run -m pytest", REPORT) | toml(run="omit = ['src/a.py']"), flow("coverage run -m pytest", f"{REPORT} --omit=src/a.py")),
    "omit-without-a-floor": (flow("coverage run -m pytest", "coverage report"), flow("coverage run -m pytest", "coverage report --omit=src/a.py")),
    "source-by-path": (flow(LINE), flow(LINE.replace("=shop", "=src/shop"))),
    "source-spelt-out": (flow(LINE.replace("=shop", "=src")), flow(LINE)),
    "source-added": (flow(LINE), flow(f"{LINE} --cov=shop.extra")),
    "coverage-of-a-source": (flow("pytest"), flow("coverage run --source shop --parallel-mode -m pytest")),
    "warnings-to-pytest": (flow("python -W error -m pytest"), flow("pytest -W error")),
    "warnings-to-the-settings": (flow("pytest -W error"), flow("pytest") | toml("filterwarnings = ['error']")),
    "warnings-to-the-environment": (flow("pytest -W error"), flow("pytest", env="PYTHONWARNINGS: error")),
    "warnings-in-the-settings-already": (flow("pytest", env="PYTHONWARNINGS: error") | toml("filterwarnings = ['error']"), flow("pytest")),
    "warnings-respelled": (flow("PYTHONWARNINGS=error pytest"), flow("env PYTHONWARNINGS=error pytest")),
    "warnings-of-another-command": (flow("PYTHONWARNINGS=error make docs", "pytest"), flow("make docs", "pytest")),
    "warnings-shown": (flow("pytest -W default"), flow("pytest")),
    "timeout-lowered": (flow("pytest --timeout=10"), flow("pytest --timeout=5")),
    "timeout-of-a-slow-runner": (flow("pytest --timeout=600"), flow("pytest --timeout=900")),
    "timeout-of-the-settings-raised-a-bit": (toml("timeout = 10"), toml("timeout = 30")),
    "timeout-added": (flow("pytest"), flow("pytest --timeout=100")),
    "timeout-to-the-settings": (flow("pytest --timeout=10"), flow("pytest") | toml("timeout = 10")),
    "timeout-to-the-environment": (flow("pytest --timeout=10"), flow("PYTEST_TIMEOUT=10 pytest")),
    "timeout-of-the-settings-lowered": (toml("timeout = 10"), toml("timeout = 5")),
    "timeout-to-addopts": (toml("timeout = 10"), toml("addopts = '--timeout=10'")),
    "missing-pythons-already": (flow("tox --skip-missing-interpreters=true"), flow("tox -s true")),
    "missing-pythons-fail": (flow("tox"), flow("tox --skip-missing-interpreters false")),
    "profile-unknown": (flow("pytest --hypothesis-profile=big"), flow("pytest --hypothesis-profile=other")),
    "profile-that-draws-more": (flow("pytest --hypothesis-profile=dev"), flow("pytest --hypothesis-profile=ci")),
    "profile-to-the-environment": (flow("pytest --hypothesis-profile=ci"), flow("pytest", env="HYPOTHESIS_PROFILE: ci")),
    "profile-to-the-conftest": (flow("pytest --hypothesis-profile=ci"), flow("pytest") | {"tests/conftest.py": CONFTEST.replace('"dev"))', '"ci"))')}),
    "profile-to-addopts": (flow("pytest --hypothesis-profile=ci"), flow("pytest") | toml("addopts = '--hypothesis-profile=ci'")),
}  # fmt: skip


@pytest.mark.parametrize("case", KEPT)
def test_what_holds_as_much_says_nothing(check, case: str) -> None:
    base, head = KEPT[case]

    assert check(base, head) == []
