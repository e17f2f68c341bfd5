"""The functions for a core's instructions in Peano, with their signatures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.mlir import arith, func, ir

_AIE1 = {
    "debug_i32": ("i32", ""),
    "llvm.aie.event0": ("", ""),
    "llvm.aie.event1": ("", ""),
    "llvm.aie.put.ms": ("i32 i32", ""),
    "llvm.aie.put.wms": ("i32 i128", ""),
    "llvm.aie.put.fms": ("i32 f32", ""),
    "llvm.aie.get.ss": ("i32", "i32"),
    "llvm.aie.get.wss": ("i32", "i128"),
    "llvm.aie.get.fss": ("i32", "f32"),
    "llvm.aie.put.mcd": ("i384", ""),
    "llvm.aie.get.scd": ("", "i384"),
    "llvm.aie.lock.acquire.reg": ("i32 i32", ""),
    "llvm.aie.lock.release.reg": ("i32 i32", ""),
}
_AIE2 = {
    "debug_i32": ("i32", ""),
    "llvm.{}.event": ("i32", ""),
    "llvm.{}.put.ms": ("i32 i32", ""),  # value, whether it is the last of a packet
    "llvm.{}.get.ss": ("", "i32 i32"),
    "llvm.{}.mcd.write.vec": ("vector<16xi32> i32", ""),
    "llvm.{}.scd.read.vec": ("i32", "vector<16xi32>"),
    "llvm.{}.acquire": ("i32 i32", ""),
    "llvm.{}.release": ("i32 i32", ""),
    "llvm.{}.set.ctrl.reg": ("i32 i32", ""),
}
INTRINSICS: Mapping[str, Mapping[str, tuple[str, str]]] = MappingProxyType(
    {"aie": _AIE1} | {arch: {name.format(arch): kinds for name, kinds in _AIE2.items()} for arch in ("aie2", "aie2p")}
)
"""By architecture: operand and result types of each function by its name."""


class Caller:
    """Emits calls of an architecture's functions; `arch` is `aie`, `aie2` or `aie2p`."""

    def __init__(self, arch: str):
        self.arch = arch
        self.is_aie1 = arch == "aie"

    def declare(self, block: ir.Block, location: ir.Location, functions: Sequence[func.FuncOp]) -> None:
        """Declares all functions except those in `functions` at the beginning of `block`."""
        declared = {function.sym_name.value: function for function in functions}
        point = ir.InsertionPoint.at_block_begin(block)
        for name, (input_types, value) in INTRINSICS[self.arch].items():
            inputs, results = ([ir.Type.parse(t) for t in text.split()] for text in (input_types, value))
            kind = ir.FunctionType.get(inputs, results)
            if name in declared and declared[name].type != kind:
                raise error_at(declared[name], f"has the name of a function of the cores, whose type is {kind}; rename it")
            if name not in declared:
                func.FuncOp(name, kind, visibility="private", loc=location, ip=point)

    def call(self, op: ir.OpView, name: str, operands: Sequence[ir.Value]) -> list[Any]:
        """Calls function `name` (`{}` is replaced by the architecture) before `op` and returns the results."""
        name = name.format(self.arch)
        kinds = [ir.Type.parse(t) for t in INTRINSICS[self.arch][name][1].split()]
        result = func.CallOp(kinds, name, list(operands), loc=op.location, ip=ir.InsertionPoint(op))
        return list(result.operation.results)

    @staticmethod
    def number(op: ir.OpView, value: int) -> ir.Value:
        """The i32 constant `value` before `op`."""
        i32 = ir.IntegerType.get_signless(32)
        return arith.ConstantOp(i32, value, loc=op.location, ip=ir.InsertionPoint(op)).result
