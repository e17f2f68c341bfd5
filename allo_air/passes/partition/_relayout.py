"""Kernels that only change the shape or the layout of a tensor (relayouts), and views if no kernel is needed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.cloning import replace as replace_op
from allo_air.core.functions import call_function, new_function
from allo_air.core.names import callee_of, function_type_of, sym_name_of
from allo_air.core.walking import defining_op, enclosing, is_inside, is_result_of, walk_post_order
from allo_air.device import Device
from allo_air.mlir import AnyOp, bufferization, func, ir, tensor
from allo_air.passes._analysis.kernels import IN_PLACE, KERNEL
from allo_air.passes._ir.names import Names
from allo_air.passes._ir.order import move_before
from allo_air.passes._ir.packing import copy_by, pack, pad_and_map, pad_by
from allo_air.passes._ir.tensors import empty, zero_of
from allo_air.passes.partition._concats_in_place import is_placed
from allo_air.passes.partition._generic import copy_of
from allo_air.passes.partition._movement import Movement, Step, layout_through, movement, only_moves
from allo_air.passes.partition._pad_rows import pad_rows
from allo_air.passes.partition._parts_in_place import slices_of_a_copy, start_of, stays_in_place
from allo_air.passes.partition._relayout_steps import added, kernel_shapes, packing, padded_one_by_one, views, with_extent
from allo_air.passes.partition._relayout_streams import Streamed, streamed, streams_of
from allo_air.passes.partition._views import constant, corner, insert_at_start, leading, reshape, zero_tensor

_STAY = (
    "func.call",
    "func.return",
    "arith.constant",
    "tensor.empty",
    "bufferization.alloc_tensor",
    "tensor.expand_shape",
    "tensor.collapse_shape",
    "tensor.cast",
)
_LARGEST_FILL = 1 << 20
"""Largest number of elements of a tensor that is data of the program instead of a kernel's result."""


