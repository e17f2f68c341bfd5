"""Compiles outlined functions with MLIR's JIT; kept by their text for the life of the process."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from io import BytesIO
from math import inf, prod
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from allo_air import dialects
from allo_air.core.diagnostics import translate
from allo_air.core.divisions import make_divisions_safe
from allo_air.core.expand import LIBRARY, expand_operations
from allo_air.core.loops import LOOPS, Loop
from allo_air.core.walking import walk_named
from allo_air.dialects.aievec_meaning import expand_aievec
from allo_air.dialects.mac import expand_macs
from allo_air.errors import DiagnosticError
from allo_air.interp.carried import carry_as_bits
from allo_air.interp.errors import OutOfBounds, RunError
from allo_air.interp.instrument import accumulate_in_f32, flatten_loads, instrument, unmask
from allo_air.interp.loop_order import go_along_rows
from allo_air.interp.memory import View
from allo_air.mlir import AnyOp, PassManager, execution_engine, ir, new_context

if TYPE_CHECKING:
    from collections.abc import Sequence

_LOOPS = "builtin.module(func.func(convert-linalg-to-loops,scf-forall-to-for),lower-affine)"
"""Afterwards only operations of memref and vector access memory."""

_LOWER = ",".join(
    (
        "builtin.module(func.func(lower-vector-mask,lower-vector-multi-reduction)",
        "convert-vector-to-scf{full-unroll=1}",
        "math-extend-to-supported-types{target-type=f32}",
        "arith-emulate-unsupported-floats{source-types=bf16,f16 target-type=f32}",
        "expand-strided-metadata",
        "lower-affine",
        "convert-scf-to-cf",
        "convert-vector-to-llvm{vector-contract-lowering=outerproduct}",
        "convert-ub-to-llvm",
        "func.func(arith-expand{include-bf16=1})",
        LIBRARY,
        "convert-math-to-llvm",
        "convert-math-to-libm",
        "convert-vector-to-llvm",
        "finalize-memref-to-llvm",
        "convert-arith-to-llvm",
        "convert-index-to-llvm",
        "convert-cf-to-llvm",
        "convert-func-to-llvm",
        "reconcile-unrealized-casts)",
    )
)
"""bf16 and f16 arithmetic is done in f32 and rounded after each operation, as the types' definition has it."""


_SHORT = 1 << 18
"""Number of operations up to which unoptimized code is faster than optimizing it."""
_UNKNOWN = ("scf.while", "scf.parallel", "cf.br", "cf.cond_br", "cf.switch", "func.call")
"""Operations after which the number of executions of the following operations is unknown."""
_PATIENCE = 0.05
"""Seconds in unoptimized code after which it is optimized: about the time that optimization takes."""


@dataclass
class Kernel:
    """Machine code; `checks` are the names of the operations that it checks, in the order of their numbers.

    `optimized` compiles optimized code; it is set for code that was first compiled without optimization.
    """

    engine: Any
    call: Any
    checks: tuple[str, ...] = ()
    error: str = ""
    keep: list[Any] = field(default_factory=list)
    optimized: Callable[[], tuple[Any, Any]] | None = None
    spent: float = 0.0

    def run(self, packed: int) -> None:
        """Calls it with the address of the addresses of its arguments."""
        if self.optimized is None:
            self.call(packed)
            return
        start = perf_counter()
        self.call(packed)
        self.spent += perf_counter() - start
        if self.spent > _PATIENCE:
            self.engine, self.call = self.optimized()
            self.optimized = None


@lru_cache(maxsize=4096)
def compiled(text: str, tracked: tuple[int, ...] | None = None) -> Kernel:
    """The kernel of function `kernel` in `text`; with `tracked`, numbers of memref arguments, it
    takes a companion for each of them, and a cell for an error.
    """
    context = new_context(for_kernel=True)
    with context, ir.Location.unknown():
        try:
            dialects.load(context, ("xllvm", "aievec") if "aievec." in text else ("xllvm",))
            module = ir.Module.parse(text)
            expand_macs(module.operation)
            if "aievec." in text:
                expand_aievec(module.operation)
            expand_operations(module.operation)
            accumulate_in_f32(module.operation)
            flatten_loads(module.operation)
            unmask(module.operation)
            go_along_rows(module.operation)
            PassManager.parse(_LOOPS).run(module.operation)
            make_divisions_safe(module.operation)
            if tracked is None and walk_named(module.operation, "cf.assert"):
                raise NotImplementedError("cf.assert in a kernel without checks")  # MLIR's lowering ends the process
            checks = [] if tracked is None else instrument(module.operation, tracked)
            kernel = jitted(module, "kernel", opt_level=1)
        except (ir.MLIRError, DiagnosticError, NotImplementedError, RuntimeError) as error:
            message = _message_of(error)
            return Kernel(None, None, error=message)
        return replace(kernel, checks=tuple(checks))


