"""lower-gather-to-copies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

from allo_air.core.cloning import clone_computed
from allo_air.core.constants import index_constant
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, arith, ir, memref, scf
from allo_air.passes._analysis.gather_pattern import OneHotGather, one_hot_gather_of
from allo_air.passes._analysis.structured import indexing_maps, loop_extents
from allo_air.passes._ir.constants import Indices


@dataclass(frozen=True)
class LowerGatherToCopies(Pass):
    """Lowers a gather of table rows to copies, instead of comparing each row's number with each index.

    A one-hot gather is a linalg.generic on buffers that keeps, for each index, the table element with an equal number. It
    becomes a loop over the indices that copies the row if the local part of the table contains it. Other operations stay.

    Before:

        linalg.generic {(d0, d1, d2) -> (d0), (d2, d1), (d0, d1)} ["parallel", "parallel", "reduction"]
            ins(%i, %table : memref<16xi32, 2>, memref<50x64xf32, 2>) outs(%r : memref<16x64xf32, 2>) {
          yield (arith.select (%in == linalg.index 2 + %first), %element, %out) }

    After:

        scf.for %n = %c0 to %c16 step %c1 {
          %place = arith.index_cast (memref.load %i[%n])
          %row = arith.subi %place, %first
          scf.if (arith.cmpi ult, %row, %c50) {
            memref.copy (memref.subview %table[%row, 0] [1, 64]), (memref.subview %r[%n, 0] [1, 64])
    """

    name = "lower-gather-to-copies"
    works_on = ("linalg.generic",)

    def run(self, op: AnyOp, /) -> None:
        for generic in walk_named(op, "linalg.generic"):
            if generic.results or not all(isinstance(v.type, ir.MemRefType) for v in generic.operands):
                continue
            result = one_hot_gather_of(generic)
            if result is not None and all(v.type.has_static_shape for v in generic.operands):
                with ir.InsertionPoint(generic), generic.location:
                    _emit(result)
                generic.erase()


def _emit(item: OneHotGather) -> None:
    extents, location = loop_extents(item.op), item.op.location
    zero, one = index_constant(0, location), index_constant(1, location)
    bases = [None if p.base.is_(0) else Indices().value(p.base, item.op) for p in item.indices]
    limits = [index_constant(extents[d], location) for d in item.loops]

    def emit_loops(indices: dict[int, ir.Value]) -> None:
        if len(indices) == len(item.loops):
            _copy_selected(item, indices, bases, extents)
            return
        loop = scf.ForOp(zero, limits[len(indices)], one)
        with ir.InsertionPoint(loop.body):
            emit_loops({**indices, item.loops[len(indices)]: loop.induction_variable})
            scf.YieldOp([])

    emit_loops({})


def _copy_selected(item: OneHotGather, indices: dict[int, ir.Value], bases: list[ir.Value | None], extents: list[int]) -> None:
    """Copies the elements that the indices in `indices` select, if they are in the local part of the table."""
    op, maps = item.op, indexing_maps(item.op)
    [block] = op.regions[0].blocks
    numbers = {o.results[0]: int(o.attributes["dim"].value) for o in block.operations if o.operation.name == "linalg.index"}
    mapping: dict[Any, Any] = {value: indices[loop] for value, loop in numbers.items() if loop in indices}
    for number, argument in enumerate(block.arguments):
        if number != item.table and all(_loop(e) in indices for e in maps[number].results) and list(argument.uses):
            mapping[argument] = memref.load(op.operands[number], [indices[_loop(e)] for e in maps[number].results])
    rows, conditions = dict(indices), []
    for match, base in zip(item.indices, bases, strict=True):
        place = clone_computed(match.place, block, mapping)
        if base is not None:
            place = arith.subi(place, base if base.type == place.type else arith.index_cast(place.type, base))
        limit = ir.IntegerAttr.get(place.type, extents[match.loop])
        conditions.append(arith.cmpi(arith.CmpIPredicate.ult, place, arith.constant(place.type, limit)))
        index = ir.IndexType.get()
        rows[match.loop] = place if place.type == index else arith.index_cast(index, place)
    branch = scf.IfOp(reduce(arith.andi, conditions))
    with ir.InsertionPoint(branch.then_block):
        source, target = op.operands[item.table], op.operands[len(op.operands) - 1]
        if item.rest:
            memref.CopyOp(_subview_of_rows(source, maps[item.table], rows), _subview_of_rows(target, maps[len(maps) - 1], rows))
        else:
            value = memref.load(source, [rows[_loop(e)] for e in maps[item.table].results])
            memref.store(value, target, [rows[_loop(e)] for e in maps[len(maps) - 1].results])
        scf.YieldOp([])


def _loop(expression: ir.AffineExpr) -> int:
    return int(ir.AffineDimExpr(expression).position)


def _subview_of_rows(buffer: ir.Value, mapping: ir.AffineMap, rows: dict[int, ir.Value]) -> Any:
    """The part of a buffer at `rows`; the dimensions of other loops are taken whole."""
    dynamic = ir.ShapedType.get_dynamic_size()
    shape, loops = list(buffer.type.shape), [_loop(e) for e in mapping.results]
    offsets = [dynamic if d in rows else 0 for d in loops]
    sizes = [1 if d in rows else n for d, n in zip(loops, shape, strict=True)]
    row_shape = [n for d, n in zip(loops, shape, strict=True) if d not in rows]
    strides, start = buffer.type.get_strides_and_offset()
    own = [s for d, s in zip(loops, strides, strict=True) if d not in rows]
    values = [rows[d] for d in loops if d in rows]
    layout = ir.StridedLayoutAttr.get(ir.ShapedType.get_dynamic_stride_or_offset() if values else start, own)
    kind = ir.MemRefType.get(row_shape, buffer.type.element_type, layout, buffer.type.memory_space)
    return memref.SubViewOp(kind, buffer, values, [], [], offsets, sizes, [1] * len(shape)).result
