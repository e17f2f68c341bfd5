"""A linalg operation as one kernel: its accesses follow from its operands, for tensors as for buffers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from allo_air.core.walking import walk_named, walk_post_order
from allo_air.errors import AlloAirError
from allo_air.interp.errors import PoisonRead, Unsupported
from allo_air.interp.kernel import Kernel, cell, compiled, describe_array, failure, invoke, passed
from allo_air.interp.memory import View, reads, writes
from allo_air.interp.outline import goes_along, outline
from allo_air.interp.program import Step
from allo_air.interp.scheduler import Agent, Task
from allo_air.interp.values import Tensor
from allo_air.mlir import AnyOp, ir, linalg


class Structured:
    """The computation of a linalg operation, independent of the operation, which may be erased before this runs."""

    def __init__(self, op: AnyOp) -> None:
        with _own_destinations(op) as stand_in:
            self._read(stand_in)

    def _read(self, op: ir.OpView) -> None:
        outlined = outline([op], [])
        self.text, self.scalars = outlined.text, outlined.scalars
        self.order = [max(n for n, value in enumerate(inputs_of(op)) if value == v) for v in outlined.inputs]
        self.gathered = _gathered(op, outlined.inputs)
        segments = op.attributes.get("operandSegmentSizes", None)
        outs = int(list(segments)[1]) if segments is not None else max(1, len(op.results))
        self.first, self.last = len(op.operands) - outs, len(op.operands)
        arguments = list(op.regions[0].blocks[0].arguments)
        self.used = [n < len(arguments) and any(True for _ in arguments[n].uses) for n in range(len(op.operands))]

    def run(self, agent: Agent, step: Step, operands: list[Tensor | View | int]) -> Task:
        """Runs on views, or on tensors, whose destinations' new values are returned."""
        kernel = compiled(self.text, self.gathered)
        if kernel.error:
            raise Unsupported(step.op, f"is one that the interpreter cannot execute: {kernel.error}")
        for n, value in enumerate(operands):
            if isinstance(value, View):
                yield from agent.machine.wait_for_accesses(agent, value, write=n >= self.first)
        yield
        values = [self._operand(agent, step, n, value) for n, value in enumerate(operands)]
        for value in operands[self.first : self.last]:
            if isinstance(value, View):
                writes(agent, step, value)
        keep, arguments = passed([values[n] for n in self.order], self.scalars)
        if self.gathered is None:
            invoke(kernel, arguments)
        else:
            self._checked(step, kernel, arguments, [operands[n] for n in self.order])
        del keep
        return [Tensor(values[n]) for n in range(self.first, self.last) if isinstance(operands[n], Tensor)]

    def _checked(self, step: Step, kernel: Kernel, arguments: Sequence[object], operands: list[Any]) -> None:
        """Runs a kernel that asserts, or that reads elements of tensors that are no operands, which must have a value."""
        assert self.gathered is not None
        marks, error = [np.zeros(operands[n].array.shape, np.int8) for n in self.gathered], cell()
        invoke(kernel, [*arguments, *(describe_array(m) for m in marks), describe_array(error)])
        if error[0]:
            raise failure(step.op, kernel.checks[int(error[0]) - 1])
        for n, mark in zip(self.gathered, marks, strict=True):
            if operands[n].defined is not None and (mark.astype(np.bool_) & ~operands[n].defined).any():
                raise PoisonRead(step.op, "reads elements of a tensor that nothing has written")

    def on_arrays(self, *operands: np.ndarray) -> None:
        """Runs on numpy arrays and writes destinations in place; raises AlloAirError if it cannot be compiled."""
        kernel = compiled(self.text)
        if kernel.error:
            raise AlloAirError(f"a kernel cannot be executed: {kernel.error}")
        arrays = [np.ascontiguousarray(v) if isinstance(v, np.ndarray) else v for v in operands]
        keep, arguments = passed([arrays[n] for n in self.order], self.scalars)
        invoke(kernel, arguments)
        del keep
        for old, new in zip(operands[self.first : self.last], arrays[self.first : self.last], strict=True):
            old[...] = new

    def _operand(self, agent: Agent, step: Step, n: int, value: Tensor | View | int) -> Any:
        """Operand `n` for the kernel; a destination tensor is copied."""
        if n >= self.last:
            return value.array if isinstance(value, Tensor) else value
        if isinstance(value, View) and self.used[n]:
            reads(agent, step, value)
        if not isinstance(value, Tensor):
            return value
        if self.used[n] and value.defined is not None and not value.defined.all():
            raise PoisonRead(step.op, f"reads elements of operand {n} that nothing has written")
        return np.array(value.array, order="C") if n >= self.first else np.ascontiguousarray(value.array)


def _gathered(op: AnyOp, inputs: tuple[ir.Value, ...]) -> tuple[int, ...] | None:
    """The inputs of a kernel that it reads by tensor.extract; None if it has neither such reads nor assertions."""
    extracts = walk_named(op, "tensor.extract")
    if not extracts and not walk_named(op, "cf.assert"):
        return None
    return tuple(sorted({inputs.index(e.operands[0]) for e in extracts}))


@contextmanager
def _own_destinations(op: AnyOp) -> Iterator[Any]:
    """Clones `op` with copies of destinations that are tensors which it also reads, or that would share one buffer."""
    operands = list(op.operands)
    first = len(operands) - len(op.results)
    again = [n for n in range(first, len(operands)) if op.results and (operands[n] in operands[first:n] or _is_read(op, n))]
    if not again:
        yield op
        return
    stand_in = op.operation.clone(ip=False)
    ops = [stand_in.operation]
    for n in again:
        ops.append(ir.Operation.create("tensor.empty", [operands[n].type], [], ip=False, loc=op.location))
        stand_in.operation.operands[n] = ops[-1].results[0]
    yield stand_in
    for unused in ops:
        unused.erase()


def _is_read(op: AnyOp, number: int) -> bool:
    """Whether the tensor that is destination `number` is also an input with another map, or read in the region."""
    maps = [m.value for m in linalg.get_indexing_maps(op) or ()]
    inputs = list(zip(op.operands, maps, strict=False))[: -len(op.results)]
    return any(v == op.operands[number] and m != maps[number] for v, m in inputs) or op.operands[number] in _captured(op)


def inputs_of(op: AnyOp) -> list[Any]:
    """The operands of a linalg operation, followed by the outer values that its region uses.

    These include a destination that the region reads, with its contents before the operation.
    """
    inputs = set(list(op.operands)[: len(op.operands) - len(op.results)])
    return [*op.operands, *(v for v in _captured(op) if v not in inputs)]


def _captured(op: Any) -> list[Any]:
    """The values that the region of `op` takes from outside."""
    inside = {a for region in op.regions for block in region.blocks for a in block.arguments}
    result = dict[Any, None]()
    for inner in walk_post_order(op)[:-1]:
        for value in inner.operands:
            if value not in inside and not goes_along(value):
                result[value] = None
        inside.update(inner.results)
        inside.update(a for region in inner.regions for block in region.blocks for a in block.arguments)
    return list(result)


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
