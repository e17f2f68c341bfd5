"""`ScratchpadParameter`: a number that the host sets for each run of a compiled design."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from allo_air.aie.building.arrays import mlir_type
from allo_air.aie.building.errors import IronTypeError
from allo_air.aie.building.scope import require
from allo_air.aie.building.values import wrapped
from allo_air.dialects import aiex as _aiex


class ScratchpadParameter:
    """A parameter of the module: `read()` in cores, `offset_parameter=` of transfers.

    A call of the design gives its value, by its name: `design(x, y, offset=64)`.
    """

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
    """In the sequence: reads the parameters' values from the host."""
    require("sync_parameters", "sequence")
    _aiex.SyncScratchpadParametersFromHostOp()


def check_values(who: str, values: Mapping[str, object], compile_time: Sequence[str], text: str) -> None:
    """Raises an error if `values` has a scratchpad parameter that module `text` does not declare, or lacks one that it
    declares."""
    declared = re.findall(r"aiex\.scratchpad_parameter @(\w+)", text)
    for name in values:
        if name not in declared:
            arguments = [*(f"'{n}'" for n in compile_time), *(f"'{n}' (scratchpad)" for n in declared)]
            raise IronTypeError(f"{who} has no argument '{name}'; it has {', '.join(arguments) or 'tensors'}")
    if missing := [n for n in declared if n not in values]:
        name = missing[0]
        raise IronTypeError(f"{who}: scratchpad parameter '{name}' has no value; call {who}(..., {name}=...)")
