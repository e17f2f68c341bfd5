"""`detect_target_device`: the NPU of programs that do not name one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

from allo_air.device import DEVICES

_NAMES = ((r"Strix|Krackan|NPU Strix|npu[45]|aie2p|RyzenAI-npu[456]", "npu2"), (r"Phoenix|Hawk|npu1|RyzenAI-npu1", "npu1"))


def detect_target_device(verbose: bool = False, default: str = "npu2") -> str:
    """`AIR_TARGET_DEVICE` if it is set, otherwise the device that `xrt-smi` finds, otherwise `default`."""
    if named := os.environ.get("AIR_TARGET_DEVICE"):
        return named
    if (tool := shutil.which("xrt-smi")) is None:
        return default
    try:
        done = subprocess.run([tool, "examine"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        if verbose:
            print(f"allo_air: {tool} told nothing: {error}", file=sys.stderr)
        return default
    result = next((device for pattern, device in _NAMES if re.search(pattern, done.stdout, re.IGNORECASE)), default)
    if verbose:
        print(f"allo_air: target device {result}", file=sys.stderr)
    return result


def is_npu(name: str) -> bool:
    """Whether `name` is an NPU or a column subset that programs can be compiled for."""
    return name in DEVICES and name.startswith("npu")
