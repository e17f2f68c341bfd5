"""Directives for operands that may be constants or run-time values: stored as an attribute or as an operand."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import prod

from allo_air.asm.elements import AttrElement, Element
from allo_air.asm.state import MIN_INDEX, State
from allo_air.asm.text import INTEGER, SKIP, VALUE, Cursor, Failure, integer, split_top
from allo_air.dialects._fields import Attr, Operand
from allo_air.dialects._op import Decl
from allo_air.errors import counted

_VALUE = re.compile(SKIP + f"({VALUE})")
_SHAPE = re.compile(r"memref<((?:\d+x)*)")
_DIM = re.compile(r"<\s*size = (-?\d+), stride = (-?\d+)\s*>")


def number_of(text: str | None) -> int:
    """The number in stored text `7 : i32`."""
    return int((text or "0").split(" :")[0])


def fold(st: State, field: Attr, values: Operand, value: str, constant: int | None) -> None:
    """Stores `value` as the attribute if it is a `constant`, otherwise as the operand."""
    if constant is None:
        st.operands[values.name] = [value]
        st.types[values.name] = [values.rule.text or st.host.type_of(value) or "i32"]
        return
    unsigned = field.kind.name.startswith("u")
    st.attrs[field.name] = field.kind.stored(str(constant & 0xFFFFFFFF if unsigned else constant))


class Ssa(Element):
    """`%v`: an i32 value. A constant is stored as attribute `field`, and printed as a constant that is defined before."""

    def __init__(self, decl: Decl, field: Attr, values: Operand) -> None:
        self.field = field
        self.values = values
        self.shows = (field.name,)

    def parse(self, cur: Cursor, st: State) -> None:
        value = cur.value()
        fold(st, self.field, self.values, value, st.host.constant_of(value))

    def print(self, st: State, out: list[str]) -> None:
        out.append(self.value(st))

    def value(self, st: State) -> str:
        """The value to print: the operand, or a constant of the region."""
        if operand := st.operands.get(self.values.name):
            return operand[0]
        stored = st.attrs.get(self.field.name)
        number = 1 if stored is None else number_of(stored)
        return str(st.host.constant_name(number - 2**32 if number >= 2**31 else number, self.values.rule.text or "i32"))


class I32s(Element):
    """`i32, i32`: the types of operands that are always i32; ignored."""

    def __init__(self, decl: Decl, count: str) -> None:
        self.count = int(count)

    def parse(self, cur: Cursor, st: State) -> None:
        cur.type()
        for _ in range(self.count - 1):
            cur.expect(",")
            cur.type()

    def print(self, st: State, out: list[str]) -> None:
        out.append(", ".join(["i32"] * self.count))


class BdOffset(Element):
    """`offset = 8 len = %n` of a BD: each part is optional, a literal or a value. The offset is printed if the length is."""

    def __init__(self, decl: Decl, offset: Attr, offset_value: Operand, length: Attr, length_value: Operand) -> None:
        self.parts = (("offset", offset, offset_value), ("len", length, length_value))
        self.shows = (offset.name, length.name)

    def parse(self, cur: Cursor, st: State) -> None:
        for word, field, values in self.parts:
            if not cur.accept(word):
                continue
            cur.expect("=")
            if value := cur.take(_VALUE):
                fold(st, field, values, value, st.host.constant_of(value))
            elif (text := cur.take(INTEGER)) is not None:
                st.attrs[field.name] = field.kind.stored(str(integer(text)))
            else:
                raise cur.failure(f"expected an integer or an SSA value for '{word}'")

    def print(self, st: State, out: list[str]) -> None:
        has_length = st.operands.get("len_operand") or st.attrs.get("len") is not None
        for word, field, values in self.parts:
            if operand := st.operands.get(values.name):
                out += [word, "=", operand[0]]
            elif (stored := st.attrs.get(field.name)) is not None and (number_of(stored) or has_length):
                out += [word, "=", str(number_of(stored))]


class BdLen(AttrElement):
    """The length of a BD in March's syntax: printed in full if dimensions follow it."""

    def __init__(self, decl: Decl, field: Attr) -> None:
        super().__init__(field, decl)

    def print(self, st: State, out: list[str]) -> None:
        if st.attrs.get(self.field.name) is not None:
            super().print(st, out)
            return
        shape = _SHAPE.match(st.types["buffer"][0])
        out.append(str(prod(int(size) for size in re.findall(r"(\d+)x", shape[1] if shape else ""))))


class BdLists(Element):
    """`sizes = [4, %n] strides = [8, 1]` of a BD, outermost first."""

    def __init__(self, decl: Decl, dims: Attr, sizes: Operand, strides: Operand) -> None:
        self.dims = dims
        self.lists = (("sizes", sizes), ("strides", strides))
        self.shows = (dims.name,)

    def parse(self, cur: Cursor, st: State) -> None:
        results: list[list[int]] = []
        start = cur.skip()
        for word, field in self.lists:
            if not cur.accept(word):
                results.append([])
                continue
            cur.expect("=")
            results.append(mixed_list(cur, st, field, st.host.constant_of))
        sizes, strides = results
        if len(sizes) != len(strides):
            raise Failure(
                start,
                f"expected as many sizes as strides, found {counted(len(sizes), 'size')} and {counted(len(strides), 'stride')}",
            )
        if sizes:
            st.attrs[self.dims.name] = dims_text(sizes, strides)

    def print(self, st: State, out: list[str]) -> None:
        stored = st.attrs.get(self.dims.name)
        if stored is None:
            return
        sizes, strides = dims_of(stored)
        for (word, field), numbers in zip(self.lists, (sizes, strides), strict=True):
            values = st.operands.get(field.name, [])
            out += [word, "=", mixed_text(numbers, values)]


def dims_text(sizes: list[int], strides: list[int]) -> str:
    """The stored text of a BD's dimensions."""
    pairs = ", ".join(f"<size = {a}, stride = {b}>" for a, b in zip(sizes, strides, strict=True))
    return f"#aie<bd_dim_layout_array[{pairs}]>"


def dims_of(stored: str) -> tuple[list[int], list[int]]:
    """Sizes and strides in the stored text of a BD's dimensions."""
    result = _DIM.findall(stored)
    return [int(a) for a, _ in result], [int(b) for _, b in result]


def mixed_text(numbers: list[int], values: list[str]) -> str:
    """`[4, %n]`: `numbers`, with MIN_INDEX replaced by `values`."""
    rest = iter(values)
    return "[" + ", ".join(next(rest, "?") if n == MIN_INDEX else str(n) for n in numbers) + "]"


def mixed_list(cur: Cursor, st: State, field: Operand, constant: Callable[[str], int | None]) -> list[int]:
    """The numbers of `[4, %n]`. MIN_INDEX represents a value, which becomes an operand of `field`. `constant` returns the
    number of a value that is to be folded, None for other values.
    """
    start = cur.skip()
    numbers, values = [], []
    for piece in split_top(cur.balanced("[")[1:-1]):
        number = constant(piece) if re.fullmatch(VALUE, piece) else None
        if number is not None:
            numbers.append(number)
        elif re.fullmatch(VALUE, piece):
            values.append(piece)
            numbers.append(MIN_INDEX)
        elif INTEGER.fullmatch(piece):
            numbers.append(integer(piece))
        else:
            raise Failure(start, f"expected SSA values or integers in this list, found '{piece}'")
    st.operands[field.name] = values
    st.types[field.name] = [field.rule.text or st.host.type_of(value) or "i64" for value in values]
    return numbers
