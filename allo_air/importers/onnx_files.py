"""Imports ONNX files with torch-mlir's importer."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.errors import AlloAirError, ArgumentError, counted
from allo_air.importers import (
    onnx_functions,
    onnx_integers,
    onnx_language,
    onnx_loops,
    onnx_operators,
    onnx_recurrent,
    onnx_refusals,
    onnx_sequences,
)
from allo_air.importers.batch_norms import fold_onnx
from allo_air.importers.imported import Imported, imported
from allo_air.importers.lowering import lower
from allo_air.mlir import ir

if TYPE_CHECKING:
    from types import ModuleType

    from onnx import ModelProto

_TO_LINALG = (
    "builtin.module(func.func(convert-torch-onnx-to-torch),torch-lower-to-backend-contract,func.func(cse),"
    "torch-backend-to-linalg-on-tensors-backend-pipeline)"
)
_TO_TORCH = "builtin.module(func.func(convert-torch-onnx-to-torch))"
_DATA_DEPENDENT = ("NonZero", "Unique", "Compress", "NonMaxSuppression", "StringSplit")
"""Operators whose result's size depends on data."""
_WRONG = ("SoftmaxCrossEntropyLoss", "SpaceToDepth")
"""Operators for which torch-mlir computes wrong numbers with some attributes."""
_NOT_LOWERED = (
    *("AffineGrid", "Attention", "CausalConvWithState", "CenterCropPad", "LinearAttention", "MeanVarianceNormalization"),
    *("NegativeLogLikelihoodLoss", "RMSNormalization", "RotaryEmbedding", "Softsign", "SwiGLU", "Swish"),
)
"""Operators that torch-mlir cannot lower, at least with some attributes. ONNX defines these, and those of _WRONG, as functions
of other operators.
"""
LEVELS = ("onnx", "torch", "linalg")
"""The levels at which a model can be imported: `torch.operator "onnx.MatMul"`, `torch.aten.matmul`, `linalg.matmul`."""


def from_onnx(path: str | os.PathLike[str], shapes: Mapping[str, Sequence[int]] | None = None, called: str = "") -> Imported:
    """Imports the file `path`. `shapes` fixes the sizes of inputs, by name, that the file leaves open.

    Messages and reports call the model `called`, or by its path. Raises AlloAirError if the file is damaged, if an input's size
    is unknown, or if an operation, which it names, has no lowering.
    """
    onnx = _onnx()
    name = called or os.fspath(path)
    model = _loaded(onnx, Path(path), name, shapes or {})
    _fix(model, dict(shapes or {}), name)
    _check_types(onnx, model, name)
    _weights_apart(model)
    inputs = tuple(i.name for i in model.graph.input)
    model = onnx_loops.unrolled(onnx, model, name)
    onnx_refusals.check(onnx, model, name)
    model = onnx_sequences.rewritten(onnx, model)
    model = fold_onnx(onnx, model)
    model = onnx_language.rewritten(onnx, onnx_recurrent.rewritten(onnx, model), name)
    model = onnx_integers.rewritten(onnx, onnx_operators.rewritten(onnx, model))
    onnx_refusals.check_samples(model, name)
    try:
        model, module = _lowered_expanded(onnx, model, name)
    except AlloAirError as error:
        newer = onnx_operators.converted(onnx, model)
        if newer is None:
            raise (_open_size(model, name) or error) from None
        try:
            module = _lowered(_inferred(onnx, newer, name), name)
        except AlloAirError:
            raise (_open_size(model, name) or error) from None
    input_dtypes, result_dtypes = ([_dtype(onnx, v) for v in values] for values in (model.graph.input, model.graph.output))
    try:
        return imported(module, name, inputs, input_dtypes, result_dtypes)
    except AlloAirError as error:
        first = _open_size(model, name) or error
    try:  # retry with constants folded, so that computed sizes become known
        return imported(
            _lowered(_inferred(onnx, onnx_functions.without_constants(onnx, model), name), name),
            name,
            inputs,
            input_dtypes,
            result_dtypes,
        )
    except AlloAirError:
        raise first from None


def _weights_apart(model: ModelProto) -> None:
    """Removes inputs with a value in the model, which older files list; the importer and rewrites take the value."""
    weights = {w.name for w in model.graph.initializer}
    inputs = [i for i in model.graph.input if i.name not in weights]
    del model.graph.input[:]
    model.graph.input.extend(inputs)
    model.ir_version = max(model.ir_version, 4)  # below, each weight has to be an input


def _open_size(model: ModelProto, name: str) -> AlloAirError | None:
    """The error for the node whose result's size depends on data; None if there is no such node."""
    for node in model.graph.node:
        if node.op_type in _DATA_DEPENDENT and not node.domain:
            return AlloAirError(
                f"{name}: the result of operation {node.op_type} (node {node.name or node.output[0]}) has a size that "
                "depends on data, and a program's sizes are fixed; use a mask of the full size instead, as Where does"
            )
    return None


