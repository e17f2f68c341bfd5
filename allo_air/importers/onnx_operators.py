"""Rewrites ONNX operators that torch-mlir's importer lacks or gets wrong, with operators that it supports."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from allo_air.importers import onnx_signals, onnx_windows
from allo_air.importers.onnx_about import NEWEST, ModelInfo, attributes_of
from allo_air.importers.onnx_nodes import Nodes
from allo_air.importers.onnx_resizing import resized
from allo_air.importers.onnx_shapes import opset_of

if TYPE_CHECKING:
    from types import ModuleType

    from onnx import GraphProto, ModelProto

_AXES_AS_INPUT = 13
"""The opset from which on sums have their axes as an input."""


def rewritten(onnx: ModuleType, model: ModelProto) -> Any:
    """`model` with products of quantized tensors written as dequantization, float product and quantization, and with explicit
    zero points.

    Before: y = QLinearConv(x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, bias)
    After:  y = QuantizeLinear(Conv(DequantizeLinear(x, ...), DequantizeLinear(w, ...), bias * x_scale * w_scale), ...)
    """
    if not any((n.op_type in _RULES or n.op_type in _SCALED) and not n.domain for n in model.graph.node):
        return model
    model_info = ModelInfo(onnx, model)
    model_proto = onnx.ModelProto()
    model_proto.CopyFrom(model)
    del model_proto.graph.node[:]
    for node in model.graph.node:
        rule = _RULES.get(node.op_type) if not node.domain else None
        rest = rule(model_info, node) if rule is not None else None
        model_proto.graph.node.extend([node] if rest is None else rest)
    _add_zero_points(onnx, model_info, model_proto.graph)
    return model_proto


def _add_zero_points(onnx: ModuleType, model_info: ModelInfo, graph: GraphProto) -> None:
    """Adds a zero point of zeros, in the integers' type, to quantizations and dequantizations without one."""
    for node in graph.node:
        if node.op_type not in _SCALED or node.domain or (len(node.input) > 2 and node.input[2]):
            continue
        side = node.input[0] if node.op_type == "DequantizeLinear" else node.output[0]
        kind = model_info.kinds.get(side) or onnx.TensorProto.UINT8
        shape = list(model_info.sizes(node.input[1]) or ())
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


def _linear_convolution(model_info: ModelInfo, node: Any) -> list[Any]:
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


def _linear_product(model_info: ModelInfo, node: Any) -> list[Any]:
    helper = model_info.helper
    a, sa, za, b, sb, zb, sy, zy = node.input
    name = node.output[0]
    return [
        helper.make_node("DequantizeLinear", [a, sa, za], [f"{name}/a"], axis=-2),
        helper.make_node("DequantizeLinear", [b, sb, zb], [f"{name}/b"], axis=-1),
        helper.make_node("MatMul", [f"{name}/a", f"{name}/b"], [f"{name}/y"], node.name),
        helper.make_node("QuantizeLinear", [f"{name}/y", sy, zy], [name]),
    ]


def _norm(model_info: ModelInfo, node: Any) -> list[Any] | None:
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


def _shift(model_info: ModelInfo, node: Any) -> list[Any] | None:
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


def _resize(model_info: ModelInfo, node: Any) -> list[Any] | None:
    """Interpolation as weighted sums. torch-mlir reads each element at computed indices."""
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
    for dim, neighbours in changes:
        prefix, result = f"{name}/{dim}", name if dim == changes[-1][0] else f"{name}/{dim}/sum"
        if len(neighbours) == 1 and (neighbours[0][1] == 1).all():
            tensor = helper.make_tensor("index", _INT64, neighbours[0][0].shape, neighbours[0][0].tolist())
            nodes.append(helper.make_node("Constant", [], [f"{prefix}/index"], value=tensor))
            nodes.append(helper.make_node("Gather", [value, f"{prefix}/index"], [result], node.name, axis=dim))
            value = result
            continue
        parts = [f"{prefix}/{n}" for n in range(len(neighbours))]
        for part, (indices, factor) in zip(parts, neighbours, strict=True):
            shape = (len(factor), *[1] * (len(old) - 1 - dim))
            index = helper.make_tensor("index", _INT64, indices.shape, indices.tolist())
            weight = helper.make_tensor("weight", kind, shape, factor.tolist())
            nodes += [
                helper.make_node("Constant", [], [f"{part}/index"], value=index),
                helper.make_node("Constant", [], [f"{part}/weight"], value=weight),
                helper.make_node("Gather", [value, f"{part}/index"], [f"{part}/element"], node.name, axis=dim),
                helper.make_node("Mul", [f"{part}/element", f"{part}/weight"], [part], node.name),
            ]
        nodes.append(helper.make_node("Sum", parts, [result], node.name))
        value = result
    return nodes


