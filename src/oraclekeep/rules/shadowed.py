"""
`collection-tampered` by name: a new module that answers for a library of the checks.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Final

from oraclekeep.model import Finding
from oraclekeep.rules import rule
from oraclekeep.rules.addressed import declares

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.model import Snapshot
    from oraclekeep.paths import Layout
    from oraclekeep.rules import Patch

_ADVICE: Final = "Give the module another name, or ask the owner for an allowance in oracle/intent.json."
_TOOLS: Final = frozenset({"pytest", "_pytest", "pluggy", "hypothesis", "_hypothesis_pytestplugin"})


@rule("collection-tampered")
def shadowed_libraries(patch: Patch) -> Iterator[Finding]:
    """
    Report a module at the top of the import path that has the name of a library which the checks use.

    The tree, its source folders and the folders of tests come before what is installed.
    """
    known: set[str] = set()
    for delta in patch.deltas:
        name = _top_level_name(patch, delta.path) if delta.added else ""
        if not name.isidentifier() or name in known:  # what no `import` can say stands in nobody's place
            continue
        known.add(name)
        if not _stood(patch.base, patch.layout, name) and (
            _is_library(patch.base, name) or _is_used(patch.base, patch.layout, name)
        ):
            user = "pytest itself" if name in _TOOLS else _user(patch, name)
            if user:
                what = f"{user} imports the library {name}; this module would answer in its place."
                yield Finding(delta.path, 1, "collection-tampered", message=what, advice=_ADVICE)


@rule("collection-tampered")
def shadowed_product(patch: Patch) -> Iterator[Finding]:
    """
    Report a new module of the suite that is found before one of the product, now that its folder comes first.
    """
    if not any(_PATHS.search(_data(patch.head, delta.path)) for delta in patch.deltas):
        return
    layout = patch.layout
    own = {
        "/".join(layout.module_name(path).split(".")) + ".py"
        for path in patch.base.under("")
        if path.endswith(".py") and layout.is_production(path) and not path.endswith("__init__.py")
    }
    for delta in patch.deltas:
        if not delta.added or not layout.is_suite(delta.path) or layout.is_test_file(delta.path):
            continue
        twin = next((name for name in own if "/" in name and delta.path.endswith(f"/{name}")), None)
        if twin is not None:
            what = (
                f"The import path changes, and this module would answer in the place of the product's {twin}."
            )
            yield Finding(delta.path, 1, "collection-tampered", message=what, advice=_ADVICE)


#: What puts a folder in front of where modules are looked for.
_PATHS: Final = re.compile(rb"sys\.path\b|syspath_prepend|PYTHONPATH")


def _data(tree: Snapshot, path: str) -> bytes:
    return tree.read(path) or b""


def _top_level_name(patch: Patch, path: str) -> str:
    """
    Return the name under which a file makes itself known to `import`, or nothing where it lies deeper.
    """
    if patch.layout.is_human_owned(path) or not path.endswith((".py", ".pyc", ".so", ".pyd")):
        return ""
    for root in _roots(patch.layout, path):
        if root and patch.head.entry(f"{root}/__init__.py"):
            continue  # a package: its modules have dotted names
        first, _, rest = path.removeprefix(f"{root}/" if root else "").partition("/")
        if not rest or rest.startswith("__init__."):
            return first.partition(".")[0]
    return ""


def _roots(layout: Layout, path: str) -> Iterator[str]:
    yield ""
    for folder in (*layout.source, *layout.tests):
        if path.startswith(f"{folder}/"):
            yield folder
    parts = path.split("/")[:-1]
    for depth, part in enumerate(parts, 1):
        if part in {"tests", "test"}:  # pytest puts the folder of a test in front of the path
            yield "/".join(parts[:depth])


def _stood(tree: Snapshot, layout: Layout, name: str) -> bool:
    roots = ("", *(f"{folder}/" for folder in (*layout.source, *layout.tests)))
    return any(tree.entry(f"{root}{name}.py") or tree.under(f"{root}{name}") for root in roots)


def _is_library(tree: Snapshot, name: str) -> bool:
    if name in _TOOLS or name in sys.stdlib_module_names:
        return True
    word = re.compile(
        rb"(?<![\w.-])" + re.escape(name.encode()).replace(b"_", b"[-_.]") + rb"(?![\w.-])", re.IGNORECASE
    )
    declaring = (path for path in tree.under("") if declares(path))
    return any(word.search(tree.read(path) or b"") for path in declaring)


def _is_used(tree: Snapshot, layout: Layout, name: str) -> bool:
    """
    Return whether base's product imports what lies nowhere in the repository: then it is installed.
    """
    paths = [path for path in tree.under("") if path.endswith(".py")]
    if any(name in (part.partition(".")[0] for part in path.split("/")) for path in tree.under("")):
        return False
    imports = _importing(name)
    return any(layout.is_production(path) and imports.search(tree.read(path) or b"") for path in paths)


def _importing(name: str) -> re.Pattern[bytes]:
    word = re.escape(name.encode())
    return re.compile(
        rb"^[ \t]*(from[ \t]+%s[ \t.]|import[ \t]+([\w., \t]*,[ \t]*)?%s\b)" % (word, word), re.MULTILINE
    )


def _user(patch: Patch, name: str) -> str:
    """
    Return a file of base's checks that imports a name.
    """
    layout, imports = patch.layout, _importing(name)
    for path in patch.base.under(""):
        is_check = layout.is_human_owned(path) or layout.is_suite(path)
        if path.endswith(".py") and is_check and imports.search(patch.base.read(path) or b""):
            return path
    return ""
