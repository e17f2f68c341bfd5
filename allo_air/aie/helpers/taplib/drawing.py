"""Pictures of access patterns, by matplotlib."""

from __future__ import annotations

from typing import Any

from allo_air.aie.building.errors import IronRuntimeError


def draw(order: Any, counts: Any, title: str, file_path: str | None, show: bool) -> None:
    """Draws arrays of two dimensions (others are flattened to rows), into a file where one is named, else on the screen."""
    try:
        import matplotlib

        if file_path is not None:
            matplotlib.use("agg")
        from matplotlib import pyplot
    except ImportError as error:
        raise IronRuntimeError("visualize needs matplotlib; install it, or leave the picture out") from error
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
