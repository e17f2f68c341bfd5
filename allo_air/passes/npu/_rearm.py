"""Restarts an objectFifo: resets its channels, sets its locks, and queues its first BDs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.core.walking import walk_named
from allo_air.dialects import aiex
from allo_air.mlir import ir
from allo_air.target.npu_array import binding_of, heads_of
from allo_air.target.npu_sequence import Sequence

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import RuntimeSequenceOp
    from allo_air.mlir import AnyOp

RESET_FOR = "aiex.dma_channel_reset_for"


def expand(device_op: AnyOp, sequence: RuntimeSequenceOp) -> None:
    """Resets of objectFifos become resets of channels, settings of locks, and pushes of BDs."""
    state = Sequence(device_op.opview, sequence)
    for op in [o.opview for o in walk_named(sequence, RESET_FOR)]:
        binding = binding_of(state, op)
        loc_and_ip = {"loc": op.location, "ip": ir.InsertionPoint(op)}
        each = zip(binding.channels, binding.channel_dirs, binding.channel_indices, strict=True)
        for tile, direction, index in each:
            if state.place(binding, tile)[1] > 0:
                aiex.DmaChannelResetOp(tile=tile, direction=direction, channel=index, **loc_and_ip)
        for lock, count in zip(binding.locks, binding.lock_inits, strict=True):
            aiex.SetLockOp(lock=lock, value=count, **loc_and_ip)
        for (column, row, direction, index), bd, repeat in heads_of(state, op, binding):
            place = {"column": column, "row": row, "direction": direction, "channel": index}
            aiex.NpuPushQueueOp(**place, issue_token=False, repeat_count=repeat, bd_id=bd, **loc_and_ip)
        op.operation.erase()
