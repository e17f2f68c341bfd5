"""Splits a loop nest with several stores into one nest for each store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.core.walking import is_inside, walk_named, walk_pre_order
from allo_air.errors import AlloAirError
from allo_air.mlir import AnyOp, affine, ir, memref
from allo_air.passes._analysis.alias import VIEWS, root_of
from allo_air.passes._analysis.effects import is_pure
from allo_air.passes.simplify._not_raised import NotRaised
from allo_air.scheduling.dependences import distances
from allo_air.scheduling.loops import Loop, constant_range, name_of
from allo_air.scheduling.subscripts import Sum, access, store
from allo_air.scheduling.subscripts import load as load_at


@dataclass(frozen=True)
class StoreNest:
    """A store, the loops around it from the outside in, and the operations that its value needs, in order."""

    loops: tuple[Loop, ...]
    store: Any
    needed: tuple[Any, ...]

    @property
    def accesses(self) -> list[Any]:
        """Its loads and its store."""
        return [op for op in (*self.needed, self.store) if op.name in ("affine.load", "affine.store")]


def distributed_stores(nest: AnyOp) -> list[StoreNest]:
    """The stores of a nest, each with its own loops, if these nests may run one after another. Otherwise raises NotRaised."""
    expand_variables(nest)
    _check_aliases(nest)
    results: list[StoreNest] = []
    _collect(nest, (), results)
    for number, later in enumerate(results):
        for earlier in results[:number]:
            _check_apart(earlier, later)
    return results


def _check_aliases(nest: AnyOp) -> None:
    """Raises NotRaised if the nest accesses a buffer in two ways, as itself and as a view, or as two views."""
    names: dict[Any, Any] = {}
    for op in walk_named(nest, "affine.load", "affine.store"):
        buffer = _tensor(op)
        if names.setdefault(root_of(buffer), buffer) != buffer:
            raise NotRaised("a nest that accesses a buffer by several views")


def _collect(op: AnyOp, outer_loops: tuple[Loop, ...], items: list[StoreNest]) -> None:
    if len(op.results):
        raise NotRaised("a loop that carries values")
    loop = Loop(name_of(op) or "?", op, "", "")
    try:
        constant_range(loop)
    except AlloAirError as error:
        raise NotRaised(str(error)) from None
    loops = (*outer_loops, loop)
    for view in list(loop.body.operations)[:-1]:
        inner = view.operation
        if inner.name == "affine.for":
            _collect(inner, loops, items)
        elif inner.name == "affine.store":
            items.append(StoreNest(loops, inner, tuple(_slice(inner, loops[0].op))))
        elif inner.name != "affine.load" and (inner.name in VIEWS or not is_pure(inner)):
            raise NotRaised(f"{inner.name} in loop '{loop.name}'")


def _slice(store_op: AnyOp, outermost: AnyOp) -> list[Any]:
    """The operations in the nest that the stored value depends on, in program order."""
    slice_ops: list[Any] = []

    def visit(value: ir.Value) -> None:
        if isinstance(value, ir.BlockArgument):
            return
        op = value.owner.operation if hasattr(value.owner, "operation") else value.owner
        if op in slice_ops or not is_inside(op, outermost):
            return
        for operand in op.operands:
            if not isinstance(operand.type, ir.MemRefType):
                visit(operand)
        slice_ops.append(op)

    visit(store_op.operands[0])
    return slice_ops


def _check_apart(earlier: StoreNest, later: StoreNest) -> None:
    """Raises NotRaised unless all iterations of the earlier store may run before all iterations of the later one."""
    common = [a for a, b in zip(earlier.loops, later.loops, strict=False) if a.op == b.op]
    for first in earlier.accesses:
        for second in later.accesses:
            if _tensor(first) != _tensor(second) or (first.name == second.name == "affine.load"):
                continue
            for distance in distances(common, access(first), access(second)):
                if len(distance) < len(common) or any(distance.values()):
                    raise NotRaised("statements of a loop depend on each other across iterations")


def _tensor(op: AnyOp) -> Any:
    return op.operands[0 if op.name == "affine.load" else 1]


def expand_variables(nest: AnyOp) -> None:
    """Gives variables that only the nest uses an element for each iteration of the loops around all their uses.

    Before: `v = 0; for k { v += A[i, k] }; B[i] = v` in a loop i. After: `v[i] = 0; for k { v[i] += A[i, k] }; B[i] = v[i]`.
    """
    seen: list[Any] = []
    for op in walk_pre_order(nest):
        if op.name in ("memref.load", "memref.store"):
            value = op.operands[0 if op.name == "memref.load" else 1]
            if value not in seen:
                seen.append(value)
    for value in seen:
        _expand(value, nest)


def carry_in_variables(nest: AnyOp) -> None:
    """Makes loop-carried values variables, for `expand_variables`.

    Before: `%r = affine.for %k iter_args(%s = %z) { affine.yield %t }`. After: `memref.store %z, %v[]; affine.for %k { %s =
    memref.load %v[]; memref.store %t, %v[] }; %r = memref.load %v[]`.
    """
    for loop in reversed([op for op in walk_pre_order(nest) if op.name == "affine.for" and len(op.results)]):
        if loop == nest:
            raise NotRaised("a loop that carries values")
        with ir.InsertionPoint(nest), loop.location:
            variables = [memref.alloca(ir.MemRefType.get([], r.type), [], []) for r in loop.results]
        lower, upper, carried = list(loop.attributes["operandSegmentSizes"])
        bounds, inits = list(loop.operands)[: lower + upper], list(loop.operands)[lower + upper :]
        attributes = {n: loop.attributes[n] for n in loop.attributes} | {
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([lower, upper, 0])
        }
        [block] = loop.regions[0].blocks
        with ir.InsertionPoint(loop), loop.location:
            for value, variable in zip(inits, variables, strict=True):
                memref.StoreOp(value, variable, [])
            new = ir.Operation.create("affine.for", [], bounds, attributes, regions=1)
            for result, variable in zip(loop.results, variables, strict=True):
                result.replace_all_uses_with(memref.LoadOp(variable, []).result)
        with ir.InsertionPoint.at_block_begin(block), loop.location:
            loaded = [memref.LoadOp(variable, []).result for variable in variables]
        for argument, value in zip(list(block.arguments)[1:], loaded, strict=True):
            argument.replace_all_uses_with(value)
        last = block.operations[-1].operation
        with ir.InsertionPoint(last), last.location:
            for value, variable in zip(last.operands, variables, strict=True):
                memref.StoreOp(value, variable, [])
            affine.AffineYieldOp([])
        last.erase()
        for _ in range(carried):
            block.erase_argument(1)
        block.append_to(new.regions[0])
        loop.erase()


def _expand(value: ir.Value, nest: AnyOp) -> None:
    if isinstance(value, ir.BlockArgument) or value.owner.name != "memref.alloca" or ir.MemRefType(value.type).shape:
        raise NotRaised("an element at subscripts that are not sums of loop variables")
    uses = [use.owner.operation for use in value.uses]
    if not all(is_inside(u, nest) for u in uses):
        raise NotRaised("a variable that is used outside of the loops that set it")
    loops = _around_all(uses, nest)
    first = next(op for op in walk_pre_order(nest) if op in uses)
    if first.name != "memref.store" or first.parent != loops[-1].op:
        raise NotRaised("a variable that keeps its value between iterations")
    shape = [len(constant_range(loop)) for loop in loops]
    with ir.InsertionPoint(nest), nest.location:
        result = memref.AllocOp(ir.MemRefType.get(shape, ir.MemRefType(value.type).element_type), [], []).result
    subscripts = []
    for loop in loops:
        range_ = constant_range(loop)
        if range_.step != 1:
            raise NotRaised(f"loop '{loop.name}' steps by {range_.step}")
        subscripts.append(Sum({loop.variable: 1}, -range_.start))
    for op in uses:
        with ir.InsertionPoint(op), op.location:
            if op.name == "memref.load":
                op.results[0].replace_all_uses_with(load_at(result, subscripts))
            else:
                store(op.operands[0], result, subscripts)
        op.erase()


def _around_all(uses: Sequence[AnyOp], nest: AnyOp) -> list[Loop]:
    """The loops that contain all operations."""
    results: list[Any] = []
    op = uses[0].parent
    while op.name == "affine.for":
        if all(is_inside(u, op) for u in uses):
            results.append(op)
        if op == nest:
            break
        op = op.parent
    if not results or any(not isinstance(o.opview, affine.AffineForOp) for o in results):
        raise NotRaised("a variable under a condition")
    return [Loop(name_of(o) or "?", o, "", "") for o in reversed(results)]
