"""
CI files, scripts and task files are compared by what runs, under which condition, and whether anybody hears of it.
"""

# ruff: noqa: E501  # a case stands on one line, however long it is

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from oraclekeep.machinery.shellrun import commands
from oraclekeep.rules.scripts import check_functions
from oraclekeep.rules.startup import environment
from oraclekeep.rules.workflows import ci_machinery

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from oraclekeep.model import Finding

    Check = Callable[[Mapping[str, str], Mapping[str, str | None]], list[Finding]]

CI, GATE, NOX, TASKS = ".github/workflows/ci.yml", "ci/gate.sh", "noxfile.py", "tasks.py"
WORKFLOW = """\
name: ci
on:
  pull_request:
  merge_group:
  push:
    branches: [main]
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: ruff check .
      - run: mypy src
  gate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - name: install
        run: python -m pip install nox pytest
      - name: environment
        run: |
          import os; import sys
          picked = f'TOXENV=py{"" if os.name == "nt" else "py"}3{sys.version_info.minor}'
          with open(os.environ["GITHUB_ENV"], "a") as file:
              file.write(picked)
        shell: python
      - name: tests
        run: python -m pytest tests
      - name: gate
        run: bash ci/gate.sh origin/main HEAD
  verdict:
    needs: [lint, gate]
    if: always()
    runs-on: ubuntu-latest
    steps:
      - run: test "${{ needs.gate.result }}" = success
"""
SCRIPT = """\
#!/usr/bin/env bash
set -euo pipefail
base="${1:-origin/main}"
python tasks.py locks
python -m pytest oracle/properties
oraclekeep score --base "$base"
if ! grep -q done notes.txt; then
  echo "notes are missing"
  exit 1
fi
"""
NOXFILE = """\
import nox

nox.options.sessions = ["tests", "properties", "gate"]
nox.options.error_on_missing_interpreters = True


@nox.session
def tests(session):
    session.install("pytest")
    session.run("python", "-m", "pytest", "tests", *session.posargs)


@nox.session(python=["3.11", "3.12"])
def properties(session):
    session.install("pytest", "hypothesis")
    session.run("pytest", "oracle/properties")


@nox.session
def gate(session):
    session.run("bash", "ci/gate.sh", *session.posargs)


@nox.session
def docs(session):
    session.run("sphinx-build", "docs", "site")
"""
TASKFILE = """\
import subprocess
import sys
from pathlib import Path

from invoke import Exit, task


def digest():
    return Path("a").read_text()


def check_locks():
    if Path("lock").read_text() != digest():
        print("stale")
        return 1
    return 0


@task
def verify(c):
    c.run("pytest tests/unit")
    if not Path("oracle").exists():
        raise Exit("no oracle", code=2)
    subprocess.run(["pytest", "invariants"], check=True)


if __name__ == "__main__":
    sys.exit(check_locks())
"""
TREE = {
    CI: WORKFLOW,
    GATE: SCRIPT,
    NOX: NOXFILE,
    TASKS: TASKFILE,
    "tests/test_a.py": "def test_a():\n    assert 1\n",
    "tests/unit/test_b.py": "def test_b():\n    assert 1\n",
    "oracle/properties/test_p.py": "def test_p():\n    assert 1\n",
}


@pytest.fixture
def check(make_repo, patch_of) -> Check:
    def run(base: Mapping[str, str], head: Mapping[str, str | None]) -> list[Finding]:
        repo = make_repo()
        repo.commit({**TREE, **base})
        repo.git("switch", "--quiet", "--create", "patch")
        repo.commit(head)
        patch = patch_of(repo)
        return [finding for rule in (ci_machinery, check_functions, environment) for finding in rule(patch)]

    return run


def edited(path: str, *changes: tuple[str, str]) -> dict[str, str | None]:
    text = TREE[path]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return {path: text}


