"""simplify-linalg."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.schedule import schedule
from allo_air.core.upstream import run_upstream
from allo_air.core.walking import body_of, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.kernels import APART
from allo_air.passes._ir.accumulate_in_f32 import widen_sums
from allo_air.passes._ir.generic import drop_unused
from allo_air.passes.simplify._affine_chains import merge_affine_chains
from allo_air.passes.simplify._assertions import drop_assertions
from allo_air.passes.simplify._booleans import widen_booleans
from allo_air.passes.simplify._casts import fold_extensions
from allo_air.passes.simplify._concats import show_sizes
from allo_air.passes.simplify._constants import fold_constants
from allo_air.passes.simplify._dead_iterations import drop_dead_iterations, reduce_without_units
from allo_air.passes.simplify._dequantized import sum_dequantized
from allo_air.passes.simplify._diagonals import walk_diagonals
from allo_air.passes.simplify._dynamic_offsets import lower_dynamic_offsets
from allo_air.passes.simplify._exact_constants import fold_exact_constants
from allo_air.passes.simplify._expansions import sink_expansions
from allo_air.passes.simplify._extrema import name_extrema
from allo_air.passes.simplify._filters import fold_into_filters
from allo_air.passes.simplify._gathers import fold_gathers
from allo_air.passes.simplify._index_tensors import store_indices_as_i64
from allo_air.passes.simplify._indices import inline_indices
from allo_air.passes.simplify._insertions import join_insertions
from allo_air.passes.simplify._layouts import merge_copies
from allo_air.passes.simplify._named import generalize
from allo_air.passes.simplify._narrow_floats import narrow_floats
from allo_air.passes.simplify._narrow_integers import narrow_integers
from allo_air.passes.simplify._pads import cut_pads
from allo_air.passes.simplify._powers import expand_powers
from allo_air.passes.simplify._quotients import split_quotients
from allo_air.passes.simplify._rank0_tensors import use_rank0_tensors
from allo_air.passes.simplify._refusals import refuse
from allo_air.passes.simplify._scalars import fill_destinations, fold_splat_extracts, inline_numbers
from allo_air.passes.simplify._scans import block_scans
from allo_air.passes.simplify._split_words import split_words
from allo_air.passes.simplify._undefined import fill_undefined
from allo_air.passes.simplify._unused_results import (
    drop_unread_destinations,
    drop_unused_inputs,
    drop_unused_results,
)


@dataclass(frozen=True)
class SimplifyLinalg(Pass):
    """Rewrites linalg on tensors, from any source, in a few canonical forms.

    Operations other than contractions, convolutions, poolings and fills become linalg.generic. Contractions, convolutions and
    poolings are named operations, and extend narrow operands themselves. Dimensions of a generic are larger than 1 (except next
    to convolutions). Afterwards, no input is a splat, computed numbers are rank-0 tensors, no result is unused, no copy only
    permutes or broadcasts, nothing is computed in f64, bf16 sums are rounded once at their end, and constants are folded.
    What an operation with `allo.apart` becomes has it, too: it gets a kernel of its own.

    Before:

        %w = linalg.generic ins(%x : tensor<64x64xbf16>) outs(%e : tensor<64x64xf32>) { yield (arith.extf %in) }
        %t = linalg.transpose ins(%weight) outs(%f) permutation = [1, 0]
        %v = linalg.generic ins(%t : tensor<64x32xbf16>) outs(%g : tensor<64x32xf32>) { yield (arith.extf %in) }
        %y = linalg.matmul ins(%w, %v : tensor<64x64xf32>, tensor<64x32xf32>) outs(%zero : tensor<64x32xf32>)

    After:

        %t = arith.constant dense_resource<constant> : tensor<64x32xbf16>   // the weight, transposed
        %y = linalg.matmul ins(%x, %t : tensor<64x64xbf16>, tensor<64x32xbf16>) outs(%zero : tensor<64x32xf32>)
    """

    name = "simplify-linalg"

    def run(self, op: AnyOp, /) -> None:
        for function in walk_named(op, "func.func"):
            if _is_on_tensors(function):
                apart = {str(o.location) for o in body_of(function) if APART in o.attributes}
                with function.location:
                    _simplify(function)
                    for inner in body_of(function) if apart else ():
                        if str(inner.location) in apart:
                            inner.attributes[APART] = ir.UnitAttr.get()


def _is_on_tensors(function: ir.Operation) -> bool:
    """Whether a function has one block, and values in it are tensors."""
    blocks = list(function.regions[0].blocks)
    values = [*blocks[0].arguments, *(r for o in blocks[0].operations for r in o.results)] if len(blocks) == 1 else []
    return any(isinstance(v.type, ir.RankedTensorType) for v in values)


def _has_windows(function: ir.Operation) -> bool:
    """Whether there are convolutions or poolings, which have a batch dimension even if it is 1.

    Reshapes would otherwise separate them from the operations before and after.
    """
    return any(o.name.startswith(("linalg.conv_", "linalg.depthwise_conv_", "linalg.pooling_")) for o in body_of(function))


def _simplify(function: ir.Operation) -> None:
    drop_assertions(function)
    show_sizes(function)
    cut_pads(function)
    join_insertions(function)
    fill_undefined(function)
    lower_dynamic_offsets(function)
    run_upstream(function, "convert-elementwise-to-linalg,lower-affine,canonicalize,cse")
    refuse(function)
    if walk_named(function, "linalg.softmax", "linalg.pack", "linalg.unpack"):
        schedule("decompose-aggregates").run(function)
    generalize(function)
    store_indices_as_i64(function)
    split_quotients(function)
    drop_dead_iterations(function)
    reduce_without_units(function)
    drop_unread_destinations(function)
    fill_destinations(function)
    fold_splat_extracts(function)
    inserts = walk_named(function, "tensor.insert")
    use_rank0_tensors(function)
    if inserts:
        join_insertions(function)
        fill_undefined(function)
    inline_numbers(function)
    drop_unused(function)
    drop_unused_results(function)
    fold_exact_constants(function)
    narrow_floats(function)
    widen_sums(function)
    expand_powers(function)
    narrow_integers(function)
    split_words(function)
    widen_booleans(function)
    name_extrema(function)
    drop_unused_inputs(function)
    run_upstream(function, "canonicalize,cse" if _has_windows(function) else "linalg-fold-unit-extent-dims,canonicalize,cse")
    drop_unused_inputs(function)
    inline_indices(function)
    fold_gathers(function)
    walk_diagonals(function)
    drop_unused_inputs(function)
    run_upstream(function, "canonicalize,cse")
    fold_constants(function, copies=True)
    merge_copies(function)
    sink_expansions(function)
    fold_extensions(function)
    fold_constants(function)
    inline_numbers(function)
    fold_splat_extracts(function)
    merge_affine_chains(function)
    drop_unused(function)
    sum_dequantized(function)
    block_scans(function)
    fold_into_filters(function)
    fill_destinations(function, inputs=True)
    drop_unread_destinations(function)
    drop_unused(function)
    run_upstream(function, "canonicalize,cse")
