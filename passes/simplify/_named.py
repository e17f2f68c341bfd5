"""Named elementwise operations as linalg.generic."""

from __future__ import annotations

from allo_air.core.walking import walk_pre_order
from allo_air.mlir import AnyOp
from allo_air.passes._ir.named import ELEMENTWISE, write_out

_NAMES = ELEMENTWISE | {f"linalg.{name}" for name in ("broadcast", "copy", "reduce", "transpose")}


def generalize(function: AnyOp) -> None:
    """Writes the named operations that are neither contraction, convolution, pooling nor fill as linalg.generic.

    Before:
        %t = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
    After:
        %t = linalg.generic {indexing_maps = [(d0, d1) -> (d1, d0), (d0, d1) -> (d0, d1)], ...} ins(%x) outs(%e) { yield %in }
    """
    write_out(function, [o for o in walk_pre_order(function) if o.name in _NAMES and len(o.results)])
