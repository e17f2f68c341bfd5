"""legalize-arithmetic."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named, walk_pre_order
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._analysis.requantisation import constant_splat
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.kernel import _requantized, _vector_casts, _vector_floats, _vector_integers, _vector_products
from allo_air.passes.kernel._flat_vectors import flatten_vectors
from allo_air.passes.kernel._op_signature import signature_of
from allo_air.passes.kernel._scalar_floats import on_lanes


@dataclass(frozen=True)
class LegalizeArithmetic(Pass):
    """Rewrites arithmetic in forms that mlir-aie's tool chain supports on the device.

    The rules for vectors are those of `aie-check-core-code`:
    * f32 is compared and selected as i32; NaN counts as beyond the infinity of its sign, unless the predicate treats it
      specially;
    * conversions between bytes or i16 and floats go through i32 and the bits of a large float;
    * 16 bytes become i32 through i16, and 16 bits become bytes and the reverse through i32;
    * conditions are combined as numbers: `and` is the minimum, `or` the maximum;
    * a right shift of i32 takes the upper half of a left shift, which rounds down in any mode of the core. If a truncation
      clamps the result, it is clamped before the shift. One instruction shifts, clamps and truncates 32 of them to bytes; it
      rounds nothing, since the dropped bits are cleared first;
    * an i32 becomes a float by its halves;
    * a difference of i32 becomes the sum with the negated number (AIE2), or works on vectors of 8 lanes (AIE2p);
    * products of bf16 that are added to f32 become vector.fma; a constant factor stays an extended bf16 even if later passes
      fold constants. Other f32 products become, on AIE2p, those of up to three bf16 parts for each factor, without the three
      smallest; on AIE2, a sum with a product becomes the difference with the negated one.
    Arithmetic on vectors of several dimensions works on all lanes as one dimension, apart from contractions.
    Sums, products and quotients of f32 scalars are computed on lanes, as those of scalars are calls of the run-time library.
    A scalar i32 is shifted as an index: its arithmetic right shift would become a vector shift, which rounds by the core's
    rounding mode (docs/sources.md#vector-kernels).
    Run it after `approximate-math`, and `cse` after it.

    Before:

        %r = arith.select %c, %x, %y : vector<16xi1>, vector<16xf32>

    After:

        %a = arith.bitcast %x : vector<16xf32> to vector<16xi32>
        %b = arith.bitcast %y : vector<16xf32> to vector<16xi32>
        %s = arith.select %c, %a, %b : vector<16xi1>, vector<16xi32>
        %r = arith.bitcast %s : vector<16xi32> to vector<16xf32>
    """

    name = "legalize-arithmetic"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    scalars: bool = True
    """Computes f32 scalars on lanes; if false, they stay calls of the run-time library."""

    def run(self, op: AnyOp, /) -> None:
        arch = device_option(self.name, self.device).arch
        flatten_vectors(op)
        if self.scalars:
            on_lanes(op, arch)
        for rules in (
            _requantized.SHORTER,
            _requantized.APART,
            _vector_casts.RULES,
            {**_vector_floats.RULES, **_vector_integers.RULES},
            _vector_products.SUMS,
            _vector_products.RULES,
            _vector_products.SUMS,
        ):
            for item in walk_pre_order(op):
                rule = rules.get(item.name)
                if rule is None or not isinstance(item.results[0].type, ir.VectorType):
                    continue
                with ir.InsertionPoint(item), item.location:
                    value = rule(item, signature_of(item), arch)
                if value is not None:
                    item.results[0].replace_all_uses_with(value)
                    item.erase()
        for shift in walk_named(op, "arith.shrsi"):
            if str(shift.results[0].type) == "i32" and constant_splat(shift.operands[1]) != 0:
                _shift_as_index(shift)


def _shift_as_index(shift: ir.Operation) -> None:
    with ir.InsertionPoint(shift), shift.location:
        index = ir.IndexType.get()
        shifted = arith.shrsi(*(arith.index_cast(index, v) for v in shift.operands))
        shift.results[0].replace_all_uses_with(arith.index_cast(shift.results[0].type, shifted))
    shift.erase()
