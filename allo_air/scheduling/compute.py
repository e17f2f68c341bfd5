"""The primitive compute_at: moves the computation of a tensor to the loop that uses it."""

from __future__ import annotations

from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.walking import is_inside, parents, walk_pre_order
from allo_air.errors import AlloAirError, counted
from allo_air.mlir import AnyOp, ir
from allo_air.scheduling.boxes import Side, box
from allo_air.scheduling.loops import LOOPS, Loop, apply, constant_range, name_of, new_loop
from allo_air.scheduling.subscripts import Access, Sum, access, accesses, affine_map, values_of

_READS = ("affine.load", "memref.load")
_WRITES = ("affine.store", "memref.store")


def compute_at(producer: Loop, target: Loop) -> None:
    """Moves the nest around loop `producer` into the body of `target`, for the part of its result that an iteration uses.

    Before (i of the first nest at ii of the second):

        affine.for %i { B[i] = A[i] * 2 }
        affine.for %ii { C[ii] = B[ii] + 1 }

    After:

        affine.for %ii {
          B[ii] = A[ii] * 2
          C[ii] = B[ii] + 1
        }
    """
    outermost = _outermost(producer.op)
    if is_inside(target.op, outermost):
        raise AlloAirError(f"loops '{producer.name}' and '{target.name}' are of one nest")
    tensor, name, stores = _produced(outermost)
    results = [a for a in accesses(tensor, name, target.op) if a.is_load]
    if not results:
        raise AlloAirError(f"the body of loop '{target.name}' does not read '{name}', which loop '{producer.name}' computes")
    dims = _dims(stores, name, outermost)
    sides = box(tensor, name, results, target)
    _check_between(outermost, target, tensor, name)
    _check_once(outermost, tensor, name, sides, target)
    _check_whole(tensor, name, sides, dims, outermost, target)
    _move_nest(outermost, dims, sides, target)


def _outermost(op: AnyOp) -> Any:
    result = op
    for parent in parents(op):
        if parent.name in LOOPS:
            result = parent
    return result


def _produced(nest: AnyOp) -> tuple[Any, str, list[Access]]:
    """The only tensor from outside that a nest writes."""
    stores = [op for op in walk_pre_order(nest) if op.name in _WRITES and not _is_local(op.operands[1], nest)]
    ops = [op for op in walk_pre_order(nest) if op.name in ("func.call", "memref.copy") or op.name.startswith("linalg.")]
    if ops:
        raise AlloAirError(f"a nest with {ops[0].name} cannot be moved into another loop")
    tensors = {op.operands[1]: op for op in stores}
    if len(tensors) != 1:
        raise AlloAirError(f"a nest that writes {counted(len(tensors), 'tensor')} cannot be moved; it must compute one")
    [tensor] = tensors
    name = name_of(tensor.owner, "name") if not isinstance(tensor, ir.BlockArgument) else ""
    if not name:
        raise AlloAirError("a nest that writes a parameter cannot be moved into another loop: its whole result is needed")
    if any(op.name != "affine.store" for op in stores):
        raise AlloAirError(f"'{name}' is not written at affine subscripts")
    return tensor, name, [access(op) for op in stores]


def _is_local(value: ir.Value, nest: AnyOp) -> bool:
    """Whether a memref is local to the nest: allocated in it, or a variable that only the nest uses."""
    if isinstance(value, ir.BlockArgument):
        return False
    if is_inside(value.owner, nest):
        return True
    return value.owner.name == "memref.alloca" and all(is_inside(use.owner, nest) for use in value.uses)


def _dims(stores: list[Access], name: str, nest: AnyOp) -> list[Any]:
    """For each dimension of the result: the loop whose variable is the subscript."""
    first = stores[0].subscripts
    if any(tuple(s.subscripts) != tuple(first) for s in stores):
        raise AlloAirError(f"'{name}' is written at several places of one iteration")
    dims = []
    for each in first:
        if each.terms is None or list(each.terms.values()) != [1] or each.constant:
            raise AlloAirError(f"a dimension of '{name}' is not written at the variable of a loop alone")
        [variable] = each.terms
        if values_of(variable) is None or values_of(variable).step != 1:  # type: ignore[union-attr]
            raise AlloAirError(f"the bounds of a loop that computes '{name}' are not constants, or it steps by more than 1")
        dims.append(variable.owner.owner.operation)
    if len({op.regions[0].blocks[0].arguments[0] for op in dims}) != len(dims) or not all(is_inside(o, nest) for o in dims):
        raise AlloAirError(f"'{name}' is not written by a loop for each of its dimensions")
    return dims


def _check_between(nest: AnyOp, target: Loop, tensor: ir.Value, name: str) -> None:
    """Raises an error if an operation between the nest and the target's nest writes what the nest reads, or uses its result."""
    consumer = _outermost(target.op)
    order = [o.operation for o in nest.parent.regions[0].blocks[0].operations]
    if consumer not in order or order.index(consumer) < order.index(nest):
        raise AlloAirError(f"loop '{target.name}' does not come after the nest that computes '{name}'")
    read = [o.operands[0] for o in walk_pre_order(nest) if o.name in _READS and not _is_local(o.operands[0], nest)]
    for op in order[order.index(nest) + 1 : order.index(consumer) + 1]:
        for inner in walk_pre_order(op):
            if inner.name in ("memref.dealloc", *_READS):
                written: list[Any] = []
            elif inner.name in _WRITES:
                written = [inner.operands[1]]
            else:
                written = [v for v in inner.operands if isinstance(v.type, ir.MemRefType)]
            if any(w == r for w in written for r in [*read, tensor]):
                raise AlloAirError(f"what the nest of '{name}' uses is written before loop '{target.name}' has run")


