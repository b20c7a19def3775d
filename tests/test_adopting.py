"""
`init` through the real program, over the layouts in which projects come.
"""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from oraclekeep.adopting.requirements import from_lines, from_poetry

from .program import SOURCE, Answer
from .program import run as program

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import GitRepo

BUILD = '[build-system]\nrequires = ["setuptools"]\n[project]\nname = "pkg"\nversion = "1"\n'
CODE = "def f(x):\n    return x + 1\n"
TEST = "from pkg import f\n\n\ndef test_f():\n    assert f(1) == 2\n"
UNIT = (
    "import unittest\n\nfrom pkg import f\n\n\nclass TestF(unittest.TestCase):\n"
    "    def test_f(self):\n        self.assertEqual(f(1), 2)\n"
)
SRC = {"pyproject.toml": BUILD, "src/pkg/__init__.py": CODE, "tests/test_f.py": TEST}
SETUP = "from setuptools import setup\nsetup(name='pkg')\n"
FLAT = {"setup.py": SETUP, "pkg/__init__.py": CODE, "tests/test_f.py": TEST}
KIT = ("--kit", "1.2.3")


def src(pyproject: str, **more: str) -> dict[str, str]:
    return {**SRC, "pyproject.toml": BUILD + pyproject, **more}


def flat(**more: str) -> dict[str, str]:
    return {**FLAT, **more}


