"""The host's buffers: numpy arrays against the types of a runtime sequence's arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from allo_air.errors import AlloAirError
from allo_air.mlir import ir
from allo_air.sim.layout import bits_of, bytes_of


def check(sequence: Any, arrays: Sequence[Any]) -> None:
    """AlloAirError where `arrays` are not what the arguments of `sequence` want: count, element width, bytes, layout.

    Arguments at the end that the sequence does not use may be left out.
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
    if bits <= 64 and array.dtype.itemsize * 8 != bits:
        raise AlloAirError(
            f"{where}, elements of {bits} bits; the array given has dtype {array.dtype}, {array.dtype.itemsize * 8} bits"
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
