"""`Buffer`: memory of a core's tile, with an optional initial value."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from allo_air.aie.building.arrays import ArrayType, array_type
from allo_air.aie.building.errors import IronRuntimeError, IronTypeError, IronValueError, user_place
from allo_air.aie.building.scope import located, place, require_any
from allo_air.aie.building.values import Scalar
from allo_air.aie.dialects._aie_buffers import buffer
from allo_air.aie.dialects._aiex_npu import npu_rtp_write
from allo_air.aie.iron.device import Tile
from allo_air.dtypes import element_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_NUMBERS = count()


class Buffer:
    """A buffer of `type`; with `use_write_rtp` the sequence may write its elements."""

    def __init__(
        self, type: object = None, initial_value: ArrayLike | None = None, name: str | None = None, tile: Tile | None = None,
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
                f"Buffer: the initial value has shape {list(self.initial.shape)}, expected {list(self.type.shape)}"
            )
        self.name = name or f"buf_{next(_NUMBERS)}"
        self.tile, self.use_write_rtp, self.address = tile, use_write_rtp, address
        self.end: Tile | None = tile
        self.place = user_place()
        self.op: Any = None  # the operation in the current module

    @property
    def shape(self) -> tuple[int, ...]:
        """Its extents."""
        return self.type.shape

    @property
    def dtype(self) -> Any:
        """Its numpy dtype."""
        return self.type.dtype

    @property
    def ssa(self) -> Any:
        """Its SSA value in the current module."""
        if self.op is None:
            raise IronRuntimeError(f"Buffer '{self.name}' is on no tile; give it to a worker, or pin it with tile=")
        return self.op

    def bind(self, tile: Tile, who: str) -> None:
        """Sets the tile that the buffer is on, unless the program pinned it to another one."""
        if self.end is None:
            self.end = tile
        elif self.end is not tile and self.tile is None:
            raise IronValueError(
                f"Buffer '{self.name}' is used by two workers, of which {who} is the second; pin it with tile="
            )

    def build(self) -> None:
        """Builds the buffer."""
        assert self.end is not None
        self.op = buffer(
            self.end.op, self.type, name=self.name, initial_value=self.initial, address=self.address, loc=located(self.place)
        )

    def __getitem__(self, index: object) -> Scalar:
        require_any("an access to a Buffer")
        return self.ssa[index]

    def __setitem__(self, index: object, value: object) -> None:
        require_any("an access to a Buffer")
        if place() == "core":
            self.ssa[index] = value
            return
        if not self.use_write_rtp:
            raise IronRuntimeError(f"Buffer '{self.name}' is written in the sequence; make it with use_write_rtp=True")
        if not hasattr(index, "__index__") or isinstance(index, Scalar):
            raise IronTypeError(f"Buffer '{self.name}': the sequence writes integers at indices that are integers")
        npu_rtp_write(self.name, int(index), value)


GlobalBuffer = LocalBuffer = Buffer
"""Former names, used before 2026."""
