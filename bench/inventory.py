"""
What an inventory costs beyond the work of its properties: many small ones, run by the real runner.

    python bench/inventory.py [--properties 200] [--repeats 2] [--json]

The work itself is measured in one plain process that imports each module anew and calls the function on every
sample.  Nothing here is asserted: machines differ.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import yaml

from oraclekeep.inventory.runner import run_working_copy
from oraclekeep.lanekit.fixtures import file_digest
from oraclekeep.lanekit.inventory_runner import Settings

MODULE = """
import dataclasses
import json
import re


@dataclasses.dataclass(frozen=True)
class Parcel:
    name: str
    weight: int


def sort_{0}(items):
    return sorted(items)


def text_{0}(items):
    return re.sub("[0-9]+", "#", json.dumps([Parcel("p", one).weight + {0} for one in items]))
"""
CHECKS = (
    ("sort", "idempotent"),
    ("sort", "length_preserved"),
    ("sort", "sorted_output"),
    ("text", "deterministic"),
    ("text", "never_raises"),
)
PLAIN = """
import importlib, json, sys, time
sys.path.insert(0, sys.argv[1])
samples = json.load(open(sys.argv[2]))
began = time.perf_counter()
for line in sys.stdin:
    module, fn = line.split()
    sys.modules.pop(module, None)
    function = getattr(importlib.import_module(module), fn)
    for sample in samples:
        function(sample)
        function(sample)
print(time.perf_counter() - began)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0] if __doc__ else "")
    parser.add_argument("--properties", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        properties = write(root, args.properties)
        work = plain(root, properties)
        starts: list[str] = []
        began = time.perf_counter()
        settings = Settings(
            tree=root, today=dt.datetime.now(dt.UTC).date(), repeats=args.repeats, progress=starts.append
        )
        found = run_working_copy(settings)
        wall = time.perf_counter() - began
    runs = args.properties * args.repeats
    answer = {
        "properties": args.properties,
        "repeats": args.repeats,
        "passed": sum(row["status"] == "pass" for row in found["properties"]),
        "seconds": round(wall, 2),
        "ms_of_work_each": round(work / args.properties * 1000, 2),
        "ms_of_overhead_each": round((wall / runs - work / args.properties) * 1000, 2),
    }
    print(json.dumps(answer, indent=1) if args.json else "\n".join(f"{k:<20} {v}" for k, v in answer.items()))


def write(root: Path, count: int) -> list[dict[str, Any]]:
    """
    Write a repository with so many properties and return them.
    """
    samples = json.dumps([[3, 1, 2], [5], [9, 8, 7, 6]])
    properties = []
    for number in range(count):
        fn, check = CHECKS[number % len(CHECKS)]
        module = f"product_{number // len(CHECKS)}"
        (root / "src").mkdir(exist_ok=True)
        (root / f"src/{module}.py").write_text(MODULE.replace("{0}", str(number // len(CHECKS))))
        properties.append(
            {
                "id": f"p{number}",
                "module": module,
                "fn": f"{fn}_{number // len(CHECKS)}",
                "seed": number,
                "fixture": "samples.json",
                "checks": [check],
            }
        )
    for name, text in {
        "samples.json": samples,
        "oracle/weights.json": "{}",
        "invariants/inventory.yaml": yaml.safe_dump({"version": 1, "properties": properties}),
        "invariants/fixture.lock.json": json.dumps({"samples.json": file_digest(samples.encode())}),
    }.items():
        path = root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return properties


def plain(root: Path, properties: list[dict[str, Any]]) -> float:
    """
    Return the seconds that the work takes in one process without any checks.
    """
    lines = "".join(f"{one['module']} {one['fn']}\n" for one in properties)
    argv = (sys.executable, "-c", PLAIN, str(root / "src"), str(root / "samples.json"))
    return float(subprocess.run(argv, input=lines.encode(), stdout=subprocess.PIPE, check=True).stdout)


if __name__ == "__main__":
    main()
