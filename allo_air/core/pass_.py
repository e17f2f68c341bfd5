"""A pass: a frozen dataclass with a kebab-case name, typed options and a `run`."""

from dataclasses import dataclass
from typing import Any, ClassVar

from allo_air.core import options


@dataclass(frozen=True)
class Pass:
    """Rewrites an operation in place. Subclasses are frozen dataclasses whose fields are the options.

    `anchor` names the operation that `run` takes: "builtin.module", "func.func" and so on, or "any" for the operation of the
    enclosing pipeline. If the anchor is deeper than the pipeline, the pass runs once on each such operation, as mlir-opt
    nests passes implicitly.

    `leaves_valid` marks passes that need valid IR and produce valid IR; most of them run a pass of MLIR or change nothing.

    `works_on` names operations (`scf.parallel`) or dialects (`aie.*`). If none of them is present, the pass has nothing to
    do, and a pipeline skips it. It is only needed where it differs from `WORKS_ON` of the room.
    """

    name: ClassVar[str]
    anchor: ClassVar[str] = "any"
    leaves_valid: ClassVar[bool] = False
    works_on: ClassVar[tuple[str, ...] | None] = None

    def __post_init__(self) -> None:
        options.check(self.name, self)

    @property
    def looks_for_its_level(self) -> bool:
        """Whether the pass, with its options, needs one of the operations of its own `works_on`, or of its room's."""
        return True

    def run(self, op: Any, /) -> None:
        """Rewrites `op`; raises an AlloAirError when it cannot."""
        raise NotImplementedError(f"{type(self).__qualname__} has no run")

    def __str__(self) -> str:
        """MLIR pipeline text with the non-default options; parses back to an equal pass."""
        text = options.text(self)
        return f"{self.name}{{{text}}}" if text else self.name

    @classmethod
    def parse(cls, text: str) -> "Pass":
        """The pass whose options are written in `text`, as in `depth=1 device=npu2`."""
        result: Pass = options.parse(f"pass '{cls.name}'", cls, text)
        return result

    @classmethod
    def summary(cls) -> str:
        """The first sentence of the docstring, on one line."""
        doc = " ".join((cls.__doc__ or "").strip().split("\n\n")[0].split())
        return "" if doc.startswith(f"{cls.__name__}(") else doc
