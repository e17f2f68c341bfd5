"""The division of a convolution: blocks of the result for cores, parts of channels for their memory, micro-tiles of pixels."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.passes.map._convolution import Convolution


@dataclass(frozen=True)
class Blocks:
    """How a convolution is divided. A block is `y` x `x` micro-tiles of `m` pixels, times `f` micro-tiles of channels.

    `m`, `n` and `k` are the micro-tile: pixels, channels of the result, and channels of the image. The `m` pixels of a
    micro-tile are not adjacent: they are `y` (or `x`) apart along dimension `along` ("h" or "w"), so that the next pixel is in
    the next micro-tile. For example, with `along` = "w", `m` = 4 and `x` = 7, micro-tile 0 has the columns 0, 7, 14 and 21.

    Columns of cores divide blocks of pixels, and rows of cores divide blocks of channels; with `down` > 1, rows of cores also
    divide blocks of pixels. A core takes `c` micro-tiles of the image's channels at a time. With `per_row` > 1, a row of pixels
    consists of that many blocks.
    """

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
    """The numbers of blocks of pixels, of blocks of channels, and of micro-tiles of the image's channels."""
    down: int = 1
    """The number of pixel blocks among the rows of cores: blocks with the same rows of pixels, if a row has several."""
    per_row: int = 1

    @property
    def places(self) -> list[int]:
        """Blocks of pixels in two dimensions: the first is divided among columns of cores, the second among their rows."""
        second = max(self.down, self.per_row)
        return [self.counts[0] // second, second]

    @property
    def rows_of_channels(self) -> int:
        """The rows of cores that divide blocks of channels."""
        return self.cores[1] // self.down

    @property
    def rows(self) -> int:
        """Rows of pixels of a block."""
        return self.y * (self.m if self.along == "h" else 1)

    @property
    def columns(self) -> int:
        """Columns of pixels of a block."""
        return self.x * (self.m if self.along == "w" else 1)


def image_shape(conv: Convolution, blocks: Blocks) -> tuple[int, int]:
    """Rows and columns of micro-tiles of the image that a block needs."""
    s, d, e = conv.strides, conv.dilations, conv.extents
    rows = (blocks.y - 1) * s["h"] + (e["u"] - 1) * d["h"] + 1
    return rows, (blocks.x - 1) * s["w"] + (e["v"] - 1) * d["w"] + 1
