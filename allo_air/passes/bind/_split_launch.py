"""Splits a launch into up to four: the interior, the edges, and the corner."""

from __future__ import annotations

from typing import Any

from allo_air.core.constants import constant_of, index_constant
from allo_air.core.diagnostics import error_at
from allo_air.core.names import channel_of, sym_name_of
from allo_air.core.walking import parents, walk_named
from allo_air.dialects.air import LaunchOp
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.channel_ends import GET, PUT
from allo_air.passes._ir.tokens import joined
from allo_air.passes.bind._edges import Edge, pad_at_edge

_SUFFIXES = {(False, False): "_interior", (True, False): "_m_boundary", (False, True): "_n_boundary", (True, True): "_corner"}
_ACTUAL = "air.actual_sizes"


def split(module: AnyOp, launch: AnyOp, edges: list[Edge], end: str) -> None:
    """Replaces `launch` by one for each combination of whole blocks and, in each of `edges`, overhanging blocks."""
    counts = [_count(launch, edge) for edge in edges]
    _check_channels(module, launch)
    results = []
    names = _symbols(module)
    for flags, suffix in _SUFFIXES.items():
        overhangs = flags[: len(edges)]
        if len(edges) < 2 and flags[1]:
            continue
        if any(edge.real == 0 if over else n == 0 for edge, n, over in zip(edges, counts, overhangs, strict=True)):
            continue
        results.append(_copy(launch, edges, counts, overhangs, suffix, end, names))
    used = {o.opview.chan_name for o in walk_named(launch, PUT, GET)}
    with launch.location:
        for result in launch.operation.results:
            result.replace_all_uses_with(joined([m.operation.results[0] for m in results], ir.InsertionPoint(launch.operation)))
    launch.operation.erase()
    for declared in list(walk_named(module, "air.channel")):
        if sym_name_of(declared) in used:
            declared.erase()


def _count(launch: Any, edge: Edge) -> int:
    """The number of whole blocks of the dimension."""
    size = constant_of(launch.sizes[edge.number])
    assert size is not None or not edge.real
    return -1 if size is None else size - (edge.real > 0)


def _copy(
    launch: AnyOp, edges: list[Edge], counts: list[int], overhangs: tuple[bool, ...], suffix: str, end: str, names: set[str]
) -> Any:
    """The launch for the whole blocks if `overhangs` is False, and for the last ones if it is True."""
    op = launch.operation
    copy = LaunchOp(op.clone(ip=ir.InsertionPoint(op)))
    del copy.attributes[_ACTUAL]
    _rename(copy, suffix, names)
    for edge, over in zip(edges, overhangs, strict=True):
        if over:
            pad_at_edge(copy, edge, end)
    deps = len(copy.deps)
    begin = ir.InsertionPoint.at_block_begin(copy.block)
    for edge, count, over in zip(edges, counts, overhangs, strict=True):
        if count < 0:
            continue
        size = copy.size_args[edge.number]
        if any(True for _ in size.uses):
            size.replace_all_uses_with(index_constant(count + (edge.real > 0), op.location, begin))
        if over:
            copy.ids[edge.number].replace_all_uses_with(index_constant(count, op.location, begin))
        copy.operands[deps + edge.number] = index_constant(1 if over else count, op.location, ir.InsertionPoint(copy.operation))
    return copy


def _rename(copy: AnyOp, suffix: str, names: set[str]) -> None:
    """Gives the launch, its segments and its channels names of their own."""
    for owner in (copy.operation, *walk_named(copy, "air.segment")):
        if "sym_name" in owner.attributes:
            owner.attributes["sym_name"] = ir.StringAttr.get(_unlike(sym_name_of(owner) + suffix, names))
    top = list(parents(copy.operation))[-1]
    declared = {sym_name_of(c): c for c in walk_named(top, "air.channel")}
    channels: dict[str, str] = {}
    for op in walk_named(copy, PUT, GET):
        name = channel_of(op)
        if name not in channels:
            channels[name] = _unlike(name + suffix, names)
            clone = declared[name].clone(ip=ir.InsertionPoint(declared[name]))
            clone.attributes["sym_name"] = ir.StringAttr.get(channels[name])
        op.attributes["chan_name"] = ir.FlatSymbolRefAttr.get(channels[name])


def _check_channels(module: AnyOp, launch: AnyOp) -> None:
    """Checks that the launch uses only its own channels."""
    inside = {o.opview.chan_name for o in walk_named(launch, PUT, GET)}
    for op in walk_named(module, PUT, GET):
        if op.opview.chan_name in inside and launch.operation not in list(parents(op)):
            raise error_at(
                op,
                f"shares channel '@{op.opview.chan_name}' with a launch that is split; give it one of its own",
            )


def _symbols(module: AnyOp) -> set[str]:
    return {sym_name_of(o) for o in walk_named(module, "air.channel", "air.segment") if "sym_name" in o.attributes}


def _unlike(name: str, used_names: set[str]) -> str:
    """`name`, with a number if another symbol has it."""
    result = next(n for n in (name, *(f"{name}_{k}" for k in range(len(used_names) + 1))) if n not in used_names)
    used_names.add(result)
    return result
