"""Recognizes attention, softmax(f(Q K^T)) V, in a function on tensors. It examines the expression of each element of the
result.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial

from allo_air.core.walking import walk_pre_order
from allo_air.mlir import ir
from allo_air.passes._analysis.structured import is_structured, reductions
from allo_air.passes.map._attention_masks import Masks, Term, find_masks, follows
from allo_air.passes.map._element_rules import traced
from allo_air.passes.map._elements import Element, Elements, dims_of, subexpressions
from allo_air.passes.map._linear_index import Linear
from allo_air.passes.map._softmax_form import Softmax, bit_width, factors, narrowest, softmax, without_factors

_SHAPES = ("tensor.expand_shape", "tensor.collapse_shape", "linalg.transpose")
Index = tuple[Linear, ...]


@dataclass(frozen=True)
class Attention:
    """The operations that compute attention, and their operands.

    `result` is the value that they compute, and `out` the index of its element. `extents` are the extents of the numbered
    dimensions. These are: the `batch` dimensions, the query `q` (None for a single one), the key `k`, the channels `d` of the
    scores, and the channels `v` of the values. `query`, `key` and `value` are elements of tensors from outside the group.
    `score` is computed from `dot`, the sum over d of `scale` query * key. `final`, the result's element, is computed from
    `product`, the sum over k of weight * value. `safe`: a row whose keys are all hidden gives 0. `rounded` is the narrowest
    type of query, key and value before the products.
    """

    result: ir.Value
    out: Index
    extents: tuple[int, ...]
    batch: tuple[int, ...]
    q: int | None
    k: int
    d: int
    v: int
    query: Element
    key: Element
    value: Element
    scale: float
    dot: Element
    score: Element
    safe: bool
    product: Element
    final: Element
    rounded: ir.Type

    @cached_property
    def masks(self) -> list[Element]:
        """The other elements of tensors that the scores depend on."""
        return [part for part in subexpressions(self.score) if part.kind == "load"]

    @cached_property
    def uses_query_index(self) -> bool:
        """Whether the scores depend on the number of the query, as with causal masks."""
        return any(part.kind == "index" and any(d == self.q for d, _ in part.data[0][0]) for part in subexpressions(self.score))

    @cached_property
    def follows(self) -> dict[int, tuple[bool, bool]]:
        """For each mask element, by its `id`: whether it depends on the query, and on the key."""
        terms = self._form.terms if self._form else []
        return {id(term.element): follows(term.element, self.q, self.k) for term in terms}

    def cells(self, masks: Masks) -> dict[tuple[int, tuple[bool, bool]], list[Term]]:
        """The terms of `masks` that are computed together: by step number, and by whether they depend on query and key."""
        terms: dict[tuple[int, tuple[bool, bool]], list[Term]] = {}
        for number, step in enumerate(masks.steps):
            for term in step.terms:
                by_query, by_key = self.follows[id(term.element)]
                terms.setdefault((number, (by_query, by_key or not by_query)), []).append(term)
        return terms

    @cached_property
    def _form(self) -> Masks | None:
        masks = find_masks(self.score, self.dot, self.scale, self.q, self.k)
        return masks and masks.settled(self.extent(self.q), self.extents[self.k])

    @cached_property
    def _padded_form(self) -> Masks | None:
        return self._form and self._form.padded(self.extents[self.k])

    def form(self, keys: int) -> Masks | None:
        """The masks of the scores, with the keys padded to `keys`; None if scores have another form."""
        return self._padded_form if keys > self.extents[self.k] else self._form

    @property
    def operands(self) -> list[ir.Value]:
        """The tensors from outside the group, each once."""
        return list(dict.fromkeys(part.data[0] for part in (self.query, self.key, self.value, *self.masks)))

    @property
    def element(self) -> ir.Type:
        """The type of queries, keys and values."""
        return self.query.type

    def extent(self, number: int | None) -> int:
        return 1 if number is None else self.extents[number]

    def ops(self) -> list[ir.Operation]:
        """The operations of the group, in program order."""
        outside, result = set(self.operands), set[ir.Operation]()
        todo = [self.result]
        while todo:
            value = todo.pop()
            if value in outside or isinstance(value, ir.BlockArgument) or value.owner.operation in result:
                continue
            result.add(value.owner.operation)
            todo += [o for op in walk_pre_order(value.owner) for o in op.operands]
        return [o.operation for o in self.result.owner.operation.block.operations if o.operation in result]


def find_all(function: ir.Operation) -> list[Attention]:
    """All attention groups of `function`. Two groups never share a product."""
    matches = [match(op) for block in function.regions[0].blocks for op in block.operations]
    return [group for group in matches if group is not None]


def match(op: ir.Operation | ir.OpView) -> Attention | None:
    """The group whose sum over keys is `op`. It includes as many of the following reshapes and casts as possible."""
    op = op.operation
    if not is_structured(op) or len(op.results) != 1 or len(op.operands) < 3:
        return None
    if not any(reductions(op)) or not traced(partial(_weighs_by_softmax, op.results[0])):
        return None
    for value in reversed(list(_onwards(op.results[0]))):
        if (result := traced(partial(_match, value))) is not None:
            return result if result.product.data[0] == op else None
    return None


def _onwards(value: ir.Value) -> Iterator[ir.Value]:
    """`value` and the results of the unary operations that follow it, as long as each has a single user."""
    while True:
        yield value
        users = [use.owner.operation for use in value.uses]
        if len(users) != 1 or len(users[0].results) != 1:
            return
        [user] = users
        tensors = [o for o in user.operands if isinstance(o.type, ir.RankedTensorType)]
        if user.name not in _SHAPES and not (user.name == "linalg.generic" and len(tensors) == 2 and tensors[0] == value):
            return
        value = user.results[0]


def _weighs_by_softmax(result: ir.Value, elements: Elements) -> bool:
    """Whether `result` itself is a sum of products with the elements of a softmax: no other operation's result ends a group."""
    return any(True for _ in _weighed(_element(result, elements)[1]))


