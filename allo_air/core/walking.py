"""Walking operations: inwards as lists, so that the caller may rewrite while iterating, and outwards."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, overload

from allo_air.mlir import AnyOp, ir, library_path

_FUNCTIONS = (
    "accesses", "constant", "copy_constants", "dependences", "first_false", "first_indirect", "integer", "memrefs",
    "named_values", "names", "open_library", "outer", "outline", "print", "remap", "rename", "renumber", "skeleton",
    "span", "structure", "walk",
)  # fmt: skip


def _loaded() -> Any:
    """The walks in C++; None, after a warning, if they are not built or out of date."""
    try:
        from allo_air.core import _native as found
    except ImportError:
        why = "is not built"
    else:
        if all(hasattr(found, name) for name in _FUNCTIONS):
            return found if found.open_library(library_path()) else None  # other bindings have another C API
        why = f"({found.__file__}) is older than its sources"
    sys.stderr.write(f"warning: allo_air's part in C++ {why}, so all takes twice as long; `make install` builds it\n")
    return None


_native = _loaded()
_OPERATION: Any = ir.Operation
View = TypeVar("View", bound=ir.OpView)


@overload
def walk(op: AnyOp | ir.Module) -> list[ir.OpView]: ...
@overload
def walk(op: AnyOp | ir.Module, *kinds: type[View]) -> list[View]: ...
def walk(op: AnyOp | ir.Module, *kinds: type) -> list[Any]:
    """The operations of `kinds` in `op` (all, without kinds), `op` first."""
    views = [o.opview for o in _collect(op, ir.WalkOrder.PRE_ORDER)]
    return [view for view in views if not kinds or isinstance(view, kinds)]


def walk_named(op: AnyOp | ir.Module, *names: str) -> list[ir.Operation]:
    """The operations in `op` (itself first) called one of `names`, as `ir.Operation`; faster than `walk`, since it creates no
    views.
    """
    if _native is not None:
        return _native.walk(_capsule(op), names, _OPERATION._CAPICreate, False) if names else []
    name_set = frozenset(names)
    return [o for o in _collect(op, ir.WalkOrder.PRE_ORDER) if o.name in name_set]


def names_in(op: AnyOp | ir.Module) -> set[str]:
    """The names of `op` and of all operations in it."""
    if _native is not None:
        return set(_native.names(_capsule(op)))
    return {o.name for o in _collect(op, ir.WalkOrder.PRE_ORDER)}


OF_ITS_OWN: set[str] = set()
"""Attributes that identify one of several equal operations, which their dialect adds; they are ignored in comparisons."""


def own_attributes(op: AnyOp) -> dict[str, ir.Attribute]:
    """The attributes of `OF_ITS_OWN` that `op` has."""
    attributes = op.operation.attributes
    return {name: attributes[name] for name in OF_ITS_OWN if name in attributes}


def _without_own(op: AnyOp, what: Callable[[ir.Operation], object]) -> Any:
    """The result of `what` for `op` without the attributes of `OF_ITS_OWN`, which are set again afterwards."""
    own, attributes = own_attributes(op), op.operation.attributes
    for name in own:
        del attributes[name]
    result = what(op.operation)
    for name, value in own.items():
        attributes[name] = value
    return result


def structure_of(op: AnyOp) -> bytes:
    """A key that is equal for operations of one context that differ only in the values from outside that they use, and in
    locations.
    """
    if _native is not None:
        return bytes(_without_own(op, lambda o: _native.structure(_capsule(o))))
    apart = op.operation.clone(ip=False)  # in its module, the module's values would be counted first
    for name in own_attributes(apart):
        del apart.attributes[name]
    text = str(apart.get_asm(print_generic_op_form=True, use_local_scope=True, assume_verified=True))
    apart.erase()
    return text.encode()


def outline_of(op: AnyOp) -> tuple[bytes, Any] | None:
    """A key that is equal for operations of one context that differ only in values from outside, and these values, for
    `copy_as`.

    The key includes which of the values are equal, their types, the operations that define them, and all locations. None if the
    C++ implementation is not built.
    """
    return None if _native is None else _without_own(op, lambda o: _native.outline(_capsule(o)))


def outer_of(op: AnyOp) -> list[ir.Value] | None:
    """The values from outside that `op` and the operations in it use, each once, in order of use; None if the C++ part is not
    built.
    """
    return (
        None if _native is None else [o.operands[number] for o, number in _native.outer(_capsule(op), _OPERATION._CAPICreate)]
    )


def copy_as(op: AnyOp, outer: object, inner: object, ip: ir.InsertionPoint) -> ir.Operation:
    """Copies `op` to `ip`. Values of the outline `inner` replace those of `outer`."""
    copy = op.operation.clone(ip=ip).operation
    _native.remap(_capsule(copy), outer, inner)
    return copy


def skeleton_of(op: AnyOp, free: Sequence[str]) -> tuple[bytes, list[tuple[int, int, int]]] | None:
    """A key that is equal for operations of one context that differ only in integer constants, which operations called `free`
    use.

    Also returns these integers in a fixed order: the operation's position in pre-order, the operand's number, and a word that
    is equal for equal numbers of a type. None if the C++ implementation is not built.
    """
    if _native is None:
        return None
    words, numbers = _native.skeleton(_capsule(op), tuple(free))
    result = memoryview(numbers).cast("Q").tolist()
    return words, list(zip(result[::3], result[1::3], result[2::3], strict=True))


def dependences_of(root: AnyOp, names: Sequence[str], ignored: Sequence[str]) -> bytes | None:
    """A value that is equal for two `root` in one context if the operations called `names` and their dependences are alike.

    Compared are: their positions; the users of their first results; whether other results and arguments of their bodies are
    used; the origins of their operands except indices; and the yielded values. Attributes in `ignored` are ignored. None if
    the C++ part is not built.
    """
    return None if _native is None else bytes(_native.dependences(_capsule(root), tuple(names), tuple(ignored)))


def accesses_of(root: AnyOp, names: Sequence[str], through: Sequence[str], ignored: Sequence[str]) -> list[bytes] | None:
    """For each operation called `names` in `root`, in pre-order, a value that is equal within a context for alike operands.

    Operands are alike if they are equal constants, or results of operations called one of `through` with alike operands; for
    other operands, it matters which of them are the same value. Attributes in `ignored` are ignored. None if the C++ part is
    not built.
    """
    if _native is None:
        return None
    accesses: list[bytes] = _native.accesses(_capsule(root), tuple(names), tuple(through), tuple(ignored))
    return accesses


def constant_of(value: object) -> int | None:
    """The number that `arith.constant` gives the integer or index `value`; None for any other value."""
    if not isinstance(value, ir.OpResult):
        return None
    if _native is not None:
        constant = _native.constant(value._CAPIPtr)  # type: ignore[attr-defined]
        if constant is not NotImplemented:
            return constant
    owner = value.owner
    if owner.name != "arith.constant":
        return None
    attribute = owner.attributes["value"]
    return attribute.value if isinstance(attribute, ir.IntegerAttr) else None


def integer_of(op: Any, name: str) -> Any:
    """The number in the integer attribute `name` of `op`; None if there is no such attribute."""
    if _native is not None and (result := _native.integer(op.operation._CAPIPtr, name)) is not NotImplemented:
        return result
    attribute = op.attributes.get(name)
    return None if attribute is None else attribute.value


def span_of(op: Any, sizes: str, first: int, slots: int) -> tuple[int, int]:
    """The sum of the `first` entries of the attribute `sizes` of `op`, and that of the `slots` that follow."""
    if _native is not None:
        return _native.span(op.operation._CAPIPtr, sizes, first, slots)
    segments = op.attributes[sizes]  # by index: iterating over it takes three times as long
    return sum([segments[i] for i in range(first)]), sum([segments[i] for i in range(first, first + slots)])


def memrefs_in(op: AnyOp, *skipped: str) -> list[tuple[ir.Operation, int]]:
    """The memrefs that operations in `op`, except those called `skipped`, use: each once, with its first user and the
    operand's number.
    """
    if _native is not None:
        memrefs: list[tuple[ir.Operation, int]] = _native.memrefs(_capsule(op), skipped, _OPERATION._CAPICreate)
        return memrefs
    first: dict[ir.Value, tuple[ir.Operation, int]] = {}
    for inner in walk_pre_order(op):
        if inner.name in skipped:
            continue
        for place, value in enumerate(inner.operands):
            if isinstance(value.type, ir.MemRefType | ir.UnrankedMemRefType):
                first.setdefault(value, (inner, place))
    return list(first.values())


def copy_constants(op: AnyOp, names: Sequence[str]) -> list[ir.Operation]:
    """Copies operations called one of `names` that are used in `op` from its block to the start of its body; returns the
    originals.
    """
    if _native is not None:
        return list(_native.copy_constants(_capsule(op), tuple(names), _OPERATION._CAPICreate))
    block, own, ops = op.operation.block, dict[ir.Value, ir.Value](), list[ir.Operation]()
    start = ir.InsertionPoint.at_block_begin(op.regions[0].blocks[0])
    for inner in walk_post_order(op)[:-1]:
        for index, value in enumerate(inner.operands):
            constant = value.owner.operation if isinstance(value, ir.OpResult) else None
            if constant is None or constant.name not in names or constant.block != block:
                continue
            if value not in own:
                own[value] = constant.clone(ip=start).results[0]
                ops.append(constant)
            inner.operands[index] = own[value]
    return ops


def walk_pre_order(op: AnyOp | ir.Module) -> list[ir.Operation]:
    """All operations in `op` as `ir.Operation`, each before the operations that it contains; `op` is the first."""
    return _collect(op, ir.WalkOrder.PRE_ORDER)


def walk_post_order(op: AnyOp | ir.Module) -> list[ir.Operation]:
    """All operations in `op`, as `ir.Operation`, in post-order; `op` is last."""
    return _collect(op, ir.WalkOrder.POST_ORDER)


def _collect(op: AnyOp | ir.Module, order: ir.WalkOrder) -> list[ir.Operation]:
    """Collects only: an exception raised inside MLIR's walk would lose its type."""
    if _native is not None:
        return _native.walk(_capsule(op), (), _OPERATION._CAPICreate, order == ir.WalkOrder.POST_ORDER)
    ops: list[ir.Operation] = []
    go_on = ir.WalkResult.ADVANCE

    def visit(o: ir.Operation) -> ir.WalkResult:
        ops.append(o)
        return go_on

    op.operation.walk(visit, order)
    return ops


