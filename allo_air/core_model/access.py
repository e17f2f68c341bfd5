"""Describes the loads and stores of a core's program: the elements of each memref that they access."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.mlir import AnyOp, ir


@dataclass(frozen=True)
class Access:
    """Operation `op` accesses `extents` elements along each dimension of `memref`, starting at `indices`.

    `clipped` marks the dimensions along which a vector may extend beyond the memref and is cut off. `partial` means that
    lanes may be masked, so that not all elements are accessed.
    """

    op: Any
    memref: Any
    indices: tuple[Any, ...]
    extents: tuple[int, ...]
    reads: bool
    writes: bool
    clipped: tuple[bool, ...] = ()
    partial: bool = False

    @property
    def element_bytes(self) -> int:
        """Bytes of an element in memory."""
        return element_bytes(self.memref.type.element_type)

    @property
    def strides(self) -> list[int] | None:
        """Static strides in elements, or None."""
        kind = self.memref.type
        try:
            strides, _ = kind.get_strides_and_offset()
        except (ValueError, RuntimeError):
            return None
        return None if any(kind.is_dynamic_stride_or_offset(s) for s in strides) else list(strides)


def element_bytes(kind: Any) -> int:
    """Bytes of an element of type `kind` in a memref."""
    if isinstance(kind, ir.IndexType):
        return 8
    if isinstance(kind, ir.ComplexType):
        return 2 * element_bytes(kind.element_type)
    if isinstance(kind, ir.VectorType):
        lanes = 1
        for n in kind.shape:
            lanes *= n
        return lanes * element_bytes(kind.element_type)
    return -(-int(kind.width) // 8)


_SCALAR = {"memref.load": (0, 1, True, False), "memref.store": (1, 2, False, True), "memref.atomic_rmw": (1, 2, True, True)}
"""For each operation: the numbers of its memref operand and of its first index, whether it reads, whether it writes."""

_VECTOR = {
    "vector.load": (0, 1, True, False),
    "vector.store": (1, 2, False, True),
    "vector.maskedload": (0, 1, True, False),
    "vector.maskedstore": (0, 1, False, True),
}
_REFUSED = {
    "vector.scatter",
    "vector.compressstore",
    "vector.expandload",
    "memref.generic_atomic_rmw",
    "memref.dma_start",
    "memref.tensor_store",
}
NAMES = (*_SCALAR, *_VECTOR, "vector.transfer_read", "vector.transfer_write", *_REFUSED)


def access_of(op: ir.Operation) -> Access | None:
    """The memory access of `op`; None without an access, or if it is not known in advance."""
    name = op.name
    if name in _REFUSED:
        raise error_at(op, "is not simulated; use loads, stores and transfers instead")
    if name in _SCALAR:
        place, first, reads, writes = _SCALAR[name]
        memref = op.operands[place]
        rank = memref.type.rank
        indices = tuple(op.operands[first + i] for i in range(rank))
        return Access(op, memref, indices, (1,) * rank, reads, writes)
    if name in _VECTOR:
        return _plain_vector(op)
    if name in ("vector.transfer_read", "vector.transfer_write"):
        return _transfer(op)
    return None


def _plain_vector(op: ir.Operation) -> Access | None:
    place, first, reads, writes = _VECTOR[op.name]
    memref = op.operands[place]
    if isinstance(memref.type.element_type, ir.VectorType):
        return None
    rank = memref.type.rank
    moved = {"vector.store": 0, "vector.maskedstore": len(op.operands) - 1}.get(op.name)
    vector = op.results[0].type if moved is None else op.operands[moved].type
    extents = (*(1,) * (rank - len(vector.shape)), *vector.shape)
    indices = tuple(op.operands[first + i] for i in range(rank))
    return Access(op, memref, indices, extents, reads, writes, partial="masked" in op.name)


def _transfer(op: AnyOp) -> Access | None:
    reads = op.name == "vector.transfer_read"
    memref = op.operands[0 if reads else 1]
    if not isinstance(memref.type, ir.MemRefType) or isinstance(memref.type.element_type, ir.VectorType):
        return None
    rank = memref.type.rank
    first = 1 if reads else 2
    vector = op.results[0].type if reads else op.operands[0].type
    extents, clipped = [1] * rank, [False] * rank
    in_bounds = [bool(b) for b in op.attributes["in_bounds"]]
    results = op.attributes["permutation_map"].value.results
    for result, size, inside in zip(results, vector.shape, in_bounds, strict=True):
        if isinstance(result, ir.AffineDimExpr):
            extents[result.position], clipped[result.position] = size, not inside
    masked = len(op.operands) > first + rank + (1 if reads else 0)
    indices = tuple(op.operands[first + i] for i in range(rank))
    return Access(op, memref, indices, tuple(extents), reads, not reads, tuple(clipped) if any(clipped) else (), masked)
