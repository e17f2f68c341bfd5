"""Merges, splits or pads dimensions of a kernel in all its tensors, loops and maps at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from math import prod

from allo_air.core.names import set_function_type
from allo_air.core.walking import defining_op
from allo_air.mlir import affine, ir
from allo_air.mlir import linalg_views as linalg
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes._ir.generic import maps_attr
from allo_air.passes.map._dimensions import Dimensions
from allo_air.passes.map._kernel import Kernel


@dataclass(frozen=True)
class Group:
    """Adjacent dimensions that are replaced by dimensions of `extents`, in row-major order, possibly with more elements
    (padding).
    """

    members: tuple[int, ...]
    extents: tuple[int, ...]


def reshape_iteration_space(kernel: Kernel, dimensions: Dimensions, groups: Sequence[Group]) -> None:
    """Rewrites `kernel` in place. No member of a group may be rigid; a tensor with one member has all of them, adjacent."""
    plan = _Plan(dimensions, groups)
    types = {v: plan.type_of(v) for v in dimensions.values}
    for op in kernel.ops:
        if op.name == "linalg.generic":
            plan.rewrite(op)
    for value, kind in types.items():
        if kind == value.type:
            continue
        value.set_type(kind)
        owner = defining_op(value, "arith.constant")
        if owner is not None:
            owner.attributes["value"] = ir.DenseElementsAttr.get_splat(kind, owner.attributes["value"].get_splat_value())
    set_function_type(kernel.function)


class _Plan:
    def __init__(self, dimensions: Dimensions, groups: Sequence[Group]):
        self.dimensions = dimensions
        number = count(len(dimensions.all))
        self.new_dims = {g: [next(number) for _ in g.extents] for g in groups}
        self.of = {m: g for g in groups for m in g.members}
        self.extent = {n: e for g, item in self.new_dims.items() for n, e in zip(item, g.extents, strict=True)}

    def changed(self, dims: Sequence[int]) -> list[int]:
        """The new dimensions for the old ones; a group takes the position of its first member."""
        return [new for dim in dims for new in self._new(dim)]

    def _new(self, dimension: int) -> list[int]:
        """The replacement of an old dimension; empty for the other members of a group."""
        group = self.of.get(dimension)
        if group is None:
            return [dimension]
        return self.new_dims[group] if group.members[0] == dimension else []

    def type_of(self, value: ir.Value) -> ir.RankedTensorType:
        """The new type of a tensor."""
        old = self.dimensions.of(value)
        shape = dict(zip(old, value.type.shape, strict=True)) | self.extent
        return ir.RankedTensorType.get([shape[d] for d in self.changed(old)], value.type.element_type)

    def rewrite(self, op: ir.Operation) -> None:
        """Gives a linalg.generic its new loops and maps."""
        old = self.dimensions.loops(op)
        number = count()
        places = [[next(number) for _ in self._new(d)] for d in old]  # for each old loop, the numbers of its new loops
        total = next(number)
        moved = ir.AffineMap.get(
            total,
            0,
            [_loop(p[0]) if d not in self.of else ir.AffineConstantExpr.get(0) for d, p in zip(old, places, strict=True)],
        )
        maps = []
        for operand, indexing in zip(op.operands, indexing_maps(op), strict=True):
            results: list[ir.AffineExpr] = []
            for dimension, expression in zip(self.dimensions.of(operand), indexing.results, strict=True):
                if dimension not in self.of:
                    results.append(expression.compose(moved))
                elif self._new(dimension):
                    results += map(_loop, places[_walked(expression, old, dimension)])
            maps.append(ir.AffineMap.get(total, 0, results))
        self._indices(op, old, places)
        kinds = [kind for kind, item in zip(op.attributes["iterator_types"], places, strict=True) for _ in item]
        op.attributes["indexing_maps"] = maps_attr(maps)
        op.attributes["iterator_types"] = ir.ArrayAttr.get(kinds)

    def _indices(self, op: ir.Operation, old: Sequence[int], places: Sequence[list[int]]) -> None:
        """The loop indices in the body, computed from those of the new loops."""
        for inner in [o.operation for o in op.regions[0].blocks[0] if o.operation.name == "linalg.index"]:
            loop = inner.attributes["dim"].value
            dimension, group = old[loop], self.of.get(old[loop])
            with ir.InsertionPoint(inner), inner.location:
                if group is None:
                    value = linalg.IndexOp(places[loop][0]).result
                else:
                    first = loop if group.members[0] == dimension else old.index(group.members[0])
                    indices = [linalg.IndexOp(place).result for place in places[first]]
                    old_index = _old_index(self.dimensions, group, dimension)
                    is_same = old_index == ir.AffineMap.get_identity(1)
                    value = indices[0] if is_same else affine.AffineApplyOp(old_index, indices).result
            inner.results[0].replace_all_uses_with(value)
            inner.erase()


def _loop(place: int) -> ir.AffineExpr:
    return ir.AffineDimExpr.get(place)


def _walked(expression: ir.AffineExpr, old: Sequence[int], dimension: int) -> int:
    """The loop that indexes a tensor's dimension. Several loops may have the same dimension."""
    return ir.AffineDimExpr(expression).position if isinstance(expression, ir.AffineDimExpr) else old.index(dimension)


def _old_index(dimensions: Dimensions, group: Group, member: int) -> ir.AffineMap:
    """The index along an old dimension, from those along the new ones."""
    linear: ir.AffineExpr = ir.AffineConstantExpr.get(0)
    for position in range(len(group.extents)):
        linear = linear + ir.AffineDimExpr.get(position) * prod(group.extents[position + 1 :])
    place = group.members.index(member)
    inner = prod(dimensions.all[m].extent for m in group.members[place + 1 :])
    expression: ir.AffineExpr = ir.AffineExpr.get_floor_div(linear, inner)
    if place:
        expression = ir.AffineExpr.get_mod(expression, dimensions.all[member].extent)
    return ir.AffineMap.get(len(group.extents), 0, [expression])