PYTHON_STEP = WORKFLOW[WORKFLOW.index("      - name: environment") : WORKFLOW.index("      - name: tests")]
RUN_GATE, RUN_TESTS = "run: bash ci/gate.sh origin/main HEAD", "run: python -m pytest tests"
WEAKER = {
    "or-true": edited(CI, (RUN_GATE, RUN_GATE + " || true")),
    "or-colon": edited(CI, (RUN_TESTS, RUN_TESTS + " || :")),
    "or-echo-folded": edited(CI, (RUN_GATE, 'run: >-\n          bash ci/gate.sh origin/main HEAD\n          || echo "see the log"')),
    "or-exit-0": edited(CI, (RUN_GATE, RUN_GATE + " || exit 0")),
    "semicolon-true": edited(CI, (RUN_TESTS, RUN_TESTS + "; true").__class__((RUN_TESTS, "run: set +e; python -m pytest tests; true"))),
    "exit-0-after": edited(CI, (RUN_TESTS, "run: |\n          set +e\n          python -m pytest tests\n          exit 0")),
    "if-swallows": edited(CI, (RUN_TESTS, "run: if python -m pytest tests; then echo good; else echo bad; fi")),
    "background": edited(CI, (RUN_TESTS, "run: python -m pytest tests &")),
    "inverted": edited(CI, (RUN_TESTS, 'run: "! python -m pytest tests"')),
    "in-bash-c": edited(CI, (RUN_TESTS, "run: bash -c 'python -m pytest tests || true'")),
    "in-substitution": edited(CI, (RUN_TESTS, 'run: echo "$(python -m pytest tests)"')),
    "python-o": edited(CI, (RUN_TESTS, "run: python -O -m pytest tests")),
    "step-continue": edited(CI, (RUN_GATE, RUN_GATE + "\n        continue-on-error: true")),
    "job-continue": edited(CI, ("  gate:\n    runs-on: ubuntu-latest", "  gate:\n    continue-on-error: ${{ true }}\n    runs-on: ubuntu-latest")),
    "step-if": edited(CI, (RUN_GATE, RUN_GATE + "\n        if: github.actor != 'bot'")),
    "step-if-false": edited(CI, (RUN_TESTS, RUN_TESTS + "\n        if: ${{ false }}")),
    "job-if": edited(CI, ("  gate:\n    runs-on: ubuntu-latest", "  gate:\n    if: github.event_name == 'push'\n    runs-on: ubuntu-latest")),
    "gate-step-gone": edited(CI, ("      - name: gate\n        run: bash ci/gate.sh origin/main HEAD\n", "")),
    "gate-replaced-by-echo": edited(CI, (RUN_GATE, "run: echo gate")),
    "tests-step-gone": edited(CI, ("      - name: tests\n        run: python -m pytest tests\n", "")),
    "tests-narrowed-path": edited(CI, (RUN_TESTS, "run: python -m pytest tests/unit")),
    "tests-narrowed-keyword": edited(CI, (RUN_TESTS, 'run: python -m pytest tests -k "not a"')),
    "tests-deselect": edited(CI, (RUN_TESTS, "run: python -m pytest --deselect tests/test_a.py::test_a tests")),
    "tests-ignore": edited(CI, (RUN_TESTS, "run: python -m pytest tests --ignore tests/unit")),
    "tests-collect-only": edited(CI, (RUN_TESTS, "run: python -m pytest tests --co")),
    "tests-marker": edited(CI, (RUN_TESTS, "run: python -m pytest tests -m 'not slow'")),
    "other-config": edited(CI, (RUN_TESTS, "run: python -m pytest tests -c /dev/null")),
    "overridden-ini": edited(CI, (RUN_TESTS, "run: python -m pytest tests -o python_files=test_b.py")),
    "env-addopts": edited(CI, (RUN_TESTS, RUN_TESTS + "\n        env:\n          PYTEST_ADDOPTS: -k fast")),
    "env-optimize": edited(CI, ("jobs:\n", 'env:\n  PYTHONOPTIMIZE: "1"\njobs:\n')),
    "env-by-echo": edited(CI, ("pip install nox pytest", 'pip install nox pytest && echo "PYTEST_ADDOPTS=-k fast" >> $GITHUB_ENV')),
    "shallow": edited(CI, ("        with:\n          fetch-depth: 0\n", "")),
    "paths-filter": edited(CI, ("  pull_request:\n", '  pull_request:\n    paths: ["src/**"]\n')),
    "paths-ignore": edited(CI, ("  pull_request:\n", '  pull_request:\n    paths-ignore: ["src/**"]\n')),
    "branches-filter": edited(CI, ("  pull_request:\n", "  pull_request:\n    branches: [release]\n")),
    "merge-group-gone": edited(CI, ("  merge_group:\n", "")),
    "pull-request-gone": edited(CI, ("  pull_request:\n", "")),
    "only-by-hand": edited(CI, ("  pull_request:\n  merge_group:\n  push:\n    branches: [main]\n", "  workflow_dispatch:\n")),
    "privileged": edited(CI, ("  pull_request:\n", "  pull_request:\n  pull_request_target:\n")),
    "needs-dropped": edited(CI, ("needs: [lint, gate]", "needs: [lint]")),
    "verdict-skippable": edited(CI, ("    if: always()\n", "")),
    "verdict-hollow": edited(CI, ('test "${{ needs.gate.result }}" = success', "echo done")),
    "workflow-deleted": {CI: None},
    "workflow-broken": edited(CI, ("on:\n", "on: [\n")),
    "linter-silenced": edited(CI, ("run: ruff check .", "run: ruff check . --exit-zero")),
    "types-silenced": edited(CI, ("run: mypy src", "run: mypy src || true")),
    "types-gone": edited(CI, ("      - run: mypy src\n", "")),
    "shell-without-e": edited(CI, (RUN_TESTS, "run: |\n          python -m pytest tests\n          echo done\n        shell: bash {0}")),
    "script-or-true": edited(GATE, ("oracle/properties", "oracle/properties || true")),
    "script-pipe": edited(GATE, ("set -euo pipefail", "set -eu"), ("oracle/properties", "oracle/properties | tee log")),
    "script-errexit-gone": edited(GATE, ("set -euo pipefail", "set -uo pipefail")),
    "script-errexit-off": edited(GATE, ("python tasks.py", "set +e\npython tasks.py")),
    "script-early-exit": edited(GATE, ("python tasks.py", "exit 0\npython tasks.py")),
    "script-conditional-exit": edited(GATE, ("python tasks.py", '[ -n "${FAST:-}" ] && exit 0\npython tasks.py')),
    "script-conditional": edited(GATE, ("python -m pytest", '[ -n "${FULL:-}" ] && python -m pytest')),
    "script-if": edited(GATE, ("python -m pytest oracle/properties", 'if [ -n "$FULL" ]; then\n  python -m pytest oracle/properties\nfi')),
    "script-trap": edited(GATE, ("python tasks.py", "trap 'exit 0' EXIT\npython tasks.py")),
    "script-line-gone": edited(GATE, ('oraclekeep score --base "$base"\n', "")),
    "script-same-tree": edited(GATE, ('--base "$base"', "--base HEAD --head HEAD")),
    "script-check-tamed": edited(GATE, ("  exit 1\n", "  exit 0\n")),
    "script-never-called": edited(GATE, ("python -m pytest oracle/properties", "properties() {\n  python -m pytest oracle/properties\n}")),
    "script-heredoc": edited(GATE, ("python -m pytest oracle/properties", "cat > plan <<EOF\npython -m pytest oracle/properties\nEOF")),
    "nox-success-codes": edited(NOX, ('"oracle/properties")', '"oracle/properties", success_codes=[0, 1, 5])')),
    "nox-default-narrowed": edited(NOX, ('["tests", "properties", "gate"]', '["tests"]')),
    "nox-session-deleted": edited(NOX, ('"properties", ', ""), ('@nox.session(python=["3.11", "3.12"])\ndef properties', "def _properties")),
    "nox-run-gone": edited(NOX, ('    session.run("pytest", "oracle/properties")\n', "")),
    "nox-skip": edited(NOX, ('    session.run("bash"', '    session.skip("later")\n    session.run("bash"')),
    "nox-conditional": edited(NOX, ('    session.run("bash"', '    if session.posargs:\n        session.run("bash"')),
    "nox-try": edited(NOX, ('    session.run("bash", "ci/gate.sh", *session.posargs)', '    try:\n        session.run("bash", "ci/gate.sh")\n    except Exception:\n        session.log("red")')),
    "nox-suppress": edited(NOX, ('    session.run("bash", "ci/gate.sh", *session.posargs)', '    with contextlib.suppress(Exception):\n        session.run("bash", "ci/gate.sh")')),
    "nox-missing-pythons": edited(NOX, ("error_on_missing_interpreters = True", "error_on_missing_interpreters = False")),
    "nox-default-args": edited(NOX, ('"tests", *session.posargs)', '*(session.posargs or ["tests/unit"]))')),
    "nox-loop-narrowed": edited(NOX, ('    session.run("pytest", "oracle/properties")', '    for path in ("oracle/other",):\n        session.run("pytest", path)')),
    "nox-helper-warns": edited(
        NOX, ('    session.run("pytest", "oracle/properties")', '    _pytest(session, "oracle/properties")'), ("@nox.session\ndef gate", "def _pytest(session, *paths):\n    session.run('pytest', *paths, success_codes=[0, 1])\n\n\n@nox.session\ndef gate")
    ),
    "container-or-true": edited(CI, (RUN_TESTS, "run: docker run --rm img pytest tests || true")),
    "nox-broken": edited(NOX, ("@nox.session\ndef tests", "@nox.session\ndef (tests")),
    "tasks-return-0": edited(TASKS, ("        return 1\n", "        return 0\n")),
    "tasks-return-gone": edited(TASKS, ("        return 1\n", "")),
    "tasks-check-gone": edited(TASKS, ('    if Path("lock").read_text() != digest():\n        print("stale")\n        return 1\n', "")),
    "tasks-exit-dropped": edited(TASKS, ("sys.exit(check_locks())", "check_locks()")),
    "tasks-raise-to-print": edited(TASKS, ('raise Exit("no oracle", code=2)', 'print("no oracle")')),
    "tasks-exit-code-0": edited(TASKS, ("code=2", "code=0")),
    "tasks-warn": edited(TASKS, ('c.run("pytest tests/unit")', 'c.run("pytest tests/unit", warn=True)')),
    "tasks-unchecked": edited(TASKS, ("check=True", "check=False")),
    "tasks-or-true": edited(TASKS, ('c.run("pytest tests/unit")', 'c.run("pytest tests/unit || true")')),
    "tasks-condition-and": edited(TASKS, ("!= digest():", '!= digest() and "--strict" in sys.argv:')),
    "tasks-condition-lengths": edited(TASKS, ('if Path("lock").read_text() != digest():', 'if len(Path("lock").read_text()) != len(digest()):')),
    "tasks-tallied-and-forgotten": edited(TASKS, ("        return 1\n    return 0\n", "        status = 1\n    return 0\n")),
    "tasks-condition-narrowed": edited(TASKS, ('if Path("lock").read_text() != digest():', 'if Path("lock").read_text() == "x":')),
}  # fmt: skip
WEAKER |= {
    "waits-for-nothing": edited(CI, (RUN_TESTS, "run: python -m pytest tests & wait")),
    "retried-in-a-loop": edited(CI, (RUN_TESTS, "run: |\n          for i in 1 2 3; do python -m pytest tests && break; done\n          echo done")),
    "in-braces": edited(CI, (RUN_TESTS, "run: |\n          { python -m pytest tests && echo green; }\n          echo done")),
    "in-a-branch": edited(CI, (RUN_TESTS, "run: |\n          if true; then python -m pytest tests && echo green; fi\n          echo done")),
    "test-rewritten-before": edited(CI, ("      - name: tests\n", "      - run: sed -i 's/assert 1/pass/' tests/test_a.py\n      - name: tests\n")),
    "test-taken-away-before": edited(CI, (RUN_TESTS, "run: |\n          rm -f tests/test_slow*.py\n          python -m pytest tests")),
    "folder-taken-away-before": edited(CI, (RUN_TESTS, "run: |\n          git rm -rq tests/unit\n          python -m pytest tests")),
    "nox-undecorated": edited(NOX, ("@nox.session\ndef tests", "def tests")),
    "nox-undecorated-by-default": {**edited(NOX, ('nox.options.sessions = ["tests", "properties", "gate"]\n', ""), ("@nox.session\ndef gate", "def gate"))},
    "another-branch": edited(CI, ("          fetch-depth: 0\n", "          fetch-depth: 0\n          ref: main\n")),
}  # fmt: skip
WEAKER["another-language"] = edited(CI, (RUN_TESTS, RUN_TESTS + "\n        shell: python"))
WEAKER["a-shell-that-runs-nothing"] = edited(CI, (RUN_TESTS, RUN_TESTS + "\n        shell: true {0}"))
WEAKER["semicolon-true"] = edited(CI, (RUN_TESTS, "run: set +e; python -m pytest tests; true"))


