"""Rewrites operators of com.microsoft in exported language models with ONNX's: products with narrow weights, norms,
attention.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.importers.onnx_contrib import DOMAIN, Call
from allo_air.importers.onnx_heads import group_query_attention, multi_head_attention, rotary_embedding
from allo_air.importers.onnx_shapes import opset_of, sizes, types

if TYPE_CHECKING:
    from types import ModuleType

    from onnx import ModelProto


def named(onnx: ModuleType, model: ModelProto) -> Any:
    """`model` with the domain com.microsoft added to operators that some exporters write without it."""
    nodes = [n for n in model.graph.node if n.op_type in ("SimplifiedLayerNormalization", "SkipSimplifiedLayerNormalization")]
    for node in nodes:
        node.domain = DOMAIN
    if nodes and all(o.domain != DOMAIN for o in model.opset_import):
        model.opset_import.append(onnx.helper.make_opsetid(DOMAIN, 1))
    return model


def rewritten(onnx: ModuleType, model: ModelProto, where: str) -> Any:
    """`model` with the supported operators of com.microsoft replaced by ONNX's."""
    if not any(_rule(n) for n in model.graph.node):
        return model
    model_proto = onnx.ModelProto()
    model_proto.CopyFrom(model)
    tensors = {t.name: t for t in model.graph.initializer}
    opset = opset_of(model, 17)
    del model_proto.graph.node[:]
    pending, shapes = list(model.graph.node), dict[str, tuple[int, ...]]()
    while pending:
        node = pending.pop(0)
        rule = _rule(node)
        if rule is None:
            model_proto.graph.node.append(node)
            continue
        if any(name and name not in shapes for name in node.input):
            shapes = {name: s for name, kind in types(onnx, model_proto).items() if (s := sizes(kind)) is not None}
        call = Call(onnx, node, shapes, tensors, where, opset)
        rule(call)
        model_proto.graph.node.extend(call.nodes)
        model_proto.graph.initializer.extend(call.tensors)
    return model_proto


def _rule(node: Any) -> Callable[[Call], None] | None:
    return RULES.get(node.op_type) if node.domain == DOMAIN else None


def _scaled(call: Call, x: str, factor: float) -> str:
    return x if factor == 1 else str(call("Mul", x, call.number(factor)))


def _biased(call: Call) -> str:
    return str(call("Add", call.input(0), call.input(1))) if call.input(1) else call.input(0)


def _gelu(call: Call) -> None:
    x = _biased(call)
    error = call("Erf", _scaled(call, x, math.sqrt(0.5)))
    call.returns(0, call("Mul", _scaled(call, x, 0.5), call("Add", error, call.number(1))))


def _fast_gelu(call: Call) -> None:
    x = _biased(call)
    cube = call("Mul", call("Mul", x, x), _scaled(call, x, 0.044715))
    slope = call("Tanh", _scaled(call, call("Add", x, cube), math.sqrt(2 / math.pi)))
    call.returns(0, call("Mul", _scaled(call, x, 0.5), call("Add", slope, call.number(1))))


def _quick_gelu(call: Call) -> None:
    x = call.input(0)
    call.returns(0, call("Mul", x, call("Sigmoid", _scaled(call, x, call.attributes.get("alpha", 1.702)))))


def _product(call: Call) -> None:
    call.only(transBatchA=0, transBatchB=0)
    sides = []
    for number, name in enumerate(("transA", "transB")):
        side, rank = call.input(number), len(call.shape(number))
        if call.attributes.get(name, 0) and rank > 1:
            side = call("Transpose", side, perm=[*range(rank - 2), rank - 1, rank - 2])
        sides.append(side)
    call.returns(0, _scaled(call, call("MatMul", *sides), call.attributes.get("alpha", 1.0)))


def _mean(call: Call, x: str, axes: list[int]) -> str:
    if call.opset < 18:
        return str(call("ReduceMean", x, axes=axes))
    return str(call("ReduceMean", x, np.asarray(axes, np.int64)))


