"""Fuses the dequantization of weights into a vector-matrix product."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.core.cloning import clone_body
from allo_air.core.walking import body_of, defining_op, walk_named
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, arith, ir, linalg
from allo_air.passes._analysis.structured import indexing_maps, is_structured, loop_extents, reductions
from allo_air.passes._ir.generic import Generic, composed_map, generic
from allo_air.passes._ir.tensors import filled
from allo_air.passes.simplify._gathers import reshaped

_VIEWS = ("tensor.expand_shape", "tensor.collapse_shape")


@dataclass(frozen=True)
class _Product:
    """The sum `op` of products of a vector and a matrix, which is operand `matrix`: the operation that computes the matrix, and
    the matrix's dimensions in its result.
    """

    op: Any
    matrix: int
    generic: Generic
    groups: list[list[int]]
    reduced: int

    @property
    def vector(self) -> Any:
        return self.op.operands[1 - self.matrix]


def sum_dequantized(function: AnyOp) -> None:
    """Makes vector-matrix products compute the matrix from narrower numbers in their body: it is read once, and never written.

    Before:

        %f = linalg.generic ins(%w : tensor<64x32xi8>) { sitofp }
        %d = linalg.generic ins(%f, %s : tensor<64x32xf32>, tensor<64xf32>) { mulf }
        %y = linalg.matmul ins(%x, %d : tensor<1x32xf32>, tensor<64x32xf32>) outs(%zero : tensor<1x64xf32>)

    After:

        %y = linalg.generic ["parallel", "reduction"] ins(%w, %s, %x : tensor<64x32xi8>, tensor<64xf32>, tensor<32xf32>)
            outs(%zero : tensor<64xf32>) { addf (mulf (mulf (sitofp %w), %s), %x) }
    """
    for op in body_of(function):
        if (product := _product(op)) is not None:
            with ir.InsertionPoint(op), op.location:
                _sum(product)


def _product(op: ir.Operation) -> _Product | None:
    if not is_structured(op) or len(op.results) != 1 or not any(reductions(op)) or not linalg.isa_contraction_op(op):
        return None
    if not all(isinstance(v.type.element_type, ir.FloatType) for v in op.operands):  # so casts are extensions
        return None
    maps, extents, reduces = indexing_maps(op), loop_extents(op), reductions(op)
    if any(not isinstance(e, ir.AffineDimExpr) for m in maps for e in m.results):
        return None
    loops = [[ir.AffineDimExpr(e).position for e in m.results] for m in maps]
    for matrix in (0, 1):
        own, rest_dims = loops[matrix], loops[1 - matrix]
        sums = [d for d in own if reduces[d] and extents[d] > 1]
        rows = [d for d in own if not reduces[d] and extents[d] > 1]
        has_other_unit_dims = all(extents[d] == 1 or d in sums for d in rest_dims) and all(d in rest_dims for d in sums)
        if len(sums) != 1 or len(rows) != 1 or len(own) != 2 or not has_other_unit_dims:
            continue
        shown = _dequantization(op.operands[matrix])
        if shown is not None:
            return _Product(op, matrix, *shown, own.index(sums[0]))
    return None


def _dequantization(value: ir.Value) -> tuple[Generic, list[list[int]]] | None:
    """The elementwise operation that computes a matrix from fewer bytes, without other users, and which of its dimensions are
    the matrix's.
    """
    groups = [[n] for n in range(len(value.type.shape))]
    matrix = value
    view = defining_op(value, "tensor.collapse_shape")
    if view is not None and len(list(value.uses)) == 1:
        groups = [[n.value for n in group] for group in view.attributes["reassociation"]]
        value = view.operands[0]
    if len(groups) != 2 or not _is_inlined(value, True):
        return None
    result = Generic.of(value.owner)
    return (result, groups) if sum(map(_bits, _Term.of(value, None).leaves)) < _bits(matrix) else None


def _size(value: ir.Value) -> int:
    return prod(value.type.shape) if isinstance(value.type, ir.RankedTensorType) else 0


def _bits(value: ir.Value) -> int:
    return _size(value) * (element_bits(value.type) or 32)


def _is_inlined(value: ir.Value, whole: bool) -> bool:
    """Whether a sum can compute `value` in its body: it is elementwise and has no other use. If it is smaller than the `whole`
    matrix, it must be a cast.
    """
    maker = defining_op(value, "linalg.generic")
    if maker is None or walk_named(maker, "linalg.index", "tensor.extract"):
        return False
    result = Generic.of(maker)
    is_only_use = len(list(value.uses)) == 1 and whole
    return len(result.outs) == 1 and result.is_elementwise and (is_only_use or [o.name for o in result.body] == ["arith.extf"])


@dataclass(frozen=True)
class _Term:
    """An expression of tensor elements: an element, or the result of a generic's body on other terms."""

    value: Any
    map: Any
    generic: Generic | None
    parts: tuple[_Term, ...]

    @classmethod
    def of(cls, value: ir.Value, map_: ir.AffineMap | None) -> _Term:
        """The term for an element of `value`, at `map_` of the loops."""
        size = _size(value)
        result = Generic.of(value.owner) if size and _is_inlined(value, True) else None
        if result is None:
            return cls(value, map_, None, ())
        inside = [m if map_ is None else composed_map(m, map_) for m in result.maps]
        parts = [
            cls.of(v, m) if _size(v) == size or _is_inlined(v, False) else cls(v, m, None, ())
            for v, m in zip(result.inputs, inside, strict=False)
        ]
        return cls(value, map_, result, tuple(parts))

    @property
    def leaves(self) -> list[Any]:
        """The tensors that are read."""
        return [value for part in self.parts for value in part.leaves] if self.generic is not None else [self.value]

    @property
    def reads(self) -> list[tuple[Any, Any]]:
        """The tensors with their maps."""
        return [r for part in self.parts for r in part.reads] if self.generic is not None else [(self.value, self.map)]

    def compute(self, arguments: list[ir.Value]) -> Any:
        """Emits the term in a body; the first arguments, `arguments`, are consumed in order."""
        if self.generic is None:
            return arguments.pop(0)
        values = [part.compute(arguments) for part in self.parts]
        return clone_body(self.generic.block, dict(zip(self.generic.arguments, values, strict=False)))[1][0]


