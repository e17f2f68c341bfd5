"""Which buffers a program reads before it writes them, and which it writes."""

from __future__ import annotations

from typing import Any

from allo_air.mlir import ir

_VIEWS = (
    "memref.subview",
    "memref.reshape",
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.reinterpret_cast",
)


def directions(buffer: Any) -> tuple[bool, bool]:
    """Whether what stands in `buffer` before the program matters, and whether the program writes it."""
    accesses = list(_accesses(buffer))
    writes = any(w for _, _, w in accesses)
    reads = any(r for _, r, _ in accesses)
    if not writes:
        return reads, False
    if not reads:
        return not _covers(buffer), True
    return not _set_first(buffer), True


def _accesses(value: Any) -> Any:
    """The operations on a buffer and its views: the operation, whether it reads, whether it writes."""
    for use in value.uses:
        op = use.owner
        name, number = op.name, use.operand_number
        if name in _VIEWS:
            yield from _accesses(op.results[0])
        elif name in ("memref.load", "affine.load", "air.channel.put"):
            yield op, True, False
        elif name in ("memref.store", "affine.store", "air.channel.get"):
            yield op, False, True
        elif name == "memref.copy":
            yield op, number == 0, number == 1
        elif name.startswith("linalg."):
            outs = _outputs(op)
            is_out = number >= len(op.operands) - outs
            yield op, not is_out or _reads_output(op, number), is_out
        elif name == "func.call":
            yield from _call(op, number)
        elif name != "memref.dealloc":
            yield op, True, True


def _call(op: ir.Operation, number: int) -> Any:
    callee = str(ir.FlatSymbolRefAttr(op.attributes["callee"]).value)
    module = op.parent
    while module.name != "builtin.module":
        module = module.parent
    for candidate in module.opview.body.operations:
        if candidate.operation.name == "func.func" and candidate.name.value == callee:
            if "allo.writes" in candidate.attributes:
                written = number in list(ir.DenseI64ArrayAttr(candidate.attributes["allo.writes"]))
                yield op, not written, written
            else:
                reads, writes = directions(candidate.entry_block.arguments[number])
                yield op, reads, writes
            return
    yield op, True, True


def _outputs(op: ir.Operation) -> int:
    return int(ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"])[1])


def _reads_output(op: ir.Operation, number: int) -> bool:
    if not op.regions or not op.regions[0].blocks:
        return True
    return any(True for _ in op.regions[0].blocks[0].arguments[number].uses)


def _set_first(buffer: Any) -> bool:
    """Whether the first operation on the buffer, in the function's own block, sets all of it."""
    entry = buffer.owner
    first = None
    touching = [op for op, _, _ in _accesses(buffer)]
    for op in entry.operations:
        if any(_within(t, op.operation) for t in touching):
            first = op.operation
            break
    return first is not None and _sets_all(first, buffer)


def _within(op: ir.Operation | None, outer: Any) -> bool:
    while op is not None:
        if op == outer:
            return True
        op = op.parent
        if op is not None and op.name == "func.func":
            return False
    return False


def _sets_all(op: ir.Operation, buffer: Any) -> bool:
    if op.name == "memref.copy":
        return op.operands[1] == buffer
    if op.name == "air.channel.get":
        return True
    if op.name.startswith("linalg."):
        place = len(op.operands) - 1
        return (
            op.operands[place] == buffer
            and not _reads_output(op, place)
            and all(o != buffer for o in list(op.operands)[:place])
        )
    if op.name == "func.call":
        calls = [next(_call(op, use.operand_number)) for use in buffer.uses if use.owner == op]
        return bool(calls) and all(writes and not reads for _, reads, writes in calls)
    if op.name == "affine.for":
        return _nest_sets_all(op, buffer)
    return False


def _covers(buffer: Any) -> bool:
    """Whether a program that only writes a buffer surely writes all of it."""
    return any(_sets_all(op.operation, buffer) for op in buffer.owner.operations)


def _nest_sets_all(loop: Any, buffer: Any) -> bool:
    """Whether a loop nest stores to every element, each before anything reads it: one store at the loops' own variables."""
    from allo_air.mlir import affine

    ranges: dict[Any, int] = {}
    op = loop
    while True:
        view = op.opview
        if not isinstance(view, affine.AffineForOp) or not _constant_from_zero(op):
            return False
        block = op.regions[0].blocks[0]
        ranges[block.arguments[0]] = _trip(op)
        inner = [o.operation for o in block.operations]
        nested = [o for o in inner if o.name == "affine.for"]
        for store in inner:
            if store.name == "affine.store" and store.operands[1] == buffer and _stores_everywhere(store, buffer, ranges):
                before = inner[: inner.index(store)]
                return not any(_within(t, b) for t, r, _ in _accesses(buffer) if r for b in before)
        if len(nested) != 1:
            return False
        op = nested[0]


def _constant_from_zero(op: ir.Operation) -> bool:
    text = str(op.attributes["lowerBoundMap"])
    return text == "affine_map<() -> (0)>" and str(op.attributes["step"]).startswith("1 ") and _trip(op) > 0


def _trip(op: ir.Operation) -> int:
    import re

    found = re.fullmatch(r"affine_map<\(\) -> \((\d+)\)>", str(op.attributes["upperBoundMap"]))
    return int(found[1]) if found else -1


def _stores_everywhere(store: Any, buffer: Any, ranges: dict[Any, int]) -> bool:
    shape = ir.MemRefType(buffer.type).shape
    operands = list(store.operands)[2:]
    if str(store.attributes["map"]) != str(ir.AffineMapAttr.get(ir.AffineMap.get_identity(len(shape)))):
        return False
    used = [next((n for v, n in ranges.items() if v == o), None) for o in operands]
    return used == list(shape) and len(set(map(str, operands))) == len(operands)


def constant_trip(op: ir.Operation) -> int | None:
    """How often an affine.for runs its body, where its bounds are constants."""
    import re

    bounds = [
        re.fullmatch(r"affine_map<\(\) -> \((-?\d+)\)>", str(op.attributes[f"{end}BoundMap"])) for end in ("lower", "upper")
    ]
    if bounds[0] is None or bounds[1] is None:
        return None
    step = int(str(op.attributes["step"]).split(" ")[0])
    return max(0, -(-(int(bounds[1][1]) - int(bounds[0][1])) // step))
