"""mask-padding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from allo_air.core.functions import call_function
from allo_air.core.names import callee_of, set_function_type, sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import is_result_of, walk_named
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._analysis.kernels import KERNEL, calls_of
from allo_air.passes._analysis.masks import masked_by
from allo_air.passes._analysis.structured import indexing_maps, is_structured, reductions
from allo_air.passes._ir.generic import open_generic
from allo_air.passes._ir.tensors import empty, zero_of
from allo_air.passes.partition._generic import finish
from allo_air.passes.partition._kinds import is_contraction
from allo_air.passes.partition._roles import is_elementwise

UNIT = 16
"""A result whose number of columns is a multiple of this is not padded by any plan: the widest micro-tile's columns."""


@dataclass(frozen=True)
class MaskPadding(Pass):
    """Makes a contraction write zeros to the padded columns of its result if another contraction sums over them.

    The contraction takes a mask as a further argument, with a one for each valid column and zeros as padding. The reader needs
    zeros around the result, and they are then in place: no kernel has to move the result into a padded tensor. Only results
    that have to be padded, those whose columns are not a multiple of 16, are masked.

    Before:

        func.func private @k(%a: tensor<8x16xf32>, %b: tensor<16x13xf32>) -> tensor<8x13xf32> attributes {allo.kernel} {
          %c = linalg.matmul ins(%a, %b) ...
          return %c
        func.func @f(...) {
          %0 = call @k(%a, %b)
          %1 = call @l(%0, %w)      // sums over the 13 columns

    After:

        func.func private @k(%a: tensor<8x16xf32>, %b: tensor<16x13xf32>, %m: tensor<13xi32>) -> tensor<8x13xf32> ... {
          %c = linalg.matmul ins(%a, %b) ...
          %d = linalg.generic ins(%c, %m) { %c where %m is not 0, else 0 }
          return %d
        func.func @f(...) {
          %m = arith.constant dense<1> : tensor<13xi32>
          %0 = call @k(%a, %b, %m)
          %1 = call @l(%0, %w)
    """

    name = "mask-padding"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        functions = {sym_name_of(f): f for f in walk_named(op, "func.func")}
        makers: dict[str, ir.Operation] = {}
        for call in walk_named(op, "func.call"):
            reader = functions.get(callee_of(call))
            if reader is None or not _is_kernel(reader):
                continue
            arguments = list(reader.regions[0].blocks[0].arguments)
            for value, argument in zip(list(call.operands), arguments, strict=True):
                if not is_result_of(value, "func.call") or not _is_summed(argument):
                    continue
                name = callee_of(value.owner)
                if name in functions and _is_kernel(functions[name]) and _has_to_be_padded(functions[name]):
                    makers[name] = functions[name]
        for maker in makers.values():
            _mask(maker)


def _is_kernel(function: ir.Operation) -> bool:
    return KERNEL in function.attributes and len(function.regions[0].blocks) == 1


def _is_summed(value: ir.Value) -> bool:
    """Whether a contraction sums over the last dimension of `value`, or of an elementwise function of it."""
    return any(is_contraction(op) and reductions(op)[loop] for op, loop in _readers(value, 0))


def _readers(value: ir.Value, depth: int) -> Iterator[tuple[ir.Operation, int]]:
    """Operations that read `value`, and the loop that indexes its last dimension."""
    for use in value.uses:
        op = use.owner.operation
        if not is_structured(op) or use.operand_number >= len(indexing_maps(op)):
            continue
        expressions = list(indexing_maps(op)[use.operand_number].results)
        if not expressions or not isinstance(expressions[-1], ir.AffineDimExpr):
            continue
        loop = ir.AffineDimExpr(expressions[-1]).position
        yield op, loop
        if is_elementwise(op) and loop == len(reductions(op)) - 1 and depth < 2:
            for result in op.results:
                yield from _readers(result, depth + 1)


def _has_to_be_padded(function: ir.Operation) -> bool:
    """Whether a kernel is one contraction without a plan whose result is padded in its last dimension and not masked."""
    [*inside, last] = [o.operation for o in function.regions[0].blocks[0].operations]
    results = list(last.operands)
    if "allo.plan" in function.attributes or sum(map(is_contraction, inside)) != 1:
        return False
    if len(results) != 1 or masked_by(function) is not None:
        return False
    kind = results[0].type
    bits = element_bits(kind) or 0
    return len(kind.shape) == 2 and kind.shape[-1] % UNIT != 0 and bits in (8, 16, 32)


def _mask(function: ir.Operation) -> None:
    """Adds the mask to a kernel and to its calls."""
    [block] = function.regions[0].blocks
    last = block.operations[-1].operation
    value, i32 = last.operands[0], ir.IntegerType.get_signless(32)
    kind = value.type
    mask = block.add_argument(ir.RankedTensorType.get([kind.shape[-1]], i32), function.location)
    rows = ir.AffineMap.get_identity(2)
    with ir.InsertionPoint(last), last.location:
        column = ir.AffineMap.get(2, 0, [ir.AffineDimExpr.get(1)])
        result, body = open_generic([value, mask], [empty(kind)], [rows, column, rows])
        element, one, _ = body.arguments
        with ir.InsertionPoint(body):
            is_there = arith.cmpi(arith.CmpIPredicate.ne, one, arith.constant(i32, 0))
            masked = arith.select(is_there, element, arith.constant(kind.element_type, zero_of(kind.element_type)))
        finish(body, [masked])
        last.operands[0] = result.results[0]
    set_function_type(function)
    for call in calls_of(function):
        with ir.InsertionPoint(call), call.location:
            ones = arith.constant(mask.type, ir.DenseElementsAttr.get_splat(mask.type, ir.IntegerAttr.get(i32, 1)))
            new = call_function(callee_of(call), [kind], [*call.operands, ones])
        call.results[0].replace_all_uses_with(new.results[0])
        call.erase()
