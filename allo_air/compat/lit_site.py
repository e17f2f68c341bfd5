"""Settings that a build of the peers writes into `lit.site.cfg.py`, for test suites that run without a build."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import tempfile
from pathlib import Path

_OF_A_SITE = re.compile(
    r"(air|aie|llvm|mlir|xrt|peano|vitis|hsa|rocm|opencl|libxaie|xchess|chess|host|target|enable|has|python|lit|test_lib|cmake"
    r"|clang|vck|extra|external|native|build|targets)(_\w+|[A-Z]\w*)?"
)
"""Patterns for the names of such settings. Settings without a known value are empty, as for components that were not built."""

_TOOLS = ("air_tools_dir", "aie_tools_dir", "llvm_tools_dir", "mlir_tools_dir", "lit_tools_dir")


def values(file: Path) -> dict[str, object]:
    """The settings for the suite of `file`, a lit.cfg.py."""
    root = Path(os.environ["ALLO_ENV_ROOT"])
    source = next((p for p in file.parents if (p / ".git").exists()), file.parents[1])
    triple = f"{platform.machine()}-unknown-linux-gnu"
    return {
        **dict.fromkeys(("air_src_root", "aie_src_root", "air_source_dir", "aie_source_dir"), str(source)),
        **dict.fromkeys(("air_obj_root", "aie_obj_root", "air_build_dir", "aie_build_dir"), str(_results(source))),
        **dict.fromkeys(("air_install_dir", "aie_install_dir", "air_install_root", "aie_install_root"), str(root)),
        **dict.fromkeys(
            ("air_tools_dir", "aie_tools_dir", "llvm_tools_dir", "mlir_tools_dir", "lit_tools_dir"), str(root / "bin")
        ),
        **dict.fromkeys(("host_triple", "target_triple", "aieHostTarget"), triple),
        "xrt_dir": os.environ.get("XILINX_XRT", ""),
        "xrt_include_dir": str(root / "xrt" / "include"),
        "xrt_lib_dir": str(root / "xrt" / "lib"),
        "xrt_bin_dir": str(root / "bin"),
        "peano_install_dir": os.environ.get("PEANO_INSTALL_DIR", ""),
        "peano_tools_dir": str(Path(os.environ.get("PEANO_INSTALL_DIR", "")) / "bin"),
        "python_executable": str(root / "python" / "python3"),
        "host_os": platform.system(),
        "llvm_shlib_ext": ".so",
        "llvm_exe_ext": "",
        "enable_python_tests": True,
        "enable_bindings_python": True,
        "enable_peano_tests": True,
        "has_xrt": True,
    }


def is_of_a_site(name: str) -> bool:
    """Whether a build writes a setting of this name."""
    return _OF_A_SITE.fullmatch(name) is not None


def _results(source: Path) -> Path:
    """The folder for test output, outside of the checkout."""
    digest = hashlib.sha256(str(source.resolve()).encode()).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"allo-lit-{os.getuid()}-{digest}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
