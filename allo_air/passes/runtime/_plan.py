"""From the tree of a control program to the steps of its runtime sequence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from allo_air.access.dims import span
from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.dialects.declarations import no_allocation
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import ir
from allo_air.passes.runtime._chains import Chain, Repeated, alternating, chained, cuts, link
from allo_air.passes.runtime._core_order import Spans
from allo_air.passes.runtime._fold import LONGEST, channels, parts
from allo_air.passes.runtime._program import Act, Item, LaunchEnd, Loop, Node, Steps, Transfer
from allo_air.passes.runtime._rounds import Piece, one_by_one
from allo_air.passes.runtime._schedule import S2MM, Schedule, Step, Task
from allo_air.passes.runtime._shim_limits import descriptors, problem
from allo_air.passes.runtime._strands import Section, phases


@dataclass(frozen=True)
class Target:
    """The target of a sequence.

    `allocations`: the shim channel of each allocation (column, direction, number). `spans`: when cores access the data of each
    allocation. `types`: the arguments' types. `max_repeat`: how often a BD can repeat. `iterates_again`: whether it can repeat
    more often than it iterates. `chains`: whether a task can have several BDs.
    """

    allocations: Mapping[str, tuple[int, int, int]]
    spans: Mapping[str, Spans]
    types: Sequence[ir.Type]
    max_repeat: int
    iterates_again: bool
    chains: bool


def plan(items: Sequence[Item], target: Target) -> list[Step]:
    """The steps for `items`; DiagnosticError if the hardware cannot do one."""
    schedule = Schedule()
    groups = _launches(items)
    outputs = frozenset(name for name, (_, direction, _) in target.allocations.items() if direction == S2MM)
    numbers: dict[Transfer, int] = {}
    for i, group in enumerate(groups):
        started: set[str] = set()
        for sections, free in phases(group, outputs, target.spans):
            along = _tasks(free, target, numbers)
            for section in sections:
                acts = _starts(section.items)
                names = {sym_name_of(act.op) for act in acts}
                if started & names:  # its cores have read the previous parameters
                    schedule.barrier(final=False)
                started |= names
                schedule.steps += acts
                tasks = _tasks([item for item in section.items if isinstance(item, Transfer | Loop | Steps)], target, numbers)
                schedule.add([*tasks, *_due(along, section)])
                if section.awaited:
                    schedule.wait(section.awaited)
        schedule.barrier(final=i == len(groups) - 1)
    return schedule.steps


def _due(tasks: Sequence[Task], section: Section) -> list[Task]:
    """The tasks that begin in `section`, with their start times."""
    return [
        replace(task, start=(task.start - section.start) / (section.end - section.start))
        for task in tasks
        if section.start <= task.start < section.end
    ]


def _launches(items: Sequence[Item]) -> list[list[Item]]:
    """The items of each launch and of its following iterations with the same herd parameters; the controller waits in
    between."""
    groups: list[list[Item]] = []
    current: list[Item] = []
    last: int | None = None
    for item in items:
        if not isinstance(item, LaunchEnd):
            current.append(item)
            continue
        if groups and item.launch is not None and item.launch == last and not _passes_new_values(groups[-1], current):
            groups[-1] += current
        else:
            groups.append(current)
        current, last = [], item.launch
    return [*groups, current] if current else groups


def _passes_new_values(group: list[Item], more: list[Item]) -> bool:
    """Whether `more` starts a herd with parameters that differ from those in `group`."""
    passed = {sym_name_of(act.op): act.values for act in group if isinstance(act, Act)}
    return any(passed.get(sym_name_of(act.op), act.values) != act.values for act in more if isinstance(act, Act))


def _starts(section: Sequence[Item]) -> list[Act]:
    """The starts of herds in a section, one for each herd, for all its iterations there with the same parameters."""
    acts: dict[str, Act] = {}
    for act in (item for item in section if isinstance(item, Act)):
        name = sym_name_of(act.op)
        first = acts.get(name)
        if first is not None and first.values != act.values:
            raise error_at(
                act.op,
                f"passes {act.values} to herd '{name}', which got {first.values} and was not waited for; "
                "parameters can change between launches only: use several launches",
            )
        acts[name] = act if first is None else replace(first, rounds=first.rounds + 1)
    return list(acts.values())


def _tasks(nodes: list[Node], target: Target, numbers: dict[Transfer, int]) -> list[Task]:
    tasks = []
    shared: dict[object, list[str]] = {}
    for name in channels(nodes):
        shared.setdefault(target.allocations.get(name, name), []).append(name)
    for channel, names in shared.items():
        transfers = parts(nodes, names)
        if transfers and channel in names:
            raise no_allocation(transfers[0].sources[0].op, names[0], target.allocations)
        one = target.chains and len(names) == 1  # transfers that share a channel keep the order of the program
        for chain in chained(transfers) if one else [Chain((piece,)) for piece in one_by_one(transfers)]:
            tasks += _of_chain(chain, chain.pieces[0].allocation, target, numbers)
    return tasks


def _of_chain(chain: Repeated, name: str, target: Target, numbers: dict[Transfer, int]) -> list[Task]:
    """Tasks of several descriptors if each piece is one descriptor; otherwise the tasks of each piece."""
    if chain.rounds > 1 and (tasks := _linked(chain, name, target, numbers)):
        return tasks
    results = []
    for piece in chain.pieces:
        tasks = _of_piece(piece, name, target, numbers.setdefault(piece.sources[0], len(numbers)))
        if target.chains and len(tasks) > LONGEST:
            ways = (_all_linked(rounds, name, target, numbers) for rounds in alternating(piece))
            tasks = min([tasks, *filter(None, ways)], key=lambda some: sum(task.bds for task in some))
        results += tasks
    return results


def _all_linked(chains: Sequence[Repeated], name: str, target: Target, numbers: dict[Transfer, int]) -> list[Task]:
    """The tasks of all `chains`; empty if a piece takes more than one descriptor."""
    tasks = [_linked(chain, name, target, numbers) for chain in chains]
    return [task for each in tasks for task in each] if all(tasks) else []


def _linked(chain: Repeated, name: str, target: Target, numbers: dict[Transfer, int]) -> list[Task]:
    """The tasks of a chain; empty if a piece takes more than one descriptor."""
    tasks = []
    for part in cuts(chain):
        links = []
        for piece, step in zip(part.first, part.steps, strict=True):
            op, offset, type_ = piece.sources[0].op, piece.offset.constant, target.types[piece.argument]
            bits, dims = _bits(op, type_), ((part.rounds, step), *piece.dims)
            _check_inside(op, offset, dims, type_)
            result = None if problem(offset, dims, bits) else link(piece, step, part.rounds, bits)
            if result is None:
                return []
            links.append((piece.argument, result))
        [(argument, first), *rest] = links
        sources = part.sources
        number = numbers.setdefault(sources[0], len(numbers))
        channel, start = target.allocations[name], part.first[0].start
        tasks.append(Task(name, channel, argument, first, sources, start, number, tuple(rest)))
    return tasks


def _of_piece(piece: Piece, name: str, target: Target, number: int) -> list[Task]:
    op, offset, type_ = piece.sources[0].op, piece.offset.constant, target.types[piece.argument]
    bits = _bits(op, type_)
    _check_inside(op, offset, piece.dims, type_)
    if wrong := problem(offset, piece.dims, bits):
        raise error_at(op, wrong)
    result = descriptors(offset, piece.dims, bits, target.max_repeat, iterates_again=target.iterates_again)
    part = (piece.end - piece.start) / len(result)
    channel, sources = target.allocations[name], piece.sources
    return [Task(name, channel, piece.argument, d, sources, piece.start + i * part, number) for i, d in enumerate(result)]


def _bits(op: ir.Operation, type_: Any) -> int:
    if not (bits := element_bits(type_, index=0)):
        raise error_at(
            op, f"moves elements of type {type_.element_type}, whose width is not known; use an integer or float type"
        )
    return bits


def _check_inside(op: ir.Operation, offset: int, dims: Sequence[tuple[int, int]], type_: Any) -> None:
    if not getattr(type_, "has_rank", False) or not type_.has_static_shape:
        return
    first, last = span(dims, offset)
    elements = prod(type_.shape)
    if first < 0 or last >= elements:
        raise error_at(op, f"reaches elements {first} to {last} of {type_}, which has {elements}")
