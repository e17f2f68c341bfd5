"""pack-convolutions: divides convolutions into blocks of micro-tiles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from math import inf, prod

from allo_air.arch import arch_of
from allo_air.core import two_processes
from allo_air.core.names import callee_of, sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.device import Device
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.columns import COLUMNS, on_columns, price, reconfiguration, record_columns
from allo_air.passes._analysis.kernels import KERNEL, calls_of, content_of, is_kernel
from allo_air.passes._ir.device_option import device_option, refuse_blocks
from allo_air.passes._ir.divided import compute_ops
from allo_air.passes._ir.divided import divide as split_function
from allo_air.passes.map._block_cost import Price
from allo_air.passes.map._blocks import Blocks
from allo_air.passes.map._convolution import Convolution, convolution_of
from allo_air.passes.map._division import divide, plan_with_price
from allo_air.passes.map._packed_kernels import Packed, PackedEpilogue, Packing
from allo_air.passes.map._packed_poolings import Pooling, pooling_between
from allo_air.passes.map._packing_cost import Letters, Unpacked, is_faster, moved_images
from allo_air.passes.map._phases import PhasedPacking, fits, in_phases
from allo_air.passes.map._searches import SEARCHES
from allo_air.passes.map._shared_convolutions import share_convolutions
from allo_air.plan.schema import PLAN


@dataclass(frozen=True)
class PackConvolutions(Pass):
    """Divides a convolution kernel into blocks of micro-tiles that the cores multiply in one instruction.

    A micro-tile holds distant pixels of a row (or column), with some channels each. The pixels one position further also form
    a micro-tile, and every load of a core is aligned. Calls pack padded images and weights, and unpack results, by pads,
    copies and slices; `assign-layouts` leaves these to the caller if it can. Rows at the edges of blocks are stored in both
    blocks.
    In a depthwise convolution, a micro-tile is a vector of channels, multiplied by elementwise code; for integers, it is eight
    channels, multiplied by a matrix with their weights on its diagonal. In a convolution with other groups, each group is a
    block of channels with its own image. If an image of few channels comes from the caller, the
    pixels that a stride skips may become channels: a window of 7x7 with stride 2 on 3 channels is one of 4x4 on 16.
    The choice is stored in `allo.plan` for `expand-families`. A convolution stays unchanged if the cores have no such
    instruction for its types, or if it takes less time than packing between kernels. The epilogue becomes a kernel of its own
    if that takes less time; it works on the blocks. A result in the blocks of the kernel that reads it stays packed.
    A pooling between packed convolutions becomes one with channels last, whose image callers pad.
    Convolutions that differ only in an added tensor become one kernel, if the additional time of all calls is less than that of
    loading configurations at each change; where nothing is added, callers pass zeros.

    Before (on npu1):

        func.func private @k(%x: tensor<1x64x56x56xbf16>, %w: tensor<64x64x3x3xbf16>) -> tensor<1x64x56x56xf32> {
          %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1]
          %r = linalg.generic ... ins(%p, %w)
        ...
          %y = call @k(%x, %w)

    After:

        func.func private @k(%x: tensor<1x8x1x8x9x16x4x8xbf16>, %w: tensor<4x8x4x3x3x8x4xbf16>) -> ... {
          // (b, o, p, g, c, f, y, x, u, v, m, n, k): (b, o, p, c, y + u, x + v, m, k), (g, c, f, u, v, k, n)
          %r = linalg.generic
        ...
          %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1]
          %i = linalg.generic ins(%p) // (b, o, p, c, y, x, m, k): (b, 8 c + k, 7 o + y, 14 m + x)
          %r = call @k(%i, %v)
          %t = linalg.generic ins(%r) // the dimensions of each of the host's side by side
          %c = tensor.collapse_shape %t
    """

    name = "pack-convolutions"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    cols: int = 0
    """Columns of the array that may be used, 0 for all."""
    bfp16: bool = False
    """Multiply bf16 in AIE2p's block floating point, which rounds operands to blocks of 8 with one exponent."""

    def run(self, op: AnyOp, /) -> None:
        device = device_option(self.name, self.device, cols=self.cols)
        letters: Letters = {}
        packed = list[Packing]()

        def search(item: tuple[ir.Operation, Convolution]) -> None:
            function, conv = item
            self._cycles(moved_images(function, conv), device)

        def plan(item: tuple[ir.Operation, list[ir.Operation]]) -> None:
            function, epilogues = item
            conv = convolution_of(function)
            assert conv is not None, "a convolution, perhaps without its epilogue"
            conv = moved_images(function, conv)
            phased = self._in_phases(function, conv, device)
            divided = partial(divide, phased or conv, bfp16=self.bfp16)
            result = on_columns(function, device, divided, lambda f: None if f is None else f[1].total)
            if result is not None and is_faster(function, device, result[1].cycles, conv.axes[2], letters):
                packed.extend(_pack_functions(function, epilogues, conv, phased, *result, device))
                letters.update((v, conv.axes[2]) for call in calls_of(function) for v in call.results)
            elif COLUMNS in function.attributes:
                del function.attributes[COLUMNS]

        two_processes.with_memo(self._unplanned(op, device), search, SEARCHES)
        share_convolutions(op, partial(self._is_worth, device))
        two_processes.with_memo(self._convolutions(op, device), plan, SEARCHES)
        _pack_calls(op, packed)

    def _convolutions(self, op: AnyOp, device: Device) -> list[tuple[ir.Operation, list[ir.Operation]]]:
        """The convolutions that are not planned yet, each with its epilogues that are separate kernels.

        Convolutions that are equal without their epilogues become one kernel.
        """
        results: dict[str, tuple[ir.Operation, list[ir.Operation]]] = {}
        for function, conv in self._unplanned(op, device):
            separate = list[ir.Operation]()
            if conv.epilogue and (why := self._reason_to_split_epilogue(moved_images(function, conv), device)):
                function, epilogue = _split_epilogue(function, conv, why)
                separate.append(epilogue)
            first, epilogues = results.setdefault(content_of(function), (function, []))
            epilogues += separate
            if first != function:
                for call in calls_of(function):
                    call.attributes["callee"] = ir.FlatSymbolRefAttr.get(sym_name_of(first))
                function.erase()
        return list(results.values())

    def _unplanned(self, op: AnyOp, device: Device) -> list[tuple[ir.Operation, Convolution]]:
        """The kernels of convolutions without a plan."""
        functions = [f for f in walk_named(op, "func.func") if len(f.regions[0].blocks) and KERNEL in f.attributes]
        pairs = ((f, convolution_of(f)) for f in functions if PLAN not in f.attributes)
        results = [(function, conv) for function, conv in pairs if conv is not None]
        for _, conv in results if self.bfp16 else ():
            refuse_blocks(conv.op, device)
        return results

    def _in_phases(self, function: ir.Operation, conv: Convolution, device: Device) -> Convolution | None:
        """`conv`, of `function`, with pixels as channels, if that is faster; else None."""
        phased = in_phases(function, conv)
        division = None if phased is None else divide(phased, device, self.bfp16)
        if phased is None or division is None or not fits(conv, phased, division[0]):
            return None
        return phased if division[1].total < self._fused(conv, device) else None

    def _is_worth(self, device: Device, more: Convolution, less: Convolution, calls: int, changes: int) -> bool:
        """Whether computing `more` instead of `less` in `calls` calls takes less time than loading a configuration at each
        change from one to the other.
        """
        return calls * (self._cycles(more, device) - self._cycles(less, device)) < changes * reconfiguration(device)

    def _cycles(self, conv: Convolution, device: Device) -> float:
        """Cycles of a convolution and its epilogue, which is a kernel of its own if that is faster, and of packing."""
        return min(self._fused(conv, device), self._apart(conv, device))

    def _fused(self, conv: Convolution, device: Device) -> float:
        """Cycles of a convolution with its epilogue; infinite if it has no division into blocks."""
        division = divide(conv, device, self.bfp16)
        return inf if division is None else division[1].total

    def _apart(self, conv: Convolution, device: Device) -> float:
        """Cycles of a convolution and of its epilogue as a kernel of its own; infinite if it has no division into blocks.

        Such a kernel takes a column of the same configuration if the blocks of the convolution leave one, else a configuration.
        """
        division = divide(replace(conv, epilogue=()), device, self.bfp16)
        if division is None:
            return inf
        loading = reconfiguration(device) if division[0].cores[0] == device.columns else price(device)
        return division[1].total + _moving(conv, device) + loading

    def _reason_to_split_epilogue(self, conv: Convolution, device: Device) -> str:
        """Why the epilogue is faster as a kernel of its own; empty if it is not.

        Its operands share the channels of the image and of the weights and follow their parts, each of which then has a buffer
        descriptor. With many channels, parts must be large, and little room is left for the image.
        """
        fused, both = self._fused(conv, device), self._apart(conv, device)
        if fused <= both:
            return ""
        text = "has no division into blocks" if fused == inf else f"takes {fused:.3g} cycles"
        return f"apart: with its epilogue it {text}, as two kernels {both:.3g} cycles"


