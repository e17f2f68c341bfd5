"""The files of a project for the tools: the kernel, its header, a host program, scripts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from allo_air.errors import AlloAirError, UnknownNameError
from allo_air.target.hls.flavors import Flavor
from allo_air.target.hls.function import parameter_text
from allo_air.target.hls.signatures import Parameter, Signature, is_buffer

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
_CATAPULT = """# catapult -shell -f run.tcl
solution new -state initial
solution options set /Output/OutputVHDL false
solution file add ./kernel.cpp -type C++
go analyze
directive set -DESIGN_HIERARCHY {top}
go compile
go libraries
directive set -CLOCKS {{clk {{-CLOCK_PERIOD {period}}}}}
go assembly
go architect
go extract
"""
_SCRIPTS = {"catapult": _CATAPULT}
"""Synthesis scripts of tools that are not AMD's."""
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
_HOST = """// Runs kernel {top} by XRT: argument N is read from inputN.data, arrays are written to outputN.data.
#include <array>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>
#include <xrt/xrt_bo.h>
#include <xrt/xrt_device.h>
#include <xrt/xrt_kernel.h>

static void read_input(int number, char *to, size_t size) {{
  std::ifstream file("input" + std::to_string(number) + ".data", std::ios::binary);
  if (file)
    file.read(to, size);
}}

int main(int argc, char **argv) {{
  if (argc != 2) {{
    std::cerr << "usage: host XCLBIN" << std::endl;
    return 1;
  }}
  xrt::device device(0);
  auto uuid = device.load_xclbin(argv[1]);
  xrt::kernel kernel(device, uuid, "{top}");
  const std::vector<int> numbers = {{{numbers}}};
  const std::vector<size_t> sizes = {{{sizes}}};
  std::vector<xrt::bo> buffers;
  xrt::run run(kernel);
  for (size_t i = 0; i < sizes.size(); i++) {{
    buffers.emplace_back(device, sizes[i], kernel.group_id(numbers[i]));
    read_input(numbers[i], buffers[i].map<char *>(), sizes[i]);
    buffers[i].sync(XCL_BO_SYNC_BO_TO_DEVICE);
    run.set_arg(numbers[i], buffers[i]);
  }}
{scalars}  run.start();
  run.wait();
  for (size_t i = 0; i < sizes.size(); i++) {{
    buffers[i].sync(XCL_BO_SYNC_BO_FROM_DEVICE);
    std::ofstream("output" + std::to_string(numbers[i]) + ".data", std::ios::binary).write(buffers[i].map<char *>(), sizes[i]);
  }}
  return 0;
}}
"""
_BUILT = ("sw_emu", "hw_emu", "hw")
"""The modes that build a kernel and a host program."""
_DEVICE = {"device": "u280", "frequency": 300}
"""Defaults of device and frequency (MHz) in the configuration."""
CONFIGS = ("device", "frequency", "part", "platform")
"""The settings that a configuration may contain."""
_PARTS = {
    "u250": "xcu250-figd2104-2L-e", "u280": "xcu280-fsvh2892-2L-e", "zcu102": "xczu9eg-ffvb1156-2-e",
    "zedboard": "xc7z020clg484-1", "pynqz2": "xc7z020clg400-1", "ultra96v2": "xczu3eg-sbva484-1-i",
    "vck5000": "xcvc1902-vsvd1760-2MP-e-S", "vhk158": "xcvh1582-vsva3697-2MP-e-S",
}  # fmt: skip
"""The part of a board."""
_PLATFORMS = {"u250": "xilinx_u250_gen3x16_xdma_4_1_202210_1", "u280": "xilinx_u280_gen3x16_xdma_1_202211_1"}
"""The platform of each board that v++ supports; those of other boards have no common name."""