class Relayouts:
    """Creates the relayout kernels of a module. Calls with equal relayouts share a kernel."""

    def __init__(self, module: AnyOp, device: Device) -> None:
        self.names, self.device = Names(module), device
        self.kernels: dict[str, str] = {}
        self.calls: dict[tuple[Any, ...], Any] = {}
        """Results of calls, by kernel and source, so that a kernel is called once for a source."""
        self.extended: dict[tuple[Any, int], Any] = {}
        """Buffers that begin with a tensor and are longer, by the tensor and the number of elements."""

    def call(self, user: ir.Operation, movement: Movement, source: ir.Value) -> Any:
        """The result of `movement` on `source`, before `user`: kernels cut, pad and pack; views connect them.

        Kernels of streams between external memories take their place where these are faster: one, or two if the boxes of words
        are many without the tensor between them.
        """
        if (whole := streamed(replace(movement, source=source), self.device)) is not None:
            return self._streamed(user, source, movement.steps, whole)
        for half, streams in self._halves(user, source, movement.steps):
            source = self._streamed(user, source, half, streams)
            movement = replace(movement, steps=movement.steps[len(half) :])
        value, steps, is_cut = source, list(movement.steps), False
        while steps:
            count = views(value, steps, is_cut=is_cut)
            packed = packing(steps) if not count else 0
            if packed:
                value = self._packed(user, value, steps[:packed])
                del steps[:packed]
                continue
            if not count:
                count = len(list(takewhile(lambda s: s.kind not in ("reshape", "pack"), steps)))
            part = Movement(value, tuple(steps[:count]), ())
            kind = ir.RankedTensorType.get(list(steps[count - 1].shape), value.type.element_type)
            if part.is_prefix and not (is_cut and part.zeros):
                is_cut |= part.prefix() < math.prod(value.type.shape)
                value = self.prefix(user, part, kind)
            else:
                value, is_cut = self._padded(user, part, kind), False
            del steps[:count]
        return value

    def _halves(self, user: ir.Operation, source: ir.Value, steps: Sequence[Step]) -> list[tuple[Sequence[Step], Streamed]]:
        """`steps` in two parts that streams perform, with the fewest cycles; empty if there are no such parts, or if one or two
        kernels of cores do all.
        """
        results = list[tuple[float, list[tuple[Sequence[Step], Streamed]]]]()
        is_long = len(kernel_shapes(Movement(source, tuple(steps), ()))) > 2
        for n in range(1, len(steps)) if is_long else ():
            if (first := streamed(Movement(source, tuple(steps[:n]), ()), self.device)) is None:
                continue
            with ir.InsertionPoint(user), user.location:
                between = empty(ir.RankedTensorType.get(list(steps[n - 1].shape), source.type.element_type))
            second = streamed(Movement(between, tuple(steps[n:]), ()), self.device)
            between.owner.erase()
            if second is not None:
                results.append((first.cycles + second.cycles, [(steps[:n], first), (steps[n:], second)]))
        return min(results, key=lambda item: item[0], default=(0.0, []))[1]

    def _streamed(self, user: ir.Operation, source: ir.Value, steps: Sequence[Step], whole: Streamed) -> Any:
        """Calls the kernel that performs `steps` by the streams of `whole`."""
        element = source.type.element_type
        with ir.InsertionPoint(user), user.location:
            rows = [constant(ir.RankedTensorType.get([n], element), number) for n, number in whole.fills]
            result = ir.RankedTensorType.get(list(steps[-1].shape), element)
            values = [source, *rows]
            function, block = new_function(self.names.fresh("relayout"), [v.type for v in values], [result], ip=False)
            with ir.InsertionPoint(block):
                value = block.arguments[0]
                for step in steps:
                    value = _performed(step, value)
                func.ReturnOp([value])
        shared = {*self.kernels.values()}
        result_value = self._call(user, function, values)
        if callee_of(result_value.owner) not in shared:
            whole.attach_to(function)
        return result_value

    def _padded(self, user: ir.Operation, movement: Movement, target: ir.RankedTensorType) -> Any:
        """Calls the kernel that cuts and pads the source of `movement`, or two kernels if no tiles of one kernel fit."""
        zeros, shapes = movement.zero_dims(), movement.shapes()
        before, after = list(shapes[0]), list(shapes[-1])
        if zeros and len(padded_one_by_one(before, [0] * len(before), added(movement), target)) > 1:
            dim = zeros[0]
            overlap = min(shape[dim] for shape in shapes)
            partly = ir.RankedTensorType.get(with_extent(after, dim, before[dim]), target.element_type)
            value = self._padded(user, movement.without(dim), partly)
            cut = [Step("cut", tuple(with_extent(after, dim, overlap)))] if overlap < before[dim] else []
            last = Movement(value, (*cut, Step("grow", tuple(after), zeros=True)), ())
            return self.prefix(user, last, target) if last.is_prefix and not cut else self._padded(user, last, target)
        with user.location:
            result = pad_rows(movement, self.names.fresh("relayout"))
        value = self._call(user, result, [movement.source])
        if value.type == target:
            return value
        return self.prefix(user, Movement(value, (Step("grow", tuple(target.shape)),), ()), target)

    def _packed(self, user: ir.Operation, source: ir.Value, steps: list[Step]) -> Any:
        """Calls the kernels that pack `source`, or a corner of it: one pads, one copies."""
        cut = [list(s.shape) for s in steps if s.kind == "cut"]
        packs = [s.as_packing() for s in steps if s.kind != "cut"]
        before, shape = cut[-1] if cut else list(source.type.shape), packs[-1].shape
        layout = layout_through(packs, len(before))
        (low, high), inner = pad_and_map(layout, before, shape)
        for part in padded_one_by_one(before, low, high, source.type):
            wide = [n + (low[d] + high[d]) * (d in part) for d, n in enumerate(before)]

            def widened(value: ir.Value, before: list[int] = before, part: list[int] = part) -> Any:
                value = corner(value, before) if before != list(value.type.shape) else value
                front, back = ([n * (d in part) for d, n in enumerate(side)] for side in (low, high))
                return copy_of(pad_by(value, front, back, layout.outside) if part else value)

            if part or before != list(source.type.shape):
                source, before = self._call_of_new_kernel(user, source, wide, widened), wide
        if list(source.type.shape) == list(shape) and inner == ir.AffineMap.get_identity(len(shape)):
            return source
        return self._call_of_new_kernel(user, source, shape, lambda value: copy_by(value, inner, shape))

    def _call_of_new_kernel(
        self, user: ir.Operation, source: ir.Value, shape: Sequence[int], body: Callable[[ir.Value], ir.Value]
    ) -> Any:
        """A call of the kernel that computes a tensor of `shape` from `source`; `body` emits its body."""
        element = source.type.element_type
        with user.location:
            value, result = (ir.RankedTensorType.get(list(s), element) for s in (source.type.shape, shape))
            function, block = new_function(self.names.fresh("relayout"), [value], [result], ip=False)
            with ir.InsertionPoint(block):
                func.ReturnOp([body(block.arguments[0])])
        return self._call(user, function, [source])

    def copied(self, user: ir.Operation, value: ir.Value) -> Any:
        """A tensor with the elements of `value`, written by a kernel before `user`."""
        return self._call_of_new_kernel(user, value, list(value.type.shape), copy_of)

    def copied_exactly(self, user: ir.Operation, value: ir.Value) -> Any:
        """As `copied`, by streams that write nothing after the elements; cores may write whole tiles."""
        item = movement(value)
        whole = streams_of(item, self.device) if item.steps else None
        return self.copied(user, value) if whole is None else self._streamed(user, item.source, item.steps, whole)

    def outline_others(self, block: ir.Block) -> None:
        """Outlines each operation of `block` to a kernel, except constants, calls, movements, and slices that stay in place. A
        fill becomes a constant.
        """
        for op in [o.operation for o in block.operations]:
            number = _filling(op)
            if number is not None and math.prod(op.results[0].type.shape) <= _LARGEST_FILL:
                with ir.InsertionPoint(op), op.location:
                    replace_op(op, [constant(op.results[0].type, number)])
                continue
            if op.name in _STAY or IN_PLACE in op.attributes or not op.results or only_moves(op) or stays_in_place(op):
                continue
            if slices := slices_of_a_copy(op):
                item = movement(op.operands[0])
                copy = self.view(op, self.call(op, item, item.source), op.operands[0].type)
                for part in slices:
                    part.operands[0] = copy
                continue
            tensors = [v for v in dict.fromkeys(op.operands) if not _has_no_operands(v)]
            function = self._outlined(op, [op], tensors, tensors, self.names.fresh("relayout"))
            result = self._call(op, function, tensors)
            op.results[0].replace_all_uses_with(result)
            op.erase()

    def _outlined(
        self, user: ir.Operation, ops: list[AnyOp], arguments: list[ir.Value], sources: list[ir.Value], name: str
    ) -> ir.Operation:
        """A function of `ops` on values like `arguments`, which replace `sources`; it is in no module yet."""
        with user.location:
            function, body = new_function(name, [v.type for v in arguments], [ops[-1].results[0].type], ip=False)
            values = dict(zip(sources, body.arguments, strict=True))
            with ir.InsertionPoint(body):
                for op in ops:
                    for operand in [v for inner in walk_post_order(op) for v in inner.operands]:
                        if operand not in values and _has_no_operands(operand) and not is_inside(operand.owner, op):
                            clone(operand.owner.operation, values)
                            if op.name == "tensor.insert_slice":  # a core sends the whole buffer, so all of it must be defined
                                values[operand] = zero_tensor(operand.type)
                    last = clone(op, values)
                result = last.results[0]
                func.ReturnOp([copy_of(result) if last.name == "tensor.extract_slice" else result])  # slices have no tiles
        return function

    def _call(self, user: ir.Operation, function: ir.Operation, values: list[ir.Value]) -> Any:
        """Inserts `function` into the module, and a call of it before `user`."""
        function.operation.attributes[KERNEL] = ir.UnitAttr.get()
        results = list(function_type_of(function.operation).results)
        program = enclosing(user, "func.func")
        ir.InsertionPoint(program).insert(function)
        name = self._shared(function.operation)
        key = name, *map(_source_and_shape, values)
        if key not in self.calls or self.calls[key].owner.operation.block != user.operation.block:
            with user.location:
                self.calls[key] = call_function(name, results, values, ir.InsertionPoint(user)).results[0]
        else:
            move_before(self.calls[key].owner.operation, user.operation)
        return self.calls[key]

    def _shared(self, function: ir.Operation) -> str:
        """The name of `function`; if the module has an equal function, that one replaces it."""
        name = sym_name_of(function)
        own_name = function.attributes["sym_name"]
        function.attributes["sym_name"] = ir.StringAttr.get("relayout")
        # Compared outside of the module: inside, values of equal functions have different names.
        text = str(function.get_asm(use_local_scope=True))
        function.attributes["sym_name"] = own_name
        if text in self.kernels:
            function.erase()
            return self.kernels[text]
        self.kernels[text] = name
        return name

    def prefix(self, user: ir.Operation, movement: Movement, kind: ir.RankedTensorType) -> Any:
        """A tensor of type `kind` whose leading elements are the part of its source that `movement` keeps, by views of flat
        buffers.
        """
        prefix, size = movement.prefix(), math.prod(kind.shape)
        element = kind.element_type
        source = movement.source
        whole = math.prod(source.type.shape)
        is_longer = size > whole and not movement.zeros and is_result_of(source, "tensor.extract_slice")
        if is_longer and stays_in_place(source.owner.operation):
            return self._longer_slice(user, source.owner.operation, kind)
        if (movement.zeros or size > whole) and is_placed(source):
            source = self.copied(user, source)  # it is in another buffer already
        with ir.InsertionPoint(user), user.location:
            flat = reshape(source, [whole])
            if movement.zeros:
                flat = leading(flat, prefix)
                zero = zero_of(element)
                flat = insert_at_start(flat, constant(ir.RankedTensorType.get([size], element), zero))
            elif size <= whole:
                flat = leading(flat, size)
            else:
                flat = self._extended(user, source, flat, size)
            return reshape(flat, list(kind.shape))

    def _longer_slice(self, user: ir.Operation, op: AnyOp, kind: ir.RankedTensorType) -> Any:
        """A tensor of type `kind` that begins with slice `op` of a kernel's result; the elements after the slice follow it."""
        source, start, size = movement(op.operands[0]).source, start_of(op), math.prod(kind.shape)
        whole, element = math.prod(source.type.shape), kind.element_type
        if start + size > whole and is_placed(source):
            source = self.copied(user, source)
        with ir.InsertionPoint(user), user.location:
            flat = reshape(source, [whole])
            if start + size > whole:
                flat = self._extended(user, source, flat, start + size)
            part = ir.RankedTensorType.get([size], element)
            return reshape(tensor.ExtractSliceOp(part, flat, [], [], [], [start], [size], [1]).result, list(kind.shape))

    def _extended(self, user: ir.Operation, source: ir.Value, flat: ir.Value, size: int) -> Any:
        """A flat tensor of `size` elements that begins with those of `source`, which are `flat`."""
        key = source, size
        if key not in self.extended:
            own = bufferization.alloc_tensor(ir.RankedTensorType.get([size], source.type.element_type), [])
            self.extended[key] = insert_at_start(flat, own)
        else:
            move_before(self.extended[key].owner.operation, user.operation)
        return self.extended[key]

    def view(self, user: ir.Operation, value: ir.Value, kind: ir.RankedTensorType) -> Any:
        """`value` reshaped to `kind`, which has as many elements."""
        with ir.InsertionPoint(user), user.location:
            return reshape(value, list(kind.shape))

    def reshaped(self, user: ir.Operation, movement: Movement) -> Any:
        """The source of `movement`, reshaped to the shape before the first cut."""
        shape = list(movement.source.type.shape)
        if not movement.is_free:
            for step in takewhile(lambda s: s.kind == "reshape", movement.steps):
                shape = list(step.shape)
        with ir.InsertionPoint(user), user.location:
            return reshape(movement.source, shape)


