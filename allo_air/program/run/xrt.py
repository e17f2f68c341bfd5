"""Runs a program on an NPU if the tools are installed: aiecc with Peano makes an xclbin, and pyxrt runs it.

The flow is that of mlir-aie (docs/sources.md#hardware-flow). It has not been run on an NPU by this project.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.arch import arch_of
from allo_air.device import DEVICES
from allo_air.dialects.states import printed_state
from allo_air.errors import AlloAirError, counted
from allo_air.program.run.aiecc import command
from allo_air.program.run.package import package
from allo_air.program.run.tools import Tools, find_tools

if TYPE_CHECKING:
    import numpy as np

    from allo_air.program.lowering import Lowered

XCLBIN, INSTRUCTIONS, DESIGN, KERNEL = "final.xclbin", "insts.bin", "aie.mlir", "MLIR_AIE"
ELF = "final.elf"
"""Name of the file with several configurations and the instructions that load them."""

_OPCODE = 3
"""The opcode with which a DPU kernel runs an instruction buffer."""

_INCOMPLETE = (
    "packaging='own' needs the ELF of every core, named by elf_file, and a program with one configuration; program.package()"
    " says which are missing, packaging='aiecc' has them compiled"
)
_FIRST_BUFFER = 3
"""The first kernel argument that is a host buffer, after opcode, instructions and their number."""


class MissingTools(AlloAirError):
    """A tool that the hardware path needs is not installed."""


def commands(folder: Path, tools: Tools | None = None, *, elf: bool = False, state: str | None = None) -> list[list[str]]:
    """The command lines that make xclbin and instructions, or an `elf`, from `aie.mlir` in `folder`.

    They are for version `state` of aiecc, by default the installed one, or else the version of the printed text. Missing tools
    appear with their plain names.
    """
    tools = tools or find_tools()
    files = _files(folder, elf=elf)
    peano = tools.peano or "$PEANO_INSTALL_DIR"
    state = state or tools.state or printed_state()
    return [command(state, tools.aiecc or "aiecc", peano, folder / DESIGN, folder / "work", files)]


def _files(folder: Path, *, elf: bool) -> dict[str, Path]:
    """The files to make with aiecc, by kind."""
    if elf:
        return {"full-elf": folder / ELF}
    return {"xclbin": folder / XCLBIN, "npu-insts": folder / INSTRUCTIONS}


def loads_several(lowered: Lowered) -> bool:
    """Whether a program loads configurations itself, which requires an ELF."""
    return "aiex.configure" in lowered.text


def _buffers(lowered: Lowered) -> list[tuple[tuple[int, ...], str, str]]:
    """Shape, element type and role of each of the device's buffers."""
    if lowered.linked is None:
        return [(a.padded, a.element, a.role) for a in lowered.arguments]
    is_input = lowered.linked.results is not None
    return [(b.shape, b.element, "in" if b.kind != "own" and is_input else "inout") for b in lowered.linked.buffers]


def dry_run(lowered: Lowered, folder: Path | None = None, state: str | None = None) -> str:
    """The plan of `backend="xrt"`: the command lines, the call of the kernel, and the missing tools.

    `state` is the version of aiecc to use, "2026-03" or "2026-08"; by default the installed one.
    """
    tools = find_tools()
    folder = folder or Path("build")
    elf = loads_several(lowered)
    lines = [shlex.join(command) for command in commands(folder, tools, elf=elf, state=state)]
    sizes = ", ".join(f"bo{i}={'x'.join(map(str, s))}x{e}" for i, (s, e, _) in enumerate(_buffers(lowered)))
    if elf:
        lines.append(f"# pyxrt: kernel {_entry(lowered)} of {ELF}({sizes})")
    else:
        lines.append(
            f"# pyxrt: kernel {KERNEL}(opcode={_OPCODE}, {INSTRUCTIONS}, {counted(len(lowered.words), 'word')}, {sizes})"
        )
    lines += [f"# missing: {sentence}" for sentence in tools.missing]
    return "\n".join(lines)


def build(lowered: Lowered, folder: Path, tools: Tools) -> None:
    """Makes xclbin and instructions in `folder`. Raises AlloAirError with the tool's last lines if it fails.

    The design is written in the assembly of aiecc's version.
    """
    folder.mkdir(parents=True, exist_ok=True)
    state, elf = tools.state or printed_state(), loads_several(lowered)
    (folder / DESIGN).write_text(lowered.spelled(state).text, encoding="utf-8")
    for line in commands(folder, tools, elf=elf, state=state):
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        last = "\n".join((done.stderr or done.stdout).splitlines()[-20:])
        if done.returncode:
            raise AlloAirError(f"'{shlex.join(line)}' failed with code {done.returncode}:\n{last}")
        if absent := [file.name for file in _files(folder, elf=elf).values() if not file.exists()]:
            raise AlloAirError(f"'{shlex.join(line)}' ended without an error and made no {' and no '.join(absent)}:\n{last}")


