"""Rewrites ONNX operators that torch-mlir's importer lacks or gets wrong, with operators that it supports."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from allo_air.importers.onnx_convolutions import in_images
from allo_air.importers.onnx_resizing import resized
from allo_air.importers.onnx_shapes import constants, opset_of, sizes, types

if TYPE_CHECKING:
    from types import ModuleType

    from onnx import GraphProto, ModelProto

NEWEST = 21
"""The opset to which a model is converted if its own opset has an operator without a lowering."""

_AXES_AS_INPUT = 13
"""The opset from which on sums have their axes as an input."""


class _About:
    """Properties of a model that the rules use."""

    def __init__(self, onnx: ModuleType, model: ModelProto) -> None:
        self.helper = onnx.helper
        self.opset = opset_of(model, NEWEST)
        self._onnx, self._model = onnx, model

    @cached_property
    def _types(self) -> dict[str, Any]:
        return types(self._onnx, self._model)

    @cached_property
    def kinds(self) -> dict[str, int]:
        """The element type of each value, if known."""
        return {name: kind.tensor_type.elem_type for name, kind in self._types.items()}

    def sizes(self, name: str) -> tuple[int, ...] | None:
        """The shape of a value; None if one of its sizes is unknown."""
        return sizes(self._types.get(name))

    def constant(self, name: str) -> Any:
        """The array of a constant; None for other values."""
        tensor = constants(self._model).get(name)
        return None if tensor is None else self._onnx.numpy_helper.to_array(tensor).tolist()


def rewritten(onnx: ModuleType, model: ModelProto) -> Any:
    """`model` with products of quantized tensors written as dequantization, float product and quantization, and with explicit
    zero points.

    Before: y = QLinearConv(x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, bias)
    After:  y = QuantizeLinear(Conv(DequantizeLinear(x, ...), DequantizeLinear(w, ...), bias * x_scale * w_scale), ...)
    """
    if not any((n.op_type in _RULES or n.op_type in _SCALED) and not n.domain for n in model.graph.node):
        return model
    model_info = _About(onnx, model)
    model_proto = onnx.ModelProto()
    model_proto.CopyFrom(model)
    del model_proto.graph.node[:]
    for node in model.graph.node:
        rule = _RULES.get(node.op_type) if not node.domain else None
        rest = rule(model_info, node) if rule is not None else None
        model_proto.graph.node.extend([node] if rest is None else rest)
    _add_zero_points(onnx, model_info, model_proto.graph)
    return model_proto


def _add_zero_points(onnx: ModuleType, model_info: _About, graph: GraphProto) -> None:
    """Adds a zero point of zeros, in the integers' type, to quantizations and dequantizations without one."""
    tensors = {t.name: t for t in graph.initializer}
    for node in graph.node:
        if node.op_type not in _SCALED or node.domain or (len(node.input) > 2 and node.input[2]):
            continue
        side = node.input[0] if node.op_type == "DequantizeLinear" else node.output[0]
        kind = model_info.kinds.get(side) or onnx.TensorProto.UINT8
        shape = list(tensors[node.input[1]].dims) if node.input[1] in tensors else []
        zeros = onnx.helper.make_tensor(f"{node.output[0]}/zero", kind, shape, [0] * math.prod(shape))
        graph.initializer.append(zeros)
        inputs = [*list(node.input)[:2], zeros.name]
        del node.input[:]
        node.input.extend(inputs)


def converted(onnx: ModuleType, model: object) -> Any:
    """`model` in the newest opset that the importer supports; None if it already is, or cannot be converted."""
    opset = opset_of(model, NEWEST)
    if opset >= NEWEST:
        return None
    try:
        return onnx.version_converter.convert_version(model, NEWEST)
    except Exception:  # errors of the converter's C++ code have no common class
        return None


