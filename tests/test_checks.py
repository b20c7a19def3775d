"""
The built-in checks: each catches what it is for, leaves the rest alone, and says so where it makes no sense.
"""

# ruff: noqa: ARG005  # a stand-in for a function need not look at what it gets
from __future__ import annotations

import itertools
import re
import unittest.mock
from pathlib import Path
from typing import Any

import pytest

from oraclekeep.lanekit import json_schema
from oraclekeep.lanekit.builtin_checks import CHECKS, OVER_ALL
from oraclekeep.lanekit.inventory_property import Subject
from oraclekeep.lanekit.sameness import Trouble, same, shown

SPEC = Path(__file__).parents[2] / "shared" / "SPEC.md"


class Yes:
    """
    Says yes to every comparison.
    """

    def __eq__(self, other):
        return True

    __le__ = __ge__ = __lt__ = __gt__ = __eq__
    __hash__ = None


class Point:
    def __init__(self, x):
        self.x = x


def turn(text, *, reverse):
    return text[::-1] if reverse else text[::-1].strip()


def clamp(lo, hi, x):
    return max(lo, min(hi, x))


def refuse(sample):
    raise ValueError(f"not {sample}")


class AnyText(str):
    __slots__ = ()

    def __eq__(self, other):
        return isinstance(other, str)

    __hash__ = str.__hash__


COUNTER = itertools.count()

