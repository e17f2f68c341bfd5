"""Chooses how many columns of the array a kernel uses, so that other kernels can use the rest without loading another
configuration.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from allo_air.arch import machine_of
from allo_air.core.names import callee_of, sym_name_of
from allo_air.core.walking import root_of, walk_named
from allo_air.device import Device
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.kernels import KERNEL, MOVED_BY_HOST, PART
from allo_air.passes._analysis.moves import moves_of
from allo_air.plan.schema import PLAN

Plan = TypeVar("Plan")

COLUMNS = "allo.columns"
"""Attribute of a kernel that shares the array: `count` columns `of` all columns, and the reason (`chosen`)."""
WHOLE_BUFFER_CORES = 4
"""The most cores of a kernel whose L2 buffers stay whole, in one memtile each, beside other kernels."""
SURE = 1.1
"""How many times as fast a kernel must be on fewer columns if its price is a formula, which may be off by so much."""
_STARTS = 8
"""A kernel that runs longer than this many times the start of all shim channels does not get fewer columns: starting fewer
channels saves too little.
"""
MOVED_CYCLES = 10
"""An upper bound of a core's cycles for each element that it moves."""
_GAIN = 2
"""Margin for the estimate that half of the columns double a kernel's time: launch overheads do not double."""


def reconfiguration(device: Device) -> float:
    """Cycles to load another configuration."""
    return machine_of(device).reload


def columns_of(function: AnyOp, columns: int) -> int:
    """The number of `columns` that the kernel `function` may use."""
    attributes = function.operation.attributes
    return min(columns, int(attributes[COLUMNS]["count"].value)) if COLUMNS in attributes else columns


