"""Decides which operations of a model run on the host, by their costs there and on the array, and gives the reasons."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from allo_air.arch import Architecture
from allo_air.arch.timing import LAUNCH_MICROSECONDS
from allo_air.core.walking import walk_post_order
from allo_air.dialects.memrefs import total_bits
from allo_air.mlir import ir
from allo_air.models.parts import ARRAY, Graph, Part
from allo_air.passes._analysis.structured import is_structured, loop_extents

HOST_GIGABYTES = 1.0
"""GB/s at which one thread of the host picks rows from a table. An assumption: copies of short runs reach this on laptops."""

HOST_GIGAOPS = 1.0
"""Steps of an operation's innermost loop, in thousand millions a second, of one thread of the host: an assumption, too."""


def for_the_host(op: ir.Operation, arch: Architecture) -> str:
    """Why the host does `op` better; "" where the array does it.

    A row is picked from a table by streaming all of the table through the array, which the host need not do.
    """
    table = _table(op)
    if table is None:
        return ""
    streamed = bytes_of(table.type) / arch.memory_gigabytes
    picked = sum(bytes_of(r.type) for r in op.results) / HOST_GIGABYTES
    if picked >= streamed:
        return ""
    return (
        f"picks {_amount(picked)} from a table of {_amount(bytes_of(table.type))}: the host needs about {_time(picked)},"
        f" streaming the table through the array {_time(streamed)}"
    )


def too_small(graph: Graph, parts: Sequence[Part], arch: Architecture) -> dict[int, str]:
    """The operations of parts for the array that the host does in less time than it takes to load and launch the part.

    The part with the most work stays, so that a model is on the array where it can be.
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
    """Predicted microseconds of operations on the host: their operands and results, and the steps of their loops. Tables are
    not read completely.
    """
    return sum(_host_nanoseconds(graph.ops[n]) for n in numbers) / 1e3


def steps(graph: Graph, numbers: Iterable[int]) -> int:
    """The steps of the loops of operations: their arithmetic, whoever does it."""
    return sum(_steps(graph.ops[n]) for n in numbers)


def array_microseconds(part: Part, arch: Architecture) -> float:
    """Lower bound of a part's microseconds on the array: load, launch, and transfers of its inputs and outputs."""
    moved = sum(bytes_of(v.type) for v in (*part.takes, *part.gives))
    return LAUNCH_MICROSECONDS + arch.reload_microseconds + moved / arch.memory_gigabytes / 1e3


def _host_nanoseconds(op: ir.Operation) -> float:
    table = _table(op)
    moved = sum(bytes_of(v.type) for v in (*op.operands, *op.results) if table is None or v != table)
    return moved / HOST_GIGABYTES + _steps(op) / HOST_GIGAOPS


def _steps(op: ir.Operation) -> int:
    """Steps of the loops of a linalg operation; of one without maps, the elements of its largest operand."""
    if not op.name.startswith("linalg.") or not op.regions:
        return 0
    if is_structured(op):
        return math.prod(n for n in loop_extents(op) if n >= 0)
    return max((math.prod(v.type.shape) for v in op.operands if isinstance(v.type, ir.RankedTensorType)), default=0)


def _table(op: ir.Operation) -> Any:
    """The table from which `op` picks elements at positions that depend on data; None for other operations."""
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
    """Bytes of a tensor of type `kind`, of static shape, or of a scalar."""
    return (total_bits(kind) or 0) // 8


def _amount(size: float) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB"


def _time(nanoseconds: float) -> str:
    return f"{nanoseconds / 1e6:.1f} ms" if nanoseconds >= 1e6 else f"{nanoseconds / 1e3:.1f} us"
