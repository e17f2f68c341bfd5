"""Designs that are compiled when they are called, in the same modules as in mlir-aie."""

import sys

from allo_air.aie.iron import context, design
from allo_air.aie.iron.design import CallableDesign, CompilableDesign, CompileTime, In, InOut, Out, compileconfig, jit

__all__ = ["CallableDesign", "CompilableDesign", "CompileTime", "In", "InOut", "Out", "compileconfig", "jit"]

sys.modules.update({f"{__name__}.{name}": design for name in ("markers", "compilabledesign", "callabledesign", "decorator")})
sys.modules[f"{__name__}.context"] = context