def jitted(module: ir.Module, name: str, *, opt_level: int, runtime: Mapping[str, object] | None = None) -> Kernel:
    """Compiles function `name` of `module`, whose linalg is loops, to machine code, optimized to `opt_level` if that pays.

    `runtime` has ctypes functions for the functions that the module declares with a C interface.
    """
    if not _is_short(module.operation):
        return Kernel(*_lowered(module, name, opt_level, runtime), keep=[runtime])
    written = BytesIO()
    module.operation.write_bytecode(written)
    again = partial(_read_and_lowered, written.getvalue(), name, opt_level, runtime)
    return Kernel(*_lowered(module, name, 0, runtime), keep=[runtime], optimized=again)


def _read_and_lowered(written: bytes, name: str, opt_level: int, runtime: Mapping[str, object] | None) -> tuple[Any, Any]:
    with new_context(for_kernel=True) as context, ir.Location.unknown():
        dialects.load(context, ("xllvm",))
        return _lowered(ir.Module.parse(written), name, opt_level, runtime)


def _lowered(module: ir.Module, name: str, opt_level: int, runtime: Mapping[str, object] | None) -> tuple[Any, Any]:
    """The engine and the address of a function."""
    carry_as_bits(module.operation)
    PassManager.parse(_LOWER).run(module.operation)
    engine = execution_engine.ExecutionEngine(module, opt_level=opt_level)
    for symbol, function in (runtime or {}).items():
        engine.register_runtime(symbol, function)
    return engine, engine.lookup(name)


def _is_short(module: ir.Operation) -> bool:
    """Whether all loops have bounds that are known, and little is done in them."""

    def work(op: ir.Operation, times: int) -> float:
        """How often operations in `op`, and `op`, are executed, those on vectors for each element."""
        if op.name in _UNKNOWN:
            return inf
        own = max([1, *(prod(r.type.shape) for r in op.results if isinstance(r.type, ir.VectorType))])
        inside = 1 if op.name not in LOOPS else Loop(op).trips()
        if inside is None:
            return inf
        nested = (o.operation for region in op.regions for block in region for o in block)
        return times * own + sum(work(o, times * inside) for o in nested)

    return work(module, 1) <= _SHORT


def _message_of(error: Exception) -> str:
    if isinstance(error, ir.MLIRError):
        error = translate(error)
    return error.diagnostics[0].message if isinstance(error, DiagnosticError) else str(error)


@lru_cache(maxsize=64)
def _descriptor(rank: int) -> Any:
    fields = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p), ("offset", ctypes.c_int64)]
    if rank:
        fields += [("sizes", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)]
    return type("Descriptor", (ctypes.Structure,), {"_fields_": fields})


def describe(flat: np.ndarray, view: View) -> Any:
    """The memref descriptor of `view`'s walk over the array `flat`."""
    rank, address = len(view.sizes), flat.ctypes.data
    result = _descriptor(rank)(address, address, view.offset)
    if rank:
        result.sizes[:] = view.sizes
        result.strides[:] = view.strides
    return result


def describe_array(array: np.ndarray) -> Any:
    """The memref descriptor of a contiguous array."""
    result = _descriptor(array.ndim)(array.ctypes.data, array.ctypes.data, 0)
    if array.ndim:
        result.sizes[:] = array.shape
        result.strides[:] = [s // array.itemsize for s in array.strides]
    return result


def invoke(kernel: Kernel, arguments: list[Any]) -> None:
    """Calls with indices as Python numbers and memrefs as descriptors."""
    cells = [ctypes.c_int64(a) if isinstance(a, int) else ctypes.c_void_p(ctypes.addressof(a)) for a in arguments]
    packed = (ctypes.c_void_p * len(cells))(*(ctypes.addressof(c) for c in cells))
    kernel.run(ctypes.addressof(packed))


def passed(
    operands: Sequence[View | int | np.generic | np.ndarray], scalars: tuple[np.dtype, ...]
) -> tuple[list[np.ndarray], list[Any]]:
    """The objects to keep alive during a call, and the arguments of a kernel; `scalars` as in Outlined."""
    keep, arguments = [], []
    for value, scalar in zip(operands, scalars, strict=True):
        if isinstance(value, View):
            arguments.append(describe(value.buffer.data, value))
        elif isinstance(value, int) and scalar is None:
            arguments.append(value)
        else:
            array = np.ascontiguousarray(value, scalar).reshape(np.shape(value))
            keep.append(array)
            arguments.append(describe_array(array))
    return keep, arguments


def failure(op: AnyOp, check: str) -> RunError:
    """The message about operation `op` for a failed check of a kernel."""
    kind, _, message = check.partition(": ")
    if kind == "cf.assert":
        return RunError(op, f"has an assertion that does not hold: {message}")
    return OutOfBounds(op, f"has a {check} outside of its buffer")


def cell() -> np.ndarray:
    """The output in which a kernel stores the number of the failed check, 0 for none."""
    return np.zeros(1, np.int64)
