"""Rules that compute the expression of a result's element, one for each kind of operation, looked up by operation name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, TypeVar

from allo_air.core.walking import defining_op
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes.map._elements import DimensionSplit, Element, Elements, Rule
from allo_air.passes.map._linear_index import Linear, add, constant, evaluated, scaled

T = TypeVar("T")


def traced(find: Callable[[Elements], T]) -> T:
    """Calls `find` on expressions. If a reshape splits a dimension meanwhile, `find` is called again with the finer
    dimensions.
    """
    splits: dict[Any, list[int]] = {}
    while True:
        try:
            return find(Elements(splits, rule_of))
        except DimensionSplit:
            continue


def rule_of(op: ir.Operation) -> Rule:
    """The rule for `op`, or one that returns None."""
    match = _RULES.get(op.name)
    if match is None and op.name.startswith("linalg.") and len(op.regions) == 1:
        return _structured
    return match or (lambda elements, result, index: None)


def _expand(elements: Elements, result: ir.OpResult, index: list[Linear]) -> Element:
    source = []
    for group in result.owner.attributes["reassociation"]:
        dims = [g.value for g in group]
        linear = constant(0)
        for d in dims:
            linear = add(scaled(linear, result.type.shape[d]), index[d])
        source.append(linear)
    return elements.of(result.owner.operands[0], source)


def _collapse(elements: Elements, result: ir.OpResult, index: list[Linear]) -> Element | None:
    operand = result.owner.operands[0]
    source = [] if index else [constant(0)] * len(operand.type.shape)
    for index_of_group, group in zip(index, result.owner.attributes["reassociation"], strict=True):
        sizes = [operand.type.shape[g.value] for g in group]
        for n in range(len(sizes)):
            match = elements.divided(index_of_group, prod(sizes[n + 1 :]))
            if match is None:
                return None
            outer, index_of_group = match
            source.append(outer)
    return elements.of(operand, source)


def _transpose(elements: Elements, result: ir.OpResult, index: list[Linear]) -> Element:
    source = [constant(0)] * len(index)
    for linear, place in zip(index, result.owner.attributes["permutation"], strict=True):
        source[place] = linear
    return elements.of(result.owner.operands[0], source)


def _broadcast(elements: Elements, result: ir.OpResult, index: list[Linear]) -> Element:
    added = set(result.owner.attributes["dimensions"])
    return elements.of(result.owner.operands[0], [linear for n, linear in enumerate(index) if n not in added])


def _fill(elements: Elements, result: ir.OpResult, index: list[Linear]) -> Element | None:
    return elements.scalar(result.owner.operands[0], lambda value: None)


def _slice(elements: Elements, result: ir.OpResult, index: list[Linear]) -> Element | None:
    view = result.owner.opview
    numbers = [list(view.static_offsets), list(view.static_sizes), list(view.static_strides)]
    if len(view.operands) > 1 or any(n < 0 for part in numbers for n in part):
        return None
    offsets, sizes, strides = numbers
    shape, source = list(result.type.shape), []
    for offset, size, stride in zip(offsets, sizes, strides, strict=True):
        linear = constant(0)
        if shape and shape[0] == size:
            linear = index[len(index) - len(shape)]
            shape.pop(0)
        source.append(add(scaled(linear, stride), constant(offset)))
    return elements.of(view.operands[0], source) if not shape else None


def _constant(elements: Elements, result: ir.OpResult, index: list[Linear]) -> Element | None:
    value = result.owner.attributes["value"]
    if not isinstance(value, ir.DenseElementsAttr) or not value.is_splat:
        return None
    return elements.make("constant", (value.get_splat_value(),), (), result.type.element_type)


def _softmax(elements: Elements, result: ir.OpResult, index: list[Linear]) -> Element:
    op, kind = result.owner, result.type.element_type
    along = op.attributes["dimension"].value

    def reduced(name: str, body: Callable[[list[Linear]], Element], first: float) -> Element:
        loops = [*index]
        loops[along] = elements.new(result.type.shape[along], (op, name))

        def parts() -> list[Element]:
            accumulator = elements.make("accumulator", (op, name), (), kind)
            start = elements.make("constant", (ir.FloatAttr.get(kind, first),), (), kind)
            return [elements.make("scalar", (name, ""), [body(loops), accumulator], kind), start]

        return elements.reduce((op, name, tuple(loops)), parts, kind, tuple(d for d, _ in loops[along][0]))

    def term(indices: list[Linear]) -> Element:
        less = elements.make("scalar", ("arith.subf", ""), [elements.of(op.operands[0], indices), largest], kind)
        return elements.make("scalar", ("math.exp", ""), [less], kind)

    largest = reduced("arith.maximumf", lambda indices: elements.of(op.operands[0], indices), float("-inf"))
    total = reduced("arith.addf", term, 0.0)
    return elements.make("scalar", ("arith.divf", ""), [term(index), total], kind)


def _structured(elements: Elements, result: ir.OpResult, index: list[Linear]) -> Element | None:
    """The element of a linalg operation's result: the expression of its body, or a reduction of it."""
    op = result.owner
    maps = indexing_maps(op)
    number = result.result_number
    inputs = len(op.operands) - len(op.results)
    out = maps[inputs + number]
    loops: list[Linear | None] = [None] * out.n_dims
    for expression, linear in zip(out.results, index, strict=True):
        if isinstance(expression, ir.AffineDimExpr):
            loops[ir.AffineDimExpr(expression).position] = linear
        elif not isinstance(expression, ir.AffineConstantExpr):
            return None
    reduced = [n for n, index_term in enumerate(loops) if index_term is None]
    extents = _extents(op, maps)
    if any(n not in extents for n in reduced):
        return None
    for n in reduced:
        loops[n] = elements.new(extents[n], (op, n))
    loops_present = [index_term for index_term in loops if index_term is not None]
    if not reduced:
        return _body(elements, result, maps, loops_present, lambda n: _operand(elements, op, maps, loops_present, n))
    kind = result.type.element_type

    def parts() -> list[Element]:
        accumulator = elements.make("accumulator", (op, number), (), kind)
        body = _body(elements, result, maps, loops_present, lambda n: accumulator if n == inputs + number else None)
        return [] if body is None else [body, elements.of(op.operands[inputs + number], index)]

    return elements.reduce(
        (op, number, tuple(loops_present)), parts, kind, tuple(d for n in reduced for d, _ in loops_present[n][0])
    )


