"""
What MkDocs calls: it adds the reference, which is made from the code, and parts of other pages.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mkdocs.structure.files import File

from oraclekeep.adopting.kitfiles import NOXFILE, kit_file
from oraclekeep.demo.build import build
from oraclekeep.demo.patches import PATCHES
from oraclekeep.reference import reference_pages
from oraclekeep.reference.files import Sample

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

ROOT: Final = Path(__file__).resolve().parents[1]
#: Answers that the reference shows, asked for in the example repository.
ASKED: Final = (
    "score --base main --head assertion-dropped --json",
    "explain oracle-removed --json",
    "power-of main --json",
    "inventory --repeat 1 --json -",
    "lock --check --json",
    "expiry --json",
    "doctor --json",
    "writeset oracle/weights.json --json",
    "init --dry-run --json",
)
#: A section of another page: `<!-- from README.md: How it works -->`.
_BORROWED: Final = re.compile(r"<!-- from (\S+): (.+?) -->")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """
    Add the generated pages.
    """
    comparison = (ROOT / "ci/README.md").read_text(encoding="utf-8")
    for path, text in reference_pages(kit_file(NOXFILE), comparison, samples()).items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """
    Put in the sections that stand elsewhere.
    """
    return _BORROWED.sub(lambda match: section(match[1], match[2]), markdown)


def section(page: str, title: str) -> str:
    """
    Return what stands below one heading of a page of this repository.
    """
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise ValueError(f"{page} has no section {title!r}")
    return re.sub(r"\[([^\]]+)\]\((?!https?:)[^)]*\)", r"\1", found[1].strip())  # its links start elsewhere


def samples() -> dict[str, Sample]:
    """
    Ask the program in a fresh example.
    """
    with tempfile.TemporaryDirectory(prefix="oraclekeep-docs-") as scratch:
        folder = Path(scratch)
        build(folder, PATCHES)
        return {f"oraclekeep {words}": _ask(folder, words) for words in ASKED}


def _ask(folder: Path, words: str) -> Sample:
    argv = [sys.executable, "-P", "-m", "oraclekeep", *words.split()]
    done = subprocess.run(argv, cwd=folder, check=False, capture_output=True)
    if done.returncode not in (0, 1) or not done.stdout:
        raise RuntimeError(f"oraclekeep {words}: exit {done.returncode}: {done.stderr.decode()}")
    text = done.stdout.decode().replace(str(folder), "/example")
    return Sample(json.loads(text), done.returncode)
