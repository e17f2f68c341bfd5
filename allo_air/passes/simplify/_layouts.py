"""Folds permuting and broadcasting copies into the indexing maps of their users."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import body_of, defining_op
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes._ir.generic import Generic, composed_map, has_all_loops, maps_attr

WITH_MAPS = ("linalg.generic", "linalg.matmul", "linalg.batch_matmul", "linalg.contract")
"""Operations whose operands may have any order of dimensions."""


def merge_copies(function: AnyOp) -> None:
    """Makes generics and matmuls read the source of a permuting or broadcasting copy, by the composed map.

    Before:

        %t = linalg.generic {indexing_maps = [(d0, d1) -> (d1, d0), (d0, d1) -> (d0, d1)]} ins(%x) outs(%e) { yield %in }
        %y = linalg.matmul ins(%a, %t) outs(%zero)

    After:

        %y = linalg.matmul indexing_maps = [(m, n, k) -> (m, k), (m, n, k) -> (n, k), (m, n, k) -> (m, n)]
            ins(%a, %x) outs(%zero)
    """
    for op in body_of(function):
        if op.name not in WITH_MAPS or not op.results or _is_of_caller(op):
            continue
        for number in range(len(op.operands) - len(op.results)):
            while _merge(op, number):
                pass


def _is_of_caller(op: AnyOp) -> bool:
    """Whether `op` computes a function's result in a type that no DMA moves; the caller performs such operations."""
    users = [use.owner.operation.name for r in op.results for use in r.uses]
    return str(op.results[0].type.element_type) in ("i1", "i64", "f64") and set(users) == {"func.return"}


def _merge(op: AnyOp, number: int) -> bool:
    source = _copied(op.operands[number])
    if source is None:
        return False
    value, map_ = source
    maps = indexing_maps(op)
    merged = composed_map(map_, maps[number])
    if op.name != "linalg.generic" and not accepts_map(op, number, merged):
        return False
    maps[number] = merged
    if not has_all_loops(maps):
        return False
    op.operands[number] = value
    op.attributes["indexing_maps"] = maps_attr(maps)
    return True


def _copied(value: ir.Value) -> tuple[Any, Any] | None:
    """The source that `value` copies, and the map from its indices to those of the source."""
    result = defining_op(value, "linalg.generic")
    if result is None:
        return None
    copy = Generic.of(result)
    if len(copy.inputs) != 1 or not copy.is_elementwise or copy.body or copy.yielded != copy.arguments[:1]:
        return None
    if not isinstance(copy.inputs[0].type, ir.RankedTensorType):
        return None
    return copy.inputs[0], copy.maps[0]


def accepts_map(op: AnyOp, number: int, merged: ir.AffineMap) -> bool:
    """Whether a matmul can have `merged` as the map of an operand: the same dimensions in another order."""
    if op.name == "linalg.contract":
        return bool(merged.is_projected_permutation)
    before = [str(e) for e in indexing_maps(op)[number].results]
    after = [str(e) for e in merged.results]
    batch = op.name == "linalg.batch_matmul"
    return sorted(before) == sorted(after) and (not batch or before[0] == after[0])
