"""Passes a model's weights to MLIR as bytes. torch-mlir makes a list of Python numbers, which takes 0.1 s for a million."""

from __future__ import annotations

from typing import Any

from allo_air.core.elements import resource
from allo_air.importers.torch_arrays import array_of
from allo_air.mlir import fx, fx_importer, ir

_KINDS = ("float16", "bfloat16", "float32", "float64", "uint8", "int8", "int16", "int32", "int64")
"""Types whose elements are passed as bytes; torch-mlir's importer converts others."""


class Weights(fx.FxImporterHooks):  # type: ignore[misc]
    """Makes torch-mlir's importer use the bytes of weights."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[Any, Any]] = {}

    def resolve_literal(self, gni: Any, literal: Any, info: object) -> Any:
        """A tensor of more than one element as a constant; None lets the importer convert it."""
        import torch

        kind = str(getattr(literal, "dtype", "")).removeprefix("torch.")
        if type(literal) not in (torch.Tensor, torch.nn.Parameter) or kind not in _KINDS or literal.numel() < 2:
            return None
        if id(literal) not in self._made:
            name = f"torch_tensor_{'_'.join(map(str, literal.shape))}_{literal.dtype}"
            mlir_tensor_type = fx_importer.create_mlir_tensor_type(literal)
            bits = array_of(literal)
            attribute = resource(bits.view(f"i{bits.itemsize}"), name, mlir_tensor_type)
            self._made[id(literal)] = literal, attribute
        _, attribute = self._made[id(literal)]
        result = gni.fx_importer._cc.tensor_to_vtensor_type(literal)
        return ir.Operation.create("torch.vtensor.literal", results=[result], attributes={"value": attribute}).result
