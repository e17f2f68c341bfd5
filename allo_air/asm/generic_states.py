"""The generic form of operations whose syntax states differ in which fields are attributes and which are operands.

In memory a constant is an attribute and a list of an air or airrt operation has only operands, whatever the state. March's
generic form is the same as in memory. August's has constants as operands where the custom form has values, and the constants
of lists in static arrays:

    "aie.use_lock"(%l) <{action = 2 : i32, value = 1 : i32}> : (index) -> ()           // March
    "aie.use_lock"(%l, %c1) <{action = 2 : i32}> : (index, i32) -> ()                  // August
"""

from __future__ import annotations

import re
from typing import Any

from allo_air.asm._directives_airrt import AirrtDma
from allo_air.asm._directives_lists import Access, ChannelDict, with_npu
from allo_air.asm._directives_values import BdLists, Ssa, dims_of, dims_text, fold, number_of
from allo_air.asm.elements import flattened
from allo_air.asm.notation import formats_of
from allo_air.asm.state import MIN_INDEX, State, array_of, segment_counts
from allo_air.dialects._op import Decl
from allo_air.dialects.air_values import LITERAL_LISTS
from allo_air.errors import AlloAirError, counted

_VALUE = re.compile(r"\w+_operands?\Z")
"""Names of operands that operations have only since mid-2026, for values that are known at run time."""

_AIRRT_LISTS = {"offset": "static_offsets", "length": "static_lengths", "stride": "static_strides"}


def _newest(decl: Decl) -> list[Any]:
    return list(flattened(next(iter(formats_of(decl.name).values())).elements))


def from_generic(reader: Any, st: State, values: list[str], types: list[str]) -> tuple[list[str], list[str]]:
    """The operands, their types and the attributes of an operation in memory, from its generic form in either version.

    Raises ValueError if operands and attributes are inconsistent.
    """
    _distribute(st, values, types)
    for element in _newest(st.decl):
        if isinstance(element, Ssa):
            if operand := st.operands.get(element.values.name):
                fold(_emptied(st, element), element.field, element.values, operand[0], reader.constant_of(operand[0]))
        elif isinstance(element, BdLists):
            _bd_from_generic(reader, st)
        elif isinstance(element, Access):
            for field in element.lists:
                static = st.attrs.pop(f"static_{field.name}", None)
                if any(number != MIN_INDEX for number in _numbers(static)):
                    st.attrs[LITERAL_LISTS] = None
                _fill(reader, st, field.name, static, "index")
        elif isinstance(element, AirrtDma):
            _airrt_from_generic(reader, st)
    fields = st.decl.operands
    if st.decl.operand_segments:
        sizes = [len(st.operands.get(f.name, ())) for f in fields]
        st.attrs["operandSegmentSizes"] = f"array<i32: {', '.join(map(str, sizes))}>"
    flat = [v for f in fields for v in st.operands.get(f.name, ())]
    return flat, [t for f in fields for t in st.types.get(f.name, ())]


def _emptied(st: State, element: Ssa) -> State:
    st.operands[element.values.name] = []
    st.types[element.values.name] = []
    return st


def _distribute(st: State, values: list[str], types: list[str]) -> None:
    """Gives each field its operands. Without segment sizes they go to those whose attribute is missing, in order."""
    fields = st.decl.operands
    value = st.attrs.pop("operandSegmentSizes", None)
    if st.decl.name == "airrt.dma_memcpy_nd" and "static_offsets" in st.attrs:
        st.operands |= {"id": values[:1], "x": values[1:2], "y": values[2:3], "memref": values[3:4], "rest": values[4:]}
        st.types["memref"] = types[3:4]
        return
    if value is not None:
        counts = segment_counts("operandSegmentSizes", value, fields)
    else:
        fields_of_segments = {e.values.name: e.field.name for e in _newest(st.decl) if isinstance(e, Ssa)}
        rest = len(values) - sum(f.arity == "single" for f in fields)
        counts = []
        for field in fields:
            present = field.arity != "single" and rest > 0 and fields_of_segments.get(field.name) not in st.attrs
            counts.append(1 if field.arity == "single" else int(present) if field.arity == "optional" else max(rest, 0))
            rest -= counts[-1] if field.arity != "single" else 0
    st.check_counts("operandSegmentSizes", counts, fields, types)
    if len(values) != len(types):
        raise ValueError(f"'{st.decl.name}' op has {counted(len(values), 'operand')} but {counted(len(types), 'type')}")
    first = 0
    for field, count in zip(fields, counts, strict=True):
        st.operands[field.name] = values[first : first + count]
        st.types[field.name] = types[first : first + count]
        first += count


