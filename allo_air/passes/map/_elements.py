"""Expressions of tensor elements. An element of a result is expressed by elements of the tensors that its operations read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from allo_air.core.walking import defining_op
from allo_air.mlir import ir
from allo_air.passes.map._linear_index import Linear, add, constant, dim, scaled

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

Ask = Callable[[ir.Value], "Element | None"]
Rule = Callable[["Elements", ir.OpResult, list[Linear]], "Element | None"]
"""A rule returns the expression of an element of an operation's result, or None if it has none."""


_DEEPEST = 30
"""The producers that `Elements.of` follows by recursion, one of another; Python's stack has room for about 90."""


class Element:
    """An expression. Equal expressions, except reductions, are one object. `data` depends on `kind`:

    * load: a tensor, and the `Linear` indices of an element of it
    * constant: an attribute; index: a `Linear`; value: a scalar from outside
    * scalar: the name and the attributes of an operation with one result; `op` is one that computes it from `operands`
    * reduce: a linalg operation, the number of its result, and the indices of its loops; `dims` are the reduced dimensions.
      The first operand is the body, in which `accumulator` is the value so far; the second is the initial value. Both are
      computed on demand.
    """

    def __init__(
        self,
        kind: str,
        data: tuple[Any, ...],
        operands: Callable[[], Sequence[Element]],
        type_: Any,
        op: Any = None,
        dims: tuple[int, ...] = (),
    ):
        self.kind, self.data, self.type, self.op, self.dims = kind, data, type_, op, dims
        self._operands = operands

    @cached_property
    def operands(self) -> tuple[Element, ...]:
        return tuple(self._operands())


