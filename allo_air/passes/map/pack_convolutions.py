"""pack-convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Any

from allo_air.access.layout import Layout
from allo_air.arch import arch_of
from allo_air.core.names import callee_of, function_type_of, sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.device import Device
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, arith, ir, linalg, tensor
from allo_air.passes._analysis.columns import COLUMNS, on_columns, reconfiguration
from allo_air.passes._analysis.kernels import KERNEL, calls_of
from allo_air.passes._ir.device_option import device_option, refuse_blocks
from allo_air.passes._ir.divided import divide as parted
from allo_air.passes._ir.divided import work_of
from allo_air.passes._ir.packing import copy_by, pack
from allo_air.passes._ir.tensors import empty, zero_of
from allo_air.passes.map._block_layouts import of_channels, of_image, of_result, of_weights, side_by_side
from allo_air.passes.map._blocks import Blocks, image_shape
from allo_air.passes.map._convolution import OF_CHANNELS, Convolution, convolution_of, split_arguments
from allo_air.passes.map._division import divide, noted
from allo_air.passes.map._kernel import REDUCE
from allo_air.passes.map._packing_cost import Letters, Unpacked, pays, turns
from allo_air.plan.plan import Plan
from allo_air.plan.schema import PLAN, attach


@dataclass(frozen=True)
class PackConvolutions(Pass):
    """Divides a convolution kernel into blocks of micro-tiles that the cores multiply in one instruction.

    A micro-tile holds distant pixels of a row (or column), with some channels each. The pixels one position further also form
    a micro-tile, and every load of a core is aligned. Calls pack padded images and weights, and unpack results, by pads,
    copies and slices; `assign-layouts` leaves these to the caller if it can. Rows at the edges of blocks are stored in both
    blocks.
    In a depthwise convolution, a micro-tile is a vector of channels, multiplied by elementwise code; for integers, it is eight
    channels, multiplied by a matrix with their weights on its diagonal. In a convolution with other groups, each group is a
    block of channels with its own image.
    The choice is stored in `allo.plan` for `tile-kernel`. A convolution stays unchanged if the cores have no such instruction
    for its types, or if it takes less time than packing between kernels. The epilogue becomes a kernel of its own if that
    takes less time.

    Before (on npu1):

        func.func private @k(%x: tensor<1x64x56x56xbf16>, %w: tensor<64x64x3x3xbf16>) -> tensor<1x64x56x56xf32> {
          %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1]
          %r = linalg.generic ... ins(%p, %w)
        ...
          %y = call @k(%x, %w)

    After:

        func.func private @k(%x: tensor<1x8x1x8x9x16x4x8xbf16>, %w: tensor<4x8x4x3x3x8x4xbf16>) -> ... {
          // (b, o, p, g, c, f, y, x, u, v, m, n, k): (b, o, p, c, y + u, x + v, m, k), (g, c, f, u, v, k, n)
          %r = linalg.generic
        ...
          %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1]
          %i = linalg.generic ins(%p) // (b, o, p, c, y, x, m, k): (b, 8 c + k, 7 o + y, 14 m + x)
          %r = call @k(%i, %v)
          %t = linalg.generic ins(%r) // the dimensions of each of the host's side by side
          %c = tensor.collapse_shape %t
    """

    name = "pack-convolutions"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    cols: int = 0
    """Columns of the array that may be used, 0 for all."""
    bfp16: bool = False
    """Multiply bf16 in AIE2p's block floating point, which rounds operands to blocks of 8 with one exponent."""

    def run(self, op: AnyOp, /) -> None:
        device = device_option(self.name, self.device)
        device = replace(device, columns=min(self.cols or device.columns, device.columns))
        letters: Letters = {}
        packed = list[_Packing]()
        for function in walk_named(op, "func.func"):
            if not len(function.regions[0].blocks) or KERNEL not in function.attributes or PLAN in function.attributes:
                continue
            conv = convolution_of(function)
            if conv is None:
                continue
            if self.bfp16:
                refuse_blocks(conv.op, device)
            if conv.behind and (why := self._sooner_apart(conv, device)):
                function = _without_epilogue(function, conv, why)
                conv = convolution_of(function)
                assert conv is not None, "its convolution alone"
            search = partial(divide, conv, bfp16=self.bfp16)
            found = on_columns(function, device, search, lambda f: None if f is None else f[1].cycles)
            if found is not None and pays(function, device, found[1].cycles, conv.axes[2], letters):
                packed.append(_Packing(function, conv, found[0]))
                packed[-1].write(noted(*found, device, is_depthwise=conv.is_depthwise))
                letters |= {v: conv.axes[2] for call in calls_of(function) for v in call.results}
            elif COLUMNS in function.attributes:
                del function.attributes[COLUMNS]
        _pack_calls(op, packed)

    def _sooner_apart(self, conv: Convolution, device: Device) -> str:
        """Why the epilogue is better as a kernel of its own; empty if it is not.

        Its operands share the channels of the image and of the weights and follow their parts, each of which then has a buffer
        descriptor. With many channels, parts must be large, and little room is left for the image.
        """
        together, alone = (divide(c, device, self.bfp16) for c in (conv, replace(conv, behind=())))
        if alone is None:
            return ""
        given = [element_bits(v.type) * prod(v.type.shape) / 8 for v in (conv.op.results[0], conv.result, *conv.others)]
        both = alone[1].cycles + sum(given) / arch_of(device).memory_bytes + reconfiguration(device)
        if together is not None and together[1].cycles <= both:
            return ""
        found = "has no division" if together is None else f"takes {together[1].cycles:.3g} cycles"
        return f"apart: with what follows it it {found}, the two by themselves take {both:.3g} cycles"