#: the project, what a lane installs, which plugins load, what was found
LAYOUTS: dict[str, tuple[dict[str, str], str, list[str], dict[str, Any]]] = {
    "extra": (
        src('[project.optional-dependencies]\ntest = ["pytest", "pytest-mock"]\n'),
        '"-e", ".gate/trees/suite[test]"',
        ["pytest-mock"],
        {"shape": "src", "source": ["src"], "tests": ["tests"], "dependencies": ["extra test"]},
    ),
    "extra-of-extras": (
        src('[project.optional-dependencies]\nbase = ["pytest"]\ndev = ["pkg[base]", "ruff"]\n'),
        '"-e", ".gate/trees/suite[dev]"',
        [],
        {},
    ),
    "group": (
        src('[dependency-groups]\nt = ["pytest"]\ntest = [{include-group = "t"}, "pytest-asyncio>=1"]\n'),
        '"-e", ".gate/trees/suite", *dependency_groups(pyproject, "test")',
        ["pytest-asyncio"],
        {"dependencies": ["[dependency-groups] test"]},
    ),
    "group-without-pytest": (
        src('[dependency-groups]\ntest = ["coverage"]\n', **{"uv.lock": "version = 1\n"}),
        '"-e", ".gate/trees/suite", *dependency_groups(pyproject, "test"), *("pytest",)',
        [],
        {"manager": "uv"},
    ),
    "dev-group-and-test-extra": (
        src('[dependency-groups]\ndev = ["pytest"]\n[project.optional-dependencies]\ntest = ["numpy"]\n'),
        '"-e", ".gate/trees/suite[test]", *dependency_groups(pyproject, "dev")',
        [],
        {},
    ),
    "poetry": (
        src('[tool.poetry.group.test.dependencies]\npytest = "^8.1"\npytest-cov = {version = "*"}\n'),
        '"-e", ".gate/trees/suite", *("pytest>=8.1,<9", "pytest-cov")',
        ["pytest-cov"],
        {"manager": "poetry"},
    ),
    "pdm": (
        src('[tool.pdm.dev-dependencies]\ntest = ["pytest>=8", "-e file:///${PROJECT_ROOT}/x"]\n'),
        '"-e", ".gate/trees/suite", *("pytest>=8",)',
        [],
        {"manager": "pdm"},
    ),
    "uv": (
        src('[tool.uv]\ndev-dependencies = ["pytest", "hypothesis"]\n'),
        '"-e", ".gate/trees/suite", *("pytest", "hypothesis")',
        ["hypothesis"],
        {"manager": "uv"},
    ),
    "hatch": (
        src('[tool.hatch.envs.test]\ndependencies = ["pytest"]\nfeatures = ["more"]\n'),
        '"-e", ".gate/trees/suite[more]", *("pytest",)',
        [],
        {"manager": "hatch"},
    ),
    "tox": (
        flat(**{"tox.ini": "[testenv]\ndeps =\n    pytest\n    lin: uvloop\n    -r{toxinidir}/more.txt\n"}),
        '"-e", ".gate/trees/suite", "-r", ".gate/trees/suite/more.txt", *("pytest",)',
        [],
        {"shape": "flat", "source": ["pkg"], "dependencies": ["tox.ini, testenv"]},
    ),
    "tox-with-factors": (
        flat(
            **{
                "tox.ini": "[testenv]\ndeps =\n    unit: pytest\n"
                "    py{311,312}-unit-!win: six; python_version > '3'\n    docs: sphinx\n    win: colorama\n"
                "extras = unit: fast\n    docs: slow\n"
            }
        ),
        '"-e", ".gate/trees/suite[fast]", *("pytest", "six; python_version > "3"")',
        [],
        {"dependencies": ["tox.ini, testenv"]},
    ),
    "requirements": (
        flat(**{"requirements-dev.txt": "-r requirements.txt\npytest==8.0\n", "requirements.txt": "six\n"}),
        '"-e", ".gate/trees/suite", "-r", ".gate/trees/suite/requirements-dev.txt"',
        [],
        {"manager": "pip, built by setuptools"},
    ),
    "requirements-beside-the-tests": (
        flat(**{"tests/requirements.txt": "pytest\npretend\n", "tests/data.txt": "pytest\n"}),
        '"-e", ".gate/trees/suite", "-r", ".gate/trees/suite/tests/requirements.txt"',
        [],
        {"dependencies": ["tests/requirements.txt"]},
    ),
    "nox": (
        flat(
            **{
                "noxfile.py": "import nox\n\n\n"
                "@nox.session\ndef lint(session):\n    session.install('ruff', 'pytest')\n\n\n"
                "@nox.session(name='tests-all', python=['3.11', '3.12'])\ndef _(session):\n"
                "    session.install('-e', '.[fast]', '-r', 'more.txt', *session.posargs)\n"
                "    session.install('pytest', 'pytest-mock')\n",
                "more.txt": "six\n",
            }
        ),
        '"-e", ".gate/trees/suite[fast]", "-r", ".gate/trees/suite/more.txt", *("pytest", "pytest-mock")',
        ["pytest-mock"],
        {"dependencies": ["noxfile.py, session tests-all"]},
    ),
    "nox-with-a-group": (
        src(
            '[dependency-groups]\nchecks = ["pytest"]\n',
            **{
                "noxfile.py": "import nox\n\nP = nox.project.load_toml()\n\n\n"
                "@nox.session\ndef test(session):\n"
                "    session.install('.', *nox.project.dependency_groups(P, 'checks'))\n"
            },
        ),
        '"-e", ".gate/trees/suite", *dependency_groups(pyproject, "checks")',
        [],
        {},
    ),
    "requirements-with-the-project-itself": (
        flat(**{"requirements/test.txt": "-e .[fast]\npytest  # the runner\n"}),
        '"-e", ".gate/trees/suite[fast]", *("pytest",)',
        [],
        {},
    ),
    "not-installable": (
        {"app.py": CODE, "test_app.py": TEST.replace("pkg", "app"), "requirements.txt": "six\n"},
        '"-r", ".gate/trees/suite/requirements.txt", *("pytest",)',
        [],
        {"shape": "modules", "source": ["app.py"], "tests": [], "packages": []},
    ),
    "setup.cfg": (
        flat(**{"setup.cfg": "[options.extras_require]\ntests =\n    pytest\n    pytest-xdist\n"}),
        '"-e", ".gate/trees/suite[tests]"',
        ["pytest-xdist"],
        {},
    ),
    "setup.py": (
        flat(
            **{"setup.py": "from setuptools import setup\nE = {'dev': ['pytest']}\nsetup(extras_require=E)\n"}
        ),
        '"-e", ".gate/trees/suite[dev]"',
        [],
        {},
    ),
    "unittest": (
        flat(**{"tests/test_f.py": UNIT}),
        '"-e", ".gate/trees/suite", *("pytest",)',
        [],
        {"runner": "unittest", "dependencies": []},
    ),
    "monorepo": (
        {
            "a/pyproject.toml": BUILD + '[project.optional-dependencies]\ntest = ["pytest"]\n',
            "a/src/a/__init__.py": CODE,
            "a/tests/test_a.py": TEST.replace("pkg", "a"),
            "b/pyproject.toml": BUILD + '[dependency-groups]\ntest = ["pytest", "pytest-mock"]\n',
            "b/requirements-dev.txt": "six\n",
            "b/src/b/__init__.py": CODE,
            "b/tests/test_b.py": TEST.replace("pkg", "b"),
        },
        '"-e", ".gate/trees/suite/a[test]", "-e", ".gate/trees/suite/b", *("pytest", "pytest-mock")',
        ["pytest-mock"],
        {"packages": ["a", "b"], "source": ["a/src", "b/src"], "tests": ["a/tests", "b/tests"]},
    ),
    "workspace": (
        {
            "pyproject.toml": '[project]\nname = "all"\nversion = "1"\n'
            '[dependency-groups]\ndev = ["pytest"]\n'
            '[tool.uv.workspace]\nmembers = ["libs/*"]\nexclude = ["libs/old"]\n',
            "libs/a/pyproject.toml": BUILD,
            "libs/a/src/a/__init__.py": CODE,
            "libs/a/tests/test_f.py": TEST.replace("pkg", "a"),
            "libs/b/pyproject.toml": BUILD,
            "libs/b/src/b/__init__.py": CODE,
            "libs/b/tests/test_f.py": TEST.replace("pkg", "b"),
            "libs/old/pyproject.toml": BUILD,
            "examples/x/pyproject.toml": BUILD,
        },
        (
            '"-e", ".gate/trees/suite/libs/a", "-e", ".gate/trees/suite/libs/b", '
            '*dependency_groups(pyproject, "dev")'
        ),
        [],
        {"packages": ["libs/a", "libs/b"], "source": ["libs/a/src", "libs/b/src"]},
    ),
    "workspace-with-a-root": (
        src(
            '[project.optional-dependencies]\ntest = ["pytest"]\n[tool.uv.workspace]\nmembers = ["libs/a"]\n',
            **{"libs/a/pyproject.toml": BUILD, "libs/a/src/a/__init__.py": CODE},
        ),
        '"-e", ".gate/trees/suite/libs/a", "-e", ".gate/trees/suite[test]"',
        [],
        {"packages": ["libs/a", "."], "source": ["src", "libs/a/src"]},
    ),
    "monorepo-with-files": (
        {
            "a/setup.py": SETUP,
            "a/requirements-test.txt": "pytest\n",
            "a/pkg/__init__.py": CODE,
            "a/tests/test_a.py": TEST,
        },
        '"-e", ".gate/trees/suite/a", "-r", ".gate/trees/suite/a/requirements-test.txt"',
        [],
        {"packages": ["a"], "dependencies": ["a: requirements-test.txt"]},
    ),
    "fixtures": (
        src(
            "", **{"tests/unit/data/a.json": "1", "tests/fixtures/b.json": "1", "tests/data/c.py": "C = 1\n"}
        ),
        '"-e", ".gate/trees/suite", *("pytest",)',
        [],
        {"fixtures": ["tests/fixtures", "tests/unit/data"]},
    ),
}


