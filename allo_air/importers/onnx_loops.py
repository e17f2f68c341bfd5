"""Unrolls `Loop` and `Scan` of ONNX with a known number of iterations. torch-mlir lowers few loops, and takes each scan for one
along the first dimension, forwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.errors import AlloAirError, counted
from allo_air.importers.onnx_functions import renamed, without_constants
from allo_air.importers.onnx_shapes import constants, opset_of, sizes, types

if TYPE_CHECKING:
    from types import ModuleType

    from onnx import ModelProto, NodeProto

_MOST = 256
"""Largest number of iterations that are unrolled, as of recurrent layers."""
_AXES_AS_INPUT = 13
"""The opset from which on Unsqueeze has its axes as an input."""


def unrolled(onnx: ModuleType, model: ModelProto, name: str) -> Any:
    """`model` with a copy of its body for each iteration of a `Loop` or `Scan`.

    If the condition is computed, iterations after it became false keep the values. Raises an AlloAirError for a number of
    iterations that is unknown or too large, and for a computed condition with results that are concatenated.
    """
    if not any(_is_loop(n) for n in model.graph.node):
        return model
    model = without_constants(onnx, model)
    while any(_is_loop(n) for n in model.graph.node):
        tensors, kinds = constants(model), types(onnx, model)
        result = onnx.ModelProto()
        result.CopyFrom(model)
        del result.graph.node[:]
        for node in model.graph.node:
            if not _is_loop(node):
                result.graph.node.append(node)
                continue
            opset = opset_of(model, _AXES_AS_INPUT)
            is_scan = node.op_type == "Scan"
            loop = _Scan(onnx, node, kinds, opset, name) if is_scan else _Loop(onnx, node, tensors, opset, name)
            result.graph.node.extend(loop.nodes())
            result.graph.initializer.extend(loop.tensors)
        model = without_constants(onnx, result)
    return model


def _is_loop(node: NodeProto) -> bool:
    return node.op_type in ("Loop", "Scan") and not node.domain


class _Loop:
    """A loop and the nodes that replace it."""

    def __init__(self, onnx: ModuleType, node: NodeProto, constants: dict[str, Any], opset: int, model: str) -> None:
        self._onnx, self._node, self._constants, self._opset = onnx, node, constants, opset
        self._body = next(a.g for a in node.attribute if a.name == "body")
        self._subject = f"{model}: operation {node.op_type} (node {node.name or next(filter(None, node.output))})"
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
            step = self._tensor(f"{number}/step", np.array(number, np.int64))
            results = self._iteration(number, [step, active or self._tensor("true", np.array(True)), *carried], nodes)
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
        return self._checked(int(self._onnx.numpy_helper.to_array(trips).item()))

    def _checked(self, count: int) -> int:
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

    def _iteration(self, number: int, arguments: list[str], nodes: list[Any]) -> dict[str, str]:
        """Adds a copy of the body to `nodes`; returns the new name of each of its values."""
        body, prefix = self._body, f"{self._prefix}/{number}/"
        own = {o for n in body.node for o in n.output if o} | {t.name for t in body.initializer}
        names = dict(zip([i.name for i in body.input], arguments, strict=True))
        names |= {n: prefix + n for n in own}
        used = {n for node in body.node for n in _names(node)} | {o.name for o in body.output}
        names = {n: n for n in used} | names
        for tensor in body.initializer:
            self.tensors.append(
                self._onnx.numpy_helper.from_array(self._onnx.numpy_helper.to_array(tensor), prefix + tensor.name)
            )
        nodes += renamed(self._onnx, body.node, names, {}, prefix)
        return names

    def _as_row(self, value: str, nodes: list[Any], axis: int = 0) -> str:
        """`value` with a dimension of size 1 at `axis`."""
        name, make = f"{value}/row{axis}", self._onnx.helper.make_node
        if self._opset < _AXES_AS_INPUT:
            nodes.append(make("Unsqueeze", [value], [name], axes=[axis]))
        else:
            nodes.append(make("Unsqueeze", [value, self._tensor(f"axes{axis}", np.array([axis]))], [name]))
        return name

    def _tensor(self, called: str, array: np.ndarray) -> str:
        name = f"{self._prefix}/{called}"
        if all(t.name != name for t in self.tensors):
            self.tensors.append(self._onnx.numpy_helper.from_array(array, name))
        return name


class _Scan(_Loop):
    """A scan of opset 9 or newer. `kinds` are the types of values, by name."""

    def __init__(self, onnx: ModuleType, node: NodeProto, kinds: dict[str, Any], opset: int, model: str) -> None:
        super().__init__(onnx, node, {}, opset, model)
        self._kinds = kinds

    def nodes(self) -> list[Any]:
        make = self._onnx.helper.make_node
        options: dict[str, Any] = {a.name: list(a.ints) or a.i for a in self._node.attribute}
        scanned: int = options["num_scan_inputs"]
        carried, tables = list(self._node.input[:-scanned]), list(self._node.input[-scanned:])
        collected = len(self._body.output) - len(carried)
        if self._opset < _SCAN_WITHOUT_BATCH or not scanned:
            raise AlloAirError(
                f"{self._subject} is of opset {self._opset}; scans are supported from opset {_SCAN_WITHOUT_BATCH}"
            )
        axes, turned, result_axes, turned_results = (
            options.get(f"scan_{name}") or [0] * length
            for name, length in (
                ("input_axes", scanned),
                ("input_directions", scanned),
                ("output_axes", collected),
                ("output_directions", collected),
            )
        )
        shapes = [sizes(self._kinds.get(t)) for t in tables]
        if any(shape is None for shape in shapes):
            raise AlloAirError(f"{self._subject} has inputs of unknown sizes, and a program's are fixed; fix them")
        axes = [axis % len(shape) for axis, shape in zip(axes, shapes, strict=True) if shape]
        count = self._checked(next(shape[axis] for axis, shape in zip(axes, shapes, strict=True) if shape))
        if collected and not count:
            raise AlloAirError(f"{self._subject} has no iterations, whose results would be concatenated")
        nodes, scans = list[Any](), [list[str]() for _ in range(collected)]
        for number in range(count):
            parts = []
            for place, (table, axis, backwards) in enumerate(zip(tables, axes, turned, strict=True)):
                index = count - 1 - number if backwards else number
                parts.append(f"{self._prefix}/{number}/part{place}")
                nodes.append(make("Gather", [table, self._tensor(f"{index}/index", np.array(index))], parts[-1:], axis=axis))
            results = self._iteration(number, [*carried, *parts], nodes)
            values = [results[o.name] for o in self._body.output]
            for scan, value, axis in zip(scans, values[len(carried) :], result_axes, strict=True):
                scan.append(self._as_row(value, nodes, axis))
            carried = values[: len(carried)]
        names = [*self._node.output, *[""] * (len(carried) + collected - len(self._node.output))]
        nodes += [make("Identity", [v], [o]) for v, o in zip(carried, names, strict=False) if o]
        for scan, name, axis, backwards in zip(scans, names[len(carried) :], result_axes, turned_results, strict=True):
            if name:
                nodes.append(make("Concat", scan[::-1] if backwards else scan, [name], axis=axis))
        return nodes


_SCAN_WITHOUT_BATCH = 9
"""The opset from which on Scan has no batch of its own."""


def _names(node: NodeProto) -> set[str]:
    """The values that a node uses, also in its branches, except those of the branches."""
    result = {n for n in node.input if n}
    for attribute in node.attribute:
        graph = attribute.g
        own = {o for n in graph.node for o in n.output} | {t.name for t in (*graph.initializer, *graph.input)}
        inner = {n for each in graph.node for n in _names(each)} | {o.name for o in graph.output}
        result |= inner - own
    return result
