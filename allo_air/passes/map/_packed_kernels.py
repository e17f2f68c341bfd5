"""Rewrites a convolution to work on blocks of micro-tiles, and its calls to pack operands and unpack results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any

from allo_air.access.layout import Layout
from allo_air.core.functions import call_function
from allo_air.core.names import callee_of, function_type_of, set_function_type
from allo_air.core.walking import defining_op
from allo_air.mlir import AnyOp, arith, ir, linalg, tensor
from allo_air.passes._analysis.kernels import calls_of
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes._ir.divided import compute_ops
from allo_air.passes._ir.generic import maps_attr
from allo_air.passes._ir.packing import copy_by, pack
from allo_air.passes._ir.tensors import empty, filled, zero_of
from allo_air.passes.map._block_layouts import host_dimensions, of_channels, of_image, of_result, of_weights
from allo_air.passes.map._blocks import Blocks, image_shape
from allo_air.passes.map._convolution import OF_CHANNELS, Convolution, split_arguments
from allo_air.passes.map._kernel import REDUCE
from allo_air.passes.map._packing_cost import Unpacked, prefers_channels_last
from allo_air.plan.plan import Plan
from allo_air.plan.schema import attach

Packed = dict[Any, tuple[Any, Layout]]
"""For each result of a packed kernel in the host's order: the packed value and its layout."""


