"""vectorize-generics."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from allo_air.core.diagnostics import position
from allo_air.core.pass_ import Pass
from allo_air.core.walking import enclosing, walk_named
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.mlir import linalg_views as linalg
from allo_air.passes._analysis.element_types import bit_width
from allo_air.passes._analysis.findings import Findings
from allo_air.passes._analysis.lanes import FILLED, calls_library, lanes_of_loop_nest
from allo_air.passes._analysis.loop_nest import LoopNest, NotALoopNest, as_rows, loop_nest_of
from allo_air.passes._analysis.requantisation import is_requantisation
from allo_air.passes._ir.device_option import device_option
from allo_air.passes._ir.tensors import all_parallel
from allo_air.passes.kernel._combine import Combiner, combiners_of
from allo_air.passes.kernel._fold_mask_into_bounds import fold_mask_into_bounds
from allo_air.passes.kernel._indices import divisor
from allo_air.passes.kernel._memory import ALIGNMENT
from allo_air.passes.kernel._nest import Nest
from allo_air.passes.kernel._requantized import LANES as WIDE

L1 = 2
"""The memory space of cores."""
NOTE = "allo.scalar"
"""Attribute of a function: why some of its operations are not vectorized."""


@dataclass(frozen=True)
class VectorizeGenerics(Pass):
    """Turns linalg.generic operations on buffers into loops over vectors, along a dimension of contiguous elements.

    Loops that every operand walks as one are merged. Operands that do not vary along the dimension are broadcast to the lanes.
    Scalar code handles the remainder of a dimension. A reduction along the dimension uses one accumulator for each lane and
    combines the lanes at the end; a reduction along another dimension uses a vector for each part of the result. Sums and
    products of bf16 are accumulated in f32. A mask in the body of a reduction becomes the bound of its loop. Copies within L1
    (memref.copy) are vectorized as well. Operations without a vector form on the device become loops over single elements, or,
    if these would call the run-time library, over vectors whose lanes are loaded and stored one by one; a note on the function
    (`allo.scalar`) says why, and so does a remark with `remarks`. Operations with unknown loop bounds stay.

    Before:

        linalg.generic {indexing_maps = [(d0) -> (d0), (d0) -> (d0)], iterator_types = ["parallel"]} ins(%a) outs(%c) {
        ^bb0(%x: f32, %u: f32):
          %y = arith.addf %x, %x : f32
          linalg.yield %y : f32
        }

    After:

        scf.for %i = %c0 to %c64 step %c16 {
          %x = vector.transfer_read %a[%i], %c0 {in_bounds = [true]} : memref<64xf32, 2>, vector<16xf32>
          %y = arith.addf %x, %x : vector<16xf32>
          vector.transfer_write %y, %c[%i] {in_bounds = [true]} : memref<64xf32, 2>, vector<16xf32>
        }
    """

    name = "vectorize-generics"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    remarks: bool = False
    """Print a remark on each operation that has no vector form, with the reason."""

    def run(self, op: AnyOp, /) -> None:
        arch = device_option(self.name, self.device).arch
        for copy in walk_named(op, "memref.copy"):
            _generalize(copy)
        findings = Findings()
        for generic in walk_named(op, "linalg.generic"):
            if generic.results:
                continue
            try:
                loop_nest = fold_mask_into_bounds(loop_nest_of(generic))
            except NotALoopNest as reason:
                findings.remark(generic, f"stays, and later becomes loops over single elements: {reason}")
                _record_reason(generic, str(reason))
                continue
            nest = Nest(loop_nest, -1, 0, combiners_of(loop_nest))
            try:
                nest = _vectors(as_rows(loop_nest), nest.combiners, arch)
            except NotALoopNest as reason:
                nest = _filled(loop_nest, nest.combiners, arch) or nest
                what = "loads and stores lanes one by one" if nest.fills else "becomes loops over single elements"
                findings.remark(generic, f"{what}: {reason}")
                _record_reason(generic, str(reason))
            with ir.InsertionPoint(generic), generic.location:
                nest.emit()
            generic.erase()
        if self.remarks:
            findings.deliver()


def _generalize(copy: ir.Operation) -> None:
    """Rewrites a copy within a core's memory as a linalg.generic, which is then vectorized."""
    kinds = [v.type for v in copy.operands]
    if not all(isinstance(k, ir.MemRefType) and k.has_static_shape and _space(k) == L1 for k in kinds):
        return
    rank = len(kinds[0].shape)
    maps = ir.ArrayAttr.get([ir.AffineMapAttr.get(ir.AffineMap.get_identity(rank))] * 2)
    source, into = copy.operands
    with ir.InsertionPoint(copy), copy.location:
        op = linalg.GenericOp([], [source], [into], maps, all_parallel(rank))
        block = op.regions[0].blocks.append(*[k.element_type for k in kinds], arg_locs=[copy.location] * 2)
        with ir.InsertionPoint(block):
            linalg.YieldOp([block.arguments[0]])
    copy.erase()


