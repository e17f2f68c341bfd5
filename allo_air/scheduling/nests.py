"""The primitives split, reorder and fuse, for loop nests with constant bounds."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from allo_air.core.walking import is_inside
from allo_air.errors import AlloAirError
from allo_air.mlir import ir
from allo_air.scheduling.dependences import check_order
from allo_air.scheduling.loops import (
    Loop,
    apply,
    constant_range,
    depth_of,
    move_body,
    name_of,
    new_loop,
    perfect_nest,
    placeholder,
)

_KEPT = ("loop_name", "op_name", "reduction", "pipeline_ii", "unroll", "parallel", "rewind")


def split(loop: Loop, factor: int) -> None:
    """Splits loop i of n iterations into i.outer, of ceil(n / factor) iterations, and i.inner, of `factor` iterations (the last
    time possibly fewer).

    Before:

        affine.for %i = 0 to 32

    After (factor 8):

        affine.for %o = 0 to 4 {
          affine.for %t = 0 to 8 {
            %i = affine.apply (o, t) -> (o * 8 + t)
    """
    if not isinstance(factor, int) or factor < 1:
        raise AlloAirError(f"split takes a whole number above 0, found {factor!r}")
    values = constant_range(loop)
    low, step, count = values.start, values.step, len(values)
    with ir.InsertionPoint(loop.op), loop.op.location:
        outer = new_loop(-(-count // factor), f"{loop.name}.outer", name_of(loop.op, "op_name"))
        with ir.InsertionPoint.at_block_begin(outer.body):
            whole = count % factor == 0
            o = ir.AffineDimExpr.get(0)
            remainder = ir.AffineMap.get(1, 0, [ir.AffineConstantExpr.get(factor), o * -factor + count])
            inner = new_loop(
                factor if whole else remainder, f"{loop.name}.inner", operands=() if whole else [outer.induction_variable]
            )
            with ir.InsertionPoint.at_block_begin(inner.body):
                o, t = ir.AffineDimExpr.get(0), ir.AffineDimExpr.get(1)
                value = apply((o * factor + t) * step + low, [outer.induction_variable, inner.induction_variable])
    if "reduction" in loop.op.attributes:
        for item in (outer, inner):
            item.operation.attributes["reduction"] = ir.UnitAttr.get()
    loop.variable.replace_all_uses_with(value)
    move_body(loop.body, inner.body)
    loop.op.erase()


def reorder(chosen: Sequence[Loop], loops: list[Loop]) -> None:
    """Reorders loops of a perfect nest; loops that are not named stay in place."""
    if len({id(each.op) for each in chosen}) < 2 or len({each.name for each in chosen}) != len(chosen):
        raise AlloAirError("reorder takes two loops or more, each once")
    by_depth = sorted(chosen, key=depth_of)
    first, last = by_depth[0], by_depth[-1]
    if not all(is_inside(last.op, each.op) for each in chosen):
        raise AlloAirError("reorder takes loops of one nest")
    nest = perfect_nest(first, depth_of(last) - depth_of(first) + 1, loops)
    places = [nest.index(each) for each in by_depth]
    order = list(nest)
    for place, each in zip(places, chosen, strict=True):
        order[place] = each
    check_order(nest, order)
    _permute(nest, order)


def _permute(nest: list[Loop], order: list[Loop]) -> None:
    attributes = {each.name: {name: each.op.attributes[name] for name in each.op.attributes} for each in nest}
    for each in nest:
        constant_range(each)
    with ir.InsertionPoint(nest[0].op), nest[0].op.location:
        stand_ins = {each.name: placeholder() for each in nest}
    for each in nest:
        each.variable.replace_all_uses_with(stand_ins[each.name])
    band = name_of(nest[0].op, "op_name")
    for target, source in zip(nest, order, strict=True):
        own_attributes = attributes[source.name]
        for name in (*_KEPT, "lowerBoundMap", "upperBoundMap", "step"):
            if name in own_attributes:
                target.op.attributes[name] = own_attributes[name]
            elif name in target.op.attributes:
                del target.op.attributes[name]
        stand_ins[source.name].replace_all_uses_with(target.variable)
    for inner in nest[1:]:
        if "op_name" in inner.op.attributes:
            del inner.op.attributes["op_name"]
    if band:
        nest[0].op.attributes["op_name"] = ir.StringAttr.get(band)
    for value in stand_ins.values():
        value.owner.erase()


def fuse(chosen: Sequence[Loop], loops: list[Loop]) -> None:
    """Merges loops of a perfect nest into one, whose name contains all of theirs: i_j_fused."""
    if len(chosen) < 2:
        raise AlloAirError("fuse takes two loops or more")
    nest = perfect_nest(chosen[0], len(chosen), loops)
    if [each.op for each in nest] != [each.op for each in chosen]:
        raise AlloAirError(f"fuse takes neighbouring loops from the outside in; the nest is {', '.join(e.name for e in nest)}")
    ranges = [constant_range(each) for each in nest]
    total = prod(map(len, ranges))
    outer, inner = nest[0], nest[-1]
    with ir.InsertionPoint(outer.op), outer.op.location:
        result = new_loop(total, "_".join([*(each.name for each in nest), "fused"]), name_of(outer.op, "op_name"))
        with ir.InsertionPoint.at_block_begin(result.body):
            values: list[Any] = []
            below = total
            for range_ in ranges:
                below //= len(range_)
                d = ir.AffineDimExpr.get(0)
                index = ir.AffineExpr.get_mod(ir.AffineExpr.get_floor_div(d, below), len(range_))
                values.append(apply(index * range_.step + range_.start, [result.induction_variable]))
    for each, value in zip(nest, values, strict=True):
        each.variable.replace_all_uses_with(value)
    move_body(inner.body, result.body)
    outer.op.erase()