#: check, function, sample, parameters
HOLDS = [
    ("roundtrip", turn, "abc", {}),
    ("roundtrip", lambda s, reverse: s + 1e-12 if reverse else s, 1.0, {"tolerance": 1e-9}),
    ("no_extra_keys", lambda _: {"a": 1, "ok": True, "err": None}, {"a": 0}, {}),
    ("no_extra_keys", lambda _: {"more": 1}, {"a": 0}, {"also": ["more"]}),
    ("lo_le_hi", clamp, {"lo": 0, "hi": 3, "x": 9}, {}),
    ("lo_le_hi", clamp, {"lo": "9", "hi": "10", "x": "1"}, {}),
    ("output_in_range", clamp, {"lo": 0, "hi": 3, "x": 9}, {}),
    ("output_in_range", abs, -3, {"lo": 0}),
    ("idempotent", abs, -3, {}),
    ("idempotent", lambda _: float("nan"), 1, {}),
    ("idempotent", lambda _: [float("nan"), {"x": float("nan")}], 1, {}),
    ("idempotent", lambda _: {}, {"a": 1}, {}),
    ("deterministic", sorted, [3, 1], {}),
    ("deterministic", Point, 1, {}),
    ("deterministic", lambda s: s.sort(), [3, 1], {}),
    ("deterministic", lambda s: map(repr, s), [3, 1], {"times": 5}),
    ("never_raises", abs, 1, {}),
    ("raises_only", refuse, 1, {"exceptions": ["ValueError"]}),
    ("raises_only", refuse, 1, {"exceptions": "builtins.ValueError"}),
    ("raises_only", abs, 1, {"exceptions": ["ValueError"]}),
    ("total", abs, 0, {}),
    ("type_stable", str, [1, "a", None], {}),
    ("type_stable", str, [1], {"type": "str"}),
    ("length_preserved", sorted, [3, 1], {}),
    ("subset_of_input", lambda s: s[:1], [3, 1], {}),
    ("subset_of_input", lambda _: {"a": 1}, {"a": 1, "b": 2}, {}),
    ("sorted_output", sorted, [3, 1, 1], {}),
    ("sorted_output", lambda s: sorted(s, reverse=True), [3, 1], {"reverse": True}),
    ("sorted_output", lambda _: [{"n": 1}, {"n": 2}], 0, {"key": "n", "strict": True}),
    ("monotone", lambda s: s // 2, [3, 1, 2], {}),
    ("monotone", lambda s: -s, [3, 1, 2], {"decreasing": True, "strict": True}),
    ("monotone", abs, [[1, 2], [5, 4]], {}),
    ("commutative", max, [1, 2], {}),
    ("commutative", lambda a, b: a + b, {"a": 1, "b": 2}, {}),
    ("associative", max, [1, 2, 3], {}),
    ("associative", lambda a, b: a + b, [0.1, 0.2, 0.3], {"tolerance": 1e-9}),
    ("identity_element", lambda a, b: a + b, 5, {"element": 0}),
    ("identity_element", lambda a, b: a + b, [1], {"element": []}),
    ("inverse_of", int, 7, {"function": "builtins.str"}),
    ("equivalent_to", lambda s: s * 2, 7, {"function": "tests_reference.double"}),
    ("equivalent_to", refuse, 7, {"function": "tests_reference.refuse"}),
    ("matches_expected", str, {"input": 1, "expected": "1"}, {}),
    ("matches_expected", str, {"n": 1, "text": "1"}, {"input": "n", "expected": "text"}),
    ("matches_expected", str, [1, "1"], {}),
    ("matches_expected", max, {"args": [1, 2], "expected": 2}, {}),
    ("matches_expected", refuse, {"input": 1, "raises": "ValueError"}, {}),
    ("matches_schema", lambda _: {"n": 1}, 0, {"schema": {"type": "object", "required": ["n"]}}),
]
#: check, function, sample, parameters, words of the message
FAILS = [
    ("roundtrip", lambda s, reverse: s.lower(), "Abc", {}, "and back again 'abc', not the sample"),
    ("roundtrip", lambda s, reverse: Yes(), "Abc", {}, "claims to equal everything"),
    ("roundtrip", lambda s, reverse: [Yes()], ["Abc"], {}, "not the sample"),
    ("roundtrip", lambda s, reverse: unittest.mock.ANY, "Abc", {}, "claims to equal everything"),
    ("roundtrip", lambda s, reverse: AnyText("x"), "Abc", {}, "claims to equal everything"),
    ("roundtrip", lambda s, reverse: s + 1e-3, 1.0, {"tolerance": 1e-9}, "not the sample"),
    ("no_extra_keys", lambda _: {"b": 1}, {"a": 0}, {}, "'b'"),
    ("no_extra_keys", lambda _: ["a"], {"a": 0}, {}, "not a mapping"),
    ("lo_le_hi", clamp, {"lo": 4, "hi": 3, "x": 9}, {}, "lo 4 is not at most hi 3"),
    ("lo_le_hi", lambda lo, hi, x: (hi, lo), {"lo": 0, "hi": 3, "x": 9}, {}, "the result's lo 3"),
    ("output_in_range", lambda lo, hi, x: x, {"lo": 0, "hi": 3, "x": 9}, {}, "not at most 3"),
    ("output_in_range", lambda lo, hi, x: float("nan"), {"lo": 0, "hi": 3, "x": 9}, {}, "nan"),
    ("output_in_range", lambda lo, hi, x: Yes(), {"lo": 0, "hi": 3, "x": 9}, {}, "not at least 0"),
    ("output_in_range", abs, -3, {"lo": 0, "hi": 1}, "not at most 1"),
    ("idempotent", lambda s: s + "!", "a", {}, "once gave 'a!', twice 'a!!'"),
    ("idempotent", lambda s: s.append(1) or s, [], {}, "once gave [1], twice [1, 1]"),
    ("idempotent", lambda s: Point(len(vars(s)) if isinstance(s, Point) else 7), 1, {}, "once gave"),
    ("deterministic", lambda _: next(COUNTER), 1, {}, "another"),
    ("deterministic", lambda s: s.append(1) or len(s), [], {}, "the function changes its sample"),
    ("raises_only", refuse, 1, {"exceptions": ["KeyError"]}, "not 1"),
    ("never_raises", refuse, 1, {}, "not 1"),
    ("total", lambda _: None, 0, {}, "None"),
    ("type_stable", lambda s: s, [1, "a"], {}, "sample 'a': the result is a str, not a int"),
    ("type_stable", lambda s: s, [1], {"type": "str"}, "not a str"),
    ("type_stable", lambda s: bool(s) if s else s, [1, 0], {}, "not a bool"),
    ("length_preserved", set, [1, 1], {}, "length 2"),
    ("length_preserved", lambda _: 1, [1, 1], {}, "no length"),
    ("subset_of_input", lambda s: [*s, 9], [3, 1], {}, "holds 9"),
    ("subset_of_input", lambda _: [Yes()], [3, 1], {}, "not in the sample"),
    ("subset_of_input", lambda _: 3, [3, 1], {}, "nothing that could be compared"),
    ("sorted_output", list, [3, 1], {}, "3 stands before 1"),
    ("sorted_output", sorted, [1, 1], {"strict": True}, "1 stands before 1"),
    ("sorted_output", set, [1, 1], {}, "not a sequence"),
    ("sorted_output", lambda _: [Yes(), Yes()], [1, 1], {}, "stands before"),
    ("monotone", lambda s: -s, [3, 1, 2], {}, "fn(1) is -1, but fn(2) is -2"),
    ("monotone", lambda _: 1, [3, 1], {"strict": True}, "fn(1) is 1, but fn(3) is 1"),
    ("commutative", lambda a, b: a - b, [1, 2], {}, "fn(b, a) is 1"),
    ("associative", lambda a, b: a - b, [1, 2, 3], {}, "fn(a, fn(b, c)) is 2"),
    ("identity_element", lambda a, b: a - b, 5, {"element": 0}, "fn(0, sample) is -5"),
    ("inverse_of", lambda _: 0, 7, {"function": "builtins.str"}, "builtins.str gave '7'"),
    ("equivalent_to", lambda s: s, 7, {"function": "tests_reference.double"}, "the function returned 7"),
    ("equivalent_to", refuse, 7, {"function": "tests_reference.double"}, "raised ValueError"),
    ("matches_expected", str, {"input": 1, "expected": 1}, {}, "'1', not 1"),
    ("matches_expected", str, {"input": 1, "raises": "ValueError"}, {}, "ValueError is expected"),
    ("matches_schema", lambda _: {"n": 1}, 0, {"schema": {"not": {}}}, "under `not`"),
]
#: check, function, sample, parameters, words: they make no sense
NONSENSE = [
    ("no_extra_keys", dict, [1], {}, "not a mapping"),
    ("output_in_range", clamp, {"lo": 1}, {}, "lo, hi and x"),
    ("lo_le_hi", clamp, 5, {}, "lo, hi and x"),
    ("deterministic", abs, 5, {"times": 1}, "at least 2"),
    ("raises_only", abs, 5, {}, "say which"),
    ("raises_only", abs, 5, {"exceptions": ["Nonesuch"]}, "not an exception"),
    ("raises_only", abs, 5, {"exceptions": ["no.such.Error"]}, "can't be imported"),
    ("length_preserved", abs, 5, {}, "no length"),
    ("subset_of_input", abs, 5, {}, "no elements"),
    ("monotone", abs, [5], {}, "fewer than two"),
    ("monotone", abs, [{"a": 1}], {}, "numbers or texts"),
    ("commutative", max, 5, {}, "2 arguments"),
    ("associative", max, [5, 6], {}, "3 arguments"),
    ("inverse_of", int, 7, {"function": "nowhere"}, "can't be imported"),
    ("equivalent_to", int, 7, {"function": "builtins.nowhere"}, "can't be imported"),
    ("matches_expected", str, {"input": 1}, {}, "'expected'"),
    ("matches_schema", str, 1, {"schema": {"typo": 1}}, "unknown keyword"),
    ("matches_schema", str, 1, {"schema": {"type": "text"}}, "unknown type"),
    ("matches_schema", str, 1, {"schema": {"pattern": "("}}, "not a pattern"),
    ("matches_schema", str, 1, {"schema": []}, "not a schema"),
]


def named(value: Any) -> str:
    return value if isinstance(value, str) else ""


@pytest.fixture(autouse=True)
def reference(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "tests_reference.py").write_text(
        "def double(s): return s * 2\ndef refuse(s): raise ValueError('other words')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.parametrize(("check", "fn", "sample", "parameters"), HOLDS, ids=named)
def test_a_check_leaves_good_functions_alone(check, fn, sample, parameters) -> None:
    assert CHECKS[check](Subject(fn), sample, **parameters) is None


@pytest.mark.parametrize(("check", "fn", "sample", "parameters", "words"), FAILS, ids=named)
def test_a_check_says_what_it_found(check, fn, sample, parameters, words) -> None:
    with pytest.raises((AssertionError, ValueError), match=re.escape(words)):
        CHECKS[check](Subject(fn), sample, **parameters)


@pytest.mark.parametrize(("check", "fn", "sample", "parameters", "words"), NONSENSE, ids=named)
def test_a_check_that_makes_no_sense_is_not_a_red(check, fn, sample, parameters, words) -> None:
    with pytest.raises(Trouble, match=re.escape(words)):
        CHECKS[check](Subject(fn), sample, **parameters)


def test_every_check_has_a_case_that_holds_and_one_that_fails() -> None:
    assert set(CHECKS) == {case[0] for case in HOLDS} == {case[0] for case in FAILS}
    assert set(CHECKS) > OVER_ALL


@pytest.mark.skipif(not SPEC.exists(), reason="../shared/ is absent")
def test_every_check_of_the_specification_is_there() -> None:
    section = SPEC.read_text().partition("### 5.2")[2].partition("###")[0].partition("At least:")[2]
    section = re.sub(r"\([^()]*(\([^()]*(\([^()]*\)[^()]*)*\)[^()]*)*\)", "", section).partition(".")[0]

    assert set(re.findall(r"`(\w+)`", section)) == set(CHECKS)


def test_calls_get_copies_and_a_changed_sample_is_noted() -> None:
    sample, subject = [1], Subject(lambda s: s.append(2))
    CHECKS["never_raises"](subject, sample)

    assert sample == [1]
    assert subject.changes_sample


#: value, schema, does it fit
SCHEMAS = [
    (1, {"type": "integer"}, True),
    (1.0, {"type": "integer"}, True),
    (True, {"type": "integer"}, False),
    (True, {"type": ["boolean", "null"]}, True),
    ("x", {"enum": ["x", "y"]}, True),
    ("z", {"enum": ["x", "y"]}, False),
    ({"a": 1, "b": 2}, {"properties": {"a": {}}, "additionalProperties": False}, False),
    ({"a": "1"}, {"properties": {"a": {"type": "number"}}}, False),
    ([1, 2], {"items": {"minimum": 1}, "minItems": 2, "maxItems": 2, "uniqueItems": True}, True),
    ([1, 1], {"uniqueItems": True}, False),
    ([1], {"minItems": 2}, False),
    ("abc", {"minLength": 3, "maxLength": 3, "pattern": "^a"}, True),
    ("abc", {"maxLength": 2}, False),
    (5, {"exclusiveMinimum": 5}, False),
    (5, {"maximum": 4}, False),
    (float("nan"), {"minimum": 0}, False),
    (6, {"multipleOf": 4}, False),
    (6, {"allOf": [{"minimum": 1}, {"maximum": 5}]}, False),
    (6, {"anyOf": [{"minimum": 9}, {"maximum": 5}]}, False),
    (6, {"oneOf": [{"minimum": 1}, {"maximum": 9}]}, False),
    (6, {"const": 6.0}, True),
    (6, False, False),
]


@pytest.mark.parametrize(("value", "schema", "fits"), SCHEMAS)
def test_schemas(value, schema, fits) -> None:
    assert fits is not any(json_schema.problems(value, schema))


def test_sameness_is_deep_and_sceptical() -> None:
    assert same({"a": [1, (2.0, None)]}, {"a": [1, (2, None)]})
    assert not same({"a": [Yes()]}, {"a": [1]})
    assert not same([1], (1,))
    assert same(Point([float("nan")]), Point([float("nan")]))
    assert not same(Point(1), Point(2))
    assert not same(object(), Point(2))


def test_what_is_shown_is_short_and_never_raises() -> None:
    class Rude:
        def __repr__(self) -> str:
            raise SystemExit

    assert "Rude whose repr raises SystemExit" in shown(Rude())
    assert len(shown("x" * 10_000)) < 250
