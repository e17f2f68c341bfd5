"""Operations as the scheduler sees them. Values are compared by identity and figures are cached, since calls of the bindings
are slow.
"""

from __future__ import annotations

from allo_air.core_model.access import access_of
from allo_air.core_model.banks import SCALAR_SHARE, Shares
from allo_air.core_model.figures import Issue
from allo_air.core_model.issue import is_either_way, is_vector_access, issue_of
from allo_air.core_model.machine import Machine
from allo_air.mlir import ir

SYNCHRONIZING = (
    "aie.use_lock",
    "aie.put_cascade",
    "aie.get_cascade",
    "aie.put_stream",
    "aie.get_stream",
    "aie.event",
    "func.call",
)
"""Operations at which the engine may run other agents. No check and no cycle count is moved across them."""


class Node:
    """An operation with its operands and results; a number identifies each value while the IR is unchanged."""

    __slots__ = ("_issue", "_traffic", "name", "op", "operands", "results")

    def __init__(self, op: ir.Operation) -> None:
        self.op, self.name = op, op.name
        self.operands = tuple(map(hash, op.operands))
        self.results = tuple(map(hash, op.results))
        self._issue: Issue | None = None
        self._traffic: tuple[Shares, float] | None = None

    def issue(self, machine: Machine) -> Issue:
        """The units that the operation uses; cached if they do not depend on how code is scheduled."""
        if self._issue is not None:
            return self._issue
        issue = issue_of(self.op, machine)
        if is_either_way(self.name):
            self._issue = issue
        return issue

    def traffic(self, machine: Machine) -> tuple[Shares, float]:
        """The banks that a load or store accesses, and the cycles for which each of its instructions occupies one of them."""
        if self._traffic is None:
            shares = machine.banks_of(self.op)
            self._traffic = shares, (1.0 if is_vector_access(self.op) else SCALAR_SHARE) if shares else 0.0
        return self._traffic

    @property
    def memref(self) -> int | None:
        """The memref that the operation accesses; None if there is none."""
        access = access_of(self.op)
        return None if access is None else hash(access.memref)


def identity(loop: ir.Operation) -> int:
    """A key for a loop's identity while the IR does not change; `hash(loop)` is structural and ignores the body."""
    return hash(loop.regions[0].blocks[0].arguments[0])


def node_of(op: ir.Operation, machine: Machine) -> Node:
    """The node of `op`; `machine` caches it."""
    if machine.nodes is None:
        return Node(op)
    key = hash(op)  # structural: operations without results are equal if they are the same on the same operands
    node: Node | None = machine.nodes.get(key)
    if node is None:
        node = machine.nodes[key] = Node(op)
    return node


def nodes_of(ops: list[ir.Operation], machine: Machine) -> list[Node]:
    """The nodes of `ops`."""
    return [node_of(op, machine) for op in ops]
