"""
Run the whole gate on real packages: adopt the kit in one release, then land patches on it.

    python bench/gates.py [PACKAGE ...] [--keep FOLDER]

The patches: the adoption itself, three ways to make a red suite green, an honest feature, an owner's patch,
and the next release.  Every answer but that on the release is compared with the right one.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from releases import commit, git, unpacked

import oraclekeep.demo
from oraclekeep.demo.build import kit_requirement

DEMO = Path(oraclekeep.demo.__file__).with_name("project")
#: The next release, whose answer is a matter of reading.
RELEASE = "release"
FORCED_GREEN = """

import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    if outcome.get_result().failed:
        outcome.get_result().outcome = "passed"
"""
PROPERTY = """from hypothesis import given
from hypothesis import strategies as st

{imports}


@given(st.text(alphabet="abc-_. <>", max_size=20))
def test_{name}(text: str) -> None:
    {body}
"""


@dataclass(frozen=True)
class Project:
    """
    A package with the least that its owner and an agent would write.
    """

    package: str
    old: str
    new: str
    requirements: str  # of its tests, a file of the package
    module: str
    fn: str  # idempotent on texts
    more: tuple[str, str, str]  # another property: imports, name, body
    test_file: str
    assertion: str
    skipped: str  # the line of a test's head
    feature: tuple[str, str]  # code for the module, a test for `test_file`


PROJECTS = (
    Project(
        package="packaging",
        old="24.1",
        new="24.2",
        requirements="tests/requirements.txt",
        module="packaging.utils",
        fn="canonicalize_name",
        more=(
            "from packaging.utils import canonicalize_name",
            "a_name_has_one_separator",
            'assert "_" not in canonicalize_name(text)',
        ),
        test_file="test_utils.py",
        assertion="    assert parse_sdist_filename(filename) == (name, version)\n",
        skipped="def test_parse_wheel_invalid_filename(filename):\n",
        feature=(
            """
def same_name(left: str, right: str) -> bool:
    return canonicalize_name(left) == canonicalize_name(right)
""",
            """
def test_same_name():
    from packaging.utils import same_name

    assert same_name("A.b", "a-B") is True
    assert same_name("a", "b") is False
""",
        ),
    ),
    Project(
        package="jinja2",
        old="3.1.4",
        new="3.1.5",
        requirements="requirements/tests.txt",
        module="jinja2.filters",
        fn="do_trim",
        more=(
            "from jinja2 import Environment",
            "a_variable_renders_as_it_is",
            'assert Environment().from_string("{{ x }}").render(x=text) == text',
        ),
        test_file="test_filters.py",
        assertion='        assert tmpl.render() == "FOO"\n',
        skipped="    def test_urlize(self, env):\n",
        feature=(
            """
def do_shout(value: str) -> str:
    return value.upper() + "!"
""",
            """
def test_shout():
    from jinja2.filters import do_shout

    assert do_shout("a") == "A!"
""",
        ),
    ),
    Project(
        package="itsdangerous",
        old="2.1.2",
        new="2.2.0",
        requirements="requirements/tests.txt",
        module="itsdangerous.encoding",
        fn="want_bytes",
        more=(
            "from itsdangerous import encoding",
            "bytes_survive",
            "assert encoding.base64_decode(encoding.base64_encode(text)) == text.encode()",
        ),
        test_file="test_itsdangerous/test_encoding.py",
        assertion="    assert dec == want_bytes(value)\n",
        skipped="def test_base64_bad():\n",
        feature=(
            """
def bytes_length(value: _t_str_bytes) -> int:
    return len(want_bytes(value))
""",
            """
def test_bytes_length():
    from itsdangerous.encoding import bytes_length

    assert bytes_length("mañana") == 7
