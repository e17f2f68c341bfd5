"""aie-verify-runtime-rearm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.declarations import declarations, place_of
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp


@dataclass(frozen=True)
class AieVerifyRuntimeRearm(Pass):
    """Checks that a runtime sequence that resets a channel also sets the locks of its BDs; changes nothing.

    A channel that is reset during a transfer leaves its locks acquired, so that the next run waits forever.

    Before:

        aiex.dma_channel_reset(%tile_0_2, S2MM, 0)

    After:

        error: 'aiex.dma_channel_reset' op resets S2MM 0, whose BDs use lock @of_prod_lock, which is not set again
    """

    name = "aie-verify-runtime-rearm"
    anchor = "aie.device"

    def run(self, op: ir.Operation, /) -> None:
        locks = _locks(op)
        for sequence in declarations(op, "aie.runtime_sequence"):
            _check(sequence, locks)


def _check(sequence: AnyOp, locks: dict[Any, list[Any]]) -> None:
    """DiagnosticError at a reset that is not followed by writes of its locks."""
    ops = walk_named(sequence, "aiex.dma_channel_reset", "aiex.set_lock")
    for i, reset in enumerate(ops):
        if reset.name != "aiex.dma_channel_reset":
            continue
        view = reset.opview
        place = place_of(view, view.tile)
        later = {_identity(o.opview.lock) for o in ops[i:] if o.name == "aiex.set_lock"}
        for lock in locks.get((*place, view.direction, view.channel), []):
            if _identity(lock) not in later:
                name = f"{('S2MM', 'MM2S')[view.direction]} {view.channel}"
                called = lock.owner.opview.sym_name
                lock_text = f"lock @{called}" if called else "a lock"
                raise error_at(
                    view,
                    f"resets {name} of tile {place}, whose BDs use {lock_text}, which is not set again; set it by "
                    "aiex.set_lock, or use aiex.dma_channel_reset_for",
                )


def _identity(lock: ir.Value) -> Any:
    return lock.owner.operation


def _locks(device: AnyOp) -> dict[Any, list[Any]]:
    """The locks that the BDs of each channel use: by column, row, direction and number."""
    locks: dict[Any, list[Any]] = {}
    for program in declarations(device, "aie.mem", "aie.memtile_dma"):
        place = place_of(program, program.tile)
        for start in walk_named(program, "aie.dma_start"):
            key = (*place, start.opview.channel_dir, start.opview.channel_index)
            seen: list[Any] = []
            block: Any = start.successors[0]
            while block is not None and block not in seen:
                seen.append(block)
                inner_ops = [o.operation for o in block.operations]
                locks.setdefault(key, []).extend(o.opview.lock for o in inner_ops if o.name == "aie.use_lock")
                block = inner_ops[-1].successors[0] if inner_ops[-1].name == "aie.next_bd" else None
        for channel in walk_named(program, "aie.dma"):
            key = (*place, channel.opview.channel_dir, channel.opview.channel_index)
            locks.setdefault(key, []).extend(o.opview.lock for o in walk_named(channel, "aie.use_lock"))
    for binding in declarations(device, "aie.objectfifo_rearm_binding"):
        for tile, direction, index in zip(binding.channels, binding.channel_dirs, binding.channel_indices, strict=True):
            locks.setdefault((*place_of(binding, tile), direction, index), []).extend(binding.locks)
    return locks
