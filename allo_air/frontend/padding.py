"""Pads tensors of a region if the mappings do not divide their sizes.

The size of a part is rounded up, and further to whole words for DMAs. `independence` decides whether kernels may receive padded
parts.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

from allo_air.errors import counted
from allo_air.frontend.annotations import Declared
from allo_air.frontend.memory import DTensor
from allo_air.frontend.ports import KernelSpec, Port, uneven
from allo_air.frontend.source import Source
from allo_air.frontend.types import ScalarType, carried

_Lengths = Mapping[tuple[int, int], int]
"""The padded size of a dimension, by its size and number of parts."""
WORD = 4
"""Bytes of a DMA word. Transfers and strides are multiples of it."""


def why_not_words(distributed: DTensor, element: ScalarType) -> str:
    """Why DMAs cannot move the parts of a tensor: they are not whole words, or start inside words. Empty if they can."""
    size = (carried(element) or element).bits // 8
    part, run, stride = distributed.local_shape(), size, size
    joined = True
    for dimension in reversed(range(len(part))):
        if joined:
            run *= part[dimension]
        elif part[dimension] > 1 and stride % WORD and not run % WORD:
            run = stride
        joined = joined and part[dimension] == distributed.shape[dimension]
        stride *= distributed.shape[dimension]
    if not run % WORD:
        return ""
    return (
        f"its parts have rows of {counted(run // size, 'element')} of {element}, and DMAs move whole words of {WORD} bytes; "
        f"make that a multiple of {WORD // size}"
    )


def pad(source: Source, kernels: Sequence[KernelSpec], tensors: Mapping[str, Declared]) -> dict[str, Declared]:
    """The padded tensors, with ports changed to their shapes; raises PaddingError if one cannot be padded."""
    ports = [(kernel, port) for kernel in kernels for port in kernel.ports]
    lengths = _lengths([p for _, p in ports])
    results = {}
    for number, (name, kind) in enumerate(tensors.items()):
        tensor_ports = [p for _, p in ports if p.tensor == number]
        shapes = {_rounded(p.distributed, lengths) for p in tensor_ports if p.uneven}
        shape = min(shapes, default=kind.shape)
        results[name] = replace(kind, shape=shape)
        if shape is None or not shapes:
            continue
        for kernel in kernels:
            kernel.ports = tuple(
                replace(p, distributed=replace(p.distributed, shape=shape)) if p.tensor == number else p for p in kernel.ports
            )
        owner = next(k for k, p in ports if p.tensor == number and p.uneven)
        if len(shapes) > 1 or any(_rounded(p.distributed, lengths) != shape for p in tensor_ports):
            raise owner.unsafe(source, "kernels get this tensor in parts of different sizes", number)
        for port in tensor_ports:
            if why := why_not_words(replace(port.distributed, shape=shape), kind.element):
                raise owner.unsafe(source, why, number)
    return results


def _lengths(ports: Sequence[Port]) -> _Lengths:
    """The smallest lengths for which all parts are whole words; without such lengths, the smallest of all."""
    kinds = dict.fromkeys(kind for p in ports for kind in _kinds(p.distributed).values())
    combinations = (
        itertools.product(range(WORD), repeat=len(kinds)) if len(kinds) < WORD else ((n,) * len(kinds) for n in range(WORD))
    )
    candidates = [
        {(size, parts): (-(-size // parts) + n) * parts for n, (size, parts) in zip(more, kinds, strict=True)}
        for more in sorted(combinations, key=sum)
    ]
    return next((c for c in candidates if all(_moves_whole_words(p, c) for p in ports if p.uneven)), candidates[0])


def _moves_whole_words(port: Port, lengths: _Lengths) -> bool:
    return not why_not_words(replace(port.distributed, shape=_rounded(port.distributed, lengths)), port.element)


def _kinds(distributed: DTensor) -> dict[int, tuple[int, int]]:
    """For each padded dimension of a distributed tensor: its size and its number of parts."""
    return {
        d: (distributed.shape[d], distributed.mapping[axis])
        for d in uneven(distributed)
        if (axis := distributed.axes()[d]) is not None
    }


def _rounded(distributed: DTensor, lengths: _Lengths) -> tuple[int, ...]:
    kinds = _kinds(distributed)
    return tuple(lengths[kinds[d]] if d in kinds else size for d, size in enumerate(distributed.shape))
