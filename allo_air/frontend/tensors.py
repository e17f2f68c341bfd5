"""Emits linalg on buffers: elementwise operations with broadcasting, products, reductions, copies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from allo_air.errors import counted
from allo_air.frontend.arithmetic import Scalar, emit
from allo_air.frontend.errors import KernelError
from allo_air.frontend.numbers import Number, binary, cast, constant, mlir_type
from allo_air.frontend.types import ScalarType
from allo_air.frontend.values import DYNAMIC, Buffer, allocate, memref_type
from allo_air.mlir import ir, linalg, memref

Operand = Buffer | Scalar


def shapes_together(shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The shape that numpy broadcasts `shapes` to."""
    if any(DYNAMIC in s for s in shapes):
        raise KernelError("a tensor of dynamic shape can only be used element by element, in loops")
    rank = max((len(s) for s in shapes), default=0)
    result = []
    for sizes in zip(*[(1,) * (rank - len(s)) + s for s in shapes], strict=True):
        wide = {size for size in sizes if size != 1}
        if len(wide) > 1:
            raise KernelError("shapes do not fit together: " + " and ".join(f"({', '.join(map(str, s))})" for s in shapes))
        result.append(wide.pop() if wide else 1)
    return tuple(result)


def _broadcast_map(shape: tuple[int, ...], to: tuple[int, ...]) -> Any:
    missing = len(to) - len(shape)
    exprs = [
        ir.AffineConstantExpr.get(0) if size == 1 and to[missing + i] != 1 else ir.AffineDimExpr.get(missing + i)
        for i, size in enumerate(shape)
    ]
    return ir.AffineMap.get(len(to), 0, exprs)


def _iterators(kinds: Sequence[str]) -> Any:
    return ir.ArrayAttr.get([ir.Attribute.parse(f"#linalg.iterator_type<{kind}>") for kind in kinds])


def generic(
    inputs: Sequence[Buffer],
    output: Buffer,
    maps: Sequence[ir.AffineMap],
    iterators: Sequence[str],
    body: Callable[[list[Number], Number], Number],
) -> None:
    """A linalg.generic whose body takes the elements of the inputs and of the output as numbers, and returns the new
    element.
    """
    op = linalg.GenericOp(
        [],
        [b.value for b in inputs],
        [output.value],
        ir.ArrayAttr.get([ir.AffineMapAttr.get(m) for m in maps]),
        _iterators(iterators),
    )
    block = op.regions[0].blocks.append(*[mlir_type(b.element) for b in (*inputs, output)])
    with ir.InsertionPoint(block):
        *value, old = [Number(a, b.element) for a, b in zip(block.arguments, (*inputs, output), strict=True)]
        linalg.YieldOp([cast(body(value, old), output.element).value])


def elementwise(
    operands: Sequence[Operand],
    compute: Callable[[list[Scalar]], Scalar],
    element: ScalarType,
    target: Buffer | None = None,
) -> Buffer:
    """Applies `compute` to the elements of operands, which are broadcast together. `element` is the type of a new result."""
    buffers = [o for o in operands if isinstance(o, Buffer)]
    shape = shapes_together([b.shape for b in buffers])
    if target is not None and shapes_together([shape, target.shape]) != target.shape:
        raise KernelError(f"a result of shape {shape} does not fit a target of shape {target.shape}")
    result = target or allocate(element, shape)

    def body(values: list[Number], _old: Number) -> Number:
        numbers = iter(values)
        return emit(compute([next(numbers) if isinstance(o, Buffer) else o for o in operands]), result.element)

    maps = [_broadcast_map(b.shape, result.shape) for b in buffers]
    maps.append(ir.AffineMap.get_identity(len(result.shape)))
    generic(buffers, result, maps, ["parallel"] * len(result.shape), body)
    return result


def fill(target: Buffer, value: Scalar) -> None:
    """Sets every element of `target` to `value`."""
    linalg.fill(emit(value, target.element).value, outs=[target.value])


def fills_bytes(element: ScalarType) -> bool:
    """Whether an element fills its bytes in memory (8, 16, 32 or 64 bits), as MLIR's lowering of memref.copy requires."""
    return element.kind == "index" or element.bits in (8, 16, 32, 64)


def copy(source: Buffer, target: Buffer) -> None:
    """Copies, with a cast and broadcasting if necessary."""
    is_copyable = fills_bytes(source.element) and all(b.value.type == memref_type(b.element, b.shape) for b in (source, target))
    if is_copyable and source.element == target.element and source.shape == target.shape:
        memref.CopyOp(source.value, target.value)
        return
    elementwise([source], lambda values: values[0], target.element, target)


def contract(a: Buffer, b: Buffer, target: Buffer) -> None:
    """target += a b, for two matrices, or batches of them."""
    shapes = a.shape, b.shape
    if len(a.shape) < 2 or len(a.shape) != len(b.shape) or a.shape[-1] != b.shape[-2] or a.shape[:-2] != b.shape[:-2]:
        raise KernelError(
            f"a product of shapes {shapes[0]} and {shapes[1]}: the columns of the first must be the rows of the second"
        )
    shape = (*a.shape[:-1], b.shape[-1])
    if target.shape != shape:
        raise KernelError(f"a product of shape {shape} does not fit a target of shape {target.shape}")
    if a.element.integral and a.element.signed != b.element.signed:
        wide = target.element
        a, b = [x if x.element.signed == wide.signed else elementwise([x], lambda g: g[0], wide) for x in (a, b)]
    if a.element.fixed or b.element.fixed or len(a.shape) > 3:
        _contract_generic(a, b, target)
        return
    unsigned = {} if a.element.signed or a.element.floating else {"cast": linalg.TypeFn.cast_unsigned}
    op = linalg.matmul if len(a.shape) == 2 else linalg.batch_matmul
    op(a.value, b.value, outs=[target.value], **unsigned)


