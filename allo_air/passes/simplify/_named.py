"""Rewrites named elementwise operations as linalg.generic."""

from __future__ import annotations

from allo_air.core.walking import walk_pre_order
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.named import ELEMENTWISE, generalize_named

_NAMES = ELEMENTWISE | {f"linalg.{name}" for name in ("broadcast", "copy", "reduce", "transpose")}
_KEPT = ("linalg.fill", "linalg.generic", "linalg.softmax", "linalg.pack", "linalg.unpack")


def generalize(function: AnyOp) -> None:
    """Rewrites named operations other than contractions, convolutions, poolings and fills as linalg.generic.

    Contractions and the like of single bits are rewritten, too: their products and sums are "and" and "or". So are matrix
    multiplications whose operand has no rows or columns, as (m, n, k) -> (k): they are sums that are broadcast.

    Before:

        %t = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]

    After:

        %t = linalg.generic {indexing_maps = [(d0, d1) -> (d1, d0), (d0, d1) -> (d0, d1)], ...} ins(%x) outs(%e) { yield %in }
    """
    ops = [o for o in walk_pre_order(function) if o.name.startswith("linalg.") and len(o.results)]
    generalize_named(
        function, [o for o in ops if o.name in _NAMES or (o.name not in _KEPT and (_is_of_bits(o) or _is_broadcast(o)))]
    )


def _is_of_bits(op: AnyOp) -> bool:
    kinds = [v.type for v in op.operands if isinstance(v.type, ir.RankedTensorType)]
    return any(kind.element_type == ir.IntegerType.get_signless(1) for kind in kinds)


def _is_broadcast(op: AnyOp) -> bool:
    """Whether an operand of a matrix multiplication has fewer dimensions than a matrix."""
    return op.name in ("linalg.matmul", "linalg.batch_matmul") and any(v.type.rank < 2 for v in op.operands)
