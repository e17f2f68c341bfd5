"""Loops that alternate between two buffers have their body twice; this makes one of the two copies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from allo_air.core.cloning import clone
from allo_air.core.folding import number_of
from allo_air.core.loops import Dim, dim_of
from allo_air.core.walking import body_of, outer_of, structure_of, walk_named, walk_pre_order
from allo_air.mlir import AnyOp, arith, ir, scf
from allo_air.passes._analysis.effects import is_pure

_LEAST = 64
"""Operations that a loop must save: an iteration more takes a jump, and a branch for what differs."""
_MOST_TRIPS = 1024
"""Trips up to which the numbers of both copies are compared, one by one."""


def join_copies(root: AnyOp) -> bool:
    """Makes one copy of the bodies in `root` that consist of two; returns whether there are any.

    The copies form a loop of two iterations. What differs in them, as the code and the locks of one of two buffers, becomes a
    branch:

        scf.for %i = %c0 to %c64 step %c32 {       scf.for %i = %c0 to %c64 step %c32 {
          scf.for ... { /* %even to %x */ }          scf.for %copy = %c0 to %c2 step %c1 {
          scf.for ... { /* %x, %i */ }                 %j = %i + 16 * %copy
          scf.for ... { /* %odd to %x */ }             scf.if %copy == 0 { /* %even to %x */ } else { /* %odd to %x */ }
          scf.for ... { /* %x, %i + 16 */ }            scf.for ... { /* %x, %j */ }
        }                                            }
                                                   }
    """
    is_changed = False
    while copies := next(filter(lambda c: c.saved() >= _LEAST, _copies_in(root)), None):
        copies.join()
        is_changed = True
    return is_changed


def _copies_in(root: AnyOp) -> Iterator[_Copies]:
    return (_Copies(loop, dim) for loop in walk_named(root, "scf.for") if (dim := _halved(loop)) is not None)


def _halved(loop: ir.Operation) -> Dim | None:
    """The dimension of a loop whose body may consist of two copies."""
    dim = dim_of(loop)
    if dim is None or len(loop.results) or dim.step % 2 or not isinstance(dim.iv.type, ir.IndexType):
        return None
    return dim if 0 < dim.trips <= _MOST_TRIPS and any(len(o.regions) for o in body_of(loop)) else None


class _Copies:
    """The copies in the body of `loop`. Operations with effects, or with regions, are compared in pairs."""

    def __init__(self, loop: ir.Operation, dim: Dim) -> None:
        self.loop, self.dim, self.half = loop, dim, dim.step // 2
        self.ops = [o for o in body_of(loop) if o.name != "scf.yield"]
        self.own = set(self.ops)
        self.second: dict[ir.Value, ir.Value] = {}
        """For values of the first copy, those of the second."""
        effects = [o for o in self.ops if not is_pure(o)]
        half = len(effects) // 2
        self.pairs = [(a, b, self._is_equal(a, b)) for a, b in zip(effects[:half], effects[half:], strict=False)]
        if len(effects) % 2 or not self.pairs or not all(is_equal or self._can_branch(a, b) for a, b, is_equal in self.pairs):
            self.pairs = []

    def saved(self) -> int:
        """The number of operations of the second copy that are not needed."""
        return sum(len(walk_pre_order(b)) for _, b, is_equal in self.pairs if is_equal)

    def join(self) -> None:
        """Makes a loop of the two copies."""
        end = body_of(self.loop)[-1]
        with self.loop.location, ir.InsertionPoint(end):
            index = self.dim.iv.type
            inner = scf.ForOp(arith.constant(index, 0), arith.constant(index, 2), arith.constant(index, 1))
            with ir.InsertionPoint(inner.body):
                counter = arith.addi(self.dim.iv, arith.muli(inner.induction_variable, arith.constant(index, self.half)))
                is_first = arith.cmpi(arith.CmpIPredicate.eq, inner.induction_variable, arith.constant(index, 0))
                last = scf.YieldOp([]).operation
        differing = {a: b for a, b, is_equal in self.pairs if not is_equal}
        first: dict[ir.Value, ir.Value] = {
            b_result: a_result for a, b, _ in self.pairs for a_result, b_result in zip(a.results, b.results, strict=True)
        }
        place = self.ops.index(self.pairs[-1][0]) + 1
        for op in self.ops[:place]:
            if op in differing:
                with op.location, ir.InsertionPoint(last):
                    self._branch(op, differing[op], is_first, first)
            else:
                op.move_before(last)
        for used in (used for op in self.ops[:place] for used in walk_pre_order(op)):
            for number, value in enumerate(used.operands):
                if value == self.dim.iv:
                    used.operands[number] = counter
        for op in reversed(self.ops[place:]):
            op.erase()

    def _branch(self, op: ir.Operation, other: ir.Operation, is_first: ir.Value, first: dict[ir.Value, ir.Value]) -> None:
        """A branch that runs `op` in the first iteration and `other` in the second; `first` has the first copy's values."""
        branch = scf.IfOp(is_first, [v.type for v in op.results], has_else=True)
        for result, own, second in zip(branch.results, op.results, other.results, strict=True):
            own.replace_all_uses_with(result)
            first[second] = result
        with ir.InsertionPoint(branch.then_block):
            op.move_before(scf.YieldOp(op.results).operation)
        with ir.InsertionPoint(branch.else_block):
            values = dict(first)
            for value in _outer(other):
                self._clone_computed(value, values)
            scf.YieldOp(clone(other, values).results)

    def _clone_computed(self, value: ir.Value, values: dict[ir.Value, ir.Value]) -> None:
        """Clones what computes `value` in the body, unless `values` has it."""
        owner = self._owner(value)
        if value in values or owner is None:
            return
        for operand in owner.operands:
            self._clone_computed(operand, values)
        clone(owner, values)

    def _can_branch(self, op: ir.Operation, other: ir.Operation) -> bool:
        """Whether `op` and, in the second copy, `other` can be in a branch, where all values that `other` uses are known."""
        if [v.type for v in op.results] != [v.type for v in other.results]:
            return False
        seconds = set(self.second.values())
        return all(self._is_computed(v, seconds) for v in _outer(other))

    def _is_computed(self, value: ir.Value, seconds: set[ir.Value]) -> bool:
        """Whether `value` is a result of the second copy (one of `seconds`), or computed from such results and the counter."""
        owner = self._owner(value)
        if value in seconds or owner is None:
            return True
        return is_pure(owner) and all(self._is_computed(v, seconds) for v in owner.operands)

    def _is_equal(self, first: ir.Operation, second: ir.Operation) -> bool:
        """Whether two operations do the same, the second one half a step later; its results are in any case later results."""
        own, other = _outer(first), _outer(second)
        is_equal = structure_of(first) == structure_of(second) and len(own) == len(other)
        is_equal = is_equal and all(map(self._is_same, own, other))
        if [v.type for v in first.results] == [v.type for v in second.results]:
            self.second.update(zip(first.results, second.results, strict=True))
        return is_equal

    def _is_same(self, first: ir.Value, second: ir.Value) -> bool:
        """Whether `second` is in the second copy what `first` is in the first one."""
        if first == second:
            return self._is_invariant(first)
        if first in self.second:
            return self.second[first] == second
        if isinstance(first.type, (ir.IndexType, ir.IntegerType)) and self._is_later(first, second):
            return True
        owner, other = self._owner(first), self._owner(second)
        if owner is None or not is_pure(owner):
            return False
        if owner.name == "arith.ori" and self._is_never(owner.operands[1]):
            return self._is_same(owner.operands[0], second)
        is_same = (
            other is not None
            and structure_of(owner) == structure_of(other)
            and list[ir.Value](owner.results).index(first) == list[ir.Value](other.results).index(second)
            and len(owner.operands) == len(other.operands)
            and all(map(self._is_same, owner.operands, other.operands))
        )
        if is_same:
            self.second[first] = second
        return is_same

    def _is_later(self, first: ir.Value, second: ir.Value) -> bool:
        """Whether a number is half a step later what another one is now, in all iterations."""
        numbers = ((self._number(first, v + self.half), self._number(second, v)) for v in self.dim.values)
        return all(a is not None and a == b for a, b in numbers)

    def _is_never(self, condition: ir.Value) -> bool:
        """Whether a condition of the loop counter is false in each second copy."""
        return all(self._number(condition, v + self.half) == 0 for v in self.dim.values)

    def _number(self, value: ir.Value, counter: int) -> int | None:
        return number_of(value, {self.dim.iv: counter})

    def _is_invariant(self, value: ir.Value) -> bool:
        """Whether `value` is the same in all iterations."""
        owner = self._owner(value)
        if value == self.dim.iv or owner is None:
            return value != self.dim.iv
        return is_pure(owner) and all(map(self._is_invariant, owner.operands))

    def _owner(self, value: ir.Value) -> ir.Operation | None:
        """The operation of the body that computes `value`."""
        owner = value.owner.operation if isinstance(value, ir.OpResult) else None
        return owner if owner in self.own else None


def _outer(op: ir.Operation) -> Sequence[ir.Value]:
    """The values from outside that `op` uses, each once, in order of use."""
    values = outer_of(op)
    if values is not None:
        return values
    inside: set[ir.Value] = {v for o in walk_pre_order(op) for v in o.results}
    inside |= {v for o in walk_pre_order(op) for region in o.regions for block in region for v in block.arguments}
    return list(dict.fromkeys(v for o in walk_pre_order(op) for v in o.operands if v not in inside))
