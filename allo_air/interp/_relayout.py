"""linalg.pack and linalg.unpack on tensors and buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.interp.errors import RunError, Unsupported
from allo_air.interp.memory import reads, writes
from allo_air.interp.program import Step, Translator
from allo_air.interp.rules import task
from allo_air.interp.scheduler import Agent, Task
from allo_air.interp.values import Tensor

if TYPE_CHECKING:
    from allo_air.interp.values import Frame


@task("linalg.pack", "linalg.unpack")
def relayout(translator: Translator, step: Step) -> Any:
    op, packing = step.op, step.name == "linalg.pack"
    attributes = op.attributes
    positions = list(attributes["inner_dims_pos"])
    tiles = list(attributes["static_inner_tiles"])
    if any(t < 0 for t in tiles):
        raise Unsupported(op, "has inner tiles that are operands, which the interpreter cannot execute; make them constants")
    outer = list(attributes["outer_dims_perm"]) if "outer_dims_perm" in attributes else []
    counts = list(attributes["operandSegmentSizes"]) if "operandSegmentSizes" in attributes else [1, 1, 0]
    pads = packing and len(counts) > 2 and counts[2] > 0

    def order(rank: int) -> list[int]:
        """Permutation from the axes (tile 0, inner 0, tile 1, ...) of the split plain array to those of the packed one."""
        where, axis = [], 0
        inner: dict[int, int] = {}
        for dim in range(rank):
            where.append(axis)
            axis += 1
            if dim in positions:
                inner[dim] = axis
                axis += 1
        return [where[d] for d in (outer or range(rank))] + [inner[d] for d in positions]

    def pack(plain: np.ndarray, shape: tuple[int, ...], fill: int | None) -> Any:
        rank = plain.ndim
        outer_shape = [0] * rank
        for index, dim in enumerate(outer or range(rank)):
            outer_shape[dim] = shape[index]
        tile = dict(zip(positions, tiles, strict=True))
        full = [n * tile.get(d, 1) for d, n in enumerate(outer_shape)]
        if list(plain.shape) != full:
            room = [(0, f - n) for f, n in zip(full, plain.shape, strict=True)]
            if fill is None or any(r[1] < 0 for r in room):
                raise RunError(op, f"packs shape {list(plain.shape)} into {list(shape)} without a padding value")
            plain = np.pad(plain, room, constant_values=fill)
        split = [n for d in range(rank) for n in ((outer_shape[d], tile[d]) if d in tile else (outer_shape[d],))]
        return plain.reshape(split).transpose(order(rank))

    def unpack(packed: np.ndarray, shape: tuple[int, ...]) -> Any:
        rank = len(shape)
        back = np.argsort(order(rank))
        split = packed.transpose(back)
        sizes, axis = [], 0
        for dim in range(rank):
            width = 2 if dim in positions else 1
            sizes.append(int(np.prod(split.shape[axis : axis + width])))
            axis += width
        return split.reshape(sizes)[tuple(slice(n) for n in shape)]

    def change(array: np.ndarray, shape: tuple[int, ...], fill: Any) -> Any:
        return pack(array, shape, fill) if packing else unpack(array, shape)

    def run(agent: Agent, frame: Frame, operands: list[Any]) -> Task:
        source, target = operands[0], operands[1]
        fill = operands[2] if pads else None
        if isinstance(source, Tensor):
            defined = None if source.defined is None else change(source.defined, target.array.shape, True if pads else None)
            return [Tensor(np.ascontiguousarray(change(source.array, target.array.shape, fill)), defined)]
        yield from agent.machine.wait_for_accesses(agent, source, write=False)
        yield from agent.machine.wait_for_accesses(agent, target, write=True)
        yield
        reads(agent, step, source)
        array = np.array(change(source.array, target.sizes, fill))
        writes(agent, step, target)
        target.array[...] = array
        return []

    return run
