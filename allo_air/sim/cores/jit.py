"""Compiles modules in the LLVM dialect with MLIR's execution engine, in threads that run in parallel to Python.

The bindings hold Python's lock while LLVM optimizes and emits code, which takes about as long as lowering the next core's
program in Python. MLIR's C functions do not need the lock.
"""

from __future__ import annotations

import ctypes
import os
import weakref
from functools import cache
from threading import Thread
from typing import Any

from allo_air.core.processes import usable_cores
from allo_air.mlir import ir, library_path

OPT_LEVEL = 2
"""LLVM's optimization level; 3 compiles longer and runs no faster on GEMM cores."""

THREADS = max(1, usable_cores() - 1)
"""Number of threads that compile at a time."""

_running: list[Thread] = []


def _join_compilers() -> None:
    """Waits for running compilations before a fork: a forked process has none of its parent's threads, but the locks that
    they held.
    """
    while _running:
        _running.pop().join()


os.register_at_fork(before=_join_compilers)


class Jitted:
    """The machine code of `module`, whose context has no other user. `symbols` are addresses of functions by name."""

    def __init__(self, module: ir.Module, name: str, symbols: tuple[tuple[str, int], ...]):
        self._module: ir.Module | None = module
        self._name, self._symbols = name, symbols
        self._entry = 0
        _running[:] = [thread for thread in _running if thread.is_alive()]
        while len(_running) >= THREADS:
            _running.pop(0).join()
        self._thread = Thread(target=self._make, name="allo-air-jit")
        _running.append(self._thread)
        self._thread.start()

    @property
    def entry(self) -> int:
        """The address of `void name(void **arguments)`, after waiting for the code; 0 if it cannot be linked."""
        self._thread.join()
        return self._entry

    def _make(self) -> None:
        c, module = _functions(), self._module
        engine = c.mlirExecutionEngineCreate(_pointer(module), OPT_LEVEL, 0, None, False, False)
        if engine:
            weakref.finalize(self, c.mlirExecutionEngineDestroy, engine).atexit = False
            for name, address in self._symbols:
                c.mlirExecutionEngineRegisterSymbol(engine, _String.of(name), address)
            c.mlirExecutionEngineInitialize(engine)
            self._entry = c.mlirExecutionEngineLookupPacked(engine, _String.of(self._name)) or 0
        self._module = None


class _String(ctypes.Structure):
    """MlirStringRef."""

    _fields_ = [("data", ctypes.c_char_p), ("length", ctypes.c_size_t)]

    @classmethod
    def of(cls, text: str) -> _String:
        return cls(text.encode(), len(text.encode()))


@cache
def _functions() -> Any:
    """MLIR's C API. It passes structs of one pointer by value, which is like passing the pointer."""
    library, pointer = ctypes.CDLL(library_path()), ctypes.c_void_p
    for name, result, kinds in (
        ("Create", pointer, (pointer, ctypes.c_int, ctypes.c_int, pointer, ctypes.c_bool, ctypes.c_bool)),
        ("Destroy", None, (pointer,)),
        ("RegisterSymbol", None, (pointer, _String, pointer)),
        ("Initialize", None, (pointer,)),
        ("LookupPacked", pointer, (pointer, _String)),
    ):
        function = getattr(library, f"mlirExecutionEngine{name}")
        function.restype, function.argtypes = result, kinds
    return library


def _pointer(module: Any) -> int:
    """The pointer in the MlirModule of `module`."""
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype, api.PyCapsule_GetName.argtypes = ctypes.c_char_p, [ctypes.py_object]
    api.PyCapsule_GetPointer.restype, api.PyCapsule_GetPointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    capsule = module._CAPIPtr
    return int(api.PyCapsule_GetPointer(capsule, api.PyCapsule_GetName(capsule)))
