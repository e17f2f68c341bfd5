"""Flattens vectors of several dimensions for the host, since LLVM keeps only one-dimensional vectors in registers.

Loads and stores of whole innermost dimensions, values that loops carry, transposes and contractions become one-dimensional.
An operand of several contractions is widened and shuffled once.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from allo_air.core.constants import constant_of
from allo_air.core.walking import defining_op, walk_named
from allo_air.mlir import arith, ir, memref, vector

_WIDEN = ("arith.extf", "arith.extsi", "arith.extui")


def flatten_vectors(function: ir.Operation) -> None:
    """Flattens vectors in `function` where possible; MLIR's lowerings handle the others."""
    for op in walk_named(function, "vector.transfer_read", "vector.transfer_write"):
        _flatten_transfer(op)
    for op in walk_named(function, "scf.for"):
        _flatten_carried(op)
    for op in walk_named(function, "vector.transpose"):
        _flatten_transpose(op)
    factors = _Factors()
    for op in walk_named(function, "vector.contract"):
        _flatten_contract(op, factors)


def _flat(kind: ir.VectorType) -> Any:
    return ir.VectorType.get([prod(kind.shape)], kind.element_type)


def _cast(value: ir.Value, kind: ir.VectorType) -> Any:
    return value if value.type == kind else vector.shape_cast(kind, value)


def _is_matrix(kind: ir.Type) -> bool:
    return isinstance(kind, ir.VectorType) and len(kind.shape) > 1 and not kind.scalable


def _flatten_transfer(op: ir.Operation) -> None:
    """A transfer of all elements of a memref's innermost dimensions is a plain load or store of a flat vector."""
    reads = op.name == "vector.transfer_read"
    place = 0 if reads else 1
    kind = op.results[0].type if reads else op.operands[0].type
    source = op.operands[place]
    rank = len(kind.shape)
    mapping = op.attributes["permutation_map"].value
    plain = isinstance(source.type, ir.MemRefType) and source.type.has_static_shape
    plain = plain and source.type.layout == ir.MemRefType.get(source.type.shape, source.type.element_type).layout
    if rank < 2 or not plain or not all(bool(b) for b in op.attributes["in_bounds"]):
        return
    outer = source.type.rank - rank
    indices = list(op.operands)[place + 1 : place + 1 + source.type.rank]
    minor = [isinstance(e, ir.AffineDimExpr) and e.position == outer + i for i, e in enumerate(mapping.results)]
    masked = len(op.operands) > place + 1 + source.type.rank + (1 if reads else 0)
    whole = list(source.type.shape)[outer:] == list(kind.shape) and all(constant_of(i) == 0 for i in indices[outer:])
    if masked or not all(minor) or not whole:
        return
    groups = [[i] for i in range(outer)] + [list(range(outer, source.type.rank))]
    shape = [*list(source.type.shape)[:outer], prod(kind.shape)]
    with ir.InsertionPoint(op), op.location:
        view = memref.collapse_shape(ir.MemRefType.get(shape, source.type.element_type), source, groups)
        indices_of_row = [*indices[:outer], indices[outer]]
        if reads:
            loaded = vector.load(_flat(kind), view, indices_of_row)
            op.results[0].replace_all_uses_with(vector.shape_cast(kind, loaded))
        else:
            vector.store(_cast(op.operands[0], _flat(kind)), view, indices_of_row)
    op.erase()


def _flatten_carried(loop: ir.Operation) -> None:
    """Makes the loop carry flat vectors; casts before and after it leave its surroundings unchanged."""
    block = loop.regions[0].blocks[0]
    terminator = list(block.operations)[-1].operation
    for i, result in enumerate(loop.results):
        kind = result.type
        if not _is_matrix(kind):
            continue
        flat = _flat(kind)
        argument = block.arguments[1 + i]
        with loop.location:
            with ir.InsertionPoint(loop):
                loop.operands[3 + i] = vector.shape_cast(flat, loop.operands[3 + i])
            with ir.InsertionPoint(terminator):
                terminator.operands[i] = vector.shape_cast(flat, terminator.operands[i])
            argument.set_type(flat)
            result.set_type(flat)
            _replace_by_cast(argument, kind, ir.InsertionPoint.at_block_begin(block))
            _replace_by_cast(result, kind, ir.InsertionPoint.after(loop))