def _lowered_expanded(onnx: ModuleType, model: ModelProto, name: str) -> tuple[Any, Any]:
    """The model, with operators without a lowering replaced by their ONNX definitions, and its module."""
    if (simpler := onnx_functions.expanded(onnx, model, _WRONG)) is not None:
        model = simpler
    try:
        return model, _lowered(_inferred(onnx, model, name), name)
    except AlloAirError as error:
        first = error
    for kinds in (_NOT_LOWERED, {n.op_type for n in model.graph.node}):
        simpler = onnx_functions.expanded(onnx, model, kinds)
        simpler = onnx_functions.without_constants(onnx, model) if simpler is None else simpler
        with contextlib.suppress(AlloAirError):
            return simpler, _lowered(_inferred(onnx, simpler, name), name)
    raise first


def _dtype(onnx: ModuleType, value: ir.Value) -> Any:
    return onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)


def onnx_text(path: str | os.PathLike[str], shapes: Mapping[str, Sequence[int]] | None = None, level: str = "linalg") -> str:
    """The model in file `path` as MLIR text at one of LEVELS, the stages of `from_onnx`."""
    if level == "linalg":
        return from_onnx(path, shapes).text
    onnx, name = _onnx(), os.fspath(path)
    model = _loaded(onnx, Path(path), name, shapes or {})
    _fix(model, dict(shapes or {}), name)
    module = _read(_inferred(onnx, onnx_operators.rewritten(onnx, model), name), name)
    if level == "torch":
        module = lower(module, _TO_TORCH, model=name)
    return str(module.operation.get_asm(large_elements_limit=None))


def _onnx() -> Any:
    try:
        import onnx
        import onnx.version_converter
    except ImportError:
        raise AlloAirError("models of ONNX need the package onnx: pip install 'allo-air[onnx]'") from None
    return onnx


def _loaded(onnx: ModuleType, path: Path, name: str, shapes: Mapping[str, Sequence[int]]) -> Any:
    try:
        model = onnx.load(path)
        _check_opsets(onnx, model, name)
        _rank_inputs(onnx, model, shapes, name)
        _shape_results(onnx, model, name)
        model = onnx_language.named(onnx, model)
        onnx.checker.check_model(model)
    except AlloAirError:
        raise
    except OSError as error:
        raise AlloAirError(f"cannot read '{name}': {error.strerror or error}") from None
    except Exception as error:  # errors of protobuf and of the checker have no common class
        text = str(error).strip()
        node = re.search(r"for node\. Name: (.*?) OpType: (\w+)", text)
        node_text = f" (node {node[1] or 'without a name'}, {node[2]})" if node else ""
        raise AlloAirError(
            f"'{name}' is not a valid ONNX model: {' '.join(text.partition('==>')[0].split())}{node_text}"
        ) from None
    return model


def _check_opsets(onnx: ModuleType, model: ModelProto, name: str) -> None:
    """Raises an error for operators of a newer opset than the package onnx defines: it would take them for older ones."""
    newest = {"": onnx.defs.onnx_opset_version(), "ai.onnx": onnx.defs.onnx_opset_version(), "com.microsoft": 1}
    for opset in model.opset_import:
        if opset.version > newest.get(opset.domain, opset.version):
            raise AlloAirError(
                f"{name}: its operators are of opset {opset.version} of {opset.domain or 'ai.onnx'}, and the newest that onnx"
                f" {onnx.__version__} defines is {newest[opset.domain]}; export it with that opset or an older one"
            )


def _rank_inputs(onnx: ModuleType, model: ModelProto, shapes: Mapping[str, Sequence[int]], name: str) -> None:
    """Gives inputs without a rank that of `shapes`. Raises an error for those that it does not name, and for other types."""
    for value in model.graph.input:
        kind = value.type.WhichOneof("value")
        if kind != "tensor_type":
            raise AlloAirError(
                f"{name}: input {value.name!r} is a {(kind or 'value of no type').removesuffix('_type')}, and a program takes"
                " tensors; give its elements as inputs"
            )
        tensor = value.type.tensor_type
        if tensor.HasField("shape"):
            continue
        if value.name not in shapes:
            raise AlloAirError(
                f"{name}: input {value.name!r} is of no known rank; fix its sizes with shapes={{{value.name!r}: (...)}},"
                f" or --shape {value.name}=... on the command line"
            )
        value.type.CopyFrom(onnx.helper.make_tensor_type_proto(tensor.elem_type, [None] * len(shapes[value.name])))


def _shape_results(onnx: ModuleType, model: ModelProto, name: str) -> None:
    """Gives results without a shape that of shape inference; ONNX's checker requires one, other tools do not."""
    kinds = (None, "tensor_type")
    bare = [v for v in model.graph.output if v.type.WhichOneof("value") in kinds and not v.type.tensor_type.HasField("shape")]
    if not bare:
        return
    inferred = {v.name: v for v in onnx.shape_inference.infer_shapes(model).graph.output}
    for value in bare:
        if not inferred[value.name].type.tensor_type.HasField("shape"):
            raise AlloAirError(f"{name}: result {value.name!r} is of no known shape; give its shape in the model")
        value.CopyFrom(inferred[value.name])