def _numbers(text: str | None) -> list[int]:
    return [int(n) for n in array_of(text or "array<i64>")]


def _merged(reader: Any, numbers: list[int], values: list[str], what: str, type_: str) -> list[str]:
    """The list that a static array represents: `values` where it has MIN_INDEX, constants of `type_` elsewhere."""
    if (places := numbers.count(MIN_INDEX)) != len(values):
        raise ValueError(f"{what} has {counted(places, 'place')} for values, and there are {len(values)}")
    rest = iter(values)
    return [next(rest) if n == MIN_INDEX else reader.constant(n, type_) for n in numbers]


def _fill(reader: Any, st: State, name: str, static: str | None, type_: str) -> None:
    """Creates a list of operands from its static array, in which MIN_INDEX marks the values."""
    if static is None:
        return
    st.operands[name] = _merged(reader, _numbers(static), st.operands.get(name, []), f"static_{name}", type_)
    st.types[name] = [type_] * len(st.operands[name])


def _bd_from_generic(reader: Any, st: State) -> None:
    sizes, strides = _numbers(st.attrs.pop("static_sizes", None)), _numbers(st.attrs.pop("static_strides", None))
    if len(sizes) != len(strides):
        raise ValueError(
            f"expected as many sizes as strides, found {counted(len(sizes), 'size')} and {counted(len(strides), 'stride')}"
        )
    if sizes:
        st.attrs["dimensions"] = dims_text(sizes, strides)
    for name in ("offset", "len"):
        static = st.attrs.pop(f"static_{name}", None)
        if static is not None and not st.operands.get(f"{name}_operand"):
            st.attrs[name] = static


def _airrt_from_generic(reader: Any, st: State) -> None:
    values = st.operands.pop("rest", [])
    for kind, static in _AIRRT_LISTS.items():
        text = st.attrs.pop(static, None)
        if text is None:
            continue
        numbers = _numbers(text)
        if len(numbers) != 4:
            raise ValueError(f"expected 4 entries in {static}, found {len(numbers)}")
        count = numbers.count(MIN_INDEX)
        merged = _merged(reader, numbers, values[:count], static, "i64")
        values = values[count:]
        for place, value in zip((3, 2, 1, 0), merged, strict=True):
            st.operands[f"{kind}{place}"] = [value]
    for field in st.decl.operands:
        if field.rule.text is not None:
            st.types[field.name] = [field.rule.text] * len(st.operands.get(field.name, ()))


def check_march(st: State) -> None:
    """Converts the constant amount of a lock to a literal. Raises AlloAirError for forms that March's assembly lacks."""
    if st.decl.name == "aie.use_lock" and (operand := st.operands.get("amount")):
        constant = st.host.amounts.get(operand[0])
        if constant is not None:
            st.operands["amount"], st.types["amount"] = [], []
            st.names, st.attrs["value"] = st.names[:1], f"{constant} : i32"
            st.attrs.pop("operandSegmentSizes", None)
    for field in st.decl.operands:
        since = _VALUE.match(field.name) or (field.name, st.decl.name) == ("dest", "air.channel.put")
        if since and st.operands.get(field.name):
            what = f"a value for '{field.name.removesuffix('_operand')}'"
            raise AlloAirError(f"'{st.decl.name}' has {what}, which the syntax of 2026-03 cannot say; print 2026-08 instead")