def _without_epilogue(function: ir.Operation, conv: Convolution, why: str) -> ir.Operation:
    """The kernel of the convolution of `function` without its epilogue, which becomes another kernel."""
    name, behind = sym_name_of(function), [op.operation for op in conv.behind]
    first = [op for op in work_of(function) if op not in behind]
    return parted(function, [(name, first), (f"{name}_behind", behind)], why)[name]


def _pack_calls(module: AnyOp, packed: list[_Packing]) -> None:
    """Packs what all calls pass, in the order of the program: what another one of them gives is unpacked as it is wanted."""
    made: Unpacked = {}
    by_name = {sym_name_of(packing.function): packing for packing in packed}
    for call in walk_named(module, "func.call") if packed else ():
        if (packing := by_name.get(callee_of(call))) is not None:
            with ir.InsertionPoint(call), call.location:
                packing.pack_call(call, made)
            call.erase()


class _Packing:
    """Rewrites one function, then its calls."""

    def __init__(self, function: ir.Operation, conv: Convolution, blocks: Blocks) -> None:
        self.function, self.conv, self.b = function, conv, blocks
        [self.block] = function.regions[0].blocks
        b, e = blocks, conv.extents
        rows, columns = image_shape(conv, b)
        _, channels, deep = b.counts
        count, each = (channels, b.n) if conv.is_depthwise else (deep, b.k)
        self.image: list[int] = [e["n"], *b.places, *[channels] * conv.is_grouped, count, rows, columns, b.m, each]
        self.weights = [channels, deep, b.f, e["u"], e["v"], b.k, b.n]
        if conv.is_depthwise:
            self.weights = [channels, b.f, e["u"], e["v"], b.n]
        self.result = [e["n"], *b.places, channels, b.f, b.y, b.x, b.m, b.n]
        self.layouts: dict[Any, Layout] = {}

    def write(self, plan: Plan) -> None:
        conv = self.conv
        [*_, last] = [o.operation for o in self.block.operations]
        self.again = split_arguments(conv, self.block)
        old = [conv.op, *conv.behind]
        others = conv.others
        along = {v: conv.axes_of(v) for v in others}
        with ir.InsertionPoint(last), conv.op.location:
            self._retype(conv.image, self.image, of_image(conv, self.b))
            self._retype(conv.weights, self.weights, of_weights(conv, self.b))
            for value in others:
                self._retype(value, *self._of_other(value, along[value]))
            new: dict[Any, Any] = {conv.op.results[0]: self._convolution()}
            for op in conv.behind:
                new[op.results[0]] = self._packed_epilogue_op(op, new)
        root = new[old[-1].results[0]].owner
        last.operands[0] = root.results[0]
        for op in reversed(old):
            op.erase()
        if conv.pad is not None:
            conv.pad.erase()
        kinds = [a.type for a in self.block.arguments]
        function = self.function
        function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(kinds, [root.results[0].type]))
        b = self.b
        loops = 9 if conv.behind else self._loops()[1]
        sizes, one = ([*s, *[0] * (loops - 4)] for s in ([1, b.cores[0], b.down, b.rows_of_channels], [1, 1, 1, 1]))
        attach(function, replace(plan, launch=tuple(sizes), core=tuple(one)))

    def pack_call(self, call: ir.Operation, made: Unpacked) -> None:
        """Packs the operands of a call, with those that it takes twice duplicated, and unpacks its results."""
        given = []
        passed = [*call.operands, *(call.operands[n] for n in self.again)]
        for value, argument in zip(passed, self.block.arguments, strict=True):
            layout = self.layouts.get(argument)
            if layout is not None:
                value = pack(*_with_channels_last(value, layout, made), argument.type.shape)
            given.append(value)
        results = list(function_type_of(self.function).results)
        new = ir.Operation.create("func.call", results, given, {"callee": call.attributes["callee"]})
        [old] = call.results
        value = self._unpacked(new.results[0], old.type, self.conv.axes[2])
        made[value] = self.conv.axes[2], partial(self._unpacked, new.results[0])
        old.replace_all_uses_with(value)

    def _unpacked(self, packed: ir.Value, kind: ir.RankedTensorType, axes: str) -> Any:
        """The result in the host's order: the packed dimensions of each host dimension are made adjacent and merged; padding
        is removed.
        """
        groups = side_by_side(self.conv, self.b)
        spare = [d for axis, dims in groups.items() if axis not in axes for d in dims]  # of one element each
        grouped = [[*(spare if n == 0 else []), *groups[axis]] for n, axis in enumerate(axes)]
        order = [d for group in grouped for d in group]
        indexing = ir.AffineMap.get_permutation([order.index(d) for d in range(len(order))])
        turned = copy_by(packed, indexing, [self.result[d] for d in order])
        sizes = [prod(self.result[d] for d in group) for group in grouped]
        element, ends = kind.element_type, [sum(map(len, grouped[: n + 1])) for n in range(len(grouped))]
        reassociation = [list(range(end - len(group), end)) for end, group in zip(ends, grouped, strict=True)]
        value = tensor.CollapseShapeOp(ir.RankedTensorType.get(sizes, element), turned, reassociation).result
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
        begin = linalg.fill(zero, outs=[empty(kind)])
        made = _generic(kind, [conv.image, conv.weights], begin, loops, maps, reduced=reduced)
        [block] = made.regions[0].blocks
        with ir.InsertionPoint(block):
            first, second, total = block.arguments
            widen = (arith.extf if is_float else arith.extsi) if first.type != element else (lambda _, value: value)
            factors = [widen(element, value) for value in (first, second)]
            product = arith.mulf(*factors) if is_float else arith.muli(*factors)
            linalg.YieldOp([arith.addf(total, product) if is_float else arith.addi(total, product)])
        if self.b.c < self.b.counts[2]:
            made.attributes[REDUCE] = ir.DenseI64ArrayAttr.get([0, 0, 0, 0, self.b.c] + [0] * 8)
        return made.results[0]

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
        made = _generic(kind, operands, empty(kind), 9, [*maps, d], reduced=(), body=op.regions[0].blocks[0])
        return made.results[0]


