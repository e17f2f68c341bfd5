"""Loops and conditions as C++."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.mlir import AnyOp
from allo_air.target.hls.affine import bound, condition, without_parentheses
from allo_air.target.hls.function import Function, writes
from allo_air.target.hls.types import INDEX, kind_of
from allo_air.target.hls.values import Number

if TYPE_CHECKING:
    from allo_air.mlir import ir


def _mark(op: AnyOp, name: str) -> int | None:
    return int(op.attributes[name].value) if name in op.attributes else None


def _pragmas(function: Function, op: AnyOp) -> None:
    interval, unroll = _mark(op, "pipeline_ii"), _mark(op, "unroll")
    if interval is not None:
        function.pragma("pipeline", ii=interval, rewind=" rewind" if "rewind" in op.attributes else "")
    if unroll is not None:
        function.pragma("unroll_by" if unroll else "unroll", factor=unroll)
    if "dataflow" in op.attributes:
        function.pragma("dataflow")


def _text(op: AnyOp, name: str) -> str:
    return str(op.attributes[name].value) if name in op.attributes else ""


def _label(function: Function, op: AnyOp, name: str) -> str:
    base = "l_" + "_".join(p for p in (_text(op, "op_name"), name) if p)
    text = "".join(c if c.isalnum() else "_" for c in base)
    label, count = text, 0
    while label in function.labels:
        count += 1
        label = f"{text}{count}"
    function.labels.add(label)
    return f"{label}: "


def _carried(function: Function, op: AnyOp, first: int, count: int) -> list[str]:
    """Variables for loop-carried values."""
    names = []
    for result, value in zip(op.results, list(op.operands)[first : first + count], strict=True):
        function.define(result, function.number(value).text, function.number(value).kind)
        names.append(function.number(result).text)
    return names


def _hand_on(function: Function, names: list[str], block: ir.Block) -> None:
    """Assigns the yielded values of a block simultaneously."""
    [*_, last] = block.operations
    _assign(function, names, function.texts(last.operands))


def _assign(function: Function, names: list[str], values: list[str]) -> None:
    if len(names) > 1:
        variables = []
        for value in values:
            variables.append(function.fresh())
            function.line(f"auto {variables[-1]} = {value};")
        values = variables
    for name, value in zip(names, values, strict=True):
        function.line(f"{name} = {value};")


def _loop(function: Function, op: AnyOp, lower: str, upper: str, step: str, carried: list[str]) -> None:
    [block] = op.regions[0].blocks
    name = _text(op, "loop_name")
    label = _label(function, op, name) if name else ""
    if function.flavor.before_loop:
        _pragmas(function, op)
    with function.scope():
        variable = function.named(name) if name else function.fresh()
        function.lines.append(
            "  " * (len(function.scopes) - 1)
            + f"{label}for (int {variable} = {lower}; {variable} < {upper}; "
            + (f"{variable}++) {{" if step == "1" else f"{variable} += {step}) {{")
        )
        if not function.flavor.before_loop:
            function.scopes.pop()
            function.scopes.append({variable})
            _pragmas(function, op)
        is_constant = lower.isdigit() or lower in function.non_negative
        if is_constant:
            function.non_negative.add(variable)
        arguments = list(block.arguments)
        kind = kind_of(arguments[0].type)
        function.values[arguments[0]] = Number(variable, INDEX if kind.sort == "index" else kind)
        for argument, each in zip(arguments[1:], carried, strict=True):
            function.values[argument] = Number(each, kind_of(argument.type))
        function.block(block)
        if carried:
            _hand_on(function, carried, block)
        if is_constant:
            function.non_negative.discard(variable)
    function.line("}")


@writes("affine.for")
def _affine_for(function: Function, op: AnyOp) -> None:
    lower, upper = (op.attributes[name].value for name in ("lowerBoundMap", "upperBoundMap"))
    operands = function.texts(list(op.operands))
    split, end = lower.n_inputs, lower.n_inputs + upper.n_inputs
    whole = frozenset(function.non_negative)
    begin = bound(lower, operands[:split], False, whole)
    limit = bound(upper, operands[split:end], True, whole)
    _loop(function, op, begin, limit, str(op.attributes["step"].value), _carried(function, op, end, len(op.results)))


@writes("affine.parallel")
def _affine_parallel(function: Function, op: AnyOp) -> None:
    from allo_air.errors import AlloAirError

    del function
    raise AlloAirError(f"{op.name} is a loop of the array, not of a schedule")


@writes("scf.for")
def _scf_for(function: Function, op: AnyOp) -> None:
    lower, upper, step = function.texts(list(op.operands)[:3])
    _loop(function, op, lower, upper, step, _carried(function, op, 3, len(op.results)))


@writes("scf.while")
def _emit_while(function: Function, op: AnyOp) -> None:
    before, after = (region.blocks[0] for region in op.regions)
    names = []
    for argument, value in zip(before.arguments, op.operands, strict=True):
        function.define(argument, function.number(value).text, function.number(value).kind)
        names.append(function.number(argument).text)
    results = []
    for result in op.results:
        results.append(function.fresh())
        kind = kind_of(result.type)
        function.line(f"{kind.text(function.flavor)} {results[-1]};")
        function.values[result] = Number(results[-1], kind)
    function.line("while (true) {")
    with function.scope():
        function.block(before)
        [*_, last] = before.operations
        test, *passed = function.texts(last.operands)
        _assign(function, results, passed)
        function.line(f"if (!({test})) break;")
        for argument, name in zip(after.arguments, results, strict=True):
            function.values[argument] = Number(name, kind_of(argument.type))
        function.block(after)
        _hand_on(function, names, after)
    function.line("}")


@writes("scf.condition")
def _condition(function: Function, op: AnyOp) -> None:
    del function, op


@writes("scf.if", "affine.if")
def _if(function: Function, op: AnyOp) -> None:
    operands = function.texts(op.operands)
    test = (
        operands[0]
        if op.name == "scf.if"
        else condition(op.attributes["condition"], operands, frozenset(function.non_negative))
    )
    names = []
    for result in op.results:
        names.append(function.fresh())
        kind = kind_of(result.type)
        function.line(f"{kind.text(function.flavor)} {names[-1]};")
        function.values[result] = Number(names[-1], kind)
    function.line(f"if ({without_parentheses(test)}) {{")
    regions = [region for region in op.regions if len(region.blocks)]
    for number, region in enumerate(regions):
        [block] = region.blocks
        if number and len(block.operations) == 1 and not names:
            continue
        if number:
            function.line("} else {")
        with function.scope():
            function.block(block)
            if names:
                _hand_on(function, names, block)
    function.line("}")
