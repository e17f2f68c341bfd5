"""How a convolution is divided: blocks of the result for cores, parts of channels for their memory, micro-tiles of pixels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from allo_air.arch import Core, arch_of, core_of
from allo_air.arch.core import F32_PART_BITS, F32_PART_PRODUCTS, F32_PARTS, F32_SPLIT_CYCLES
from allo_air.arch.limits import core_room
from allo_air.device import Device
from allo_air.mlir import ir
from allo_air.passes.map._convolution import Convolution

LOOP = 40
"""Cycles around the innermost loops of a core: a jump, and the latencies of a load, a product and a store."""
LANES, LANES_DEEP = 16, 8
"""f32 of few channels, and depthwise: elementwise instructions on so many channels of the result, for at most so many of the
image."""
OTHER_CYCLES = 6
"""Cycles of a product of integers in a loop over single elements: an address, loads of 7 cycles that share them, a jump."""
LANES_LOADED = 12
"""Cycles beside the products of f32 in elementwise code: two operands' loads, one of them spread, and a sum."""
NARROWEST = 48
"""Columns of pixels that a block has at least where there are several in a row: its window's columns come with each."""
MOST_ODD = 3
"""Parts of the image's channels, if there is an odd number of them: a core has descriptors for so many of both operands."""
LAUNCH = 2000
"""Cycles before the first operands are in the cores, and behind the last result."""


@dataclass(frozen=True)
class Blocks:
    """A block is `y` x `x` micro-tiles of `m` pixels, those of `along` ("h" or "w") `y` (or `x`) apart, and `f` micro-tiles of
    channels. Columns of cores are for blocks of pixels, rows for those of channels, or with `down` > 1 for pixels, too; a core
    takes `c` micro-tiles of the image's channels after others. With `beside` > 1 so many blocks make up a row of pixels."""

    m: int
    k: int
    n: int
    along: str
    y: int
    x: int
    f: int
    c: int
    cores: tuple[int, int]
    counts: tuple[int, int, int]
    """Blocks of pixels and of channels, micro-tiles of the image's channels."""
    down: int = 1
    """Blocks of pixels that the rows of cores have; blocks of the same rows of pixels where there are any."""
    beside: int = 1

    @property
    def places(self) -> list[int]:
        """Blocks of pixels in two dimensions: columns of cores go along the first, rows of cores along the second."""
        second = max(self.down, self.beside)
        return [self.counts[0] // second, second]

    @property
    def rows_of_channels(self) -> int:
        """Rows of cores that are for blocks of channels."""
        return self.cores[1] // self.down

    @property
    def rows(self) -> int:
        """Rows of pixels of a block."""
        return self.y * (self.m if self.along == "h" else 1)

    @property
    def columns(self) -> int:
        """Columns of pixels of a block."""
        return self.x * (self.m if self.along == "w" else 1)


@dataclass(frozen=True)
class Price:
    """Cycles of a division, what bounds them, bytes moved, bytes of L1, and cycles of all parts, one after another."""

    cycles: float
    bound: str
    moved: float
    l1: int
    work: float

    @property
    def rank(self) -> float:
        """Of divisions that one part bounds alike, that is better whose other parts take less."""
        return self.cycles + self.work / 10


def divide(conv: Convolution, device: Device) -> tuple[Blocks, Price, Price | None] | None:
    """The division of least cycles, and the price of the next best one on other cores; None where nothing fits."""
    priced = ((price(conv, b, device), b) for b in _candidates(conv, device) if _has_channels(conv, b, device))
    found = sorted(((p, b) for p, b in priced if p is not None), key=lambda pair: pair[0].rank)
    if not found:
        return None
    best, blocks = found[0]
    return blocks, best, next((p for p, b in found if b.cores != blocks.cores), None)


def noted(b: Blocks, price: Price, other: Price | None, *, is_depthwise: bool) -> dict[str, ir.Attribute]:
    """What the plan's attribute says of a division, its price, and that of the next best one on other cores."""
    array = ir.DenseI64ArrayAttr.get
    step = "elementwise"
    if not is_depthwise:
        step = f"micro-tile {b.m}x{b.n}x{b.k} of pixels along {b.along}, {b.c * b.k} channels of the image a step"
    size = f"{b.rows} rows of pixels" if b.beside == 1 else f"{b.rows}x{b.columns} pixels"
    text = (
        f"herd {b.cores[0]}x{b.cores[1]}, blocks of {size} and {b.f * b.n} channels, {step}, L1 {price.l1} bytes; "
        f"the host packs arrays; about {price.cycles:.3g} cycles, bound by {price.bound} "
        f"({price.moved / 1e6:.3g} MB to and from external memory)"
    )
    if other is not None:
        text += f"; on other cores {other.cycles:.3g} cycles"
    piece = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), b.c)
    return {"chosen": ir.StringAttr.get(text), "cores": array(list(b.cores)), "piece": piece}


