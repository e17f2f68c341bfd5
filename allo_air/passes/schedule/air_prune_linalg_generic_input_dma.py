"""air-prune-linalg-generic-input-dma."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import enclosing, parents, walk_named
from allo_air.dialects.air_values import HIERARCHIES, outer_operand
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import VIEWS, root_of
from allo_air.passes._analysis.structured import first_output, indexing_maps
from allo_air.passes._ir.tokens import deps_of, joined

_FREES = ("memref.dealloc", "air.execute_terminator")


@dataclass(frozen=True)
class AirPruneLinalgGenericInputDma(Pass):
    """Removes copies into a whole memref if the next user of the buffer is a `linalg.generic` whose body does not read it.

    If the generic writes the whole buffer, the buffer may be read afterwards. Otherwise, the copy is removed only if the buffer
    is allocated in the same hierarchy and has no other use. Operations that waited for the copy wait for its dependences
    instead.

    Before:

        air.dma_memcpy_nd (%b[] [] [], %m[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
        linalg.generic {...} ins(%a : memref<8xi32, 2>) outs(%b : memref<8xi32, 2>) {
        ^bb0(%in: i32, %out: i32):
          linalg.yield %in : i32
        }

    After:

        linalg.generic {...} ins(%a : memref<8xi32, 2>) outs(%b : memref<8xi32, 2>) { ... }
    """

    name = "air-prune-linalg-generic-input-dma"
    anchor = "func.func"
    works_on = ("air.*",)

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        for copy in walk_named(op, "air.dma_memcpy_nd"):
            if not list(copy.opview.dst_sizes) and _is_overwritten(copy):
                for result in copy.results:
                    result.replace_all_uses_with(joined(deps_of(copy), copy))
                copy.erase()


def _is_overwritten(copy: AnyOp) -> bool:
    """Whether nothing reads the data of `copy`, since the next user of the buffer is a generic that does not read it."""
    outer = enclosing(copy, *HIERARCHIES, "func.func")
    memref = copy.opview.dst
    root = root_of(memref)
    users = [user for user in _users(outer, root) if user != copy]
    if any(_op_in_block(user, copy.block) is None or _renames(user) for user in users):
        return False
    order = [o.operation for o in copy.block.operations]
    here = order.index(copy)
    places = {user: order.index(_op_in_block(user, copy.block)) for user in users}
    later = sorted((u for u in users if places[u] > here), key=places.__getitem__)
    if not later or here in places.values():
        return False
    first = later[0]
    if first.name != "linalg.generic" or not _ignores(first, root):
        return False
    return (len(users) == 1 and _is_allocated_in(outer, root)) or _writes_whole(first, memref)


def _users(scope: AnyOp, root: ir.Value) -> Iterator[Any]:
    """The operations of a hierarchy or function `scope`, outside nested hierarchies, that use `root` or a view of it."""
    for region in scope.regions:
        for block in region.blocks:
            for op in (o.operation for o in block.operations):
                if op.name not in (*VIEWS, *_FREES) and any(_is_of(v, root) for v in op.operands):
                    yield op
                if op.name not in HIERARCHIES:
                    yield from _users(op, root)


def _is_of(value: ir.Value, root: ir.Value) -> bool:
    return _is_memref(value) and root_of(value) == root


def _is_memref(value: ir.Value) -> bool:
    return isinstance(value.type, ir.MemRefType | ir.UnrankedMemRefType)


def _renames(user: AnyOp) -> bool:
    """Whether a result of `user` may be the same buffer."""
    return any(_is_memref(result) for result in user.results)


def _is_allocated_in(scope: AnyOp, root: ir.Value) -> bool:
    """Whether `root` is allocated directly in `scope`, so that no operation outside can use it."""
    if not isinstance(root, ir.OpResult) or root.owner.name not in ("memref.alloc", "memref.alloca"):
        return False
    return next((p for p in parents(root.owner) if p.name in HIERARCHIES or p == scope), None) == scope


def _op_in_block(op: AnyOp, block: ir.Block) -> Any:
    """The operation of `block` that is or contains `op`; None if there is none, or a loop or branch is in between."""
    for ancestor in (op, *(p.operation for p in parents(op))):
        if ancestor.block == block:
            return ancestor
        if ancestor != op and ancestor.name != "air.execute":
            return None
    return None


def _ignores(generic: ir.Operation, root: ir.Value) -> bool:
    """Whether the body of `generic` reads no element of the buffer `root`."""
    arguments = generic.regions[0].blocks[0].arguments
    own_arguments = [a for operand, a in zip(generic.operands, arguments, strict=True) if _is_of(operand, root)]
    return not any(list(a.uses) for a in own_arguments)


def _writes_whole(generic: AnyOp, memref: ir.Value) -> bool:
    """Whether `generic` writes all elements of `memref`: it is, or is a part of, an output that the loops cover."""
    inputs = first_output(generic)
    outputs = list(generic.operands)[inputs:]
    whole = [v for v, m in zip(outputs, indexing_maps(generic)[inputs:], strict=True) if m.is_projected_permutation]
    buffer: Any = memref
    while buffer not in whole:
        if isinstance(buffer, ir.OpResult) and buffer.owner.name in VIEWS:
            buffer = buffer.owner.operands[0]
        elif (buffer := outer_operand(buffer)) is None:
            return False
    return True