@pytest.mark.parametrize("case", WEAKER)
def test_machinery_that_hears_less_is_reported(check, case: str) -> None:
    assert {"machinery-weakened"} == {finding.row for finding in check({}, WEAKER[case])}


SOUND = {
    "actions-bumped": edited(CI, ("actions/checkout@v4", "actions/checkout@v5")),
    "steps-reordered": edited(CI, ("      - run: ruff check .\n      - run: mypy src\n", "      - run: mypy src\n      - run: ruff check .\n")),
    "step-renamed": edited(CI, ("name: tests", "name: unit tests")),
    "quiet": edited(CI, (RUN_TESTS, "run: python -m pytest -q --color=yes tests")),
    "other-spelling": edited(CI, (RUN_TESTS, "run: pytest ./tests/")),
    "runner": edited(CI, (RUN_TESTS, "run: uv run --group test pytest tests")),
    "coverage-run": edited(CI, (RUN_TESTS, "run: |\n          coverage run -m pytest tests\n          coverage report")),
    "workers-and-report": edited(CI, (RUN_TESTS, "run: python -m pytest tests -n auto --junitxml=out.xml --maxfail=3")),
    "stricter": edited(CI, (RUN_TESTS, "run: python -m pytest tests -W error --strict-markers")),
    "wider": edited(CI, (RUN_TESTS, "run: python -m pytest tests oracle/properties")),
    "split-by-path": edited(CI, (RUN_TESTS, "run: |\n          pytest tests/unit\n          pytest tests/test_a.py")),
    "split-by-marker": edited(CI, (RUN_TESTS, "run: |\n          pytest tests -m slow\n          pytest tests -m 'not slow'")),
    "shards": edited(CI, (RUN_TESTS, "run: python -m pytest tests --splits 4 --group ${{ matrix.group }}")),
    "through-nox": edited(CI, (RUN_TESTS, "run: nox -s tests")),
    "through-nox-version": edited(CI, (RUN_TESTS, "run: python -m nox -s tests-3.12 -- -x")),
    "or-exit-1": edited(CI, (RUN_TESTS, RUN_TESTS + ' || { echo "red"; exit 1; }')),
    "status-kept": edited(CI, (RUN_TESTS, "run: |\n          rc=0\n          python -m pytest tests || rc=$?\n          cat log\n          exit $rc")),
    "pipe-with-pipefail": edited(CI, (RUN_TESTS, "run: |\n          set -o pipefail\n          python -m pytest tests | tee log")),
    "pipe-in-bash": edited(CI, (RUN_TESTS, "run: python -m pytest tests | tee log\n        shell: bash")),
    "python-step-gone": edited(CI, (PYTHON_STEP, "")),
    "shell-of-the-matrix": edited(CI, (RUN_TESTS, RUN_TESTS + "\n        shell: ${{ matrix.shell }} {0}")),
    "if-always": edited(CI, (RUN_GATE, RUN_GATE + "\n        if: always()")),
    "if-not-cancelled": edited(CI, (RUN_GATE, RUN_GATE + "\n        if: ${{ !cancelled() }}")),
    "new-step-may-fail": edited(CI, ("      - run: mypy src\n", "      - run: mypy src\n      - run: codecov upload || true\n        continue-on-error: true\n")),
    "new-job": edited(CI, ("  verdict:\n", "  docs:\n    if: github.ref == 'x'\n    steps:\n      - run: make docs\n  verdict:\n")),
    "new-trigger": edited(CI, ("  merge_group:\n", "  merge_group:\n  workflow_dispatch:\n  schedule:\n    - cron: '0 0 * * *'\n")),
    "push-dropped": edited(CI, ("  push:\n    branches: [main]\n", "")),
    "step-moves-job": edited(
        CI, ("      - name: tests\n        run: python -m pytest tests\n", ""), ("      - run: mypy src\n", "      - run: mypy src\n      - run: pytest tests\n")
    ),
    "job-renamed": edited(CI, ("  gate:\n", "  checks:\n"), ("[lint, gate]", "[lint, checks]"), ("needs.gate.result", "needs.checks.result")),
    "lint-not-needed": edited(CI, ("needs: [lint, gate]", "needs: [gate, lint]")),
    "workflow-renamed": {CI: None, ".github/workflows/test.yaml": WORKFLOW},
    "job-to-reusable": {
        **edited(CI, ("      - name: tests\n        run: python -m pytest tests\n", ""), ("  verdict:\n", "  tests:\n    uses: ./.github/workflows/tests.yml\n  verdict:\n")),
        ".github/workflows/tests.yml": "on: workflow_call\njobs:\n  t:\n    steps:\n      - run: pytest tests\n",
    },
    "step-to-action": {
        **edited(CI, (RUN_TESTS, "uses: ./.github/actions/tests")),
        ".github/actions/tests/action.yml": "runs:\n  using: composite\n  steps:\n    - run: pytest tests\n      shell: bash\n",
    },
    "script-inlined": {
        **edited(CI, (RUN_GATE, "run: |\n          python tasks.py locks\n          pytest oracle/properties\n          oraclekeep score --base origin/main\n          grep -q done notes.txt")),
    },
    "script-renamed": {
        **edited(CI, ("bash ci/gate.sh", "bash ci/merge-gate.sh")), **edited(NOX, ("ci/gate.sh", "ci/merge-gate.sh")), GATE: None, "ci/merge-gate.sh": SCRIPT
    },
    "script-comment": edited(GATE, ("set -euo pipefail", "# stop at the first failure\nset -e -u -o pipefail")),
    "script-function": edited(
        GATE, ("python -m pytest oracle/properties", 'properties() {\n  python -m pytest oracle/properties "$@"\n}\nproperties -q')
    ),
    "script-message": edited(GATE, ("notes are missing", "please write notes")),
    "script-one-line": edited(GATE, ('if ! grep -q done notes.txt; then\n  echo "notes are missing"\n  exit 1\nfi', "grep -q done notes.txt || exit 1")),
    "linter-replaced": edited(CI, ("run: ruff check .", "run: flake8 ."), ("run: mypy src", "run: pyright")),
    "linter-to-hooks": {
        **edited(CI, ("run: ruff check .", "run: pre-commit run --all-files")),
        ".pre-commit-config.yaml": "repos:\n  - repo: x\n    hooks:\n      - id: ruff-check\n",
    },
    "nox-reordered": edited(NOX, ('["tests", "properties", "gate"]', '["properties", "gate", "tests"]')),
    "nox-quiet": edited(NOX, ('"pytest", "oracle/properties"', '"pytest", "-q", "oracle/properties"')),
    "nox-renamed": edited(NOX, ('"properties", ', '"props", '), ("def properties", "def props")),
    "nox-python-dropped": edited(NOX, ('["3.11", "3.12"]', '["3.12"]')),
    "nox-docs-deleted": edited(NOX, ('@nox.session\ndef docs(session):\n    session.run("sphinx-build", "docs", "site")\n', "")),
    "nox-merged": edited(
        NOX, ('"properties", ', ""), ('    session.run("bash"', '    session.run("pytest", "oracle/properties")\n    session.run("bash"')
    ),
    "nox-helper": edited(
        NOX, ('    session.run("pytest", "oracle/properties")', '    _pytest(session, "oracle/properties")'), ("@nox.session\ndef gate", "def _pytest(session, *paths):\n    session.run('pytest', *paths)\n\n\n@nox.session\ndef gate")
    ),
    "nox-loop": edited(NOX, ('    session.run("pytest", "oracle/properties")', '    for path in ("oracle/properties", "invariants"):\n        session.run("pytest", path)')),
    "types-spelt-out": edited(CI, ("  pull_request:\n", "  pull_request:\n    types: [opened, synchronize, reopened, ready_for_review]\n")),
    "in-a-container": edited(CI, (RUN_TESTS, "run: docker compose run --rm app pytest tests")),
    "flag-tested-last": edited(CI, (RUN_TESTS, 'run: |\n          python -m pytest tests || failed=1\n          cat log\n          [ -z "$failed" ]')),
    "tasks-tallied": edited(TASKS, ('    if Path("lock")', '    status = 0\n    if Path("lock")'), ("        return 1\n    return 0\n", "        status = 1\n    return status\n")),
    "tasks-problems-listed": edited(TASKS, ('    if Path("lock")', '    problems = []\n    if Path("lock")'), ("        return 1\n    return 0\n", '        problems.append("stale")\n    return 1 if problems else 0\n')),
    "tasks-value-named": edited(TASKS, ('    if Path("lock").read_text() != digest():', '    found = digest()\n    if found != Path("lock").read_text():')),
    "tasks-reworded": edited(TASKS, ('print("stale")', 'print("the lock is stale")')),
    "tasks-returns-2": edited(TASKS, ("        return 1\n", "        return 2\n")),
    "tasks-inverted": edited(
        TASKS, ('    if Path("lock").read_text() != digest():\n        print("stale")\n        return 1\n    return 0\n',
                '    if Path("lock").read_text() == digest():\n        return 0\n    print("stale")\n    return 1\n')
    ),
    "tasks-raises": edited(TASKS, ("        return 1\n", '        raise Exit("stale", code=1)\n')),
    "tasks-extracted": edited(
        TASKS,
        ('    if Path("lock").read_text() != digest():\n        print("stale")\n        return 1\n    return 0\n', '    return compare(Path("lock"))\n\n\ndef compare(lock):\n    if lock.read_text() != digest():\n        return 1\n    return 0\n'),
    ),
    "tasks-folded": edited(TASKS, ('if Path("lock").read_text() != digest():', 'if Path("lock").read_text() != digest() or not Path("b").exists():')),
    "tasks-warn-judged": edited(
        TASKS, ('    c.run("pytest tests/unit")\n', '    done = c.run("pytest tests/unit", warn=True)\n    if done.failed:\n        raise Exit("red", code=1)\n')
    ),
    "tasks-check-call": edited(TASKS, ('subprocess.run(["pytest", "invariants"], check=True)', 'subprocess.check_call(["pytest", "invariants"])')),
    "nox-registered-by-a-call": edited(NOX, ("@nox.session\ndef tests", "def tests"), ("@nox.session\ndef docs", "nox.session(tests)\n\n\n@nox.session\ndef docs")),
    "nox-called-by-another": edited(
        NOX, ('["tests", ', '["unit", '), ("@nox.session\ndef tests", "def tests"), ("@nox.session\ndef docs", "@nox.session\ndef unit(session):\n    tests(session)\n\n\n@nox.session\ndef docs")
    ),
    "waits-for-the-job": edited(CI, (RUN_TESTS, "run: |\n          python -m pytest tests &\n          job=$!\n          make docs\n          wait $job")),
    "in-a-subshell": edited(CI, (RUN_TESTS, "run: |\n          (cd . && python -m pytest tests)\n          echo done")),
    "in-a-subshell-that-goes-on": edited(CI, (RUN_TESTS, "run: (python -m pytest tests; true)")),
    "in-braces-and-last": edited(CI, (RUN_TESTS, "run: |\n          make docs\n          { python -m pytest tests && echo green; }")),
    "in-braces-and-alone": edited(CI, (RUN_TESTS, "run: |\n          { python -m pytest tests; }\n          echo done")),
    "leftovers-taken-away": edited(CI, (RUN_TESTS, "run: |\n          rm -rf tests/__pycache__ tests/out.xml\n          python -m pytest tests")),
    "product-rewritten-before": edited(CI, (RUN_TESTS, "run: |\n          sed -i 's/0.0.0/1.2.3/' src/pkg/version.py\n          python -m pytest tests")),
    "tests-taken-away-after": edited(CI, (RUN_GATE, "run: |\n          bash ci/gate.sh origin/main HEAD\n          rm -r tests/unit")),
    "another-repository": edited(CI, (RUN_TESTS, "run: python -m pytest tests\n      - uses: actions/checkout@v4\n        with:\n          repository: a/b\n          ref: main\n          path: b")),
    "the-change-by-name": edited(CI, ("          fetch-depth: 0\n", "          fetch-depth: 0\n          ref: ${{ github.event.pull_request.head.sha }}\n")),
    "renovate": edited(CI, ("pip install nox pytest", "pip install nox==2025.5.1 pytest==9.0.0")),
}  # fmt: skip


