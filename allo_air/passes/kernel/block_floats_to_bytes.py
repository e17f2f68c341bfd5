"""block-floats-to-bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from allo_air import dialects
from allo_air.access.linear import Linear
from allo_air.arch.limits import BLOCK_BITS
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named, walk_pre_order
from allo_air.dialects.air_values import HIERARCHIES, regroup_operands
from allo_air.dialects.operands import MEMREFS, lists_of, operands_of, with_lists
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.linear import of_value
from allo_air.passes._ir.constants import Indices
from allo_air.passes._ir.operands import with_operands
from allo_air.passes.kernel._retype import retype

_ALLOCATIONS = ("memref.alloc", "memref.alloca")
_KEEPING = (*_ALLOCATIONS, "memref.dealloc", "memref.copy", "memref.cast", "memref.collapse_shape", "memref.subview")
"""Operations on memory that do not depend on the elements."""
_DYNAMIC = ir.ShapedType.get_dynamic_size()
_PADS = ("pad_before", "pad_after")


@dataclass(frozen=True)
class BlockFloatsToBytes(Pass):
    """Replaces memrefs of block floating point by memrefs of bytes, which DMAs move and kernels in C++ accept.

    The innermost dimension counts bytes afterwards. Only contiguous blocks can be moved: the innermost stride of a transfer
    must be 1, unless the innermost size is 1.

    Before:

        air.dma_memcpy_nd (%l[] [] [], %a[%i, 4] [8, 4] [16, 1]) : (memref<8x4x!aiex.bfp<"v8bfp16ebs8">, 2>, memref<64x16x...>)
        func.call @f(%l) : (memref<8x4x!aiex.bfp<"v8bfp16ebs8">, 2>) -> ()

    After:

        air.dma_memcpy_nd (%l[] [] [], %a[%i, 36] [8, 36] [144, 1]) : (memref<8x36xui8, 2>, memref<64x144xui8>)
        func.call @f(%l) : (memref<8x36xui8, 2>) -> ()
    """

    name = "block-floats-to-bytes"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        ops = list(walk_pre_order(op))
        if not any(map(_has_blocks, {t for inner in ops for t in _types(inner)})):
            return
        for inner in ops:
            _check(inner)
        indices = Indices()
        for inner in ops:
            if inner.name in MEMREFS:
                _rewrite_lists(inner, indices)
            elif inner.name == "memref.subview" and _block(inner.operands[0].type):
                _rewrite_view(inner)
        retype(op, _bytes)
        for hierarchy in walk_named(op, *HIERARCHIES):
            regroup_operands(hierarchy)


def _types(op: ir.Operation) -> Iterator[ir.Type]:
    """The types of results, functions and globals, in which blocks can occur."""
    yield from (result.type for result in op.results)
    for name in ("function_type", "type"):
        if name in op.attributes and isinstance(op.attributes[name], ir.TypeAttr):
            yield ir.TypeAttr(op.attributes[name]).value


def _has_blocks(kind: ir.Type) -> bool:
    text = str(kind)
    return any(name in text for name in BLOCK_BITS)


def _block(kind: ir.Type) -> int:
    """Bytes of a block, if the elements of `kind` are blocks; 0 for other types."""
    return BLOCK_BITS.get(str(getattr(kind, "element_type", "")), 0) // 8 if str(kind).startswith("memref<") else 0


def _check(op: ir.Operation) -> None:
    """Raises an error for operations that use the contents of blocks, and for allocations with a dynamic innermost
    dimension.
    """
    if op.name == "memref.global" and any(map(_has_blocks, _types(op))):
        raise error_at(op, "contains blocks of floats, and only allocated buffers and arguments of functions can")
    if op.name in _ALLOCATIONS and _block(kind := op.results[0].type) and ir.MemRefType(kind).shape[-1:] == [_DYNAMIC]:
        raise error_at(op, "allocates blocks of floats, and their innermost dimension is dynamic; expected a constant one")
    values = [*op.operands, *op.results, *(a for r in op.regions for b in r.blocks for a in b.arguments)]
    is_memory = op.name.partition(".")[0] in ("memref", "linalg", "vector", "affine")
    if any(not _block(v.type) and _has_blocks(v.type) for v in values) or (
        is_memory and op.name not in _KEEPING and any(_block(v.type) for v in values)
    ):
        raise error_at(op, "uses elements that are blocks of floats; only transfers and functions in C++ take blocks")


def _rewrite_lists(transfer: ir.Operation, indices: Indices) -> None:
    """Makes the access lists of a transfer count bytes."""
    changed: dict[str, Sequence[ir.Value]] = {}
    padded = 0
    operands = operands_of(transfer)
    for field in MEMREFS[transfer.name]:
        offsets, sizes, strides = lists_of(transfer, field)
        size = _block(operands[field][0].type)
        if not size or not sizes:
            continue
        stride, is_one = constant_of(strides[-1]), constant_of(sizes[-1]) == 1
        if stride is None or (stride != 1 and not is_one):
            wrong = "is not constant" if stride is None else f"is {stride}"
            raise error_at(
                transfer, f"moves blocks of {counted(size, 'byte')} only side by side: its innermost stride {wrong}, expected 1"
            )

        def times(value: ir.Value, factor: int) -> ir.Value:
            return indices.value(of_value(value).scaled(factor), transfer)

        last = [times(o, size * stride) for o in offsets[-1:]]
        outer = [times(s, size) for s in strides[:-1]]
        one = indices.value(Linear(1), transfer)
        changed |= with_lists(field, ([*offsets[:-1], *last], [*sizes[:-1], times(sizes[-1], size)], [*outer, one]))
        padded = size
    if not changed:
        return
    for name in _PADS:
        if name in transfer.attributes:
            pads = list(ir.DenseI32ArrayAttr(transfer.attributes[name]))
            transfer.attributes[name] = ir.DenseI32ArrayAttr.get([*pads[:-1], pads[-1] * padded], transfer.context)
    with_operands(transfer, changed)


def _rewrite_view(view: ir.Operation) -> None:
    """Makes the innermost offset and size of a memref.subview count bytes."""
    size = _block(view.operands[0].type)
    names = ("static_offsets", "static_sizes", "static_strides")
    offsets, sizes, strides = lists = [list(ir.DenseI64ArrayAttr(view.attributes[name])) for name in names]
    if not strides or offsets[-1] < 0 or sizes[-1] < 0 or strides[-1] != 1:
        raise error_at(view, "views blocks of floats: its innermost offset and size must be constant, its innermost stride 1")
    if ir.MemRefType(view.results[0].type).get_strides_and_offset()[0][-1:] != [1]:
        raise error_at(view, "views blocks of floats without their innermost dimension; its result must have it")
    for name, (*outer, last) in zip(names[:2], lists[:2], strict=True):
        view.attributes[name] = ir.DenseI64ArrayAttr.get([*outer, last * size], view.context)


def _bytes(kind: ir.Type) -> ir.Type:
    """The type `kind` with bytes instead of blocks."""
    if isinstance(kind, ir.FunctionType):
        return ir.FunctionType.get([_bytes(t) for t in kind.inputs], [_bytes(t) for t in kind.results])
    size = _block(kind)
    if not size:
        return kind
    element = ir.IntegerType.get_unsigned(8, kind.context)
    if isinstance(kind, ir.UnrankedMemRefType):
        return ir.UnrankedMemRefType.get(element, ir.UnrankedMemRefType(kind).memory_space)
    kind = ir.MemRefType(kind)
    layout = None
    if "strided" in str(kind.layout):
        strides, offset = kind.get_strides_and_offset()
        layout = ir.StridedLayoutAttr.get(
            _times(offset, size), [*(_times(s, size) for s in strides[:-1]), strides[-1]], kind.context
        )
    shape = [*kind.shape[:-1], _times(kind.shape[-1], size)] if kind.rank else [size]
    return ir.MemRefType.get(shape, element, layout, kind.memory_space)


def _times(number: int, size: int) -> int:
    """`number` blocks in bytes. MLIR's negative marker of a dynamic number is returned unchanged."""
    return number * size if number >= 0 else number
