"""The dialects `air`, `airrt`, `aie`, `aiex`, `aievec`, `aievec_aie1`, `xllvm`, `transform.air`: declarations and rules."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from allo_air.dialects._op import Op
    from allo_air.errors import Diagnostic
    from allo_air.mlir import ir

NAMES = ("air", "airrt", "aie", "aiex", "aievec", "aievec_aie1", "xllvm", "transform.air")


def load(context: ir.Context, names: tuple[str, ...] = NAMES) -> None:
    """Registers the dialects `names` in `context`, together with dialects whose types or terminators they use."""
    for name in names:
        module = _module(name)
        getattr(module, name.upper().replace(".", "_")).load(context)


@cache
def declared(name: str) -> type[Op] | None:
    """The class of operation `name`, or None; its dialect's module is imported on demand."""
    dialect = "transform.air" if name.startswith("transform.air.") else name.split(".", 1)[0]
    if dialect not in NAMES:
        return None
    _module(dialect)
    from allo_air.dialects._op import OPS

    return OPS.get(name)


def operations_of(dialect: str) -> list[str]:
    """The operations of one of these dialects; empty for other dialects."""
    if dialect not in NAMES:
        return []
    _module(dialect)
    from allo_air.dialects._op import OPS

    return [name for name in OPS if name.startswith(f"{dialect}.")]


def _module(dialect: str) -> Any:
    """The module that declares `dialect`."""
    return import_module(f"allo_air.dialects.{dialect.replace('.', '_')}")


def check(op: ir.Operation, *, devices: bool = True) -> list[Diagnostic]:
    """The errors that the loaded dialects' rules find in `op` and the operations in it. MLIR's own verifier must have passed.

    Without `devices`, `aie.device` operations in `op` are skipped.
    """
    from allo_air.dialects._rules import check

    return check(op, devices=devices)


def outside_devices(module: ir.Operation) -> list[ir.Operation]:
    """The operations of `module`, and of nested modules, except `aie.device` operations."""
    from allo_air.dialects._rules import outside_devices

    return list(outside_devices(module))
