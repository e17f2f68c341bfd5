"""Inserts shadow checks and bounds checks of memory accesses into a core's program.

A check is inserted at the access, or once for a whole loop nest without synchronization if the result is the same. That is
the case if the indices are linear in the nest's loop variables, the access runs in every iteration, and no other access of
the same memory in the nest can run earlier and change the result. The checked range is then exactly the set of accessed
elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.walking import walk_named
from allo_air.core_model.access import NAMES, Access, access_of
from allo_air.core_model.nodes import identity
from allo_air.mlir import arith, ir, memref, scf
from allo_air.sim.cores.build import Calls, Number, add, bounds_of, cast, index, mul, trip_count
from allo_air.sim.cores.linear import Linear, interval
from allo_air.sim.cores.nests import (
    constant_offset,
    forms_around,
    leaders,
    loops_between,
    nests,
    other_accesses,
    pattern,
    waiting,
)
from allo_air.sim.cores.ranges import Dimension, address, check, lattices, when_positive
from allo_air.sim.cores.roots import is_local, root_of

ANYWHERE = object()
"""The memory of accesses whose memref depends on the run: any of the buffers."""


@dataclass
class Instrumenter:
    """Instruments one function; `site(op)` creates, at the insertion point, the i32 value that identifies `op` in findings."""

    calls: Calls
    site: Callable[[Any], Any]

    def run(self, function: ir.Operation) -> None:
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
        waits = waiting(function)
        for group in groups.values():
            self._place(group, waits, plans)
        for access in accesses:
            self._bounds(access)
        for plan in plans:
            plan()

    def _place(self, group: list[Access], waits: set[int], plans: list[Callable[[], None]]) -> None:
        """Plans the checks of all accesses of one memory, each at the outermost possible nest."""
        results: dict[int, tuple[Any, list[Access]]] = {}
        chains = [nests(a.op, waits) for a in group]
        pending = list(range(len(group)))
        for depth in range(max(map(len, chains), default=0)):
            results.clear()
            for i in pending:
                if depth < len(chains[i]):
                    loop = chains[i][depth]
                    results.setdefault(identity(loop), (loop, []))[1].append(group[i])
            for loop, members in results.values():
                if other_accesses(loop, members, group):
                    continue
                forms = forms_around(loop, members)
                if forms is None:
                    continue
                hoisted = {id(m) for m in members}
                pending = [i for i in pending if id(group[i]) not in hoisted]
                plans.append(partial(self._hoist, loop, members, forms))
        for i in pending:
            plans.append(partial(self._in_place, group[i]))

    def _hoist(self, loop: ir.Operation, members: list[Access], forms: list[list[Linear]]) -> None:
        """Checks before `loop` the elements that it reads first, then those that it writes; adjacent accesses are joined."""
        first = leaders(members)
        reads = [i for i, m in enumerate(members) if m.reads and m in first]
        writes = [i for i, m in enumerate(members) if m.writes]
        for kind, chosen in (("read", reads), ("write", writes)):
            patterns: dict[Any, list[int]] = {}
            for i in chosen:
                patterns.setdefault(pattern(loop, members[i], forms[i]), []).append(i)
            for group in patterns.values():
                access = members[group[0]]
                constants = sorted({constant_offset(members[i], forms[i]) for i in group})
                with ir.InsertionPoint(loop), access.op.location:
                    for start, steps in lattices(constants):
                        self._nest_check(kind, loop, access, forms[group[0]], start, steps)

    def _nest_check(
        self, kind: str, loop: ir.Operation, access: Access, forms: list[Linear], constant: int, steps: list[tuple[int, int]]
    ) -> None:
        """Checks the elements that `access` touches in the nest: its constant offset becomes a lattice of (count, step)
        elements.
        """
        loops = loops_between(loop, access.op)
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
        with when_positive(guards) if guards else _insertion_context():
            check(self.calls, kind, address(access.memref, offset), dimensions, size, site)

    def _in_place(self, access: Access) -> None:
        if access.partial and access.reads:
            return
        with ir.InsertionPoint(access.op), access.op.location:
            site = self.site(access.op)
            kind = access.memref.type
            strides: Sequence[Number] = access.strides or ()
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
            with when_positive(dynamic) if dynamic else _insertion_context():
                base = address(access.memref, offset)
                for name, flag in (("read", access.reads), ("write", access.writes)):
                    if flag:
                        check(self.calls, name, base, dimensions, size, site)

    def _bounds(self, access: Access) -> None:
        """Checks each index that may be out of bounds. Such an index is reported and replaced by 0."""
        kind = access.memref.type
        clipped = access.clipped or (False,) * kind.rank
        for d, (value, extent) in enumerate(zip(access.indices, access.extents, strict=True)):
            range_ = interval(value)
            size = None if kind.is_dynamic_dim(d) else kind.get_dim_size(d)
            slack = 1 if clipped[d] else extent
            if clipped[d] or (range_ is not None and size is not None and range_[0] >= 0 and range_[1] <= size - slack):
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


def _replace_index(access: Access, d: int, value: ir.Value) -> None:
    """Makes the operation use `value` as its index of dimension `d`."""
    operands = list(access.op.operands)
    first = next(i for i, o in enumerate(operands) if o == access.memref) + 1
    access.op.operands[first + d] = value


def _insertion_context() -> Any:
    """The current insertion point, as a context."""
    return ir.InsertionPoint.current


def _clip(access: Access, d: int) -> Number:
    """Number of elements accessed along dimension `d`: the extent, or the remaining elements of the memref."""
    extent = access.extents[d]
    if not access.clipped or not access.clipped[d]:
        return extent
    kind = access.memref.type
    size = memref.dim(access.memref, index(d)) if kind.is_dynamic_dim(d) else index(kind.get_dim_size(d))
    return arith.minsi(arith.subi(size, access.indices[d]), index(extent))
