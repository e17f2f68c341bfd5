"""AIR-style compiler for AMD NPUs: MLIR dialects, passes and pipelines in Python, and programs that run without an NPU."""

from typing import TYPE_CHECKING, Any

from allo_air._version import __version__ as __version__
from allo_air.core import module_aliases as _module_aliases
from allo_air.core import quick_start as _quick_start

if TYPE_CHECKING:
    from allo_air.aie_api.kernel import CppKernel
    from allo_air.compat.allo.backend.hls import HLSModule, IPModule
    from allo_air.compat.allo.backend.llvm import LLVMModule
    from allo_air.errors import AlloAirError
    from allo_air.frontend.schedule.schedule import Partition, Schedule, customize
    from allo_air.frontend.schedule.verify import verify
    from allo_air.frontend.templates import template
    from allo_air.program.compile import compile, matmul
    from allo_air.program.jit import jit
    from allo_air.program.matmul import Matmul
    from allo_air.program.program import Program
    from allo_air.program.region import build_any as build
    from allo_air.program.saved import load
    from allo_air.program.simulate import simulate
    from allo_air.program.tuning.tune import tune

_EXPORTS = {
    "AlloAirError": "allo_air.errors",
    "CppKernel": "allo_air.aie_api.kernel",
    "HLSModule": "allo_air.compat.allo.backend.hls",
    "IPModule": "allo_air.compat.allo.backend.hls",
    "LLVMModule": "allo_air.compat.allo.backend.llvm",
    "Matmul": "allo_air.program.matmul",
    "Partition": "allo_air.frontend.schedule.schedule",
    "Program": "allo_air.program.program",
    "Schedule": "allo_air.frontend.schedule.schedule",
    "build": "allo_air.program.region",
    "compile": "allo_air.program.compile",
    "customize": "allo_air.frontend.schedule.schedule",
    "jit": "allo_air.program.jit",
    "load": "allo_air.program.saved",
    "matmul": "allo_air.program.compile",
    "simulate": "allo_air.program.simulate",
    "template": "allo_air.frontend.templates",
    "tune": "allo_air.program.tuning.tune",
    "verify": "allo_air.frontend.schedule.verify",
}
"""Where each exported name is defined; it is imported on first use."""

_DEFINED_AS = {"build": "build_any"}
"""The name of an export in its module, if it differs."""

_ALLO_MODULES = (
    "_mlir", "autoscheduler", "backend", "customize", "dsl", "ir", "memory", "primitives", "template", "utils", "verify",
)  # fmt: skip
"""Modules of `allo_air.compat.allo` that are imported by Allo's names, `allo_air.NAME`."""

_MODULES = frozenset({"dataflow", "frontend", "library", "onnx", "torch", *_ALLO_MODULES})
"""Modules that are imported on first use."""

# fmt: off
_OPERATIONS = frozenset({
    "abs", "add", "bmm", "concat", "conv2d", "copy", "cos", "div", "exp", "gelu", "grid", "layernorm", "linear", "log", "log10",
    "log2", "max", "maxpool", "meta_elif", "meta_else", "meta_for", "meta_if", "min", "mul", "ones", "power",
    "reduction", "relu", "rmsnorm", "silu", "sin", "softmax", "sqrt", "sub", "sum", "sumpool", "tan", "tanh", "transpose",
    "tril", "view", "zeros",
})
# fmt: on
"""The operations of kernels, which do the same on numpy arrays outside of them."""

__all__ = [
    "AlloAirError",
    "CppKernel",
    "HLSModule",
    "IPModule",
    "LLVMModule",
    "Matmul",
    "Partition",
    "Program",
    "Schedule",
    "build",
    "compile",
    "customize",
    "jit",
    "load",
    "matmul",
    "simulate",
    "template",
    "tune",
    "verify",
]

_quick_start.compile_late(f"{__name__}.")
_module_aliases.add(__name__, f"{__name__}.compat.allo", _ALLO_MODULES)


def __getattr__(name: str) -> Any:
    """Imports an exported name on first use."""
    import importlib

    if name in _EXPORTS:
        value = getattr(importlib.import_module(_EXPORTS[name]), _DEFINED_AS.get(name, name))
    elif name in _MODULES:
        value = importlib.import_module(f"{__name__}.{name}")
    elif name in _OPERATIONS:
        value = getattr(importlib.import_module("allo_air.frontend.dsl"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_EXPORTS, *_MODULES, *_OPERATIONS})
