"""Assigns the layouts of a function that calls kernels: `assign-layouts` on one function."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import takewhile
from math import prod
from typing import Any

from allo_air.access.layout import Layout
from allo_air.core.diagnostics import error_at
from allo_air.core.names import function_type_of, set_function_type
from allo_air.core.walking import is_result_of
from allo_air.dialects.host_buffers import HOST_BUFFERS, BufferContents, HostBuffers, HostResult, Packing, host_buffers
from allo_air.mlir import func, ir
from allo_air.passes._analysis.kernels import IN_PLACE
from allo_air.passes.partition._concats_in_place import is_taken
from allo_air.passes.partition._constants import Constants, is_constant
from allo_air.passes.partition._masked import zeros_after
from allo_air.passes.partition._movement import Movement, movement
from allo_air.passes.partition._relayout import Relayouts
from allo_air.passes.partition._views import joined_in_place


@dataclass
class ProgramLayouts:
    """The layouts of one function that calls kernels."""

    function: ir.Operation
    relayouts: Relayouts
    arguments: list[tuple[BufferContents, Any]] = field(default_factory=list)
    """For each new argument: what it contains, and the values that it replaces."""
    results: list[HostResult] = field(default_factory=list)

    def assign(self) -> None:
        """Assigns the layouts: changes the function's constants, calls, arguments and results."""
        [self.block] = self.function.regions[0].blocks
        self.old = list(self.block.arguments)
        self.constants = Constants(self.block)
        for argument in self.old:
            if not isinstance(argument.type, ir.RankedTensorType) or not argument.type.has_static_shape:
                raise error_at(
                    self.function,
                    f"has argument {argument.arg_number} of type {argument.type}; a program of kernels takes tensors of static "
                    "shape",
                )
        shapes = [tuple(a.type.shape) for a in self.old]
        returned = function_type_of(self.function).results
        self.host = host_buffers(self.function) or HostBuffers(
            tuple(a.type for a in self.old),
            tuple(BufferContents(n, shape) for n, shape in enumerate(shapes)),
            tuple(HostResult(t, len(self.old) + n, tuple(t.shape)) for n, t in enumerate(returned)),
        )
        self.relayouts.outline_others(self.block)
        self.columns = zeros_after(self.block)
        *body, last = [o.operation for o in self.block.operations]
        for op in body:
            for n, operand in enumerate(op.operands if op.name == "func.call" else ()):
                op.operands[n] = self._replacement(op, operand)
        self._return(last)
        for op in body:
            if op.name == "tensor.concat":
                self._join(op)
            elif op.name == "tensor.insert_slice" and IN_PLACE in op.attributes:
                self._keep_inside(op)
        for op in reversed([o.operation for o in self.block.operations]):
            if op.results and not any(True for r in op.results for _ in r.uses):
                op.erase()
        self._number_arguments()

    def _replacement(self, op: ir.Operation, value: ir.Value) -> Any:
        """The replacement of operand `value` of a call."""
        result = movement(value)
        if is_constant(result.source):
            return self.constants.value(self.constants.moved(result), op.location)
        inner, shape = result.without_view()
        packed = inner.packed()
        if packed is not None and result.source in self.old and self._is_whole(result.source):
            kind = ir.RankedTensorType.get(list(shape), value.type.element_type)
            return self.relayouts.view(op, self._packed_argument(result.source, *packed, kind), value.type)
        rows = result.packed_rows()
        if rows is not None and result.source in self.old and self._is_whole(result.source):
            seen, layout, longer, rest = rows
            kind = ir.RankedTensorType.get(list(longer), value.type.element_type)
            packed_argument = self._packed_argument(result.source, seen, layout, kind)
            return self.relayouts.prefix(op, replace(rest, source=packed_argument), value.type)
        if result.source in self.old:
            view, shape = self._corner_and_shape(result)
            if view is None:
                return self._moved(op, result)
            whole = ir.RankedTensorType.get(list(shape), value.type.element_type)
            return self.relayouts.view(op, self._argument(result.source, view, whole), value.type)
        if result.source in self.columns:
            result = result.within(self.columns[result.source])
        if result.is_free:
            return value if result.ops else self.relayouts.view(op, result.source, value.type)
        if result.is_prefix:
            return self.relayouts.prefix(op, result, value.type)
        return self._moved(op, result)

    def _join(self, op: ir.Operation) -> None:
        """Replaces a concatenation by insertions of its parts into one buffer, where `link-kernels` lets their kernels write.

        A part that is in another buffer already, or no kernel's whole result, is copied by a kernel.
        """
        parts = []
        for value in op.operands:
            item = movement(value)
            part = value if item.is_free else self._moved(op, item)
            source = movement(part).source
            if not _is_whole(part) or not is_result_of(source, "func.call") or is_taken(source):
                self.relayouts.calls.clear()  # each copy is a buffer of its own
                part = self.relayouts.copied_exactly(op, part)
            parts.append(part)
        with ir.InsertionPoint(op), op.location:
            joined = joined_in_place(parts, list(op.results[0].type.shape))
        op.results[0].replace_all_uses_with(joined)

    def _keep_inside(self, op: ir.Operation) -> None:
        """Copies a part of a concatenation whose kernel writes more than the part, since its tiles are longer."""
        part = op.operands[0]
        if not _is_whole(part):
            self.relayouts.calls.clear()
            copy = self.relayouts.copied_exactly(op, part)
            op.operands[0] = self.relayouts.view(op, copy, part.type)

    def _moved(self, op: ir.Operation, item: Movement) -> Any:
        """The result of movement `item` on its source, computed by kernels before `op`."""
        source = item.source
        if source in self.old:
            source = self._argument(source, self.host.holds[source.arg_number].view, source.type)
        return self.relayouts.call(op, item, source)

    def _corner_and_shape(self, item: Movement) -> tuple[tuple[int, ...] | None, tuple[int, ...]]:
        """For a movement `item` of an argument: the shape of the caller's array in the leading corner of the result, and the
        shape of the whole result.

        The result may be reshaped further. None if the array would not be in a corner.
        """
        content = self.host.holds[item.source.arg_number]
        if self._is_whole(item.source):
            return item.padded_view(), item.shape_before_reshapes()
        grows = list(takewhile(lambda s: s.kind == "grow", item.steps))
        is_corner = all(s.kind == "reshape" for s in item.steps[len(grows) :]) and not (grows and content.packing)
        return content.view if is_corner else None, item.shapes()[len(grows)]

    def _packed_argument(self, value: ir.Value, view: tuple[int, ...], layout: Layout, kind: ir.RankedTensorType) -> Any:
        """The argument of type `kind` that contains a caller's array, viewed as `view`, packed."""
        return self._argument(value, view, kind, Packing(layout, tuple(kind.shape)))

    def _argument(self, value: Any, view: tuple[int, ...], kind: ir.RankedTensorType, packing: Packing | None = None) -> Any:
        """The argument of type `kind` that contains a caller's array, viewed as `view`, in its leading corner, or packed."""
        content = self.host.holds[value.arg_number]
        content = replace(content, view=view, packing=packing or content.packing)
        for known_content, argument in self.arguments:
            if known_content == content and argument.type == kind:
                return argument
        self.arguments.append((content, self.block.add_argument(kind, value.location)))
        return self.arguments[-1][1]

    def _return(self, last: ir.Operation) -> None:
        """Makes the function return whole buffers, and records how the caller crops and reshapes them."""
        returned, argument_results = list[Any](), dict[int, HostResult]()
        for n, value in enumerate(last.operands):
            for j, old in enumerate(self.host.gives or ()):
                if old.place == len(self.old) + n:
                    argument_results[j] = replace(self._result(last, value, old, returned), high=old.high)
        for j, old in argument_results.items():
            if old.high is not None and old.high.place is not None:
                value = last.operands[old.high.place - len(self.old)]
                argument_results[j] = replace(old, high=self._result(last, value, old.high, returned))
        with last.location:
            func.ReturnOp(returned, ip=ir.InsertionPoint(last))
        last.erase()
        count = len(self.arguments)
        results = [argument_results.get(j, old) for j, old in enumerate(self.host.gives or ())]
        self.results = [g.moved(lambda place: count + place) for g in results]

    def _result(self, last: ir.Operation, value: ir.Value, old: HostResult, returned: list[ir.Value]) -> HostResult:
        """The description of the caller's result for `value`, starting from `old`; records the value that the function has to
        return.
        """
        result = movement(value)
        is_whole = old.view == tuple(value.type.shape) and old.packing is None
        is_plain = is_whole and not old.cast
        if is_plain and is_constant(result.source):
            return HostResult(old.type, constant=self.constants.moved(result), into=old.into)
        if is_plain and result.source in self.old and result.is_free and self._is_the_callers(result.source):
            return HostResult(old.type, argument=self.host.holds[result.source.arg_number].argument, into=old.into)
        view, packing = result.cut_view(), old.packing
        if is_constant(result.source) or result.source in self.old:
            whole, view = self._moved(last, result), old.view
        elif is_whole and view is None and (layout := result.unpacked()) is not None:
            whole, view, packing = result.source, old.view, Packing(layout, tuple(result.source.type.shape))
        elif is_whole and view is not None:
            whole = self.relayouts.reshaped(last, result)
            if view == tuple(whole.type.shape) and len(view) > 1 and _grows(result.source):
                view = (prod(view),)  # the front of a longer buffer: only the number of elements matters
                whole = self.relayouts.view(last, whole, ir.RankedTensorType.get(list(view), whole.type.element_type))
        elif view is not None:
            whole, view = value if result.is_free else self.relayouts.reshaped(last, result), old.view
        else:
            whole, view = self._moved(last, result), old.view
        if whole in [v for _, v in self.arguments] or is_constant(whole):
            whole = self.relayouts.copied(last, whole)
        if whole not in returned:
            returned.append(whole)
        return replace(old, place=returned.index(whole), view=view, packing=packing)

    def _is_the_callers(self, argument: ir.BlockArgument) -> bool:
        """Whether an argument is a caller's array, unchanged."""
        return self._is_whole(argument) and not self.host.holds[argument.arg_number].cast

    def _is_whole(self, argument: ir.BlockArgument) -> bool:
        """Whether an argument has the shape and the element order of the caller's array."""
        content = self.host.holds[argument.arg_number]
        return content.view == tuple(argument.type.shape) and content.packing is None

    def _number_arguments(self) -> None:
        """Orders the arguments like the caller's, removes the old ones, and updates the function's type."""
        order = sorted(self.arguments, key=lambda item: item[0].argument or 0)
        for _, argument in order:
            argument.replace_all_uses_with(self.block.add_argument(argument.type, argument.location))
        for _ in range(len(self.old) + len(order)):
            self.block.erase_argument(0)
        set_function_type(self.function)
        result = HostBuffers(self.host.takes, tuple(entry for entry, _ in order), tuple(self.results))
        self.function.attributes[HOST_BUFFERS] = result.attribute()
        for name in ("arg_attrs", "res_attrs"):
            if name in self.function.attributes:
                del self.function.attributes[name]


def _is_whole(value: ir.Value) -> bool:
    """Whether `value` has all elements of the tensor that it is a movement of."""
    return prod(movement(value).source.type.shape) == prod(value.type.shape)


def _grows(value: ir.Value) -> bool:
    """Whether a tensor, or a reshape of it, becomes the front of a longer tensor."""
    users = [u.owner.operation for u in value.uses]
    views = [u.results[0] for u in users if u.name in ("tensor.expand_shape", "tensor.collapse_shape")]
    return any(u.name == "tensor.insert_slice" for u in users) or any(map(_grows, views))
