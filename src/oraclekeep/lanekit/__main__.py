"""
`python .gate/kit/oraclekeep_lanekit LANE [pytest arguments]`: run one lane and leave its report and evidence.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

INVENTORY_LANES = ("inventory", "proposed", "witness")


def main(argv: list[str]) -> int:
    """
    Send the lane to its runner.
    """
    package = Path(__file__).resolve().parent
    gate = package.parent.parent
    # The folder itself came first on the path, where its modules would be found under bare names.
    sys.path[:] = [
        str(package.parent),
        *(entry for entry in sys.path if Path(entry or ".").resolve() != package),
    ]
    if not argv or argv[0].startswith("-"):
        sys.stderr.write(f"usage: python {package} LANE [pytest arguments]\n")
        return 2
    lane, extra = argv[0], argv[1:]
    tenancy = importlib.import_module(f"{package.name}.tenancy")
    with tenancy.alone_in(gate / "trees" / Path(lane).name), tenancy.nothing_left() as kept:
        return _run(package.name, lane, gate, extra, kept)


def _run(package: str, lane: str, gate: Path, extra: list[str], kept: list[int]) -> int:
    shard = os.environ.get("GATE_SHARD", "")
    if not importlib.import_module(f"{package}.setting_up").set_up(lane, gate, shard, kept):
        return 2
    if lane == "liveness":
        return int(importlib.import_module(f"{package}.liveness_lane").main(gate))
    codes: list[int] = []
    if lane in INVENTORY_LANES:
        codes.append(importlib.import_module(f"{package}.inventory_lane").main(lane, gate))
    if lane == "proposed" or not codes:
        shard = "properties" if codes else shard
        codes.append(importlib.import_module(f"{package}.pytest_lane").main(lane, gate, extra, shard))
    return max(codes)


def without_site() -> None:
    """
    Start this program again without site-packages.

    What a project installs may run code at start-up (`.pth` files, sitecustomize); the process that keeps the
    record is not to be a place where it runs.
    """
    if not sys.flags.no_site:
        here = str(Path(__file__).resolve().parent)
        os.execv(sys.executable, [sys.executable, "-I", "-S", "-B", here, *sys.argv[1:]])  # noqa: S606  # that is the point


if __name__ == "__main__":
    without_site()
    raise SystemExit(main(sys.argv[1:]))
