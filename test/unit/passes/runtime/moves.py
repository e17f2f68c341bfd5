"""Which elements each shim channel moves, in order: from a control program by running it, and from a runtime sequence."""

from typing import Any

import numpy as np

from allo_air.core.walking import walk_named, walk_pre_order
from allo_air.dialects._places import size_stride_pairs
from allo_air.interp.inputs import draw
from helpers import addresses, noted

Moves = dict[str, list[tuple[int, Any]]]
"""Channel to (argument, addresses) in the order moved."""


def control_moves(module: Any) -> Any:
    """What the transfers of the one control program move: the interpreter runs it, and they are noted as they come."""
    [function] = [f for f in walk_named(module, "func.func") if f.parent == module.operation and f.regions[0].blocks]
    arguments = list(function.regions[0].blocks[0].arguments)
    moves: Moves = {}

    def note(op: Any, values: dict[Any, Any]) -> None:
        if op.name == "airrt.dma_memcpy_nd":
            view = op.opview
            lists = [
                [int(values[getattr(view, f"{part}{i}")]) for i in (3, 2, 1, 0)] for part in ("offset", "length", "stride")
            ]
            offsets, sizes, strides = lists
            found = addresses(int(np.dot(offsets, strides)), sizes, strides)
            moves.setdefault(op.attributes["metadata"].value, []).append((arguments.index(view.memref), found))

    noted(function, {o.name for o in walk_pre_order(function) if o.name.startswith("airrt.")}, note, draw(function, 0))
    return joined(moves)


def sequence_moves(module: Any, most: int = 4) -> Any:
    """What the one runtime sequence moves, with the checks that hardware does not do: `most` tasks, tokens in turn."""
    [sequence] = walk_named(module, "aie.runtime_sequence")
    arguments = list(sequence.regions[0].blocks[0].arguments)
    moves: Moves = {}
    queued: dict[str, list[Any]] = {}
    for view in sequence.regions[0].blocks[0].operations:
        name = view.operation.name
        if name == "aiex.dma_start_task":
            configure = view.task.owner.opview
            moves.setdefault(configure.alloc, []).extend(_task_moves(configure, arguments))
            queued.setdefault(configure.alloc, []).append(view.task)
            assert len(queued[configure.alloc]) <= most, "a channel's queue holds four tasks"
        elif name == "aiex.dma_await_task":
            configure = view.task.owner.opview
            assert configure.issue_token
            queue = queued[configure.alloc]
            assert next(t for t in queue if t.owner.opview.issue_token) == view.task, "tokens come in the order of the tasks"
            queued[configure.alloc] = queue[queue.index(view.task) + 1 :]
        elif name == "aiex.npu.dma_memcpy_nd":
            start = int(np.dot(view.static_offsets, view.static_strides))
            found = addresses(start, view.static_sizes, view.static_strides)
            moves.setdefault(view.metadata, []).append((arguments.index(view.memref), found))
    return joined(moves)


def _task_moves(configure: Any, arguments: list[Any]) -> list[Any]:
    """What a task moves: its chain of descriptors in turn, as often as it repeats, each an iteration further each time."""
    chain = [block.operations[0] for block in configure.body.blocks]
    repeat = (configure.repeat_count or 0) + 1
    made = []
    for bd in chain:
        dims = size_stride_pairs(bd.dimensions) if bd.dimensions is not None else [(bd.len, 1)]
        iterations = dims[0][0] if len(dims) == 4 else 1
        assert repeat % iterations == 0, "a BD's iteration ends where its task does"
        found = addresses(bd.offset, *zip((repeat // iterations, 0), *dims, strict=True))
        made.append((arguments.index(bd.buffer), np.split(found, repeat)))
    return [(argument, rounds[n]) for n in range(repeat) for argument, rounds in made]


def joined(moves: Moves) -> dict[str, list[Any]]:
    """By channel, a row of arguments and one of addresses."""
    return {
        channel: np.concatenate(
            [np.stack([np.full_like(found, argument), found]) for argument, found in parts], axis=1
        ).tolist()
        for channel, parts in moves.items()
    }
