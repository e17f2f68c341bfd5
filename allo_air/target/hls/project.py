"""The files of a project for the tools: the kernel, its header, a host program, scripts."""

from __future__ import annotations

import json
from pathlib import Path

from allo_air.target.hls.flavors import Flavor
from allo_air.target.hls.function import declaration
from allo_air.target.hls.signatures import Parameter, Signature

_TCL = """# {tool} -f run.tcl
open_project -reset out.prj
set_top {top}
add_files kernel.cpp
open_solution "solution1"
set_part {{{part}}}
create_clock -period {period} -name default
csynth_design
exit
"""
_MAKEFILE = """# make TARGET=hw_emu|sw_emu|hw PLATFORM=... builds the kernel and the host program; `make run` runs them
TARGET ?= {mode}
PLATFORM ?= {platform}
XILINX_XRT ?= /opt/xilinx/xrt

all: build/{top}.xclbin host

build/{top}.xclbin: kernel.cpp
\tmkdir -p build
\tv++ -c -t $(TARGET) --platform $(PLATFORM) -k {top} -o build/{top}.xo kernel.cpp
\tv++ -l -t $(TARGET) --platform $(PLATFORM) --kernel_frequency {frequency} -o $@ build/{top}.xo

host: host.cpp
\tg++ -std=c++17 -O2 -I$(XILINX_XRT)/include -o $@ host.cpp -L$(XILINX_XRT)/lib -lxrt_coreutil -pthread

run: all
ifeq ($(TARGET),hw)
\t./host build/{top}.xclbin
else
\temconfigutil --platform $(PLATFORM)
\tXCL_EMULATION_MODE=$(TARGET) ./host build/{top}.xclbin
endif

clean:
\trm -rf build host
"""
_HOST = """// Runs kernel {top} by XRT on input0.data, input1.data, ..., which it writes back.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>
#include <xrt/xrt_bo.h>
#include <xrt/xrt_device.h>
#include <xrt/xrt_kernel.h>

int main(int argc, char **argv) {{
  if (argc != 2) {{
    std::cerr << "usage: host XCLBIN" << std::endl;
    return 1;
  }}
  xrt::device device(0);
  auto uuid = device.load_xclbin(argv[1]);
  xrt::kernel kernel(device, uuid, "{top}");
  const std::vector<size_t> sizes = {{{sizes}}};
  std::vector<xrt::bo> buffers;
  xrt::run run(kernel);
  for (size_t i = 0; i < sizes.size(); i++) {{
    buffers.emplace_back(device, sizes[i], kernel.group_id(i));
    std::ifstream file("input" + std::to_string(i) + ".data", std::ios::binary);
    if (file)
      file.read(buffers[i].map<char *>(), sizes[i]);
    buffers[i].sync(XCL_BO_SYNC_BO_TO_DEVICE);
    run.set_arg(i, buffers[i]);
  }}
  run.start();
  run.wait();
  for (size_t i = 0; i < sizes.size(); i++) {{
    buffers[i].sync(XCL_BO_SYNC_BO_FROM_DEVICE);
    std::ofstream("output" + std::to_string(i) + ".data", std::ios::binary).write(buffers[i].map<char *>(), sizes[i]);
  }}
  return 0;
}}
"""
_DEVICE = {"part": "xcu280-fsvh2892-2L-e", "platform": "xilinx_u280_gen3x16_xdma_1_202211_1", "frequency": 300}
"""The U280, unless `configs` names another part, platform or frequency in MHz."""


def files(code: str, found: Signature, flavor: Flavor, mode: str, configs: dict[str, object]) -> dict[str, str]:
    """The texts by their names."""
    device = {**_DEVICE, **configs}
    fields = {**device, "top": found.name, "mode": mode if mode in ("sw_emu", "hw_emu", "hw") else "hw_emu"}
    fields["tool"] = flavor.name if flavor.name in ("vitis_hls", "vivado_hls") else "vitis_hls"
    fields["period"] = round(1000 / float(str(device["frequency"])), 2)
    sizes = ", ".join(str(_bytes(p)) for p in found.parameters)
    made = {"kernel.cpp": code, "kernel.h": _header(found, flavor), "description.json": _description(found, flavor)}
    if flavor.name in ("vitis_hls", "vivado_hls", "pynq"):
        made["run.tcl"] = _TCL.format(**fields)
        made["host.cpp"] = _HOST.format(top=found.name, sizes=sizes)
        made["Makefile"] = _MAKEFILE.format(**fields)
    return made


def write(folder: Path, texts: dict[str, str]) -> None:
    """Writes the files of a project."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text)


def _bytes(parameter: Parameter) -> int:
    size = 1 << (max(-(-parameter.kind.bits // 8), 1) - 1).bit_length()
    for extent in parameter.shape or ():
        size *= max(extent, 1)
    return size


def _header(found: Signature, flavor: Flavor) -> str:
    parameters = ",\n  ".join(
        declaration(("*" if p.shape is None and p.is_out else "") + p.name, p.kind, p.shape or (), flavor)
        for p in found.parameters
    )
    lines = ["#ifndef KERNEL_H", "#define KERNEL_H", *(f"#include <{h}>" for h in flavor.headers), ""]
    return "\n".join([*lines, 'extern "C" {', f"void {found.name}(\n  {parameters}\n);", "}", "", "#endif // KERNEL_H", ""])


def _description(found: Signature, flavor: Flavor) -> str:
    def told(parameters: list[Parameter]) -> list[list[object]]:
        return [[p.kind.text(flavor), list(p.shape or ())] for p in parameters]

    outs = [p for p in found.parameters if p.is_out]
    return json.dumps({"top": found.name, "inputs": told(list(found.arguments)), "outputs": told(outs)}, indent=2) + "\n"
