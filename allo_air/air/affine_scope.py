"""Rewrites `affine` operations that programs build in hierarchies in forms that verify there (see `allo_air.asm.affine`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from allo_air.core.affine import IntegerSet
from allo_air.core.walking import walk_named, walk_post_order
from allo_air.dialects import air as _air
from allo_air.mlir import affine, arith, ir, memref, scf, vector

if TYPE_CHECKING:
    from collections.abc import Sequence


def hold_affine(module: Any) -> None:
    """Rewrites `affine.if`, loads, stores, and loops whose bounds are values, in the hierarchies of `module`."""
    for hierarchy in walk_named(module, "air.launch", "air.segment", "air.herd"):
        for op in walk_post_order(hierarchy):
            if rewrite := _REWRITES.get(op.name):
                with op.location, ir.InsertionPoint(op):
                    rewrite(op)


def _replace(op: ir.Operation, values: Sequence[ir.Value]) -> None:
    for old, new in zip(op.results, values, strict=True):
        old.replace_all_uses_with(new)
    op.erase()


def _adopt(old: ir.Region, new: ir.Region, end: Callable[[list[ir.Value]], object]) -> None:
    """Moves the block of `old`, if there is one, to `new`; `end` builds its terminator."""
    if not len(old.blocks):
        return
    old.blocks[0].append_to(new)
    last = list(new.blocks[0].operations)[-1].operation
    with last.location, ir.InsertionPoint(last):
        end(list(last.operands))
    last.erase()


def _if(op: ir.Operation) -> None:
    condition = op.attributes["condition"]
    types, dims = [r.type for r in op.results], IntegerSet.of(condition).dims
    result = _air.IfOp(args=list(op.operands), values=types, condition=condition, dims=dims).operation
    for old, new in zip(op.regions, result.regions, strict=True):
        _adopt(old, new, lambda values: _air.YieldOp(values=values))
    _replace(op, result.results)


def _for(op: ir.Operation) -> None:
    """Rewrites a loop with a dynamic bound as scf.for."""
    lower, upper, _ = ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"])
    if not lower + upper:
        return
    operands = list(op.operands)
    low = _bound(op.attributes["lowerBoundMap"], operands[:lower], affine.AffineMaxOp)
    high = _bound(op.attributes["upperBoundMap"], operands[lower : lower + upper], affine.AffineMinOp)
    step = arith.ConstantOp(ir.IndexType.get(), ir.IntegerAttr(op.attributes["step"]).value).result
    result = ir.Operation.create(
        "scf.for", [r.type for r in op.results], [low, high, step, *operands[lower + upper :]], regions=1
    )
    _adopt(op.regions[0], result.regions[0], scf.YieldOp)
    _replace(op, result.results)


def _bound(attribute: ir.Attribute, operands: Sequence[ir.Value], several: Any) -> Any:
    map_ = ir.AffineMapAttr(attribute).value
    return (affine.AffineApplyOp if len(map_.results) == 1 else several)(map_, operands).result


def _indices(op: ir.Operation, first: int) -> list[Any]:
    """The results of the map of `op`, applied to its operands from `first` on."""
    map_, operands = ir.AffineMapAttr(op.attributes["map"]).value, list(op.operands)[first:]
    single_maps = [ir.AffineMap.get(map_.n_dims, map_.n_symbols, [result]) for result in map_.results]
    return [affine.AffineApplyOp(m, operands).result for m in single_maps]


def _load(op: ir.Operation) -> None:
    _replace(op, [memref.LoadOp(op.operands[0], _indices(op, 1)).result])


def _store(op: ir.Operation) -> None:
    memref.StoreOp(op.operands[0], op.operands[1], _indices(op, 2))
    op.erase()


def _vector_load(op: ir.Operation) -> None:
    _replace(op, [vector.LoadOp(op.results[0].type, op.operands[0], _indices(op, 1)).result])


def _vector_store(op: ir.Operation) -> None:
    vector.StoreOp(op.operands[0], op.operands[1], _indices(op, 2))
    op.erase()


_REWRITES: dict[str, Callable[[ir.Operation], None]] = {
    "affine.if": _if,
    "affine.for": _for,
    "affine.load": _load,
    "affine.store": _store,
    "affine.vector_load": _vector_load,
    "affine.vector_store": _vector_store,
}
