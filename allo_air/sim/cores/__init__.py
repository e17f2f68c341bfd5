"""Cores of an `aie.device` as native code: `compile_cores` and what it returns."""

from allo_air.sim.cores.compile import AttachedCores, CompiledCores, Core, Site, compile_cores
from allo_air.sim.cores.kernel import Kernel
from allo_air.sim.cores.layout import Layout

__all__ = ["AttachedCores", "CompiledCores", "Core", "Kernel", "Layout", "Site", "compile_cores"]