def _fix(model: ModelProto, shapes: dict[str, Sequence[int]], name: str) -> None:
    """Writes `shapes` into the model's inputs. Raises an error for unknown names, and for other ranks."""
    for value in (*model.graph.input, *model.graph.output, *model.graph.value_info):
        for dimension in value.type.tensor_type.shape.dim:
            if dimension.dim_value < 0:  # some exporters write an open size in this way
                dimension.Clear()
    inputs = {i.name: i.type.tensor_type.shape.dim for i in model.graph.input}
    for argument, sizes in shapes.items():
        if argument not in inputs:
            raise ArgumentError(f"{name} has no input {argument!r}; it has {', '.join(inputs)}")
        if len(sizes) != len(inputs[argument]):
            raise ArgumentError(
                f"{name}: input {argument!r} has {counted(len(inputs[argument]), 'dimension')}, shapes= gives {len(sizes)}"
            )
        for dimension, size in zip(inputs[argument], sizes, strict=True):
            if dimension.HasField("dim_value") and dimension.dim_value != size:
                raise ArgumentError(f"{name}: input {argument!r} has size {dimension.dim_value} where shapes= gives {size}")
            dimension.dim_value = size
    for argument, dimensions in inputs.items():
        if any(not d.HasField("dim_value") for d in dimensions):
            result = ", ".join(str(d.dim_value) if d.HasField("dim_value") else d.dim_param or "?" for d in dimensions)
            raise AlloAirError(
                f"{name}: input {argument!r} is of open size ({result}); fix it with shapes={{{argument!r}: (...)}},"
                f" or --shape {argument}=... on the command line"
            )


def _inferred(onnx: ModuleType, model: object, name: str) -> Any:
    try:
        return onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
    except onnx.shape_inference.InferenceError:
        text = _inference_error(onnx, model, strict_mode=True, data_prop=True)
        raise AlloAirError(f"{name}: the shapes do not fit together: {text}") from None


def _check_types(onnx: ModuleType, model: Any, name: str) -> None:
    """Raises an error for a node whose operands have different types and may not. Types that ONNX does not list for an operator
    are left to the importer, which takes some of them (shifts of signed numbers).
    """
    try:
        onnx.shape_inference.infer_shapes(model, check_type=True)
    except onnx.shape_inference.InferenceError:
        text = _inference_error(onnx, model, check_type=True)
        if "unsupported type" not in text:
            raise AlloAirError(f"{name}: the types of operands do not fit together: {text}; convert one with Cast") from None


def _inference_error(onnx: ModuleType, model: Any, **options: bool) -> str:
    """The message of the inference that fails, with a name for each node."""
    for node in model.graph.node:
        node.name = node.name or next(filter(None, node.output), "")
    try:
        onnx.shape_inference.infer_shapes(model, **options)
    except onnx.shape_inference.InferenceError as error:
        return " ".join(str(error).replace("[ShapeInferenceError] ", "").split())
    return ""


def _read(model: object, name: str) -> Any:
    """Reads the model as operators of ONNX."""
    from allo_air.mlir import onnx_importer, torch

    context = ir.Context()
    torch.register_dialect(context)
    try:
        info = onnx_importer.ModelInfo(model)
        module = info.create_module(context=context)
        onnx_importer.NodeImporter.define_function(info.main_graph, module.operation).import_all()
    except onnx_importer.OnnxImportError as error:
        raise AlloAirError(f"{name}: torch-mlir cannot import it: {' '.join(str(error).split())}") from None
    return module


def _lowered(model: object, name: str) -> Any:
    module = _read(model, name)
    try:
        return lower(module, _TO_LINALG, model=name)
    except AlloAirError as error:
        raise _no_lowering(error, model, name) from None


def _no_lowering(error: AlloAirError, model: ModelProto, name: str) -> AlloAirError:
    """The error that names the model's nodes of the kind that MLIR's message is about."""
    messages = " ".join(f"{d.message} {' '.join(n.message for n in d.notes)}" for d in error.diagnostics)
    kind = re.search(r'name = "onnx\.(\w+)"|operation onnx\.(\w+)', messages)
    if kind is None:
        return error
    operator = kind.group(1) or kind.group(2)
    nodes = ", ".join([n.name or n.output[0] for n in model.graph.node if n.op_type == operator][:4])
    if "crash" in messages:
        match = re.search(r"crash on operation [\w.]+ \((.*)\); write", messages)
        why = match.group(1) if match else "no reason is known"
        return AlloAirError(
            f"{name}: torch-mlir's passes crash on operation {operator} (node {nodes}): {why}; write it with other operations,"
            " or of other types"
        )
    return AlloAirError(
        f"{name}: operation {operator} (node {nodes}) has no lowering to linalg in torch-mlir; write it with other operations"
        " in the model"
    )
