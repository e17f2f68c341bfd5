"""Loops and branches of runtime sequences, whose instruction words need each step by itself and all numbers known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, arith, ir, rewrite

CONTROL_FLOW = ("scf.for", "affine.for", "scf.if", "scf.index_switch")
"""What is unrolled or decided; other operations with regions are no part of a sequence."""

MAX_OPERATIONS = 1 << 18
"""Operations that unrolling may make; with some ten words each they are ten MiB of instructions."""

_COMPUTES = ("arith.", "affine.", "index.", "math.")


def is_flat(sequence: Any) -> bool:
    """Whether nothing in the sequence is to be unrolled, decided or computed."""
    for view in sequence.body.blocks[0].operations:
        name = view.operation.name
        if name in CONTROL_FLOW or (name.startswith(_COMPUTES) and name != "arith.constant"):
            return False
        if name == "aiex.configure" and not is_flat(view):
            return False
    return True


def flattened(module: ir.Operation) -> ir.Operation:
    """The module itself if all its runtime sequences are flat, else a copy in which they are; raises as `unroll` does."""
    if all(is_flat(op.opview) for op in walk_named(module, "aie.runtime_sequence")):
        return module
    copy = module.operation.clone(ip=False)
    for op in walk_named(copy, "aie.runtime_sequence"):
        unroll(op.opview)
    return copy


def unroll(sequence: AnyOp) -> None:
    """Unrolls loops of constant bounds, decides branches of constant conditions, and folds numbers, in place.

    Before:

        scf.for %i = %c0 to %c2 step %c1 {
          aiex.npu.dma_memcpy_nd(%a[0, 0, %i, 0]...)
        }

    After:

        aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0]...)
        aiex.npu.dma_memcpy_nd(%a[0, 0, 1, 0]...)

    DiagnosticError for what is not constant, and for more than `MAX_OPERATIONS` operations.
    """
    made = 0
    while not is_flat(sequence):
        _fold(sequence)
        found = [op for block in _blocks(sequence) for op in block.operations if op.operation.name in CONTROL_FLOW]
        if not found:
            return
        for view in found:
            made += _EXPANSIONS[view.operation.name](view.operation)
            if made > MAX_OPERATIONS:
                raise error_at(view, f"unrolls to more than {MAX_OPERATIONS} operations; repeat or chain BDs instead")
            view.operation.erase()


def _blocks(holder: Any) -> list[Any]:
    """The block of a sequence, and those in which it configures devices."""
    block = holder.body.blocks[0]
    return [block, *(b for op in block.operations if op.operation.name == "aiex.configure" for b in _blocks(op))]


def _fold(sequence: AnyOp) -> None:
    """Folds in a function meanwhile: folding moves constants up to the next operation that is isolated."""
    region, i = sequence.operation.regions[0], ir.InsertionPoint(sequence.operation)
    attributes = {
        "sym_name": ir.StringAttr.get("__folded"),
        "function_type": ir.TypeAttr.get(ir.FunctionType.get([a.type for a in region.blocks[0].arguments], [])),
    }
    holder = ir.Operation.create("func.func", attributes=attributes, regions=1, loc=sequence.operation.location, ip=i)
    region.blocks[0].append_to(holder.regions[0])
    rewrite.apply_patterns_and_fold_greedily(holder, rewrite.RewritePatternSet().freeze())
    holder.regions[0].blocks[0].append_to(region)
    holder.erase()


def _number(op: ir.Operation, value: ir.Value, what: str) -> int:
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.name != "arith.constant":
        raise error_at(op, f"has {what} that is not constant; a runtime sequence is written out as words, which need numbers")
    return int(owner.attributes["value"].value)


def _inline(op: ir.Operation, region: ir.Region, values: dict[Any, Any]) -> tuple[list[Any], int]:
    """Copies the body of `region` before `op`; returns what it yields, and how many operations it has."""
    *body, terminator = [o.operation for o in region.blocks[0].operations]
    with ir.InsertionPoint(op):
        for inner in body:
            clone(inner, values)
    return [values.get(v, v) for v in terminator.operands], len(body)


def _replace(op: ir.Operation, made: list[Any]) -> None:
    for result, value in zip(op.results, made, strict=True):
        result.replace_all_uses_with(value)


def _scf_for(op: ir.Operation) -> int:
    names = ("a lower bound", "an upper bound", "a step")
    lower, upper, step = (_number(op, v, name) for v, name in zip(list(op.operands)[:3], names, strict=True))
    if step <= 0:
        raise error_at(op, f"has step {step}; wanted a positive one")
    rounds = range(lower, upper, step)
    region = op.regions[0]
    if len(rounds) * len(region.blocks[0].operations) > MAX_OPERATIONS:
        return MAX_OPERATIONS + 1
    carried, count = list(op.operands)[3:], 0
    induction, *parameters = region.blocks[0].arguments
    for i in rounds:
        with ir.InsertionPoint(op), op.location:
            values = {induction: arith.constant(induction.type, i), **dict(zip(parameters, carried, strict=True))}
        carried, made = _inline(op, region, values)
        count += made
    _replace(op, carried)
    return count


def _affine_for(op: ir.Operation) -> int:
    """Becomes scf.for with bounds that the next folding computes."""
    attributes, operands = op.attributes, list(op.operands)
    first, second, _ = (int(n) for n in attributes["operandSegmentSizes"])
    index = ir.IndexType.get()
    with ir.InsertionPoint(op), op.location:
        bounds = [
            ir.Operation.create(name, [index], given, {"map": attributes[bound]}).results[0]
            for name, bound, given in (
                ("affine.max", "lowerBoundMap", operands[:first]),
                ("affine.min", "upperBoundMap", operands[first : first + second]),
            )
        ]
        step = arith.constant(index, attributes["step"].value)
        carried = operands[first + second :]
        made = ir.Operation.create("scf.for", [r.type for r in op.results], [*bounds, step, *carried], regions=1)
    op.regions[0].blocks[0].append_to(made.regions[0])
    body = made.regions[0].blocks[0]
    end = body.operations[len(body.operations) - 1].operation
    ir.Operation.create("scf.yield", [], list(end.operands), loc=end.location, ip=ir.InsertionPoint(end))
    end.erase()
    _replace(op, list(made.results))
    return 1


def _branch(op: ir.Operation, chosen: int) -> int:
    if not len(op.regions[chosen].blocks):
        return 0
    made, count = _inline(op, op.regions[chosen], {})
    _replace(op, made)
    return count


def _scf_if(op: ir.Operation) -> int:
    return _branch(op, 0 if _number(op, op.operands[0], "a condition") else 1)


def _scf_switch(op: ir.Operation) -> int:
    value, cases = _number(op, op.operands[0], "an argument"), list(op.attributes["cases"])
    return _branch(op, cases.index(value) + 1 if value in cases else 0)


_EXPANSIONS: dict[str, Callable[[Any], int]] = {
    "scf.for": _scf_for, "affine.for": _affine_for, "scf.if": _scf_if, "scf.index_switch": _scf_switch,
}  # fmt: skip
