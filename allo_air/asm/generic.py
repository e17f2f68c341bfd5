"""Reads and writes the generic form of our operations; in memory, some parts have another form."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from allo_air.asm.attributes import to_memory
from allo_air.asm.generic_states import from_generic
from allo_air.asm.state import State
from allo_air.asm.text import Failure, entries, split_top
from allo_air.dialects import declared

_INHERENT = re.compile(r"static_|\w+SegmentSizes\Z")

REAL_NAMES = {"air.affine_if": "affine.if", "air.affine_yield": "affine.yield"}
"""MLIR operations that are stored as operations of ours, and their printed names."""


@cache
def bare_terminator(name: str) -> str:
    """Generic text of a terminator without operands."""
    op = declared(name)
    assert op is not None
    st = State(op.DECL)
    return st.header() + st.trailer()


def normalize(st: State) -> None:
    """The canonical spelling of attributes that have several."""
    kind = st.attrs.get("channel_type")
    if kind and st.decl.name == "air.channel":
        st.attrs["channel_type"] = kind.replace('"npu_', '"', 1)


def read(reader: Any, st: State, start: int) -> tuple[str, str]:
    """Reads `(operands)[successors]<{...}>({...}) {...} : types` after the quoted name; returns the text before and after the
    regions.

    Raises Failure at `start`, the beginning of the operation, if its parts do not match.
    """
    name = st.decl.name
    cur = reader.cur
    operands = cur.balanced("(")
    successors = cur.balanced() if cur.peek() == "[" else ""
    attrs: dict[str, str | None] = {}
    try:
        if cur.accept("<"):
            attrs |= entries(cur.balanced("{")[1:-1])
            cur.expect(">")
        if cur.accept("("):
            while not cur.accept(")"):
                if st.regions:
                    cur.expect(",")
                reader.region(cur, st, generic=True)
        if cur.peek() == "{":
            attrs |= entries(cur.balanced()[1:-1])
    except ValueError as error:
        raise Failure(start, str(error)) from None
    cur.expect(":")
    inputs = cur.balanced("(")
    cur.expect("->")
    results = cur.type()
    st.attrs = attrs
    normalize(st)
    if len(st.decl.assemblies) > 1:
        try:
            values, types = from_generic(reader, st, split_top(operands[1:-1]), split_top(inputs[1:-1]))
        except ValueError as error:
            raise Failure(start, str(error)) from None
        operands, inputs = f"({', '.join(values)})", f"({', '.join(types)})"
    if name == "air.affine_if" and "dims" not in attrs:
        attrs["dims"] = f"{reader.affine.dims(attrs.get('condition') or '')} : i64"
    st.fill_defaults()
    try:
        if st.decl.operand_segments:
            st.spread("operandSegmentSizes", st.decl.operands, split_top(inputs[1:-1]))
        if st.decl.result_segments:
            st.spread("resultSegmentSizes", st.decl.results, split_top(results.removeprefix("(").removesuffix(")")))
        body = ", ".join(k if v is None else f"{k} = {v}" for k, v in st.attrs.items())
        text = f" {{{to_memory(body)}}}" if body else ""
    except ValueError as error:
        raise Failure(start, str(error)) from None
    return f'"{name}"{operands}{successors}', f"{text} : {inputs} -> {results}"


def pieces(state: State, inputs: list[str], results: list[str], regions: int) -> list[int | str]:
    """The generic text of an operation with `regions` regions; their numbers separate the texts around them."""
    decl = state.decl
    name = REAL_NAMES.get(decl.name, decl.name)
    if name == "affine.if":
        state.attrs.pop("dims", None)
    all_inherent = decl.name == "aiex.npu.writebd"
    inherent = {k: v for k, v in state.attrs.items() if all_inherent or k in decl.attrs or _INHERENT.match(k)}
    discardable = {k: v for k, v in state.attrs.items() if k not in inherent}
    head = f'"{name}"({", ".join(state.names)})'
    if state.successors:
        head += f"[{', '.join(state.successors.values())}]"
    if inherent:
        head += f" <{{{_entries(inherent)}}}>"
    tail = f" {{{_entries(discardable)}}}" if discardable else ""
    types = ", ".join(results)
    tail += f" : ({', '.join(inputs)}) -> " + (types if len(results) == 1 and "->" not in types else f"({types})")
    if not decl.regions:
        return [head + tail]
    chunks: list[int | str] = [head + " ({"]
    count = regions if decl.region_holder else max(regions, 1)
    for number in range(count):
        chunks += [number, "}, {" if number + 1 < count else "})" + tail]
    return chunks


def _entries(attrs: dict[str, str | None]) -> str:
    return ", ".join(k if v is None else f"{k} = {v}" for k, v in attrs.items())
