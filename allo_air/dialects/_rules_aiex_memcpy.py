"""Rules of `aiex.npu.dma_memcpy_nd`: the limits of a shim BD."""

from __future__ import annotations

from math import prod

from allo_air.access.decompose import decomposed
from allo_air.access.dims import is_contiguous, start_of
from allo_air.access.fields import misfits
from allo_air.arch import arch_of
from allo_air.core.constants import constant_of
from allo_air.device import SHIM_BD
from allo_air.dialects._aie_tiles import DeviceOp
from allo_air.dialects._aiex_npu import NpuDmaMemcpyNdOp
from allo_air.dialects._places import device_of, place_of
from allo_air.dialects._rules import Report, enclosing, rule
from allo_air.dialects._rules_aie_dma import check_packet
from allo_air.dialects._rules_aiex_npu import check_burst
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import ir

_DYNAMIC = -(2**63)
_LOOPS = ("scf.for", "affine.for")
_COMPUTES = ("arith.", "affine.apply", "affine.min", "affine.max", "index.")
_SEQUENCE = "aie.runtime_sequence"
_MOST_SIZES = (*SHIM_BD.max_wraps[:2], 1 << 32, SHIM_BD.max_iterations)
_MAX_ID = 16  # BDs of a shim tile


@rule("aiex.npu.dma_memcpy_nd")
def memcpy_nd(op: NpuDmaMemcpyNdOp, report: Report) -> None:
    """Constant lists of four, words of 32 bits, sizes and strides within the shim BD's fields."""
    memref = op.operands[0].type
    bits = element_bits(memref)
    if bits is None:
        return
    if bits > 32:
        report.error(op, f"Maximum element bit width allowed is 32bits. Found {memref.element_type}")
        return
    if isinstance(memref, ir.MemRefType) and memref.has_static_shape and prod(memref.shape) * bits < 32:
        report.error(op, f"Minimum data transfer size required is 32bits. Found {memref}")
        return
    if any(_at_run_time(op, name) for name in ("offsets", "sizes", "strides")):
        _check_parts(op, bits, report)
        return
    lists = {}
    for name in ("strides", "sizes", "offsets"):
        static = getattr(op, f"static_{name}")
        values = _constants(static, getattr(op, name)) if _DYNAMIC in static else static
        if values is None and all(_is_computed(v) for v in getattr(op, name)):
            return  # constant after the sequence's loops are unrolled
        if values is None:
            report.error(op, f"Only constant {name} currently supported.")
            return
        if len(values) != 4:
            report.error(op, f"expects 4 {name}, outermost first, found {len(values)}")
            return
        lists[name] = values
    device = device_of(op, report)
    if device is None or not arch_of(device).semaphore_locks:
        return  # AIE1 under the experimental HSA target has no such BD
    if not check_burst(op, op.burst_length, device, report):
        return
    if not _check_words(op, lists, bits, report) or not _check_fields(op, lists, bits, report):
        return
    _check_offset(op, lists, bits, report)
    if not 0 <= op.id < _MAX_ID:
        report.error(op, f"id {op.id} does not exist: a shim tile has BDs 0 to {_MAX_ID - 1}")


def _at_run_time(op: NpuDmaMemcpyNdOp, name: str) -> bool:
    """Whether a value of a list depends on scalars of the sequence, which are known only at run time."""
    return any(constant_of(v) is None and _is_computed(v) and _takes_scalar(v) for v in getattr(op, name))


def _takes_scalar(value: ir.Value) -> bool:
    owner = value.owner
    if isinstance(owner, ir.Block):
        parent = owner.owner
        return parent.name == _SEQUENCE or (parent.name in _LOOPS and any(_takes_scalar(v) for v in parent.operands))
    return any(_takes_scalar(v) for v in owner.operation.operands)


def _check_parts(op: NpuDmaMemcpyNdOp, bits: int, report: Report) -> None:
    """Constant entries of lists with run-time values fit into the fields; the others are checked at run time."""
    if (kind := _other_kind(op, report)) is not None:
        report.error(op, f"has run-time sizes, strides or offsets, which only a shim NOC tile takes, found a {kind}")
        return
    entries_by_name: dict[str, list[int | None]] = {}
    for name in ("strides", "sizes", "offsets"):
        value = iter(getattr(op, name))
        entries = getattr(op, f"static_{name}")
        entries_by_name[name] = [constant_of(next(value, None)) if e == _DYNAMIC else e for e in entries]
        if len(entries) != 4:
            report.error(op, f"expects 4 {name}, outermost first, found {len(entries)}")
            return
    if any(getattr(op, f"d{i}_zero_{side}") for i in range(3) for side in ("before", "after")):
        report.error(op, "has sizes or strides known only at run time, and zero padding, which needs constant ones")
        return
    sizes, strides, offsets = (entries_by_name[name][::-1] for name in ("sizes", "strides", "offsets"))
    for i, (size, most) in enumerate(zip(sizes, _MOST_SIZES, strict=True)):
        words = size if size is None or i else size * bits // 32
        if size is not None and size <= 0:
            report.error(op, f"Size {i} must be a positive integer. Found {size}")
            return
        if words is not None and words > most:
            report.error(op, f"Size {i} exceeds the [0:{most}] range. Found {words}; split the dimension")
            return
    for i, (stride, offset) in enumerate(zip(strides, offsets, strict=True)):
        if stride is not None and (i or stride != 1) and stride * bits % 32:
            report.error(
                op,
                f"Stride {i} is {stride} elements * {bits // 8} bytes = {stride * bits // 8} bytes, "
                "which is not divisible by 4. ",
            )
            return
        if stride is not None and stride * bits // 32 > SHIM_BD.max_step:
            report.error(op, f"Stride {i} exceeds the [1:{SHIM_BD.max_step}] range. Found {stride * bits // 32} words")
            return
        if offset and stride is None:
            report.error(op, f"Offset {i} is {offset}, and its stride is known only at run time; a constant stride is needed")
            return
    if not 0 <= op.id < _MAX_ID:
        report.error(op, f"id {op.id} does not exist: a shim tile has BDs 0 to {_MAX_ID - 1}")


