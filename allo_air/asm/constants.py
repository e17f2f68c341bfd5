"""Constants of text that nothing uses any more, since what used them shows them as literals."""

from __future__ import annotations

import re

_VALUE = re.compile(r"%[\w$.-]+")
_CONSTANT = re.compile(r" *(%[\w$.-]+) = \"?arith\.constant\b")


def without_literals(lines: list[str], literals: set[str]) -> list[str]:
    """`lines` without the definitions of those constants among `literals` that no line uses.

    A name may be defined again in a region that sees nothing of what is around it; a definition holds up to the end of its
    region, which the indentation tells.
    """
    open_: dict[str, list[tuple[int, int]]] = {}  # by name, indentation and line of the definitions that are visible
    used: set[int] = set()
    defined: list[int] = []
    for number, line in enumerate(lines):
        if "%" not in line:
            continue
        indent = len(line) - len(line.lstrip(" "))
        if match := _CONSTANT.match(line):
            if match[1] in literals:
                stack = open_.setdefault(match[1], [])
                while stack and stack[-1][0] >= indent:
                    stack.pop()
                stack.append((indent, number))
                defined.append(number)
            continue
        depth = indent + 2 if line[indent] == "^" else indent
        for name in _VALUE.findall(line):
            if name in literals and (stack := open_.get(name, [])):
                while stack and stack[-1][0] > depth:
                    stack.pop()
                if stack:
                    used.add(stack[-1][1])
    dead = {number for number in defined if number not in used}
    return [line for number, line in enumerate(lines) if number not in dead]
