"""Finds data of cores without input. Such cores send as soon as they are loaded, even if the sequence that receives the data
does not run.
"""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import walk_pre_order
from allo_air.dialects.declarations import declarations, fifo_of, place_of
from allo_air.mlir import AnyOp, ir
from allo_air.sim.naming import Names
from allo_air.sim.waiting import Graph, Party, party_of

_SHIM_ROW = 0
_S2MM = 0


def for_another_sequence(names: Names, result: Any, raw: Any) -> bool:
    """Whether the unreceived data of a finding waits at a shim channel that only other sequences use, and depends on no
    input.
    """
    receiver = raw.other
    if receiver is None or receiver.unit != "dma" or receiver.row != _SHIM_ROW or receiver.direction != _S2MM:
        return False
    channel = (receiver.col, receiver.row), receiver.direction, receiver.channel
    if names.pushes.get(channel) or not _is_named(names, channel):
        return False
    return not _has_input(Graph(names, result), party_of(raw.agent))


def _is_named(names: Names, channel: tuple[int | tuple[int, ...], ...]) -> bool:
    """Whether a sequence of the device has transfers on a channel."""
    device, symbols = names.design.layout.op, set[str]()
    for op in declarations(device, "aie.shim_dma_allocation"):
        if (place_of(op, op.tile), op.channel_dir, op.channel_index) == channel:
            symbols |= {op.sym_name, fifo_of(op)} - {""}
    for sequence in declarations(device, "aie.runtime_sequence"):
        for op in walk_pre_order(sequence)[1:]:
            if op.name == "aiex.dma_configure_task":
                view = op.opview
                if (place_of(op, view.tile), view.direction, view.channel) == channel:
                    return True
            if any(isinstance(a.attr, ir.FlatSymbolRefAttr) and a.attr.value in symbols for a in _attributes(op)):
                return True
    return False


def _attributes(op: AnyOp) -> list[Any]:
    attributes = op.attributes
    return [attributes[i] for i in range(len(attributes))]


def _has_input(graph: Graph, party: Party) -> bool:
    """Whether the data that a party sends may depend on data from the host."""
    todo, seen = [party], {party}
    while todo:
        here = todo.pop()
        if here[0] == "dma" and here[2] == _SHIM_ROW:
            return True
        for predecessor in _providers(graph, here):
            if predecessor is None:
                return True
            if predecessor not in seen:
                seen.add(predecessor)
                todo.append(predecessor)
    return False


def _providers(graph: Graph, party: Party) -> list[Party | None]:
    """The agents that provide data, or locks that represent data, to `party`; None for a port of an unknown agent."""
    parties: list[Party | None] = [p.party for p in graph.releasers_of(party)]
    for route in graph.names.design.routes:
        column, row, bundle, number = route.source
        for end in route.destinations:
            if _is_at(end.port, party):
                is_known_bundle = bundle in ("DMA", "Core")
                parties.append(
                    ("dma", column, row, 1, number) if bundle == "DMA" else ("core", column, row) if is_known_bundle else None
                )
    parties += [("core", *source) for source, dest in graph.names.design.cascades if party == ("core", *dest)]
    return parties


def _is_at(port: tuple[int, int, str, int], party: Party) -> bool:
    """Whether a stream that ends at `port` is data for a party."""
    column, row, bundle, number = port
    if bundle == "DMA":
        return party == ("dma", column, row, _S2MM, number)
    return bundle == "Core" and party == ("core", column, row)
