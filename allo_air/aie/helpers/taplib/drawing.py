"""Pictures of access patterns, by matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from allo_air.aie.building.errors import IronRuntimeError

if TYPE_CHECKING:
    import numpy as np


def draw(order: np.ndarray, counts: np.ndarray | None, title: str, file_path: str | None, show: bool) -> None:
    """Draws two-dimensional arrays (others are flattened to rows), into a file if one is named, otherwise on the screen."""
    pyplot = _pyplot("visualize", hidden=file_path is not None)
    arrays = [("order", order), *([("count", counts)] if counts is not None else [])]
    figure, axes = pyplot.subplots(1, len(arrays), squeeze=False)
    figure.suptitle(title)
    for axis, (label, values) in zip(axes[0], arrays, strict=True):
        axis.set_title(label)
        figure.colorbar(axis.imshow(values.reshape(-1, values.shape[-1]), interpolation="none"), ax=axis)
    if file_path is not None:
        figure.savefig(file_path)
    elif show:
        pyplot.show()
    pyplot.close(figure)


def film(frames: Sequence[np.ndarray], title: str) -> Any:
    """An animation of arrays."""
    pyplot = _pyplot("animate", hidden=False)
    from matplotlib.animation import FuncAnimation

    figure, axis = pyplot.subplots()
    figure.suptitle(title)
    last = frames[-1].reshape(-1, frames[-1].shape[-1])
    image = axis.imshow(last, interpolation="none")

    def show(number: int) -> Any:
        image.set_data(frames[number].reshape(last.shape))
        return (image,)

    return FuncAnimation(figure, show, frames=len(frames))


def _pyplot(who: str, *, hidden: bool) -> Any:
    try:
        import matplotlib

        if hidden:
            matplotlib.use("agg")
        from matplotlib import pyplot
    except ImportError as error:
        raise IronRuntimeError(f"{who} needs matplotlib; install it, or leave the picture out") from error
    return pyplot