def _element(result: ir.Value, elements: Elements) -> tuple[Index, Element]:
    """The index of an element of `result`, and its expression."""
    out = [elements.new(extent, (result, n)) for n, extent in enumerate(result.type.shape)]
    return tuple(out), elements.of(result, out)


def _weighed(final: Element) -> Iterator[tuple[Element, Element, Softmax]]:
    """The sum of products of which `final` is a function, its other factor, and the softmax that is one of its factors."""
    product = _only_reduction(final)
    if product is None or len(product.dims) != 1 or (pair := factors(product)) is None:
        return
    for weight, values in (pair, pair[::-1]):
        if (soft := softmax(weight, product.dims[0])) is not None:
            yield product, values, soft


def _match(result: ir.Value, elements: Elements) -> Attention | None:
    out, final = _element(result, elements)
    for product, values, soft in _weighed(final):
        [k] = product.dims
        dot = _only_reduction(soft.score)
        if dot is None or len(dot.dims) != 1 or (both := factors(dot)) is None:
            return None
        query, key = both if k in dims_of(both[1]) else both[::-1]
        (q, scale_q), (ke, scale_k), (v, scale_v) = (_operand(elements, part) for part in (query, key, values))
        if q is None or ke is None or v is None or scale_v != 1.0:
            return None
        score = _whole_bytes(elements, soft.score)
        rounded = max((narrowest(part) for part in (query, key, values)), key=bit_width)
        scores, ends = (dot, score, soft.safe), (product, final)
        return _group(elements, result, out, (q, ke, v), scale_q * scale_k, scores, ends, rounded)
    return None


def _only_reduction(element: Element) -> Element | None:
    """The only reduction on which `element` depends; None if there are several, or if it depends on scalars from outside."""
    parts = subexpressions(element)
    results = [part for part in parts if part.kind == "reduce"]
    return results[0] if len(results) == 1 and not any(part.kind in ("value", "accumulator") for part in parts) else None


def _whole_bytes(elements: Elements, element: Element) -> Element:
    """`element`, with functions of bits replaced by loads from the wider tensors that other operations compute from them."""
    parts = subexpressions(element)
    if not any(part.kind == "load" and _is_bit(part) for part in parts):
        return element
    home = elements.homes.get(id(element))
    if home is not None and not _is_bit(element) and not any(part.kind == "reduce" for part in parts):
        return elements.load(*home)
    if element.kind != "scalar":
        return element
    operands = [_whole_bytes(elements, o) for o in element.operands]
    return elements.make("scalar", element.data, operands, element.type, element.op)