@pytest.mark.parametrize("case", SOUND)
def test_an_honest_edit_of_machinery_says_nothing(check, case: str) -> None:
    assert check({}, SOUND[case]) == []


def other(path: str, before: str, after: str) -> tuple[dict[str, str], dict[str, str]]:
    return {path: dedent(before)}, {path: dedent(after)}


GITLAB = "unit:\n  stage: test\n  script:\n    - pip install -e .\n    - pytest tests/unit\n"
WAITING = """\
jobs:
  unit:
    runs-on: ubuntu-latest
    steps:
      - run: pytest tests/unit
  docs:
    runs-on: ubuntu-latest
    steps:
      - run: make docs
  ready:
    needs: [unit, docs]
    runs-on: ubuntu-latest
    steps:
      - run: echo ready
"""
SYSTEMS = {
    "github-waits-for-less": (*other(".github/workflows/ready.yml", WAITING, WAITING.replace("[unit, docs]", "[docs]")), True),
    "github-waits-for-no-docs": (*other(".github/workflows/ready.yml", WAITING, WAITING.replace("  docs:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make docs\n", "").replace("[unit, docs]", "[unit]")), False),
    "github-one-step-deploys": (
        *other(".github/workflows/ready.yml", WAITING.replace("echo ready", "make deploy"), WAITING.replace("echo ready", "make deploy").replace("[unit, docs]", "[docs]")),
        False,
    ),
    "gitlab-allow-failure": (*other(".gitlab-ci.yml", GITLAB, GITLAB + "  allow_failure: true\n"), True),
    "gitlab-manual": (*other(".gitlab-ci.yml", GITLAB, GITLAB + "  when: manual\n"), True),
    "gitlab-only": (*other(".gitlab-ci.yml", GITLAB, GITLAB + "  only: [main]\n"), True),
    "gitlab-rules": (*other(".gitlab-ci.yml", GITLAB, GITLAB + "  rules:\n    - if: $CI_COMMIT_TAG\n"), True),
    "gitlab-after-script": (*other(".gitlab-ci.yml", GITLAB, GITLAB.replace("    - pytest tests/unit", "  after_script:\n    - pytest tests/unit")), True),
    "gitlab-template": (*other(".gitlab-ci.yml", GITLAB, ".base:\n  script:\n    - pytest tests/unit\nunit:\n  extends: .base\n"), False),
    "gitlab-template-lets-pass": (
        *other(".gitlab-ci.yml", GITLAB, ".base:\n  script:\n    - pytest tests/unit\n  allow_failure: true\nunit:\n  extends: .base\n"),
        True,
    ),
    "gitlab-hidden": (*other(".gitlab-ci.yml", GITLAB, GITLAB.replace("unit:", ".unit:")), True),
    "gitlab-hidden-and-extended": (*other(".gitlab-ci.yml", GITLAB, GITLAB.replace("unit:", ".unit:") + "new:\n  extends: .unit\nold:\n  extends: [.unit]\n"), False),
    "gitlab-hidden-and-referred-to": (*other(".gitlab-ci.yml", GITLAB, GITLAB.replace("unit:", ".unit:") + "new:\n  script:\n    - !reference [.unit, script]\n"), False),
    "gitlab-hidden-in-another-file": (
        {".gitlab-ci.yml": GITLAB},
        {".gitlab-ci.yml": "include: {local: .gitlab/unit.yml}\nunit:\n  extends: .unit\n", ".gitlab/unit.yml": GITLAB.replace("unit:", ".unit:")},
        False,
    ),
    "gitlab-hidden-gone": (*other(".gitlab-ci.yml", GITLAB + ".old:\n  script:\n    - pytest tests\n", GITLAB), False),
    "gitlab-renamed": (*other(".gitlab-ci.yml", GITLAB, GITLAB.replace("unit:", "unit tests:")), False),
    "gitlab-retry": (*other(".gitlab-ci.yml", GITLAB, GITLAB + "  needs: []\n  interruptible: true\n"), False),
    "circle-dropped": (
        *other(
            ".circleci/config.yml",
            "jobs:\n  unit:\n    steps:\n      - run: pytest tests/unit\nworkflows:\n  all:\n    jobs: [unit]\n",
            "jobs:\n  unit:\n    steps:\n      - run: pytest tests/unit\n  other:\n    steps:\n      - run: ls\nworkflows:\n  all:\n    jobs: [other]\n",
        ),
        True,
    ),
    "circle-command": (
        *other(
            ".circleci/config.yml",
            "jobs:\n  unit:\n    steps:\n      - run: pytest tests/unit\nworkflows:\n  all:\n    jobs: [unit]\n",
            "jobs:\n  unit:\n    steps:\n      - run:\n          name: unit\n          command: pytest -q tests/unit\nworkflows:\n  all:\n    jobs: [unit]\n",
        ),
        False,
    ),
    "azure-continue": (
        *other("azure-pipelines.yml", "steps:\n  - script: pytest tests/unit\n", "steps:\n  - script: pytest tests/unit\n    continueOnError: true\n"),
        True,
    ),
    "azure-no-pr": (*other("azure-pipelines.yml", "steps:\n  - script: pytest tests/unit\n", "pr: none\nsteps:\n  - script: pytest tests/unit\n"), True),
    "buildkite-soft-fail": (
        *other(".buildkite/pipeline.yml", "steps:\n  - command: pytest tests/unit\n", "steps:\n  - command: pytest tests/unit\n    soft_fail: true\n"),
        True,
    ),
    "woodpecker-ignore": (
        *other(".woodpecker.yml", "steps:\n  unit:\n    commands: [pytest tests/unit]\n", "steps:\n  unit:\n    commands: [pytest tests/unit]\n    failure: ignore\n"),
        True,
    ),
    "forgejo-or-true": (
        *other(".forgejo/workflows/t.yml", "on: push\njobs:\n  a:\n    steps:\n      - run: pytest tests/unit\n", "on: push\njobs:\n  a:\n    steps:\n      - run: pytest tests/unit || true\n"),
        True,
    ),
    "bitbucket-gone": (
        *other("bitbucket-pipelines.yml", "pipelines:\n  default:\n    - step:\n        script:\n          - pytest tests/unit -v\n          - make\n", "pipelines:\n  default:\n    - step:\n        script:\n          - make\n"),
        True,
    ),
    "make-dash": (*other("Makefile", "check:\n\tpytest tests/unit\n", "check:\n\t-pytest tests/unit\n"), True),
    "make-narrowed": (*other("Makefile", "check:\n\tpytest tests\n", "check:\n\tpytest tests -k fast\n"), True),
    "make-safe-tests": (*other("Makefile", "test:\n\tpytest --runxfail tests/unit\n", "safe-tests:\n\tpytest tests/unit/test_b.py\n"), True),
    "make-quiet": (*other("Makefile", "check:\n\tpytest tests/unit\n", ".PHONY: check\ncheck: build\n\t@pytest -q tests/unit\n"), False),
    "just-or-true": (*other("justfile", "check:\n    pytest tests/unit\n", "check:\n    pytest tests/unit || true\n"), True),
    "tox-dash": (*other("tox.ini", "[testenv]\ncommands = pytest tests/unit\n", "[testenv]\ncommands = - pytest tests/unit\n"), True),
    "tox-outcome": (*other("tox.ini", "[testenv]\ncommands = pytest tests/unit\n", "[testenv]\nignore_outcome = true\ncommands = pytest tests/unit\n"), True),
    "tox-posargs": (*other("tox.ini", "[testenv]\ncommands = pytest tests/unit\n", "[testenv]\ncommands =\n    pytest {posargs:tests/unit}\n"), False),
    "tox-to-toml": (
        {"tox.ini": "[testenv]\ncommands = pytest {posargs:tests/unit}\n"},
        {"tox.ini": None, "pyproject.toml": "[tool.tox.env_run_base]\ncommands = [['pytest', { replace = 'posargs', default = ['tests/unit'] }]]\n"},
        False,
    ),
    "tox-toml-outcome": (
        {"tox.toml": "[env_run_base]\ncommands = [['pytest', 'tests/unit']]\n"},
        {"tox.toml": "[env_run_base]\nignore_outcome = true\ncommands = [['pytest', 'tests/unit']]\n"},
        True,
    ),
    "hook-manual": (
        *other(
            ".pre-commit-config.yaml",
            "repos:\n  - repo: local\n    hooks:\n      - id: unit\n        entry: pytest --runxfail tests/unit\n",
            "repos:\n  - repo: local\n    hooks:\n      - id: unit\n        entry: pytest --runxfail tests/unit\n        stages: [manual]\n",
        ),
        True,
    ),
    "jenkins-catch": (*other("Jenkinsfile", "steps { sh 'pytest tests/unit' }\n", "steps { catchError { sh 'pytest tests/unit' } }\n"), True),
    "coverage-floor": (
        *other(
            ".github/workflows/cov.yml",
            "on: push\njobs:\n  a:\n    steps:\n      - run: coverage report --fail-under=90\n",
            "on: push\njobs:\n  a:\n    steps:\n      - run: coverage report --fail-under=40\n",
        ),
        True,
    ),
    "alls-green": (
        *other(
            ".github/workflows/all.yml",
            "on: push\njobs:\n  ok:\n    steps:\n      - uses: re-actors/alls-green@release/v1\n        with:\n          jobs: x\n",
            "on: push\njobs:\n  ok:\n    steps:\n      - uses: re-actors/alls-green@release/v1\n        with:\n          jobs: x\n          allowed-failures: gate\n",
        ),
        True,
    ),
    "experimental-cell": (
        *other(
            ".github/workflows/m.yml",
            "on: push\njobs:\n  a:\n    strategy:\n      matrix:\n        python: ['3.12']\n    steps:\n      - run: pytest tests/unit\n",
            "on: push\njobs:\n  a:\n    continue-on-error: ${{ matrix.new }}\n    strategy:\n      matrix:\n        python: ['3.12']\n        new: [false]\n        include:\n          - python: '3.15-dev'\n            new: true\n    steps:\n      - run: pytest tests/unit\n",
        ),
        False,
    ),
}  # fmt: skip


