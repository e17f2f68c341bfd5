"""legalize-arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.names import function_type_of, is_private, set_function_type
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.host_buffers import HOST_BUFFERS, BufferContents, HostBuffers
from allo_air.dialects.host_shapes import HOST_SHAPES
from allo_air.dialects.memrefs import memory_space
from allo_air.mlir import AnyOp, ir, memref
from allo_air.passes._analysis.kernels import is_kernel


@dataclass(frozen=True)
class LegalizeArguments(Pass):
    """Makes arguments with strides whole arrays, of which the function uses the leading corner.

    The caller passes an array of the argument's shape; `allo_air.host_buffers` says where it is in the larger array. Private
    functions and kernels stay. Errors: strides that are not those of a part of an array in row-major order, unknown strides,
    and an offset.

    Before:

        func.func @f(%a: memref<16x32xf32, strided<[64, 1], offset: ?>>)

    After:

        func.func @f(%a: memref<16x64xf32>) attributes {allo_air.host_buffers =
            {holds = [{argument = 0, view = array<i64: 16, 32>}], takes = [memref<16x32xf32>]}} {
          %s = memref.subview %a[0, 0] [16, 32] [1, 1] : memref<16x64xf32> to memref<16x32xf32, strided<[64, 1]>>
          %c = memref.cast %s : memref<16x32xf32, strided<[64, 1]>> to memref<16x32xf32, strided<[64, 1], offset: ?>>
    """

    name = "legalize-arguments"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        for function in walk_named(op, "func.func"):
            is_ours = HOST_BUFFERS in function.attributes or HOST_SHAPES in function.attributes
            if function.regions[0].blocks and not (is_private(function) or is_kernel(function) or is_ours):
                _legalize(function)


def _legalize(function: ir.Operation) -> None:
    block = function.regions[0].blocks[0]
    strided = [a for a in block.arguments if _is_strided(a.type)]
    takes, holds = list[ir.Type](), list[BufferContents]()
    for number, argument in enumerate(block.arguments):
        kind = argument.type
        if isinstance(kind, ir.MemRefType | ir.RankedTensorType):
            takes.append(ir.MemRefType.get(kind.shape, kind.element_type) if argument in strided else kind)
            holds.append(BufferContents(number, tuple(kind.shape)))
    if not strided or len(holds) < len(block.arguments) or function_type_of(function).results:
        return
    for argument in strided:
        _use_corner(function, argument)
    set_function_type(function)
    function.attributes[HOST_BUFFERS] = HostBuffers(tuple(takes), tuple(holds)).attribute()


def _is_strided(kind: ir.Type) -> bool:
    return (
        isinstance(kind, ir.MemRefType)
        and kind.has_static_shape
        and memory_space(kind) == 0
        and kind.layout != ir.MemRefType.get(kind.shape, kind.element_type).layout
    )


def _use_corner(function: ir.Operation, argument: ir.BlockArgument) -> None:
    kind: Any = argument.type
    whole = _array_shape(function, argument)
    argument.set_type(ir.MemRefType.get(whole, kind.element_type))
    uses = list(argument.uses)
    with ir.InsertionPoint.at_block_begin(function.regions[0].blocks[0]), function.location:
        value = memref.subview(argument, [0] * kind.rank, list(kind.shape), [1] * kind.rank)
        if value.type != kind:
            value = memref.cast(kind, value)
    for use in uses:
        use.owner.operands[use.operand_number] = value


def _array_shape(function: ir.Operation, argument: ir.BlockArgument) -> list[int]:
    """The shape of the array in whose leading corner the elements of `argument` are; an error if there is none."""
    kind: Any = argument.type
    name = f"argument {argument.arg_number}"
    label = f"takes {name} of type {kind}"
    dense = ir.MemRefType.get(kind.shape, kind.element_type)
    try:
        strides, offset = kind.get_strides_and_offset()
    except (RuntimeError, ValueError):
        raise error_at(function, f"{label}, which has no strides; take {dense} and pass a copy") from None
    unknown = ir.ShapedType.get_dynamic_stride_or_offset()
    if unknown in strides:
        raise error_at(function, f"{label}, whose strides are not known; a transfer needs them as numbers, or take {dense}")
    if offset not in (0, unknown):
        raise error_at(
            function,
            f"{label}; an array begins at its first element: write 'offset: ?', or take the whole array and a memref.subview",
        )
    sizes = list(kind.shape)
    pairs = list(zip(strides, strides[1:], sizes[1:], strict=False))
    if strides[-1:] != [1] or any(outer % inner or outer < inner * size for outer, inner, size in pairs):
        raise error_at(
            function,
            f"{label}, whose strides are not those of a part of an array in row-major order (1 for the last dimension, and"
            f" each a multiple of the next); take {dense} and pass a copy",
        )
    return [*sizes[:1], *(outer // inner for outer, inner, _ in pairs)]
