"""Puts the shadow checks and bounds checks of a core's memory accesses into its program.

An access is checked where it stands, or, where that says the same, once for a whole loop nest without synchronization: its
indices are linear in the nest's loop variables, it runs in every iteration, and no other access of the same memory in the
nest can come before it in a way that would change the answer. The range then covers exactly the elements touched.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from allo_air.core.rewrite import walk_named
from allo_air.mlir import arith, ir, memref, scf
from allo_air.sim.cores.access import NAMES, Access, access_of, is_local, root_of
from allo_air.sim.cores.build import Calls, Number, add, bounds_of, cast, constant_of, index, mul, trip_count
from allo_air.sim.cores.device_ops import SYNCHRONIZING
from allo_air.sim.cores.linear import Linear, interval, linear
from allo_air.sim.cores.ranges import Dimension, address, check, lattices, when_positive

ANYWHERE = object()
"""The memory of accesses whose memref depends on the run: it may be any of the buffers."""


@dataclass
class Instrumenter:
    """Instruments one function; `site(op)` makes, at the insertion point, the i32 value that names `op` in findings."""

    calls: Calls
    site: Callable[[Any], Any]

    def run(self, function: Any) -> None:
        """Instruments every access in `function`."""
        accesses = [a for op in walk_named(function, *NAMES) if (a := access_of(op)) is not None]
        shared = [(a, root_of(a.memref)) for a in accesses]
        tiles = {i: ANYWHERE if r is None else r for i, (_, r) in enumerate(shared) if r is None or not is_local(r)}
        plans: list[Callable[[], None]] = []
        if ANYWHERE in tiles.values():
            tiles = dict.fromkeys(tiles, ANYWHERE)
        groups: dict[Any, list[Access]] = {}
        for i, root in tiles.items():
            groups.setdefault(root, []).append(accesses[i])
        for group in groups.values():
            self._place(group, plans)
        for access in accesses:
            self._bounds(access)
        for plan in plans:
            plan()

    def _place(self, group: list[Access], plans: list[Callable[[], None]]) -> None:
        """Plans the checks of all accesses of one memory: each at the outermost nest that can take it."""
        nests: dict[int, tuple[Any, list[Access]]] = {}
        chains = [_nests(a.op) for a in group]
        pending = list(range(len(group)))
        for depth in range(max(map(len, chains), default=0)):
            nests.clear()
            for i in pending:
                if depth < len(chains[i]):
                    loop = chains[i][depth]
                    nests.setdefault(_key(loop), (loop, []))[1].append(group[i])
            for loop, members in nests.values():
                if _mixed(loop, members, group):
                    continue
                forms = _forms(loop, members)
                if forms is None:
                    continue
                hoisted = {id(m) for m in members}
                pending = [i for i in pending if id(group[i]) not in hoisted]
                plans.append(partial(self._hoist, loop, members, forms))
        for i in pending:
            plans.append(partial(self._in_place, group[i]))

    def _hoist(self, loop: Any, members: list[Access], forms: list[list[Linear]]) -> None:
        """Checks before `loop` what it reads from outside, and after it what it writes; accesses side by side join."""
        first = _leaders(members)
        reads = [i for i, m in enumerate(members) if m.reads and m in first]
        writes = [i for i, m in enumerate(members) if m.writes]
        for kind, chosen in (("read", reads), ("write", writes)):
            patterns: dict[Any, list[int]] = {}
            for i in chosen:
                patterns.setdefault(_pattern(loop, members[i], forms[i]), []).append(i)
            for alike in patterns.values():
                access = members[alike[0]]
                constants = sorted({_constant(members[i], forms[i]) for i in alike})
                point = ir.InsertionPoint(loop) if kind == "read" else ir.InsertionPoint.after(loop)
                with point, access.op.location:
                    for start, steps in lattices(constants):
                        self._nest_check(kind, loop, access, forms[alike[0]], start, steps)

    def _nest_check(
        self, kind: str, loop: Any, access: Access, forms: list[Linear], constant: int, steps: list[tuple[int, int]]
    ) -> None:
        """Checks what `access` touches over the nest, its constant offset replaced by a lattice of (count, step) elements."""
        loops = _loops_between(loop, access.op)
        coefficients: dict[Any, int] = {}
        strides = access.strides or []
        offset: Number = constant
        for form, stride in zip(forms, strides, strict=True):
            for value, c in form.invariants:
                offset = add(offset, mul(cast(value, ir.IndexType.get()), c * stride))
            for value, c in form.terms:
                coefficients[value] = coefficients.get(value, 0) + c * stride
        size = access.element_bytes
        dimensions = [Dimension(e, s * size) for e, s in zip(access.extents, strides, strict=True)]
        dimensions += [Dimension(count, step * size) for count, step in steps]
        guards = []
        for each in loops:
            lower, upper, step = bounds_of(each)
            trips = trip_count(lower, upper, step)
            c = coefficients.get(each.regions[0].blocks[0].arguments[0], 0)
            if isinstance(trips, int) and trips == 0:
                return
            if not isinstance(trips, int):
                guards.append(trips)
            offset = add(offset, mul(lower, c))
            if c:
                dimensions.append(Dimension(trips, mul(step, c * size)))
        site = self.site(access.op)
        with when_positive(guards) if guards else _here():
            check(self.calls, kind, address(access.memref, offset), dimensions, size, site)

    def _in_place(self, access: Access) -> None:
        if access.partial and access.reads:
            return
        with ir.InsertionPoint(access.op), access.op.location:
            site = self.site(access.op)
            kind = access.memref.type
            strides: list[Number] = list(access.strides or ())
            if not strides and kind.rank:
                strides = list(memref.extract_strided_metadata(access.memref))[2 + kind.rank :]
            offset: Number = 0
            for value, stride in zip(access.indices, strides, strict=True):
                number = constant_of(value)
                offset = add(offset, mul(value if number is None else number, stride))
            extents = [_clip(access, d) for d in range(kind.rank)]
            size = access.element_bytes
            dimensions = [Dimension(e, mul(s, size)) for e, s in zip(extents, strides, strict=True)]
            dynamic = [e for e in extents if not isinstance(e, int)]
            with when_positive(dynamic) if dynamic else _here():
                base = address(access.memref, offset)
                for name, wanted in (("read", access.reads), ("write", access.writes)):
                    if wanted:
                        check(self.calls, name, base, dimensions, size, site)

    def _bounds(self, access: Access) -> None:
        """Checks each index that is not known to be inside; one that is outside is reported, and replaced by 0."""
        kind = access.memref.type
        clipped = access.clipped or (False,) * kind.rank
        for d, (value, extent) in enumerate(zip(access.indices, access.extents, strict=True)):
            known = interval(value)
            size = None if kind.is_dynamic_dim(d) else kind.get_dim_size(d)
            slack = 1 if clipped[d] else extent
            if clipped[d] or (known is not None and size is not None and known[0] >= 0 and known[1] <= size - slack):
                continue
            if access.partial and extent > 1:
                continue
            with ir.InsertionPoint(access.op), access.op.location:
                limit = index(size) if size is not None else memref.dim(access.memref, index(d))
                allowed = limit if slack == 1 else arith.subi(limit, index(slack - 1))
                outside = arith.ori(
                    arith.cmpi(arith.CmpIPredicate.slt, value, index(0)), arith.cmpi(arith.CmpIPredicate.sge, value, allowed)
                )
                site = self.site(access.op)
                branch = scf.IfOp(outside)
                with ir.InsertionPoint(branch.then_block):
                    self.calls("allo_sim_out_of_bounds", site, value, limit)
                    scf.yield_([])
                safe = arith.select(outside, index(0), value)
            _replace_index(access, d, safe)


def _replace_index(access: Access, d: int, value: Any) -> None:
    """Makes the operation use `value` as its index of dimension `d`."""
    operands = list(access.op.operands)
    first = next(i for i, o in enumerate(operands) if o == access.memref) + 1
    access.op.operands[first + d] = value


def _here() -> Any:
    """The current insertion point, as a context."""
    return ir.InsertionPoint.current


def _clip(access: Access, d: int) -> Number:
    """Elements touched along dimension `d`: all of the extent, or what is left of the memref."""
    extent = access.extents[d]
    if not access.clipped or not access.clipped[d]:
        return extent
    kind = access.memref.type
    size = memref.dim(access.memref, index(d)) if kind.is_dynamic_dim(d) else index(kind.get_dim_size(d))
    return arith.minsi(arith.subi(size, access.indices[d]), index(extent))


def _key(op: Any) -> int:
    """A key for an operation's identity while the IR does not change; `hash(op)` is structural."""
    return hash(op.regions[0].blocks[0].arguments[0])


