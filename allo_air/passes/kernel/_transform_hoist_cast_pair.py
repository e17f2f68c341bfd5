"""`transform.air.hoist_cast_pair`: hoists an extension and a truncation of a loop-carried value out of the loop."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import is_result_of
from allo_air.mlir import ir, vector
from allo_air.passes.kernel._rebuilt_for import rebuilt_for
from allo_air.transform.operations import Application

_PAIRS = {"arith.extsi": "arith.trunci", "arith.extui": "arith.trunci", "arith.extf": "arith.truncf"}


def apply(call: Application) -> list[list[ir.Operation]]:
    """Makes the loop carry the wide value that it extended first and truncated last; the casts move outside.

    The value is no longer rounded in each iteration.
    Before: `scf.for iter_args(%a : vector<16xi16>) { arith.extsi; arith.addi; arith.trunci; scf.yield }`
    After:  `arith.extsi; scf.for iter_args(%a : vector<16xi32>) { arith.addi; scf.yield }; arith.trunci`
    """
    extension, truncation, loop = call.one(0), call.one(1), call.one(2)
    call.expect(loop, "scf.for")
    if _PAIRS.get(extension.name) != truncation.name:
        raise call.refuse("expects an extension and the truncation that undoes it", extension, truncation)
    block = loop.regions[0].blocks[0]
    inner = _source_of(extension.operands[0])
    arguments = list(block.arguments)
    if inner not in arguments[1:]:
        raise call.refuse("expects an extension of a loop-carried value, directly or through vector.shape_cast", extension)
    number = arguments.index(inner) - 1
    end = block.operations[-1].operation
    last = end.operands[number]
    if _source_of(last) != truncation.results[0]:
        raise call.refuse("expects the loop to yield the truncated value as the argument that is extended", truncation)
    narrow, wide = inner.type, extension.results[0].type
    if not isinstance(wide, ir.VectorType) or truncation.operands[0].type.element_type != wide.element_type:
        raise call.refuse("expects both casts to be between the same types of vectors", extension, truncation)
    for cast, value in ((extension, inner), (truncation, truncation.results[0])):
        users = [u.owner.operation for u in value.uses]
        if any(u != cast and u.name not in ("vector.shape_cast", "scf.yield") for u in users):
            raise call.refuse("expects that nothing else in the loop uses the narrow value", *users[:1])
    carried = ir.VectorType.get(narrow.shape, wide.element_type)
    return [[_rebuilt(loop, number, carried, extension, truncation)]]


def _source_of(value: ir.Value) -> Any:
    """`value`, or the source of the vector.shape_cast that defines it."""
    if is_result_of(value, "vector.shape_cast"):
        return value.owner.operation.operands[0]
    return value


def _rebuilt(loop: ir.Operation, number: int, carried: Any, extension: ir.Operation, truncation: ir.Operation) -> ir.Operation:
    inits = list(loop.operands)[3:]
    narrow = inits[number].type
    with ir.InsertionPoint(loop), loop.location:
        inits[number] = ir.Operation.create(
            extension.name, [carried], [inits[number]], dict(extension.attributes.items())
        ).results[0]

    old_block = loop.regions[0].blocks[0]
    old = old_block.arguments[number + 1]
    wide_result = extension.results[0]

    def enter(arguments: list[ir.Value]) -> list[Any]:
        value = _shaped(arguments[number], wide_result.type)
        wide_result.replace_all_uses_with(value)
        narrowed = extension.operands[0]
        extension.erase()
        if not isinstance(narrowed, ir.BlockArgument) and not list(narrowed.uses):
            narrowed.owner.operation.erase()
        return [old if n == number else a for n, a in enumerate(arguments)]

    def leave(_: list[ir.Value], yielded: list[ir.Value]) -> list[Any]:
        return [_shaped(truncation.operands[0], carried) if n == number else v for n, v in enumerate(yielded)]

    new = rebuilt_for(loop, inits, enter, leave)
    with ir.InsertionPoint.after(new), loop.location:
        cast = ir.Operation.create(truncation.name, [narrow], [new.results[number]], dict(truncation.attributes.items()))
    for n, result in enumerate(loop.results):
        result.replace_all_uses_with(cast.results[0] if n == number else new.results[n])
    last = [u.owner.operation for u in truncation.results[0].uses]
    loop.erase()
    for user in last:
        if user.name == "vector.shape_cast":
            user.erase()
    truncation.erase()
    return new


def _shaped(value: ir.Value, kind: ir.Type) -> Any:
    return value if value.type == kind else vector.ShapeCastOp(kind, value).result
