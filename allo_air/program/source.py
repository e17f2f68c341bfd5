"""The sources that users can compile, as MLIR text: a file, text, a module, or the description of a matmul."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from allo_air.core.texts import text_of
from allo_air.errors import OptionError, UnknownNameError
from allo_air.program.matmul import Matmul, matmul_of

ONNX = ".onnx"
"""The suffix of model files."""


@dataclass(frozen=True)
class Source:
    """MLIR text, and its name in diagnostics. `described` is the Matmul for which it was generated; `data` has the attributes
    of constants whose data the text leaves out, by the names there (`program/detached.py`). `entry` is the function to compile,
    if the text has several.
    """

    text: str
    name: str
    described: Matmul | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    entry: str = ""

    @cached_property
    def context(self) -> Any:
        """The context of `module`."""
        from allo_air.core.contexts import reused_context

        return reused_context(self.text)

    @cached_property
    def module(self) -> Any:
        """The text as a module, parsed at first use. Clone it before changing it."""
        from allo_air import asm
        from allo_air.program.detached import attach

        with self.context:
            module = asm.read(self.text, self.name)
            attach(module, self.data)
            if self.entry:
                _leave_one(module, self.entry)
            return module

    @cached_property
    def identity(self) -> list[str]:
        """The text, and digests of the data that it leaves out: equal for equal sources."""
        from hashlib import sha256

        from allo_air.core.elements import resource_of

        return [
            self.text,
            self.entry,
            *(f"{name} {sha256(resource_of(value)).hexdigest()}" for name, value in self.data.items()),
        ]

    @cached_property
    def level(self) -> str:
        """The IR level of the module, by its operations."""
        from allo_air.program.recognize import level_of

        return level_of(self.module)

    @cached_property
    def matmul(self) -> Matmul | None:
        """The Matmul that the module computes, if it does nothing else; otherwise None."""
        from allo_air.program.recognize import matmul_in

        return self.described or matmul_in(self.module)

    @cached_property
    def macs(self) -> int | None:
        """The number of products that it adds up, without padding; None if only the cores' code determines it."""
        from allo_air.program.recognize import macs_in

        if self.described:
            return self.described.macs
        return macs_in(self.module) if self.level == "linalg" else None

    def clone(self) -> Any:
        """A clone of the module, which may be changed."""
        from allo_air.mlir import ir

        with self.context, ir.Location.unknown(self.context):
            return self.module.clone()


def _leave_one(module: Any, entry: str) -> None:
    """Erases the functions that `entry` does not need. Raises UnknownNameError if the module has no such function."""
    from allo_air.core.names import sym_name_of
    from allo_air.core.upstream import run_upstream
    from allo_air.mlir import ir

    operations = [o.operation for o in module.regions[0].blocks[0].operations]
    functions = {sym_name_of(o): o for o in operations if o.name == "func.func" and len(o.regions[0].blocks)}
    if entry not in functions:
        raise UnknownNameError("function", entry, functions, f"the file has {', '.join(functions) or 'none'}")
    for name, function in functions.items():
        if name != entry:
            function.attributes["sym_visibility"] = ir.StringAttr.get("private")
    if "sym_visibility" in functions[entry].attributes:
        del functions[entry].attributes["sym_visibility"]
    run_upstream(module, "symbol-dce")


def source_of(value: Any, shape: Any = None, dtype: object = None) -> Source:
    """The Source for `value`; without one, for a matmul of `shape` and `dtype`."""
    if value is None or isinstance(value, tuple | list):
        if value is not None and shape is not None:
            raise OptionError("the shape is given twice")
        shape = value if shape is None else shape
        if shape is None:
            raise OptionError("nothing to compile: give a file, MLIR text, a module, or shape=(M, N, K)")
        value = matmul_of(shape, "bf16" if dtype is None else dtype)
    elif shape is not None or dtype is not None:
        raise OptionError("shape and dtype describe a matmul; they do not go with another source")
    if isinstance(value, Matmul):
        return Source(value.text, f"<matmul {value.m}x{value.n}x{value.k} {value.dtype}>", value)
    if hasattr(value, "operation"):
        from allo_air import asm

        with value.operation.context:
            return Source(asm.write(value), "<module>")
    if isinstance(value, str | os.PathLike) and os.fsdecode(value).endswith(ONNX):
        return onnx_source(value)
    return Source(*text_of(value, "compile"))


def onnx_source(path: str | os.PathLike[str], shapes: Mapping[str, Sequence[int]] | None = None) -> Source:
    """The Source for an ONNX model. `shapes` fixes the sizes of inputs that the file leaves open."""
    from allo_air.importers.onnx_files import from_onnx

    return Source(from_onnx(path, shapes).text, f"{os.fsdecode(path)} (as linalg)")


def default_pipeline(source: Source) -> str:
    """The default pipeline for `source`: a matmul's gemm pipeline, or the one that fits its operations."""
    if source.described is not None:
        return source.described.pipeline
    from allo_air.program.fitting import fitting_pipeline

    return fitting_pipeline(source.module, source.name)