def share_of(function: AnyOp, channels: int) -> int:
    """`channels`, the channels of all columns, scaled to the columns of the kernel `function`."""
    attributes = function.operation.attributes
    if COLUMNS not in attributes:
        return channels
    count, of = (int(attributes[COLUMNS][n].value) for n in ("count", "of"))
    return max(1, channels * count // of)


def other_kernels(function: AnyOp) -> int:
    """The number of other kernels in the module of `function`, a kernel; a lower bound if they are not outlined yet."""
    functions = [f for f in walk_named(root_of(function), "func.func") if len(f.regions[0].blocks)]
    return sum(1 if KERNEL in f.attributes else _least_kernels(f) for f in functions) - 1


def sharers(function: AnyOp, device: Device) -> int:
    """The number of other kernels that could share a configuration with the kernel `function`.

    It is 0 if no columns are left at any call of `function`: the kernels called before and after it have plans, and use the
    columns of `device` together with the kernels that share a configuration with them.
    """
    count, own_operation = other_kernels(function), function.operation
    least = candidate_counts(count, device)[:1] or [device.columns]
    near = list[Group]()
    for calls in calling_orders(root_of(function)):
        if not (places := [n for n, f in enumerate(calls) if f == own_operation]):
            continue
        shared = groups(calls, lambda f: columns_needed(f, device.columns), device.columns)
        adjacent = {n for place in places for n in (place - 1, place + 1) if 0 <= n < len(calls)}
        near += [shared[n] for n in sorted(adjacent) if calls[n] is not None and calls[n] != own_operation]
    full = (sum(group.values()) + least[0] > device.columns for group in near)
    return 0 if near and all(full) else count


Callees = list[ir.Operation | None]
"""Functions in calling order; None for a function without a body."""
Group = dict[ir.Operation, int]
"""Kernels that share a configuration, with the columns of each."""


def calling_orders(op: AnyOp) -> list[Callees]:
    """For each block of module `op` that calls functions: all that it calls, in order."""
    named = {sym_name_of(f): f for f in walk_named(op, "func.func") if len(f.regions[0].blocks)}
    rows: dict[ir.Block, Callees] = {}
    for call in walk_named(op, "func.call"):
        rows.setdefault(call.block, []).append(named.get(callee_of(call)))
    return list(rows.values())


def columns_needed(function: ir.Operation, columns: int) -> int:
    """The number of `columns` that the planned kernel `function` needs: none if other kernels can carry its streams."""
    return 0 if is_carried(function) else columns_of(function, columns)


def groups(calls: Callees, taken: Callable[[ir.Operation], int], columns: int) -> list[Group]:
    """For each call: the kernels that could share a configuration of `columns` with the called kernel (including it), and the
    columns that each has `taken`; empty without a plan. Calls share a configuration with the calls before them as soon as
    possible. Calls with one configuration have the same group, as one object.
    """
    results = list[Group]()
    for f in calls:
        group = {f: taken(f)} if f is not None and PLAN in f.attributes else {}
        before = results[-1] if results else {}
        if group and before and sum((before | group).values()) <= columns:
            before |= group
            group = before
        results.append(group)
    return results


def is_carried(function: AnyOp) -> bool:
    """Whether the kernel `function` only streams through one shim, so that other kernels can carry its streams."""
    streams = moves_of(function)
    return streams is not None and columns_of(function, 2) == 1 and not any(t.turn for stream in streams for t in stream)


def is_alone(function: AnyOp) -> bool:
    """Whether `function` is the only kernel of the program."""
    return PART not in root_of(function).attributes and not other_kernels(function)


def _least_kernels(function: ir.Operation) -> int:
    """A lower bound of the number of kernels into which `function` will be divided: one for each contraction, or one if it has
    other operations that the host does not do.
    """
    from allo_air.mlir import linalg

    ops = [o.operation for o in function.regions[0].blocks[0].operations]
    inner_ops = [o for o in ops if o.name.startswith("linalg.") and MOVED_BY_HOST not in o.attributes]
    return max(sum(bool(linalg.isa_contraction_op(o)) for o in inner_ops), min(len(inner_ops), 1))


def on_columns(
    function: AnyOp,
    device: Device,
    planned: Callable[[Device], Plan],
    cycles: Callable[[Plan], float | None],
    below: Callable[[Device, float], Plan] | None = None,
    sure: float = 1,
) -> Plan:
    """The plan for the best number of columns of `device`. Records the number in the function's attribute.

    `planned(device)` is a plan. `below(device, limit)` is a plan, too, but may be an impossible one if all plans take more than
    `limit` cycles. `cycles(plan)` is the time of a plan; None if it is impossible.

    If there are other kernels, each column has a `price`, its share of the time to load another configuration, which other
    kernels would need; a kernel takes fewer columns than an equal share only if that is as fast. A kernel without others
    takes fewer columns if starting the channels of all columns would dominate, and it is as fast on them, or `sure` times as
    fast if the cycles differ.
    """
    best = planned(device)
    best_cycles = cycles(best)
    if KERNEL not in function.operation.attributes or device.columns == 1:
        return best
    count = sharers(function, device)
    if not count and (best_cycles is None or best_cycles > _STARTS * machine_of(device).push * device.columns):
        return best
    each = price(device) if count else 0
    lowest, columns = (float("inf") if best_cycles is None else best_cycles + each * device.columns), device.columns
    for fewer in candidate_counts(count, device) if count else reversed(candidate_counts(device.columns, device)):
        if (
            count
            and best_cycles is not None
            and each * fewer + max(best_cycles, best_cycles * device.columns / fewer / _GAIN) >= lowest
        ):
            continue
        part = replace(device, columns=fewer)
        plan = planned(part) if below is None else below(part, lowest - each * fewer)
        took = cycles(plan)
        if took is not None and (took + each * fewer < lowest if count else took == lowest or took * sure <= lowest):
            best, lowest, columns = plan, took + each * fewer, fewer
    while count and 1 < columns <= _equal_share(count, device):
        part = replace(device, columns=columns // 2)
        plan = planned(part) if below is None else below(part, lowest - each * columns)
        took = cycles(plan)
        if took is None or took > lowest - each * columns:
            break
        best, columns = plan, columns // 2
        lowest = took + each * columns
    if columns < device.columns:
        record_columns(function, columns, device, _reason(lowest - each * columns, best_cycles, device if count else None))
    return best


def price(device: Device) -> float:
    """Cycles that a kernel is charged for each column, if there are other kernels: the column's share of a configuration."""
    return reconfiguration(device) / device.columns


def with_columns(function: AnyOp, device: Device, cycles: float) -> float:
    """`cycles` of a kernel plus the price of its recorded columns, if there are other kernels."""
    has_others = KERNEL in function.operation.attributes and device.columns > 1 and other_kernels(function)
    return cycles + price(device) * columns_of(function, device.columns) if has_others else cycles


def candidate_counts(other_count: int, device: Device) -> list[int]:
    """The numbers of columns to try for a kernel that shares the device with `other_count` kernels: fewer than all, each about
    twice the previous one.
    """
    results = [_equal_share(other_count, device)]
    while 2 * results[-1] < device.columns:
        results.append(2 * results[-1])
    return [n for n in results if n < device.columns]


def _equal_share(other_count: int, device: Device) -> int:
    """The columns of each kernel, if `other_count` kernels and one more divide the device equally."""
    return max(1, device.columns // (other_count + 1))


def moved_by_cores(elements: int, device: Device) -> float:
    """Cycles to move elements by the cores of the best number of columns, with the price of these columns."""
    counts = [*candidate_counts(device.columns, device), device.columns]
    return min(price(device) * n + MOVED_CYCLES * elements / (n * len(device.core_rows)) for n in counts)


def _reason(cycles: float, best_cycles: float | None, device: Device | None) -> str:
    """The reason for fewer columns. `best_cycles` is the time on all columns. Without `device`, there are no other kernels."""
    now, before = f"{cycles:.3g}", None if best_cycles is None else f"{best_cycles:.3g}"
    info = f"about {now} cycles" + (f" instead of {before}" if before not in (None, now) else "")
    if device is None:
        return f"{info}, as fewer channels are started one after another"
    return f"{info}, where loading another configuration takes {reconfiguration(device):.3g}"


def record_columns(function: AnyOp, columns: int, device: Device, why: str) -> None:
    """Records that the kernel `function` may use `columns` of `device`."""
    i64 = ir.IntegerType.get_signless(64)
    results: dict[str, Any] = {"count": ir.IntegerAttr.get(i64, columns), "of": ir.IntegerAttr.get(i64, device.columns)}
    text = f"{columns} of {device.columns}: {why}"
    function.operation.attributes[COLUMNS] = ir.DictAttr.get({**results, "chosen": ir.StringAttr.get(text)})
