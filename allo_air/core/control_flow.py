"""Interprets structured control flow with the known values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar

from allo_air.core.affine import compiled_set
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.folding import RULES as FOLDED
from allo_air.core.folding import fold
from allo_air.core.integers import Undefined
from allo_air.core.loops import FOR, Dim, Loop

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp, ir

MAX_ROUNDS = 1 << 20
"""Rounds of an scf.while that are followed."""

_TERMINATORS = frozenset(("scf.reduce", "scf.condition", "scf.forall.in_parallel"))
_ENDINGS = ("yield", "return", "terminator")


class Walker:
    """Walks blocks in the order of execution: folds numbers, decides branches and iterates loops.

    `known` maps values to what is known about them: a number, or an object of a subclass. Subclasses define the effect of
    operations (`operation`) and, if necessary, of branches and loops with an unknown condition or bound (`undecided`).
    """

    CONTROL: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("scf.for", "scf.parallel", "scf.forall", "affine.for", "affine.parallel"), "loop"),
        **dict.fromkeys(("scf.if", "scf.index_switch", "affine.if"), "branch"),
        "scf.while": "loop_while",
        "scf.execute_region": "execute",
    }
    """By operation, the method that follows it; others, with all that is in them, are for `operation`."""

    def __init__(self, values: Mapping[ir.Value, Any] | None = None) -> None:
        self.known: dict[Any, Any] = dict(values or {})
        self._functions: dict[Any, Any] = {}

    def operation(self, op: ir.Operation) -> None:
        """The effect of `op`, which neither folds nor is control flow; its results are unknown."""
        raise NotImplementedError

    def undecided(self, op: Any, why: str) -> None:
        """Control flow `op` whose path is unknown."""
        raise error_at(op, why)

    # Values.

    def get(self, value: object) -> Any:
        """The value that `value` represents, or None if it is unknown."""
        result = self.known.get(value)
        return constant_of(value) if result is None else result

    def number(self, value: ir.Value) -> int | None:
        """The number that `value` is, if it is known to be one."""
        result = self.get(value)
        return result if isinstance(result, int) else None

    def assign(self, names: Sequence[ir.OpResultList | ir.Value | ir.BlockArgumentList], facts: Sequence[object]) -> None:
        """Records `facts` for `names`, in order; None marks an unknown value."""
        for name, fact in zip(names, facts, strict=True):
            if fact is None:
                self.known.pop(name, None)
            else:
                self.known[name] = fact

    # The walk.

    def run(self, block: ir.Block) -> list[Any]:
        """Runs `block`; returns what is known about the operands of its terminator."""
        for op, name in self.operations_of(block):
            if name.endswith(_ENDINGS) or name in _TERMINATORS:
                return [self.get(v) for v in op.operands]
            self.step(op)
        return []

    def operations_of(self, block: ir.Block) -> Iterable[tuple[ir.Operation, str]]:
        """The operations of `block` with their names."""
        for view in block.operations:
            yield view.operation, view.operation.name

    def step(self, op: Any) -> None:
        """Runs one operation that is not a terminator."""
        name = op.name
        match = fold(op, self.number, self._functions) if name in FOLDED else None
        if match is not None:
            self.assign(op.results, match)
            return
        for result in op.results:  # of an earlier round
            self.known.pop(result, None)
        if name in self.CONTROL:
            getattr(self, self.CONTROL[name])(op)
        elif name == "arith.select" and (condition := self.number(op.operands[0])) is not None:
            self.assign(op.results, [self.get(op.operands[1 if condition else 2])])
        else:
            self.operation(op)

    def loop(self, op: Any) -> None:
        """A loop with bounds."""
        loop = Loop(op)
        dims = loop.dims(self.number)
        if dims is None:
            for *_, step in loop.bounds(self.number):
                if step is not None and step <= 0:
                    raise error_at(op, f"has step {step}; expected a positive one")
            self.undecided(op, "has bounds that are not constant")
        elif op.name in FOR:
            self.rounds(loop, dims)
        else:
            self.parallel(loop, dims)

    def rounds(self, loop: Loop, dims: Sequence[Dim]) -> None:
        """The iterations of a loop, one after another."""
        ivs, names = loop.ivs, loop.iter_args
        carried = [self.get(v) for v in loop.inits]
        for point in product(*(dim.values for dim in dims)):
            self.assign(ivs, point)
            self.assign(names, carried)
            carried = self.run(loop.block)
        self.assign(loop.op.results, carried)

    def parallel(self, loop: Loop, dims: Sequence[Dim]) -> None:
        """The iterations of a parallel loop, in the order of their indices, and the reduced values."""
        state, reductions = [self.get(v) for v in loop.inits], loop.terminator.regions
        for point in product(*(dim.values for dim in dims)):
            self.assign(loop.ivs, point)
            for n, value in enumerate(self.run(loop.block)):
                if loop.op.name == "scf.parallel":
                    combine = reductions[n].blocks[0]
                    self.assign(combine.arguments, [state[n], value])
                    [state[n]] = self.run(combine)
        if loop.op.name == "scf.parallel":
            self.assign(loop.op.results, state)

    def loop_while(self, op: AnyOp) -> None:
        """An scf.while."""
        before, after = (region.blocks[0] for region in op.regions)
        carried = [self.get(v) for v in op.operands]
        for _ in range(MAX_ROUNDS):
            self.assign(before.arguments, carried)
            going, *carried = self.run(before)
            if not isinstance(going, int):
                self.undecided(op, "has a condition that is not constant")
                return
            if not going:
                self.assign(op.results, carried)
                return
            self.assign(after.arguments, carried)
            carried = self.run(after)
        self.undecided(op, f"does not end in {MAX_ROUNDS} iterations")

    def branch(self, op: AnyOp) -> None:
        """A choice between regions."""
        chosen = self.chosen(op)
        if chosen is None:
            self.undecided(op, "has a condition that is not constant")
        else:
            self.enter(op, chosen)

    def execute(self, op: AnyOp) -> None:
        """Runs an operation with a single region, which is executed once."""
        self.enter(op, op.regions[0])

    def enter(self, op: AnyOp, region: ir.Region) -> None:
        """Runs `region` of `op`; the results of `op` are the values that the region yields."""
        blocks = list(region.blocks)
        self.assign(op.results, self.run(blocks[0]) if blocks else [])

    def chosen(self, op: AnyOp) -> Any:
        """The region that a branch runs; None if unknown."""
        values = [constants for v in op.operands if (constants := self.number(v)) is not None]
        if len(values) < len(op.operands):
            return None
        if op.name == "scf.if":
            return op.regions[0 if values[0] else 1]
        if op.name == "scf.index_switch":
            cases = list(op.attributes["cases"])
            return op.regions[cases.index(values[0]) + 1 if values[0] in cases else 0]
        if op not in self._functions:
            self._functions[op] = compiled_set(op.attributes["condition"])
        try:
            return op.regions[0 if self._functions[op](values) else 1]
        except Undefined:
            return None
