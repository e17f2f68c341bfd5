"""Decides which operations of a model run on the host, by their costs there and on the array, and gives the reasons."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from allo_air.arch import Architecture
from allo_air.arch.timing import LAUNCH_MICROSECONDS
from allo_air.core.walking import walk_post_order
from allo_air.dialects.memrefs import total_bits
from allo_air.dialects.passed_types import why_not_passed
from allo_air.mlir import ir
from allo_air.models.parts import ARRAY, Graph, Part
from allo_air.passes._analysis.structured import is_structured, loop_extents

HOST_GIGABYTES = 1.0
"""GB/s at which one thread of the host gathers rows from a table. An assumption: copies of short runs reach this on laptops."""

HOST_GIGAOPS = 1.0
"""Iterations of an operation's innermost loop per second on one thread of the host, in 10^9. Also an assumption."""


def for_the_host(op: ir.Operation, arch: Architecture) -> str:
    """Why `op` should run on the host; "" if it should run on the array.

    The array gathers a row by streaming the whole table; the host reads only the row.
    """
    table = _table(op)
    if table is None:
        return ""
    streamed = bytes_of(table.type) / arch.memory_gigabytes
    picked = sum(bytes_of(r.type) for r in op.results) / HOST_GIGABYTES
    if picked >= streamed:
        return ""
    return (
        f"picks {_size_text(picked)} from a table of {_size_text(bytes_of(table.type))}: the host needs about {_time(picked)},"
        f" streaming the table through the array {_time(streamed)}"
    )


def not_passed(graph: Graph, parts: Sequence[Part]) -> dict[int, str]:
    """The operations of array parts that exchange values with the host in types that programs cannot pass, with the reasons.

    Operations that are connected to them by such values are among them, since their values would be exchanged otherwise.
    """
    reasons: dict[int, str] = {}
    for part in parts:
        if part.where != ARRAY:
            continue
        inside = set(part.ops)
        values = [v for v in (*part.arguments, *part.results) if why_not_passed(v.type)]
        while values:
            value = values.pop()
            near = [n for n in inside if value in graph.uses[n]]
            near += [graph.makers[value]] if graph.makers.get(value) in inside else []
            for n in near:
                if n in reasons:
                    continue
                reasons[n] = f"takes or gives {value.type}, and {why_not_passed(value.type)}"
                values += [v for v in (*graph.uses[n], *graph.ops[n].results) if why_not_passed(v.type)]
    return reasons


def too_small(graph: Graph, parts: Sequence[Part], arch: Architecture) -> dict[int, str]:
    """The operations of array parts that the host executes in less time than the array needs to load and launch the part.

    The part with the most work stays, so that the model uses the array if it can.
    """
    on_array = [p for p in parts if p.where == ARRAY]
    most = max(on_array, key=lambda p: host_microseconds(graph, p.ops), default=None)
    results = {}
    for part in on_array:
        host, array = host_microseconds(graph, part.ops), array_microseconds(part, arch)
        if part is not most and host < array:
            why = f"small: the host needs about {_time(host * 1e3)}, a part of its own on the array {_time(array * 1e3)}"
            results.update(dict.fromkeys(part.ops, why))
    return results


def host_microseconds(graph: Graph, numbers: Iterable[int]) -> float:
    """Predicted microseconds of operations on the host, from their operands, results and loop iterations. Of a table, only
    gathered rows count.
    """
    return sum(_host_nanoseconds(graph.ops[n]) for n in numbers) / 1e3


def steps(graph: Graph, numbers: Iterable[int]) -> int:
    """The iterations of the operations' loops: their amount of arithmetic."""
    return sum(_steps(graph.ops[n]) for n in numbers)


def array_microseconds(part: Part, arch: Architecture) -> float:
    """Lower bound of a part's microseconds on the array: load, launch, and transfers of its inputs and outputs."""
    moved = sum(bytes_of(v.type) for v in (*part.arguments, *part.results))
    return LAUNCH_MICROSECONDS + arch.reload_microseconds + moved / arch.memory_gigabytes / 1e3


def _host_nanoseconds(op: ir.Operation) -> float:
    table = _table(op)
    moved = sum(bytes_of(v.type) for v in (*op.operands, *op.results) if table is None or v != table)
    return moved / HOST_GIGABYTES + _steps(op) / HOST_GIGAOPS


def _steps(op: ir.Operation) -> int:
    """Iterations of a linalg operation's loops. An operation without maps counts the elements of its largest operand."""
    if not op.name.startswith("linalg.") or not op.regions:
        return 0
    if is_structured(op):
        return math.prod(n for n in loop_extents(op) if n >= 0)
    return max((math.prod(v.type.shape) for v in op.operands if isinstance(v.type, ir.RankedTensorType)), default=0)


def _table(op: ir.Operation) -> Any:
    """The table from which `op` gathers elements at positions that depend on data; None for other operations."""
    if op.name != "linalg.generic":
        return None
    body = op.regions[0].blocks[0]
    info: set[Any] = set(list(body.arguments)[: len(op.operands) - len(op.results)])
    for inner in walk_post_order(op):
        if inner.name == "tensor.extract" and any(v in info for v in list(inner.operands)[1:]):
            return inner.operands[0]
        if any(v in info for v in inner.operands):
            info.update(inner.results)
    return None


def bytes_of(kind: ir.F32Type | ir.F64Type | ir.RankedTensorType) -> int:
    """Bytes of a scalar, or of a tensor of static shape."""
    return (total_bits(kind) or 0) // 8


def _size_text(size: float) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB"


def _time(nanoseconds: float) -> str:
    return f"{nanoseconds / 1e6:.1f} ms" if nanoseconds >= 1e6 else f"{nanoseconds / 1e3:.1f} us"
