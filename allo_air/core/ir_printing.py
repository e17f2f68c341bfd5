"""Where a module is printed while a pipeline runs, as `mlir-opt` does with its `--mlir-print-ir-...` flags."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp


@dataclass(frozen=True)
class IRPrinting:
    """The passes before and after which the module is printed. With `only_changed`, it is only printed after passes that
    changed it.
    """

    before: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    only_changed: bool = False

    def around(self, name: str, op: AnyOp, write: Callable[[str, AnyOp], None]) -> Callable[[], None]:
        """Prints the module before pass `name` if requested; returns the function that prints it after the pass."""
        if name in self.before:
            write(f"// -----// IR Dump Before {name} //----- //", op)
        before = str(op) if self.only_changed and name in self.after else None

        def after() -> None:
            if name in self.after and (before is None or str(op) != before):
                write(f"// -----// IR Dump After {name} //----- //", op)

        return after
