"""outline-families."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.match import expect_match
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import point_after, walk_named
from allo_air.mlir import arith, func, ir
from allo_air.passes._analysis.columns import COLUMNS
from allo_air.passes._analysis.kernels import KERNEL
from allo_air.passes._ir.device_option import device_option
from allo_air.passes._ir.divided import NOTE
from allo_air.passes._ir.generic import generic
from allo_air.passes._ir.new_kernel import KernelNames, new_kernel
from allo_air.passes._ir.tensors import empty
from allo_air.passes.linalg._families import family_of
from allo_air.plan.family import Family, KernelMatch, Target, files
from allo_air.plan.schema import attach


@dataclass(frozen=True)
class OutlineFamilies(Pass):
    """Moves operations that a family of kernels recognizes into a kernel with a plan.

    Each family is a file of its own (`allo_air.plan.family`). `grouped` are matrix multiplications of groups of rows, each
    group with its own weight. `attention` is softmax(f(Q K^T)) V, whose scores never leave the array; operands that its
    products round are rounded once, before the kernel. Equal kernels become one. Operations without a plan stay unchanged for
    other passes.

    Before:

        func.func @main(%x: tensor<96x64xbf16>, %w: tensor<3x64x32xbf16>) -> tensor<96x32xf32> {
          %a = linalg.matmul ins(%x[0, 0] [40, 64], %w[0, 0, 0] [1, 64, 32])
          %b = linalg.matmul ins(%x[40, 0] [56, 64], %w[2, 0, 0] [1, 64, 32])
          %r = tensor.concat dim(0) %a, %b

    After:

        func.func private @main_grouped_0(%x, %w) -> tensor<96x32xf32>
            attributes {allo.kernel, allo.plan = {family = "grouped", ...}} { the same operations }
        func.func @main(%x: tensor<96x64xbf16>, %w: tensor<3x64x32xbf16>) -> tensor<96x32xf32> {
          %r = call @main_grouped_0(%x, %w)
    """

    name = "outline-families"
    anchor = "builtin.module"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    cols: int = 0
    """Columns of the array that may be used, 0 for all."""
    bfp16: bool = False
    """Multiply bf16 in AIE2p's block floating point, which rounds operands to blocks of 8 with one exponent."""

    plans: str = ""
    """A folder of plans that simulation found best, used for the kernels that they name."""
    ranking: int = 0
    """Number of best candidates to list in the plan's attribute, for a tuner to simulate."""
    without: tuple[str, ...] = ()
    """Families that recognize nothing. `allo_air.compile` sets it if the code of their kernel does not fit into program
    memory.
    """

    def run(self, op: ir.Operation, /) -> None:
        device = device_option(self.name, self.device, cols=self.cols)
        target = Target(device, self.bfp16, self.plans, self.ranking)
        names, kernels = KernelNames(op), list[tuple[ir.Operation, Family]]()
        for family in filter(None, map(family_of, (name for name in files() if name not in self.without))):
            for function in walk_named(op, "func.func"):
                if KERNEL not in function.attributes and len(function.regions[0].blocks) == 1:
                    family.prepare(function)
                    new = (_outline(function, family, match, target, names) for match in family.find(function))
                    kernels += [(kernel, family) for kernel in new if kernel is not None]
        for kernel, family in kernels:
            attach(kernel, expect_match(family.plan(kernel, target)))


def _outline(
    function: ir.Operation, family: Family, match: KernelMatch, target: Target, names: KernelNames
) -> ir.Operation | None:
    """Replaces `match` by a call if its kernel has a plan; returns the kernel if it is new."""
    end = match.result.owner.operation
    with end.location:
        values = [_cast_after(v, match.rounded[v], arith.truncf) if v in match.rounded else v for v in match.operands]
        kernel = _kernel(function, match, values)
        if family.refusal(kernel, replace(target, plans="", ranking=0)) is not None:
            kernel.erase()
            return None
        if COLUMNS in kernel.attributes:
            del kernel.attributes[COLUMNS]  # the program's other kernels, which share the columns, are not outlined yet
        name, new = names.of(kernel, f"{sym_name_of(function)}_{family.name}")
        with ir.InsertionPoint(end):
            call = func.CallOp([match.result.type], name, values)
    match.result.replace_all_uses_with(call.results[0])
    for op in reversed(match.ops):
        if not any(True for r in op.results for _ in r.uses):
            op.erase()
    if not new:
        return None
    kernel.attributes[NOTE] = ir.StringAttr.get(family.note)
    return kernel


def _kernel(function: ir.Operation, match: KernelMatch, values: Sequence[ir.Value]) -> ir.Operation:
    """A private function without a name that computes `match` from `values`: its operands, rounded if the match says so."""
    kernel, block, inside = new_kernel(values, [match.result.type], function)
    mapping: dict[Any, Any] = {}
    with ir.InsertionPoint(block):
        for old, new in zip(match.operands, values, strict=True):
            mapping[old] = inside[new] if new == old else _cast(inside[new], old.type.element_type, arith.extf)
        for op in match.ops:
            clone(op, mapping)
        func.ReturnOp([mapping[match.result]])
    return kernel


def _cast_after(value: ir.Value, element: ir.Type, cast: Callable[..., object]) -> Any:
    """`value` cast to `element`, at the operation that computes it."""
    with point_after(value):
        return _cast(value, element, cast)


def _cast(value: ir.Value, element: ir.Type, cast: Callable[..., object]) -> Any:
    kind = ir.RankedTensorType.get(value.type.shape, element)
    rank = len(kind.shape)

    def body(values: list[ir.Value]) -> list[Any]:
        return [cast(element, values[0])]

    return generic([value], [empty(kind)], [ir.AffineMap.get_identity(rank)] * 2, ["parallel"] * rank, body).results[0]