def _linear_convolution(model_info: _About, node: Any) -> list[Any]:
    helper = model_info.helper
    x, xs, xz, w, ws, wz, ys, yz, *rest = node.input
    name = node.output[0]
    nodes = [
        helper.make_node("DequantizeLinear", [x, xs, xz], [f"{name}/x"]),
        helper.make_node("DequantizeLinear", [w, ws, wz], [f"{name}/w"], axis=0),
    ]
    inputs = [f"{name}/x", f"{name}/w"]
    if rest and rest[0]:
        nodes += [
            helper.make_node("Mul", [xs, ws], [f"{name}/scale"]),
            helper.make_node("Cast", [rest[0]], [f"{name}/sums"], to=1),
            helper.make_node("Mul", [f"{name}/sums", f"{name}/scale"], [f"{name}/bias"]),
        ]
        inputs.append(f"{name}/bias")
    product = helper.make_node("Conv", inputs, [f"{name}/y"], node.name)
    product.attribute.extend(node.attribute)
    return [*nodes, product, helper.make_node("QuantizeLinear", [f"{name}/y", ys, yz], [name])]


def _linear_product(model_info: _About, node: Any) -> list[Any]:
    helper = model_info.helper
    a, sa, za, b, sb, zb, sy, zy = node.input
    name = node.output[0]
    return [
        helper.make_node("DequantizeLinear", [a, sa, za], [f"{name}/a"], axis=-2),
        helper.make_node("DequantizeLinear", [b, sb, zb], [f"{name}/b"], axis=-1),
        helper.make_node("MatMul", [f"{name}/a", f"{name}/b"], [f"{name}/y"], node.name),
        helper.make_node("QuantizeLinear", [f"{name}/y", sy, zy], [name]),
    ]


def _norm(model_info: _About, node: Any) -> list[Any] | None:
    """x / |x| along an axis, and 0 if the norm is 0, where torch-mlir computes NaN.

    Only if sums have their axes as an input.
    """
    if model_info.opset < _AXES_AS_INPUT:
        return None
    helper = model_info.helper
    [x], name = node.input, node.output[0]
    attributes = {a.name: a.i for a in node.attribute}
    if attributes.get("p", 2) == 1:
        sizes = [helper.make_node("Abs", [x], [f"{name}/sizes"])]
        roots = [helper.make_node("Identity", [f"{name}/sum"], [f"{name}/norm"])]
    else:
        sizes = [helper.make_node("Mul", [x, x], [f"{name}/sizes"])]
        roots = [helper.make_node("Sqrt", [f"{name}/sum"], [f"{name}/norm"])]
    axes = helper.make_tensor("axes", 7, [1], [attributes.get("axis", -1)])
    return [
        *sizes,
        helper.make_node("Constant", [], [f"{name}/axes"], value=axes),
        helper.make_node("ReduceSum", [f"{name}/sizes", f"{name}/axes"], [f"{name}/sum"], keepdims=1),
        *roots,
        helper.make_node("Sub", [x, x], [f"{name}/zeros"]),
        helper.make_node("Cast", [f"{name}/norm"], [f"{name}/some"], to=9),
        helper.make_node("Div", [x, f"{name}/norm"], [f"{name}/parts"]),
        helper.make_node("Where", [f"{name}/some", f"{name}/parts", f"{name}/zeros"], [name], node.name),
    ]


