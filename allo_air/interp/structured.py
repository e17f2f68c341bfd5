"""A linalg operation as one kernel: what it touches is known from its operands, on tensors as on buffers."""

from __future__ import annotations

from typing import Any

import numpy as np

from allo_air.core.walking import walk_post_order
from allo_air.errors import AlloAirError
from allo_air.interp.errors import PoisonRead, Unsupported
from allo_air.interp.kernel import compiled, invoke, passed
from allo_air.interp.memory import View, reads, writes
from allo_air.interp.outline import outline
from allo_air.interp.program import Step
from allo_air.interp.scheduler import Agent, Task
from allo_air.interp.values import Tensor
from allo_air.mlir import AnyOp, ir, linalg


class Structured:
    """What a linalg operation does, without the operation: it may be gone when this runs."""

    def __init__(self, op: Any) -> None:
        outlined = outline([op], [])
        self.text, self.scalars = outlined.text, outlined.scalars
        self.order = [max(n for n, given in enumerate(given_to(op)) if given == v) for v in outlined.inputs]
        self.shared = _shared(op)
        segments = op.attributes.get("operandSegmentSizes", None)
        outs = int(list(segments)[1]) if segments is not None else max(1, len(op.results))
        self.first, self.last = len(op.operands) - outs, len(op.operands)
        arguments = list(op.regions[0].blocks[0].arguments)
        self.used = [n < len(arguments) and any(True for _ in arguments[n].uses) for n in range(len(op.operands))]

    def run(self, agent: Agent, step: Step, operands: list[Tensor | View | int]) -> Task:
        """Runs on views, or on tensors, whose destinations' new values are returned."""
        if self.shared:
            raise Unsupported(
                step.op, "reads a tensor in another order than it writes that tensor's elements; give it a destination"
            )
        kernel = compiled(self.text)
        if kernel.error:
            raise Unsupported(step.op, f"is one that the interpreter cannot execute: {kernel.error}")
        for n, value in enumerate(operands):
            if isinstance(value, View):
                yield from agent.machine.settle(agent, value, write=n >= self.first)
        yield
        given = [self._given(agent, step, n, value) for n, value in enumerate(operands)]
        for value in operands[self.first : self.last]:
            if isinstance(value, View):
                writes(agent, step, value)
        keep, arguments = passed([given[n] for n in self.order], self.scalars)
        invoke(kernel, arguments)
        del keep
        return [Tensor(given[n]) for n in range(self.first, self.last) if isinstance(operands[n], Tensor)]

    def on_arrays(self, *operands: Any) -> None:
        """Runs on numpy arrays, the destinations written in place; raises AlloAirError where it cannot be compiled."""
        kernel = compiled(self.text)
        if kernel.error:
            raise AlloAirError(f"a kernel cannot be executed: {kernel.error}")
        given = [np.ascontiguousarray(v) if isinstance(v, np.ndarray) else v for v in operands]
        keep, arguments = passed([given[n] for n in self.order], self.scalars)
        invoke(kernel, arguments)
        del keep
        for old, new in zip(operands[self.first : self.last], given[self.first : self.last], strict=True):
            old[...] = new

    def _given(self, agent: Agent, step: Step, n: int, value: Tensor | View | int) -> Any:
        """Operand `n` for the kernel; a destination tensor is copied."""
        if n >= self.last:
            return value
        if isinstance(value, View) and self.used[n]:
            reads(agent, step, value)
        if not isinstance(value, Tensor):
            return value
        if self.used[n] and value.known is not None and not value.known.all():
            raise PoisonRead(step.op, f"reads elements of operand {n} that nothing has written")
        return np.array(value.array, order="C") if n >= self.first else np.ascontiguousarray(value.array)


def _shared(op: AnyOp) -> bool:
    """Whether a tensor is an input and a destination, by different maps: a kernel on one array would read what it wrote."""
    if not op.results:
        return False
    maps = [m.value for m in linalg.get_indexing_maps(op) or ()]
    pairs = list(zip(op.operands, maps, strict=False))
    return any(a == b and m != n for i, (a, m) in enumerate(pairs) for b, n in pairs[i + 1 :])


def given_to(op: Any) -> list[Any]:
    """The operands of a linalg operation, and behind them the values that its region takes from outside."""
    inside = set(op.regions[0].blocks[0].arguments)
    found = dict.fromkeys(op.operands)
    for inner in walk_post_order(op)[:-1]:
        for value in inner.operands:
            constant = isinstance(value, ir.OpResult) and value.owner.operation.name in ("arith.constant", "ub.poison")
            if value not in inside and value not in found and not constant:
                found[value] = None
        inside.update(inner.results)
        inside.update(a for region in inner.regions for block in region.blocks for a in block.arguments)
    return [*op.operands, *(v for v in found if v not in set(op.operands))]


def reads_whole_operands(op: ir.Operation) -> bool:
    """Whether each operand's map is a projected permutation, so that the operation touches all of the operand."""
    try:
        maps = linalg.get_indexing_maps(op)
    except (ValueError, TypeError, AttributeError):
        return False
    return maps is not None and all(m.value.is_projected_permutation for m in maps)


def structured(module: AnyOp) -> list[Structured]:
    """The linalg operations on buffers in `module`, in order."""
    inner = ("linalg.yield", "linalg.index", "linalg.pack", "linalg.unpack")
    return [
        Structured(o) for o in walk_post_order(module) if o.name.startswith("linalg.") and o.name not in inner and not o.results
    ]
