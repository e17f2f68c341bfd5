"""Directives of the AIEX dialect's custom assembly."""

from __future__ import annotations

import re
from typing import Any

from allo_air.asm.elements import AttrDict, Element
from allo_air.asm.state import MIN_INDEX, State
from allo_air.asm.text import INTEGER, SKIP, STRING, SYMBOL, VALUE, Cursor, Failure, integer, split_top
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
        start = cur.skip()
        values, static = [], []
        text = cur.balanced("[")
        for piece in split_top(text[1:-1]):
            narrow = re.fullmatch(VALUE, piece) and st.host.type_of(piece) == "i32"  # until 2023
            known = st.host.constant_of(piece) if narrow else None
            if known is not None:
                static.append(str(known))
            elif re.fullmatch(VALUE, piece):
                values.append(piece)
                static.append(str(MIN_INDEX))
            elif INTEGER.fullmatch(piece):
                static.append(str(integer(piece)))
            else:
                raise Failure(start, f"expected SSA values or integers in this list, found '{piece}'")
        if len(static) == 3 and self.static.name == "static_strides":  # until mid-2024 the innermost 1 was left out
            static.append("1")
        st.operands[self.values.name] = values
        st.types[self.values.name] = [st.host.type_of(value) or "i64" for value in values]
        st.attrs[self.static.name] = f"array<i64: {', '.join(static)}>" if static else "array<i64>"

    def print(self, st: State, out: list[Any]) -> None:
        text = st.attrs[self.static.name] or ""
        values = iter(st.operands[self.values.name])
        static = split_top(text[len("array<i64") : -1].lstrip(":"))
        out.append("[" + ", ".join(next(values, "?") if int(piece) == MIN_INDEX else piece for piece in static) + "]")


class NpuCoordinates(Element):
    """`(0, 0, %arg0[...]...)` of 2024: the column and row before the memref, which the metadata now tells; skipped."""

    _OLD = re.compile(SKIP + r"\(\s*%?\w+\s*,\s*%?\w+\s*,\s*(?=%)")

    def __init__(self, decl: Decl) -> None:
        pass

    def parse(self, cur: Cursor, st: State) -> None:
        if match := self._OLD.match(cur.text, cur.pos):
            cur.pos = match.end()
        else:
            cur.expect("(")

    def print(self, st: State, out: list[Any]) -> None:
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

    def print(self, st: State, out: list[Any]) -> None:
        out += [st.attrs["buffer"], ","]


class RtpAttributes(AttrDict):
    """The remaining attributes, and what the buffer was called where it was one of them."""

    def __init__(self, decl: Decl) -> None:
        super().__init__(decl, keyword=False)

    def parse(self, cur: Cursor, st: State) -> None:
        super().parse(cur, st)
        name = st.attrs.pop("buffer_sym_name", None)
        if name is not None and "buffer" not in st.attrs:
            st.attrs["buffer"] = SYM_NAME.custom(name)
        if "buffer" not in st.attrs:
            raise cur.failure("expected {buffer_sym_name = ...} to name the buffer")
