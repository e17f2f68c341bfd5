"""Passes with the mistakes that people make, and a pipeline that has one of them."""

from dataclasses import dataclass
from typing import Any

from allo_air.core.named import NamedPipeline, Stage
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import ir


@dataclass(frozen=True)
class EraseConstants(Pass):
    """Erases constants, used or not."""

    name = "erase-constants"

    def run(self, op: Any, /) -> None:
        for constant in walk_named(op, "arith.constant"):
            constant.erase()


@dataclass(frozen=True)
class ChangeConstants(Pass):
    """Makes every integer constant a 5."""

    name = "change-constants"

    def run(self, op: Any, /) -> None:
        for constant in walk_named(op, "arith.constant"):
            constant.attributes["value"] = ir.IntegerAttr.get(constant.results[0].type, 5)


@dataclass(frozen=True)
class LeaveTensor(Pass):
    """Puts a tensor where there should be none any more."""

    name = "leave-tensor"

    def run(self, op: Any, /) -> None:
        for function in walk_named(op, "func.func"):
            with ir.InsertionPoint.at_block_begin(function.regions[0].blocks[0]), function.location:
                ir.Operation.create("tensor.empty", results=[ir.Type.parse("tensor<4xf32>")])


CLEAN = Stage("clean", "air", ("cse",))
FOR_A_WHILE = NamedPipeline("tensor-for-a-while", "", (CLEAN, Stage("leave", "air", ("cse", LeaveTensor(), "canonicalize"))))
TO_THE_END = NamedPipeline("tensor-to-the-end", "", (CLEAN, Stage("leave", "air", ("cse", LeaveTensor()))))
