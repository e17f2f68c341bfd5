"""Rewrites recurrent ONNX layers that run backwards or in both directions as layers that run forwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from onnx import ModelProto

_KINDS = ("LSTM", "GRU", "RNN")


def rewritten(onnx: ModuleType, model: ModelProto) -> Any:
    """`model` with recurrent layers that run forwards only.

    Before: y = GRU(x, w, r) {direction = "bidirectional"}
    After:  y = Concat(GRU(x, w[0], r[0]), reversed(GRU(reversed(x), w[1], r[1])), axis = 1)
    """
    if not any(_is_backward(n) for n in model.graph.node):
        return model
    model_proto = onnx.ModelProto()
    model_proto.CopyFrom(model)
    del model_proto.graph.node[:]
    for node in model.graph.node:
        model_proto.graph.node.extend(_both_ways(onnx, node) if _is_backward(node) else [node])
    return model_proto


def _is_backward(node: Any) -> bool:
    lengths = len(node.input) > 4 and node.input[4]
    return node.op_type in _KINDS and not node.domain and _direction(node) != "forward" and not lengths


def _direction(node: Any) -> str:
    return next((a.s.decode() for a in node.attribute if a.name == "direction"), "forward")


def _both_ways(onnx: ModuleType, node: Any) -> list[Any]:
    name, result = next(filter(None, node.output)), list[Any]()
    batch_first = any(a.name == "layout" and a.i == 1 for a in node.attribute)
    steps, of_state = (1, 1) if batch_first else (0, 0)

    def add(kind: str, inputs: list[str], suffix: str, count: int = 1, **attributes: object) -> list[str]:
        results = [f"{name}/{suffix}{n or ''}" for n in range(count)]
        result.append(onnx.helper.make_node(kind, inputs, results, f"{name}/{suffix}", **attributes))
        return results

    def numbers(suffix: str, *values: int) -> str:
        tensor = onnx.helper.make_tensor("", onnx.TensorProto.INT64, [len(values)], values)
        return add("Constant", [], suffix, value=tensor)[0]

    def backwards(x: str, axis: int, suffix: str) -> str:
        bounds = [numbers(f"{suffix}/{n}", v) for n, v in (("start", -1), ("end", -(2**62)), ("axis", axis), ("step", -1))]
        return add("Slice", [x, *bounds], suffix)[0]

    def part(x: str, axis: int, start: int, suffix: str) -> str:
        bounds = [numbers(f"{suffix}/{n}", v) for n, v in (("start", start), ("end", start + 1), ("axis", axis))]
        return add("Slice", [x, *bounds], suffix)[0]

    both = _direction(node) == "bidirectional"
    sides = []
    for direction, backward in enumerate((False, True) if both else (True,)):
        tag = f"back{direction}" if backward else "forward"
        inputs = list(node.input)
        if both:
            axes = {n: 0 if n < 5 or n == 7 else of_state for n in (1, 2, 3, 5, 6, 7)}
            inputs = [part(x, axes[n], direction, f"{tag}/in{n}") if x and n in axes else x for n, x in enumerate(inputs)]
        if backward:
            inputs[0] = backwards(inputs[0], steps, f"{tag}/x")
        outputs = [f"{name}/{tag}/out{n}" if o else "" for n, o in enumerate(node.output)]
        layer = onnx.helper.make_node(node.op_type, inputs, outputs, f"{node.name or name}/{tag}")
        for attribute in node.attribute:
            if attribute.name in ("activations", "activation_alpha", "activation_beta") and both:
                values = attribute.strings or attribute.floats
                half = list(values)[: len(values) // 2] if not direction else list(values)[len(values) // 2 :]
                layer.attribute.append(onnx.helper.make_attribute(attribute.name, half))
            elif attribute.name != "direction":
                layer.attribute.append(attribute)
        result.append(layer)
        if backward and outputs[0]:
            outputs[0] = backwards(outputs[0], steps, f"{tag}/y")
        sides.append(outputs)
    for n, output in enumerate(node.output):
        if output and both:
            axis = (2 if batch_first else 1) if n == 0 else of_state
            result.append(onnx.helper.make_node("Concat", [side[n] for side in sides], [output], f"{name}/out{n}", axis=axis))
        elif output:
            result.append(onnx.helper.make_node("Identity", [sides[0][n]], [output], f"{name}/out{n}"))
    return result