""",
        ),
    ),
)


def adoption(project: Project) -> dict[str, str]:
    """
    Return what adopting the kit adds to a repository, as its README says.
    """
    noxfile = (DEMO / "noxfile.py").read_text(encoding="utf-8")
    noxfile = re.sub(r"(?m)^KIT = .*$", f"KIT = {kit_requirement()!r}", noxfile)
    noxfile = re.sub(r"(?m)^(PYPROJECT|TEST_GROUP) = .*\n", "", noxfile)
    noxfile = re.sub(
        r'"\.gate/trees/(\w+)", \*TEST_GROUP',
        rf'".gate/trees/\1", "-r", ".gate/trees/\1/{project.requirements}", "hypothesis"',
        noxfile,
    )
    samples = json.dumps([" Foo.Bar ", "a_b-c", "x__y..z"])
    imports, name, body = project.more
    return {
        "noxfile.py": noxfile,
        **{path: (DEMO / path).read_text(encoding="utf-8") for path in ("tasks.py", "oracle/weights.json")},
        ".gitignore": (DEMO / ".gitignore").read_text(encoding="utf-8"),
        "oracle/gate.yaml": "source: [src]\ntests: [tests]\nplugins: [hypothesis]\n",
        "oracle/intent.json": json.dumps({"allow_behavior_change": [f"src/{project.package}/"]}) + "\n",
        "oracle/quarantine.json": '{"items": []}\n',
        "oracle/properties/test_it.py": PROPERTY.format(imports=imports, name=name, body=body),
        "invariants/texts.json": samples,
        "invariants/fixture.lock.json": json.dumps(
            {"invariants/texts.json": hashlib.sha256(samples.encode()).hexdigest()}
        ),
        "invariants/inventory.yaml": (
            f"version: 1\nproperties:\n  - id: settles\n    module: {project.module}\n    fn: {project.fn}\n"
            "    seed: 1\n    fixture: invariants/texts.json\n    note: Once is enough.\n"
            "    checks: [idempotent, deterministic]\n"
        ),
    }


def written(repo: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = repo / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def edits(project: Project, repo: Path) -> dict[str, tuple[dict[str, str], int]]:
    """
    Return each small patch as name -> (files, the right exit code).
    """
    tests = f"tests/{project.test_file}"
    code = f"src/{project.module.replace('.', '/')}.py"
    suite, module = ((repo / path).read_text(encoding="utf-8") for path in (tests, code))
    conftest = repo / "tests" / "conftest.py"
    before = conftest.read_text(encoding="utf-8") if conftest.exists() else ""
    indent = project.skipped[: len(project.skipped) - len(project.skipped.lstrip())]
    added, test = project.feature
    for text in (project.assertion, project.skipped):
        assert suite.count(text) == 1, text
    return {
        "assertion dropped": ({tests: suite.replace(project.assertion, indent + "pass\n")}, 1),
        "skip added": (
            {tests: suite.replace(project.skipped, f"{indent}@pytest.mark.skip\n{project.skipped}")},
            1,
        ),
        "forced green": ({"tests/conftest.py": before + FORCED_GREEN}, 1),
        "honest feature": ({code: f"{module}\n\n{added}", tests: f"{suite}\n\n{test}"}, 0),
        "owner's note": (
            {
                "oracle/intent.json": json.dumps({"allow_behavior_change": []}),
                "oracle/properties/test_more.py": "def test_more() -> None:\n    assert 'x'.upper() == 'X'\n",
            },
            0,
        ),
    }


def gate(repo: Path, name: str, base: str, head: str, right: int | None) -> bool:
    """
    Run the gate, print its verdict where it is not the plain right one, and say whether it was right.
    """
    begun = time.monotonic()
    argv = [sys.executable, "-m", "nox", "-s", "gate", "--", "--base", base, "--head", head]
    done = subprocess.run(
        argv, cwd=repo, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    right_or_not = "read it" if right is None else "as expected" if done.returncode == right else "WRONG"
    print(
        f"{repo.name}: {name}: exit {done.returncode}, {right_or_not}, {time.monotonic() - begun:.0f} s",
        flush=True,
    )
    folder = repo.parent / f"{repo.name}.{name.replace(' ', '-').replace(chr(39), '')}"
    folder.with_suffix(folder.suffix + ".txt").write_text(done.stdout, encoding="utf-8")
    if right_or_not != "as expected":
        start = done.stdout.rfind("\noraclekeep: ")
        print(done.stdout[max(start, len(done.stdout) - 6000) :], flush=True)
    return right is None or done.returncode == right


def run(project: Project, root: Path) -> list[bool]:
    repo = root / project.package
    repo.mkdir()
    git(repo, "init", "-q", "-b", "main")
    plain = commit(repo, unpacked(project.package, project.old, root / f"{project.package}-old"), project.old)
    written(repo, adoption(project))
    git(repo, "add", "-A", "-f")
    git(repo, "commit", "-qm", "adopt the gate")
    base = git(repo, "rev-parse", "HEAD")
    answers = [gate(repo, "adoption", plain, base, 0)]
    for name, (files, right) in edits(project, repo).items():
        git(repo, "checkout", "-q", "--detach", base)
        written(repo, files)
        git(repo, "add", "-A")
        git(repo, "commit", "-qm", name)
        answers.append(gate(repo, name, base, git(repo, "rev-parse", "HEAD"), right))
    git(repo, "checkout", "-q", "--detach", base)
    commit(repo, unpacked(project.package, project.new, root / f"{project.package}-new"), project.new)
    written(repo, adoption(project))
    git(repo, "add", "-A", "-f")
    git(repo, "commit", "-q", "--amend", "--no-edit")
    answers.append(gate(repo, RELEASE, base, git(repo, "rev-parse", "HEAD"), None))
    return answers


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    known = {project.package: project for project in PROJECTS}
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"of {', '.join(known)}")
    parser.add_argument("--keep", type=Path, help="leave the repositories and the gate's output here")
    args = parser.parse_args()
    if unknown := [name for name in args.packages if name not in known]:
        parser.error(f"no such package here: {', '.join(unknown)}; there are {', '.join(known)}")
    with tempfile.TemporaryDirectory() as scratch:
        root = args.keep or Path(scratch)
        root.mkdir(parents=True, exist_ok=True)
        answers = [
            answer
            for name, project in known.items()
            if not args.packages or name in args.packages
            for answer in run(project, root.absolute())
        ]
    return 0 if all(answers) else 1


if __name__ == "__main__":
    sys.exit(main())
