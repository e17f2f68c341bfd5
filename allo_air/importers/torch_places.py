"""Locations of imported operations: the line of the user's model, and the name of the module that contains the operation."""

from __future__ import annotations

from typing import Any

from allo_air.importers.torch_weights import Weights
from allo_air.mlir import fx_importer, ir, torch

_ROOTS = ("L['self']", "owner")
"""Prefixes of module paths: dynamo's name of the model, and the name in the wrapper module that calls one of its methods."""


class Places(fx_importer.ContextCache):  # type: ignore[misc]
    """Makes the importer's locations include the module's name, around the source lines."""

    def get_node_location(self, node: object) -> Any:
        """The location of the operation for an FX node."""
        result, name = super().get_node_location(node), module_of(node)
        return ir.Location.name(name, result, self._c) if result is not None and name else result


def importer() -> Any:
    """torch-mlir's importer with our locations and our conversion of weights."""
    context = ir.Context()
    torch.register_dialect(context)
    result = fx_importer.FxImporter(context=context, hooks=Weights())
    result._cc = Places(context, py_attr_tracker=result._py_attr_tracker)
    return result


def module_of(node: Any) -> str:
    """The module of an operation of torch.export's graph, such as `layers.3.attn.q_proj`; empty for operations of the model
    itself.
    """
    stack = [path for path, _ in (node.meta.get("nn_module_stack") or {}).values()]
    path = str(stack[-1]) if stack else ""
    for root in _ROOTS:
        path = path.removeprefix(root).lstrip(".")
    return path
