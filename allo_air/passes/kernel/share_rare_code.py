"""share-rare-code."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from allo_air.core.branch_hints import RARELY
from allo_air.core.cloning import clone
from allo_air.core.dedup import change_equal
from allo_air.core.functions import call_function, declare_function
from allo_air.core.pass_ import Pass
from allo_air.core.walking import defining_op, is_inside, walk_named, walk_pre_order
from allo_air.mlir import AnyOp, func, ir
from allo_air.passes._analysis.alias import VIEWS

_CONSTANTS = ("arith.constant", "ub.poison")
_LOGIC = ("arith.andi", "arith.ori", "arith.xori")
_SMALL = 16
"""Operations that are fewer than this stay where they are: a call takes several instructions, too."""
_ALIGNMENT = 32
"""Bytes: the alignment of the buffers of a core."""


@dataclass(frozen=True)
class ShareRareCode(Pass):
    """Makes one function of branches of a core that are equal, if their condition is marked as rarely true.

    A loop that alternates between two buffers has its body twice. Branches that access neither of the two are equal then. The
    function takes the buffers and scalars that the branch uses from outside. Its name is a hash of its code, so that equal
    functions of several cores and devices are one.

    Before:

        %far = arith.cmpf ugt, %x, %bound {allo.rarely} : f32
        scf.if %far { /* code of %buf, %i */ }
        ...
        scf.if %far_1 { /* the same code of %buf, %i_1 */ }

    After:

        func.func private @rare_5f0c(%arg0: memref<256xf32, 2>, %arg1: index) attributes {no_inline} { /* code */ }
        ...
        scf.if %far { func.call @rare_5f0c(%buf, %i) }
        ...
        scf.if %far_1 { func.call @rare_5f0c(%buf, %i_1) }
    """

    name = "share-rare-code"
    works_on = ("aie.core",)

    def run(self, op: AnyOp, /) -> None:
        for device in walk_named(op, "aie.device"):
            change_equal(walk_named(device, "aie.core"), _shared)


def _shared(core: AnyOp) -> bool:
    """Moves the equal rare branches of `core` into functions of its device; returns whether there are any."""
    branches = [op for op in walk_named(core, "scf.if") if _is_rare(op) and not len(op.results)]
    branches = [op for op in branches if not any(op != other and is_inside(op, other) for other in branches)]
    bodies = [body for op in branches if (body := _Body.of(op)) is not None]
    groups = defaultdict[str, list[_Body]](list)
    for body in bodies:
        groups[body.text].append(body)
    shared = [group for group in groups.values() if len(group) > 1]
    for group in shared:
        name = f"rare_{sha256(group[0].text.encode()).hexdigest()[:12]}"
        _define(name, group[0], core)
        for body in group:
            body.call(name)
    for body in bodies:
        body.function.erase()
    return bool(shared)


def _is_rare(branch: ir.Operation) -> bool:
    """Whether the condition of `branch` is true only if a condition that is marked as rare, or one on counters, is."""
    todo, is_marked = [branch.operands[0]], False
    while todo:
        owner = defining_op(todo.pop())
        if owner is not None and owner.name in _LOGIC:
            todo += owner.operands
        is_marked = is_marked or (owner is not None and RARELY in owner.attributes)
    return is_marked


def _define(name: str, body: _Body, core: AnyOp) -> None:
    """Puts the function of `body` into the device of `core` as `name`, unless it is there."""
    device = core.operation.parent
    operations = device.regions[0].blocks[0].operations
    if any("sym_name" in o.operation.attributes and o.operation.attributes["sym_name"].value == name for o in operations):
        return
    function = body.function.clone(ip=ir.InsertionPoint(core))
    function.operation.attributes["sym_name"] = ir.StringAttr.get(name)


@dataclass(frozen=True)
class _Body:
    """The code of `branch` as a detached function of the values `arguments`; `text` is equal for equal code."""

    branch: Any
    function: Any
    arguments: list[ir.Value]
    text: str

    @staticmethod
    def of(branch: ir.Operation) -> _Body | None:
        """The body of the branch without an alternative; None if it is small, or uses or does what a function cannot."""
        code = list(branch.regions[0].blocks[0].operations)[:-1]
        ops = [o for op in code for o in walk_pre_order(op)]
        alternative = [op for block in branch.regions[1].blocks for op in block.operations][:-1]
        if len(ops) < _SMALL or alternative or any(o.name.startswith(("aie", "func.")) for o in ops):
            return None
        outside = _Outside(branch)
        if not all(outside.takes(v) for o in ops for v in o.operands):
            return None
        arguments = list(outside.arguments)
        with branch.context, branch.location:
            types = [v.type for v in arguments]
            aligned = ir.DictAttr.get({"llvm.align": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _ALIGNMENT)})
            attributes = {
                "no_inline": ir.UnitAttr.get(),
                "arg_attrs": ir.ArrayAttr.get(
                    [aligned if isinstance(t, ir.MemRefType) else ir.DictAttr.get({}) for t in types]
                ),
            }
            function = declare_function("rare", ir.FunctionType.get(types, []), attributes, ip=False)
            block = function.regions[0].blocks.append(*types)
            values: dict[ir.Value, ir.Value] = dict(zip(arguments, block.arguments, strict=True))
            with ir.InsertionPoint(block):
                for op in (*outside.repeated, *code):
                    clone(op.operation, values)
                func.ReturnOp([])
        return _Body(branch, function, arguments, str(function))

    def call(self, name: str) -> None:
        """Replaces the code by a call of the function."""
        *code, end = [o.operation for o in self.branch.regions[0].blocks[0].operations]
        for op in reversed(code):
            op.erase()
        with self.branch.location:
            call_function(name, [], self.arguments, ir.InsertionPoint(end))


def _is_constant(op: ir.Operation) -> bool:
    """Whether `op` is a constant, or arithmetic on constants."""
    if op.name in _CONSTANTS:
        return True
    owners = [defining_op(v) for v in op.operands]
    return op.name.startswith(("arith.", "vector.")) and all(owner is not None and _is_constant(owner) for owner in owners)


class _Outside:
    """The values from outside that `branch` uses: `arguments`, and results of `repeated`, computations of constants, and
    views."""

    def __init__(self, branch: ir.Operation):
        self._branch = branch
        self.arguments: dict[ir.Value, None] = {}
        self.repeated: dict[AnyOp, None] = {}

    def takes(self, value: ir.Value) -> bool:
        """Adds `value` if it is from outside. Returns False for one that a function cannot take or compute."""
        owner = defining_op(value)
        inside = is_inside(owner if owner is not None else value.owner.owner.operation, self._branch)
        if inside or value in self.arguments or owner in self.repeated:
            return True
        if owner is not None and (owner.name in VIEWS or _is_constant(owner)):
            if not all(self.takes(v) for v in owner.operands):
                return False
            self.repeated[owner] = None
            return True
        scalar = isinstance(value.type, (ir.IndexType, ir.IntegerType, ir.FloatType))
        if not scalar and not (owner is not None and owner.name == "aie.buffer"):
            return False
        self.arguments[value] = None
        return True
