"""Kernels as C++ for high-level synthesis: `s.build(target="vitis_hls", mode="csim")`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.core.contexts import reused_context
from allo_air.errors import AlloAirError
from allo_air.frontend.annotations import Declared
from allo_air.frontend.arrays import empty_result
from allo_air.frontend.cpu import CpuModule
from allo_air.frontend.functions import Compiled
from allo_air.frontend.lowered import function_of
from allo_air.frontend.processes import compile_processes, readable
from allo_air.frontend.region import RegionSpec
from allo_air.mlir import PassManager, ir, new_context
from allo_air.program.region_program import host_arrays, host_back
from allo_air.scheduling.partitions import copy_partitions
from allo_air.target.hls.emit import emit, signature_of
from allo_air.target.hls.flavors import Flavor, flavor
from allo_air.target.hls.project import check_configs, files, write
from allo_air.target.hls.signatures import Signature
from allo_air.target.hls.simulate import simulation

if TYPE_CHECKING:
    import numpy as np

    from allo_air.frontend.region import Region

_SIMULATED = ("vivado_hls", "vitis_hls", "pynq")
"""The targets whose C++ our headers compile; C++ for other targets is simulated as that of `vitis_hls`."""
_SCRIPTED = {"catapult": ("catapult", "-shell", "-f", "run.tcl")}
"""The command lines of synthesis tools other than AMD's."""


@dataclass
class HlsModule(CpuModule):
    """A function as C++ text (`hls_code`). Call it on numpy arrays to run C simulation, or without arguments to run the tool of
    its mode.
    """

    hls_code: str = field(repr=False, default="")
    flavor: Flavor = field(repr=False, default=flavor("vitis_hls"))
    mode: str | None = None
    project: Path | None = None
    signature: Signature | None = field(repr=False, default=None)
    _simulated: str = field(repr=False, default="")
    _includes: list[Path] = field(repr=False, default_factory=list)
    _sources: list[Path] = field(repr=False, default_factory=list)
    """Folders for `#include`, and the files of C++ functions that it calls."""

    def __str__(self) -> str:
        return self.hls_code

    __repr__ = __str__

    def __contains__(self, text: str) -> bool:
        return text in self.hls_code

    def __call__(self, *args: np.ndarray) -> Any:
        """Runs it on the host. In a mode that needs a tool, runs the tool in `project`, without arguments."""
        if tool := self.tool:
            if args:
                raise AlloAirError(
                    f"mode '{self.mode}' runs tools in '{self.project}', and takes no arguments, found {len(args)}: call it "
                    "without, or take mode='csim'"
                    + ("" if self.mode == "csyn" else "; the host program reads argument N from inputN.data there")
                )
            return self._tool(tool)
        return super().__call__(*args)

    @property
    def tool(self) -> str:
        """The tool that a call runs; "" if the host simulates."""
        return "" if self.mode is None else self.flavor.modes[self.mode]

    def _run(self, arrays: Sequence[np.ndarray]) -> None:
        if self._kernel is None:
            assert self.signature is not None
            sizes = [empty_result(Declared(kind.element, ())).dtype.itemsize for kind in (*self.parameters, *self.results)]
            self._kernel = simulation(
                self._simulated or self.hls_code,
                self.signature,
                sizes,
                _host_flavor(self.flavor),
                self._includes,
                self._sources,
            )
        self._kernel(arrays)

    def _tool(self, name: str) -> None:
        """Runs the tool that the mode needs."""
        if shutil.which(name) is None:
            raise AlloAirError(
                f"mode '{self.mode}' of target '{self.flavor.name}' needs {name} on the PATH, which lacks it; the project "
                f"is in '{self.project}', and mode='csim' runs on the host without it"
            )
        scripted = _SCRIPTED.get(name, (name, "-f", "run.tcl"))
        command = {"csyn": scripted, **dict.fromkeys(("sw_emu", "hw_emu", "hw"), ("make", "run", f"TARGET={self.mode}"))}
        if self.mode not in command or name == "tapa":
            raise AlloAirError(
                f"no script for mode '{self.mode}' of target '{self.flavor.name}' is written: run {name} on kernel.cpp in "
                f"'{self.project}'"
            )
        done = subprocess.run(command[self.mode], cwd=self.project, check=False)
        if done.returncode:
            raise AlloAirError(f"{' '.join(command[self.mode])} failed in '{self.project}' with {done.returncode}")


