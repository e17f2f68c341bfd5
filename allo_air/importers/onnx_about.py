"""Properties of an ONNX model that rewrites of its nodes use."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from allo_air.importers.onnx_shapes import constants, opset_of, sizes, types

if TYPE_CHECKING:
    from types import ModuleType

    from onnx import ModelProto, NodeProto

NEWEST = 21
"""The opset to which a model is converted if its own opset has an operator without a lowering."""


class ModelInfo:
    """Properties of a model that the rules use."""

    def __init__(self, onnx: ModuleType, model: ModelProto) -> None:
        self.helper = onnx.helper
        self.opset = opset_of(model, NEWEST)
        self._onnx, self._model = onnx, model

    @cached_property
    def _types(self) -> dict[str, Any]:
        return types(self._onnx, self._model)

    @cached_property
    def kinds(self) -> dict[str, int]:
        """The element type of each value, if known."""
        return {name: kind.tensor_type.elem_type for name, kind in self._types.items()}

    def sizes(self, name: str) -> tuple[int, ...] | None:
        """The shape of a value; None if one of its sizes is unknown."""
        return sizes(self._types.get(name))

    def constant(self, name: str) -> Any:
        """The array of a constant; None for other values."""
        tensor = constants(self._model).get(name)
        return None if tensor is None else self._onnx.numpy_helper.to_array(tensor).tolist()


def attributes_of(node: NodeProto) -> dict[str, Any]:
    """The numbers and texts of a node's attributes, by name."""
    return {a.name: a.s.decode() or list(a.ints) or a.i for a in node.attribute}
