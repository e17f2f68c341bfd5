"""Finds the division of a convolution with the fewest cycles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial

from allo_air.arch import core_of, machine_of
from allo_air.arch.core import multiplied
from allo_air.arch.limits import core_room
from allo_air.device import Device
from allo_air.errors import counted
from allo_air.passes._analysis.columns import price as price_of_column
from allo_air.passes.map._block_cost import LANES, LANES_DEEP, Price, bytes_of_buffers, elementwise, images, price
from allo_air.passes.map._blocks import Blocks
from allo_air.passes.map._convolution import Convolution
from allo_air.passes.map._searches import once
from allo_air.plan.plan import Plan

NARROWEST = 48, 8
"""Smallest number of pixel columns of a block, if a row has several blocks: each block also needs the columns of its window.
Narrower blocks are used only if nothing else fits MAC instructions.
"""
MOST_ODD = 3
"""Largest odd number of parts of the image's channels: a core has this many descriptors for both operands."""


def divide(conv: Convolution, device: Device, bfp16: bool = False) -> tuple[Blocks, Price, Price | None] | None:
    """The division with the fewest cycles, and the price of the next best one on other cores; None if nothing fits.

    A division that is only faster because its image takes less time to pack must save the price of a column in all calls: cores
    may have to pack its image, where streams pack that of the division that is faster by itself.

    With `bfp16`, bf16 is multiplied as bfp16 blocks.
    """
    result: tuple[Blocks, Price, Price | None] | None = once(
        ("divide", *_numbers(conv), device.name, device.columns, len(device.core_rows), bfp16),
        lambda: _divided(conv, device, bfp16),
    )
    return result


def _numbers(conv: Convolution) -> tuple[object, ...]:
    """All on which the divisions of a convolution and their prices depend."""
    by_letter = (tuple(sorted(numbers.items())) for numbers in (conv.extents, conv.strides, conv.dilations))
    types = (conv.element, conv.bits, str(conv.total), conv.is_depthwise, conv.is_grouped, tuple(conv.other_bytes))
    return (*by_letter, *types, tuple(map(elementwise, conv.epilogue)), conv.moved, conv.calls)


def _divided(conv: Convolution, device: Device, bfp16: bool) -> tuple[Blocks, Price, Price | None] | None:
    results: list[tuple[Price, Blocks]] = []
    for narrowest in NARROWEST:
        if (conv.is_depthwise and results) or any(b.n != LANES for _, b in results):
            break
        tried = (b for b in _candidates(conv, device, narrowest, bfp16) if _has_channels(conv, b, device))
        results = [(p, b) for p, b in ((price(conv, b, device), b) for b in tried) if p is not None]
    results.sort(key=lambda pair: pair[0].rank)
    if not results:
        return None
    best, blocks = results[0]
    fastest, plain = min(results, key=lambda pair: pair[0].cycles + pair[0].work / 10)
    if conv.calls * (fastest.total - best.total) < price_of_column(device):
        best, blocks = fastest, plain
    return blocks, best, next((p for p, b in results if b.cores != blocks.cores), None)


def plan_with_price(blocks: Blocks, price: Price, unpacked: Price | None, device: Device, *, is_depthwise: bool) -> Plan:
    """The plan of a division with its price, and the price of the next best division on other cores.

    The reported cycles are those of a run, including the end of each sequence, which nothing overlaps.
    """
    step = "elementwise"
    if not is_depthwise:
        size_text = f"{blocks.m}x{blocks.n}x{blocks.k}"
        step = (
            f"micro-tile {size_text} of pixels along {blocks.along}, "
            f"{counted(blocks.c * blocks.k, 'channel')} of the image a step"
        )
    size = (
        f"{counted(blocks.rows, 'row')} of pixels"
        if blocks.per_row == 1
        else f"{blocks.rows}x{counted(blocks.columns, 'pixel')}"
    )
    text = (
        f"herd {blocks.cores[0]}x{blocks.cores[1]}, blocks of {size} and "
        f"{counted(blocks.f * blocks.n, 'channel')}, {step}, "
        f"L1 {counted(price.l1, 'byte')}; the host packs arrays; about {price.cycles + machine_of(device).tail:.3g} cycles, "
        f"bound by {price.bound} ({price.moved_bytes / 1e6:.3g} MB to and from external memory)"
    )
    if unpacked is not None:
        text += f"; on other cores {unpacked.cycles + machine_of(device).tail:.3g} cycles"
    micro = () if is_depthwise else (blocks.m, blocks.n, blocks.k)
    return Plan(
        "window",
        text,
        cores=blocks.cores,
        piece=blocks.c,
        micro=micro,
        l1=round(price.l1),
        moved=round(price.moved_bytes),
        cycles=round(price.cycles),
    )


def _has_channels(conv: Convolution, blocks: Blocks, device: Device) -> bool:
    """Whether the memtiles have channels to the cores for all operands, and each column has one for results.

    An image goes to all cores of a column, or to one in a depthwise convolution; weights go to all cores of a row. An operand
    that is added to the result goes to one core, over a channel that it shares with that core's image.
    """
    streams = images(conv, blocks) + blocks.rows_of_channels + device.columns
    spread = [spread for _, spread in conv.other_bytes]
    streams += blocks.rows_of_channels * spread.count(False)
    if any(spread) and blocks.rows_of_channels > 1:
        return False
    if spread and not _has_descriptors(blocks, spread.count(True), spread.count(False), device):
        return False
    return streams <= device.columns * device.tiles["mem"].channels[1]