def _extents(op: AnyOp, maps: Sequence[ir.AffineMap]) -> dict[int, int]:
    """The trip counts of the loops that some operand follows."""
    extents = {}
    for value, indexing in zip(op.operands, maps, strict=True):
        for n, expression in enumerate(indexing.results):
            if isinstance(expression, ir.AffineDimExpr):
                extents[ir.AffineDimExpr(expression).position] = value.type.shape[n]
    return extents


def _operand(
    elements: Elements, op: AnyOp, maps: Sequence[ir.AffineMap], loops: Sequence[Linear], number: int
) -> Element | None:
    """The value of the body's argument `number`."""
    value = op.operands[number]
    if not isinstance(value.type, ir.RankedTensorType):
        return elements.scalar(value, lambda v: None)
    index = [evaluated(e, loops) for e in maps[number].results]
    indices = [linear for linear in index if linear is not None]
    return elements.of(value, indices) if len(indices) == len(index) else None


def _body(
    elements: Elements,
    result: ir.OpResult,
    maps: Sequence[ir.AffineMap],
    loops: Sequence[Linear],
    outs: Callable[[int], Element | None],
) -> Element | None:
    """The yielded value of the body for `result`; `outs` are its last arguments."""
    op = result.owner
    [block] = op.regions[0].blocks
    inputs = len(op.operands) - len(op.results)

    results: dict[ir.Value, Element | None] = {}

    def ask(value: ir.Value) -> Element | None:
        if value not in results:
            results[value] = element_of(value)
        return results[value]

    def element_of(value: ir.Value) -> Element | None:
        owner = defining_op(value)
        if owner is None:
            if value.owner != block:
                return elements.scalar(value, ask)
            number = ir.BlockArgument(value).arg_number
            return _operand(elements, op, maps, loops, number) if number < inputs else outs(number)
        if owner.name == "linalg.index":
            return elements.make("index", (loops[owner.attributes["dim"].value],), (), value.type)
        return elements.scalar(value, ask)

    return ask(block.operations[-1].operation.operands[result.result_number])


_RULES: dict[str, Rule] = {
    "arith.constant": _constant,
    "linalg.broadcast": _broadcast,
    "linalg.fill": _fill,
    "linalg.softmax": _softmax,
    "linalg.transpose": _transpose,
    "tensor.collapse_shape": _collapse,
    "tensor.expand_shape": _expand,
    "tensor.extract_slice": _slice,
}
