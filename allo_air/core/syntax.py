"""The syntax of MLIR pipeline text: `builtin.module(func.func(a,b{opt=1 list=x,y}),c)`."""

import re
from dataclasses import dataclass

from allo_air.core.options import closing
from allo_air.errors import PipelineSyntaxError

_NAME = re.compile(r"[A-Za-z_][\w.-]*")


@dataclass(frozen=True)
class Node:
    """A pass with its option text, or an anchor with the nodes nested in it; `column` counts from 1."""

    name: str
    column: int
    options: str = ""
    children: tuple["Node", ...] | None = None


def parse(text: str) -> tuple[Node, ...]:
    """The comma-separated elements of pipeline `text`; raises PipelineSyntaxError with the column."""
    nodes, at = _elements(text, 0)
    if at < len(text):
        raise PipelineSyntaxError(f"unexpected '{text[at]}'" + (", nothing is open" if text[at] == ")" else ""), text, at + 1)
    return nodes


def _elements(text: str, at: int) -> tuple[tuple[Node, ...], int]:
    """Reads elements with an explicit stack, so that no nesting is too deep."""
    open_anchors: list[tuple[str, int, int, list[Node]]] = []
    nodes: list[Node] = []
    at = _space(text, at)
    if at == len(text):
        return (), at
    while True:
        at = _space(text, at)
        match = _NAME.match(text, at)
        if match:
            start, at = at, match.end()
            if text[at : at + 1] == "(":
                open_anchors.append((match[0], start + 1, at + 1, nodes))
                nodes, at = [], _space(text, at + 1)
                if text[at : at + 1] != ")":
                    continue
            else:
                options, at = _options(text, at)
                nodes.append(Node(match[0], start + 1, options))
        elif nodes or not open_anchors or text[at : at + 1] not in ("", ")"):
            raise PipelineSyntaxError(f"expected a pass name, found {_quoted(text, at)}", text, at + 1)
        at = _space(text, at)
        while text[at : at + 1] == ")" and open_anchors:
            name, column, _, outer = open_anchors.pop()
            outer.append(Node(name, column, children=tuple(nodes)))
            nodes, at = outer, _space(text, at + 1)
        if text[at : at + 1] == ",":
            at += 1
            continue
        if open_anchors:
            name, _, where, _ = open_anchors[-1]
            if at == len(text):
                raise PipelineSyntaxError(f"expected ')' to close '{name}('", text, where)
            raise PipelineSyntaxError(f"expected ',' or ')' in '{name}(', found {_quoted(text, at)}", text, at + 1)
        if at < len(text) and text[at] != ")":
            raise PipelineSyntaxError(f"expected ',' between passes, found {_quoted(text, at)}", text, at + 1)
        return tuple(nodes), at


def _options(text: str, at: int) -> tuple[str, int]:
    if text[at : at + 1] != "{":
        return "", at
    end = closing(text, at)
    if end < 0:
        raise PipelineSyntaxError("the options that open here do not close", text, at + 1)
    return text[at + 1 : end - 1].strip(), end


def _space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _quoted(text: str, at: int) -> str:
    return f"'{text[at]}'" if at < len(text) else "the end"
