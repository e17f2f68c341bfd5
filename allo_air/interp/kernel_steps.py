"""Compute leaves: loops, vectors and linalg operations without AIR in them run as compiled kernels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.core.loops import Loop
from allo_air.core.walking import enclosing, walk_post_order
from allo_air.interp import rules
from allo_air.interp._effects import READS, WRITES, touching
from allo_air.interp.errors import Unsupported
from allo_air.interp.kernel import cell, compiled, describe, describe_array, failure, invoke, passed
from allo_air.interp.memory import View, reads, whole_view, writes
from allo_air.interp.outline import Outlined, outline
from allo_air.interp.program import Step, Translator
from allo_air.interp.scheduler import Agent, Task
from allo_air.interp.structured import Structured, inputs_of, reads_whole_operands
from allo_air.interp.values import dtype_of, is_token
from allo_air.mlir import AnyOp, ir

if TYPE_CHECKING:
    from allo_air.interp.values import Frame

_LOOPS = ("scf.for", "scf.while", "scf.parallel", "affine.for", "affine.parallel")
_REGIONS = (*_LOOPS, "scf.if", "scf.index_switch", "scf.execute_region", "affine.if")
_MEMORY = ("memref.load", "memref.store", "affine.load", "affine.store", "affine.vector_load", "affine.vector_store")
_VIEWS = ("memref.subview", "memref.cast", "memref.collapse_shape", "memref.expand_shape", "memref.transpose", "memref.dim")
_ENDS = ("scf.yield", "scf.condition", "scf.reduce", "scf.reduce.return", "affine.yield", "linalg.yield", "linalg.index")
_PLAIN = (
    "arith.",
    "math.",
    "vector.",
    "xllvm.",
    "aievec.",
    "affine.apply",
    "affine.min",
    "affine.max",
    "ub.poison",
    "affine.delinearize_index",
)
_OWN_RULES = ("linalg.pack", "linalg.unpack", "linalg.copy")
_AT_ONCE = 512
"""Number of iterations up to which a parallel loop outside of cores runs as agents, which detects its races."""


def kernel_steps(translator: Translator, ops: list[ir.Operation]) -> Iterator[ir.Operation | Step]:
    """The operations of a block, with operations that run as kernels combined into steps."""
    run: list[AnyOp] = []
    for op in ops:
        if _is_vector(op) or _is_loop(op) or (run and _joins(op)):
            run.append(op)
        elif run and op.name in ("arith.constant", "ub.poison"):
            yield op
        else:
            yield from _flush(translator, run)
            run = []
            yield linalg_step(translator, op) if _is_linalg(op) else op
    yield from _flush(translator, run)


def _flush(translator: Translator, run: list[Any]) -> Iterator[Step]:
    last = max((i for i, op in enumerate(run) if _is_vector(op) or _is_loop(op)), default=-1)
    if last >= 0:
        yield Leaf(translator, run[: last + 1]).step
    yield from run[last + 1 :]


def _is_linalg(op: ir.Operation) -> bool:
    own = op.name in _OWN_RULES and not _converts(op)
    return op.name.startswith("linalg.") and not own and op.name not in rules.PURE


def _converts(op: AnyOp) -> bool:
    """Whether `op` is a copy to elements of another type."""
    kinds = [v.type.element_type for v in op.operands if isinstance(v.type, ir.ShapedType)]
    return op.name == "linalg.copy" and kinds[0] != kinds[-1]


def _is_vector(op: AnyOp) -> bool:
    vectors = any(isinstance(v.type, ir.VectorType) for v in (*op.operands, *op.results))
    return (vectors or op.name.startswith("vector.")) and op.name != "arith.constant" and op.name.startswith(_PLAIN + _MEMORY)


def _joins(op: ir.Operation) -> bool:
    """Whether an operation between a kernel's operations is included."""
    tensors = any(isinstance(v.type, ir.RankedTensorType) for v in (*op.operands, *op.results))
    return op.name in ("memref.load", "memref.store") or (op.name.startswith(("arith.", "math.")) and not tensors)


def _is_loop(op: Any) -> bool:
    """Whether `op` is control flow around loops, memory and arithmetic, and nothing else."""
    if op.name not in _REGIONS or (
        op.name in ("scf.parallel", "affine.parallel") and not _in_core(op) and _trips(op) <= _AT_ONCE
    ):
        return False
    inside = walk_post_order(op)
    names = {o.name for o in inside}
    if not any(n in _LOOPS or n.startswith(("vector.", "linalg.")) for n in names):
        return False
    if not any(n in _MEMORY or n.startswith(("vector.", "linalg.")) for n in names):
        return False
    return all(_may_be_inside(o) for o in inside)


