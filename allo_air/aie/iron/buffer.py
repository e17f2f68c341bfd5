"""`Buffer`: memory of a core's tile, with a value at start if it has one."""

from __future__ import annotations

from itertools import count
from typing import Any

from allo_air.aie.iron.arrays import ArrayType, array_type
from allo_air.aie.iron.device import Tile
from allo_air.aie.iron.errors import IronRuntimeError, IronTypeError, IronValueError, user_place
from allo_air.aie.iron.values import Memory, Scalar
from allo_air.aie.iron.writing import any_writer
from allo_air.dtypes import element_of

_NUMBERS = count()


class Buffer:
    """A buffer of `type`; with `use_write_rtp` the sequence may write its elements."""

    def __init__(
        self, type: Any = None, initial_value: Any = None, name: str | None = None, tile: Tile | None = None,
        use_write_rtp: bool = False, address: int | None = None,
    ):  # fmt: skip
        import numpy as np

        if type is None and initial_value is None:
            raise IronValueError("Buffer needs a type or an initial value")
        self.initial = None if initial_value is None else np.asarray(initial_value)
        if type is not None:
            self.type = array_type(type, "Buffer")
        else:
            assert self.initial is not None
            self.type = ArrayType(self.initial.shape, element_of(self.initial.dtype))
        if self.initial is not None and tuple(self.initial.shape) != self.type.shape:
            raise IronValueError(
                f"Buffer: the initial value has shape {list(self.initial.shape)}, wanted {list(self.type.shape)}"
            )
        self.name = name or f"buf_{next(_NUMBERS)}"
        self.tile, self.use_write_rtp, self.address = tile, use_write_rtp, address
        self.end: Tile | None = tile
        self.place = user_place()

    @property
    def shape(self) -> tuple[int, ...]:
        """Its extents."""
        return self.type.shape

    @property
    def dtype(self) -> Any:
        """Its numpy dtype."""
        return self.type.dtype

    @property
    def value(self) -> str:
        """What it is called in the device."""
        return f"%{self.name}"

    def bind(self, tile: Tile, who: str) -> None:
        """Says which tile it is on, unless the program pinned it elsewhere."""
        if self.end is None:
            self.end = tile
        elif self.end is not tile and self.tile is None:
            raise IronValueError(
                f"Buffer '{self.name}' is used by two workers, of which {who} is the second; pin it with tile="
            )

    def written(self, names: dict[int, str]) -> str:
        """The operation."""
        attributes = f'sym_name = "{self.name}"' + (f", address = {self.address} : i32" if self.address is not None else "")
        start = ""
        if self.initial is not None:
            start = f" = dense<{self._text(self.initial.tolist())}>"
        return f"{self.value} = aie.buffer({names[id(self.end)]}) {{{attributes}}} : {self.type.memref}{start}"

    def _text(self, given: Any) -> str:
        if isinstance(given, list):
            return f"[{', '.join(map(self._text, given))}]"
        return f"{float(given):.9e}" if self.type.element.lstrip("b").startswith("f") else str(int(given))

    def __getitem__(self, index: Any) -> Scalar:
        return Memory(self.value, self.type)[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        out = any_writer("a Buffer is written")
        if out.where == "core":
            Memory(self.value, self.type)[index] = value
            return
        if not self.use_write_rtp:
            raise IronRuntimeError(f"Buffer '{self.name}' is written in the sequence; make it with use_write_rtp=True")
        if not isinstance(index, int) or not isinstance(value, int):
            raise IronTypeError(f"Buffer '{self.name}': the sequence writes integers at indices that are integers")
        out.op(f"aiex.npu.rtp_write(@{self.name}, {index}, {value})")