def init(repo: GitRepo, *words: str) -> Answer:
    return program(repo.root, *words, task="init")


def install_of(noxfile: str) -> str:
    """
    Return what the suite's lane installs, with the names of lists written out.
    """
    found = re.search(r"session\.install\((.*trees/suite.*|\*TESTS)\)", noxfile)
    if found is None:
        raise AssertionError(noxfile)
    text = found[1]
    for node in ast.parse(noxfile).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "TESTS":
            text = text.replace("*TESTS", f"*{ast.unparse(node.value)}".replace("'", '"'))
    groups = re.search(r"return nox\.project\.(dependency_groups\(.*\))", noxfile)
    return text.replace('test_group("suite")', groups[1]) if groups else text


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_a_lane_installs(make_repo, layout: str) -> None:
    files, installs, plugins, found = LAYOUTS[layout]
    repo = make_repo()
    repo.commit(files)
    answer = init(repo, *KIT, "--json")

    assert answer.code == 0, answer.err
    assert found.items() <= answer.document["found"].items()
    assert answer.document["found"]["plugins"] == plugins
    beside = repo.root / "ci/gate_sessions.py"
    noxfile = (beside if beside.exists() else repo.root / "noxfile.py").read_text()
    assert installs == install_of(noxfile)
    assert 'KIT = ("oraclekeep==1.2.3",)' in noxfile


