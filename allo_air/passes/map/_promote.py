"""Copies the operands of a tile loop to a nearer memory (L2 or L1), and allocates its results there."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import defining_block, defining_op, is_result_of, walk_named, walk_post_order
from allo_air.mlir import arith, bufferization, ir
from allo_air.passes._ir.tensors import empty

L2, L1 = 1, 2
"""Memory spaces."""
CUT = "allo.cut"
"""Attribute of a tensor.extract_slice of the leading part of an argument: the slice is made where the argument is copied to."""
STAYS = ("tensor.extract_slice", "tensor.empty", "arith.constant", "bufferization.materialize_in_destination")
"""Operations that read no elements, or that copy to a nearer memory themselves."""

COMPUTED = ("linalg.generic", "linalg.fill", "scf.for")
"""Operations before a loop whose result is already in a nearer memory."""


def promote(loop: ir.Operation, space: int, *, results: bool = True) -> None:
    """Copies the parts of tensors that the body of `loop` reads into buffers in `space`, and allocates its results there.

    Without `results`, results stay where they are. Loop-invariant parts are copied before `loop`.
    """
    body = loop.regions[0].blocks[0]
    arguments = list(body.arguments)[len(body.arguments) - len(loop.results) :]
    inits: dict[ir.Value, ir.Value] = dict(zip(arguments, _outputs(loop), strict=True)) if results else {}
    copies: dict[ir.Value, ir.Value] = {}
    _join_cuts(body)
    for op in [o.operation for o in body.operations][:-1]:
        if op.name in STAYS or not _tensors(op):
            continue
        for user in (op, *walk_named(op, "tensor.extract")):
            for number, value in enumerate(user.operands):
                if not isinstance(value.type, ir.RankedTensorType) or _is_written_in_parts(user, number):
                    continue
                once = not results and not _is_inside(value, body)
                if (near := _near_copy(value, body, inits, op, copies, space, loop if once else op)) is not None:
                    user.operands[number] = near
    for op in [o.operation for o in body.operations]:
        if op.name == "tensor.empty" and space == L1 and len(list(op.results[0].uses)):
            with ir.InsertionPoint(op), op.location:
                op.results[0].replace_all_uses_with(alloc(op.results[0].type, space))
            op.erase()


def pass_through_buffers(loop: ir.Operation, space: int) -> None:
    """Passes the results of a tile loop that copies nothing to `space` through buffers there.

    `wrap-l1-with-parallel` recognizes a launch loop for one core by its buffers in L2, since MLIR folds the core's own loop.
    """
    body = loop.regions[0].blocks[0]
    end = body.operations[-1]
    with ir.InsertionPoint(end), loop.location:
        for insert in walk_named(end, "tensor.parallel_insert_slice"):
            insert.operands[0] = _copy(insert.operands[0], space)


def promote_function(function: ir.Operation) -> None:
    """Runs a function without tiles on one core: operands and results pass through L2 to L1, intermediate values are in L1."""
    block = function.regions[0].blocks[0]
    [*_, last] = [o.operation for o in block.operations]
    with ir.InsertionPoint.at_block_begin(block), function.location:
        for argument in block.arguments:
            if isinstance(argument.type, ir.RankedTensorType):
                uses = [(u.owner, u.operand_number) for u in argument.uses]
                near = _copy(_copy(argument, L2), L1)
                for owner, number in uses:
                    owner.operation.operands[number] = near
    for op in walk_post_order(function):
        if op.name == "tensor.empty":
            with ir.InsertionPoint(op), op.location:
                op.results[0].replace_all_uses_with(alloc(op.results[0].type, L1))
            op.operation.erase()
    with ir.InsertionPoint(last), last.location:
        for number, value in enumerate(last.operands):
            last.operands[number] = _copy_into(_copy(value, L2), bufferization.alloc_tensor(value.type, []))


def _join_cuts(body: ir.Block) -> None:
    """Removes slices in `body` that take the whole of a marked (CUT) leading part of an argument."""
    for op in [o.operation for o in body.operations if o.operation.name == "tensor.extract_slice"]:
        source = op.operands[0]
        is_cut = not isinstance(source, ir.BlockArgument) and CUT in source.owner.attributes
        if is_cut and source.type == op.results[0].type:
            op.results[0].replace_all_uses_with(source)
            op.erase()


def _near_copy(
    value: ir.Value,
    body: ir.Block,
    inits: dict[ir.Value, ir.Value],
    op: ir.Operation,
    copies: dict[ir.Value, ir.Value],
    space: int,
    before: ir.Operation,
) -> Any:
    """The copy of `value` that `op` in `body` uses, created `before` an operation; None if `op` uses the original."""
    owner = defining_op(value)
    source = owner.operands[0] if owner is not None and owner.name == "tensor.extract_slice" else value
    if value in copies:
        return copies[value]
    if source in inits:
        with ir.InsertionPoint(op), op.location:
            fresh = _is_empty(inits[source])
            copies[value] = alloc(value.type, space) if fresh else _copy(value, space)
        return copies[value]
    if _is_inside(source, body):
        return None
    if source is not value and CUT in owner.attributes and not _is_inside(value, body):
        with ir.InsertionPoint(before), op.location:
            longer = copies[source] = copies[source] if source in copies else _copy(source, space)
            cut = ir.Operation.clone(owner, ip=ir.InsertionPoint(before))
            cut.operands[0] = longer
            copies[value] = cut.results[0]
        return copies[value]
    if before is not op and is_result_of(source, *COMPUTED):
        return None
    with ir.InsertionPoint(op), op.location:
        if _is_empty(source):
            return alloc(value.type, space) if space == L1 else empty(value.type)
        result = defining_op(source, "arith.constant")
        if result is not None:
            splat = result.attributes["value"].get_splat_value()
            return arith.constant(value.type, ir.DenseElementsAttr.get_splat(value.type, splat))
    with ir.InsertionPoint(before), op.location:
        copies[value] = _copy(value, space)
    return copies[value]


def _is_written_in_parts(op: ir.Operation, number: int) -> bool:
    """Whether a loop inserts parts of its result into operand `number`."""
    if op.name != "scf.for":
        return False
    inside = op.regions[0].blocks[0].arguments[number - len(op.operands) + len(op.results) + 1]
    return any(use.owner.name == "tensor.insert_slice" for use in inside.uses)


def _outputs(loop: ir.Operation) -> list[ir.Value]:
    return list(loop.operands)[len(loop.operands) - len(loop.results) :]


def _is_empty(value: ir.Value) -> bool:
    owner = defining_op(value)
    if owner is None:
        return False
    if owner.name == "tensor.extract_slice":
        return _is_empty(owner.operands[0])
    return owner.name in ("tensor.empty", "bufferization.alloc_tensor") and not len(owner.operands)


def _is_inside(value: ir.Value, body: ir.Block) -> bool:
    return defining_block(value) == body


def _tensors(op: ir.Operation) -> bool:
    return any(isinstance(v.type, ir.RankedTensorType) for v in op.operands)


def alloc(kind: ir.Type, space: int) -> Any:
    """A buffer of the given type in memory `space`, as a tensor."""
    return bufferization.alloc_tensor(kind, [], memory_space=ir.IntegerAttr.get(ir.IntegerType.get_signless(64), space))


def _copy(value: ir.Value, space: int) -> Any:
    return _copy_into(value, alloc(value.type, space))


def _copy_into(value: ir.Value, destination: ir.Value) -> Any:
    return bufferization.materialize_in_destination(value.type, value, destination)
