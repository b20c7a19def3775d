"""
Shell text as a tree of lists, pipelines and commands.  Enough of the grammar for CI scripts; nothing is run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPERATORS: Final = ("&&", "||", "|&", ";;", ";", "|", "&", "(", ")", "\n")
_REDIRECT: Final = re.compile(r"(\d*|&)(<<<|>>|>\||>&|<&|<>|>|<)")
_HEREDOC: Final = re.compile(r"<<(-?)\s*([\"']?)([\w.!-]+)\2")


@dataclass(frozen=True, slots=True)
class Token:
    """
    One word or operator; ``raw`` tells a quoted word from a keyword.
    """

    text: str
    line: int
    is_word: bool
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Simple:
    """
    One command with its words, quotes taken off.
    """

    words: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Group:
    """
    A list in braces, parentheses or a loop; ``heads`` are lists whose status only steers the loop.
    """

    body: tuple[AndOr, ...]
    line: int
    heads: tuple[AndOr, ...] = ()
    subshell: bool = False


@dataclass(frozen=True, slots=True)
class Branches:
    """
    An `if` or a `case`: each branch with the text of its condition and the list that decides it.
    """

    arms: tuple[tuple[str, tuple[AndOr, ...], tuple[AndOr, ...]], ...]
    line: int
    dispatch: bool = False  # a `case` over the script's own arguments


@dataclass(frozen=True, slots=True)
class Function:
    """
    A function's definition.
    """

    name: str
    body: tuple[AndOr, ...]
    line: int


Node = Simple | Group | Branches | Function


@dataclass(frozen=True, slots=True)
class Pipeline:
    """
    Commands joined by `|`.
    """

    parts: tuple[Node, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class AndOr:
    """
    Pipelines joined by `&&` and `||`; the first one's operator is empty.
    """

    items: tuple[tuple[str, Pipeline], ...]
    background: bool = False


def tokens(text: str) -> Iterator[Token]:
    """
    Yield words and operators; comments, redirections and here-documents are left out.
    """
    text = text.replace("\r\n", "\n").replace("\\\n", " \x00")  # the mark keeps line numbers right
    place, line = 0, 1
    heredocs: list[tuple[bool, str]] = []
    while place < len(text):
        char = text[place]
        if char == "\x00":
            line, place = line + 1, place + 1
        elif char == "\n":
            yield Token("\n", line, is_word=False)
            line, place = line + 1, place + 1
            while heredocs:
                line, place = _skip_heredoc(text, line, place, *heredocs.pop(0))
        elif char in " \t":
            place += 1
        elif char == "#":
            place = _end(text, "\n", place)
        elif found := _HEREDOC.match(text, place):
            heredocs.append((bool(found[1]), found[3]))
            place = found.end()
        elif found := _REDIRECT.match(text, place):
            place = found.end()
            while place < len(text) and text[place] in " \t":
                place += 1
            _, place = _word(text, place)
        elif operator := next((item for item in _OPERATORS if text.startswith(item, place)), ""):
            yield Token(operator, line, is_word=False)
            place += len(operator)
        else:
            start = place
            word, place = _word(text, place)
            yield Token(word, line, is_word=True, raw=text[start:place])
            line += text.count("\n", start, place) + text.count("\x00", start, place)


def _end(text: str, mark: str, place: int) -> int:
    found = text.find(mark, place)
    return len(text) if found < 0 else found


def _skip_heredoc(text: str, line: int, place: int, dashed: bool, mark: str) -> tuple[int, int]:  # noqa: FBT001  # one caller
    while place < len(text):
        stop = _end(text, "\n", place)
        row = text[place:stop]
        line, place = line + 1, min(stop + 1, len(text))
        if (row.lstrip("\t") if dashed else row).strip("\x00") == mark:
            break
    return line, place


def _word(text: str, place: int) -> tuple[str, int]:
    out: list[str] = []
    while place < len(text) and text[place] not in " \t\n;|&()<>":
        piece, place = _piece(text, place)
        out.append(piece)
    if not out and place < len(text) and text[place] != "\n":
        return text[place], place + 1
    return "".join(out).replace("\x00", ""), place


def _piece(text: str, place: int) -> tuple[str, int]:
    char = text[place]
    if text.startswith("${{", place):
        stop = _end(text, "}}", place) + 2
        return re.sub(r"\s+", "", text[place:stop]), stop
    if text.startswith("$(", place):
        stop = _balanced(text, place + 1)
        return text[place:stop], stop
    if text.startswith("${", place):
        stop = _end(text, "}", place) + 1
        return text[place:stop], stop
    if char == "'":
        stop = _end(text, "'", place + 1)
        return text[place + 1 : stop], stop + 1
    if char == "`":
        stop = _end(text, "`", place + 1)
        return f"$({text[place + 1 : stop]})", stop + 1
    if char == '"':
        return _double(text, place + 1)
    if char == "\\":
        return text[place + 1 : place + 2], place + 2
    return char, place + 1


def _double(text: str, place: int) -> tuple[str, int]:
    out: list[str] = []
    while place < len(text) and text[place] != '"':
        if text[place] == "'":
            out.append("'")
            place += 1
            continue
        piece, place = _piece(text, place)
        out.append(piece)
    return "".join(out), place + 1


def _balanced(text: str, place: int) -> int:
    depth = 0
    while place < len(text):
        char = text[place]
        if char in "'\"`":
            place = _end(text, char, place + 1)
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                return place + 1
        place += 1
    return len(text)


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens = list(tokens(text))
        self._place = 0

    def _peek(self) -> Token | None:
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def _at(self, *texts: str) -> bool:
        token = self._peek()
        return token is not None and token.text in texts and (not token.is_word or token.raw == token.text)

    def _take(self) -> Token:
        token = self._peek()
        self._place += 1
        return token or Token("", 1, is_word=False)  # the script ends in the middle of something

    def _skip(self, *texts: str) -> None:
        while self._at(*texts):
            self._place += 1

    def list(self, *ends: str) -> tuple[AndOr, ...]:
        found: list[AndOr] = []
        self._skip("\n", ";")
        while self._peek() is not None and not self._at(*ends):
            start = self._place
            items = self._and_or()
            background = self._at("&")
            self._skip("\n", ";", "&")
            found.append(AndOr(items, background))
            if self._place == start:  # a stray operator: never loop on it
                self._place += 1
        return tuple(item for item in found if item.items)

    def _and_or(self) -> tuple[tuple[str, Pipeline], ...]:
        items: list[tuple[str, Pipeline]] = []
        operator = ""
        while (pipeline := self._pipeline()) is not None:
            items.append((operator, pipeline))
            if not self._at("&&", "||"):
                break
            operator = self._take().text
            self._skip("\n")
        return tuple(items)

    def _pipeline(self) -> Pipeline | None:
        negated = False
        while self._at("!", "time"):
            negated ^= self._take().text == "!"
        parts: list[Node] = []
        while (node := self._command()) is not None:
            parts.append(node)
            if not self._at("|", "|&"):
                break
            self._take()
            self._skip("\n")
        return Pipeline(tuple(parts), negated) if parts else None

    def _command(self) -> Node | None:
        token = self._peek()
        if token is None:
            return None
        if not token.is_word:
            return self._subshell(token) if token.text == "(" else None
        if token.raw == token.text:
            if token.text == "if":
                return self._if(self._take().line)
            if token.text in {"for", "while", "until", "select"}:
                return self._loop(self._take())
            if token.text == "case":
                return self._case(self._take().line)
            if token.text == "{":
                self._take()
                body = self.list("}")
                self._skip("}")
                return Group(body, token.line)
            if token.text == "function":
                self._take()
                return self._function(self._take())
        if self._is_definition():
            return self._function(self._take())
        return self._simple(token.line)

    def _is_definition(self) -> bool:
        following = [
            token.text for token in self._tokens[self._place + 1 : self._place + 3] if not token.is_word
        ]
        return following == ["(", ")"]

    def _function(self, name: Token) -> Function:
        self._skip("(", ")", "\n")
        node = self._command()
        body = node.body if isinstance(node, Group) else ()
        return Function(name.text, body, name.line)

    def _subshell(self, token: Token) -> Group:
        self._take()
        body = self.list(")")
        if self._at(")"):
            self._take()
        return Group(body, token.line, subshell=True)

    def _simple(self, line: int) -> Simple | None:
        words: list[str] = []
        while (token := self._peek()) is not None and token.is_word:
            words.append(self._take().text)
        return Simple(tuple(words), line) if words else None

    def _if(self, line: int) -> Branches:
        arms: list[tuple[str, tuple[AndOr, ...], tuple[AndOr, ...]]] = []
        while True:
            start = self._place
            head = self.list("then", "fi")
            text = " ".join(token.text for token in self._tokens[start : self._place]).strip(" ;\n")
            self._skip("then")
            arms.append((text, head, self.list("elif", "else", "fi")))
            if not self._at("elif"):
                break
            self._take()
        if self._at("else"):
            self._take()
            arms.append(("", (), self.list("fi")))
        self._skip("fi")
        return Branches(tuple(arms), line)

    def _loop(self, keyword: Token) -> Group:
        head: tuple[AndOr, ...] = ()
        if keyword.text in {"while", "until"}:
            head = self.list("do")
        else:
            while self._peek() is not None and not self._at("do"):
                self._take()
        self._skip("do")
        body = self.list("done")
        self._skip("done")
        return Group(body, keyword.line, head)

    def _case(self, line: int) -> Branches:
        subject = self._take().text if self._peek() is not None else ""
        self._skip("\n", "in")
        arms: list[tuple[str, tuple[AndOr, ...], tuple[AndOr, ...]]] = []
        while self._peek() is not None and not self._at("esac"):
            start = self._place
            while self._peek() is not None and not self._at(")", "esac"):
                self._take()
            pattern = " ".join(token.text for token in self._tokens[start : self._place]).strip("( \n")
            self._skip(")")
            arms.append((f"{subject} is {pattern}", (), self.list(";;", "esac")))
            self._skip(";;", "\n", ";")
        self._skip("esac")
        return Branches(tuple(arms), line, dispatch=bool(re.match(r"\$\{?[1@*]", subject)))


def parse(text: str) -> tuple[AndOr, ...]:
    """
    Return the lists of a script.  Text that is not shell gives whatever commands can be made out.
    """
    parser = _Parser(text)
    found = list(parser.list())
    return tuple(found)