def _may_be_inside(op: ir.Operation) -> bool:
    types = [v.type for v in (*op.operands, *op.results)]
    if any(isinstance(t, ir.RankedTensorType | ir.UnrankedMemRefType) or is_token(t) for t in types):
        return False
    if op.name in _REGIONS and any(isinstance(r.type, ir.MemRefType) for r in op.results):
        return False
    if op.name in _OWN_RULES:
        return False
    return op.name in (*_REGIONS, *_MEMORY, *_VIEWS, *_ENDS) or op.name.startswith((*_PLAIN, "linalg."))


def _in_core(op: ir.Operation) -> bool:
    return enclosing(op, "air.herd") is not None


def _trips(op: ir.Operation) -> int:
    """Iterations of a parallel loop; 0 if its bounds are not constant."""
    if any(o.name.startswith("linalg.") for o in walk_post_order(op)):
        return 0
    return Loop(op).trips() or 0


def linalg_step(translator: Translator, op: ir.Operation) -> Step:
    """The step of a linalg operation on its own."""
    if not op.results and not reads_whole_operands(op):
        return Leaf(translator, [op]).step
    kernel = Structured(op)
    step = Step(op, tuple(translator.slot(v) for v in inputs_of(op)), tuple(translator.slot(r) for r in op.results))
    step.run = lambda agent, frame, operands: kernel.run(agent, step, operands)
    return step


class Leaf:
    """A step that runs operations as one kernel, which records the accessed elements."""

    def __init__(self, translator: Translator, ops: list[AnyOp]) -> None:
        inside = set()
        for top in ops:
            inside.update(walk_post_order(top))
        outputs = [r for op in ops for r in op.results if any(u.owner.operation not in inside for u in r.uses)]
        self.outlined: Outlined = outline(ops, outputs)
        self.tracked = tuple(n for n, v in enumerate(self.outlined.inputs) if isinstance(v.type, ir.MemRefType))
        self.step = Step(ops[0], tuple(translator.slot(v) for v in self.outlined.inputs), tuple(map(translator.slot, outputs)))
        if len(ops) > 1 or ops[0].name in _LOOPS:
            self.step.name = str(next(o.name for o in ops if _is_vector(o) or _is_loop(o)))
        self.step.run = self.run
        self.places = {
            (n, mode): Step(result, (), ())
            for n in self.tracked
            for mode in (READS, WRITES)
            if (result := touching(self.outlined.inputs[n], mode, inside)) is not None
        }

    def run(self, agent: Agent, frame: Frame, operands: list[View]) -> Task:
        kernel = compiled(self.outlined.text, self.tracked)
        if kernel.error:
            raise Unsupported(self.step.op, f"is one that the interpreter cannot execute: {kernel.error}")
        views = [v for v in operands if isinstance(v, View)]
        for view in views:
            yield from agent.machine.wait_for_accesses(agent, view, write=True)
        yield
        marks = {id(v.buffer): np.zeros(v.buffer.data.size, np.int8) for v in views}
        error = cell()
        keep, arguments = passed(operands, self.outlined.scalars)
        result, outputs = results_of(self.outlined.outputs)
        companions = [describe(marks[id(v.buffer)], v) for v in views]
        invoke(kernel, [*arguments, *outputs, *companions, describe_array(error)])
        del keep
        if error[0]:
            raise failure(self.step.op, kernel.checks[int(error[0]) - 1])
        finished: set[int] = set()
        for number, view in zip(self.tracked, views, strict=True):
            if id(view.buffer) not in finished:
                finished.add(id(view.buffer))
                self._record(agent, number, view, marks[id(view.buffer)])
        return [unpassed(m, v.type) for m, v in zip(result, self.outlined.outputs, strict=True)]

    def _record(self, agent: Agent, number: int, view: View, marks: np.ndarray) -> None:
        flat = whole_view(view.buffer, (view.buffer.data.size,))
        read, written = marks & 1 != 0, marks & 2 != 0
        if read.any():
            reads(agent, self.places.get((number, READS), self.step), flat, None if read.all() else read)
        if written.any():
            writes(agent, self.places.get((number, WRITES), self.step), flat, None if written.all() else written)


def results_of(values: tuple[ir.Value, ...]) -> tuple[list[Any], list[Any]]:
    """Arrays for a kernel's results, and their descriptors."""
    arrays = []
    for value in values:
        shape = value.type.shape if isinstance(value.type, ir.ShapedType) else ()
        element = value.type.element_type if isinstance(value.type, ir.ShapedType) else value.type
        arrays.append(np.zeros(shape, dtype_of(element)))
    return arrays, [describe_array(a) for a in arrays]


def unpassed(array: np.ndarray, type_: ir.Type) -> Any:
    """A kernel's result as a value."""
    if isinstance(type_, ir.ShapedType):
        return array
    return int(array) if array.dtype.kind in "iub" else array[()]
