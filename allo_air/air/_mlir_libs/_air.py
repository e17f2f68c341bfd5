"""The contents of MLIR-AIR's compiled module: transform scripts, the dialect's types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.air.compiler.util import run_transform

if TYPE_CHECKING:
    from allo_air.mlir import ir

__all__ = ["AsyncTokenType", "register_dialect", "run_transform"]

_TOKEN = "!air.async.token"


def register_dialect(context: ir.Context, load: bool = True) -> None:
    """Registers the dialect in `context`."""
    from allo_air.dialects import load as load_dialects

    load_dialects(context, ("air",))


class _OfTokens(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return str(instance) == _TOKEN and not isinstance(instance, str)


class AsyncTokenType(metaclass=_OfTokens):
    """The type `!air.async.token`, from `AsyncTokenType.get()` or `AsyncTokenType()`; `isinstance(type, AsyncTokenType)` is
    true for it."""

    def __new__(cls, context: ir.Context | None = None) -> Any:
        return cls.get(context)

    @staticmethod
    def get(context: ir.Context | None = None) -> Any:
        """The type in `context`, or in the current one."""
        from allo_air.mlir import ir

        return ir.Type.parse(_TOKEN, context)

    @staticmethod
    def isinstance(other: ir.Type) -> bool:
        """Whether `other` is this type."""
        return str(other) == _TOKEN
