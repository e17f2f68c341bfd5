"""The cost of dividing a convolution into blocks: cycles, L1 bytes of a core, and bytes of external memory."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from allo_air.approximations import CYCLES
from allo_air.arch import Core, arch_of, core_of, machine_of
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
    """Cycles of a division, what limits it, bytes moved, bytes of L1, the cycles if nothing overlapped (`work`), and those of
    packing images that come from kernels, for each run on average.
    """

    cycles: float
    bound: str
    moved_bytes: float
    l1: int
    work: float
    packing: float

    @property
    def total(self) -> float:
        """Cycles of a run, with the packing of its image."""
        return self.cycles + self.packing

    @property
    def rank(self) -> float:
        """The sort key. Of divisions with equal cycles, the one with fewer cycles without overlap is better."""
        return self.total + self.work / 10


def price(conv: Convolution, blocks: Blocks, device: Device) -> Price | None:
    """The price of a division: cores multiply while the next operands arrive; results leave while the next block is computed.

    None if a core's memory is too small for it.
    """
    e, (_, out_bits) = conv.extents, conv.bits
    image, weights, l1 = bytes_of_buffers(conv, blocks)
    machine = machine_of(device)
    if l1 > machine.l1:
        return None
    out = blocks.f * blocks.y * blocks.x * blocks.m * blocks.n * out_bits // 8
    core = core_of(device.arch)
    steps = blocks.counts[2] // blocks.c
    step = max(_multiply(conv, blocks, core) + LOCKS, max(image, weights) / machine.stream_bytes)
    after = blocks.f * blocks.y * blocks.x * blocks.m * blocks.n / LANES * (1 + sum(map(elementwise, conv.epilogue)))
    block = steps * step + after
    count = e["n"] * (blocks.counts[0] // (blocks.cores[0] * blocks.down)) * (blocks.counts[1] // blocks.rows_of_channels)
    area = blocks.f * blocks.m * blocks.n
    rest = sum(
        size * area * (blocks.y * blocks.x * prod(blocks.cores) if varies else blocks.rows_of_channels)
        for size, varies in conv.other_bytes
    )
    read = count * (steps * (image * images(conv, blocks) + weights * blocks.rows_of_channels) + rest)
    written = count * out * prod(blocks.cores)
    outside = machine.moving(read, written)
    leaving = count * out * blocks.cores[1] / machine.stream_bytes
    parts = {"the cores": count * block, "external memory": outside, "the streams of results": leaving}
    bound = max(parts, key=parts.__getitem__)
    inputs, outputs = images(conv, blocks) + blocks.rows_of_channels * (1 + len(conv.other_bytes)), blocks.cores[0]
    first = max(image, weights) / machine.stream_bytes
    last = max(out * blocks.cores[1] / machine.stream_bytes, out * prod(blocks.cores) / machine.memory_bytes)
    by_busiest = machine.arrival + machine.lead(inputs, outputs) + first + parts[bound] + last
    by_controller = machine.push * (inputs + outputs) + last
    return Price(max(by_busiest, by_controller), bound, read + written, l1, sum(parts.values()), _packing(conv, blocks, device))


def _packing(conv: Convolution, blocks: Blocks, device: Device) -> float:
    """Cycles of packing the image in external memory, for each run on average: the rows and columns that several blocks need
    are stored in each of them. Runs are the channels of a micro-tile.
    """
    rows, columns = image_shape(conv, blocks)
    channels = blocks.counts[1] if conv.is_depthwise or conv.is_grouped else 1
    depth = 1 if conv.is_depthwise else blocks.counts[2]
    run = (blocks.n if conv.is_depthwise else blocks.k) * conv.bits[0] / 8
    runs = conv.extents["n"] * blocks.counts[0] * channels * depth * rows * columns * blocks.m
    return conv.moved * 2 * runs * run * arch_of(device).memory_share(run) / machine_of(device).memory_bytes


def _multiply(conv: Convolution, blocks: Blocks, core: Core) -> float:
    """Cycles of a core for one part of the image's channels."""
    extents = conv.extents
    by_parts, window, pixels = is_by_parts(conv, blocks), extents["u"] * extents["v"], blocks.y * blocks.x
    kind = multiplied(conv.element) if by_parts else conv.element
    result = None if conv.is_depthwise else core.contraction(kind, (blocks.m, blocks.k, blocks.n))
    if result is None:
        return window * blocks.c * blocks.f * pixels * _lanes(conv, blocks, core) * 1.1 + LOOP * blocks.y * blocks.f
    instructions = result.instructions * (F32_PART_PRODUCTS if by_parts else 1)
    bits = F32_PARTS * PART_BITS if by_parts else conv.bits[0]
    loops = (
        (blocks.f, pixels) if blocks.f > 1 else (blocks.y, blocks.x)
    )  # with a loop over channel micro-tiles, one loop runs over all pixels
    reads, of_image = [], (blocks.f == 1, True)
    for lanes, by in ((blocks.m * blocks.k, of_image), (blocks.k * blocks.n, (blocks.f > 1, False))):
        vectors, moves = core.blocks_of(lanes, by != of_image) if result.blocks else (0, 0)
        reads.append(Read(lanes * bits, by, moves, vectors, result.blocks))
    summed = [blocks.c, extents["u"], extents["v"]]
    steps = prod(summed[-unrolled(summed, instructions) :])
    nest = Nest(loops, tuple(reads), 32 * blocks.m * blocks.n, steps, instructions)
    split = F32_SPLIT_CYCLES * sum(bytes_of_buffers(conv, blocks)[:2]) * 8 / conv.bits[0] if by_parts else 0
    return window * blocks.c / steps * cycles(nest, instructions, core) + split


