"""
What a name can stand for while a test is read: a term, or a piece of the suite's own code.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles.terms import TRUE, Term

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable

    from oraclekeep.oracles.checks import Check, Gate, Place
    from oraclekeep.oracles.collect import Class
    from oraclekeep.oracles.module import Def, Module
    from oraclekeep.oracles.source import Sources


@dataclass
class Scope:
    """
    Local names of one call; ``parent`` is the enclosing function's scope of a closure.
    """

    module: Module
    names: dict[str, Value] = field(default_factory=dict)
    parent: Scope | None = None
    stamps: dict[str, int] = field(default_factory=dict)  # name -> epoch of its last assignment
    changed: frozenset[str] = frozenset()  # names that the function's own code changes in place
    passed: frozenset[str] = frozenset()  # names that calls may change in place
    promised: dict[str, list[Check]] = field(default_factory=dict)  # name -> what asking it would check
    called: bool = False  # a function's, which runs when its module is complete

    @property
    def is_at_import(self) -> bool:
        scope: Scope | None = self
        while scope is not None and not scope.called:
            scope = scope.parent
        return scope is None

    def holder(self, name: str) -> Scope | None:
        """
        Return the scope, this one or one around it, that the name belongs to.
        """
        scope: Scope | None = self
        while scope is not None and name not in scope.names:
            scope = scope.parent
        return scope

    def get(self, name: str) -> Value | None:
        held = self.holder(name)
        return None if held is None else held.names[name]

    def stamp(self, name: str) -> int | None:
        held = self.holder(name)
        return None if held is None else held.stamps.get(name)

    def keep(self, name: str) -> list[Check]:
        """
        Return what was promised under a name, for whoever takes the values now.
        """
        held = self.holder(name)
        return held.promised.pop(name, []) if held is not None and held.promised else []

    def set(self, name: str, value: Value, epoch: int = 0) -> None:
        self.names[name] = value
        self.stamps[name] = epoch


@dataclass
class Instance:
    """
    `self` of a test class: attributes set so far, and the class for the rest.
    """

    klass: Class
    attrs: dict[str, Value] = field(default_factory=dict)
    term: Term = field(default=Term("name", "self"))
    handed: bool = False  # whether code that may call its methods was given it


@dataclass
class Function:
    """
    A function of the suite, with what it closes over and what it is bound to.
    """

    node: Def | ast.Lambda
    module: Module
    scope: Scope | None = None
    owner: Instance | None = None
    is_context: bool = False  # decorated with contextlib.contextmanager
    wrapped_by: Callable[[Args], Value] | None = None


@dataclass
class Args:
    """
    The arguments of one call.
    """

    positional: list[Value] = field(default_factory=list)
    named: dict[str, Value] = field(default_factory=dict)
    unknown: bool = False  # a star of something that is not known
    moments: dict[int | str, int] = field(default_factory=dict)  # place or name -> when a local got its value
    handed: set[int | str] = field(default_factory=set)  # what else the caller hands to calls


@dataclass
class Pending:
    """
    A call that runs nothing yet: a coroutine, a generator, or a context manager of the suite.
    """

    function: Function
    args: Args
    kind: str  # coroutine, generator, context


@dataclass
class Bag:
    """
    `**kwargs` or a dictionary whose values are not all terms.
    """

    items: dict[str, Value] = field(default_factory=dict)


@dataclass
class Space:
    """
    A module of the suite under the name that it is imported by.
    """

    module: Module


Value = Term | Function | Instance | Pending | Bag | Space

UNKNOWN: Final = Term("unknown")
#: How deep calls of helpers are followed, and how many statements one test may cost.
MAX_DEPTH: Final = 14
MAX_STEPS: Final = 4000
#: How many turns of loops one case is written out for; later loops are read once.
MAX_WRITTEN_OUT: Final = 300


@dataclass(frozen=True)
class Late:
    """
    Checks of a fixture that run when the test is over.
    """

    checks: tuple[Check, ...]

    def __call__(self, run: Run) -> None:
        run.checks += [
            replace(one, scene=run.scene(), moment=run.epoch, taken=run.epoch) for one in self.checks
        ]


@dataclass
class Run:
    """
    The state of reading one case of one test.
    """

    sources: Sources
    home: Module
    invoke: Callable[[Run, Function, Args], Value]
    instance: Instance | None = None
    checks: list[Check] = field(default_factory=list)
    gates: list[Gate] = field(default_factory=list)
    effects: list[tuple[Term, Place]] = field(default_factory=list)
    done: tuple[Term, ...] = ()  # the effects without their places
    trace: list[Term] = field(default_factory=list)  # what each statement evaluated to
    patches: dict[Term, Place] = field(default_factory=dict)
    uses: set[str] = field(default_factory=set)
    unpacked: set[tuple[Term, int]] = field(
        default_factory=set
    )  # what was taken apart into so many names; negative: a star is one
    options: dict[tuple[Term, Term], Place] = field(default_factory=dict)  # a call, and what its options said
    fixtures: dict[str, Value] = field(default_factory=dict)
    draws: list[Term] = field(default_factory=list)  # what a composite strategy draws from
    written: list[Term] = field(default_factory=list)  # calls that write a file, whatever the environment
    promised: list[Check] = field(default_factory=list)  # checks that run unseen until a result is asked for
    interactive: dict[str, Term] = field(default_factory=dict)  # place -> what the test draws while it runs
    teardown: list[Callable[[Run], None]] = field(default_factory=list)
    guards: tuple[Term, ...] = ()
    swallowed: str = ""
    caught: bool = False  # some name means what a handler said
    tolerated: int = 0  # inside a `try` or `suppress` that lets some error pass
    specced: int = 0
    mocks: int = 0
    epoch: int = 0
    taken: int | None = None  # the epoch of the value that is being asserted, where that is another one
    depth: int = 0
    steps: int = 0
    written_out: int = 0
    cut: int = 0  # how often one of these limits was met
    loops: int = 0  # how often a constant was mentioned while it was being read
    on_yield: list[Callable[[Value], None]] = field(default_factory=list)
    boxing: bool = False  # names that were only passed on count as changed, too

    def tally(self) -> tuple[int, ...]:
        """
        Return numbers that stay the same while nothing is read but a value.
        """
        lists = (self.checks, self.gates, self.effects, self.trace, self.draws, self.teardown, self.written)
        numbers = (
            len(self.patches),
            len(self.promised),
            len(self.options),
            len(self.interactive),
            self.specced,
            self.mocks,
            self.epoch,
            self.cut,
        )
        return (*(len(one) for one in lists), *numbers)

    def scene(self) -> tuple[Term, ...]:
        """
        Return what was done so far; checks with nothing done between them share it.
        """
        if len(self.done) != len(self.effects) or (self.done and self.done[-1] is not self.effects[-1][0]):
            self.done = tuple(effect for effect, _ in self.effects)
        return self.done

    def note(self, term: Term, *, since: int) -> None:
        """
        Note what a statement evaluates, unless the helper that it calls has noted just that.
        """
        if term not in self.trace[since:]:
            self.trace.append(term)

    def did(self, term: Term, *, since: int) -> None:
        """
        Note what a statement's head evaluates where nothing in its body has been noted.
        """
        if all(one.op == "const" for one in self.trace[since:]):
            self.trace.append(term)

    def condition(self) -> Term:
        """
        Return the guards of the moment as one condition; loops do not count.
        """
        conditions = [guard for guard in self.guards if guard.op != "foreach"]
        if not conditions:
            return TRUE
        return conditions[0] if len(conditions) == 1 else Term("bool", "And", tuple(conditions))
