"""The one module that names the MLIR bindings' package; dialect modules load on first use.

`from allo_air.mlir import ir, scf` imports the bindings' core and that one dialect's module.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from torch_mlir import ir, rewrite
from torch_mlir._mlir_libs import _mlir as cext
from torch_mlir.passmanager import PassManager

if TYPE_CHECKING:
    from torch_mlir.dialects import affine, arith, bufferization, func, linalg, math, memref, scf, tensor, vector  # noqa: F401

__all__ = ["AnyOp", "PassManager", "cext", "ir", "library_path", "new_context", "rewrite"]

AnyOp: TypeAlias = ir.Operation | ir.OpView
"""An operation, or the view of its class."""

_PACKAGE = "torch_mlir"
# fmt: off
_DIALECTS = (
    "affine", "arith", "bufferization", "builtin", "cf", "complex", "emitc", "ext", "func", "gpu", "index",
    "irdl", "linalg", "llvm", "math", "memref", "ml_program", "pdl", "quant", "scf", "shape", "sparse_tensor",
    "tensor", "torch", "tosa", "transform", "ub", "vector",
)
_NAMESPACES = (
    "acc", "affine", "amdgpu", "amx", "arith", "arm_neon", "arm_sme", "arm_sve", "async", "bufferization", "builtin", "cf",
    "complex", "emitc", "func", "gpu", "index", "irdl", "linalg", "llvm", "math", "memref", "ml_program", "mpi", "nvgpu",
    "nvvm", "omp", "pdl", "pdl_interp", "ptr", "quant", "rocdl", "scf", "shape", "shard", "smt", "sparse_tensor", "spirv",
    "tensor", "tosa", "transform", "ub", "vector", "wasmssa", "x86vector", "xegpu", "xevm",
)
# fmt: on
_MODULES = {"execution_engine": "execution_engine", "runtime": "runtime", "structured": "dialects.transform.structured"}
_MODULES["tensor_transform"] = "dialects.transform.tensor"
_MODULES["fx"], _MODULES["onnx_importer"] = "fx", "extras.onnx_importer"
_MODULES["fx_importer"] = "extras.fx_importer"
_MODULES["fx_decompositions"] = "extras.fx_decomp_util"
_MODULES["ods_common"], _MODULES["np_to_memref"] = "dialects._ods_common", "runtime.np_to_memref"
_MODULES["opdsl"] = "dialects.linalg.opdsl.lang"
_MODULES["transform_interpreter"] = "dialects.transform.interpreter"
_MODULES |= {name: f"dialects.{name}" for name in _DIALECTS}
_MODULES["linalg_views"] = "dialects._linalg_ops_gen"


def __getattr__(name: str) -> Any:
    """Imports the dialect module `name` when it is first asked for."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    full_name = f"{_PACKAGE}.{_MODULES[name]}"
    module = _Linalg(full_name) if name == "linalg" else importlib.import_module(full_name)
    globals()[name] = module
    return module


def find_module(name: str) -> Any:
    """The module `name` of the bindings, as dialects.transform.loop; ModuleNotFoundError if there is none."""
    return importlib.import_module(f"{_PACKAGE}.{name}")


class _Linalg(ModuleType):
    """Stands for the bindings' module of linalg, which takes a tenth of a second to import because of its DSL.

    The module is imported for names that only it has, such as builders of named operations. Functions in C++
    (`isa_contraction_op`), classes of operations, `fill` and `copy` do not need it.
    """

    def __getattr__(self, name: str) -> Any:
        extension = importlib.import_module(f"{_PACKAGE}._mlir_libs._mlirDialectsLinalg")
        source = f"{_PACKAGE}.dialects.{'_linalg_ops_gen' if name.endswith('Op') else 'linalg'}"
        result = getattr(extension if hasattr(extension, name) else importlib.import_module(source), name)
        setattr(self, name, result)
        return result

    def fill(self, value: ir.Value, *, outs: Sequence[ir.Value]) -> Any:
        """Builds `linalg.fill` of `outs` with `value`; returns its result, or an empty list on memrefs."""
        return self._built(self.FillOp, value, outs)

    def copy(self, value: ir.Value, *, outs: Sequence[ir.Value]) -> Any:
        """Builds `linalg.copy` of `value` to `outs`; returns its result, or an empty list on memrefs."""
        signed = ir.Attribute.parse("#linalg.type_fn<cast_signed>")
        return self._built(self.CopyOp, value, outs, cast=signed)

    def _built(self, kind: Any, value: ir.Value, outs: Sequence[ir.Value], **attributes: ir.Attribute) -> Any:
        result = kind([o.type for o in outs if isinstance(o.type, ir.RankedTensorType)], [value], outs, **attributes)
        self.fill_builtin_region(result.operation)
        return result.results[0] if len(result.results) == 1 else result.results


_OF_KERNELS = (
    "affine", "arith", "cf", "func", "index", "llvm", "math", "memref", "scf", "ub", "vector",
)  # fmt: skip
"""Dialects of code that is compiled for the host."""


def new_context(*, allow_unregistered: bool = False, for_kernel: bool = False) -> ir.Context:
    """A context fit for Python-defined dialects: single-threaded, since their verifiers need Python's lock on every thread.

    All of MLIR's dialects are loaded, which takes 5 ms. With `for_kernel`, only those of kernels are; reading text or bytecode
    and running passes load others.
    """
    context = ir.Context(load_on_create_dialects=()) if for_kernel else ir.Context()
    for name in _OF_KERNELS if for_kernel else ():
        context.get_dialect_descriptor(name)  # `context.dialects[name]` would import the Python module of each
    context.enable_multithreading(False)
    context.allow_unregistered_dialects = allow_unregistered
    return context


def dialect_names() -> tuple[str, ...]:
    """Dialects of MLIR's that a context can load; the bindings have no list of them, so those that MLIR has are tried."""
    context = new_context()
    context.load_all_available_dialects()
    results = []
    for name in _NAMESPACES:
        try:
            context.get_dialect_descriptor(name)
        except ValueError:
            continue
        results.append(name)
    return tuple(results)


def library_path() -> str:
    """Path of the shared library that holds MLIR's C++ code."""
    from torch_mlir import _mlir_libs

    return f"{_mlir_libs.__path__[0]}/libTorchMLIRAggregateCAPI.so"
