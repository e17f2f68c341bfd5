"""Our replacements of XRT's and mlir-aie's host libraries: headers by name, empty libraries, and packages for CMake."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

_HEADERS = (
    "xrt.h", "xrt/xrt.h", "xrt/xrt_aie.h", "xrt/xrt_bo.h", "xrt/xrt_device.h", "xrt/xrt_graph.h", "xrt/xrt_hw_context.h",
    "xrt/xrt_kernel.h", "xrt/xrt_uuid.h", "xrt/detail/ert.h", "xrt/detail/xrt_mem.h", "xrt/experimental/xrt_aie.h",
    "xrt/experimental/xrt_elf.h", "xrt/experimental/xrt_ext.h", "xrt/experimental/xrt_kernel.h",
    "xrt/experimental/xrt_message.h", "xrt/experimental/xrt_module.h", "xrt/experimental/xrt_queue.h",
    "xrt/experimental/xrt_xclbin.h", "experimental/xrt_elf.h", "experimental/xrt_ext.h", "experimental/xrt_kernel.h",
    "experimental/xrt_module.h", "experimental/xrt_xclbin.h",
)  # fmt: skip
_OWN = ("xrt_on_simulator.hpp", "xrt_buffer_on_simulator.hpp", "xrt_simulator_process.hpp")
_LIBRARIES = ("xrt_coreutil", "xrt_core", "xrt++")
_OF_THE_SYSTEM = {
    "uuid": "/usr/include/uuid/uuid.h",
    "boost_program_options": "/usr/include/boost/program_options.hpp",
    "boost_filesystem": "/usr/include/boost/filesystem.hpp",
    "boost_system": "/usr/include/boost/system/error_code.hpp",
}
"""Libraries that host programs link together with XRT's but do not use here, each with a file that shows whether it is
installed.
"""
TEST_LIBRARY = "runtime_lib/x86_64/test_lib"
"""The folder of the host library in mlir-aie's installation."""
_NO_LIBRARY = "!<arch>\n"


def texts() -> dict[str, str]:
    """For each file of XRT: its path in the installation, and its text."""
    results = {f"include/{name}": _text(name) for name in _OWN}
    for name in _HEADERS:
        results[f"include/{name}"] = "#include <xrt_on_simulator.hpp>\n"
    results["include/boost/program_options.hpp"] = _text("boost_program_options.hpp")
    for name in (*_LIBRARIES, *(n for n, header in _OF_THE_SYSTEM.items() if not Path(header).exists())):
        results[f"lib/lib{name}.a"] = _NO_LIBRARY
    for package in ("XRT", *(["Boost"] if not Path(_OF_THE_SYSTEM["boost_program_options"]).exists() else [])):
        results[f"lib/cmake/{package}/{package}Config.cmake"] = _text(f"{package}Config.cmake")
    return results


def test_library() -> dict[str, str]:
    """For each file of mlir-aie's host library, which has headers only: its path and its text."""
    results = {f"include/{name}": _text(name) for name in ("test_utils.h", "cxxopts.hpp", "cxxopts_value.hpp")}
    results["include/stdfloat"] = _text("stdfloat.hpp")
    return results | {f"lib/lib{name}.a": _NO_LIBRARY for name in ("test_utils", "test_lib")}


def _text(name: str) -> str:
    return files("allo_air.compat.xrt").joinpath(name).read_text(encoding="utf-8")
