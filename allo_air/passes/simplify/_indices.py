"""Inlines tensors that are functions of their indices into the bodies that read them."""

from __future__ import annotations

from typing import Any

from allo_air.core.cloning import clone_body
from allo_air.core.walking import defining_op
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.generic import Argument, Generic, generics, has_all_loops, rewrite
from allo_air.passes.simplify._boundary import is_boundary_cast
from allo_air.passes.simplify._scalars import constant


def inline_indices(function: AnyOp) -> None:
    """Computes position tables and causal masks in their users' bodies instead of storing them.

    Casts of returned values are no such users, since the caller does them.

    Before:

        %n = linalg.generic outs(%e : tensor<8xi32>) { yield (arith.index_cast (linalg.index 0)) }
        %y = linalg.generic {(d0, d1) -> (d0, d1), (d0, d1) -> (d1), ...} ins(%x, %n) outs(%f) { ... %a, %b ... }

    After:

        %y = linalg.generic {(d0, d1) -> (d0, d1), ...} ins(%x) outs(%f) { %b = arith.index_cast (linalg.index 1) ... }
    """
    for generic in generics(function):
        if is_boundary_cast(generic.op):
            continue
        indices = [_indices(v, m) for v, m in zip(generic.inputs, generic.maps, strict=False)]
        kept_inputs = [n for n, m in enumerate(indices) if m is None]
        count = len(generic.inputs)
        if len(kept_inputs) == count or not has_all_loops(
            [generic.maps[n] for n in (*kept_inputs, *range(count, len(generic.maps)))]
        ):
            continue
        places: list[Argument] = []
        for n, source in enumerate(indices):
            places.append(kept_inputs.index(n) if source is None else _body(source, generic.maps[n]))
        rewrite(
            generic,
            [(generic.inputs[n], generic.maps[n]) for n in kept_inputs],
            [*places, *range(len(kept_inputs), len(kept_inputs) + len(generic.outs))],
        )


def _indices(value: ir.Value, map_: ir.AffineMap) -> Generic | None:
    """The generic that computes `value` from its indices alone."""
    result = defining_op(value, "linalg.generic")
    if result is None or len(result.results) != 1:
        return None
    source = Generic.of(result)
    is_plain = all(isinstance(e, ir.AffineDimExpr | ir.AffineConstantExpr) for e in map_.results)
    is_function_of_indices = not source.inputs and source.is_elementwise and is_plain
    return source if is_function_of_indices and not any(o.name == "tensor.extract" for o in source.body) else None


def _body(source: Generic, map_: ir.AffineMap) -> Any:
    """The value of `source` at the indices that `map_` gives."""

    def build(_: list[ir.Value]) -> Any:
        copies, [result] = clone_body(source.block, {})
        for op in copies:
            if op.name != "linalg.index":
                continue
            e = map_.results[int(op.attributes["dim"].value)]
            if isinstance(e, ir.AffineDimExpr):
                op.attributes["dim"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), ir.AffineDimExpr(e).position)
            else:
                with ir.InsertionPoint(op):
                    op.results[0].replace_all_uses_with(constant(ir.AffineConstantExpr(e).value, ir.IndexType.get()))
                op.erase()
        return result

    return build
