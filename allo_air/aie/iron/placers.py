"""Placers of programs before July 2026: taken; `aie-place-tiles` places."""


class SequentialPlacer:
    """Column by column, as `aie-place-tiles` does."""
