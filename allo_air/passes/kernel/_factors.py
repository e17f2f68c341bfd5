"""Finds plain contractions of micro-tiles and their factors, and flattens vectors and restores them."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.core.walking import defining_op
from allo_air.dialects.mac import PLAIN
from allo_air.mlir import ir, vector

_SIGNED = {"arith.extsi": True, "arith.extui": False}


@dataclass(frozen=True)
class Factor:
    """An integer factor: the matrix before its extension, and whether the extension is signed."""

    value: Any
    signed: bool

    @property
    def bits(self) -> int:
        return int(self.value.type.element_type.width)


def factors(contract: ir.Operation) -> tuple[Factor, Factor] | None:
    """The factors of a plain matrix product of extended integers into i32; None for any other `vector.contract`."""
    if str(contract.operands[2].type).rpartition("x")[2] != "i32>" or not is_plain(contract):
        return None
    results = [_factor(value) for value in list(contract.operands)[:2]]
    a, b = results
    return None if a is None or b is None else (a, b)


def is_plain(contract: ir.Operation) -> bool:
    """Whether `contract` has the maps of a plain matrix multiplication and adds."""
    maps = [m.value for m in contract.attributes["indexing_maps"]]
    return [loops_of(m) for m in maps] == [*PLAIN] and adds(contract) and len(contract.operands) == 3


def adds(contract: ir.Operation) -> bool:
    """Whether the products of `contract` are added up."""
    return "kind" not in contract.attributes or "add" in str(contract.attributes["kind"])


def loops_of(indexing: ir.AffineMap) -> tuple[int, ...]:
    """The loops of a map's results; none if they are not loops of a matrix multiplication."""
    if indexing.n_dims != len(PLAIN) or not indexing.is_projected_permutation:
        return ()
    return tuple(ir.AffineDimExpr(e).position for e in indexing.results)


def shape_of(contract: ir.Operation) -> tuple[int, int, int]:
    """M, K, N of a plain contraction."""
    (m, k), (_, n) = (contract.operands[number].type.shape for number in range(2))
    return m, k, n


def _factor(value: ir.Value) -> Factor | None:
    owner = defining_op(value, *_SIGNED)
    if owner is None:
        return None
    return Factor(owner.operands[0], _SIGNED[owner.name])


def flattened(value: ir.Value) -> ir.Value:
    """A vector flattened to one dimension."""
    kind = value.type
    return value if len(kind.shape) == 1 else vector.shape_cast(ir.VectorType.get([prod(kind.shape)], kind.element_type), value)


def splat(kind: ir.VectorType, number: int) -> ir.DenseElementsAttr:
    """A vector attribute whose lanes all are `number`."""
    width = kind.element_type.width
    signed = (number + (1 << (width - 1))) % (1 << width) - (1 << (width - 1))
    return ir.DenseElementsAttr.get_splat(kind, ir.IntegerAttr.get(kind.element_type, signed))
