"""herd-l1-transfers."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product, takewhile

from allo_air import dialects
from allo_air.core.affine import IntegerSet
from allo_air.core.constants import constant_of, index_constant
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import is_result_of, parents, walk_named
from allo_air.dialects.air import L1, HerdOp
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.memory import is_in
from allo_air.passes.bind._cascade import if_at
from allo_air.passes.bind._outline import arranged, fill
from allo_air.passes.bind._parts import has_parts, is_in_part, take_part

_ACCESSES = ("air.dma_memcpy_nd", "air.channel.put", "air.channel.get", "linalg.fill")


@dataclass(frozen=True)
class HerdL1Transfers(Pass):
    """Moves transfers and fills of L1 buffers from a segment into the core that owns the buffer, as a phase of its herd.

    The core is the only one, or the only one in a row whose branch of an `affine.if` touches the buffer. Herds with the same
    name are phases of the same cores. If several cores use the buffer, each has a copy: all cores execute a fill, or a transfer
    into the buffer. If the ids of each core select its part of the buffer, each core transfers its part. Other transfers from
    the buffer stay, and are rejected later, since it is unknown which core's copy they read.

    Before:

        air.segment @s args(%p=%a) : memref<8xi32> {
          %m = memref.alloc() : memref<8xi32, 2>
          air.dma_memcpy_nd (%m[] [] [], %p[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
          air.herd @h tile (%i, %j) in (%x=%c1, %y=%c1) args(%n=%m) : memref<8xi32, 2> { ... }
        }

    After:

          air.herd @h tile (%i, %j) in (%x=%c1, %y=%c1) args(%n=%m, %q=%p) : memref<8xi32, 2>, memref<8xi32> {
            air.dma_memcpy_nd (%n[] [] [], %q[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
          }
          air.herd @h tile (%i, %j) in (%x=%c1, %y=%c1) args(%n=%m) : memref<8xi32, 2> { ... }
    """

    name = "herd-l1-transfers"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        for segment in walk_named(op, "air.segment"):
            for access in walk_named(segment, *_ACCESSES):
                if not any(p.name == "air.herd" for p in parents(access)) and (owner := _owner_of(access)) is not None:
                    _wrap(access, owner)


@dataclass(frozen=True)
class Owner:
    """The herd that executes an access on `core`, or on all cores (None); with `in_parts`, each core accesses its part."""

    herd: ir.Operation
    core: tuple[int, ...] | None
    in_parts: bool = False


def _owner_of(access: ir.Operation) -> Owner | None:
    """The owner of the L1 buffer of `access`; None if there is none, or if it is unknown."""
    if access.results:
        return None
    for value in access.operands:
        if isinstance(value.type, ir.MemRefType) and is_in(value.type, L1):
            herds = [u.owner.operation for u in value.uses if u.owner.name == "air.herd"]
            names = {sym_name_of(h) if "sym_name" in h.attributes else "" for h in herds}
            if len(names) == 1 and "" not in names:
                cores = {core for h in herds for core in _cores(h, value)}
                if len(cores) == 1:
                    return Owner(herds[0], cores.pop())
                return _several(access, value, herds)
    return None


def _several(access: ir.Operation, buffer: ir.Value, herds: list[ir.Operation]) -> Owner | None:
    """The owner, if all cores of `herds` use the buffer."""
    if access.name == "linalg.fill":
        return Owner(herds[0], None)
    if access.name != "air.dma_memcpy_nd":
        return None
    sizes = [constant_of(s) for s in herds[0].opview.sizes]
    if sizes == buffer.type.shape[:2] and has_parts(access, buffer) and all(_uses_parts(h, buffer) for h in herds):
        return Owner(herds[0], None, in_parts=True)
    return Owner(herds[0], None) if access.opview.dst == buffer else None


def _cores(herd: ir.Operation, buffer: ir.Value) -> set[tuple[int, ...]]:
    """The cores that execute an operation on `buffer`, from the enclosing `affine.if` operations; all if there is none."""
    sizes = [constant_of(s) for s in herd.opview.sizes]
    if any(s is None for s in sizes) or 1 not in sizes:
        return set()
    cores = list(product(*(range(s) for s in sizes if s is not None)))
    if len(cores) == 1:
        return set(cores)
    args = [a for a, passed in zip(herd.opview.body_args, herd.opview.args, strict=True) if passed == buffer]
    uses = [use.owner.operation for a in args for use in a.uses]
    return {core for core in cores for use in uses if _executes(core, use, herd)} or set(cores)


def _executes(core: tuple[int, ...], op: ir.Operation, herd: ir.Operation) -> bool:
    ids = herd.opview.ids
    inner = op
    for outer in takewhile(lambda p: p != herd, parents(op)):
        if outer.name in ("affine.if", "air.affine_if") and all(v in ids for v in outer.operands):
            condition = IntegerSet.of(outer.attributes["condition"])
            point = [core[ids.index(v)] for v in outer.operands]
            then = inner.block == outer.regions[0].blocks[0]
            if condition.contains(point[: condition.dims], point[condition.dims :]) != then:
                return False
        inner = outer
    return True


def _uses_parts(herd: ir.Operation, buffer: ir.Value) -> bool:
    """Whether each core accesses its part of the buffer, by its ids as the first two indices, or fills it."""
    ids = list(herd.opview.ids)
    args = [a for a, passed in zip(herd.opview.body_args, herd.opview.args, strict=True) if passed == buffer]
    for use in (u for a in args for u in a.uses):
        op = use.owner.operation
        if op.name != "linalg.fill" and not is_in_part(op, use.operand_number, ids):
            return False
    return True


def _wrap(access: ir.Operation, owner: Owner) -> None:
    herd, core = owner.herd, owner.core
    sizes = [constant_of(s) for s in herd.opview.sizes]
    with access.location as location, ir.InsertionPoint(access):
        values = list(dict.fromkeys(access.operands))
        constants = [v for v in values if is_result_of(v, "arith.constant")]
        args = arranged([v for v in values if v not in constants])
        phase = HerdOp.build([index_constant(s) for s in sizes if s is not None], args, sym_name=sym_name_of(herd))
        fill(phase, [access], dict(zip(args, phase.body_args, strict=True)), constants)
        axis = next((n for n, s in enumerate(sizes) if s != 1), None)
    if owner.in_parts:
        take_part(access, list(phase.ids))
    elif axis is not None and core is not None:
        with ir.InsertionPoint(access):
            if_at(phase, axis, core[axis], location, lambda: access.clone())
        access.erase()
