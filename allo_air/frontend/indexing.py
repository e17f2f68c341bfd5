"""Compiles subscripts of buffers to elements, views, or bits of integers."""

from __future__ import annotations

import ast
from typing import Any

from allo_air.errors import counted
from allo_air.frontend.affine_forms import Form, Forms
from allo_air.frontend.arithmetic import Scalar, apply, emit, materialized
from allo_air.frontend.nodes import scalar
from allo_air.frontend.numbers import Number, binary, cast, constant, to_index
from allo_air.frontend.places import Place
from allo_air.frontend.state import State
from allo_air.frontend.static import UNKNOWN, evaluate
from allo_air.frontend.types import ScalarType, UInt
from allo_air.frontend.values import DYNAMIC, Buffer
from allo_air.mlir import ir, memref

_DYNAMIC = ir.ShapedType.get_dynamic_stride_or_offset()


def parts(node: ast.AST) -> list[ast.AST]:
    """The subscripts of `[a, b]`."""
    return list(node.elts) if isinstance(node, ast.Tuple) else [node]


def is_view(buffer: Buffer, index: ast.AST) -> bool:
    """Whether the result of subscripts is a part of the buffer, not an element."""
    value = parts(index)
    return len(value) < len(buffer.shape) or any(isinstance(p, ast.Slice) or _is_ellipsis(p) for p in value)


