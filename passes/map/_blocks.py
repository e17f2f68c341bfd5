"""How a convolution is divided: blocks of the result for cores, parts of channels for their memory, micro-tiles of pixels."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.passes.map._convolution import Convolution


@dataclass(frozen=True)
class Blocks:
    """A block is `y` x `x` micro-tiles of `m` pixels, those of `along` ("h" or "w") `y` (or `x`) apart, and `f` micro-tiles of
    channels. Columns of cores are for blocks of pixels, rows for those of channels, or with `down` > 1 for pixels, too; a core
    takes `c` micro-tiles of the image's channels after others. With `beside` > 1 so many blocks make up a row of pixels."""

    m: int
    k: int
    n: int
    along: str
    y: int
    x: int
    f: int
    c: int
    cores: tuple[int, int]
    counts: tuple[int, int, int]
    """Blocks of pixels and of channels, micro-tiles of the image's channels."""
    down: int = 1
    """Blocks of pixels that the rows of cores have; blocks of the same rows of pixels where there are any."""
    beside: int = 1

    @property
    def places(self) -> list[int]:
        """Blocks of pixels in two dimensions: columns of cores go along the first, rows of cores along the second."""
        second = max(self.down, self.beside)
        return [self.counts[0] // second, second]

    @property
    def rows_of_channels(self) -> int:
        """Rows of cores that are for blocks of channels."""
        return self.cores[1] // self.down

    @property
    def rows(self) -> int:
        """Rows of pixels of a block."""
        return self.y * (self.m if self.along == "h" else 1)

    @property
    def columns(self) -> int:
        """Columns of pixels of a block."""
        return self.x * (self.m if self.along == "w" else 1)


def image_shape(conv: Convolution, b: Blocks) -> tuple[int, int]:
    """Rows and columns of micro-tiles of the image that a block needs."""
    s, d, e = conv.strides, conv.dilations, conv.extents
    rows = (b.y - 1) * s["h"] + (e["u"] - 1) * d["h"] + 1
    return rows, (b.x - 1) * s["w"] + (e["v"] - 1) * d["w"] + 1
