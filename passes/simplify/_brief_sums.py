"""Sums and products of bf16 and f16 are rounded once, in the end."""

from __future__ import annotations

from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.walking import walk_pre_order
from allo_air.mlir import AnyOp, arith, ir, linalg
from allo_air.passes._ir.generic import Generic, generic, generics
from allo_air.passes._ir.named import write_out
from allo_air.passes._ir.tensors import empty

_OPS = ("arith.addf", "arith.mulf")


def widen_sums(function: AnyOp) -> None:
    """Accumulates in f32 what is summed up, or multiplied, in a narrower type; products that are summed are of f32, too.

    Before:
        %s = linalg.generic ins(%x : tensor<8x64xbf16>) outs(%z : tensor<8xbf16>) { yield (arith.addf %out, %in) }
    After:
        %w = linalg.generic ins(%x : tensor<8x64xbf16>) outs(%f : tensor<8xf32>) { yield (arith.addf %out, (arith.extf %in)) }
        %s = linalg.generic ins(%w : tensor<8xf32>) outs(%e : tensor<8xbf16>) { yield (arith.truncf %in) }
    """
    write_out(function, [op for op in walk_pre_order(function) if _is_brief(op)])
    for found in generics(function):
        if (join := _sum(found)) is not None:
            _widen(found, join)


def _is_brief(op: AnyOp) -> bool:
    """Whether a named product of matrices, or a convolution, has sums narrower than f32."""
    if not op.name.startswith("linalg.") or op.name == "linalg.generic" or len(op.results) != 1:
        return False
    kind = op.results[0].type
    if not isinstance(kind, ir.RankedTensorType) or not isinstance(kind.element_type, ir.BF16Type | ir.F16Type):
        return False
    return "conv_" in op.name or linalg.isa_contraction_op(op)


def _sum(found: Generic) -> Any:
    """The operation that adds to, or multiplies, what is there, in a type narrower than f32."""
    if "reduction" not in found.iterators or len(found.outs) != 1:
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
        product = _product(join)
        for op in found.body:
            if product is not None and op == product:
                known[op.results[0]] = arith.mulf(*(arith.extf(wide, known.get(v, v)) for v in op.operands))
            elif op != join:
                clone(op, known)
        so_far = found.arguments[-1]
        others = [known.get(v, v) for v in join.operands if v != so_far]
        operands = [known[so_far], *(v if v.type == wide else arith.extf(wide, v) for v in others)]
        return [ir.Operation.create(join.name, [wide], operands).results[0]]

    with ir.InsertionPoint(found.op), found.op.location:
        start = _start(out, kind, here, every)
        made = generic(found.inputs, [start], found.maps, found.iterators, body)
        narrow = generic(
            made.results, [empty(out.type)], here, every, lambda given: [arith.truncf(out.type.element_type, given[0])]
        )
    found.op.results[0].replace_all_uses_with(narrow.results[0])
    found.op.erase()


def _product(join: Any) -> Any:
    """The product that `join` adds, and nothing else takes."""
    made = [v.owner.operation for v in join.operands if not isinstance(v.owner, ir.Block) and v.owner.name == "arith.mulf"]
    alone = [op for op in made if op.block == join.block and len(list(op.results[0].uses)) == 1]
    return alone[0] if join.name == "arith.addf" and alone else None


def _start(out: Any, kind: Any, maps: list[Any], iterators: list[str]) -> Any:
    """What is there at first, in f32."""
    wide = kind.element_type
    if not isinstance(out.owner, ir.Block) and out.owner.name == "linalg.fill":
        return linalg.fill(arith.extf(wide, out.owner.operands[0]), outs=[empty(kind)])
    return generic([out], [empty(kind)], maps, iterators, lambda given: [arith.extf(wide, given[0])]).results[0]
