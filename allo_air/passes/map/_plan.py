"""The tiles of a kernel as `plan-tiles` chooses them."""

from __future__ import annotations

from dataclasses import astuple, dataclass

from allo_air.plan.plan import Plan


@dataclass(frozen=True)
class SplitDimension:
    """A dimension of extent `extent` (with padding) that is split in two, the inner one of extent `inner`."""

    dimension: int
    extent: int
    inner: int


@dataclass(frozen=True)
class Part:
    """Loop `loop` of the kernel's operation `op`, a reduction loop that is computed in parts of `size`."""

    op: int
    loop: int
    size: int


@dataclass(frozen=True)
class Tiles:
    """Tiles of the root's loops for a launch and for a core (0: the whole loop), after `cut` if a dimension is split."""

    launch: tuple[int, ...]
    herd: tuple[int, ...]
    cores: tuple[int, int]
    launches: int
    cut: SplitDimension | None = None
    rows_along: int | None = None
    """The dimension whose tiles go to different rows of cores."""
    part: Part | None = None

    def is_given(self, rows: int, tile: int) -> bool:
        """Whether these tiles use the requested rows of cores and elements along the divided loop; 0 allows any."""
        along = max((core for core, all_ in zip(self.herd, self.launch, strict=True) if core and core < all_), default=0)
        return (not rows or self.cores[1] == rows) and (not tile or along == tile)

    def to_plan(self, chosen: str = "") -> Plan:
        """The plan of the function; `chosen` gives the reason."""
        return Plan(
            "tiles",
            chosen,
            launch=self.launch,
            launches=self.launches,
            core=self.herd,
            cores=self.cores,
            piece=0 if self.part is None else self.part.size,
            cut=() if self.cut is None else astuple(self.cut),
            along=-1 if self.rows_along is None else self.rows_along,
            reduced=() if self.part is None else astuple(self.part),
        )


WHOLE = Tiles((), (), (1, 1), 1)
"""No tiles: one core computes the whole kernel."""