def to_march(st: State) -> None:
    """Converts the generic form to that of March's tools: no segment sizes if all fields that may be values are constant.

    Raises AlloAirError as `check_march` does.
    """
    check_march(st)
    st.attrs.pop(LITERAL_LISTS, None)
    optional = [f for f in st.decl.operands if f.arity != "single"]
    if (
        optional
        and all(f.name == "amount" or _VALUE.match(f.name) for f in optional)
        and not any(st.operands.get(f.name) for f in optional)
    ):
        st.attrs.pop("operandSegmentSizes", None)
    elif st.decl.name == "air.channel.put" and not st.operands.get("dest"):
        counts = array_of(st.attrs["operandSegmentSizes"] or "")
        st.attrs["operandSegmentSizes"] = f"array<i32: {', '.join(counts[:-1])}>"


def to_august(st: State) -> list[str]:
    """Converts the generic form to that of August's tools; returns the types of its operands, which are in `st.names`."""
    decl = st.decl
    segments = False
    literal = st.attrs.pop(LITERAL_LISTS, "") is None
    for element in _newest(decl):
        if isinstance(element, Ssa):
            st.operands[element.values.name] = [element.value(st)]
            st.types[element.values.name] = ["i32"]
            st.attrs.pop(element.field.name, None)
            st.attrs.pop("operandSegmentSizes", None)
        elif isinstance(element, BdLists):
            segments = True
            sizes, strides = dims_of(st.attrs.pop("dimensions", None) or "")
            if sizes:
                st.attrs["static_sizes"], st.attrs["static_strides"] = _array(sizes), _array(strides)
            for name in ("offset", "len"):
                text = st.attrs.pop(name, None)
                if text is not None and (number_of(text) or name == "len"):
                    st.attrs[f"static_{name}"] = text
        elif isinstance(element, Access):
            segments = True
            for field in element.lists:
                st.attrs[f"static_{field.name}"] = _array(_take_list(st, field.name, literal=literal))
        elif isinstance(element, AirrtDma):
            _airrt_to_august(st)
        elif isinstance(element, ChannelDict) and (kind := st.attrs.get("channel_type")):
            st.attrs["channel_type"] = with_npu(kind)
    if segments:
        sizes = [len(st.operands.get(f.name, ())) for f in decl.operands]
        st.attrs["operandSegmentSizes"] = f"array<i32: {', '.join(map(str, sizes))}>"
    st.names = [v for f in decl.operands for v in st.operands.get(f.name, ())]
    return [t for f in decl.operands for t in st.types.get(f.name, ())]


def _take_list(st: State, name: str, *, literal: bool = True) -> list[int]:
    """The numbers of a list, MIN_INDEX for values. The list keeps the values; if it is not `literal`, it keeps all of them."""
    texts = [st.host.literal(value) if literal else value for value in st.operands.get(name, ())]
    values = [text for text in texts if text[0] == "%"]
    st.types[name] = st.types.get(name, [])[: len(values)]
    st.operands[name] = values
    return [MIN_INDEX if text[0] == "%" else int(text) for text in texts]


def _airrt_to_august(st: State) -> None:
    counts = []
    for kind, static in _AIRRT_LISTS.items():
        numbers = [_take_list(st, f"{kind}{place}")[0] for place in (3, 2, 1, 0)]
        st.attrs[static] = _array(numbers)
        counts.append(numbers.count(MIN_INDEX))
    st.attrs["operandSegmentSizes"] = f"array<i32: 1, 1, 1, 1, {', '.join(map(str, counts))}>"


def _array(numbers: list[int]) -> str:
    return f"array<i64: {', '.join(map(str, numbers))}>" if numbers else "array<i64>"
