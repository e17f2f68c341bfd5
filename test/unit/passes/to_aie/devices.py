"""Devices that air-to-aie makes, and what they compute."""

from typing import Any

from allo_air import asm
from allo_air.core.walking import walk_named
from allo_air.passes.to_aie.air_to_aie import AirToAie
from allo_air.program.run.executors import execute
from helpers import apply

NPU1 = AirToAie(
    device="npu1", row_offset=2, col_offset=0, emit_while_loop=True, use_lock_race_condition_fix=True, logical_tiles=False
)
AS_MLIR_AIR = AirToAie(device="npu1", row_offset=2, col_offset=0, emit_while_loop=True, logical_tiles=False)
"""With the locks that mlir-air gives by default."""


def lowered(text: str) -> Any:
    """A module after air-to-aie."""
    return apply(asm.read(text), NPU1)


def executed(module: Any, arrays: list[Any], seed: int) -> Any:
    """The last argument of the host's function as the simulator leaves it; to read what nothing has written is an error."""
    [function] = [f for f in walk_named(module, "func.func") if walk_named(f, "air.launch")]
    return execute(module, arrays, function.attributes["sym_name"].value, seed, {})[-1]
