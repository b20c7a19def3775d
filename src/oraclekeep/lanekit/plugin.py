"""
The pytest plugin of a lane: tells the parent process what it saw, as early as it can be seen.

It is handed to pytest as an object before any user code is imported, and it reports twice: what a test's
phase raised, seen from inside, and what pytest's reports then said.  A hook that turns red into green changes
the second and not the first.
"""

from __future__ import annotations

import json
import os
import re
import traceback
import unittest
from typing import TYPE_CHECKING, Any

import pytest

from .meddling import Judges

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

#: Modules of a product that are there for suites, its own and other people's.
_FOR_TESTERS = re.compile(
    r"(^|/|_)(testing|tests?|testsuite|pytest|unittest|test_?utils?|fixtures?|plugins?|mocks?|conftest)(_|/|\.py$)"
)


class Pipe:
    """
    One JSON document a line.  A process forked by a test shares the descriptor and must stay silent.

    ``prefix`` makes a nodeid, which pytest counts from a package's folder, one of the whole tree.
    """

    def __init__(self, descriptor: int, prefix: str) -> None:
        self._descriptor = descriptor
        self._prefix = prefix
        self._owner = os.getpid()

    def send(self, event: str, **facts: object) -> None:
        if os.getpid() != self._owner:
            return
        if facts.get("id"):
            facts["id"] = f"{self._prefix}{facts['id']}"
        data = json.dumps({"event": event, **facts}).encode("ascii") + b"\n"
        while data:
            data = data[os.write(self._descriptor, data) :]


class Product:
    """
    Tells the product's code from the suite's: what lies below the source folders, what helps testers aside.
    """

    def __init__(self, tree: Path, source: Sequence[str]) -> None:
        self._here = str(tree)
        self._roots = tuple(str(tree / folder) for folder in source)

    def holds(self, path: str) -> bool:
        path = os.path.normpath(path)  # many a conftest puts `tests/../src` on the path
        inside = any(path == root or path.startswith(root.rstrip(os.sep) + os.sep) for root in self._roots)
        return inside and not _FOR_TESTERS.search(os.path.relpath(path, self._here).replace(os.sep, "/"))

    def left_by(self, error: BaseException, module: str) -> str:
        """
        Return the place in the product from which a test was left, or nothing where the suite itself did it.

        A unittest case raises the error anew, so what it was raised from is asked too.
        """
        seen: BaseException | None = error
        while seen is not None and kind_of(seen) in ("skip", "xfail"):
            frames = [
                (os.path.normpath(frame.f_code.co_filename), line)
                for frame, line in traceback.walk_tb(seen.__traceback__)
            ]
            # The innermost of the tree's own frames; below it are only pytest, unittest and other packages.
            for path, line in reversed(frames):
                if path.startswith(self._here + os.sep):
                    if path != module and self.holds(path):
                        return f"{os.path.relpath(path, self._here)}:{line}"
                    break
            seen = seen.__context__
        return ""


class LanePlugin:
    """
    Streams collected ids, raised errors and reports.
    """

    def __init__(self, pipe: Pipe, product: Product, *, pin_hypothesis: bool) -> None:
        self._send = pipe.send
        self._product = product
        self._judges = Judges(product.holds)
        self._told: set[str] = set()
        self._pin = pin_hypothesis

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self) -> None:
        # pytest has read it by now; the suite's own pytest runs are none of ours.
        os.environ.pop("PYTEST_DISABLE_PLUGIN_AUTOLOAD", None)
        if self._pin:
            pin_hypothesis()
        self._send("configured", pytest=pytest.__version__)

    # ---------------------------------------------------------------------------------------- collection

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Any:
        before = [item.nodeid for item in items]
        yield
        kept = {item.nodeid for item in items}
        for nodeid in before:
            if nodeid not in kept:
                self._send("deselected", id=nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            self._send("collected", id=item.nodeid)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        for nodeid in ids:
            self._send("collected", id=nodeid, worker=True)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.outcome != "passed":
            self._send("uncollected", id=report.nodeid, outcome=report.outcome)
        if report.outcome == "skipped" and isinstance(report.longrepr, tuple):
            path, line = str(report.longrepr[0]), report.longrepr[1]
            if self._product.holds(path) and not path.endswith(report.nodeid):
                self._send("left", id=report.nodeid, place=f"{os.path.relpath(path)}:{line}")

    # --------------------------------------------------------------------------------------------- tests

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Any:
        self._look(item, "setup", (yield))

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Any:
        self._look(item, "call", (yield))

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Any:
        self._look(item, "teardown", (yield))

    def _tell_of(self, found: Iterable[str]) -> None:
        for what in found:
            if what not in self._told:
                self._told.add(what)
                self._send("meddled", what=what)

    def _look(self, item: pytest.Item, when: str, outcome: Any) -> None:
        if when == "call":
            self._tell_of(self._judges.replaced())
        raised = [outcome.excinfo[1]] if outcome.excinfo else []
        # A unittest case catches its own errors and hands them over later.
        raised += [info.value for info in getattr(item, "_excinfo", None) or ()]
        for error in raised:
            self._send("raised", id=item.nodeid, when=when, kind=kind_of(error))
            if place := self._product.left_by(error, str(item.path)):
                self._send("left", id=item.nodeid, place=place)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.outcome != "passed":
            xfail = hasattr(report, "wasxfail")
            self._send("report", id=report.nodeid, when=report.when, outcome=report.outcome, xfail=xfail)

    # ------------------------------------------------------------------------------------------- session

    @pytest.hookimpl(tryfirst=True)
    def pytest_internalerror(self, excrepr: object) -> None:
        self._send("internal", text=str(excrepr)[-2000:])

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        self._tell_of(self._judges.replaced(everywhere=True))
        named = session.config.getoption("plugins", ()) or ()
        self._tell_of(self._judges.registered(session.config.pluginmanager, named))
        self._send("finished", status=int(exitstatus))


def kind_of(error: BaseException) -> str:
    """
    Tell a failure from the ways to leave a test that are none.
    """
    if isinstance(error, (pytest.skip.Exception, unittest.SkipTest)):
        return "skip"
    if isinstance(error, pytest.xfail.Exception):
        return "xfail"
    if isinstance(error, (pytest.exit.Exception, KeyboardInterrupt)):
        return "exit"
    return "error"


def pin_hypothesis() -> None:
    """
    Set every key of Hypothesis' profile, whose defaults differ between a desk and CI.

    Called when pytest is configured: after conftest files, so that no profile of theirs stays, and before
    test modules, whose decorators take what they do not name from it.
    """
    try:
        import hypothesis  # noqa: PLC0415  # slow, and most lanes do without
    except ImportError:
        return
    hypothesis.settings.register_profile(
        "oraclekeep",
        max_examples=100,
        derandomize=True,
        database=None,
        deadline=None,
        phases=tuple(hypothesis.Phase),
        print_blob=True,
        report_multiple_bugs=True,
        stateful_step_count=50,
        suppress_health_check=(),
        verbosity=hypothesis.Verbosity.normal,
    )
    hypothesis.settings.load_profile("oraclekeep")
