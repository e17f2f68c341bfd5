"""Groups operations into kernels: contractions and convolutions with their epilogues, operations that share rows, and small
operations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from allo_air.core.walking import walk_pre_order
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.kernels import APART, IN_PLACE
from allo_air.passes._analysis.structured import is_structured
from allo_air.passes.partition._body import arguments
from allo_air.passes.partition._cost import KernelCosts
from allo_air.passes.partition._domain import domain
from allo_air.passes.partition._graph import Graph, Group
from allo_air.passes.partition._kinds import follows, has_channels, is_cast, is_contraction, is_convolution
from allo_air.passes.partition._outputs import divide, is_one_kernel, operations_with_outputs
from allo_air.passes.partition._parts_in_place import parts_in_place
from allo_air.passes.partition._roles import base

IN_STEPS = 2
"""The number of operands of a convolution of which a core receives some channels at a time: the image and the filter."""
ROWS, CONTRACTION, CONVOLUTION, WHOLE, CALL = "rows", "contraction", "convolution", "whole", "call"


def group(block: ir.Block, machine: KernelCosts) -> Graph:
    """The graph of a function's body, with every operation in a group."""
    graph = Graph(block)
    for op in graph.work:
        graph.form([op], _shape(op), "alone")
    for op in [o for o in graph.work if graph.group_of[o].shape in (CONTRACTION, CONVOLUTION) and APART not in o.attributes]:
        _add_neighbours(graph, machine, op)
    _join_rows(graph, machine)
    _join_small_groups(graph, machine, parts_in_place(graph))
    _take_out(graph, [part for part in parts_in_place(graph) if graph.group_of[part].shape != WHOLE])
    return _divided(block, graph, machine)


def _divided(block: ir.Block, graph: Graph, machine: KernelCosts) -> Graph:
    """The graph in which groups that cannot be one kernel are split into parts with one result each."""
    results: list[tuple[list[Any], str, str]] = []
    for item in graph.groups:
        if item.shape != ROWS or is_one_kernel(graph, item.ops):
            results.append((item.ops, item.shape, item.note))
            continue
        for part in divide(graph, item.ops):
            results.append((part, ROWS, f"{counted(len(part), 'operation')} for one of several results of a group"))
    new = Graph(block)
    for ops, shape, note in results:
        if shape == ROWS and len(ops) > 1 and not machine.fits(new, ops, domain(ops, [new.access(o) for o in ops])):
            for op in ops:
                new.form([op], _shape(op), "alone")
        else:
            new.form(ops, shape, note)
    return new


def _shape(op: ir.Operation) -> str:
    if op.name == "func.call" or IN_PLACE in op.attributes:
        return CALL
    if is_contraction(op):
        return CONTRACTION
    if is_convolution(op):
        return CONVOLUTION
    return ROWS if is_structured(op) or op.name in ("tensor.extract_slice", "tensor.pad") else WHOLE


def _add_neighbours(graph: Graph, machine: KernelCosts, root: ir.Operation) -> None:
    """Adds to the group of `root` the casts and pads before it, and the elementwise operations after it while the group has one
    result.
    """
    shape = graph.group_of[root].shape
    ops = [root]
    front = is_cast if shape == CONTRACTION else lambda o: o.name == "tensor.pad"
    for edge in graph.edges[root]:
        is_single = len(graph.group_of[edge.maker].ops) == 1 and graph.readers[edge.value] == [root]
        if is_single and not edge.viewed and front(edge.maker):
            ops.append(edge.maker)
    best = list(ops)
    group = [root]
    for op in graph.work[graph.order[root] + 1 :]:
        if not _is_single(graph, op) or not any(e.maker in group and not e.viewed for e in graph.edges[op]):
            continue
        results = [r for o in group for r in o.results]
        if not all(follows(op, v) for v in results if v in list(op.operands)) or not graph.is_free([*ops, op]):
            continue
        if graph.has_view([*ops, op]) or not machine.has_locks(graph, [*ops, op], IN_STEPS if has_channels(root) else 0):
            continue
        if not machine.code_fits(graph, [*ops, op]):
            continue
        ops.append(op)
        group.append(op)
        if len(graph.outputs(ops)) == 1:
            best = list(ops)
    note = (
        f"{counted(len(best), 'operation')} around {root.name}, whose results stay in the cores" if len(best) > 1 else "alone"
    )
    graph.form(best, shape, note)


def _is_single(graph: Graph, op: AnyOp) -> bool:
    return len(graph.group_of[op].ops) == 1 and graph.group_of[op].shape == ROWS and APART not in op.attributes


def _any_apart(ops: Sequence[AnyOp]) -> bool:
    return any(APART in op.attributes for op in ops)


def _join_rows(graph: Graph, machine: KernelCosts) -> None:
    """Joins a producer to its user if both can share tiles, the tiles fit a core's memory, and the cost decreases."""
    changed = True
    while changed:
        changed = False
        for op in graph.work:
            for edge in graph.edges[op]:
                changed |= not edge.viewed and _join(graph, machine, graph.group_of[edge.maker], graph.group_of[op])


