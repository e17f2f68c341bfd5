"""convert-vector-to-aievec."""

from dataclasses import dataclass
from typing import Literal

from allo_air.arch import core_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects import load
from allo_air.mlir import AnyOp, ir
from allo_air.passes.kernel._aievec_arithmetic import ARITHMETIC
from allo_air.passes.kernel._aievec_moves import MOVES
from allo_air.passes.kernel._aievec_registers import Target, bits

_ARCHITECTURES = {"aie2": "AIE2", "aieml": "AIE2", "aie2p": "AIE2p"}
"""Architectures by mlir-aie's names."""
_RULES = MOVES | ARITHMETIC
_FIRST = ("arith.select", "vector.contract", "vector.fma", "arith.addf", "arith.muli", "arith.mulf", "arith.trunci")
"""Operations that absorb the operations of their operands; they are converted first."""
_TAKEN = (
    "arith.extf", "arith.extsi", "arith.extui", "arith.cmpi", "arith.cmpf", "arith.shrsi", "arith.mulf", "arith.constant",
    "aievec.broadcast_scalar", "aievec.mul_elem", "aievec.srs", "aievec.ups", "aievec.cast",
)  # fmt: skip
_REST = tuple(name for name in _RULES if name not in (*_FIRST, "arith.constant"))


@dataclass(frozen=True)
class ConvertVectorToAievec(Pass):
    """Converts arithmetic on vectors that fill the registers of a core to AIEVec; vectors of other lengths are unchanged.

    The set of operations and lengths is that of mlir-aie (docs/sources.md#vector-kernels). Operations that mlir-aie would
    reject later stay, too.

    Before (`convert-vector-to-aievec{aie-target=aie2 target-backend=llvmir}`):

        %r = arith.mulf %a, %b : vector<16xbf16>

    After:

        %0 = aievec.mul_elem %a, %b : vector<16xbf16>, vector<16xbf16>, vector<16xf32>
        %c0_i32 = arith.constant 0 : i32
        %r = aievec.srs %0, %c0_i32 : vector<16xf32>, i32, vector<16xbf16>
    """

    name = "convert-vector-to-aievec"
    aie_target: Literal["aie", "aie2", "aieml", "aie2p"] = "aie2"
    """The architecture of the cores; for aie, which is AIE1, nothing is changed."""
    target_backend: Literal["cpp", "llvmir"] = "cpp"
    """The consumer of the result: C++ needs AIEVec operations for some integer arithmetic that LLVM has itself."""
    bf16_emulation: bool = False
    """Multiply f32 as bf16, with results of f32."""
    shift: int = 0
    """Shift of AIE1's products; accepted for compatibility."""

    def run(self, op: AnyOp, /) -> None:
        if self.aie_target == "aie":
            return
        load(op.context, ("aievec",))
        target = Target(core_of(_ARCHITECTURES[self.aie_target]), self.target_backend, self.bf16_emulation)
        for names in (_FIRST, _REST, ("arith.constant",)):
            for name in names:
                for item in walk_named(op, name):
                    _convert(item, target)
            _drop_unused(op)


def _convert(op: ir.Operation, target: Target) -> None:
    with ir.InsertionPoint(op), op.location:
        result = _RULES[op.name](op, target)
    if result is not None:
        op.results[0].replace_all_uses_with(result)
        op.erase()


def _drop_unused(op: AnyOp) -> None:
    """Erases operations that others have absorbed: extensions, comparisons, shifts and products without uses."""
    changed = True
    while changed:
        changed = False
        for item in reversed(walk_named(op, *_TAKEN)):
            if next(iter(item.results[0].uses), None) is None and bits(item.results[0].type):
                item.erase()
                changed = True
