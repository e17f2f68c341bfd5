"""Compiles loops: `range`, `allo_air.grid`, `allo_air.reduction`, `while`."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from contextlib import ExitStack
from math import prod
from typing import Any

from allo_air.errors import counted
from allo_air.frontend import dsl
from allo_air.frontend.affine_forms import Forms
from allo_air.frontend.arithmetic import emit, materialized
from allo_air.frontend.nodes import condition, scalar
from allo_air.frontend.numbers import BOOL
from allo_air.frontend.state import State
from allo_air.frontend.static import UNKNOWN, evaluate
from allo_air.frontend.types import index
from allo_air.frontend.values import KnownInt, LoopIndex, StreamValue
from allo_air.mlir import AnyOp, affine, arith, ir, scf

Body = Callable[[], None]
_WRITTEN_OUT = 64
"""Largest trip count of a loop that is unrolled because it selects among streams; a core's program memory is small."""


def for_loop(state: State, node: ast.For, body: Body) -> None:
    """A `for`, whose statements `body` compiles."""
    if node.orelse:
        raise state.error(node, "'else' of a loop is not part of the language of kernels")
    if not isinstance(node.iter, ast.Call):
        _unrolled(state, node, body)
        return
    callee = evaluate(state, node.iter.func)
    if callee in (range, dsl.grid, dsl.reduction) and _chooses_streams(state, node):
        _unrolled_statements(state, node, node.iter, body)
    elif callee in (dsl.grid, dsl.reduction):
        _grid(state, node, node.iter, body, callee is dsl.reduction)
    elif callee is range:
        _range(state, node, node.iter, body)
    else:
        _unrolled(state, node, body)


def _unrolled(state: State, node: ast.For, body: Body) -> None:
    """Unrolls a loop over compile-time values."""
    items = evaluate(state, node.iter)
    targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
    names = [t.id for t in targets if isinstance(t, ast.Name)]
    if items is UNKNOWN or not hasattr(items, "__iter__") or len(names) != len(targets):
        raise state.error(
            node.iter, "loops go over range(...), allo.grid(...), or a list that is known when the kernel is compiled"
        )
    for item in items:
        values = item if isinstance(node.target, ast.Tuple) else (item,)
        if not hasattr(values, "__len__") or len(values) != len(names):
            raise state.error(node.target, f"{counted(len(names), 'variable')} for {item!r}")
        state.names[-1].update(zip(names, values, strict=True))
        body()