def _sum(product: _Product) -> None:
    shape = product.generic.op.results[0].type.shape
    rank, reduced = len(shape), product.groups[product.reduced]
    rows = product.groups[1 - product.reduced]
    result = product.op.results[0]
    term = _Term.of(product.generic.op.results[0], ir.AffineMap.get_identity(rank))
    vector = product.vector
    while (new := defining_op(vector)) is not None and (new.name in _VIEWS or _is_inlined(vector, False)):
        if _size(new.operands[0]) < _size(vector):  # a broadcast
            break
        vector = new.operands[0]
    inputs = [*term.reads, (reshaped(vector, [shape[d] for d in reduced]), _dims(rank, reduced))]
    out = _initial_value(product.op.operands[2], [shape[d] for d in rows])

    def body(values: list[ir.Value]) -> Sequence[Any]:
        *inputs, factor, so_far = values
        both = [_extended(v, so_far.type) for v in (term.compute(inputs), factor)]
        return [arith.addf(so_far, arith.mulf(*both))]

    kinds = ["reduction" if d in reduced else "parallel" for d in range(rank)]
    new = generic([v for v, _ in inputs], [out], [*(m for _, m in inputs), _dims(rank, rows)], kinds, body)
    result.replace_all_uses_with(reshaped(new.results[0], list(result.type.shape)))
    product.op.erase()


def _initial_value(value: ir.Value, shape: list[int]) -> Any:
    """The initial value of the sum, reshaped."""
    result = defining_op(value, "linalg.fill")
    if result is None:
        return reshaped(value, shape)
    return filled(result.operands[0], ir.RankedTensorType.get(shape, value.type.element_type))


def _dims(rank: int, dims: Sequence[int]) -> Any:
    return ir.AffineMap.get(rank, 0, [ir.AffineDimExpr.get(d) for d in dims])


def _extended(value: ir.Value, kind: ir.Type) -> Any:
    return value if value.type == kind else arith.extf(kind, value)
