"""Elementwise operations on the result of a matrix multiplication, done by each core on its tile before the tile leaves L1."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.rewrite import walk_named
from allo_air.mlir import ir
from allo_air.passes._gemm.match import maps

L1 = 2
_LOOPS = ("scf.forall", "scf.for")


def chain(matmul: Any) -> list[Any]:
    """The elementwise linalg.generic operations on the result of `matmul`, first to last; another use of it is an error."""
    found: list[Any] = []
    value = matmul.results[0]
    while True:
        users = [use.owner.operation for use in value.uses]
        if len(users) == 1 and users[0].name == "func.return":
            return found
        other = next((u for u in users if u.name != "linalg.generic"), None)
        if other is not None or len(users) != 1:
            about = other if other is not None else users[-1] if users else matmul
            raise error_at(
                about,
                "cannot be fused: the result of a matrix multiplication goes through elementwise linalg.generic "
                "operations, one after another, to the function's return",
            )
        _check(users[0], value)
        found.append(users[0])
        value = users[0].results[0]


def _check(op: Any, value: Any) -> None:
    if len(op.operands) != 2 or op.operands[0] != value:
        raise error_at(
            op,
            "cannot be fused with the matrix multiplication: it has another operand, and a core's two DMA channels for "
            "incoming data bring A and B; add bias and other tensors in a function of their own",
        )
    identity = all(m == ir.AffineMap.get_identity(m.n_dims) for m in maps(op))
    [block] = op.regions[0].blocks
    if not identity or list(block.arguments[1].uses) or walk_named(op, "linalg.index"):
        raise error_at(op, "cannot be fused with the matrix multiplication: it is not elementwise on its one operand")


def lift(function: Any, epilogue: list[Any]) -> Any:
    """Takes `epilogue` out of `function` into a function on scalars and returns that; the matmul's result is returned then."""
    first, last = epilogue[0], epilogue[-1]
    given, made = first.operands[0].type.element_type, last.results[0].type.element_type
    with function.context, ir.InsertionPoint(function), first.location:
        kind = ir.TypeAttr.get(ir.FunctionType.get([given], [made]))
        name = ir.StringAttr.get("allo_epilogue_" + function.attributes["sym_name"].value)
        scalar = ir.Operation.create("func.func", [], [], {"sym_name": name, "function_type": kind}, regions=1)
        block = scalar.regions[0].blocks.append(given)
        with ir.InsertionPoint(block):
            value = block.arguments[0]
            for op in epilogue:
                value = _clone(op, value)
            ir.Operation.create("func.return", [], [value])
    last.results[0].replace_all_uses_with(first.operands[0])
    for op in reversed(epilogue):
        op.erase()
    _set_function_type(function)
    return scalar


def lower(function: Any, scalar: Any) -> None:
    """Puts the scalar function's operations on the packed tile, between the loop over k and the unpack; erases the function."""
    [unpack] = walk_named(function, "linalg.unpack")
    tile = unpack.operands[0]
    [block] = scalar.regions[0].blocks
    [*body, end] = [o.operation for o in block.operations]
    element = end.operands[0].type
    kind = ir.RankedTensorType.get(tile.type.shape, element)
    with ir.InsertionPoint(unpack), unpack.location:
        target = tile
        if kind != tile.type:
            space = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), L1)
            attributes = {"memory_space": space, "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0, 0])}
            target = ir.Operation.create("bufferization.alloc_tensor", [kind], [], attributes).results[0]
        rank = len(kind.shape)
        identity = ir.AffineMapAttr.get(ir.AffineMap.get_identity(rank))
        attributes = {
            "indexing_maps": ir.ArrayAttr.get([identity] * 2),
            "iterator_types": ir.ArrayAttr.get([ir.Attribute.parse("#linalg.iterator_type<parallel>")] * rank),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1]),
        }
        generic = ir.Operation.create("linalg.generic", [kind], [tile, target], attributes, regions=1)
        inside = generic.regions[0].blocks.append(tile.type.element_type, element)
        with ir.InsertionPoint(inside):
            known = {block.arguments[0]: inside.arguments[0]}
            for op in body:
                _copy(op, known)
            ir.Operation.create("linalg.yield", [], [known.get(end.operands[0], end.operands[0])])
    unpack.operands[0] = generic.results[0]
    scalar.erase()
    if kind != tile.type:
        _retype(unpack, element)
        _set_function_type(function)


def _clone(op: Any, value: Any) -> Any:
    """What the body of `op` makes of `value`, at the insertion point."""
    [block] = op.regions[0].blocks
    known = {block.arguments[0]: value}
    [*body, end] = [o.operation for o in block.operations]
    for inner in body:
        for operand in inner.operands:
            if operand not in known:
                _copy(operand.owner, known)  # a constant from outside
        _copy(inner, known)
    result = end.operands[0]
    if result not in known:
        _copy(result.owner, known)
    return known[result]


def _copy(op: Any, known: dict[Any, Any]) -> None:
    new = op.clone()
    for at, operand in enumerate(op.operands):
        new.operands[at] = known[operand]
    known.update(zip(op.results, new.results, strict=True))


def _retype(unpack: Any, element: Any) -> None:
    """Gives all that holds the result outside of L1 the new element type: what is connected to the destination of `unpack`."""
    todo, seen = [unpack.results[0], unpack.operands[1]], []
    while todo:
        value = todo.pop()
        if value in seen:
            continue
        seen.append(value)
        todo += _connected(value)
    for value in seen:
        value.set_type(ir.RankedTensorType.get(value.type.shape, element))


def _connected(value: Any) -> list[Any]:
    found: list[Any] = []
    if isinstance(value.owner, ir.Block):
        loop = value.owner.owner.operation
        if loop.name in _LOOPS:
            found += _carried(loop, value.arg_number - (len(loop.regions[0].blocks[0].arguments) - len(loop.results)))
    else:
        found += _through(value.owner, value)
    for use in value.uses:
        found += _through(use.owner.operation, value)
    return found


def _through(op: Any, value: Any) -> list[Any]:
    match op.name:
        case "tensor.extract_slice":
            return [op.operands[0], op.results[0]]
        case "tensor.insert_slice" | "tensor.parallel_insert_slice":
            return [op.operands[0], op.operands[1], *op.results]
        case "linalg.unpack":
            return [op.operands[1], op.results[0]]
        case "scf.forall" | "scf.for":
            inits = list(op.operands)[len(op.operands) - len(op.results) :]
            return [v for i in range(len(inits)) if value in (inits[i], op.results[i]) for v in _carried(op, i)]
        case "scf.yield":
            loop = op.parent.operation
            return [v for i, given in enumerate(op.operands) if value == given for v in _carried(loop, i)]
    return []


def _carried(loop: Any, number: int) -> list[Any]:
    """What a loop carries in one place: before it, in its body, after it."""
    block = loop.regions[0].blocks[0]
    inits = list(loop.operands)[len(loop.operands) - len(loop.results) :]
    found = [inits[number], list(block.arguments)[-len(loop.results) :][number], loop.results[number]]
    if loop.name == "scf.for":
        found.append(block.operations[len(block.operations) - 1].operands[number])
    return found


def _set_function_type(function: Any) -> None:
    [block] = function.regions[0].blocks
    returned = block.operations[len(block.operations) - 1].operation
    kind = ir.FunctionType.get([a.type for a in block.arguments], [v.type for v in returned.operands])
    function.attributes["function_type"] = ir.TypeAttr.get(kind)
