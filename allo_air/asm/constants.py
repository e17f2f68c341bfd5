"""Constants in printed text: definitions added for operands, and definitions that are unused since literals replace them."""

from __future__ import annotations

import re
from functools import cached_property

from allo_air.asm.names import named_values

_VALUE = re.compile(r"%[\w$.-]+")
_DEFINED = re.compile(r" *((?:%[\w$.-]+(?::\d+)?, )*%[\w$.-]+(?::\d+)?) = ")
_ARGUMENT = re.compile(r"(%[\w$.-]+): ")
_SUFFIXED = re.compile(r"(%[\w$.-]+?)_(\d+)\Z")
_NUMBER = re.compile(r"-?\d+ : \w+")
_CONSTANT = re.compile(r" *(%[\w$.-]+) = \"?arith\.constant\b")


class ConstantNames:
    """Names for the constants that operands of `text` need, different from all names in `text`."""

    def __init__(self, text: str = "") -> None:
        self._text = text
        self._known: dict[tuple[int, str], str] = {}

    @cached_property
    def _used(self) -> set[str]:
        return named_values(self._text)

    def name(self, number: int, type_: str) -> str:
        """The name of constant `number` of `type_`, the same for each call."""
        if (number, type_) not in self._known:
            base = name = f"%c{number}_{type_}"
            count = 0
            while name in self._used:
                name, count = f"{base}_{count}", count + 1
            self._known[number, type_] = name
        return self._known[number, type_]


class SequenceConstants:
    """The constants that are visible at a line of a runtime sequence: those of its text, and those defined for operands."""

    def __init__(self) -> None:
        self.indent = 0  # indentation of the last line
        self._visible: list[tuple[int, str, str]] = []  # indentation, value with type, name
        self._defined: set[str] = set()

    def leave(self, indent: int) -> None:
        """Advances to a line at `indent`: definitions in deeper regions go out of scope."""
        self.indent = indent
        while self._visible and self._visible[-1][0] > indent:
            self._visible.pop()

    def define(self, name: str, number: int, type_: str) -> None:
        """Records that the last line defines constant `name`."""
        self._visible.append((self.indent, f"{number} : {type_}", name))
        self._defined.add(name)

    def names(self, constants: dict[str, str]) -> tuple[dict[str, str], list[str]]:
        """The names to use for `constants` (definitions by name), and the definitions that must precede the last line."""
        names, definitions = {}, []
        for name, definition in constants.items():
            match = _NUMBER.search(definition)
            assert match is not None, "constants are integers"
            visible = [text for _, value, text in self._visible if value == match[0]]
            if not visible:
                new, count = name, 0
                while new in self._defined:
                    new, count = f"{name}_{count}", count + 1
                definitions.append(definition.replace(name, new, 1))
                number, type_ = match[0].split(" : ")
                self.define(new, int(number), type_)
                visible = [new]
            names[name] = visible[-1]
        return names, definitions


def without_literals(lines: list[str], literals: dict[int, str]) -> list[str]:
    """`lines` without the definitions in `literals` (names by line) that no line uses, and with values renumbered without
    gaps. A name may be defined again in an isolated region; the scope of a definition ends with its region, which is found by
    the indentation.
    """
    open_: dict[str, list[tuple[int, int]]] = {}  # by name, indentation and line of the definitions that are visible
    used: set[int] = set()
    names = set(literals.values())
    for number, line in enumerate(lines):
        if "%" not in line:
            continue
        indent = len(line) - len(line.lstrip(" "))
        if match := _CONSTANT.match(line):
            if match[1] in names:
                stack = open_.setdefault(match[1], [])
                while stack and stack[-1][0] >= indent:
                    stack.pop()
                stack.append((indent, number))
            continue
        depth = indent + 2 if line[indent] == "^" else indent
        for name in _VALUE.findall(line):
            if name in names and (stack := open_.get(name, [])):
                while stack and stack[-1][0] > depth:
                    stack.pop()
                if stack:
                    used.add(stack[-1][1])
    text = "\n".join(line for number, line in enumerate(lines) if number in used or number not in literals)
    return _named_anew(text.split("\n"), set(_VALUE.findall("\n".join(lines))))


class _Region:
    """A region of the text: the values that it defines, in order, and the regions in it."""

    def __init__(self) -> None:
        self.values: list[str] = []
        self.regions: list[_Region] = []
        self.names: dict[str, str] = {}


def _named_anew(lines: list[str], known_names: set[str]) -> list[str]:
    """Adds suffixes to equal names as MLIR does: first for the values of a region, then for those of nested regions.

    `known_names` are the names before lines were removed: `%c1_0` has a suffix if there was `%c1`.
    """
    top = _Region()
    around: list[_Region] = [top]
    places = []
    for line in lines:
        text = line.lstrip(" ")
        if text[:1] == "}" and len(around) > 1:
            around.pop()
        if text[:1] == "^":
            around[-1].values += _ARGUMENT.findall(text)
        elif match := _DEFINED.match(line):
            around[-1].values += [name.partition(":")[0] for name in match[1].split(", ")]
        places.append(around[-1])
        if text[-1:] == "{":
            inner = _Region()
            around[-1].regions.append(inner)
            around.append(inner)
    _assign(top, frozenset(), 0, {}, known_names)
    return [_renamed(line, place.names) for line, place in zip(lines, places, strict=True)]


def _renamed(line: str, names: dict[str, str]) -> str:
    return _VALUE.sub(lambda match: names.get(match[0], match[0]), line) if names else line


def _assign(region: _Region, used: frozenset[str], conflicts: int, outer: dict[str, str], known_names: set[str]) -> None:
    names = dict(outer)
    used_names = set(used)
    for name in region.values:
        suffixed = _SUFFIXED.match(name)
        new = base = suffixed[1] if suffixed and suffixed[1] in known_names else name
        while new in used_names:
            new, conflicts = f"{base}_{conflicts}", conflicts + 1
        used_names.add(new)
        names[name] = new
    region.names = {old: new for old, new in names.items() if old != new}
    for inner in region.regions:
        _assign(inner, frozenset(used_names), conflicts, names, known_names)