def _is_bit(element: Element) -> bool:
    return isinstance(element.type, ir.IntegerType) and element.type.width == 1


def _without_outer_indices(elements: Elements, element: Element, own: set[int | None]) -> Element | None:
    """`element`, with functions of indices of other dimensions than `own` replaced by loads from tensors.

    A core does not know its launch, so it cannot compute such functions; launches bring slices of the tensors instead. None if
    no tensor contains such a function.
    """
    parts = subexpressions(element)
    if all(n in own for part in parts if part.kind == "index" for n, _ in part.data[0][0]):
        return element
    home = elements.homes.get(id(element))
    if home is not None and not any(part.kind == "reduce" for part in parts):
        return elements.load(*home)
    if element.kind != "scalar":
        return None
    operands = [_without_outer_indices(elements, o, own) for o in element.operands]
    present = [o for o in operands if o is not None]
    return elements.make("scalar", element.data, present, element.type, element.op) if len(present) == len(operands) else None


def _operand(elements: Elements, element: Element) -> tuple[Element | None, float]:
    """The tensor's element before casts and constant factors, and the product of the factors."""
    unscaled, scale = without_factors(element)
    if unscaled.kind == "load":
        return unscaled, scale
    home = elements.homes.get(id(unscaled))
    return (None, scale) if home is None else (elements.load(*home), scale)


def _group(
    elements: Elements,
    result: ir.Value,
    out: Index,
    loads: tuple[Element, Element, Element],
    scale: float,
    scores: tuple[Element, Element, bool],
    ends: tuple[Element, Element],
    rounded: ir.Type,
) -> Attention | None:
    """The group, if each index depends on at most one of the tiled dimensions; else None."""
    query, key, value = loads
    (dot, score, safe), (product, final) = scores, ends
    [k], [d] = product.dims, dot.dims
    rows = {n for index in out for n, _ in index[0]}
    of_query, of_key, of_value = (dims_of(load) for load in loads)
    channels = [n for n in rows & of_value if n not in of_query | of_key | dims_of(score)]
    queries = [n for index in query.data[1] for n, _ in index[0] if n in rows and n not in of_key | of_value]
    if len(channels) != 1 or any(part.kind == "load" and part.data[0] == result for part in loads):
        return None
    [v], q = channels, queries[-1] if queries else None
    folded = _without_outer_indices(elements, score, {q, k})
    if folded is None:
        return None
    score = folded
    tiled: set[int | None] = {q, k, d, v}
    groups: list[tuple[Index, set[int | None]]] = [
        (out, {q, v}),
        (query.data[1], {q, d}),
        (key.data[1], {k, d}),
        (value.data[1], {k, v}),
    ]
    for index, axes in groups:
        if {a for a in axes_of(index, tiled) or () if a is not None} != axes - {None}:
            return None
    masks = [part.data[1] for part in subexpressions(score) if part.kind == "load"]
    if any(axes_of(index, tiled) is None for index in masks) or len({load.type for load in loads}) != 1:
        return None
    if _is_read_outside(dot, product):
        return None
    batch = tuple(sorted(rows - tiled))
    extents = tuple(elements.extents)
    loaded = query, key, value, scale
    return Attention(result, out, extents, batch, q, k, d, v, *loaded, dot, score, safe, product, final, rounded)


def axes_of(index: Index, tiled: set[int | None]) -> list[int | None] | None:
    """For each place of `index`, the dimension of `tiled` on which it depends, or None; None instead of the list if one depends
    on several.
    """
    results: list[int | None] = []
    for terms, _ in index:
        axes = [(n, c) for n, c in terms if n in tiled]
        if len(axes) > 1 or any(c != 1 for _, c in axes):
            return None
        results.append(axes[0][0] if axes else None)
    own = [n for n in results if n is not None]
    return results if len(own) == len(set(own)) else None


def _is_read_outside(dot: Element, product: Element) -> bool:
    """Whether the scores are returned or used outside of the group, so that they have to be written in any case."""
    todo, seen = [dot.data[0].results[dot.data[1]]], set()
    while todo:
        value = todo.pop()
        for use in value.uses:
            user = use.owner.operation
            if user.name == "func.return":
                return True
            if user not in seen and user != product.data[0]:
                seen.add(user)
                todo += [r for r in user.results if isinstance(r.type, ir.RankedTensorType)]
    return False
