"""
Strict reading of JUnit files: testcases decide, and what is not understood is never a pass.

Expat is driven directly, because a tree builder has already lost what we refuse: a DOCTYPE, a depth, a
namespace, the line of an element.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from xml.parsers import expat

from oraclekeep.model import Outcome
from oraclekeep.outcomes import RED, WORST, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_BYTES: Final = 64 * 1024 * 1024
MAX_DEPTH: Final = 64
MAX_TEXT: Final = 16 * 1024 * 1024  # in one element
MAX_ATTRIBUTE: Final = 64 * 1024
_KEPT_TEXT: Final = 4000  # of a failure's text; the whole of it stays in the file

#: Children of a testcase that say what became of it.
_VERDICTS: Final[Mapping[str, Outcome]] = {
    "failure": Outcome.FAILED,
    "error": Outcome.ERROR,
    "skipped": Outcome.SKIPPED,
    "flakyFailure": Outcome.FLAKY,
    "flakyError": Outcome.FLAKY,
    "rerunFailure": Outcome.FLAKY,
    "rerunError": Outcome.FLAKY,
}
_SUITES: Final = ("testsuites", "testsuite")
_SILENT: Final = ("properties", "property", "system-out", "system-err")
#: What may stand inside a verdict: surefire keeps the trace of a rerun there.
_INSIDE_VERDICT: Final = ("stackTrace", "system-out", "system-err")
_LOOKS_LIKE_A_VERDICT: Final = frozenset(name.lower() for name in _VERDICTS) | {"skip", "failed", "testcase"}
#: What other runners say in an attribute instead of a child.
_STATUS: Final[Mapping[str, Outcome]] = {
    **dict.fromkeys(
        ("", "run", "completed", "passed", "pass", "success", "successful", "ok"), Outcome.PASSED
    ),
    **dict.fromkeys(("notrun", "skipped", "disabled", "suppressed", "ignored", "pending"), Outcome.SKIPPED),
    **dict.fromkeys(("failed", "fail", "failure", "error", "errored"), Outcome.FAILED),
}
_NATIVE_ENCODINGS: Final = frozenset({"utf-8", "utf-16", "ascii", "iso8859-1"})
_DECLARED: Final = re.compile(
    rb"""\A(?:\xef\xbb\xbf)?<\?xml[^>]*?\bencoding\s*=\s*["']([A-Za-z0-9._-]+)["']"""
)
_WEEK: Final = 7 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Problem:
    """
    Something in a file that keeps it from being believed; ``unreadable`` means that no record of it counts.
    """

    message: str
    line: int = 0
    unreadable: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """
    One JUnit file as read.  ``notes`` never decide anything.
    """

    name: str
    records: tuple[Record, ...] = ()
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def readable(self) -> bool:
        return not any(problem.unreadable for problem in self.problems)


def read_junit(data: bytes, name: str) -> Report:
    """
    Read one JUnit file; whatever is wrong with it comes back as problems, never as an exception.
    """
    try:
        raw, encoding = _as_expat_reads(data)
        reader = _Reader(encoding)
        reader.feed(raw)
    except _UnreadableError as error:
        return Report(name, problems=(Problem(error.message, error.line, unreadable=True),))
    return Report(name, tuple(reader.records), tuple(reader.problems), tuple(reader.notes))


def seconds_of(text: str) -> float | None:
    """
    Read a `time` leniently; what is ambiguous, negative, not finite or longer than a week is unknown.
    """
    text = text.strip()
    if re.fullmatch(r"\d{1,3}(,\d{3})+\.\d+", text):
        text = text.replace(",", "")
    if not re.fullmatch(r"\d+(\.\d*)?([eE][-+]?\d{1,2})?", text, re.ASCII):
        return None
    value = float(text)
    return value if value < _WEEK else None


class _UnreadableError(Exception):
    """
    The file as a whole can't be believed.
    """

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.message, self.line = message, line