def image_shape(conv: Convolution, b: Blocks) -> tuple[int, int]:
    """Rows and columns of micro-tiles of the image that a block needs."""
    s, d, e = conv.strides, conv.dilations, conv.extents
    rows = (b.y - 1) * s["h"] + (e["u"] - 1) * d["h"] + 1
    return rows, (b.x - 1) * s["w"] + (e["v"] - 1) * d["w"] + 1


def price(conv: Convolution, b: Blocks, device: Device) -> Price | None:
    """The price of a division: cores multiply while the next operands come; results leave while the next block is computed.

    None where a core's memory has no room for it.
    """
    e, (_, out_bits) = conv.extents, conv.bits
    image, weights, l1 = _held(conv, b)
    if l1 > core_room(device):
        return None
    tiles = b.f * b.y * b.x
    out = tiles * b.m * b.n * out_bits // 8
    core, arch = core_of(device.arch), arch_of(device)
    instructions = _instructions(conv, b, core)
    steps = b.counts[2] // b.c
    multiply: float = tiles * e["u"] * e["v"] * b.c * instructions
    if _is_by_parts(conv, b):
        multiply += F32_SPLIT_CYCLES * (image + weights) * 8 / conv.bits[0]
    # A pair of accumulators is loaded and stored for each part; loads of both operands keep pace with two products each.
    step = max(multiply * 1.1 + tiles * 2, (image + weights) / arch.stream_bytes) + LOOP * b.y * max(1, b.f // 2)
    after = tiles * b.m * b.n / 16 * (2 + 3 * len(conv.behind))
    block = steps * step + after
    many = e["n"] * (b.counts[0] // (b.cores[0] * b.down)) * (b.counts[1] // b.rows_of_channels)
    moved = many * (steps * (image * _images(conv, b) + weights * b.rows_of_channels) + out * prod(b.cores))
    outside = moved / arch.memory_bytes
    leaving = many * out * b.cores[1] / arch.stream_bytes
    parts = {"the cores": many * block, "external memory": outside, "the streams of results": leaving}
    bound = max(parts, key=parts.__getitem__)
    tail = image * steps / arch.stream_bytes / 2 + out * b.cores[1] / arch.stream_bytes
    return Price(parts[bound] + LAUNCH + tail, bound, moved, l1, sum(parts.values()))


def _instructions(conv: Convolution, b: Blocks, core: Core) -> int:
    """Of a core for one place of the window and one micro-tile of the result."""
    by_parts = _is_by_parts(conv, b)
    made = core.contraction("bf16" if by_parts else conv.element, (b.m, b.k, b.n))
    if made is not None and not conv.is_depthwise:
        return made.instructions * (F32_PART_PRODUCTS if by_parts else 1)
    if not isinstance(conv.total, ir.FloatType):
        return OTHER_CYCLES * b.n
    return b.k * (LANES_LOADED + core.f32_products) if conv.element == "f32" else LANES_LOADED


def _is_by_parts(conv: Convolution, b: Blocks) -> bool:
    """Whether the cores split f32 into parts of bf16, which they multiply."""
    return conv.element == "f32" and b.n != LANES


def _images(conv: Convolution, b: Blocks) -> int:
    """Parts of images that are on their way at a time: cores of a row share one, unless they have channels of their own."""
    return prod(b.cores) if conv.is_depthwise or conv.is_grouped else b.cores[0] * b.down


def _held(conv: Convolution, b: Blocks) -> tuple[int, int, int]:
    """Bytes of a part of an image, of one of weights, and of all that a core holds: both twice, what f32 is split into, sums,
    and the result."""
    e, (bits, out_bits) = conv.extents, conv.bits
    rows, columns = image_shape(conv, b)
    image = rows * columns * b.m * (b.n if conv.is_depthwise else b.k * b.c) * bits // 8
    weights = b.f * e["u"] * e["v"] * b.k * b.n * b.c * bits // 8
    parts = F32_PARTS * F32_PART_BITS * (image + weights) // bits if _is_by_parts(conv, b) else 0
    pixels = b.f * b.y * b.x * b.m * b.n
    others = sum((pixels if spread else b.f * b.m * b.n) * size for size, spread in conv.other_bytes)
    return image, weights, 2 * (image + weights + others) + parts + pixels * (4 + (out_bits // 8 if conv.behind else 0))


def _has_channels(conv: Convolution, b: Blocks, device: Device) -> bool:
    """Whether the memtiles have channels to the cores for all operands, and one of each column for results.

    Images go to all cores of a column, those of depthwise convolutions to one, and weights to all of a row; what is added to
    each result goes to one core, over a channel that it shares with an image of its own.
    """
    streams = _images(conv, b) + b.rows_of_channels + device.columns
    spread = [spread for _, spread in conv.other_bytes]
    streams += b.rows_of_channels * spread.count(False)
    if any(spread) and not (b.rows_of_channels == 1 and _has_descriptors(b, spread.count(True), device)):
        return False
    return streams <= device.columns * device.tiles["mem"].channels[1]


def _has_descriptors(b: Blocks, spread: int, device: Device) -> bool:
    """Whether there are buffer descriptors where a channel brings parts of an image and then `spread` other operands.

    Each part has one then, at both ends, and that of weights where they are no pairs; weights and results have two otherwise.
    """
    steps = b.counts[2] // b.c
    each, weights = steps + spread, steps if steps % 2 else 2
    core, memtile = (device.tiles[kind].bds for kind in ("core", "mem"))
    return each + weights + 2 <= core and (b.down + 1) * each + 2 * weights + 2 * b.down + 2 <= memtile


def _candidates(conv: Convolution, device: Device) -> Iterator[Blocks]:
    core, e, room = core_of(device.arch), conv.extents, core_room(device)
    by_parts = (conv.element, str(conv.total)) == ("f32", "f32")
    kind = ("bf16" if by_parts else conv.element, str(conv.total), False)
    shapes = [c.shape for c in core.contractions if (c.element, c.total, c.blocks) == kind]
    if conv.is_depthwise:
        shapes = [(1, 1, LANES)]
    elif by_parts:
        shapes.append((1, _deep(e["c"]), LANES))
    for m, k, n in shapes:
        for along in "hw" if e["h"] > 1 else "w":
            for y, x, beside in _pixels(e, along, m):
                least = Blocks(m, k, n, along, y, x, 1, 1, (1, 1), (1, 1, 1))
                if _held(conv, least)[2] > room:
                    continue
                rows = y * (m if along == "h" else 1)
                spatial = -(-e["h"] // rows)
                for across, rows_of, down in _cores(device, spatial, beside):
                    for f in [1] if conv.is_depthwise else _channels(-(-e["f"] // n), 1 if conv.is_grouped else rows_of):
                        count = -(-e["f"] // (n * f))
                        if conv.is_grouped and count > 1:
                            continue
                        count = -(-e["g"] * count // rows_of) * rows_of
                        each = across * (down if beside == 1 else 1)
                        pixels = -(-spatial // each) * each * beside
                        for c, deep in _parts(-(-e["c"] // k)):
                            counts = (pixels, count, deep)
                            yield Blocks(m, k, n, along, y, x, f, c, (across, rows_of * down), counts, down, beside)


def _parts(blocks: int) -> list[tuple[int, int]]:
    """Micro-tiles of the image's channels that a core takes at once, and of all parts, of which there are pairs, or few.

    Parts are in two buffers in turn: a loop over an odd number of them is written out, with a buffer descriptor for each.
    """
    found = [(c, -(-blocks // c)) for c in (1, 2, 4, 8) if c <= blocks]
    return [(c, c * (steps + (steps % 2 and steps > MOST_ODD))) for c, steps in found]


def _deep(channels: int) -> int:
    """Channels of the image in a micro-tile of f32: as many as leave the fewest to be padded."""
    if channels <= LANES_DEEP:
        return channels
    return min(range(LANES_DEEP, LANES_DEEP // 2 - 1, -1), key=lambda k: -(-channels // k) * k)


def _cores(device: Device, spatial: int, beside: int) -> Iterator[tuple[int, int, int]]:
    """Columns of cores for `spatial` blocks of pixels, rows for those of channels, or blocks of pixels, `beside` each other."""
    high = len(device.core_rows)
    for across in {min(device.columns, spatial), min(high, device.columns, spatial), 1}:
        yield from ((across, rows, 1) for rows in {high, 2, 1})
        if across == device.columns:
            yield from (
                (across, 1, rows) for rows in {high, 2} if (beside % rows == 0 if beside > 1 else rows * across <= spatial)
            )


def _pixels(e: dict[str, int], along: str, m: int) -> Iterator[tuple[int, int, int]]:
    """Rows and columns of micro-tiles of a block, blocks that make up a row: any number of rows that divides them evenly."""
    high = -(-e["h"] // (m if along == "h" else 1))
    wide = -(-e["w"] // (m if along == "w" else 1))
    besides = [count for count in (1, 2, 4, 8, 16, 32, 64) if count == 1 or e["w"] // count >= NARROWEST]
    for count in range(1, high + 1):
        rows = -(-high // count)
        if rows == -(-high // -(-high // rows)):
            yield from ((rows, -(-wide // beside), beside) for beside in besides)


def _channels(blocks: int, down: int) -> list[int]:
    each = -(-blocks // down)
    return sorted({-(-each // many) for many in (1, 2, 4, 8)})
