"""`extern`: kernels in object files, called by cores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.air.api.arithmetic import number
from allo_air.air.api.errors import NotImplementedError, RuntimeError, TypeError, ValueError
from allo_air.air.api.expression import BufferSlice
from allo_air.air.api.index import Index
from allo_air.air.api.symbol import plain
from allo_air.air.api.trace import Trace, tracing
from allo_air.air.api.types import DType, wanted_dtype
from allo_air.air.api.values import index_value
from allo_air.errors import counted
from allo_air.mlir import arith, func, ir

__all__ = ["ExternKernel", "extern"]


class ExternKernel:
    """The function `name` of an object file; `scalars` are the types of its arguments that are not buffers."""

    def __init__(self, name: str, object: str, scalars: tuple[DType, ...]):
        self.name, self.object, self.scalars = name, object, scalars

    def __call__(self, *arguments: Any) -> None:
        """Calls it with buffers and scalars, in the order of the C function."""
        trace = tracing(f"extern kernel '{self.name}' is called", "the body of a herd")
        frame = trace.frame
        if frame.kind != "herd":
            raise RuntimeError(f"extern kernel '{self.name}' is called outside of the body of a herd; cores call kernels")
        if frame.link_with not in (None, self.object):
            raise ValueError(
                f"extern kernel '{self.name}' is in {self.object}, and the herd links with {frame.link_with}; "
                "a herd links with one object"
            )
        buffers = [a.buffer if isinstance(a, BufferSlice) and a.region is None else a for a in arguments]
        scalars = [a for a in buffers if not _is_buffer(a)]
        for each in buffers:
            self._check(each)
        if len(scalars) != len(self.scalars):
            raise TypeError(
                f"extern kernel '{self.name}' is called with "
                f"{counted(len(scalars), 'scalar')}, and scalars= declares {len(self.scalars)}"
            )
        types = iter(self.scalars)
        with trace.emit():
            values = [frame.value(a, a.label) if _is_buffer(a) else self._scalar(trace, a, next(types)) for a in buffers]
        self._declare(trace, [v.type for v in values])
        with trace.emit():
            func.CallOp([], ir.FlatSymbolRefAttr.get(self.name), values)
        frame.link_with = self.object

    def _check(self, argument: Any) -> None:
        if isinstance(argument, BufferSlice):
            raise TypeError(
                f"extern kernel '{self.name}' is passed a region of {argument.buffer.label}; kernels take whole buffers"
            )
        if _is_buffer(argument) and argument.scope.level == "L2":
            raise TypeError(f"extern kernel '{self.name}' is passed {argument.label}; cores see buffers in L1 only")
        if not _is_buffer(argument) and not isinstance(plain(argument), int | float | Index):
            raise TypeError(
                f"extern kernel '{self.name}' is passed {type(argument).__name__}; kernels take whole buffers, "
                "numbers and coordinates"
            )

    def _scalar(self, trace: Trace, argument: object, dtype: DType) -> Any:
        if not isinstance(argument, Index):
            return number(plain(argument), dtype)
        if dtype.is_float:
            raise TypeError(f"extern kernel '{self.name}': a coordinate for a scalar of {dtype.name}; coordinates are integers")
        return arith.IndexCastOp(dtype.mlir(), index_value(trace, argument)).result

    def _declare(self, trace: Trace, inputs: list[ir.Type]) -> None:
        declared_inputs = trace.functions.get(self.name)
        if declared_inputs is not None:
            if list(declared_inputs) != inputs:
                raise TypeError(
                    f"extern kernel '{self.name}' is called with ({', '.join(map(str, inputs))}), and before with "
                    f"({', '.join(map(str, declared_inputs))}); all calls have the same types"
                )
            return
        trace.check_free(self.name, f"extern kernel '{self.name}'")
        with trace.at_top():
            op = func.FuncOp(self.name, (inputs, []), visibility="private")
            op.attributes["llvm.emit_c_interface"] = ir.UnitAttr.get()
            op.attributes["link_with"] = ir.StringAttr.get(self.object)
        trace.functions[self.name] = inputs


def extern(name: str, object: str | None = None, scalars: Sequence[DType] = ()) -> ExternKernel:
    """The function `name` of the object file `object`; buffers have the types that they are called with."""
    if not isinstance(name, str) or not name:
        raise TypeError(f"extern: the name is {name!r}, expected the function's name")
    if not object:
        raise ValueError(f"extern kernel '{name}' needs its object file: object='{name}.o'")
    if not isinstance(object, str):
        raise TypeError(f"extern kernel '{name}': object is {object!r}, expected a file's name")
    if not isinstance(scalars, list | tuple):
        raise TypeError(f"extern kernel '{name}': scalars are {scalars!r}, expected a list of types")
    kinds = tuple(wanted_dtype(s, f"extern kernel '{name}'") for s in scalars)
    for kind in kinds:
        if kind.is_unsigned:
            raise NotImplementedError(
                f"extern kernel '{name}': scalars of {kind.name} are not supported; use {kind.signed_name}"
            )
    return ExternKernel(name, object, kinds)


def _is_buffer(argument: object) -> bool:
    return hasattr(type(argument), "as_whole_tile")
