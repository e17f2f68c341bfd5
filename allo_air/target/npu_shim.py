"""Converts transfers to buffer descriptors, and transfers of the host to instructions (docs/sources.md#device,
#npu-instructions)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from allo_air.access.dims import is_contiguous
from allo_air.access.fields import WORD, misfits
from allo_air.device import SHIM_BD, BDFormat, Device
from allo_air.dialects.memrefs import has_gaps
from allo_air.errors import counted
from allo_air.target.npu_bd import BD_BASE, BD_STRIDE, QUEUE_BASE, BufferDescriptor, burst_of
from allo_air.target.npu_words import BlockWrite, Instruction, Patch, Write

_SHIM = "shim_noc"
_ITERATION = 3
_TEXTS = {
    "run": "innermost size {value} of {bits}-bit elements is not a multiple of 4 bytes",
    "wrap": "d{dim} size is {value}{unit}; a wrap holds at most {most}",
    "iterations": "outermost size {value}; a BD iterates at most {most} times",
    "grain": "stride {value} of dimension {dim} is not a multiple of 4 bytes",
    "step": "stride {value} of dimension {dim} exceeds {most} words",
    "apart": "innermost stride {value} of {bits}-bit elements, which are moved as runs of words of 4 bytes; expected 1",
    "sign": "stride {value} of dimension {dim}; strides are positive",
}


@dataclass(frozen=True)
class Transfer:
    """One `aiex.npu.dma_memcpy_nd`: four sizes and strides, innermost first, in elements of `bits` bits."""

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    byte_offset: int
    bits: int
    packet: tuple[int, int] | None = None  # type, id
    burst: int = 0  # bytes; 0: the longest
    pads: tuple[tuple[int, int], ...] = ()  # elements before and after each dimension, of a memtile's task

    def in_words(self, elements: int) -> int:
        return elements * self.bits // WORD

    def step(self, dimension: int) -> int:
        """The stride of a dimension as the BD stores it: in words, minus one."""
        stride = self.strides[dimension] * self.bits
        return 0 if stride < WORD or (dimension == 0 and self.bits > WORD) else stride // WORD - 1

    @property
    def linear(self) -> bool:
        """Whether the BD needs no wraps: one iteration is a contiguous run, written as one dimension or too long for wraps.

        mlir-aie takes the numbers at their word: a run that is said in several dimensions, or with strides that never step
        (`[1, 1, 1, 128][0, 128, 512, 1]`), keeps its wraps where they fit (docs/sources.md#npu-instructions).
        """
        sizes, strides = self.sizes, self.strides
        if self.pads:
            return False
        if sizes[1:3] == (1, 1) and strides[:3] == (1, 0, 0):
            return True
        most = SHIM_BD.max_wraps[0]
        is_long = self.in_words(sizes[0]) > most or sizes[1] > most
        return is_long and is_contiguous([*zip(sizes, strides, strict=True)][2::-1])

    @property
    def length(self) -> int:
        """Words of one iteration."""
        sizes = padded(self.sizes, self.pads)
        return self.in_words(sizes[0]) * sizes[1] * sizes[2]

    def problems(self, form: BDFormat = SHIM_BD) -> list[str]:
        """The fields of a BD in `form` that overflow, each as one sentence; empty if all fit."""
        return self._problems(form) if self.byte_offset % 4 else [*_problems_of(self.from_start, form)]

    @property
    def from_start(self) -> Transfer:
        """The same access pattern from the start of its buffer."""
        return replace(self, byte_offset=0)

    def _problems(self, form: BDFormat) -> list[str]:
        problems = []
        if self.bits > WORD:
            problems.append(f"elements of {counted(self.bits, 'bit')}; at most {WORD} are addressed")
        elif has_gaps(self.bits):
            problems.append(
                f"elements of {counted(self.bits, 'bit')} have gaps between them in memory; expected 8, 16 or 32 bits"
            )
        if self.byte_offset % 4:
            problems.append(f"starts at byte {self.byte_offset}; transfers begin at a multiple of 4 bytes")
        if min(self.sizes) < 1:
            problems.append(f"size {min(self.sizes)}; sizes are at least 1")
        if self.length > form.max_words:
            problems.append(f"moves {counted(self.length, 'word')}; a BD moves at most {form.max_words}")
        for misfit in misfits(list(zip(self.sizes, self.strides, strict=True))[::-1], self.bits, form, _ITERATION):
            if misfit.dim == _ITERATION or misfit.kind == "run" or not self.linear:
                kind = "apart" if misfit.kind == "grain" and misfit.dim == 0 else misfit.kind
                problems.append(_TEXTS[kind].format(bits=self.bits, unit="" if misfit.dim else " words", **vars(misfit)))
        return problems


def padded(sizes: Sequence[int], pads: Sequence[tuple[int, int]]) -> list[int]:
    """Sizes including padding, innermost first."""
    more = [before + after for before, after in pads]
    return [size + extra for size, extra in zip(sizes, [*more, *[0] * (len(sizes) - len(more))], strict=True)]


def of_transfer(transfer: Transfer, device: Device, kind: str) -> BufferDescriptor:
    """The descriptor of an access pattern, without links and locks; `transfer` has no problems in a tile of `kind`."""
    burst = burst_of(device, transfer.burst) if kind == _SHIM else 0
    return replace(_pattern_of(transfer.from_start, kind), buffer_offset=transfer.byte_offset, burst=burst)


@lru_cache(maxsize=1024)
def _problems_of(transfer: Transfer, form: BDFormat) -> tuple[str, ...]:
    return tuple(transfer._problems(form))


@lru_cache(maxsize=1024)
def _pattern_of(transfer: Transfer, kind: str) -> BufferDescriptor:
    sizes, strides = transfer.sizes, transfer.strides
    pattern = BufferDescriptor(buffer_length=transfer.length)
    if not transfer.linear:
        pattern = replace(
            pattern,
            d0_size=transfer.in_words(sizes[0]),
            d0_stride=transfer.step(0),
            d1_size=sizes[1],
            d1_stride=transfer.step(1) if sizes[1] > 1 else 0,
            d2_size=sizes[2] if kind == "mem" else 0,
            d2_stride=transfer.step(2) if sizes[2] > 1 else 0,
        )
    if transfer.pads:
        (before, after), (above, below) = [*transfer.pads, (0, 0)][:2]
        pattern = replace(
            pattern,
            d0_zero_before=transfer.in_words(before),
            d0_zero_after=transfer.in_words(after),
            d1_zero_before=above,
            d1_zero_after=below,
        )
    if sizes[3] > 1 and strides[3] > 0:
        pattern = replace(pattern, iteration_size=sizes[3] - 1, iteration_stride=transfer.step(3))
    if transfer.packet is not None:
        packet_type, packet_id = transfer.packet
        pattern = replace(pattern, enable_packet=1, packet_type=packet_type, packet_id=packet_id)
    return pattern


def bd_words(transfer: Transfer, device: Device) -> tuple[int, ...]:
    """The eight words of a shim BD; the base address is left to the patch."""
    return replace(of_transfer(transfer, device, _SHIM), buffer_offset=0).words(_SHIM)


def queue_word(bd: int, repeat: int, *, token: bool) -> int:
    """A push to a channel's queue; `repeat` is the number of runs minus one."""
    return bd & 0xF | (repeat & 0xFF) << 16 | int(token) << 31


def transfer_instructions(
    transfer: Transfer, device: Device, column: int, direction: int, channel: int, bd: int, argument: int, *, token: bool
) -> list[Instruction]:
    """Writes the BD, patches its address, and queues it."""
    base = device.address(column, 0, BD_BASE[_SHIM] + BD_STRIDE * bd)
    queue = device.address(column, 0, QUEUE_BASE[_SHIM][direction] + 8 * channel)
    return [
        BlockWrite(base, bd_words(transfer, device)),
        Patch(base + 4, argument, transfer.byte_offset),
        Write(queue, queue_word(bd, transfer.sizes[3] - 1, token=token)),
    ]
