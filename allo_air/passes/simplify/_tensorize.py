"""Converts a function of linalg on buffers to one of linalg on tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.constants import constant_of
from allo_air.core.loops import Loop
from allo_air.core.names import callee_of, is_private, set_function_type, sym_name_of
from allo_air.core.walking import root_of as module_of
from allo_air.core.walking import walk_named, walk_pre_order
from allo_air.dialects.memrefs import memory_space
from allo_air.mlir import AnyOp, arith, func, ir, tensor
from allo_air.passes._analysis.kernels import called
from allo_air.passes._analysis.structured import first_output, indexing_maps, is_structured, reductions
from allo_air.passes._ir.generic import generic
from allo_air.passes._ir.tensors import empty
from allo_air.passes.simplify._not_raised import NotRaised
from allo_air.passes.simplify._raise_nests import raise_nests
from allo_air.passes.simplify._scalars import constant

_MEMREFS = (ir.MemRefType, ir.UnrankedMemRefType)
_OF_THE_WHOLE = ("linalg.softmax",)
"""Operations without indexing maps that overwrite their last operand."""
_STATE = "a buffer that keeps its value from call to call"
_MOST_TRIPS = 64
"""Largest number of iterations of a loop around whole tensors."""


@dataclass(frozen=True)
class _View:
    """A buffer that is a part or another shape of buffer `source`: `get` computes its tensor from that of the source, and
    `put` the source's from a new value and the old whole. `box` has the offsets and sizes of a part.
    """

    source: Any
    get: Callable[[Any], Any]
    put: Callable[[Any, Callable[[], Any]], Any]
    box: tuple[tuple[int, int], ...] | None = None


@dataclass
class _Tensors:
    """For a point of the program: the tensor in each buffer, and the value that replaces each value of the old function."""

    values: dict[Any, Any] = field(default_factory=dict)
    views: dict[Any, _View] = field(default_factory=dict)
    written: list[Any] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    """The functions that are being inlined."""
    states: list[Any] = field(default_factory=list)
    """Globals that are not constant."""

    def read(self, buffer: ir.Value) -> Any:
        """The tensor in `buffer`."""
        if buffer in self.views:
            view = self.views[buffer]
            return view.get(self.read(view.source))
        if buffer not in self.values:
            raise NotRaised(f"a buffer of {buffer.owner.name}")
        return self.values[buffer]

    def write(self, buffer: ir.Value, value: ir.Value) -> None:
        """Makes `value` the tensor in `buffer`; for a part, inserts it into the whole."""
        if buffer in self.views:
            view = self.views[buffer]
            self.write(view.source, view.put(value, lambda: self.read(view.source)))
            return
        if buffer in self.states:
            raise NotRaised(_STATE)
        self.values[buffer] = value
        if buffer not in self.written:
            self.written.append(buffer)

    def current(self, value: ir.Value) -> Any:
        """The value that replaces `value`; for a buffer, its tensor."""
        return self.read(value) if isinstance(value.type, _MEMREFS) else self.values.get(value, value)

    def root(self, buffer: ir.Value) -> Any:
        """The buffer of which `buffer` is a view."""
        while buffer in self.views:
            buffer = self.views[buffer].source
        return buffer


def tensorize(function: AnyOp) -> tuple[Any, list[int]]:
    """The function on tensors, before `function`, and the numbers of the parameters that it changes, which are further
    results. Raises NotRaised, and then leaves nothing behind.
    """
    [block] = function.regions[0].blocks
    name = sym_name_of(function)
    if not all(isinstance(a.type, ir.MemRefType | ir.RankedTensorType) for a in block.arguments):
        raise NotRaised("a parameter that is a number")
    kinds = [_tensor(a.type) for a in block.arguments]
    with ir.InsertionPoint(function), function.location:
        op = func.FuncOp(f"{name}_on_tensors", ir.FunctionType.get(kinds, []))
        entry = op.add_entry_block([a.location for a in block.arguments])
    values = _Tensors(dict(zip(block.arguments, entry.arguments, strict=True)))
    try:
        with ir.InsertionPoint(entry):
            results = [values.current(v) for v in _block(block, values)]
            changed = [n for n, a in enumerate(block.arguments) if a in values.written]
            with function.location:
                func.ReturnOp([*results, *(values.values[block.arguments[n]] for n in changed)])
    except NotRaised:
        op.erase()
        raise
    set_function_type(op)
    return op, changed


def _tensor(kind: ir.Type) -> Any:
    if isinstance(kind, ir.RankedTensorType):
        return kind
    if not isinstance(kind, ir.MemRefType) or not kind.has_static_shape:
        raise NotRaised(f"a buffer of type {kind}")
    if memory_space(kind) != 0:
        raise NotRaised(f"a buffer in memory space {kind.memory_space}")
    return ir.RankedTensorType.get(kind.shape, kind.element_type)


def _block(block: ir.Block, values: _Tensors) -> list[Any]:
    """Emits the operations of a block on tensors; returns the operands of its terminator, which are values of the block."""
    *body, last = [o.operation for o in block.operations]
    for op in body:
        with op.location:
            _operation(op, values)
    return list(last.operands)


def _operation(op: ir.Operation, values: _Tensors) -> None:
    """Emits an operation on tensors."""
    if op.name in _RULES:
        _RULES[op.name](op, values)
    elif op.name in _VIEWS:
        _tensor(op.results[0].type)
        values.views[op.results[0]] = _VIEWS[op.name](op, values)
    elif op.name.startswith("linalg.") and any(isinstance(v.type, _MEMREFS) for v in op.operands):
        _structured(op, values)
    elif _is_free(op):
        clone(op, values.values)
    else:
        raise NotRaised(f"{op.name}")


def _is_free(op: ir.Operation) -> bool:
    """Whether an operation, and those in its regions, access no buffer."""
    return all(
        not any(isinstance(v.type, _MEMREFS) for v in (*o.operands, *o.results)) and o.name not in ("func.call", "cf.assert")
        for o in walk_pre_order(op)
    )


def _alloc(op: ir.Operation, values: _Tensors) -> None:
    values.values[op.results[0]] = empty(_tensor(op.results[0].type))


def _alloca(op: ir.Operation, values: _Tensors) -> None:
    if list(op.results[0].uses):
        _alloc(op, values)


def _global(op: ir.Operation, values: _Tensors) -> None:
    name = op.attributes["name"].value
    for global_ in walk_named(module_of(op), "memref.global"):
        number = global_.attributes.get("initial_value")
        if sym_name_of(global_) != name or number is None or isinstance(number, ir.UnitAttr):
            continue
        if "constant" not in global_.attributes:
            values.states.append(op.results[0])
            if not is_private(global_):
                break
        values.values[op.results[0]] = arith.constant(_tensor(op.results[0].type), number)
        return
    raise NotRaised(_STATE)


def _copy(op: ir.Operation, values: _Tensors) -> None:
    values.write(op.operands[1], values.read(op.operands[0]))


def _load(op: ir.Operation, values: _Tensors) -> None:
    values.values[op.results[0]] = _extract(op, values)


def _extract(op: ir.Operation, values: _Tensors) -> Any:
    return tensor.ExtractOp(values.read(op.operands[0]), [values.current(v) for v in list(op.operands)[1:]]).result


def _store(op: ir.Operation, values: _Tensors) -> None:
    stored, buffer, *places = op.operands
    places = [values.current(v) for v in places]
    values.write(buffer, tensor.InsertOp(values.current(stored), values.read(buffer), places).result)


def _to_tensor(op: ir.Operation, values: _Tensors) -> None:
    values.values[op.results[0]] = values.read(op.operands[0])


def _to_buffer(op: ir.Operation, values: _Tensors) -> None:
    values.values[op.results[0]] = values.current(op.operands[0])


def _materialize(op: ir.Operation, values: _Tensors) -> None:
    if not isinstance(op.operands[1].type, _MEMREFS):
        clone(op, values.values)
        return
    values.write(op.operands[1], values.current(op.operands[0]))


def _dim(op: ir.Operation, values: _Tensors) -> None:
    values.values[op.results[0]] = tensor.DimOp(values.read(op.operands[0]), values.current(op.operands[1])).result


def _nothing(op: ir.Operation, values: _Tensors) -> None:
    """An operation without an effect on tensors."""


def _call(op: ir.Operation, values: _Tensors) -> None:
    """Inlines a call, if it has buffers; calls on tensors stay."""
    function, name = called(op), callee_of(op)
    if not any(isinstance(v.type, _MEMREFS) for v in (*op.operands, *op.results)):
        clone(op, values.values)
        return
    if function is None or len(function.regions[0].blocks) != 1:
        raise NotRaised(f"a call of @{name}, which has no body here")
    if name in values.calls:
        raise NotRaised(f"a call of @{name}, which calls itself")
    copy = function.clone(ip=ir.InsertionPoint(function)).operation
    try:
        raise_nests(copy)
        [block] = copy.regions[0].blocks
        for argument, operand in zip(block.arguments, op.operands, strict=True):
            _same(argument, operand, values)
        values.calls.append(name)
        for result, returned in zip(op.results, _block(block, values), strict=True):
            _same(result, returned, values)
        values.calls.pop()
    finally:
        copy.erase()


def _same(value: ir.Value, other: ir.Value, values: _Tensors) -> None:
    """Makes `value` another name of `other`."""
    if isinstance(value.type, _MEMREFS):
        values.views[value] = _View(other, _itself, lambda new, _: new)
    else:
        values.values[value] = values.current(other)


def _itself(value: ir.Value) -> Any:
    return value


def _for(op: ir.Operation, values: _Tensors) -> None:
    """Unrolls a loop around operations on whole buffers. Loops that take a part or an element of a buffer in each iteration
    are tile loops, which stay.
    """
    if _is_free(op):
        clone(op, values.values)
        return
    [dims] = Loop(op).dims(lambda v: constant_of(values.current(v))) or [None]
    if dims is None or dims.trips > _MOST_TRIPS:
        raise NotRaised("a loop of many or an unknown number of iterations")
    if _selects(op):
        raise NotRaised("a loop whose iterations access different parts of a buffer")
    loop = Loop(op)
    carried = list(loop.inits)
    for value in dims.values:
        values.values[loop.ivs[0]] = constant(value, dims.iv.type)
        state = [values.current(v) for v in carried] if not any(isinstance(v.type, _MEMREFS) for v in carried) else None
        if state is None:
            raise NotRaised("a loop that carries buffers")
        values.values.update(zip(loop.iter_args, state, strict=True))
        carried = _block(loop.block, values)
    for result, last in zip(op.results, carried, strict=True):
        values.values[result] = values.current(last)


def _if(op: ir.Operation, values: _Tensors) -> None:
    """Computes both branches, and chooses the contents of buffers and the results by the condition."""
    if _is_free(op):
        clone(op, values.values)
        return
    condition, before = values.current(op.operands[0]), dict(values.values)
    branches, yielded = list[dict[Any, Any]](), list[list[Any]]()
    for region in op.regions:
        values.values = dict(before)
        yielded.append([values.current(v) for b in region.blocks for v in _block(b, values)])
        branches.append(values.values)
    values.values = before
    for buffer in before:
        then, otherwise = branches[0][buffer], branches[1][buffer]
        if then != otherwise:
            values.values[buffer] = _chosen(condition, then, otherwise)
    for result, then, otherwise in zip(op.results, *yielded, strict=True):
        if isinstance(result.type, _MEMREFS):
            raise NotRaised("a condition that chooses a buffer")
        values.values[result] = _chosen(condition, then, otherwise)


def _chosen(condition: ir.Value, then: ir.Value, otherwise: ir.Value) -> Any:
    """`then` where `condition`, a number, holds, otherwise `otherwise`."""
    if isinstance(then.type, ir.RankedTensorType):
        condition = tensor.SplatOp(ir.RankedTensorType.get(then.type.shape, condition.type), condition, []).result
    return arith.select(condition, then, otherwise)


def _selects(op: ir.Operation) -> bool:
    """Whether the loop variable of `op`, or what is computed from it, selects elements or parts of buffers."""
    dependent: set[Any] = set(Loop(op).ivs)
    for inner in walk_pre_order(op)[1:]:
        if any(v in dependent for v in inner.operands):
            if any(isinstance(v.type, _MEMREFS) for v in inner.operands) and not inner.name.startswith("linalg."):
                return True
            dependent.update(inner.results)
    return False


def _subview(op: ir.Operation, values: _Tensors) -> _View:
    """A part with static sizes and strides; offsets may be computed."""
    view = op.opview
    offsets, sizes, strides = (list(op.attributes[f"static_{n}"]) for n in ("offsets", "sizes", "strides"))
    if len(view.sizes) or len(view.strides):
        raise NotRaised("a part of dynamic size")
    places = [values.current(v) for v in view.offsets]
    kind = _tensor(op.results[0].type)
    box = None if places else tuple((o, o + (n - 1) * s + 1) for o, n, s in zip(offsets, sizes, strides, strict=True))

    def get(whole: ir.Value) -> Any:
        return tensor.ExtractSliceOp(kind, whole, places, [], [], offsets, sizes, strides).result

    def put(value: ir.Value, whole: Callable[[], Any]) -> Any:
        return tensor.InsertSliceOp(value, whole(), places, [], [], offsets, sizes, strides).result

    return _View(op.operands[0], get, put, box)


def _cast(op: ir.Operation, values: _Tensors) -> _View:
    if _tensor(op.operands[0].type) != _tensor(op.results[0].type):
        raise NotRaised("a cast to another shape")
    return _View(op.operands[0], _itself, lambda new, _: new)


def _collapse(op: ir.Operation, values: _Tensors) -> _View:
    source, kind, groups = _tensor(op.operands[0].type), _tensor(op.results[0].type), op.attributes["reassociation"]
    return _View(op.operands[0], lambda t: _collapsed(t, kind, groups), lambda t, _: _expanded(t, source, groups))


def _expand(op: ir.Operation, values: _Tensors) -> _View:
    source, kind, groups = _tensor(op.operands[0].type), _tensor(op.results[0].type), op.attributes["reassociation"]
    return _View(op.operands[0], lambda t: _expanded(t, kind, groups), lambda t, _: _collapsed(t, source, groups))


def _reshape(op: ir.Operation, values: _Tensors) -> _View:
    source, kind = _tensor(op.operands[0].type), _tensor(op.results[0].type)
    return _View(op.operands[0], lambda t: _reshaped(t, kind), lambda t, _: _reshaped(t, source))


def _transpose(op: ir.Operation, values: _Tensors) -> _View:
    map_ = op.attributes["permutation"].value
    order = [ir.AffineDimExpr(e).position for e in map_.results]
    back = [order.index(n) for n in range(len(order))]
    return _View(op.operands[0], lambda t: _permuted(t, order), lambda t, _: _permuted(t, back))


def _permuted(value: ir.Value, order: Sequence[int]) -> Any:
    kind = ir.RankedTensorType.get([value.type.shape[n] for n in order], value.type.element_type)
    loops = len(order)
    maps = [ir.AffineMap.get_permutation(sorted(range(loops), key=lambda n: order[n])), ir.AffineMap.get_identity(loops)]
    return generic([value], [empty(kind)], maps, ["parallel"] * loops, lambda values: [values[0]]).results[0]


def _reinterpret(op: ir.Operation, values: _Tensors) -> _View:
    """Consecutive elements of a buffer in another shape."""
    source, kind = op.operands[0], _tensor(op.results[0].type)
    [offset], sizes, strides = (list(op.attributes[f"static_{n}"]) for n in ("offsets", "sizes", "strides"))
    whole = _tensor(source.type)
    is_plain = source.type.layout == ir.MemRefType.get(source.type.shape, source.type.element_type).layout
    rows = [prod(sizes[n + 1 :]) for n in range(len(sizes))]
    if len(op.operands) > 1 or not is_plain or strides != rows or offset + prod(sizes) > prod(whole.shape):
        raise NotRaised("a cast to another layout")
    part = ir.RankedTensorType.get([prod(sizes)], kind.element_type)
    flat = ir.RankedTensorType.get([prod(whole.shape)], kind.element_type)
    bounds: Any = [offset], [prod(sizes)], [1]

    def get(value: ir.Value) -> Any:
        return _reshaped(tensor.ExtractSliceOp(part, _reshaped(value, flat), [], [], [], *bounds).result, kind)

    def put(value: ir.Value, old: Callable[[], Any]) -> Any:
        joined = tensor.InsertSliceOp(_reshaped(value, part), _reshaped(old(), flat), [], [], [], *bounds).result
        return _reshaped(joined, whole)

    return _View(source, get, put)


def _reshaped(value: ir.Value, kind: ir.ShapedType) -> Any:
    """A tensor in another shape, through one dimension."""
    source = ir.RankedTensorType(value.type)
    if source.rank != 1:
        flat = ir.RankedTensorType.get([prod(source.shape)], source.element_type)
        value = _collapsed(value, flat, _reassociation(source.rank))
    return value if kind.rank == 1 else _expanded(value, kind, _reassociation(kind.rank))


def _collapsed(value: ir.Value, kind: ir.Type, groups: ir.Attribute) -> Any:
    return tensor.CollapseShapeOp(kind, value, groups).result


def _expanded(value: ir.Value, kind: ir.ShapedType, groups: ir.Attribute) -> Any:
    return tensor.ExpandShapeOp(kind, value, groups, [], list(kind.shape)).result


def _reassociation(rank: int) -> Any:
    i64 = ir.IntegerType.get_signless(64)
    dims = [ir.ArrayAttr.get([ir.IntegerAttr.get(i64, n) for n in range(rank)])] if rank else []
    return ir.ArrayAttr.get(dims)


def _structured(op: ir.Operation, values: _Tensors) -> None:
    """A linalg operation on tensors; its results are written to the buffers of its destinations."""
    if not is_structured(op) and op.name not in _OF_THE_WHOLE:
        raise NotRaised(op.name)
    first = first_output(op) if is_structured(op) else len(op.operands) - 1
    _check_in_place(op, first, values)
    targets = list(op.operands)[first:]
    operands = [
        empty(_tensor(v.type)) if n >= first and _overwrites(op, n) else values.current(v) for n, v in enumerate(op.operands)
    ]
    attributes = {name: op.attributes[name] for name in op.attributes}
    kinds = [o.type for o in operands[first:]]
    new = ir.Operation.create(op.name, results=kinds, operands=operands, attributes=attributes, regions=len(op.regions))
    copy = op.clone().operation
    for old, region in zip(copy.regions, new.regions, strict=True):
        for block in list(old.blocks):
            block.append_to(region)
    copy.erase()
    for inner in walk_pre_order(new)[1:]:
        _captured(inner, new, values)
    for target, result in zip(targets, new.results, strict=True):
        if isinstance(target.type, _MEMREFS):
            values.write(target, result)
    if op.results:
        values.values.update(zip(op.results, new.results, strict=True))


def _captured(inner: ir.Operation, outer: ir.Operation, values: _Tensors) -> None:
    """Replaces what an operation in the body of `outer` captures from the old function."""
    if inner.name == "memref.load":
        with ir.InsertionPoint(outer), outer.location:
            source = values.read(inner.operands[0])
        with ir.InsertionPoint(inner), inner.location:
            places = [values.values.get(v, v) for v in list(inner.operands)[1:]]
            inner.results[0].replace_all_uses_with(tensor.ExtractOp(source, places).result)
        inner.erase()
        return
    if any(isinstance(v.type, _MEMREFS) for v in (*inner.operands, *inner.results)):
        raise NotRaised(f"{inner.name} in the body of {outer.name}")
    for number, operand in enumerate(inner.operands):
        if operand in values.values:
            inner.operands[number] = values.values[operand]


def _overwrites(op: ir.Operation, number: int) -> bool:
    """Whether an operation writes all elements of operand `number` and does not read them."""
    if op.name in _OF_THE_WHOLE:
        return True
    used = list(op.regions[0].blocks[0].arguments[number].uses) if op.name != "linalg.map" else []
    return not used and indexing_maps(op)[number].is_permutation and not any(reductions(op))


def _check_in_place(op: ir.Operation, first: int, values: _Tensors) -> None:
    """Raises NotRaised if the order of the operation's iterations matters, since it reads elements that it also writes."""
    operands = list(op.operands)
    maps = indexing_maps(op) if is_structured(op) else None
    loads = [(None, o.operands[0]) for o in walk_named(op, "memref.load")]
    inputs = [(n, v) for n, v in enumerate(operands[:first]) if isinstance(v.type, _MEMREFS)]
    outputs = [(n, v) for n, v in enumerate(operands) if n >= first and isinstance(v.type, _MEMREFS)]
    for n, target in outputs:
        same_buffer = [(m, v) for m, v in (*loads, *inputs, *outputs) if m != n and values.root(v) == values.root(target)]
        for m, value in same_buffer:
            if _are_apart(value, target, values):
                continue
            same = value == target and m is not None and m < first
            if not same or (maps is not None and not (maps[m] == maps[n] and maps[n].is_permutation)):  # type: ignore[index]
                raise NotRaised(f"{op.name} on a buffer whose elements it reads and writes in an order that matters")