def test_packages_with_tests_are_named_in_the_settings(make_repo) -> None:
    """
    Their modules may share names; each runs in its own folder.
    """
    for layout, line in (
        ("monorepo", "packages: [a, b]\n"),
        ("workspace", "packages: [libs/a, libs/b]\n"),
        ("monorepo-with-files", ""),
        ("workspace-with-a-root", ""),
    ):
        repo = make_repo(layout)
        repo.commit(LAYOUTS[layout][0])
        init(repo, *KIT)

        settings = (repo.root / "oracle/gate.yaml").read_text()
        assert re.findall(r"^packages:.*\n", settings, re.MULTILINE) == ([line] if line else [])


@pytest.mark.parametrize("layout", ["extra", "not-installable", "fixtures", "unittest"])
def test_what_it_says_to_commit_is_allowed_as_an_adoption(make_repo, layout: str) -> None:
    """
    And nothing is left over: no file of ours that Git does not have, no lock that is stale.
    """
    repo = make_repo()
    repo.commit(LAYOUTS[layout][0])
    said = init(repo, *KIT, "--ci", "github,gitlab", "--owner", "@me").out
    for line in re.findall(r"^ +git (add|commit) (.*)$", said, re.MULTILINE):
        repo.git(line[0], *shlex.split(line[1]))

    assert repo.git("status", "--porcelain") == ""
    scored = program(repo.root, "--base", "HEAD~1", "--json")
    assert scored.code == 0, scored.out
    assert "adoption" in scored.document["counts"]
    assert scored.rejecting == []
    if layout == "fixtures":
        assert program(repo.root, "--check", task="lock").code == 0
    assert "first score: allow (adoption" in said


def test_a_second_run_before_the_commit_says_the_same_commit(make_repo) -> None:
    repo = make_repo()
    repo.commit(SRC)
    first, second = (init(repo, *KIT, "--owner", "@me").out for _ in range(2))
    commits = [[line for line in said.splitlines() if " git " in line] for said in (first, second)]

    assert commits[0] == commits[1]
    assert "writes nothing" in second
    repo.git(*shlex.split(commits[1][0])[1:])
    repo.git("commit", "--quiet", "-m", "Adopt")
    assert repo.git("status", "--porcelain") == ""


def test_a_dry_run_shows_the_same_and_writes_nothing(make_repo) -> None:
    repo = make_repo()
    repo.commit(SRC)
    dry = init(repo, *KIT, "--dry-run")

    assert repo.git("status", "--porcelain", "--ignored") == ""
    assert dry.code == 0
    assert "add to CODEOWNERS who owns the gate" in dry.out.partition("left to you")[2]
    assert dry.out.split("nothing was written")[0] == init(repo, *KIT).out.split("first score")[0]


def test_files_that_are_there_stay_as_they_are(make_repo) -> None:
    """
    Lines are added with the file's own line ends; other files are kept to the byte.
    """
    repo = make_repo()
    mine = {
        "tasks.py": "import celery\n",
        "oracle/intent.json": '{"debit_cap": 0}\n',
        "CODEOWNERS": "* @org/all # us\n",
        ".github/workflows/gate.yml": "on: push\n",
    }
    repo.commit({**SRC, **mine, ".gitignore": "*.pyc\r\n/.nox\r\n"})
    repo.git("rm", "--quiet", "--cached", "oracle/intent.json")
    repo.git("commit", "--quiet", "-m", "not adopted")
    answer = init(repo, *KIT)

    assert answer.code == 0, answer.err
    for path in ("tasks.py", "oracle/intent.json", ".github/workflows/gate.yml"):
        assert (repo.root / path).read_text() == mine[path]
    assert (repo.root / ".gitignore").read_bytes() == b"*.pyc\r\n/.nox\r\n/.gate/\r\n/.noxw/\r\n"
    assert (repo.root / "CODEOWNERS").read_text().startswith("* @org/all # us\n/oracle/ @org/all\n")
    assert "tasks.py is yours and stays" in answer.out
    assert ".github/workflows/gate.yml: is there and stays" in answer.out


