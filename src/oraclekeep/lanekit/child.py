"""
Starts pytest inside a lane's own process: `python child.py LANE [pytest arguments]`, in the tree.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

PIPE_VARIABLE = "ORACLEKEEP_LANE_PIPE"


def main(argv: list[str]) -> int:
    """
    Run pytest with the lane's plugin, which is there before any user code.
    """
    package = Path(__file__).resolve().parent
    # Neither this folder nor the tree is on the path until pytest is imported: a `pytest.py` would answer.
    sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() not in (package, Path.cwd())]
    import pytest  # noqa: PLC0415  # see above

    sys.path.append(str(package.parent))
    plugin = importlib.import_module(f"{package.name}.plugin")
    sys.path.remove(str(package.parent))
    sys.path.insert(0, str(Path.cwd()))  # as `python -m pytest` has it
    descriptor = int(os.environ.pop(PIPE_VARIABLE))
    os.set_inheritable(descriptor, False)  # noqa: FBT003  # the function takes no keyword
    lane, arguments = argv[0], argv[1:]
    return int(
        pytest.main(
            arguments,
            plugins=[
                plugin.LanePlugin(plugin.Pipe(descriptor), pin_hypothesis=lane in ("properties", "proposed"))
            ],
        )
    )


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
