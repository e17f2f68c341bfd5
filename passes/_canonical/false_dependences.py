"""Dependences between transfers that have nothing in common which either writes: they order nothing that can be told apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.mlir import ir
from allo_air.passes._analysis.alias import are_distinct, root_of
from allo_air.passes._canonical.dependences import TRANSFERS, dep_count, distinct, waits, with_deps
from allo_air.passes._canonical.rebuild import operand_groups

_MANY_DEPS, _MANY_USES = 32, 8
"""More dependences or dependents than this stay as they are: each dropped one moves on to all dependents."""
_PLAIN = frozenset("id operandSegmentSizes resultSegmentSizes chan_name pad_before pad_after broadcast_set broadcast_pattern".split())
"""Attributes that say nothing of order; with any other (`air.preserve_shim_dma_order`, ...) a transfer keeps its dependences."""


@dataclass(frozen=True)
class Touches:
    """The alias roots that a transfer reads and writes, and the channel end it uses: uses of one end stay in order."""

    read: Any = None
    written: Any = None
    channel: tuple[str, str] | None = None

    def may_meet(self, other: Touches) -> bool:
        """Whether the two may not change places."""
        if self.channel is not None and self.channel == other.channel:
            return True
        pairs = ((self.written, other.written), (self.written, other.read), (self.read, other.written))
        return any(a is not None and b is not None and not are_distinct(a, b) for a, b in pairs)


def drop_false_dependences(ops: list[Any]) -> bool:
    """Drops dependences of a transfer or a dealloc on a transfer that it does not meet; what waits for the later one then waits for both.

    So everything else stays in the order it was in. Nothing is dropped where a token goes into a loop, a branch or a yield.

    Before:
        %1 = air.channel.put async [%0] @a[] (%m[] [] []) : (memref<64xf32, 1>)
        %2 = air.channel.put async [%1] @b[] (%m[] [] []) : (memref<64xf32, 1>)
        %3 = air.channel.get async [%2] @c[] (%m[] [] []) : (memref<64xf32, 1>)
    After:
        %1 = air.channel.put async [%0] @a[] (%m[] [] []) : (memref<64xf32, 1>)
        %2 = air.channel.put async [%0] @b[] (%m[] [] []) : (memref<64xf32, 1>)
        %3 = air.channel.get async [%1, %2] @c[] (%m[] [] []) : (memref<64xf32, 1>)
    """
    places = {op: i for i, op in enumerate(ops) if op is not None}
    changed = False
    for i in range(len(ops)):
        if ops[i] is not None and ops[i].name in (*TRANSFERS, "air.execute"):
            changed |= _drop(ops[i], ops, places)
    return changed


def _drop(op: Any, ops: list[Any], places: dict[Any, int]) -> bool:
    deps = list(op.operands)[: dep_count(op)]
    if not deps or len(deps) > _MANY_DEPS or not op.results or not _is_plain(op):
        return False
    mine = touches(op)
    false = [d for d in deps if _is_false(d, mine)] if mine else []
    if not false:
        return False
    uses = list(op.results[0].uses)
    if len(uses) > _MANY_USES or not all(map(waits, uses)):
        return False
    for user in distinct(use.owner.operation for use in uses):
        if user in places:
            _replace(user, [*list(user.operands)[: dep_count(user)], *false], ops, places)
    kept = [d for d in deps if d not in false]
    behind = [t for d in false for t in _before(d)]
    _replace(op, distinct([*kept, *behind]), ops, places)
    return True


def _replace(op: Any, deps: list[Any], ops: list[Any], places: dict[Any, int]) -> None:
    at = places.pop(op)
    ops[at] = with_deps(op, distinct(deps))
    places[ops[at]] = at


def _is_false(token: Any, mine: Touches) -> bool:
    if not isinstance(token, ir.OpResult):
        return False
    owner = token.owner.operation
    if owner.name not in TRANSFERS or not _is_plain(owner):
        return False
    theirs = touches(owner)
    return theirs is not None and not mine.may_meet(theirs)


def _before(token: Any) -> list[Any]:
    owner = token.owner
    return list(owner.operands)[: dep_count(owner)]


def _is_plain(op: Any) -> bool:
    return set(op.attributes.keys()) <= _PLAIN


def touches(op: Any) -> Touches | None:
    """What a transfer, or an `air.execute` around one memref.dealloc, touches; None for any other operation."""
    if op.name == "air.execute":
        return _touches_of_dealloc(list(op.regions[0].blocks[0].operations))
    groups = operand_groups(op)
    if op.name == "air.dma_memcpy_nd":
        return Touches(read=root_of(groups[5][0]), written=root_of(groups[1][0]))
    end = (op.attributes["chan_name"].value, op.name)
    root = root_of(groups[2][0])
    return Touches(read=root, channel=end) if op.name == "air.channel.put" else Touches(written=root, channel=end)


def _touches_of_dealloc(body: list[Any]) -> Touches | None:
    if len(body) != 2 or body[0].name != "memref.dealloc":
        return None
    return Touches(written=root_of(body[0].operands[0]))
