"""For the interpreter: pads arrays over whose end the last blocks of a launch extend, with zeros, to the size that is
accessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from allo_air.dialects.host_shapes import host_shapes

if TYPE_CHECKING:
    import numpy as np

    from allo_air.mlir import AnyOp, ir


def pad_arguments(module: AnyOp) -> None:
    """Runs pad-overhanging-blocks if `module` has launches; in the active context."""
    from allo_air import asm
    from allo_air.core import driver, pipeline
    from allo_air.core.registry import Registry
    from allo_air.core.settings import Settings
    from allo_air.core.walking import walk_named

    if walk_named(module, "air.launch"):
        padded = pipeline.parse("pad-overhanging-blocks", Registry())
        driver.run(padded, module, Settings(verify=asm.verify, write=asm.write))


def shapes_of_the_caller(function: ir.Operation, shapes: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The caller's shapes of arguments that have `shapes` in the program."""
    return host_shapes(function) or list(shapes)


def padded(array: np.ndarray, shape: Sequence[int]) -> Any:
    """`array` padded with zeros to `shape`, or itself if it has that shape."""
    import numpy as np

    room = [(0, have - has) for has, have in zip(array.shape, shape, strict=True)]
    return np.pad(array, room) if any(after for _, after in room) else array


def cut(array: np.ndarray, shape: Sequence[int]) -> Any:
    """The leading corner of `array` with `shape`."""
    return array[tuple(slice(n) for n in shape)].copy() if tuple(array.shape) != tuple(shape) else array
