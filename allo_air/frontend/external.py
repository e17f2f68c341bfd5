"""Kernels in C++ that cores call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from allo_air.errors import AlloAirError


@dataclass(frozen=True, eq=False)
class ExternalModule:
    """The function `top` of a C++ file; a kernel calls it as `module(A, B, C)`.

    `input_idx` and `output_idx` are the numbers of its arguments that are read and written. The simulator compiles the file for
    the host, against an emulation of the AIE API; or it calls `emulate` instead, a Python function on numpy views of the
    arguments. `defines` are macros.
    """

    top: str
    impl_path: str | Path
    input_idx: Sequence[int]
    output_idx: Sequence[int]
    emulate: Any = None
    defines: Mapping[str, object] = field(default_factory=dict)
    kernel_hook: str = field(default="external", init=False)

    def __post_init__(self) -> None:
        numbers = sorted({*self.input_idx, *self.output_idx})
        if numbers != list(range(len(numbers))):
            raise AlloAirError(
                f"external kernel '{self.top}': input_idx and output_idx must number all arguments from 0, "
                f"found {list(self.input_idx)} and {list(self.output_idx)}"
            )

    @property
    def kernel(self) -> Any:
        """The simulator's replacement of `top`."""
        from allo_air.aie_api.kernel import CppKernel

        return self.emulate if self.emulate is not None else CppKernel(self.impl_path, self.defines)
