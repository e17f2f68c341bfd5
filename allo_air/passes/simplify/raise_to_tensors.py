"""raise-to-tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.core.names import callee_of, function_type_of, is_private, set_function_type, sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.upstream import run_upstream
from allo_air.core.walking import walk_named, walk_pre_order
from allo_air.dialects.host_buffers import HOST_BUFFERS, BufferContents, HostBuffers, HostResult
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.kernels import is_kernel
from allo_air.passes.simplify._not_raised import NotRaised
from allo_air.passes.simplify._raise_nests import raise_nests
from allo_air.passes.simplify._tensorize import tensorize

_AFFINE = "canonicalize,raise-scf-to-affine,affine-raise-from-memref,canonicalize"
"""Passes of MLIR that make loops of scf with loads and stores affine."""


@dataclass(frozen=True)
class RaiseToTensors(Pass):
    """Rewrites functions of linalg operations and affine loop nests on memrefs as functions on tensors.

    Each buffer becomes the tensor that it contains at that point of the program: reads and writes keep their order. Updates in
    place become new tensors, parts become slices, calls with buffers are inlined, loops around whole buffers are unrolled, and
    constant globals become constants. Arguments that are read stay arguments. New contents of arguments become results, and
    `allo_air.host_buffers` says into which argument the caller stores each. Different arguments must not share memory.

    A function stays as it is if it says itself where and in which parts its buffers are computed (parallel loops, loops over
    parts, buffers in L2 or L1, AIR operations), takes a number, or contains another operation on a buffer that has no such
    form. So do kernels.

    Before:

        func.func @f(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
          linalg.matmul ins(%a, %b) outs(%c)
          linalg.exp ins(%c) outs(%b)
          return
        }

    After:

        func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
            attributes {allo_air.host_buffers = {takes = [memref<8x8xf32>, memref<8x8xf32>, memref<8x8xf32>],
              holds = [{argument = 0, view = array<i64: 8, 8>}, {argument = 1, ...}, {argument = 2, ...}],
              gives = [{into = 1, place = 3, type = tensor<8x8xf32>, ...}, {into = 2, place = 4, ...}]}} {
          %0 = linalg.matmul ins(%a, %b) outs(%c) -> tensor<8x8xf32>
          %1 = linalg.exp ins(%0) outs(%e) -> tensor<8x8xf32>
          return %1, %0 : tensor<8x8xf32>, tensor<8x8xf32>
        }
    """

    name = "raise-to-tensors"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        functions = [f for f in walk_named(op, "func.func") if f.parent == op.operation and has_buffers(f)]
        called = {callee_of(call) for call in walk_named(op, "func.call")}
        private = {sym_name_of(f) for f in functions if is_private(f)}
        is_changed = [_raise(f) for f in functions if not is_private(f) and sym_name_of(f) not in called]
        if any(is_changed):
            _drop_unused(op, private & called)


def why_not_raised(function: ir.Operation) -> str:
    """Names what in a function on memrefs has no form on tensors; "" if there is nothing."""
    try:
        _on_tensors(function)[0].erase()
    except NotRaised as error:
        return str(error)
    return ""


def _on_tensors(function: ir.Operation) -> tuple[Any, list[int]]:
    """The function on tensors, before `function`, which stays, and the numbers of the arguments that it changes."""
    with function.location:
        try:
            return _raised(function, "")
        except NotRaised:
            if not walk_named(function, "scf.for"):
                raise
            return _raised(function, _AFFINE)


def _raised(function: ir.Operation, passes: str) -> tuple[Any, list[int]]:
    """The function on tensors, after `passes` of MLIR on a copy."""
    copy = function.clone(ip=ir.InsertionPoint(function)).operation
    try:
        if passes:
            run_upstream(copy, passes)
        raise_nests(copy)
        return tensorize(copy)
    finally:
        copy.erase()


def has_buffers(function: ir.Operation) -> bool:
    """Whether a function is one block, uses memrefs, and is no kernel."""
    if len(function.regions[0].blocks) != 1 or is_kernel(function) or HOST_BUFFERS in function.attributes:
        return False
    values = [v for op in walk_pre_order(function)[1:] for v in (*op.operands, *op.results)]
    return any(isinstance(v.type, ir.MemRefType) for v in values)


def _raise(function: ir.Operation) -> bool:
    """Replaces a function by one on tensors, if there is one."""
    try:
        new, changed = _on_tensors(function)
    except NotRaised:
        return False
    takes = function_type_of(function).inputs
    for name in function.attributes:
        if name not in ("function_type", "arg_attrs", "res_attrs"):
            new.attributes[name] = function.attributes[name]
    function.erase()
    run_upstream(new, "canonicalize,cse")
    if any(isinstance(kind, ir.MemRefType) for kind in takes):
        _describe(new.operation, takes, changed)
    return True


def _describe(function: ir.Operation, takes: Sequence[ir.Type], changed: list[int]) -> None:
    """Removes the arguments that the function does not read, and records what its buffers contain."""
    [block] = function.regions[0].blocks
    holds = list[BufferContents]()
    for number in reversed(range(len(takes))):
        argument = block.arguments[number]
        if list(argument.uses) or number not in changed:
            holds.insert(0, BufferContents(number, tuple(argument.type.shape)))
        else:
            block.erase_argument(number)
    returned = [value.type for value in block.operations[-1].operands]
    into = [*[None] * (len(returned) - len(changed)), *changed]
    gives = [
        HostResult(kind, len(holds) + n, tuple(kind.shape), into=target)
        for n, (kind, target) in enumerate(zip(returned, into, strict=True))
    ]
    set_function_type(function)
    function.attributes[HOST_BUFFERS] = HostBuffers(tuple(takes), tuple(holds), tuple(gives)).attribute()


def _drop_unused(op: AnyOp, names: set[str]) -> None:
    """Erases the functions called `names` that were inlined everywhere, and private globals that became constants."""
    while unused := names - {callee_of(call) for call in walk_named(op, "func.call")}:
        for function in walk_named(op, "func.func"):
            if sym_name_of(function) in unused:
                function.erase()
        names -= unused
    loaded = {load.attributes["name"].value for load in walk_named(op, "memref.get_global")}
    for global_ in walk_named(op, "memref.global"):
        if is_private(global_) and sym_name_of(global_) not in loaded:
            global_.erase()
