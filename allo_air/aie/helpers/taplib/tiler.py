"""`TensorTiler2D`: patterns that walk a matrix tile by tile."""

from __future__ import annotations

from collections.abc import Sequence

from allo_air.aie.building.errors import IronValueError
from allo_air.aie.helpers.taplib.pattern import TensorAccessPattern, TensorAccessSequence


class TensorTiler2D:
    """Sequences of four-dimensional patterns: groups of tiles outermost, a tile's rows and columns innermost."""

    @staticmethod
    def simple_tiler(
        tensor_dims: Sequence[int], tile_dims: Sequence[int] | None = None, tile_col_major: bool = False,
        iter_col_major: bool = False, pattern_repeat: int = 1, prune_step: bool = True,
    ) -> TensorAccessSequence:  # fmt: skip
        """One pattern for each tile."""
        return TensorTiler2D.step_tiler(
            tensor_dims, tile_dims or tensor_dims, (1, 1), tile_col_major=tile_col_major, iter_col_major=iter_col_major,
            pattern_repeat=pattern_repeat, prune_step=prune_step,
        )  # fmt: skip

    @staticmethod
    def group_tiler(
        tensor_dims: Sequence[int], tile_dims: Sequence[int], tile_group_dims: Sequence[int] | None = None,
        tile_col_major: bool = False, tile_group_col_major: bool = False, iter_col_major: bool = False, pattern_repeat: int = 1,
        prune_step: bool = True,
    ) -> TensorAccessSequence:  # fmt: skip
        """One pattern for each group of neighbouring tiles."""
        return TensorTiler2D.step_tiler(
            tensor_dims, tile_dims, tile_group_dims or (1, 1), tile_col_major=tile_col_major,
            tile_group_col_major=tile_group_col_major, iter_col_major=iter_col_major, pattern_repeat=pattern_repeat,
            prune_step=prune_step,
        )  # fmt: skip

    @staticmethod
    def step_tiler(
        tensor_dims: Sequence[int], tile_dims: Sequence[int], tile_group_repeats: Sequence[int],
        tile_group_steps: Sequence[int] | None = None, tile_col_major: bool = False, tile_group_col_major: bool = False,
        iter_col_major: bool = False, allow_partial: bool = False, pattern_repeat: int = 1, prune_step: bool = True,
    ) -> TensorAccessSequence:  # fmt: skip
        """One pattern for each group of tiles that are `tile_group_steps` tiles apart."""
        (rows, columns), (tall, wide), (down, right) = tensor_dims, tile_dims, tile_group_repeats
        step_down, step_right = tile_group_steps or (1, 1)
        if rows % tall or columns % wide:
            raise IronValueError(f"TensorTiler2D: tiles of {tall} x {wide} do not divide {rows} x {columns}")
        if not allow_partial and (rows % (tall * down * step_down) or columns % (wide * right * step_right)):
            raise IronValueError(
                f"TensorTiler2D: groups of {down} x {right} tiles of {tall} x {wide} do not divide {rows} x {columns}"
            )
        starts = [
            (r + i * tall, c + j * wide)
            for r in range(0, rows, tall * down * step_down)
            for i in range(step_down)
            for c in range(0, columns, wide * right * step_right)
            for j in range(step_right)
            if r + i * tall < rows and c + j * wide < columns
        ]
        if iter_col_major:
            starts.sort(key=lambda start: (start[1], start[0]))
        taps = []
        for r, c in starts:  # groups at the border have only the tiles inside the tensor
            high, broad = (rows - r - 1) // (tall * step_down) + 1, (columns - c - 1) // (wide * step_right) + 1
            outer = [(min(down, high), tall * columns * step_down), (min(right, broad), wide * step_right)]
            inner = [(tall, columns), (wide, 1)]
            steps = [*(reversed(outer) if tile_group_col_major else outer), *(reversed(inner) if tile_col_major else inner)]
            sizes, strides = zip(*_repeated(steps, pattern_repeat), strict=True)
            taps.append(TensorAccessPattern(tensor_dims, r * columns + c, sizes, strides))
        return TensorAccessSequence.from_taps(taps)


def _repeated(steps: list[tuple[int, int]], times: int) -> list[tuple[int, int]]:
    """`steps` with the repetition as the outermost dimension, in place of the first dimension of size 1."""
    if times == 1:
        return steps
    free = next((i for i, (size, _) in enumerate(steps) if size == 1), None)
    if free is None:
        raise IronValueError("TensorTiler2D: a pattern of four dimensions has no room for pattern_repeat")
    return [(times, 0), *steps[:free], *steps[free + 1 :]]