def _shift(model_info: _About, node: Any) -> list[Any] | None:
    """A shift by at least the width, or by less than 0, gives 0 or the sign; machines use only the low bits of the amount.

    Only if the element type is known.
    """
    [x, by], name = node.input, node.output[0]
    kind, helper = model_info.kinds.get(x), model_info.helper
    if not kind:
        return None
    element = helper.tensor_dtype_to_np_dtype(kind)
    to_right = next(a.s for a in node.attribute if a.name == "direction") == b"RIGHT"

    def constant(number: int, called: str) -> Any:
        tensor = helper.make_tensor(called, kind, [], [number])
        return helper.make_node("Constant", [], [f"{name}/{called}"], value=tensor)

    constants = [
        constant(0, "zero"),
        constant(8 * element.itemsize, "width"),
        helper.make_node("GreaterOrEqual", [by, f"{name}/zero"], [f"{name}/not_less"]),
        helper.make_node("Less", [by, f"{name}/width"], [f"{name}/not_more"]),
        helper.make_node("And", [f"{name}/not_less", f"{name}/not_more"], [f"{name}/inside"]),
        helper.make_node("Where", [f"{name}/inside", by, f"{name}/zero"], [f"{name}/by"]),
        helper.make_node("BitShift", [x, f"{name}/by"], [f"{name}/shifted"], direction="RIGHT" if to_right else "LEFT"),
    ]
    rest = f"{name}/zero"
    if to_right and element.kind == "i":
        constants += [
            constant(8 * element.itemsize - 1, "most"),
            helper.make_node("BitShift", [x, f"{name}/most"], [f"{name}/sign"], direction="RIGHT"),
        ]
        rest = f"{name}/sign"
    return [*constants, helper.make_node("Where", [f"{name}/inside", f"{name}/shifted", rest], [name], node.name)]


def _resize(model_info: _About, node: Any) -> list[Any] | None:
    """Linear interpolation as weighted sums. torch-mlir reads each element at computed indices."""
    helper, name, x = model_info.helper, node.output[0], node.input[0]
    kind = model_info.kinds.get(x)
    if model_info.opset < _RESIZE_BY_PLACES or kind not in _FLOATS or len(node.input) < 3:
        return None
    factors = model_info.constant(node.input[2]) if node.input[2] else None
    if node.input[2] and factors is None:
        return None
    old = model_info.sizes(x)
    changes = resized(node, old, model_info.sizes(name), factors or None)
    if not old or not changes:
        return None
    nodes, value = list[Any](), x
    for dim, *neighbours, weights in changes:
        prefix = f"{name}/{dim}"
        for side, indices, factor in zip(("low", "high"), neighbours, (1 - weights, weights), strict=True):
            part = f"{prefix}/{side}"
            shape = (len(factor), *[1] * (len(old) - 1 - dim))
            index = helper.make_tensor("index", _INT64, indices.shape, indices.tolist())
            weight = helper.make_tensor("weight", kind, shape, factor.tolist())
            nodes += [
                helper.make_node("Constant", [], [f"{part}/index"], value=index),
                helper.make_node("Constant", [], [f"{part}/weight"], value=weight),
                helper.make_node("Gather", [value, f"{part}/index"], [f"{part}/element"], node.name, axis=dim),
                helper.make_node("Mul", [f"{part}/element", f"{part}/weight"], [part], node.name),
            ]
        value = name if dim == changes[-1][0] else prefix
        nodes.append(helper.make_node("Add", [f"{prefix}/low", f"{prefix}/high"], [value], node.name))
    return nodes


def _convolution(model_info: _About, node: Any) -> list[Any] | None:
    """A convolution of volumes in groups as a sum of 2-D ones. Only if paddings are operands."""
    sizes, kind = model_info.sizes(node.input[0]), model_info.kinds.get(node.input[0])
    if sizes is None or len(sizes) != _VOLUME or kind not in _FLOATS or model_info.opset < _RESIZE_BY_PLACES:
        return None
    filters = model_info.constant(node.input[1])
    return in_images(model_info.helper, node, kind, sizes, model_info.sizes(node.output[0]), filters)


_VOLUME = 5
"""The rank of a batch of volumes."""
_RESIZE_BY_PLACES = 11
"""The opset from which on Resize specifies how coordinates are computed."""
_INT64 = 7
_FLOATS = (1, 11)
"""The element types f32 and f64."""

_SCALED = ("QuantizeLinear", "DequantizeLinear")

_RULES: dict[str, Callable[[_About, Any], list[Any] | None]] = {
    "QLinearConv": _linear_convolution,
    "QLinearMatMul": _linear_product,
    "LpNormalization": _norm,
    "BitShift": _shift,
    "Resize": _resize,
    "Conv": _convolution,
}
