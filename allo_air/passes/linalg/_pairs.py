"""Plans that send pieces of B over pairs of memtiles (`air-pair-l2-channels`): when this can gain, and its resources."""

from __future__ import annotations

from allo_air.arch import arch_of
from allo_air.device import Device
from allo_air.passes._analysis.channel_ends import STEPS_APART
from allo_air.passes.linalg._plan import GemmPlan, Panel
from allo_air.passes.linalg._problem import Problem
from allo_air.plan.plan import halves_array


def could_gain(plan: GemmPlan, problem: Problem, device: Device, parts: int, paired: int) -> bool:
    """Whether B would arrive faster over pairs of memtiles: in longer runs (`paired` parts instead of `parts`), or over more
    channels.

    Only for a single product whose result has no epilogue on the same channels.
    """
    if problem.batch > 1 or problem.looped or problem.epilogue or device.columns < 2 or not paired:
        return False
    if plan.spread:
        arch = arch_of(device)
        slower = plan.spread * arch.channel_bytes < arch.memory_bytes
        many = plan.spread in range(4, device.columns + 1, 2) or halves_columns(plan.spread, device)
        return slower and plan.cores_m == 1 and not problem.transposed_b and many
    return 2 * paired > parts or (paired < parts and not problem.transposed_b)


def exceeds_pairs(plan: GemmPlan, problem: Problem, device: Device) -> str | None:
    """The resources that a plan with pairs of memtiles lacks; None if it lacks none."""
    pieces = plan.k // plan.k_piece
    if plan.panel == "b":
        if plan.k // plan.k_step < STEPS_APART:
            return f"keeps a panel that several streams read, of fewer than {STEPS_APART} steps along k"
        if plan.k // plan.micro[2] % 2:
            return f"keeps a panel of {plan.k // plan.micro[2]} micro-tiles along k, an odd number, for a pair of memtiles"
        return None
    parts = pair_parts(plan)
    if plan.spread and plan.array_m * plan.spread > 2 * plan.array_n:
        return f"lets {plan.array_m} rows of A ride in front of {2 * plan.array_n // plan.spread} columns of B, which are fewer"
    if pieces % 2 or plan.k_piece % (parts * plan.micro[2]):
        return f"brings {pieces} pieces of {plan.k_piece} to pairs of memtiles, which take {parts} parts of an even number"
    shim = device.tiles["shim_noc"].bd
    assert shim is not None
    step = plan.k_piece * (1 if problem.transposed_b else plan.padded(problem)[1]) * problem.bits // 32
    step *= 2 if halves_array(plan.spread) else 1  # to the next but one
    if step > shim.max_step:
        return f"makes {step:,} words from piece to piece of B, more than the shim's step field holds ({shim.max_step:,})"
    return None


def pair_parts(plan: GemmPlan) -> int:
    """Parts of a piece of B for a pair of memtiles: one channel of each, or two if all cores lie along B."""
    return 4 if plan.spread else 2


def halves_columns(spread: int, device: Device) -> bool:
    """Whether cores lie on two columns, half of them, and pieces go to the two memtiles there over the channels of all
    columns.
    """
    return halves_array(spread) and device.columns == 2 * spread


def even_part_counts(steps: int, read: int, most: int, descriptors: int) -> list[int]:
    """The numbers of parts, up to `most`, of a panel with this many steps that `read` streams read from a pair of memtiles
    with `descriptors` each.
    """
    return [n for n in range(2, min(most, 2 * descriptors // (1 + read)) + 1, 2) if steps % n == 0] or [1]


def pair_descriptors(panel: Panel, read: int, ring: int, parts: int) -> int:
    """Buffer descriptors of the fuller parity of channels of a memtile from which `read` streams take B.

    `ring` gives those of alternating pieces and `parts` those of a panel. The channels with the most descriptors go to the
    emptier parity.
    """
    panel_b = min(parts // 2, 2 * parts // (1 + read))
    a = [parts // 2] * 2 if panel == "a" else [ring] * 2
    b = [panel_b] * read + [-(-panel_b // 2)] if panel == "b" else [2 * ring] * read + [ring]
    halves = [0, 0]
    for count in sorted(a + b, reverse=True):
        halves[halves.index(min(halves))] += count
    return max(halves)
