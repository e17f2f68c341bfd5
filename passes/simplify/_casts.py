"""Extensions of elements become part of what reads them."""

from __future__ import annotations

from typing import Any

from allo_air.core.cloning import replace
from allo_air.core.walking import body_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes.simplify._generic import Generic, generics, has_all_loops, maps_attr, producer, rewrite
from allo_air.passes.simplify._layouts import WITH_MAPS, compose, may_have

_PRODUCTS = frozenset(
    f"linalg.{name}"
    for name in ("dot", "matvec", "vecmat", "matmul", "batch_matmul", "batch_matvec", "batch_vecmat", "contract")
)
_EXTENSIONS = ("arith.extf", "arith.extsi")


def fold_extensions(function: AnyOp) -> None:
    """Lets operations read narrow elements and extend them themselves, so that no wide copy is made.

    A contraction, convolution or sum extends its operands to the type of its result; the product is the same, and it is what
    the array multiplies fast. The body of a generic gets the extension.

    Before:
        %w = linalg.generic ins(%x : tensor<64x64xbf16>) outs(%e : tensor<64x64xf32>) { yield (arith.extf %in) }
        %y = linalg.matmul ins(%w, %v : tensor<64x64xf32>, tensor<64x64xf32>) outs(%zero : tensor<64x64xf32>)
    After:
        %y = linalg.matmul ins(%x, %u : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%zero : tensor<64x64xf32>)
    """
    for op in body_of(function):
        if _extends_itself(op):
            _fold_named(op)
    for found in generics(function):
        _fold_generic(found)


def _extends_itself(op: Any) -> bool:
    """Whether a named operation brings its operands to the type of its result."""
    if not op.results or len(op.operands) != 3 or "cast" in op.attributes:
        return False
    return op.name in _PRODUCTS or op.name.startswith(("linalg.conv_", "linalg.depthwise_conv_"))


def _fold_named(op: Any) -> None:
    """Both operands or none: the array multiplies elements of one type."""
    from allo_air.mlir import linalg

    sources = [_extended(v) for v in list(op.operands)[:2]]
    narrow = {str(s[0].type.element_type) for s in sources if s is not None}
    if any(s is None for s in sources) or len(narrow) != 1:
        return
    maps = [m.value for m in linalg.get_indexing_maps(op)]
    for n, source in enumerate(sources):
        assert source is not None
        merged = compose(source[1], maps[n])
        if merged != maps[n] and not (op.name in WITH_MAPS and may_have(op, n, merged)):
            return
        maps[n] = merged
    attributes = {n: op.attributes[n] for n in op.attributes}
    if op.name in WITH_MAPS:
        attributes["indexing_maps"] = maps_attr(maps)
    operands = [*(s[0] for s in sources if s is not None), op.operands[2]]
    with ir.InsertionPoint(op), op.location:
        made = ir.Operation.create(op.name, [op.results[0].type], operands, attributes, regions=1)
        linalg.fill_builtin_region(made)
    replace(op, made.results)


def _fold_generic(found: Generic) -> None:
    sources = [_extended(v) for v in found.inputs]
    if not any(sources):
        return
    inputs, places = [], list[Any]()
    for n, (value, map_, source) in enumerate(zip(found.inputs, found.maps, sources, strict=False)):
        if source is None:
            inputs.append((value, map_))
            places.append(n)
            continue
        narrow, inner, extension = source
        inputs.append((narrow, compose(inner, map_)))
        places.append(_extend(extension, n))
    count = len(found.inputs)
    if not has_all_loops([*(m for _, m in inputs), *found.maps[count:]]):
        return
    rewrite(found, inputs, [*places, *range(count, count + len(found.outs))])


def _extend(extension: Any, number: int) -> Any:
    name, kind = extension.name, extension.results[0].type
    return lambda given: ir.Operation.create(name, [kind], [given[number]]).results[0]


def _extended(value: Any) -> tuple[Any, Any, Any] | None:
    """What `value` is the extension of, the map of its indices, and the operation in the body that extends."""
    made = producer(value)
    if made is None or made.name != "linalg.generic":
        return None
    copy = Generic.of(made)
    if len(copy.inputs) != 1 or not copy.is_elementwise or len(copy.body) != 1:
        return None
    [extension] = copy.body
    if extension.name not in _EXTENSIONS or copy.yielded != [extension.results[0]]:
        return None
    return copy.inputs[0], copy.maps[0], extension
