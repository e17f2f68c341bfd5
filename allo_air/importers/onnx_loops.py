"""Unrolls ONNX loops with a known number of iterations, which torch-mlir cannot lower."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.errors import AlloAirError, counted
from allo_air.importers.onnx_functions import renamed, without_constants
from allo_air.importers.onnx_shapes import constants, opset_of

if TYPE_CHECKING:
    from types import ModuleType

    from onnx import ModelProto, NodeProto

_MOST = 256
"""Largest number of iterations that are unrolled, as of recurrent layers."""
_AXES_AS_INPUT = 13
"""The opset from which on Unsqueeze has its axes as an input."""


def unrolled(onnx: ModuleType, model: ModelProto, name: str) -> Any:
    """`model` with a copy of its body for each iteration of a `Loop`.

    If the condition is computed, iterations after it became false keep the values. Raises an AlloAirError for a number of
    iterations that is unknown or too large, and for a computed condition with results that are concatenated.
    """
    if not any(_is_loop(n) for n in model.graph.node):
        return model
    model = without_constants(onnx, model)
    while any(_is_loop(n) for n in model.graph.node):
        tensors = constants(model)
        result = onnx.ModelProto()
        result.CopyFrom(model)
        del result.graph.node[:]
        for node in model.graph.node:
            if not _is_loop(node):
                result.graph.node.append(node)
                continue
            loop = _Loop(onnx, node, tensors, opset_of(model, _AXES_AS_INPUT), name)
            result.graph.node.extend(loop.nodes())
            result.graph.initializer.extend(loop.tensors)
        model = without_constants(onnx, result)
    return model


def _is_loop(node: NodeProto) -> bool:
    return node.op_type == "Loop" and not node.domain


class _Loop:
    """A loop and the nodes that replace it."""

    def __init__(self, onnx: ModuleType, node: NodeProto, constants: dict[str, Any], opset: int, model: str) -> None:
        self._onnx, self._node, self._constants, self._opset = onnx, node, constants, opset
        self._body = node.attribute[0].g
        self._subject = f"{model}: operation Loop (node {node.name or next(filter(None, node.output))})"
        self._prefix = next(filter(None, node.output))
        self.tensors: list[Any] = []

    def nodes(self) -> list[Any]:
        """The nodes of all iterations, and those that name the results."""
        make, body = self._onnx.helper.make_node, self._body
        count, carried = self._count(), list(self._node.input[2:])
        condition = self._node.input[1] if len(self._node.input) > 1 else ""
        is_known = self._holds(condition)
        is_masked, active = not (is_known and self._stays()), "" if is_known else condition
        collected = len(body.output) - 1 - len(carried)
        if collected and (is_masked or not count):
            raise AlloAirError(
                f"{self._subject} concatenates values of iterations whose number depends on data; carry a tensor of the largest"
                " size instead"
            )
        nodes, scans = list[Any](), [list[str]() for _ in range(collected)]
        for number in range(count):
            results = self._iteration(number, active or self._tensor("true", np.array(True)), carried, nodes)
            now = [o.name for o in body.output]
            after, *values = (results[n] for n in now)
            if not active:
                active = after if is_masked else ""
            else:
                for position, (old, new) in enumerate(zip(carried, values, strict=True)):
                    values[position] = f"{self._prefix}/{number}/carried{position}"
                    nodes.append(make("Where", [active, new, old], [values[position]]))
                nodes.append(make("And", [active, after], [f"{self._prefix}/{number}/active"]))
                active = f"{self._prefix}/{number}/active"
            for scan, value in zip(scans, values[len(carried) :], strict=True):
                scan.append(self._as_row(value, nodes))
            carried = values[: len(carried)]
        names = [*self._node.output, *[""] * (len(carried) + collected - len(self._node.output))]
        nodes += [make("Identity", [v], [o]) for v, o in zip(carried, names, strict=False) if o]
        nodes += [make("Concat", s, [o], axis=0) for s, o in zip(scans, names[len(carried) :], strict=True) if o]
        return nodes

    def _count(self) -> int:
        trips = self._constants.get(self._node.input[0])
        if trips is None:
            raise AlloAirError(
                f"{self._subject} has a number of iterations that depends on data, and a program's are fixed; give a constant"
            )
        count = int(self._onnx.numpy_helper.to_array(trips).item())
        if count > _MOST:
            raise AlloAirError(f"{self._subject} has {counted(count, 'iteration')}; at most {_MOST} are unrolled")
        return max(count, 0)

    def _holds(self, name: str) -> bool:
        """Whether the condition `name` is absent or known to be true."""
        tensor = self._constants.get(name)
        return not name or (tensor is not None and bool(self._onnx.numpy_helper.to_array(tensor).item()))

    def _stays(self) -> bool:
        """Whether the body passes its condition on, or returns a true constant."""
        body, name = self._body, self._body.output[0].name
        makers = {o: n for n in body.node for o in n.output}
        while name in makers and makers[name].op_type == "Identity":
            name = makers[name].input[0]
        own = {t.name: t for t in body.initializer}
        own |= {n.output[0]: a.t for n in body.node if n.op_type == "Constant" for a in n.attribute if a.name == "value"}
        tensor = own.get(name)
        is_true = tensor is not None and bool(self._onnx.numpy_helper.to_array(tensor).item())
        return name == body.input[1].name or is_true or (name in self._constants and self._holds(name))

    def _iteration(self, number: int, condition: str, carried: list[str], nodes: list[Any]) -> dict[str, str]:
        """Adds a copy of the body to `nodes`; returns the new name of each of its values."""
        body, prefix = self._body, f"{self._prefix}/{number}/"
        own = {o for n in body.node for o in n.output if o} | {t.name for t in body.initializer}
        step = self._tensor(f"{number}/step", np.array(number, np.int64))
        names = dict(zip([i.name for i in body.input], [step, condition, *carried], strict=True))
        names |= {n: prefix + n for n in own}
        used = {n for node in body.node for n in _names(node)} | {o.name for o in body.output}
        names = {n: n for n in used} | names
        for tensor in body.initializer:
            self.tensors.append(
                self._onnx.numpy_helper.from_array(self._onnx.numpy_helper.to_array(tensor), prefix + tensor.name)
            )
        nodes += renamed(self._onnx, body.node, names, {}, prefix)
        return names

    def _as_row(self, value: str, nodes: list[Any]) -> str:
        """`value` with a first dimension of size 1."""
        name, make = f"{value}/row", self._onnx.helper.make_node
        if self._opset < _AXES_AS_INPUT:
            nodes.append(make("Unsqueeze", [value], [name], axes=[0]))
        else:
            nodes.append(make("Unsqueeze", [value, self._tensor("axes", np.array([0]))], [name]))
        return name

    def _tensor(self, called: str, array: np.ndarray) -> str:
        name = f"{self._prefix}/{called}"
        if all(t.name != name for t in self.tensors):
            self.tensors.append(self._onnx.numpy_helper.from_array(array, name))
        return name


def _names(node: NodeProto) -> set[str]:
    """The values that a node uses, also in its branches, except those of the branches."""
    result = {n for n in node.input if n}
    for attribute in node.attribute:
        graph = attribute.g
        own = {o for n in graph.node for o in n.output} | {t.name for t in (*graph.initializer, *graph.input)}
        inner = {n for each in graph.node for n in _names(each)} | {o.name for o in graph.output}
        result |= inner - own
    return result
