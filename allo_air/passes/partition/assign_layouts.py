"""assign-layouts."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.names import callee_of, function_type_of, sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.device_option import device_option


@dataclass(frozen=True)
class AssignLayouts(Pass):
    """Assigns layouts at the boundaries of kernels: which side pads, crops and reshapes each tensor.

    Constants are changed now. The caller changes arguments and results, as `allo_air.host_buffers` says; an argument that
    kernels take in two layouts becomes two buffers. An intermediate stays in place if its layouts differ only in length; the
    buffer is then as long as the longer one. This includes columns that the producing kernel fills with zeros by a mask
    (`mask-padding`). Any other change becomes a kernel of its own. If several steps (as unpacking, padding and packing between
    convolutions) consist of a few boxes of words, and streams between external memories are faster than cores, one kernel of
    streams does all of them. Layouts are paddings and copies by affine maps.

    Before:

        func.func @f(%x: tensor<7x5xbf16>) -> tensor<7x13xf32> {
          %w = arith.constant dense<1.0> : tensor<5x13xbf16>
          %a = tensor.pad %x low[0, 0] high[1, 3] {...} : tensor<7x5xbf16> to tensor<8x8xbf16>
          %b = tensor.pad %w low[0, 0] high[3, 3] {...} : tensor<5x13xbf16> to tensor<8x16xbf16>
          %c = call @k(%a, %b) : (tensor<8x8xbf16>, tensor<8x16xbf16>) -> tensor<8x16xf32>
          %d = tensor.extract_slice %c[0, 0] [7, 13] [1, 1] : tensor<8x16xf32> to tensor<7x13xf32>
          return %d : tensor<7x13xf32>
        }

    After:

        func.func @f(%x: tensor<8x8xbf16>) -> tensor<8x16xf32> attributes {allo_air.host_buffers = {
            takes = [tensor<7x5xbf16>], holds = [{argument = 0 : i64, view = array<i64: 7, 5>}],
            gives = [{place = 1 : i64, type = tensor<7x13xf32>, view = array<i64: 7, 13>}]}} {
          %w = arith.constant dense<[...]> : tensor<8x16xbf16>
          %c = call @k(%x, %w) : (tensor<8x8xbf16>, tensor<8x16xbf16>) -> tensor<8x16xf32>
          return %c : tensor<8x16xf32>
        }
    """

    name = "assign-layouts"
    anchor = "builtin.module"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    cols: int = 0
    """The columns that may be used, 0 for all."""

    def run(self, op: AnyOp, /) -> None:
        device = device_option(self.name, self.device, cols=self.cols)
        functions = [f for f in walk_named(op, "func.func") if len(f.regions[0].blocks)]
        names = {sym_name_of(f) for f in functions}
        calling = [f for f in functions if any(callee_of(c) in names for c in walk_named(f, "func.call")) and _is_on_tensors(f)]
        if not calling:
            return
        from allo_air.passes.partition._program_layouts import ProgramLayouts, Relayouts  # which single kernels do without

        relayouts = Relayouts(op, device)
        for function in calling:
            ProgramLayouts(function, relayouts).assign()


def _is_on_tensors(function: ir.Operation) -> bool:
    kind = function_type_of(function)
    return any(isinstance(t, ir.RankedTensorType) for t in (*kind.inputs, *kind.results))
