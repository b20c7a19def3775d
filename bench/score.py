"""
How long `oraclekeep score` takes against its floor, in one run on one repository.

    python bench/score.py REPO [--base REF --head REF | --commits 500] [--runs 5] [--json]

The floor is what any scorer on syntax trees must do: `git diff --raw`, one `git cat-file --batch`, and
`ast.parse` of both sides of the changed test files, in a process of its own.  Both are whole processes,
run in turn; the ratio of the medians is printed.  Nothing here is asserted: machines differ.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

FLOOR = r"""
import ast, fnmatch, subprocess, sys, warnings
warnings.simplefilter("ignore")
repo, base, head = sys.argv[1:]
def git(*args, data=None):
    return subprocess.run(["git", "-C", repo, *args], input=data, capture_output=True, check=True).stdout
raw = git("diff", "--raw", "-z", "--no-renames", "--no-abbrev", base, head)
fields = raw.split(b"\0")
wanted = []
for meta, path in zip(fields[:-1:2], fields[1::2]):
    name = path.rsplit(b"/", 1)[-1].decode("utf-8", "surrogateescape")
    if any(fnmatch.fnmatchcase(name, like) for like in ("test_*.py", "*_test.py", "conftest.py")):
        wanted += [oid for oid in meta.split()[2:4] if oid.strip(b"0")]
out = git("cat-file", "--batch", data=b"\n".join(wanted) + b"\n") if wanted else b""
at = files = 0
while at < len(out):
    end = out.index(b"\n", at)
    size = int(out[at:end].split()[2])
    data, at = out[end + 1 : end + 1 + size], end + size + 2
    try:
        ast.parse(data)
    except (SyntaxError, ValueError):
        pass
    files += 1
print(files)
"""


def timed(argv: list[str], cwd: Path) -> tuple[float, str]:
    """
    Time one whole process.  One that could not do its work ends the bench with what it said.
    """
    start = time.perf_counter()
    done = subprocess.run(argv, cwd=cwd, capture_output=True, check=False, text=True)
    seconds = time.perf_counter() - start
    if done.returncode not in (0, 1) or not done.stdout.strip():
        sys.exit(f"{' '.join(argv[1:4])} ended with {done.returncode}:\n{done.stderr.strip()}")
    return seconds, done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("repo", type=Path)
    parser.add_argument("--base", default="")
    parser.add_argument("--head", default="HEAD")
    parser.add_argument("--commits", type=int, default=500)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    base = args.base or f"{args.head}~{args.commits}"
    floor, score = [], []
    files = ""
    for _ in range(args.runs + 1):
        seconds, files = timed([sys.executable, "-c", FLOOR, str(args.repo), base, args.head], args.repo)
        floor.append(seconds)
        seconds, _ = timed(
            [sys.executable, "-m", "oraclekeep", "score", "--base", base, "--head", args.head, "--json"],
            args.repo,
        )
        score.append(seconds)
    row = {
        "repo": args.repo.name, "base": base, "head": args.head, "blobs": int(files or 0),
        "floor": round(statistics.median(floor[1:]), 3), "score": round(statistics.median(score[1:]), 3),
    }  # fmt: skip
    row["ratio"] = round(row["score"] / row["floor"], 2)
    print(json.dumps(row) if args.json else "  ".join(f"{key} {value}" for key, value in row.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
