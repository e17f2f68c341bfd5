"""Widens kernels with elements below 32 bits to 32 bits, if their tiles cannot be whole 32-bit words."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from allo_air.core.functions import call_function
from allo_air.core.names import set_function_type
from allo_air.mlir import AnyOp, func, ir
from allo_air.mlir import linalg_views as linalg
from allo_air.passes._ir.kernel_calls import reshape_to, update_calls
from allo_air.passes._ir.new_kernel import KernelNames, new_kernel
from allo_air.passes._ir.tensors import all_parallel, empty
from allo_air.passes.map._kernel import Kernel, kernel_of

_FLOATS = {True: "arith.extf", False: "arith.truncf"}
_INTEGERS = {True: "arith.extsi", False: "arith.trunci"}


def is_narrow(kernel: Kernel) -> bool:
    """Whether an argument or a result has elements of fewer than 32 bits."""
    values = (*kernel.block.arguments, *kernel.returned)
    return any(_is_narrow(v.type) for v in values)


def widen_types(kernel: Kernel, names: KernelNames) -> tuple[Kernel, list[Kernel]]:
    """Gives the kernel a signature with 32-bit elements. Returns it and the new kernels that cast, which its callers call.

    Before:

        func.func private @k(%a: tensor<129x33xbf16>) -> tensor<129x40xbf16> { %p = tensor.pad %a ... return %p }
        %y = call @k(%x)

    After:

        func.func private @cast_0(%a: tensor<4257xbf16>) -> tensor<4257xf32>
        func.func private @k(%a: tensor<129x33xf32>) -> tensor<129x40xf32> {
          %n = linalg.generic ins(%a) { arith.truncf }
          %p = tensor.pad %n ...
          %w = linalg.generic ins(%p) { arith.extf }
        %y = (call @k(call @cast_0(%x in one dimension))) cast back in the same way
    """
    function, result = kernel.function, list[Kernel]()
    last = kernel.block.operations[-1].operation
    for argument in kernel.block.arguments:
        if _is_narrow(argument.type):
            _widen_argument(kernel, argument)
    _widen_results(last)
    set_function_type(function)

    def cast_at_call(value: ir.Value, kind: ir.RankedTensorType) -> Any:
        if value.type == kind:
            return value
        size = prod(kind.shape)
        flat = reshape_to(value, ir.RankedTensorType.get([size], value.type.element_type))
        name, cast = _caster(flat, ir.RankedTensorType.get([size], kind.element_type), function, names)
        result.extend(cast)
        return reshape_to(call_function(name, [ir.RankedTensorType.get([size], kind.element_type)], [flat]).results[0], kind)

    update_calls(function, cast_at_call, cast_at_call)
    return kernel_of(function), result


def _widen_argument(kernel: Kernel, argument: ir.Value) -> None:
    """Widens an argument and casts it at its uses; a cast of a slice is made after the slice."""
    kind, slices = argument.type, list[Any]()
    uses = [(u.owner.operation, u.operand_number) for u in argument.uses]
    argument.set_type(_wide_type(kind))
    for owner, _ in uses:
        if owner.name == "tensor.extract_slice":
            owner.results[0].set_type(_wide_type(owner.results[0].type))
            slices.append(owner)
    for slice_ in slices:
        wide, remaining = slice_.results[0], [(u.owner.operation, u.operand_number) for u in slice_.results[0].uses]
        with ir.InsertionPoint.after(slice_), slice_.location:
            narrow = _cast(wide, ir.RankedTensorType.get(wide.type.shape, kind.element_type))
        for owner, number in remaining:
            owner.operands[number] = narrow
    rest = [(owner, number) for owner, number in uses if owner not in slices]
    if rest:
        with ir.InsertionPoint.at_block_begin(kernel.block), kernel.function.location:
            narrow = _cast(argument, kind)
        for owner, number in rest:
            owner.operands[number] = narrow


def _widen_results(last: ir.Operation) -> None:
    """Casts the results. Results of equal shape are cast by one operation, so that they have the same tiles."""
    values = list(last.operands)
    if not any(_is_narrow(v.type) for v in values):
        return
    with ir.InsertionPoint(last), last.location:
        if len({tuple(v.type.shape) for v in values}) == 1:
            casts = _casts(values, [_wide_type(v.type) if _is_narrow(v.type) else v.type for v in values])
        else:
            casts = [_cast(v, _wide_type(v.type)) if _is_narrow(v.type) else v for v in values]
    for number, value in enumerate(casts):
        last.operands[number] = value


def _caster(value: ir.Value, kind: ir.Type, before: AnyOp, names: KernelNames) -> tuple[str, list[Kernel]]:
    """The name of the kernel that casts `value` to `kind`, and the kernel if it is new."""
    result, body, mapping = new_kernel([value], [kind], before)
    with ir.InsertionPoint(body), before.location:
        func.ReturnOp([_cast(mapping[value], kind)])
    name, is_new = names.of(result, "cast")
    return name, [kernel_of(result)] if is_new else []


def _cast(value: Any, kind: Any) -> Any:
    """`value` as a tensor of type `kind`, with elements of another width."""
    return _casts([value], [kind])[0]


def _casts(values: list[ir.Value], kinds: Sequence[ir.RankedTensorType]) -> list[Any]:
    """Tensors of one shape as tensors of types `kinds`, by one operation."""
    rank, count = len(kinds[0].shape), len(values)
    maps = ir.ArrayAttr.get([ir.AffineMapAttr.get(ir.AffineMap.get_identity(rank))] * 2 * count)
    op = linalg.GenericOp(kinds, values, [empty(k) for k in kinds], maps, all_parallel(rank))
    block = op.regions[0].blocks.append(*(v.type.element_type for v in values), *(k.element_type for k in kinds))
    with ir.InsertionPoint(block):
        linalg.YieldOp([_converted(a, k.element_type) for a, k in zip(list(block.arguments)[:count], kinds, strict=True)])
    return list(op.results)


def _converted(value: ir.Value, element: ir.Type) -> Any:
    if value.type == element:
        return value
    names = _FLOATS if isinstance(element, ir.FloatType) else _INTEGERS
    return ir.Operation.create(names[str(element) in ("f32", "i32")], [element], [value]).results[0]


def _is_narrow(kind: ir.Type) -> bool:
    return isinstance(kind, ir.RankedTensorType) and str(kind.element_type) in ("bf16", "f16", "i8", "i16")


def _wide_type(kind: ir.RankedTensorType) -> ir.RankedTensorType:
    float_ = isinstance(kind.element_type, ir.FloatType)
    return ir.RankedTensorType.get(kind.shape, ir.F32Type.get() if float_ else ir.IntegerType.get_signless(32))