def test_a_noxfile_that_is_there_gets_lines_to_add_that_work(make_repo) -> None:
    repo = make_repo()
    own = "import nox\n\n\n@nox.session\ndef tests(session):\n    session.run('pytest')\n"
    repo.commit({**SRC, "noxfile.py": own})
    answer = init(repo, *KIT)

    assert (repo.root / "noxfile.py").read_text() == own
    added = re.search(r"add to the end of noxfile\.py:\n\n((?: +.*\n|\n)+?) +\d\. ", answer.out)
    assert added, answer.out
    (repo.root / "noxfile.py").write_text(own + "\n" + re.sub(r"^ +", "", added[1], flags=re.MULTILINE))
    listed = nox(repo.root, "--list-sessions")
    assert "* tests" in listed
    assert "- suite" in listed  # plain `nox` runs what it ran before
    assert re.findall(r"^\* (\S+)", listed, re.MULTILINE) == ["tests"]
    assert "gate_sessions" not in init(repo, *KIT).out.partition("next")[2].partition("git add")[0]


@pytest.mark.parametrize(
    ("noxfile", "said"),
    [
        ("import nox\n@nox.session(name='suite')\ndef t(s): ...\n", "rename session suite (noxfile.py:3)"),
        ("from nox import session\n@session\ndef gate(s): ...\n", "rename session gate (noxfile.py:3)"),
        ("import nox, nox_poetry, pkg, helpers\n", "noxfile.py imports nox_poetry, which"),
    ],
)
def test_what_stands_in_the_way_in_a_noxfile_is_said(make_repo, noxfile: str, said: str) -> None:
    repo = make_repo()
    repo.commit({**FLAT, "noxfile.py": noxfile, "helpers.py": ""})

    assert said in init(repo, *KIT).out


