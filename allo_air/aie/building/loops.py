"""Loops and branches of cores and of the sequence, which carry values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.errors import IronRuntimeError, IronTypeError
from allo_air.aie.building.scope import require_any
from allo_air.aie.building.values import Scalar, cast, constant, wrapped
from allo_air.mlir import ir, scf

__all__ = ["Branch", "else_", "if_", "no_loop_left", "range_", "yield_"]

_OPEN: ContextVar[list[Any] | None] = ContextVar("loops of the function that is being run", default=None)


@contextmanager
def no_loop_left() -> Iterator[None]:
    """Runs a core's function. IronRuntimeError if it leaves a loop by break or return."""
    loops: list[Any] = []
    token = _OPEN.set(loops)
    try:
        yield
    finally:
        _OPEN.reset(token)
    if loops:
        raise IronRuntimeError("a core's function leaves a loop of range_ early; break and return cannot leave it")


def range_(
    start: object,
    stop: object = None,
    step: object = None,
    *,
    iter_args: Sequence[object] | None = None,
    insert_yield: bool = True,
    **keywords: object,
) -> Iterator[Any]:
    """`for i in range_(n)`: one `scf.for`; bounds are integers or values.

    `for i, x, result in range_(n, iter_args=[init])` carries a value, or lists of several; the body ends with `yield_(next)`.
    """
    refuse(keywords, "range_", ignored=("loc", "ip"))
    require_any("range_")
    low, high = (0, start) if stop is None else (start, stop)
    bounds = [cast(b, "index") for b in (low, high, 1 if step is None else step)]
    carried = [_carried(v) for v in iter_args or ()]
    loop = scf.ForOp(*bounds, [getattr(c, "ssa", c) for c in carried])
    if (open_loops := _OPEN.get()) is not None:
        open_loops.append(loop)
    with ir.InsertionPoint(loop.body):
        variable = Scalar(loop.induction_variable)
        if not carried:
            yield variable
        else:
            inside = [_as(c, a) for c, a in zip(carried, loop.inner_iter_args, strict=True)]
            after = [_as(c, r) for c, r in zip(carried, loop.results_, strict=True)]
            is_single = len(carried) == 1
            yield variable, inside[0] if is_single else inside, after[0] if is_single else after
        if open_loops is not None:
            open_loops.remove(loop)
        if not _ended(loop.body):
            if carried:
                raise IronRuntimeError("a loop with iter_args must end with yield_ of the carried values; it has no yield_")
            scf.YieldOp([])


def yield_(*values: object) -> None:
    """Ends the body of a loop with `iter_args`, or of a branch with results, and yields these values."""
    value = values[0] if len(values) == 1 and isinstance(values[0], list | tuple) else values
    results = [_carried(v) for v in value]
    require_any("yield_")
    if results or not _ended(ir.InsertionPoint.current.block):
        scf.YieldOp([getattr(v, "ssa", v) for v in results])


class Branch:
    """A built `if_`, the argument of `else_`; with `results=` it has values."""

    def __init__(self, op: ir.OpView):
        self.op = op

    @property
    def operation(self) -> Any:
        """The operation."""
        return self.op.operation

    @property
    def results(self) -> list[Any]:
        """Its values."""
        return [wrapped(r) for r in self.op.operation.results]

    @property
    def result(self) -> Any:
        """Its one value."""
        return self.results[0]


@contextmanager
def if_(
    condition: ir.Value, results: Sequence[Any] | None = None, hasElse: bool = False, **keywords: object
) -> Iterator[Branch]:
    """`with if_(a > b) as branch:`: operations built inside run if the condition is true."""
    refuse(keywords, "if_", ignored=("loc", "ip"))
    require_any("if_")
    kinds = [] if isinstance(results, bool) else list(results or ())
    op = scf.IfOp(cast(condition, "i1"), kinds, has_else=bool(kinds))
    with ir.InsertionPoint(op.then_block):
        yield Branch(op)
        _end(op.then_block)


@contextmanager
def else_(branch: Branch) -> Iterator[None]:
    """`with else_(branch):` right after the `if_`."""
    require_any("else_")
    op = branch.op if isinstance(branch, Branch) else branch
    operations = list(ir.InsertionPoint.current.block.operations)
    if not operations or operations[-1].operation != op.operation:
        raise IronRuntimeError("else_ does not follow its if_; write it directly after the if_")
    region = op.operation.regions[1]
    block = region.blocks[0] if len(region.blocks) else region.blocks.append()
    with ir.InsertionPoint(block):
        yield
        _end(block)


def _end(block: object) -> None:
    if not _ended(block):
        scf.YieldOp([])


def _ended(block: Any) -> bool:
    operations = block.operations
    return bool(len(operations)) and operations[-1].operation.name == "scf.yield"


def _carried(initial: Any) -> Any:
    """A value, or an object that represents a value and can be rebound to another value."""
    if hasattr(initial, "carried"):
        initial.leave()
        return initial
    if isinstance(initial, ir.OpView | ir.Operation):
        initial = initial.operation.result
    if isinstance(initial, ir.Value):
        return wrapped(initial)
    if isinstance(initial, int | float) or hasattr(initial, "item"):
        number = initial.item() if hasattr(initial, "item") else initial
        return constant(number, "f32" if isinstance(number, float) else "i32")
    raise IronTypeError(f"range_: iter_args has {type(initial).__name__}, expected a value, a number or a Task")


def _as(handle: object, value: object) -> Any:
    return handle.carried(value) if hasattr(handle, "carried") else wrapped(value)
