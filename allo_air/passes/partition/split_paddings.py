"""split-paddings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.arch.limits import core_room
from allo_air.core.cloning import clone, replace
from allo_air.core.functions import call_function
from allo_air.core.names import set_function_type
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, func, ir
from allo_air.passes._analysis.kernels import calls_of, is_kernel
from allo_air.passes._analysis.moves import moves_of
from allo_air.passes._ir.device_option import device_option
from allo_air.passes._ir.new_kernel import KernelNames, new_kernel
from allo_air.passes.partition._embed import is_large, pad_in_steps

if TYPE_CHECKING:
    from allo_air.mlir import linalg


@dataclass(frozen=True)
class SplitPaddings(Pass):
    """Pads an argument of a kernel in two steps if no padded tile of it fits a core.

    A tile contains padded dimensions whole. The kernel itself pads the first dimension. A new kernel, which callers call first,
    pads the others. Kernels whose pads moved to their packing (`pack-convolutions`) have no pads and stay unchanged.

    Before:

        func.func private @k(%x: tensor<1x3x299x299xf32>, ...) {
          %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] : tensor<1x3x299x299xf32> to tensor<1x3x301x301xf32>
        ...
          %y = call @k(%x, ...)

    After:

        func.func private @padding_0(%x: tensor<1x3x299x299xf32>) -> tensor<1x3x299x301xf32> {
          %p = tensor.pad %x low[0, 0, 0, 1] high[0, 0, 0, 1]
          %c = linalg.copy ins(%p) outs(%e)
        func.func private @k(%x: tensor<1x3x299x301xf32>, ...) {
          %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 1, 0] : tensor<1x3x299x301xf32> to tensor<1x3x301x301xf32>
        ...
          %q = call @padding_0(%x)
          %y = call @k(%q, ...)
    """

    name = "split-paddings"
    works_on = ("tensor.pad",)
    anchor = "builtin.module"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""

    def run(self, op: AnyOp, /) -> None:
        memory = core_room(device_option(self.name, self.device))
        names: KernelNames | None = None
        for function in [f for f in walk_named(op, "func.func") if is_kernel(f) and moves_of(f) is None]:
            for pad in walk_named(function, "tensor.pad"):
                source = pad.operands[0]
                if not isinstance(source, ir.BlockArgument) or len(list(source.uses)) != 1 or not is_large(pad, memory):
                    continue
                with ir.InsertionPoint(pad), pad.location:
                    result = pad_in_steps(pad, memory)
                if result is not None:
                    names = names or KernelNames(op)
                    replace(pad, [result])
                    _hand_over(function, source, result.owner.operands[0].owner, names)


def _hand_over(function: ir.Operation, argument: Any, copy: linalg.CopyOp, names: KernelNames) -> None:
    """Makes callers of `function` call a kernel that performs `copy` for `argument`. The argument has no other use."""
    number, kind = argument.arg_number, copy.results[0].type
    inner = copy.operands[0].owner.operation
    ops = [copy.operands[1].owner.operation, inner, copy.operation]
    [block] = inner.regions[0].blocks
    last_op = block.operations[-1].operands[0].owner.operation
    result, body, mapping = new_kernel([argument], [kind], function)
    with ir.InsertionPoint(body), copy.location:
        for op in (last_op, *ops):
            clone(op, mapping)
        func.ReturnOp([mapping[copy.results[0]]])
    name, _ = names.of(result, "padding")
    replace(copy, [argument])
    inner.erase()
    argument.set_type(kind)
    set_function_type(function)
    for call in calls_of(function):
        with ir.InsertionPoint(call), call.location:
            call.operands[number] = call_function(name, [kind], [call.operands[number]]).results[0]
