"""
The strict reader: what each kind of file comes to, and that nothing odd is ever a pass.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oraclekeep import nodeids
from oraclekeep.junit import MAX_BYTES, read_junit, seconds_of
from oraclekeep.model import Outcome
from oraclekeep.outcomes import RED, by_name

INPUTS = Path(__file__).parents[2] / "shared" / "inputs"
needs_inputs = pytest.mark.skipif(not INPUTS.is_dir(), reason=f"{INPUTS} is not there")

#: name -> (body of one testcase, its outcome, is there a problem)
CASES = {
    "empty": ("", "passed", False),
    "failure": ("<failure/>", "failed", False),
    "error": ("<error/>", "error", False),
    "skipped": ("<skipped/>", "skipped", False),
    "xfail": ("<skipped type='pytest.xfail'/>", "xfailed", False),
    "failure outranks skipped": ("<skipped/><failure/>", "failed", False),
    "failure outranks a rerun": ("<rerunFailure/><failure/>", "failed", False),
    "flaky failure": ("<flakyFailure><stackTrace>x</stackTrace></flakyFailure>", "flaky", False),
    "flaky error": ("<flakyError/>", "flaky", False),
    "rerun failure": ("<rerunFailure/>", "flaky", False),
    "rerun error": ("<rerunError/>", "flaky", False),
    "properties and output": (
        "<properties><property/></properties><system-out/><system-err/>",
        "passed",
        False,
    ),
    "wrong case": ("<Failure/>", "unknown", True),
    "namespace": ("<x:failure xmlns:x='urn:x'/>", "unknown", True),
    "default namespace": ("<failure xmlns='urn:x'/>", "unknown", True),
    "unknown child": ("<verdict>failed</verdict>", "unknown", True),
    "failure in a skip": ("<skipped><failure/></skipped>", "unknown", True),
    "failure in a property": ("<properties><failure/></properties>", "unknown", True),
    "case in a case": ("<testcase name='inner'><failure/></testcase>", "failed", True),
    "case in output": ("<system-out><testcase name='inner'/></system-out>", "unknown", True),
}
#: name -> what the message must name
UNREADABLE = {
    b"": "zero bytes",
    b"   ": "not well-formed",
    b"<testsuite><testcase name='a'/><testca": "not well-formed",
    b"<testsuite><testcase name='a'/></testsuites>": "mismatched tag",
    b"<testsuite><testcase name='a'>\x1b</testcase></testsuite>": "invalid token",
    b"<testsuite/><testsuite/>": "junk after document element",
    b"<html/>": "<html>",
    b"<testcase name='a'/>": "<testcase>",
    b"<testsuite xmlns='urn:x'><testcase name='a'/></testsuite>": "urn:x",
    b"<!DOCTYPE testsuite><testsuite/>": "DOCTYPE",
    "<?xml version='1.0' encoding='utf-16'?><!DOCTYPE testsuite><testsuite/>".encode("utf-16"): "DOCTYPE",
    b"<?xml version='1.0' encoding='shift_jis'?><!DOCTYPE testsuite><testsuite/>": "DOCTYPE",
    b"<?xml version='1.0' encoding='no-such'?><testsuite/>": "no-such",
    b"<?xml version='1.0' encoding='utf-8'?><testsuite name='\xff'/>": "invalid token",
    b"<?xml version='1.0' encoding='hex'?><testsuite/>": "unknown encoding",
    b"<testsuite>" * 65 + b"</testsuite>" * 65: "deeper than 64",
    b"<testsuite name='" + b"x" * 70_000 + b"'/>": "longer than",
    b"<testsuite><system-out>" + b"x" * (17 << 20) + b"</system-out></testsuite>": "characters of text",
    b"<testsuite>" + b" " * MAX_BYTES + b"</testsuite>": "at most",
}
SECONDS = {
    "1,234.5": 1234.5, "1,234,567.5": None, "0.25": 0.25, "3": 3.0, " 2.5 ": 2.5, "1e-3": 0.001,
    "0,160": None, "1,234": None, "": None, "-3.2": None, "NaN": None, "inf": None, "1652811173.470": None,
    "12.5s": None, "\u0661": None,
}  # fmt: skip


def one(body: str, attributes: str = "") -> tuple[str, bool]:
    data = f"<testsuite><testcase classname='t' name='a' {attributes}>{body}</testcase></testsuite>"
    report = read_junit(data.encode(), "r.xml")
    (found,) = by_name(report.records)
    return str(found.outcome), bool(report.problems)


@pytest.mark.parametrize("name", CASES)
def test_a_testcase_is_read_by_its_children(name: str) -> None:
    body, outcome, problem = CASES[name]

    assert one(body) == (outcome, problem)


@pytest.mark.parametrize("data", UNREADABLE, ids=UNREADABLE.values())
def test_an_unreadable_file_has_no_records_and_says_why(data: bytes) -> None:
    began = time.monotonic()
    report = read_junit(data, "r.xml")

    assert not report.readable
    assert report.records == ()
    assert UNREADABLE[data] in report.problems[0].message
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    "attributes",
    ["status='notrun'", "result='skipped'", "status='failed'", "status='on fire'", "result='suppressed'"],
)
def test_what_other_runners_say_in_an_attribute_is_heard(attributes: str) -> None:
    assert one("", attributes)[0] in {"skipped", "failed", "unknown"}
    assert one("", "status='run' result='completed'") == ("passed", False)


@pytest.mark.parametrize("text", SECONDS)
def test_times_are_read_leniently_and_doubt_is_unknown(text: str) -> None:
    assert seconds_of(text) == SECONDS[text]


@pytest.mark.parametrize(
    "data",
    [
        b"<testsuites><testcase classname='t' name='a'><failure/></testcase></testsuites>",
        (
            b"<testsuites><group><testsuite><testsuite><testcase classname='t' name='a'><failure/></testcase>"
            b"</testsuite></testsuite></group></testsuites>"
        ),
    ],
)
def test_a_testcase_is_found_wherever_it_stands(data: bytes) -> None:
    report = read_junit(data, "r.xml")

    assert [record.outcome for record in report.records] == [Outcome.FAILED]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1", "windows-1252", "shift_jis", "koi8-r"])
def test_encodings_are_honoured(encoding: str) -> None:
    name = {"shift_jis": "テスト", "koi8-r": "тест"}.get(encoding, "é")
    text = f"<?xml version='1.0' encoding='{encoding}'?><testsuite><testcase name='{name}'/></testsuite>"
    report = read_junit(text.encode(encoding), "r.xml")

    assert [record.name for record in report.records] == [name]


def test_a_nameless_testcase_is_never_a_pass() -> None:
    for attributes in ("", "name=''", "name='  '", "classname='t'"):
        report = read_junit(f"<testsuite><testcase {attributes}/></testsuite>".encode(), "r.xml")

        assert [record.outcome for record in report.records] == [Outcome.UNKNOWN]
        assert report.problems


def test_counters_that_lie_are_a_note_and_decide_nothing() -> None:
    report = read_junit(
        b"<testsuite tests='9' failures='0'><testcase name='a'><failure/></testcase></testsuite>", "r"
    )

    assert report.notes
    assert not report.problems
    assert [record.outcome for record in report.records] == [Outcome.FAILED]


@settings(derandomize=True, database=None, deadline=None)
@given(
    bodies=st.lists(st.sampled_from(sorted(CASES)), min_size=1, max_size=4),
    depth=st.integers(min_value=0, max_value=5),
)
def test_more_records_never_make_a_test_better(bodies: list[str], depth: int) -> None:
    """
    Adding a record that is not a pass never gives a pass, at any depth and in any order.
    """
    cases = "".join(f"<testcase classname='t' name='a'>{CASES[name][0]}</testcase>" for name in bodies)
    data = "<testsuites>" + "<testsuite>" * depth + cases + "</testsuite>" * depth + "</testsuites>"
    (found,) = by_name(read_junit(data.encode(), "r.xml").records)
    outcomes = {Outcome(CASES[name][1]) for name in bodies}

    assert (found.outcome in RED) >= bool(outcomes & RED)
    assert found.outcome is not Outcome.PASSED or (outcomes == {Outcome.PASSED} and len(bodies) == 1)


# ------------------------------------------------------------------------------------------------ nodeids


COLLECTED = {
    "test_a.py::test_p[a[b]]": ("test_a", "test_p[a[b]]"),
    "test_a.py::test_p[x::y]": ("test_a", "test_p[x::y]"),
    "test_a.py::test_p[a/b.py]": ("test_a", "test_p[a/b.py]"),
    r"test_a.py::test_p[\x00]": ("test_a", r"test_p[\x00]"),
    "test_a.py::test_p[\x07]": ("test_a", "test_p[#x07]"),
    "test_a.py::test_p[a\tb]": ("test_a", "test_p[a b]"),
    "test_a.py::TestC::TestN::test_n": ("test_a.TestC.TestN", "test_n"),
    "pkg/test_q.py::test_q": ("pkg.test_q", "test_q"),
    "docs/intro.rst::intro.rst": ("docs.intro.rst", "intro.rst"),
    "tests/test_bad.py": ("", "tests.test_bad"),
}


@pytest.mark.parametrize("nodeid", COLLECTED)
def test_a_nodeid_is_mapped_to_the_name_that_pytest_gives_it(nodeid: str) -> None:
    assert nodeids.pair_of(nodeid) == COLLECTED[nodeid]


def test_two_ids_with_one_name_are_ambiguous() -> None:
    found = nodeids.index(["pkg/test_q.py::test_q", "pkg.py::test_q::test_q", "a.py::b"])

    assert found.ambiguous == (("pkg/test_q.py::test_q", "pkg.py::test_q::test_q"),)


@pytest.mark.parametrize(
    ("nodeid", "unstable"),
    [
        ("t.py::t[<object object at 0x7fe2098c7370>]", True),
        ("t.py::t[0b4b6d7e-9f0c-4c5e-8a55-0d9a7c3a6a11]", True),
        ("t.py::t[2024-05-01 10:00:00]", True),
        ("t.py::t[1652811173.47]", True),
        ("t.py::t[{'b', 'a'}]", True),
        ("t.py::t[0xff]", False),
        ("t.py::t[2024-05-01]", False),
        ("t.py::t[{'a': 1, 'b': 2}]", False),
        ("t.py::t[100000]", False),
        ("0x7fe2098c7370/t.py::t", False),
    ],
)
def test_ids_that_change_from_run_to_run_are_known(nodeid: str, unstable: bool) -> None:  # noqa: FBT001  # a case
    assert nodeids.is_unstable(nodeid) is unstable


# ------------------------------------------------------------------------------------------ shared inputs


def read(folder: str, name: str = "junit.xml") -> dict[str, str]:
    report = read_junit((INPUTS / folder / name).read_bytes(), name)
    assert report.readable
    return {found.nodeid: str(found.outcome) for found in by_name(report.records)}


@needs_inputs
@pytest.mark.parametrize(
    ("folder", "name", "expected"),
    [
        (
            "01-rerun-duplicates",
            "junit.xml",
            {"test_r::test_always": "failed", "test_r::test_flaky": "flaky"},
        ),
        (
            "02-xpass-nonstrict",
            "junit.xml",
            {
                "test_x::test_now_passes": "passed",
                "test_x::test_strict_now_passes": "failed",
                "test_x::test_still_fails": "xfailed",
            },
        ),
        ("04-subtests-two-failures", "junit.xml", {"test_s::test_subt": "failed"}),
        ("05-collection-error", "junit.xml", {"tests.test_bad_import": "error"}),
        ("11-misplaced-failure", "both.xml", {"t::test_a": "failed"}),
        ("11-misplaced-failure", "wrong-case.xml", {"t::test_a": "unknown"}),
        ("12-nested-suites-zero-counters", "junit.xml", {"t::test_a": "failed"}),
    ],
)
def test_shared_files_come_to_what_they_expect(folder: str, name: str, expected: dict[str, str]) -> None:
    assert read(folder, name) == expected


@needs_inputs
@pytest.mark.parametrize(
    "place",
    [
        "08-truncated-xml/junit.xml",
        "09-control-byte/junit.xml",
        "14-doctype-ghost-case/bomb.xml",
        "14-doctype-ghost-case/external.xml",
        "14-doctype-ghost-case/ghost.xml",
        "17-empty-and-missing/zero-bytes.xml",
    ],
)
def test_shared_files_that_must_not_be_believed_are_not(place: str) -> None:
    report = read_junit((INPUTS / place).read_bytes(), place)

    assert not report.readable
    assert report.records == ()


@needs_inputs
def test_a_shared_failure_outside_a_testcase_is_a_problem() -> None:
    assert read_junit((INPUTS / "11-misplaced-failure" / "outside.xml").read_bytes(), "outside.xml").problems


@needs_inputs
def test_shared_messages_kinds_and_times_are_kept() -> None:
    def records(folder: str) -> dict[str, tuple[str, str, float | None]]:
        found = read_junit((INPUTS / folder / "junit.xml").read_bytes(), "junit.xml").records
        return {record.name: (record.kind, record.message, record.seconds) for record in found}

    assert records("02-xpass-nonstrict")["test_strict_now_passes"][0] == "xpass-strict"
    assert records("05-collection-error")["tests.test_bad_import"][0] == "collection"
    assert records("04-subtests-two-failures")["test_subt"][1].count("\n") == 1
    times = {name: seconds for name, (_, _, seconds) in records("15-time-values").items()}
    assert times == {"a": 1234.5, "b": None, "c": None, "d": None, "e": None, "f": None}


@needs_inputs
def test_every_shared_testcase_maps_to_one_collected_id() -> None:
    folder = INPUTS / "18-nodeid-mapping"
    found = nodeids.index((folder / "collected.txt").read_text().split("\n")[:-1])

    for name, count in (("xunit1.xml", 2), ("xunit2.xml", 8)):
        pairs = [(one.classname, one.name) for one in read_junit((folder / name).read_bytes(), name).records]
        assert len(pairs) == count
        assert set(pairs) <= found.nodeids.keys()
    assert found.ambiguous == ()


@needs_inputs
def test_shared_unstable_ids_are_matched_per_function() -> None:
    folder = INPUTS / "19-unstable-nodeids"
    one, two = ((folder / name).read_text().split("\n")[:-1] for name in ("run1.txt", "run2.txt"))

    assert nodeids.compare(one, two) == nodeids.Difference(
        (), (), ("test_ids.py::test_o", "test_ids.py::test_u")
    )