def _has_descriptors(blocks: Blocks, spread: int, of_channels: int, device: Device) -> bool:
    """Whether there are enough buffer descriptors for channels that bring the parts of an image, or of weights, and then other
    operands.

    `spread` operands follow the image, `of_channels` operands follow the weights. If there are such operands and the parts are
    not in pairs, each part needs a descriptor at both ends. Otherwise images, weights and results have two descriptors each.
    """
    steps = blocks.counts[2] // blocks.c
    each, weights = (steps + n if n or steps % 2 else 2 for n in (spread, of_channels))
    core, memtile = (device.tiles[kind].bds for kind in ("core", "mem"))
    return each + weights + 2 <= core and (blocks.down + 1) * each + 2 * weights + 2 * blocks.down + 2 <= memtile


def _candidates(conv: Convolution, device: Device, narrowest: int, bfp16: bool) -> Iterator[Blocks]:
    core, e, room = core_of(device.arch), conv.extents, core_room(device)
    by_parts = (conv.element, str(conv.total)) == ("f32", "f32")
    blocks = bfp16 and conv.element == "bf16"
    kind = (multiplied(conv.element) if by_parts else conv.element, str(conv.total), blocks)
    shapes = [c.shape for c in core.contractions if (c.element, c.total, c.blocks) == kind]
    if conv.is_depthwise:
        shapes = [(1, 1, LANES)]
    elif by_parts:
        shapes.append((1, _deep(e["c"]), LANES))
    for m, k, n in shapes:
        parts = _parts(-(-e["c"] // k))
        for along in "hw" if e["h"] > 1 else "w":
            for y, x, per_row in _pixels(e, along, m, narrowest):
                least = Blocks(m, k, n, along, y, x, 1, 1, (1, 1), (1, 1, 1))
                fits = cache(partial(_fits, conv, room, least))
                if not fits(1, 1):
                    continue
                rows = y * (m if along == "h" else 1)
                spatial = -(-e["h"] // rows)
                for across, rows_of, down in _cores(device, spatial, per_row):
                    for f in [1] if conv.is_depthwise else _channels(-(-e["f"] // n), 1 if conv.is_grouped else rows_of):
                        count = -(-e["f"] // (n * f))
                        if conv.is_grouped and count > 1:
                            continue
                        count = -(-e["g"] * count // rows_of) * rows_of
                        each = across * (down if per_row == 1 else 1)
                        pixels = -(-spatial // each) * each * per_row
                        for c, deep in (part for part in parts if fits(f, part[0])):
                            counts = (pixels, count, deep)
                            yield Blocks(m, k, n, along, y, x, f, c, (across, rows_of * down), counts, down, per_row)


def _fits(conv: Convolution, room: int, least: Blocks, f: int, c: int) -> bool:
    """Whether `least` with `f` and `c` micro-tiles of channels takes at most `room` bytes of a core."""
    return bytes_of_buffers(conv, replace(least, f=f, c=c))[2] <= room


def _parts(blocks: int) -> list[tuple[int, int]]:
    """The micro-tiles of the image's channels that a core takes at a time, with the number of parts: pairs, or few.

    Parts alternate between two buffers. A loop over an odd number of parts is unrolled, with a buffer descriptor for each.
    """
    results = [(c, -(-blocks // c)) for c in (1, 2, 4, 8) if c <= blocks]
    return [(c, c * (steps + (steps % 2 and steps > MOST_ODD))) for c, steps in results]


def _deep(channels: int) -> int:
    """Channels of the image in a micro-tile of f32: the number that needs the least padding."""
    if channels <= LANES_DEEP:
        return channels
    return min(range(LANES_DEEP, LANES_DEEP // 2 - 1, -1), key=lambda k: -(-channels // k) * k)


def _cores(device: Device, spatial: int, per_row: int) -> Iterator[tuple[int, int, int]]:
    """Columns of cores for `spatial` blocks of pixels, and rows for blocks of channels, or for blocks of pixels, of which
    each row of pixels has `per_row`. One choice is the fewest columns that take as many turns as all of them.
    """
    high, most = len(device.core_rows), min(device.columns, spatial)
    for across in {most, -(-spatial // -(-spatial // most)), min(high, most), 1}:
        yield from ((across, rows, 1) for rows in {high, 2, 1})
        if across == device.columns:
            yield from (
                (across, 1, rows) for rows in {high, 2} if (per_row % rows == 0 if per_row > 1 else rows * across <= spatial)
            )


def _pixels(e: dict[str, int], along: str, m: int, narrowest: int) -> Iterator[tuple[int, int, int]]:
    """The rows and columns of micro-tiles in a block, and the blocks in a row of pixels. All even divisions into rows are
    tried.
    """
    high = -(-e["h"] // (m if along == "h" else 1))
    wide = -(-e["w"] // (m if along == "w" else 1))
    choices = [count for count in (1, 2, 4, 8, 16, 32, 64) if count == 1 or e["w"] // count >= narrowest]
    for rows in sorted({-(-high // count) for count in range(1, high + 1)}):
        yield from ((rows, -(-wide // per_row), per_row) for per_row in choices)


def _channels(blocks: int, down: int) -> list[int]:
    each = -(-blocks // down)
    return sorted({-(-each // many) for many in (1, 2, 4, 8)})
