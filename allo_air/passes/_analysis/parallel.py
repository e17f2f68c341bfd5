"""Selects parallel loops that become hierarchies, by their depth."""

from dataclasses import dataclass
from typing import Any

from allo_air.core.loops import PARALLEL, Bounds, Dim, Loop
from allo_air.core.walking import parents, walk_named
from allo_air.errors import PassError
from allo_air.mlir import ir

CONDITIONS = ("affine.if", "air.affine_if", "scf.if")
PADDING = Dim(None, 0, 1, 1)
"""A dimension of one iteration, for grids with more dimensions than the loop."""


@dataclass(frozen=True)
class ParallelLoop(Loop):
    """A parallel loop with constant bounds, whose steps divide its ranges."""

    grid: tuple[Dim, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there are no iterations."""
        return any(dim.trips == 0 for dim in self.grid)


def select(root: ir.Operation, depth: int) -> list[Any]:
    """The parallel loops in `root` with `depth` parallel loops around them (-1: the innermost; less than -1: all), outermost
    first.
    """
    loops = walk_named(root, *PARALLEL)
    if depth < -1:
        return loops
    if depth == -1:
        return [loop for loop in loops if len(walk_named(loop, *PARALLEL)) == 1]
    return [loop for loop in loops if sum(p.name in PARALLEL for p in parents(loop)) == depth]


def view(op: ir.Operation, target: str) -> ParallelLoop:
    """`op` as a ParallelLoop. Raises PassError if it cannot become a `target` (`"air.herd"`)."""
    result = match(op)
    if isinstance(result, str):
        raise PassError(f"cannot become {target}: {result}", op.location, op.name)
    return result


def match(op: ir.Operation) -> ParallelLoop | str:
    """`op` as a ParallelLoop, or why it cannot become a hierarchy."""
    if len(op.results) and op.name != "scf.parallel":
        return _RESULTS[op.name]
    loop = Loop(op)
    dims = [_dim(n, iv, bounds) for n, (iv, bounds) in enumerate(zip(loop.ivs, loop.bounds(), strict=True))]
    reasons = [dim for dim in dims if isinstance(dim, str)]
    return reasons[0] if reasons else ParallelLoop(op, tuple(dim for dim in dims if isinstance(dim, Dim)))


def _dim(n: int, iv: ir.Value, bounds: Bounds) -> Dim | str:
    """Dimension `n` of a loop, or why a hierarchy cannot have it."""
    for name, bound in zip(("lower bound", "upper bound", "step"), bounds, strict=True):
        if bound is None:
            return (
                f"the {name} of dimension {n} is not a constant, and the grid has a constant size; tile the loop with constant"
                " sizes, or run canonicalize first if the bound folds to a constant"
            )
    lower, upper, step = (int(b) for b in bounds if b is not None)
    if step <= 0:
        return f"the step of dimension {n} is {step}, expected a positive one"
    if upper > lower and (upper - lower) % step:
        return (
            f"step {step} does not divide the range {lower} to {upper} of dimension {n}; pad the range to a multiple of the"
            " step, or peel the last iteration"
        )
    return Dim(iv, lower, upper, step)


_RESULTS = {
    "scf.forall": "it has shared_outs on tensors, and hierarchies return no values; bufferize first (one-shot-bufferize)",
    "affine.parallel": "it has reductions, and hierarchies return no values; write each iteration's value to a memref",
}
"""Why a loop with results cannot become a hierarchy."""
