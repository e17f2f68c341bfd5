"""partition-kernels."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.names import function_type_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.kernels import KERNEL
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.partition._check import check
from allo_air.passes.partition._cost import KernelCosts
from allo_air.passes.partition._grouping import group
from allo_air.passes.partition._outline import Outline
from allo_air.passes.partition._positions import hold_positions
from allo_air.passes.partition._prepare import prepare


@dataclass(frozen=True)
class PartitionKernels(Pass):
    """Partitions each function on tensors into kernels: functions with attribute `allo.kernel`, which it calls.

    A kernel is one of three kinds: a contraction, a convolution or a pooling with the elementwise operations around it;
    operations that share the tiles of the last one and fit a core's memory; or a few small operations that one core computes
    as a whole, if that takes less time than reconfiguring the array. Equal kernels become one function. The function keeps
    calls, constants other than splats, and reshapes, which are free; splats move into kernels. Each of its results is the
    result of a kernel, and only one result. Attribute `allo.partition` of a kernel gives the reason.

    The code of a kernel is known when it has been lowered. If it does not fit into program memory, `allo_air.compile` runs the
    pass again with a smaller `core_code`.

    Before:

        func.func @main(%x: tensor<64x32xf32>, %w: tensor<32x16xf32>) -> tensor<64x16xf32> {
          %0 = linalg.exp ins(%x) outs(%e)
          %1 = linalg.fill ins(%zero) outs(%f)
          %2 = linalg.matmul ins(%0, %w) outs(%1)
          return %2

    After:

        func.func private @main_rows_0(%x: tensor<64x32xf32>) -> tensor<64x32xf32> attributes {allo.kernel} { linalg.exp }
        func.func private @main_contraction_0(%a: tensor<64x32xf32>, %b: tensor<32x16xf32>) -> tensor<64x16xf32>
            attributes {allo.kernel} { linalg.fill, linalg.matmul }
        func.func @main(%x: tensor<64x32xf32>, %w: tensor<32x16xf32>) -> tensor<64x16xf32> {
          %0 = call @main_rows_0(%x)
          %1 = call @main_contraction_0(%0, %w)
          return %1
    """

    name = "partition-kernels"
    anchor = "builtin.module"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    core_code: int = 0
    """Largest code of the operations of a kernel, in bytes as the pass estimates them; 0: any that one core may have."""

    def run(self, op: ir.Operation, /) -> None:
        machine = KernelCosts(device_option(self.name, self.device), self.core_code)
        outline = Outline(op, f"; at most {self.core_code:,} bytes of code, for program memory" * bool(self.core_code))
        for function in walk_named(op, "func.func"):
            if not _is_program(function):
                continue
            check(function)
            prepare(function)
            hold_positions(function, machine.device)
            [block] = function.regions[0].blocks
            outline.run(function, group(block, machine))


def _is_program(function: ir.Operation) -> bool:
    """Whether `function` works on tensors and is not a kernel yet."""
    if not len(function.regions[0].blocks) or KERNEL in function.attributes:
        return False
    kind = function_type_of(function)
    tensors = [t for t in (*kind.inputs, *kind.results) if isinstance(t, ir.RankedTensorType | ir.UnrankedTensorType)]
    return bool(tensors) and not walk_named(function, "scf.forall")
