"""Groups buffers whose loop nests can become one loop: their nests advance alike and share no channel, and the herds use their
channels in step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from allo_air.core.walking import walk_named
from allo_air.dialects.air_values import is_join
from allo_air.mlir import AnyOp
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.buffers import buffers_in
from allo_air.passes._analysis.channel_ends import GET, PUT
from allo_air.passes._analysis.dependence import Dependence, Effect, End
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.scope import is_in_scope
from allo_air.passes.memory._pace import FarEnds, common_loops
from allo_air.passes.memory._plan import Part, Plan, plan_for

if TYPE_CHECKING:
    from allo_air.mlir import ir


class Order:
    """The operations of a block and the channel ends that each uses. The IR must not change while it is in use."""

    def __init__(self, block: ir.Block, dependence: Dependence) -> None:
        self.block = block
        self.ops = [o.operation for o in block.operations]
        self._known = dependence
        self._ends: dict[int, list[Effect]] = {}

    def place(self, op: ir.Operation) -> int:
        """The position of `op`."""
        return self.ops.index(op)

    def meet(self, a: int, b: int) -> bool:
        """Whether the operations at positions `a` and `b` use the same end of a channel. The transfers of an end are
        ordered.
        """
        return any(self._known.meet(x, y) for x in self._of(a) for y in self._of(b))

    def _of(self, place: int) -> list[Effect]:
        if place not in self._ends:
            effects = self._known.summary(self.ops[place]).effects
            self._ends[place] = [e for e in effects if isinstance(e.root, End)]
        return self._ends[place]


@dataclass(frozen=True)
class Placed:
    """A nest and the position of its outermost loop."""

    place: int
    part: Part


@dataclass
class Group:
    """The plans that share one loop."""

    plans: list[Plan]
    block: Order

    @property
    def placed(self) -> list[Placed]:
        """All nests, in program order."""
        results = [Placed(self.block.place(part.nest.root), part) for plan in self.plans for part in plan.parts]
        return sorted(results, key=lambda p: p.place)

    def with_plan(self, plan: Plan) -> Group:
        return Group([*self.plans, plan], self.block)


def find_groups(root: AnyOp, module: AnyOp, scope: str) -> list[Group]:
    """The groups of plans for the L2 buffers in `root`; `module` contains the herds at the other ends."""
    far, indices, dependence = FarEnds(module), IndexValues(), Dependence()
    blocks: list[Order] = []
    groups: list[Group] = []
    for buffer in buffers_in(root):
        if not is_in_scope(buffer.home, scope) or (plan := plan_for(buffer, indices)) is None:
            continue
        order = next((b for b in blocks if b.block == buffer.block), None)
        if order is None:
            order = Order(buffer.block, dependence)
            blocks.append(order)
        new_group = Group([plan], order)
        if not _can_run(new_group, far):
            continue
        for group in groups:
            if group.block is order and group.plans[0].frame == plan.frame and _can_run(group.with_plan(plan), far):
                group.plans.append(plan)
                break
        else:
            groups.append(new_group)
    return groups


def _can_run(group: Group, far: FarEnds) -> bool:
    """Whether the nests can be reordered with one another and with the operations between them, and the herds stay in step."""
    placed = group.placed
    places = [p.place for p in placed]
    order = group.block
    if any(order.meet(a, b) for n, a in enumerate(places) for b in places[:n]):
        return False
    between = [n for n in range(places[0], places[-1]) if n not in places and not is_join(order.ops[n])]
    if any(order.meet(n, place) for n in between for place in places):
        return False
    return far.keep_step([p.part for p in placed]) and not _is_awaited(group, far)


def _is_awaited(group: Group, far: FarEnds) -> bool:
    """Whether later data on a channel that fills a buffer of `group` go to a loop of the cores that also takes its data.

    The channel brings all data of the buffer first. In a fused loop they would wait for the cores, which wait for the later
    data.
    """
    placed, order = group.placed, group.block
    fills = [p.place for p in placed if p.part.nest.is_get]
    later = [op for n, op in enumerate(order.ops) if any(place < n and order.meet(n, place) for place in fills)]
    filled = {root_of(get.opview.dst) for op in later for get in walk_named(op, GET)}
    sent = [put for op in order.ops for put in walk_named(op, PUT) if root_of(put.opview.src) in filled] if filled else []
    own = [take for p in placed for take in far.of(p.part.nest.transfer) if not p.part.nest.is_get]
    return any(common_loops([take, other]) for take in own for put in sent for other in far.of(put))