def _as_expat_reads(data: bytes) -> tuple[bytes, str | None]:
    """
    Refuse what is too big or empty, and recode what expat has no table for.
    """
    if not data:
        raise _UnreadableError("the file has zero bytes; its writer died or never wrote")
    if len(data) > MAX_BYTES:
        raise _UnreadableError(f"the file has {len(data)} bytes; at most {MAX_BYTES} are read")
    declared = _DECLARED.match(data)
    if declared is None:
        return data, None
    encoding = declared[1].decode("ascii")
    try:
        if codecs.lookup(encoding).name in _NATIVE_ENCODINGS:
            return data, None
        return data.decode(encoding).encode("utf-8"), "utf-8"
    except LookupError as error:
        raise _UnreadableError(f"the file declares the unknown encoding {encoding!r}", 1) from error
    except UnicodeError as error:
        raise _UnreadableError(f"the bytes are not {encoding}, as the file declares: {error}", 1) from error


@dataclass(slots=True)
class _Open:
    """
    An element that has not ended yet.
    """

    tag: str
    attributes: Mapping[str, str]
    line: int
    cases: int = 0  # testcases below it, for comparing with a suite's counter
    text: list[str] = field(default_factory=list)
    length: int = 0


@dataclass(slots=True)
class _Case:
    """
    A testcase while its children arrive.
    """

    verdicts: list[tuple[str, str, str]] = field(default_factory=list)  # tag, message, type
    odd: list[str] = field(default_factory=list)


class _Reader:
    """
    One pass over one file.
    """

    def __init__(self, encoding: str | None) -> None:
        self.records: list[Record] = []
        self.problems: list[Problem] = []
        self.notes: list[str] = []
        self._stack: list[_Open] = []
        self._case: _Case | None = None
        self._parser = expat.ParserCreate(encoding, namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters

    def feed(self, data: bytes) -> None:
        try:
            self._parser.Parse(data, True)  # noqa: FBT003  # expat takes no keyword here
        except expat.ExpatError as error:
            reason = expat.errors.messages.get(error.code, "not well-formed")
            raise _UnreadableError(
                f"not well-formed XML: {reason}, column {error.offset + 1}", error.lineno
            ) from error

    # ------------------------------------------------------------------------------------- what expat calls

    def _doctype(self, *_: object) -> None:
        raise _UnreadableError(
            "the file has a DOCTYPE, which is refused: entities can forge testcases", self._line
        )

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._stack) >= MAX_DEPTH:
            raise _UnreadableError(f"elements are nested deeper than {MAX_DEPTH}", self._line)
        if any(len(value) > MAX_ATTRIBUTE for value in attributes.values()):
            raise _UnreadableError(f"an attribute is longer than {MAX_ATTRIBUTE} characters", self._line)
        parent = self._stack[-1].tag if self._stack else ""
        if not parent and tag not in _SUITES:
            raise _UnreadableError(
                f"the root element is <{_shown(tag)}>, not <testsuites> or <testsuite>", self._line
            )
        if parent == "testcase":
            self._child_of_case(tag)
        elif parent and not (tag == "testcase" and self._case is None):
            self._elsewhere(tag, parent)
        if tag == "testcase" and self._case is None:
            self._case = _Case()
            for suite in self._stack:
                suite.cases += 1
        self._stack.append(_Open(tag, attributes, self._line))

    def _characters(self, text: str) -> None:
        top = self._stack[-1]
        if top.length < _KEPT_TEXT:
            top.text.append(text[: _KEPT_TEXT - top.length])
        top.length += len(text)
        if top.length > MAX_TEXT:
            raise _UnreadableError(
                f"<{_shown(top.tag)}> holds more than {MAX_TEXT} characters of text", top.line
            )

    def _end(self, tag: str) -> None:
        element = self._stack.pop()
        parent = self._stack[-1].tag if self._stack else ""
        if self._case is not None and parent == "testcase" and tag in _VERDICTS:
            message = _message(element.attributes.get("message", ""), "".join(element.text))
            self._case.verdicts.append((tag, message, element.attributes.get("type", "")))
        elif (
            tag == "testcase" and self._case is not None and all(one.tag != "testcase" for one in self._stack)
        ):
            self.records.append(self._record(self._case, element))
            self._case = None
        elif tag in _SUITES:
            self._compare_counter(element)

    # --------------------------------------------------------------------------------- what we make of it

    @property
    def _line(self) -> int:
        return self._parser.CurrentLineNumber

    def _child_of_case(self, tag: str) -> None:
        if tag in _VERDICTS or tag in _SILENT:
            return
        self._odd(
            f"<{_shown(tag)}> inside a testcase is not understood, so the test does not count as passed"
        )

    def _elsewhere(self, tag: str, parent: str) -> None:
        local = tag.rpartition(" ")[2]
        if local.lower() in _LOOKS_LIKE_A_VERDICT:
            self._odd(f"<{_shown(tag)}> stands inside <{_shown(parent)}>, where it belongs to no testcase")
        elif parent in _VERDICTS:
            if tag not in _INSIDE_VERDICT:
                self.notes.append(f"line {self._line}: <{_shown(tag)}> inside <{parent}> is ignored")
        elif tag not in _SUITES and tag not in _SILENT:
            self.notes.append(f"line {self._line}: <{_shown(tag)}> inside <{_shown(parent)}> is ignored")

    def _odd(self, message: str) -> None:
        self.problems.append(Problem(message, self._line))
        if self._case is not None:
            self._case.odd.append(message)

    def _record(self, case: _Case, element: _Open) -> Record:
        attributes = element.attributes
        outcome, message, kind = _judge_case(case, attributes)
        name = attributes.get("name", "")
        if not name.strip():
            self.problems.append(
                Problem("a testcase has no name: the run was cut short or the file is forged", element.line)
            )
            outcome = outcome if outcome in RED else Outcome.UNKNOWN
        return Record(
            classname=attributes.get("classname", ""),
            name=name,
            outcome=outcome,
            message=message,
            seconds=seconds_of(attributes.get("time", "")),
            phase=_phase(message, kind),
            kind=kind,
            line=element.line,
        )

    def _compare_counter(self, element: _Open) -> None:
        claimed = element.attributes.get("tests")
        if claimed is not None and claimed.strip() != str(element.cases):
            suite = element.attributes.get("name", "")
            self.notes.append(
                f"line {element.line}: suite {suite!r} says tests={claimed!r} and holds {element.cases}"
            )