@pytest.mark.parametrize(
    ("files", "hint"),
    [
        (FLAT, '[tool.setuptools.packages.find]\n     include = ["pkg*"]'),
        ({"setup.py": SETUP, "app.py": CODE, "test_app.py": UNIT}, 'py-modules = ["app"]'),
        (flat(**{"setup.py": SETUP.replace(")\n", ", packages=['pkg'])\n")}), ""),
        (flat(**{"setup.py": SETUP.replace(")\n", ", **what)\n")}), ""),
        (flat(**{"setup.cfg": "[options]\npackages = find:\n"}), ""),
        (flat(**{"pyproject.toml": BUILD + "[tool.setuptools]\npackages = ['pkg']\n"}), ""),
        (
            flat(
                **{"pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "flit_core.buildapi"\n'}
            ),
            "",
        ),
        (SRC, ""),
    ],
)
def test_a_build_that_our_folders_would_break_is_named(make_repo, files, hint: str) -> None:
    """
    setuptools refuses a root with several packages where nobody named them.
    """
    repo = make_repo()
    repo.commit(files)
    said = init(repo, *KIT, "--dry-run", "--json").document["by_hand"]

    assert bool(hint) is any("setuptools looks for packages" in step for step in said)
    assert not hint or any(hint.replace("\n     ", "\n    ") in step for step in said)


def nox(folder: Path, *words: str) -> str:
    done = subprocess.run(
        (sys.executable, "-m", "nox", *words), cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


CI = [
    (
        {".circleci/config.yml": "version: 2.1\n"},
        "",
        "circleci",
        "ci/gate.circleci.yml",
        "join ci/gate.circleci.yml",
    ),
    ({}, "git@bitbucket.org:a/b.git", "bitbucket", "bitbucket-pipelines.yml", ""),
    (
        {"bitbucket-pipelines.yml": "image: x\n"},
        "",
        "bitbucket",
        "ci/gate.bitbucket.yml",
        "join ci/gate.bitbucket",
    ),
    ({}, "https://codeberg.org/a/b", "forgejo", ".forgejo/workflows/gate.yml", ""),
    ({".gitea/workflows/x.yml": "on: push\n"}, "", "gitea", ".gitea/workflows/gate.yml", ""),
    ({"azure-pipelines.yml": "steps: []\n"}, "", "azure", "azure-pipelines-gate.yml", ""),
    ({"Jenkinsfile": "node {}\n"}, "", "jenkins", "Jenkinsfile.gate", ""),
    (
        {".gitlab-ci.yml": "stages: []\n"},
        "",
        "gitlab",
        "ci/gate.gitlab.yml",
        "add `include: ci/gate.gitlab.yml`",
    ),
    ({}, "https://gitlab.com/a/b", "gitlab", ".gitlab-ci.yml", ""),
    ({".woodpecker.yml": "steps: []\n"}, "", "woodpecker", ".woodpecker/gate.yml", ""),
    (
        {".buildkite/pipeline.yml": "steps: []\n"},
        "https://github.com/a/b",
        "buildkite",
        ".buildkite/gate.yml",
        "",
    ),
]


@pytest.mark.parametrize(
    ("files", "remote", "system", "path", "hint"), CI, ids=[f"{c[2]}-{c[3]}" for c in CI]
)
def test_the_system_that_is_in_use_gets_its_file(make_repo, files, remote, system, path, hint) -> None:
    """
    What is there already is left to a person to join.
    """
    repo = make_repo()
    repo.commit({**SRC, **files})
    if remote:
        repo.git("remote", "add", "origin", remote)
    found = init(repo, *KIT, "--dry-run", "--json").document

    assert found["found"]["ci"] == [system]
    assert path in found["new"]
    assert not set(files) & set(found["new"])
    assert any(hint in step for step in found["by_hand"]) is bool(hint) or not hint


REFUSED = [
    ({"pyproject.toml": BUILD, "src/pkg/__init__.py": CODE}, (), "no tests here"),
    ({**SRC, "noxfile.py": "import nox\ndef (\n"}, (), "noxfile.py:2: this noxfile does not parse"),
    ({**SRC, "pyproject.toml": "[project\n"}, (), "pyproject.toml: not TOML"),
    ({**SRC, "tox.ini": "deps = 1\n"}, (), "tox.ini:1: cannot be read: File contains no section headers;"),
    ({**SRC, "setup.cfg": "[a]\nb\n= 1\n"}, (), "setup.cfg:3: cannot be read: Source contains"),
    (SRC, ("--ci", "githup"), "--ci githup: not known; there are github, gitlab"),
    (SRC, ("--mode", "off"), "--mode 'off' is not known; it is one of enforce, observe"),
]


@pytest.mark.parametrize(("files", "words", "said"), REFUSED, ids=[said for _, _, said in REFUSED])
def test_what_cannot_be_adopted_is_left_alone(make_repo, files, words, said) -> None:
    repo = make_repo()
    repo.commit(files)
    answer = init(repo, *KIT, *words)

    assert answer.code == 2
    assert said in answer.err
    assert repo.git("status", "--porcelain", "--ignored") == ""


def test_where_the_disk_refuses_nothing_stays_half_done(make_repo) -> None:
    repo = make_repo()
    repo.commit({**SRC, "invariants": "a file where a folder would be\n"})
    answer = init(repo, *KIT)

    assert answer.code == 2
    assert "cannot write" in answer.err
    assert repo.git("status", "--porcelain", "--untracked-files=all") == ""


def test_observing_is_said_in_the_settings_and_rejects_nothing(make_repo) -> None:
    repo = make_repo()
    repo.commit(SRC)
    init(repo, *KIT, "--mode", "observe")
    repo.commit()
    repo.commit({"tests/test_f.py": "def test_f():\n    pass\n"})
    scored = program(repo.root, "--base", "HEAD~1")

    assert scored.code == 0
    assert "observed only" in scored.err


def test_later_a_newer_kit_shows_its_changes_as_a_patch_that_applies(make_repo) -> None:
    repo = make_repo()
    repo.commit(SRC)
    init(repo, *KIT)
    repo.commit({"oracle/intent.json": '{"debit_cap": 1}\n', "noxw": None})
    same = init(repo, *KIT)
    newer = init(repo, "--kit", "1.3.0", "--ci", "gitlab")

    assert "noxfile.py" not in same.out
    assert "+NOX_VERSION" in same.out
    assert repo.git("status", "--porcelain") == ""
    assert '-KIT = ("oraclekeep==1.2.3",)\n+KIT = ("oraclekeep==1.3.0",)\n' in newer.out
    assert "debit_cap" not in newer.out
    (repo.root / "patch.diff").write_text(newer.out)
    repo.git("apply", "patch.diff")
    assert init(repo, "--kit", "1.3.0", "--ci", "gitlab").out == ""
    assert (repo.root / "noxw").stat().st_mode & 0o111


def test_a_kit_from_a_folder_stays_where_it_is(make_repo) -> None:
    """
    A newer kit renews versions, not places.
    """
    repo = make_repo()
    repo.commit(SRC)
    assert "no other machine has ../kit" in init(repo, "--kit", "../kit").out
    repo.commit()

    assert 'KIT = ("-e", "../kit")' in (repo.root / "noxfile.py").read_text()
    assert init(repo).out == ""
    for kit in ("1.2.3", "https://example.org/oraclekeep-1-py3-none-any.whl", "vendor/oraclekeep-1.whl"):
        assert "no other machine" not in init(repo, "--kit", kit, "--dry-run").err


def test_what_git_ignores_is_named(make_repo) -> None:
    repo = make_repo()
    repo.commit({**SRC, ".gitignore": "noxfile.py\n"})

    assert "noxfile.py: Git ignores it" in init(repo, *KIT, "--dry-run").out


def test_without_a_commit_the_files_are_written_all_the_same(make_repo) -> None:
    repo = make_repo()
    repo.write(SRC)
    answer = init(repo, *KIT)

    assert answer.code == 0
    assert "no commit yet" in answer.out


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"a": "^1.2.3"}, ["a>=1.2.3,<2"]),
        ({"a": "^0.2.3"}, ["a>=0.2.3,<0.3"]),
        ({"a": "^0.0.3"}, ["a>=0.0.3,<0.0.4"]),
        ({"a": "~1.2.3"}, ["a>=1.2.3,<1.3"]),
        ({"a": "~1"}, ["a>=1,<2"]),
        ({"a": "1.2.*"}, ["a==1.2.*"]),
        ({"a": "~=1.2", "python": "^3.11"}, ["a~=1.2"]),
        ({"a": "^1.0 || ^2.0"}, ["a"]),
        ({"a": ">=1, !=1.5"}, ["a>=1,!=1.5"]),
        (
            {"a": {"version": "*", "extras": ["x", "y"], "python": "<3.12"}},
            ['a[x,y] ; python_version < "3.12"'],
        ),
        ({"a": {"git": "https://h/a.git", "tag": "v1"}}, ["a @ git+https://h/a.git@v1"]),
        ({"a": {"path": "../a"}}, []),
        ({"a": [{"version": "1"}, {"version": "2", "markers": "x"}]}, ["a==1", "a==2 ; x"]),
    ],
)
def test_poetrys_notation_becomes_pips(table, words) -> None:
    assert words == list(from_poetry(table))


