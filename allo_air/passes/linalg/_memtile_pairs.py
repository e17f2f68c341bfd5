"""Plans that send pieces of B alternately to the two memtiles of a pair (`air-split-l2-pieces`): their gain and their limits.

A memtile receives a part of B over one channel. With a pair, the part has two channels, one to each memtile, and the transfers
of each channel have longer runs in external memory. The cores read pieces from both memtiles in turn.
"""

from __future__ import annotations

from allo_air.arch import arch_of
from allo_air.device import Device
from allo_air.errors import counted
from allo_air.passes._analysis.channel_ends import STEPS_APART
from allo_air.passes.linalg._plan import GemmPlan, Panel
from allo_air.passes.linalg._problem import Problem


def may_gain(plan: GemmPlan, problem: Problem, device: Device, single_parts: int, paired_parts: int) -> bool:
    """Whether B could arrive faster over pairs of memtiles.

    `single_parts` are the parts of B's columns for one memtile each, `paired_parts` those for a pair each. A pair gains if B
    then has more channels (two for each part), or fewer parts and so longer runs along its rows. Only for a single product
    without an epilogue, whose operands would need the same channels.
    """
    if problem.batch > 1 or problem.looped or problem.epilogue or device.columns < 2 or not paired_parts:
        return False
    if plan.spread:
        arch = arch_of(device)
        is_slower_than_memory = plan.spread * arch.channel_bytes < arch.memory_bytes
        has_pairs = plan.spread in range(4, device.columns + 1, 2) or halves_columns(plan.spread, device)
        return is_slower_than_memory and plan.cores_m == 1 and not problem.transposed_b and has_pairs
    return 2 * paired_parts > single_parts or (paired_parts < single_parts and not problem.transposed_b)


def exceeds_pairs(plan: GemmPlan, problem: Problem, device: Device) -> str | None:
    """The limit that a plan with pairs of memtiles exceeds; None if it exceeds none."""
    if plan.panel == "b":
        if plan.k // plan.k_step < STEPS_APART:
            return f"keeps a panel that several streams read, of fewer than {STEPS_APART} steps along k"
        if plan.k // plan.micro[2] % 2:
            return f"keeps a panel of {plan.k // plan.micro[2]} micro-tiles along k, an odd number, for a pair of memtiles"
        return None
    pieces, parts = plan.k // plan.k_piece, pair_parts(plan)
    if plan.spread and plan.array_m * plan.spread > 2 * plan.array_n:
        columns = 2 * plan.array_n // plan.spread
        return (
            f"sends {counted(plan.array_m, 'row')} of A on channels that each bring only "
            f"{counted(columns, 'column')} of B to pairs of memtiles"
        )
    if pieces % 2 or plan.k_piece % (parts * plan.micro[2]):
        return (
            f"brings {counted(pieces, 'piece')} of "
            f"{counted(plan.k_piece, 'element')} along k to pairs of memtiles; these take an even number of "
            f"pieces, of a multiple of {counted(parts * plan.micro[2], 'element')}"
        )
    shim = device.tiles["shim_noc"].bd
    assert shim is not None
    words = plan.k_piece * (1 if problem.transposed_b else plan.padded(problem)[1]) * problem.bits // 32
    words *= 2 if halves_array(plan.spread) else 1  # a channel brings every fourth piece instead of every second one
    if words > shim.max_step:
        return f"makes {words:,} words from piece to piece of B, more than the shim's step field holds ({shim.max_step:,})"
    return None


def pair_parts(plan: GemmPlan) -> int:
    """The parts of a piece of B for a pair of memtiles: one for each channel of the pair, of which it has two, or four if all
    cores lie along B.
    """
    return 4 if plan.spread else 2


def halves_array(spread: int) -> bool:
    """Whether all cores lie along B, on half of the array's columns, with pairs of memtiles and the channels of all shims.

    With fewer columns, plans have no pairs.
    """
    return spread == 2


def halves_columns(spread: int, device: Device) -> bool:
    """Whether the cores lie on two columns, half of the array, and pieces reach the two memtiles there over the channels of all
    columns.
    """
    return halves_array(spread) and device.columns == 2 * spread


def even_part_counts(steps: int, streams: int, most: int, descriptors: int) -> list[int]:
    """The even numbers of parts in which a panel of `steps` micro-tiles along k may arrive at a pair of memtiles; [1] if none.

    There are at most `most` parts. Each memtile has `descriptors` buffer descriptors for the panel, and half of the parts; it
    needs a descriptor for each to receive it, and one for each of the `streams` that send it to cores.
    """
    return [n for n in range(2, min(most, 2 * descriptors // (1 + streams)) + 1, 2) if steps % n == 0] or [1]


def pair_descriptors(panel: Panel, streams: int, ring: int, parts: int) -> int:
    """Buffer descriptors of the channels of even number, or of odd number, of a memtile that belongs to a pair: the larger of
    both.

    `streams` channels send B to cores. `ring` are the descriptors of a channel with alternating pieces, and `parts` those of a
    panel. Channels are added to the half with fewer descriptors, the largest channel first.
    """
    panel_b = min(parts // 2, 2 * parts // (1 + streams))
    a = [parts // 2] * 2 if panel == "a" else [ring] * 2
    b = [panel_b] * streams + [-(-panel_b // 2)] if panel == "b" else [2 * ring] * streams + [ring]
    halves = [0, 0]
    for count in sorted(a + b, reverse=True):
        halves[halves.index(min(halves))] += count
    return max(halves)
