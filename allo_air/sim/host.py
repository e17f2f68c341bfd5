"""The host's buffers: numpy arrays against the types of a runtime sequence's arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from allo_air.errors import AlloAirError
from allo_air.mlir import ir
from allo_air.sim.layout import bits_of, bytes_of


def check(sequence: Any, arrays: Sequence[Any]) -> None:
    """AlloAirError where `arrays` are not what the arguments of `sequence` want: count, element type, bytes, layout.

    Arguments at the end that the sequence does not use may be left out. Integer elements may be given as narrower ones of as
    many bytes in all: sequences often move packed data as words.
    """
    arguments = list(sequence.body.blocks[0].arguments)
    name = f"@{sequence.sym_name}"
    wanted = f"{name} takes {len(arguments)} ({', '.join(str(a.type) for a in arguments)})"
    if len(arrays) > len(arguments):
        raise AlloAirError(f"{len(arrays)} arrays given; {wanted}")
    for i, argument in enumerate(arguments):
        if i >= len(arrays):
            if len(list(argument.uses)):
                raise AlloAirError(f"{len(arrays)} arrays given; {wanted}")
            continue
        _check(sequence, name, i, argument.type, arrays[i])


_FLOATS = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}
"""numpy's names of MLIR's floats."""


def _other_kind(element: str, dtype: Any) -> str:
    """What arrays for `element` hold, where `dtype` is a number of another kind; bits of 16-bit floats may come as integers."""
    if element in _FLOATS:
        raw = dtype.kind in "iu" and dtype.itemsize == 2
        return "" if raw or dtype.name == _FLOATS[element] else _FLOATS[element]
    integer = element.lstrip("su").startswith("i") and element != "index"
    return "integers" if integer and (dtype.kind in "fc" or dtype.name == "bfloat16") else ""


def _check(sequence: Any, name: str, i: int, memref: Any, array: Any) -> None:
    where = f"argument {i} of {name} is {memref}"
    if not isinstance(array, np.ndarray):
        raise AlloAirError(f"{where}; wanted a numpy array, found {type(array).__name__}")
    if isinstance(memref, ir.UnrankedMemRefType) or (isinstance(memref, ir.MemRefType) and not memref.has_static_shape):
        bits, size = bits_of(sequence, memref), None
    elif isinstance(memref, ir.MemRefType):
        bits, size = bits_of(sequence, memref), bytes_of(sequence, memref)
    else:
        raise AlloAirError(f"{where}; the simulator passes memrefs only, scalars are constants of the sequence")
    width = array.dtype.itemsize * 8
    packed = isinstance(memref.element_type, ir.IntegerType) and width < bits and array.nbytes == size
    if bits <= 64 and width != bits and not packed:
        raise AlloAirError(f"{where}, elements of {bits} bits; the array given has dtype {array.dtype}, {width} bits")
    if not packed and (fitting := _other_kind(str(memref.element_type), array.dtype)):
        raise AlloAirError(
            f"{where}; the array given has dtype {array.dtype}, whose bits mean something else: convert it to {fitting} or, "
            "where the bits are meant, give a view of that type"
        )
    if size is not None and array.nbytes != size:
        shape = "x".join(map(str, array.shape))
        raise AlloAirError(
            f"{where}, {size} bytes; the array given is {shape or 'a scalar'} of {array.dtype}, {array.nbytes} bytes"
        )
    if not array.flags.c_contiguous:
        raise AlloAirError(f"{where}; the array given is not C-contiguous: pass numpy.ascontiguousarray(...) of it")
    if not array.flags.writeable:
        raise AlloAirError(f"{where}; the array given is read-only, and results are written in place")
