"""Sums and products of bf16 and f16 are rounded once, in the end."""

from __future__ import annotations

from typing import Any

from allo_air.core.cloning import clone
from allo_air.mlir import AnyOp, arith, ir, linalg
from allo_air.passes._ir.generic import Generic, generic, generics
from allo_air.passes._ir.tensors import empty

_OPS = ("arith.addf", "arith.mulf")


def widen_sums(function: AnyOp) -> None:
    """Accumulates in f32 what a linalg.generic sums up, or multiplies, in a narrower type; contractions do so anyway.

    Before:
        %s = linalg.generic ins(%x : tensor<8x64xbf16>) outs(%z : tensor<8xbf16>) { yield (arith.addf %out, %in) }
    After:
        %w = linalg.generic ins(%x : tensor<8x64xbf16>) outs(%f : tensor<8xf32>) { yield (arith.addf %out, (arith.extf %in)) }
        %s = linalg.generic ins(%w : tensor<8xf32>) outs(%e : tensor<8xbf16>) { yield (arith.truncf %in) }
    """
    for found in generics(function):
        if (join := _sum(found)) is not None:
            _widen(found, join)


def _sum(found: Generic) -> Any:
    """The operation that adds to, or multiplies, what is there, in a type narrower than f32."""
    if "reduction" not in found.iterators or len(found.outs) != 1 or linalg.isa_contraction_op(found.op):
        return None
    [value], so_far = found.yielded, found.arguments[-1]
    if not isinstance(value.type, ir.BF16Type | ir.F16Type) or isinstance(value.owner, ir.Block):
        return None
    op = value.owner.operation
    alone = len(list(value.uses)) == 1 and len(list(so_far.uses)) == 1
    return op if op.name in _OPS and op.block == found.block and alone and so_far in list(op.operands) else None


def _widen(found: Generic, join: Any) -> None:
    out, wide = found.outs[0], ir.F32Type.get()
    kind = ir.RankedTensorType.get(out.type.shape, wide)
    here = [ir.AffineMap.get_identity(len(kind.shape))] * 2
    every = ["parallel"] * len(kind.shape)

    def body(given: list[Any]) -> list[Any]:
        known = dict(zip(found.arguments, given, strict=True))
        for op in found.body:
            if op != join:
                clone(op, known)
        so_far = found.arguments[-1]
        operands = [known[v] if v == so_far else arith.extf(wide, known.get(v, v)) for v in join.operands]
        return [ir.Operation.create(join.name, [wide], operands).results[0]]

    with ir.InsertionPoint(found.op), found.op.location:
        start = _start(out, kind, here, every)
        made = generic(found.inputs, [start], found.maps, found.iterators, body)
        narrow = generic(
            made.results, [empty(out.type)], here, every, lambda given: [arith.truncf(out.type.element_type, given[0])]
        )
    found.op.results[0].replace_all_uses_with(narrow.results[0])
    found.op.erase()


def _start(out: Any, kind: Any, maps: list[Any], iterators: list[str]) -> Any:
    """What is there at first, in f32."""
    wide = kind.element_type
    if not isinstance(out.owner, ir.Block) and out.owner.name == "linalg.fill":
        return linalg.fill(arith.extf(wide, out.owner.operands[0]), outs=[empty(kind)])
    return generic([out], [empty(kind)], maps, iterators, lambda given: [arith.extf(wide, given[0])]).results[0]
