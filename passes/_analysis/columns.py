"""How many columns of the array a kernel takes, where others can run on the rest without loading another configuration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any, TypeVar

from allo_air.arch import arch_of
from allo_air.arch.timing import RECONFIGURE_MICROSECONDS
from allo_air.core.walking import parents, walk_named
from allo_air.device import Device
from allo_air.errors import DiagnosticError
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.kernels import KERNEL, PLAN, calls_of
from allo_air.passes._analysis.launch_overhead import CHANNEL

Plan = TypeVar("Plan")

COLUMNS = "allo.columns"
"""Attribute of a kernel that shares the array with others: the `count` of columns `of` all, and why so many (`chosen`)."""
_STARTS = 8
"""Starts of shim channels for each column, of one after another, beyond whose time a kernel runs too long to be better off with
fewer."""
_SURE = 1.1
"""How many times longer a kernel without others takes at least on more columns than on the fewer that it gets."""
_GAIN = 2
"""On half of its columns a kernel takes, to be cautious, at least this much less than twice as long: its launches stay."""


def reconfiguration(device: Device) -> float:
    """Cycles that loading another configuration takes."""
    return RECONFIGURE_MICROSECONDS * arch_of(device).mhz


def columns_of(function: AnyOp, columns: int) -> int:
    """How many of `columns` columns the kernel `function` may use."""
    attributes = function.operation.attributes
    return min(columns, int(attributes[COLUMNS]["count"].value)) if COLUMNS in attributes else columns


def share_of(function: AnyOp, channels: int) -> int:
    """How many of `channels`, those of all columns, those that the kernel `function` may use have."""
    attributes = function.operation.attributes
    if COLUMNS not in attributes:
        return channels
    count, of = (int(attributes[COLUMNS][n].value) for n in ("count", "of"))
    return max(1, channels * count // of)


def others(function: AnyOp) -> int:
    """How many other kernels there are in the module of `function`, a kernel; at least so many where they are not made yet."""
    functions = [f for f in walk_named(_module(function), "func.func") if len(f.regions[0].blocks)]
    return sum(1 if KERNEL in f.attributes else _to_come(f) for f in functions) - 1


def _module(function: AnyOp) -> ir.Operation:
    return [function.operation, *parents(function)][-1]


def sharers(function: AnyOp, device: Device) -> int:
    """How many other kernels could share a configuration with the kernel `function`: none where the plans of those that run
    before and behind it leave no columns of `device`, with what they share theirs with."""
    count, pairs = others(function), _in_turn(function)
    mine, groups = function.operation, _groups(pairs, device.columns)
    near = [f for pair in pairs if mine in pair for f in pair if f != mine]
    least = candidate_counts(count, device)[:1] or [device.columns]
    full = (sum(groups.get(n, {}).values()) + least[0] > device.columns for n in near)
    return 0 if near and all(full) else count


Pair = tuple[ir.Operation, ir.Operation]


def _in_turn(function: AnyOp) -> list[Pair]:
    """The functions that are called one right after the other where `function` is called."""
    blocks: list[ir.Block] = []
    for call in calls_of(function):
        if call.block not in blocks:
            blocks.append(call.block)
    if not blocks:
        return []
    named = {f.attributes["sym_name"].value: f for f in walk_named(_module(function), "func.func") if len(f.regions[0].blocks)}
    found: list[Pair] = []
    for block in blocks:
        calls = (o.operation for o in block.operations if o.operation.name == "func.call")
        made = [named.get(call.attributes["callee"].value) for call in calls]
        found += [(a, b) for a, b in pairwise(made) if a is not None and b is not None]
    return found


def _groups(pairs: list[Pair], columns: int) -> dict[ir.Operation, dict[ir.Operation, int]]:
    """For each kernel with a plan those with which it could share `columns`, itself among them, and the columns of each, where
    `pairs` of those that run one after the other share as soon as they can."""
    groups: dict[ir.Operation, dict[ir.Operation, int]] = {}
    for pair in pairs:
        one, other = (groups.setdefault(f, {f: columns_of(f, columns)}) if PLAN in f.attributes else None for f in pair)
        if one is not None and other is not None and one is not other and sum((one | other).values()) <= columns:
            both = one | other
            groups |= dict.fromkeys(both, both)
    return groups


def is_alone(function: AnyOp) -> bool:
    """Whether there is no other kernel than `function`."""
    return not others(function)


def _to_come(function: ir.Operation) -> int:
    """How many kernels `function` becomes at least: one for each contraction, or one if it computes anything."""
    from allo_air.mlir import linalg

    inside = [o.operation for o in function.regions[0].blocks[0].operations if o.operation.name.startswith("linalg.")]
    return max(sum(bool(linalg.isa_contraction_op(o)) for o in inside), min(len(inside), 1))


def on_columns(
    function: AnyOp, device: Device, planned: Callable[[Device], Plan], cycles: Callable[[Plan], float | None]
) -> Plan:
    """The plan for the columns of `device` on which `function` is best off; notes in its attribute how many these are.

    `planned` makes a plan for a device, and `cycles` tells how long it takes, None for one that cannot be. With other kernels
    beside it columns have a price: all of them that of a configuration, which others would have to load again. As many as each
    of the program's kernels can have at once are free. A kernel with none beside it takes fewer columns where the control
    processor would be longer at starting the channels of all.
    """
    best = planned(device)
    alone = cycles(best)
    if KERNEL not in function.operation.attributes or device.columns == 1:
        return best
    count = sharers(function, device)
    if not count and (alone is None or alone > _STARTS * CHANNEL * device.columns):
        return best
    each = price(device) if count else 0
    lowest, columns = (float("inf") if alone is None else alone + each * device.columns), device.columns
    for fewer in candidate_counts(count, device) if count else reversed(candidate_counts(device.columns, device)):
        if count and alone is not None and each * fewer + max(alone, alone * device.columns / fewer / _GAIN) >= lowest:
            continue
        try:
            plan = planned(replace(device, columns=fewer))
        except DiagnosticError:  # too few for it
            continue
        took = cycles(plan)
        if took is not None and (took + each * fewer < lowest if count else took == lowest or took * _SURE < lowest):
            best, lowest, columns = plan, took + each * fewer, fewer
    if columns < device.columns:
        note(function, columns, device, _why(lowest - each * columns, alone, device if count else None))
    return best


def price(device: Device) -> float:
    """Cycles that a column costs a kernel which has others beside it: its part of a configuration."""
    return reconfiguration(device) / device.columns


def with_columns(function: AnyOp, device: Device, cycles: float) -> float:
    """`cycles` of a kernel, and the price of the columns that are noted for it, if it has others beside it."""
    beside = KERNEL in function.operation.attributes and device.columns > 1 and others(function)
    return cycles + price(device) * columns_of(function, device.columns) if beside else cycles


def candidate_counts(beside: int, device: Device) -> list[int]:
    """Numbers of columns, fewer than all, to try for a kernel with others `beside` it, each about twice the one before."""
    found = [max(1, device.columns // (beside + 1))]
    while 2 * found[-1] < device.columns:
        found.append(2 * found[-1])
    return [n for n in found if n < device.columns]


def _why(cycles: float, alone: float | None, device: Device | None) -> str:
    """Why fewer columns, for a kernel with others on a device, or for one alone."""
    now, before = f"{cycles:.3g}", None if alone is None else f"{alone:.3g}"
    told = f"about {now} cycles" + (f" instead of {before}" if before not in (None, now) else "")
    if device is None:
        return f"{told}, as fewer channels are started one after another"
    return f"{told}, where loading another configuration takes {reconfiguration(device):.3g}"


def note(function: AnyOp, columns: int, device: Device, why: str) -> None:
    """Notes that the kernel `function` may use so many `columns` of `device`."""
    i64 = ir.IntegerType.get_signless(64)
    found: dict[str, Any] = {"count": ir.IntegerAttr.get(i64, columns), "of": ir.IntegerAttr.get(i64, device.columns)}
    text = f"{columns} of {device.columns}: {why}"
    function.operation.attributes[COLUMNS] = ir.DictAttr.get({**found, "chosen": ir.StringAttr.get(text)})
