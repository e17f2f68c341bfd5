"""Converts a core's program to a script: steps that take time or wait, in loops, without the computed data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from allo_air.core.branch_hints import RARELY
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.folding import RULES
from allo_air.core.loops import Dim, Loop
from allo_air.core.names import callee_of, sym_name_of
from allo_air.core.walking import defining_op, walk_named
from allo_air.core_model.nodes import SYNCHRONIZING
from allo_air.mlir import AnyOp, ir
from allo_air.sim.cores.device_ops import port_cycles
from allo_air.sim.cores.rounds import Rounds, Undecided
from allo_air.sim.cores.steps import CASCADE_GET, CASCADE_PUT, EVENT, GET, LOCK, LOOP, PUT, WORK, Item, Script, length

TIMED = "allo_sim_work"
MOST = 20_000
"""Maximum number of steps of a script, and of blocks that are traversed to create it."""

Calls = Callable[[Any, Callable[[Any], Any]], Sequence[Item]]
"""Returns the items of a call of an external function. The function argument returns the numbers of the call's operands."""


@dataclass(frozen=True)
class _Capture:
    """A buffer or lock of the device, as its number among the program's captures."""

    number: int


def script_of(function: AnyOp, bases: int, calls: Calls, numbers: Sequence[int] = ()) -> Script:
    """The script of a prepared and timed core; the first `bases` arguments count as 0, the last ones are `numbers`.

    Raises DiagnosticError if the waits of the core depend on data.
    """
    arguments = list(function.regions[0].blocks[0].arguments)
    values: dict[Any, Any] = dict.fromkeys(arguments[:bases], 0)
    ends = len(arguments) - len(numbers)
    values |= {a: _Capture(i) for i, a in enumerate(arguments[bases:ends])}
    values |= dict(zip(arguments[ends:], numbers, strict=True))
    writer = _Writer(values, calls)
    try:
        writer.body(function)
    except Undecided as open_:
        raise error_at(open_.op, f"{open_.why}, so the time of the core depends on data; simulate it instead") from None
    return Script(writer.items, writer.assumed)


