"""High-level synthesis, under the names that Allo's programs import."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence

from allo_air.frontend.ip import IPModule
from allo_air.frontend.lowered import function_in
from allo_air.program.hls import HlsModule, build_hls

__all__ = ["HLSModule", "IPModule", "is_available"]


def HLSModule(
    mod: object,
    top_func_name: str,
    platform: str = "vivado_hls",
    mode: str | None = None,
    project: str | None = None,
    ext_libs: Sequence[object] | None = None,
    configs: Mapping[str, object] | None = None,
    func_args: Mapping[str, object] | None = None,
    wrap_io: bool = True,
) -> HlsModule:
    """Function `top_func_name` of an MLIR module, or its text, as C++ for `platform`. The module declares the C++ functions
    that it calls.
    """
    del ext_libs, func_args, wrap_io
    text = str(mod)
    return build_hls(text, function_in(text, top_func_name), platform, mode, project, configs)


_TOOLS = {
    "vhls": "vivado_hls", "vivado_hls": "vivado_hls", "vitis_hls": "vitis_hls", "pynq": "vitis_hls", "tapa": "tapac",
    "catapult": "catapult", "xls": "xlscc", "ihls": "dpcpp",
}  # fmt: skip


def is_available(target: str = "vivado_hls") -> bool:
    """Whether the tool for a target is installed. Writing C++ and C simulation need no tool."""
    return shutil.which(_TOOLS.get(target, target)) is not None
