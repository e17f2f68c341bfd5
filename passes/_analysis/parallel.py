"""One view of the three parallel loops, scf.parallel, scf.forall and affine.parallel, and their selection by depth."""

from dataclasses import dataclass
from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.walking import parents, walk_named
from allo_air.errors import PassError
from allo_air.mlir import ir

PARALLEL = ("scf.parallel", "scf.forall", "affine.parallel")
HIERARCHIES = ("air.rank", "air.launch", "air.segment", "air.herd")
CONDITIONS = ("affine.if", "air.affine_if", "scf.if")


@dataclass(frozen=True)
class Dim:
    """One dimension of a loop: `iv` takes lower, lower + step, ... below upper; a padding dimension has no `iv`."""

    iv: Any
    lower: int
    upper: int
    step: int

    @property
    def count(self) -> int:
        """Number of iterations; the step divides the range."""
        return max(0, (self.upper - self.lower) // self.step)


PADDING = Dim(None, 0, 1, 1)


@dataclass(frozen=True)
class ParallelLoop:
    """A parallel loop with constant bounds; `body` excludes the terminator."""

    op: Any
    dims: tuple[Dim, ...]

    @property
    def block(self) -> Any:
        return self.op.regions[0].blocks[0]

    @property
    def body(self) -> list[Any]:
        return [o.operation for o in self.block.operations][:-1]

    @property
    def terminator(self) -> Any:
        return list(self.block.operations)[-1].operation

    @property
    def inits(self) -> list[Any]:
        """What an scf.parallel's reductions start from; one for each result."""
        return list(self.op.operands)[len(self.op.operands) - len(self.op.results) :]

    @property
    def is_empty(self) -> bool:
        """Whether there are no iterations."""
        return any(dim.count == 0 for dim in self.dims)


def select(root: Any, depth: int) -> list[Any]:
    """The parallel loops in `root` with `depth` such loops around them (-1: none inside; less: all), outermost first."""
    loops = walk_named(root, *PARALLEL)
    if depth < -1:
        return loops
    if depth == -1:
        return [loop for loop in loops if len(walk_named(loop, *PARALLEL)) == 1]
    return [loop for loop in loops if sum(p.name in PARALLEL for p in parents(loop)) == depth]


def view(op: Any, target: str) -> ParallelLoop:
    """`op` as a ParallelLoop; raises PassError where it cannot become a `target` (`"air.herd"`)."""
    lower, upper, step = {"scf.parallel": _scf_parallel, "scf.forall": _scf_forall, "affine.parallel": _affine_parallel}[
        op.name
    ](op)
    _check_results(op, target)
    ivs = list(op.regions[0].blocks[0].arguments)[: len(lower)]
    dims = []
    for n, (iv, *bounds) in enumerate(zip(ivs, lower, upper, step, strict=True)):
        dims.append(_dim(op, target, n, iv, bounds))
    return ParallelLoop(op, tuple(dims))


def _dim(op: Any, target: str, n: int, iv: Any, bounds: list[int | None]) -> Dim:
    for name, bound in zip(("lower bound", "upper bound", "step"), bounds, strict=True):
        if bound is None:
            raise PassError(
                f"cannot become {target}: the {name} of dimension {n} is not a constant, and the grid has a constant size;"
                " tile the loop with constant sizes, or run canonicalize first if the bound folds to a constant",
                op.location,
                op.name,
            )
    lower, upper, step = (int(b) for b in bounds if b is not None)
    if step <= 0:
        raise PassError(
            f"cannot become {target}: the step of dimension {n} is {step}, wanted a positive one", op.location, op.name
        )
    if upper > lower and (upper - lower) % step:
        raise PassError(
            f"cannot become {target}: step {step} does not divide the range {lower} to {upper} of dimension {n};"
            " pad the range to a multiple of the step, or peel the last iteration",
            op.location,
            op.name,
        )
    return Dim(iv, lower, upper, step)


def _check_results(op: Any, target: str) -> None:
    if not len(op.results) or op.name == "scf.parallel":
        return
    what = "shared_outs on tensors" if op.name == "scf.forall" else "reductions"
    todo = "bufferize first (one-shot-bufferize)" if op.name == "scf.forall" else "write each iteration's value to a memref"
    raise PassError(f"cannot become {target}: it has {what}, and {target} returns no values; {todo}", op.location, op.name)


Bounds = tuple[list[int | None], list[int | None], list[int | None]]


def _scf_parallel(op: Any) -> Bounds:
    values = list(op.operands)
    rank = len(op.regions[0].blocks[0].arguments)
    lower, upper, step = ([constant_of(v) for v in values[k * rank : (k + 1) * rank]] for k in range(3))
    return lower, upper, step


def _scf_forall(op: Any) -> Bounds:
    dynamic = iter(op.operands)

    def bounds(name: str) -> list[int | None]:
        return [constant_of(next(dynamic)) if v == ir.ShapedType.get_dynamic_size() else v for v in op.attributes[name]]

    return bounds("staticLowerBound"), bounds("staticUpperBound"), bounds("staticStep")


def _affine_parallel(op: Any) -> Bounds:
    steps: list[int | None] = [s.value for s in op.attributes["steps"]]
    return _affine_bounds(op, "lowerBounds", max), _affine_bounds(op, "upperBounds", min), steps


def _affine_bounds(op: Any, name: str, choose: Any) -> list[int | None]:
    """The bounds of each dimension: the greatest (least) of its group of map results."""
    results = iter(op.attributes[f"{name}Map"].value.results)
    found: list[int | None] = []
    for size in op.attributes[f"{name}Groups"]:
        group = [next(results) for _ in range(int(size))]
        known = [e.value for e in group if isinstance(e, ir.AffineConstantExpr)]
        found.append(choose(known) if len(known) == len(group) else None)
    return found