def package_here(lowered: Lowered, folder: Path) -> bool:
    """Packages a program with our own writers and the ELFs that its cores name; returns whether that is complete."""
    if loads_several(lowered):
        return False
    return package(lowered.text, folder, elfs=Path.cwd()).complete


def run(lowered: Lowered, arrays: Sequence[Any], packaging: str = "auto") -> None:
    """Runs a program on NPU 0 with the device's buffers `arrays`; results are written in place.

    `packaging`: our "own" writers with the ELFs that cores name, "aiecc", or "auto": aiecc if it is installed.
    """
    if loads_several(lowered) and not arch_of(DEVICES[lowered.device]).loads_elf:
        raise AlloAirError(
            "the program loads several configurations, for which an NPU takes an ELF, and aiecc makes those for npu2 only; "
            "compile for device='npu2', or run it with backend='sim'"
        )
    tools = find_tools()
    with tempfile.TemporaryDirectory(prefix="allo-air-xrt-") as folder:
        own = packaging == "own" or (packaging == "auto" and tools.aiecc is None)
        if not (own and tools.pyxrt and package_here(lowered, Path(folder))):
            if packaging == "own" and tools.pyxrt:
                raise AlloAirError(_INCOMPLETE)
            if tools.missing:
                raise MissingTools("backend 'xrt' cannot run here; missing are\n" + "\n".join(f"- {m}" for m in tools.missing))
            build(lowered, Path(folder), tools)
        roles = [role for _, _, role in _buffers(lowered)]
        if loads_several(lowered):
            _call_elf(Path(folder), _entry(lowered), roles, arrays)
        else:
            _call(Path(folder), roles, arrays)


def _entry(lowered: Lowered) -> str:
    """The name of the program in an ELF: the device, and the sequence that loads the configurations."""
    name = re.search(r"aie\.runtime_sequence @(\w+)", lowered.text.rpartition("aie.device")[2])
    return f"main:{name.group(1) if name else 'sequence'}"


def _call_elf(folder: Path, entry: str, roles: Sequence[str], arrays: Sequence[np.ndarray]) -> None:
    import numpy as np
    import pyxrt

    device = pyxrt.device(0)
    context = pyxrt.hw_context(device, pyxrt.elf(str(folder / ELF)))
    run = pyxrt.run(pyxrt.ext.kernel(context, entry))
    buffers = []
    for number, array in enumerate(arrays):
        buffer = pyxrt.ext.bo(device, array.nbytes)
        buffer.write(array.tobytes(), 0)
        buffer.sync(pyxrt.xclBOSyncDirection.XCL_BO_SYNC_BO_TO_DEVICE)
        run.set_arg(number, buffer)
        buffers.append(buffer)
    run.start()
    run.wait()
    for role, buffer, array in zip(roles, buffers, arrays, strict=True):
        if role != "in":
            buffer.sync(pyxrt.xclBOSyncDirection.XCL_BO_SYNC_BO_FROM_DEVICE)
            array.view(np.uint8).reshape(-1)[...] = np.frombuffer(buffer.read(array.nbytes, 0), dtype=np.uint8)


def _call(folder: Path, roles: Sequence[str], arrays: Sequence[np.ndarray]) -> None:
    import numpy as np
    import pyxrt

    device = pyxrt.device(0)
    xclbin = pyxrt.xclbin(str(folder / XCLBIN))
    device.register_xclbin(xclbin)
    context = pyxrt.hw_context(device, xclbin.get_uuid())
    kernel = pyxrt.kernel(context, KERNEL)
    words = np.fromfile(folder / INSTRUCTIONS, dtype=np.uint32)
    instructions = pyxrt.bo(device, words.nbytes, pyxrt.bo.cacheable, kernel.group_id(1))
    instructions.write(words.tobytes(), 0)
    instructions.sync(pyxrt.xclBOSyncDirection.XCL_BO_SYNC_BO_TO_DEVICE)
    buffers = []
    for number, array in enumerate(arrays):
        buffer = pyxrt.bo(device, array.nbytes, pyxrt.bo.host_only, kernel.group_id(_FIRST_BUFFER + number))
        buffer.write(array.tobytes(), 0)
        buffer.sync(pyxrt.xclBOSyncDirection.XCL_BO_SYNC_BO_TO_DEVICE)
        buffers.append(buffer)
    state = kernel(_OPCODE, instructions, len(words), *buffers).wait()
    if state != pyxrt.ert_cmd_state.ERT_CMD_STATE_COMPLETED:
        raise AlloAirError(f"the NPU did not complete the kernel: {state}")
    for role, buffer, array in zip(roles, buffers, arrays, strict=True):
        if role != "in":
            buffer.sync(pyxrt.xclBOSyncDirection.XCL_BO_SYNC_BO_FROM_DEVICE)
            read = np.frombuffer(buffer.read(array.nbytes, 0), dtype=np.uint8)
            array.view(np.uint8).reshape(-1)[...] = read
