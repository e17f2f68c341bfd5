"""Simplifies operands whose elements are all the same number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.core.cloning import replace
from allo_air.core.elements import array_of, is_elements, is_resource
from allo_air.core.walking import defining_op, walk_named
from allo_air.mlir import AnyOp, arith, ir, linalg
from allo_air.passes._analysis.structured import is_structured
from allo_air.passes._ir.generic import Argument, Generic, generics, has_all_loops, rewrite
from allo_air.passes._ir.tensors import filled

if TYPE_CHECKING:
    import numpy as np


def inline_numbers(function: AnyOp) -> None:
    """Inlines inputs whose elements all are one constant into the bodies that use them.

    Before:

        %half = arith.constant dense<0.5> : tensor<64xf32>
        %y = linalg.generic ins(%x, %half) outs(%e) { ^bb0(%a, %b, %o): %m = arith.mulf %a, %b ... }

    After:

        %half = arith.constant 0.5 : f32
        %y = linalg.generic ins(%x) outs(%e) { ^bb0(%a, %o): %m = arith.mulf %a, %half ... }
    """
    for generic in generics(function):
        numbers = [_number(generic, v) for v in generic.inputs]
        if not any(n is not None for n in numbers):
            continue
        inputs = [(v, m) for v, m, n in zip(generic.inputs, generic.maps, numbers, strict=False) if n is None]
        if not has_all_loops([*(m for _, m in inputs), *generic.maps[len(generic.inputs) :]]):
            continue
        places: list[Argument] = []
        for number in numbers:
            places.append(sum(isinstance(p, int) for p in places) if number is None else number)
        rewrite(generic, inputs, [*places, *range(len(inputs), len(inputs) + len(generic.outs))])


def fill_destinations(function: AnyOp, *, inputs: bool = False) -> None:
    """Replaces destinations that are splat constants by fills; a fill is not data.

    With `inputs`, also operands that are read, except those of contractions.

    Before:

        %zeros = arith.constant dense<0.0> : tensor<64xf32>
        %y = linalg.generic ins(%x) outs(%zeros)

    After:

        %y = linalg.generic ins(%x) outs(%filled)   // linalg.fill ins(%zero) outs(%e)
    """
    for op in walk_named(function, "arith.constant"):
        kind, attribute = op.results[0].type, op.attributes["value"]
        if not isinstance(kind, ir.RankedTensorType) or not is_elements(attribute) or is_resource(attribute):
            continue
        for use in list(op.results[0].uses) if attribute.is_splat else ():
            user = use.owner.operation
            begins = use.operand_number >= len(user.operands) - len(user.results)
            if not is_structured(user) or not (begins or (inputs and not linalg.isa_contraction_op(user))):
                continue
            with ir.InsertionPoint(user), user.location:
                number = constant(array_of(attribute).flat[0], kind.element_type)
                user.operands[use.operand_number] = filled(number, kind)


def fold_splat_extracts(function: AnyOp) -> None:
    """Replaces elements extracted from a splat constant by the number.

    Before:

        %ones = arith.constant dense<1> : tensor<8xi8>
        %y = linalg.generic ins(%i) outs(%e) { %a = tensor.extract %ones[%p] ... }

    After:

        %y = linalg.generic ins(%i) outs(%e) { %a = arith.constant 1 : i8 ... }
    """
    for op in walk_named(function, "tensor.extract"):
        result = defining_op(op.operands[0], "arith.constant")
        if result is None or not is_elements(attribute := result.attributes["value"]):
            continue
        if is_resource(attribute) or not attribute.is_splat:
            continue
        with ir.InsertionPoint(op), op.location:
            replace(op, [constant(array_of(attribute).flat[0], op.results[0].type)])


def _number(generic: Generic, value: ir.Value) -> Any:
    """The number that all elements of `value` have, emitted before the operation; None if unknown."""
    result = defining_op(value)
    if result is None or not isinstance(value.type, ir.RankedTensorType):
        return None if isinstance(value.type, ir.RankedTensorType) else value
    if result.name == "linalg.fill":
        return result.operands[0]
    if result.name == "tensor.splat":
        return result.operands[0]
    if result.name != "arith.constant" or not is_elements(result.attributes["value"]):
        return None
    attribute = result.attributes["value"]
    if is_resource(attribute) or not attribute.is_splat:
        return None
    element = value.type.element_type
    with ir.InsertionPoint(generic.op), generic.op.location:
        return constant(array_of(attribute).flat[0], element)


def constant(number: int | np.generic | float, element: ir.F32Type | ir.IndexType | ir.IntegerType) -> Any:
    """An arith.constant of a scalar type at the insertion point."""
    is_float = isinstance(element, ir.FloatType)
    attribute = ir.FloatAttr.get(element, float(number)) if is_float else ir.IntegerAttr.get(element, int(number))
    return arith.constant(element, attribute)
