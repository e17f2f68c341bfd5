"""Models values that LLVM keeps in registers instead of memory, in innermost loops.

If an iteration loads what it has stored at the same address, it needs no load. If a buffer is only accessed at one address in
all iterations, such as the sum of a row, its value stays in a register between iterations.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from allo_air.core_model.access import Access, access_of
from allo_air.core_model.figures import FREE, Issue
from allo_air.core_model.machine import Machine
from allo_air.core_model.nodes import Node


class ForwardedLoad(Node):
    """A load that is replaced by a value in a register."""

    __slots__ = ()

    def __init__(self, load: Node, value: int) -> None:
        super().__init__(load.op)
        self.operands = (value,)

    def issue(self, machine: Machine) -> Issue:
        """No instructions."""
        return FREE

    @property
    def memref(self) -> int | None:
        """None: no memory is touched."""
        return None


@dataclass
class Forwarded:
    """The remaining operations of a body, and the additional values that the loop carries, each with the value that is
    yielded for it.
    """

    nodes: list[Node] = field(default_factory=list)
    carried: list[int] = field(default_factory=list)
    yielded: list[int] = field(default_factory=list)


_Place = tuple[int, tuple[int, ...], str]


def forwarded(nodes: list[Node], arguments: set[int]) -> Forwarded:
    """The body of `nodes` after LLVM's forwarding; `arguments` are the induction variable and the values that the loop
    carries.
    """
    inside = arguments.union(*(node.results for node in nodes))
    touched = {id(node): access for node in nodes if (access := access_of(node.op)) is not None}
    places: dict[int, set[_Place]] = {}
    for access in touched.values():
        places.setdefault(hash(access.memref), set()).add(_place(access))
    private_places = {m for m, item in places.items() if len(item) == 1 and inside.isdisjoint(next(iter(item))[1])}
    private_places &= {hash(a.memref) for a in touched.values() if a.writes}
    result, values_at = Forwarded(), dict[_Place, int]()
    first: dict[_Place, int] = {}
    for node in nodes:
        access = touched.get(id(node))
        if access is None:
            values_at = {} if node.name == "func.call" or node.name.startswith("scf.") else values_at
            result.nodes.append(node)
            continue
        place = _place(access)
        if access.partial or access.reads == access.writes:
            values_at = {key: value for key, value in values_at.items() if key[0] != place[0]} if access.writes else values_at
            result.nodes.append(node)
            continue
        if access.writes:
            values_at = {key: value for key, value in values_at.items() if key[0] != place[0]} | {place: node.operands[0]}
            if place[0] not in private_places:
                result.nodes.append(node)
        elif place in values_at:
            result.nodes.append(ForwardedLoad(node, values_at[place]))
        elif place[0] in private_places:
            values_at[place] = first[place] = node.results[0]
        else:
            result.nodes.append(node)
    for place, value in first.items():
        result.carried.append(value)
        result.yielded.append(values_at[place])
    return result


def _place(access: Access) -> _Place:
    kind: Any = access.op.results[0].type if access.reads else access.op.operands[0].type
    return hash(access.memref), tuple(map(hash, access.indices)), str(kind)
