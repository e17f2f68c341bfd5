"""Functions in C++ for high-level synthesis, called in functions for the CPU and in their C++."""

from __future__ import annotations

import ast
import ctypes
import inspect
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from allo_air.errors import AlloAirError
from allo_air.frontend.arithmetic import materialized
from allo_air.frontend.nodes import describe, expression
from allo_air.frontend.numbers import Number
from allo_air.frontend.operands import as_operand
from allo_air.frontend.state import State
from allo_air.frontend.values import Buffer, memref_type
from allo_air.mlir import func, ir, memref
from allo_air.target.hls.simulate import external

ATTRIBUTE = "cpp"
"""Attribute of the function that represents a C++ function: its files, as JSON."""


@dataclass(frozen=True, eq=False)
class IPModule:
    """Function `top` of C++ files, which changes its arguments. Call it as `module(A, B, C)`, in a function or on numpy arrays.

    `impl` is a file or a list of files, relative to the folder of the calling file or the current one; `include_paths` are
    folders for `#include`. Headers of HLS (`ap_int.h`, `hls_stream.h`, ...) are emulated, whatever `link_hls` says.
    """

    top: str
    impl: str | Path | Sequence[str | Path] = ()
    include_paths: Sequence[str | Path] = ()
    link_hls: bool = True
    headers: Sequence[str] = ()
    impls: Sequence[str | Path] = ()
    signature: Sequence[str] = ()
    """Accepted for Allo's programs and not needed: the compiler knows the types."""
    kernel_hook: str = field(default="ip", init=False)
    folder: Path = field(init=False, repr=False)

    def __post_init__(self) -> None:
        caller = inspect.currentframe()
        while caller is not None and caller.f_globals.get("__name__", "").startswith("allo_air"):
            caller = caller.f_back
        while caller is not None and caller.f_code.co_filename == "<string>":
            caller = caller.f_back
        object.__setattr__(self, "folder", Path(caller.f_code.co_filename).parent if caller is not None else Path())
        self.files()

    def files(self) -> list[Path]:
        """The C++ files; AlloAirError if there are none."""
        names = [self.impl] if isinstance(self.impl, str | Path) else list(self.impl)
        files = []
        for name in (*names, *self.impls):
            path = next((p for p in (Path(name), self.folder / name) if p.is_file()), None)
            if path is None:
                raise AlloAirError(f"IP '{self.top}': there is no file '{name}' here or in '{self.folder}'")
            files.append(path.resolve())
        if not files:
            raise AlloAirError(f"IP '{self.top}' needs a C++ file: impl='{self.top}.cpp'")
        return files

    def as_json(self) -> str:
        """The paths of its files and include folders, as JSON: the attribute of the function that represents it."""
        folders = [*self.include_paths, self.folder, *(f.parent for f in self.files())]
        return json.dumps({"files": list(map(str, self.files())), "includes": list(map(str, folders))})

    def __call__(self, *arrays: object) -> None:
        """Calls it on numpy arrays, which it changes in place, and on numbers."""
        inputs = [np.asarray(a) for a in arrays]
        paths = json.loads(self.as_json())
        external(self.top, paths["files"], paths["includes"])(inputs)


def call_ip(state: State, node: ast.Call, module: IPModule) -> None:
    """Emits a call of the C++ function, as a call of a function of that name without a body."""
    values = [as_operand(expression(state, a)) for a in node.args]
    arguments = []
    for value, argument in zip(values, node.args, strict=True):
        if isinstance(value, Buffer) and value.value.type == memref_type(value.element, value.shape):
            arguments.append(value.value)
        elif isinstance(value, Number | int | float):
            number = materialized(value)
            cell = memref.alloca(memref_type(number.type, ()), [], [])
            memref.store(number.value, cell, [])
            arguments.append(cell)
        else:
            raise state.error(argument, f"C++ takes whole tensors and numbers, found {describe(value)}")
    body = state.shared.module.body
    kinds = [v.type for v in arguments]
    operation = next((o for o in body.operations if isinstance(o, func.FuncOp) and o.name.value == module.top), None)
    if operation is None:
        with ir.InsertionPoint.at_block_begin(body), state.at(node):
            operation = func.FuncOp(module.top, ir.FunctionType.get(kinds, []), visibility="private")
        operation.attributes["llvm.emit_c_interface"] = ir.UnitAttr.get()
        operation.attributes[ATTRIBUTE] = ir.StringAttr.get(module.as_json())
        signs = ["s" if not isinstance(v, Buffer | Number) or _element(v).signed else "u" for v in values]
        operation.attributes["itypes"] = ir.StringAttr.get("".join(signs))
    elif ATTRIBUTE not in operation.attributes:
        raise state.error(node, f"C++ function '{module.top}' has the name of a function of the kernel; rename one of them")
    elif (info := ir.StringAttr(operation.attributes[ATTRIBUTE]).value) != module.as_json():
        before, files = (", ".join(f"'{f}'" for f in json.loads(text)["files"]) for text in (info, module.as_json()))
        raise state.error(
            node,
            f"C++ functions of {files} and of {before} are both called '{module.top}'; rename one of them",
        )
    elif list(operation.type.inputs) != kinds:
        raise state.error(
            node, f"C++ function '{module.top}' is called with other types than before; use one type for each argument"
        )
    func.CallOp(operation, arguments)


def _element(value: Buffer | Number) -> Any:
    return value.element if isinstance(value, Buffer) else value.type


def cpp_callbacks(module: ir.Module) -> dict[str, Any]:
    """For each C++ function of `module`, the function that replaces it when the module runs on the CPU."""
    results = {}
    for op in module.body.operations:
        if isinstance(op, func.FuncOp) and ATTRIBUTE in op.attributes:
            paths = json.loads(ir.StringAttr(op.attributes[ATTRIBUTE]).value)
            run = external(op.name.value, paths["files"], paths["includes"])
            results[op.name.value] = _callback(run, [ir.MemRefType(t) for t in op.type.inputs])
    return results


def _callback(run: Any, kinds: list[Any]) -> Any:
    sizes = [_bytes(k.element_type) for k in kinds]
    counts = [int(np.prod(k.shape)) for k in kinds]

    def call(*addresses: int) -> None:
        arrays: list[Any] = []
        for address, size, count in zip(addresses, sizes, counts, strict=True):
            aligned, offset = (ctypes.c_int64.from_address(address + field_offset).value for field_offset in (8, 16))
            data: Any = (ctypes.c_char * (size * count)).from_address(aligned + offset * size)
            arrays.append(np.frombuffer(data, np.dtype((np.void, size)), count))
        run(arrays)

    return ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(kinds))(call)


def _bytes(type_: Any) -> int:
    bits = 64 if isinstance(type_, ir.IndexType) else int(type_.width)
    size = -(-bits // 8)
    return 1 << (size - 1).bit_length() if size <= 8 else -(-size // 16) * 16