def is_broadcast_product(a: Buffer, b: Buffer) -> bool:
    """Whether a product has a vector operand, or tensors of different ranks or batches that numpy would broadcast."""
    if not a.shape or not b.shape or a.shape[-1] != b.shape[-min(2, len(b.shape))]:
        return False
    return len(a.shape) != len(b.shape) or len(a.shape) == 1 or a.shape[:-2] != b.shape[:-2]


def product_shape(a: Buffer, b: Buffer) -> tuple[int, ...]:
    """The shape of numpy's product."""
    front = shapes_together([a.shape[:-2], b.shape[:-2]])
    return (*front, *(a.shape[-2:-1]), *(b.shape[-1:] if len(b.shape) > 1 else ()))


def contract_parts(a: Buffer, b: Buffer, target: Buffer) -> None:
    """target += a b, for operands of which `is_broadcast_product` is true."""
    from allo_air.frontend.arithmetic import apply

    rank = len(target.shape) + 1
    dims = [ir.AffineDimExpr.get(i) for i in range(rank)]
    k, columns = dims[-1], [dims[-2]] if len(b.shape) > 1 else []
    rows = [dims[-2 - len(columns)]] if len(a.shape) > 1 else []
    front = dims[: rank - 1 - len(rows) - len(columns)]

    def batch(shape: tuple[int, ...]) -> list[Any]:
        batch_dims = front[len(front) - len(shape) :]
        return [ir.AffineConstantExpr.get(0) if size == 1 else d for size, d in zip(shape, batch_dims, strict=True)]

    maps = [
        ir.AffineMap.get(rank, 0, [*batch(a.shape[:-2]), *rows, k]),
        ir.AffineMap.get(rank, 0, [*batch(b.shape[:-2]), k, *columns]),
        ir.AffineMap.get(rank, 0, dims[:-1]),
    ]

    def body(numbers: list[Number], old: Number) -> Number:
        product = apply("mul", emit(numbers[0], old.type), emit(numbers[1], old.type), "cpp-style")
        return binary("add", old, emit(product, old.type))

    generic([a, b], target, maps, ["parallel"] * (rank - 1) + ["reduction"], body)


def _contract_generic(a: Buffer, b: Buffer, target: Buffer) -> None:
    from allo_air.frontend.arithmetic import apply

    batch, rank = len(a.shape) - 2, len(a.shape) + 1
    dims = [ir.AffineDimExpr.get(i) for i in range(rank)]
    front, (m, n, k) = dims[:batch], dims[batch:]
    maps = [ir.AffineMap.get(rank, 0, [*front, *x]) for x in ((m, k), (k, n), (m, n))]

    def body(numbers: list[Number], old: Number) -> Number:
        product = apply("mul", numbers[0], numbers[1], "default")
        return binary("add", old, emit(product, old.type))

    generic([a, b], target, maps, ["parallel"] * (batch + 2) + ["reduction"], body)


def transpose(source: Buffer, axes: Sequence[int], target: Buffer | None = None) -> Buffer:
    """The dimensions in the order of `axes`, or reversed."""
    if sorted(axes) != list(range(len(source.shape))):
        raise KernelError(
            f"axes {tuple(axes)} do not permute the {counted(len(source.shape), 'dimension')} of shape {source.shape}"
        )
    result = target or allocate(source.element, tuple(source.shape[a] for a in axes))
    rank = len(axes)
    source_map = ir.AffineMap.get(rank, 0, [ir.AffineDimExpr.get(list(axes).index(i)) for i in range(rank)])
    generic([source], result, [source_map, ir.AffineMap.get_identity(rank)], ["parallel"] * rank, lambda values, _: values[0])
    return result


def reduce(
    source: Buffer,
    axes: Sequence[int],
    name: str,
    element: ScalarType,
    start: Scalar,
    *,
    keep: bool = False,
    target: Buffer | None = None,
) -> Buffer:
    """Reduces `axes` by `add`, `mul`, `min` or `max`. With `keep`, they stay as dimensions of size 1."""
    rank = len(source.shape)
    axes = sorted({a % rank for a in axes})
    shape = tuple(1 if i in axes else s for i, s in enumerate(source.shape) if keep or i not in axes)
    result = target or allocate(element, shape)
    fill(result, start)
    zero = ir.AffineConstantExpr.get(0)
    exprs = [zero if i in axes else ir.AffineDimExpr.get(i) for i in range(rank) if keep or i not in axes]
    maps = [ir.AffineMap.get_identity(rank), ir.AffineMap.get(rank, 0, exprs)]
    kinds = ["reduction" if i in axes else "parallel" for i in range(rank)]
    generic([source], result, maps, kinds, lambda values, old: binary(name, old, cast(values[0], old.type)))
    return result


def lowest(element: ScalarType) -> Scalar:
    """The smallest value of a type: the neutral element of `max`."""
    if element.floating:
        return float("-inf")
    return -(1 << element.bits - 1) if element.signed else 0


def zeros(element: ScalarType, shape: tuple[int, ...]) -> Buffer:
    """A new buffer of zeros."""
    result = allocate(element, shape)
    linalg.fill(constant(0, element).value, outs=[result.value])
    return result
