"""Rewrites sequences of ONNX with known lengths as their tensors, since torch-mlir lacks most operators on sequences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.importers.onnx_about import ModelInfo
from allo_air.importers.onnx_nodes import Nodes

if TYPE_CHECKING:
    from types import ModuleType

    from onnx import ModelProto, NodeProto

_NAMES = (
    "SequenceConstruct SequenceEmpty SequenceInsert SequenceErase SequenceAt SequenceLength SplitToSequence ConcatFromSequence"
)
_OPERATORS = frozenset(_NAMES.split())


def rewritten(onnx: ModuleType, model: ModelProto) -> Any:
    """`model` without sequences, if the length of each and all positions in them are known; otherwise `model` unchanged."""
    if not any(n.op_type in _OPERATORS and not n.domain for n in model.graph.node):
        return model
    result, sequences = onnx.ModelProto(), _Sequences(ModelInfo(onnx, model))
    result.CopyFrom(model)
    del result.graph.node[:]
    for node in model.graph.node:
        if node.op_type not in _OPERATORS or node.domain:
            if any(n in sequences.tensors for n in node.input):
                return model
            result.graph.node.append(node)
            continue
        nodes = sequences.nodes(node)
        if nodes is None:
            return model
        result.graph.node.extend(nodes)
    return model if any(o.name in sequences.tensors for o in model.graph.output) else result


class _Sequences:
    """The tensors of each sequence, by their names."""

    def __init__(self, model_info: ModelInfo) -> None:
        self.tensors: dict[str, list[str]] = {}
        self._info = model_info

    def nodes(self, node: NodeProto) -> list[Any] | None:
        """The nodes that replace `node`; None if a length or position is unknown."""
        nodes, kind = Nodes(self._info.helper, node), node.op_type
        if kind == "SequenceEmpty":
            self.tensors[node.output[0]] = []
        elif kind == "SequenceConstruct":
            self.tensors[node.output[0]] = list(node.input)
        elif kind == "SplitToSequence":
            return self._split(node, nodes)
        else:
            items = self.tensors.get(node.input[0])
            if items is None:
                return None
            if kind == "SequenceLength":
                nodes.append(self._info.helper.make_node("Identity", [nodes.constant(len(items), "length")], [node.output[0]]))
                return nodes
            if kind == "ConcatFromSequence":
                return self._joined(node, items, nodes)
            return self._at(node, items, nodes)
        return nodes

    def _at(self, node: NodeProto, items: list[str], nodes: Nodes) -> list[Any] | None:
        """`SequenceAt`, `SequenceInsert` or `SequenceErase`."""
        operands = list(node.input[1:]) if node.op_type != "SequenceInsert" else list(node.input[2:])
        place = self._info.constant(operands[0]) if operands and operands[0] else None
        if operands and operands[0] and place is None:
            return None
        length = len(items) + (node.op_type == "SequenceInsert")
        number = length - 1 if place is None else int(place) + (len(items) if int(place) < 0 else 0)
        if not 0 <= number < length:
            return None
        if node.op_type == "SequenceAt":
            nodes.add("Identity", [items[number]])
        elif node.op_type == "SequenceInsert":
            self.tensors[node.output[0]] = [*items[:number], node.input[1], *items[number:]]
        else:
            self.tensors[node.output[0]] = [*items[:number], *items[number + 1 :]]
        return nodes

    def _split(self, node: NodeProto, nodes: Nodes) -> list[Any] | None:
        options = {a.name: a.i for a in node.attribute}
        sizes = self._info.sizes(node.input[0])
        parts = self._info.constant(node.input[1]) if len(node.input) > 1 and node.input[1] else None
        if sizes is None or (parts is None and len(node.input) > 1):
            return None
        axis = options.get("axis", 0) % len(sizes)
        size = sizes[axis]
        step = 1 if parts is None else parts
        counts = step if isinstance(step, list) else [min(step, size - n) for n in range(0, size, step)]
        squeezes, start, slices = parts is None and not options.get("keepdims", 1), 0, list[str]()
        for number, count in enumerate(counts):
            bounds = [nodes.constant([n], f"{number}/{m}") for m, n in enumerate((start, start + count, axis))]
            part = nodes.add("Slice", [node.input[0], *bounds], f"{number}")
            other_sizes = [n for d, n in enumerate(sizes) if d != axis]
            slices.append(nodes.reshaped(part, other_sizes, f"{number}/row") if squeezes else part)
            start += count
        self.tensors[node.output[0]] = slices
        return nodes

    def _joined(self, node: NodeProto, items: list[str], nodes: Nodes) -> list[Any] | None:
        options = {a.name: a.i for a in node.attribute}
        if not items:
            return None
        if options.get("new_axis"):
            axes = nodes.constant([options["axis"]], "axes")
            items = [nodes.add("Unsqueeze", [x, axes], f"{number}/row") for number, x in enumerate(items)]
        nodes.add("Concat", items, axis=options["axis"])
        return nodes
