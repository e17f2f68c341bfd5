"""The sides of copies, puts and gets: their access lists, and the effect of padding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.access.dims import start_of
from allo_air.errors import counted
from allo_air.interp.errors import RunError, Unsupported
from allo_air.interp.memory import View, check_bounds, reads, writes
from allo_air.interp.program import Step
from allo_air.interp.scheduler import Agent, Task

if TYPE_CHECKING:
    from allo_air.interp.scheduler import Token


@dataclass(frozen=True)
class Walk:
    """One side of a copy: which operands are its memref, offsets, sizes and strides."""

    step: Step
    memref: int
    lists: tuple[range, range, range]

    @classmethod
    def of(cls, step: Step, side: str) -> Walk:
        """The side `src` or `dst` of a copy, a put or a get."""
        view, first = step.op.opview, 0
        places: dict[str, range] = {}
        memrefs = [s for s in ("dst", "src") if hasattr(type(view), s)]
        names = ["deps", *(["indices"] if step.name != "air.dma_memcpy_nd" else [])]
        for s in memrefs:
            names += [s, *(f"{s}_{part}" for part in ("offsets", "sizes", "strides"))]
        for name in names:
            count = 1 if name in memrefs else len(getattr(view, name))
            places[name] = range(first, first + count)
            first += count
        offsets, sizes, strides = (places[f"{side}_{part}"] for part in ("offsets", "sizes", "strides"))
        return cls(step, places[side].start, (offsets, sizes, strides))

    def view(self, operands: list[Any]) -> View:
        """The elements, in the order of the stream."""
        memref: View = operands[self.memref]
        offsets, sizes, strides = ([operands[i] for i in places] for places in self.lists)
        if not sizes:
            if any(offsets):
                raise RunError(self.step.op, f"has offsets {offsets} without sizes; give sizes and strides too")
            return memref
        view = View(memref.buffer, memref.offset + start_of(offsets, strides), tuple(sizes), tuple(strides))
        if any(n < 0 for n in sizes):
            raise RunError(self.step.op, f"has sizes {sizes}, expected none below 0")
        check_bounds(self.step, view)
        return view

    def fetch(self, agent: Agent, operands: list[View | int | Token]) -> Task:
        """Reads the elements into an array of the walk's sizes."""
        view = self.view(operands)
        yield from agent.machine.wait_for_accesses(agent, view, write=False)
        reads(agent, self.step, view)
        return view.array.copy()

    def deliver(self, agent: Agent, operands: list[View | Token | int], data: np.ndarray) -> Task:
        """Writes the elements of `data`, in its order."""
        view = self.view(operands)
        if data.size != view.size:
            raise RunError(
                self.step.op,
                f"moves {counted(data.size, 'element')} to a place for {view.size}; give both sides the same number",
            )
        yield from agent.machine.wait_for_accesses(agent, view, write=True)
        writes(agent, self.step, view)
        target = view.array
        target[...] = data.astype(target.dtype).reshape(target.shape)


def padded(step: Step) -> Callable[[Any, Any], Any] | None:
    """The function that applies `pad_before` and `pad_after` to the elements of a source; None without padding."""
    attributes, view = step.op.attributes, step.op.opview
    if "pad_before" not in attributes and "pad_after" not in attributes:
        return None
    zeros: list[int] = []
    before, after = (list(getattr(view, n)) if n in attributes else zeros for n in ("pad_before", "pad_after"))
    rank = max(len(before), len(after))
    pads = list(zip(before or [0] * rank, after or [0] * rank, strict=True))

    def pad(data: np.ndarray, _: object) -> Any:
        if data.ndim != len(pads):
            raise Unsupported(
                step.op, f"pads {counted(len(pads), 'dimension')} of {data.ndim}, which the interpreter cannot execute"
            )
        return np.pad(data, pads)

    return pad
