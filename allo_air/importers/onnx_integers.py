"""Rewrites ONNX operators on integers that torch-mlir lacks or reads wrongly: 4-bit integers, block scales, unsigned bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.importers.onnx_nodes import Nodes
from allo_air.importers.onnx_shapes import constants, sizes, types

if TYPE_CHECKING:
    from types import ModuleType

    from onnx import GraphProto, ModelProto

_NAMES = (
    "Cast CastLike Concat Constant ConstantOfShape DequantizeLinear DynamicQuantizeLinear Expand Flatten Gather"
    " GatherElements GatherND Identity If Loop MatMulInteger ConvInteger QLinearConv QLinearMatMul QuantizeLinear Reshape"
    " Scan ScatterElements ScatterND Shape Size Slice Split Squeeze Tile Transpose Unsqueeze Where DepthToSpace"
    " SpaceToDepth Trilu"
)
_MOVES = frozenset(_NAMES.split())
"""Operators that convert or move integers, or work on scaled ones, and so need no i32."""


def rewritten(onnx: ModuleType, model: ModelProto) -> Any:
    """`model` with narrow or block-scaled weights as floats, and with arithmetic on unsigned bytes in i32."""
    model_proto = onnx.ModelProto()
    model_proto.CopyFrom(model)
    tensors = {t.name: t for t in model_proto.graph.initializer}
    kinds_by_name = types(onnx, model)
    kinds = {name: t.tensor_type.elem_type for name, t in kinds_by_name.items()}
    del model_proto.graph.node[:]
    for node in model.graph.node:
        product = None
        if not node.domain and node.op_type in ("DequantizeLinear", "QuantizeLinear"):
            node = _with_counted_axis(node, kinds_by_name)
        if not node.domain and node.op_type == "DequantizeLinear":
            product = _dequantized(onnx, node, tensors, model_proto.graph) or _scaled(
                onnx, node, kinds_by_name, constants(model)
            )
        elif not node.domain and node.op_type == "QuantizeLinear":
            product = _scaled(onnx, node, kinds_by_name, constants(model))
        elif (
            not node.domain
            and node.op_type == "MatMulInteger"
            and len(node.input) > 2
            and len(sizes(kinds_by_name.get(node.input[2])) or ())
        ):
            product = _product_of_rows(onnx, node, len(sizes(kinds_by_name[node.input[2]]) or ()) == 1)
        elif not node.domain and node.op_type not in _MOVES:
            product = _in_i32(onnx, node, kinds)
        model_proto.graph.node.extend([node] if product is None else product)
    return model_proto


def _with_counted_axis(node: Any, kinds: dict[str, Any]) -> Any:
    """`node` with its axis counted from the first dimension; torch-mlir crashes on one that is counted from the last."""
    axis = next((a for a in node.attribute if a.name == "axis"), None)
    shape = sizes(kinds.get(node.input[0]))
    if axis is None or axis.i >= 0 or shape is None:
        return node
    result = type(node)()
    result.CopyFrom(node)
    next(a for a in result.attribute if a.name == "axis").i += len(shape)
    return result


def _scaled(onnx: ModuleType, node: Any, kinds: dict[str, Any], tensors: dict[str, Any]) -> list[Any] | None:
    """A quantization with a scale for each channel, or the reverse for unsigned bytes that are not a constant, which torch-mlir
    lacks: as arithmetic on floats. None for others.
    """
    shape, lanes = sizes(kinds.get(node.input[0])), sizes(kinds.get(node.input[1])) or ()
    narrow = node.output[0] if node.op_type == "QuantizeLinear" else node.input[0]
    kind = kinds.get(narrow)
    if shape is None or len(lanes) != 1 or kind is None:
        return None
    number = kind.tensor_type.elem_type
    is_byte = number == onnx.TensorProto.UINT8
    if node.op_type == "DequantizeLinear" and (not is_byte or node.input[0] in tensors):
        return None
    element = onnx.helper.tensor_dtype_to_np_dtype(number)
    if element.kind not in "iu" or element.itemsize > 2:
        return None
    nodes, lane = Nodes(onnx.helper, node), [1] * len(shape)
    lane[next((a.i for a in node.attribute if a.name == "axis"), 1)] = lanes[0]
    scale = nodes.reshaped(node.input[1], lane, "scale")
    wide = kinds[node.input[1]].tensor_type.elem_type
    zero = nodes.reshaped(nodes.add("Cast", [node.input[2]], "zero", to=wide), lane, "zeros")
    if node.op_type == "DequantizeLinear":
        nodes.add("Mul", [nodes.add("Sub", [nodes.add("Cast", [node.input[0]], "wide", to=wide), zero], "centered"), scale])
        return nodes
    value = nodes.add(
        "Add", [nodes.add("Round", [nodes.add("Div", [node.input[0], scale], "steps")], "rounded"), zero], "moved"
    )
    ends = np.iinfo(element)
    least, most = (
        nodes.constant(np.asarray(n, onnx.helper.tensor_dtype_to_np_dtype(wide)), called)
        for n, called in ((ends.min, "least"), (ends.max, "most"))
    )
    nodes.add("Cast", [nodes.add("Clip", [value, least, most], "clipped")], to=number)
    return nodes


def _product_of_rows(onnx: ModuleType, node: Any, is_column: bool) -> list[Any]:
    """A product whose left operand has a zero point for each row, which torch-mlir lacks: in i32, with zero points subtracted
    first.

    With `is_column`, the zero points are one-dimensional and become a column.
    """
    make, name = onnx.helper.make_node, node.output[0]
    result, sides = list[Any](), list[str]()
    for number, zero in enumerate(filter(None, node.input[2:])):
        result.append(make("Cast", [zero], [f"{name}/zero{number}"], to=onnx.TensorProto.INT32))
    if is_column:
        axis = onnx.helper.make_tensor("axis", onnx.TensorProto.INT64, [2], [-1, 1])
        result.append(make("Constant", [], [f"{name}/column"], value=axis))
        result.append(make("Reshape", [f"{name}/zero0", f"{name}/column"], [f"{name}/rows"]))
    for number, value in enumerate(node.input[:2]):
        result.append(make("Cast", [value], [f"{name}/wide{number}"], to=onnx.TensorProto.INT32))
        sides.append(f"{name}/wide{number}")
        if len(node.input) > number + 2 and node.input[number + 2]:
            zero = f"{name}/rows" if is_column and not number else f"{name}/zero{number}"
            result.append(make("Sub", [sides[-1], zero], [f"{name}/side{number}"]))
            sides[-1] = f"{name}/side{number}"
    return [*result, make("MatMul", sides, [name], node.name)]


def _in_i32(onnx: ModuleType, node: Any, kinds: dict[str, int]) -> list[Any] | None:
    """A node on unsigned bytes, rewritten to i32; results keep the low eight bits. None for other nodes."""
    byte, name = onnx.TensorProto.UINT8, next(filter(None, node.output))
    if not any(kinds.get(n) == byte for n in node.input if n):
        return None
    result, inputs = list[Any](), list[str]()
    for number, text in enumerate(node.input):
        if kinds.get(text) == byte:
            result.append(onnx.helper.make_node("Cast", [text], [f"{name}/in{number}"], to=onnx.TensorProto.INT32))
            text = f"{name}/in{number}"
        inputs.append(text)
    outputs = [f"{name}/out{n}" if kinds.get(o) == byte else o for n, o in enumerate(node.output)]
    wide = onnx.NodeProto()
    wide.CopyFrom(node)
    del wide.input[:], wide.output[:]
    wide.input.extend(inputs)
    wide.output.extend(outputs)
    result.append(wide)
    for inner, outer in zip(outputs, node.output, strict=True):
        if inner != outer:
            result.append(onnx.helper.make_node("Cast", [inner], [outer], to=byte))
    return result


def _dequantized(onnx: ModuleType, node: Any, tensors: dict[str, np.ndarray], graph: GraphProto) -> list[Any] | None:
    """Rewrites dequantizations that torch-mlir lacks: of few bits, in blocks, and of unsigned bytes with a zero point for each
    channel.

    Weights become floats, and unsigned bytes become signed.
    """
    attributes = {a.name: a.i for a in node.attribute}
    block, axis = attributes.get("block_size", 0), attributes.get("axis", 1)
    inputs = [onnx.numpy_helper.to_array(tensors[n]) for n in node.input if n in tensors]
    if len(inputs) < len(node.input) or not -inputs[0].ndim <= axis < inputs[0].ndim:
        return None
    weight, scale, *rest = inputs
    name = node.output[0]
    zero = rest[0] if rest else np.zeros(scale.shape, weight.dtype)
    if not block and weight.dtype == np.uint8 and scale.ndim:
        signed = [(a.astype(np.int16) - 128).astype(np.int8) for a in (weight, zero)]
        graph.initializer.extend(onnx.numpy_helper.from_array(a, f"{name}/{n}") for n, a in enumerate(signed))
        result = onnx.helper.make_node(
            "DequantizeLinear", [f"{name}/0", node.input[1], f"{name}/1"], [name], node.name, axis=axis
        )
        return [result]
    is_byte = weight.dtype.kind != "f" and weight.dtype.itemsize == 1 and str(weight.dtype) not in ("int8", "uint8")
    if not (block or is_byte):
        return None
    factor, offset = scale.astype(np.float64), zero.astype(np.float64)
    if block:
        size = np.arange(weight.shape[axis])
        factor, offset = (np.repeat(a, block, axis).take(size, axis) for a in (factor, offset))
    elif scale.ndim:
        lane = [1] * weight.ndim
        lane[axis] = -1
        factor, offset = factor.reshape(lane), offset.reshape(lane)
    floats = ((weight.astype(np.float64) - offset) * factor).astype(scale.dtype)
    graph.initializer.append(onnx.numpy_helper.from_array(floats, f"{name}/floats"))
    return [onnx.helper.make_node("Identity", [f"{name}/floats"], [name], node.name)]