def _is_ellipsis(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def element_of(state: State, buffer: Buffer, index: ast.AST) -> Place:
    """The element that subscripts select, one for each dimension."""
    value = parts(index)
    if len(value) > len(buffer.shape):
        raise state.error(index, f"{counted(len(value), 'subscript')} for a tensor of rank {len(buffer.shape)}")
    forms = Forms(state)
    results = [forms.of(p) for p in value]
    for node, form, size in zip(value, results, buffer.shape, strict=True):
        _check_bounds(state, node, form, size)
    if all(form is not None for form in results):
        exprs = [_wrapped(form, size) for form, size in zip(results, buffer.shape, strict=True)]
        return Place(buffer, tuple(forms.operands), ir.AffineMap.get(len(forms.operands), 0, exprs))
    return Place(buffer, tuple(_index(state, p) for p in value))


def _wrapped(form: Form | None, size: int) -> Any:
    assert form is not None
    fixed = form.constant
    return form.expr if fixed is None or fixed >= 0 else ir.AffineConstantExpr.get(fixed + size)


def _check_bounds(state: State, node: ast.AST, form: Form | None, size: int) -> None:
    fixed = None if form is None else form.constant
    if size == DYNAMIC:
        if fixed is not None and fixed < 0:
            raise state.error(node, f"subscript {fixed} of a dimension of dynamic size: it must not be negative")
        return
    if fixed is not None and not -size <= fixed < size:
        raise state.error(node, f"subscript {fixed} of a dimension of size {size}")


def _index(state: State, node: ast.AST) -> Any:
    return to_index(materialized(scalar(state, node)))


def view(state: State, buffer: Buffer, index: ast.AST) -> Buffer:
    """The part of a buffer that slices select, as a view. Subscripts that are no slices drop their dimension."""
    subscripts = parts(index)
    if any(_is_ellipsis(p) for p in subscripts):
        ellipsis = next(i for i, p in enumerate(subscripts) if _is_ellipsis(p))
        subscripts[ellipsis : ellipsis + 1] = [ast.Slice()] * (len(buffer.shape) - len(subscripts) + 1)
    if len(subscripts) > len(buffer.shape):
        raise state.error(index, f"{counted(len(subscripts), 'subscript')} for a tensor of rank {len(buffer.shape)}")
    subscripts += [ast.Slice()] * (len(buffer.shape) - len(subscripts))
    pieces = [_slice_of(state, p, size) for p, size in zip(subscripts, buffer.shape, strict=True)]
    if all(
        isinstance(p, ast.Slice) and piece == (0, size, 1)
        for p, piece, size in zip(subscripts, pieces, buffer.shape, strict=True)
    ):
        return buffer
    is_slice = [isinstance(p, ast.Slice) for p in subscripts]
    return subview(buffer, pieces, is_slice)


def _slice_of(state: State, node: ast.AST, size: int) -> tuple[Any, int, int]:
    """Offset (a number or an index value), size and stride."""
    if not isinstance(node, ast.Slice):
        form = Forms(state).of(node)
        _check_bounds(state, node, form, size)
        fixed = None if form is None else form.constant
        return (_index(state, node) if fixed is None else fixed + size if fixed < 0 else fixed, 1, 1)
    step = 1 if node.step is None else evaluate(state, node.step)
    low = 0 if node.lower is None else evaluate(state, node.lower)
    high = size if node.upper is None else evaluate(state, node.upper)
    if step is UNKNOWN or not isinstance(step, int) or step < 1:
        raise state.error(node, "the step of a slice must be a number above 0 that is known when the kernel is compiled")
    if size == DYNAMIC and (node.upper is None or any(isinstance(n, int) and n < 0 for n in (low, high))):
        raise state.error(node, "a slice of a dimension of dynamic size needs an end, and bounds that are not negative")
    if low is not UNKNOWN and high is not UNKNOWN:
        size = size if size != DYNAMIC else high
        start, stop, _ = slice(low, high).indices(size)
        return start, max(0, -(-(stop - start) // step)), step
    zero = ast.Constant(0)
    extent = Forms(state).difference(node.lower or zero, node.upper or ast.Constant(size))
    if extent is None:
        raise state.error(node, "the length of a slice must be known when the kernel is compiled, as in A[i * 4 : i * 4 + 4]")
    assert node.lower is not None
    return _index(state, node.lower), -(-extent // step), step


def subview(buffer: Buffer, pieces: list[tuple[Any, int, int]], keeps_dim: list[bool]) -> Buffer:
    """The part of a buffer from an offset, a size and a stride for each dimension; only `keeps_dim` dimensions stay."""
    type_ = ir.MemRefType(buffer.value.type)
    strides, base = type_.get_strides_and_offset()
    offset = base
    for (start, _, _), stride in zip(pieces, strides, strict=True):
        dynamic = not isinstance(start, int) or offset == _DYNAMIC or stride == _DYNAMIC
        offset = _DYNAMIC if dynamic else offset + start * stride
    out_strides = [s * step for (_, _, step), s, k in zip(pieces, strides, keeps_dim, strict=True) if k]
    shape = [size for (_, size, _), k in zip(pieces, keeps_dim, strict=True) if k]
    result = ir.MemRefType.get(shape, type_.element_type, ir.StridedLayoutAttr.get(offset, out_strides))
    static = [start if isinstance(start, int) else _DYNAMIC for start, _, _ in pieces]
    op = memref.SubViewOp(
        result,
        buffer.value,
        [start for start, _, _ in pieces if not isinstance(start, int)],
        [],
        [],
        static,
        [size for _, size, _ in pieces],
        [step for _, _, step in pieces],
    )
    return Buffer(op.result, buffer.element, buffer.origin)


def bits(state: State, number: Number, index: ast.AST) -> Number:
    """Bit `x[i]`, or bits `x[low:high]` without the last, of an integer."""
    low, width = _bit_range(state, number.type, index)
    shifted = apply("shr", _unsigned(number), low, "default")
    assert isinstance(shifted, Number)
    return cast(shifted, UInt(width))


def with_bits(state: State, number: Number, index: ast.AST, value: Scalar) -> Number:
    """The integer with the bits that `index` selects set to `value`."""
    low, width = _bit_range(state, number.type, index)
    kind = UInt(number.type.bits)
    shift = emit(low, kind)
    mask = binary("shl", constant((1 << width) - 1, kind), shift)
    cleared = binary("and", _unsigned(number), binary("xor", mask, constant(-1, kind)))
    new = binary("shl", cast(emit(value, UInt(width)), kind), shift)
    return Number(binary("or", cleared, new).value, number.type)


def _unsigned(number: Number) -> Number:
    return Number(number.value, UInt(number.type.bits))


def _bit_range(state: State, kind: ScalarType, index: ast.AST) -> tuple[Scalar, int]:
    if kind.floating or kind.kind == "index":
        raise state.error(index, f"bits of {kind}: only integers and fixed-point numbers have bits to take")
    if not isinstance(index, ast.Slice):
        return scalar(state, index), 1
    low, high = index.lower or ast.Constant(0), index.upper or ast.Constant(kind.bits)
    width = Forms(state).difference(low, high)
    if width is None or width < 1:
        raise state.error(index, "the number of bits must be known when the kernel is compiled, and above 0")
    return scalar(state, low), width