CELLS = "on: push\njobs:\n  a:\n    strategy:\n      matrix:\n        python: ['3.12', '3.13']\n        os: [linux, mac]\n    steps:\n      - run: pytest tests/unit\n"
#: What is said about failures in the place of the step or the job, the matrix that grows with it, and whether it weighs.
LET_OFF = {
    "one-of-base": ("${{ matrix.python == '3.13' }}", "", True),
    "all-but-one": ("${{ matrix.os != 'linux' }}", "", True),
    "both": ("${{ matrix.python == '3.13' && matrix.os == 'mac' }}", "", True),
    "by-its-end": ("${{ endsWith(matrix.python, '13') }}", "", True),
    "by-a-flag": ("${{ matrix.new }}", "        include:\n          - python: '3.13'\n            new: true\n", True),
    "not-stable": ("${{ !matrix.stable }}", "", True),
    "whatever": ("${{ matrix.python || true }}", "", True),
    "cannot-be-told": ("${{ matrix.python == github.ref }}", "", True),
    "a-new-cell": ("${{ matrix.python == '3.15-dev' }}", "        include:\n          - python: '3.15-dev'\n            os: linux\n", False),
    "a-new-cell-by-its-end": ("${{ endsWith(matrix.python, '-dev') }}", "        include:\n          - python: '3.15-dev'\n            os: linux\n", False),
    "a-new-cell-by-a-flag": ("${{ matrix.new || false }}", "        include:\n          - python: '3.15-dev'\n            os: linux\n            new: true\n", False),
    "nothing": ("${{ matrix.new == true }}", "", False),
}  # fmt: skip


