"""Chooses the pipeline for a module by its operations and types, or says why no pipeline accepts it."""

from __future__ import annotations

from allo_air.core.constants import GLOBAL_LOADS
from allo_air.core.diagnostics import error_at
from allo_air.core.loops import PARALLEL, Loop
from allo_air.core.names import callee_of, function_type_of, is_private, sym_name_of
from allo_air.core.registry import Registry
from allo_air.core.walking import defining_op, is_result_of, walk_named, walk_pre_order
from allo_air.dialects.memrefs import memory_space
from allo_air.errors import OptionError
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.kernels import called, calls_of, is_kernel
from allo_air.passes.linalg._match import NAMES
from allo_air.passes.simplify.raise_to_tensors import has_buffers, why_not_raised
from allo_air.program.matmul import RESULTS
from allo_air.program.recognize import element_of_matmul, level_of

_VALUES = ("arith", "builtin", "complex", "index", "math", "ub", "vector")
_STRUCTURE = ("affine", "air", "bufferization", "cf", "func", "linalg", "memref", "ml_program", "scf", "tensor", "transform")
_DIALECTS = frozenset((*_VALUES, *_STRUCTURE))
"""Dialects whose operations pipelines accept, above the AIE dialect."""

_WORKED_ON = (ir.RankedTensorType, ir.UnrankedTensorType, ir.MemRefType, ir.UnrankedMemRefType)
_MAKES = ("linalg.fill", "linalg.yield", "linalg.index", "tensor.empty")
_LOOPS = (*PARALLEL, "scf.for", "affine.for")


def fitting_pipeline(module: AnyOp, name: str) -> str:
    """The pipeline for `module`, which diagnostics call `name`; "" for a device, which usually needs none.

    Raises DiagnosticError at the operation that no pipeline accepts, or OptionError.
    """
    level = level_of(module)
    if level in ("aie", "npu"):
        return "aie-prepare" if _lacks_addresses(module) else ""
    operations = walk_pre_order(module)
    _check(operations)
    if level in ("air", "channel") and not _is_tiled_only(operations):
        return "air-npu"
    if not any(isinstance(v.type, _WORKED_ON) for op in operations for v in op.operands):
        raise OptionError(f"{name}: there is nothing to compile: no operation works on a tensor or a buffer")
    if _is_raised(module):
        return "npu"
    if level != "linalg" or any(_is_tiling(op) or _has_memory(op) for op in operations):
        return "tiled-npu"
    pipelines = Registry().pipeline_names()
    element = element_of_matmul(module)
    is_single = sum(map(_is_work, operations)) == 1 and not any(
        _is_array(op) or _is_wide(op) or _is_control(op) for op in operations
    )
    if element in RESULTS and (
        "npu" not in pipelines or (is_single and all(_is_filled(op) for op in operations if op.name in NAMES))
    ):
        return f"gemm-{element}"
    if "npu" in pipelines:
        return "npu"
    raise OptionError(f"{name}: name the pipeline, as in pipeline='gemm-bf16'; allo-opt --list-pipelines lists all")


def _is_raised(module: AnyOp) -> bool:
    """Whether the functions on memrefs that the host calls, of which there is one at least, have a form on tensors."""
    called_names = {callee_of(call) for call in walk_named(module, "func.call")}
    functions = [f for f in walk_named(module, "func.func") if has_buffers(f) and sym_name_of(f) not in called_names]
    return bool(functions) and not any(map(why_not_raised, functions))


def _lacks_addresses(module: AnyOp) -> bool:
    """Whether a runtime sequence writes to a buffer without an address, which the instruction words need."""
    for device in walk_named(module, "aie.device"):
        buffers = [o for o in walk_named(device, "aie.buffer") if "address" not in o.attributes]
        open_ = {sym_name_of(o) for o in buffers if "sym_name" in o.attributes}
        for sequence in walk_named(device, "aie.runtime_sequence"):
            for op in walk_named(sequence, "aiex.npu.rtp_write", "aiex.npu.write32", "aiex.npu.maskwrite32"):
                if "buffer" in op.attributes and op.attributes["buffer"].value in open_:
                    return True
            if any(bd.operands[0].owner in buffers for bd in walk_named(sequence, "aie.dma_bd")):
                return True
    return False


