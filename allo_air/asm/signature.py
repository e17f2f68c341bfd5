"""Attributes and types after the operands in MLIR's generic form, and the field that each value belongs to."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from allo_air.asm.attributes import to_real
from allo_air.asm.state import State
from allo_air.asm.text import closing_offset, entries, split_top

if TYPE_CHECKING:
    from allo_air.dialects._fields import Value


def read_signature(rest: str) -> tuple[dict[str, str | None], list[str], list[str]]:
    """Attributes, operand types and result types in ` {attributes} : (types) -> types`."""
    attrs: dict[str, str | None] = {}
    if rest.startswith(" {"):
        end = closing_offset(rest, 1)
        body = rest[2 : end - 1]
        attrs = entries(to_real(body) if "#aie" in body else body)
        rest = rest[end:]
    inputs, _, results = rest[3:].partition(") -> ")  # after " : "
    if inputs.count("(") > 1:  # a function type among the operands
        end = closing_offset(rest, 3)
        inputs, results = rest[3 : end - 1], rest[end + 4 :]
    if results.startswith("("):
        results = results[1:-1]
    return attrs, split_top(inputs[1:]), split_top(results)


def distribute(state: State, inputs: list[str], results: list[str]) -> None:
    """Assigns operands and types to the fields of `state`."""
    decl = state.decl
    sizes = _sizes(decl.operands, state.attrs.pop("operandSegmentSizes", None), len(inputs))
    if sum(f.arity != "single" for f in decl.operands) > 1:
        state.attrs["operandSegmentSizes"] = f"array<i32: {', '.join(map(str, sizes))}>"
    first = 0
    for field, count in zip(decl.operands, sizes, strict=True):
        state.operands[field.name] = state.names[first : first + count]
        state.types[field.name] = inputs[first : first + count]
        first += count
    first = 0
    result_sizes = _sizes(decl.results, state.attrs.pop("resultSegmentSizes", None), len(results))
    for result, count in zip(decl.results, result_sizes, strict=True):
        state.types[result.name] = results[first : first + count]
        first += count


def _sizes(fields: tuple[Value, ...], segments: str | None, count: int) -> list[int]:
    """The number of values of each field."""
    if segments:
        return _summed(tuple(field.slots for field in fields), segments)
    rest = count - sum(f.arity == "single" for f in fields)
    return [1 if f.arity == "single" else rest for f in fields]


@cache
def _summed(slots: tuple[int, ...], segments: str) -> list[int]:
    """Segment sizes by slot, added up by field."""
    counts = iter(int(n) for n in segments[len("array<i32:") : -1].split(","))
    return [sum(next(counts) for _ in range(number)) for number in slots]
