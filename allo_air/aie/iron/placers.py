"""Placers of programs before July 2026: taken; `aie-place-tiles` places."""


class Placer:
    """Any of them."""


class SequentialPlacer(Placer):
    """Column by column, as `aie-place-tiles` does."""

    def __init__(self, cores_per_col: int | None = None):
        self.cores_per_col = cores_per_col
