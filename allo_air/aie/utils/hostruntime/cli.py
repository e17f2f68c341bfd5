"""`run_design_cli`: what the command line of an IRON program asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from allo_air.aie.building.errors import IronMissing
from allo_air.aie.iron.current import set_current_device
from allo_air.aie.utils.hostruntime.argparse import device_from_args


def run_design_cli(
    design: Any,
    opts: Any,
    *,
    compile_kwargs: Mapping[str, Any] | None = None,
    run_and_verify: Callable[..., Any] | None = None,
    device: Any = None,
    emit_mlir: Callable[[], Any] | None = None,
    validate: Callable[[Any], Any] | None = None,
) -> Any:
    """Prints the module with --emit-mlir; else runs and verifies. Files for an NPU are refused."""
    if validate is not None:
        validate(opts)
    if (chosen := device or device_from_args(opts)) is not None:
        set_current_device(chosen)
    for path in ("xclbin_path", "insts_path", "elf_path", "full_elf_path", "pdi_path"):
        if getattr(opts, path, None):
            raise IronMissing(f"--{path.replace('_', '-')}: there is no compiler for NPUs here; the simulator needs none")
    parameters = dict(compile_kwargs or {})
    if getattr(opts, "emit_mlir", False):
        print(emit_mlir() if emit_mlir is not None else design.as_mlir(**parameters))
        return None
    if run_and_verify is None:
        return design.compile(**parameters)
    return run_and_verify()
