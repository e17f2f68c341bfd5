"""Compiles the cores of an `aie.device` to native code (`compile_cores`)."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from allo_air.sim.cores.compile import AttachedCores, CompiledCores, Core, compile_cores
    from allo_air.sim.cores.kernel import Kernel
    from allo_air.sim.cores.layout import Layout
    from allo_air.sim.cores.sites import Site

_EXPORTS = {"Kernel": "kernel", "Layout": "layout", "Site": "sites"}

__all__ = ["AttachedCores", "CompiledCores", "Core", "Kernel", "Layout", "Site", "compile_cores"]


def __getattr__(name: str) -> Any:
    """Imports an exported name at its first use, since an estimate needs no compiler."""
    import importlib

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    result = getattr(importlib.import_module(f"{__name__}.{_EXPORTS.get(name, 'compile')}"), name)
    globals()[name] = result
    return result
