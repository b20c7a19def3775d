"""
Starts pytest inside a lane's own process: `python child.py LANE PRODUCT [pytest arguments]`, in the tree.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
from pathlib import Path

PIPE_VARIABLE = "ORACLEKEEP_LANE_PIPE"
#: Lanes whose hypothesis tests draw from pinned seeds, in one process.
SEEDED = frozenset({"properties", "proposed", "liveness"})


def main(argv: list[str]) -> int:
    """
    Run pytest with the lane's plugin, which is there before any user code.
    """
    package = Path(__file__).resolve().parent
    # Neither this folder nor the tree is on the path until pytest is imported: a `pytest.py` would answer.
    sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() not in (package, Path.cwd())]
    import pytest  # noqa: PLC0415  # see above

    sys.path.insert(0, str(package.parent))  # first: the project may bring a package of this name
    plugin = importlib.import_module(f"{package.name}.plugin")
    sys.path.remove(str(package.parent))
    lane, product, arguments = argv[0], json.loads(argv[1]), argv[2:]
    is_seeded = lane in SEEDED
    if is_seeded:
        with contextlib.suppress(ImportError):
            importlib.import_module("hypothesis")  # here, too, the tree's own would answer from now on
    sys.path.insert(0, str(Path.cwd()))  # as `python -m pytest` has it
    descriptor = int(os.environ.pop(PIPE_VARIABLE))
    os.set_inheritable(descriptor, False)  # noqa: FBT003  # the function takes no keyword
    pipe = plugin.Pipe(descriptor, product["prefix"])
    ours = plugin.LanePlugin(
        pipe, plugin.Product(Path(product["tree"]), product["source"]), pin_hypothesis=is_seeded
    )
    return int(pytest.main(arguments, plugins=[ours]))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
