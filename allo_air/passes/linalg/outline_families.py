"""outline-families."""

from __future__ import annotations

from dataclasses import dataclass, replace

from allo_air.core.cloning import clone
from allo_air.core.match import NoMatch
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.kernels import KERNEL
from allo_air.passes._ir.device_option import device_option
from allo_air.passes._ir.divided import NOTE
from allo_air.passes._ir.new_kernel import KernelNames, new_kernel
from allo_air.passes.linalg._families import families, inline
from allo_air.plan.family import Family, Found, Target
from allo_air.plan.schema import attach


@dataclass(frozen=True)
class OutlineFamilies(Pass):
    """Outlines the operations that a family of kernels recognizes and has a plan for as a kernel with that plan.

    A family is a file of its own (`allo_air.plan.family`). There is `grouped`: matrix multiplications of groups of
    rows, each with its own weight, whose results follow one another. What has no plan stays for other passes.

    Before:

        func.func @main(%x: tensor<96x64xbf16>, %w: tensor<3x64x32xbf16>) -> tensor<96x32xf32> {
          %a = linalg.matmul ins(%x[0, 0] [40, 64], %w[0, 0, 0] [1, 64, 32])
          %b = linalg.matmul ins(%x[40, 0] [56, 64], %w[2, 0, 0] [1, 64, 32])
          %r = tensor.concat dim(0) %a, %b

    After:

        func.func private @main_grouped_0(%x, %w) -> tensor<96x32xf32>
            attributes {allo.kernel, allo.plan = {family = "grouped", ...}} { the same operations }
        func.func @main(%x: tensor<96x64xbf16>, %w: tensor<3x64x32xbf16>) -> tensor<96x32xf32> {
          %r = call @main_grouped_0(%x, %w)
    """

    name = "outline-families"
    anchor = "builtin.module"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    cols: int = 0
    """Columns of the array that may be used, 0 for all."""
    bfp16: bool = False
    """Multiply bf16 in AIE2p's block floating point, which rounds operands to blocks of 8 with one exponent."""

    def run(self, op: ir.Operation, /) -> None:
        device = device_option(self.name, self.device)
        target = Target(replace(device, columns=min(self.cols or device.columns, device.columns)), self.bfp16)
        names = KernelNames(op)
        for function in walk_named(op, "func.func"):
            if KERNEL in function.attributes or len(function.regions[0].blocks) != 1:
                continue
            for family in families().values():
                for item in family.find(function):
                    _outline(function, family, item, target, names)


def _outline(function: ir.Operation, family: Family, item: Found, target: Target, names: KernelNames) -> None:
    end = item.result.owner.operation
    with end.location:
        result, block, mapping = new_kernel(item.operands, [item.result.type], function)
        with ir.InsertionPoint(block):
            for op in item.ops:
                clone(op, mapping)
            ir.Operation.create("func.return", [], [mapping[item.result]])
        name, new = names.of(result, f"{sym_name_of(function)}_{family.name}")
        callee = {"callee": ir.FlatSymbolRefAttr.get(name)}
        call = ir.Operation.create("func.call", [item.result.type], item.operands, callee, ip=ir.InsertionPoint(end))
    item.result.replace_all_uses_with(call.results[0])
    for op in reversed(item.ops):
        if not any(True for r in op.results for _ in r.uses):
            op.erase()
    if not new:
        return
    plan = family.plan(result, target)  # columns are chosen by what else the program has
    if isinstance(plan, NoMatch):
        inline(result)
        return
    attach(result, plan)
    result.attributes[NOTE] = ir.StringAttr.get(family.note)
