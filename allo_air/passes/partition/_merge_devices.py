"""Merges the devices of several kernels into one device, side by side, which saves loading configurations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from allo_air.core.names import callee_of, sym_name_of
from allo_air.core.walking import enclosing, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.segments import filled, loads, segments
from allo_air.passes._ir.names import Names
from allo_air.passes.partition._block import Block, block, can_be_adjacent, join
from allo_air.passes.partition._flow import flow_of
from allo_air.passes.partition._merge import remove_copies
from allo_air.passes.partition._order import dependences
from allo_air.passes.partition._uses import uses_of


def merge_devices(op: AnyOp, *, reorder: bool = False) -> list[ir.Operation]:
    """Merges devices that run one after another in a program of kernels, if they fit on the array side by side.

    A device uses the columns from its first to its last core or memtile, and idle channels of shims beyond them; one that only
    streams from shim to shim uses idle channels. Of the devices that fit together, those between which the program switches
    most often are merged first, since each switch loads a configuration. A device stays unchanged if its sequences refer to
    tiles or registers by number, or if it has traces or packets whose header no descriptor writes. The packets of a merged
    device have different ids.

    Returns the calls of the program in the order for which devices were merged. With `reorder`, this is another than that
    of the program if it loads fewer configurations.
    """
    device_of = {sym_name_of(s): enclosing(s, "aie.device") for s in walk_named(op, "aie.runtime_sequence")}
    devices = list(dict.fromkeys(device_of.values()))
    programs = [[c for c in walk_named(f, "func.call") if callee_of(c) in device_of] for f in walk_named(op, "func.func")]
    programs = [calls for calls in programs if calls]
    if len(devices) < 2 or not programs:
        return [call for calls in programs for call in calls]
    names = Names(op)
    blocks = {d: block(d.opview) for d in devices}
    if reorder and len(programs) == 1:
        programs = [_ordered(programs[0], device_of, blocks)]
    changes: Counter[frozenset[Any]] = Counter()
    for calls in programs:
        runs = [device_of[callee_of(c)] for c in calls]
        changes.update(frozenset(pair) for pair in pairwise(runs) if pair[0] != pair[1])
    groups = _groups(devices, changes, blocks)
    if len(programs) == 1:
        groups = _copied(op, programs[0], device_of, groups, blocks, names) or groups
    for group in groups:
        if len(group) > 1:
            join([d.opview for d in group], names.fresh("shared"))
    return [call for calls in programs for call in calls]


def _ordered(
    calls: list[ir.Operation], device_of: Mapping[str, ir.Operation], blocks: Mapping[ir.Operation, Block | None]
) -> list[ir.Operation]:
    """`calls`, the program, in an order in which more devices that fit side by side run one after another; unchanged if this
    saves no load.
    """

    def device(call: ir.Operation) -> ir.Operation:
        return device_of[callee_of(call)]

    def fits(group: list[ir.Operation]) -> bool:
        return can_be_adjacent([(d.opview, blocks[d]) for d in group])

    def cost(order: list[ir.Operation]) -> int:
        groups = segments([device(call) for call in order], fits)
        return loads(range(len(order)), lambda n: groups[n])

    if cost(calls) == 1:
        return calls
    uses = {callee_of(call): uses_of(_sequence(device(call), callee_of(call))) for call in calls}
    flow = flow_of(enclosing(calls[0], "func.func"), uses)
    remove_copies(flow)
    after = {run.op: [other.op for other in earlier] for run, earlier in dependences(flow).items()}
    return min((calls, filled(calls, after, device, fits)), key=cost)


def _sequence(device: ir.Operation, name: str) -> ir.Operation:
    [sequence] = [s for s in walk_named(device, "aie.runtime_sequence") if sym_name_of(s) == name]
    return sequence


def _copied(
    top: AnyOp,
    calls: list[ir.Operation],
    device_of: dict[str, ir.Operation],
    groups: list[list[AnyOp]],
    blocks: Mapping[ir.Operation, Block | None],
    names: Names,
) -> list[list[Any]]:
    """Groups of devices, including copies of some, with which the program of `calls` loads fewer configurations than with
    `groups`; empty if there are none.
    """
    runs = [device_of[callee_of(c)] for c in calls]
    place = {d: n for n, group in enumerate(groups) for d in group}
    groups_wanted = segments(runs, lambda group: can_be_adjacent([(d.opview, blocks[d]) for d in group]))
    if loads(range(len(runs)), lambda n: groups_wanted[n]) >= loads(runs, place.__getitem__):
        return []
    declared = {sym_name_of(f): f for f in walk_named(top, "func.func")}
    placed_devices, result = set[Any](), dict[tuple[Any, ...], dict[Any, tuple[Any, dict[str, str]]]]()
    for group in dict.fromkeys(groups_wanted):
        result[group] = {d: _copy(d, declared, names) if d in placed_devices else (d, {}) for d in group}
        placed_devices |= set(group)
    for call, device, group in zip(calls, runs, groups_wanted, strict=True):
        name_of = result[group][device][1]
        name = callee_of(call)
        call.attributes["callee"] = ir.FlatSymbolRefAttr.get(name_of.get(name, name))
    return [[item for item, _ in group.values()] for group in result.values()]


def _copy(device: ir.Operation, declared: Mapping[str, ir.Operation], names: Names) -> tuple[ir.Operation, dict[str, str]]:
    """A copy of `device`, and for the name of each original sequence the name of its copy. If the original is `declared` as a
    function, so is the copy.
    """
    after = ir.InsertionPoint.after(device)
    copy = device.clone(ip=after)
    copy.attributes["sym_name"] = ir.StringAttr.get(names.fresh(sym_name_of(device)))
    new: dict[str, str] = {}
    for sequence in walk_named(copy, "aie.runtime_sequence"):
        name = sym_name_of(sequence)
        new[name] = names.fresh(f"{name}_copy")
        sequence.attributes["sym_name"] = ir.StringAttr.get(new[name])
        if name in declared:
            function = declared[name].clone(ip=ir.InsertionPoint.after(declared[name]))
            function.attributes["sym_name"] = ir.StringAttr.get(new[name])
    return copy, new


def _groups(devices: Sequence[AnyOp], changes: Counter[frozenset[Any]], blocks: dict[Any, Block | None]) -> list[list[Any]]:
    """Groups of `devices` that each become one device, in program order."""
    first = {d: n for n, d in enumerate(dict.fromkeys(d for pair in changes for d in sorted(pair, key=devices.index)))}
    groups = [[d] for d in sorted(devices, key=lambda d: first.get(d, len(devices)))]
    while True:
        worth = Counter[tuple[int, int]]()
        place = {d: n for n, group in enumerate(groups) for d in group}
        for pair, times in changes.items():
            lower, second = sorted(place[d] for d in pair)
            if lower != second:
                worth[lower, second] += times
        for lower, second in sorted(worth, key=lambda pair: (-worth[pair], pair)):
            if can_be_adjacent([(d.opview, blocks[d]) for d in (*groups[lower], *groups[second])]):
                groups[lower] += groups.pop(second)
                break
        else:
            return groups
