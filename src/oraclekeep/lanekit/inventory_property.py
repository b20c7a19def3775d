"""
One property from its name to green, red or error, in a process of its own.
"""

from __future__ import annotations

import contextlib
import copy
import importlib
import inspect
import itertools
import os
import random
import sys
import traceback
import types
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any, Final

from . import builtin_checks, searching, seeding
from .inventory_classes import ERROR, GREEN, RED
from .sameness import Trouble, said, same, shown

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_ITEMS: Final = 100_000


class Gone(Exception):  # noqa: N818  # the product's error, and only if base had it
    """
    The module has no such function (any more).
    """


class Subject:
    """
    The function under test as a built-in check calls it: on copies, so that no call sees what another left.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.changes_sample = False

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        passed = [self.copy(one) for one in args]
        result = self.uncopied(*passed, **keywords)
        with contextlib.suppress(Exception):  # what can't be compared was passed as a copy all the same
            self.changes_sample = self.changes_sample or not all(map(same, passed, args))
        return result

    def uncopied(self, *args: Any, **keywords: Any) -> Any:
        """
        Call it on the very objects, and take what it yields as what it returns.
        """
        result = self._function(*args, **keywords)
        if inspect.isawaitable(result) or isinstance(result, AsyncIterator):
            raise Trouble(
                "the function is asynchronous and nothing awaits it; name one that runs it to its end"
            )
        if isinstance(result, Iterator):
            items = list(itertools.islice(result, _MOST_ITEMS + 1))
            if len(items) > _MOST_ITEMS:
                raise Trouble(f"the function yields more than {_MOST_ITEMS} items")
            return items
        return result

    def beside(self, function: Callable[..., Any]) -> Subject:
        """
        Return another function to compare with.
        """
        return Subject(function)

    @staticmethod
    def copy(value: Any) -> Any:
        try:
            return copy.deepcopy(value)
        except Exception:  # noqa: BLE001  # what can't be copied is passed as it is
            return value


def examine(job: dict[str, Any], one: dict[str, Any]) -> tuple[str, str]:
    """
    Return the colour of one property and the sentence that says why.
    """
    os.chdir(os.environ["HOME"] if job.get("folder") else job["tree"])
    samples = _in_order(job, one)  # before any of the project's code has a say in how one shuffles
    seeding.pin(one["seed"])
    try:
        function = _function(job, one)
        checks = [_Check(job, one, call, function, samples) for call in one["checks"]]
        failures = [failure for check in checks if (failure := check.first_failure())]
    except Gone as error:
        if one["known_at_base"]:
            return RED, f"{error}; it existed at base"
        return ERROR, f"{error}, neither at base nor here; name a function that exists"
    except Trouble as error:
        return ERROR, str(error)
    changed = next((check.changed for check in checks if check.changed), "")
    note = f" ({changed})" if changed else ""
    if not failures:
        return GREEN, note.strip(" ()")
    more = f" (and {len(failures) - 1} more checks failed)" if len(failures) > 1 else ""
    return RED, failures[0] + more + note


def _in_order(job: dict[str, Any], one: dict[str, Any]) -> list[Any]:
    samples = list(job["samples"].get(one["fixture"], ()))
    order = job.get("order", "")
    seed = one["seed"] + int(order) if order.isdecimal() else one["seed"]
    random.Random(seed).shuffle(samples)  # noqa: S311  # an order, no secret
    return samples[::-1] if order == "reversed" else samples


def _function(job: dict[str, Any], one: dict[str, Any]) -> Callable[..., Any]:
    name, path = str(one["module"]), str(one["fn"])
    try:
        found: Any = importlib.import_module(name)
    except BaseException as error:  # an import may end in anything
        if isinstance(error, ModuleNotFoundError) and error.name and f"{name}.".startswith(f"{error.name}."):
            raise Gone(f"there is no module {error.name}") from error
        raise Trouble(f"{name} can't be imported: {said(error)}{_place(error, job)}") from error
    for step, part in enumerate(path.split(".")):
        try:
            found = getattr(found, part)
        except AttributeError as error:
            raise Gone(f"{'.'.join((name, *path.split('.')[:step]))} has no {part}") from error
    bare = inspect.unwrap(found) if callable(found) else found
    if not callable(found):
        raise Trouble(f"{name}.{path} is a {type(found).__name__} and can't be called")
    for is_kind, kind in _UNSUITABLE:
        if is_kind(found) or is_kind(bare):
            raise Trouble(f"{name}.{path} is {kind}: a call runs nothing; name a function that does the work")
    return found  # type: ignore[no-any-return]  # it is callable


_UNSUITABLE: Final = (
    (inspect.iscoroutinefunction, "an async function"),
    (inspect.isasyncgenfunction, "an async generator"),
    (inspect.isgeneratorfunction, "a generator function"),
)


class _Check:
    """
    One check of one property, ready to be called.
    """

    def __init__(
        self,
        job: dict[str, Any],
        one: dict[str, Any],
        call: dict[str, Any],
        function: Callable[..., Any],
        samples: list[Any],
    ) -> None:
        self._job, self._one, self._samples = job, one, samples
        self.name, self._parameters = str(call["name"]), call["parameters"]
        self.subject = Subject(function)
        self._own_changes = False
        self._builtin = self.name in builtin_checks.CHECKS
        self._check = builtin_checks.CHECKS[self.name] if self._builtin else _own_check(job, self.name)
        self._first = self.subject if self._builtin else function
        try:
            inspect.signature(self._check).bind(self._first, None, **self._parameters)
        except TypeError as error:
            raise Trouble(f"{self.name}: its parameters do not fit: {error}") from error

    def first_failure(self) -> str:
        """
        Return what the first sample that fails has shown, or an empty text.
        """
        rounds = [self._samples] if self.over_all and self._samples else self._samples
        failure = next((failure for sample in rounds if (failure := self.failure(sample))), "")
        if failure or not self._one["strategy"]:
            return failure
        return searching.first_failure(self, self._one, _strategy(self._job, str(self._one["strategy"])))

    @property
    def changed(self) -> str:
        """
        Say that a sample is no longer what it was, or nothing.
        """
        if self.subject.changes_sample:
            return "the function changes the sample that it is given"
        return f"the sample changes while check_{self.name} runs" if self._own_changes else ""

    @property
    def over_all(self) -> bool:
        """
        Whether the check takes all samples at once.
        """
        return self._builtin and self.name in builtin_checks.OVER_ALL

    def failure(self, sample: Any) -> str:
        """
        Return what one sample has shown, or an empty text.
        """
        passed = Subject.copy(sample)
        try:
            answer = self._check(self._first, passed, **self._parameters)
        except Trouble:
            raise
        except BaseException as error:  # SystemExit and the like are red, not the end of the run
            if self._one["strategy"] and type(error).__module__.startswith("hypothesis."):
                raise  # `assume` and its kin: hypothesis talks to itself
            where = "" if self.over_all else f"sample {shown(sample)}: "
            return f"{self.name}: {where}{self._words(error)}"
        finally:
            if not self._builtin:
                with contextlib.suppress(Exception):  # some samples can't be compared
                    self._own_changes = self._own_changes or not same(passed, sample)
        if answer is not None and answer is not True:
            if inspect.iscoroutine(answer):
                answer.close()
            wanted = "a check raises AssertionError and returns nothing"
            raise Trouble(f"check_{self.name} returned {shown(answer)}; {wanted}")
        return ""

    def _words(self, error: BaseException) -> str:
        """
        Say what an exception says; a bare `assert` of an owner's check says its source.
        """
        if isinstance(error, AssertionError):
            frame = traceback.extract_tb(error.__traceback__)[-1]
            words = said(error).removeprefix(f"{type(error).__name__}: ")
            if frame.filename == builtin_checks.__file__:
                return words
            bare = words == type(error).__name__ and frame.line
            return f"{frame.line if bare else words}{_place(error, self._job)}"
        return f"raised {said(error)}{_place(error, self._job)}"


# ---------------------------------------------------------------------------------------- the owner's code


def _own_check(job: dict[str, Any], name: str) -> Callable[..., Any]:
    known = job["checks"].get(name)
    if known is None:
        raise Trouble(
            f"there is no check named {name}; write check_{name} in invariants/checks/, or use one of "
            f"{', '.join(builtin_checks.CHECKS)}"
        )
    check = vars(_module(job, known)).get(f"check_{name}")
    if not callable(check):
        raise Trouble(f"{known['path']}: check_{name} is not a function")
    return check  # type: ignore[no-any-return]  # it is callable


def _strategy(job: dict[str, Any], name: str) -> Any:
    known = job["strategies"]
    if not known:
        raise Trouble(f"strategy {name}: there is no invariants/strategies.py")
    found = vars(_module(job, known)).get(name)
    if found is None:
        raise Trouble(f"{known['path']} has no {name}")
    return found() if callable(found) else found


def _module(job: dict[str, Any], known: dict[str, Any]) -> types.ModuleType:
    """
    Run the owner's source as it stood when the run began; neither bytecode nor a later edit stands in for it.
    """
    path = str(known["path"])
    module = types.ModuleType("oraclekeep_owner_" + "".join(c if c.isalnum() else "_" for c in path))
    module.__file__ = f"{job['tree']}/{path}"
    vars(module)["__builtins__"] = __builtins__  # ours, which no product replaces
    sys.modules[module.__name__] = module
    try:
        exec(compile(known["source"], module.__file__, "exec", dont_inherit=True), vars(module))  # noqa: S102  # the owner's own
    except BaseException as error:  # a module may end in anything
        raise Trouble(f"{path} can't be imported: {said(error)}{_place(error, job)}") from error
    return module


def _place(error: BaseException, job: dict[str, Any]) -> str:
    """
    Return where in the tree an exception was raised, as ` (file:line)`.
    """
    root = f"{job['tree']}/"
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith(root) and "site-packages" not in frame.filename
    ]  # fmt: skip
    return f" ({frames[-1].filename[len(root) :]}:{frames[-1].lineno})" if frames else ""