def _nests(op: Any) -> list[Any]:
    """The loops around `op` that its check can leave, outermost first: nested `scf.for`s free of synchronization."""
    loops: list[Any] = []
    parent = op.parent
    while parent is not None and parent.operation.name == "scf.for":
        loop = parent.operation
        if walk_named(loop, *SYNCHRONIZING):
            break
        loops.append(loop)
        parent = loop.parent
    return loops[::-1]


def _loops_between(outer: Any, op: Any) -> list[Any]:
    """The loops around `op` from `outer` inwards."""
    loops = []
    parent = op.parent.operation
    while True:
        loops.append(parent)
        if parent == outer:
            return loops[::-1]
        parent = parent.parent.operation


def _values_inside(loop: Any) -> set[Any]:
    found: set[Any] = set()

    def visit(o: Any) -> Any:
        if o != loop:
            found.update(o.results)
        for region in o.regions:
            for block in region.blocks:
                found.update(block.arguments)
        return ir.WalkResult.ADVANCE

    loop.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found


def _forms(loop: Any, members: list[Access]) -> list[list[Linear]] | None:
    """The linear forms of the members' indices if all their checks can stand around `loop`, else None.

    All accesses of the memory that the loop contains must be in `members`, in program order.
    """
    inside = _values_inside(loop)
    everything = []
    for access in members:
        if access.clipped or access.partial or access.strides is None or access.memref in inside:
            return None
        for each in _loops_between(loop, access.op):
            if any(bound in inside for bound in list(each.operands)[:3]):
                return None
        forms = [linear(v, inside) for v in access.indices]
        if any(f is None for f in forms):
            return None
        everything.append([f for f in forms if f is not None])
    return everything if _order_is_clear(members) else None