@pytest.mark.parametrize("place", ["    steps:\n", "      - run: pytest tests/unit\n"])
@pytest.mark.parametrize("case", LET_OFF)
def test_cells_of_base_are_not_let_off(check, case: str, place: str) -> None:
    said, more, weaker = LET_OFF[case]
    key = f"continue-on-error: {said}\n"
    text = CELLS.replace("    steps:\n", more + "    steps:\n")
    text = text.replace(place, f"    {key}{place}" if "steps" in place else f"{place}        {key}")
    found = check({CI: CELLS}, {CI: text})

    assert [finding.row for finding in found] == ["machinery-weakened"] * weaker


@pytest.mark.parametrize("case", SYSTEMS)
def test_every_ci_system_and_task_runner_is_read(check, case: str) -> None:
    base, head, weaker = SYSTEMS[case]
    only = {CI: "on: push\njobs: {}\n", GATE: "", NOX: "import nox\n", TASKS: ""}

    assert ({"machinery-weakened"} if weaker else set()) == {
        finding.row for finding in check({**only, **base}, head)
    }


RUNNER = "import subprocess\nimport sys\n\nimport pytest\n\n\ndef main():\n    {body}\n\n\nif __name__ == '__main__':\n    sys.exit(main())\n"
#: The body of a script that CI runs, before and after, and whether less is checked then.
SCRIPTED = {
    "call-not-looked-at": ("return subprocess.call(['pytest', 'tests/unit'])", "subprocess.call(['pytest', 'tests/unit'])", True),
    "exit-dropped": ("sys.exit(pytest.main(['tests/unit']))", "print(pytest.main(['tests/unit']))", True),
    "status-printed": ("sys.exit(pytest.main(['tests/unit']))", "code = pytest.main(['tests/unit']); print(code)", True),
    "unchecked": ("subprocess.run(['pytest', 'tests/unit'], check=True)", "subprocess.run(['pytest', 'tests/unit'])", True),
    "narrowed": ("return pytest.main(['tests'])", "return pytest.main(['tests', '-m', 'not slow'])", True),
    "gone": ("return pytest.main(['tests'])", "return 0", True),
    "kept-in-a-name": ("sys.exit(pytest.main(['tests/unit']))", "code = pytest.main(['tests/unit']); sys.exit(code)", False),
    "by-a-process": ("return pytest.main(['tests/unit'])", "return subprocess.call([sys.executable, '-m', 'pytest', 'tests/unit'])", False),
    "checked": ("return subprocess.call(['pytest', 'tests/unit'])", "subprocess.run(['pytest', 'tests/unit'], check=True)", False),
    "wider": ("return pytest.main(['tests/unit'])", "return pytest.main(['-q', 'tests'])", False),
}  # fmt: skip