class Packing:
    """Rewrites the function of a convolution, and then its calls."""

    def __init__(self, function: ir.Operation, conv: Convolution, blocks: Blocks) -> None:
        self.function, self.conv, self.b = function, conv, blocks
        [self.block] = function.regions[0].blocks
        b, e = blocks, conv.extents
        rows, columns = image_shape(conv, b)
        _, channels, image_channels = b.counts
        count, reduced = (channels, b.n) if conv.is_depthwise else (image_channels, b.k)
        self.image: list[int] = [e["n"], *b.places, *[channels] * conv.is_grouped, count, rows, columns, b.m, reduced]
        self.weights = [channels, image_channels, b.f, e["u"], e["v"], b.k, b.n]
        if conv.is_depthwise:
            self.weights = [channels, b.f, e["u"], e["v"], b.n]
        self.result = [e["n"], *b.places, channels, b.f, b.y, b.x, b.m, b.n]
        self.layouts: dict[Any, Layout] = {}

    def write(self, plan: Plan) -> None:
        """Rewrites the function, and attaches `plan` with the sizes of its loops."""
        conv = self.conv
        [*_, last] = [o.operation for o in self.block.operations]
        self.repeated = split_arguments(conv, self.block)
        old = [conv.op, *conv.epilogue]
        rest = conv.epilogue_operands
        along = {v: conv.axes_of(v) for v in rest}
        with ir.InsertionPoint(last), conv.op.location:
            self._retype(conv.image, self.image, of_image(conv, self.b))
            self._retype(conv.weights, self.weights, of_weights(conv, self.b))
            for value in rest:
                self._retype(value, *self._of_other(value, along[value]))
            new: dict[Any, Any] = {conv.op.results[0]: self._convolution()}
            for op in conv.epilogue:
                new[op.results[0]] = self._packed_epilogue_op(op, new)
        root = new[old[-1].results[0]].owner
        last.operands[0] = root.results[0]
        for op in reversed(old):
            op.erase()
        if conv.pad is not None:
            conv.pad.erase()
        set_function_type(self.function)
        b = self.b
        loops = 9 if conv.epilogue else self._loops()[1]
        sizes, one = ([*s, *[0] * (loops - 4)] for s in ([1, b.cores[0], b.down, b.rows_of_channels], [1, 1, 1, 1]))
        attach(self.function, replace(plan, launch=tuple(sizes), core=tuple(one)))

    def pack_call(self, call: ir.Operation, unpacked: Unpacked, whole: Packed) -> None:
        """Packs the operands of a call and unpacks its results. Operands that the kernel takes twice are duplicated.

        An operand that is already packed in the required layout is passed unchanged.
        """
        values = []
        passed = [*call.operands, *(call.operands[n] for n in self.repeated)]
        for value, argument in zip(passed, self.block.arguments, strict=True):
            layout = self.layouts.get(argument)
            packed_value, packed = whole.get(value, (None, None))
            if (
                layout is not None
                and packed_value is not None
                and packed_value.type == argument.type
                and _are_equal_layouts(packed, layout, value.type)
            ):
                value = packed_value
            elif layout is not None:
                value = self.packed(*_with_channels_last(value, layout, unpacked), argument)
            values.append(value)
        results = list(function_type_of(self.function).results)
        new = call_function(callee_of(call), results, values)
        [old] = call.results
        value = self._unpacked(new.results[0], old.type, self.conv.axes[2])
        unpacked[value] = self.conv.axes[2], partial(self._unpacked, new.results[0])
        whole[value] = new.results[0], of_result(self.conv, self.b, self.conv.axes[2])
        old.replace_all_uses_with(value)

    def packed(self, value: ir.Value, layout: Layout, argument: ir.BlockArgument) -> Any:
        """`value` in the layout of `argument`."""
        return pack(value, layout, argument.type.shape)

    def _unpacked(self, packed: ir.Value, kind: ir.RankedTensorType, axes: str) -> Any:
        """The result in the host's order: the packed dimensions of each host dimension are made adjacent and merged; padding
        is removed.
        """
        groups = host_dimensions(self.conv, self.b)
        spare = [d for axis, dims in groups.items() if axis not in axes for d in dims]  # dimensions of extent 1
        grouped = [[*(spare if n == 0 else []), *groups[axis]] for n, axis in enumerate(axes)]
        order = [d for group in grouped for d in group]
        indexing = ir.AffineMap.get_permutation([order.index(d) for d in range(len(order))])
        transposed = copy_by(packed, indexing, [self.result[d] for d in order])
        sizes = [prod(self.result[d] for d in group) for group in grouped]
        element, ends = kind.element_type, [sum(map(len, grouped[: n + 1])) for n in range(len(grouped))]
        reassociation = [list(range(end - len(group), end)) for end, group in zip(ends, grouped, strict=True)]
        value = tensor.CollapseShapeOp(ir.RankedTensorType.get(sizes, element), transposed, reassociation).result
        if value.type == kind:
            return value
        rank = len(sizes)
        return tensor.ExtractSliceOp(kind, value, [], [], [], [0] * rank, list(kind.shape), [1] * rank).result

    def _retype(self, value: ir.Value, shape: Sequence[int], layout: Layout) -> None:
        value.set_type(ir.RankedTensorType.get(list(shape), value.type.element_type))
        self.layouts[value] = layout

    def _of_other(self, value: ir.Value, axes: str) -> tuple[list[int], Layout]:
        """Shape and layout of an epilogue operand: a micro-tile for each channel block, or the result's."""
        if set(axes) <= OF_CHANNELS:
            [_, _, _, channels, f, _, _, m, n] = self.result
            return [channels, f, m, n], of_channels(self.conv, self.b, axes)
        return self.result, of_result(self.conv, self.b, axes)

    def _convolution(self) -> Any:
        conv = self.conv
        maps, loops, reduced = self._loops()
        element = conv.total
        is_float = isinstance(element, ir.FloatType)
        zero = arith.constant(element, zero_of(element))
        kind = ir.RankedTensorType.get(self.result, element)
        init = filled(zero, kind)
        result = _generic(kind, [conv.image, conv.weights], init, loops, maps, reduced=reduced)
        [block] = result.regions[0].blocks
        with ir.InsertionPoint(block):
            first, second, total = block.arguments
            widen = (arith.extf if is_float else arith.extsi) if first.type != element else (lambda _, value: value)
            factors = [widen(element, value) for value in (first, second)]
            product = arith.mulf(*factors) if is_float else arith.muli(*factors)
            linalg.YieldOp([arith.addf(total, product) if is_float else arith.addi(total, product)])
        if self.b.c < self.b.counts[2]:
            result.attributes[REDUCE] = ir.DenseI64ArrayAttr.get([0, 0, 0, 0, self.b.c] + [0] * 8)
        return result.results[0]

    def _loops(self) -> tuple[list[list[Any]], int, tuple[int, ...]]:
        """The maps of the convolution, the number of its loops, and the reduced loops."""
        s, a = self.conv.strides, self.conv.dilations
        d: list[Any] = [ir.AffineDimExpr.get(i) for i in range(13)]
        maps: list[list[Any]]
        if self.conv.is_depthwise:
            b, o, p, g, f, y, x, u, v, m, n = d[:11]
            first, last, weights = g, n, [g, f, u, v, n]
        else:
            b, o, p, g, c, f, y, x, u, v, m, n, k = d
            first, last, weights = c, k, [g, c, f, u, v, k, n]
        image = [b, o, p, *[g] * self.conv.is_grouped, first, y * s["h"] + u * a["h"], x * s["w"] + v * a["w"], m, last]
        maps = [image, weights, [b, o, p, g, f, y, x, m, n]]
        return (maps, 11, (7, 8)) if self.conv.is_depthwise else (maps, 13, (4, 8, 9, 12))

    def _packed_epilogue_op(self, op: Any, new: dict[AnyOp, AnyOp]) -> Any:
        d = [ir.AffineDimExpr.get(i) for i in range(9)]
        operands = [new.get(v, v) for v in list(op.operands)[:-1]]
        maps = [d if len(v.type.shape) == 9 else [d[3], d[4], d[7], d[8]] for v in operands]
        kind = ir.RankedTensorType.get(self.result, op.results[0].type.element_type)
        result = _generic(kind, operands, empty(kind), 9, [*maps, d], reduced=(), body=op.regions[0].blocks[0])
        return result.results[0]


