"""Checks the host's buffers, numpy arrays, by the types of a runtime sequence's arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from allo_air.core.walking import walk_named
from allo_air.dtypes import is_masked, numpy_dtype
from allo_air.errors import AlloAirError, ArgumentError, counted, with_article
from allo_air.mlir import ir
from allo_air.sim.layout import bits_of, bytes_of


def check(sequence: Any, arrays: Sequence[np.ndarray]) -> None:
    """Checks that `arrays` match the arguments of `sequence` in number, element type and layout; raises AlloAirError
    otherwise.

    Unused arguments at the end may be omitted. Arrays after the last argument are those that `arg_idx` of an address patch
    selects, such as trace buffers. Integer elements may be passed as narrower ones of as many bytes, since sequences often
    move packed data as words. The length of an array is checked by the run: each transfer must end inside it.
    """
    arguments = list(sequence.body.blocks[0].arguments)
    name = f"@{sequence.sym_name}"
    signature = f"{name} takes {len(arguments)} ({', '.join(str(a.type) for a in arguments)})"
    if len(arrays) > len(arguments):
        patched = max((op.opview.arg_idx for op in _patches(sequence)), default=-1) + 1
        if len(arrays) > patched:
            more = f", and patches addresses of {patched} (arg_idx)" if patched > len(arguments) else ""
            raise AlloAirError(f"{counted(len(arrays), 'array')} given; {signature}{more}")
    for i, argument in enumerate(arguments):
        if i >= len(arrays):
            if len(list(argument.uses)):
                raise AlloAirError(f"{counted(len(arrays), 'array')} given; {signature}")
            continue
        _check_elements(sequence, f"argument {i} of {name} is {argument.type}", argument.type, arrays[i])
    for i, array in enumerate(arrays):
        _check_memory(f"argument {i} of {name}", array)


def _patches(sequence: ir.Operation) -> list[Any]:
    """The address patches of the module of `sequence`, which may run other sequences."""
    around = sequence.operation
    while around.parent is not None:
        around = around.parent.operation
    return walk_named(around, "aiex.npu.address_patch")


def _other_kind(element: str, dtype: np.dtype) -> str:
    """The kind of numbers that arrays for `element` need, if `dtype` is of another kind; otherwise empty. Bits of 16-bit
    floats may be passed as integers.
    """
    if element in ("f16", "bf16", "f32", "f64"):
        raw, dtype_expected = dtype.kind in "iu" and dtype.itemsize == 2, numpy_dtype(element)
        return "" if raw or dtype == dtype_expected else dtype_expected.name
    integer = element.lstrip("su").startswith("i") and element != "index"
    return "integers" if integer and (dtype.kind in "fc" or dtype.name == "bfloat16") else ""


def _check_elements(sequence: ir.Operation, where: str, memref: ir.Value, array: object) -> None:
    if not isinstance(array, np.ndarray):
        text = "None" if array is None else with_article(type(array).__name__)
        raise ArgumentError(f"{where}; expected a numpy array, found {text}")
    if is_masked(array):
        raise ArgumentError(f"{where}; the array given is masked, and the device knows no masks: give .filled(...) of it")
    if array.dtype.hasobject or not array.dtype.isnative:
        kind = "Python objects" if array.dtype.hasobject else "numbers of the other byte order"
        raise ArgumentError(f"{where}; the array given has dtype {array.dtype}, {kind}: convert it with .astype(...)")
    if not isinstance(memref, ir.MemRefType | ir.UnrankedMemRefType):
        raise AlloAirError(f"{where}; the simulator passes memrefs only, scalars are constants of the sequence")
    bits, width = bits_of(sequence, memref), array.dtype.itemsize * 8
    shaped = isinstance(memref, ir.MemRefType) and memref.has_static_shape
    enough = array.nbytes >= bytes_of(sequence, memref) if shaped else array.nbytes * 8 % bits == 0
    packed = isinstance(memref.element_type, ir.IntegerType) and width < bits and enough
    if bits <= 64 and width != bits and not packed:
        raise AlloAirError(
            f"{where}, elements of {counted(bits, 'bit')}; the array given has dtype {array.dtype}, {counted(width, 'bit')}"
        )
    if not packed and (fitting := _other_kind(str(memref.element_type), array.dtype)):
        raise AlloAirError(
            f"{where}; the array given has dtype {array.dtype}, whose bits have another meaning: convert it to {fitting}, or"
            f" pass a view of that type if the bits are right"
        )


def _check_memory(where: str, array: np.ndarray) -> None:
    if not isinstance(array, np.ndarray):
        raise AlloAirError(f"{where}: expected a numpy array, found {type(array).__name__}")
    if not array.flags.c_contiguous:
        raise AlloAirError(f"{where}: the array given is not C-contiguous: pass numpy.ascontiguousarray(...) of it")
    if not array.flags.writeable:
        raise AlloAirError(f"{where}: the array given is read-only, and results are written in place")
