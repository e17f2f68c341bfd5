"""The targets of primitives: tensors, loop nests, processing elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from allo_air.errors import AlloAirError, AlloValueError, UnknownNameError, counted
from allo_air.scheduling.loops import Loop


class Partition:
    """How `Schedule.partition` divides a tensor."""

    Complete, Block, Cyclic = 0, 1, 2
    NAMES = ("Complete", "Block", "Cyclic")

    @classmethod
    def note(cls, kind: int | str, dim: int | Sequence[int], factor: int) -> str:
        """The annotation text `Cyclic:1:4`: the kind, the dimension (from 1; 0 for all), and the number of parts."""
        if kind not in (0, 1, 2, *cls.NAMES):
            raise AlloValueError(
                f"partition type {kind!r}; Partition.Complete, Partition.Block and Partition.Cyclic are allowed"
            )
        name = kind if isinstance(kind, str) else cls.NAMES[kind]
        dims = [dim] if isinstance(dim, int) else list(dim)
        if not dims or any(d < 0 for d in dims) or factor < 0:
            raise AlloValueError(
                f"partition takes dimensions from 1, or 0 for all, and a factor above 0; found {dim} and {factor}"
            )
        if name != "Complete" and factor == 0:
            raise AlloValueError(f"a {name.lower()} partition needs a factor: into how many parts the dimension is cut")
        return f"{name}:{','.join(map(str, dims))}:{factor}"

    @staticmethod
    def check(tensor: str, before: str, note: str, rank: int | None = None) -> None:
        """Raises AlloValueError if a dimension is partitioned twice, or is not below `rank`."""
        cut = {int(d) for part in before.split(";") if part for d in part.split(":")[1].split(",")}
        new = {int(d) for d in note.split(":")[1].split(",")}
        if rank is not None and max(new) > rank:
            raise AlloValueError(
                f"partition of tensor '{tensor}' in dimension {max(new)}, which has "
                f"{counted(rank, 'dimension')}: count them from 1, or "
                "give 0 for all"
            )
        if cut & new or (cut and 0 in cut | new):
            raise AlloValueError(
                f"tensor '{tensor}' is partitioned already ({before}), and cannot be in dimension {min(new)} again"
            )


@dataclass(frozen=True)
class Target:
    """A tensor of a function, by its name: `s.A`."""

    function: str
    name: str


@dataclass(frozen=True)
class Elements:
    """The processing elements into which `unfold` turned a loop nest."""

    function: str
    band: str
    axes: tuple[int, ...]


class UnknownAttributeError(AlloAirError, AttributeError):
    """`s.NAME` of an unknown name, so that `hasattr(s, "NAME")` is false."""


@dataclass(frozen=True)
class _Named:
    """Objects by name, in order: `bands.i`, `bands["i"]`, `bands[0]`. Iteration gives pairs of name and object."""

    kind: str
    loops: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except UnknownNameError as error:
            raise UnknownAttributeError(str(error)) from None

    def __getitem__(self, name: str | int) -> Any:
        if isinstance(name, int):
            return list(self.loops.values())[name]
        if name not in self.loops:
            raise UnknownNameError(self.kind, name, self.loops)
        return self.loops[name]

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return iter(self.loops.items())

    def __len__(self) -> int:
        return len(self.loops)

    def __contains__(self, name: object) -> bool:
        return name in self.loops

    def keys(self) -> list[str]:
        """The names."""
        return list(self.loops)

    def __str__(self) -> str:
        return ", ".join(f"{name}: {item}" for name, item in self)


@dataclass(frozen=True)
class Band(_Named):
    """The loops of a nest; loops of nested nests can be accessed by their names, too."""

    within: dict[str, Loop] = field(default_factory=dict)

    def __getitem__(self, name: str | int) -> Loop:
        loop: Loop = self.within[name] if name not in self.loops and name in self.within else super().__getitem__(name)
        return loop

    def get_outer_most(self) -> Loop:
        """The loop around all others."""
        loop: Loop = self[0]
        return loop

    def __str__(self) -> str:
        return " > ".join(self.loops)


class Bands(_Named):
    """The loop nests of a function."""