def _check_once(nest: AnyOp, tensor: ir.Value, name: str, sides: list[Side], target: Loop) -> None:
    """Raises an error if a nest that adds to its result would compute an element twice: boxes of different iterations must not
    overlap.
    """
    if not any(o.name in _READS and o.operands[0] == tensor for o in walk_pre_order(nest)):
        return
    for loop in _enclosing_body(target):
        variable = loop.regions[0].blocks[0].arguments[0]
        values = values_of(variable)
        moving = [s for s in sides if s.stride(variable)]
        is_injective = len(moving) == 1 and sum(1 for v in moving[0].base.terms if moving[0].base.terms[v]) == 1
        step = abs(moving[0].stride(variable)) * values.step if is_injective and values is not None else 0
        if not is_injective or step < moving[0].extent:
            raise AlloAirError(f"at loop '{target.name}', elements of '{name}' would be added up more than once")


def _enclosing_body(target: Loop) -> list[Any]:
    return [target.op, *(p for p in parents(target.op) if p.name in LOOPS)]


def _check_whole(tensor: ir.Value, name: str, sides: list[Side], dims: list[AnyOp], nest: AnyOp, target: Loop) -> None:
    """If other operations read the result, raises an error unless the boxes cover all that the nest computes."""
    consumer = _outermost(target.op)
    ops = [
        use.owner.operation for use in tensor.uses
        if not is_inside(use.owner, nest) and not is_inside(use.owner, target.op) and use.owner.name != "memref.dealloc"
    ]  # fmt: skip
    order = [o.operation for o in nest.parent.regions[0].blocks[0].operations]
    later = [o for o in ops if is_inside(o, consumer) or _position(o, order) > order.index(nest)]
    if not later:
        return
    for side, loop in zip(sides, dims, strict=True):
        values = set(values_of(loop.regions[0].blocks[0].arguments[0]) or ())
        if not isinstance(side.base, Sum) or len(side.base.terms) > 1 or not values <= _covered(side):
            raise AlloAirError(f"all of '{name}' is used by {later[0].name} as well, and loop '{target.name}' uses a part")


def _covered(side: Side) -> set[int]:
    starts = [side.base.constant]
    for variable, factor in side.base.terms.items():
        starts = [s + factor * n for s in starts for n in values_of(variable) or ()]
    return {s + n for s in starts for n in range(side.extent)}


def _position(op: AnyOp, order: list[AnyOp]) -> int:
    return next((n for n, each in enumerate(order) if is_inside(op, each)), len(order))


def _move_nest(nest: AnyOp, dims: list[AnyOp], sides: list[Side], target: Loop) -> None:
    """Copies the nest to the beginning of the target's body, with loops over the box only, and erases the original."""
    boxes = {op.regions[0].blocks[0].arguments[0]: side for op, side in zip(dims, sides, strict=True)}
    with ir.InsertionPoint.at_block_begin(target.body), nest.location:
        copied = clone(nest, {})
        matched = dict(zip((o for o in walk_pre_order(nest)), walk_pre_order(copied), strict=True))
    for variable, side in boxes.items():
        loop = next(new for old, new in matched.items() if old == variable.owner.owner.operation)
        _limit(Loop(name_of(loop), loop, name_of(loop, "op_name"), ""), side)
    nest.erase()


def _limit(loop: Loop, side: Side) -> None:
    """Limits a loop to one side of a box. A side of one element removes the loop; the name of its band moves to the inner
    loop.
    """
    if side.has_whole_dimension:
        return
    constant_range(loop)
    if side.extent == 1:
        _drop(loop, side)
        return
    with ir.InsertionPoint(loop.op), loop.op.location:
        result = new_loop(side.extent, loop.name, loop.band)
        with ir.InsertionPoint.at_block_begin(result.body):
            base = side.base
            index = base.plus({result.induction_variable: 1}) if isinstance(base, Sum) else base
            value = _applied(index)
    loop.variable.replace_all_uses_with(value)
    end = list(result.body.operations)[-1]
    for view in list(loop.body.operations)[:-1]:
        view.operation.move_before(end)
    loop.op.erase()


def _drop(loop: Loop, side: Side) -> None:
    with ir.InsertionPoint(loop.op), loop.op.location:
        loop.variable.replace_all_uses_with(_applied(side.base))
    for view in list(loop.body.operations)[:-1]:
        op: Any = view.operation
        op.move_before(loop.op)
        if loop.band and op.name in LOOPS and "op_name" not in op.attributes:
            op.attributes["op_name"] = ir.StringAttr.get(loop.band)
    loop.op.erase()


def _applied(index: Any) -> Any:
    map_, operands = affine_map([index])
    return apply(map_.results[0], operands)
