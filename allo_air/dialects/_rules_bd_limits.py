"""Limits of a BD's dimensions and padding inside a DMA program."""

from __future__ import annotations

from math import prod

from allo_air.access.dims import is_contiguous, span
from allo_air.access.fields import misfits
from allo_air.arch import arch_of
from allo_air.arch.limits import MAX_SIZE, MAX_STRIDE
from allo_air.device import CORE_BD, MEM_BD, SHIM_BD
from allo_air.dialects._aie_dma import DMABDOp
from allo_air.dialects._places import device_of, numbers, size_stride_pairs
from allo_air.dialects._rules import Report

_FORMATS = {"core": CORE_BD, "mem": MEM_BD, "shim_noc": SHIM_BD}

_WRAP = (1 << MEM_BD.wrap_bits[0]) - 1
_ITERATIONS = 64

Dims = list[tuple[int, int]]


def check_access(op: DMABDOp, kind: str | None, length: int, bits: int, elements: int, report: Report) -> bool:
    """Whether the dimensions of `op`, moving `length` of `elements` elements of `bits`, can be done by a tile of `kind`."""
    dims = size_stride_pairs(op.dimensions) if op.dimensions is not None else None
    if dims and not _check_dims(op, dims, kind, bits, elements, report):
        return False
    if op.pad_dimensions is not None:
        return _check_padding(op, dims, size_stride_pairs(op.pad_dimensions), kind, length, bits, report)
    return True


def _check_dims(op: DMABDOp, dims: Dims, kind: str | None, bits: int, elements: int, report: Report) -> bool:
    most = 4 if kind == "mem" else 3
    if len(dims) > most:
        report.error(
            op,
            f"Cannot give more than {most} dimensions for step sizes and wraps in this  tile (got {len(dims)} dimensions).",
        )
        return False
    for size, stride in dims:
        if stride <= 0:
            report.error(op, f"Invalid step size; must be a positive integer. Found {stride}")
        elif stride > elements:
            report.error(op, f"Step size {stride} exceeds memref size {elements}")
        elif size > (most_size := MAX_SIZE if kind == "core" else _WRAP) and not (kind == "shim_noc" and is_contiguous(dims)):
            report.error(
                op, f"Size may not exceed 1023. Found {size}; this tile takes at most {most_size}: split the dimension"
            )
        elif stride > MAX_STRIDE:
            report.error(op, f"Stride may not exceed {1 << 20}. Found {stride}; strides must be below {MAX_STRIDE + 1}")
        else:
            continue
        return False
    _, last = span(dims)
    if last >= elements:
        report.error(
            op,
            "Specified stride(s) and size(s) result in out of bounds access in buffer, "
            f"for index {last} in memref of length {elements}.",
        )
        return False
    if bits != 32 and dims[-1][1] != 1:
        side = "<" if bits < 32 else ">"
        report.error(op, f"For {side}32b width datatypes, inner-most dim stride must be 1, found {dims[-1][1]}")
        return False
    _warn_of_fields(op, dims, kind, bits, report)
    return True


def check_length(op: DMABDOp, kind: str | None, length: int, bits: int, report: Report) -> bool:
    """Whether the length fits the field of a BD in a tile of `kind`."""
    if kind not in _FORMATS or (words := length * bits // 32) <= (most := _FORMATS[kind].max_words):
        return True
    report.error(
        op, f"Transfer length exceeds the {_FORMATS[kind].length_bits} bits of the BD's field: {words} words, at most {most}"
    )
    return False


def check_iteration(op: DMABDOp, kind: str | None, bits: int, report: Report) -> bool:
    """Whether the iteration of a BD fits the fields of a tile of `kind`."""
    assert op.iteration is not None, "only BDs that iterate are asked about"
    size, stride, current = numbers(op.iteration)
    device = device_of(op, report)
    if device is not None and not arch_of(device).semaphore_locks:
        report.error(op, "has an iteration, which BDs of AIE1 do not have")
    elif not 1 <= size <= _ITERATIONS:
        report.error(op, f"iteration size must be in [1:{_ITERATIONS}], found {size}")
    elif not 0 <= current < size:
        report.error(op, f"iteration current must be below its size {size}, found {current}")
    elif size > 1 and (stride <= 0 or stride * bits % 32):
        report.error(op, f"iteration stride must be a positive multiple of 4 bytes, found {stride} elements of {bits} bits")
    elif size > 1 and kind in _FORMATS and stride * bits // 32 > (most := _FORMATS[kind].max_step):
        report.error(op, f"iteration stride must be at most {most} words in this tile, found {stride * bits // 32}")
    else:
        return True
    return False


def _warn_of_fields(op: DMABDOp, dims: Dims, kind: str | None, bits: int, report: Report) -> None:
    """Warns of sizes and strides that the real tool accepts although the tile's BD fields truncate them."""
    if kind not in _FORMATS or is_contiguous(dims):
        return
    limits = _FORMATS[kind]
    for misfit in misfits(dims, bits, limits):
        i, value, most = misfit.dim, misfit.value, misfit.most
        size, stride = dims[-1 - i]
        if misfit.kind == "wrap":
            report.warning(
                op,
                f"size {size} of dimension {i} (innermost is 0) is {value} in the hardware's units and does not fit the "
                f"{limits.wrap_bits[i]}-bit wrap of a {kind} tile's BD (at most {most}); split the dimension",
            )
        elif misfit.kind == "step":
            report.warning(
                op,
                f"stride {stride} of dimension {i} (innermost is 0) is {value} words and does not fit the "
                f"{limits.step_bits}-bit step of a {kind} tile's BD (at most {most})",
            )


def _check_padding(
    op: DMABDOp, dims: Dims | None, pads: Dims, kind: str | None, length: int, bits: int, report: Report
) -> bool:
    if dims is None:
        report.error(op, "Padding requires n-d data layouts expressed as wrap(s) and stride(s).")
    elif len(dims) != len(pads):
        report.error(
            op,
            "Mismatch number of dimensions between padding(s) and wrap(s) and stride(s). Found "
            f"{len(pads)} paddings, {len(dims)} dimensions",
        )
    elif kind not in ("mem", None):
        report.error(op, f"Padding is only supported by memtile dma bds. Found it in a {kind} tile")
    elif (padded := prod(before + size + after for (size, _), (before, after) in zip(dims, pads, strict=True))) > length:
        report.error(op, f"Data exceeds len after padding. Found {padded} elements, len is {length}")
    elif pads and pads[-1][0] * bits // 8 % 4:
        report.error(op, "Inner-most padding-before count must result in padding in 32-bit words.")
    elif pads and pads[-1][1] * bits // 8 % 4:
        report.error(op, "Inner-most padding-after count must result in padding in 32-bit words.")
    else:
        _warn_of_padding(op, pads, bits, report)
        return True
    return False


def _warn_of_padding(op: DMABDOp, pads: Dims, bits: int, report: Report) -> None:
    for i, (before, after) in enumerate(reversed(pads)):
        if i >= len(MEM_BD.pad_bits):
            if before or after:
                report.warning(op, f"dimension {i} (innermost is 0) cannot be padded: a BD pads its three innermost")
            continue
        most = (1 << MEM_BD.pad_bits[i]) - 1
        words = max(before, after) * bits // 32 if i == 0 else max(before, after)
        if words > most:
            report.warning(
                op, f"padding {before}, {after} of dimension {i} (innermost is 0) does not fit: at most {most} words"
            )
