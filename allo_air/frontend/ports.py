"""Kernels of a region and their parameters (ports), each a tensor of the region that is distributed to the cores."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from allo_air.errors import counted
from allo_air.frontend.errors import PaddingError
from allo_air.frontend.memory import DTensor
from allo_air.frontend.source import Source


def uneven(distributed: DTensor) -> list[int]:
    """The dimensions whose sizes the mapping does not divide."""
    return [
        d
        for d, (size, axis) in enumerate(zip(distributed.shape, distributed.axes(), strict=True))
        if axis is not None and size % distributed.mapping[axis]
    ]


def _refusal(distributed: DTensor, padded_shape: tuple[int, ...], reason: str) -> str:
    """The message for a tensor that cannot be padded to `padded_shape`."""
    dimension = uneven(distributed)[0]
    axis = distributed.axes()[dimension]
    assert axis is not None
    size, parts = distributed.shape[dimension], distributed.mapping[axis]
    divisors = ", ".join(str(n) for n in range(1, min(size, 64) + 1) if size % n == 0)
    return (
        f"dimension {dimension} of size {size} cannot be cut into "
        f"{counted(parts, 'equal part')} (dimension {axis} of the mapping "
        f"{list(distributed.mapping)}), and padding it to {padded_shape[dimension]} may be unsafe: {reason}; pad the tensor to "
        f"{padded_shape[dimension]} in the program, or give this dimension of the mapping a divisor of {size} ({divisors})"
    )


@dataclass(frozen=True)
class Port:
    """A parameter of a kernel."""

    name: str
    tensor: int
    """Number of the region's tensor."""
    element: Any
    """The element type."""
    distributed: DTensor
    """How the tensor is distributed to the cores; its shape includes padding."""
    own_shape: tuple[int, ...] = ()
    """The tensor's shape without padding."""
    outer: str = ""
    """The tensor's name in the region."""

    @property
    def uneven(self) -> list[int]:
        """The dimensions whose sizes the mapping does not divide."""
        return uneven(replace(self.distributed, shape=self.own_shape))

    @property
    def is_padded(self) -> bool:
        return self.own_shape != self.distributed.shape


@dataclass
class KernelSpec:
    """A kernel of a region."""

    name: str
    node: ast.FunctionDef
    mapping: tuple[int, ...]
    ports: tuple[Port, ...]

    @property
    def padded(self) -> list[Port]:
        """The parameters whose tensors are padded."""
        return [p for p in self.ports if p.is_padded]

    def unsafe(self, source: Source, reason: str, tensor: int | None = None) -> PaddingError:
        """The error that padding could change the kernel's results, with the `reason`. It names parameter `tensor`, or the
        first padded one.
        """
        port = next(p for p in self.padded if p.uneven and tensor in (None, p.tensor))
        argument = next(a for a in self.node.args.args if a.arg == port.name)
        unpadded = replace(port.distributed, shape=port.own_shape)
        refusal = _refusal(unpadded, port.distributed.shape, reason)
        refusal = f"parameter '{port.name}' of kernel '{self.name}' (tensor '{port.outer}'): {refusal}"
        return PaddingError(refusal, source.file, argument.lineno, argument.col_offset + 1)

    def pids(self) -> Iterator[tuple[int, ...]]:
        """The numbers of all cores, the last dimension fastest."""
        return itertools.product(*map(range, self.mapping))
