"""Lowers a core's instrumented program to the LLVM dialect.

bf16 arithmetic is done in f32 and rounded to nearest even once per operation, in integer code (`arith-expand`), so that
results do not depend on the host's instructions.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from allo_air.core.elements import array_of, elements_attr
from allo_air.core.expand import LIBRARY
from allo_air.core.names import function_type_of
from allo_air.core.walking import walk_post_order
from allo_air.mlir import PassManager, ir
from allo_air.sim.cores.text import no_lowering

EXPAND = (
    "cse,canonicalize{top-down=false},cse",
    "math-extend-to-supported-types",
    "arith-emulate-unsupported-floats{source-types=bf16 target-type=f32}",
    "func.func(lower-vector-mask,lower-vector-multi-reduction)",
    "convert-vector-to-scf",
    "expand-strided-metadata",
    "memref-expand",
    "lower-affine",
    "arith-expand{include-bf16=true}",
)
"""Passes that expand floating-point arithmetic of 16 bits. After earlier steps, usually only moves of such values remain.
"""

TO_LLVM = (
    "convert-vector-to-llvm{vector-contract-lowering=outerproduct}",
    "convert-scf-to-cf",
    LIBRARY,
    "convert-math-to-llvm",
    "convert-math-to-libm",
    "convert-vector-to-llvm",
    "expand-strided-metadata",
    "lower-affine",
    "finalize-memref-to-llvm",
    "convert-cf-to-llvm",
    "convert-ub-to-llvm",
    "convert-complex-to-llvm",
    "convert-arith-to-llvm",
    "convert-index-to-llvm",
    "convert-func-to-llvm",
    "reconcile-unrealized-casts",
)


def lower(module: ir.Operation) -> None:
    """Lowers `module` to the LLVM dialect in place; raises MLIRError if an operation has no lowering."""
    module.verify()
    _run(module, EXPAND)
    moved = moves_as_bits(module)
    _run(module, TO_LLVM)
    bit_types: dict[Any, Any] = {}
    for op in walk_post_order(module):
        if not moved:
            _move_as_bits(op, bit_types)
        if op.name in ("llvm.load", "llvm.store"):
            _align(op)
        if not op.name.startswith(("llvm.", "builtin.module")):
            raise no_lowering(op)


def _run(module: ir.Operation, passes: tuple[str, ...]) -> None:
    manager = PassManager.parse(f"builtin.module({','.join(passes)})")
    manager.enable_verifier(False)  # verifying the IR after each of MLIR's lowerings takes longer than they do
    manager.run(module)


_MOVES = {
    "arith.bitcast", "arith.constant", "arith.select", "ub.poison",
    "vector.bitcast", "vector.broadcast", "vector.deinterleave", "vector.extract", "vector.extract_strided_slice",
    "vector.from_elements", "vector.insert", "vector.insert_strided_slice", "vector.interleave", "vector.load",
    "vector.maskedload", "vector.maskedstore", "vector.shape_cast", "vector.shuffle", "vector.store", "vector.to_elements",
    "vector.transfer_read", "vector.transfer_write", "vector.transpose",
}  # fmt: skip
_MOVING = ("memref.", "scf.", "cf.", "func.")


def moves_as_bits(module: ir.Operation) -> bool:
    """Retypes the bf16 values of `module` as integers if all operations on them only move data; returns whether it did.

    Nothing changes, and the result is False, if another operation uses such a value or if the module has globals. The
    rewrite is done before the LLVM dialect, where Python would load all of that dialect's classes to read a pointer's type.
    """
    bit_types: dict[Any, Any] = {}
    values: list[Any] = []
    ops: list[ir.Operation] = []
    for op in walk_post_order(module):
        for value in (*op.results, *(a for region in op.regions for block in region.blocks for a in block.arguments)):
            kind = value.type
            if kind not in bit_types:
                bit_types[kind] = _bits(kind)
            if bit_types[kind] != kind:
                values.append(value)
        if op.name in ("memref.global", "func.func", "arith.constant"):
            ops.append(op)
    makers = (v.owner.name for v in values if not isinstance(v, ir.BlockArgument))
    users = (use.owner.name for value in values for use in value.uses)
    if any(op.name == "memref.global" for op in ops) or not all(
        n in _MOVES or n.startswith(_MOVING) for n in (*makers, *users)
    ):
        return False
    for value in values:
        value.set_type(bit_types[value.type])
    for op in ops:
        if op.name == "func.func":
            op.attributes["function_type"] = ir.TypeAttr.get(_bits(function_type_of(op)))
        elif _bits(op.attributes["value"].type) != op.attributes["value"].type:
            op.attributes["value"] = _constant_bits(op.attributes["value"])
    return True


def _move_as_bits(op: ir.Operation, bit_types: dict[ir.Type, ir.Type]) -> None:
    """Moves bf16 as integers, since some hosts lack the functions for bf16 that LLVM would call. `bit_types` is a cache."""
    arguments = (argument for region in op.regions for block in region.blocks for argument in block.arguments)
    for value in (*op.results, *arguments):
        kind = value.type
        if kind not in bit_types:
            bit_types[kind] = _bits(kind)
        if bit_types[kind] != kind:
            value.set_type(bit_types[kind])
    if op.name == "llvm.mlir.constant":
        op.attributes["value"] = _constant_bits(op.attributes["value"])
    if op.name == "llvm.func":
        op.attributes["function_type"] = ir.TypeAttr.get(_bits(function_type_of(op)))


def _bits(kind: ir.Type) -> Any:
    """The type in which bf16 is replaced by integers of 16 bits."""
    text = str(kind)
    return ir.Type.parse(re.sub(r"bf16\b", "i16", text)) if "bf16" in text else kind


def _constant_bits(value: ir.Attribute) -> Any:
    kind = getattr(value, "type", None)
    if kind is None or _bits(kind) == kind:
        return value
    if isinstance(value, ir.FloatAttr):
        return ir.IntegerAttr.get(_bits(kind), int(np.float32(value.value).view(np.int32) >> 16))
    return elements_attr(array_of(value).view(np.int16), _bits(kind))


def _align(op: ir.Operation) -> None:
    """Aligns vectors in memory only to their elements, since a design may place buffers at any address."""
    kind = op.results[0].type if op.name == "llvm.load" else op.operands[0].type
    if isinstance(kind, ir.VectorType):
        bits = getattr(kind.element_type, "width", 64)
        op.attributes["alignment"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), max(1, bits // 8))
