"""factor-sums."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.core.cloning import clone_computed
from allo_air.core.pass_ import Pass
from allo_air.core.walking import defining_op, is_result_of
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._analysis.structured import indexing_maps, loop_extents, reductions
from allo_air.passes._ir.generic import generic
from allo_air.passes._ir.tensors import filled
from allo_air.passes.map._kernel import kernels

LEAST = 32
"""Smallest number of elements of a sum (two vectors) for which a tensor of partial sums pays."""
_INTEGERS = ("arith.sitofp", "arith.uitofp")


@dataclass(frozen=True)
class FactorSums(Pass):
    """Moves factors that do not change along a reduced loop out of the sum: one multiplication per sum instead of one per
    product.

    This applies to f32 sums of products over several loops, some factors of which do not change along the inner loops, such as
    scales of groups of weights. The result is a sum over the inner loops, and a sum of its results times these factors.
    Products of 8-bit integers and bf16 become bf16, which represents all of these integers, so that cores multiply by MAC
    instructions. Only kernels for `plan-tiles` are changed.

    Before:

        %r = linalg.generic {(i, g, k) -> (i, g, k), (i, g), (g, k), (i)} ["parallel", "reduction", "reduction"]
            ins(%w : tensor<64x4x32xi8>, %s : tensor<64x4xf32>, %x : tensor<4x32xbf16>) outs(%zero : tensor<64xf32>) {
          yield (%out + float(%w) * %s * float(%x)) }

    After:

        %p = linalg.generic {(i, g, k) -> (i, g, k), (g, k), (i, g)} ["parallel", "parallel", "reduction"]
            ins(%w, %x) outs(%zeros : tensor<64x4xf32>) { yield (%out + float(bf16(%w)) * float(%x)) }
        %r = linalg.generic {(i, g) -> (i, g), (i, g), (i)} ["parallel", "reduction"]
            ins(%p, %s) outs(%zero : tensor<64xf32>) { yield (%out + %p * %s) }
    """

    name = "factor-sums"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        for kernel in kernels(op):
            for sum_ in kernel.ops:
                result = _sum_of(sum_)
                if result is not None:
                    with ir.InsertionPoint(sum_), sum_.location:
                        _rewrite(result)


@dataclass(frozen=True)
class _Sum:
    """A sum of products. The factors are values of the body: `inner` change along `loops`, `outer` do not."""

    op: Any
    inner: tuple[Any, ...]
    outer: tuple[Any, ...]
    loops: tuple[int, ...]


def _sum_of(op: ir.Operation) -> _Sum | None:
    if op.name != "linalg.generic" or len(op.results) != 1 or str(op.results[0].type.element_type) != "f32":
        return None
    maps, reduces, extents = indexing_maps(op), reductions(op), loop_extents(op)
    if not all(isinstance(e, ir.AffineDimExpr) for m in maps for e in m.results):
        return None
    [block] = op.regions[0].blocks
    factors = _factors(block)
    loops = [_loops_of(f, block, maps) for f in factors or ()]
    if factors is None or None in loops:
        return None
    loops_present = [set(loop) for loop in loops if loop is not None]
    reduced = {d for d, r in enumerate(reduces) if r}
    choices = [reduced - item for item in loops_present if item and reduced - item]
    if not choices:
        return None
    along = max(choices, key=lambda c: prod(extents[d] for d in c))
    inner = [(f, item) for f, item in zip(factors, loops_present, strict=True) if item & along]
    outer = [f for f, item in zip(factors, loops_present, strict=True) if not item & along]
    rest = set(range(len(extents))) - along
    if prod(extents[d] for d in along) < LEAST or not rest <= {d for _, item in inner for d in item}:
        return None
    return _Sum(op, tuple(f for f, _ in inner), tuple(outer), tuple(sorted(along)))


def _factors(block: ir.Block) -> list[Any] | None:
    """The factors of the product that the body adds to its accumulator; None if the body has another form."""
    out = block.arguments[len(block.arguments) - 1]
    total = block.operations[-1].operands[0]
    if not is_result_of(total, "arith.addf") or len(list(out.uses)) != 1:
        return None
    added = [v for v in total.owner.operands if v != out]
    if len(added) != 1:
        return None
    result, todo = list[Any](), added
    while todo:
        value = todo.pop()
        if is_result_of(value, "arith.mulf") and len(list(value.uses)) == 1:
            todo += list(value.owner.operands)
        else:
            result.append(value)
    return result if len(result) > 2 else None


def _loops_of(value: ir.Value, block: ir.Block, maps: list[ir.AffineMap]) -> set[int] | None:
    """The loops along which a value of the body changes; None if it depends on a linalg.index."""
    if isinstance(value, ir.BlockArgument):
        if value.owner != block:
            return set()
        return {ir.AffineDimExpr(e).position for e in maps[list[Any](block.arguments).index(value)].results}
    owner = value.owner.operation
    if owner.block != block:
        return set()
    if owner.name == "linalg.index" or not owner.name.startswith(("arith.", "math.")):
        return None
    parts = [_loops_of(v, block, maps) for v in owner.operands]
    return None if None in parts else {d for part in parts if part is not None for d in part}


def _rewrite(sum_: _Sum) -> None:
    op, f32 = sum_.op, ir.F32Type.get()
    maps, extents, reduces = indexing_maps(op), loop_extents(op), reductions(op)
    [block] = op.regions[0].blocks
    rest = [d for d in range(len(extents)) if d not in sum_.loops]
    value = list(op.operands)[:-1]
    is_bf16 = any(_is_bf16(f) for f in sum_.inner)

    sums = ir.RankedTensorType.get([extents[d] for d in rest], f32)
    zeros = filled(arith.constant(f32, 0.0), sums)
    used = _arguments(sum_.inner, block)
    result_map = ir.AffineMap.get(len(extents), 0, [ir.AffineDimExpr.get(d) for d in rest])
    kinds = ["reduction" if d in sum_.loops else "parallel" for d in range(len(extents))]

    def inside(values: list[ir.Value]) -> list[Any]:
        mapping = dict(zip([block.arguments[n] for n in used], values, strict=False))
        factors = [_narrow(clone_computed(f, block, mapping), is_bf16) for f in sum_.inner]
        return [arith.addf(_product(factors), values[-1])]

    result = generic([value[n] for n in used], [zeros], [*(maps[n] for n in used), result_map], kinds, inside).results[0]

    def renumbered(mapping: ir.AffineMap) -> ir.AffineMap:
        places = [rest.index(ir.AffineDimExpr(e).position) for e in mapping.results]
        return ir.AffineMap.get(len(rest), 0, [ir.AffineDimExpr.get(d) for d in places])

    scales = _arguments(sum_.outer, block)

    def outside(values: list[ir.Value]) -> list[Any]:
        mapping = dict(zip([block.arguments[n] for n in scales], values[1:], strict=False))
        return [arith.addf(_product([values[0], *(clone_computed(f, block, mapping) for f in sum_.outer)]), values[-1])]

    total = generic(
        [result, *(value[n] for n in scales)],
        [op.operands[len(value)]],
        [ir.AffineMap.get_identity(len(rest)), *(renumbered(maps[n]) for n in scales), renumbered(maps[-1])],
        ["reduction" if reduces[d] else "parallel" for d in rest],
        outside,
    )
    op.results[0].replace_all_uses_with(total.results[0])
    op.erase()


def _arguments(values: tuple[ir.Value, ...], block: ir.Block) -> list[int]:
    """The numbers of the block arguments that `values` depend on."""
    arguments, todo = set[int](), list(values)
    while todo:
        value = todo.pop()
        if isinstance(value, ir.BlockArgument):
            if value.owner == block:
                arguments.add(list[Any](block.arguments).index(value))
        elif value.owner.operation.block == block:
            todo += list(value.owner.operands)
    return sorted(arguments)


def _product(factors: list[ir.Value]) -> Any:
    value, *rest = factors
    for factor in rest:
        value = arith.mulf(value, factor)
    return value


def _is_bf16(value: ir.Value) -> bool:
    """Whether `value` is a bf16 extended to f32."""
    return (
        not isinstance(value, ir.BlockArgument)
        and value.owner.name == "arith.extf"
        and str(value.owner.operands[0].type) == "bf16"
    )


def _narrow(value: ir.Value, is_bf16: bool) -> Any:
    """`value` rounded to bf16 if the rounding changes nothing and the other factors are bf16."""
    owner = defining_op(value)
    if not is_bf16 or owner is None or owner.name not in _INTEGERS or not _is_byte(owner.operands[0]):
        return value
    return arith.extf(value.type, arith.truncf(ir.BF16Type.get(), value))


def _is_byte(value: ir.Value) -> bool:
    """Whether an integer is an extended 8-bit integer."""
    while is_result_of(value, "arith.extsi", "arith.extui"):
        value = value.owner.operands[0]
    return int(value.type.width) <= 8
