"""The loops of a kernel's file whose number of iterations the cores' compiler does not know, since it depends on the core's
arguments.

Arguments of `extern "C"` functions are known only when the core calls them, and so are values computed of them, also those that
the file's other functions get. Template arguments, macros and constants are known. LLVM does not unroll an open loop whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

_HEAD = re.compile(r"\b(?!(?:if|for|while|switch|catch)\b)(\w+)\s*\(((?:[^(){};]|\([^(){};]*\))*)\)\s*\{")
_LOOP = re.compile(r'allo_aie_loop\s*\{\s*("(?:\\.|[^"\\])*")')
_VALUE = re.compile(r"\b(\w+)\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)([^;]*)")
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*(?:<[^;{}()]*>\s*)?\(")
_NAME = re.compile(r"\b[A-Za-z_]\w*\b")


@dataclass
class Function:
    """A function: `parameters` are the names of its numbers ("" for pointers and references), `open` the open names in it."""

    name: str
    parameters: list[str]
    body: str
    is_own: bool
    """Whether only its file calls it."""
    open: set[str] = field(default_factory=set)


def functions_in(text: str) -> list[Function]:
    """The functions that a preprocessed text defines."""
    functions = []
    for head in _HEAD.finditer(text):
        end, depth = head.end(), 1
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        before = re.split(r"[;{}]", text[max(0, head.start() - 200) : head.start()])[-1]
        is_own = re.search(r"\b(static|inline)\b", before) is not None
        functions.append(Function(head[1], [_parameter(p) for p in _split(head[2])], text[head.end() : end], is_own))
    return functions


def open_loops(text: str, entries: Iterable[str]) -> list[tuple[str, str]]:
    """The open loops of a preprocessed text, whose `extern "C"` functions are `entries`: functions, and heads as literals."""
    functions, names = functions_in(text), set(entries)
    for function in functions:
        if function.name in names and not function.is_own:
            function.open.update(filter(None, function.parameters))
    pending = [f for f in functions if f.open]
    while pending:
        function = pending.pop()
        _close(function)
        for name, arguments in _calls(function.body):
            for callee in functions:
                if callee.name == name and callee is not function and len(callee.parameters) == len(arguments):
                    passed = zip(callee.parameters, arguments, strict=True)
                    new = {p for p, a in passed if p and not function.open.isdisjoint(_NAME.findall(a))} - callee.open
                    callee.open |= new
                    pending += [callee] if new else []
    return sorted({(f.name, head) for f in functions for head in _open_heads(f)})


def _open_heads(function: Function) -> Iterable[str]:
    for head in _LOOP.findall(function.body):
        _, _, rest = head.partition(";")
        if not function.open.isdisjoint(_NAME.findall(rest.partition(";")[0])):
            yield head


def _close(function: Function) -> None:
    """Adds the variables that are computed of open ones, except for those that loops count with."""
    values = [(name, value) for name, value in _VALUE.findall(re.sub(r"\bfor\s*\([^;]*;[^;]*;", "", function.body))]
    before = -1
    while before != len(function.open):
        before = len(function.open)
        function.open |= {name for name, value in values if not function.open.isdisjoint(_NAME.findall(value))}


def _calls(body: str) -> Iterable[tuple[str, list[str]]]:
    for call in _CALL.finditer(body):
        end, depth = call.end(), 1
        while depth and end < len(body):
            depth += {"(": 1, ")": -1}.get(body[end], 0)
            end += 1
        yield call[1], _split(body[call.end() : end - 1])


def _split(text: str) -> list[str]:
    """The parts of a list between commas that are in no bracket."""
    parts, depth = [""], 0
    for letter in text:
        depth += {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1}.get(letter, 0)
        if letter == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def _parameter(text: str) -> str:
    """The name of a scalar parameter; "" for a pointer, a reference or an array."""
    names = _NAME.findall(text.partition("=")[0])
    return names[-1] if len(names) > 1 and not re.search(r"[*&\[<]", text) else ""
