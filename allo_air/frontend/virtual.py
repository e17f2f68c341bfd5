"""The virtual graph of a region, and the primitives `bundle` and `chain`, which put the work of several nodes on one core.

A node is the work of one core: kernel instances, in rounds. `chain` concatenates the instances of two nodes in one round.
`bundle` makes a node with a round for each of several similar nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.errors import AlloAirError, UnknownNameError, counted
from allo_air.frontend.instances import Instance

PRIMITIVES = ("bundle", "chain")
Primitive = tuple[str, list[Any]]
"""`("chain", ["a_0", "b_0"])`, `("bundle", ["a_0", "a_1"])`, or with lists of nodes: `("bundle", [("a_0", "b_0"), ("a_1",
"b_1")])`.
"""


@dataclass(frozen=True)
class Node:
    """The work of one core: in each round the numbers of instances, in order."""

    name: str
    rounds: tuple[tuple[int, ...], ...]

    @property
    def instances(self) -> tuple[int, ...]:
        """All instances, in order."""
        return tuple(i for numbers in self.rounds for i in numbers)


@dataclass(frozen=True)
class Edge:
    """A stream between two instances: the blocks put and got (None if known only at run time), and its capacity."""

    stream: str
    source: int
    target: int
    puts: int | None
    gets: int | None
    depth: int
    label: str = ""
    unread: int = 0
    """Blocks that the kernel does not get; the core discards them after its statements."""


class VirtualGraph:
    """The nodes by name, and the streams between instances."""

    def __init__(self, instances: Sequence[Instance], edges: Sequence[Edge]):
        self.instances = list(instances)
        self.edges = list(edges)
        self.nodes = {i.name: Node(i.name, ((n,),)) for n, i in enumerate(instances)}
        self._rank = {name: rank for rank, name in enumerate(self.nodes)}
        self._into: list[list[Edge]] = [[] for _ in instances]
        self._out: list[list[Edge]] = [[] for _ in instances]
        for edge in edges:
            self._into[edge.target].append(edge)
            self._out[edge.source].append(edge)
        self.cycle = cycle(self.instance_edges())
        """Instances whose streams form a cycle."""

    def apply(self, primitives: Sequence[object]) -> None:
        """Applies primitives to the nodes, in order. Raises AlloAirError at the first invalid one; then none is applied.

        Cores that wait for each other still do after further primitives. So deadlocks are checked once, after the last
        primitive. If there is one, a bisection finds the primitive that causes it.
        """
        before = dict(self.nodes), dict(self._rank)
        done, refused = 0, None
        for primitive in primitives:
            try:
                self._rewrite(primitive)
            except AlloAirError as error:
                refused = error
                self._redo(primitives[:done], before)
                break
            done += 1
        self._sort()
        refused = self._first_error(primitives[:done], before) or refused
        if refused is not None:
            self.nodes, self._rank = before
            raise refused

    def _first_error(self, primitives: Sequence[Any], before: tuple[dict[str, Node], dict[str, int]]) -> AlloAirError | None:
        """The first of the applied `primitives` after which cores wait for each other, as an error."""
        if not primitives or self._fault("") is None:
            return None
        good, bad = 0, len(primitives)
        while bad - good > 1:
            middle = (good + bad) // 2
            self._redo(primitives[:middle], before)
            good, bad = (middle, bad) if self._fault("") is None else (good, middle)
        self._redo(primitives[:bad], before)
        kind, value = primitives[bad - 1]
        return AlloAirError(self._fault(f"{kind} {_names(value)}") or "")

    def _redo(self, primitives: Sequence[object], before: tuple[dict[str, Node], dict[str, int]]) -> None:
        self.nodes, self._rank = dict(before[0]), dict(before[1])
        for primitive in primitives:
            self._rewrite(primitive)
        self._sort()

    def _sort(self) -> None:
        """Sorts nodes by the positions of their first instances, since rewriting changes the order."""
        self.nodes = dict(sorted(self.nodes.items(), key=lambda item: self._rank[item[0]]))

    def _rewrite(self, primitive: object) -> None:
        """Applies a primitive, without the check whether cores wait for each other."""
        if not isinstance(primitive, (tuple, list)) or len(primitive) != 2:
            raise AlloAirError(f"a mapping primitive is a pair such as ('chain', ['a_0', 'b_0']), found {primitive!r}")
        kind, value = primitive
        if kind not in PRIMITIVES:
            raise UnknownNameError("mapping primitive", str(kind), PRIMITIVES, "there are bundle and chain")
        if self.cycle is not None:
            raise AlloAirError(
                f"{kind} {_names(value)}: the streams of this region form a cycle ({' -> '.join(self.cycle)}), and mapping "
                "primitives need a graph without cycles; map the kernels on fewer cores instead"
            )
        (self._chain if kind == "chain" else self._bundle)(list(value))

    def node(self, name: object) -> Node:
        """The node called `name`."""
        if name not in self.nodes:
            self._sort()
            shown = list(self.nodes)
            more = "" if len(shown) <= 12 else f", ... ({len(shown)} in all)"
            raise UnknownNameError("node", str(name), shown, f"the virtual graph has {', '.join(shown[:12])}{more}")
        return self.nodes[name]

    def _chain(self, names: list[str]) -> None:
        if len(names) < 2 or len(set(map(str, names))) != len(names):
            raise AlloAirError(f"chain takes two or more different nodes, found {names}")
        nodes = [self.node(n) for n in names]
        self._replace(nodes, Node("-".join(n.name for n in nodes), (tuple(i for n in nodes for i in n.instances),)))

    def _bundle(self, entries: Sequence[object]) -> None:
        groups = [list(e) if isinstance(e, (tuple, list)) else [e] for e in entries]
        if len(groups) < 2:
            raise AlloAirError(f"bundle takes two or more nodes, found {entries}")
        if len({len(g) for g in groups}) != 1:
            raise AlloAirError(f"bundle {_names(entries)}: its parts have {', '.join(str(len(g)) for g in groups)} nodes")
        if len({str(n) for g in groups for n in g}) != sum(map(len, groups)):
            raise AlloAirError(f"bundle {_names(entries)}: a node is listed twice")
        for position in range(len(groups[0])):
            nodes = [self.node(g[position]) for g in groups]
            signature = self.signature(nodes[0])
            for node in nodes[1:]:
                self._check_alike(nodes[0], signature, node)
            rounds = tuple(r for n in nodes for r in n.rounds)
            self._replace(nodes, Node(f"{nodes[0].name}x{len(nodes)}", rounds))

    def _check_alike(self, first: Node, a: tuple[object, ...], second: Node) -> None:
        b = self.signature(second)
        if a == b:
            return
        raise AlloAirError(
            f"bundle: nodes '{first.name}' and '{second.name}' differ: the first is {_described(a)}, the second "
            f"{_described(b)}; bundle takes nodes of the same kernels with as many streams of the same types"
        )

    def signature(self, node: Node) -> tuple[Any, ...]:
        """The properties that nodes of a bundle share: kernels, ports that are read and written, and streams in and out."""
        inside = set(node.instances)
        results = []
        for number in node.rounds[0]:
            instance = self.instances[number]
            inputs = sorted(e.label for e in self._into[number] if e.source not in inside)
            out = sorted(e.label for e in self._out[number] if e.target not in inside)
            results.append((instance.kernel.name, instance.reads, instance.writes, tuple(inputs), tuple(out)))
        return tuple(results)

    def _replace(self, nodes: Sequence[Node], new: Node) -> None:
        removed = {n.name for n in nodes}
        if new.name in self.nodes and new.name not in removed:
            raise AlloAirError(f"there is a node '{new.name}' already")
        rank = self._rank[nodes[0].name]
        for name in removed:
            del self.nodes[name], self._rank[name]
        self.nodes[new.name], self._rank[new.name] = new, rank

    def instance_edges(self) -> dict[str, list[str]]:
        """The instances that each instance puts to, without itself."""
        return self.edges_between([Node(i.name, ((n,),)) for n, i in enumerate(self.instances)])

    def owners(self) -> dict[int, str]:
        """The name of the node of each instance."""
        return {i: node.name for node in self.nodes.values() for i in node.instances}

    def edges_between(self, nodes: Iterable[Node]) -> dict[str, list[str]]:
        """The nodes that each node puts to, without itself."""
        owner = {i: node.name for node in nodes for i in node.instances}
        results: dict[str, dict[str, None]] = {node: {} for node in dict.fromkeys(owner.values())}
        for edge in self.edges:
            a, b = owner[edge.source], owner[edge.target]
            if a != b:
                results[a][b] = None
        return {node: list(rest) for node, rest in results.items()}

    def _fault(self, primitive: str) -> str | None:
        """Why cores wait for each other after `primitive`, if they run their instances in order; None if they do not."""
        spot = {i: (n.name, instance) for n in self.nodes.values() for instance, i in enumerate(n.instances)}
        after: dict[str, list[str]] = {i.name: [] for i in self.instances}
        for node in self.nodes.values():
            for a, b in zip(node.instances, node.instances[1:], strict=False):
                after[self.instances[a].name].append(self.instances[b].name)
        for edge in self.edges:
            source, target = spot[edge.source], spot[edge.target]
            if source[0] == target[0] and source[1] > target[1]:
                return (
                    f"{primitive}: {self.instances[edge.target].name} gets from stream '{edge.stream}' what "
                    f"{self.instances[edge.source].name} puts later on the same core; name them in the other order"
                )
            if source[0] == target[0] and edge.source != edge.target and (edge.puts is None or edge.puts != edge.gets):
                return (
                    f"{primitive}: stream '{edge.stream}' would stay on one core, and needs as many blocks got as put, in "
                    f"numbers that are known when the kernel is compiled; found "
                    f"{_count(edge.puts)} put and {_count(edge.gets)} got"
                )
            if edge.source != edge.target:
                after[self.instances[edge.source].name].append(self.instances[edge.target].name)
        if (result := cycle(after)) is not None:
            return f"{primitive}: the cores would wait for each other: {' before '.join(result)}"
        return None


def _count(number: int | None) -> str:
    return "an unknown number" if number is None else str(number)


def _names(value: Any) -> str:
    """The nodes of a primitive; only the first few if there are many."""
    shown = [("(" + ", ".join(map(str, g)) + ")") if isinstance(g, (tuple, list)) else str(g) for g in value]
    return f"[{', '.join(shown[:4])}{', ...' if len(shown) > 4 else ''}]"


def _described(signature: tuple[Any, ...]) -> str:
    return " then ".join(
        f"{name} with {counted(len(inputs), 'stream')} in and {len(out)} out" for name, _, _, inputs, out in signature
    )


def cycle(after: dict[str, list[str]]) -> list[str] | None:
    """A cycle in a graph, with its first node repeated at the end; None if the graph has no cycle."""
    finished: set[str] = set()
    for start in after:
        path: list[str] = []
        on_path: set[str] = set()
        stack: list[tuple[str, int]] = [(start, 0)]
        while stack:
            name, index = stack.pop()
            if index == 0:
                if name in finished:
                    continue
                path.append(name)
                on_path.add(name)
            if index < len(after[name]):
                stack.append((name, index + 1))
                following = after[name][index]
                if following in on_path:
                    return [*path[path.index(following) :], following]
                stack.append((following, 0))
            else:
                finished.add(name)
                path.pop()
                on_path.discard(name)
    return None


def topological(following: dict[str, list[str]]) -> list[str]:
    """The nodes of an acyclic graph in topological order, with adjacent ones close to each other."""
    waiting = dict.fromkeys(following, 0)
    for value in following.values():
        for successor in value:
            waiting[successor] += 1
    ready = [name for name, count in waiting.items() if count == 0]
    order = []
    while ready:
        name = ready.pop()
        order.append(name)
        for successor in following[name]:
            waiting[successor] -= 1
            if waiting[successor] == 0:
                ready.append(successor)
    return order
