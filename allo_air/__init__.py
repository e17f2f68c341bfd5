"""AIR-style compiler for AMD NPUs: MLIR dialects, passes and pipelines in Python, and programs that run without an NPU."""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from allo_air.errors import AlloAirError
    from allo_air.program.compile import compile, matmul
    from allo_air.program.matmul import Matmul
    from allo_air.program.program import Program, load
    from allo_air.program.simulate import simulate

_EXPORTS = {
    "AlloAirError": "allo_air.errors",
    "Matmul": "allo_air.program.matmul",
    "Program": "allo_air.program.program",
    "compile": "allo_air.program.compile",
    "load": "allo_air.program.program",
    "matmul": "allo_air.program.compile",
    "simulate": "allo_air.program.simulate",
}
"""Where each exported name is defined; it is imported when it is first asked for."""

__all__ = ["AlloAirError", "Matmul", "Program", "compile", "load", "matmul", "simulate"]


def __getattr__(name: str) -> Any:
    """Imports an exported name when it is first asked for."""
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    found = getattr(importlib.import_module(_EXPORTS[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_EXPORTS})
