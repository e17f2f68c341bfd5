"""Helper for rules that replace a node of an ONNX model by other nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air.errors import AlloAirError

if TYPE_CHECKING:
    from types import ModuleType

DOMAIN = "com.microsoft"


class Call:
    """A node that a rule replaces: its inputs and attributes, and the nodes that the rule has added."""

    def __init__(
        self,
        onnx: ModuleType,
        node: Any,
        shapes: Mapping[str, tuple[int, ...]],
        tensors: Mapping[str, np.ndarray],
        where: str,
        opset: int,
    ):
        self._onnx, self.node, self.nodes, self.tensors = onnx, node, list[Any](), list[Any]()
        self._shapes, self._given, self._where, self._count, self.opset = shapes, tensors, where, 0, opset
        self.attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}

    def input(self, number: int) -> str:
        """The name of an input; "" if it is absent."""
        return self.node.input[number] if number < len(self.node.input) else ""

    def shape(self, number: int) -> tuple[int, ...]:
        """The shape of an input."""
        name = self.input(number)
        if name not in self._shapes:
            raise self.error(f"the sizes of input {number} ('{name}') are not known")
        return self._shapes[name]

    def result_shape(self, number: int) -> tuple[int, ...]:
        """The shape of a result according to the model; () if unknown."""
        return self._shapes.get(self.node.output[number], ()) if number < len(self.node.output) else ()

    def constant(self, number: int) -> Any:
        """The array of an input that must be a weight of the model; None if the input is absent."""
        name = self.input(number)
        if not name:
            return None
        if name not in self._given:
            raise self.error(f"input {number} ('{name}') is computed; it has to be a weight of the model")
        return self._onnx.numpy_helper.to_array(self._given[name])

    def error(self, why: str) -> AlloAirError:
        """The error that the node is unsupported because of `why`."""
        node = self.node
        return AlloAirError(f"{self._where}: operation {node.op_type} (node {node.name or node.output[0]}) of {DOMAIN}: {why}")

    def only(self, **allowed: object) -> None:
        """Raises an error for attributes with other values than these."""
        for name, value in allowed.items():
            if (attribute := self.attributes.get(name, value)) != value:
                raise self.error(f"{name}={attribute} is not supported, only {value}")

    def __call__(self, kind: str, *inputs: object, results: int = 1, **attributes: object) -> Any:
        """Adds a node of operator `kind` on names and arrays. Returns the name of its result, or a list of several names."""
        names = [n if isinstance(n, str) else self.weight(n) for n in inputs]
        outputs = [self._name() for _ in range(results)]
        node = self._onnx.helper.make_node(
            kind, names, outputs, f"{self.node.name or self.node.output[0]}/{kind}", **attributes
        )
        self.nodes.append(node)
        return outputs[0] if results == 1 else outputs

    def weight(self, array: Any) -> str:
        """Adds an array to the model and returns its name."""
        name = self._name()
        self.tensors.append(self._onnx.numpy_helper.from_array(np.ascontiguousarray(array).reshape(np.shape(array)), name))
        return name

    def number(self, value: float) -> str:
        """A number in the element type of the first input."""
        return str(self("CastLike", np.asarray(value, np.float32), self.input(0)))

    def returns(self, number: int, name: str) -> None:
        """Makes `name` result `number` of the replaced node."""
        if number < len(self.node.output) and self.node.output[number]:
            self.nodes.append(self._onnx.helper.make_node("Identity", [name], [self.node.output[number]]))

    def _name(self) -> str:
        self._count += 1
        return f"{next(filter(None, self.node.output))}/{self._count}"
