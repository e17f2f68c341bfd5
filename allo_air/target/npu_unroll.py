"""Unrolls loops and branches of runtime sequences, since instruction words need separate steps and known numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.functions import declare_function
from allo_air.core.loops import for_around
from allo_air.core.walking import defining_op, is_result_of, walk_named
from allo_air.mlir import AnyOp, arith, ir, rewrite, scf
from allo_air.target.npu_values import Values, bind, fold_constants, is_scalar, is_static_sequence, scalars
from allo_air.target.sequences import choose_sequence, devices, sequences

CONTROL_FLOW = ("scf.for", "affine.for", "scf.if", "scf.index_switch")
"""Operations that are unrolled or decided; a sequence has no other operations with regions."""

MAX_OPERATIONS = 1 << 18
"""Largest number of operations after unrolling: with about ten words each, ten MiB of instructions."""

_COMPUTES = ("arith.", "affine.", "index.", "math.")


def is_flat(sequence: Any) -> bool:
    """Whether the sequence has nothing to unroll, decide or compute."""
    for view in sequence.body.blocks[0].operations:
        name = view.operation.name
        if name in CONTROL_FLOW or (name.startswith(_COMPUTES) and name != "arith.constant"):
            return False
        if name == "aiex.configure" and not is_flat(view):
            return False
    return is_static_sequence(sequence)


def flattened(
    module: ir.Operation, device: str | None = None, sequence: str | None = None, values: Values | None = None
) -> ir.Operation:
    """The module itself if all its runtime sequences are flat, otherwise a copy in which they are; raises the errors of
    `unroll`. The sequence with these names gets `values` for its scalar arguments. Sequences with scalar arguments that it
    runs become flat copies; elsewhere they are unchanged.
    """
    sequences = [op.opview for op in walk_named(module, "aie.runtime_sequence")]
    if not values and all(is_flat(op) and not scalars(op) for op in sequences):
        return module
    copy = module.operation.clone(ip=False)
    for op in walk_named(copy, "aie.runtime_sequence"):
        if not scalars(op.opview):
            unroll(op.opview)
    _, chosen = choose_sequence(copy, device, sequence)
    if values or scalars(chosen):
        bind(chosen, values or {})
        unroll(chosen)
    _specialize(copy)
    return copy


def _specialize(module: AnyOp) -> None:
    """Sequences that are run with scalars become copies for these numbers, until no flat sequence runs one with scalars."""
    clones = 0
    while True:
        runs = [(op, *result) for op in walk_named(module, "aiex.run") if (result := _run_with_scalars(module, op)) is not None]
        if not runs:
            return
        for op, callee, numbers in runs:
            clones += 1
            if clones > MAX_OPERATIONS >> 8:
                raise error_at(op, "runs sequences inside of each other without end")
            new = callee.operation.clone(ip=ir.InsertionPoint(callee.operation)).opview
            new.sym_name = f"{callee.sym_name}__{clones}"
            arguments = callee.body.blocks[0].arguments
            memrefs = [value for value, a in zip(op.opview.args, arguments, strict=True) if not is_scalar(a)]
            bind(new, numbers)
            unroll(new)
            loc_and_ip = {"loc": op.location, "ip": ir.InsertionPoint(op)}
            type(op.opview)(args=memrefs, runtime_sequence_symbol=new.sym_name, **loc_and_ip)
            op.erase()


def _run_with_scalars(module: AnyOp, op: AnyOp) -> tuple[Any, dict[str, int]] | None:
    """The sequence that `op` runs and its scalar arguments, if they are known."""
    around = op.parent.operation
    while around.name not in ("aiex.configure", "aie.device"):
        around = around.parent.operation
    target = around.attributes["symbol" if around.name == "aiex.configure" else "sym_name"].value
    for device in devices(module):
        for callee in sequences(device) if device.sym_name == target else ():
            if callee.sym_name == op.opview.runtime_sequence_symbol:
                arguments = list(callee.body.blocks[0].arguments)
                args = list(op.opview.args)
                if len(args) != len(arguments):
                    return None
                numbers = {str(i): constant_of(args[i]) for i, a in enumerate(arguments) if is_scalar(a)}
                are_constant = all(n is not None for n in numbers.values())
                return (callee, numbers) if numbers and are_constant else None  # type: ignore[return-value]
    return None


def unroll(sequence: AnyOp, *, partial: bool = False) -> None:
    """Unrolls loops of constant bounds, decides branches of constant conditions, and folds numbers, in place.

    Before:

        scf.for %i = %c0 to %c2 step %c1 {
          aiex.npu.dma_memcpy_nd(%a[0, 0, %i, 0]...)
        }

    After:

        aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0]...)
        aiex.npu.dma_memcpy_nd(%a[0, 0, 1, 0]...)

    DiagnosticError for bounds, conditions and operands that are not constant (unchanged if `partial`), and for more than
    `MAX_OPERATIONS` operations.
    """
    copies = 0
    while not is_flat(sequence):
        _fold(sequence)
        views = [op for block in _blocks(sequence, partial) for op in block.operations if op.operation.name in CONTROL_FLOW]
        if partial:
            views = [view for view in views if _is_decided(view.operation)]
        if not views:
            break
        for view in views:
            copies += _EXPANSIONS[view.operation.name](view.operation)
            if copies > MAX_OPERATIONS:
                raise error_at(view, f"unrolls to more than {MAX_OPERATIONS} operations; repeat or chain BDs instead")
            view.operation.erase()
    fold_constants(sequence, final=not partial)
    if not is_flat(sequence) and not partial:  # by numbers from pools
        _fold(sequence)
        fold_constants(sequence)


def _is_decided(op: ir.Operation) -> bool:
    """Whether the control flow of `op` depends on known numbers, and `op` is not in another operation that will be copied."""
    count = {"scf.for": 3, "affine.for": 0}.get(op.name, 1)
    return all(is_result_of(value, "arith.constant") for value in list(op.operands)[:count])


def _blocks(holder: AnyOp, partial: bool = False) -> list[Any]:
    """The block of a sequence and of its aiex.configure operations; with `partial`, also those of remaining loops and
    branches."""
    blocks = []
    for region in holder.operation.regions:
        for block in region.blocks:
            blocks.append(block)
            for op in block.operations:
                name = op.operation.name
                if name == "aiex.configure" or (partial and name in CONTROL_FLOW and not _is_decided(op.operation)):
                    blocks += _blocks(op, partial)
    return blocks


def _fold(sequence: AnyOp) -> None:
    """Moves a sequence into a function for folding, which moves constants up to the enclosing isolated operation."""
    region, i = sequence.operation.regions[0], ir.InsertionPoint(sequence.operation)
    kind = ir.FunctionType.get([a.type for a in region.blocks[0].arguments], [])
    with sequence.operation.location:
        holder = declare_function("__folded", kind, is_private=False, ip=i)
    region.blocks[0].append_to(holder.regions[0])
    rewrite.apply_patterns_and_fold_greedily(holder, rewrite.RewritePatternSet().freeze())
    holder.regions[0].blocks[0].append_to(region)
    holder.erase()


def _number(op: ir.Operation, value: ir.Value, what: str) -> int:
    owner = defining_op(value, "arith.constant")
    if owner is None:
        raise error_at(op, f"has {what} that is not constant; a runtime sequence is written out as words, which need numbers")
    return int(owner.attributes["value"].value)


def _inline(op: ir.Operation, region: ir.Region, values: dict[Any, Any]) -> tuple[list[Any], int]:
    """Copies the body of `region` before `op`; returns the yielded values and the number of operations."""
    *body, terminator = [o.operation for o in region.blocks[0].operations]
    with ir.InsertionPoint(op):
        for inner in body:
            clone(inner, values)
    return [values.get(v, v) for v in terminator.operands], len(body)


def _replace(op: ir.Operation, values: list[ir.Value]) -> None:
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)


def _scf_for(op: ir.Operation) -> int:
    names = ("a lower bound", "an upper bound", "a step")
    lower, upper, step = (_number(op, v, name) for v, name in zip(list(op.operands)[:3], names, strict=True))
    if step <= 0:
        raise error_at(op, f"has step {step}; expected a positive one")
    rounds = range(lower, upper, step)
    region = op.regions[0]
    if len(rounds) * len(region.blocks[0].operations) > MAX_OPERATIONS:
        return MAX_OPERATIONS + 1
    carried, count = list(op.operands)[3:], 0
    induction, *parameters = region.blocks[0].arguments
    for i in rounds:
        with ir.InsertionPoint(op), op.location:
            values = {induction: arith.constant(induction.type, i), **dict(zip(parameters, carried, strict=True))}
        carried, result = _inline(op, region, values)
        count += result
    _replace(op, carried)
    return count


def _affine_for(op: ir.Operation) -> int:
    """Converts a loop to scf.for, whose bounds the next folding computes."""
    attributes, operands = op.attributes, list(op.operands)
    first, second, _ = (int(n) for n in attributes["operandSegmentSizes"])
    index = ir.IndexType.get()
    with ir.InsertionPoint(op), op.location:
        bounds = [
            ir.Operation.create(name, [index], value, {"map": attributes[bound]}).results[0]
            for name, bound, value in (
                ("affine.max", "lowerBoundMap", operands[:first]),
                ("affine.min", "upperBoundMap", operands[first : first + second]),
            )
        ]
        step = arith.constant(index, attributes["step"].value)
        result = for_around(op.regions[0].blocks[0], [*bounds, step], operands[first + second :])
    body = result.regions[0].blocks[0]
    end = body.operations[-1].operation
    scf.YieldOp(list(end.operands), loc=end.location, ip=ir.InsertionPoint(end))
    end.erase()
    _replace(op, list(result.results))
    return 1


def _branch(op: ir.Operation, chosen: int) -> int:
    if not len(op.regions[chosen].blocks):
        return 0
    result, count = _inline(op, op.regions[chosen], {})
    _replace(op, result)
    return count


def _scf_if(op: ir.Operation) -> int:
    return _branch(op, 0 if _number(op, op.operands[0], "a condition") else 1)


def _scf_switch(op: ir.Operation) -> int:
    value, cases = _number(op, op.operands[0], "an argument"), list(op.attributes["cases"])
    return _branch(op, cases.index(value) + 1 if value in cases else 0)


_EXPANSIONS: dict[str, Callable[[Any], int]] = {
    "scf.for": _scf_for, "affine.for": _affine_for, "scf.if": _scf_if, "scf.index_switch": _scf_switch,
}  # fmt: skip
