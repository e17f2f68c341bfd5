"""Grouped (ragged) matrix multiplication, as in mixtures of experts: groups of rows of any sizes, each with its own weight.

One kernel computes a block of rows. It is called for each block, on parts of the caller's arrays, so that the array is
configured once and no weight is copied. A block may end behind its group: the next group's first block writes these rows again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from allo_air.arch import machine_of
from allo_air.core.cloning import clone
from allo_air.core.match import NoMatch, no_match
from allo_air.core.names import sym_name_of
from allo_air.core.walking import defining_op, root_of, walk_named
from allo_air.device import Device
from allo_air.mlir import arith, ir, linalg, tensor
from allo_air.passes._analysis.columns import COLUMNS, on_columns
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes._ir.divided import NOTE
from allo_air.passes._ir.generic import drop_unused
from allo_air.passes._ir.names import Names
from allo_air.passes._ir.new_kernel import new_kernel
from allo_air.passes._ir.tensors import empty, zero_of
from allo_air.passes.linalg._callers import pad_calls
from allo_air.passes.linalg._families import inline
from allo_air.passes.linalg._indexing import positions
from allo_air.passes.linalg._lift_concats import captured, is_elementwise, lift_concats
from allo_air.passes.linalg._limits import exceeds_offsets
from allo_air.passes.linalg._match import NAMES
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._retype import set_function_type
from allo_air.passes.linalg._search import Choice, choose
from allo_air.passes.linalg._sizes import Sizes
from allo_air.plan.family import Family, Found, Target
from allo_air.plan.plan import Plan
from allo_air.plan.schema import attach

_RESHAPES = ("tensor.expand_shape", "tensor.collapse_shape")
UNIT, SHARES = 8, 4
"""Blocks are multiples of so many rows: those of micro-tiles; the largest group is cut into so many blocks at most, or into
blocks of powers of two."""


@dataclass(frozen=True)
class _Group:
    """A matrix multiplication of `rows` rows of value `x` from row `at` on by `weight`, whose result begins at row `to`.

    The weight is a matrix, or matrix number `expert` of several. `behind` are unary elementwise operations on the result.
    """

    matmul: ir.Operation
    x: ir.Value
    at: int
    rows: int
    to: int
    weight: ir.Value
    expert: int | None
    behind: tuple[ir.Operation, ...]
    ops: tuple[ir.Operation, ...]

    def blocks(self, size: int) -> Iterator[tuple[int, int]]:
        """The first row of each block of `size` rows, in `x` and in the result."""
        return ((self.at + done, self.to + done) for done in range(0, self.rows, size))

    @property
    def alike(self) -> tuple[object, ...]:
        """What is the same in all groups of one kernel."""
        maps = tuple(map(str, indexing_maps(self.matmul)))
        kinds = (_matrix(self.weight.type), self.x, self.matmul.results[0].type.element_type)
        return (*kinds, maps, *map(_body, self.behind))

    @property
    def is_template(self) -> bool:
        """Whether its operations are on matrices: those on a single row may be on vectors."""
        return all(len(op.results[0].type.shape) == 2 for op in self.behind)


class Grouped(Family):
    """The family."""

    name = "grouped"
    note = "groups of rows, each with a weight of its own"

    def find(self, function: ir.Operation) -> list[Found]:
        """Concatenations along rows of products of rows of one matrix, also with operations on rows between products."""
        lift_concats(function, _is_product, _body)
        products: list[Found] = []
        for concat in walk_named(function, "tensor.concat"):
            groups = _groups(concat)
            if groups is None or len(groups) < 2 or len({group.alike for group in groups}) > 1:
                continue
            if not any(group.is_template for group in groups) or any(group.weight == groups[0].x for group in groups):
                continue
            inside = {op for group in groups for op in group.ops} | {concat}
            ops = [o.operation for o in concat.block.operations if o.operation in inside]
            operands = dict.fromkeys([groups[0].x, *(group.weight for group in groups)])
            if any(each.result in operands for each in products):  # calls for blocks cannot read what calls for blocks wrote
                continue
            products.append(Found(ops, list(operands), concat.results[0]))
        return products

    def plan(self, kernel: ir.Operation, target: Target) -> Plan | NoMatch:
        """The size of blocks whose calls take the fewest cycles in all."""
        groups = _of_kernel(kernel)
        why = "no size of blocks was tried"

        def best(device: Device) -> tuple[float, Choice, Problem, int] | None:
            nonlocal why
            results = []
            for size in _sizes(groups):
                problem = _problem(groups[0], size)
                choice = exceeds_offsets(problem) or choose(problem, device, Sizes(), target.bfp16)
                if isinstance(choice, str):
                    why = choice
                    continue
                rows = choice.plan.padded(problem)[0]
                runs = sum(len(list(group.blocks(rows))) for group in groups)
                results.append((runs * machine_of(device).run(choice.cost.cycles), choice, problem, runs))
            return min(results, key=lambda each: each[0], default=None)

        on_columns_plan = on_columns(kernel, target.device, best, lambda each: None if each is None else each[0])
        if on_columns_plan is None:
            return no_match(groups[0].matmul, f"has no plan for a block of its rows: {why}")
        cycles, choice, problem, runs = on_columns_plan
        one = choice.plan.decided(problem, str(choice.cost))
        chosen = f"{runs} calls for blocks of {choice.plan.padded(problem)[0]} rows, about {cycles:.3g} cycles; {one.chosen}"
        return replace(one, family=self.name, chosen=chosen, launches=runs, moved=runs * round(choice.cost.moved))

    def pad(self, kernel: ir.Operation, plan: Plan) -> None:
        """Writes each group as blocks of the plan's shape; arguments and the result get as many rows as their last block."""
        groups, (rows, columns, depth) = _of_kernel(kernel), plan.padded
        [block] = kernel.regions[0].blocks
        end = block.operations[len(block.operations) - 1].operation
        summed = [_summed(group) for group in groups]
        template = next(group for group in groups if group.is_template)
        zeros: dict[ir.Value, list[int]] = {groups[0].x: [1]}
        longest = max(at + rows for group in groups for at, _ in group.blocks(rows))
        _grow(groups[0].x, [max(longest, groups[0].x.type.shape[0]), depth])
        for group, k in zip(groups, summed, strict=True):
            matrix = [depth, columns] if k == 0 else [columns, depth]
            front = list(group.weight.type.shape)[:-2]
            _grow(group.weight, [*front, *matrix])
            zeros[group.weight] = [len(front) + k]
        last = max(to + rows for group in groups for _, to in group.blocks(rows))
        kind = end.operands[0].type.element_type
        with ir.InsertionPoint(end), groups[0].matmul.location:
            result: Any = empty(ir.RankedTensorType.get([last, columns], kind))
            for group in groups:
                for at, to in group.blocks(rows):
                    part = _part(group.x, [at, 0], [rows, depth])
                    value = _block(template, part, _weight(group), columns)
                    result = tensor.insert_slice(value, result, [], [], [], [to, 0], [rows, columns], [1, 1])
        old = end.operands[0].owner.operation
        end.operands[0] = result
        old.erase()
        drop_unused(kernel)
        set_function_type(kernel)
        pad_calls(kernel, [zeros[argument] for argument in block.arguments])

    def expand(self, kernel: ir.Operation, plan: Plan) -> None:
        """Makes a block a kernel, and calls it for each block where the grouped kernel was called."""
        matmuls = walk_named(kernel, NAMES[0])
        result = _one_block(kernel, matmuls[0], replace(plan, family="matmul", launches=0, moved=plan.moved // plan.launches))
        callee = {"callee": ir.FlatSymbolRefAttr.get(sym_name_of(result))}
        for matmul in matmuls:
            *_, last = chained = _chain(matmul)
            kind = last.results[0].type
            with ir.InsertionPoint(last), matmul.location:
                call = ir.Operation.create("func.call", [kind], list(matmul.operands)[:2], callee)
            last.results[0].replace_all_uses_with(call.results[0])
            for op in reversed(chained):
                op.erase()
        drop_unused(kernel)
        inline(kernel)


FAMILY = Grouped()


def _sizes(groups: Sequence[_Group]) -> list[int]:
    """Rows of a block that are tried: powers of two, and equal parts of the largest group."""
    most = max(group.rows for group in groups)
    powers = [1 << p for p in range(3, 12) if 1 << p < 2 * most]
    return sorted({*powers, *(-(-most // (UNIT * share)) * UNIT for share in range(1, SHARES + 1))})


def _problem(group: _Group, rows: int) -> Problem:
    a, b, c = (value.type for value in group.matmul.operands)
    last = group.behind[-1] if group.behind else group.matmul
    k = _summed(group)
    depth, columns = b.shape[k], b.shape[1 - k]
    bits = a.element_type.width, c.element_type.width, last.results[0].type.element_type.width
    return Problem(rows, columns, depth, str(a.element_type), *bits, transposed_b=k == 1)


def _of_kernel(kernel: ir.Operation) -> list[_Group]:
    [concat] = walk_named(kernel, "tensor.concat")
    groups = _groups(concat)
    assert groups, "a kernel of what was found"
    return groups


def _groups(concat: ir.Operation) -> list[_Group] | None:
    """The groups whose results `concat` puts one behind the other; None if it does anything else."""
    if concat.attributes["dim"].value != 0 or len(concat.results[0].type.shape) != 2:
        return None
    to, groups = 0, []
    for value in concat.operands:
        group = _group(value, to)
        if group is None:
            return None
        groups.append(group)
        to += group.rows
    return groups


def _group(value: ir.Value, to: int) -> _Group | None:
    behind: list[ir.Operation] = []
    views: list[ir.Operation] = []
    result = _only_used(value)
    while result is not None and (
        (is_elementwise(result) and len(result.operands) == 2) or (result.name in _RESHAPES and value.type.shape[0] == 1)
    ):
        (behind if result.name == "linalg.generic" else views).insert(0, result)
        result = _only_used(result.operands[0])
    if result is None or result.name != NAMES[0] or not _is_plain(result):
        return None
    fill = defining_op(result.operands[2])
    rows = _rows_of(result.operands[0])
    if fill is None or fill.name != "linalg.fill" or not _is_zero(fill.operands[0]) or rows is None:
        return None
    x, at, before = rows
    weight, expert, slices = _weight_of(result.operands[1])
    numbers = [defining_op(v) for op in (fill, *behind) for v in (*op.operands, *captured(op))]
    constants = [op for op in numbers if op is not None and op.name in ("arith.constant", "tensor.empty")]
    ops = (*before, *slices, *constants, fill, result, *views, *behind)
    return _Group(result, x, at, value.type.shape[0], to, weight, expert, tuple(behind), ops)


def _only_used(value: ir.Value) -> ir.Operation | None:
    """What computes a value that is used once."""
    return defining_op(value) if len(list(value.uses)) == 1 else None


def _body(generic: ir.Operation) -> tuple[object, ...]:
    """What an elementwise operation computes, equal for equal bodies."""
    [block] = generic.regions[0].blocks
    numbering: dict[ir.Value, object] = {a: n for n, a in enumerate(block.arguments)}
    results: list[object] = [str(generic.results[0].type.element_type)]
    for view in block.operations:
        op = view.operation
        values = [numbering.get(v) if v in numbering else str(v.owner.operation.attributes["value"]) for v in op.operands]
        attributes = [(name.name, str(name.attr)) for name in map(op.attributes.__getitem__, range(len(op.attributes)))]
        numbering |= {r: (len(numbering), n) for n, r in enumerate(op.results)}
        results.append((op.name, *values, *attributes, *(str(r.type) for r in op.results)))
    return tuple(map(str, results))


def _is_product(op: ir.Operation) -> bool:
    """Whether an operation multiplies rows by a weight."""
    return op.name == NAMES[0] and len(op.results) == 1 and _is_plain(op)


def _is_plain(matmul: ir.Operation) -> bool:
    """Whether A is stored by rows, and B by rows or by columns."""
    a, b, c = (positions(m) if m.is_projected_permutation else [] for m in indexing_maps(matmul))
    return a == [0, 2] and b in ([2, 1], [1, 2]) and c == [0, 1] and "cast" not in matmul.attributes


def _is_zero(value: ir.Value) -> bool:
    result = defining_op(value, "arith.constant")
    if result is None:
        return False
    number = result.attributes["value"]
    return isinstance(number, ir.IntegerAttr | ir.FloatAttr) and number.value == 0 and str(number)[0] != "-"


def _rows_of(value: ir.Value) -> tuple[ir.Value, int, list[ir.Operation]] | None:
    """The matrix of which `value` is whole rows, the first of them, and the operations between; None for other values."""
    result, views = defining_op(value), []
    if result is not None and result.name == "tensor.expand_shape" and value.type.shape[0] == 1:  # one row
        views, result = [result], defining_op(result.operands[0])
    if result is None or result.name != "tensor.extract_slice" or len(result.operands) != 1:
        return None
    source = result.operands[0]
    offsets, sizes = list(result.attributes["static_offsets"]), list(result.attributes["static_sizes"])
    whole = len(sizes) == 2 and sizes == [value.type.shape[0], source.type.shape[1]]
    if not whole or offsets[1] or offsets[0] < 0 or set(result.attributes["static_strides"]) != {1}:
        return None
    return source, offsets[0], [result, *views]


def _weight_of(value: ir.Value) -> tuple[ir.Value, int | None, list[ir.Operation]]:
    """The tensor that holds a weight, its number if there are several, and the operation that takes it from there."""
    result = defining_op(value, "tensor.extract_slice")
    if result is None or len(result.operands) != 1:
        return value, None, []
    offsets, sizes = list(result.attributes["static_offsets"]), list(result.attributes["static_sizes"])
    source = result.operands[0]
    if sizes != [1, *list(source.type.shape)[1:]] or len(sizes) != 3 or any(offsets[1:]) or offsets[0] < 0:
        return value, None, []
    return source, offsets[0], [result]


def _matrix(kind: ir.RankedTensorType) -> tuple[object, ...]:
    return (*list(kind.shape)[-2:], kind.element_type)


def _summed(group: _Group) -> int:
    """The dimension of a weight's matrix that is summed over."""
    return positions(indexing_maps(group.matmul)[1]).index(2)


def _grow(value: ir.Value, shape: Sequence[int]) -> None:
    value.set_type(ir.RankedTensorType.get(list(shape), value.type.element_type))


def _part(value: ir.Value, offsets: list[int], sizes: list[int], rank: int = 2) -> Any:
    kind = ir.RankedTensorType.get(sizes[-rank:], value.type.element_type)
    return tensor.extract_slice(kind, value, [], [], [], offsets, sizes, [1] * len(sizes))


def _weight(group: _Group) -> Any:
    """The weight of a group, whose argument has its final shape."""
    shape = list(group.weight.type.shape)
    return group.weight if group.expert is None else _part(group.weight, [group.expert, 0, 0], [1, *shape[1:]])


def _block(group: _Group, rows: ir.Value, weight: ir.Value, columns: int) -> Any:
    """The product of rows and a weight, with its epilogue."""
    shape, element = [rows.type.shape[0], columns], group.matmul.results[0].type.element_type
    zero = arith.constant(element, zero_of(element))
    value: Any = linalg.fill(zero, outs=[empty(ir.RankedTensorType.get(shape, element))])
    mapping: dict[Any, Any] = dict(zip(group.matmul.operands, (rows, weight, value), strict=True))
    for op in (group.matmul, *group.behind):
        kind = ir.RankedTensorType.get(shape, op.results[0].type.element_type)
        if op != group.matmul:
            mapping[op.operands[1]] = empty(kind)
        result = clone(op, mapping)
        result.results[0].set_type(kind)
        value = result.results[0]
    return value


def _chain(matmul: ir.Operation) -> list[ir.Operation]:
    """A product and the elementwise operations behind it."""
    ops = [matmul]
    while (users := [use.owner.operation for use in ops[-1].results[0].uses])[0].name == "linalg.generic":
        ops.append(users[0])
    return ops


def _one_block(kernel: ir.Operation, matmul: ir.Operation, plan: Plan) -> ir.Operation:
    """A kernel of `matmul` and its epilogue."""
    argument = list(matmul.operands)[:2]
    chained = _chain(matmul)
    result, block, mapping = new_kernel(argument, [chained[-1].results[0].type], kernel)
    with ir.InsertionPoint(block), matmul.location:
        for op in chained:
            for value in [*list(op.operands)[-1:], *captured(op)]:
                for init in _made_by(value):
                    if init.results[0] not in mapping:
                        clone(init, mapping)
            clone(op, mapping)
        ir.Operation.create("func.return", [], [mapping[chained[-1].results[0]]])
    result.attributes["sym_name"] = ir.StringAttr.get(Names(root_of(kernel)).fresh(f"{sym_name_of(kernel)}_block"))
    for name in (NOTE, COLUMNS):
        if name in kernel.attributes:
            result.attributes[name] = kernel.attributes[name]
    attach(result, plan)
    return result


def _made_by(value: ir.Value) -> list[ir.Operation]:
    """The operations that make the tensor that a result is written to."""
    result = defining_op(value)
    if result is None:
        return []
    return [*(op for v in result.operands for op in _made_by(v)), result]
