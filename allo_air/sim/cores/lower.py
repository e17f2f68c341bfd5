"""From a core's instrumented program to the LLVM dialect.

bf16 arithmetic is done in f32 and rounded to nearest even once per operation, in integer code (`arith-expand`), so that results
do not depend on the host's instructions.
"""

from __future__ import annotations

from allo_air.core.diagnostics import error_at
from allo_air.core.expand import LIBRARY
from allo_air.core.walking import walk_post_order
from allo_air.errors import DiagnosticError
from allo_air.mlir import PassManager, ir

PIPELINE = (
    "canonicalize,cse",
    "math-extend-to-supported-types",
    "arith-emulate-unsupported-floats{source-types=bf16 target-type=f32}",
    "func.func(lower-vector-mask,lower-vector-multi-reduction)",
    "convert-vector-to-scf",
    "expand-strided-metadata",
    "memref-expand",
    "lower-affine",
    "arith-expand{include-bf16=true}",
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


_DIALECTS = {"aie", "arith", "builtin", "cf", "complex", "func", "index", "llvm", "math", "memref", "scf", "ub", "vector"}


def check_compilable(module: ir.Operation) -> None:
    """DiagnosticError at the first operation of `module`, a prepared program, that has no lowering here."""
    for op in walk_post_order(module):
        if op.name.split(".")[0] not in _DIALECTS:
            raise _no_lowering(op)


def _no_lowering(op: ir.Operation) -> DiagnosticError:
    return error_at(op, "cannot be compiled for the host; lower it to arith, math, vector, memref, scf or cf operations")


def lower(module: ir.Operation) -> None:
    """Lowers `module` to the LLVM dialect in place; MLIRError where an operation has no lowering."""
    PassManager.parse(f"builtin.module({','.join(PIPELINE)})").run(module)
    for op in walk_post_order(module):
        if op.name == "llvm.bitcast":
            _pass_as_bits(op)
        if op.name in ("llvm.load", "llvm.store"):
            _align(op)
        if not op.name.startswith(("llvm.", "builtin.module")):
            raise _no_lowering(op)


def _pass_as_bits(op: ir.Operation) -> None:
    """A bf16 scalar that is stored for its bits is stored as an integer: hosts without bf16 call a function to move one."""
    if not isinstance(op.results[0].type, ir.BF16Type):
        return
    for use in list(op.results[0].uses):
        if use.owner.name == "llvm.store" and use.operand_number == 0:
            use.owner.operands[0] = op.operands[0]


def _align(op: ir.Operation) -> None:
    """A vector in memory is aligned to its elements only: buffers lie where the design puts them."""
    kind = op.results[0].type if op.name == "llvm.load" else op.operands[0].type
    if isinstance(kind, ir.VectorType):
        bits = getattr(kind.element_type, "width", 64)
        op.attributes["alignment"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), max(1, bits // 8))
