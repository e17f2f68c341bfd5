"""Directives for types that several values share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from allo_air.dialects._fields import Field, Operand


from allo_air.asm.elements import Element
from allo_air.asm.state import State
from allo_air.asm.text import Cursor
from allo_air.dialects._op import Decl


class SameTypes(Element):
    """`T, T, T`: the common type of all these values, once for each; a single `T` is also accepted."""

    def __init__(self, decl: Decl, *fields: Field[Any]) -> None:
        self.fields = fields

    def parse(self, cur: Cursor, st: State) -> None:
        type_ = cur.type()
        for field in self.fields:
            st.types[field.name] = [type_]
        for field in self.fields[1:]:
            if not cur.accept(","):
                return
            st.types[field.name] = [cur.type()]

    def print(self, st: State, out: list[str]) -> None:
        for number, field in enumerate(self.fields):
            out += [",", st.types[field.name][0]] if number else [st.types[field.name][0]]


class Alike(Element):
    """The common type of all values of a variadic operand."""

    def __init__(self, decl: Decl, field: Operand) -> None:
        self.field = field

    def parse(self, cur: Cursor, st: State) -> None:
        st.types[self.field.name] = [cur.type()] * len(st.operands[self.field.name])

    def print(self, st: State, out: list[str]) -> None:
        out.append(st.types[self.field.name][0])
