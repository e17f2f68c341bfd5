"""Limits of the DMA channels that bring epilogue operands in transfers of their own, or multiplexed with steps along k.

Like those of `_limits`, each `exceeds_...` function returns None or the text of a limit. `streams_a` and `streams_b` are the
numbers of MM2S channels by which a buffer of A, or of B, leaves a memtile.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import inf

from allo_air.access.fields import WORD
from allo_air.device import Device
from allo_air.errors import counted
from allo_air.passes._analysis.channel_ends import STEPS_APART
from allo_air.passes._analysis.dma_rings import fits_memtile, operand_descriptors, ring_descriptors
from allo_air.passes.linalg._epilogue_l2 import chunks_extent
from allo_air.passes.linalg._plan import GemmPlan, Panel
from allo_air.passes.linalg._problem import EpilogueOperand, Problem

PANEL_RING = 8
"""BDs of the channels of a panel, next to a multiplexed operand (`air-split-l2-pieces`)."""


@dataclass(frozen=True)
class _Multiplexed:
    """The channels of a memtile if that of operand `shared` brings epilogue operands, too."""

    shared: Panel
    has_panel: bool
    cores_n: int
    streams_a: int
    streams_b: int

    def rings(self, pieces: int, more_in: int, more_out: int, rounds: int = 1) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """BDs of each channel into a memtile, and of each channel out of it.

        The shared channel moves `pieces` pieces and `more_in` (`more_out`) transfers of epilogue operands, `rounds` times. The
        channels of the result have one BD each: one for each core of a row inwards, one outwards.
        """
        unshared = PANEL_RING if self.has_panel else ring_descriptors(pieces)
        inputs, out = (unshared, rounds * (pieces + more_in)), (unshared, rounds * (pieces + more_out))
        (a_in, b_in), (a_out, b_out) = (inputs[::-1], out[::-1]) if self.shared == "a" else (inputs, out)
        return (a_in, b_in, *[1] * self.cores_n), (*[a_out] * self.streams_a, *[b_out] * self.streams_b, 1)


def exceeds_separate(plan: GemmPlan, problem: Problem, device: Device, streams_a: int, streams_b: int) -> str | None:
    """BDs if the tiles of epilogue operands follow the steps of a tile of the result: each transfer then has a BD.

    A panel would have to wait for them.
    """
    on_a, on_b = plan.separate_transfers(problem)
    if why := _stream_conflict(plan, streams_a if on_a else 1, streams_b if on_b else 1):
        return why
    if plan.panel:
        return "keeps a panel in L2, whose channel epilogue operands share"
    steps, pieces = plan.k // plan.k_step, plan.k // plan.k_piece
    if (need := plan.core_descriptors(problem)) > device.tiles["core"].bds:
        return (
            f"makes {counted(steps, 'step')} along k, between tiles of epilogue operands, for "
            f"{counted(need, 'buffer descriptor')} of a core; "
            f"it has {device.tiles['core'].bds}"
        )
    have = operand_descriptors(device)
    a, b = ring_descriptors(pieces, on_a), ring_descriptors(pieces, on_b)
    need = max((1 + streams_a) * a, (1 + streams_b) * b)
    if need > have:
        return (
            f"makes {counted(pieces, 'piece')} along k in L2, between tiles of epilogue operands, for "
            f"{counted(need, 'buffer descriptor')} of a "
            f"memtile; {have} are free"
        )
    return None


def exceeds_multiplexed(plan: GemmPlan, problem: Problem, device: Device, streams_a: int, streams_b: int) -> str | None:
    """Sizes and BDs if the transfers of epilogue operands alternate with the steps along k of `plan.multiplexed`."""
    shared = plan.multiplexed
    if why := _stream_conflict(plan, streams_a if shared == "a" else 1, streams_b if shared == "b" else 1):
        return why
    if plan.panel == shared:
        return f"keeps a panel of {plan.panel.upper()} in L2, whose channel epilogue operands share"
    steps, pieces = plan.k // plan.k_step, plan.k // plan.k_piece
    if steps % 2 or (pieces > 1 and pieces % 2):
        return (
            f"makes {counted(steps, 'step')} in "
            f"{counted(pieces, 'piece')} along k; between epilogue operands on one channel, both must be even"
        )
    if why := transfer_mismatch(plan, problem):
        return why
    more_in = more_out = 0
    for operand in problem.epilogue:
        if operand.along == "mn":
            buffers = plan.broadcast_array // chunks_extent(plan, problem, operand)
            if buffers > 1 and buffers % 2:
                return f"brings the epilogue operand of the result's size in {counted(buffers, 'piece')}, an odd number"
            more_in, more_out = more_in + buffers, more_out + buffers
        else:
            more_in, more_out = more_in + 1, more_out + plan.transfers_of(problem, operand)
    rounds = ring_descriptors(plan.tiles) if pieces == 1 else 1  # with one piece, the loop over tiles alternates the buffers
    rings = _Multiplexed(shared, bool(plan.panel), plan.cores_n, streams_a, streams_b).rings(pieces, more_in, more_out, rounds)
    tile = device.tiles["mem"]
    if fits_memtile(*rings, tile.channels, tile.bds // 2):
        return None
    inputs, out = rings
    return (
        f"makes {counted(pieces, 'piece')} along k in L2, between tiles of epilogue operands, for "
        f"{counted(sum(inputs), 'buffer descriptor')} into "
        f"a memtile and {sum(out)} out of it; a half of its channels has {tile.bds // 2}"
    )


def transfer_mismatch(plan: GemmPlan, problem: Problem) -> str | None:
    """Why not all epilogue operands can arrive in transfers as large as a step along k; None if they can."""
    return next((why for operand in problem.epilogue if (why := _operand_mismatch(plan, problem, operand))), None)


def _operand_mismatch(plan: GemmPlan, problem: Problem, operand: EpilogueOperand) -> str | None:
    if operand.bits % problem.bits:
        return (
            f"has an epilogue operand of {counted(operand.bits, 'bit')} that would use buffers of {problem.bits}-bit elements"
        )
    elements = plan.transfer_bytes(problem) * 8 // operand.bits
    micro = plan.micro["ba".index(plan.multiplexed)]
    if operand.along == "mn":
        chunk = plan.chunk_extent(problem, operand)
        is_chunk = chunk and chunk * plan.channel_tile == elements and chunk % micro == 0 and plan.broadcast_tile % chunk == 0
        if is_chunk and plan.broadcast_array // chunk % 2 == 0:
            return None
        return "has steps along k whose bytes are not a block of micro-tiles of the epilogue operand"
    length = plan.broadcast_array if plan.differs_in_broadcast(operand.along) else plan.channel_tile
    if not plan.vector_elements(problem, operand.along, operand.bits) or length * operand.bits % WORD:
        return "has steps along k whose bytes are not a multiple of a row or column of an epilogue operand"
    return None


def _stream_conflict(plan: GemmPlan, *streams: int) -> str | None:
    """Why several streams cannot read pieces that other transfers follow.

    A stream that reads a piece twice in a round could take another stream's share, so `air-to-aie` makes it wait until the
    other has read the piece. The cores that share an operand are at most STEPS_APART steps apart.
    """
    pieces, steps = plan.k // plan.k_piece, plan.k_piece // plan.k_step
    if max(streams) == 1 or pieces <= 2 or steps <= STEPS_APART:
        return None
    return (
        f"brings {counted(pieces, 'piece')} of "
        f"{counted(steps, 'step')} along k, and tiles of epilogue operands, to {counted(max(streams), 'channel')} that "
        f"wait for each other; cores that share an operand are at most {STEPS_APART} steps apart"
    )


def max_steps_and_pieces(
    plan: GemmPlan, problem: Problem, device: Device, streams_a: int, streams_b: int
) -> tuple[float, float]:
    """Upper bounds of the steps along k and of the pieces in L2 that the limits here allow; infinite if there is no bound.

    A quick test before the search: more steps or pieces always exceed a limit, fewer may still do.
    """
    if not problem.epilogue or plan.spread:
        return inf, inf
    mem = device.tiles["mem"]
    if plan.multiplexed:
        channels = _Multiplexed(plan.multiplexed, bool(plan.panel), plan.cores_n, streams_a, streams_b)
        return inf, _max_multiplexed_pieces(channels, len(problem.epilogue), mem.channels, mem.bds // 2)
    on_a, on_b = plan.separate_transfers(problem)
    return _max_separate(on_a, on_b, streams_a, streams_b, device.tiles["core"].bds, operand_descriptors(device))


@lru_cache(maxsize=256)
def _max_multiplexed_pieces(multiplexed: _Multiplexed, operands: int, channels: tuple[int, int], half: int) -> int:
    """The most pieces if each epilogue operand arrives in one transfer, the least possible."""
    for pieces in (*reversed(range(2, half, 2)), 1):
        if fits_memtile(*multiplexed.rings(pieces, operands, operands), channels, half):
            return pieces
    return 0


@lru_cache(maxsize=256)
def _max_separate(on_a: int, on_b: int, streams_a: int, streams_b: int, core: int, memtile: int) -> tuple[int, int]:
    """The most steps, and the most pieces, if `on_a` and `on_b` transfers follow those of A and of B.

    `core` and `memtile` are the numbers of BDs.
    """
    steps = (n for n in range(1, core) if ring_descriptors(n, on_a) + ring_descriptors(n, on_b) + 1 <= core)
    pieces = (
        n
        for n in range(1, memtile)
        if max((1 + streams_a) * ring_descriptors(n, on_a), (1 + streams_b) * ring_descriptors(n, on_b)) <= memtile
    )
    return max(steps, default=0), max(pieces, default=0)
