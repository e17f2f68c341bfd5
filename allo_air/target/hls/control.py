"""Loops and conditions as C++."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.mlir import AnyOp
from allo_air.target.hls.affine import bound, condition, plain
from allo_air.target.hls.function import Function, writes
from allo_air.target.hls.types import INDEX, kind_of
from allo_air.target.hls.values import Number

if TYPE_CHECKING:
    from allo_air.mlir import ir


def _mark(op: AnyOp, name: str) -> int | None:
    return int(op.attributes[name].value) if name in op.attributes else None


def _pragmas(made: Function, op: AnyOp) -> None:
    interval, unroll = _mark(op, "pipeline_ii"), _mark(op, "unroll")
    if interval is not None:
        made.pragma("pipeline", ii=interval, rewind=" rewind" if "rewind" in op.attributes else "")
    if unroll is not None:
        made.pragma("unroll_by" if unroll else "unroll", factor=unroll)
    if "dataflow" in op.attributes:
        made.pragma("dataflow")


def _text(op: AnyOp, name: str) -> str:
    return str(op.attributes[name].value) if name in op.attributes else ""


def _label(made: Function, op: AnyOp, name: str) -> str:
    base = "l_" + "_".join(p for p in (_text(op, "op_name"), name) if p)
    text = "".join(c if c.isalnum() else "_" for c in base)
    label, count = text, 0
    while label in made.labels:
        count += 1
        label = f"{text}{count}"
    made.labels.add(label)
    return f"{label}: "


def _carried(made: Function, op: AnyOp, first: int, count: int) -> list[str]:
    """Variables for what a loop hands from turn to turn."""
    names = []
    for result, value in zip(op.results, list(op.operands)[first : first + count], strict=True):
        made.define(result, made.number(value).text, made.number(value).kind)
        names.append(made.number(result).text)
    return names


def _hand_on(made: Function, names: list[str], block: ir.Block) -> None:
    """Assigns what a block yields, all at once."""
    [*_, last] = block.operations
    _assign(made, names, made.texts(last.operands))


def _assign(made: Function, names: list[str], values: list[str]) -> None:
    if len(names) > 1:
        kept = []
        for value in values:
            kept.append(made.fresh())
            made.line(f"auto {kept[-1]} = {value};")
        values = kept
    for name, value in zip(names, values, strict=True):
        made.line(f"{name} = {value};")


def _loop(made: Function, op: AnyOp, lower: str, upper: str, step: str, carried: list[str]) -> None:
    [block] = op.regions[0].blocks
    name = _text(op, "loop_name")
    label = _label(made, op, name) if name else ""
    if made.flavor.before_loop:
        _pragmas(made, op)
    with made.scope():
        variable = made.named(name) if name else made.fresh()
        made.lines.append(
            "  " * (len(made.scopes) - 1)
            + f"{label}for (int {variable} = {lower}; {variable} < {upper}; "
            + (f"{variable}++) {{" if step == "1" else f"{variable} += {step}) {{")
        )
        if not made.flavor.before_loop:
            made.scopes.pop()
            made.scopes.append({variable})
            _pragmas(made, op)
        known = lower.isdigit() or lower in made.whole
        if known:
            made.whole.add(variable)
        arguments = list(block.arguments)
        kind = kind_of(arguments[0].type)
        made.values[arguments[0]] = Number(variable, INDEX if kind.sort == "index" else kind)
        for argument, each in zip(arguments[1:], carried, strict=True):
            made.values[argument] = Number(each, kind_of(argument.type))
        made.block(block)
        if carried:
            _hand_on(made, carried, block)
        if known:
            made.whole.discard(variable)
    made.line("}")


@writes("affine.for")
def _affine_for(made: Function, op: AnyOp) -> None:
    lower, upper = (op.attributes[name].value for name in ("lowerBoundMap", "upperBoundMap"))
    operands = made.texts(list(op.operands))
    split, end = lower.n_inputs, lower.n_inputs + upper.n_inputs
    whole = frozenset(made.whole)
    begin = bound(lower, operands[:split], False, whole)
    limit = bound(upper, operands[split:end], True, whole)
    _loop(made, op, begin, limit, str(op.attributes["step"].value), _carried(made, op, end, len(op.results)))


@writes("affine.parallel")
def _affine_parallel(made: Function, op: AnyOp) -> None:
    from allo_air.errors import AlloAirError

    del made
    raise AlloAirError(f"{op.name} is a loop of the array, not of a schedule")


@writes("scf.for")
def _scf_for(made: Function, op: AnyOp) -> None:
    lower, upper, step = made.texts(list(op.operands)[:3])
    _loop(made, op, lower, upper, step, _carried(made, op, 3, len(op.results)))


@writes("scf.while")
def _while(made: Function, op: AnyOp) -> None:
    before, after = (region.blocks[0] for region in op.regions)
    names = []
    for argument, value in zip(before.arguments, op.operands, strict=True):
        made.define(argument, made.number(value).text, made.number(value).kind)
        names.append(made.number(argument).text)
    results = []
    for result in op.results:
        results.append(made.fresh())
        kind = kind_of(result.type)
        made.line(f"{kind.text(made.flavor)} {results[-1]};")
        made.values[result] = Number(results[-1], kind)
    made.line("while (true) {")
    with made.scope():
        made.block(before)
        [*_, last] = before.operations
        test, *passed = made.texts(last.operands)
        _assign(made, results, passed)
        made.line(f"if (!({test})) break;")
        for argument, name in zip(after.arguments, results, strict=True):
            made.values[argument] = Number(name, kind_of(argument.type))
        made.block(after)
        _hand_on(made, names, after)
    made.line("}")


@writes("scf.condition")
def _condition(made: Function, op: AnyOp) -> None:
    del made, op


@writes("scf.if", "affine.if")
def _if(made: Function, op: AnyOp) -> None:
    operands = made.texts(op.operands)
    test = operands[0] if op.name == "scf.if" else condition(op.attributes["condition"], operands, frozenset(made.whole))
    names = []
    for result in op.results:
        names.append(made.fresh())
        kind = kind_of(result.type)
        made.line(f"{kind.text(made.flavor)} {names[-1]};")
        made.values[result] = Number(names[-1], kind)
    made.line(f"if ({plain(test)}) {{")
    regions = [region for region in op.regions if len(region.blocks)]
    for number, region in enumerate(regions):
        [block] = region.blocks
        if number and len(block.operations) == 1 and not names:
            continue
        if number:
            made.line("} else {")
        with made.scope():
            made.block(block)
            if names:
                _hand_on(made, names, block)
    made.line("}")
