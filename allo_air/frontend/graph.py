"""Reads the virtual graph of a region as written: one instance for each core of each kernel, with streams checked at both
ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.errors import counted
from allo_air.frontend.instances import Instance, inspect, stream_types
from allo_air.frontend.region import RegionSpec
from allo_air.frontend.virtual import Edge, VirtualGraph

if TYPE_CHECKING:
    from allo_air.mlir import ir


def read_graph(spec: RegionSpec, context: ir.Context) -> VirtualGraph:
    """The instances of all kernels, and the streams that they use."""
    instances = [item for kernel in spec.kernels for item in inspect(spec, kernel, context)]
    return VirtualGraph(instances, _edges(spec, instances))


def _edges(spec: RegionSpec, instances: list[Instance]) -> list[Edge]:
    ends: dict[str, tuple[list[int], list[int]]] = {}
    for number, instance in enumerate(instances):
        for name in instance.puts:
            ends.setdefault(name, ([], []))[0].append(number)
        for name in instance.gets:
            ends.setdefault(name, ([], []))[1].append(number)
    kinds = stream_types(spec)
    edges = []
    for name, (putting, getting) in ends.items():
        _check_end(spec, name, [instances[n] for n in putting], [instances[n] for n in getting], ("put to", "gets from"))
        _check_end(spec, name, [instances[n] for n in getting], [instances[n] for n in putting], ("get from", "puts to"))
        source, target = putting[0], getting[0]
        depth, label = kinds[name].depth, str(kinds[name].element)
        puts, gets = instances[source].puts[name], instances[target].gets[name]
        if puts is not None and gets is not None and gets > puts:
            raise spec.source.error(
                instances[target].kernel.node,
                f"stream '{name}': {instances[target].name} gets "
                f"{counted(gets, 'block')}, and {instances[source].name} puts {puts}: the "
                "core would wait forever",
            )
        unread = 0 if puts is None or gets is None else puts - gets
        edges.append(Edge(name, source, target, puts, puts if unread else gets, depth, label, unread))
    return edges


def _check_end(spec: RegionSpec, name: str, who: list[Instance], instances: list[Instance], verbs: tuple[str, str]) -> None:
    if not who:
        message = f"stream '{name}': {instances[0].name} {verbs[1]} it, but no core does {verbs[0]} it"
        raise spec.source.error(instances[0].kernel.node, message)
    if len(who) > 1:
        names = " and ".join(i.name for i in who[:3])
        message = f"stream '{name}': {names} all {verbs[0]} it; a stream has one core at each end"
        raise spec.source.error(who[1].kernel.node, message)
