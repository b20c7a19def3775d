"""
`collection-tampered` and the coverage floor: pytest's and coverage's settings, compared by what they do.
"""

from __future__ import annotations

import ast
import configparser
import fnmatch
import re
import tomllib
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.coverage import coverage_losses, coverage_of
from oraclekeep.machinery.limits import Limits, is_lifted, limit_of, said_limit
from oraclekeep.machinery.options import Loss, filters_lost, losses
from oraclekeep.machinery.places import line_of
from oraclekeep.machinery.pysource import Def, load_or_none
from oraclekeep.machinery.settings import Settings, settings_of
from oraclekeep.model import Finding
from oraclekeep.paths import CONFIG_NAMES
from oraclekeep.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.machinery.coverage import Coverage
    from oraclekeep.machinery.options import Options
    from oraclekeep.machinery.pysource import PyFile
    from oraclekeep.model import Snapshot
    from oraclekeep.rules import Patch

_COVERAGE_NAMES: Final = (".coveragerc", ".coveragerc.toml")
_ADVICE: Final = "Put the setting back, or ask the owner for an allowance in oracle/intent.json."
#: Settings that must stay on once they are: the name, other names for it, and what goes with it.
_SWITCHES: Final = (
    (
        ("xfail_strict", "strict_xfail", "strict"),
        "a test that passes against its xfail mark is no longer a failure",
    ),
    (("strict_config", "strict"), "an unknown setting is no longer an error"),
    (("strict_markers", "strict"), "an unknown marker is no longer an error"),
)
_LOOSE_DOCTEST: Final = ("IGNORE_EXCEPTION_DETAIL", "SKIP")


@rule("collection-tampered", "machinery-weakened")
def suite_settings(patch: Patch) -> Iterator[Finding]:
    """
    Report what pytest now collects, runs or reports less because of a setting, wherever the setting stands.
    """
    changed = [delta.path for delta in patch.deltas if _name(delta.path) in (*CONFIG_NAMES, *_COVERAGE_NAMES)]
    if not changed:
        return
    broken = [finding for path in changed for finding in _unparsable(patch, path)]
    yield from broken
    if broken:
        return
    for folder in _folders(patch, changed):
        before, after = settings_of(patch.base, folder), settings_of(patch.head, folder)
        place = after.path or before.path
        for loss in _losses(patch, before, after):
            yield _finding(patch, place, loss)
    yield from _coverage(patch, changed)


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _folders(patch: Patch, changed: list[str]) -> list[str]:
    """
    Return the folders whose settings may differ: the root, and those with a changed file above tests.
    """
    root = settings_of(patch.base)
    nested = {path.rpartition("/")[0] for path in changed if "/" in path}
    return ["", *(folder for folder in sorted(nested) if any(map(root.collects, patch.base.under(folder))))]


def _unparsable(patch: Patch, path: str) -> Iterator[Finding]:
    old, new = patch.base.read(path), patch.head.read(path)
    if new is not None and (why := _parse_error(path, new)) and (old is None or not _parse_error(path, old)):
        yield Finding(
            path=path,
            line=1,
            row="collection-tampered",
            message=f"{path} can no longer be read ({why}), so its settings for the suite are gone.",
            advice="Mend the file.",
        )


def _parse_error(path: str, data: bytes) -> str:
    text = data.decode("utf-8-sig", "replace")
    try:
        if path.endswith(".toml"):
            tomllib.loads(text)
        else:
            configparser.RawConfigParser(strict=False, interpolation=None).read_string(text)
    except (tomllib.TOMLDecodeError, configparser.Error) as error:
        return str(error).split("\n", 1)[0]
    return ""


def _finding(patch: Patch, path: str, loss: Loss) -> Finding:
    was, now = loss.before, loss.after
    line = line_of(patch.head, path, now, now.rpartition("=")[2].strip(), now.partition(" ")[0], "addopts")
    change = f"`{was}` became `{now}`" if was and now else f"`{now}` was added" if now else f"`{was}` is gone"
    return Finding(
        path=path,
        line=line,
        row="machinery-weakened" if loss.coverage else "collection-tampered",
        message=f"Settings: {loss.what}; {change}.",
        advice=_ADVICE,
        before=was or None,
        after=now or None,
    )


def _losses(patch: Patch, before: Settings, after: Settings) -> Iterator[Loss]:
    strict = any(entry.split(":", 1)[0].strip() == "error" for entry in before.filters)
    for loss in losses(before.options, after.options, warnings_are_errors=strict):
        if loss.before not in {"--strict-markers", "--strict-config"}:
            yield loss
    yield from _switched_off(before, after)
    yield from (
        loss for loss in filters_lost(before.filters, after.filters) if not _is_foreign(patch, loss.after)
    )
    yield from _files_lost(patch, before, after)
    yield from _names_lost(patch, before, after)
    yield from _loosened(patch, before, after)
    yield from _limits(patch, before, after)
    yield from _shadowed(patch, before, after)