def _gelu(model_info: ModelInfo, node: Any) -> list[Any] | None:
    """GELU by the hyperbolic tangent. torch-mlir's constants have fewer digits than f32."""
    [x], kind = node.input, model_info.kinds.get(node.input[0])
    if attributes_of(node).get("approximate") != "tanh" or kind not in _FLOATS:
        return None
    nodes = Nodes(model_info.helper, node)
    element = model_info.helper.tensor_dtype_to_np_dtype(kind)
    cubic, root, one, half = (
        nodes.constant(element.type(number), name)
        for number, name in ((0.044715, "cubic"), (math.sqrt(2 / math.pi), "root"), (1, "one"), (0.5, "half"))
    )
    value = nodes.add("Mul", [x, x], "square")
    value = nodes.add("Mul", [value, cubic], "scaled")
    value = nodes.add("Add", [value, one], "factor")
    value = nodes.add("Mul", [value, x], "inner")
    value = nodes.add("Mul", [value, root], "angle")
    value = nodes.add("Tanh", [value], "tanh")
    value = nodes.add("Add", [value, one], "share")
    nodes.add("Mul", [nodes.add("Mul", [x, half], "halved"), value])
    return nodes


def _of_flattened(model_info: ModelInfo, node: Any) -> list[Any] | None:
    """Softmax and the like before opset 13: over all dimensions from the axis on, where torch-mlir takes the axis alone."""
    old = model_info.sizes(node.input[0])
    axis = next((a.i for a in node.attribute if a.name == "axis"), 1)
    if model_info.opset >= _SOFTMAX_OF_AXIS or not old:
        return None
    axis %= len(old)
    nodes = Nodes(model_info.helper, node)
    if axis == len(old) - 1:
        nodes.add(node.op_type, node.input, axis=axis)
        return nodes
    flat = nodes.reshaped(node.input[0], [math.prod(old[:axis]), math.prod(old[axis:])], "flat")
    nodes.reshaped(nodes.add(node.op_type, [flat], "shares", axis=1), old)
    return nodes


def _dropout(model_info: ModelInfo, node: Any) -> list[Any]:
    """The value itself, and a mask of ones if it is used; `onnx_refusals` has refused training."""
    helper, [x, *_], [result, *mask] = model_info.helper, node.input, node.output
    nodes = [helper.make_node("Identity", [x], [result], node.name)]
    if any(mask):
        kind = _BOOL if model_info.opset >= _MASK_OF_BITS else model_info.kinds.get(x, 1)
        ones = helper.make_tensor("ones", kind, [1], [1])
        nodes.append(helper.make_node("Shape", [x], [f"{result}/sizes"]))
        nodes.append(helper.make_node("ConstantOfShape", [f"{result}/sizes"], mask, value=ones))
    return nodes


_MASK_OF_BITS = 10
"""The opset from which on the mask of Dropout is of bool."""
_BOOL = 9
_SOFTMAX_OF_AXIS = 13
"""The opset from which on Softmax takes one dimension."""
_RESIZE_BY_PLACES = 11
"""The opset from which on Resize specifies how coordinates are computed."""
_INT64 = 7
_FLOATS = (1, 11)
"""The element types f32 and f64."""

_SCALED = ("QuantizeLinear", "DequantizeLinear")

_RULES: dict[str, Callable[[ModelInfo, Any], list[Any] | None]] = {
    "QLinearConv": _linear_convolution,
    "QLinearMatMul": _linear_product,
    "LpNormalization": _norm,
    "BitShift": _shift,
    "Dropout": _dropout,
    "Resize": _resize,
    "Gelu": _gelu,
    **dict.fromkeys(("Softmax", "LogSoftmax", "Hardmax"), _of_flattened),
    **onnx_signals.RULES,
    **onnx_windows.RULES,
}
