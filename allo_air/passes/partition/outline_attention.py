"""outline-attention."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.device import Device
from allo_air.mlir import arith, ir
from allo_air.passes._analysis.attention import Attention, find_all
from allo_air.passes._analysis.attention_choice import choose
from allo_air.passes._analysis.kernels import KERNEL
from allo_air.passes._analysis.softmax_form import width
from allo_air.passes._ir.device_option import device_option
from allo_air.passes._ir.generic import generic
from allo_air.passes._ir.new_kernel import KernelNames, new_kernel
from allo_air.passes._ir.tensors import empty
from allo_air.passes.partition._outline import NOTE


@dataclass(frozen=True)
class OutlineAttention(Pass):
    """Outlines each group softmax(f(Q K^T)) V that fits the cores to a kernel, so that its scores never leave the array.

    The group is recognized by the expressions of its elements, through reshapes, transpositions and broadcasts of its
    operands: heads may be any dimension, and several may share keys and values. Masks may have any form. Equal groups become
    one kernel. A group that fits no core stays and is split into kernels of its operations. Operands that the products round
    are rounded once, before the kernel.

    Before:

        func.func @main(%q: tensor<2x256x64xf32>, %k: ..., %v: ...) -> tensor<2x256x64xf32> {
          %t = linalg.transpose ins(%k) ...
          %s = linalg.batch_matmul ins(%q, %t) ...
          // maximum, difference, exp, sum, quotient
          %o = linalg.batch_matmul ins(%p, %v) ...
          return %o

    After:

        func.func private @main_attention(%q, %k, %v) -> tensor<2x256x64xf32> attributes {allo.kernel} { ... }
        func.func @main(%q: tensor<2x256x64xf32>, %k: ..., %v: ...) -> tensor<2x256x64xf32> {
          %o = call @main_attention(%q, %k, %v)
          return %o
    """

    name = "outline-attention"
    anchor = "builtin.module"

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    cols: int = 0
    """Columns of the array that may be used, 0 for all."""

    def run(self, op: ir.Operation, /) -> None:
        device = device_option(self.name, self.device)
        device = replace(device, columns=min(self.cols or device.columns, device.columns))
        names = KernelNames(op)
        for function in walk_named(op, "func.func"):
            if KERNEL in function.attributes or len(function.regions[0].blocks) != 1:
                continue
            for group in find_all(function):
                _outline(function, group, device, names)


def _outline(function: ir.Operation, group: Attention, device: Device, names: KernelNames) -> None:
    ops, value = group.ops(), _kernel_operands(group)
    end = group.result.owner.operation
    with end.location:
        kernel = _kernel(function, group, value)
        if not any(choose(inside, device, count=1) for inside in find_all(kernel)):
            kernel.erase()
            return
        name, new = names.of(kernel, f"{function.attributes['sym_name'].value}_attention")
        if new:
            kernel.attributes[NOTE] = ir.StringAttr.get("attention, whose scores stay in the cores")
        callee = {"callee": ir.FlatSymbolRefAttr.get(name)}
        call = ir.Operation.create("func.call", [group.result.type], value, callee, ip=ir.InsertionPoint(end))
    group.result.replace_all_uses_with(call.results[0])
    for op in reversed(ops):
        if not any(list(r.uses) for r in op.results):
            op.erase()


def _kernel_operands(group: Attention) -> list[ir.Value]:
    """The operands of the kernel: those of the group, rounded by their producer if the products round them."""
    kind = group.rounded
    multiplied = {part.data[0] for part in (group.query, group.key, group.value)}
    if isinstance(kind, ir.IntegerType) or width(kind) >= width(group.element):
        return group.operands
    kernel_operands = []
    for value in group.operands:
        with _point_after(value), group.result.owner.location:
            kernel_operands.append(_cast(value, kind, arith.truncf) if value in multiplied else value)
    return kernel_operands


def _point_after(value: ir.Value) -> ir.InsertionPoint:
    owner = value.owner
    return ir.InsertionPoint.at_block_begin(owner) if isinstance(owner, ir.Block) else ir.InsertionPoint.after(owner)


def _cast(value: ir.Value, element: ir.Type, cast: Callable[..., object]) -> Any:
    kind = ir.RankedTensorType.get(value.type.shape, element)
    rank = len(kind.shape)

    def body(values: list[ir.Value]) -> list[Any]:
        return [cast(element, values[0])]

    return generic([value], [empty(kind)], [ir.AffineMap.get_identity(rank)] * 2, ["parallel"] * rank, body).results[0]


def _kernel(function: ir.Operation, group: Attention, values: list[ir.Value]) -> ir.Operation:
    """A private function without a name that computes `group` from `values`, which replace its operands."""
    kernel, block, inside = new_kernel(values, [group.result.type], function)
    mapping: dict[Any, Any] = {}
    with ir.InsertionPoint(block):
        for old, new in zip(group.operands, values, strict=True):
            mapping[old] = inside[new] if new == old else _cast(inside[new], old.type.element_type, arith.extf)
        for op in group.ops():
            clone(op, mapping)
        ir.Operation.create("func.return", [], [mapping[group.result]])
    return kernel