def _chooses_streams(state: State, node: ast.For) -> bool:
    """Whether the loop's variables select streams, in few enough iterations to unroll it."""
    variables = {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
    for inner in (n for statement in node.body for n in ast.walk(statement)):
        if isinstance(inner, ast.Subscript) and isinstance(inner.value, ast.Name):
            owner = state.variable(inner.value.id)
            if isinstance(owner, StreamValue) and variables & {n.id for n in ast.walk(inner.slice) if isinstance(n, ast.Name)}:
                return 0 < _trip_count(state, node) <= _WRITTEN_OUT
    return False


def _trip_count(state: State, node: ast.For) -> int:
    """The trip count of the loop; 0 if it is a run-time value."""
    assert isinstance(node.iter, ast.Call)
    arguments = [a for a in node.iter.args if not (isinstance(a, ast.Constant) and isinstance(a.value, str))]
    numbers = [evaluate(state, a) for a in arguments]
    if not all(isinstance(n, int) for n in numbers):
        return 0
    return len(range(*numbers)) if evaluate(state, node.iter.func) is range else prod(numbers)


def _unrolled_statements(state: State, node: ast.For, call: ast.Call, body: Body) -> None:
    """The statements, once for each value of the loop's variables."""
    arguments = [a for a in call.args if not (isinstance(a, ast.Constant) and isinstance(a.value, str))]
    numbers = [evaluate(state, a) for a in arguments]
    targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
    is_range = evaluate(state, call.func) is range
    ranges = [range(*numbers)] if is_range else [range(n) for n in numbers]
    if len(targets) != len(ranges):
        raise state.error(node, f"{counted(len(targets), 'loop variable')} for {counted(len(ranges), 'dimension')}")
    for values in itertools.product(*ranges):
        with state.scope() as names:
            names.update({t.id: KnownInt(v) for t, v in zip(targets, values, strict=True) if isinstance(t, ast.Name)})
            body()


def _name_of(state: State, call: ast.Call) -> str | None:
    for keyword in call.keywords:
        if keyword.arg == "name":
            return evaluate(state, keyword.value)
    if call.args and isinstance(call.args[-1], ast.Constant) and isinstance(call.args[-1].value, str):
        return call.args[-1].value
    return None


def _band(state: State, value: str | None, variables: list[str]) -> str:
    """The name of a loop nest: the user's, or S_i_j_0."""
    if value is not None:
        return value
    base = "_".join(["S", *variables])
    number = state.shared.bands.get((state.symbol, base), 0)
    state.shared.bands[(state.symbol, base)] = number + 1
    return f"{base}_{number}"


def _label(loop: AnyOp, name: str, band: str | None) -> None:
    loop.operation.attributes["loop_name"] = ir.StringAttr.get(name)
    if band is not None:
        loop.operation.attributes["op_name"] = ir.StringAttr.get(band)


def _grid(state: State, node: ast.For, call: ast.Call, body: Body, reduction: bool) -> None:
    targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
    sizes = [a for a in call.args if not (isinstance(a, ast.Constant) and isinstance(a.value, str))]
    names = [t.id for t in targets if isinstance(t, ast.Name)]
    if len(names) != len(sizes):
        raise state.error(node, f"{counted(len(targets), 'loop variable')} for {counted(len(sizes), 'dimension')}")
    band = _band(state, _name_of(state, call), names)
    with ExitStack() as stack:
        ends = [_loop_end(state, size) for size in sizes]  # before the body may change their memory
        for number, (name, (bounds, stop)) in enumerate(zip(names, ends, strict=True)):
            own = band if number == 0 else None
            if bounds is not None:
                loop = _counted(state, stack, name, own, bounds, 1)
            else:
                loop = _dynamic(state, stack, name, own, arith.constant(ir.IndexType.get(), 0), stop, 1)
            if reduction:
                loop.operation.attributes["reduction"] = ir.UnitAttr.get()
            _mark(state, call, loop, innermost=number == len(names) - 1)
        body()


def _loop_end(state: State, size: ast.AST) -> tuple[Any, Any]:
    """The affine bounds of a loop from 0 to `size`. If `size` is not affine: None, and its value, which is emitted here."""
    bounds = _affine_bounds(state, ast.Constant(0), size)
    return bounds, None if bounds is not None else _integer_bound(state, size)


def _integer_bound(state: State, node: ast.AST) -> Any:
    """The value of a loop's bound, which is a whole number."""
    result = materialized(scalar(state, node))
    if not result.type.integral and result.type != index:
        raise state.error(node, f"the bound of a loop must be a whole number, found {ast.unparse(node)}, a {result.type}")
    return emit(result, index).value


def _mark(state: State, call: ast.Call, loop: AnyOp, *, innermost: bool) -> None:
    """`pipeline=True` marks the innermost loop of a nest, `unroll=True` all of them."""
    values = {k.arg: evaluate(state, k.value) for k in call.keywords}
    i32 = ir.IntegerType.get_signless(32)
    if values.get("pipeline") is True and innermost:
        loop.operation.attributes["pipeline_ii"] = ir.IntegerAttr.get(i32, 1)
    if values.get("unroll") is True:
        loop.operation.attributes["unroll"] = ir.IntegerAttr.get(i32, 0)


def _enter(state: State, stack: ExitStack, loop: affine.AffineForOp | scf.ForOp, name: str, value: LoopIndex) -> None:
    block = loop.body
    scope = stack.enter_context(state.scope())
    scope[name] = value
    stack.enter_context(ir.InsertionPoint(block))
    stack.callback(_close, loop)


def _close(loop: AnyOp) -> None:
    """Ends the body of a loop, in which the insertion point still is."""
    if isinstance(loop, affine.AffineForOp):
        affine.AffineYieldOp([])
    else:
        scf.YieldOp([])


def _range(state: State, node: ast.For, call: ast.Call, body: Body) -> None:
    if not isinstance(node.target, ast.Name):
        raise state.error(node, "a loop over a range has one variable")
    name = node.target.id
    arguments = [a for a in call.args if not (isinstance(a, ast.Constant) and isinstance(a.value, str))]
    low = ast.Constant(0) if len(arguments) == 1 else arguments[0]
    high = arguments[0] if len(arguments) == 1 else arguments[1]
    step = evaluate(state, arguments[2]) if len(arguments) > 2 else 1
    if step is UNKNOWN:
        step = emit(materialized(scalar(state, arguments[2])), index).value
    elif not isinstance(step, int) or step == 0:
        raise state.error(call, f"the step of a range must be a whole number other than 0, found {step!r}")
    band = _band(state, _name_of(state, call), [name])
    with ExitStack() as stack:
        _ranged(state, stack, name, band, low, high, step)
        body()


def _ranged(state: State, stack: ExitStack, name: str, band: str | None, low: ast.AST, high: ast.AST, step: int) -> Any:
    """Emits a loop over a range, affine if its bounds are; the insertion point is in its body afterwards."""
    bounds = _affine_bounds(state, low, high) if isinstance(step, int) and step > 0 else None
    if bounds is not None:
        return _counted(state, stack, name, band, bounds, step)
    return _dynamic(state, stack, name, band, _integer_bound(state, low), _integer_bound(state, high), step)


def _counted(state: State, stack: ExitStack, name: str, band: str | None, bounds: Any, step: int) -> Any:
    """An affine loop between bounds, each with its operands."""
    (lower, lower_operands), (upper, upper_operands) = bounds
    loop = affine.AffineForOp(lower, upper, step, lower_bound_operands=lower_operands, upper_bound_operands=upper_operands)
    _label(loop, name, band)
    _enter(state, stack, loop, name, LoopIndex(loop.induction_variable))
    return loop


def _affine_bounds(state: State, low: ast.AST, high: ast.AST) -> Any:
    bounds: list[tuple[Any, list[Any]]] = []
    for node in (low, high):
        forms = Forms(state)
        form = forms.of(node)
        if form is None:
            return None
        fixed = form.constant
        if fixed is not None:
            bounds.append((fixed, []))
        else:
            bounds.append((ir.AffineMap.get(len(forms.operands), 0, [form.expr]), list(forms.operands)))
    return bounds


def _dynamic(state: State, stack: ExitStack, name: str, band: str | None, start: ir.Value, stop: ir.Value, step: Any) -> Any:
    """Emits a loop with run-time bounds, or one that counts down. It counts from 0, and the variable is computed from the
    count.

    A run-time step counts up or down by its sign; with a step of 0 there is no iteration.
    """
    zero, one = (arith.constant(ir.IndexType.get(), v) for v in (0, 1))
    if isinstance(step, int):
        by = size = arith.constant(ir.IndexType.get(), abs(step))
        distance = arith.subi(stop, start) if step > 0 else arith.subi(start, stop)
        up = step > 0
    else:
        by, up = step, True
        size = arith.maxsi(arith.maxsi(step, arith.subi(zero, step)), one)
        rising, falling = (arith.cmpi(kind, step, zero) for kind in (arith.CmpIPredicate.sgt, arith.CmpIPredicate.slt))
        down = arith.select(falling, arith.subi(start, stop), zero)
        distance = arith.select(rising, arith.subi(stop, start), down)
    count = arith.ceildivsi(arith.maxsi(distance, zero), size)
    loop = scf.ForOp(zero, count, one)
    _label(loop, name, band)
    with ir.InsertionPoint(loop.body):
        moved = arith.muli(loop.induction_variable, by)
        value = arith.addi(start, moved) if up else arith.subi(start, moved)
    _enter(state, stack, loop, name, LoopIndex(value, affine=False))
    return loop


def while_loop(state: State, node: ast.While, body: Body) -> None:
    """A `while`."""
    loop = scf.WhileOp([], [])
    before, after = loop.regions[0].blocks.append(), loop.regions[1].blocks.append()
    with ir.InsertionPoint(before):
        decided = condition(state, node.test)
        scf.ConditionOp(emit(decided, BOOL).value, [])
    with ir.InsertionPoint(after), state.scope():
        body()
        scf.YieldOp([])
