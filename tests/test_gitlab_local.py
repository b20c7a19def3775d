"""
The GitLab template in the hands of `gitlab-ci-local`, on its shell executor: its own reading of the file.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from .ci_systems import CI
from .test_template_runs import BASE, NOXW, PATCHES

if TYPE_CHECKING:
    from tests.conftest import GitRepo

pytestmark = [
    pytest.mark.templates,
    pytest.mark.skipif(not shutil.which("rsync"), reason="gitlab-ci-local copies with rsync"),
]

ADDRESS = "https://gitlab.example.com/shop/shop.git"
VARIABLES = {"CI_PIPELINE_SOURCE": "merge_request_event", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"}


@pytest.fixture
def clone(make_repo) -> GitRepo:
    """
    A repository with the template, which finds itself under the address that it names as its origin.
    """
    made = make_repo("clone")
    made.write({**BASE, "noxw": NOXW, ".gitlab-ci.yml": (CI / "gitlab/gate.yml").read_text()})
    (made.root / "noxw").chmod(0o755)
    made.commit()
    for name, files in PATCHES.items():
        made.git("checkout", "--quiet", "-b", name, "main")
        made.commit(files)
    bare = made.root.parent / "origin.git"
    made.git("clone", "--quiet", "--bare", ".", str(bare))
    made.git("remote", "add", "origin", ADDRESS)
    made.git("config", f"url.{bare}.insteadOf", ADDRESS)
    return made


@pytest.mark.parametrize(("patch", "decision"), [("allowed", "allow"), ("weaker", "reject")])
def test_the_pipeline_ends_with_the_verdict(clone: GitRepo, patch: str, decision: str) -> None:
    program = shutil.which("gitlab-ci-local")
    assert program, "gitlab-ci-local is not installed: `nox -s templates` does it"
    clone.git("checkout", "--quiet", patch)
    given = [f"--variable={name}={value}" for name, value in VARIABLES.items()]
    done = subprocess.run(
        (program, "--force-shell-executor", "--shell-isolation", *given),
        cwd=clone.root, env=dict(os.environ), check=False, capture_output=True, text=True,
    )  # fmt: skip
    verdict = clone.root / ".gitlab-ci-local/builds/gateIAverdict/.gate/verdict.json"
    said = json.loads(verdict.read_text())

    assert said["decision"] == decision, done.stdout
    assert done.returncode == (decision == "reject")
    assert "PASS  gate witness" in done.stdout
    assert "protocol-error" not in {one["rule"] for one in said["findings"]}
