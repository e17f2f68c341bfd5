"""Slices of a kernel's result that are one run of its buffer: other kernels read them there, at an offset."""

from __future__ import annotations

from math import prod
from typing import Any

from allo_air.core.walking import is_result_of
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, ir
from allo_air.passes.partition._graph import Graph
from allo_air.passes.partition._movement import movement, only_moves
from allo_air.passes.partition._roles import VIEWS

_WORD = 32
"""Bits of the DMAs' words."""


def parts_in_place(graph: Graph) -> list[Any]:
    """The slices that the program passes to kernels as parts of a buffer: those of one type in several groups.

    A slice inside a kernel makes it different from the kernels of other slices, such as the steps of a recurrent layer.
    """
    slices: dict[tuple[ir.Value, ir.Type], list[AnyOp]] = {}
    for op in graph.work:
        if op.name == "tensor.extract_slice" and graph.edges[op] and is_run(op) and op.results[0] not in graph.returned:
            slices.setdefault((op.operands[0], op.results[0].type), []).append(op)
    return [op for ops in slices.values() if _are_apart(graph, ops) for op in ops]


def _are_apart(graph: Graph, slices: list[AnyOp]) -> bool:
    """Whether slices begin at different offsets and are in different groups."""
    offsets, groups = {str(op.attributes["static_offsets"]) for op in slices}, {id(graph.group_of[op]) for op in slices}
    return len(offsets) > 1 and len(groups) > 1


def stays_in_place(op: AnyOp) -> bool:
    """Whether `op` is a slice of a kernel's result that other kernels can read in place."""
    if op.name != "tensor.extract_slice" or not is_run(op):
        return False
    before = movement(op.operands[0])
    return is_result_of(before.source, "func.call") and before.is_prefix and not before.zeros and _is_for_calls(op.results[0])


def slices_of_a_copy(op: ir.Operation) -> list[ir.Operation]:
    """The slices, `op` and others, that kernels can read in place once one kernel moves a kernel's result.

    There are none if `op` is no such slice, or the only one.
    """
    if op.name != "tensor.extract_slice":
        return []
    before = movement(op.operands[0])
    if not is_result_of(before.source, "func.call") or before.is_prefix or before.zeros:
        return []
    users = [u.owner.operation for u in op.operands[0].uses if u.owner.operation.name == op.name]
    slices = [u for u in users if u.block == op.block and is_run(u) and _is_for_calls(u.results[0])]
    return slices if op in slices and len(slices) > 1 else []


def _is_for_calls(value: ir.Value) -> bool:
    """Whether only calls take `value`, its reshapes, or tensors that begin with it, whose other elements are undefined."""
    users = [u.owner.operation for u in value.uses]
    return all(
        u.name == "func.call" or ((u.name in VIEWS or _is_start_of(value, u)) and _is_for_calls(u.results[0])) for u in users
    )


def _is_start_of(value: ir.Value, op: ir.Operation) -> bool:
    """Whether `op` inserts `value` at the start of a tensor without other elements."""
    if op.name != "tensor.insert_slice" or op.operands[0] != value or not only_moves(op):
        return False
    result = movement(op.results[0])
    return result.is_prefix and not result.zeros


def is_run(op: AnyOp) -> bool:
    """Whether `op`, a slice, is consecutive in memory, begins at a word, and ends at one."""
    offsets, sizes, strides = (list(op.attributes[f"static_{name}"]) for name in ("offsets", "sizes", "strides"))
    shape, bits = list(op.operands[0].type.shape), element_bits(op.operands[0].type)
    if bits is None or set(strides) != {1} or min((*offsets, *sizes)) < 0:
        return False
    first = next((n for n, size in enumerate(sizes) if size != 1), len(sizes))
    return sizes[first + 1 :] == shape[first + 1 :] and not start_of(op) * bits % _WORD and not prod(sizes) * bits % _WORD


def start_of(op: AnyOp) -> int:
    """The number of elements before slice `op` in the flat source."""
    shape = list(op.operands[0].type.shape)
    return sum(offset * prod(shape[n + 1 :]) for n, offset in enumerate(op.attributes["static_offsets"]))
