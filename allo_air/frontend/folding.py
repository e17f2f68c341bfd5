"""Folds a virtual graph with more nodes than the array has cores, by the same primitives that users can write."""

from __future__ import annotations

import itertools
from contextlib import suppress

from allo_air.errors import AlloAirError, counted
from allo_air.frontend.virtual import Node, Primitive, VirtualGraph, cycle, topological


def fold(graph: VirtualGraph, cores: int) -> list[Primitive]:
    """Rewrites `graph` to at most `cores` nodes, and returns the primitives that do so.

    First, paths of nodes with no other neighbours are chained, so that their streams stay in a core's memory. Then similar
    nodes are bundled, on a grid of cores as even as the kernel's mapping allows. If there are still too many nodes, or if cores
    would wait for each other, pieces of a topological order are chained.
    """
    done: list[Primitive] = []
    if len(graph.nodes) <= cores:
        return done
    if (result := cycle(graph.edges_between(graph.nodes.values()))) is not None:
        raise AlloAirError(
            f"{counted(len(graph.nodes), 'kernel instance')} for "
            f"{counted(cores, 'core')}, and the streams of this region form a cycle "
            f"({' -> '.join(result)}), so that no core can run several of them; make the mappings smaller"
        )
    _do(graph, _chains(graph, cores), done)
    if len(graph.nodes) > cores:
        with suppress(AlloAirError):
            _do(graph, _bundles(graph, cores), done)
    if len(graph.nodes) > cores:
        _do(graph, _pieces(graph, cores), done)
    return done


def _do(graph: VirtualGraph, primitives: list[Primitive], done: list[Primitive]) -> None:
    graph.apply(primitives)
    done += primitives


def _chains(graph: VirtualGraph, cores: int) -> list[Primitive]:
    """Chains paths of nodes with one neighbour on either side; a chain has at most the average number of nodes per core."""
    longest = -(-len(graph.nodes) // cores)
    following = graph.edges_between(graph.nodes.values())
    leading: dict[str, list[str]] = {name: [] for name in following}
    for name, rest in following.items():
        for successor in rest:
            leading[successor].append(name)
    only = {a: bs[0] for a, bs in following.items() if len(bs) == 1 and len(leading[bs[0]]) == 1}
    primitives: list[Primitive] = []
    followers = set(only.values())
    for start in following:
        if start in followers:
            continue
        path = [start]
        while path[-1] in only:
            path.append(only[path[-1]])
        count = -(-len(path) // longest)
        size = -(-len(path) // count)
        primitives += [
            ("chain", path[first : first + size]) for first in range(0, len(path), size) if len(path[first : first + size]) > 1
        ]
    return primitives


def _bundles(graph: VirtualGraph, cores: int) -> list[Primitive]:
    """Bundles similar nodes over their share of the cores, or over as few of them as take no longer."""
    level = _levels(graph)
    classes: dict[tuple[object, ...], list[Node]] = {}
    for node in graph.nodes.values():
        classes.setdefault(graph.signature(node), []).append(node)
    total = len(graph.nodes)
    primitives: list[Primitive] = []
    for nodes in classes.values():
        share = max(1, cores * len(nodes) // total)
        share = -(-len(nodes) // -(-len(nodes) // share))
        cells: dict[tuple[int, ...], list[Node]] = {}
        sizes = _grid(graph, nodes, share)
        for number, node in enumerate(sorted(nodes, key=lambda n: level[n.name])):
            pid = graph.instances[node.instances[-1]].pid
            cell = tuple(p % s for p, s in zip(pid, sizes, strict=True)) if sizes else (number % share,)
            cells.setdefault(cell, []).append(node)
        primitives += [("bundle", [n.name for n in value]) for value in cells.values() if len(value) > 1]
    return primitives


def _grid(graph: VirtualGraph, nodes: list[Node], share: int) -> tuple[int, ...]:
    """The number of cores along each dimension of the kernel's mapping; none if the numbers of the nodes form no full grid."""
    pids = [graph.instances[n.instances[-1]].pid for n in nodes]
    extents = [sorted(set(axis)) for axis in zip(*pids, strict=True)]
    full = 1
    for axis in extents:
        full *= len(axis)
    if full != len(set(pids)) or len(set(pids)) != len(pids) or any(a != list(range(a[0], a[0] + len(a))) for a in extents):
        return ()
    best: tuple[int, ...] = tuple(1 for _ in extents)
    for sizes in _factors([len(a) for a in extents], share):
        key = (_product(sizes), -max(sizes))
        if key > (_product(best), -max(best)):
            best = sizes
    return best if 2 * _product(best) > share else ()


def _factors(extents: list[int], most: int) -> list[tuple[int, ...]]:
    """Divisors of each extent whose product is at most `most`."""
    if not extents:
        return [()]
    factors = []
    for size in range(1, min(extents[0], most) + 1):
        if extents[0] % size == 0:
            factors += [(size, *rest) for rest in _factors(extents[1:], most // size)]
    return factors


def _product(sizes: tuple[int, ...]) -> int:
    result = 1
    for size in sizes:
        result *= size
    return result


def _levels(graph: VirtualGraph) -> dict[str, int]:
    """The length of the longest path to each node."""
    following = graph.edges_between(graph.nodes.values())
    level = dict.fromkeys(following, 0)
    for name in topological(following):
        for follower in following[name]:
            level[follower] = max(level[follower], level[name] + 1)
    return level


def _pieces(graph: VirtualGraph, cores: int) -> list[Primitive]:
    """Pieces of a topological order, so that a core waits only for earlier cores."""
    order = topological(graph.edges_between(graph.nodes.values()))
    count = len(order)
    bounds = [count * piece // cores for piece in range(cores + 1)]
    pieces = [order[a:b] for a, b in itertools.pairwise(bounds)]
    return [("chain", piece) for piece in pieces if len(piece) > 1]
