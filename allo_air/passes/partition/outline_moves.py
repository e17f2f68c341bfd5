"""outline-moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import gcd, prod
from typing import Any

from allo_air.access.fields import WORD
from allo_air.arch.limits import core_room
from allo_air.core.cloning import clone
from allo_air.core.functions import call_function
from allo_air.core.pass_ import Pass
from allo_air.core.walking import is_result_of, walk_named
from allo_air.device import Device
from allo_air.dialects.memrefs import element_bits
from allo_air.errors import counted
from allo_air.mlir import AnyOp, arith, func, ir
from allo_air.passes._analysis.columns import on_columns, reconfiguration
from allo_air.passes._analysis.kernels import IN_PLACE, is_kernel
from allo_air.passes._analysis.moves import plan_of_streams
from allo_air.passes._ir.device_option import device_option
from allo_air.passes._ir.new_kernel import KernelNames, new_kernel
from allo_air.passes.partition._concats_in_place import mark_concats
from allo_air.passes.partition._embed import TILES
from allo_air.passes.partition._kinds import is_contraction, is_convolution
from allo_air.passes.partition._memtile_transpose import transposed_in_memtiles
from allo_air.passes.partition._outline import NOTE
from allo_air.passes.partition._pieces import Piece, only_moves, permuted, pieces
from allo_air.passes.partition._streams import LEAST, Schedule, boxes_of, schedule
from allo_air.plan.schema import attach

ROOTS = ("tensor.pad", "tensor.concat", "tensor.insert_slice", "tensor.extract_slice", "linalg.transpose")
_ERASED = (*ROOTS, "linalg.fill", "tensor.empty", "arith.constant")
"""Operations that are erased together with the last operation that uses them."""
SLOWER = 6
"""Several adjacent boxes are streamed if short runs make external memory slower by at most this factor. The alternative, tiles
in cores, is slow for them: a tile spans the padded dimensions, or only a part of it is used.
"""
SHORT = 4
"""A kernel is streamed whatever the factor if it takes less than this many times a configuration load."""
SLICE = 1.15
"""Like SLOWER, for a single box: its tiles can pass through the cores in longer runs."""


@dataclass(frozen=True)
class OutlineMoves(Pass):
    """Outlines pads, concatenations and slices that DMAs can do alone as kernels that stream data between places in external
    memory.

    Chains of operations that only move elements are resolved to boxes of tensors and of constants. Each box is one transfer, or
    several over the streams of all columns. A constant box is read from a row of that constant in external memory.

    A tensor is left to other passes in these cases: its boxes are not whole words; its runs are so short that tiles in cores
    are faster; it is the padding of a convolution or product; or it only appends zeros to an argument, which the caller does. A
    concatenation of computed tensors along the outermost dimension needs no kernel (attribute `allo.in_place`). A
    function with other work gets such a kernel only if it saves more than a configuration load, or if the tiles fit no core.

    Before:

        %p = tensor.pad %x low[1, 8] high[1, 8] { yield %zero } : tensor<1024x1024xf32> to tensor<1026x1040xf32>
        return %p

    After:

        func.func private @f_moves(%x: tensor<1024x1024xf32>, %row: tensor<1040xf32>) -> tensor<1026x1040xf32>
            attributes {allo.kernel, allo.plan = {family = "move", routes = [{operand = "0", walks = [...]}, ...], ...}}
            { tensor.pad }
        ...
        %p = call @f_moves(%x, %zeros)
        return %p
    """

    name = "outline-moves"
    anchor = "builtin.module"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    cols: int = 0
    """The columns that may be used, 0 for all."""

    def run(self, op: AnyOp, /) -> None:
        device = device_option(self.name, self.device, cols=self.cols)
        names, outlined = KernelNames(op), list[_Kernel]()
        for function in walk_named(op, "func.func"):
            if is_kernel(function) or len(function.regions[0].blocks) != 1 or walk_named(function, "scf.forall"):
                continue
            mark_concats(function)
            for root in walk_named(function, *ROOTS, "linalg.generic"):
                if _is_root(root) and IN_PLACE not in root.attributes:
                    outlined += _outline(function, root, device, names)
        for kernel in outlined:
            best = on_columns(kernel.function, device, kernel.planned, lambda s: None if s is None else s.cycles)
            assert best is not None, "planned on all columns when it was made"
            text = f"{counted(len(best.streams), 'stream')} of external memory; about {best.cycles:.3g} cycles"
            attach(kernel.function, plan_of_streams(best.streams, text))


@dataclass(frozen=True)
class _Kernel:
    """An outlined kernel and the plan of its transfers on a device."""

    function: ir.Operation
    planned: Callable[[Device], Schedule | None]


def _is_root(op: ir.Operation) -> bool:
    """Whether `op` ends a chain of movements: a user is not a movement.

    Not if a user is a product or convolution, which pad their own operands, or if the caller appends the zeros.
    """
    if (
        op.parent.name != "func.func"
        or not isinstance(op.results[0].type, ir.RankedTensorType)
        or not (only_moves(op) or permuted(op))
    ):
        return False
    users = [use.owner.operation for use in op.results[0].uses]
    if all(u.name in ROOTS and only_moves(u) for u in users) or any(is_contraction(u) or is_convolution(u) for u in users):
        return False
    return not _is_tail(op, users)


def _is_tail(op: ir.Operation, users: Sequence[AnyOp]) -> bool:
    """Whether `op` only appends zeros to an argument or a constant of kernels, which the caller does."""
    if op.name != "tensor.pad" or set(op.attributes["static_low"]) - {0} or any(u.name == "func.return" for u in users):
        return False
    source = op.operands[0]
    return isinstance(source, ir.BlockArgument) or source.owner.name == "arith.constant"


def _outline(function: ir.Operation, root: ir.Operation, device: Device, names: KernelNames) -> list[_Kernel]:
    """Replaces `root` by a call if that pays; returns the kernel if it is new."""
    kind, bits = root.results[0].type, element_bits(root.results[0].type)
    if bits not in (8, 16, 32) or prod(kind.shape) * bits < 8 * LEAST:
        return []
    result = [piece] if (piece := permuted(root)) is not None else pieces(root.results[0])
    sources = list(dict.fromkeys(p.source for p in result if p.source is not None))
    numbers = list(dict.fromkeys(p.number for p in result if p.source is None))

    boxes = boxes_of(result, sources, numbers, kind.shape, bits) if sources else None
    if boxes is None:
        return []

    def planned(on: Device) -> Schedule | None:
        schedules = schedule(boxes, len(sources), len(numbers), bits, on), transposed_in_memtiles(boxes, len(sources), bits, on)
        return min((choice for choice in schedules if choice is not None), key=lambda s: s.cycles, default=None)

    whole = planned(device)
    if whole is None or (_has_tiles(root, result, device) and not _is_profitable(function, result, whole, device)):
        return []
    with root.location:
        rows = [ir.RankedTensorType.get([size], kind.element_type) for size in whole.fills]
        with ir.InsertionPoint(root):
            constants = [
                arith.constant(row, ir.DenseElementsAttr.get_splat(row, n)) for row, n in zip(rows, numbers, strict=True)
            ]
        kernel = _kernel(function, root, [*sources, *constants])
        name, new = names.of(kernel, f"{function.attributes['sym_name'].value}_moves")
        if new:
            kernel.attributes[NOTE] = ir.StringAttr.get("boxes of tensors that are only moved")
        call = call_function(name, [kind], [*sources, *constants], ir.InsertionPoint(root))
    root.results[0].replace_all_uses_with(call.results[0])
    _drop(root)
    return [_Kernel(kernel, planned)] if new else []


def _has_tiles(root: ir.Operation, items: list[Piece], device: Device) -> bool:
    """Whether a core has room for tiles of adjacent boxes. A tile contains the whole dimension along which they are
    adjacent.

    Each tile is in memory twice: unpadded, as it arrives, and padded, as it leaves. Boxes of the same type are selected by
    number, without padding.
    """
    kind = root.results[0].type
    if len(items) == 1 or (root.name == "tensor.concat" and len({v.type for v in root.operands}) == 1):
        return True
    divided = [d for d, n in enumerate(kind.shape) if any(p.sizes[d] < n for p in items)]
    longest = max(kind.shape[d] for d in divided)
    if len(kind.shape) == 1:
        longest //= gcd(*(p.sizes[0] for p in items))  # one-dimensional boxes are divided into rows of this size
    whole = divided[-1] == len(kind.shape) - 1
    return longest * TILES * ((element_bits(kind) or WORD) if whole else WORD) <= 8 * core_room(device)


def _is_profitable(function: ir.Operation, items: list[Piece], whole: Schedule, device: Device) -> bool:
    """Whether streams are faster than tiles in the cores, including the load of their configuration."""
    if any(transfer.turn for stream in whole.streams for transfer in stream):
        return _only_permutes(function)
    short = whole.cycles < SHORT * reconfiguration(device) and len(items) > 1
    if whole.slowdown > (SLICE if len(items) == 1 else SLOWER) and not short:
        return False
    if not _computes(function):
        return True
    begins_inside = any(any(p.low[:-1]) for p in items)
    return len(items) > 1 and begins_inside and whole.cycles > reconfiguration(device) / 8


def _computes(function: ir.Operation) -> bool:
    """Whether a function has operations that do more than move elements."""
    inner_ops = [o.operation for o in function.regions[0].blocks[0].operations]
    return any(o.name.startswith("linalg.") and o.name not in ("linalg.fill", "linalg.transpose") for o in inner_ops)


def _only_permutes(function: ir.Operation) -> bool:
    """Whether a function only permutes dimensions."""
    inner_ops = [o.operation for o in function.regions[0].blocks[0].operations]
    return all(o.name == "linalg.fill" or permuted(o) is not None for o in inner_ops if o.name.startswith("linalg."))


def _kernel(function: ir.Operation, root: ir.Operation, values: list[ir.Value]) -> ir.Operation:
    """A private function without a name that performs `root` and its producers on `values`."""
    kernel, block, mapping = new_kernel(values, [root.results[0].type], function)

    def copied(op: AnyOp) -> None:
        for value in [*op.operands, *_captured(op)]:
            if value not in mapping and not isinstance(value, ir.BlockArgument):
                copied(value.owner.operation)
        clone(op, mapping)

    with ir.InsertionPoint(block):
        copied(root)
        func.ReturnOp([mapping[root.results[0]]])
    return kernel


def _captured(op: AnyOp) -> list[Any]:
    """The values that the region of a tensor.pad captures."""
    own = [o.operation for region in op.regions for b in region.blocks for o in b.operations]
    results = [r for o in own for r in o.results]
    return [v for o in own for v in o.operands if v not in results]


def _drop(root: AnyOp) -> None:
    """Erases `root` and the producers that only it uses."""
    result = list[ir.Operation]()

    def visit(op: Any) -> None:
        if op in result:
            return
        for value in [*op.operands, *_captured(op)]:
            if is_result_of(value, *_ERASED):
                visit(value.owner.operation)
        result.append(op)

    visit(root)
    for op in reversed(result):  # users before the operations that they use
        if not any(True for r in op.results for _ in r.uses):
            op.erase()
