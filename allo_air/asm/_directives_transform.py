"""Directives of the custom assembly of `transform.air.*`: functional types, and lists of tile sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.asm.elements import Element
from allo_air.asm.state import State
from allo_air.asm.text import Cursor, Failure, split_top
from allo_air.dialects._fields import Attr
from allo_air.dialects._op import Decl

if TYPE_CHECKING:
    from allo_air.dialects._fields import Value

_HANDLE = "!transform.any_op"


class Functional(Element):
    """The types of all operands and results: `(!transform.any_op) -> !transform.any_op`."""

    def __init__(self, decl: Decl) -> None:
        self.decl = decl

    def parse(self, cur: Cursor, st: State) -> None:
        self._take(st, self.decl.operands, cur, "operand")
        cur.expect("->")
        self._take(st, self.decl.results, cur, "result")

    def _take(self, st: State, fields: tuple[Value, ...], cur: Cursor, what: str) -> None:
        start = cur.skip()
        types = split_top(cur.balanced("(")[1:-1]) if cur.peek() == "(" else [cur.type()]
        types = [text for text in types if text]
        if len(types) != len(fields):
            raise Failure(start, f"expected {len(fields)} {what} type{'s' * (len(fields) != 1)}, found {len(types)}")
        for field, text in zip(fields, types, strict=True):
            st.types[field.name] = [text]

    def print(self, st: State, out: list[str]) -> None:
        operands, results = ([st.types[f.name][0] for f in fields] for fields in (self.decl.operands, self.decl.results))
        right = results[0] if len(results) == 1 else f"({', '.join(results)})"
        out.append(f"({', '.join(operands)}) -> {right}")


class TileSizes(Element):
    """`[16, 0, 8]`, and no types: all handles are `!transform.any_op`."""

    def __init__(self, decl: Decl, field: Attr[Any]) -> None:
        self.decl, self.field = decl, field
        self.shows = (field.name,)

    def parse(self, cur: Cursor, st: State) -> None:
        start = cur.skip()
        sizes = [text.strip() for text in split_top(cur.balanced("[")[1:-1]) if text.strip()]
        if wrong := [text for text in sizes if not text.isdigit()]:
            raise Failure(start, f"expected tile sizes that are numbers, found {wrong[0]}")
        st.attrs[self.field.name] = f"array<i64: {', '.join(sizes)}>" if sizes else "array<i64>"
        for field in (*self.decl.operands, *self.decl.results):
            st.types[field.name] = [_HANDLE]

    def print(self, st: State, out: list[str]) -> None:
        text = st.attrs.get(self.field.name) or "array<i64>"
        out.append(f"[{text.partition(':')[2].removesuffix('>').strip()}]")
