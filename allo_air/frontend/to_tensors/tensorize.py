"""Converts a function of linalg on buffers to one of linalg on tensors."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from allo_air.core.names import set_function_type, sym_name_of
from allo_air.frontend.to_tensors.refusal import NotRaised
from allo_air.mlir import AnyOp, arith, func, ir, tensor


@dataclass
class _Values:
    """For a point of the function: the tensor in each buffer, and for each part the buffer that it belongs to."""

    tensors: dict[Any, Any] = field(default_factory=dict)
    parts: dict[Any, tuple[Any, list[int], list[int], list[int]]] = field(default_factory=dict)
    shapes: dict[Any, Any] = field(default_factory=dict)
    """Buffers that are reshapes of other buffers."""
    written: list[Any] = field(default_factory=list)

    def read(self, buffer: ir.Value) -> Any:
        """The tensor in `buffer`, which may be a part or a reshape of another buffer."""
        if buffer in self.shapes:
            return _reshaped(self.read(self.shapes[buffer]), _tensor(buffer.type))
        if buffer in self.parts:
            whole, offsets, sizes, strides = self.parts[buffer]
            return tensor.ExtractSliceOp(_tensor(buffer.type), self.read(whole), [], [], [], offsets, sizes, strides).result
        if buffer not in self.tensors:
            raise NotRaised(f"a buffer of {buffer.owner.name}")
        return self.tensors[buffer]

    def write(self, buffer: ir.Value, value: ir.Value) -> None:
        """Makes `value` the tensor in `buffer`; for a part, inserts it into the whole."""
        if buffer in self.shapes:
            self.write(self.shapes[buffer], _reshaped(value, _tensor(self.shapes[buffer].type)))
            return
        if buffer in self.parts:
            whole, offsets, sizes, strides = self.parts[buffer]
            self.write(whole, tensor.InsertSliceOp(value, self.read(whole), [], [], [], offsets, sizes, strides).result)
            return
        self.tensors[buffer] = value
        if buffer not in self.written:
            self.written.append(buffer)


def tensorize(function: AnyOp, module: ir.Module) -> tuple[Any, list[int]]:
    """The function on tensors, and the numbers of the parameters that it changes, which are further results."""
    [block] = function.regions[0].blocks
    name = sym_name_of(function)
    if not all(isinstance(a.type, ir.MemRefType) for a in block.arguments):
        raise NotRaised("a parameter that is a number")
    with ir.InsertionPoint(function), function.location:
        op = func.FuncOp(f"{name}_on_tensors", ir.FunctionType.get([_tensor(a.type) for a in block.arguments], []))
        entry = op.add_entry_block()
    values = _Values(dict(zip(block.arguments, entry.arguments, strict=True)))
    with ir.InsertionPoint(entry):
        for view in list(block.operations):
            with view.location:
                results = _operation(view.operation, values, module)
        changed = [n for n, a in enumerate(block.arguments) if a in values.written]
        results = [*(results or []), *(values.tensors[block.arguments[n]] for n in changed)]
        with function.location:
            func.ReturnOp(results)
    set_function_type(op)
    return op, changed


def _tensor(kind: ir.Type) -> Any:
    ref_type = ir.MemRefType(kind)
    return ir.RankedTensorType.get(ref_type.shape, ref_type.element_type)


def _operation(op: AnyOp, values: _Values, module: ir.Module) -> list[Any] | None:
    """Emits an operation on tensors; returns the results at a return."""
    match op.name:
        case "func.return":
            if not all(isinstance(v.type, ir.MemRefType) for v in op.operands):
                raise NotRaised("a result that is a number")
            return [values.read(v) for v in op.operands]
        case "memref.dealloc":
            return None
        case "memref.alloca" if not list(op.results[0].uses):
            return None
        case "memref.alloc":
            kind = _tensor(op.results[0].type)
            values.tensors[op.results[0]] = tensor.EmptyOp(kind.shape, kind.element_type).result
        case "memref.get_global":
            values.tensors[op.results[0]] = _constant(op, module)
        case "memref.subview":
            values.parts[op.results[0]] = _part_of(op)
        case "memref.copy":
            values.write(op.operands[1], values.read(op.operands[0]))
        case "memref.collapse_shape" | "memref.expand_shape" | "memref.reshape":
            values.shapes[op.results[0]] = op.operands[0]
        case "memref.cast" if _tensor(op.operands[0].type) == _tensor(op.results[0].type):
            source = op.operands[0]
            shape = list(ir.MemRefType(source.type).shape)
            values.parts[op.results[0]] = (source, [0] * len(shape), shape, [1] * len(shape))
        case _ if op.name.startswith("linalg."):
            _structured(op, values)
        case _ if (
            op.name.startswith("arith.") and not op.regions and not any(isinstance(v.type, ir.MemRefType) for v in op.operands)
        ):
            clone = op.clone()
            for number, operand in enumerate(clone.operation.operands):
                clone.operation.operands[number] = values.tensors.get(operand, operand)
            for old, new in zip(op.results, clone.operation.results, strict=True):
                values.tensors[old] = new
        case _:
            raise NotRaised(f"{op.name}")
    return None


def _constant(op: AnyOp, module: ir.Module) -> Any:
    name = op.attributes["name"].value
    for view in module.body.operations:
        if view.operation.name == "memref.global" and view.sym_name.value == name and "constant" in view.operation.attributes:
            return arith.ConstantOp(_tensor(op.results[0].type), view.operation.attributes["initial_value"]).result
    raise NotRaised("a buffer that keeps its value from call to call")


def _part_of(op: Any) -> tuple[Any, list[int], list[int], list[int]]:
    """The source, offsets, sizes and strides of a memref.subview."""
    lists = [list(op.attributes[n]) for n in ("static_offsets", "static_sizes", "static_strides")]
    dynamic = ir.ShapedType.get_dynamic_size()
    if any(n == dynamic or n == ir.ShapedType.get_dynamic_stride_or_offset() for numbers in lists for n in numbers):
        raise NotRaised("a part of a tensor with a dynamic offset")
    return op.operands[0], *lists


def _reshaped(value: ir.Value, kind: ir.ShapedType) -> Any:
    """A tensor in another shape, through one dimension."""
    source = ir.RankedTensorType(value.type)
    if source.rank != 1:
        flat = ir.RankedTensorType.get([math.prod(source.shape)], source.element_type)
        value = tensor.CollapseShapeOp(flat, value, _reassociation(source.rank)).result
    if kind.rank != 1:
        value = tensor.ExpandShapeOp(kind, value, _reassociation(kind.rank), [], list(kind.shape)).result
    return value


def _reassociation(rank: int) -> Any:
    i64 = ir.IntegerType.get_signless(64)
    dims = [ir.ArrayAttr.get([ir.IntegerAttr.get(i64, n) for n in range(rank)])] if rank else []
    return ir.ArrayAttr.get(dims)


def _structured(op: AnyOp, values: _Values) -> None:
    operands = [values.read(v) if isinstance(v.type, ir.MemRefType) else values.tensors.get(v, v) for v in op.operands]
    count = _outputs(op)
    targets = list(op.operands)[len(operands) - count :]
    attributes = {name: op.attributes[name] for name in op.attributes}
    results = [o.type for o in operands[len(operands) - count :]]
    new_op = ir.Operation.create(op.name, results=results, operands=operands, attributes=attributes, regions=len(op.regions))
    for old, new in zip(op.regions, new_op.regions, strict=True):
        old.blocks[0].append_to(new)
        _replace_captured(new, values)
    for target, result in zip(targets, new_op.results, strict=True):
        values.write(target, result)


def _outputs(op: AnyOp) -> int:
    if "operandSegmentSizes" in op.attributes:
        return int(list(op.attributes["operandSegmentSizes"])[-1])
    return 1


def _replace_captured(region: ir.Region, values: _Values) -> None:
    """Replaces captured values of a body by the values of the new function."""
    for view in region.blocks[0].operations:
        op = view.operation
        for number, operand in enumerate(op.operands):
            if operand in values.tensors:
                op.operands[number] = values.tensors[operand]
