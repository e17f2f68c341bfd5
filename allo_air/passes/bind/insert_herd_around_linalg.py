"""insert-herd-around-linalg."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air import dialects
from allo_air.core.constants import index_constant
from allo_air.core.diagnostics import error_at
from allo_air.core.loops import PARALLEL
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import enclosing, walk_named, walk_pre_order
from allo_air.dialects.air import L1, HerdOp, LaunchOp, SegmentOp
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, ir, memref, scf
from allo_air.passes._analysis.memory import is_in
from allo_air.passes._analysis.structured import first_output, indexing_maps, is_structured, loop_extents, loops_in, reductions
from allo_air.passes._analysis.views import chain
from allo_air.passes._ir.names import Names
from allo_air.passes.bind._outline import wrapped

_COPIES = ("linalg.copy",)
_HIERARCHIES = ("air.launch", "air.segment", "air.herd")


@dataclass(frozen=True)
class InsertHerdAroundLinalg(Pass):
    """Moves linalg operations on L2 or L3 buffers that are outside of herds into herds of one core.

    The core gets its operands in L1, in tiles of up to `bytes` bytes, or three times as many if no more loops can be tiled.
    Loops are tiled from the outermost inwards, if they are parallel and index the operands alone. An operation on host buffers
    outside of launches gets a launch of its own. Copies, operations on L1 buffers, and functions without AIR operations stay.
    Errors: an operation in a launch or segment that does not fit in L1, has dynamic sizes, or has linalg.index and needs tiles.

    Before:

        air.segment @s {
          %m = memref.alloc() : memref<64xi32, 1>
          linalg.fill ins(%c5 : i32) outs(%m : memref<64xi32, 1>)

    After:

        air.segment @s {
          %m = memref.alloc() : memref<64xi32, 1>
          air.herd @fill_0 tile (%i, %j) in (%x=%c1, %y=%c1) args(%n=%m) : memref<64xi32, 1> {
            %t = memref.alloc() : memref<64xi32, 2>
            linalg.fill ins(%c5 : i32) outs(%t : memref<64xi32, 2>)
            memref.copy %t, %n : memref<64xi32, 2> to memref<64xi32, 1>
            memref.dealloc %t : memref<64xi32, 2>
          }
    """

    name = "insert-herd-around-linalg"
    anchor = "builtin.module"
    bytes: int = 16384
    """Number of bytes of the tiles of all operands."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        names = Names(op)
        for function in walk_named(op, "func.func"):
            if not walk_named(function, *_HIERARCHIES):
                continue
            for work in [o for o in walk_pre_order(function) if _is_outside(o)]:
                tiles = self._tiles(work)
                if not isinstance(tiles, str):
                    _wrap(work, tiles, names)
                elif enclosing(work, *_HIERARCHIES) is not None:
                    raise error_at(work, f"works on L2 or L3 outside of herds, and {tiles}; move it into a herd")

    def _tiles(self, work: ir.Operation) -> list[int] | str:
        """The extent of a tile in each loop; the reason, as text, if there is no tile."""
        kinds = [v.type for v in work.operands if isinstance(v.type, ir.MemRefType)]
        if not all(k.has_static_shape for k in kinds):
            return "its operands have dynamic sizes"
        maps = indexing_maps(work)
        alone = [d.position for m in maps for d in map(_dim, m.results) if d is not None]
        mixed = {d for m in maps for e in m.results if _dim(e) is None for d in loops_in(e)}
        tiles = loop_extents(work)
        for loop, reduces in enumerate(reductions(work)):
            if _size(work, maps, tiles) <= self.bytes:
                break
            if reduces or loop in mixed or loop not in alone:
                continue
            whole = tiles[loop]
            for part in (n for n in range(whole, 0, -1) if whole % n == 0):
                tiles[loop] = part
                if _size(work, maps, tiles) <= self.bytes:
                    break
        if _size(work, maps, tiles) > 3 * self.bytes:
            return "its operands do not fit in a core's L1"
        if tiles != loop_extents(work) and walk_named(work, "linalg.index"):
            return "its operands do not fit in a core's L1 whole, as linalg.index requires"
        return tiles


def _is_outside(op: ir.Operation) -> bool:
    """Whether `op` is work on memory that no core does."""
    kinds = [v.type for v in op.operands if isinstance(v.type, ir.MemRefType)]
    return (
        is_structured(op)
        and op.name not in _COPIES
        and bool(kinds)
        and not op.results
        and not any(is_in(k, L1) for k in kinds)
        and enclosing(op, "air.herd", *PARALLEL) is None
        and not (op.name == "linalg.broadcast" and len({str(k.memory_space) for k in kinds}) > 1)
    )


def _dim(expression: ir.AffineExpr) -> Any:
    return ir.AffineDimExpr(expression) if isinstance(expression, ir.AffineDimExpr) else None


def _shape(value: ir.Value, indexing: ir.AffineMap, tiles: list[int]) -> list[int]:
    """The shape of the part of an operand that a tile of the loops uses."""
    dims = map(_dim, indexing.results)
    return [n if d is None else tiles[d.position] for d, n in zip(dims, value.type.shape, strict=True)]


def _size(work: ir.Operation, maps: list[ir.AffineMap], tiles: list[int]) -> int:
    """Bytes of the tiles of all operands."""
    pairs = [(v, m) for v, m in zip(work.operands, maps, strict=True) if isinstance(v.type, ir.MemRefType)]
    return sum(prod(_shape(v, m, tiles)) * -(-(element_bits(v.type, index=32) or 64) // 8) for v, m in pairs)


def _wrap(work: ir.Operation, tiles: list[int], names: Names) -> None:
    """Moves `work` into a herd, in tiles."""
    extents, before = loop_extents(work), work.block
    stem = work.name.removeprefix("linalg.")
    first = [o.operation for o in before.operations].index(work)
    with work.location, ir.InsertionPoint(work):
        starts: list[ir.Value | int] = [0] * len(tiles)
        bases = {v: _base_of(chain(v), v) for v in work.operands if isinstance(v.type, ir.MemRefType)}
        _in_loops(work, bases, tiles, extents, starts, 0)
    end = [o.operation for o in before.operations].index(work)
    inner_ops = [o.operation for o in before.operations][first:end]
    work.erase()
    with inner_ops[0].location, ir.InsertionPoint(inner_ops[0]):
        sizes = [index_constant(1), index_constant(1)]
    herd = wrapped(inner_ops, HerdOp, sizes=sizes, sym_name=names.fresh(stem))
    host = all(is_in(v.type, 0) for v in herd.args if isinstance(v.type, ir.MemRefType))
    if host and enclosing(herd, "air.launch") is None:
        launch = wrapped([herd.operation], LaunchOp)
        inner = [o.operation for o in launch.block.operations][:-1]
        wrapped(inner, SegmentOp, sym_name=names.fresh(sym_name_of(enclosing(launch, "func.func"))))


def _base_of(views: list[ir.Operation], value: ir.Value) -> ir.Value:
    """`value`, through copies of its views."""
    for view in views:
        copy = view.operation.clone()
        if view is not views[0]:
            copy.operands[0] = value
        value = copy.results[0]
    return value


def _in_loops(
    work: ir.Operation, bases: dict[ir.Value, ir.Value], tiles: list[int], extents: list[int], starts: list[Any], loop: int
) -> None:
    """Emits the loops from number `loop` on, and in the innermost one the work on a tile."""
    if loop == len(tiles):
        _on_tile(work, bases, tiles, starts)
    elif tiles[loop] == extents[loop]:
        _in_loops(work, bases, tiles, extents, starts, loop + 1)
    else:
        loop_op = scf.ForOp(index_constant(0), index_constant(extents[loop]), index_constant(tiles[loop]))
        with ir.InsertionPoint(loop_op.body):
            _in_loops(work, bases, tiles, extents, [*starts[:loop], loop_op.induction_variable, *starts[loop + 1 :]], loop + 1)
            scf.YieldOp([])


def _on_tile(work: ir.Operation, bases: dict[ir.Value, ir.Value], tiles: list[int], starts: list[Any]) -> None:
    """Copies the operands' tiles to L1, does the work, and copies the results back."""
    space = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), L1)
    body, outputs = work.regions[0].blocks[0], first_output(work)
    operands: list[Any] = []
    tile_of: list[tuple[Any, Any]] = []
    for number, (value, indexing) in enumerate(zip(work.operands, indexing_maps(work), strict=True)):
        if not isinstance(value.type, ir.MemRefType):
            operands.append(value)
            continue
        shape = _shape(value, indexing, tiles)
        whole = bases[value]
        if shape != list(value.type.shape):
            offsets = [0 if d is None else starts[d.position] for d in map(_dim, indexing.results)]
            whole = memref.subview(whole, offsets, shape, [1] * len(shape))
        near = memref.AllocOp(ir.MemRefType.get(shape, value.type.element_type, memory_space=space), [], []).memref
        is_covered = all(_dim(e) is not None for e in indexing.results)
        if number < outputs or not is_covered or len(list(body.arguments[number].uses)):
            memref.CopyOp(whole, near)
        operands.append(near)
        tile_of.append((near, whole if number >= outputs else None))
    copy = work.clone()
    for number, value in enumerate(operands):
        copy.operands[number] = value
    for near, whole in tile_of:
        if whole is not None:
            memref.CopyOp(near, whole)
    for near, _ in tile_of:
        memref.DeallocOp(near)
