"""The cost of dividing a convolution into blocks: cycles, L1 bytes of a core, and bytes of external memory."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from allo_air.approximations import CYCLES
from allo_air.arch import Core, core_of, machine_of
from allo_air.arch.core import F32_PART_PRODUCTS, F32_PARTS, F32_SPLIT_CYCLES, PART_BITS, multiplied
from allo_air.device import Device
from allo_air.mlir import ir
from allo_air.passes._analysis.blocking import Nest, Read, cycles, unrolled
from allo_air.passes._analysis.requantisation import is_requantisation
from allo_air.passes.map._blocks import Blocks, image_shape
from allo_air.passes.map._convolution import Convolution

LOOP = 40
"""Cycles around the innermost loops of a core: a jump, and the latencies of a load, a product and a store."""
LANES, LANES_DEEP = 16, 8
"""Elementwise f32 code, for depthwise convolutions and those with few image channels: the number of result channels of an
instruction, and the largest number of image channels.
"""
OTHER_CYCLES = 6
"""Cycles of an integer product in a loop over single elements: an address, two overlapping loads of 7 cycles, and a jump."""
LANES_LOADED, LANES_SPLIT, LANES_BROADCAST = 24, 20, 30
"""Cycles of compiled elementwise code besides the products, which do not overlap, since the sums are in memory: loading two
operands and adding; splitting two f32 into parts; broadcasting an f32. Measured in the simulator, 3x3 and 7x7 convolutions."""
LOCKS = 20
"""Cycles of two pairs of lock operations, and of the code around the loops over one part of the channels."""
SHIFT = 8
"""Cycles to shift 16 i32. Cores have no such instruction: `legalize-arithmetic` replaces it by additions and moves of halves.
"""

SHORTENED = 2
"""Cycles to shift 16 i32 that become bytes: low bits are cleared first (`allo_air.passes._analysis.requantisation`)."""


@dataclass(frozen=True)
class Price:
    """Cycles of a division, what limits it, bytes moved, bytes of L1, and the cycles if nothing overlapped (`parts`)."""

    cycles: float
    bound: str
    moved_bytes: float
    l1: int
    work: float

    @property
    def rank(self) -> float:
        """The sort key. Of divisions with equal cycles, the one with fewer cycles without overlap is better."""
        return self.cycles + self.work / 10


def price(conv: Convolution, b: Blocks, device: Device) -> Price | None:
    """The price of a division: cores multiply while the next operands arrive; results leave while the next block is computed.

    None if a core's memory is too small for it.
    """
    e, (_, out_bits) = conv.extents, conv.bits
    image, weights, l1 = bytes_of_buffers(conv, b)
    machine = machine_of(device)
    if l1 > machine.l1:
        return None
    out = b.f * b.y * b.x * b.m * b.n * out_bits // 8
    core = core_of(device.arch)
    steps = b.counts[2] // b.c
    step = max(_multiply(conv, b, core) + LOCKS, max(image, weights) / machine.stream_bytes)
    after = b.f * b.y * b.x * b.m * b.n / LANES * (1 + sum(map(_elementwise, conv.epilogue)))
    block = steps * step + after
    count = e["n"] * (b.counts[0] // (b.cores[0] * b.down)) * (b.counts[1] // b.rows_of_channels)
    area = b.f * b.m * b.n
    rest = sum(size * area * (b.y * b.x * prod(b.cores) if varies else b.rows_of_channels) for size, varies in conv.other_bytes)
    moved = count * (steps * (image * images(conv, b) + weights * b.rows_of_channels) + rest + out * prod(b.cores))
    outside = moved / machine.memory_bytes
    leaving = count * out * b.cores[1] / machine.stream_bytes
    parts = {"the cores": count * block, "external memory": outside, "the streams of results": leaving}
    bound = max(parts, key=parts.__getitem__)
    inputs, outputs = images(conv, b) + b.rows_of_channels * (1 + len(conv.other_bytes)), b.cores[0]
    first = max(image, weights) / machine.stream_bytes
    last = max(out * b.cores[1] / machine.stream_bytes, out * prod(b.cores) / machine.memory_bytes)
    of_work = machine.arrival + machine.lead(inputs, outputs) + first + parts[bound] + last
    of_tasks = machine.push * (inputs + outputs) + last
    return Price(max(of_work, of_tasks), bound, moved, l1, sum(parts.values()))


def _multiply(conv: Convolution, b: Blocks, core: Core) -> float:
    """Cycles of a core for one part of the image's channels."""
    e = conv.extents
    by_parts, window, pixels = is_by_parts(conv, b), e["u"] * e["v"], b.y * b.x
    kind = multiplied(conv.element) if by_parts else conv.element
    result = None if conv.is_depthwise else core.contraction(kind, (b.m, b.k, b.n))
    if result is None:
        return window * b.c * b.f * pixels * _lanes(conv, b, core) * 1.1 + LOOP * b.y * b.f
    instructions = result.instructions * (F32_PART_PRODUCTS if by_parts else 1)
    bits = F32_PARTS * PART_BITS if by_parts else conv.bits[0]
    loops = (b.f, pixels) if b.f > 1 else (b.y, b.x)  # with a loop over channel micro-tiles, one loop runs over all pixels
    reads, of_image = [], (b.f == 1, True)
    for lanes, by in ((b.m * b.k, of_image), (b.k * b.n, (b.f > 1, False))):
        vectors, moves = core.blocks_of(lanes, by != of_image) if result.blocks else (0, 0)
        reads.append(Read(lanes * bits, by, moves, vectors, result.blocks))
    summed = [b.c, e["u"], e["v"]]
    steps = prod(summed[-unrolled(summed, instructions) :])
    nest = Nest(loops, tuple(reads), 32 * b.m * b.n, steps, instructions)
    split = F32_SPLIT_CYCLES * sum(bytes_of_buffers(conv, b)[:2]) * 8 / conv.bits[0] if by_parts else 0
    return window * b.c / steps * cycles(nest, instructions, core) + split


