"""Lowers a core's program to loops, loads, stores and vector operations on plain buffers, before instrumentation."""

from __future__ import annotations

from allo_air.core.diagnostics import error_at
from allo_air.core.divisions import make_divisions_safe
from allo_air.core.expand import expand_operations
from allo_air.core.functions import call_function
from allo_air.core.names import callee_of, function_type_of, sym_name_of
from allo_air.core.walking import point_after, walk_named
from allo_air.dialects.aievec_meaning import expand_aievec
from allo_air.dialects.mac import expand_macs
from allo_air.mlir import PassManager, arith, ir, linalg, memref, vector
from allo_air.sim.cores.endless_cores import end_idle
from allo_air.sim.cores.intrinsics import refuse_intrinsics
from allo_air.sim.cores.program import BASES, ENTRY
from allo_air.sim.cores.raised_loops import raise_loops

_PIPELINE = (
    "inline,symbol-dce,func.func(lower-vector-mask),convert-linalg-to-loops,lower-affine,scf-forall-to-for,scf-parallel-for-to-nested-fors,"
    "fold-memref-alias-ops,affine-expand-index-ops,lower-affine,canonicalize,cse"
)

_ENDLESS = "the behaviour of a core is undefined there; end the core by aie.end"
_REFUSED = {
    "cf.assert": "a core has no way to stop; remove it",
    "vector.print": "a core has no way to print; remove it",
    "llvm.inline_asm": "it holds instructions of one processor, and cores are compiled for the host; write operations instead",
    "llvm.unreachable": _ENDLESS,
    "ub.unreachable": _ENDLESS,
}


def prepare(module: ir.Operation) -> None:
    """Inlines functions, converts linalg and affine operations and copies to scf loops, and folds views into accesses."""
    for copy in walk_named(module, "memref.copy"):
        with ir.InsertionPoint(copy), copy.location:
            linalg.copy(copy.operands[0], outs=[copy.operands[1]])
        copy.erase()
    for op in walk_named(module, *_REFUSED):
        raise error_at(op, f"cannot be simulated: {_REFUSED[op.name]}")
    refuse_intrinsics(module)
    for op in walk_named(module, "aie.debug"):
        op.erase()
    expand_macs(module)
    expand_aievec(module)
    expand_operations(module)
    _widen_factors(module)
    _transfer_matrices(module)
    _keep_rows(module)
    _refuse_recursion(module)
    _pass_bases(module)
    make_divisions_safe(module)
    raise_loops(module)
    module.verify()
    passes = PassManager.parse(f"builtin.module({_PIPELINE})")
    passes.enable_verifier(False)
    passes.run(module)
    if end_idle(module):
        PassManager.parse("builtin.module(canonicalize)").run(module)


def _widen_factors(module: ir.Operation) -> None:
    """Extends the bf16 factors of contractions to f32, each once; the conversion to block floating point takes place there."""
    wide: dict[int, ir.Value] = {}
    for op in walk_named(module, "vector.contract"):
        if str(getattr(op.operands[2].type, "element_type", "")) != "f32":
            continue
        for place in (0, 1):
            value = op.operands[place]
            if str(value.type.element_type) != "bf16":
                continue
            if (key := hash(value)) not in wide:
                with point_after(value), op.location:
                    wide[key] = arith.extf(ir.VectorType.get(value.type.shape, ir.F32Type.get()), value)
            op.operands[place] = wide[key]


def _transfer_matrices(module: ir.Operation) -> None:
    """Converts loads and stores of vectors of several dimensions to transfers, which MLIR can lower."""
    for op in walk_named(module, "vector.load", "vector.store"):
        reads = op.name == "vector.load"
        kind = op.results[0].type if reads else op.operands[0].type
        if len(kind.shape) < 2:
            continue
        place = 0 if reads else 1
        source, indices = op.operands[place], list(op.operands)[place + 1 :]
        mapping = ir.AffineMap.get_minor_identity(len(indices), len(kind.shape))
        with ir.InsertionPoint(op), op.location:
            inside = [True] * len(kind.shape)
            if reads:
                element = kind.element_type
                zero = 0.0 if isinstance(element, ir.FloatType) else 0
                read = vector.transfer_read(kind, source, indices, mapping, arith.constant(element, zero), inside)
                op.results[0].replace_all_uses_with(read)
            else:
                vector.transfer_write(None, op.operands[0], source, indices, mapping, inside)
        op.erase()


def _keep_rows(module: ir.Operation) -> None:
    """Replaces collapsed views by reinterpreted ones, which are not folded into the accesses.

    In the view before the collapse, a vector may extend beyond the end of a row, and an index would be divided by the length of
    a row. mlir-aie's tool chain does not divide: `expand-strided-metadata` makes the index the address.
    """
    for view in walk_named(module, "memref.collapse_shape"):
        kind = view.results[0].type
        if not kind.has_static_shape:
            continue
        strides, offset = kind.get_strides_and_offset()
        dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
        if dynamic in strides:
            continue
        with ir.InsertionPoint(view), view.location:
            offsets = [_offset(view.operands[0])] if offset == dynamic else []
            row = memref.reinterpret_cast(kind, view.operands[0], offsets, [], [], [offset], list(kind.shape), strides)
        view.results[0].replace_all_uses_with(row)
        view.erase()


def _offset(view: ir.Value) -> ir.Value:
    """The offset of a view in its buffer if its type does not contain it."""
    return memref.ExtractStridedMetadataOp(view).offset


def _refuse_recursion(module: ir.Operation) -> None:
    """Raises DiagnosticError at a recursive call, since a core's stack has a fixed size."""
    calls = {sym_name_of(f): walk_named(f, "func.call") for f in walk_named(module, "func.func")}

    def visit(name: str, path: tuple[str, ...]) -> None:
        for call in calls.get(name, ()):
            callee = callee_of(call)
            if callee in (*path, name):
                raise error_at(call, f"calls '{callee}' from within itself; a core's stack has a fixed size: use a loop")
            visit(callee, (*path, name))

    visit(ENTRY, ())


def bases_of(function: ir.Operation) -> list[ir.BlockArgument]:
    """The arguments of `function` with the core's first site, region and kernel."""
    arguments = list(function.regions[0].blocks[0].arguments)
    return arguments[:BASES] if sym_name_of(function) == ENTRY else arguments[-BASES:]


def _pass_bases(module: ir.Operation) -> None:
    """Gives every function with a body the core's bases as its last arguments: not every call can be inlined."""
    functions = {sym_name_of(f): f for f in walk_named(module, "func.func") if f.regions[0].blocks}
    i32 = ir.IntegerType.get_signless(32)
    for name, function in functions.items():
        if name == ENTRY:
            continue
        kind = function_type_of(function)
        function.attributes["function_type"] = ir.TypeAttr.get(
            ir.FunctionType.get([*kind.inputs, *[i32] * BASES], kind.results)
        )
        for _ in range(BASES):
            function.regions[0].blocks[0].add_argument(i32, function.location)
    for function in functions.values():
        for call in walk_named(function, "func.call"):
            callee = call.attributes["callee"]
            if callee.value not in functions:
                continue
            operands = [*call.operands, *bases_of(function)]
            types = [r.type for r in call.results]
            with call.location:
                op = call_function(callee.value, types, operands, ir.InsertionPoint(call))
            for old, new in zip(call.results, op.results, strict=True):
                old.replace_all_uses_with(new)
            call.erase()