def _lanes(conv: Convolution, blocks: Blocks, core: Core) -> float:
    """Cycles of elementwise code for one position of the window and one micro-tile of the result."""
    if not isinstance(conv.total, ir.FloatType):
        return OTHER_CYCLES * blocks.n
    if conv.element != "f32":
        return LANES_LOADED
    return blocks.k * (LANES_LOADED + LANES_SPLIT + (0 if conv.is_depthwise else LANES_BROADCAST) + core.f32_products)


def elementwise(op: ir.Operation) -> float:
    """Cycles per vector of an epilogue operation: one, and those of its body. A shift counts as the code that replaces it."""
    body = [o.operation for o in op.regions[0].blocks[0].operations][:-1]
    shift = SHORTENED if is_requantisation(body) else SHIFT
    rest = {"arith.constant": 0, "arith.shrsi": shift, "arith.trunci": 1 if shift == SHIFT else 0}
    return 1 + sum(rest.get(o.name, CYCLES.get(o.name, (1, 1))[0]) for o in body)


def is_by_parts(conv: Convolution, blocks: Blocks) -> bool:
    """Whether the cores split f32 into bf16 parts and multiply these."""
    return multiplied(conv.element) != conv.element and blocks.n != LANES


def images(conv: Convolution, blocks: Blocks) -> int:
    """The number of different image parts that are in flight: the cores of a row share one, unless each has its own channel."""
    return prod(blocks.cores) if conv.is_depthwise or conv.is_grouped else blocks.cores[0] * blocks.down


def bytes_of_buffers(conv: Convolution, blocks: Blocks) -> tuple[int, int, int]:
    """Bytes of an image part, of a weight part, and of all of a core's buffers: both parts twice, split f32, sums and the
    result.
    """
    e, (bits, out_bits) = conv.extents, conv.bits
    rows, columns = image_shape(conv, blocks)
    image = rows * columns * blocks.m * (blocks.n if conv.is_depthwise else blocks.k * blocks.c) * bits // 8
    weights = blocks.f * e["u"] * e["v"] * blocks.k * blocks.n * blocks.c * bits // 8
    parts = F32_PARTS * PART_BITS * (image + weights) // bits if is_by_parts(conv, blocks) else 0
    pixels = blocks.f * blocks.y * blocks.x * blocks.m * blocks.n
    rest = sum((pixels if spread else blocks.f * blocks.m * blocks.n) * size for size, spread in conv.other_bytes)
    return image, weights, 2 * (image + weights + rest) + parts + pixels * (4 + (out_bits // 8 if conv.epilogue else 0))