def _source_and_shape(value: ir.Value) -> tuple[Any, tuple[int, ...]]:
    """The tensor whose elements `value` has in another shape, and that shape."""
    shape = tuple(value.type.shape)
    while is_result_of(value, "tensor.expand_shape", "tensor.collapse_shape"):
        value = value.owner.operands[0]
    return value, shape


def _performed(step: Step, value: ir.Value) -> Any:
    """The result of `step` on `value`, at the insertion point. Undefined elements are zeros."""
    if step.kind == "reshape":
        return reshape(value, list(step.shape))
    if step.kind == "cut":
        return corner(value, list(step.shape))
    if step.kind == "grow":
        return pad_by(value, [0] * len(step.shape), [n - m for n, m in zip(step.shape, value.type.shape, strict=True)], 0)
    return pack(value, step.layout, step.shape)


def _filling(op: AnyOp) -> ir.Attribute | None:
    """The number that `op` fills a tensor with; None for other operations."""
    value: ir.Value | None = op.operands[0] if op.name == "linalg.fill" else None
    if op.name == "linalg.generic" and len(op.operands) == 1 and len(op.regions[0].blocks[0].operations) == 1:
        value = op.regions[0].blocks[0].operations[0].operands[0]
    number = defining_op(value, "arith.constant") if value is not None else None
    return number.attributes["value"] if number is not None and len(op.results) == 1 else None


def _has_no_operands(value: ir.Value) -> bool:
    """Whether the operation of `value` has no operands, so that a kernel can repeat it."""
    return not isinstance(value, ir.BlockArgument) and value.owner.name in (
        "tensor.empty",
        "bufferization.alloc_tensor",
        "arith.constant",
    )
