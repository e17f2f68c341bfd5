"""Infers the shapes and types of an ONNX model's values without copying weights, and reads its opset."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from onnx import ModelProto

_SMALL = 1 << 10
"""Largest tensor whose elements shape inference reads: sizes and axes."""


def inferred(onnx: ModuleType, model: ModelProto) -> Any:
    """The graph of `model` with inferred shapes and types. Its weights are inputs there."""
    light = onnx.ModelProto(ir_version=model.ir_version)
    light.opset_import.extend(model.opset_import)
    light.functions.extend(model.functions)
    graph = light.graph
    graph.name = model.graph.name
    for field in ("node", "input", "output", "value_info"):
        getattr(graph, field).extend(getattr(model.graph, field))
    have = {i.name for i in graph.input}
    for tensor in model.graph.initializer:
        if math.prod(tensor.dims) <= _SMALL:
            graph.initializer.append(tensor)
        if tensor.name not in have:
            graph.input.append(onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, list(tensor.dims)))
    return onnx.shape_inference.infer_shapes(light, data_prop=True).graph


def types(onnx: ModuleType, model: object) -> dict[str, Any]:
    """The type of each value, if known."""
    graph = inferred(onnx, model)
    return {v.name: v.type for v in (*graph.output, *graph.value_info, *graph.input)}


def sizes(kind: Any) -> tuple[int, ...] | None:
    """The sizes of a type; None if one of them is unknown."""
    if kind is None or not kind.tensor_type.HasField("shape"):
        return None
    dims = kind.tensor_type.shape.dim
    return tuple(d.dim_value for d in dims) if all(d.HasField("dim_value") for d in dims) else None


def opset_of(model: ModelProto, default: int) -> int:
    """The version of ONNX's operators that `model` declares, or `default`."""
    return next((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), default)


def constants(model: ModelProto) -> dict[str, Any]:
    """The constants of a model, by name."""
    nodes = [n for n in model.graph.node if n.op_type == "Constant"]
    return {t.name: t for t in model.graph.initializer} | {
        n.output[0]: a.t for n in nodes for a in n.attribute if a.name == "value"
    }