def _are_apart(one: ir.Value, other: ir.Value, values: _Tensors) -> bool:
    """Whether two parts of one buffer have no element in common."""
    first, second = values.views.get(one), values.views.get(other)
    if first is None or second is None or first.source != second.source or first.box is None or second.box is None:
        return False
    return any(a[1] <= b[0] or b[1] <= a[0] for a, b in zip(first.box, second.box, strict=True))


_VIEWS: dict[str, Callable[[Any, _Tensors], _View]] = {
    "memref.assume_alignment": _cast,
    "memref.cast": _cast,
    "memref.collapse_shape": _collapse,
    "memref.expand_shape": _expand,
    "memref.reinterpret_cast": _reinterpret,
    "memref.reshape": _reshape,
    "memref.subview": _subview,
    "memref.transpose": _transpose,
}
_RULES: dict[str, Callable[[Any, _Tensors], None]] = {
    "bufferization.materialize_in_destination": _materialize,
    "bufferization.to_buffer": _to_buffer,
    "bufferization.to_tensor": _to_tensor,
    "func.call": _call,
    "memref.alloc": _alloc,
    "memref.alloca": _alloca,
    "memref.copy": _copy,
    "memref.dealloc": _nothing,
    "memref.dim": _dim,
    "memref.get_global": _global,
    "memref.load": _load,
    "memref.store": _store,
    "scf.for": _for,
    "scf.if": _if,
}
