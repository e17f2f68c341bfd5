"""air-override-memref-memory-space."""

from dataclasses import dataclass
from typing import Literal

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named
from allo_air.dialects.air import L3
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.memory import is_in
from allo_air.passes.bind._retype import retype

_LEVELS = {"air.launch": "launch", "air.segment": "segment", "air.herd": "herd"}


@dataclass(frozen=True)
class AirOverrideMemrefMemorySpace(Pass):
    """Sets the memory space of the buffers that a scope allocates without a memory space or in L3 to `memory-space`.

    `scope` selects them: those whose innermost hierarchy is a launch, a segment or a herd, or, for `func`, those in no
    hierarchy. Types are updated through views, loops and hierarchies. Errors: a buffer that is passed to a function or
    returned, since its type is also used there.

    Before (`air-override-memref-memory-space{scope=func memory-space=1}`):

        %a = memref.alloc() : memref<8x8xf32>
        %b = memref.subview %a[0, 0] [4, 8] [1, 1] : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1]>>

    After:

        %a = memref.alloc() : memref<8x8xf32, 1 : i32>
        %b = memref.subview %a[0, 0] [4, 8] [1, 1] : memref<8x8xf32, 1 : i32> to memref<4x8xf32, strided<[8, 1]>, 1 : i32>
    """

    name = "air-override-memref-memory-space"
    memory_space: int = 0
    """The memory space that buffers move to: 0 for L3, 1 for L2, 2 for L1."""
    scope: Literal["herd", "segment", "launch", "func"] = "launch"
    """The innermost hierarchy of the buffers that move; func: those in none."""

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        space = ir.IntegerAttr.get(ir.IntegerType.get_signless(32, op.context), self.memory_space)
        for alloc in walk_named(op, "memref.alloc"):
            if _scope(alloc) == self.scope and is_in(alloc.results[0].type, L3):
                retype(alloc.results[0], space)


def _scope(alloc: AnyOp) -> str:
    return next((_LEVELS[p.name] for p in parents(alloc) if p.name in _LEVELS), "func")