def _is_on(settings: Settings, names: tuple[str, ...]) -> bool:
    flag = {"strict_markers": "--strict-markers", "strict_config": "--strict-config"}.get(names[0])
    return settings.is_true(*names) or (flag is not None and settings.options.has(flag))


def _switched_off(before: Settings, after: Settings) -> Iterator[Loss]:
    for names, what in _SWITCHES:
        if _is_on(before, names) and not _is_on(after, names):
            now = f"{names[0]} = {after.text(names[0])}" if after.text(names[0]) else ""
            yield Loss(what, f"{names[0]} = true", now)


def _is_foreign(patch: Patch, entry: str) -> bool:
    """
    Tell whether a warning filter is about one module that is not the project's own.
    """
    module = ":".join(entry.split(":")[3:4]).strip().lstrip("^")
    if not module:
        return False
    own = {
        patch.layout.module_name(path) if patch.layout.is_production(path) else path.replace("/", ".")
        for path in patch.head.under("")
        if path.endswith(".py")
    }
    return module.split(".")[0].rstrip("\\") not in {name.split(".")[0] for name in own}


def _files_lost(patch: Patch, before: Settings, after: Settings) -> Iterator[Loss]:
    """
    Compare which test modules of head's tree base's settings collect, and which head's do.
    """
    places = ("testpaths", "norecursedirs", "python_files")
    same_words = (
        all(before.words(key) == after.words(key) for key in places) and before.folder == after.folder
    )
    if same_words and _placing(before) == _placing(after):
        return
    gone = [
        path for path in patch.head.under("") if _was_there(patch, path) and _lost(patch, before, after, path)
    ]
    for path in gone:
        yield Loss(
            f"{path} is no longer collected", _placing_text(before), _placing_text(after) or after.path
        )
    held = any(before.collects(path) for path in patch.head.under(""))
    for old in before.testpaths:
        inner = [new for new in after.testpaths if new.startswith(old + "/")]
        covered = any(new in ("", old) or old.startswith(new + "/") for new in after.testpaths or ("",))
        if old and inner and not covered and not held:
            yield Loss(
                "fewer folders are searched for tests",
                f"testpaths = {old}",
                f"testpaths = {', '.join(inner)}",
            )


def _placing(settings: Settings) -> tuple[object, ...]:
    options = settings.options
    return (
        settings.testpaths,
        options.values("--ignore"),
        options.values("--ignore-glob"),
        options.overrides,
    )


def _lost(patch: Patch, before: Settings, after: Settings, path: str) -> bool:
    if before.collects(path):
        return not after.collects(path)
    if before.collects_examples(path) and after.doctests and not after.collects_examples(path):
        return b">>>" in (patch.head.read(path) or b"")
    return False


def _was_there(patch: Patch, path: str) -> bool:
    """
    A file that arrives with the patch was never collected, unless it is an old one under a new name.
    """
    if not path.endswith(".py"):
        return False
    if patch.base.entry(path) is not None:
        return True
    here = patch.head.entry(path)
    gone = [delta for delta in patch.deltas if delta.deleted]
    return any(_name(delta.path) == _name(path) or delta.old == here for delta in gone)


def _placing_text(settings: Settings) -> str:
    names = [key for key in ("testpaths", "python_files", "norecursedirs") if settings.words(key)]
    keys = [f"{key} = {' '.join(settings.words(key))}" for key in names]
    keys += [f"--ignore={value}" for value in settings.options.values("--ignore")]
    return "; ".join(keys)


def _names_lost(patch: Patch, before: Settings, after: Settings) -> Iterator[Loss]:
    for key, default in (("python_functions", ("test",)), ("python_classes", ("Test",))):
        old, new = before.words(key, default), after.words(key, default)
        if set(old) <= set(new):
            continue
        for path in patch.head.under(""):
            if not (before.collects(path) and after.collects(path)):
                continue
            module = load_or_none(patch.head, path)
            names = _names(module, key) if module is not None else []
            for name in names:
                if _fits(name, old) and not _fits(name, new):
                    yield Loss(
                        f"{path}::{name} is no longer collected",
                        f"{key} = {' '.join(old)}",
                        f"{key} = {' '.join(new)}",
                    )


def _names(module: PyFile, key: str) -> list[str]:
    if key == "python_classes":
        classes = [node for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef)]
        return [
            node.name for node in classes if not any("TestCase" in ast.unparse(base) for base in node.bases)
        ]
    return [node.name for node in ast.walk(module.tree) if isinstance(node, Def)]


def _fits(name: str, patterns: tuple[str, ...]) -> bool:
    return any(
        name.startswith(pattern) or (set("*?[") & set(pattern) and fnmatch.fnmatchcase(name, pattern))
        for pattern in patterns
    )