def _lanes(conv: Convolution, b: Blocks, core: Core) -> float:
    """Cycles of elementwise code for one position of the window and one micro-tile of the result."""
    if not isinstance(conv.total, ir.FloatType):
        return OTHER_CYCLES * b.n
    if conv.element != "f32":
        return LANES_LOADED
    return b.k * (LANES_LOADED + LANES_SPLIT + (0 if conv.is_depthwise else LANES_BROADCAST) + core.f32_products)


def _elementwise(op: ir.Operation) -> float:
    """Cycles per vector of an epilogue operation: one, and those of its body. A shift counts as the code that replaces it."""
    body = [o.operation for o in op.regions[0].blocks[0].operations][:-1]
    shift = SHORTENED if is_requantisation(body) else SHIFT
    rest = {"arith.constant": 0, "arith.shrsi": shift, "arith.trunci": 1 if shift == SHIFT else 0}
    return 1 + sum(rest.get(o.name, CYCLES.get(o.name, (1, 1))[0]) for o in body)


def is_by_parts(conv: Convolution, b: Blocks) -> bool:
    """Whether the cores split f32 into bf16 parts and multiply these."""
    return multiplied(conv.element) != conv.element and b.n != LANES


def images(conv: Convolution, b: Blocks) -> int:
    """The number of different image parts that are in flight: the cores of a row share one, unless each has its own channel."""
    return prod(b.cores) if conv.is_depthwise or conv.is_grouped else b.cores[0] * b.down


def bytes_of_buffers(conv: Convolution, b: Blocks) -> tuple[int, int, int]:
    """Bytes of an image part, of a weight part, and of all of a core's buffers: both parts twice, split f32, sums and the
    result.
    """
    e, (bits, out_bits) = conv.extents, conv.bits
    rows, columns = image_shape(conv, b)
    image = rows * columns * b.m * (b.n if conv.is_depthwise else b.k * b.c) * bits // 8
    weights = b.f * e["u"] * e["v"] * b.k * b.n * b.c * bits // 8
    parts = F32_PARTS * PART_BITS * (image + weights) // bits if is_by_parts(conv, b) else 0
    pixels = b.f * b.y * b.x * b.m * b.n
    rest = sum((pixels if spread else b.f * b.m * b.n) * size for size, spread in conv.other_bytes)
    return image, weights, 2 * (image + weights + rest) + parts + pixels * (4 + (out_bits // 8 if conv.epilogue else 0))