def files(code: str, signature: Signature, flavor: Flavor, mode: str, configs: dict[str, object]) -> dict[str, str]:
    """The texts by their names; AlloAirError where `mode` needs a host program that cannot be written."""
    device = _device(flavor, mode, configs)
    fields = {**device, "top": signature.name, "mode": mode if mode in _BUILT else "hw_emu"}
    fields["tool"] = flavor.synthesis
    fields["period"] = round(1000 / float(str(device["frequency"])), 2)
    results = {"kernel.cpp": code, "kernel.h": _header(signature, flavor), "description.json": _description(signature, flavor)}
    if flavor.synthesis:
        results["run.tcl"] = _SCRIPTS.get(flavor.name, _TCL).format(**fields)
    unknown = [p.name for p in signature.parameters if p.stream or any(size < 0 for size in p.shape or ())]
    if unknown and mode in _BUILT:
        raise AlloAirError(
            f"mode '{mode}' writes a host program for '{signature.name}', which needs the size of each array; "
            f"that of {', '.join(unknown)} is known at a call only. Give it sizes, or take mode='csim'"
        )
    if flavor.host and not unknown:
        results["host.cpp"] = _host(signature)
        results["Makefile"] = _MAKEFILE.format(**fields)
    return results


def check_configs(flavor: Flavor, configs: Mapping[str, object]) -> None:
    """Raises AlloAirError for an unknown setting or device, and for a setting that no file of the target contains."""
    used = {"part": bool(flavor.synthesis) and flavor.name not in _SCRIPTS, "platform": flavor.host}
    used["device"] = any(used.values())
    for name in configs:
        if name not in CONFIGS:
            raise UnknownNameError("name in configs", name, CONFIGS, f"there are {', '.join(CONFIGS)}")
        if not used.get(name, True):
            raise AlloAirError(f"target '{flavor.name}' writes no file that names a {name}; leave '{name}' out of configs")
    board = str(configs.get("device", _DEVICE["device"]))
    if board not in _PARTS:
        raise UnknownNameError("device", board, _PARTS)


def _device(flavor: Flavor, mode: str, configs: dict[str, object]) -> dict[str, object]:
    """The fields of the device; AlloAirError if it lacks a platform."""
    board = str(configs.get("device", _DEVICE["device"]))
    platform = configs.get("platform", _PLATFORMS.get(board))
    if platform is None and flavor.host and mode in _BUILT:
        raise AlloAirError(
            f"mode '{mode}' builds for a platform, and that of '{board}' is not known; name it in configs[\"platform\"]"
        )
    missing = f"$(error give PLATFORM=..., the platform of {board})"
    return {**_DEVICE, "part": _PARTS[board], **configs, "platform": platform or missing}


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


def _host(signature: Signature) -> str:
    buffers = [(n, p) for n, p in enumerate(signature.parameters) if is_buffer(p)]
    scalars = "".join(
        f"  {_host_type(p)} value{n}{{}};\n  read_input({n}, reinterpret_cast<char *>(&value{n}), sizeof(value{n}));\n"
        f"  run.set_arg({n}, value{n});\n"
        for n, p in enumerate(signature.parameters)
        if not is_buffer(p)
    )
    numbers, sizes = (", ".join(map(str, each)) for each in ([n for n, _ in buffers], [_bytes(p) for _, p in buffers]))
    return _HOST.format(top=signature.name, numbers=numbers, sizes=sizes, scalars=scalars)


def _host_type(parameter: Parameter) -> str:
    """The host's type for a number, of its size."""
    size = _bytes(parameter)
    return f"uint{8 * size}_t" if size <= 8 else f"std::array<char, {size}>"


def _header(signature: Signature, flavor: Flavor) -> str:
    parameters = ",\n  ".join(parameter_text(p, flavor, signature.name) for p in signature.parameters)
    before, after = (['extern "C" {'], ["}"]) if flavor.pragmas.get("port") else ([], [])
    lines = ["#ifndef KERNEL_H", "#define KERNEL_H", *(f"#include <{h}>" for h in flavor.headers), ""]
    return "\n".join([*lines, *before, f"void {signature.name}(\n  {parameters}\n);", *after, "", "#endif // KERNEL_H", ""])


def _description(signature: Signature, flavor: Flavor) -> str:
    def types_of(parameters: list[Parameter]) -> list[list[object]]:
        return [[p.kind.text(flavor), list(p.shape or ())] for p in parameters]

    outs = [p for p in signature.parameters if p.is_out]
    return (
        json.dumps({"top": signature.name, "inputs": types_of(list(signature.arguments)), "outputs": types_of(outs)}, indent=2)
        + "\n"
    )