class _Writer(Rounds):
    """Follows a core's control flow and writes the steps that take time."""

    def __init__(self, values: dict[ir.Value, int], calls: Calls) -> None:
        super().__init__(values)
        self.assumed: list[Any] = []
        self._calls = calls
        self._quiet: dict[Any, bool] = {}
        self._passed: dict[Any, bool | None] = {}
        """For each argument of a function that is computed from data: whether it is usually true, None if unknown."""

    def write(self, op: AnyOp, *item: int) -> None:
        if len(self.items) >= MOST:
            raise error_at(op, f"is one of more than {MOST} different steps; simulate the program instead")
        self.items.append(item)

    def number_of(self, op: AnyOp, value: ir.Value) -> int:
        """The known number of `value`."""
        number = self.number(value)
        if number is None:
            raise Undecided(op, "has an unknown operand")
        return number

    def endless(self, start: int) -> None:
        self.items[start:] = [(LOOP, -1, tuple(self.items[start:]))]

    def too_many(self, function: AnyOp) -> None:
        raise error_at(function, f"executes more than {MOST} blocks; simulate the program instead")

    # Loops and branches.

    def quiet(self, op: AnyOp) -> bool:
        """Whether no operation in `op` takes time or waits."""
        if op not in self._quiet:
            self._quiet[op] = not walk_named(op, *SYNCHRONIZING)
        return self._quiet[op]

    def rounds(self, loop: Loop, dims: Sequence[Dim]) -> None:
        """A loop whose iterations are equal becomes one item; other loops are unrolled."""
        trips = 1
        for dim in dims:
            trips *= dim.trips
        if trips == 0:
            self.assign(loop.op.results, [self.get(v) for v in loop.inits])
            return
        if self.quiet(loop.op):
            return
        if trips > 1:
            self.rounds_of(loop, dims, trips)
        else:
            self.each(loop, dims)

    def repeat(self, items: list[Item], times: int) -> None:
        """Writes `items` `times` times."""
        if times == 1:
            self.items += items
        elif all(item[0] == WORK for item in items):
            self.items += [(WORK, region, n * times, cycles) for _, region, n, cycles in items]
        elif items:
            self.items.append((LOOP, times, tuple(items)))

    def branch(self, op: AnyOp) -> None:
        """If data select one of several branches that only compute: takes the usual one if it is known, else the longest."""
        if self.chosen(op) is not None:
            super().branch(op)
            return
        if not all(self.number(v) is not None or _of_data(v) or v in self._passed for v in op.operands):
            raise Undecided(op, "has an unknown condition")
        paths = [self.captured(partial(self.enter, op, region))[1] for region in op.regions]
        self.assign(op.results, [None] * len(op.results))
        usually = self._usually(op.operands[0]) if op.name == "scf.if" else None
        usual = max(paths, key=length) if usually is None else paths[0 if usually else 1]
        if any(path != usual for path in paths):
            if any(item[0] != WORK for path in paths for item in path):
                raise Undecided(op, "has a condition on data")
            if usually is None:
                self.assumed.append(op)
        self.items += usual

    def _usually(self, condition: ir.Value) -> bool | None:
        """Whether a condition on data is usually true, from its branch hint; None if unknown."""
        owner = defining_op(condition)
        if owner is None:
            number = self.number(condition)
            return self._passed.get(condition) if number is None else bool(number)
        if not _of_data(condition):
            return bool(self.number_of(owner, condition))
        if owner.name == "arith.ori":
            parts = [self._usually(v) for v in owner.operands]
            return True if True in parts else None if None in parts else False
        return False if RARELY in owner.attributes else None

    # Operations that take time.

    def operation(self, op: ir.Operation) -> None:
        match op.name:
            case "func.call":
                self._call(op)
            case "aie.use_lock":
                self._lock(op)
            case "aie.get_stream":
                self.write(op, GET, self.number_of(op, op.operands[0]), port_cycles(op), 0)
            case "aie.put_stream":
                self.write(op, PUT, self.number_of(op, op.operands[0]), port_cycles(op), 0)
            case "aie.get_cascade":
                self.write(op, CASCADE_GET, 0, 0, 0)
            case "aie.put_cascade":
                self.write(op, CASCADE_PUT, 0, 0, 0)
            case "aie.event":
                self.write(op, EVENT, op.attributes["val"].value, 0, 0)
            case _ if list(op.regions) and not self.quiet(op):
                raise Undecided(op, "is unsupported control flow")

    def _lock(self, op: AnyOp) -> None:
        lock = self.get(op.operands[0])
        if not isinstance(lock, _Capture):
            raise Undecided(op, "uses an unknown lock")
        value = op.attributes["value"].value if "value" in op.attributes else 1
        amount = self.number_of(op, op.operands[1]) if len(op.operands) > 1 else value
        self.write(op, LOCK, lock.number, op.attributes["action"].value, amount)

    def _call(self, op: AnyOp) -> None:
        name = callee_of(op)
        if name == TIMED:
            self.write(op, WORK, *(self.number_of(op, v) for v in op.operands))
            return
        module = op.parent
        while module.parent is not None:
            module = module.parent
        called = next(f for f in module.regions[0].blocks[0].operations if sym_name_of(f.operation) == name)
        if called.operation.regions[0].blocks:
            arguments = called.operation.regions[0].blocks[0].arguments
            self._passed |= {a: self._usually(v) for a, v in zip(arguments, op.operands, strict=True) if _of_data(v)}
            self.assign(arguments, [self.get(v) for v in op.operands])
            self.body(called.operation)
        else:
            self.items += self._calls(op, lambda v: self._number_or_zero(op, v))

    def _number_or_zero(self, op: AnyOp, value: ir.Value) -> int:
        """The number that is passed to a call; 0 if it depends on data."""
        number = self.number(value)
        if number is None and not _of_data(value):
            raise Undecided(op, "has an unknown argument")
        return number or 0


def _of_data(value: ir.Value) -> bool:
    """Whether `value` is computed from anything other than integer constants and block arguments."""
    if not isinstance(value, ir.OpResult) or constant_of(value) is not None:
        return False
    owner = value.owner.operation
    if owner.name in RULES or owner.name == "arith.select":
        return any(_of_data(v) for v in owner.operands)
    return owner.name != "arith.constant" or not isinstance(value.type, ir.IndexType | ir.IntegerType)