def _moving(conv: Convolution, device: Device) -> float:
    """Cycles in which an epilogue that is a kernel of its own moves its operands and its result."""
    values = (conv.op.results[0], conv.result, *conv.epilogue_operands)
    return sum((element_bits(v.type) or 8) * prod(v.type.shape) / 8 for v in values) / arch_of(device).memory_bytes


def _split_epilogue(function: ir.Operation, conv: Convolution, why: str) -> tuple[ir.Operation, ir.Operation]:
    """Splits `function` into the kernel of its convolution and the kernel of its epilogue, for reason `why`."""
    name, epilogue = sym_name_of(function), [op.operation for op in conv.epilogue]
    first = [op for op in compute_ops(function) if op not in epilogue]
    result = split_function(function, [(name, first), (f"{name}_after", epilogue)], why)
    return result[name], result[f"{name}_after"]


def _pack_functions(
    function: ir.Operation,
    epilogues: list[ir.Operation],
    conv: Convolution,
    phased: Convolution | None,
    blocks: Blocks,
    price: Price,
    unpacked: Price | None,
    device: Device,
) -> list[Packing]:
    """Packs the convolution of `function`, as `phased` if there is one, and its epilogues that are separate kernels."""
    if COLUMNS not in function.attributes and blocks.cores[0] < device.columns:
        record_columns(function, blocks.cores[0], device, "its blocks take no more")
    packed = [Packing(function, conv, blocks) if phased is None else PhasedPacking(function, conv, phased, blocks)]
    packed[0].write(plan_with_price(blocks, price, unpacked, device, is_depthwise=conv.is_depthwise))
    separate = [PackedEpilogue(epilogue, conv, blocks, sym_name_of(function)) for epilogue in epilogues]
    return [*packed, *(epilogue for epilogue in separate if epilogue.rewritten())]


def _poolings(module: AnyOp, packed: list[Packing]) -> list[Pooling]:
    """The poolings between packed kernels, rewritten to have channels last."""
    axes = {sym_name_of(packing.function): packing.conv.axes[2] for packing in packed}
    functions = [f for f in walk_named(module, "func.func") if is_kernel(f) and PLAN not in f.attributes] if packed else []
    poolings = [pooling for f in functions if (pooling := pooling_between(f, axes)) is not None]
    for pooling in poolings:
        pooling.write()
    return poolings


def _pack_calls(module: AnyOp, packed: list[Packing]) -> None:
    """Packs the operands of calls, in program order; a packed result is unpacked only where it is used unpacked."""
    results: Unpacked = {}
    whole: Packed = {}
    by_name: dict[str, Packing | Pooling] = {sym_name_of(packing.function): packing for packing in packed}
    by_name |= {sym_name_of(pooling.function): pooling for pooling in _poolings(module, packed)}
    for call in walk_named(module, "func.call") if packed else ():
        if (packing := by_name.get(callee_of(call))) is not None:
            with ir.InsertionPoint(call), call.location:
                packing.pack_call(call, results, whole)
            call.erase()
