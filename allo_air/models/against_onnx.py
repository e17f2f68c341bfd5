"""Compares an ONNX model with its import, on one random input."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.dtypes import numpy_dtype
from allo_air.errors import AlloAirError
from allo_air.importers.onnx_files import from_onnx
from allo_air.importers.onnx_operators import converted
from allo_air.mlir import ir
from allo_air.models.compared import NEAR, altogether, distance, rounding_distance, runs, runs_quickly, wrong_operation
from allo_air.models.model import Model, host_model

if TYPE_CHECKING:
    from types import ModuleType

    from onnx import ModelProto, NodeProto

_UNRELIABLE = ("LpNormalization", "LRN", "Loop")
"""Operators that ONNX's reference evaluates incorrectly: norms of p = 1 without absolute values, normalization of as many
channels as there are images, loops without a condition.
"""

_DIFFERENT = 2
"""The number of different random integers, from 0 on, since they may be indices."""


def check_import(path: str | os.PathLike[str], model: Model) -> None:
    """Raises AlloAirError, naming the first wrong operation, if the import's results differ from those of onnxruntime or ONNX's
    reference.
    """
    if not runs_quickly(model):
        return
    arguments, dtypes = model.source.function.regions[0].blocks[0].arguments, model.source.input_dtypes
    is_divided = any(isinstance(a.type.element_type, ir.IntegerType) for a in arguments) and _divides(path)
    arrays = [_random_input(n, a, dtypes, least=int(is_divided)) for n, a in enumerate(arguments)]
    feeds = dict(zip(model.source.inputs, arrays, strict=True))
    by_runtime, references = _references(path, feeds)
    result, near = runs(model, arrays) if references else None, rounding_distance(model)
    if result is None or (error := min(_error(result, expected, arrays) for expected in references)) <= near:
        return
    exact = runs(model, arrays, wide=True)
    least = error if exact is None else min(_error(exact, expected, arrays) for expected in references)
    if least <= near:
        return
    named = _first_wrong(path, feeds, near)
    if named is not None:
        raise wrong_operation(model.source.name, *named)
    if by_runtime and min(error, least) > altogether(model, near):  # ONNX's reference is wrong for some operators
        raise wrong_operation(model.source.name, "", "", least)


def _divides(path: str | os.PathLike[str]) -> bool:
    """Whether the model divides: then an integer input may be a divisor, and none is 0."""
    import onnx

    return any(n.op_type in ("Div", "Mod") for n in onnx.load(path, load_external_data=False).graph.node)


def _random_input(number: int, argument: ir.Value, input_dtypes: Sequence[np.dtype | None], least: int = 0) -> Any:
    dtype = (input_dtypes[number] if input_dtypes else None) or numpy_dtype(str(argument.type.element_type))
    draw = np.random.default_rng(number)
    shape = tuple(argument.type.shape)
    return (draw.integers(least, _DIFFERENT + least, shape) if dtype.kind in "iub" else draw.standard_normal(shape)).astype(
        dtype
    )


def _references(path: str | os.PathLike[str], feeds: dict[str, np.ndarray]) -> tuple[bool, list[list[Any]]]:
    """The results of onnxruntime; without it, those of ONNX's reference for the model as it is, and in the newest opset.

    Also returns whether they are onnxruntime's.
    """
    with suppress(ImportError):
        import onnxruntime  # type: ignore[import-not-found,import-untyped,unused-ignore]

        with suppress(Exception):  # errors for unsupported models have no common class
            return True, [list(onnxruntime.InferenceSession(os.fspath(path)).run(None, feeds))]
    import onnx

    model = onnx.load(path)
    results = [_evaluated(m, feeds) for m in (model, converted(onnx, model)) if m is not None]
    return False, [r for r in results if r is not None]


def _evaluated(model: ModelProto, feeds: Mapping[str, object]) -> list[Any] | None:
    """The results of ONNX's reference; None if it lacks an operator in the opset of `model`."""
    with warnings.catch_warnings(), suppress(Exception):  # likewise
        from onnx.reference import ReferenceEvaluator

        warnings.simplefilter("ignore")
        return list(ReferenceEvaluator(model).run(None, feeds))
    return None


def _error(items: Sequence[np.ndarray], expected: Sequence[np.ndarray], inputs: Sequence[np.ndarray]) -> float:
    arrays = [np.asarray(w) for w in expected]
    return distance(items, arrays, inputs) if len(items) == len(arrays) and all(a.dtype.kind in "fiub" for a in arrays) else 0.0


def _first_wrong(path: str | os.PathLike[str], feeds: Mapping[str, object], near: float) -> tuple[str, str, float] | None:
    """The first node of the file that is imported incorrectly by itself, its name, and its distance from the reference.

    Differences up to `near` are rounding.
    """
    import onnx
    from onnx.reference import ReferenceEvaluator

    model = onnx.load(path)
    if _evaluated(model, feeds) is None:
        model = converted(onnx, model) or model
    with warnings.catch_warnings(), suppress(Exception):  # likewise
        warnings.simplefilter("ignore")
        outputs_by_name = ReferenceEvaluator(model).run(None, feeds, intermediate=True)
        values: dict[str, Any] = {t.name: onnx.numpy_helper.to_array(t) for t in model.graph.initializer}
        values |= outputs_by_name if isinstance(outputs_by_name, dict) else {}
        for node in model.graph.node:
            if node.op_type in _UNRELIABLE or not all(n in values for n in (*node.input, *node.output) if n):
                continue
            error = _distance_alone(onnx, model, node, {n: np.asarray(values[n]) for n in (*node.input, *node.output) if n})
            if error > near:
                return node.op_type, f"node {node.name or node.output[0]}", error
    return None


def _distance_alone(onnx: ModuleType, model: ModelProto, node: NodeProto, values: dict[str, np.ndarray]) -> float:
    """The distance of `node`, imported separately, from its reference results; 0 if it cannot be computed.

    Inputs that may determine a size (integers, and tensors of few elements) are constants, as in most models.
    """

    def described(name: str) -> Any:
        array = values[name]
        return onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)

    arguments = list(dict.fromkeys(n for n in node.input if n))
    fixed = [n for n in arguments[1:] if values[n].dtype.kind in "iub" or values[n].size < 8]
    loose = [n for n in arguments if n not in fixed]
    outputs = [n for n in node.output if n]
    constants = [onnx.numpy_helper.from_array(values[n], n) for n in fixed]
    graph = onnx.helper.make_graph([node], "one", [described(n) for n in loose], [described(n) for n in outputs], constants)
    result = onnx.helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)
    with tempfile.TemporaryDirectory() as folder, suppress(AlloAirError):
        file = Path(folder) / "one.onnx"
        onnx.save(result, file)
        host = host_model(from_onnx(file))
        inputs = [values[n] for n in host.source.inputs]
        items = host(*inputs)
        error = _error(items, [values[n] for n in outputs], inputs)
        if error <= NEAR or (newer := converted(onnx, result)) is None:
            return error
        # the reference evaluates some old operators incorrectly, as BatchNormalization of opset 9
        expected = _evaluated(newer, dict(zip(host.source.inputs, inputs, strict=True)))
        return error if expected is None else min(error, _error(items, expected, inputs))
    return 0.0
