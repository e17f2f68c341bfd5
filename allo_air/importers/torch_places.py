"""Where an operation of PyTorch comes from: the lines of the user's model, and the module that it is of."""

from __future__ import annotations

from typing import Any

from allo_air.importers.torch_weights import Weights
from allo_air.mlir import fx_importer, ir, torch

_ROOTS = ("L['self']", "owner")
"""How the paths of modules begin: dynamo's name of the model, and that in the module which calls one of its methods."""


class Places(fx_importer.ContextCache):  # type: ignore[misc]
    """The importer's locations, with the module's name around the lines."""

    def get_node_location(self, node: object) -> Any:
        """The location of an operation's node."""
        result, name = super().get_node_location(node), module_of(node)
        return ir.Location.name(name, result, self._c) if result is not None and name else result


def importer() -> Any:
    """torch-mlir's importer, which tells where operations come from and takes weights as they lie in memory."""
    context = ir.Context()
    torch.register_dialect(context)
    result = fx_importer.FxImporter(context=context, hooks=Weights())
    result._cc = Places(context, py_attr_tracker=result._py_attr_tracker)
    return result


def module_of(node: Any) -> str:
    """`layers.3.attn.q_proj` for an operation of torch.export's graph; empty for those of the model itself."""
    stack = [path for path, _ in (node.meta.get("nn_module_stack") or {}).values()]
    path = str(stack[-1]) if stack else ""
    for root in _ROOTS:
        path = path.removeprefix(root).lstrip(".")
    return path
