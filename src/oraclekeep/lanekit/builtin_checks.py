"""
The checks that come with the kit (SPEC §5.2).

A check is called with the function, one sample, and its parameters; it raises `AssertionError` with a message
that says what it found, or `Trouble` where the sample or a parameter makes no sense for it.  The checks in
`OVER_ALL` get the list of all samples in place of one.  ``tolerance`` is for floats, relative or absolute.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Final

from . import json_schema
from .check_parts import (
    agree,
    answer_of,
    arguments,
    at_most,
    bounds,
    elements,
    exception_type,
    in_order,
    length_of,
    named,
    told,
    type_name,
)
from .sameness import Trouble, same, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Check = Callable[..., None]


def roundtrip(fn: Any, sample: Any, *, tolerance: float = 0.0) -> None:
    """
    `fn(fn(sample, reverse=True), reverse=False)` is the sample again.
    """
    there = fn(sample, reverse=True)
    back = fn(there, reverse=False)
    agree(back, sample, tolerance, f"reverse=True gave {shown(there)}, and back again", ", not the sample")


def no_extra_keys(fn: Any, sample: Any, *, also: Sequence[str] = ()) -> None:
    """
    The result is a mapping whose keys are the sample's, `ok`, `err`, or those in ``also``.
    """
    if not isinstance(sample, dict):
        raise Trouble(f"no_extra_keys: the sample {shown(sample)} is not a mapping")
    found = fn(sample)
    if not isinstance(found, dict):
        raise AssertionError(f"the result is {shown(found)}, not a mapping")  # noqa: TRY004  # the check's own red
    extra = [key for key in found if key not in {*sample, "ok", "err", *also}]
    if extra:
        raise AssertionError(f"the result has keys that the sample lacks: {', '.join(map(shown, extra))}")


def lo_le_hi(fn: Any, sample: Any) -> None:
    """
    The sample's `lo` is at most its `hi`, `fn(lo, hi, x)` answers, and bounds in its answer are in order too.
    """
    lo, hi, x = bounds("lo_le_hi", sample)
    in_order(lo, hi, "the sample's")
    found = fn(lo, hi, x)
    if isinstance(found, dict) and {"lo", "hi"} <= found.keys():
        in_order(found["lo"], found["hi"], "the result's")
    elif isinstance(found, (list, tuple)) and len(found) == 2:
        in_order(found[0], found[1], "the result's")


def output_in_range(fn: Any, sample: Any, *, lo: Any = None, hi: Any = None) -> None:
    """
    `fn(lo, hi, x)` lies in the sample's `lo` … `hi`.  With ``lo`` or ``hi`` as parameters, `fn(sample)` does.
    """
    if lo is None and hi is None:
        lo, hi, x = bounds("output_in_range", sample)
        found = fn(lo, hi, x)
    else:
        found = fn(sample)
    if lo is not None and not at_most(lo, found):
        raise AssertionError(f"the result {shown(found)} is not at least {shown(lo)}")
    if hi is not None and not at_most(found, hi):
        raise AssertionError(f"the result {shown(found)} is not at most {shown(hi)}")


def idempotent(fn: Any, sample: Any, *, tolerance: float = 0.0) -> None:
    """
    `fn(fn(sample))` is `fn(sample)`.
    """
    once = fn(sample)
    twice = fn(once)  # works on a copy
    agree(twice, once, tolerance, f"once gave {shown(once)}, twice")


def deterministic(fn: Any, sample: Any, *, times: int = 2, tolerance: float = 0.0) -> None:
    """
    The same sample gives the same result each time, also for the very object that was passed before.
    """
    if times < 2:
        raise Trouble(f"deterministic: times is {times}; at least 2 calls can differ")
    first = fn(sample)
    for _ in range(times - 1):
        agree(fn(sample), first, tolerance, f"one call gave {shown(first)}, another")
    used = fn.copy(sample)
    fn.uncopied(used)
    again = fn.uncopied(used)
    why = f", not {shown(first)}; the function changes its sample"
    agree(again, first, tolerance, "a call that got the same object again gave", why)


def never_raises(fn: Any, sample: Any) -> None:
    """
    `fn(sample)` raises nothing.
    """
    fn(sample)


def raises_only(fn: Any, sample: Any, *, exceptions: str | Sequence[str] = ()) -> None:
    """
    `fn(sample)` returns, or raises one of ``exceptions``: builtin names, or `package.module.Name`.
    """
    names = [exceptions] if isinstance(exceptions, str) else list(exceptions)
    if not names:
        raise Trouble(
            "raises_only: say which exceptions are allowed: `raises_only: {exceptions: [ValueError]}`"
        )
    allowed = tuple(exception_type("raises_only", name) for name in names)
    try:
        fn(sample)
    except Trouble:
        raise
    except allowed:
        pass


def total(fn: Any, sample: Any) -> None:
    """
    `fn(sample)` has an answer: it raises nothing and does not return None.
    """
    if fn(sample) is None:
        raise AssertionError("the result is None; a total function answers every sample")


def type_stable(fn: Any, samples: Sequence[Any], *, type: str = "") -> None:  # noqa: A002  # the word users write
    """
    The results of all samples have one type; with ``type``, that type.
    """
    wanted, since = type, ""
    for sample in samples:
        found = type_name(fn(sample))
        if not wanted:
            wanted, since = found, f", as for sample {shown(sample)}"
        if wanted not in (found, found.rpartition(".")[2]):
            raise AssertionError(f"sample {shown(sample)}: the result is a {found}, not a {wanted}{since}")


def length_preserved(fn: Any, sample: Any) -> None:
    """
    The result is as long as the sample.
    """
    before, found = length_of("length_preserved", sample), fn(sample)
    try:
        after = len(found)
    except TypeError as error:
        raise AssertionError(f"the result {shown(found)} has no length") from error
    if before != after:
        raise AssertionError(f"the sample has length {before}, the result {shown(found)} has {after}")


def subset_of_input(fn: Any, sample: Any) -> None:
    """
    Everything in the result is in the sample (items of a mapping, characters of a text).
    """
    known = list(elements("subset_of_input", sample))
    found = fn(sample)
    try:
        parts = list(elements("subset_of_input", found))
    except Trouble as error:
        raise AssertionError(f"the result {shown(found)} holds nothing that could be compared") from error
    for part in parts:
        if not any(same(part, one) for one in known):
            raise AssertionError(f"the result holds {shown(part)}, which is not in the sample")


def sorted_output(
    fn: Any, sample: Any, *, key: Any = None, reverse: bool = False, strict: bool = False
) -> None:
    """
    The result is in ascending order; ``key`` names an item of each element, ``strict`` forbids equals.
    """
    found = fn(sample)
    if not isinstance(found, (list, tuple, str)):
        raise AssertionError(f"the result {shown(found)} is not a sequence")  # noqa: TRY004  # the check's own red
    values = [element if key is None else element[key] for element in found]
    for one, two in itertools.pairwise(values):
        lower, upper = (two, one) if reverse else (one, two)
        if not at_most(lower, upper) or (strict and at_most(upper, lower)):
            raise AssertionError(f"{shown(one)} stands before {shown(two)} in {shown(found)}")


def monotone(fn: Any, samples: Sequence[Any], *, decreasing: bool = False, strict: bool = False) -> None:
    """
    A larger sample gives no smaller result.  Samples that are lists are chains of arguments of their own.
    """
    chains = [sample for sample in samples if isinstance(sample, list)]
    if any(isinstance(sample, dict) for sample in samples) or (chains and len(chains) != len(samples)):
        raise Trouble("monotone: samples are numbers or texts, or lists of them")
    for chain in chains or [list(samples)]:
        if len(chain) < 2:
            raise Trouble(
                f"monotone: {shown(chain)} holds fewer than two samples; nothing can be out of order"
            )
        answers = [(argument, fn(argument)) for argument in sorted(chain)]
        for (before, one), (after, two) in itertools.pairwise(answers):
            lower, upper = (two, one) if decreasing else (one, two)
            strictly = strict and before < after
            if not at_most(lower, upper) or (strictly and at_most(upper, lower)):
                raise AssertionError(
                    f"fn({shown(before)}) is {shown(one)}, but fn({shown(after)}) is {shown(two)}"
                )


def commutative(fn: Any, sample: Any, *, tolerance: float = 0.0) -> None:
    """
    `fn(a, b)` is `fn(b, a)`, the sample being a list or mapping of two.
    """
    one, two = arguments("commutative", sample, 2)
    first = fn(one, two)
    agree(fn(two, one), first, tolerance, f"fn(a, b) is {shown(first)}, fn(b, a) is")


def associative(fn: Any, sample: Any, *, tolerance: float = 0.0) -> None:
    """
    `fn(fn(a, b), c)` is `fn(a, fn(b, c))`, the sample being a list or mapping of three.
    """
    one, two, three = arguments("associative", sample, 3)
    left = fn(fn(one, two), three)
    agree(fn(one, fn(two, three)), left, tolerance, f"fn(fn(a, b), c) is {shown(left)}, fn(a, fn(b, c)) is")


def identity_element(fn: Any, sample: Any, *, element: Any, tolerance: float = 0.0) -> None:
    """
    `fn(sample, element)` and `fn(element, sample)` are the sample.
    """
    agree(fn(sample, element), sample, tolerance, f"fn(sample, {shown(element)}) is", ", not the sample")
    agree(fn(element, sample), sample, tolerance, f"fn({shown(element)}, sample) is", ", not the sample")


def inverse_of(fn: Any, sample: Any, *, function: str, tolerance: float = 0.0) -> None:
    """
    The function undoes ``function`` (`package.module.name`): `fn(function(sample))` is the sample.
    """
    between = fn.beside(named("inverse_of", function))(sample)
    back = fn(between)
    agree(back, sample, tolerance, f"{function} gave {shown(between)}, and fn of that", ", not the sample")


def equivalent_to(fn: Any, sample: Any, *, function: str, tolerance: float = 0.0) -> None:
    """
    The function and the reference ``function`` (`package.module.name`) agree: on a result, or a type raised.
    """
    wanted, found = (answer_of(one, sample) for one in (fn.beside(named("equivalent_to", function)), fn))
    if wanted[0] != found[0] or not same(found[1], wanted[1], tolerance):
        raise AssertionError(f"the function {told(found)}, but {function} {told(wanted)}")


def matches_expected(
    fn: Any,
    sample: Any,
    *,
    input: str = "input",  # noqa: A002  # the word users write
    expected: str = "expected",
    tolerance: float = 0.0,
) -> None:
    """
    The fixture carries answers: `{input, expected}`, or `{args, kwargs, expected}`, or a list of the two.

    `{input, raises: Name}` expects that exception.  ``input`` and ``expected`` rename the keys.
    """
    if isinstance(sample, list) and len(sample) == 2:
        sample = {input: sample[0], expected: sample[1]}
    has_both = (
        isinstance(sample, dict)
        and {input, "args", "kwargs"} & {*sample}
        and {expected, "raises"} & {*sample}
    )
    if not has_both:
        raise Trouble(f"matches_expected: the sample {shown(sample)} has no {input!r} with {expected!r}")
    args = [sample[input]] if input in sample else sample.get("args", [])
    if expected not in sample:
        wanted = exception_type("matches_expected", sample["raises"])
        try:
            found = fn(*args, **sample.get("kwargs", {}))
        except wanted:
            return
        raise AssertionError(f"the result is {shown(found)}, but {sample['raises']} is expected")
    found = fn(*args, **sample.get("kwargs", {}))
    agree(found, sample[expected], tolerance, "the result is", f", not {shown(sample[expected])}")


def matches_schema(fn: Any, sample: Any, *, schema: Any) -> None:
    """
    The result fits ``schema``, a JSON Schema written in place.
    """
    found = [*json_schema.problems(fn(sample), schema)]
    if found:
        raise AssertionError("; ".join(found[:3]))


#: Name -> check, in the order of SPEC §5.2.
CHECKS: Final[dict[str, Check]] = {
    check.__name__: check
    for check in (
        roundtrip, no_extra_keys, lo_le_hi, output_in_range, idempotent, deterministic, never_raises,
        raises_only, total, type_stable, length_preserved, subset_of_input, sorted_output, monotone,
        commutative, associative, identity_element, inverse_of, equivalent_to, matches_expected,
        matches_schema,
    )
}  # fmt: skip
#: Checks that look at all samples of the fixture together.
OVER_ALL: Final = frozenset({"type_stable", "monotone"})