def _space(kind: ir.MemRefType) -> int:
    return kind.memory_space.value if isinstance(kind.memory_space, ir.IntegerAttr) else 0


def _record_reason(generic: ir.Operation, reason: str) -> None:
    """Records the reason on the function, for the program's report."""
    function = enclosing(generic, "func.func")
    if function is None:
        return
    noted = function.attributes[NOTE].value.split("; ") if NOTE in function.attributes else []
    line = position(generic.location)[1]
    text = f"line {line}: {reason}" if line else reason
    function.attributes[NOTE] = ir.StringAttr.get("; ".join(dict.fromkeys([*noted, text])))


def _vectors(loop_nest: LoopNest, combiners: list[Combiner] | None, arch: str) -> Nest:
    """Vectorizes along the longest possible dimension; parallel dimensions precede reductions.

    Copies use half a vector if no dimension has a whole one.
    """
    lanes = lanes_of_loop_nest(loop_nest, _has_form)
    if not loop_nest.body and not any(_is_along(loop_nest, d, lanes, combiners) for d in range(len(loop_nest.sizes))):
        half = lanes // 2
        lanes = half if any(_is_along(loop_nest, d, half, combiners) for d in range(len(loop_nest.sizes))) else lanes
    reasons: list[str] = []
    results: list[int] = []
    if is_requantisation(loop_nest.body):
        results = [
            d
            for d in range(len(loop_nest.sizes))
            if not loop_nest.runs(d) % WIDE and not _refusal(loop_nest, d, WIDE, combines=False)
        ]
        lanes = WIDE if results else lanes
    for d in range(len(loop_nest.sizes)) if not results else ():
        reason = _refusal(loop_nest, d, lanes, combiners is not None)
        results += [] if reason else [d]
        reasons += [reason] if reason else []
    if not results:
        raise NotALoopNest(reasons[-1] if reasons else "it works on one element, which fills no vector")
    dim = max(results, key=lambda d: (not loop_nest.reduces[d], loop_nest.runs(d) // lanes))
    return Nest(loop_nest, dim, lanes, combiners)


def _filled(loop_nest: LoopNest, combiners: list[Combiner] | None, arch: str) -> Nest | None:
    """The nest with lanes that are loaded and stored one by one, along the loop with the fewest vectors per iteration; None if
    the body has no vector form of FILLED lanes, or needs no calls as scalar code.
    """
    try:
        loop_nest = as_rows(loop_nest)
        lanes = lanes_of_loop_nest(loop_nest, _has_form)
    except NotALoopNest:
        return None
    if lanes != FILLED or not calls_library(loop_nest):
        return None
    nests = [Nest(loop_nest, d, lanes, combiners, fills=True) for d in range(len(loop_nest.sizes)) if loop_nest.runs(d) > 1]
    nests = [n for n in nests if not loop_nest.reduces[n.dim] or (combiners is not None and n.has_masks)]
    return min(nests, key=lambda n: ceil(loop_nest.runs(n.dim) / lanes) / loop_nest.runs(n.dim), default=None)


def _has_form(op: ir.Operation) -> bool:
    """Whether a function of the math dialect has a vector form."""
    from allo_air.passes.kernel._approximations import approximation  # few kernels need it

    return approximation(op) is not None


def _is_along(loop_nest: LoopNest, dim: int, lanes: int, combiners: list[Combiner] | None) -> bool:
    """Whether vectors of `lanes` are possible along loop `dim`."""
    return not _refusal(loop_nest, dim, lanes, combiners is not None)


def _refusal(loop_nest: LoopNest, dim: int, lanes: int, combines: bool) -> str:
    """Why vectors of `lanes` are impossible along loop `dim`; empty if they are possible."""
    if loop_nest.runs(dim) < lanes:
        return f"{loop_nest.runs(dim)} elements do not fill a vector of {lanes}"
    if loop_nest.reduces[dim] and not combines:
        return "partial results of its reduction cannot be combined"
    for operand in loop_nest.operands:
        if not operand.is_memory:
            continue
        (*factors,), offset = operand.row
        factor = factors.pop(dim)
        if factor not in (0, 1) or (operand.is_output and factor == loop_nest.reduces[dim]):
            return "no dimension is contiguous in all operands"
        size = max(bit_width(str(operand.element)), 8) // 8
        needed = min(lanes * size, ALIGNMENT)
        begins = (offset, *factors, *(divisor(v) * f for v, f in operand.plus))
        if factor and any(f * size % needed for f in begins):
            return f"vectors of its rows would not begin at multiples of {counted(needed, 'byte')}"
    return ""
