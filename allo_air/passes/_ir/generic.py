"""A view of a linalg.generic on tensors, and builders of others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.core.cloning import clone_body
from allo_air.core.walking import is_unused, walk_named
from allo_air.mlir import AnyOp, ir, linalg

Argument = int | ir.Value | Callable[[list[Any]], Any]
"""The replacement of a block argument in a new body: an argument of the new body by number, a value from outside, or a value
computed in the body.
"""


@dataclass(frozen=True)
class Generic:
    """The parts of a linalg.generic; `maps` are those of its inputs, then of its destinations."""

    op: Any
    inputs: tuple[Any, ...]
    outs: tuple[Any, ...]
    maps: tuple[Any, ...]
    iterators: tuple[str, ...]

    @classmethod
    def of(cls, op: AnyOp | linalg.GenericOp) -> Generic:
        """The parts of `op`."""
        count = int(next(iter(op.attributes["operandSegmentSizes"])))
        operands = tuple(op.operands)
        iterators = tuple(_kind(i) for i in op.attributes["iterator_types"])
        maps = tuple(m.value for m in op.attributes["indexing_maps"])
        return cls(op, operands[:count], operands[count:], maps, iterators)

    @property
    def block(self) -> Any:
        """The body."""
        return self.op.regions[0].blocks[0]

    @property
    def body(self) -> list[Any]:
        """The operations of the body, without its terminator."""
        return [o.operation for o in self.block.operations][:-1]

    @property
    def yielded(self) -> list[Any]:
        """The yielded values of the body."""
        return list(self.block.operations[-1].operands)

    @property
    def arguments(self) -> list[Any]:
        """The body's arguments, one for each operand."""
        return list(self.block.arguments)

    @property
    def is_parallel(self) -> bool:
        """Whether no loop reduces."""
        return all(i == "parallel" for i in self.iterators)

    @property
    def reads_outs(self) -> bool:
        """Whether the body uses the content of a destination."""
        return not all(map(is_unused, self.arguments[len(self.inputs) :]))

    @property
    def is_elementwise(self) -> bool:
        """Whether all loops are parallel, each result has the order of the loops, and no destination is read."""
        return (
            self.is_parallel
            and all(m == ir.AffineMap.get_identity(len(self.iterators)) for m in self.maps[len(self.inputs) :])
            and not self.reads_outs
        )


def _kind(iterator: ir.Attribute) -> str:
    text = str(iterator)
    return next((kind for kind in ("reduction", "window") if kind in text), "parallel")


def generics(root: AnyOp, *, last_first: bool = False) -> Iterator[Generic]:
    """The linalg.generics on tensors in `root`, in order; the caller may replace the current one before it takes the next."""
    ops = [o for o in walk_named(root, "linalg.generic") if len(o.results)]
    for op in reversed(ops) if last_first else ops:
        yield Generic.of(op)


def has_all_loops(maps: Iterable[ir.AffineMap]) -> bool:
    """Whether each loop indexes a dimension of some operand, which gives its extent."""
    listed = list(maps)
    results = {ir.AffineDimExpr(e).position for m in listed for e in m.results if isinstance(e, ir.AffineDimExpr)}
    return len(results) == listed[0].n_dims


def extents(generic_op: Generic) -> list[int]:
    """The extents of the loops."""
    shape = [1] * len(generic_op.iterators)
    for value, map_ in zip((*generic_op.inputs, *generic_op.outs), generic_op.maps, strict=True):
        if not isinstance(value.type, ir.RankedTensorType):
            continue
        for n, e in zip(value.type.shape, map_.results, strict=True):
            if isinstance(e, ir.AffineDimExpr):
                shape[ir.AffineDimExpr(e).position] = n
    return shape


def composed_map(outer: ir.AffineMap, inner: ir.AffineMap) -> ir.AffineMap:
    """The map that applies `inner`, then `outer`."""
    return ir.AffineMap.get(inner.n_dims, 0, [expression.compose(inner) for expression in outer.results])


def maps_attr(maps: Iterable[ir.AffineMap]) -> ir.ArrayAttr:
    """Indexing maps as an attribute."""
    return ir.ArrayAttr.get([ir.AffineMapAttr.get(m) for m in maps])


def iterators_attr(iterators: Iterable[str]) -> ir.ArrayAttr:
    """Iterator types as an attribute."""
    return ir.ArrayAttr.get([ir.Attribute.parse(f"#linalg.iterator_type<{i}>") for i in iterators])


def generic(
    inputs: Sequence[ir.Value],
    outs: Sequence[ir.Value],
    maps: Iterable[ir.AffineMap],
    iterators: Iterable[str],
    body: Callable[[list[Any]], Sequence[Any]],
) -> Any:
    """A linalg.generic at the insertion point; `body` returns the yielded values for its arguments."""
    op, block = open_generic(inputs, outs, maps, iterators)
    with ir.InsertionPoint(block):
        linalg.YieldOp(list(body(list(block.arguments))))
    return op


def open_generic(
    inputs: Sequence[ir.Value],
    outs: Sequence[ir.Value],
    maps: Iterable[ir.AffineMap],
    iterators: Iterable[str] | None = None,
) -> tuple[Any, ir.Block]:
    """A linalg.generic at the insertion point, parallel by default, and its empty block."""
    maps = list(maps)
    attributes = {
        "indexing_maps": maps_attr(maps),
        "iterator_types": iterators_attr(["parallel"] * maps[0].n_dims if iterators is None else iterators),
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(inputs), len(outs)]),
    }
    operands = [*inputs, *outs]
    op = ir.Operation.create("linalg.generic", [o.type for o in outs], operands, attributes, regions=1)
    elements = [v.type.element_type if isinstance(v.type, ir.RankedTensorType) else v.type for v in operands]
    return op, op.regions[0].blocks.append(*elements)


def rewrite(
    old: Generic,
    inputs: Sequence[tuple[ir.Value, ir.AffineMap]],
    arguments: Sequence[Argument],
    kept_results: Sequence[int] | None = None,
) -> Any:
    """Replaces `old` by a generic with other inputs (value and map).

    `arguments` gives the new value of each argument of the old body, `kept_results` the remaining results (all, if None).
    """
    kept_results = range(len(old.outs)) if kept_results is None else kept_results
    outs, out_maps = [old.outs[k] for k in kept_results], [old.maps[len(old.inputs) + k] for k in kept_results]

    def body(block_arguments: list[ir.Value]) -> list[Any]:
        values = {
            a: block_arguments[n] if isinstance(n, int) else n if isinstance(n, ir.Value) else n(block_arguments)
            for a, n in zip(old.arguments, arguments, strict=True)
        }
        _, yielded = clone_body(old.block, values)
        return [yielded[k] for k in kept_results]

    with ir.InsertionPoint(old.op), old.op.location:
        new = generic([v for v, _ in inputs], outs, [*(m for _, m in inputs), *out_maps], old.iterators, body)
    for k, result in zip(kept_results, new.results, strict=True):
        old.op.results[k].replace_all_uses_with(result)
    old.op.erase()
    return new


def drop_unused(function: AnyOp) -> None:
    """Erases operations of the function's block whose results are unused."""
    [block] = function.regions[0].blocks
    for op in reversed([o.operation for o in block.operations][:-1]):
        if all(map(is_unused, op.results)) and op.name.startswith(("linalg.", "tensor.", "arith.", "math.")):
            op.erase()
