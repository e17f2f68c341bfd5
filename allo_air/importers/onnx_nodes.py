"""Builds the ONNX nodes that replace one node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from numpy.typing import ArrayLike
    from onnx import NodeProto


class Nodes(list[Any]):
    """The nodes that replace one node; their values are named after its result."""

    def __init__(self, helper: ModuleType, node: NodeProto) -> None:
        super().__init__()
        self._helper, self._node = helper, node

    def constant(self, values: ArrayLike, called: str) -> str:
        """The name of a constant."""
        array, name = np.asarray(values), f"{self._node.output[0]}/{called}"
        kind = self._helper.np_dtype_to_tensor_dtype(array.dtype)
        data = self._helper.make_tensor(name, kind, array.shape, array.ravel())
        self.append(self._helper.make_node("Constant", [], [name], value=data))
        return name

    def kind_of(self, element: np.dtype) -> int:
        """ONNX's number of numpy's type `element`."""
        return self._helper.np_dtype_to_tensor_dtype(element)

    def add(self, op: str, inputs: Sequence[str], called: str = "", **options: object) -> str:
        """The name of the result of a new node; without `called`, it is that of the node that is replaced."""
        name = f"{self._node.output[0]}/{called}" if called else self._node.output[0]
        self.append(self._helper.make_node(op, inputs, [name], self._node.name, **options))
        return name

    def reshaped(self, value: str, sizes: Sequence[int], called: str = "") -> str:
        """The name of `value` with other sizes."""
        return self.add("Reshape", [value, self.constant(np.asarray(sizes, np.int64), f"{called}/sizes")], called)