def _judge_case(case: _Case, attributes: Mapping[str, str]) -> tuple[Outcome, str, str]:
    """
    Return outcome, message and kind of one testcase.
    """
    found = [(_verdict(tag, message, type_), message) for tag, message, type_ in case.verdicts]
    status = attributes.get("status", attributes.get("result", "")).strip().lower()
    found.append((_STATUS.get(status, Outcome.UNKNOWN), f"status={status!r}" if status else ""))
    found += [(Outcome.UNKNOWN, odd) for odd in case.odd]
    outcome = next(worst for worst in WORST if worst in {one for one, _ in found})
    message = "\n".join(text for one, text in found if one is outcome and text)
    if outcome is Outcome.FAILED and message.startswith("[XPASS(strict)]"):
        return outcome, message, "xpass-strict"
    if outcome is Outcome.ERROR and message.startswith("collection failure"):
        return outcome, message, "collection"
    if outcome is Outcome.SKIPPED and message.startswith("collection skipped"):
        return outcome, message, "collection"
    if outcome is Outcome.ERROR and message.startswith("internal error"):
        return outcome, message, "internal"
    return outcome, "" if outcome is Outcome.PASSED else message, ""


def _verdict(tag: str, message: str, type_: str) -> Outcome:
    outcome = _VERDICTS[tag]
    if outcome is Outcome.SKIPPED and type_ == "pytest.xfail":
        return Outcome.XFAILED
    if outcome is Outcome.SKIPPED and message.startswith("xfail-marked test passes unexpectedly"):
        return Outcome.FAILED
    return outcome


def _message(said: str, text: str) -> str:
    """
    Return what a verdict says; of what could not be collected also the error, which stands in the text.
    """
    if not said.startswith("collection "):
        return said or text.strip()
    errors = re.findall(r"^E {3}(\S.*)$", text, re.MULTILINE)
    return f"{said}: {errors[-1]}" if errors else said


def _phase(message: str, kind: str) -> str:
    if kind == "collection":
        return "collection"
    for phase in ("setup", "teardown"):
        if message.startswith(f"failed on {phase} with"):
            return phase
    return ""


def _shown(tag: str) -> str:
    """
    Expat joins namespace and name with a space.
    """
    namespace, _, local = tag.rpartition(" ")
    return f"{{{namespace}}}{local}" if namespace else local