def _is_tiled_only(operations: list[ir.Operation]) -> bool:
    """Whether there are loops over tiles, and no hierarchy yet around AIR's copies."""
    names = {op.name for op in operations}
    return not names & {"air.launch", "air.segment", "air.herd", "air.rank"} and bool(names & set(PARALLEL))


def _is_tiling(op: AnyOp) -> bool:
    """Whether `op` is a loop over tiles: parallel, or one that updates its loop-carried tensors in place."""
    if op.name not in _LOOPS:
        return False
    return op.name in PARALLEL or not op.results or all(map(_is_in_place, Loop(op).yielded, Loop(op).iter_args))


def _is_in_place(value: ir.Value, carried: object) -> bool:
    """Whether `value` is `carried` with some elements overwritten."""
    while value != carried:
        op = defining_op(value)
        if op is None:
            return False
        if op.name == "tensor.insert_slice":
            value = op.operands[1]
        elif op.name.startswith("linalg.") or op.name == "scf.for":
            value = list(op.operands)[len(op.operands) - len(op.results) + list(op.results).index(value)]
        else:
            return False
    return True


def _is_work(op: ir.Operation) -> bool:
    """Whether `op` computes on tensors or selects parts of them; creating and filling a tensor does not count."""
    if op.name.startswith(("arith.", "math.")) and op.name != "arith.constant":
        return any(isinstance(r.type, ir.RankedTensorType) for r in op.results)
    return op.name.startswith(("linalg.", "tensor.")) and op.name not in _MAKES


def _is_filled(op: ir.Operation) -> bool:
    """Whether a matmul starts from a fill; for other inits, `npu` decides whether the addition is a separate kernel."""
    return is_result_of(op.operands[2], "linalg.fill")


def _is_array(op: ir.Operation) -> bool:
    """Whether `op` is a constant of many numbers, or loads one. `npu` passes such constants to the array; `gemm-*` accept only
    arguments.
    """
    return op.name in ("arith.constant", *GLOBAL_LOADS) and isinstance(op.results[0].type, ir.RankedTensorType)


def _is_control(op: ir.Operation) -> bool:
    """Whether `op` is a call, a loop or a condition, which `npu` flattens and `gemm-*` do not, except calls of kernels."""
    if op.name == "func.call":
        return (function := called(op)) is None or not is_kernel(function)
    return op.name in ("scf.for", "scf.if", "scf.while", "scf.index_switch")


def _is_wide(op: ir.Operation) -> bool:
    """Whether `op` is a product of 64-bit elements, which `npu` decomposes and `gemm-*` do not."""
    return op.name in NAMES and any(str(v.type.element_type) in ("i64", "f64") for v in op.operands)


def _has_memory(op: ir.Operation) -> bool:
    """Whether `op` allocates a tensor or buffer in L2 or L1."""
    spaces = [memory_space(r.type) for r in op.results]
    if op.name == "bufferization.alloc_tensor" and "memory_space" in op.attributes:
        spaces.append(op.attributes["memory_space"].value)
    return any(s not in (0, None) for s in spaces)


def _check(operations: list[ir.Operation]) -> None:
    """Raises an error for operations of other dialects, and for arguments and results of unknown shape."""
    for op in operations:
        dialect = op.name.split(".")[0]
        if dialect not in _DIALECTS:
            raise error_at(
                op,
                f"is of the dialect '{dialect}', which no pipeline takes; lower it to linalg on tensors first (of torch-mlir:"
                ' output_type="linalg-on-tensors")',
            )
        if op.name == "func.func" and not _is_inlined(op):
            _check_shapes(op)


def _is_inlined(function: ir.Operation) -> bool:
    """Whether a function is private and called, so that its unknown sizes may be those of the callers' arguments."""
    return is_private(function) and bool(calls_of(function))


def _check_shapes(function: ir.Operation) -> None:
    signature = function_type_of(function)
    named = sym_name_of(function)
    for role, kinds in (("argument", signature.inputs), ("result", signature.results)):
        for number, kind in enumerate(kinds):
            if isinstance(kind, ir.RankedTensorType | ir.MemRefType) and not kind.has_static_shape:
                raise error_at(
                    function,
                    f"cannot be compiled: {role} {number} of @{named} is {kind}, and a device's program moves a number of"
                    " elements that is known; give it a static shape (export with one, or write one for each shape)",
                )
