"""Shim buffer descriptors and queue words of an access pattern in elements (docs/sources.md#device, #npu-instructions)."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.device import QUEUE_DEPTH, SHIM_BD, Device
from allo_air.target.npu_words import BlockWrite, Instruction, Patch, Write

BD_BASE, BD_STRIDE, BD_COUNT = 0x1D000, 0x20, 16
QUEUE_BASE = {0: 0x1D204, 1: 0x1D214}  # S2MM, MM2S; a channel's are 8 bytes apart
MAX_WRAP = SHIM_BD.max_wraps[0]
_AX_CACHE = 0x02000000
_VALID = 1 << 25

__all__ = ["BD_COUNT", "QUEUE_DEPTH", "Transfer", "bd_words", "queue_word"]


@dataclass(frozen=True)
class Transfer:
    """One `aiex.npu.dma_memcpy_nd`: four sizes and strides, innermost first, in elements of `bits` bits."""

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    byte_offset: int
    bits: int
    packet: tuple[int, int] | None = None  # type, id
    burst: int = 0  # bytes; 0: the longest

    def in_words(self, elements: int) -> int:
        return elements * self.bits // 32

    def step(self, dimension: int) -> int:
        """The stride of a dimension as the BD stores it: in words, minus one."""
        stride = self.strides[dimension] * self.bits
        return 0 if stride < 32 or (dimension == 0 and self.bits > 32) else stride // 32 - 1

    @property
    def linear(self) -> bool:
        """Whether the BD needs no wraps: one iteration is a run of elements, said as one or too long for wraps.

        mlir-aie takes the numbers at their word: a run that is said in several dimensions, or with strides that never step
        (`[1, 1, 1, 128][0, 128, 512, 1]`), keeps its wraps where they fit (docs/sources.md#npu-instructions).
        """
        sizes, strides = self.sizes, self.strides
        if sizes[1:3] == (1, 1) and strides[:3] == (1, 0, 0):
            return True
        runs = (1, sizes[0], sizes[0] * sizes[1])
        contiguous = all(n == 1 or s == run for n, s, run in zip(sizes[:3], strides[:3], runs, strict=True))
        return contiguous and (self.in_words(sizes[0]) > MAX_WRAP or sizes[1] > MAX_WRAP)

    @property
    def length(self) -> int:
        """Words of one iteration."""
        return self.in_words(self.sizes[0]) * self.sizes[1] * self.sizes[2]

    def problems(self) -> list[str]:
        """What the BD's fields cannot hold, each as one sentence; empty when all is well."""
        found = []
        if self.bits > 32:
            found.append(f"elements of {self.bits} bits; at most 32 are addressed")
        if self.byte_offset % 4:
            found.append(f"starts at byte {self.byte_offset}; transfers begin at a multiple of 4 bytes")
        if self.sizes[0] * self.bits % 32:
            found.append(f"innermost size {self.sizes[0]} of {self.bits}-bit elements is no multiple of 4 bytes")
        if min(self.sizes) < 1:
            found.append(f"size {min(self.sizes)}; sizes are at least 1")
        if self.sizes[3] > SHIM_BD.max_iterations:
            found.append(f"outermost size {self.sizes[3]}; a BD iterates at most {SHIM_BD.max_iterations} times")
        if not self.linear:
            for name, size, unit in (("d0", self.in_words(self.sizes[0]), " words"), ("d1", self.sizes[1], "")):
                if size > MAX_WRAP:
                    found.append(f"{name} size is {size}{unit}; a wrap holds at most {MAX_WRAP}")
        for dimension in (0, 1, 2, 3):
            if self.sizes[dimension] > 1 and not (dimension < 3 and self.linear):
                stride = self.strides[dimension]
                if dimension and stride * self.bits % 32:
                    found.append(f"stride {stride} of dimension {dimension} is no multiple of 4 bytes")
                if stride < (0 if dimension == 3 else 1):
                    found.append(f"stride {stride} of dimension {dimension}; strides are positive")
                elif self.step(dimension) >= SHIM_BD.max_step:
                    found.append(f"stride {stride} of dimension {dimension} exceeds {SHIM_BD.max_step} words")
        return found


def bd_words(transfer: Transfer, device: Device) -> tuple[int, ...]:
    """The eight words of a shim BD; the base address is left to the patch."""
    sizes, strides = transfer.sizes, transfer.strides
    d0_size = d0_step = d1_size = d1_step = d2_step = 0
    if not transfer.linear:
        d0_size, d0_step = transfer.in_words(sizes[0]), transfer.step(0)
        d1_size = sizes[1]
        d1_step = transfer.step(1) if sizes[1] > 1 else 0
        d2_step = transfer.step(2) if sizes[2] > 1 else 0
    iteration_size = iteration_step = 0
    if sizes[3] > 1 and strides[3] > 0:
        iteration_size, iteration_step = sizes[3] - 1, transfer.step(3)
    w2 = 0
    if transfer.packet is not None:
        kind, number = transfer.packet
        w2 = 1 << 30 | number << 19 | kind << 16
    lengths = device.burst_lengths
    burst = lengths.index(transfer.burst) if transfer.burst else len(lengths) - 1
    return (
        transfer.length,
        0,
        w2,
        d0_size << 20 | d0_step,
        burst << 30 | d1_size << 20 | d1_step,
        _AX_CACHE | d2_step,
        iteration_size << 20 | iteration_step,
        _VALID,
    )


def queue_word(bd: int, repeat: int, *, token: bool) -> int:
    """A push to a channel's queue; `repeat` is the number of runs minus one."""
    return bd & 0xF | (repeat & 0xFF) << 16 | int(token) << 31


def transfer_instructions(
    transfer: Transfer, device: Device, column: int, direction: int, channel: int, bd: int, argument: int, *, token: bool
) -> list[Instruction]:
    """Writes the BD, patches its address, and queues it."""
    base = device.address(column, 0, BD_BASE + BD_STRIDE * bd)
    queue = device.address(column, 0, QUEUE_BASE[direction] + 8 * channel)
    return [
        BlockWrite(base, bd_words(transfer, device)),
        Patch(base + 4, argument, transfer.byte_offset),
        Write(queue, queue_word(bd, transfer.sizes[3] - 1, token=token)),
    ]
