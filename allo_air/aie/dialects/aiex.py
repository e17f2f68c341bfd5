"""Functions of the runtime sequence under MLIR-AIE's names: transfers, waits, tasks, registers, packets."""

from __future__ import annotations

from typing import Any

from allo_air.aie.building.arrays import v8bfp16ebs8, v16bfp16ebs16  # noqa: F401
from allo_air.aie.dialects import _aiex_npu, _aiex_tasks
from allo_air.aie.extras import types as T
from allo_air.air.dialects._operations import operations

__all__ = ["T"]


def _gathered() -> None:
    names: dict[str, Any] = operations("aiex")
    for module in (_aiex_npu, _aiex_tasks):
        own = {n: v for n, v in vars(module).items() if getattr(v, "__module__", "") == module.__name__ and n[0] != "_"}
        names |= own
    for name, value in names.items():
        globals().setdefault(name, value)
    __all__.extend([*names, "v8bfp16ebs8", "v16bfp16ebs16"])


def __getattr__(name: str) -> Any:
    """Functions of `aie.dialects.aie` that sequences use; mlir-aie's module exports them, too."""
    from allo_air.aie.dialects import aie

    if name in aie.__all__:
        return getattr(aie, name)
    raise AttributeError(f"module 'aie.dialects.aiex' has no attribute '{name}'")


_gathered()
