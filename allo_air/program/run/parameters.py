"""Lowers the scratchpad parameters of a design before it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp


def lower_parameters(module: AnyOp) -> None:
    """Runs aie-lower-scratchpad-parameters if `module` has any; in the active context."""
    from allo_air import asm
    from allo_air.core import driver, pipeline
    from allo_air.core.registry import Registry
    from allo_air.core.settings import Settings
    from allo_air.core.walking import walk_named

    if walk_named(module, "aiex.scratchpad_parameter"):
        lowered = pipeline.parse("aie-lower-scratchpad-parameters", Registry())
        driver.run(lowered, module, Settings(verify=asm.verify, write=asm.write))
