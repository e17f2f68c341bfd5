"""The options of `XRTBackend` and `XRTRunner`: those of mlir-air's driver, and the corresponding options of our pipeline."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from allo_air.air.arguments import check_keywords
from allo_air.arch import arch_of
from allo_air.device import DEVICES, known_as
from allo_air.errors import OptionError

STEERING = {
    "omit_while_true_loop": "omit_while_true_loop",
    "omit_pingpong": "omit_ping_pong",
    "omit_auto_broadcast": "omit_auto_broadcast",
    "air_loop_fusion": "air_loop_fusion",
    "channel_multiplexing": "channel_multiplexing",
    "lower_linalg_to_func": "lower_linalg_to_func",
    "runtime_loop_tiling_sizes": "runtime_loop_tiling_sizes",
    "stack_size": "stack_size",
    "use_lock_race_condition_fix_v2": "use_lock_race_condition_fix_v2",
    "coalesce_shim_dma": "coalesce_shim_dma",
    "placed_ir_verifiers": "placed_ir_verifiers",
    "shift_rounding": "shift_rounding",
}
"""Options of MLIR-AIR's driver, with the corresponding options of the pipeline."""
WITHOUT_MEANING = {
    "bf16_emulation": False, "derive_library_call": False, "kernel_id": "", "verify_placed_ir": "",
    "use_lock_race_condition_fix": False, "experimental_passes": False,
}  # fmt: skip
"""Options that have no effect, with their defaults."""
_MISSING = {
    "emit_txn_cpp": "asks for instruction words as a function in C++, which is not made here: pass the scalars as arguments"
    " where the program is called, or write the function with allo-translate --aie-npu-to-cpp",
    "xclbin_input": "names an xclbin that the kernel is added to; write a file for each kernel",
}
"""Options that are refused if they are set, with the reason."""
_NOTED = {
    "trace_size": "no trace of the hardware is written; allo-run --trace FILE writes the simulator's",
    "debug_ir": "the IR between passes is not written; allo-run --save DIR writes it",
}
"""Options whose output a user would expect, but which write nothing here."""
_OWN = ("target_device", "num_device_columns", "num_device_cols", "kernels", "instance_name", "kernel_name", "output_format")
KNOWN = (*_OWN, *STEERING, *WITHOUT_MEANING, *_MISSING, *_NOTED, "trace_offset")
"""The names of all options."""
_PING_PONG = (None, True, False, "", "L1", "L2", "all")
_FORMATS = ("xclbin", "elf", "txn", "pdi", "none")


def check(caller: str, options: Mapping[str, object], own: Sequence[str]) -> None:
    """Raises TypeError for a name that is neither an option nor in `own`, the other arguments of `caller`; OptionError for an
    unsupported option."""
    check_keywords(caller, options, [*KNOWN, *own])
    for name, reason in _MISSING.items():
        if options.get(name):
            raise OptionError(f"option {name}={options[name]!r} {reason}")
    if options.get("use_lock_race_condition_fix") and options.get("use_lock_race_condition_fix_v2"):
        raise OptionError("use_lock_race_condition_fix and use_lock_race_condition_fix_v2 exclude each other")
    if (ping_pong := options.get("omit_pingpong", "")) not in _PING_PONG:
        raise OptionError(f"omit_pingpong is {ping_pong!r}, expected True, False, 'L1', 'L2' or 'all'")
    if (form := options.get("output_format") or "xclbin") not in _FORMATS:
        raise OptionError(f"output_format is '{form}', expected one of {', '.join(_FORMATS)}")


def check_device(device: str, form: str) -> None:
    """Raises OptionError for an unknown device, or a format that the device cannot load."""
    if device not in DEVICES:
        raise OptionError(f"target_device is '{device}', expected one of {', '.join(DEVICES)}")
    if form == "elf" and not arch_of(DEVICES[device]).loads_elf:
        raise OptionError(f"output_format is 'elf', which {device} does not load: expected xclbin, or target_device npu2")


def device_of(named: object) -> str:
    """The device of `target_device`; without a name the default."""
    from allo_air.device import default_npu

    return known_as(str(named)) if named and named != "auto" else default_npu()


def steering(options: Mapping[str, Any]) -> dict[str, Any]:
    """The pipeline's options."""
    return {STEERING[n]: _as_option(n, v) for n, v in options.items() if n in STEERING and v}


def say_ignored(options: Mapping[str, object], verbose: bool) -> None:
    """Prints a note on standard error for each option that is set but has no effect; options that do not matter only if
    `verbose`."""
    for name, reason in _NOTED.items():
        if options.get(name):
            print(f"allo_air: note: {name}={options[name]!r}: {reason}", file=sys.stderr)
    ignored = sorted(n for n, v in options.items() if n in WITHOUT_MEANING and v and v != WITHOUT_MEANING[n])
    if verbose and ignored:
        print(f"allo_air: without meaning here: {', '.join(ignored)}", file=sys.stderr)


def _as_option(name: str, value: object) -> Any:
    """The pipeline's value; all memories if ping-pong is switched off without a list."""
    return "all" if name == "omit_pingpong" and value is True else tuple(value) if isinstance(value, list) else value
