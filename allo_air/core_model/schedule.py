"""Cycles of straight-line code and of loops on a core that issues one instruction per unit and cycle.

Operations are placed in program order, each in the first cycle in which its operands are available and its unit is free. An
innermost loop is software-pipelined: the interval between its iterations is set by its busiest unit, its busiest memory bank,
or a dependence between iterations. Instructions of a long iteration wait for slots that the next one occupies; where a few
iterations take less one after another, they do not overlap. Other loops jump back; code around an inner loop overlaps only
with its first and last iterations. Kernels that are scheduled by hand or by AMD's Chess compiler reach this.

In code compiled from MLIR (`Machine.compiled`), an iteration is scheduled in the same way, but the next one begins after its
last instruction has issued, and nothing overlaps with code around the loop: Peano pipelines only loops whose source requests
it, and loops from MLIR do not. A loop with few instructions in all is unrolled completely, as by LLVM. Elementwise kernels of
mlir-air compiled in this way take as long on npu2 at 1.8 GHz: an addition of bf16 18.6 cycles for 16 lanes (a load, a
conversion, an addition, a conversion and a store one after another), a gelu 65. A scalar loop of mlir-aie on npu1 takes 12
cycles per element: a load, a product and a store (docs/sources.md#timing).
"""

from __future__ import annotations

from allo_air.core.loops import Loop
from allo_air.core_model.figures import Issue
from allo_air.core_model.machine import Machine
from allo_air.core_model.nodes import SYNCHRONIZING, Node, node_of, nodes_of
from allo_air.core_model.pipelining import Pipelined, body_of, is_innermost, pipelined
from allo_air.core_model.placement import Cost, figures_of, most_of, place_operation
from allo_air.core_model.slots import Slots, busiest, issues_by_unit
from allo_air.mlir import ir


def straight_line_cycles(ops: list[ir.Operation], machine: Machine) -> Cost:
    """Cycles of operations without loops, placed in order."""
    slots, finish = Slots(machine), dict[int, int]()
    nodes = nodes_of(ops, machine)
    issues = [node.issue(machine) for node in nodes]
    path = max([0, *(place_operation(node, issue, slots, finish) for node, issue in zip(nodes, issues, strict=True))])
    most, unit = most_of(nodes, issues, machine)
    return figures_of(issues, max(path, most), unit if most >= path else "latency")


def nest_cycles(loop: ir.Operation, machine: Machine) -> Cost | None:
    """Cycles of a loop nest if all its trip counts are constant and it contains no other control flow, otherwise None."""
    trips = Loop(loop).trips()
    if trips is None:
        return None
    if is_innermost(loop):
        return pipelined(loop, machine).cost(trips)
    body = _body_cycles(body_of(loop), machine)
    if body is None:
        return None
    each = Cost(body.cycles + machine.jump, body.macs, body.loads, body.stores, body.vector, body.bound)
    return Cost().plus(each, trips)


def _body_cycles(ops: list[ir.Operation], machine: Machine) -> Cost | None:
    """Cycles of a body that contains loops. The loops run one after another; code around them overlaps as far as its data
    allows.

    Code before a loop may still run during its first iteration, until its data is needed. Code after it starts with the
    operations of the last iteration.
    """
    slots, finish = Slots(machine), dict[int, int]()
    issues: list[Issue] = []
    loops = Cost()
    path = free = floor = 0
    ahead: int | None = None
    for op in ops:
        if op.name == "scf.for":
            inner = nest_cycles(op, machine)
            if inner is None:
                return None
            form = pipelined(op, machine) if is_innermost(op) else None
            start = max(path, free) if machine.compiled else max(free, _loop_start(op, form, finish, floor, machine))
            end = start + inner.cycles
            if ahead is None:
                ahead = _early_start(op, form, finish, machine) if form is not None and not machine.compiled else 0
            last, results = start, node_of(op, machine).results
            if form is None:
                finish |= dict.fromkeys(results, end)
            elif machine.compiled:
                last = end - form.interval
                finish |= dict.fromkeys(results, end)
            else:
                last = start + form.interval * max((Loop(op).trips() or 0) - 1, 0)
                finish |= {r: last + ready for r, ready in zip(results, form.ready, strict=True)}
            free = end if form is None else last + form.interval
            floor = end if form is None or machine.compiled else last
            loops = loops.plus(inner)
            path = max(path, end)
        elif (op.regions and list(op.regions)) or op.name in SYNCHRONIZING:
            return None
        else:
            node = node_of(op, machine)
            issue = node.issue(machine)
            issues.append(issue)
            path = max(path, place_operation(node, issue, slots, finish, floor))
    most, _ = busiest(issues_by_unit(issues), machine)
    early = min(ahead or 0, path - free)
    own = figures_of(issues, max(path - early, most) - loops.cycles, loops.bound)
    return loops.plus(own)


def _early_start(loop: ir.Operation, form: Pipelined, finish: dict[int, int], machine: Machine) -> int:
    """Cycles by which a loop could start before the surrounding code ends, if it only waited for its carried values.

    Its first operands are then loaded and converted while the results of the previous iteration are stored. Accumulators are
    excluded, since blocks fill their registers. (The kernels of the GEMM study that convert to bfp16 take 18 cycles for a
    block in addition to 12 for each step along k, by its rows of k = 152 and 48; here it is 17, and 27 if a loop begins after
    these stores: docs/sources.md#timing.)
    """
    inits = node_of(loop, machine).operands[3:]
    if not inits or any(_uses_value(node, finish) for node in nodes_of(body_of(loop), machine)):
        return 0
    return max(0, min(slack - finish.get(v, 0) for v, slack in zip(inits, form.slack, strict=True)))


def _uses_value(node: Node, finish: dict[int, int]) -> bool:
    """Whether an operation uses a value in `finish`, except for indices."""
    results = [i for i, v in enumerate(node.operands) if v in finish]
    return any(not isinstance(node.op.operands[i].type, ir.IndexType) for i in results)


def _loop_start(loop: ir.Operation, form: Pipelined | None, finish: dict[int, int], floor: int, machine: Machine) -> int:
    """The first cycle in which an inner loop can start: its inputs are available, and its carried values are when its first
    iteration needs them.
    """
    slack = (0,) * len(loop.results) if form is None else form.slack
    inits = [finish.get(v, 0) - s for v, s in zip(node_of(loop, machine).operands[3:], slack, strict=True)]
    inside = [finish[v] for node in nodes_of(body_of(loop), machine) for v in node.operands if v in finish]
    return max([floor, *inits, *inside])
