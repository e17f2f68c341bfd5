"""Updates the calls of a kernel whose arguments and results became larger."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

from allo_air.access.layout import Layout
from allo_air.core.names import function_type_of, set_function_type
from allo_air.dialects.host_shapes import HOST_SHAPES, set_host_layouts
from allo_air.mlir import ir
from allo_air.passes._analysis.kernels import is_kernel
from allo_air.passes._ir.kernel_calls import corner, enlarged, reshape_to, update_calls, with_zeros


def pad_calls(function: ir.Operation, zeros: Sequence[Collection[int]]) -> None:
    """Makes each call of `function` pass and return tensors of its padded types; dimensions `zeros[i]` of operand i are padded
    with zeros.

    Other padded rows are never read; the longer buffer begins with the same bytes.

    Before:

        %c = call @k(%a, %b) : (tensor<7x5xbf16>, tensor<7x16xbf16>) -> tensor<7x16xf32>

    After:

        %rows = tensor.pad %a low[0, 0] high[0, 3] { zero }
        %wide = tensor.insert_slice %rows into (tensor.empty() : tensor<8x8xbf16>)[0, 0] [7, 8] [1, 1]
        %long = tensor.insert_slice %b into (tensor.empty() : tensor<8x16xbf16>)[0, 0] [7, 16] [1, 1]
        %all = call @k(%wide, %long) : (tensor<8x8xbf16>, tensor<8x16xbf16>) -> tensor<8x16xf32>
        %c = tensor.extract_slice %all[0, 0] [7, 16] [1, 1]
    """
    update_calls(function, [partial(_padded, zeros=z) for z in zeros], corner)


def reshape_callers(function: ir.Operation, before: ir.FunctionType, repeated: Sequence[int]) -> None:
    """Makes the calls of kernel `function`, whose type was `before`, reshape their operands and results.

    They pass the operands numbered `repeated` a second time, after the others. For a function that the host calls, the host's
    arrays of the old shapes get layouts.
    """
    kind = function_type_of(function)
    if kind == before:
        return
    if not is_kernel(function):
        _set_layouts(function, (*before.inputs, *before.results), (*kind.inputs, *kind.results))
        return
    update_calls(function, reshape_to, reshape_to, repeated)


def _set_layouts(function: ir.Operation, host: Sequence[ir.RankedTensorType], device: Sequence[ir.RankedTensorType]) -> None:
    layouts = [
        None if host_type == device_type else _layout(host_type.shape, device_type.shape)
        for host_type, device_type in zip(host, device, strict=True)
    ]
    shapes = [ir.DenseI64ArrayAttr.get(list(t.shape)) for t in host]
    function.attributes[HOST_SHAPES] = ir.ArrayAttr.get(shapes)
    set_host_layouts(function, layouts, [t.element_type for t in host])


def _layout(host: Sequence[int], device: Sequence[int]) -> Layout:
    """The layout of an array in a shape with further dimensions of extent 1; if these grow, the added elements are outside of
    the host's array.

    A shape of as many dimensions is a row that became a column.
    """
    if len(host) == len(device):
        return Layout.of(
            [(0, *(int(d == exchanged_dim) for d in range(len(device)))) for exchanged_dim in _exchanged(len(host))]
        )
    groups = _groups(list(device), list(host))
    rows = []
    for extent, group in zip(host, groups, strict=True):
        own = next(d for d in group if device[d] == extent)
        rows.append((0, *(1 if d == own else extent if d in group else 0 for d in range(len(device)))))
    return Layout.of(rows)


def _exchanged(rank: int) -> list[int]:
    """All dimensions, the last two swapped."""
    return [*range(rank - 2), rank - 1, rank - 2]


def split_arguments(function: ir.Operation) -> list[int]:
    """Gives each further use of an argument of kernel `function` an argument of its own, so that each can be padded
    differently.

    Returns which arguments the new ones duplicate, for `reshape_callers`.
    """
    [block] = function.regions[0].blocks
    repeated: list[int] = []
    for number, argument in enumerate(list(block.arguments)):
        for use in list(argument.uses)[1:] if is_kernel(function) else ():
            repeated.append(number)
            use.owner.operands[use.operand_number] = block.add_argument(argument.type, argument.location)
    set_function_type(function)
    return repeated


def _groups(long: list[int], short: list[int]) -> list[list[int]]:
    """The dimensions of `long` that form each dimension of `short`."""
    groups: list[list[int]] = []
    index = 0
    for extent in short:
        group = [index]
        while long[group[-1]] != extent:  # leading dimensions of extent 1
            group.append(group[-1] + 1)
        index = group[-1] + 1
        groups.append(group)
    if groups:
        groups[-1] += range(index, len(long))
    return groups


def _padded(value: Any, kind: ir.RankedTensorType, zeros: Collection[int]) -> Any:
    """`value` in the leading corner of a tensor of type `kind`: of zeros, except for added rows that may be undefined."""
    if value.type == kind:
        return value
    rows = kind.shape[0] if 0 in zeros else value.type.shape[0]
    return enlarged(with_zeros(value, ir.RankedTensorType.get([rows, *list(kind.shape)[1:]], kind.element_type)), kind)
