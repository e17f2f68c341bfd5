"""Checks that a BD's length, dimensions, padding and offset fit the BD fields of its tile.

The hardware silently truncates numbers that do not fit. The widths of the fields are those of `allo_air.device`.
"""

from __future__ import annotations

from functools import lru_cache

from allo_air.access.dims import Dims, is_contiguous
from allo_air.access.fields import Misfit, misfits
from allo_air.device import BDFormat
from allo_air.dialects._places import size_stride_pairs
from allo_air.dialects.aie import DMABDOp
from allo_air.dialects.memrefs import element_bits
from allo_air.errors import counted
from allo_air.mlir import ir
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._memory import bytes_of
from allo_air.passes.check._tiles import DeviceUse

_MM2S = 1
_AT_RUN_TIME = ir.ShapedType.get_dynamic_size()
"""Placeholder in `dimensions` for a value that is an operand."""


def check_bd_fields(use: DeviceUse, findings: Findings) -> None:
    """Reports BDs of DMA programs that do not fit."""
    for tile in use:
        if tile.program is None:
            continue
        form = use.device.tile(*tile.place).bd
        for start, bds in tile.chains:
            for bd in bds:
                if form is not None:
                    check_bd(bd, form, use.name(tile.place), findings, sends=start.attributes["channel_dir"].value == _MM2S)


def check_bd(
    op: ir.Operation, form: BDFormat, where: str, findings: Findings, *, sends: bool, iteration: int | None = None
) -> None:
    """Reports the quantities of BD `op` that exceed the fields of `form`. Dimension `iteration` (0 is the innermost) uses the
    BD's iteration. `sends` says that the channel is MM2S, which may pad.
    """
    bd = DMABDOp(op)
    bits = element_bits(bd.buffer.type)
    if bits is None:
        findings.undecided(op, f"{where}: the layout of {bd.buffer.type}, whose elements have no known width")
        return
    total = bytes_of(bd.buffer.type)
    length = bd.len if bd.len is not None else None if total is None else total * 8 // bits
    if bd.offset * bits % 32:
        findings.error(
            op,
            f"{where}: begins {counted(bd.offset * bits // 8, 'byte')} into its buffer; a DMA moves 4-byte "
            f"words: use an offset of whole"
            " words",
        )
    if length is not None:
        _check_length(op, length, bits, form, where, findings)
    dims = tuple(size_stride_pairs(bd.dimensions)) if bd.dimensions is not None else ()
    pads = size_stride_pairs(bd.pad_dimensions) if bd.pad_dimensions is not None else []
    if any(before or after for before, after in pads):
        _check_padding(op, pads[::-1], bits, form, where, findings, sends=sends)
    if any(_AT_RUN_TIME in dim for dim in dims):
        findings.undecided(op, f"{where}: whether its sizes and strides fit: some are values at run time")
    elif not is_contiguous(dims):
        _check_dims(op, dims, bits, form, where, findings, iteration)


def _check_length(op: ir.Operation, length: int, bits: int, form: BDFormat, where: str, findings: Findings) -> None:
    if length * bits % 32:
        findings.error(
            op,
            f"{where}: moves {counted(length * bits // 8, 'byte')}; a DMA moves 4-byte words: pad the transfer to whole words",
        )
    elif length * bits // 32 > form.max_words:
        findings.error(
            op,
            f"{where}: moves {length * bits // 32:,} words, a BD's {form.length_bits}-bit length holds {form.max_words:,};"
            " split the transfer",
        )


def _check_dims(
    op: ir.Operation, dims: Dims, bits: int, form: BDFormat, where: str, findings: Findings, iteration: int | None
) -> None:
    most = form.dimensions if iteration is None else iteration + 1
    if len(dims) > most:
        findings.error(
            op, f"{where}: has {counted(len(dims), 'dimension')}, a BD there has {most}; fold dimensions, or split the transfer"
        )
        return
    for misfit in _misfits(dims, bits, form, iteration):
        findings.error(op, f"{where}: {_message(misfit, bits, form)}")


@lru_cache(maxsize=1024)
def _misfits(dims: Dims, bits: int, form: BDFormat, iteration: int | None) -> tuple[Misfit, ...]:
    """As `misfits`; many descriptors of a sequence have the same dimensions."""
    return tuple(misfits(dims, bits, form, iteration))


def _message(misfit: Misfit, bits: int, form: BDFormat) -> str:
    i, value, most = misfit.dim, misfit.value, misfit.most
    match misfit.kind:
        case "run":
            return f"dimension 0 (the innermost) is {value * bits / 8:g} bytes; a DMA moves 4-byte words: make it whole words"
        case "wrap":
            return (
                f"dimension {i} (innermost is 0) is {value:,}{'' if i else ' words'}, its {form.wrap_bits[i]}-bit wrap holds"
                f" {most:,}; split the dimension in two"
            )
        case "iterations":
            return (
                f"iterates {counted(value, 'time')}, the {form.iteration_wrap_bits}-bit iteration holds {most};"
                " split the transfer into several tasks"
            )
        case "sign":
            return (
                f"dimension {i} (innermost is 0) steps {counted(value, 'element')}; a DMA steps forwards, by one word or more"
            )
        case "grain" if not i:
            return (
                f"dimension 0 (the innermost) has stride {value}; a DMA moves elements of "
                f"{counted(bits, 'bit')} in runs: expected 1"
            )
        case "grain":
            return (
                f"dimension {i} (innermost is 0) steps {value * bits / 8:g} bytes; a DMA steps in 4-byte words:"
                " move whole words, or transpose in the kernel"
            )
        case "step":
            return (
                f"dimension {i} (innermost is 0) steps {value:,} words, its {form.step_bits}-bit step"
                f" holds {most:,}; split the transfer along that dimension"
            )


def _check_padding(
    op: ir.Operation, pads: list[tuple[int, int]], bits: int, form: BDFormat, where: str, findings: Findings, *, sends: bool
) -> None:
    """`pads` are (before, after), innermost first."""
    if not form.pad_bits:
        findings.error(op, f"{where}: pads, which only memtiles can; pad when the data leaves the memtile")
        return
    if not sends:
        findings.error(op, f"{where}: pads on an S2MM channel; a memtile pads on MM2S only: pad when the data leaves")
    for i, (before, after) in enumerate(pads):
        if i >= len(form.pad_bits):
            if before or after:
                findings.error(op, f"{where}: pads dimension {i} (innermost is 0); a BD pads its three innermost")
            continue
        widest = max(before, after)
        if i == 0 and (before * bits % 32 or after * bits % 32):
            findings.error(
                op, f"{where}: pads dimension 0 by {before} and {counted(after, 'element')}; pad by whole 4-byte words"
            )
        elif (words := widest * bits // 32 if i == 0 else widest) > (1 << form.pad_bits[i]) - 1:
            findings.error(
                op,
                f"{where}: pads dimension {i} (innermost is 0) by {words:,}{' words' if i == 0 else ''}, its"
                f" {form.pad_bits[i]}-bit field holds {(1 << form.pad_bits[i]) - 1}; pad in two steps, or in the kernel",
            )
