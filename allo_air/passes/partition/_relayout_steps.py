"""Decides which steps of a movement are views, which a single kernel performs, and which need a kernel each."""

from __future__ import annotations

import math

from allo_air.arch.limits import core_room
from allo_air.device import DEVICES
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import ir
from allo_air.passes._ir.packing import pad_and_map
from allo_air.passes.partition._move import WORD
from allo_air.passes.partition._movement import Movement, Step


def views(value: ir.Value, steps: list[Step], *, is_cut: bool) -> int:
    """The number of leading steps that are only views of `value`. Rows that are not whole words are cut by the kernel that pads
    them.

    Padding with zeros is not a view if `value` is the front of a longer tensor (`is_cut`), since its producer writes other
    elements there.
    """
    firsts = [Movement(value, tuple(steps[:n]), ()) for n in range(len(steps) + 1)]
    count = max(n for n, first in enumerate(firsts) if first.is_prefix and not (is_cut and first.zeros))
    shapes = Movement(value, tuple(steps), ()).shapes()
    is_partial_word = shapes[count] and shapes[count][-1] * (element_bits(value.type) or WORD) % WORD
    padded = count < len(steps) and steps[count].kind not in ("reshape", "pack")
    while is_partial_word and padded and count and steps[count - 1].kind == "cut":
        count -= 1
    return count


def added(movement: Movement) -> list[int]:
    """The number of zeros added to each dimension."""
    shapes, zeros = movement.shapes(), movement.zero_dims()
    return [shapes[-1][d] - min(s[d] for s in shapes) if d in zeros else 0 for d in range(len(shapes[0]))]


def with_extent(shape: list[int], dim: int, extent: int) -> list[int]:
    return [extent if d == dim else n for d, n in enumerate(shape)]


def padded_one_by_one(shape: list[int], low: list[int], high: list[int], kind: ir.Type) -> list[list[int]]:
    """The dimensions that kernels pad one after another, so that each kernel can be tiled along a dimension that it does not
    pad.

    The tiles of a kernel must fit a core: unpadded and padded, and twice if the next one arrives during the computation.
    """
    padded = [d for d in range(len(shape)) if low[d] or high[d]]
    plane = math.prod(shape[d] + low[d] + high[d] for d in padded) * (element_bits(kind) or 8) // 8
    tiles = any(n > 1 for d, n in enumerate(shape) if d not in padded)
    if len(padded) < 2 or (tiles and 5 * plane <= min(map(core_room, DEVICES.values()))):
        return [padded]
    return [padded[1:], padded[:1]]


def kernel_shapes(movement: Movement) -> list[tuple[int, ...]]:
    """The shapes of the tensors that kernels of cores make on the way: by padding dimensions, perhaps one after another, by
    copying in another order, and by leaving out elements that are not the last ones.
    """
    results, kind = list[tuple[int, ...]](), movement.source.type
    for before, step in zip(movement.shapes(), movement.steps, strict=False):
        if step.kind != "pack" and not step.zeros:
            continue
        wide, as_packing = list(before), step.as_packing()
        (low, high), inner = pad_and_map(as_packing.layout, before, step.shape)
        for part in padded_one_by_one(list(before), low, high, kind):
            wide = [n + (low[d] + high[d]) * (d in part) for d, n in enumerate(wide)]
            results += [tuple(wide)] if part else []
        if inner != ir.AffineMap.get_identity(len(step.shape)) or tuple(wide) != step.shape:
            results.append(step.shape)
    return results or ([] if movement.is_prefix else [movement.shapes()[-1]])


def packing(steps: list[Step]) -> int:
    """The number of leading steps that one kernel performs: cuts, and packings of which the first may add elements."""
    count = 0
    while count < len(steps) and steps[count].kind == "cut":
        count += 1
    grows = count + 1 < len(steps) and steps[count].kind == "grow" and steps[count + 1].copies(steps[count].shape)
    if not grows and (count == len(steps) or steps[count].kind != "pack"):
        return 0
    count += 1
    while count < len(steps) and steps[count].copies(steps[count - 1].shape):
        count += 1
    return count
