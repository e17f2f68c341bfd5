"""Bytes of a memtile (L2) that epilogue operands need, for each of the ways in which they arrive.

Terms such as "broadcast dimension" are those of `GemmPlan.shared`.
"""

from __future__ import annotations

from allo_air.passes.linalg._plan import GemmPlan, piece_size
from allo_air.passes.linalg._problem import EpilogueOperand, Problem


def epilogue_l2_bytes(plan: GemmPlan, problem: Problem, with_operand: str) -> int:
    """Bytes in L2 of the epilogue operands that arrive with A ("a"), for one row of cores, or with B ("b"), for one column."""
    if not problem.epilogue:
        return 0
    if not plan.shared:
        return _separate_bytes(plan, problem, with_operand)
    if plan.shared != with_operand:
        return 0
    if plan.spread:
        buffers = 2 if plan.k_piece < plan.k else 1
        return buffers * plan.k_piece // plan.k_step * slice_bytes(plan, problem)
    return sum(_multiplexed_bytes(plan, problem, operand) for operand in problem.epilogue)


def slice_bytes(plan: GemmPlan, problem: Problem) -> int:
    """Bytes of the slices of all epilogue operands that arrive with one step along k."""
    return sum(plan.slice_elements(o.along) * o.bits // 8 for o in problem.epilogue)


def chunks_extent(plan: GemmPlan, problem: Problem, operand: EpilogueOperand) -> int:
    """Extent, in the broadcast dimension, of an L2 buffer for an operand of the result's size: whole chunks of a transfer each,
    as `chunk-l2-copies` cuts it.
    """
    return piece_size(plan.broadcast_array, plan.chunk_extent(problem, operand), plan.k_piece)


def _separate_bytes(plan: GemmPlan, problem: Problem, with_operand: str) -> int:
    """Bytes of operands that have transfers of their own: one for each column follows B, the others follow A."""
    if with_operand == "b":
        return sum(plan.herd_n * o.bits // 8 for o in problem.epilogue if o.along == "n")
    columns = {"m": 1, "mn": plan.array_n}
    return sum(plan.herd_m * columns[o.along] * o.bits // 8 for o in problem.epilogue if o.along != "n")


def _multiplexed_bytes(plan: GemmPlan, problem: Problem, operand: EpilogueOperand) -> int:
    """Bytes of a multiplexed operand: chunks of a matrix, or the copies of a row or column that fill whole transfers."""
    if operand.along == "mn":
        extent = chunks_extent(plan, problem, operand)
        # The innermost loop with several iterations has two buffers of each: over chunks, or over tiles if A and B have none.
        over_tiles = plan.k_piece == plan.k and plan.tiles > 1
        buffers = 2 if over_tiles else min(2, plan.broadcast_array // extent)
        return buffers * extent * plan.channel_tile * operand.bits // 8
    size = plan.vector_elements(problem, operand.along, operand.bits)
    length = plan.broadcast_array if plan.differs_in_broadcast(operand.along) else plan.channel_tile
    # A whole row or column in one transfer is sent twice, from another copy, to leave the two buffers as they began.
    second_copy = size * operand.bits // 8 if size == length else 0
    return (plan.transfer_bytes(problem) + second_copy) * length // max(1, size)