def _loosened(patch: Patch, before: Settings, after: Settings) -> Iterator[Loss]:
    if before.doctests or before.options.has("--doctest-glob"):
        for flag in _LOOSE_DOCTEST:
            if flag in after.words("doctest_optionflags") and flag not in before.words("doctest_optionflags"):
                yield Loss("docstring examples can fail in fewer ways", "", f"doctest_optionflags = {flag}")
    old, new = before.text("empty_parameter_set_mark"), after.text("empty_parameter_set_mark")
    if old == "fail_at_collect" != new:
        yield Loss(
            "a test without cases is skipped instead of refused", f"empty_parameter_set_mark = {old}", new
        )
    if after.text("collect_imported_tests").lower() == "false" != before.text(
        "collect_imported_tests"
    ).lower() and _imports_tests(patch, after):
        yield Loss(
            "tests that a module imports are no longer collected", "", "collect_imported_tests = false"
        )
    if before.text("asyncio_mode") == "auto" != after.text("asyncio_mode") and _unmarked(patch, after):
        yield Loss(
            "nothing has coroutines awaited that bear no mark",
            "asyncio_mode = auto",
            after.text("asyncio_mode"),
        )
    if _number(after.text("reruns")) > _number(before.text("reruns")):
        yield Loss(
            "a failed test is tried again until it passes",
            before.text("reruns"),
            f"reruns = {after.text('reruns')}",
        )


def _limits(patch: Patch, before: Settings, after: Settings) -> Iterator[Loss]:
    """
    A test may take longer, or hypothesis draws less for all of them.
    """
    old, new = said_limit(before), said_limit(after)
    if is_lifted(limit_of(old), limit_of(new)):
        yield Loss("a test may take longer", f"timeout = {old}", f"timeout = {new}" if new else "")
    name = "--hypothesis-profile"
    old, new = before.options.last(name), after.options.last(name)
    if old != new:
        drawn, now = Limits(patch.base).examples(old, {}), Limits(patch.head).examples(new, {})
        if drawn is not None and now is not None and now < drawn:
            shown = f"{name}={new}" if new else ""
            yield Loss(f"hypothesis draws {now} examples, not {drawn}", f"{name}={old}" if old else "", shown)


_COROUTINE: Final = re.compile(rb"^[ \t]*async def test", re.MULTILINE)


def _unmarked(patch: Patch, settings: Settings) -> bool:
    """
    Return whether some file of head has async tests and names no plugin that would await them.
    """
    files = (patch.head.read(path) or b"" for path in patch.head.under("") if settings.collects(path))
    return any(_COROUTINE.search(data) and b"mark." not in data and b"Async" not in data for data in files)


def _shadowed(patch: Patch, before: Settings, after: Settings) -> Iterator[Loss]:
    """
    A new folder on the import path that holds another module of the product's name.
    """
    layout, old = patch.layout, before.words("pythonpath")
    own = {
        layout.module_name(path).split(".")[0] for path in patch.base.under("") if layout.is_production(path)
    }
    for folder in after.words("pythonpath"):
        place = folder.strip("./")
        files = patch.head.under(place) if place and folder not in old else ()
        tops = {path.removeprefix(f"{place}/").split("/")[0].removesuffix(".py") for path in files}
        if own & tops and not any(map(layout.is_production, files)):
            what = "another module is imported in place of the product's"
            yield Loss(what, " ".join(old), f"pythonpath = {folder}")


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0


def _imports_tests(patch: Patch, settings: Settings) -> bool:
    functions, classes = (
        settings.words("python_functions", ("test",)),
        settings.words("python_classes", ("Test",)),
    )
    for path in patch.head.under(""):
        module = load_or_none(patch.head, path) if settings.collects(path) else None
        if module is not None and any(_fits(name, (*functions, *classes)) for name in module.names):
            return True
    return False


def _coverage(patch: Patch, changed: list[str]) -> Iterator[Finding]:
    before, after = coverage_of(patch.base), coverage_of(patch.head)
    old_options, new_options = settings_of(patch.base).options, settings_of(patch.head).options
    floor = max(before.floor(), old_options.floor)
    place = after.path or before.path or changed[0]
    if not floor:
        return
    now = max(after.floor(), new_options.floor)
    if now < floor and _floor_in_ci(patch.head) < floor:
        shown = f"fail_under = {now:g}" if now else ""
        yield _finding(
            patch, place, Loss("the coverage floor is lower", f"fail_under = {floor:g}", shown, coverage=True)
        )
    lost = list(coverage_losses(before, after))
    if _branches(before, old_options) and not _branches(after, new_options):
        was = "--cov-branch" if old_options.has("--cov-branch") else "branch = true"
        lost.append(Loss("branches no longer count for the coverage floor", was, "", coverage=True))
    for loss in lost:
        yield _finding(patch, place, loss)


def _branches(coverage: Coverage, options: Options) -> bool:
    return coverage.is_true("run:branch") or options.has("--cov-branch")


def _floor_in_ci(tree: Snapshot) -> float:
    from oraclekeep.machinery.reach import Machinery  # noqa: PLC0415  # loads a YAML parser, needed only here

    return max((run.check.floor for run in Machinery(tree).all_runs() if not run.masked), default=0.0)
