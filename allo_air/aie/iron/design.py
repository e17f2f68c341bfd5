"""`@iron.jit`: functions that generate a design, compile it for the simulator, and run it on tensors."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import prod
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, get_origin, get_type_hints

from allo_air.aie.building.arguments import refuse
from allo_air.aie.building.errors import IronRuntimeError, IronTypeError, IronValueError
from allo_air.aie.ir import Context, Module
from allo_air.aie.iron.compiling import Compiled, compiled
from allo_air.aie.iron.context import compile_context
from allo_air.aie.iron.current import get_current_device
from allo_air.aie.iron.scratchpad import check_values
from allo_air.aie.iron.tensor import NpuTensor
from allo_air.core.walking import walk_named
from allo_air.dialects.declarations import device_of
from allo_air.dtypes import numpy_dtype
from allo_air.errors import AlloAirError, counted

if TYPE_CHECKING:
    import numpy as np

    from allo_air.aie_api.kernel import CppKernel
    from allo_air.mlir import AnyOp
    from allo_air.program.host.signature import Argument
    from allo_air.program.program import Program

T = TypeVar("T")
_OF_THE_COMPILER = (
    "is_placed", "use_cache", "source_files", "aiecc_flags", "compile_flags", "include_paths", "object_files", "full_elf",
)  # fmt: skip
"""Options of an NPU's tools, which have no effect: the host's compiler compiles kernels, and each design is compiled once."""


class CompileTime(Generic[T]):
    """The annotation of a compile-time parameter."""


class In:
    """The annotation of a tensor that the design reads."""


class Out:
    """The annotation of a tensor that the design writes."""


class InOut:
    """The annotation of a tensor that the design reads and writes."""


@dataclass(frozen=True)
class KernelResult:
    """The predicted time of a run, in nanoseconds (`npu_time`) and in `cycles`."""

    npu_time: float
    cycles: int
    success: bool = True
    trace: Any = None
    """The words of the trace, where the design is traced, as the trace units send them."""


class CallableDesign:
    """A generator of a design; a call compiles and runs it, once for each set of compile-time parameters and device."""

    def __init__(self, generator: Callable[..., object], bound: dict[str, object], trace_config: Any = None):
        self.generator, self.bound, self.trace_config = generator, bound, trace_config
        self.__name__, self.__doc__ = generator.__name__, generator.__doc__
        self._made: dict[Any, tuple[Any, Any]] = {}
        hints = _hints(generator)
        parameters = inspect.signature(generator).parameters
        self.annotated = {n for n, k in hints.items() if k in (In, Out, InOut)}
        self.tensors = [n for n in hints if n in self.annotated]
        if self.tensors:  # includes scalars of the sequence, which have no such annotation
            self.tensors = [n for n, p in parameters.items() if n in self.tensors or _is_positional(p, hints.get(n))]
        self.compile_time = [n for n in parameters if n not in self.tensors]
        for name in self.compile_time:
            if hints.get(name) is None and parameters[name].default is not inspect.Parameter.empty and self.tensors:
                raise IronTypeError(f"{self.__name__}: parameter '{name}' needs the annotation CompileTime[...]")

    def specialize(self, **parameters: object) -> CallableDesign:
        """The design with these compile-time parameters."""
        return CallableDesign(self.generator, {**self.bound, **parameters}, self.trace_config)

    def as_mlir(self, *tensors: object, **parameters: object) -> Any:
        """The module, in the aie dialect."""
        return self._generated(tensors, parameters)[0]

    def compile(self, *tensors: Any, **parameters: Any) -> Any:
        """The program for the simulator; `xclbin_path=`, `inst_path=`, `elf_path=`, ... write files."""
        paths = {n: parameters.pop(f"{n}_path", None) for n in ("xclbin", "elf", "full_elf", "pdi", "insts", "inst")}
        paths["insts"] = paths["insts"] or paths.pop("inst")
        result = self._made_of(tensors, parameters)
        result.write(paths)
        return result.program

    def __call__(self, *arguments: object, **parameters: Any) -> tuple[Any, KernelResult]:
        """Runs the design on tensors, which it reads and writes; returns the program and the predicted time."""
        positional, rest = list(arguments), {**self.bound, **parameters}
        names = self.tensors or [p for p in inspect.signature(self.generator).parameters if p not in rest]
        positional += [rest.pop(name) for name in names[len(positional) :] if name in rest]
        if self.tensors and len(positional) != len(self.tensors):
            raise IronTypeError(
                f"{self.__name__} takes {counted(len(self.tensors), 'tensor')} ({', '.join(self.tensors)}), got "
                f"{len(positional)}"
            )
        for name, value in zip(self.tensors, positional, strict=False):
            if name in self.annotated and not (isinstance(value, NpuTensor) or hasattr(value, "nbytes") or _is_number(value)):
                raise IronTypeError(
                    f"{self.__name__}: '{name}' is a tensor, got {type(value).__name__}; make one by iron.tensor"
                )
        values = self._scratchpad(rest)
        result = self._made_of(tuple(positional), rest)
        check_values(self.__name__, values, self.compile_time, result.text)
        program = result.program
        arrays = [_array(a) for a in positional if isinstance(a, NpuTensor) or (hasattr(a, "nbytes") and not _is_number(a))]
        trace = self._trace(program, arrays)
        shaped = [_as_declared(a, k) for a, k in zip(arrays, program.arguments, strict=False)]
        _check_sizes(self.__name__, shaped, program.arguments)
        settings = {"parameters": values} if values else {}
        program(*shaped, *arrays[len(shaped) :], *([] if trace is None else [trace]), **settings)
        if trace is not None and self.trace_config is not None:
            self.trace_config.write_trace(trace)
        report = program.report()
        return program, KernelResult(1e3 * report.microseconds, report.cycles, trace=trace)

    def _unknown(self, names: Iterable[str]) -> list[str]:
        """The entries of `names` that are not parameters of the generator."""
        parameters = inspect.signature(self.generator).parameters
        if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
            return []
        return [n for n in names if n not in parameters]

    def _scratchpad(self, rest: dict[str, object]) -> dict[str, Any]:
        """Removes from `rest` the values of scratchpad parameters, those that are not parameters of the generator, and
        returns them."""
        return {n: rest.pop(n) for n in self._unknown(tuple(rest))}

    def _trace(self, program: Program, arrays: list[np.ndarray]) -> Any:
        """The buffer of a traced design, which follows its arrays; None for a design without traces."""
        import numpy as np

        if len(program.arguments) != len(arrays) + 1:
            return None
        last = program.arguments[-1]
        return np.zeros(last.shape, np.int8) if last.element == "i8" else None

    def _made_of(self, tensors: tuple[Any, ...], parameters: dict[str, object]) -> Compiled:
        rest = {**self.bound, **parameters}
        about = tuple(
            int(t) if _is_number(t) else (tuple(t.shape), str(t.dtype)) if hasattr(t, "dtype") else t for t in tensors
        )
        key = (repr(about), repr(sorted(rest.items())), get_current_device())
        if key not in self._made:
            module, kernels = self._generated(tensors, parameters)
            _check_kernels(module.operation, kernels)
            numbers = {i: int(t) for i, t in enumerate(tensors) if _is_number(t)}
            self._made[key] = module, compiled(module, kernels, numbers)
        return self._made[key][1]

    def _generated(self, tensors: tuple[object, ...], parameters: Mapping[str, object]) -> tuple[Any, dict[str, Any]]:
        from allo_air.aie.iron.modules import noting

        kernels: dict[str, Any] = {}
        rest = {**self.bound, **parameters}
        refuse(dict.fromkeys(self._unknown(rest)), self.__name__)
        blank = [None] * (len(self.tensors) - len(tensors))
        with noting(kernels), compile_context(**rest):
            result = self.generator(*tensors, *blank, **rest)
        if not hasattr(result, "operation"):
            raise IronValueError(
                f"{self.__name__} returned {type(result).__name__}, expected the module of Program(...).resolve_program()"
            )
        return result, kernels


class CompilableDesign(CallableDesign):
    """A generator with the values of its compile-time parameters, `compile_kwargs`."""

    def __init__(
        self,
        generator: Callable[..., object],
        compile_kwargs: Mapping[str, object] | None = None,
        *,
        trace_config: object = None,
        **keywords: object,
    ):
        refuse(keywords, "CompilableDesign", ignored=_OF_THE_COMPILER)
        bound, value = dict(compile_kwargs or {}), cast(Any, generator)
        if isinstance(value, CallableDesign):
            bound, trace_config = {**value.bound, **bound}, trace_config or value.trace_config
            value = value.generator
        elif isinstance(value, str | os.PathLike):
            value = _reading(value)
        elif not callable(value):
            raise IronTypeError(f"CompilableDesign takes a generator, or the path of a module, got {value!r}")
        super().__init__(value, bound, trace_config)


def jit(function: Callable[..., object] | None = None, **bound: object) -> Any:
    """`@iron.jit`, or `@iron.jit(n=64)` with compile-time parameters; options of the compiler are accepted and ignored."""
    for name in _OF_THE_COMPILER:
        bound.pop(name, None)
    trace_config = bound.pop("trace_config", None)
    if function is None:
        return lambda f: CallableDesign(f, bound, trace_config)
    return CallableDesign(function, bound, trace_config)


def compileconfig(function: Callable[..., object] | None = None, **options: Any) -> Any:
    """`@iron.compileconfig`: as `jit`, a design that is compiled and not called."""
    result = jit(**options)
    return result if function is None else result(function)


def _reading(path: str | os.PathLike[str]) -> Callable[..., Any]:
    """The generator that returns the module of a file."""

    def read(*_tensors: object, **_: object) -> Any:
        try:
            text = Path(path).read_text(encoding="utf-8")
        except OSError as why:
            raise IronValueError(f"CompilableDesign: cannot read '{path}': {why.strerror}") from why
        return Module.parse(text, Context())

    read.__name__ = Path(path).stem
    return read


def _hints(function: Callable[..., object]) -> dict[str, Any]:
    try:
        type_hints = get_type_hints(function)
    except (NameError, TypeError):  # annotations that this layer does not know
        type_hints = dict(getattr(function, "__annotations__", {}))
    return {n: get_origin(k) or k for n, k in type_hints.items() if n != "return"}


def _is_positional(parameter: inspect.Parameter, hint: object) -> bool:
    """Whether a call passes `parameter` by position: it has no default, and is not a compile-time parameter."""
    return (
        parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        and parameter.default is parameter.empty
        and hint is not CompileTime
    )


def _as_declared(array: np.ndarray, argument: Argument) -> Any:
    """The memory of `array` with the shape and type that the sequence declares, if the number of bytes is the same."""
    import numpy as np

    dtype = np.dtype(numpy_dtype(argument.element))
    if (
        not isinstance(array, np.ndarray)
        or not array.flags.c_contiguous
        or (array.shape, array.dtype) == (argument.shape, dtype)
    ):
        return array
    if array.nbytes != prod(argument.shape) * dtype.itemsize:
        return array
    return array.reshape(-1).view(dtype).reshape(argument.shape)


def _is_number(argument: object) -> bool:
    """Whether it is a scalar of the sequence: an integer of Python or numpy."""
    return isinstance(argument, Integral)


def _check_kernels(module: AnyOp, kernels: Mapping[str, CppKernel]) -> None:
    """IronRuntimeError with the compiler's message for a C++ kernel that does not compile."""
    architectures = {device_of(op).arch for op in walk_named(module, "aie.device")}
    for name, kernel in kernels.items():
        for arch in architectures:
            try:
                kernel.function(name, arch)
            except AlloAirError as error:
                raise IronRuntimeError(f"ExternalFunction '{name}': {error}") from None


def _check_sizes(who: str, arrays: list[np.ndarray], arguments: tuple[Argument, ...]) -> None:
    for number, (array, argument) in enumerate(zip(arrays, arguments, strict=False)):
        size = prod(argument.shape) * numpy_dtype(argument.element).itemsize
        if array.nbytes != size:
            raise IronValueError(f"{who}: tensor {number} has {counted(array.nbytes, 'byte')}, and the design takes {size}")


def _array(argument: object) -> Any:
    return argument.numpy() if isinstance(argument, NpuTensor) else argument