def _capsule(op: Any) -> Any:
    """The capsule of an operation, for functions in C++."""
    return op.operation._CAPIPtr


def body_of(op: AnyOp) -> list[ir.Operation]:
    """The operations directly in the first region of `op`, as `ir.Operation`."""
    return [inner.operation for block in op.regions[0].blocks for inner in block.operations]


def parents(op: AnyOp) -> Iterator[ir.Operation]:
    """The operations around `op`, as `ir.Operation`, innermost first."""
    while (op := op.parent) is not None:
        op = op.operation
        yield op


def enclosing(op: AnyOp, *names: str) -> Any:
    """The innermost operation around `op` that is called one of `names`; None if there is none."""
    return next((p for p in parents(op) if p.name in names), None)


def root_of(op: AnyOp) -> ir.Operation:
    """The outermost operation around `op`, itself if there is none: the module."""
    return [op.operation, *(parents(op) if op.operation.attached else ())][-1]


def is_inside(op: AnyOp, outer: AnyOp) -> bool:
    """Whether `op` is `outer` or is nested in it."""
    return op.operation == outer.operation or any(p == outer.operation for p in parents(op))


def ancestor_in(op: AnyOp, block: ir.Block) -> ir.Operation | Any:
    """The operation of `block` that is `op` or contains it; None if there is none."""
    return next((o for o in (op.operation, *parents(op)) if o.parent is not None and o.block == block), None)