def _other_kind(op: NpuDmaMemcpyNdOp, report: Report) -> str | None:
    """The kind of the tile that moves the data; None for a shim NOC tile, or if it is unknown."""
    around = enclosing(op, "aie.device")
    for operation in DeviceOp(around).block.operations if around is not None else ():
        if operation.operation.name == "aie.shim_dma_allocation" and operation.sym_name == op.metadata:
            place = place_of(operation.tile, report)
            return f"{place.kind} tile" if place is not None and place.kind != "shim_noc" else None
    return None


def _constants(static: list[int], values: list[ir.Value]) -> list[int] | None:
    """The list with its SSA entries replaced by constants; None if one is not constant."""
    value = iter(values)
    constants = [constant_of(next(value, None)) if entry == _DYNAMIC else entry for entry in static]
    return None if None in constants else constants  # type: ignore[return-value]


def _is_computed(value: ir.Value) -> bool:
    """Whether a value depends only on constants and loop counters."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return owner.owner.name in _LOOPS or (owner.owner.name == _SEQUENCE and not isinstance(value.type, ir.MemRefType))
    operation = owner.operation
    return operation.name.startswith(_COMPUTES) and all(_is_computed(v) for v in operation.operands)


def _check_words(op: NpuDmaMemcpyNdOp, lists: dict[str, list[int]], bits: int, report: Report) -> bool:
    sizes, strides = lists["sizes"][::-1], lists["strides"][::-1]
    for i, size in enumerate(sizes):
        if size <= 0:
            report.error(op, f"Size {i} must be a positive integer. Found {size}")
            return False
    if sizes[0] * bits % 32:
        report.error(
            op,
            f"Transfer sizes must be multiples of 4 bytes. {sizes[0]} elements at {bits // 8} bytes each equal "
            f"{sizes[0] * bits // 8} bytes, which is not divisible by 4. ",
        )
        return False
    for i in range(3):
        if sizes[i] > 1 and strides[i] < 1:
            report.error(op, f"Stride {i} must be a positive integer. Found {strides[i]}")
            return False
    if sizes[3] > 1 and strides[3] < 0:
        report.error(op, f"Stride 3 must be a non-negative integer. Found {strides[3]}")
        return False
    for i, stride in enumerate(strides):
        if (i or stride != 1) and stride * bits % 32:
            report.error(
                op,
                f"Stride {i} is {stride} elements * {bits // 8} bytes = {stride * bits // 8} bytes, "
                "which is not divisible by 4. ",
            )
            return False
    return True


def _check_fields(op: NpuDmaMemcpyNdOp, lists: dict[str, list[int]], bits: int, report: Report) -> bool:
    dims = list(zip(lists["sizes"], lists["strides"], strict=True))
    is_run = is_contiguous(dims[1:])
    for misfit in misfits(dims, bits, SHIM_BD, 3):
        i, value, most = misfit.dim, misfit.value, misfit.most
        if misfit.kind == "wrap" and not is_run and decomposed(lists["sizes"], lists["strides"], bits) is None:
            units = "times" if i else "words"
            report.error(op, f"Size {i} exceeds the [0:{most}] range. Found {value} {units}; split the dimension")
            return False
        if misfit.kind == "iterations" and value > most + 1:  # the real verifier compares the size less 1 with 64
            report.error(op, f"Size {i} exceeds the [1:{most}] range. Found {value}; split the transfer")
            return False
        if misfit.kind == "step":
            report.error(op, f"Stride {i} exceeds the [1:{most}] range. Found {value} words; split the transfer")
            return False
        if misfit.kind == "iterations":
            report.warning(op, f"Size {i} is {value}, and the BD's 6-bit iteration field holds at most {most}")
        elif misfit.kind == "grain":
            report.warning(
                op, f"innermost stride is {value}, and elements of {bits} bits are moved in runs of words, with stride 1"
            )
    return op.packet is None or check_packet(op, op.packet, report)


def _check_offset(op: NpuDmaMemcpyNdOp, lists: dict[str, list[int]], bits: int, report: Report) -> None:
    start = start_of(lists["offsets"], lists["strides"])
    if start * bits // 8 % 4:
        report.error(op, f"Offset must be 4-byte-aligned. Found {start} elements, {start * bits // 8} bytes")
