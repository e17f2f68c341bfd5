"""Proves that padding affects no result: a kernel must compute each element along padded dimensions independently.

Padded dimensions have labels. A loop over such a dimension must cover all of the part, and an iteration may write only at its
own index; anything else is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from allo_air.core.names import sym_name_of
from allo_air.core.walking import ancestor_in
from allo_air.errors import counted
from allo_air.frontend.effects import constant_trip, inner_ops
from allo_air.mlir import AnyOp, PassManager, ir, linalg

Label = tuple[int, int]
"""A padded dimension: the dimension of the mapping that divides it, and its size in the program."""

_PLAIN = ("memref.dealloc", "memref.get_global", "func.return", "scf.if", "scf.for", "scf.while", "scf.yield", "scf.condition")
_AFFINE = ("affine.for", "affine.if", "affine.yield", "affine.apply", "affine.min", "affine.max")
_ACCESSES = ("affine.load", "affine.store", "memref.load", "memref.store")
_ALLOCS = ("memref.alloc", "memref.alloca")


class _Depends(Exception):
    """The reason why padding may affect results."""


def dependence(module: ir.Module, labels: Sequence[Sequence[Label | None]]) -> str:
    """Why the function `core` of `module` cannot be padded; "" if it can. `labels` are the labels of its arguments'
    dimensions.
    """
    copied = ir.Module.parse(str(module), module.context)
    PassManager.parse("builtin.module(inline,func.func(mem2reg,canonicalize,cse))").run(copied.operation)
    core = next(op for op in copied.body.operations if sym_name_of(op.operation) == "core")
    block = core.operation.regions[0].blocks[0]
    try:
        _Proof(block, labels).check()
    except _Depends as reason:
        return str(reason)
    return ""


class _Proof:
    """The labels of buffers' dimensions and of loop variables, and the checks on them."""

    def __init__(self, block: ir.Block, labels: Sequence[Sequence[Label | None]]):
        self.ops = list(_nested(block))
        self.buffers: dict[Any, list[Label | None]] = {a: list(m) for a, m in zip(block.arguments, labels, strict=True)}
        self.sizes: dict[Label, int] = {}
        for argument, marks in self.buffers.items():
            for size, label in zip(_shape(argument), marks, strict=True):
                if label is not None:
                    self.sizes[label] = size
        for op in self.ops:
            if op.name in _ALLOCS:
                self.buffers[op.results[0]] = [None] * len(_shape(op.results[0]))
        self.allocs = {op.results[0]: op for op in self.ops if op.name in _ALLOCS}
        self.variables: dict[Any, Label] = {}

    def check(self) -> None:
        """Raises _Depends if results may depend on padding."""
        for op in self.ops:
            self._effects_of(op)
        changed = True
        while changed:
            before = ([list(m) for m in self.buffers.values()], len(self.variables))
            for op in self.ops:
                self._spread(op)
            changed = before != ([list(m) for m in self.buffers.values()], len(self.variables))
        for variable, label in self.variables.items():
            self._loop(variable, label)
        for op in self.ops:
            if op.name.startswith("linalg.") and op.name not in ("linalg.yield", "linalg.index"):
                self._structured(op)
            elif op.name in _ACCESSES:
                self._access(op)
            elif op.name == "memref.copy":
                self._copy(op)

    def _effects_of(self, op: AnyOp) -> None:
        memory = any(isinstance(o.type, ir.MemRefType) for o in [*op.operands, *op.results])
        if op.name.startswith(("arith.", "math.")) and not memory:
            return
        if op.name.startswith("linalg.") or op.name in (*_PLAIN, *_AFFINE, *_ACCESSES, *_ALLOCS, "memref.copy"):
            if op.name.startswith(("scf.", "affine.for", "affine.if")) and memory:
                raise _Depends("the kernel chooses buffers by conditions")
            return
        reasons = {
            "air.channel.put": "puts to a stream",
            "air.channel.get": "gets from a stream",
            "func.call": "calls a function",
        }
        reasons["memref.subview"] = "takes parts (slices, rows) of tensors"
        raise _Depends(f"the kernel {reasons.get(op.name, f'has an operation {op.name}')}")

    def _spread(self, op: AnyOp) -> None:
        """Propagates labels from buffers to the loops that index them, and from loops to local buffers."""
        if op.name == "memref.copy":
            pairs = zip(self._marks(op.operands[0]), self._marks(op.operands[1]), strict=True)
            for d, (a, b) in enumerate(list(pairs)):
                self._mark(op.operands[0], d, b)
                self._mark(op.operands[1], d, a)
        elif op.name in _ACCESSES:
            buffer, subscripts = _subscripts(op)
            for d, variable in enumerate(subscripts):
                label = self._marks(buffer)[d]
                if variable is not None and label is not None and self.variables.setdefault(variable, label) != label:
                    raise _Depends("a loop runs over dimensions of different sizes")
                if variable is not None:
                    self._mark(buffer, d, self.variables.get(variable))
        elif op.name.startswith("linalg.") and op.name not in ("linalg.yield", "linalg.index"):
            loops = self._loops(op)
            for value, map_ in _operands(op):
                for d, expression in enumerate(map_.results):
                    if (number := _plain(expression)) is not None:
                        self._mark(value, d, loops.get(number))

    def _marks(self, value: ir.Value) -> list[Label | None]:
        return self.buffers.get(value, [None] * len(_shape(value)))

    def _mark(self, value: ir.Value, dimension: int, label: Label | None) -> None:
        if label is not None and value in self.allocs and self.buffers[value][dimension] is None:
            if _shape(value)[dimension] != self.sizes[label]:
                raise _Depends(f"a buffer of {counted(_shape(value)[dimension], 'element')} holds parts of {self.sizes[label]}")
            self.buffers[value][dimension] = label

    def _loops(self, op: AnyOp) -> dict[int, Label]:
        """The labels of a structured operation's loops."""
        labels: dict[int, Label] = {}
        for value, map_ in _operands(op):
            for label, expression in zip(self._marks(value), map_.results, strict=True):
                if label is None:
                    continue
                number = _plain(expression)
                if number is None:
                    raise _Depends("an operation reads windows along it")
                if labels.setdefault(number, label) != label:
                    raise _Depends("an operation combines dimensions of different sizes")
        return labels

    def _structured(self, op: AnyOp) -> None:
        loops = self._loops(op)
        operands = _operands(op)
        outs = int(ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"])[1])
        for _, map_ in operands[len(operands) - outs :]:
            if set(loops) - {_plain(e) for e in map_.results}:
                raise _Depends("an operation reduces along it")
        for value, map_ in operands:
            for label, expression in zip(self._marks(value), map_.results, strict=True):
                if label != loops.get(_number(expression)) or (label is None and _uses(expression, loops)):
                    raise _Depends("an operation combines it with a dimension that is not padded")
        if loops and any(inner.name == "linalg.index" for inner in inner_ops(op)):
            raise _Depends("an operation computes with indices along it")

    def _copy(self, op: AnyOp) -> None:
        if self._marks(op.operands[0]) != self._marks(op.operands[1]):
            raise _Depends("an operation copies it to or from a dimension that is not padded")

    def _access(self, op: AnyOp) -> None:
        buffer, subscripts = _subscripts(op)
        marks = self._marks(buffer)
        for label, variable in zip(marks, subscripts, strict=True):
            if label != (None if variable is None else self.variables.get(variable)):
                raise _Depends("an element is not chosen by the variable of a loop over it")
        variables = [variable for variable, label in zip(subscripts, marks, strict=True) if label is not None]
        if len(set(variables)) < len(variables):
            raise _Depends("an element is chosen by one variable twice")
        total = sum(o in self.variables for o in _indices(op))
        if total != len(variables):
            raise _Depends("an element is not chosen by the variable of a loop over it")
        if op.name.endswith(".store"):
            home = self.allocs.get(buffer)
            for variable in self.variables:
                loop = variable.owner
                if variable not in variables and _is_within(op, loop) and (home is None or not _local(home, loop)):
                    raise _Depends("a loop over it carries a value from iteration to iteration")

    def _loop(self, variable: ir.Value, label: Label) -> None:
        loop = variable.owner.owner.operation
        if loop.name != "affine.for" or len(loop.results):
            raise _Depends("a loop over it carries a value from iteration to iteration, or has bounds of the run")
        low, high = (loop.attributes[f"{end}BoundMap"].value for end in ("lower", "upper"))
        results = str(low), str(high), int(loop.attributes["step"].value)
        if results != ("() -> (0)", f"() -> ({self.sizes[label]})", 1):
            raise _Depends(f"a loop over it does not run over all of a part's {counted(self.sizes[label], 'element')}")
        for use in variable.uses:
            op = use.owner.operation
            if op.name not in _ACCESSES or use.operand_number < (2 if op.name.endswith("store") else 1):
                raise _Depends("a loop over it computes with its variable")


def _nested(block: ir.Block) -> Iterator[Any]:
    for op in block.operations:
        yield op.operation
        if not op.operation.name.startswith("linalg."):
            for region in op.operation.regions:
                for inner in region.blocks:
                    yield from _nested(inner)


def _shape(value: ir.Value) -> list[int]:
    return list(value.type.shape) if isinstance(value.type, ir.MemRefType) else []


def _operands(op: AnyOp) -> list[tuple[Any, Any]]:
    try:
        maps = linalg.get_indexing_maps(op)
    except (AttributeError, ValueError, RuntimeError):
        maps = None
    if maps is None:
        raise _Depends(f"the kernel has an operation {op.name}")
    result = zip(op.operands, (a.value for a in maps), strict=True)
    return [(value, map_) if _shape(value) else (value, ir.AffineMap.get(map_.n_dims, 0, [])) for value, map_ in result]


def _plain(expression: ir.AffineExpr) -> int | None:
    return int(expression.position) if isinstance(expression, ir.AffineDimExpr) else None


def _number(expression: ir.AffineExpr) -> int:
    result = _plain(expression)
    return -1 if result is None else result


def _uses(expression: ir.AffineExpr, loops: dict[int, Label]) -> bool:
    """Whether an expression contains a loop with a label."""
    return any(int(n) in loops for n in re.findall(r"d(\d+)", str(expression)))


def _indices(op: AnyOp) -> list[Any]:
    return list(op.operands)[2 if op.name.endswith("store") else 1 :]


def _subscripts(op: AnyOp) -> tuple[Any, list[Any]]:
    """The buffer of an access, and the subscript of each dimension; None for a subscript that is not a plain index."""
    buffer = op.operands[1 if op.name.endswith("store") else 0]
    indices = _indices(op)
    if op.name.startswith("memref."):
        return buffer, indices
    map_ = op.attributes["map"].value
    results = []
    for expression in map_.results:
        number = _plain(expression)
        results.append(None if number is None else indices[number])
    return buffer, results


def _local(home: Any, block: ir.Block) -> bool:
    """Whether an allocation is local to an iteration: allocated in the body `block`, or a scalar that is set before it is
    used.
    """
    if _is_within(home, block):
        return True
    users = [use.owner.operation for use in home.results[0].uses if use.owner.operation.name != "memref.dealloc"]
    if _shape(home.results[0]) or not all(_is_within(user, block) for user in users):
        return False
    first = _first_user_in(block, users)
    while first.name == "affine.for" and constant_trip(first):
        first = _first_user_in(first.regions[0].blocks[0], users)
    return first.name in ("memref.store", "affine.store") and first.operands[1] == home.results[0]


def _first_user_in(block: ir.Block, users: list[Any]) -> Any:
    """The first operation of a block that is, or contains, one of `users`."""
    return next(op.operation for op in block.operations if any(_is_within_op(user, op.operation) for user in users))


def _is_within_op(op: AnyOp, outer: Any) -> bool:
    return op == outer or any(_is_within(op, block) for region in outer.regions for block in region.blocks)


def _is_within(op: Any, block: ir.Block) -> bool:
    """Whether `op` is in `block`, or in an operation of it."""
    return ancestor_in(op, block) is not None
