"""generalize-movement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from allo_air.arch.limits import core_room
from allo_air.core.cloning import replace
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.kernels import IN_PLACE, MOVED_BY_HOST
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.partition import _embed
from allo_air.passes.partition._embed import is_constant, is_large
from allo_air.passes.partition._gather import gather
from allo_air.passes.partition._host_relayout import mark_for_caller
from allo_air.passes.partition._move import concat, slice_of
from allo_air.passes.partition._slices import reshape_first, slice_first
from allo_air.passes.partition._stacks import sink_stacks
from allo_air.passes.partition._wide_concat import nest_concats
from allo_air.plan.schema import PLAN

_REWRITES: tuple[dict[str, Callable[[Any, int], Any]], ...] = (
    {"tensor.expand_shape": reshape_first, "tensor.collapse_shape": reshape_first},
    {"tensor.extract_slice": slice_first},
    {"tensor.extract_slice": slice_of, "tensor.concat": concat},
)
_LARGE: dict[str, Callable[[Any, int], Any]] = {
    "tensor.concat": _embed.concat,
    "tensor.insert_slice": _embed.insert_slice,
    "tensor.pad": _embed.pad,
}


@dataclass(frozen=True)
class GeneralizeMovement(Pass):
    """Rewrites movements that no DMA can do as linalg.generic, which is tiled and fused like any computation.

    * A slice that is strided, or starts inside a 32-bit word, becomes a copy by a map with offsets and strides.
    * Tensors are concatenated a few at a time. Tensors of one type are selected by index; an elementwise operation that reads
      the result gets the dimensions of the parts, so that one kernel does both. Other tensors that are too large for a core,
      and insertions into a large tensor, are padded to the size of the result; a strided insertion is dilated before that.
    * An insertion into a splat constant becomes a pad with its number. An insertion into any other constant, or of a constant,
      becomes a selection by index.
    * A pad without a tile that fits is done in two steps.
    * A tensor.extract with computed indices in the body of a linalg.generic becomes a loop over all elements that selects one.
    * Reshapes of slices become slices of reshapes, so that users can read the slice; slices of transpositions that elementwise
      operations read become transpositions of slices, which these operations do.
    * Copies and pads of odd bytes of arguments and constants are left to `assign-layouts` if they are too large for a core.

    A kernel with a plan stays unchanged.

    Before:

        %s = tensor.extract_slice %x[0, 8] [16, 4] [1, 2] : tensor<16x16xf32> to tensor<16x4xf32>
        %r = linalg.generic ins(%i : tensor<9xi64>) outs(%e : tensor<9x16xf32>) {
          yield (tensor.extract %table[%in, linalg.index 1] : tensor<50x16xf32>)

    After:

        %s = linalg.generic {(d0, d1) -> (d0, d1 * 2 + 8), (d0, d1) -> (d0, d1)} ins(%x) outs(%e0) { yield %in }
        %r = linalg.generic {(d0, d1, d2) -> (d0), (d2, d1), (d0, d1)} ["parallel", "parallel", "reduction"]
            ins(%i, %table) outs(%zeros) { yield (arith.select (%in == linalg.index 2), %element, %out) }
    """

    name = "generalize-movement"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""

    def run(self, op: AnyOp, /) -> None:
        memory = core_room(device_option(self.name, self.device))
        for function in walk_named(op, "func.func"):
            if PLAN in function.attributes:
                continue
            nest_concats(function)
            for generic in walk_named(function, "linalg.generic"):
                with generic.location:
                    gather(generic)
            for rewrites in _REWRITES:
                for item in [o for o in walk_named(function, *rewrites) if IN_PLACE not in o.attributes]:
                    with ir.InsertionPoint(item), item.location:
                        result = rewrites[item.name](item, memory)
                    if result is not None:
                        replace(item, [result])
            sink_stacks(function)
            for name, rewrite in _LARGE.items():
                for item in [o for o in walk_named(function, name) if _needs_rewrite(o, memory) and not _is_done_elsewhere(o)]:
                    with ir.InsertionPoint(item), item.location:
                        result = rewrite(item, memory)
                    if result is not None:
                        replace(item, [result])
                for item in walk_named(function, "tensor.pad"):
                    mark_for_caller(item, memory)


def _is_done_elsewhere(op: ir.Operation) -> bool:
    """Whether the caller or the kernels of the parts perform `op`."""
    return MOVED_BY_HOST in op.attributes or IN_PLACE in op.attributes


def _needs_rewrite(op: AnyOp, memory: int) -> bool:
    """Whether a core with `memory` bytes cannot perform `op` directly: it is large, or a constant is inserted or inserted
    into.
    """
    return is_large(op, memory) or (op.name == "tensor.insert_slice" and any(map(is_constant, list(op.operands)[:2])))
