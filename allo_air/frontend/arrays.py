"""Converts the caller's arrays to the form of compiled code, checks them, and converts results back."""

from __future__ import annotations

from typing import Any

import numpy as np

from allo_air.errors import ArgumentError
from allo_air.frontend.annotations import Declared
from allo_air.frontend.constants import storage
from allo_air.frontend.values import DYNAMIC, shape_text


def _bytes_of(kind: Declared) -> int:
    """Bytes of an element in memory, by LLVM's rule: the next power of two, or the next multiple of 16."""
    size = -(-kind.element.bits // 8)
    return 1 << (size - 1).bit_length() if size <= 8 else -(-size // 16) * 16


def empty_result(kind: Declared) -> Any:
    """A zero array for a result."""
    dtype = storage(kind.element)
    shape = kind.shape or ()
    if dtype is None:
        return np.zeros((*shape, _bytes_of(kind)), np.uint8).view(np.dtype((np.void, _bytes_of(kind)))).reshape(shape)
    return np.zeros(shape, dtype)


def to_memory(value: int | np.ndarray, kind: Declared, name: str) -> Any:
    """`value` in the form of compiled code, or itself if it has that form. Raises ArgumentError if argument `name` cannot be
    converted.
    """
    array = np.asarray(value)
    if not kind.admits(array.shape):
        raise ArgumentError(f"{name} has shape {array.shape}, expected {_shape_text(kind)}")
    dtype = storage(kind.element)
    if dtype is None:
        if array.dtype == np.dtype((np.void, _bytes_of(kind))) or array.dtype.itemsize == _bytes_of(kind):
            return np.ascontiguousarray(array)
        return _sign_extended(array, kind)
    if kind.element.fixed:
        scaled = np.floor(array.astype(np.float64) * 2.0**kind.element.fracs)
        array = np.asarray(scaled, np.int64)
    if array.dtype.kind == "f" and kind.element.integral:
        raise ArgumentError(
            f"{name} has elements of {array.dtype}, expected {kind.element}; convert it with .astype('{dtype}')"
        )
    if array.dtype == dtype and array.flags.c_contiguous and kind.element.bits == dtype.itemsize * 8:
        return array
    result = array.astype(dtype, copy=True, order="C")
    if kind.element.bits < dtype.itemsize * 8 and not kind.element.floating:
        result = np.asarray(result & dtype.type((1 << kind.element.bits) - 1))
    return result


def _shape_text(kind: Declared) -> str:
    """A shape as numpy writes it, `...` if any size is allowed."""
    if not kind.shape:
        return "a number"
    return str(kind.shape) if DYNAMIC not in kind.shape else shape_text(kind.shape)


def _sign_extended(array: np.ndarray, kind: Declared) -> Any:
    """64-bit integers of numpy as integers of more bits, with the sign extended."""
    room = np.zeros((array.size, _bytes_of(kind)), np.uint8)
    for i, number in enumerate(array.reshape(-1)):
        room[i] = np.frombuffer((int(number) % (1 << kind.element.bits)).to_bytes(_bytes_of(kind), "little"), np.uint8)
    return room.view(np.dtype((np.void, _bytes_of(kind)))).reshape(array.shape)


def from_memory(array: np.ndarray, kind: Declared, dtype: np.dtype | None) -> Any:
    """The result of compiled code in `array`, with elements of type `dtype`, or of a type that can represent them."""
    element = kind.element
    stored = storage(element)
    if stored is None:
        if dtype is None or dtype.kind == "V":
            return array
        numbers = [int.from_bytes(a.tobytes(), "little") % (1 << element.bits) for a in array.reshape(-1)]
        return np.array(numbers, object).reshape(array.shape).astype(dtype)
    if not element.floating and element.bits < stored.itemsize * 8:
        spare = stored.itemsize * 8 - element.bits
        array = (array << stored.type(spare)) >> stored.type(spare)
    if element.fixed:
        array = array.astype(np.float64) * 2.0**-element.fracs
        return array.astype(dtype or np.float32)
    return array
