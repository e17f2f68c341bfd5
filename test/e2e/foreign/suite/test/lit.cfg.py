# ruff: noqa: F821
"""A configuration in the form of the peers': it takes from the site's settings what a build writes there."""

import os
import re
import subprocess
import sys

import lit.formats
from lit.llvm import llvm_config

config.name = "suite"
config.test_format = lit.formats.ShTest(not llvm_config.use_lit_shell)
config.suffixes = [".mlir", ".py", ".lit"]
config.excludes = ["lit.cfg.py", "one_more.mlir"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.air_obj_root, "test")
config.environment["PYTHONPATH"] = os.path.join(config.air_obj_root, "python")
config.substitutions.append(("%PYTHON", config.python_executable))
config.substitutions.append(("%pytest", f"{sys.executable} -m pytest"))
if config.hsa_found:
    config.available_features.add("hsa")
if config.vitis_root:
    config.available_features.add("chess")
on_npu = {"1": "true", "2": "true"}
if config.xrt_lib_dir:
    flags = f"-I{config.xrt_include_dir} -L{config.xrt_lib_dir} -luuid -lxrt_coreutil"
    config.substitutions.append(("%xrt_flags", flags))
    said = subprocess.run([os.path.join(config.xrt_bin_dir, "xrt-smi"), "examine"], stdout=subprocess.PIPE, text=True)
    for model in re.findall(r"\|NPU (\w+)", said.stdout):
        config.available_features.add("ryzen_ai")
        on_npu["1" if model == "Phoenix" else "2"] = "env"
for number, command in on_npu.items():
    config.substitutions.append((f"%run_on_npu{number}%", command))
if os.path.isdir(config.peano_install_dir):
    config.available_features.add("peano")
library = os.path.join(config.aie_install_dir, "runtime_lib", config.aieHostTarget.split("-")[0], "test_lib")
config.substitutions.append(("%test_utils_flags", f"-I{library}/include -L{library}/lib -ltest_utils"))
llvm_config.with_system_environment(["HOME", "XILINX_XRT"])
llvm_config.use_default_substitutions()
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.with_environment("PATH", config.peano_tools_dir, append_path=True)
llvm_config.add_tool_substitutions(["air-opt", "aircc.py", "aiecc.py"], [config.air_tools_dir, config.aie_tools_dir])
