"""Folds extensions of elements into their users."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from allo_air.core.cloning import replace
from allo_air.core.walking import body_of, defining_op
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes._analysis.zeros import is_filled_with_zeros
from allo_air.passes._ir.generic import Generic, composed_map, generic, generics, has_all_loops, maps_attr, rewrite
from allo_air.passes._ir.tensors import empty
from allo_air.passes.simplify._evaluate import constant_array
from allo_air.passes.simplify._layouts import WITH_MAPS, accepts_map
from allo_air.passes.simplify._scalars import constant

_PRODUCTS = frozenset(
    f"linalg.{name}"
    for name in ("dot", "matvec", "vecmat", "matmul", "batch_matmul", "batch_matvec", "batch_vecmat", "contract")
)
_EXTENSIONS = ("arith.extf", "arith.extsi")


def fold_extensions(function: AnyOp) -> None:
    """Makes operations read narrow elements and extend them themselves, so that no wide copy is written.

    A contraction, convolution or sum extends its operands to the type of its result. The product is the same, and the array
    multiplies narrow types fast. If operands are scaled by constants in between, the result is scaled instead. A generic's
    body gets the extension.

    Before:

        %w = linalg.generic ins(%x : tensor<64x64xbf16>) outs(%e : tensor<64x64xf32>) { yield (arith.extf %in) }
        %y = linalg.matmul ins(%w, %v : tensor<64x64xf32>, tensor<64x64xf32>) outs(%zero : tensor<64x64xf32>)

    After:

        %y = linalg.matmul ins(%x, %u : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%zero : tensor<64x64xf32>)
    """
    for op in body_of(function):
        if _extends_itself(op):
            _fold_named(op)
    for generic_op in generics(function):
        _fold_generic(generic_op)


def _extends_itself(op: AnyOp) -> bool:
    """Whether a named operation extends its operands to the type of its result."""
    if not op.results or len(op.operands) != 3 or "cast" in op.attributes:
        return False
    return op.name in _PRODUCTS or op.name.startswith(("linalg.conv_", "linalg.depthwise_conv_"))


def _fold_named(op: AnyOp) -> None:
    """Folds both operands or none: the array multiplies elements of one type. Scales of operands move to the result."""
    from allo_air.mlir import linalg

    sources = [_Source.of(v) for v in list(op.operands)[:2]]
    narrow = {str(s.value.type.element_type) for s in sources}
    wide = str(op.operands[0].type.element_type)
    factor = sources[0].factor * sources[1].factor
    if len(narrow) != 1 or wide in narrow or (factor != 1 and not is_filled_with_zeros(op.operands[2])):
        return
    maps = indexing_maps(op)
    for n, source in enumerate(sources):
        merged = maps[n] if source.map is None else composed_map(source.map, maps[n])
        if merged != maps[n] and not (op.name in WITH_MAPS and accepts_map(op, n, merged)):
            return
        maps[n] = merged
    attributes = {n: op.attributes[n] for n in op.attributes}
    if op.name in WITH_MAPS:
        attributes["indexing_maps"] = maps_attr(maps)
    with ir.InsertionPoint(op), op.location:
        operands = [*(s.value for s in sources), op.operands[2]]
        result = ir.Operation.create(op.name, [op.results[0].type], operands, attributes, regions=1)
        linalg.fill_builtin_region(result)
        replace(op, [result.results[0] if factor == 1 else _scaled(result.results[0], factor)])


def _scaled(value: ir.Value, factor: float) -> Any:
    """Each element of `value` times `factor`."""
    rank, element = len(value.type.shape), value.type.element_type
    out = empty(value.type)
    number = constant(np.float32(factor), element)

    def body(values: list[ir.Value]) -> list[Any]:
        return [arith.MulFOp(values[0], number).result]

    return generic([value], [out], [ir.AffineMap.get_identity(rank)] * 2, ["parallel"] * rank, body).results[0]


@dataclass(frozen=True)
class _Source:
    """The tensor that an operand reads, through extensions and constant scales: `value` by `map` (None: the identity)."""

    value: Any
    map: Any = None
    factor: float = 1.0

    @classmethod
    def of(cls, value: ir.Value) -> _Source:
        result = defining_op(value, "linalg.generic")
        if result is None or len(result.results) != 1:
            return cls(value)
        copy = Generic.of(result)
        factor = _factor(copy) if len(copy.inputs) == 1 and copy.is_elementwise else None
        if factor is None or not isinstance(copy.inputs[0].type, ir.RankedTensorType):
            return cls(value)
        inner = cls.of(copy.inputs[0])
        map_ = copy.maps[0] if inner.map is None else composed_map(inner.map, copy.maps[0])
        return cls(inner.value, map_, factor * inner.factor)


def _factor(copy: Generic) -> float | None:
    """The constant that a body multiplies by, if it otherwise only extends."""
    scaled, factor = copy.arguments[0], 1.0
    for op in copy.body:
        if op.name == "arith.constant":
            continue
        if op.name in _EXTENSIONS and op.operands[0] == scaled:
            scaled = op.results[0]
        elif op.name == "arith.mulf" and scaled in op.operands:
            constant_arrays = [constant_array(v) for v in op.operands if v != scaled]
            if len(constant_arrays) != 1 or constant_arrays[0] is None or np.ndim(constant_arrays[0]):
                return None
            scaled, factor = op.results[0], factor * float(constant_arrays[0])
        else:
            return None
    return factor if copy.yielded == [scaled] else None


def _fold_generic(generic_op: Generic) -> None:
    sources = [_extended(v) for v in generic_op.inputs]
    if not any(sources):
        return
    inputs, places = [], list[Any]()
    for n, (value, map_, source) in enumerate(zip(generic_op.inputs, generic_op.maps, sources, strict=False)):
        if source is None:
            inputs.append((value, map_))
            places.append(n)
            continue
        narrow, inner, extension = source
        inputs.append((narrow, composed_map(inner, map_)))
        places.append(_extend(extension, n))
    count = len(generic_op.inputs)
    if not has_all_loops([*(m for _, m in inputs), *generic_op.maps[count:]]):
        return
    rewrite(generic_op, inputs, [*places, *range(count, count + len(generic_op.outs))])


def _extend(extension: AnyOp, number: int) -> Any:
    name, kind = extension.name, extension.results[0].type
    return lambda values: ir.Operation.create(name, [kind], [values[number]]).results[0]


def _extended(value: ir.Value) -> tuple[Any, Any, Any] | None:
    """The source of the extension `value`, the map of its indices, and the extending operation of the body."""
    result = defining_op(value, "linalg.generic")
    if result is None:
        return None
    copy = Generic.of(result)
    if len(copy.inputs) != 1 or not copy.is_elementwise or len(copy.body) != 1:
        return None
    [extension] = copy.body
    if extension.name not in _EXTENSIONS or copy.yielded != [extension.results[0]]:
        return None
    return copy.inputs[0], copy.maps[0], extension
