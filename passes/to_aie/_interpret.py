"""Runs a herd's or segment's body over what is known when it is compiled; what to do with the rest is the subclass's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from typing import Any

from allo_air.access.dims import start_of
from allo_air.core.affine import compiled_set
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.folding import fold
from allo_air.core.walking import walk, walk_named
from allo_air.dialects.air import ChannelGetOp, ChannelPutOp
from allo_air.mlir import ir
from allo_air.passes.to_aie._walks import Walk

TRANSFERS = (ChannelPutOp.OPERATION_NAME, ChannelGetOp.OPERATION_NAME)
CONDITIONS = ("air.affine_if", "affine.if", "scf.if", "scf.index_switch")
MAX_UNROLLED = 4096
_YIELDS = ("scf.yield", "air.affine_yield", "affine.yield", "scf.reduce", "air.execute_terminator", "scf.reduce.return")
_ENDS = ("air.herd_terminator", "air.segment_terminator", "air.launch_terminator")


class Interpreter:
    """Walks blocks in order: numbers are folded, conditions decided, `air.execute` opened, tokens dropped.

    Straight code in program order is one of the orders that the tokens allow; what overlaps at run time is decided by the
    locks, which come from the accesses. A loop is unrolled where a transfer in it depends on the iteration.
    """

    where = "a tile's program"

    def __init__(self, numbers: dict[Any, int]):
        self.numbers = dict(numbers)
        self.values: dict[Any, Any] = {}
        self._unrolled = 0

    # What subclasses do.

    def transfer(self, op: Any) -> None:
        """A put or get."""
        raise NotImplementedError

    def loop(self, op: Any, ivs: list[Any], counts: list[int | None]) -> None:
        """A loop that stays: `scf.for`, or `scf.parallel`, whose iterations run one after another."""
        raise NotImplementedError

    def other(self, op: Any) -> None:
        """Any other operation."""
        raise NotImplementedError

    def open_condition(self, op: Any) -> None:
        """A condition that is not decided."""
        raise error_at(op, f"decides in {self.where} on a value that is not known at compile time")

    def number_known(self, result: Any, number: int) -> None:
        """Result of an operation that was folded."""
        self.numbers[result] = number

    # The walk.

    def run(self, block: Any) -> list[Any]:
        """Walks `block`; returns the operands of its terminator."""
        operations = [view.operation for view in block.operations]
        for op in operations:
            if op.name in _YIELDS:
                return list(op.operands)
            if op.name not in _ENDS:
                self.step(op)
        return []

    def step(self, op: Any) -> None:
        numbers = fold(op, self.number)
        if numbers is not None:
            for result, number in zip(op.results, numbers, strict=True):
                self.number_known(result, number)
            return
        for result in op.results:
            self.numbers.pop(result, None)  # of an earlier iteration
        if op.name in TRANSFERS:
            self.transfer(op.opview)
        elif op.name == "air.execute":
            self.bind(list(op.results)[1:], self.run(op.regions[0].blocks[0]))
        elif op.name == "air.wait_all":
            return
        elif op.name in CONDITIONS:
            self._condition(op)
        elif op.name in ("scf.for", "scf.parallel"):
            self._loop(op)
        elif op.name == "air.dma_memcpy_nd":
            raise error_at(op, "is not in channel form; run air-dma-to-channel before air-to-aie")
        else:
            self.other(op)

    def bind(self, names: list[Any], values: list[Any]) -> None:
        """Lets `names` stand for what `values` stand for."""
        found = [(self.numbers.get(v), self.values.get(v)) for v in values]
        for name, (number, value) in zip(names, found, strict=True):
            self.numbers.pop(name, None)
            self.values.pop(name, None)
            if number is not None:
                self.numbers[name] = number
            elif value is not None:
                self.values[name] = value

    def number(self, value: Any) -> int | None:
        """The number that `value` is known to be."""
        known = self.numbers.get(value)
        return constant_of(value) if known is None else known

    def _condition(self, op: Any) -> None:
        chosen = self._chosen(op)
        if chosen is None:
            self.open_condition(op)
        elif blocks := list(chosen.blocks):
            self.bind(list(op.results), self.run(blocks[0]))

    def _chosen(self, op: Any) -> Any:
        """The region that is run; None where that is open."""
        values = [self.number(v) for v in op.operands]
        if any(v is None for v in values):
            return None
        known = [v for v in values if v is not None]
        if op.name in ("air.affine_if", "affine.if"):
            return op.regions[0 if compiled_set(op.attributes["condition"])(known) else 1]
        if op.name == "scf.if":
            return op.regions[0 if known[0] else 1]
        cases = list(op.attributes["cases"])
        return op.regions[cases.index(known[0]) + 1 if known[0] in cases else 0]

    def _loop(self, op: Any) -> None:
        rank = len(op.regions[0].blocks[0].arguments) if op.name == "scf.parallel" else 1
        bounds = [[self.number(v) for v in list(op.operands)[i * rank : (i + 1) * rank]] for i in range(3)]
        counts = [_count(*b) for b in zip(*bounds, strict=True)]
        ivs = list(op.regions[0].blocks[0].arguments)[:rank]
        if not varying(op):
            self.loop(op, ivs, counts)
            return
        if any(c is None for c in counts):
            raise error_at(op, "holds a transfer that differs by iteration, so it is unrolled, but its bounds are not constant")
        total = prod(c for c in counts if c is not None)
        self._unrolled += total
        if self._unrolled > MAX_UNROLLED:
            raise error_at(
                op,
                f"holds a transfer that differs by iteration, and has {total} iterations to unroll; at most {MAX_UNROLLED} are "
                "unrolled: fold the loop into the access list (air-specialize-channel-wrap-and-stride)",
            )
        self._unroll(op, ivs, bounds, counts)

    def _unroll(self, op: Any, ivs: list[Any], bounds: list[list[Any]], counts: list[Any]) -> None:
        block = op.regions[0].blocks[0]
        carried = list(block.arguments)[len(ivs) :]
        self.bind(carried, list(op.operands)[3 * len(ivs) :] if carried else [])
        for number in range(prod(counts)):
            for iv, low, step, count in list(zip(ivs, bounds[0], bounds[2], counts, strict=True))[::-1]:
                number, position = divmod(number, count)
                self.numbers[iv] = low + position * step
            yielded = self.run(block)
            if carried:
                self.bind(carried, yielded)
        # What an scf.parallel reduces is tokens, which the device does without.
        self.bind(list(op.results), carried if op.name == "scf.for" else list(op.operands)[3 * len(ivs) :])

    @contextmanager
    def unknown(self, values: list[Any]) -> Iterator[None]:
        """Forgets the numbers of `values` inside."""
        for value in values:
            self.numbers.pop(value, None)
        yield

    def walk_of(self, op: Any, memref: Any, held: Any) -> Walk:
        """The walk of a put or get over its buffer, of type `held`, through `memref`, which is of its type or a view's."""
        kind = memref.type
        try:
            strides, start = kind.get_strides_and_offset()
        except RuntimeError:
            raise error_at(op, f"moves through the view {kind}, whose layout is not strided") from None
        dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
        if start == dynamic or dynamic in strides or not kind.has_static_shape or not held.has_static_shape:
            raise error_at(op, f"moves through {kind}; a tile's DMA wants static shape and layout (run canonicalize)")
        lists = self._lists(op)
        if lists[1]:
            offsets, sizes, strides = lists
            start += start_of(offsets, strides)
        else:
            sizes = list(kind.shape)
        element = held.element_type
        bits = getattr(element, "width", 0)
        if not bits or bits % 8:
            raise error_at(op, f"moves elements of type {element}; a DMA moves integers and floats of whole bytes")
        return Walk(start, tuple(zip(sizes, strides, strict=True)), prod(held.shape), bits)

    def _lists(self, op: Any) -> list[list[int]]:
        side = "src" if isinstance(op, ChannelPutOp) else "dst"
        if any(any(p) for p in (op.pad_before or [], op.pad_after or [])):
            raise error_at(op, "pads what it moves, which air-to-aie does not lower; pad in the kernel or in the L2 buffer")
        lists = []
        for name in ("offsets", "sizes", "strides"):
            found = [self.number(v) for v in getattr(op, f"{side}_{name}")]
            if any(n is None for n in found):
                raise error_at(
                    op, f"has {name} that are not constant; the BDs of {self.where} are fixed when the device is configured"
                )
            lists.append([n for n in found if n is not None])
        if len(lists[1]) != len(lists[2]) or len(lists[0]) > len(lists[1]):
            raise error_at(op, f"has {len(lists[0])} offsets, {len(lists[1])} sizes and {len(lists[2])} strides")
        return lists


def _count(low: int | None, high: int | None, step: int | None) -> int | None:
    if low is None or high is None or step is None or step <= 0:
        return None
    return max(0, -(-(high - low) // step))


def varying(loop: Any) -> bool:
    """Whether which transfers `loop` does, or what they move, depends on the iteration or on what is carried round."""
    if not walk_named(loop, *TRANSFERS):
        return False
    derived = {a for a in loop.regions[0].blocks[0].arguments if not is_token(a)}
    for op in [view.operation for view in walk(loop)][1:]:
        if not any(v in derived for v in op.operands):
            continue
        if op.name in TRANSFERS or (op.name in CONDITIONS and walk_named(op, *TRANSFERS)):
            return True
        made = [*op.results, *(a for region in op.regions for block in region.blocks for a in block.arguments)]
        if op.name == "air.execute_terminator":
            made += op.parent.operation.results
        derived.update(v for v in made if not is_token(v))
    return False


def is_token(value: Any) -> bool:
    """Whether `value` is an asynchronous token."""
    return str(value.type) == "!air.async.token"
