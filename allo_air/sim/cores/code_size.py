"""Bytes that the code of a core takes in its program memory, estimated from the schedules that give its time.

Each cycle of a schedule is an instruction, which is as long as its operations need: 2 to 16 bytes. `BITS` are the lengths of
operations in llvm-aie (the slots of AIE2); together with two bits of the longest format they make its 128 bits. A cycle in
which nothing begins takes an instruction without operations. Operations that overlap in a pipelined loop also occur before and
after it.

Operations on scalars and branches of C++ kernels are not recorded, nor the run-time functions that code calls (sums of f32
scalars, quotients): the code of Peano is longer.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import ceil

from allo_air.core.loops import Loop as LoopOfMlir
from allo_air.core_model.machine import Machine
from allo_air.core_model.nodes import SYNCHRONIZING, nodes_of
from allo_air.core_model.pipelining import body_of, is_innermost, pipelined
from allo_air.core_model.placement import place_operation
from allo_air.core_model.slots import Slots
from allo_air.mlir import AnyOp, ir
from allo_air.sim.cores.cpp_events import Event, Iteration, Loop, Operation, read
from allo_air.sim.cores.cpp_time import STAGES, Pricing, Schedule

BITS = {"load": 21, "store": 21, "vector": 26, "move": 22, "scalar": 20}
"""Bits of an operation of a unit. Only one of two loads of a cycle needs all of them, the other 16."""
_SECOND_LOAD = 16
_FORMAT = 2
LONGEST = 16
"""Bytes of the longest instruction."""
_CALL = 8
"""Bytes of a call or of an operation on a lock: a jump with its address, and the argument."""
_SCALAR = 4
"""Bytes of an instruction with one scalar operation."""
_EACH = 3
"""Scalar operations of a loop: it counts, compares, and jumps."""


def instruction_bytes(counts: dict[str, int]) -> int:
    """Bytes of an instruction with the given number of operations of each unit."""
    bits = sum(BITS[unit] * count for unit, count in counts.items())
    bits -= (BITS["load"] - _SECOND_LOAD) * max(0, counts.get("load", 0) - 1)
    return min(LONGEST, 2 * ceil((bits + _FORMAT) / 16)) if bits else 2


def bytes_of(slots: Slots) -> int:
    """Bytes of the instructions of a schedule."""
    return sum(map(instruction_bytes, slots.instructions()))


def _loop_bytes(machine: Machine) -> int:
    """Bytes of the instructions that repeat a loop; those in the delay slots of the jump are counted as empty."""
    return _EACH * instruction_bytes({"scalar": 1}) + machine.jump * instruction_bytes({})


class KernelSize:
    """Bytes of the code of a C++ function, as far as its recorded calls ran it.

    Loops with equal heads, in equal outer loops, are the same code. Code between two loops is the same code in all calls and
    iterations; its greatest length counts.
    """

    def __init__(self, machine: Machine):
        self._machine, self._pricing = machine, Pricing(machine)
        self._parts: dict[tuple[object, ...], int] = defaultdict(int)

    @property
    def bytes(self) -> int:
        """Bytes of all code that was seen so far."""
        return sum(self._parts.values())

    def add(self, events: Iterable[Event]) -> None:
        """Adds a call that has issued `events`."""
        self._add(read(events), (), False, 1)

    def _add(self, turn: Iteration, place: tuple[object, ...], spilled: bool, times: int) -> None:
        schedule, before, seen = Schedule(self._machine, spilled), (0, 0), Counter[int]()
        ready, inner = dict[int, int](), dict[int, dict[int, int]]()
        for number, item in enumerate(turn.items):
            if isinstance(item, Operation):
                schedule.turn([(number, item)], {}, ready, inner)
            elif self._pricing.is_unrolled(item, spilled):
                inner[number] = schedule.unrolled(item)
            else:
                seen[item.head] += 1
                name = item.head, seen[item.head]
                self._keep((*place, before, name), times * bytes_of(schedule.slots))
                self._add_loop(item, (*place, name), spilled)
                schedule, before, ready, inner = Schedule(self._machine, spilled), name, {}, {}
        self._keep((*place, before, None), times * bytes_of(schedule.slots))

    def _add_loop(self, loop: Loop, place: tuple[object, ...], spilled: bool) -> None:
        self._keep((*place, "loop"), _loop_bytes(self._machine))
        is_spilled = spilled or self._pricing.spills(loop)
        times = STAGES if loop.hinted and not loop.loops and not is_spilled else 1
        for turn in dict.fromkeys(loop.rounds):
            self._add(turn, place, is_spilled, times)

    def _keep(self, place: tuple[object, ...], size: int) -> None:
        self._parts[place] = max(self._parts[place], size)


@dataclass(frozen=True)
class CodeSize:
    """Bytes of a core's code: its own, and that of each C++ kernel that it calls."""

    own: int
    kernels: tuple[tuple[str, KernelSize], ...] = ()

    @property
    def bytes(self) -> int:
        """The bytes of the core's own code and of its kernels."""
        return self.own + sum(kernel.bytes for _, kernel in self.kernels)

    def __str__(self) -> str:
        parts = [f"{self.own:,} of its own", *(f"{kernel.bytes:,} of {name}" for name, kernel in self.kernels)]
        return " and ".join([", ".join(parts[:-1]), parts[-1]] if parts[1:] else parts)


def program_bytes(function: AnyOp, machine: Machine, *, unrolls: bool = True) -> int:
    """Bytes of the code of a core's function in MLIR, without that of the functions that it calls.

    With `unrolls` off, short loops are counted once, which LLVM otherwise unrolls.
    """
    if machine.loops is None:
        machine = replace(machine, loops={}, nodes={})
    blocks = function.regions[0].blocks
    return sum(_block_bytes([o.operation for o in block.operations], machine, unrolls) for block in blocks)


def _block_bytes(ops: list[ir.Operation], machine: Machine, unrolls: bool) -> int:
    total, straight = 0, list[ir.Operation]()
    for op in ops:
        if op.name in SYNCHRONIZING:
            total += _CALL
        elif op.name == "scf.for":
            total += _for_bytes(op, machine, unrolls)
        elif op.regions and list(op.regions):
            blocks = [block for region in op.regions for block in region.blocks]
            total += _loop_bytes(machine)
            total += sum(_block_bytes([o.operation for o in b.operations], machine, unrolls) for b in blocks)
        else:
            straight.append(op)
    return total + _straight_bytes(straight, machine)


def _for_bytes(loop: ir.Operation, machine: Machine, unrolls: bool) -> int:
    inside = _block_bytes(body_of(loop), machine, unrolls)
    if unrolls and is_innermost(loop):
        form, trips = pipelined(loop, machine), LoopOfMlir(loop).trips() or 0
        if form.unrolled_cycles is not None:
            return inside * trips
        if not machine.compiled:
            inside *= max(1, min(trips or STAGES, ceil(form.depth / form.interval)))
    return _loop_bytes(machine) + inside


def _straight_bytes(ops: list[ir.Operation], machine: Machine) -> int:
    slots, finish = Slots(machine), dict[int, int]()
    for node in nodes_of(ops, machine):
        issue = node.issue(machine)
        if issue.calls:
            issue = replace(issue, scalar=_CALL // _SCALAR * issue.calls, latency=0)
        place_operation(node, issue, slots, finish)
    return bytes_of(slots)