def test_lines_of_a_matrix_are_left_out() -> None:
    found = from_lines(["pytest", "py{311,312}: x", "!win: y", ".[a,b]", "--constraint=c.txt", "{[x]deps}"])

    assert found.words == ("pytest", "-c", "c.txt")
    assert found.extras == ("a", "b")


@pytest.mark.e2e
@pytest.mark.habits
def test_an_adopted_gate_allows_its_adoption_and_rejects_a_weaker_test(make_repo) -> None:
    """
    By the words that `init` prints, with real Nox and real environments.
    """
    repo = make_repo()
    named = SETUP.replace(")\n", ", packages=['pkg'])\n")
    repo.commit(flat(**{"setup.py": named, "requirements-test.txt": "pytest\n"}))
    init(repo, "--kit", str(SOURCE.parent), "--ci", "github")
    repo.commit(message="Adopt")
    gate = (sys.executable, "-m", "nox", "-s", "gate", "--")
    adopted = subprocess.run((*gate, "--base", "HEAD~1"), cwd=repo.root, check=False, capture_output=True)
    assert adopted.returncode == 0, adopted.stdout.decode() + adopted.stderr.decode()
    assert '"adoption"' in (repo.root / ".gate/verdict.json").read_text()
    repo.commit({"tests/test_f.py": TEST.replace(" == 2", "")})
    weaker = subprocess.run((*gate, "--base", "HEAD~1"), cwd=repo.root, check=False, capture_output=True)

    assert weaker.returncode == 1, weaker.stdout.decode() + weaker.stderr.decode()
    assert '"oracle-weakened"' in (repo.root / ".gate/verdict.json").read_text()
