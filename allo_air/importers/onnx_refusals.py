"""Rejects ONNX operators for which torch-mlir computes wrong numbers, with certain inputs and attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.errors import AlloAirError
from allo_air.importers.onnx_about import attributes_of
from allo_air.importers.onnx_shapes import constants, sizes, types

if TYPE_CHECKING:
    from types import ModuleType

    from onnx import ModelProto


def check(onnx: ModuleType, model: ModelProto, name: str) -> None:
    """Raises an AlloAirError that names the first node whose numbers would be wrong."""
    for node in model.graph.node:
        if not node.domain and (
            why := _reason(model, node)
            or _why_resize(onnx, model, node)
            or _why_lengths(onnx, model, node)
            or _why_mean(onnx, model, node)
        ):
            raise AlloAirError(f"{name}: operation {node.op_type} (node {node.name or node.output[0]}) {why}")


def check_samples(model: ModelProto, name: str) -> None:
    """Raises an AlloAirError for a `GridSample` of the nearest element that was not rewritten."""
    for node in model.graph.node:
        if node.op_type == "GridSample" and any(a.name == "mode" and a.s == b"nearest" for a in node.attribute):
            raise AlloAirError(
                f"{name}: operation GridSample (node {node.name or node.output[0]}) takes the nearest element, which torch-mlir"
                " rounds otherwise at halves; use f32 images of known sizes without padding by reflection, or mode linear"
            )


def _reason(model: ModelProto, node: Any) -> str:
    if node.op_type.startswith("Random") or node.op_type in ("Bernoulli", "Multinomial"):
        return "draws random numbers, and a program on the array has no state; give them as an input"
    if node.op_type == "Dropout" and any(node.input[2:3]):
        mode = constants(model).get(node.input[2])
        if mode is None or any(mode.raw_data) or any(mode.int32_data):
            state = "is computed" if mode is None else "is true"
            return f"draws random numbers, since its training_mode {state}; export the model for inference, without it"
    attributes = {a.name: a for a in node.attribute}

    def text(attribute: str) -> str:
        return attributes[attribute].s.decode() if attribute in attributes else ""

    def has_input(number: int) -> bool:
        return len(node.input) > number and bool(node.input[number])

    if node.op_type == "LSTM" and has_input(7):
        return "has peepholes, which torch-mlir leaves out; write its steps with other operations"
    if node.op_type == "DequantizeLinear" and has_input(2):
        inputs = {i.name: i.type.tensor_type for i in model.graph.input}
        zero = inputs.get(node.input[2])
        if zero is not None and node.input[2] not in constants(model) and zero.elem_type == 2 and len(zero.shape.dim):
            return "has unsigned zero points for each channel that are computed, which torch-mlir takes for signed ones"
    return ""


def _why_lengths(onnx: ModuleType, model: ModelProto, node: Any) -> str:
    """Why a recurrent layer with lengths of its sequences is wrong: torch-mlir, as ONNX's reference, runs all steps."""
    if node.op_type not in ("LSTM", "GRU", "RNN") or not any(node.input[4:5]):
        return ""
    lengths, shape = constants(model).get(node.input[4]), sizes(types(onnx, model).get(node.input[0]))
    steps = shape and shape[int(any(a.name == "layout" and a.i == 1 for a in node.attribute))]
    if lengths is not None and steps and (onnx.numpy_helper.to_array(lengths) == steps).all():
        return ""
    return (
        "has lengths of its sequences (sequence_lens) that are computed or below the number of steps, and torch-mlir runs all"
        " steps; leave them out, and mask the result"
    )


def _why_resize(onnx: ModuleType, model: ModelProto, node: Any) -> str:
    """Why a Resize is wrong: ONNX aligns corners by the scaled size before rounding, torch-mlir after it."""
    modes = [a.s.decode() for a in node.attribute if a.name == "coordinate_transformation_mode"]
    if node.op_type != "Resize" or modes != ["align_corners"] or not any(node.input[2:3]):
        return ""
    scales = constants(model).get(node.input[2])
    if scales is None:
        return "has scales that are computed, with align_corners; give sizes instead"
    result = sizes(types(onnx, model).get(node.input[0])) or ()
    factors = onnx.numpy_helper.to_array(scales).tolist()
    if not factors and any(node.input[3:4]):
        return ""
    if len(result) == len(factors) and all(float(s * f).is_integer() for s, f in zip(result, factors, strict=True)):
        return ""
    return f"has scales {factors} with align_corners, which give no whole sizes; give sizes instead"


def _why_mean(onnx: ModuleType, model: ModelProto, node: Any) -> str:
    """Why the size of an AveragePool is wrong: ONNX ignores windows that begin in the padding at the end, and its shape
    inference counts them.
    """
    options = attributes_of(node)
    if node.op_type != "AveragePool" or not options.get("ceil_mode"):
        return ""
    kinds, window = types(onnx, model), options["kernel_shape"]
    old, new = (sizes(kinds.get(name)) for name in (node.input[0], node.output[0]))
    if old is None or new is None:
        return ""
    begins, strides = (options.get(name) or [n] * len(window) for name, n in (("pads", 0), ("strides", 1)))
    for size, count, begin, stride in zip(old[2:], new[2:], begins, strides, strict=False):
        if (count - 1) * stride >= size + begin:
            return (
                "has windows that begin in the padding at the end, which ONNX ignores and its shape inference before opset 22"
                f" counts ({count}); give the sizes of its result in the model (value_info)"
            )
    return ""
