"""`dot`: matrix products that are added to an accumulator in L1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.air.api.contraction import contract
from allo_air.air.api.errors import NotImplementedError, TypeError, ValueError
from allo_air.air.api.expression import BufferSlice
from allo_air.air.api.packed import PackedShape
from allo_air.air.api.slab import slab
from allo_air.air.api.token import Token, check_dependency
from allo_air.air.api.trace import tracing
from allo_air.errors import counted
from allo_air.mlir import ir, linalg

if TYPE_CHECKING:
    from allo_air.air.api.buffer import Buffer

__all__ = ["dot"]

_BY_RANK = {
    (1, 1): ("linalg.dot", 0),
    (1, 2): ("linalg.vecmat", 1),
    (2, 1): ("linalg.matvec", 1),
    (2, 2): ("linalg.matmul", 2),
}


def dot(
    a: object,
    b: object,
    acc: object = None,
    alpha: float = 1.0,
    transpose_b: bool = False,
    dependency: object = None,
    *,
    kernel: str | None = None,
) -> Token:
    """acc += a b, by the ranks of `a` and `b`; with `transpose_b` b is [n, k]. `kernel` names the function that computes it."""
    trace = tracing("dot")
    check_dependency(dependency, "dot")
    if alpha != 1:
        raise NotImplementedError(f"dot: alpha is {alpha!r}; only 1 is there")
    if kernel is not None and not isinstance(kernel, str):
        raise TypeError(f"dot: kernel is {kernel!r}, expected the name of a function")
    left, right, into = (_buffer(value, which) for value, which in ((a, "a"), (b, "b"), (acc, "acc")))
    if any(x.dtype.is_unsigned for x in (left, right, into)):
        unsigned = next(x for x in (left, right, into) if x.dtype.is_unsigned)
        raise NotImplementedError(
            f"dot: {unsigned.label} is of {unsigned.dtype.name}: unsigned types are for moving only; use "
            f"{unsigned.dtype.signed_name}"
        )
    packed = [x.packed is not None for x in (left, right, into)]
    if any(packed):
        _check_packed(left, right, into, transpose_b)
        with trace.emit():
            result = contract(
                trace.frame.value(left, left.label), trace.frame.value(right, right.label), slab(trace, into), into.dtype
            )
            _name(result, kernel)
        return Token()
    name = _check_flat(left, right, into, transpose_b)
    with trace.emit():
        values = [trace.frame.value(x, x.label) for x in (left, right, into)]
        _name(_named(name, values, transpose_b), kernel)
    return Token()


def _buffer(operand: Any, which: str) -> Any:
    if operand is None:
        raise TypeError(f"dot: {which} is missing; dot adds the product to the buffer acc")
    if isinstance(operand, BufferSlice) and operand.region is None:
        operand = operand.buffer
    if not hasattr(type(operand), "as_whole_tile"):
        raise TypeError(f"dot: {which} is {type(operand).__name__}, expected a whole buffer in L1")
    if operand.scope.level == "L2":
        raise TypeError(f"dot: {which} is {operand.label}, and a memtile does not compute; load it into L1")
    return operand


def _check_flat(a: Buffer, b: Buffer, acc: Buffer, transpose_b: bool) -> str:
    ranks = (len(a.shape), len(b.shape))
    if ranks not in _BY_RANK:
        raise NotImplementedError(
            f"dot: operands of ranks {ranks[0]} and {ranks[1]} are not supported; ranks are 1 and 2, or packed"
        )
    if transpose_b and ranks != (2, 2):
        raise NotImplementedError(f"dot: transpose_b takes operands of rank 2, got ranks {ranks[0]} and {ranks[1]}")
    name, rank = _BY_RANK[ranks]
    of_b = tuple(reversed(b.shape)) if transpose_b else b.shape
    if a.shape[-1] != of_b[0]:
        raise ValueError(
            f"dot: a {list(a.shape)} has {counted(a.shape[-1], 'column')}, and b {list(b.shape)} has "
            f"{counted(of_b[0], 'row')}; they must be the same"
        )
    shape = (*a.shape[:-1], *of_b[1:])
    if tuple(acc.shape) != shape:
        raise ValueError(f"dot: acc has shape {list(acc.shape)}, expected {list(shape)}")
    assert len(shape) == rank
    _check_types(a, b, acc)
    return name


def _check_packed(a: Any, b: Any, acc: Any, transpose_b: bool) -> None:
    for which, buffer, role in (("a", a, "A"), ("b", b, "B"), ("acc", acc, "C")):
        if buffer.packed is None:
            raise TypeError(f"dot: {which} is {buffer.label}, which is not packed; either all operands are packed, or none")
        if buffer.packed.role != role:
            raise ValueError(f"dot: {which} has the shape of a packed {buffer.packed.role}, expected a packed {role}")
    if transpose_b:
        raise NotImplementedError("dot: transpose_b of packed operands is not supported")
    shapes: list[PackedShape] = [a.packed, b.packed, acc.packed]
    if len({s.micro for s in shapes}) != 1:
        tiles = ", ".join(f"{s.role} {s.micro.m} x {s.micro.k} x {s.micro.n}" for s in shapes)
        raise ValueError(f"dot: the operands are packed for different micro-tiles: {tiles}")
    (m, k), (k_of_b, n), of_c = a.packed.logical, b.packed.logical, acc.packed.logical
    if k != k_of_b or of_c != (m, n):
        raise ValueError(f"dot: extents do not fit: A is {m} x {k}, B is {k_of_b} x {n}, C is {of_c[0]} x {of_c[1]}")
    for which, packed in (("a", a.packed), ("b", b.packed)):
        if any(size != 1 for size in packed.lead) or len(packed.lead) != 2:
            raise ValueError(f"dot: {which} leads with {list(packed.lead)}; an operand of a core leads with [1, 1]")
    _check_types(a, b, acc)


def _check_types(a: Buffer, b: Buffer, acc: Buffer) -> None:
    if not acc.dtype.is_float and (a.dtype.is_float or b.dtype.is_float):
        raise ValueError(f"dot: acc is of {acc.dtype.name}, and the operands are floats; use an accumulator of f32")
    if any(x.dtype.itemsize > acc.dtype.itemsize for x in (a, b)):
        raise ValueError(
            f"dot: acc is of {acc.dtype.name}, which is narrower than the operands, {a.dtype.name} and {b.dtype.name}; "
            "use a wider one"
        )


def _named(name: str, values: list[ir.Value], transpose_b: bool) -> Any:
    a, b, acc = values
    kinds = {"linalg.dot": linalg.DotOp, "linalg.vecmat": linalg.VecmatOp, "linalg.matvec": linalg.MatvecOp}
    if name in kinds:
        op = kinds[name]([], [a, b], [acc])
    elif transpose_b:
        m, n, k = (ir.AffineDimExpr.get(i) for i in range(3))
        maps = [ir.AffineMapAttr.get(ir.AffineMap.get(3, 0, list(dims))) for dims in ((m, k), (n, k), (m, n))]
        op = linalg.MatmulOp([], [a, b], [acc], indexing_maps=ir.ArrayAttr.get(maps))
    else:
        op = linalg.MatmulOp([], [a, b], [acc])
    linalg.fill_builtin_region(op.operation)
    return op


def _name(op: ir.OpView, kernel: str | None) -> None:
    if kernel is not None:
        op.operation.attributes["library_call"] = ir.StringAttr.get(kernel)
