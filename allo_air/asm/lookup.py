"""Lookups of a reader in the surrounding text: lines, aliases, constants, types of values, tiles."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import Any

from allo_air.asm.result_types import first_type, result_type
from allo_air.asm.text import Cursor

_CONSTANT = re.compile(
    r'(?:arith\.constant\s+|"arith\.constant"\s*\(\s*\)\s*<\{\s*value\s*=\s*)(-?\d{1,64}\b|true|false)\s*(?::\s*(\w+))?'
)
_BRACES = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|//[^\n]*|[{}]')
_NAMED = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|//[^\n]*|[{}]|(%[\w$.#-]+)\s*([:=])(?!=)')
_LONGEST = 4096  # characters of a definition that are looked at
_CARRIED = re.compile(r"\s*(%[\w$.#-]+)\s*[,)]")


class Lookup:
    """Read-only questions about `text`; subclasses move a cursor over it."""

    text: str

    def __init__(self, text: str) -> None:
        self.text = text
        self.fresh = 0
        self.cur = Cursor(text)
        self.folded: set[int] = set()  # offsets of requested constants in their definitions
        self.found_at = 0  # the offset of the definition that was found last
        self.looked_up = False  # whether text outside the operation decided how to read it
        self.pending: list[str] = []  # definitions to insert before the current operation
        self.line = (0, -1)  # the current line, once its end is known
        self.aliases: dict[str, str] = {}
        self.offsets: dict[str, list[int]] = {}  # the offsets in `named`

    @cached_property
    def line_starts(self) -> list[int]:
        starts = [0]
        find = self.text.find
        while (newline := find("\n", starts[-1])) >= 0:
            starts.append(newline + 1)
        return starts

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line_end(self, offset: int) -> int:
        start, end = self.line
        if not start <= offset <= end:
            end = self.text.find("\n", offset)
            end = len(self.text) if end < 0 else end
            self.line = (offset, end)
        return end

    def resolve(self, type_: str) -> str:
        """The type of an alias `!name`; other types are returned unchanged."""
        if not type_.startswith("!") or "." in type_:
            return type_
        self.looked_up = True
        if type_ not in self.aliases:
            match = re.search(rf"^[ \t]*{re.escape(type_)}\s*=\s*(.*?)\s*(?://.*)?$", self.text, re.MULTILINE)
            self.aliases[type_] = type_  # a cyclic alias ends up here
            self.aliases[type_] = self.resolve(match[1]) if match else type_
        return self.aliases[type_]

    @cached_property
    def named(self) -> dict[str, list[tuple[int, str, int]]]:
        """The definitions of each value before `=` or `:`: the offset after the sign, the sign, and the end of the block."""
        results: dict[str, list[Any]] = {}
        blocks: list[list[list[Any]]] = [[]]
        for match in _NAMED.finditer(self.text):
            if match[1]:
                entry = [match.end(), match[2], len(self.text)]
                results.setdefault(match[1], []).append(entry)
                blocks[-1].append(entry)
            elif match[0] == "{":
                blocks.append([])
            elif match[0] == "}" and len(blocks) > 1:
                for entry in blocks.pop():
                    entry[2] = match.start()
        return results

    def definition(self, value: str, before: int, signs: str = "=:") -> str | None:
        """The text after `%value =` of the definition that is visible at offset `before`; after `%value :` for an argument."""
        self.looked_up = True
        places = self.named.get(value)
        if places is None:
            return None
        if value not in self.offsets:
            self.offsets[value] = [place[0] for place in places]
        for number in range(bisect_right(self.offsets[value], before) - 1, -1, -1):
            after, sign, end = places[number]
            if end >= before and sign in signs:
                self.found_at = after
                return sign + self.text[after : min(self.line_end(after), after + _LONGEST)].lstrip()
        return None

    def _visible(self, start: int, use: int) -> bool:
        """Whether the block that is open at `start` is still open at `use`."""
        depth = 0
        for match in _BRACES.finditer(self.text, start, use):
            depth += {"{": 1, "}": -1}.get(match[0], 0)
            if depth < 0:
                return False
        return True

    def constant_of(self, value: str) -> int | None:
        """The integer value of `value`, if the text defines it by an arith.constant."""
        result = self.definition(value, self.cur.pos, "=")
        match = _CONSTANT.match(result, 1) if result else None
        if match is not None:
            self.folded.add(self.found_at)
        return {"true": 1, "false": 0}.get(match[1]) if match and match[1].isalpha() else int(match[1]) if match else None

    def type_of(self, value: str, depth: int = 8) -> str | None:
        """The type of `value`, if one line of text shows it."""
        stem, _, number = value.partition("#")
        result = self.definition(stem, self.cur.pos)
        if result is None:
            return None
        if number and (group := re.match(r":\s*\d+\s*=\s*", result)):
            result = "=" + result[group.end() :]
        if result[0] == ":":
            return first_type(result[1:])
        if (carried := _CARRIED.match(result, 1)) and depth:  # a loop-carried argument has the type of its initial value
            return self.type_of(carried[1], depth - 1)
        match = _CONSTANT.match(result, 1)
        if match:
            return match[2] or ("i1" if match[1].isalpha() else "i64")
        return result_type(result[1:], int(number or 0))

    def constant(self, value: int, type_: str) -> str:
        """The name of a constant that is defined directly before the current operation."""
        name = self._fresh("c")
        self.pending.append(f"{name} = arith.constant {value} : {type_}")
        return name

    def tile(self, col: int, row: int) -> str:
        """The name of tile (col, row): a visible one, or one that is defined before the current operation."""
        pattern = re.compile(rf"(%[\w$.-]+)\s*=\s*aie\.tile\s*\(\s*{col}\s*,\s*{row}\s*\)")
        here = self.cur.pos
        for match in pattern.finditer(self.text, 0, here):
            if self._visible(match.end(), here):
                return match[1]
        name = self._fresh("tile")
        self.pending.append(f'{name} = "aie.tile"() {{col = {col} : i32, row = {row} : i32}} : () -> index')
        return name

    def _fresh(self, stem: str) -> str:
        self.fresh += 1
        return f"%{stem}$allo${self.fresh}"
