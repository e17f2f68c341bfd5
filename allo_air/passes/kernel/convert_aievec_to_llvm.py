"""convert-aievec-to-llvm."""

from dataclasses import dataclass
from typing import Literal

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects import load
from allo_air.errors import PassError
from allo_air.mlir import AnyOp, ir
from allo_air.passes.kernel._aievec_instructions import RULES

_KNOWN = ", ".join(name.removeprefix("aievec.") for name in RULES)


@dataclass(frozen=True)
class ConvertAievecToLlvm(Pass):
    """Lowers AIEVec operations to AIE2 instructions: for parts of vectors, conversions, splats, lanes, sums, products, extrema,
    matrix products.

    Elementwise products are supported for 32 lanes of i8 or i16, and for 16 lanes of bf16. Calls of functions stay. For AIE2p
    nothing is lowered, since this pass does not know its instructions.

    Before:

        %r = aievec.ext %v {index = 1 : i8} : vector<64xi8>, vector<32xi8>

    After:

        %0 = llvm.mlir.constant(1 : i32) : i32
        %1 = llvm.bitcast %v : vector<64xi8> to vector<16xi32>
        %2 = "xllvm.intr.aie2.ext.I256.I512"(%1, %0) : (vector<16xi32>, i32) -> vector<8xi32>
        %r = llvm.bitcast %2 : vector<8xi32> to vector<32xi8>
    """

    name = "convert-aievec-to-llvm"
    aie_target: Literal["aie", "aie2", "aieml", "aie2p"] = "aie2"
    """The architecture of the cores."""
    aie2_fp32_emulation_strategy: Literal["accuracy-safe", "accuracy-fast", "accuracy-low"] = "accuracy-safe"
    """How f32 is multiplied; accepted for compatibility, without effect here."""
    strict: bool = False
    """Fail if AIEVec operations remain."""

    def run(self, op: AnyOp, /) -> None:
        if self.aie_target in ("aie2", "aieml"):
            load(op.context, ("xllvm",))
            for item in walk_named(op, *RULES):
                with ir.InsertionPoint(item), item.location:
                    result = RULES[item.name](item.opview)
                if result is not None:
                    item.results[0].replace_all_uses_with(result)
                    item.erase()
        if self.strict:
            _refuse_rest(op)


def _refuse_rest(op: AnyOp) -> None:
    from allo_air.dialects.aievec_meaning import NAMES

    for item in walk_named(op, *NAMES):
        types = ", ".join(str(value.type) for value in (*item.operands, *item.results))
        raise PassError(
            f"on {types} is not lowered to instructions of AIE2; supported are {_KNOWN}, on whole registers",
            item.location,
            item.name,
        )
