"""
Which commands a shell script runs, and whether the script's own exit status tells of their failure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.shell import AndOr, Branches, Function, Group, Node, Pipeline, Simple, parse
from oraclekeep.machinery.shellwords import ASSIGNMENT, inline_script, is_failure, split_env, substitutions

if TYPE_CHECKING:
    from collections.abc import Iterator

#: A bare `wait` succeeds whatever became of the jobs; one that is told a job answers for it.
_WAITS: Final = re.compile(r"\bwait[ \t]+[^\s;&|)#]")
_DEPTH: Final = 20


@dataclass(frozen=True, slots=True)
class Command:
    """
    One command that a script runs.

    ``masks`` say why its failure does not fail the script; ``conditions`` when it runs at all.
    """

    words: tuple[str, ...]
    line: int
    masks: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    env: tuple[str, ...] = ()


@dataclass(frozen=True)
class _State:
    """
    What holds where a list is read; ``tail`` is true where the list's last status is the script's.
    """

    masks: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    tail: bool = True
    after: str = ""  # the command on the left of the `&&` or `||` that leads here
    depth: int = 0
    offset: int = 0

    def masked(self, why: str) -> _State:
        return replace(self, masks=(*self.masks, why)) if why else self


@dataclass
class _Script:
    text: str
    errexit: bool
    pipefail: bool
    functions: dict[str, Function] = field(default_factory=dict)
    early: list[str] = field(
        default_factory=list
    )  # conditions under which the script has ended well before here
    traps: list[str] = field(default_factory=list)  # traps that end the script well
    exports: list[str] = field(default_factory=list)
    ended: bool = False
    returned: bool = False

    # ------------------------------------------------------------------------------------------ lists

    def run(self, body: tuple[AndOr, ...], state: _State) -> Iterator[Command]:
        for place, item in enumerate(body):
            if self.ended:
                return
            rest = body[place + 1 :]
            yield from self._and_or(item, rest, replace(state, tail=state.tail and not rest))

    def _and_or(self, item: AndOr, rest: tuple[AndOr, ...], state: _State) -> Iterator[Command]:
        last = len(item.items) - 1
        guards: tuple[str, ...] = ()
        for place, (_, pipeline) in enumerate(item.items):
            following = item.items[place + 1 :]
            why = self._chain_mask(pipeline, following, rest, state, is_last=place == last)
            if item.background and not _WAITS.search(self.text):
                why = "it runs in the background"
            left = _shown(item.items[place - 1][1]) if place else state.after
            inner = replace(state.masked(why), conditions=(*state.conditions, *guards), after=left)
            inner = replace(inner, tail=not self._goes_unheard(pipeline, rest, state, is_last=place == last))
            yield from self._pipeline(pipeline, inner, alone=len(item.items) == 1)
            if following:
                guards = _guards(pipeline, following[0][0], guards)

    def _chain_mask(
        self,
        pipeline: Pipeline,
        following: tuple[tuple[str, Pipeline], ...],
        rest: tuple[AndOr, ...],
        state: _State,
        *,
        is_last: bool,
    ) -> str:
        if pipeline.negated:
            return "its status is inverted"
        for operator, other in following:
            if operator == "||":
                return "" if self._fails(other, rest) else f"`|| {_shown(other)}` hides its failure"
        if state.tail or self._captured(rest):
            return ""
        if not self.errexit:
            return "the script goes on after its failure"
        return "" if is_last else "a failure on the left of `&&` does not stop the script"

    def _goes_unheard(
        self, pipeline: Pipeline, rest: tuple[AndOr, ...], state: _State, *, is_last: bool
    ) -> bool:
        """
        Tell whether a list in braces or a loop can end in a failure that `set -e` passes over.

        It does where the failure inside stood on the left of `&&`: `for i in 1 2; do pytest && break; done`.
        """
        inner = pipeline.parts[0]
        held = state.tail or not self.errexit or not is_last or self._captured(rest)
        plain = len(pipeline.parts) == 1 and isinstance(inner, Group | Branches)
        return plain and not held and not (isinstance(inner, Group) and inner.subshell)

    def _captured(self, rest: tuple[AndOr, ...]) -> bool:
        """
        Tell whether the next command keeps `$?` and something after it acts on it.
        """
        if not rest:
            return False
        following = _text_of(rest[0])
        if "$?" not in following and "PIPESTATUS" not in following:
            return False
        found = re.match(r"\s*(?:\w+\s+)?(\w+)=", following)
        if found:
            return self._acted_on(found[1])
        return bool(re.search(r"\b(exit|return)\b", following)) and not re.search(
            r"\b(exit|return) 0\b", following
        )

    def _acted_on(self, name: str) -> bool:
        """
        Tell whether the script ends by a kept status, or tests it and leaves.
        """
        used = rf"\$\{{?{name}\b"
        tested = rf"(\[|test|\(\()[^\n]*({used}|\b{name}\b)[^\n]*"
        ends = (
            rf"\b(exit|return)\s+\"?{used}",
            rf"{tested}(\n[^\n]*){{0,5}}?(exit|return)\s+[\"$1-9]",
            rf"{tested}\s*\Z",
        )
        return any(re.search(pattern, self.text) for pattern in ends)

    def _fails(self, pipeline: Pipeline, rest: tuple[AndOr, ...]) -> bool:
        """
        Tell whether the alternative after `||` still ends in failure.
        """
        return any(self._node_fails(part) for part in pipeline.parts[-1:]) or (
            any(self._captured_by(part) for part in pipeline.parts) and bool(rest)
        )

    def _node_fails(self, node: Node) -> bool:
        match node:
            case Simple(words=words):
                return is_failure(words) or (
                    words[0] in self.functions and self._body_fails(self.functions[words[0]].body)
                )
            case Group(body=body):
                return self._body_fails(body)
            case _:
                return False

    def _body_fails(self, body: tuple[AndOr, ...]) -> bool:
        parts = [part for item in body for _, pipeline in item.items for part in pipeline.parts]
        return any(self._node_fails(part) or self._captured_by(part) for part in parts)

    def _captured_by(self, node: Node) -> bool:
        if not isinstance(node, Simple):
            return False
        found = ASSIGNMENT.fullmatch(node.words[-1])
        return found is not None and found[2] not in {"0", ""} and self._acted_on(found[1])

    # ------------------------------------------------------------------------------------------ commands

    def _pipeline(self, pipeline: Pipeline, state: _State, *, alone: bool) -> Iterator[Command]:
        last = len(pipeline.parts) - 1
        for place, part in enumerate(pipeline.parts):
            lost = place != last and not self.pipefail and "PIPESTATUS" not in self.text
            yield from self._node(
                part, state.masked("its status is lost in a pipe" if lost else ""), alone=alone
            )

    def _node(self, node: Node, state: _State, *, alone: bool) -> Iterator[Command]:
        match node:
            case Function():
                self.functions[node.name] = node
            case Group(body=body, heads=heads):
                yield from self.run(heads, state.masked("its status only steers a loop"))
                yield from self.run(body, state)
                self.ended = self.ended and alone and not heads
            case Branches():
                yield from self._branches(node, state)
            case Simple():
                yield from self._simple(node, state)

    def _branches(self, node: Branches, state: _State) -> Iterator[Command]:
        texts: list[str] = []
        for place, (text, head, body) in enumerate(node.arms):
            negated = text.startswith("! ")
            decides = body if negated else next((arm[2] for arm in node.arms[place + 1 :] if not arm[1]), ())
            why = "" if self._body_fails(decides) else "its status only decides an `if`"
            for command in self.run(head, replace(state, tail=True)):
                masks = tuple(item for item in command.masks if item != "its status is inverted")
                yield replace(command, masks=(*masks, *((why,) if why else ())))
            shown = text or f"not ({' or '.join(texts)})"
            texts.append(text)
            inside = () if node.dispatch else (shown,)
            yield from self.run(body, replace(state, conditions=(*state.conditions, *inside)))
            self.ended = False

    def _simple(self, node: Simple, state: _State) -> Iterator[Command]:
        env, words = split_env(node.words)
        line = node.line + state.offset
        yield from self._substitutions(node, env, words, state)
        if not words:
            return
        match words[0]:
            case "export":
                self.exports += [word for word in words[1:] if ASSIGNMENT.fullmatch(word)]
            case "set":
                self._set(words[1:])
            case "exit" | "return":
                self._exit(words, state)
            case "trap" if len(words) > 2 and re.search(r"\b(exit 0|true)\b", words[1]):
                self.traps.append(f"trap '{words[1]}' {words[2]} hides its failure")
            case "exec" | "eval" | "command" | "builtin":
                yield from self._nested(words[1:], line, state, env)
            case _:
                yield from self._nested(words, line, state, env)

    def _nested(
        self, words: tuple[str, ...], line: int, state: _State, env: tuple[str, ...]
    ) -> Iterator[Command]:
        if not words:
            return
        if words[0] in self.functions and state.depth < _DEPTH:
            body = self.functions[words[0]].body
            yield from self.run(body, replace(state, depth=state.depth + 1))
            if self.returned:
                self.ended = self.returned = False
            return
        if (text := inline_script(words)) is not None and state.depth < _DEPTH:
            flags = "".join(word for word in words[1:] if word.startswith("-") and not word.startswith("--"))
            inner = _Script(text, "e" in flags, "pipefail" in words)
            for command in inner.run(
                parse(text), replace(state, tail=True, depth=state.depth + 1, offset=line - 1)
            ):
                yield replace(command, conditions=(*self.early, *command.conditions))
            return
        masks, conditions = (*state.masks, *self.traps), (*self.early, *state.conditions)
        yield Command(words, line, masks, conditions, (*self.exports, *env))

    def _substitutions(
        self, node: Simple, env: tuple[str, ...], words: tuple[str, ...], state: _State
    ) -> Iterator[Command]:
        if state.depth >= _DEPTH:
            return
        for word in (*env, *words):
            for inner in substitutions(word):
                why = "its status is lost in a substitution" if words else ""
                deeper = replace(
                    state.masked(why), depth=state.depth + 1, offset=state.offset + node.line - 1, tail=True
                )
                yield from _Script(inner, self.errexit, self.pipefail).run(parse(inner), deeper)

    def _set(self, words: tuple[str, ...]) -> None:
        for place, word in enumerate(words):
            on = word.startswith("-")
            if not re.fullmatch(r"[-+][a-zA-Z]+", word):
                continue
            if "e" in word[1:]:
                self.errexit = on
            name = words[place + 1] if word.endswith("o") and place + 1 < len(words) else ""
            if name == "errexit":
                self.errexit = on
            if name == "pipefail":
                self.pipefail = on

    def _exit(self, words: tuple[str, ...], state: _State) -> None:
        inner = [item for item in state.conditions if item not in self.early]
        maybe = inner[-1] if inner else state.after
        if maybe and words[0] == "exit" and words[1:2] in ((), ("0",)):
            self.early.append(f"unless {maybe}")
        self.ended = not maybe
        self.returned = self.ended and words[0] == "return"


def _guards(pipeline: Pipeline, operator: str, before: tuple[str, ...]) -> tuple[str, ...]:
    """
    Return what a list's later commands depend on: `[ -n "$X" ] && pytest` runs only where X is set.
    """
    first = pipeline.parts[0]
    if not isinstance(first, Simple) or first.words[0] not in {"[", "[[", "test", "false", "true", ":"}:
        return before
    if first.words[0] in {"true", ":"} and operator == "&&":
        return before
    text = " ".join(first.words)
    return (*before, text if (operator == "&&") != pipeline.negated else f"not ({text})")


def _shown(pipeline: Pipeline) -> str:
    first = pipeline.parts[0]
    return " ".join(first.words)[:60] if isinstance(first, Simple) else "{ ... }"


def _text_of(item: AndOr) -> str:
    return " ".join(_node_text(part) for _, pipeline in item.items for part in pipeline.parts)


def _node_text(node: Node) -> str:
    match node:
        case Simple(words=words):
            return " ".join(words)
        case Group(body=body):
            return " ".join(map(_text_of, body))
        case Branches(arms=arms):
            return " ".join(f"{text} {' '.join(map(_text_of, body))}" for text, _, body in arms)
        case Function():
            return ""


def commands(text: str, *, errexit: bool = False, pipefail: bool = False) -> tuple[Command, ...]:
    """
    Return every command that a script runs, in order.
    """
    first = text.split("\n", 1)[0]
    if first.startswith("#!"):
        flags = first.split()
        errexit = errexit or any(re.fullmatch(r"-[a-z]*e[a-z]*", flag) for flag in flags)
        pipefail = pipefail or "pipefail" in flags
    script = _Script(text, errexit, pipefail)
    for node in _definitions(parse(text)):
        script.functions[node.name] = node
    return tuple(script.run(parse(text), _State()))


def _definitions(body: tuple[AndOr, ...]) -> Iterator[Function]:
    for item in body:
        for _, pipeline in item.items:
            for part in pipeline.parts:
                if isinstance(part, Function):
                    yield part