def defining_op(value: ir.Value, *names: str) -> Any:
    """The operation that defines `value`; None for a block argument, or if its name is not one of `names`, unless empty."""
    owner = value.owner
    if isinstance(owner, ir.Block) or (names and owner.operation.name not in names):
        return None
    return owner.operation


def is_result_of(value: ir.Value, *names: str) -> bool:
    """Whether `value` is a result of an operation called one of `names`."""
    return not isinstance(value, ir.BlockArgument) and value.owner.operation.name in names


def defining_block(value: ir.Value) -> ir.Block:
    """The block that contains the definition of `value`, or whose argument it is."""
    return value.owner if isinstance(value, ir.BlockArgument) else value.owner.operation.block


def point_after(value: ir.Value) -> ir.InsertionPoint:
    """The insertion point immediately after the operation that defines `value`, or at the start of the block of an argument."""
    op = defining_op(value)
    return ir.InsertionPoint.at_block_begin(value.owner) if op is None else ir.InsertionPoint.after(op)


def is_defined_in(value: ir.Value, op: AnyOp) -> bool:
    """Whether `value` is defined inside `op`, as a result or block argument."""
    return is_inside(defining_block(value).owner, op)


def is_unused(value: ir.Value) -> bool:
    """Whether nothing uses `value`."""
    return next(iter(value.uses), None) is None


def is_used_once(value: ir.Value) -> bool:
    """Whether `value` has exactly one use."""
    return len(list(value.uses)) == 1
