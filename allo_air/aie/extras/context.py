"""`mlir_mod_ctx`: a context manager for a module and its insertion point."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from allo_air.aie import ir as _aie_ir
from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.scope import users_lines
from allo_air.mlir import ir

__all__ = ["MLIRContext", "RAIIMLIRContextModule", "mlir_mod_ctx"]


@dataclass
class MLIRContext:
    """A context, and the module in it; prints as the module."""

    context: Any
    module: Any

    def __str__(self) -> str:
        return str(self.module)


@contextmanager
def mlir_mod_ctx(
    src: str | None = None, context: ir.Context | None = None, location: ir.Location | None = None, **keywords: object
) -> Iterator[MLIRContext]:
    """`with mlir_mod_ctx() as ctx:`: operations go into `ctx.module`, which may start as the module of `src`."""
    refuse(keywords, "mlir_mod_ctx", ignored=("allow_unregistered_dialects",))
    with context or _aie_ir.Context() as active_context, location or ir.Location.unknown():
        module = _aie_ir.Module.parse(src) if src is not None else _aie_ir.Module.create()
        with ir.InsertionPoint(module.body), users_lines():
            yield MLIRContext(active_context, module)


class RAIIMLIRContextModule:
    """Like `mlir_mod_ctx`, until the object is deleted."""

    def __init__(self, location: ir.Location | None = None, **keywords: object):
        refuse(keywords, "RAIIMLIRContextModule")
        self._open = mlir_mod_ctx(location=location)
        result = self._open.__enter__()
        self.context, self.module = result.context, result.module

    def __del__(self) -> None:
        self._open.__exit__(None, None, None)
