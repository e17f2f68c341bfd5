"""Limits of plans whose epilogue operands arrive in slices: one with each step along k of the operand that all cores share.

Cores are then spread over `plan.spread` columns along one dimension of the result. For example, 16 cores on 4 columns lie along
n, and all receive the rows of A. With 8 steps along k and a bias of 1024 elements, a slice has 128 elements; each core keeps
those of its own columns.
"""

from __future__ import annotations

from allo_air.access.fields import WORD
from allo_air.device import Device
from allo_air.errors import counted
from allo_air.passes._analysis.dma_rings import fits_memtile, ring_descriptors
from allo_air.passes.linalg._plan import GemmPlan
from allo_air.passes.linalg._problem import Problem


def exceeds_slices(plan: GemmPlan, problem: Problem, device: Device, channels: int, parts: int) -> str | None:
    """The limit of sizes and BDs that slices exceed; None if they exceed none.

    `channels` are the shim channels per column of the operand that differs from core to core. The shared operand arrives in
    `parts` parts over these channels; 0 if pieces of both alternate on them.
    """
    steps = plan.k // plan.k_step
    if steps == 1:
        return "makes a single step along k; slices of epilogue operands need several"
    is_cut = any(o.along == "mn" or plan.differs_in_broadcast(o.along) for o in problem.epilogue)
    size, remainder = divmod(plan.broadcast_array, steps)
    micro = plan.micro["ba".index(plan.shared)]
    if is_cut and (remainder or size % micro or (plan.broadcast_tile % size and size % plan.broadcast_tile)):
        return (
            f"makes {counted(steps, 'step')} along k, which do not divide "
            f"{counted(plan.broadcast_array, 'element')} of an epilogue operand into "
            "slices of whole tiles of cores"
        )
    if any(plan.slice_elements(o.along) * o.bits % WORD for o in problem.epilogue):
        return "makes slices of an epilogue operand that are not a multiple of 32 bits"
    core = device.tiles["core"].bds
    if (need := plan.core_descriptors(problem)) > core:
        return (
            f"makes {counted(steps, 'step')} along k, an odd number, which take "
            f"{counted(need, 'buffer descriptor')} of a core; it has {core}"
        )
    tile, cores = device.tiles["mem"], plan.cores // plan.spread
    inputs, out = _rings(plan, 1 + len(problem.epilogue), cores, channels, parts)
    if not fits_memtile((*inputs, *[1] * cores), (*out, 1), tile.channels, tile.bds // 2):
        return (
            f"makes {counted(plan.k // plan.k_piece, 'piece')} along k in L2, with slices of epilogue operands, "
            f"for {sum(inputs)} buffer "
            f"descriptors into a memtile and {sum(out)} out of it; a half of its channels has {tile.bds // 2}"
        )
    return None


def _rings(plan: GemmPlan, shared: int, cores: int, channels: int, parts: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """BDs of each channel into the memtile that `shared` operands (A or B, and slices) pass, and of each channel out of it;
    without the channels of the result.

    A piece that all cores share leaves in one transfer for each step along k, since slices come in between. Slices arrive on
    the second channel of a column.
    """
    pieces, steps = plan.k // plan.k_piece, plan.k_piece // plan.k_step
    ring = ring_descriptors(pieces)
    if channels == 1:
        return (ring, ring * shared), (*[ring] * cores, ring * shared * steps)
    if parts:
        inputs = ring * 2, ring * (shared if parts == 1 else 1 + shared)
        return inputs, (*[ring] * cores, ring * (max(steps, parts) + (shared - 1) * steps))
    ring = ring_descriptors(pieces // 2)  # pieces alternate between two channels
    return (ring * (1 + shared),) * 2, (*[2 * ring] * cores, 2 * ring * shared * steps)
