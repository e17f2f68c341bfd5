"""Whether a BD's length, dimensions, padding and offset fit the fields of its tile's BDs.

A field that is too narrow cuts a number off without a word on the hardware; widths are those of `allo_air.device`.
"""

from __future__ import annotations

from typing import Any

from allo_air.access.dims import is_contiguous
from allo_air.device import BDFormat
from allo_air.dialects._places import pairs
from allo_air.dialects._rules_bd_limits import bits_of
from allo_air.dialects.aie import DMABDOp
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._memory import bytes_of
from allo_air.passes.check._tiles import DeviceUse

_MM2S = 1


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


def check_bd(op: Any, form: BDFormat, where: str, findings: Findings, *, sends: bool, iterates: bool = False) -> None:
    """Reports what of BD `op` the fields of `form` cannot hold; with `iterates`, one more dimension is the iteration."""
    bd = DMABDOp(op)
    bits = bits_of(bd.buffer.type)
    if bits is None:
        findings.undecided(op, f"{where}: the layout of {bd.buffer.type}, whose elements have no known width")
        return
    total = bytes_of(bd.buffer.type)
    length = bd.len if bd.len is not None else None if total is None else total * 8 // bits
    if bd.offset * bits % 32:
        findings.error(
            op,
            f"{where}: begins {bd.offset * bits // 8} bytes into its buffer; a DMA moves 4-byte words: use an offset of whole"
            " words",
        )
    if length is not None:
        _check_length(op, length, bits, form, where, findings)
    dims = pairs(bd.dimensions)[::-1] if bd.dimensions is not None else []
    pads = pairs(bd.pad_dimensions) if bd.pad_dimensions is not None else []
    if any(before or after for before, after in pads):
        _check_padding(op, pads[::-1], bits, form, where, findings, sends=sends)
    if dims and not is_contiguous(dims[::-1]):
        _check_dims(op, dims, bits, form, where, findings, iterates=iterates)


def _check_length(op: Any, length: int, bits: int, form: BDFormat, where: str, findings: Findings) -> None:
    if length * bits % 32:
        findings.error(
            op, f"{where}: moves {length * bits // 8} bytes; a DMA moves 4-byte words: pad the transfer to whole words"
        )
    elif length * bits // 32 > form.max_words:
        findings.error(
            op,
            f"{where}: moves {length * bits // 32:,} words, a BD's {form.length_bits}-bit length holds {form.max_words:,};"
            " split the transfer",
        )


def _check_dims(
    op: Any, dims: list[tuple[int, int]], bits: int, form: BDFormat, where: str, findings: Findings, *, iterates: bool
) -> None:
    """`dims` are (size, stride), innermost first."""
    most = form.dimensions + iterates
    if len(dims) > most:
        findings.error(
            op, f"{where}: has {len(dims)} dimensions, a BD there has {most}; fold dimensions, or split the transfer"
        )
        return
    for i, (size, stride) in enumerate(dims):
        _check_wrap(op, i, size, bits, form, where, findings)
        if size == 1 or (i == 0 and stride == 1):
            continue
        if stride * bits % 32:
            findings.error(
                op,
                f"{where}: dimension {i} (innermost is 0) steps {stride * bits / 8:g} bytes; a DMA steps in 4-byte words:"
                " move whole words, or transpose in the kernel",
            )
        elif stride * bits // 32 > form.max_step:
            findings.error(
                op,
                f"{where}: dimension {i} (innermost is 0) steps {stride * bits // 32:,} words, its {form.step_bits}-bit step"
                f" holds {form.max_step:,}; split the transfer along that dimension",
            )


def _check_wrap(op: Any, i: int, size: int, bits: int, form: BDFormat, where: str, findings: Findings) -> None:
    if i == 0 and size * bits % 32:
        findings.error(
            op,
            f"{where}: dimension 0 (the innermost) is {size * bits / 8:g} bytes; a DMA moves 4-byte words: make it whole words",
        )
        return
    wrap = size * bits // 32 if i == 0 else size
    unit = " words" if i == 0 else ""
    if i < len(form.max_wraps) and wrap > form.max_wraps[i]:
        findings.error(
            op,
            f"{where}: dimension {i} (innermost is 0) is {wrap:,}{unit}, its {form.wrap_bits[i]}-bit wrap holds"
            f" {form.max_wraps[i]:,}; split the dimension in two",
        )
    if i >= form.dimensions and size > form.max_iterations:
        findings.error(
            op,
            f"{where}: iterates {size} times, the {form.iteration_wrap_bits}-bit iteration holds {form.max_iterations};"
            " split the transfer into several tasks",
        )


def _check_padding(
    op: Any, pads: list[tuple[int, int]], bits: int, form: BDFormat, where: str, findings: Findings, *, sends: bool
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
            findings.error(op, f"{where}: pads dimension 0 by {before} and {after} elements; pad by whole 4-byte words")
        elif (words := widest * bits // 32 if i == 0 else widest) > (1 << form.pad_bits[i]) - 1:
            findings.error(
                op,
                f"{where}: pads dimension {i} (innermost is 0) by {words:,}{' words' if i == 0 else ''}, its"
                f" {form.pad_bits[i]}-bit field holds {(1 << form.pad_bits[i]) - 1}; pad in two steps, or in the kernel",
            )
