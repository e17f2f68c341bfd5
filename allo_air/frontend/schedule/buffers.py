"""The tensors of a function by name, and buffers for parts of them."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import is_inside
from allo_air.errors import UnknownNameError
from allo_air.frontend.errors import KernelError
from allo_air.frontend.schedule.loops import Loop, new_loop
from allo_air.mlir import affine, ir, memref


def named(function: Any) -> dict[str, Any]:
    """The tensors of a function: its parameters, and what it allocates under a name."""
    found: dict[str, Any] = {}
    op = function.operation
    if "arg_names" in op.attributes:
        for name, value in zip(op.attributes["arg_names"], function.entry_block.arguments, strict=True):
            found[str(name.value)] = value

    def visit(inner: Any) -> Any:
        if inner.name in ("memref.alloc", "memref.get_global") and "name" in inner.attributes and inner.name == "memref.alloc":
            found.setdefault(str(inner.attributes["name"].value), inner.results[0])
        return ir.WalkResult.ADVANCE

    op.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found


def names(function: Any) -> list[str]:
    """The names of a function's tensors."""
    return list(named(function))


def find(function: Any, name: str) -> Any:
    """The tensor `name` of a function."""
    found = named(function)
    if name not in found:
        raise UnknownNameError("tensor", name, found)
    return found[name]


def note(value: Any, attribute: str, text: str) -> None:
    """Keeps a remark about a tensor: at its allocation, or at the function whose parameter it is."""
    if isinstance(value, ir.BlockArgument):
        function = value.owner.owner
        function.operation.attributes[f"{attribute}.{value.arg_number}"] = ir.StringAttr.get(text)
    else:
        value.owner.attributes[attribute] = ir.StringAttr.get(text)


def buffer_at(function: Any, name: str, loop: Loop) -> str:
    """A buffer in the body of `loop` for the part of tensor `name` that a turn of the loop uses; returns its name.

    Subscripts that only loops around vary are those of the part; the others run over their whole dimension. The part is loaded
    before the body and stored behind it.

    Before (C at i):

        affine.for %i { affine.for %k { affine.for %j { C[i, j] += ... } } }

    After:

        affine.for %i {
          %buffer = memref.alloc() : memref<N>
          affine.for %j { buffer[j] = C[i, j] }
          affine.for %k { affine.for %j { buffer[j] += ... } }
          affine.for %j { C[i, j] = buffer[j] }
    """
    tensor = find(function, name)
    uses = [use.owner for use in tensor.uses if is_inside(use.owner, loop.op)]
    if not uses:
        raise KernelError(f"the body of loop '{loop.name}' does not use tensor '{name}'")
    accesses = [_access(op, name) for op in uses]
    rank = len(ir.MemRefType(tensor.type).shape)
    inner = [any(_varies_inside(access[d], loop) for access in accesses) for d in range(rank)]
    fixed = [accesses[0][d] for d in range(rank)]
    for access in accesses:
        if any(not free and _key(access[d]) != _key(fixed[d]) for d, free in enumerate(inner)):
            raise KernelError(f"the body of loop '{loop.name}' uses several parts of tensor '{name}'")
    made = f"{name}_{loop.name}_buffer"
    _rewrite(tensor, uses, accesses, inner, fixed, loop, made)
    return made


def _access(op: ir.Operation, name: str) -> list[tuple[Any, list[Any]]]:
    """The subscripts of an affine access: for each an expression and the operands of its map."""
    if op.name not in ("affine.load", "affine.store"):
        raise KernelError(
            f"tensor '{name}' is used by {op.name}, and not by affine subscripts; customize with lower_linalg=True"
        )
    skip = 1 if op.name == "affine.load" else 2
    operands = list(op.operands)[skip:]
    expressions = list(op.attributes["map"].value.results)
    return [(e, operands) for e in expressions]


def _used(subscript: tuple[Any, list[Any]]) -> list[Any]:
    """The operands that an expression depends on."""
    expression, operands = subscript
    text = str(expression)
    return [operand for i, operand in enumerate(operands) if f"d{i}" in text.replace("(", " ").replace(")", " ").split()]


def _varies_inside(subscript: tuple[Any, list[Any]], loop: Loop) -> bool:
    return any(is_inside(_owner(value), loop.op) and _owner(value) != loop.op for value in _used(subscript))


def _owner(value: Any) -> Any:
    return value.owner.owner.operation if isinstance(value, ir.BlockArgument) else value.owner.operation


def _key(subscript: tuple[Any, list[Any]]) -> tuple[str, tuple[int, ...]]:
    expression, operands = subscript
    return str(expression), tuple(hash(o) for o in operands)


def _rewrite(
    tensor: Any, uses: list[Any], accesses: list[Any], inner: list[bool], fixed: list[Any], loop: Loop, made: str
) -> None:
    kind = ir.MemRefType(tensor.type)
    shape = [s for s, free in zip(kind.shape, inner, strict=True) if free]
    with loop.op.location:
        with ir.InsertionPoint.at_block_begin(loop.body):
            op = memref.AllocOp(ir.MemRefType.get(shape, kind.element_type), [], [])
            op.operation.attributes["name"] = ir.StringAttr.get(made)
            _transfer(tensor, op.result, inner, fixed, shape, f"{loop.name}_init", load=True)
        with ir.InsertionPoint(list(loop.body.operations)[-1]):
            if any(use.name == "affine.store" for use in uses):
                _transfer(tensor, op.result, inner, fixed, shape, f"{loop.name}_back", load=False)
            memref.DeallocOp(op.result)
    for use, access in zip(uses, accesses, strict=True):
        kept = [subscript for subscript, free in zip(access, inner, strict=True) if free]
        operands = access[0][1] if access else []
        map_ = ir.AffineMap.get(len(operands), 0, [e for e, _ in kept])
        with ir.InsertionPoint(use), use.location:
            if use.name == "affine.load":
                new = affine.AffineLoadOp(kind.element_type, op.result, operands, map_)
                use.results[0].replace_all_uses_with(new.result)
            else:
                affine.AffineStoreOp(use.operands[0], op.result, operands, map_)
        use.erase()


def _transfer(
    tensor: Any, buffer: Any, inner: list[bool], fixed: list[Any], shape: list[int], name: str, *, load: bool
) -> None:
    """Loops that fill the buffer from the tensor, or bring it back."""
    from contextlib import ExitStack

    with ExitStack() as stack:
        variables = []
        for number, size in enumerate(shape):
            made = new_loop(size, name if number == 0 else f"{name}_{number}")
            made.operation.attributes["buffer"] = ir.UnitAttr.get()
            variables.append(made.induction_variable)
            stack.enter_context(ir.InsertionPoint.at_block_begin(made.body))
        outside: list[Any] = next((operands for (_, operands), free in zip(fixed, inner, strict=True) if not free), [])
        dims = [ir.AffineDimExpr.get(len(outside) + i) for i in range(len(shape))]
        running = iter(dims)
        exprs = [next(running) if free else e for (e, _), free in zip(fixed, inner, strict=True)]
        there = ir.AffineMap.get(len(outside) + len(shape), 0, exprs)
        here = ir.AffineMap.get_identity(len(shape))
        kind = ir.MemRefType(tensor.type).element_type
        operands = [*outside, *variables]
        if load:
            value = affine.AffineLoadOp(kind, tensor, operands, there).result
            affine.AffineStoreOp(value, buffer, variables, here)
        else:
            value = affine.AffineLoadOp(kind, buffer, variables, here).result
            affine.AffineStoreOp(value, tensor, operands, there)
