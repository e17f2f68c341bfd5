"""Kernels that are written in C++ for the cores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from allo_air.errors import AlloAirError


@dataclass(frozen=True, eq=False)
class ExternalModule:
    """The function `top` of a C++ file, called in a kernel as `module(A, B, C)`.

    `input_idx` and `output_idx` number its arguments. `emulate` is a Python function on numpy views of the
    arguments; the simulator calls it in the place of the C++ code.
    """

    top: str
    impl_path: str | Path
    input_idx: Sequence[int]
    output_idx: Sequence[int]
    emulate: Any = None
    kernel_hook: str = field(default="external", init=False)

    def __post_init__(self) -> None:
        numbers = sorted({*self.input_idx, *self.output_idx})
        if numbers != list(range(len(numbers))):
            raise AlloAirError(
                f"external kernel '{self.top}': input_idx and output_idx must number all arguments from 0, "
                f"found {list(self.input_idx)} and {list(self.output_idx)}"
            )
