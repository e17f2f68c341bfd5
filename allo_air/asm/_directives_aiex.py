"""Directives of the AIEX dialect's custom assembly."""

from __future__ import annotations

import re

from allo_air.asm._directives_values import mixed_list, mixed_text
from allo_air.asm.elements import AttrDict, Element
from allo_air.asm.state import State, array_of
from allo_air.asm.text import SKIP, STRING, SYMBOL, Cursor
from allo_air.dialects._fields import Attr, Operand
from allo_air.dialects._kinds import SYM_NAME
from allo_air.dialects._op import Decl

_STRING = re.compile(SKIP + f"({STRING})")


class Mixed(Element):
    """`[0, %a, 4]`: constants in a static array, `%` values as operands, in the order of the list."""

    def __init__(self, decl: Decl, values: Operand, static: Attr) -> None:
        self.values = values
        self.static = static
        self.shows = (static.name,)

    def parse(self, cur: Cursor, st: State) -> None:
        def constant(value: str) -> int | None:  # until 2023 lists had constants of i32
            return st.host.constant_of(value) if st.host.type_of(value) == "i32" else None

        numbers = mixed_list(cur, st, self.values, constant)
        if len(numbers) == 3 and self.static.name == "static_strides":  # until mid-2024 the innermost 1 was left out
            numbers.append(1)
        st.attrs[self.static.name] = f"array<i64: {', '.join(map(str, numbers))}>" if numbers else "array<i64>"

    def print(self, st: State, out: list[str]) -> None:
        numbers = [int(n) for n in array_of(st.attrs[self.static.name] or "array<i64>")]
        out.append(mixed_text(numbers, st.operands[self.values.name]))


class NpuCoordinates(Element):
    """`(0, 0, %arg0[...]...)` of 2024: the column and row before the memref, which the metadata has today; skipped."""

    _OLD = re.compile(SKIP + r"\(\s*%?\w+\s*,\s*%?\w+\s*,\s*(?=%)")

    def __init__(self, decl: Decl) -> None:
        pass

    def parse(self, cur: Cursor, st: State) -> None:
        if match := self._OLD.match(cur.text, cur.pos):
            cur.pos = match.end()
        else:
            cur.expect("(")

    def print(self, st: State, out: list[str]) -> None:
        out.append("(")


class RtpBuffer(Element):
    """`@rtp,`; before 2025 `"rtp",`, or column and row here and the name after the values, as `buffer_sym_name`."""

    shows = ("buffer",)
    _OLD = re.compile(SKIP + r"(\d+)\s*,\s*(\d+)\s*,(?=\s*\d+\s*,)")

    def __init__(self, decl: Decl) -> None:
        pass

    def parse(self, cur: Cursor, st: State) -> None:
        if match := self._OLD.match(cur.text, cur.pos):
            cur.pos = match.end()
            return
        name = cur.take(SYMBOL) or (cur.take(_STRING) if cur.peek() == '"' else None)
        if name is None:
            raise cur.failure("expected the symbol of a buffer")
        st.attrs["buffer"] = name if name[0] == "@" else SYM_NAME.custom(name)
        cur.expect(",")

    def print(self, st: State, out: list[object]) -> None:
        out += [st.attrs["buffer"], ","]


class RtpAttributes(AttrDict):
    """The remaining attributes; the buffer's name may be one of them (earlier syntax)."""

    def __init__(self, decl: Decl) -> None:
        super().__init__(decl, keyword=False)

    def parse(self, cur: Cursor, st: State) -> None:
        super().parse(cur, st)
        name = st.attrs.pop("buffer_sym_name", None)
        if name is not None and "buffer" not in st.attrs:
            st.attrs["buffer"] = SYM_NAME.custom(name)
        if "buffer" not in st.attrs:
            raise cur.failure("expected {buffer_sym_name = ...} to name the buffer")