def _with_channels_last(value: ir.Value, layout: Layout, made: Unpacked) -> tuple[Any, Layout]:
    """What `layout` packs, with channels last where it comes packed and is moved faster so, and its layout."""
    axes, unpacked = made.get(value, ("", None))
    if unpacked is None or not turns(value.type, axes):
        return value, layout
    order = sorted(range(len(axes)), key=lambda d: axes[d] == "f")
    kind = ir.RankedTensorType.get([value.type.shape[d] for d in order], value.type.element_type)
    rows = tuple(layout.rows[d] for d in order)
    return unpacked(kind, "".join(axes[d] for d in order)), replace(layout, rows=rows)


def _generic(
    kind: ir.RankedTensorType,
    operands: list[ir.Value],
    begin: ir.Value,
    loops: int,
    maps: Sequence[Sequence[ir.AffineExpr]],
    *,
    reduced: tuple[int, ...],
    body: ir.Block | None = None,
) -> ir.Operation:
    """A linalg.generic with a copy of `body`, or an empty one."""
    indexing = ir.ArrayAttr.get([ir.AffineMapAttr.get(ir.AffineMap.get(loops, 0, list(m))) for m in maps])
    names = ["reduction" if d in reduced else "parallel" for d in range(loops)]
    iterators = ir.ArrayAttr.get([ir.Attribute.parse(f"#linalg.iterator_type<{name}>") for name in names])
    made = linalg.GenericOp([kind], operands, [begin], indexing, iterators).operation
    if body is not None:
        body.append_to(made.regions[0])
    else:
        made.regions[0].blocks.append(*[v.type.element_type for v in (*operands, begin)])
    return made