@pytest.mark.parametrize("name", ["run_tests.py", "scripts/run.py"])
@pytest.mark.parametrize("case", SCRIPTED)
def test_a_script_of_ones_own_that_ci_runs_is_followed(check, case: str, name: str) -> None:
    before, after, weaker = SCRIPTED[case]
    flow = {
        CI: f"on: push\njobs:\n  a:\n    steps:\n      - run: python {name}\n",
        GATE: "",
        NOX: "",
        TASKS: "",
    }
    found = check({**flow, name: RUNNER.format(body=before)}, {name: RUNNER.format(body=after)})

    assert {finding.row for finding in found} == ({"machinery-weakened"} if weaker else set())


def test_a_script_that_takes_arguments_is_not_followed(check) -> None:
    flow = "on: push\njobs:\n  a:\n    steps:\n      - run: python igor.py quick -x\n"
    script = "import sys\n\nimport pytest\n\n\ndef quick(*args):\n    return pytest.main(list(args))\n"
    base = {CI: flow, GATE: "", NOX: "", TASKS: "", "igor.py": script}

    assert check(base, {"igor.py": script + "\n\nprint('master')\n"}) == []


def test_a_script_may_give_way_to_what_it_ran(check) -> None:
    flow = "on: push\njobs:\n  a:\n    steps:\n      - run: python run_tests.py\n"
    script = RUNNER.format(body="return pytest.main(['tests'])")
    base = {CI: flow, GATE: "", NOX: "", TASKS: "", "run_tests.py": script}

    assert check(base, {CI: flow.replace("python run_tests.py", "pytest tests"), "run_tests.py": None}) == []


def table(name: str, body: str) -> str:
    return f"[{name}]\n{body}\n"


