"""
Attempts to make an inventory look green, from where a patch can make them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .environments import site_of
from .inventory_trees import prop, tree
from .test_inventory_commands import lane

if TYPE_CHECKING:
    from pathlib import Path

KIT = (
    "import sys\n"
    "kit = {name.partition('.')[2]: one for name, one in sys.modules.items() if 'lanekit' in name}\n"
)
RED = "\ndef fn(s): raise ValueError\n"
#: what a product does when it is imported, words of the detail
ON_IMPORT = {
    "checks": (
        KIT + "kit['builtin_checks'].CHECKS['never_raises'] = lambda fn, sample: None",
        "builtin_checks",
    ),
    "class": (
        KIT + "kit['inventory_property']._Check.first_failure = lambda self: ''",
        "_Check.first_failure",
    ),
    "runner": (KIT + "kit['inventory_property'].examine = lambda *_: ('green', '')", None),
    "comparing": (KIT + "kit['sameness'].same = kit['check_parts'].same = lambda *_: True", None),
    "exit": ("import sys\nsys.exit(0)", "can't be imported: SystemExit"),
    "hard exit": ("import os\nos._exit(0)", "exited with code 0"),
    "answer": (
        "import os\nfor d in range(3, 64):\n    try: os.write(d, b'x green \\n')\n    except OSError: pass",
        "something other than the check",
    ),
    "at exit": ("import atexit, os\natexit.register(os._exit, 0)", None),
}


@pytest.mark.parametrize("name", ON_IMPORT)
@pytest.mark.parametrize("kind", ["inventory", "witness"])
def test_a_product_that_meddles_is_never_green(tmp_path: Path, name: str, kind: str) -> None:
    meddling, words = ON_IMPORT[name]
    root = tree(
        tmp_path / "repo", {"samples.json": "[1]", "src/product.py": meddling + RED}, [prop("product.fn")]
    )
    done, evidence, _ = lane(root, kind)
    row = evidence["inventory"]["properties"][0]

    assert done.returncode != 0
    assert row["status"] == ("protocol_error" if words else "invariant_miss"), row["detail"]
    assert (words or "ValueError") in row["detail"]


#: Changes the kit's module as soon as it is loaded, before any property has begun.
EARLY = """
import importlib.util, sys

class Late:
    def find_spec(self, name, path, target=None):
        if not name.endswith(".inventory_property"):
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        load = spec.loader.exec_module
        def exec_module(module):
            load(module)
            module._Check.first_failure = lambda self: ""
        spec.loader.exec_module = exec_module
        return spec

sys.meta_path.insert(0, Late())
"""
STARTS = {
    "sitecustomize": {"sitecustomize.py": EARLY},
    ".pth": {"product.pth": "import product_startup\n", "product_startup.py": EARLY},
}


@pytest.mark.parametrize("name", STARTS)
def test_what_starts_with_python_taints_the_lane(tmp_path: Path, python: Path, name: str) -> None:
    for file, text in STARTS[name].items():
        (site_of(python) / file).write_text(text)
    root = tree(tmp_path / "repo", {"samples.json": "[1]", "src/product.py": RED}, [prop("product.fn")])
    done, evidence, _ = lane(root, "inventory", python=python)

    assert done.returncode == 2, done.stdout + done.stderr
    assert [one["outcome"] for one in evidence["canaries"]] == ["passed"]
    assert "a check that must fail did not" in done.stdout