def _mixed(loop: Any, members: list[Access], group: list[Access]) -> list[Access]:
    """Accesses of the same memory in `loop` that are not `members` (they need not run), if there are writes among them all."""
    ours = {id(m) for m in members}
    others = [a for a in group if id(a) not in ours and _within(loop, a.op)]
    return others if any(a.writes for a in (*members, *others)) else []


def _within(loop: Any, op: Any) -> bool:
    """Whether `op` stands in `loop`."""
    parent = op.parent
    while parent is not None:
        if parent.operation == loop:
            return True
        parent = parent.operation.parent
    return False


def _leaders(members: list[Access]) -> list[Access]:
    """The accesses without an earlier one that has touched the same elements in the same iteration.

    Whatever element the nest touches, it is one of these that touches it first.
    """
    found: list[Access] = []
    for access in members:
        earlier = (e for e in found if (e.memref, e.indices, e.extents) == (access.memref, access.indices, access.extents))
        if not any(_holds(e.op.block, access.op) for e in earlier):
            found.append(access)
    return found


def _order_is_clear(members: list[Access]) -> bool:
    """Whether all elements are read first, or all written first, however the iterations overlap."""
    if not any(m.writes for m in members) or not any(m.reads for m in members):
        return True
    first = _leaders(members)
    return not any(m.writes for m in first) or not any(m.reads for m in first)


def _constant(access: Access, forms: list[Linear]) -> int:
    """The constant part of the offset of `access`, in elements."""
    return sum(f.constant * s for f, s in zip(forms, access.strides or [], strict=True))


def _pattern(loop: Any, access: Access, forms: list[Linear]) -> Any:
    """A key that accesses share which differ in the constant part of their offset only."""
    variable = tuple((frozenset(f.terms), frozenset(f.invariants)) for f in forms)
    loops = tuple(_key(each) for each in _loops_between(loop, access.op))
    return access.memref, access.extents, variable, loops


def _holds(block: Any, op: Any) -> bool:
    """Whether `op` is in `block` or in an operation of it."""
    while op is not None:
        if op.operation.block == block:
            return True
        op = op.operation.parent
        if op is None or op.operation.name == "func.func":
            return False
    return False
