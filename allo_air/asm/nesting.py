"""A guard for MLIR's parser, which recurses on the C stack: text nested too deeply is refused before it is parsed."""

from __future__ import annotations

import re

from allo_air.asm.text import Failure

MAX_BRACKETS = 512
"""Brackets that may be open at one place; the deepest real programs have some sixty."""

_TOKENS = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|//[^\n]*|->|[<>=]=|[({\[<]|[)}\]>]')
_ALIAS = re.compile(r"^[ \t]*([#!][\w$.-]+)[ \t]*=([^\n]*)", re.MULTILINE)
_ALIAS_NAME = re.compile(r"[#!][\w$.-]+")
_FEW_SIGNS = re.compile(r"-\s*-\s*-\s*-")
_SIGNS = re.compile(rf'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|//[^\n]*|-(?:\s*-){{{MAX_BRACKETS}}}')


def check_nesting(text: str, words: str) -> None:
    """Raises Failure at the bracket, alias or sign that exceeds the limit; `words` is `text` without numbers."""
    if len(text) < MAX_BRACKETS:
        return
    try:
        _check_places(words)
    except Failure:
        _check_places(text)  # its position in the original text
        raise


def _check_places(text: str) -> None:
    _check_aliases(text)
    for match in _SIGNS.finditer(text) if _FEW_SIGNS.search(text) else ():
        if match[0][0] == "-":
            raise Failure(match.start(), f"more than {MAX_BRACKETS} signs before a value are not read")
    if not _may_be_deep(text):
        return
    depth = 0
    for match in _TOKENS.finditer(text):
        token = match[0]
        if token in "({[<":
            depth += 1
            if depth > MAX_BRACKETS:
                raise Failure(match.start(), f"nesting deeper than {MAX_BRACKETS} brackets is not read")
        elif token in ")}]>":
            depth = max(depth - 1, 0)


def _check_aliases(text: str) -> None:
    """Rejects long chains of aliases, since the expanded types would be nested as deeply."""
    if text.count("\n#") + text.count("\n!") < MAX_BRACKETS:
        return
    depths: dict[str, int] = {}
    for match in _ALIAS.finditer(text):
        depth = 1 + max((depths.get(name, 0) for name in _ALIAS_NAME.findall(match[2])), default=0)
        if depth > MAX_BRACKETS:
            raise Failure(match.start(1), f"aliases nested deeper than {MAX_BRACKETS} are not read")
        depths[match[1]] = depth


def _may_be_deep(text: str) -> bool:
    """Whether brackets, including those in strings and comments, are deeply nested; a fast test for every file."""
    if sum(map(text.count, "({[<")) <= MAX_BRACKETS:
        return False
    import numpy as np

    data = np.frombuffer(text.encode("latin-1", "replace"), np.uint8)
    step = np.zeros(256, np.int8)
    step[[ord(c) for c in "({[<"]] = 1
    step[[ord(c) for c in ")}]>"]] = -1
    steps = step[data]
    steps[1:][(data[1:] == ord(">")) & (data[:-1] == ord("-"))] = 0
    steps[:-1][(data[1:] == ord("=")) & ((data[:-1] == ord(">")) | (data[:-1] == ord("<")))] = 0
    depth = np.cumsum(steps, dtype=np.int32)
    return bool((depth - np.minimum(np.minimum.accumulate(depth), 0)).max() > MAX_BRACKETS)
