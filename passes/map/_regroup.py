"""Dimensions of a kernel are merged, cut in two, or padded: every tensor, loop and map at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from math import prod

from allo_air.mlir import affine, ir, linalg
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes.map._dimensions import Dimensions
from allo_air.passes.map._kernel import Kernel


@dataclass(frozen=True)
class Group:
    """Neighbouring dimensions that become others: of `extents` in row-major order, which may hold more elements (padding)."""

    members: tuple[int, ...]
    extents: tuple[int, ...]


def regroup(kernel: Kernel, dimensions: Dimensions, groups: Sequence[Group]) -> None:
    """Rewrites `kernel` in place; no member of a group is rigid, and where one is in a tensor, all are, side by side."""
    plan = _Plan(dimensions, groups)
    types = {v: plan.type_of(v) for v in dimensions.values}
    for op in kernel.ops:
        if op.name == "linalg.generic":
            plan.rewrite(op)
    for value, kind in types.items():
        if kind == value.type:
            continue
        value.set_type(kind)
        owner = value.owner
        if not isinstance(owner, ir.Block) and owner.name == "arith.constant":
            owner.attributes["value"] = ir.DenseElementsAttr.get_splat(kind, owner.attributes["value"].get_splat_value())
    kernel.function.attributes["function_type"] = ir.TypeAttr.get(
        ir.FunctionType.get([a.type for a in kernel.block.arguments], [v.type for v in kernel.returned])
    )


class _Plan:
    def __init__(self, dimensions: Dimensions, groups: Sequence[Group]):
        self.dimensions = dimensions
        number = count(len(dimensions.all))
        self.made = {g: [next(number) for _ in g.extents] for g in groups}
        self.of = {m: g for g in groups for m in g.members}
        self.extent = {n: e for g, made in self.made.items() for n, e in zip(made, g.extents, strict=True)}

    def changed(self, found: Sequence[int]) -> list[int]:
        """The new dimensions for old ones; a group stands where its first member was."""
        new: list[int] = []
        for one in found:
            group = self.of.get(one)
            for each in [one] if group is None else self.made[group]:
                if each not in new or group is None:
                    new.append(each)
        return new

    def type_of(self, value: ir.Value) -> ir.RankedTensorType:
        """The new type of a tensor."""
        old = self.dimensions.of(value)
        shape = dict(zip(old, value.type.shape, strict=True)) | self.extent
        return ir.RankedTensorType.get([shape[d] for d in self.changed(old)], value.type.element_type)

    def rewrite(self, op: ir.Operation) -> None:
        """Gives a linalg.generic its new loops and maps."""
        old = self.dimensions.loops(op)
        new = self.changed(old)
        kinds = dict(zip(old, op.attributes["iterator_types"], strict=True))
        kinds |= {n: kinds[g.members[0]] for g, made in self.made.items() for n in made if g.members[0] in kinds}
        at = {d: ir.AffineDimExpr.get(i) for i, d in enumerate(new)}
        maps = []
        for operand, indexing in zip(op.operands, indexing_maps(op), strict=True):
            moved = ir.AffineMap.get(len(new), 0, [at.get(d, ir.AffineConstantExpr.get(0)) for d in old])
            results: list[ir.AffineExpr] = []
            for dimension, expression in zip(self.dimensions.of(operand), indexing.results, strict=True):
                if dimension not in self.of:
                    results.append(expression.compose(moved))
                elif self.of[dimension].members[0] == dimension:
                    results += [at[d] for d in self.made[self.of[dimension]]]
            maps.append(ir.AffineMap.get(len(new), 0, results))
        self._indices(op, old, at)
        op.attributes["indexing_maps"] = ir.ArrayAttr.get([ir.AffineMapAttr.get(m) for m in maps])
        op.attributes["iterator_types"] = ir.ArrayAttr.get([kinds[d] for d in new])

    def _indices(self, op: ir.Operation, old: Sequence[int], at: Mapping[int, ir.AffineExpr]) -> None:
        """Loops' indices in the body, from those of the new loops."""
        for inner in [o.operation for o in op.regions[0].blocks[0] if o.operation.name == "linalg.index"]:
            dimension = old[inner.attributes["dim"].value]
            group = self.of.get(dimension)
            with ir.InsertionPoint(inner), inner.location:
                if group is None:
                    value = linalg.IndexOp(_position(at[dimension])).result
                else:
                    made = self.made[group]
                    indices = [linalg.IndexOp(_position(at[d])).result for d in made]
                    value = affine.AffineApplyOp(_old_index(self.dimensions, group, dimension), indices).result
            inner.results[0].replace_all_uses_with(value)
            inner.erase()


def _position(expression: ir.AffineExpr) -> int:
    return ir.AffineDimExpr(expression).position


def _old_index(dimensions: Dimensions, group: Group, member: int) -> ir.AffineMap:
    """The index along an old dimension, from those along the new ones."""
    linear: ir.AffineExpr = ir.AffineConstantExpr.get(0)
    for position in range(len(group.extents)):
        linear = linear + ir.AffineDimExpr.get(position) * prod(group.extents[position + 1 :])
    place = group.members.index(member)
    inner = prod(dimensions.all[m].extent for m in group.members[place + 1 :])
    found: ir.AffineExpr = ir.AffineExpr.get_floor_div(linear, inner)
    if place:
        found = ir.AffineExpr.get_mod(found, dimensions.all[member].extent)
    return ir.AffineMap.get(len(group.extents), 0, [found])
