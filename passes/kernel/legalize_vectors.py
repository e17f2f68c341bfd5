"""legalize-vectors."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_pre_order
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.kernel import _requantized, _vector_casts, _vector_floats, _vector_integers, _vector_products
from allo_air.passes.kernel._op_signature import signature_of


@dataclass(frozen=True)
class LegalizeVectors(Pass):
    """Writes arithmetic on vectors in forms that mlir-aie's tool chain takes on the device.

    By the rules of `aie-check-core-code`:

    * f32 is compared and selected as i32; NaN counts as beyond the infinity of its sign, unless a predicate asks for it;
    * bytes and i16 become floats, and floats them, by way of i32 and the bits of a large float;
    * 16 bytes become i32 by way of i16;
    * conditions are combined as numbers, of which the smaller one is both, the greater one either;
    * an i32 is shifted to the right by keeping the upper half of what is shifted to the left, which rounds down in any mode of
      the core; where a truncation clamps it, it is clamped before; 32 of them that become bytes are shifted, clamped and
      truncated by one instruction, which rounds nothing, as the bits that go are cleared before;
    * an i32 becomes a float by its halves;
    * an i32 is subtracted by adding what it is less than nothing (AIE2), or in vectors of 8 lanes (AIE2p);
    * products of bf16 that are added to f32 are vector.fma, of which a constant factor stays an extended bf16 whatever folds
      constants behind this pass; other f32 products become, on AIE2p, those of up to three bf16 for
      each factor, of which the three smallest are left out; on AIE2, a sum of a product is the difference of the negated one.

    Run it after `approximate-math`, and `cse` after it.

    Before:

        %r = arith.select %c, %x, %y : vector<16xi1>, vector<16xf32>

    After:

        %a = arith.bitcast %x : vector<16xf32> to vector<16xi32>
        %b = arith.bitcast %y : vector<16xf32> to vector<16xi32>
        %s = arith.select %c, %a, %b : vector<16xi1>, vector<16xi32>
        %r = arith.bitcast %s : vector<16xi32> to vector<16xf32>
    """

    name = "legalize-vectors"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""

    def run(self, op: AnyOp, /) -> None:
        arch = device_option(self.name, self.device).arch
        for rules in (
            _requantized.SHORTER,
            _requantized.APART,
            _vector_casts.RULES,
            {**_vector_floats.RULES, **_vector_integers.RULES},
            _vector_products.SUMS,
            _vector_products.RULES,
            _vector_products.SUMS,
        ):
            for found in walk_pre_order(op):
                rule = rules.get(found.name)
                if rule is None or not isinstance(found.results[0].type, ir.VectorType):
                    continue
                with ir.InsertionPoint(found), found.location:
                    value = rule(found, signature_of(found), arch)
                if value is not None:
                    found.results[0].replace_all_uses_with(value)
                    found.erase()
