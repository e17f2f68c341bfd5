"""`run_design_cli`: the command line of an IRON program."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.errors import IronValueError
from allo_air.aie.iron.current import set_current_device
from allo_air.aie.utils.hostruntime.argparse import device_from_args

if TYPE_CHECKING:
    from argparse import Namespace

    from allo_air.aie.iron.design import CallableDesign

_PATHS = ("xclbin", "insts", "elf", "full_elf", "pdi")


def run_design_cli(
    design: CallableDesign,
    opts: Namespace,
    *,
    compile_kwargs: Mapping[str, Any] | Callable[..., Any] | None = None,
    run_and_verify: Callable[..., object] | None = None,
    device: Any = None,
    emit_mlir: Callable[..., object] | None = None,
    validate: Callable[..., object] | None = None,
    **keywords: object,
) -> Any:
    """Prints the module with --emit-mlir, or writes the files that have a path; otherwise runs the design and verifies the
    results."""
    refuse(keywords, "run_design_cli")
    if validate is not None:
        _called(validate, opts)
    chosen = _called(device, opts) if callable(device) and not isinstance(device, type) else device
    if (result := chosen or device_from_args(opts)) is not None:
        set_current_device(result)
    parameters = dict(_called(compile_kwargs, opts) if callable(compile_kwargs) else compile_kwargs or {})
    if getattr(opts, "emit_mlir", False):
        print(_called(emit_mlir, opts) if callable(emit_mlir) else design.as_mlir(**parameters))
        return None
    paths = {f"{n}_path": getattr(opts, f"{n}_path", None) for n in _PATHS}
    if any(paths.values()):
        if paths["xclbin_path"] and not paths["insts_path"]:
            raise IronValueError("--xclbin-path goes with --insts-path, the instructions; give both")
        return design.compile(**parameters, **paths)
    if run_and_verify is None:
        return design.compile(**parameters)
    return _called(run_and_verify, opts)


def _called(function: Callable[..., object], opts: object) -> Any:
    """Calls a program's function, with the options if it has a parameter."""
    needed = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty and p.kind in (0, 1)]
    return function(opts) if needed else function()
