"""Names of SSA values in the custom form: `%tile_0_2` and `%async_token` instead of numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from allo_air.asm.state import State
from allo_air.asm.text import STRING, VALUE, split_top
from allo_air.core import walking

_VALUE = re.compile(VALUE)
_OUTSIDE_STRINGS = re.compile(f"{STRING}|{VALUE}")  # strings are matched so that no value is found in one
_DEFINED = re.compile(r" *((?:%[\w$.#:-]+, )*%[\w$.#:-]+) = ")
_DEVICE = re.compile(r"^ *\}\) \{.*?\bdevice = (\d+) : i32", re.MULTILINE)


class Names:
    """Renames along the text, in its order: a definition ends the name that an earlier region gave to the same number."""

    def __init__(self, *, enabled: bool) -> None:
        self.enabled = enabled
        self.renamed: dict[str, str] = {}
        self.used: set[str] = set()
        self.gaps = False  # whether a number was replaced by a name
        self.conflicts = 0  # number of suffixes; one count for all names, as in MLIR's printer
        self.places: dict[str, str] = {}  # tile names to `col_row`
        self.devices: Iterator[str] = iter(())
        self.device: Any = None

    def reserve(self, text: str) -> None:
        """Reserves the names that the text already uses, and finds the devices, whose attributes follow their bodies."""
        if self.enabled:
            self.used = named_values(text)
            self.devices = iter(_DEVICE.findall(text))

    def enter_device(self) -> Any:
        """Begins a device; names defined inside are free again after it."""
        from allo_air.device import DEVICES
        from allo_air.dialects._enums import DEVICE

        number = next(self.devices, "")
        self.device = DEVICES.get(DEVICE.keyword(int(number))) if number else None
        return dict(self.renamed), set(self.used), self.conflicts

    def leave_device(self, saved: Any) -> None:
        self.renamed, self.used, self.conflicts = saved
        self.places = {}

    def tile_prefix(self, col: int, row: int) -> str:
        """The prefix of a tile's name, by its kind."""
        if self.device is None or not self.device.holds(col, row):
            return "tile"
        return {"shim_noc": "shim_noc_tile", "shim_pl": "shim_pl_tile", "mem": "mem_tile"}.get(
            self.device.kind(col, row), "tile"
        )

    def values(self, text: str) -> list[str]:
        """A list of operands, renamed."""
        renamed = self.renamed
        if not text:
            return []
        return [renamed.get(name, name) for name in text.split(", ")]

    def apply(self, line: str) -> str:
        """A line that is not ours, renamed."""
        if not self.renamed or "%" not in line:
            return line
        if match := _DEFINED.match(line):
            self.forget(match[1])
        return _renamed(line, self.renamed)

    def forget(self, definition: str) -> None:
        """Removes the names of the values that `definition` (the text before `=`) redefines."""
        if not self.renamed:
            return
        for name in definition.split(", "):
            stem, _, count = name.partition(":")
            self.renamed.pop(stem, None)
            for number in range(int(count or 0)):
                self.renamed.pop(f"{stem}#{number}", None)

    def define(self, results: str, state: State, count: int) -> str:
        """The results' names and ` = `, as the operation's declaration suggests them."""
        if not results:
            return ""
        old = results[:-3]
        self.forget(old)
        naming = state.decl.result_name
        if naming is None:
            return results
        state.places, state.tile_prefix = self.places, self.tile_prefix
        base_names = naming(state)
        stem, _, group = old.partition(":")
        olds = [f"{stem}#{i}" for i in range(int(group))] if group else split_top(old)
        news = []
        for number, name in enumerate(olds):
            base = base_names[min(number, len(base_names) - 1)]
            new = self._unique(base) if base else name
            self.gaps = True
            news.append(new)
            self.renamed[name] = new
            if not base:
                return results
        if state.decl.name == "aie.tile":
            self.places[news[0]] = f"{state.integer('col')}_{state.integer('row')}"
        return ", ".join(news) + " = "

    def _unique(self, base: str) -> str:
        name = f"%{base}"
        while name in self.used:
            name = f"%{base}_{self.conflicts}"
            self.conflicts += 1
        self.used.add(name)
        return name


def _renamed(line: str, names: dict[str, str]) -> str:
    """`line` with new names for values outside of strings."""
    if walking._native is not None and (result := walking._native.rename(line, names, False)) is not NotImplemented:
        return str(result)
    return _OUTSIDE_STRINGS.sub(lambda m: names.get(m[0], m[0]), line)


_NUMBERED = re.compile(r" *%(\d+)(?::\d+)? = ")
_NUMBERED_ARGUMENT = re.compile(r"%(\d+): ")
_NUMBER = re.compile(rf"{STRING}|%(\d+)")


def _renumbered(line: str, names: dict[str, str]) -> str:
    """`line` with new names for values that are numbers."""
    if walking._native is not None and (result := walking._native.rename(line, names, True)) is not NotImplemented:
        return str(result)
    return _NUMBER.sub(lambda m: names.get(m[1], m[0]), line)


def named_values(text: str) -> set[str]:
    """The names in `text` of values that are not numbers."""
    if walking._native is not None and (result := walking._native.named_values(text)) is not NotImplemented:
        return set(result)
    return {name for name in _VALUE.findall(text) if not name[1:2].isdigit()}


def renumber(lines: list[str]) -> str:
    """`lines` as text, with unnamed values numbered again as MLIR does: a region's own values, then those of nested
    regions. Renaming leaves gaps in the numbers; the real tools print none.
    """
    text = "\n".join(lines)
    if walking._native is not None and (result := walking._native.renumber(text)) is not NotImplemented:
        return str(result)
    return "\n".join(_counted_anew(text.split("\n")))


def _counted_anew(lines: list[str]) -> list[str]:
    scopes: list[list[str]] = [[]]  # the numbers defined in each region, in order of opening
    open_: list[int] = [0]
    parents = [0]
    entered: list[int | None] = []  # the region that begins after each line
    for line in lines:
        text = line.lstrip(" ")
        if text[:1] == "}" and len(open_) > 1:
            open_.pop()
        elif text[:1] == "%" and (match := _NUMBERED.match(line)):
            scopes[open_[-1]].append(match[1])
        elif text[:1] == "^":
            scopes[open_[-1]] += _NUMBERED_ARGUMENT.findall(text)
        opened = None
        if text[-1:] == "{":
            opened = len(scopes)
            parents.append(open_[-1])
            scopes.append([])
            open_.append(opened)
        entered.append(opened)
    bases = [0] * len(scopes)
    for index in range(1, len(scopes)):
        bases[index] = bases[parents[index]] + len(scopes[parents[index]])
    now = {old: f"%{number}" for number, old in enumerate(scopes[0])}
    out = []
    for line, opened in zip(lines, entered, strict=True):
        out.append(_renumbered(line, now) if now and "%" in line else line)
        if opened is not None:
            now.update((old, f"%{bases[opened] + number}") for number, old in enumerate(scopes[opened]))
    return out
