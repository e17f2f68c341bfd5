"""Recognises a linalg.generic that multiplies matrices, and orders its loops as linalg.matmul does."""

from __future__ import annotations

from typing import Any

from allo_air.mlir import ir
from allo_air.passes.linalg._indexing import maps, positions

_EXTENSIONS = ("arith.extf", "arith.extsi", "arith.extui")
_PRODUCTS = {"arith.mulf": "arith.addf", "arith.muli": "arith.addi"}


def order(generic: ir.Operation) -> bool:
    """Whether `generic` is a product of matrices, batched in front or not; then its loops become (batch,) m, n, k."""
    if len(generic.operands) != 3 or not _multiplies(generic):
        return False
    indexing = maps(generic)
    if not all(m.is_projected_permutation for m in indexing):
        return False
    of_a, of_b, of_c = map(positions, indexing)
    loops = indexing[0].n_dims
    batch = loops - 3
    if batch not in (0, 1) or len(of_a) != len(of_b) or len(of_a) != batch + 2 or len(of_c) != batch + 2:
        return False
    if of_a[:batch] != of_c[:batch] or of_b[:batch] != of_c[:batch]:
        return False
    *_, m, n = of_c
    [k] = set(range(loops)) - set(of_c)
    if sorted(of_a[batch:]) == sorted((n, k)) and sorted(of_b[batch:]) == sorted((m, k)):
        generic.operands[0], generic.operands[1] = generic.operands[1], generic.operands[0]
        of_a, of_b = of_b, of_a
    if sorted(of_a[batch:]) != sorted((m, k)) or sorted(of_b[batch:]) != sorted((n, k)):
        return False
    new = {old: at for at, old in enumerate([*of_c[:batch], m, n, k])}
    ordered = [ir.AffineMap.get(loops, 0, [ir.AffineDimExpr.get(new[i]) for i in found]) for found in (of_a, of_b, of_c)]
    generic.attributes["indexing_maps"] = ir.ArrayAttr.get([ir.AffineMapAttr.get(m) for m in ordered])
    kinds = ["parallel"] * (batch + 2) + ["reduction"]
    generic.attributes["iterator_types"] = ir.ArrayAttr.get([ir.Attribute.parse(f"#linalg.iterator_type<{k}>") for k in kinds])
    return True


def _multiplies(generic: Any) -> bool:
    """Whether the body adds the product of the first two arguments, extended alike or not at all, to the third."""
    a, b, _ = generic.operands
    if a.type.element_type != b.type.element_type:
        return False
    [block] = generic.regions[0].blocks
    [*body, end] = [o.operation for o in block.operations]
    inputs = list(block.arguments)[:2]
    extended = [o for o in body if o.name in _EXTENSIONS]
    if extended:
        if len(extended) != 2 or len({o.name for o in extended}) != 1 or {o.operands[0] for o in extended} != set(inputs):
            return False
        inputs = [o.results[0] for o in extended]
    rest = [o for o in body if o not in extended]
    if len(rest) != 2 or _PRODUCTS.get(rest[0].name) != rest[1].name:
        return False
    product, total = rest
    return (
        set(product.operands) == set(inputs)
        and set(total.operands) == {product.results[0], block.arguments[2]}
        and list(end.operands) == [total.results[0]]
    )
