"""The body of a loop as a graph: its dependences, and which operations fill its buffers or use them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import Any

from allo_air.core.loops import Loop
from allo_air.core.walking import body_of, walk_post_order
from allo_air.dialects.air_values import ASYNC, is_token
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.dependence import Dependence
from allo_air.passes._analysis.effects import Access, accesses, is_pure
from allo_air.passes._analysis.parallel import CONDITIONS
from allo_air.passes._ir.tokens import deps_of
from allo_air.passes.schedule._ping_pong_buffers import Buffer, freed_by


class Role(Enum):
    """The role of an operation: a producer fills the buffers, a consumer uses them."""

    ALLOCATION = auto()  # allocates a buffer
    RELEASE = auto()  # deallocates a buffer
    PRODUCER = auto()  # fills buffers, and conflicts with consumers only on these
    CONSUMER = auto()  # any other work
    OTHER = auto()  # computes values, or waits for tokens


class Body:
    """The operations of `loop`'s body without its terminator, known by their position."""

    def __init__(self, loop: AnyOp, buffers: Sequence[Buffer]) -> None:
        self.loop = loop
        *self.ops, self.terminator = body_of(loop)
        self._place = {r: i for i, op in enumerate(self.ops) for r in op.results}
        self._accesses = [list(accesses(op)) for op in self.ops]
        self._roots = {b.root for b in buffers}
        may: list[set[int]] = []
        sure: list[set[int]] = []
        for i, op in enumerate(self.ops):
            may.append(self._closed(_used_values(op), may, i))
            sure.append(self._closed(certain_deps(op), sure, i))
        self.may_wait, self.waits = may, sure
        self.roles = self._assign(buffers)

    def _closed(self, used: Sequence[Any], closures: list[set[int]], i: int) -> set[int]:
        """The positions before `i` that define `used`, and their dependences."""
        direct = {p for v in used if (p := self._place.get(v, i)) < i}
        return direct.union(*(closures[p] for p in direct))

    def _assign(self, buffers: Sequence[Buffer]) -> list[Role]:
        values = {b.value for b in buffers}
        roles = []
        for op in self.ops:
            if any(r in values for r in op.results):
                roles.append(Role.ALLOCATION)
            elif (freed := freed_by(op)) is not None and freed in values:
                roles.append(Role.RELEASE)
            elif is_pure(op) or op.name == "air.wait_all":
                roles.append(Role.OTHER)
            else:
                roles.append(Role.CONSUMER)
        for only_transfers in (True, False):
            chosen = self._producers({i for i, r in enumerate(roles) if r is Role.CONSUMER}, only_transfers)
            if chosen:
                return [Role.PRODUCER if i in chosen else role for i, role in enumerate(roles)]
        return roles

    def _producers(self, work: set[int], only_transfers: bool) -> set[int]:
        """The producers in `work`: operations that only fill buffers, and do not conflict with the others of `work`."""
        chosen = {i for i in work if self._fills(i, only_transfers)}
        while chosen:
            conflicting = {i for i in chosen if self._meets(i, work - chosen)}
            if not conflicting:
                break
            chosen -= conflicting
        return set() if chosen == work else chosen

    def _fills(self, i: int, only_transfers: bool) -> bool:
        """Whether operation `i` writes one of the buffers, and only buffers."""
        written = [a for a in self._accesses[i] if a.kind != "read"]
        if not written or any(a.root not in self._roots or a.kind == "free" for a in written):
            return False
        if only_transfers and any(
            not a.op.name.startswith(("air.channel.get", "air.dma_memcpy_nd")) for a in self._accesses[i]
        ):
            return False
        return not any(a.end is not None and a.end[1] == "put" for a in self._accesses[i])

    def _meets(self, i: int, rest: set[int]) -> bool:
        """Whether operation `i` waits for one in `rest`, uses the same channel end, or reads a buffer that one writes."""
        if self.may_wait[i] & rest:
            return True
        other_accesses = [a for k in rest for a in self._accesses[k]]
        return any(_conflict(access, a) for access in self._accesses[i] for a in other_accesses)

    def sinks(self, role: Role) -> list[int]:
        """The operations of `role` that no other of that role certainly waits for."""
        own_positions = [i for i, r in enumerate(self.roles) if r is role]
        waited = set().union(*(self.waits[i] for i in own_positions)) if own_positions else set()
        return [i for i in own_positions if i not in waited]

    def is_first(self, i: int) -> bool:
        """Whether no operation of the same role certainly precedes operation `i`."""
        return not any(self.roles[k] is self.roles[i] for k in self.waits[i])

    def may_skip(self, role: Role) -> bool:
        """Whether the last operation of `role` may be skipped: a condition with an empty branch."""
        return any(_may_skip(self.ops[i]) for i in self.sinks(role))

    def consumers_wait_for_producers(self) -> bool:
        """Whether the end of all consumers implies the end of all producers."""
        consumers = [i for i, r in enumerate(self.roles) if r is Role.CONSUMER]
        waited = set().union(*(self.waits[i] for i in consumers)) if consumers else set()
        return all(i in waited for i, r in enumerate(self.roles) if r is Role.PRODUCER)


def _conflict(access: Access, second: Access) -> bool:
    if access.end is not None and access.end == second.end:
        return True
    return access.kind == "read" and second.kind != "read" and Dependence().may_alias(access.root, second.root)


def _used_values(op: ir.Operation) -> list[ir.Value]:
    """All values that `op` and the operations in it use."""
    return [v for inner in walk_post_order(op) for v in inner.operands]


def certain_deps(op: ir.Operation) -> list[ir.Value]:
    """Tokens that certainly precede any token of `op`; possibly not all of them."""
    if op.name in ASYNC:
        return deps_of(op)
    if op.name != "scf.for":
        return []
    loop = Loop(op)
    carried = zip(loop.inits, loop.iter_args, loop.yielded, strict=True)
    return [init for init, argument, yielded in carried if is_token(init) and _follows(yielded, argument)]


def _may_skip(op: ir.Operation) -> bool:
    """Whether a condition yields, in one of its branches, a token from outside that branch."""
    if op.name not in CONDITIONS:
        return False
    for region in op.regions:
        for block in region.blocks:
            *_, terminator = [o.operation for o in block.operations]
            for token in filter(is_token, terminator.operands):
                inside = isinstance(token, ir.OpResult) and token.owner.operation.block == block
                if not inside or _may_skip(token.owner.operation):
                    return True
    return False


def _follows(token: ir.Value, argument: ir.Value) -> bool:
    """Whether `token` certainly follows `argument`, in the same block."""
    todo, seen = [token], set()
    while todo:
        near = todo.pop()
        if near == argument:
            return True
        if near not in seen and isinstance(near, ir.OpResult):
            seen.add(near)
            todo += certain_deps(near.owner.operation)
    return False
