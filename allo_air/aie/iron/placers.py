"""Placers of programs before July 2026: accepted, but `aie-place-tiles` does the placement."""


class Placer:
    """Base class of the placers."""


class SequentialPlacer(Placer):
    """Places column by column, as `aie-place-tiles` does."""

    def __init__(self, cores_per_col: int | None = None):
        self.cores_per_col = cores_per_col