class Elements:
    """Expressions over numbered dimensions with extents `extents`. A dimension is split if a reshape splits it."""

    def __init__(
        self, splits: dict[tuple[int | str | ir.Value | AnyOp, ...], list[int]], rule_of: Callable[[ir.Operation], Rule]
    ) -> None:
        self.extents: list[int] = []
        self._splits = splits
        self._rule_of = rule_of
        self._origins: list[tuple[Any, int]] = []
        self._known: dict[Any, Any] = {}
        self._depth = 0
        self.homes: dict[int, tuple[ir.Value, tuple[Linear, ...]]] = {}
        """For each expression, by `id`, the first tensor that has it as an element."""

    def new(self, extent: int, origin: tuple[int | str | ir.Value | AnyOp, ...]) -> Linear:
        """An index over `extent`, with as many dimensions as `origin` is split into; 0 for an extent of 1."""
        sizes = self._splits.setdefault(origin, [extent])
        index, stride = constant(0), 1
        for part in reversed(range(len(sizes))):
            if sizes[part] > 1:
                self.extents.append(sizes[part])
                self._origins.append((origin, part))
                index = add(index, scaled(dim(len(self.extents) - 1), stride))
            stride *= sizes[part]
        return index

    def make(
        self,
        kind: str,
        data: tuple[Any, ...],
        operands: Sequence[Element] = (),
        type_: ir.Type | None = None,
        op: AnyOp | None = None,
    ) -> Element:
        """The unique expression with these parts."""
        key = (kind, data, tuple(id(o) for o in operands), type_)
        if key not in self._known:
            self._known[key] = Element(kind, data, lambda: operands, type_, op)
        return self._known[key]

    def reduce(
        self, data: tuple[object, ...], operands: Callable[[], Sequence[Element]], type_: ir.Type, dims: tuple[int, ...]
    ) -> Element:
        """A reduction of `operands` (body, first value) over `dims`."""
        return Element("reduce", data, operands, type_, None, dims)

    def load(self, value: ir.Value, index: Sequence[Linear]) -> Element:
        """The element of a tensor, without tracing."""
        return self.make("load", (value, tuple(index)), (), value.type.element_type)

    def of(self, value: ir.Value, index: Sequence[Linear]) -> Element:
        """The element of tensor `value` at `index`, followed through its producers as far as there are rules."""
        key = ("of", value, tuple(index))
        if key in self._known:
            return self._known[key]
        if self._depth == _DEEPEST:
            raise _FarProducerError(value, index)
        todo = [(value, index)]
        while todo:
            try:
                result = self._followed(*todo[-1])
                todo.pop()
            except _FarProducerError as far:
                if self._depth:
                    raise
                todo.append((far.value, far.index))
        return result

    def _followed(self, value: ir.Value, index: Sequence[Linear]) -> Element:
        """`of`, for an element that is not known. Raises _FarProducerError if one that is too far is not known, either."""
        self._depth += 1
        try:
            result = (
                None
                if isinstance(value, ir.BlockArgument)
                else self._rule_of(value.owner)(self, ir.OpResult(value), list(index))
            )
        finally:
            self._depth -= 1
        result = self.load(value, index) if result is None else result
        self._known["of", value, tuple(index)] = result
        self.homes.setdefault(id(result), (value, tuple(index)))
        return result

    def divided(self, index: Linear, size: int) -> tuple[Linear, Linear] | None:
        """Quotient and remainder of `index` by `size`; None if they are not sums of dimensions."""
        terms, number = index
        outer = tuple((d, c // size) for d, c in terms if c % size == 0)
        inner = tuple((d, c) for d, c in terms if c % size)
        if all(c > 0 for _, c in inner) and number % size + sum(c * (self.extents[d] - 1) for d, c in inner) < size:
            return (outer, number // size), (inner, number % size)
        for d, c in inner:
            if c > 0 and size % c == 0 and self.extents[d] % (size // c) == 0 and self.extents[d] > size // c:
                origin, part = self._origins[d]
                sizes = self._splits[origin]
                sizes[part : part + 1] = [sizes[part] // (size // c), size // c]
                raise DimensionSplit
        return None

    def scalar(self, value: ir.Value, ask: Ask) -> Element | None:
        """The expression of a scalar: a constant, or an operation on expressions that `ask` returns for its operands."""
        owner = defining_op(value)
        if owner is None:
            return self.make("value", (value,), (), value.type)
        if owner.name == "arith.constant":
            return self.make("constant", (owner.attributes["value"],), (), value.type)
        if len(owner.results) != 1 or len(owner.regions):
            return None
        parts = [ask(o) for o in owner.operands]
        if any(p is None for p in parts):
            return None
        attributes = ", ".join(f"{n}={owner.attributes[n]}" for n in owner.attributes)
        return self.make("scalar", (owner.name, attributes), [p for p in parts if p is not None], value.type, owner)


class _FarProducerError(Exception):
    """Raised at an element whose expression is needed, through many others, by one that is being computed."""

    def __init__(self, value: ir.Value, index: Sequence[Linear]) -> None:
        self.value, self.index = value, index
        super().__init__(value)


class DimensionSplit(Exception):
    """Raised if a dimension was split, since earlier expressions use the unsplit one."""


def equal(a: Element, b: Element, dims: dict[int, int]) -> bool:
    """Whether `a` equals `b` if the dimensions of `a` are renamed. The dimensions of inner reductions are matched on the way.

    `dims` is the part of the renaming that is already known.
    """
    todo, renamings, compared = [(a, b, dims)], [dims], set[tuple[int, int, int]]()
    while todo:
        a, b, dims = todo.pop()
        if (a is b and not dims) or (id(a), id(b), id(dims)) in compared:
            continue
        compared.add((id(a), id(b), id(dims)))
        inner = _renaming(a, b, dims)
        if inner is None:
            return False
        if a.kind in ("load", "index", "accumulator") or (a.kind == "reduce" and _same_loops(a, b, inner)):
            continue
        if len(a.operands) != len(b.operands):
            return False
        renamings.append(inner)  # kept, so that no other one gets its `id`
        todo += [(x, y, inner) for x, y in zip(reversed(a.operands), reversed(b.operands), strict=True)]
    return True


def _renaming(a: Element, b: Element, dims: dict[int, int]) -> dict[int, int] | None:
    """The renaming for the operands of `a` and `b`; None if they differ whatever their operands are."""
    if a.kind != b.kind or a.type != b.type:
        return None
    match a.kind:
        case "load":
            same = a.data[0] == b.data[0] and [_renamed(i, dims) for i in a.data[1]] == list(b.data[1])
        case "index":
            same = _renamed(a.data[0], dims) == b.data[0]
        case "reduce":
            return dims | dict(zip(a.dims, b.dims, strict=True)) if len(a.dims) == len(b.dims) else None
        case "accumulator":
            same = True
        case _:
            same = a.data == b.data
    return dims if same else None


def _same_loops(a: Element, b: Element, dims: dict[int, int]) -> bool:
    """Whether two reductions are one operation's at the same indices."""
    return bool(a.data[:2] == b.data[:2] and [_renamed(i, dims) for i in a.data[2]] == list(b.data[2]))


def _renamed(index: Linear, dims: dict[int, int]) -> Linear:
    return tuple(sorted((dims.get(d, d), c) for d, c in index[0])), index[1]


def subexpressions(element: Element) -> list[Element]:
    """The subexpressions of `element`, each once, operands first; reductions are not entered."""
    elements: dict[int, Element] = {}
    todo = [(element, False)]
    while todo:
        current, done = todo.pop()
        if id(current) in elements:
            continue
        if done or current.kind == "reduce" or not current.operands:
            elements[id(current)] = current
            continue
        todo.append((current, True))
        todo += [(o, False) for o in current.operands]
    return list(elements.values())


def dims_of(element: Element) -> frozenset[int]:
    """The dimensions that `element` depends on, or may depend on inside a reduction."""
    dims: set[int] = set()
    for part in subexpressions(element):
        match part.kind:
            case "load":
                dims |= {d for index in part.data[1] for d, _ in index[0]}
            case "index":
                dims |= {d for d, _ in part.data[0][0]}
            case "reduce":
                dims |= {d for index in part.data[2] for d, _ in index[0]} - set(part.dims)
    return frozenset(dims)
