"""
Score real releases: the next release of a package committed over the one before it.

    python bench/releases.py [PACKAGE OLD NEW ...] [--keep FOLDER]

Source distributions come from the package index.  Each pair becomes a repository with two commits;
`oraclekeep score` judges the second one.  Every finding is printed: read them, a release is honest work.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PAIRS = (
    ("packaging", "24.1", "24.2"),
    ("more-itertools", "10.4.0", "10.5.0"),
    ("click", "8.1.7", "8.1.8"),
    ("attrs", "24.1.0", "24.2.0"),
    ("httpx", "0.27.0", "0.27.2"),
    ("itsdangerous", "2.1.2", "2.2.0"),
    ("jinja2", "3.1.4", "3.1.5"),
    ("jaraco.functools", "4.0.2", "4.1.0"),
)


def git(repo: Path, *args: str) -> str:
    who = ["-c", "user.name=bench", "-c", "user.email=bench@example.invalid", "-c", "core.autocrlf=false"]
    return subprocess.run(
        ["git", *who, *args], cwd=repo, check=True, capture_output=True, text=True
    ).stdout.strip()


def unpacked(package: str, version: str, into: Path) -> Path:
    """
    Download one source distribution and return the folder it unpacks to.
    """
    into.mkdir(parents=True)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "-q",
        "--no-deps",
        "--no-binary",
        ":all:",
    ]
    subprocess.run([*pip, "-d", str(into), f"{package}=={version}"], check=True, capture_output=True)
    archive = next(into.glob("*.tar.gz"))
    with tarfile.open(archive) as tar:
        tar.extractall(into, filter="data")
    return next(path for path in into.iterdir() if path.is_dir())


def commit(repo: Path, tree: Path, message: str) -> str:
    for path in repo.iterdir():
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    # What the build wrote into the archive stands in no repository.
    written = shutil.ignore_patterns("*.egg-info", "PKG-INFO")
    shutil.copytree(tree, repo, dirs_exist_ok=True, ignore=written)
    git(repo, "add", "-A", "-f")
    git(repo, "commit", "-qm", message)
    return git(repo, "rev-parse", "HEAD")


def judged(package: str, old: str, new: str, root: Path) -> bool:
    """
    Build the repository, score the patch, print what was found; the answer says whether it could be judged.
    """
    repo = root / package
    repo.mkdir()
    git(repo, "init", "-q", "-b", "main")
    base = commit(repo, unpacked(package, old, root / f"{package}-{old}"), old)
    head = commit(repo, unpacked(package, new, root / f"{package}-{new}"), new)
    argv = [
        sys.executable,
        "-m",
        "oraclekeep",
        "score",
        "--base",
        base,
        "--head",
        head,
        "--intend-all",
        "--json",
    ]
    done = subprocess.run(argv, cwd=repo, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        print(f"{package} {old} -> {new}: could not judge: {done.stderr.strip()}")
        return False
    answer = json.loads(done.stdout)
    said = f"{answer['decision']} score {answer['score']}, power {answer['power']}, {answer['counts']}"
    print(f"{package} {old} -> {new}: {said}")
    for one in answer["findings"]:
        if one["gate"] == "reject":
            print(f"    {one['path']}:{one['line']} {one['rule']} {one['test']}\n        {one['message']}")
            print(f"        - {one['before']}\n        + {one['after']}")
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("triples", nargs="*", help="PACKAGE OLD NEW, any number of times")
    parser.add_argument("--keep", type=Path, help="leave the repositories here")
    args = parser.parse_args()
    words = args.triples
    pairs = [tuple(words[index : index + 3]) for index in range(0, len(words), 3)] or list(PAIRS)
    with tempfile.TemporaryDirectory() as scratch:
        root = args.keep or Path(scratch)
        root.mkdir(parents=True, exist_ok=True)
        answers = [judged(*pair, root=root) for pair in pairs]
        return 0 if all(answers) else 2


if __name__ == "__main__":
    sys.exit(main())