def _rms_norm(call: Call, x: str, scale: str, axes: list[int], default: float = 1e-12) -> str:
    """An RMS norm. `default` is the epsilon of nodes without one: 1e-12 with a skip connection, 1e-5 in
    SimplifiedLayerNormalization.
    """
    epsilon = call.number(call.attributes.get("epsilon", default))
    return str(call("Mul", call("Div", x, call("Sqrt", call("Add", _mean(call, call("Mul", x, x), axes), epsilon))), scale))


def _skipped(call: Call, bias: int) -> str:
    """The sum that a norm with a skip connection normalizes, which is also its last result."""
    total = call("Add", call.input(0), call.input(1))
    if call.input(bias):
        total = call("Add", total, call.input(bias))
    call.returns(3, total)
    return str(total)


def _skip_layer_norm(call: Call) -> None:
    total = _skipped(call, 4)
    result = _rms_norm(call, call("Sub", total, _mean(call, total, [-1])), call.input(2), [-1])
    call.returns(0, call("Add", result, call.input(3)) if call.input(3) else result)


def _skip_rms_norm(call: Call) -> None:
    call.returns(0, _rms_norm(call, _skipped(call, 3), call.input(2), [-1]))


def _simplified_layer_norm(call: Call) -> None:
    rank = len(call.shape(0))
    axes = list(range(call.attributes.get("axis", -1) % rank, rank))
    call.returns(0, _rms_norm(call, call.input(0), call.input(1), axes, 1e-5))


def _narrow_product(call: Call) -> None:
    """Converts weights of `bits` bits, with a scale for each block along K, to floats at compile time."""
    k, n, bits, block = (call.attributes.get(a, d) for a, d in (("K", 0), ("N", 0), ("bits", 4), ("block_size", 32)))
    if call.input(4):
        raise call.error("g_idx is not supported")
    if bits not in (2, 4, 8):
        raise call.error(f"bits={bits} is not supported, only 2, 4 and 8, which divide a byte")
    blocks = -(-k // block)
    weights = _unpacked(call.constant(1).reshape(n, -1), bits)[:, : blocks * block].reshape(n, blocks, block)
    scales = call.constant(2).reshape(n, blocks, 1).astype(np.float64)
    zeros = call.constant(3)
    if zeros is None:
        offset: Any = float(2 ** (bits - 1))
    elif zeros.dtype == np.uint8:
        offset = _unpacked(zeros.reshape(n, -1), bits)[:, :blocks].reshape(n, blocks, 1)
    else:
        offset = zeros.reshape(n, blocks, 1).astype(np.float64)
    new = ((weights - offset) * scales).reshape(n, -1)[:, :k].T.astype(call.constant(2).dtype)
    result = call("MatMul", call.input(0), new)
    call.returns(0, call("Add", result, call.input(5)) if call.input(5) else result)


def _unpacked(array: np.ndarray, bits: int) -> Any:
    """The numbers of `bits` bits in the bytes of each row, the lowest bits first."""
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    return ((array[..., None] >> shifts) & (2**bits - 1)).reshape(array.shape[0], -1).astype(np.float64)


RULES: dict[str, Callable[[Call], None]] = {
    "Gelu": _gelu,
    "BiasGelu": _gelu,
    "FastGelu": _fast_gelu,
    "QuickGelu": _quick_gelu,
    "FusedMatMul": _product,
    "MatMulNBits": _narrow_product,
    "SkipLayerNormalization": _skip_layer_norm,
    "SkipSimplifiedLayerNormalization": _skip_rms_norm,
    "SimplifiedLayerNormalization": _simplified_layer_norm,
    "RotaryEmbedding": rotary_embedding,
    "GroupQueryAttention": group_query_attention,
    "MultiHeadAttention": multi_head_attention,
}
"""The rule of each supported operator."""