HATCH, TASKFILE_YML = (
    "tool.hatch.envs.hatch-test",
    "version: '3'\ntasks:\n  unit:\n    deps: [build]\n    cmds:\n      - pytest\n  build:\n    cmds: [make]\n",
)
#: What CI calls, the file that says what that is, before and after, and whether less is checked then.
NAMED = {
    "poe-ignores": ("poe unit", "pyproject.toml", table("tool.poe.tasks", "unit = 'pytest'"), table("tool.poe.tasks.unit", "cmd = 'pytest'\nignore_fail = true"), True),
    "poe-as-a-table": ("poe unit", "pyproject.toml", table("tool.poe.tasks", "unit = 'pytest'"), table("tool.poe.tasks.unit", "cmd = 'pytest -q'\nhelp = 'run'"), False),
    "taskipy-or-true": ("task unit", "pyproject.toml", table("tool.taskipy.tasks", "unit = 'pytest'"), table("tool.taskipy.tasks", "unit = 'pytest || true'"), True),
    "taskipy-as-a-table": ("task unit", "pyproject.toml", table("tool.taskipy.tasks", "unit = 'pytest'"), table("tool.taskipy.tasks", "unit = {cmd = 'pytest', help = 'run'}"), False),
    "hatch-dash": ("hatch run t:unit", "hatch.toml", table("envs.t.scripts", "unit = 'pytest {args}'"), table("envs.t.scripts", "unit = '- pytest {args}'"), True),
    "hatch-dash-in-a-list": ("hatch run unit", "hatch.toml", table("envs.t.scripts", "unit = ['a', 'pytest']"), table("envs.t.scripts", "unit = ['a', '- pytest']"), True),
    "hatch-to-a-list": ("hatch run unit", "hatch.toml", table("envs.t.scripts", "unit = 'pytest'"), table("envs.t.scripts", "unit = ['- rm log', 'pytest']"), False),
    "hatch-test-narrowed": ("hatch test", "pyproject.toml", "", table(HATCH, "extra-args = ['-k', 'a']"), True),
    "hatch-test-retries": ("hatch test", "pyproject.toml", "", table(HATCH, "retries = 3"), True),
    "hatch-test-quiet": ("hatch test", "pyproject.toml", "", table(HATCH, "extra-args = ['-q']\nrandomize = true"), False),
    "pixi-narrowed": ("pixi run unit", "pixi.toml", table("tasks", "unit = 'pytest'"), table("tasks", "unit = 'pytest -k smoke'"), True),
    "pixi-feature": ("pixi run unit", "pixi.toml", table("tasks", "unit = 'pytest'"), table("feature.x.tasks", "unit = 'pytest'"), False),
    "npm-or-exit": ("npm test", "package.json", '{"scripts": {"test": "pytest"}}', '{"scripts": {"test": "pytest || exit 0"}}', True),
    "npm-other": ("npm run test", "package.json", '{"scripts": {"test": "pytest"}}', '{"scripts": {"test": "pytest", "start": "vite || true"}}', False),
    "taskfile-ignores": ("task unit", "Taskfile.yml", TASKFILE_YML, TASKFILE_YML.replace("    deps", "    ignore_error: true\n    deps"), True),
    "taskfile-step-ignores": ("task unit", "Taskfile.yml", TASKFILE_YML, TASKFILE_YML.replace("- pytest", "- cmd: pytest\n        ignore_error: true"), True),
    "taskfile-step-moves": ("task unit", "Taskfile.yml", TASKFILE_YML, TASKFILE_YML.replace("      - pytest\n", "      - task: all\n") + "  all:\n    cmds: [pytest]\n", False),
    "make-without-a-shell": ("make unit", "Makefile", "SHELL = /bin/bash -e\nunit:\n\tpytest\n", "SHELL = /bin/true\nunit:\n\tpytest\n", True),
    "make-with-another-shell": ("make unit", "Makefile", "unit:\n\tpytest\n", "SHELL := $(shell which bash)\nunit:\n\tpytest\n", False),
}  # fmt: skip


@pytest.mark.parametrize("now", ["hatch test --retries 3", "hatch test tests/unit", "hatch test -- -k a"])
def test_hatch_is_heard_on_its_own_line_too(check, now: str) -> None:
    flow = "on: push\njobs:\n  a:\n    steps:\n      - run: hatch test\n"
    base = {CI: flow, GATE: "", NOX: "", TASKS: ""}

    assert check(base, {CI: flow.replace("hatch test", now)})


@pytest.mark.parametrize("case", NAMED)
def test_a_named_script_that_ci_calls_is_followed(check, case: str) -> None:
    called, path, before, after, weaker = NAMED[case]
    flow = {CI: f"on: push\njobs:\n  a:\n    steps:\n      - run: {called}\n", GATE: "", NOX: "", TASKS: ""}
    found = check({**flow, path: before}, {path: after})

    assert {finding.row for finding in found} == ({"machinery-weakened"} if weaker else set())


APART = "ci/gate_sessions.py"
JOINED = """\
import sys

import nox

sys.path.insert(0, "ci")

import gate_sessions

nox.options.sessions = ["tests", "properties"]


@nox.session
def tests(session):
    session.run("pytest", "tests")
"""
MODULE = """\
import nox


@nox.session
def properties(session):
    session.run("pytest", "oracle/properties")
"""
ONE_FILE = JOINED.replace("import gate_sessions\n", "") + MODULE.replace("import nox\n", "")
IMPORTED = {NOX: JOINED, APART: MODULE}
#: What two files say before and after, and whether less is checked then.
SPLIT: dict[str, tuple[dict[str, str | None], dict[str, str | None], bool]] = {
    "masked": (IMPORTED, {APART: MODULE.replace('properties")\n', 'properties", success_codes=[0, 1])\n')}, True),
    "session-gone": (IMPORTED, {APART: "import nox\n"}, True),
    "file-gone": (IMPORTED, {APART: None}, True),
    "import-gone": (IMPORTED, {NOX: JOINED.replace("import gate_sessions\n", "")}, True),
    "not-on-the-path": (IMPORTED, {NOX: JOINED.replace('0, "ci"', '0, "tools"')}, True),
    "not-by-default": (IMPORTED, {NOX: JOINED.replace(', "properties"]', "]")}, True),
    "taken-apart": ({NOX: ONE_FILE}, {NOX: JOINED, APART: MODULE}, False),
    "joined-again": (IMPORTED, {NOX: ONE_FILE, APART: None}, False),
    "from-import": (IMPORTED, {NOX: JOINED.replace("import gate_sessions", "from gate_sessions import properties")}, False),
    "documented": (IMPORTED, {APART: MODULE.replace("    session", '    """\n    Says so.\n    """\n    session')}, False),
}  # fmt: skip


@pytest.mark.parametrize("runs", ["nox", "nox -s tests properties"])
@pytest.mark.parametrize("case", SPLIT)
def test_sessions_that_a_noxfile_imports_are_its_own(check, case: str, runs: str) -> None:
    base, head, expected = SPLIT[case]
    flow = {CI: f"on: pull_request\njobs:\n  a:\n    steps:\n      - run: {runs}\n", GATE: "", TASKS: ""}
    found = check({**flow, **base}, head)

    if runs == "nox" or case != "not-by-default":
        assert bool(found) is expected, found


def test_one_cause_is_one_finding_with_place_and_both_texts(check) -> None:
    [finding] = check({}, edited(CI, (RUN_GATE, RUN_GATE + "\n        continue-on-error: true")))

    assert (finding.path, finding.line) == (CI, 32)
    assert "continue-on-error" in finding.message
    assert "oraclekeep score" in (finding.before or "")
    assert finding.advice


@pytest.mark.parametrize(
    "text",
    [
        "pytest tests\nfunction f",
        "pytest tests\nif",
        "pytest tests\ncase",
        "pytest tests\n) fi done",
        "pytest tests\n$(",
        'pytest tests\n"',
    ],
)
def test_a_script_that_ends_in_the_middle_still_shows_what_it_runs(text: str) -> None:
    assert ("pytest", "tests") in [command.words for command in commands(text)]


def test_a_script_that_a_task_below_a_folder_runs_is_followed(check) -> None:
    task = "from invoke import task\n\n\n@task\ndef unit(c):\n    c.run('python scripts/run.py')\n"
    before, after, _ = SCRIPTED["unchecked"]
    base = {
        CI: "on: push\njobs:\n  a:\n    steps:\n      - run: invoke unit\n",
        GATE: "",
        NOX: "",
        TASKS: "",
        "tasks/unit.py": task,
        "scripts/run.py": RUNNER.format(body=before),
    }
    found = check(base, {"scripts/run.py": RUNNER.format(body=after)})

    assert {finding.row for finding in found} == {"machinery-weakened"}
