"""The syntax of MLIR pipeline text: `builtin.module(func.func(a,b{opt=1 list=x,y}),c)`."""

import re
from dataclasses import dataclass

from allo_air.core.options import closing_index
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
    nodes, position = _elements(text, 0)
    if position < len(text):
        raise PipelineSyntaxError(
            f"unexpected '{text[position]}'" + (", nothing is open" if text[position] == ")" else ""), text, position + 1
        )
    return nodes


def _elements(text: str, position: int) -> tuple[tuple[Node, ...], int]:
    """Reads elements with an explicit stack, so that no nesting is too deep."""
    open_anchors: list[tuple[str, int, int, list[Node]]] = []
    nodes: list[Node] = []
    position = _space(text, position)
    if position == len(text):
        return (), position
    while True:
        position = _space(text, position)
        match = _NAME.match(text, position)
        if match:
            start, position = position, match.end()
            if text[position : position + 1] == "(":
                open_anchors.append((match[0], start + 1, position + 1, nodes))
                nodes, position = [], _space(text, position + 1)
                if text[position : position + 1] != ")":
                    continue
            else:
                options, position = _options(text, position)
                nodes.append(Node(match[0], start + 1, options))
        elif nodes or not open_anchors or text[position : position + 1] not in ("", ")"):
            raise PipelineSyntaxError(f"expected a pass name, found {_quoted(text, position)}", text, position + 1)
        position = _space(text, position)
        while text[position : position + 1] == ")" and open_anchors:
            name, column, _, outer = open_anchors.pop()
            outer.append(Node(name, column, children=tuple(nodes)))
            nodes, position = outer, _space(text, position + 1)
        if text[position : position + 1] == ",":
            position += 1
            continue
        if open_anchors:
            name, _, where, _ = open_anchors[-1]
            if position == len(text):
                raise PipelineSyntaxError(f"expected ')' to close '{name}('", text, where)
            raise PipelineSyntaxError(f"expected ',' or ')' in '{name}(', found {_quoted(text, position)}", text, position + 1)
        if position < len(text) and text[position] != ")":
            raise PipelineSyntaxError(f"expected ',' between passes, found {_quoted(text, position)}", text, position + 1)
        return tuple(nodes), position


def _options(text: str, position: int) -> tuple[str, int]:
    if text[position : position + 1] != "{":
        return "", position
    end = closing_index(text, position)
    if end < 0:
        raise PipelineSyntaxError("the options that open here do not close", text, position + 1)
    return text[position + 1 : end - 1].strip(), end


def _space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _quoted(text: str, position: int) -> str:
    return f"'{text[position]}'" if position < len(text) else "the end"
