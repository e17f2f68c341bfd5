"""What tiles of attention take: bytes of a core's memory, and cycles."""

from __future__ import annotations

from typing import Any

from allo_air.arch import arch_of, core_of
from allo_air.device import Device
from allo_air.passes._analysis.attention import Attention
from allo_air.passes._analysis.attention_plan import AttentionPlan

LANES, EXPONENTIAL = 16, 64
"""Lanes of the cores' vectors, and about how many instructions their exponential takes."""
PRODUCT = {"f32": 20, "bf16": 12}
"""About how many instructions a product of so many lanes and its sum take; those of f32 are emulated with nine of bf16."""
POWER, SCORE = 16, 12
"""About how many instructions as many powers take beside products in micro-tiles, with what compares and moves scores; and how
many a score that is no multiple of a product, element by element."""
STACK = 2048
"""Bytes of L1 for the stack of a core, and for what is small."""


def bits(kind: Any) -> int:
    """Bits that an element takes in memory."""
    return int(max(8, kind.width))


def up(extent: int, unit: int) -> int:
    """`extent` rounded up to a multiple of `unit`."""
    return -(-extent // unit) * unit


def l1_bytes(group: Attention, plan: AttentionPlan) -> int:
    """Buffers of a core: queries, twice a chunk of them, twice the keys and values of a step, scores, sums."""
    d, v = group.extent(group.d), group.extent(group.v)
    element = bits(group.element) // 8
    queries = (plan.m + 2 * plan.chunk) * d * element
    steps = 2 * plan.keys * (d + v) * element
    masks = 0
    for mask in group.masks:
        axes = {a for index in mask.data[1] for a, _ in index[0]}
        size = bits(mask.type) // 8
        if group.q in axes:
            masks += (plan.m + 2 * plan.chunk) * size * (plan.padded[1] if group.k in axes else 1)
        else:
            masks += 2 * plan.keys * size
    kind = bits(group.result.type.element_type) // 8
    if plan.micro is None:
        return queries + steps + masks + 4 * plan.m * v + kind * plan.m * v + 4 * plan.m * plan.keys + 16 * plan.m
    out = 0 if kind == 4 else kind * plan.m * v
    rows, deep, _ = plan.micro
    lanes = 4 * plan.m * (5 * rows + 1) + 2 * rows * deep
    return queries + steps + masks + 4 * plan.m * v + out + (4 + 4 + 2) * plan.m * plan.keys + lanes


def cycles(group: Attention, plan: AttentionPlan, device: Device) -> float:
    """An estimate of the cycles of all launches: what a core computes or gets in each step, whichever is longer."""
    d, v = group.extent(group.d), group.extent(group.v)
    batches = 1
    for number in group.batch:
        batches *= group.extents[number]
    words = arch_of(device).stream_bytes
    element = bits(group.element) // 8
    steps = plan.padded[1] // plan.keys
    compute = _step_cycles(group, plan, device) + 500
    moved = plan.keys * (d + v) * element / words
    once = plan.rows * plan.m * (d + 2 * v) * element / words + 3000
    return batches * plan.launches * (steps * max(compute, moved) + once)


def _step_cycles(group: Attention, plan: AttentionPlan, device: Device) -> float:
    """Of one block of keys."""
    d, v = group.extent(group.d), group.extent(group.v)
    if plan.micro is not None:
        rows = plan.micro[0]
        [rate] = {c.macs for c in core_of(device.arch).contractions if (c.element, c.shape) == (str(group.element), plan.micro)}
        scored = 0 if group.factor and plan.padded[1] == group.extent(group.k) else SCORE
        return plan.m * plan.keys * ((d + v + rows) / rate + POWER / LANES + scored)
    product = PRODUCT[str(group.element)] / LANES
    powers = EXPONENTIAL / LANES
    return plan.m * up(plan.keys, LANES) * ((d + v) * product + powers) + plan.m * (v * product + 4 * EXPONENTIAL)