def _join(graph: Graph, machine: KernelCosts, first: Group, second: Group) -> bool:
    if first is second or first.shape != ROWS or second.shape != ROWS:
        return False
    ops = sorted([*first.ops, *second.ops], key=graph.order.__getitem__)
    if _any_apart(ops) or not graph.is_free(ops) or graph.has_view(ops) or _slices(graph, first, second):
        return False
    result = domain(ops, [graph.access(o) for o in ops])
    if not machine.fits(graph, ops, result) or not machine.has_locks(graph, ops) or not machine.code_fits(graph, ops):
        return False
    separate = machine.tiled(graph, first.ops) + machine.tiled(graph, second.ops)
    if machine.tiled(graph, ops, result) > separate:
        return False
    graph.form(
        ops,
        ROWS,
        f"{counted(len(ops), 'operation')} in {counted(result.tiles, 'tile')}, of "
        f"{counted(result.bytes_held, 'byte')} the smallest",
    )
    return True


def _take_out(graph: Graph, parts: list[Any]) -> None:
    """Makes `parts` operations of the program, which no kernel has."""
    for part in parts:
        group = graph.group_of[part]
        if rest := [op for op in group.ops if op != part]:
            graph.form(rest, group.shape, group.note)
        graph.form([part], CALL)


def _slices(graph: Graph, first: Group, second: Group) -> bool:
    """Whether an operation in `second` slices a result of `first`. A kernel can only slice its arguments."""
    results = [e for o in second.ops if o.name == "tensor.extract_slice" for e in graph.edges[o]]
    return any(e.maker in first.ops for e in results)


def _join_small_groups(graph: Graph, machine: KernelCosts, parts: list[Any]) -> None:
    """Joins groups that one core computes faster than the array is reconfigured, but no two groups of `parts`.

    Parts cost nothing by themselves, so they join only together with the group that makes what they are parts of.
    """

    @cache
    def read(group: Group) -> set[Any]:
        return set(map(base, arguments(group.ops)))

    signature, changed = cache(_signature), True
    while changed:
        changed, counts = False, Counter(map(signature, graph.groups))
        equal = partial(_count, counts, signature)
        for item in graph.groups:
            common = [g for g in graph.groups if g is not item and not read(item).isdisjoint(read(g))]
            for neighbour in (*graph.waits_for(item), *common):
                first, second = (graph.group_of[group.ops[0]] for group in (neighbour, item))
                if any(op not in parts for op in (*first.ops, *second.ops)):
                    changed |= _merge_if_better(graph, machine, _with_makers(graph, first, second, parts), parts, equal)


def _with_makers(graph: Graph, first: Group, second: Group, parts: list[Any]) -> list[Group]:
    """Both groups. If `first` is a part, also the groups that it is a part of, and their other parts that `second` reads."""
    if any(op not in parts for op in first.ops):
        return [first, second]
    makers = graph.waits_for(first)
    read_parts = [g for g in graph.waits_for(second) if all(op in parts for op in g.ops)]
    return [*makers, *(g for g in read_parts if any(m in makers for m in graph.waits_for(g))), first, second]


def _merge_if_better(
    graph: Graph, machine: KernelCosts, groups: Sequence[Group], parts: list[Any], equal: Callable[[Group], int]
) -> bool:
    """Joins `groups` if they are faster so; `equal` counts the groups that can be one kernel with a group."""
    groups = list(dict.fromkeys(graph.group_of[g.ops[0]] for g in groups))
    if len(groups) < 2 or any(g.shape == CALL for g in groups):
        return False
    ops = sorted((op for g in groups for op in g.ops), key=graph.order.__getitem__)
    if _any_apart(ops) or not machine.fits_one_core(graph, ops) or not graph.is_free(ops):
        return False
    computing = [g for g in groups if any(op not in parts for op in g.ops)]
    counts = [equal(g) for g in computing]
    separate = sum(_cost(graph, machine, g, count) for g, count in zip(computing, counts, strict=True))
    has_parts = any(op in parts for op in ops)  # at an offset of their own, so that no other kernel is equal
    joined = machine.single_core_cycles(graph, ops, 1 if has_parts else min(counts))
    if joined >= separate:
        return False
    graph.form(
        ops, WHOLE, f"{counted(len(ops), 'operation')} on one core, about {joined:.3g} cycles; apart about {separate:.3g}"
    )
    return True


def _count(counts: Mapping[object, int], signature: Callable[[Group], object], group: Group) -> int:
    return counts.get(signature(group), 1)


def _signature(group: Group) -> object:
    """Equal for groups that can be one kernel."""
    types = (tuple(str(v.type) for v in (*op.operands, *op.results)) for op in group.ops)
    return *types, *(_description(o) for op in group.ops for o in walk_pre_order(op))


def _description(op: ir.Operation) -> object:
    return op.name, *((name, str(op.attributes[name])) for name in op.attributes)


def _cost(graph: Graph, machine: KernelCosts, group: Group, equal: int) -> float:
    """Cycles of `group`, with a share of the price of the columns of `equal` groups that are one kernel."""
    if group.shape == WHOLE:
        return machine.single_core_cycles(graph, group.ops, equal)
    kernels = 1 if group.shape != ROWS or is_one_kernel(graph, group.ops) else len(operations_with_outputs(graph, group.ops))
    return machine.beside_others(graph, group.ops, kernels / equal)
