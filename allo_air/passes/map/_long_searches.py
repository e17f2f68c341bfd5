"""Splits argmax and argmin of a long row into searches of parts of the row and one search of their results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.cloning import clone, clone_body
from allo_air.core.walking import is_result_of, walk_named
from allo_air.mlir import arith, ir, tensor
from allo_air.mlir import linalg_views as views
from allo_air.passes._analysis.kernels import MOVED_BY_HOST
from allo_air.passes._ir.generic import Generic, extents, generic
from allo_air.passes._ir.packing import pad_by
from allo_air.passes._ir.tensors import filled
from allo_air.passes.map._neutral_numbers import dims_of_loop

_BODY = frozenset(
    f"arith.{name}"
    for name in (
        *("cmpf", "cmpi", "select", "index_cast", "ori", "andi"),
        *("maximumf", "minimumf", "maxnumf", "minnumf", "maxsi", "minsi", "maxui", "minui"),
    )
)


def is_search(generic_op: Generic) -> bool:
    """Whether `generic_op` is a search: one reduction loop, and the results are the selected number and its position."""
    if generic_op.iterators.count("reduction") != 1 or len(generic_op.inputs) != 1 or len(generic_op.outs) != 2:
        return False
    loop = generic_op.iterators.index("reduction")
    element, best, place = (a.type for a in generic_op.arguments)
    if element != best or not isinstance(place, ir.IntegerType) or not all(map(_fill_constant, generic_op.outs)):
        return False
    if generic_op.maps[1] != generic_op.maps[2] or any(o.name not in (*_BODY, "linalg.index") for o in generic_op.body):
        return False
    for index in walk_named(generic_op.op, "linalg.index"):
        casts = [u.owner.operation for u in index.results[0].uses]
        chosen = {u.owner.operation.name for cast in casts for u in cast.results[0].uses}
        if (
            int(index.attributes["dim"].value) != loop
            or {c.name for c in casts} != {"arith.index_cast"}
            or chosen != {"arith.select"}
        ):
            return False
    return len(dims_of_loop(generic_op.maps[0], loop)) == 1


def split_search(generic_op: Generic, parts: int, length: int) -> Any:
    """Searches `parts` parts of `length` elements first, and then their results. All parts together cover the row.

    The operation must satisfy `is_search`. The row is padded with the search's initial value, which is never selected.

    Before:

        %r:2 = linalg.generic {(k) -> (k), (k) -> (), (k) -> ()} ins(%a : tensor<4096xf32>) outs(%low, %zero)

    After:

        %b = tensor.expand_shape %a [[0, 1]] : tensor<4096xf32> into tensor<64x64xf32>
        %p:2 = linalg.generic {(p, k) -> (p, k), (p, k) -> (p), (p, k) -> (p)} ins(%b) outs(%lows, %zeros)
        %r:2 = linalg.generic {(p) -> (p), (p) -> (p), (p) -> (), (p) -> ()} ins(%p#0, %p#1) outs(%low, %zero)
    """
    loop = generic_op.iterators.index("reduction")
    [dim] = dims_of_loop(generic_op.maps[0], loop)
    shape, loops = extents(generic_op), len(generic_op.iterators)
    with ir.InsertionPoint(generic_op.op), generic_op.op.location:
        value = _split_into_parts(generic_op, dim, parts, length)
        front = ir.AffineDimExpr.get(loops)
        results = list(generic_op.maps[0].results)
        inner = ir.AffineMap.get(loops + 1, 0, [*results[:dim], front, *results[dim:]])
        outs = ir.AffineMap.get(loops + 1, 0, [front, *generic_op.maps[1].results])
        starts = [
            filled(_fill_constant(o), ir.RankedTensorType.get([parts, *o.type.shape], o.type.element_type))
            for o in generic_op.outs
        ]

        def search(block_arguments: Sequence[ir.BlockArgument]) -> Any:
            return clone_body(generic_op.block, dict(zip(generic_op.arguments, block_arguments, strict=True)))[1]

        partial = generic([value], starts, [inner, outs, outs], [*generic_op.iterators, "parallel"], search)
        rank = len(shape)
        everywhere = ir.AffineMap.get(rank, 0, [ir.AffineDimExpr.get(d) for d in range(rank)])
        rest = ir.AffineMap.get(rank, 0, [ir.AffineDimExpr.get(d) for d in range(1, rank)])

        def choose(values: list[ir.Value]) -> Any:
            number, place, *so_far = values
            part = arith.index_cast(place.type, views.IndexOp(0).result)
            here = arith.addi(place, arith.muli(part, arith.constant(place.type, length)))
            mapping = dict(zip(generic_op.arguments, [number, *so_far], strict=True))
            mapping |= {o.results[0]: here for o in generic_op.body if o.name == "arith.index_cast"}
            for op in generic_op.body:
                if op.name not in ("arith.index_cast", "linalg.index"):
                    clone(op, mapping)
            return [mapping[v] for v in generic_op.yielded]

        kinds = ["reduction", *["parallel"] * (rank - 1)]
        final = generic(list(partial.results), generic_op.outs, [everywhere, everywhere, rest, rest], kinds, choose)
    for old, new in zip(generic_op.op.results, final.results, strict=True):
        old.replace_all_uses_with(new)
    generic_op.op.erase()
    return final


def _split_into_parts(generic_op: Generic, dim: int, parts: int, length: int) -> Any:
    """The operand with dimension `dim` split into parts."""
    value = generic_op.inputs[0]
    shape = list(value.type.shape)
    if parts * length != shape[dim]:
        start = _fill_constant(generic_op.outs[0]).owner.attributes["value"].value
        value = pad_by(value, [0] * len(shape), [parts * length - n if d == dim else 0 for d, n in enumerate(shape)], start)
        value.owner.attributes[MOVED_BY_HOST] = ir.UnitAttr.get()
    groups = [[d + (d > dim)] if d != dim else [d, d + 1] for d in range(len(shape))]
    split_shape = [*shape[:dim], parts, length, *shape[dim + 1 :]]
    return tensor.ExpandShapeOp(
        ir.RankedTensorType.get(split_shape, value.type.element_type), value, groups, [], split_shape
    ).result


def _fill_constant(value: ir.Value) -> Any:
    """The constant that fills `value`; None if it is not a fill."""
    if not is_result_of(value, "linalg.fill"):
        return None
    first = value.owner.operands[0]
    return first if is_result_of(first, "arith.constant") else None
