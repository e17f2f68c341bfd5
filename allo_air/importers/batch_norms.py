"""Folds batch normalizations in evaluation mode into the weights and bias of the preceding convolution or product."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from types import ModuleType

    from onnx import GraphProto, ModelProto, TensorProto
    from torch import Tensor
    from torch.export import ExportedProgram
    from torch.fx import Node as FxNode

    from allo_air.mlir import ir

_CONVOLUTIONS = ("conv1d", "conv2d", "conv3d")
_TRANSPOSED = ("conv_transpose1d", "conv_transpose2d", "conv_transpose3d")


def folded(
    weight: np.ndarray, bias: np.ndarray | None, norm: Mapping[str, np.ndarray | None], epsilon: float, axis: int
) -> tuple[Any, Any]:
    """The weights and bias of an operation that includes the batch normalization of its result. `bias` None means zeros;
    channels are dimension `axis` of the weights.

    `norm` has `mean` and `variance`, and optionally `scale` and `shift`, with one number for each channel: y = (W x + b - mean)
    scale / sqrt(variance + epsilon) + shift. The computation is in float64; results have the type of the weights.
    """
    arrays = {name: np.asarray(value, np.float64) for name, value in norm.items() if value is not None}
    factor = arrays.get("scale", 1.0) / np.sqrt(arrays["variance"] + epsilon)
    lane = [1] * weight.ndim
    lane[axis] = -1
    before = 0.0 if bias is None else np.asarray(bias, np.float64)
    shift = (before - arrays["mean"]) * factor + arrays.get("shift", 0.0)
    return (np.asarray(weight, np.float64) * factor.reshape(lane)).astype(weight.dtype), shift.astype(weight.dtype)


def with_own_tables(program: ExportedProgram) -> Any:
    """`program`; if something can be folded in it, a copy that has separate tables of the same tensors."""
    return program.run_decompositions({}) if any(str(n.target) in _NORMS for n in program.graph.nodes) else program


def fold_torch(torch: ModuleType, program: ExportedProgram) -> None:
    """Folds batch normalizations of an exported program where possible, which changes its tensors."""
    values_of_program = _ProgramTensors(torch, program)
    for norm in [n for n in program.graph.nodes if str(n.target) in _NORMS]:
        x, scale, shift, mean, variance, *rest = norm.args
        training, epsilon = (rest[0], rest[2]) if "legit" not in str(norm.target) else (False, rest[1])
        axis = _axis(x)
        if training or axis is None or len(x.users) > 1:
            continue
        weight, bias = x.args[1], x.args[2] if len(x.args) > 2 else None
        holder = mean if shift is None else shift
        values = [n for n in (weight, bias, scale, shift, mean, variance) if n is not None]
        if any(values_of_program.array(n) is None for n in values) or len(weight.users) > 1 or len(holder.users) > 1:
            continue
        numbers = {"mean": mean, "variance": variance, "scale": scale, "shift": shift}
        arrays = {name: None if n is None else values_of_program.array(n) for name, n in numbers.items()}
        folded_arrays = folded(
            values_of_program.array(weight), None if bias is None else values_of_program.array(bias), arrays, epsilon, axis
        )
        for node, new in zip((weight, holder), folded_arrays, strict=True):
            values_of_program.set(node, torch.from_numpy(new))
        x.args = (x.args[0], weight, holder, *x.args[3:])
        results = [norm] if "legit" not in str(norm.target) else [u for u in norm.users if u.args[1] == 0]
        for result in results:
            result.replace_all_uses_with(x)
            program.graph.erase_node(result)
        if results != [norm]:
            program.graph.erase_node(norm)


_NORMS = ("aten.batch_norm.default", "aten._native_batch_norm_legit_no_training.default")


class _ProgramTensors:
    """The parameters, buffers and constants of an exported program, by their placeholders."""

    def __init__(self, torch: ModuleType, program: ExportedProgram) -> None:
        signature = program.graph_signature
        self._parameter = torch.nn.Parameter
        self._kinds = (torch.float32, torch.float64)
        self._places: dict[str, tuple[Any, str]] = {}
        for name, key in (*signature.inputs_to_parameters.items(), *signature.inputs_to_buffers.items()):
            self._places[name] = (program.state_dict if key in program.state_dict else program.constants), key
        self._places |= {n: (program.constants, k) for n, k in signature.inputs_to_lifted_tensor_constants.items()}

    def array(self, node: object) -> Any:
        """The array of a tensor; None if `node` is no tensor of floats with at least 32 bits."""
        table, key = self._places.get(getattr(node, "name", ""), ({}, ""))
        result = table.get(key)
        return result.detach().numpy() if result is not None and result.dtype in self._kinds else None

    def set(self, node: FxNode, tensor: Tensor) -> None:
        """Replaces the tensor of `node`."""
        table, key = self._places[node.name]
        is_parameter = isinstance(table[key], self._parameter)
        table[key] = self._parameter(tensor, requires_grad=False) if is_parameter else tensor


def _axis(op: ir.OpView) -> int | None:
    """The dimension of the weights that is the channels of the result of `op`; None for operations into which nothing can be
    folded.
    """
    library, name, *_ = [*str(getattr(op, "target", "")).split("."), "", ""]
    if library != "aten":
        return None
    if name == "linear":
        return 0 if len(op.meta["val"].shape) == 2 else None
    if name not in (*_CONVOLUTIONS, *_TRANSPOSED) or len(op.meta["val"].shape) != int(name[-2]) + 2:
        return None  # without a batch dimension, a normalization would use the dimension after the channels
    if name in _TRANSPOSED:
        groups = op.args[6] if len(op.args) > 6 else 1
        return 1 if groups == 1 else None
    return 0


def fold_onnx(onnx: ModuleType, model: ModelProto) -> Any:
    """`model` with batch normalizations folded; `model` itself if there are none to fold."""
    nodes = [n for n in model.graph.node if n.op_type == "BatchNormalization" and not n.domain]
    if not nodes:
        return model
    tensors = {t.name: t for t in model.graph.initializer}
    makers = {o: n for n in model.graph.node for o in n.output}
    uses = Counter(_names_used(model.graph))
    results: dict[str, list[Any]] = {}
    removed = set[str]()
    for norm in nodes:
        op = makers.get(norm.input[0])
        attributes = {a.name: a for a in norm.attribute}
        axis = _onnx_axis(onnx, op, tensors)
        training = "training_mode" in attributes and attributes["training_mode"].i
        if op is None or axis is None or training or len(norm.output) > 1 or uses[norm.input[0]] > 1:
            continue
        names = [op.input[1], *op.input[2:3], *norm.input[1:5]]
        if any(n and (n not in tensors or tensors[n].data_type != onnx.TensorProto.FLOAT) for n in names):
            continue
        weight, *bias = (onnx.numpy_helper.to_array(tensors[n]) for n in [op.input[1], *filter(None, op.input[2:3])])
        numbers = zip(("scale", "shift", "mean", "variance"), norm.input[1:5], strict=True)
        arrays = {name: onnx.numpy_helper.to_array(tensors[n]) for name, n in numbers}
        epsilon = attributes["epsilon"].f if "epsilon" in attributes else 1e-5
        new = folded(weight, bias[0] if bias else None, arrays, epsilon, axis)
        results[norm.input[0]] = [norm.output[0], *new]
        removed.add(norm.output[0])
    if not results:
        return model
    model_proto = onnx.ModelProto()
    model_proto.CopyFrom(model)
    del model_proto.graph.node[:]
    for node in model.graph.node:
        if node.output[0] in removed:
            continue
        if node.output[0] in results:
            result, *parts = results[node.output[0]]
            names = [f"{result}/weight", f"{result}/bias"]
            model_proto.graph.initializer.extend(onnx.numpy_helper.from_array(a, n) for a, n in zip(parts, names, strict=True))
            node = type(node).FromString(node.SerializeToString())
            del node.input[1:]
            node.input.extend(names)
            node.output[0] = result
        model_proto.graph.node.append(node)
    return model_proto


def _names_used(graph: GraphProto) -> Iterator[str]:
    """The names that a graph uses, including its results and the graphs in its nodes."""
    yield from (o.name for o in graph.output)
    for node in graph.node:
        yield from node.input
        for attribute in node.attribute:
            for inner in (attribute.g, *attribute.graphs):
                yield from _names_used(inner)


def _onnx_axis(onnx: ModuleType, op: ir.OpView | None, tensors: Mapping[str, TensorProto]) -> int | None:
    """Like `_axis`, for a node of ONNX."""
    if op is None or op.domain or len(op.input) < 2 or op.input[1] not in tensors:
        return None
    attributes = {a.name: onnx.helper.get_attribute_value(a) for a in op.attribute}
    if op.op_type == "Gemm":
        is_plain = attributes.get("alpha", 1.0) == attributes.get("beta", 1.0) == 1.0
        vector = len(op.input) < 3 or not op.input[2] or (op.input[2] in tensors and len(tensors[op.input[2]].dims) == 1)
        return (0 if attributes.get("transB", 0) else 1) if is_plain and vector else None
    if op.op_type == "ConvTranspose":
        return 1 if attributes.get("group", 1) == 1 else None
    return 0 if op.op_type == "Conv" else None
