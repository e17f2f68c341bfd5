"""Grouped (ragged) matrix multiplication, as in mixtures of experts: groups of rows, each with its own weight.

One kernel computes a block of rows. It is called for each block, on slices of the caller's arrays, so that the array is
configured once and no weight is copied. A block may extend beyond its group; the next group's first block overwrites these
rows. An example with blocks of 8 rows, and groups of 10 and 6 rows:

    group 0: rows 0 to 9       blocks at rows 0 and 8; the second one also writes rows 10 to 15
    group 1: rows 10 to 15     a block at row 10; it also writes rows 16 and 17, so the result has 18 rows on the device
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from allo_air.arch import machine_of
from allo_air.core.match import NoMatch, no_match
from allo_air.core.names import set_function_type, sym_name_of
from allo_air.core.walking import walk_named
from allo_air.device import Device
from allo_air.errors import counted
from allo_air.mlir import func, ir, tensor
from allo_air.passes._analysis.columns import columns_of, on_columns
from allo_air.passes._ir.generic import drop_unused
from allo_air.passes._ir.tensors import empty
from allo_air.passes.linalg._callers import pad_calls
from allo_air.passes.linalg._families import inline
from allo_air.passes.linalg._grouped_block import block_kernel, block_product, product_chain, slice_of
from allo_air.passes.linalg._grouped_match import Group, body_key, groups_of, is_product
from allo_air.passes.linalg._lift_concats import lift_concats
from allo_air.passes.linalg._limits import exceeds_offsets
from allo_air.passes.linalg._match import NAMES
from allo_air.passes.linalg._plan_conversion import to_plan
from allo_air.passes.linalg._problem import Problem
from allo_air.passes.linalg._search import Choice, cheapest_plan
from allo_air.passes.linalg._sizes import Sizes
from allo_air.plan.family import Family, KernelMatch, Target
from allo_air.plan.plan import Plan

ROW_UNIT = 8
"""Blocks have a multiple of this number of rows: the most rows of a micro-tile."""
MAX_PARTS = 4
"""The largest group is cut into up to this number of equal blocks, or into blocks of a power of two."""


class Grouped(Family):
    """The family."""

    name = "grouped"
    note = "groups of rows, each with a weight of its own"

    def find(self, function: ir.Operation) -> list[KernelMatch]:
        """Concatenations along rows of products of rows of one matrix; first moves concatenations of later operations there."""
        lift_concats(function, is_product, body_key)
        matches: list[KernelMatch] = []
        for concat in walk_named(function, "tensor.concat"):
            groups = groups_of(concat)
            if groups is None or len(groups) < 2 or len({group.signature for group in groups}) > 1:
                continue
            if not any(group.is_template for group in groups) or any(group.weight == groups[0].x for group in groups):
                continue
            of_groups = {op for group in groups for op in group.ops} | {concat}
            ops = [o.operation for o in concat.block.operations if o.operation in of_groups]
            operands = dict.fromkeys([groups[0].x, *(group.weight for group in groups)])
            if any(match.result in operands for match in matches):  # calls for blocks cannot read the result of such calls
                continue
            matches.append(KernelMatch(ops, list(operands), concat.results[0]))
        return matches

    def plan(self, kernel: ir.Operation, target: Target) -> Plan | NoMatch:
        """The plan of the block size whose calls take the fewest cycles in total."""
        groups = _groups_in(kernel)
        failure = "no size of blocks was tried"

        def best(device: Device) -> tuple[float, Choice, Problem, int] | None:
            nonlocal failure
            results = []
            for rows in _block_sizes(groups):
                problem = _problem(groups[0], rows)
                choice = exceeds_offsets(problem) or cheapest_plan(problem, device, Sizes(), target.bfp16)
                if isinstance(choice, str):
                    failure = choice
                    continue
                padded_rows = choice.plan.padded(problem)[0]
                calls = sum(len(list(group.blocks(padded_rows))) for group in groups)
                results.append((calls * machine_of(device).run(choice.cost.cycles), choice, problem, calls))
            return min(results, key=lambda result: result[0], default=None)

        result = on_columns(kernel, target.device, best, lambda choice: None if choice is None else choice[0])
        if result is None:
            return no_match(groups[0].matmul, f"has no plan for a block of its rows: {failure}")
        cycles, choice, problem, calls = result
        own = replace(target.device, columns=columns_of(kernel, target.device.columns))
        plan = to_plan(choice.plan, problem, own, choice.cost)
        rows = choice.plan.padded(problem)[0]
        chosen = f"{counted(calls, 'call')} for blocks of {counted(rows, 'row')}, about {cycles:.3g} cycles; {plan.chosen}"
        return replace(plan, family=self.name, chosen=chosen, launches=calls, moved=calls * plan.moved)

    def pad(self, kernel: ir.Operation, plan: Plan) -> None:
        """Writes each group as blocks of the plan's shape; arguments and the result get as many rows as their last block."""
        groups, (rows, columns, k) = _groups_in(kernel), plan.padded
        [block] = kernel.regions[0].blocks
        end = block.operations[-1].operation
        k_dimensions = [group.k_dimension for group in groups]
        template = next(group for group in groups if group.is_template)
        x = groups[0].x
        zero_dims: dict[ir.Value, list[int]] = {x: [1]}
        """The dimensions of each argument whose padding must be zeros: those that are summed over."""
        x_rows = max(row + rows for group in groups for row, _ in group.blocks(rows))
        _set_shape(x, [max(x_rows, x.type.shape[0]), k])
        for group, k_dimension in zip(groups, k_dimensions, strict=True):
            matrix = [k, columns] if k_dimension == 0 else [columns, k]
            experts = list(group.weight.type.shape)[:-2]
            _set_shape(group.weight, [*experts, *matrix])
            zero_dims[group.weight] = [len(experts) + k_dimension]
        result_rows = max(row + rows for group in groups for _, row in group.blocks(rows))
        element = end.operands[0].type.element_type
        with ir.InsertionPoint(end), groups[0].matmul.location:
            result: Any = empty(ir.RankedTensorType.get([result_rows, columns], element))
            for group in groups:
                for source_row, target_row in group.blocks(rows):
                    part = slice_of(x, [source_row, 0], [rows, k])
                    product = block_product(template, part, _weight(group), columns)
                    result = tensor.insert_slice(product, result, [], [], [], [target_row, 0], [rows, columns], [1, 1])
        concat = end.operands[0].owner.operation
        end.operands[0] = result
        concat.erase()
        drop_unused(kernel)
        set_function_type(kernel)
        pad_calls(kernel, [zero_dims[argument] for argument in block.arguments])

    def expand(self, kernel: ir.Operation, plan: Plan) -> None:
        """Makes a kernel of a block, and replaces each call of the grouped kernel by calls for its blocks."""
        matmuls = walk_named(kernel, NAMES[0])
        of_block = replace(plan, family="matmul", launches=0, moved=plan.moved // plan.launches)
        callee = sym_name_of(block_kernel(kernel, matmuls[0], of_block))
        for matmul in matmuls:
            *_, last = chain = product_chain(matmul)
            with ir.InsertionPoint(last), matmul.location:
                call = func.CallOp([last.results[0].type], callee, list(matmul.operands)[:2])
            last.results[0].replace_all_uses_with(call.results[0])
            for op in reversed(chain):
                op.erase()
        drop_unused(kernel)
        inline(kernel)


FAMILY = Grouped()


def _groups_in(kernel: ir.Operation) -> list[Group]:
    """The groups of a kernel that `find` matched."""
    [concat] = walk_named(kernel, "tensor.concat")
    groups = groups_of(concat)
    assert groups, "the kernel of a match"
    return groups


def _block_sizes(groups: Sequence[Group]) -> list[int]:
    """Rows of a block to try: powers of two from 8 on, and equal parts of the largest group."""
    largest = max(group.rows for group in groups)
    powers = [1 << p for p in range(3, 12) if 1 << p < 2 * largest]
    equal_parts = [-(-largest // (ROW_UNIT * parts)) * ROW_UNIT for parts in range(1, MAX_PARTS + 1)]
    return sorted({*powers, *equal_parts})


def _problem(group: Group, rows: int) -> Problem:
    """The product of a block of `rows` rows."""
    a, b, c = (value.type for value in group.matmul.operands)
    result = (group.epilogue[-1] if group.epilogue else group.matmul).results[0].type
    k = group.k_dimension
    bits = a.element_type.width, c.element_type.width, result.element_type.width
    return Problem(rows, b.shape[1 - k], b.shape[k], str(a.element_type), *bits, transposed_b=k == 1)


def _set_shape(value: ir.Value, shape: Sequence[int]) -> None:
    value.set_type(ir.RankedTensorType.get(list(shape), value.type.element_type))


def _weight(group: Group) -> Any:
    """The matrix of a group's weight, after its argument was padded."""
    if group.expert is None:
        return group.weight
    _, rows, columns = group.weight.type.shape
    return slice_of(group.weight, [group.expert, 0, 0], [1, rows, columns])