class PackedEpilogue(Packing):
    """Rewrites a separate epilogue kernel so that it works on the convolution's blocks without unpacking."""

    def __init__(self, function: ir.Operation, conv: Convolution, blocks: Blocks, name: str) -> None:
        super().__init__(function, conv, blocks)
        self.convolution_name = name
        self.repeated: list[int] = []

    def rewritten(self) -> bool:
        """Rewrites the function; returns False, without a change, if uses of an argument index it by different dimensions."""
        axes = self._axes()
        if axes is None:
            return False
        ops = compute_ops(self.function)
        [*_, last] = [o.operation for o in self.block.operations]
        new: dict[Any, Any] = {}
        with ir.InsertionPoint(last), last.location:
            for value, letters in axes.items():
                self._retype(value, *self._of_other(value, letters))
            for op in ops:
                new[op.results[0]] = self._packed_epilogue_op(op, new)
        last.operands[0] = new[last.operands[0]]
        for op in reversed(ops):
            op.erase()
        set_function_type(self.function)
        return True

    def _of_other(self, value: ir.Value, axes: str) -> tuple[list[int], Layout]:
        if axes == self.conv.axes[2]:
            return self.result, of_result(self.conv, self.b, axes)
        return super()._of_other(value, axes)

    def _axes(self) -> dict[Any, str] | None:
        """The letters of each argument's dimensions, "." for those of one element; all letters for the convolution's result."""
        letters, result = self.conv.axes[2], dict[Any, str]()
        for op in compute_ops(self.function):
            if op.name != "linalg.generic" or len(op.results) != 1:
                return None
            for value, indexing in zip(list(op.operands)[:-1], indexing_maps(op), strict=False):
                if not isinstance(value, ir.BlockArgument):
                    continue
                dims = list(zip(indexing.results, value.type.shape, strict=True))
                own = "".join(letters[e.position] if n > 1 and isinstance(e, ir.AffineDimExpr) else "." for e, n in dims)
                if self._is_result(ir.BlockArgument(value)):
                    own = letters
                if result.setdefault(value, own) != own:
                    return None
        return result if len(result) == len(self.block.arguments) else None

    def _is_result(self, argument: ir.BlockArgument) -> bool:
        """Whether all calls pass the convolution's result for `argument`."""
        producers = [defining_op(call.operands[argument.arg_number], "func.call") for call in calls_of(self.function)]
        return all(o is not None and callee_of(o) == self.convolution_name for o in producers)


def _are_equal_layouts(first: Layout | None, second: Layout, kind: ir.RankedTensorType) -> bool:
    """Whether two layouts are equal for an array of type `kind`, if dimensions of one element are ignored."""
    rows = zip(first.rows, second.rows, kind.shape, strict=True) if first is not None else ()
    return first is not None and all(a == b or size == 1 for a, b, size in rows)


def _with_channels_last(value: ir.Value, layout: Layout, item: Unpacked) -> tuple[Any, Layout]:
    """The value to pack and its layout: with channels last, if it is available so and can be moved faster."""
    axes, unpacked = item.get(value, ("", None))
    if unpacked is None or not prefers_channels_last(value.type, axes):
        return value, layout
    order = sorted(range(len(axes)), key=lambda d: axes[d] == "f")
    kind = ir.RankedTensorType.get([value.type.shape[d] for d in order], value.type.element_type)
    rows = tuple(layout.rows[d] for d in order)
    return unpacked(kind, "".join(axes[d] for d in order)), replace(layout, rows=rows)


def _generic(
    kind: ir.RankedTensorType,
    operands: list[ir.Value],
    init: ir.Value,
    loops: int,
    maps: Sequence[Sequence[ir.AffineExpr]],
    *,
    reduced: tuple[int, ...],
    body: ir.Block | None = None,
) -> ir.Operation:
    """A linalg.generic with a copy of `body`, or an empty one."""
    indexing = maps_attr(ir.AffineMap.get(loops, 0, list(m)) for m in maps)
    names = ["reduction" if d in reduced else "parallel" for d in range(loops)]
    iterators = ir.ArrayAttr.get([ir.Attribute.parse(f"#linalg.iterator_type<{name}>") for name in names])
    op = linalg.GenericOp([kind], operands, [init], indexing, iterators).operation
    if body is not None:
        body.append_to(op.regions[0])
    else:
        op.regions[0].blocks.append(*[v.type.element_type for v in (*operands, init)])
    return op
