"""Directives of the AIRRt dialect's custom assembly: transfers, and results of several types."""

from __future__ import annotations

from typing import Any

from allo_air.asm._directives_lists import value_list
from allo_air.asm.elements import AttrDict, Element
from allo_air.asm.state import State
from allo_air.asm.text import Cursor, Failure, split_top
from allo_air.dialects._op import Decl
from allo_air.errors import counted


class Results(Element):
    """The types of all results: `i64`, `(i64, !airrt.event)`."""

    def __init__(self, decl: Decl) -> None:
        self.decl = decl

    def parse(self, cur: Cursor, st: State) -> None:
        start = cur.skip()
        types = split_top(cur.balanced()[1:-1]) if cur.peek() == "(" else [cur.type()]
        while cur.accept(","):
            types.append(cur.type())
        if not 1 <= len(types) <= len(self.decl.results):
            raise Failure(start, f"expected 1 to {counted(len(self.decl.results), 'result type')}, found {len(types)}")
        for field, text in zip(self.decl.results, types, strict=False):
            st.types[field.name] = [text]

    def print(self, st: State, out: list[str]) -> None:
        types = [text for field in self.decl.results for text in st.types.get(field.name, ())]
        out.append(types[0] if len(types) == 1 else f"({', '.join(types)})")


class AirrtDma(Element):
    """`(%id, %x, %y, %memref[offsets], [lengths], [strides]) {...} : (i32, i64, i64, type[, [i64, ...] x 3]) [: event]`."""

    FIELDS = ("id", "x", "y", "memref")
    LIST_TYPES = ", [i64, i64, i64, i64]" * 3

    def __init__(self, decl: Decl) -> None:
        self.lists = [[f"{kind}{i}" for i in (3, 2, 1, 0)] for kind in ("offset", "length", "stride")]
        self.attr_dict = AttrDict(decl, keyword=False)
        self.attr_dict.hide(set())

    def parse(self, cur: Cursor, st: State) -> None:
        cur.expect("(")
        for number, name in enumerate(self.FIELDS):
            if number:
                cur.expect(",")
            st.operands[name] = [cur.value()]
        for number, names in enumerate(self.lists):
            if number:
                cur.expect(",")
            values = value_list(cur, st, "i64")
            if len(values) == 3 and number == 2:
                values.append(st.host.constant(1, "i64"))
            if len(values) != 4:
                raise cur.failure(f"expected 4 entries in this list, there are {len(values)}")
            for name, value in zip(names, values, strict=True):
                st.operands[name] = [value]
        cur.expect(")")
        self.attr_dict.parse(cur, st)
        cur.expect(":")
        types = split_top(cur.balanced("(")[1:-1])
        if len(types) < 4:
            raise cur.failure("expected the types of id, x, y and the memref before this")
        st.types["memref"] = [types[3]]
        if cur.accept(":"):
            cur.expect("!airrt.event")
            st.types["event"] = ["!airrt.event"]

    def print(self, st: State, out: list[Any]) -> None:
        lists = ["[" + ", ".join(self.shown(st, st.operands[name][0]) for name in names) + "]" for names in self.lists]
        head = ", ".join(st.operands[name][0] for name in self.FIELDS)
        out.append(f"({head}{', '.join(lists)})")
        self.attr_dict.print(st, out)
        out.append(f": (i32, i64, i64, {st.types['memref'][0]}{self.LIST_TYPES})")
        if st.types.get("event"):
            out.append(": !airrt.event")

    def shown(self, st: State, value: str) -> str:
        """The text of an entry of a list."""
        return value


class AirrtDmaLiterals(AirrtDma):
    """The same since July 2026: constants are literals, and the lists have no types."""

    LIST_TYPES = ""

    def shown(self, st: State, value: str) -> str:
        return str(st.host.literal(value))
