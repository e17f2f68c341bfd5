"""Directives for lists of values: dependences, plain lists, accesses to a buffer."""

from __future__ import annotations

from allo_air.asm.elements import AttrDict, Element
from allo_air.asm.state import State
from allo_air.asm.text import INTEGER, PLAIN_VALUE, Cursor, Failure, integer, split_top
from allo_air.dialects._fields import Operand
from allo_air.dialects._op import Decl
from allo_air.dialects.air_values import LITERAL_LISTS


class Deps(Element):
    """`[%t0, %t1]`, the tokens that an operation waits for; omitted if there are none."""

    def __init__(self, decl: Decl, *_: object) -> None:
        pass

    def parse(self, cur: Cursor, st: State) -> None:
        st.operands["deps"] = value_list(cur, st) if cur.peek() == "[" else []

    def print(self, st: State, out: list[str]) -> None:
        if st.operands["deps"]:
            out.append("[" + ", ".join(st.operands["deps"]) + "]")


class Async(Deps):
    """`async [%t0]`: an operation that returns a token; without the keyword it is synchronous."""

    def parse(self, cur: Cursor, st: State) -> None:
        if cur.accept("async"):
            st.types["token"] = ["!air.async.token"]
        super().parse(cur, st)

    def print(self, st: State, out: list[str]) -> None:
        if st.types.get("token"):
            out.append("async")
        super().print(st, out)


def value_list(cur: Cursor, st: State, type_: str = "index", *, note: bool = False) -> list[str]:
    """`[%a, 4, %b]` as SSA values; an integer becomes a constant of `type_`, and with `note` the operation is marked."""
    start = cur.skip()
    text = cur.balanced("[")
    values = []
    for piece in split_top(text[1:-1]):
        if PLAIN_VALUE.fullmatch(piece):
            values.append(piece)
        elif INTEGER.fullmatch(piece):
            values.append(st.host.constant(integer(piece), type_))
            if note:
                st.attrs[LITERAL_LISTS] = None
        else:
            raise Failure(start, f"expected SSA values or integers in this list, found '{piece}'")
    return values


class ListOf(Element):
    """`[%a, %b]`, also when it is empty."""

    def __init__(self, decl: Decl, field: Operand) -> None:
        self.field = field

    def parse(self, cur: Cursor, st: State) -> None:
        st.operands[self.field.name] = value_list(cur, st)

    def print(self, st: State, out: list[str]) -> None:
        out.append("[" + ", ".join(st.operands[self.field.name]) + "]")


class Access(Element):
    """`%buffer[offsets] [sizes] [strides]`."""

    def __init__(self, decl: Decl, memref: Operand, *lists: Operand) -> None:
        self.memref = memref
        self.lists = lists

    def parse(self, cur: Cursor, st: State) -> None:
        st.operands[self.memref.name] = [cur.value()]
        for field in self.lists:
            st.operands[field.name] = value_list(cur, st, note=True)

    def print(self, st: State, out: list[str]) -> None:
        lists = " ".join("[" + ", ".join(self.shown(st, v) for v in st.operands[f.name]) + "]" for f in self.lists)
        out.append(f"{st.operands[self.memref.name][0]}{lists}")

    def shown(self, st: State, value: str) -> str:
        """The text of an entry of a list."""
        return value


class LiteralAccess(Access):
    """`%buffer[offsets] [sizes] [strides]`, in which constants are printed as literals if the operation is marked."""

    def shown(self, st: State, value: str) -> str:
        return str(st.host.literal(value)) if LITERAL_LISTS in st.attrs else value


class ChannelDict(AttrDict):
    """The attributes of a channel; since May 2026, NPU-specific channel types begin with `npu_`."""

    def __init__(self, decl: Decl) -> None:
        super().__init__(decl, keyword=False)

    def shown(self, st: State) -> list[str]:
        return [with_npu(entry) for entry in super().shown(st)]


def with_npu(text: str) -> str:
    """`text` with a channel type of March replaced by that of August."""
    for kind in ("dma_stream", "dma_packet", "cascade", "mmio"):
        text = text.replace(f'"{kind}"', f'"npu_{kind}"')
    return text
