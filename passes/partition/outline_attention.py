"""outline-attention."""

from __future__ import annotations

from dataclasses import dataclass, replace

from allo_air.core.cloning import clone
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.device import Device
from allo_air.mlir import ir
from allo_air.passes._analysis.attention import Attention, find_all
from allo_air.passes._analysis.attention_choice import choose
from allo_air.passes._analysis.kernels import KERNEL
from allo_air.passes._ir.device_option import device_option
from allo_air.passes._ir.new_kernel import KernelNames, new_kernel
from allo_air.passes.partition._outline import NOTE


@dataclass(frozen=True)
class OutlineAttention(Pass):
    """Makes a kernel of each group softmax(f(Q K^T)) V that fits the cores, so that its scores never leave the array.

    The group is recognized by what its elements are computed from, through reshapes, transpositions and broadcasts of its
    operands: heads may lie in any dimension, and several share keys and values. Masks may be of any form. Equal groups are one
    kernel. A group that fits no core stays, for kernels of its operations.

    Before:

        func.func @main(%q: tensor<2x256x64xf32>, %k: ..., %v: ...) -> tensor<2x256x64xf32> {
          %t = linalg.transpose ins(%k) ...
          %s = linalg.batch_matmul ins(%q, %t) ...
          // maximum, difference, exp, sum, quotient
          %o = linalg.batch_matmul ins(%p, %v) ...
          return %o

    After:

        func.func private @main_attention(%q, %k, %v) -> tensor<2x256x64xf32> attributes {allo.kernel} { ... }
        func.func @main(%q: tensor<2x256x64xf32>, %k: ..., %v: ...) -> tensor<2x256x64xf32> {
          %o = call @main_attention(%q, %k, %v)
          return %o
    """

    name = "outline-attention"
    anchor = "builtin.module"

    device: str = "npu1"
    cols: int = 0

    def run(self, op: ir.Operation, /) -> None:
        device = device_option(self.name, self.device)
        device = replace(device, columns=min(self.cols or device.columns, device.columns))
        names = KernelNames(op)
        for function in walk_named(op, "func.func"):
            if KERNEL in function.attributes or len(function.regions[0].blocks) != 1:
                continue
            for group in find_all(function):
                _outline(function, group, device, names)


def _outline(function: ir.Operation, group: Attention, device: Device, names: KernelNames) -> None:
    if not choose(group, device, count=1):
        return
    ops, operands = group.ops(), group.operands
    end = group.result.owner.operation
    with end.location:
        made = _kernel(function, ops, operands, group.result)
        name, new = names.of(made, f"{function.attributes['sym_name'].value}_attention")
        if new:
            made.attributes[NOTE] = ir.StringAttr.get("attention, whose scores stay in the cores")
        callee = {"callee": ir.FlatSymbolRefAttr.get(name)}
        call = ir.Operation.create("func.call", [group.result.type], operands, callee, ip=ir.InsertionPoint(end))
    group.result.replace_all_uses_with(call.results[0])
    for op in reversed(ops):
        if not any(list(r.uses) for r in op.results):
            op.erase()


def _kernel(function: ir.Operation, ops: list[ir.Operation], operands: list[ir.Value], result: ir.Value) -> ir.Operation:
    """A private function without a name that computes `result` of `operands` by copies of `ops`."""
    made, block, known = new_kernel(operands, [result.type], function)
    with ir.InsertionPoint(block):
        for op in ops:
            clone(op, known)
        ir.Operation.create("func.return", [], [known[result]])
    return made
