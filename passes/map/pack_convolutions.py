"""pack-convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from allo_air.access.layout import Layout
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.host_shapes import HOST_SHAPES, set_host_layouts
from allo_air.mlir import AnyOp, arith, ir, linalg
from allo_air.passes._analysis.kernels import KERNEL
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes._ir.device_option import device_option
from allo_air.passes._ir.tensors import empty, zero_of
from allo_air.passes.map._blocks import Blocks, Price, divide, extra, image_shape
from allo_air.passes.map._convolution import Convolution, convolution_of
from allo_air.passes.map._kernel import PLAN, REDUCE


@dataclass(frozen=True)
class PackConvolutions(Pass):
    """Divides the convolution that is all of a function into blocks of micro-tiles that the cores multiply in one instruction.

    A micro-tile holds pixels that lie far apart in a row (or column), with some channels each, so that those one pixel on are
    a micro-tile, too, and every load of a core is aligned. The caller packs images, with what pads them, and weights, and
    unpacks results: `allo_air.host_layouts` says how. Rows at the edges of blocks are in both. The choice is in `allo.plan`
    for `tile-kernel`; convolutions of types that the cores do not multiply so, and those of anything but arguments, stay.

    Before (on npu1):

        func.func @f(%x: tensor<1x64x56x56xbf16>, %w: tensor<64x64x3x3xbf16>) -> tensor<1x64x56x56xf32> {
          %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1]
          %r = linalg.generic ... ins(%p, %w)

    After:

        func.func @f(%x: tensor<1x8x8x9x16x4x8xbf16>, %w: tensor<4x8x4x3x3x8x4xbf16>) -> tensor<1x8x4x4x7x14x4x4xf32>
            attributes {allo.kernel, allo.plan = {...}, allo_air.host_layouts = [...], allo_air.host_shapes = [...]} {
          %r = linalg.generic // (b, o, g, c, f, y, x, u, v, m, n, k): (b, o, c, y + u, x + v, m, k), (g, c, f, u, v, k, n)
    """

    name = "pack-convolutions"

    device: str = "npu1"
    cols: int = 0

    def run(self, op: AnyOp, /) -> None:
        device = device_option(self.name, self.device)
        device = replace(device, columns=min(self.cols or device.columns, device.columns))
        for function in walk_named(op, "func.func"):
            if not len(function.regions[0].blocks) or KERNEL in function.attributes or _is_private(function):
                continue
            conv = convolution_of(function)
            if conv is not None and (found := divide(conv, device)) is not None:
                _Packing(function, conv, found[0]).write(_plan(found[0], found[1], found[2]))


def _is_private(function: ir.Operation) -> bool:
    return "sym_visibility" in function.attributes


def _plan(b: Blocks, price: Price, other: Price | None) -> dict[str, ir.Attribute]:
    array = ir.DenseI64ArrayAttr.get
    text = (
        f"herd {b.cores[0]}x{b.cores[1]}, blocks of {b.rows} rows of pixels and {b.f * b.n} channels, micro-tile "
        f"{b.m}x{b.n}x{b.k} of pixels along {b.along}, {b.c * b.k} channels of the image a step, L1 {price.l1} bytes; "
        f"the host packs arrays; about {price.cycles:.3g} cycles, bound by {price.bound} "
        f"({price.moved / 1e6:.3g} MB to and from external memory)"
    )
    if other is not None:
        text += f"; on other cores {other.cycles:.3g} cycles"
    piece = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), b.c)
    return {"chosen": ir.StringAttr.get(text), "cores": array(list(b.cores)), "piece": piece}


class _Packing:
    """Rewrites one function."""

    def __init__(self, function: ir.Operation, conv: Convolution, blocks: Blocks) -> None:
        self.function, self.conv, self.b = function, conv, blocks
        [self.block] = function.regions[0].blocks
        b, e = blocks, conv.extents
        rows, columns = image_shape(conv, b)
        pixels, channels, deep = b.counts
        self.image = [e["n"], pixels, deep, rows, columns, b.m, b.k]
        self.weights = [channels, deep, b.f, e["u"], e["v"], b.k, b.n]
        self.result = [e["n"], pixels, channels, b.f, b.y, b.x, b.m, b.n]
        self.layouts: dict[Any, Layout] = {}

    def write(self, plan: dict[str, ir.Attribute]) -> None:
        conv = self.conv
        [*_, last] = [o.operation for o in self.block.operations]
        host = [*(a.type for a in self.block.arguments), *(v.type for v in last.operands)]
        old = [conv.op, *conv.behind]
        others = list(dict.fromkeys(extra(conv)))
        along = {v: self._axes(v) for v in others}
        with ir.InsertionPoint(last), conv.op.location:
            self._retype(conv.image, self.image, self._of_image())
            self._retype(conv.weights, self.weights, self._of_weights())
            for value in others:
                self._retype(value, *self._of_other(value, along[value]))
            new: dict[Any, Any] = {conv.op.results[0]: self._convolution()}
            for op in conv.behind:
                new[op.results[0]] = self._behind(op, new)
        root = new[old[-1].results[0]].owner
        last.operands[0] = root.results[0]
        for op in reversed(old):
            op.erase()
        if conv.pad is not None:
            conv.pad.erase()
        kinds = [a.type for a in self.block.arguments]
        function = self.function
        function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(kinds, [root.results[0].type]))
        function.attributes[HOST_SHAPES] = ir.ArrayAttr.get([ir.DenseI64ArrayAttr.get(list(t.shape)) for t in host])
        layouts = [self.layouts.get(a) for a in self.block.arguments]
        set_host_layouts(function, [*layouts, self._of_result("nhwf")], [t.element_type for t in host])
        across, down = self.b.cores
        sizes = [1, across, down] + [0] * 5
        one = [1, 1, 1] + [0] * 5
        if not conv.behind:
            sizes, one = ([*s[:3], 0, *s[3:], 0, 0, 0] for s in (sizes, one))
        tiles = {"launch": ir.DenseI64ArrayAttr.get(sizes), "herd": ir.DenseI64ArrayAttr.get(one)}
        function.attributes[PLAN] = ir.DictAttr.get(plan | tiles)
        function.attributes[KERNEL] = ir.UnitAttr.get()

    def _retype(self, value: Any, shape: Sequence[int], layout: Layout) -> None:
        value.set_type(ir.RankedTensorType.get(list(shape), value.type.element_type))
        self.layouts[value] = layout

    def _of_image(self) -> Layout:
        """Dimensions: batch, block, block of channels, row, column, pixel of a micro-tile, channel."""
        conv, b = self.conv, self.b
        apart = b.y * conv.strides["h"] if b.along == "h" else b.x * conv.strides["w"]
        rows = {
            "n": [0, 1, 0, 0, 0, 0, 0, 0],
            "h": [-conv.low["h"], 0, b.rows * conv.strides["h"], 0, 1, 0, apart * (b.along == "h"), 0],
            "w": [-conv.low["w"], 0, 0, 0, 0, 1, apart * (b.along == "w"), 0],
            "c": [0, 0, 0, b.k, 0, 0, 0, 1],
        }
        return Layout.of([rows[axis] for axis in conv.axes[0]], conv.outside)

    def _of_weights(self) -> Layout:
        """Dimensions: block of channels, block of the image's, micro-tile of channels, window, the image's channel, channel."""
        b = self.b
        rows = {
            "f": [0, b.f * b.n, 0, b.n, 0, 0, 0, 1],
            "c": [0, 0, b.k, 0, 0, 0, 1, 0],
            "u": [0, 0, 0, 0, 1, 0, 0, 0],
            "v": [0, 0, 0, 0, 0, 1, 0, 0],
        }
        return Layout.of([rows[axis] for axis in self.conv.axes[1]])

    def _of_result(self, known: str, axes: str | None = None) -> Layout:
        """Dimensions: batch, block, block of channels, micro-tile of channels, row, column, pixel in a micro-tile, channel."""
        b = self.b
        rows = {
            "n": [0, 1, 0, 0, 0, 0, 0, 0, 0],
            "h": [0, 0, b.rows, 0, 0, 1, 0, b.y * (b.along == "h"), 0],
            "w": [0, 0, 0, 0, 0, 0, 1, b.x * (b.along == "w"), 0],
            "f": [0, 0, 0, b.f * b.n, b.n, 0, 0, 0, 1],
        }
        zero = [0] * 9
        return Layout.of([rows[axis] if axis in known else zero for axis in axes or self.conv.axes[2]])

    def _axes(self, value: Any) -> str:
        """The letters of the dimensions of an operand behind; "." for those of one element that is spread."""
        for op in self.conv.behind:
            for operand, indexing in zip(op.operands, indexing_maps(op), strict=True):
                if operand == value:
                    letters = self.conv.axes[2]
                    return "".join(letters[e.position] if isinstance(e, ir.AffineDimExpr) else "." for e in indexing.results)
        raise AssertionError("an operand of an operation behind")

    def _of_other(self, value: Any, axes: str) -> tuple[list[int], Layout]:
        """Shape and layout of an operand of the operations behind: a micro-tile for each channel block, or as the result."""
        if set(axes) <= set("f."):
            [_, _, channels, f, _, _, m, n] = self.result
            rows = [[0, self.b.f * self.b.n, self.b.n, 0, 1] if axis == "f" else [0] * 5 for axis in axes]
            return [channels, f, m, n], Layout.of(rows)
        return self.result, self._of_result("nhwf", axes)

    def _convolution(self) -> Any:
        conv = self.conv
        d = [ir.AffineDimExpr.get(i) for i in range(12)]
        b, o, g, c, f, y, x, u, v, m, n, k = d
        s, a = conv.strides, conv.dilations
        maps = [
            [b, o, c, y * s["h"] + u * a["h"], x * s["w"] + v * a["w"], m, k],
            [g, c, f, u, v, k, n],
            [b, o, g, f, y, x, m, n],
        ]
        element = conv.total
        is_float = isinstance(element, ir.FloatType)
        zero = arith.constant(element, zero_of(element))
        kind = ir.RankedTensorType.get(self.result, element)
        begin = linalg.fill(zero, outs=[empty(kind)])
        made = _generic(kind, [conv.image, conv.weights], begin, 12, maps, reduced=(3, 7, 8, 11))
        [block] = made.regions[0].blocks
        with ir.InsertionPoint(block):
            p, q, total = block.arguments
            widen = (arith.extf if is_float else arith.extsi) if p.type != element else (lambda _, value: value)
            factors = [widen(element, value) for value in (p, q)]
            product = arith.mulf(*factors) if is_float else arith.muli(*factors)
            linalg.YieldOp([arith.addf(total, product) if is_float else arith.addi(total, product)])
        if self.b.c < self.b.counts[2]:
            made.attributes[REDUCE] = ir.DenseI64ArrayAttr.get([0, 0, 0, self.b.c] + [0] * 8)
        return made.results[0]

    def _behind(self, op: Any, new: dict[Any, Any]) -> Any:
        d = [ir.AffineDimExpr.get(i) for i in range(8)]
        operands = [new.get(v, v) for v in list(op.operands)[:-1]]
        maps = [d if len(v.type.shape) == 8 else [d[2], d[3], d[6], d[7]] for v in operands]
        kind = ir.RankedTensorType.get(self.result, op.results[0].type.element_type)
        made = _generic(kind, operands, empty(kind), 8, [*maps, d], reduced=(), body=op.regions[0].blocks[0])
        return made.results[0]


def _generic(
    kind: Any, operands: list[Any], begin: Any, loops: int, maps: Any, *, reduced: tuple[int, ...], body: Any = None
) -> ir.Operation:
    """A linalg.generic; its body is that of `body`, or empty."""
    indexing = ir.ArrayAttr.get([ir.AffineMapAttr.get(ir.AffineMap.get(loops, 0, list(m))) for m in maps])
    names = ["reduction" if d in reduced else "parallel" for d in range(loops)]
    iterators = ir.ArrayAttr.get([ir.Attribute.parse(f"#linalg.iterator_type<{name}>") for name in names])
    made = linalg.GenericOp([kind], operands, [begin], indexing, iterators).operation
    if body is not None:
        body.append_to(made.regions[0])
    else:
        made.regions[0].blocks.append(*[v.type.element_type for v in (*operands, begin)])
    return made