def _replace_by_cast(value: ir.Value, kind: ir.Type, ip: ir.InsertionPoint) -> None:
    with ip:
        cast = vector.shape_cast(kind, value)
    value.replace_all_uses_except(cast, cast.owner.operation)


_MAPS = ("affine_map<(d0, d1, d2) -> (d0, d2)>", "affine_map<(d0, d1, d2) -> (d2, d1)>", "affine_map<(d0, d1, d2) -> (d0, d1)>")


def _flatten_transpose(op: ir.Operation) -> None:
    """A transpose is one shuffle of the flat vector; MLIR's own lowering moves each element by itself."""
    source, result = op.operands[0], op.results[0]
    if not _is_matrix(source.type):
        return
    order = np.arange(prod(source.type.shape)).reshape(source.type.shape).transpose(list(op.attributes["permutation"])).ravel()
    with ir.InsertionPoint(op), op.location:
        flat = _cast(source, _flat(source.type))
        result.replace_all_uses_with(vector.shape_cast(result.type, vector.shuffle(flat, flat, order.tolist())))
    op.erase()


def _flatten_contract(op: ir.Operation, factors: _Factors) -> None:
    """A plain matrix product is, per k, a multiply-add of A's column and B's row, each spread over the flat result."""
    a, b, c = list(op.operands)[:3]
    if len(op.operands) != 3 or tuple(str(m) for m in op.attributes["indexing_maps"]) != _MAPS:
        return
    if "kind" in op.attributes and "add" not in str(op.attributes["kind"]):
        return
    element = c.type.element_type
    if any(v.type.element_type != element for v in (a, b)):  # the contraction's own rules of extension decide
        return
    m, n = a.type.shape[0], b.type.shape[1]
    factors.enter(op.block)
    with ir.InsertionPoint(op), op.location:
        total = _cast(c, _flat(c.type))
        columns, rows = factors.columns(a, n), factors.rows(b, m)
        for column, row in zip(columns, rows, strict=True):
            if isinstance(element, ir.FloatType):
                total = vector.fma(column, row, total)
            else:
                total = arith.addi(total, arith.muli(column, row))
        op.results[0].replace_all_uses_with(_cast(total, c.type))
    op.erase()


class _Factors:
    """Factors of the contractions of one block, spread over their flat results."""

    def __init__(self) -> None:
        self._block: Any = None
        self._wide: dict[Any, Any] = {}
        self._spread: dict[Any, list[Any]] = {}

    def enter(self, block: ir.Block) -> None:
        """Starts or continues insertion into `block`."""
        if self._block is None or self._block != block:
            self._block, self._wide, self._spread = block, {}, {}

    def columns(self, value: ir.Value, n: int) -> list[Any]:
        """Each column of the matrix `value`, every element of it `n` times."""
        m, k = value.type.shape
        return self._shuffled(value, True, n, [[i * k + step for i in range(m) for _ in range(n)] for step in range(k)])

    def rows(self, value: ir.Value, m: int) -> list[Any]:
        """Each row of the matrix `value`, `m` times."""
        k, n = value.type.shape
        return self._shuffled(value, False, m, [[step * n + j for _ in range(m) for j in range(n)] for step in range(k)])

    def _shuffled(self, value: ir.Value, by_column: bool, times: int, orders: list[list[int]]) -> list[Any]:
        key = value, by_column, times
        if key not in self._spread:
            flat = self._flat(value)
            self._spread[key] = [vector.shuffle(flat, flat, order) for order in orders]
        return self._spread[key]

    def _flat(self, value: ir.Value) -> Any:
        """`value` as a flat vector. An extension is applied to the flat narrow vector."""
        if value not in self._wide:
            owner = defining_op(value)
            if owner is None or owner.name not in _WIDEN:
                self._wide[value] = _cast(value, _flat(value.type))
            else:
                source, kinds = owner.operands[0], [_flat(value.type)]
                cast = _cast(source, _flat(source.type))
                self._wide[value] = ir.Operation.create(owner.name, kinds, [cast], loc=owner.location).results[0]
        return self._wide[value]
