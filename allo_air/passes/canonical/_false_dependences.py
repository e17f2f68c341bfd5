"""Removes dependences between operations that access no common data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from allo_air.core.names import channel_of
from allo_air.core.waiting import OpSequence, Touching
from allo_air.core.walking import body_of
from allo_air.dialects.air_values import HIERARCHIES, LITERAL_LISTS, TRANSFERS
from allo_air.dialects.operands import memref_of, slots_before
from allo_air.mlir import ir
from allo_air.passes._analysis.alias import VIEWS, are_distinct, root_of
from allo_air.passes._ir.prune_tokens import WAITING
from allo_air.passes._ir.tokens import deps_of, distinct, waits, with_deps

_MANY_DEPS, _MANY_USES = 32, 8
"""Largest numbers of dependences and dependents for which dependences are dropped: each dropped dependence moves to all
dependents.
"""
_PLAIN = {
    "id",
    "operandSegmentSizes",
    "resultSegmentSizes",
    "chan_name",
    "pad_before",
    "pad_after",
    "broadcast_set",
    LITERAL_LISTS,
}
"""Attributes without a meaning for order. With any other attribute, such as `air.preserve_shim_dma_order`, dependences stay."""


@dataclass(frozen=True)
class Accesses:
    """The alias roots that an operation reads and writes, and the channel end it uses. Uses of one end stay in order."""

    read: Any = None
    written: Any = None
    channel: tuple[str, str] | None = None
    is_allocation: bool = False

    def may_meet(self, other: Accesses) -> bool:
        """Whether the two operations may depend on each other."""
        if self.channel is not None and self.channel == other.channel:
            return True
        pairs = ((self.written, other.written), (self.written, other.read), (self.read, other.written))
        return any(a is not None and b is not None and not are_distinct(a, b) for a, b in pairs)


def drop_false_dependences(ops: list[ir.Operation]) -> bool:
    """Drops dependences between transfers, allocations and deallocations that access no common data.

    Users of the later operation's token then wait for both, so that all other orders stay. An allocation keeps its own
    dependences: it may need the memory that they free. Nothing is dropped if a token enters a loop or a yield.

    Before:

        %1 = air.channel.put async [%0] @a[] (%m[] [] []) : (memref<64xf32, 1>)
        %2 = air.channel.put async [%1] @b[] (%m[] [] []) : (memref<64xf32, 1>)
        %3 = air.channel.get async [%2] @c[] (%m[] [] []) : (memref<64xf32, 1>)

    After:

        %1 = air.channel.put async [%0] @a[] (%m[] [] []) : (memref<64xf32, 1>)
        %2 = air.channel.put async [%0] @b[] (%m[] [] []) : (memref<64xf32, 1>)
        %3 = air.channel.get async [%1, %2] @c[] (%m[] [] []) : (memref<64xf32, 1>)
    """
    if OpSequence([op for op in ops if op is not None], WAITING).first_false(_touching()) is None:
        return False
    plan = _Plan(ops)
    changed = {i for index in range(len(ops)) for i in plan.drop(index)}
    for i in sorted(changed):
        ops[i] = with_deps(ops[i], plan.tokens(i))
    return bool(changed)


@cache
def _touching() -> Touching:
    """The data that the C++ form of `accesses_of` needs."""
    moved = [("air.dma_memcpy_nd", "src", "dst"), ("air.channel.put", "src", ""), ("air.channel.get", "", "dst")]

    def slots(name: str, field: str) -> int:
        return slots_before(name, field) if field else -1

    places = tuple((name, slots(name, source), slots(name, target)) for name, source, target in moved)
    return tuple(_PLAIN), tuple(VIEWS), HIERARCHIES, places, _MANY_DEPS, _MANY_USES


class _Plan:
    """The new dependences of each of `ops`: positions in `ops`, and tokens of loops and branches."""

    def __init__(self, ops: list[ir.Operation]) -> None:
        self._ops = ops
        results = {op.results[0]: i for i, op in enumerate(ops) if op is not None and op.results}
        self._deps: list[list[Any]] = []
        self._users: list[list[int]] = [[] for _ in ops]
        for i, op in enumerate(ops):
            tokens = [] if op is None else deps_of(op)
            self._deps.append(distinct(results.get(t, t) for t in tokens))
            for dep in self._deps[i]:
                if isinstance(dep, int):
                    self._users[dep].append(i)
        self._touches: dict[int, Accesses | None] = {}

    def tokens(self, i: int) -> list[ir.Value]:
        """The SSA values for which operation `i` must wait. Earlier operations must be updated first."""
        return [self._ops[d].results[0] if isinstance(d, int) else d for d in self._deps[i]]

    def drop(self, i: int) -> list[int]:
        """Drops the false dependences of operation `i`; returns the operations whose dependences change."""
        movable = [d for d in self._deps[i] if isinstance(d, int)]
        if not movable or len(self._deps[i]) > _MANY_DEPS:
            return []
        own_touches = self._touched(i)
        if own_touches is None or own_touches.is_allocation:
            return []
        false = [d for d in movable if (touches := self._touched(d)) and not own_touches.may_meet(touches)]
        if not false or not self._only_waited_for(i):
            return []
        dropped_deps = [t for d in false for t in self._deps[d]]
        users = list(self._users[i])
        for user in users:
            self._set(user, [*self._deps[user], *false])
        self._set(i, [*(d for d in self._deps[i] if d not in false), *dropped_deps])
        return [i, *users]

    def _touched(self, i: int) -> Accesses | None:
        if i not in self._touches:
            op = self._ops[i]
            self._touches[i] = accesses_of(op) if _is_plain(op) else None
        return self._touches[i]

    def _set(self, i: int, deps: list[int | ir.Value]) -> None:
        for dep in self._deps[i]:
            if isinstance(dep, int):
                self._users[dep].remove(i)
        self._deps[i] = distinct(deps)
        for dep in self._deps[i]:
            if isinstance(dep, int):
                self._users[dep].append(i)

    def _only_waited_for(self, i: int) -> bool:
        """Whether few operations use the token of operation `i`, and only as a dependence."""
        op = self._ops[i]
        if not op.results:
            return False
        uses = list(op.results[0].uses)
        return len(uses) <= _MANY_USES and all(map(waits, uses))


def _is_plain(op: ir.Operation) -> bool:
    return set(op.attributes.keys()) <= _PLAIN


def accesses_of(op: ir.Operation) -> Accesses | None:
    """The accesses of a transfer, or of an `air.execute` around one allocation or deallocation; None for any other
    operation.
    """
    if op.name == "air.execute":
        return _touches_of_lifetime(body_of(op))
    if op.name not in TRANSFERS:
        return None
    if op.name == "air.dma_memcpy_nd":
        return Accesses(read=root_of(op.opview.src), written=root_of(op.opview.dst))
    end = (channel_of(op), op.name)
    root = root_of(memref_of(op))
    return Accesses(read=root, channel=end) if op.name == "air.channel.put" else Accesses(written=root, channel=end)


def _touches_of_lifetime(body: list[ir.Operation]) -> Accesses | None:
    if len(body) != 2 or body[0].name not in ("memref.alloc", "memref.dealloc"):
        return None
    first = body[0]
    if first.name == "memref.alloc":
        return Accesses(written=first.results[0], is_allocation=True)
    return Accesses(written=root_of(first.operands[0]))
