"""`ScratchpadParameter`: a number that the host gives for each run, without building anew."""

from __future__ import annotations

from typing import Any

from allo_air.aie.building.arrays import mlir_type
from allo_air.aie.building.scope import require
from allo_air.aie.building.values import wrapped
from allo_air.dialects import aiex as _aiex


class ScratchpadParameter:
    """A parameter of the module: `read()` in cores, `offset_parameter=` of transfers."""

    def __init__(self, name: str, dtype: Any):
        self.name, self.dtype = name, dtype

    def build(self) -> None:
        """Builds the parameter."""
        _aiex.ScratchpadParameterOp(sym_name=self.name, type=mlir_type(self.dtype, "ScratchpadParameter"))

    def read(self) -> Any:
        """Its value, in a core."""
        require("ScratchpadParameter.read", "core")
        kind = mlir_type(self.dtype, "ScratchpadParameter")
        return wrapped(_aiex.ReadScratchpadParameterOp(parameter=self.name, value=kind).operation.result)


def sync_parameters() -> None:
    """In the sequence: takes the parameters' values from the host."""
    require("sync_parameters", "sequence")
    _aiex.SyncScratchpadParametersFromHostOp()
