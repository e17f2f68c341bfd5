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
        # What products are added to is added at last, where those who multiply matrices look for it.
        later = [out] if _product(join) is not None and not _is_fill(out) else []
        start = linalg.fill(arith.constant(wide, 0.0), outs=[empty(kind)]) if later else _start(out, kind, here, every)
        made = generic(found.inputs, [start], found.maps, found.iterators, body)

        def narrowed(given: list[Any]) -> list[Any]:
            total = arith.addf(given[0], arith.extf(wide, given[1])) if later else given[0]
            return [arith.truncf(out.type.element_type, total)]

        narrow = generic([*made.results, *later], [empty(out.type)], [*here, *here[: len(later)]], every, narrowed)
    found.op.results[0].replace_all_uses_with(narrow.results[0])
    found.op.erase()


def _product(join: Any) -> Any:
    """The product that `join` adds, and nothing else takes."""
    made = [v.owner.operation for v in join.operands if not isinstance(v.owner, ir.Block) and v.owner.name == "arith.mulf"]
    alone = [op for op in made if op.block == join.block and len(list(op.results[0].uses)) == 1]
    return alone[0] if join.name == "arith.addf" and alone else None


def _is_fill(out: Any) -> bool:
    return not isinstance(out.owner, ir.Block) and out.owner.name == "linalg.fill"


def _start(out: Any, kind: Any, maps: list[Any], iterators: list[str]) -> Any:
    """What is there at first, in f32."""
    wide = kind.element_type
    if not _is_fill(out):
        return generic([out], [empty(kind)], maps, iterators, lambda given: [arith.extf(wide, given[0])]).results[0]
    value = out.owner.operands[0]
    if not isinstance(value.owner, ir.Block) and value.owner.name == "arith.constant":
        return linalg.fill(arith.constant(wide, value.owner.attributes["value"].value), outs=[empty(kind)])
    return linalg.fill(arith.extf(wide, value), outs=[empty(kind)])