def _host_flavor(kind: Flavor) -> Flavor:
    """The C++ that C simulation compiles."""
    return kind if kind.name in _SIMULATED else flavor("vitis_hls")


@dataclass
class HlsRegion:
    """A region as C++, with a function for each core of each kernel. When it is called, these run concurrently."""

    spec: RegionSpec
    module_of: HlsModule

    @property
    def hls_code(self) -> str:
        return self.module_of.hls_code

    @property
    def module(self) -> str:
        """The region as an MLIR module of functions."""
        return self.module_of.text

    def __str__(self) -> str:
        return self.hls_code

    def __call__(self, *args: np.ndarray) -> None:
        """Runs the region on numpy arrays, which it changes in place; in the mode of a tool, runs the tool, without
        arguments.
        """
        if self.module_of.tool:
            self.module_of(*args)
            return
        arrays = host_arrays(self.spec, args)
        self.module_of(*arrays)
        written = self.module_of.signature.written if self.module_of.signature is not None else ()
        host_back(self.spec, args, arrays, [number in written for number in range(len(arrays))])


def build_processes(
    region: Region, target: str, mode: str | None, project: str | os.PathLike[str] | None, configs: Mapping[str, object] | None
) -> HlsRegion:
    """A region as C++ for `target`; `simulator` is the host."""
    spec = readable(region)
    text, top = compile_processes(spec, new_context())
    hls = build_hls(
        text, top, "vitis_hls" if target == "simulator" else target, mode, project, configs, files_too=target != "simulator"
    )
    return HlsRegion(spec, hls)


def build_scheduled(region: Any, cores: Any, target: str, mode: str | None, project: Any, configs: Any) -> HlsRegion:
    """Like `build_processes`, with the schedule primitives of `cores` applied."""
    options = {"files_too": target != "simulator"}
    name = "vitis_hls" if target == "simulator" else target
    hls = build_hls(str(cores.plain), cores.top, name, mode if target != "simulator" else "csim", project, configs, **options)
    return HlsRegion(readable(region), hls)


_BUFFERS = (
    "builtin.module(func.func(linalg-generalize-named-ops),one-shot-bufferize{bufferize-function-boundaries=1 "
    "function-boundary-type-conversion=identity-layout-map},canonicalize,cse)"
)


def build_tensors(
    text: str,
    name: str,
    target: str,
    mode: str | None = None,
    project: str | os.PathLike[str] | None = None,
) -> HlsModule:
    """Function `name` of linalg on tensors as C++ for `target`."""
    with reused_context(text), ir.Location.unknown():
        module = ir.Module.parse(text)
        PassManager.parse(_BUFFERS).run(module.operation)
        buffers, top = module.operation.get_asm(large_elements_limit=None), function_of(module, name)
    return build_hls(str(buffers), top, target, mode, project)


def build_hls(
    text: str,
    top: Compiled,
    target: str,
    mode: str | None = None,
    project: str | os.PathLike[str] | None = None,
    configs: Mapping[str, object] | None = None,
    *,
    files_too: bool = True,
) -> HlsModule:
    """The MLIR in `text` as C++ for `target`. Writes a project if `project` is set or the mode needs a tool."""
    kind = flavor(target)
    if mode is not None and mode not in kind.modes:
        allowed = ", ".join(kind.modes) or "none: leave mode out, and read the C++"
        raise AlloAirError(f"target '{kind.name}' has no mode '{mode}'; its modes are {allowed}")
    check_configs(kind, configs or {})
    context = new_context()
    with context, ir.Location.unknown():
        module = ir.Module.parse(text)
        copy_partitions(module)
        text = str(module)
        code = emit(module, top.name, kind)
        own, streams = kind.name in _SIMULATED, "stream" in code or "channel" in code
        threaded = "" if own and not streams else emit(ir.Module.parse(text), top.name, _host_flavor(kind), threads=streams)
        result = signature_of(module, top.name)
        loads = [json.loads(op.attributes["cpp"].value) for op in module.body.operations if "cpp" in op.attributes]
        includes, sources = ([Path(p) for loaded in loads for p in loaded[n]] for n in ("includes", "files"))
    folder = Path(project or f"{top.name}.prj") if project is not None or mode is not None else None
    if folder is not None and files_too:
        write(folder, files(code, result, kind, mode or "csim", dict(configs or {})))
    return HlsModule(
        top.name, top.parameters, top.results, text, None, hls_code=code, flavor=kind, mode=mode, project=folder,
        signature=result, _simulated=threaded, _includes=includes, _sources=sources,
    )  # fmt: skip
