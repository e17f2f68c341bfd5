"""`TensorTiler2D`: patterns that walk a matrix tile by tile."""

from __future__ import annotations

from collections.abc import Sequence

from allo_air.aie.helpers.taplib.pattern import TensorAccessPattern, TensorAccessSequence
from allo_air.aie.iron.errors import IronMissing, IronValueError


class TensorTiler2D:
    """Sequences of four-dimensional patterns: groups of tiles outermost, a tile's rows and columns innermost."""

    @staticmethod
    def simple_tiler(
        tensor_dims: Sequence[int], tile_dims: Sequence[int] | None = None, tile_col_major: bool = False,
        iter_col_major: bool = False, pattern_repeat: int = 1, prune_step: bool = True,
    ) -> TensorAccessSequence:  # fmt: skip
        """One tile a pattern."""
        return TensorTiler2D.group_tiler(
            tensor_dims, tile_dims or tensor_dims, (1, 1), tile_col_major=tile_col_major, iter_col_major=iter_col_major,
            pattern_repeat=pattern_repeat, prune_step=prune_step,
        )  # fmt: skip

    @staticmethod
    def group_tiler(
        tensor_dims: Sequence[int], tile_dims: Sequence[int], tile_group_dims: Sequence[int] | None = None,
        tile_col_major: bool = False, tile_group_col_major: bool = False, iter_col_major: bool = False, pattern_repeat: int = 1,
        prune_step: bool = True,
    ) -> TensorAccessSequence:  # fmt: skip
        """Groups of neighbouring tiles, one group a pattern."""
        (rows, columns), (tall, wide), (down, right) = tensor_dims, tile_dims, tile_group_dims or (1, 1)
        if rows % (tall * down) or columns % (wide * right):
            raise IronValueError(
                f"TensorTiler2D: groups of {down} x {right} tiles of {tall} x {wide} do not divide {rows} x {columns}"
            )
        if tile_col_major and pattern_repeat > 1:
            raise IronMissing("TensorTiler2D: pattern_repeat of tiles by columns is not there yet")
        outer = [(down, tall * columns), (right, wide)]
        inner = [(tall, columns), (wide, 1)]
        steps = [*(reversed(outer) if tile_group_col_major else outer), *(reversed(inner) if tile_col_major else inner)]
        if pattern_repeat > 1:
            free = next((i for i, (size, _) in enumerate(steps) if size == 1), None)
            if free is None:
                raise IronValueError("TensorTiler2D: a pattern of four dimensions has no room for pattern_repeat")
            del steps[free]
            steps.insert(0, (pattern_repeat, 0))
        starts = [(r, c) for r in range(0, rows, tall * down) for c in range(0, columns, wide * right)]
        if iter_col_major:
            starts.sort(key=lambda at: (at[1], at[0]))
        sizes, strides = zip(*steps, strict=True)
        return TensorAccessSequence.from_taps(
            [TensorAccessPattern(tensor_dims, r * columns + c, sizes, strides) for r, c in starts]
        )
