"""Computes the number of lanes of a linalg.generic's vectors, or the reason why it cannot be vectorized."""

from __future__ import annotations

from collections.abc import Callable

from allo_air.core.constants import constant_of
from allo_air.core.walking import defining_op
from allo_air.mlir import ir
from allo_air.passes._analysis.element_types import bit_width, element_of
from allo_air.passes._analysis.loop_nest import LoopNest, NotALoopNest

_FLOAT = ("addf", "subf", "mulf", "divf", "negf", "maximumf", "minimumf", "maxnumf", "minnumf", "cmpf", "select")
_TAKEN = {
    "f32": (*_FLOAT, "truncf", "bitcast", "fptosi", "fptoui"),
    "bf16": (*_FLOAT, "extf", "fptosi", "fptoui"),
    "i32": ("addi", "subi", "maxsi", "minsi", "cmpi", "select", "trunci", "bitcast", "sitofp", "shrsi"),
    "i16": ("addi", "maxsi", "minsi", "cmpi", "select", "extsi", "sitofp"),
    "i8": ("addi", "maxsi", "minsi", "extsi", "sitofp", "uitofp", "andi", "trunci"),
    "i1": ("andi", "ori", "xori", "select", "extui", "uitofp"),
    "index": ("index_cast", "addi", "subi", "cmpi", "maxsi", "minsi", "select"),
}
"""Operations of arith that have a vector form for such operands, or get one in legalize-arithmetic."""

FILLED = 16
"""Lanes of vectors that are filled element by element."""
_CALLS = ("arith.addf", "arith.subf", "arith.mulf", "arith.divf")

_ORDERED = ("maximumf", "minimumf", "maxnumf", "cmpf", "select")
_UNSIGNED = range(6, 10)
_OF_ANY_LENGTH = ("arith.extsi", "arith.sitofp", "arith.uitofp", "arith.andi", "arith.trunci")
"""Operations on short integers whose vectors may have as many lanes as vectors of wider types in the same loop."""

_RESULTS = {
    "arith.index_cast": ("i32",),
    "arith.fptosi": ("i8", "i16"),
    "arith.fptoui": ("i8",),
    "arith.extsi": ("i32",),
    "arith.extui": ("i32", "i8"),
    "arith.uitofp": ("f32", "bf16"),
    "arith.trunci": ("i16", "i8", "i1"),
}
"""Types to which operations may convert, if not to all."""


def lanes_of_loop_nest(loop_nest: LoopNest, has_form: Callable[[ir.Operation], bool]) -> int:
    """The lanes of the body's vectors; raises NotALoopNest for a body without a vector form. `has_form` says which functions of
    the math dialect have one.
    """
    elements = {element_of(v.type) for op in loop_nest.body for v in (*op.operands, *op.results)} - {"index", "i1"}
    elements |= {str(o.element) for o in loop_nest.operands}
    unknown = elements - set(_TAKEN)
    if unknown:
        raise NotALoopNest(f"there are no vectors of {min(unknown)}")
    if not loop_nest.body:
        if elements == {"index"}:
            raise NotALoopNest("there are no vectors of index")
        return 512 // max(bit_width(e) for e in elements)
    names = {op.name.removeprefix("arith.") for op in loop_nest.body} - {"arith.constant", "constant"}
    lanes = 16
    if elements == {"i8"}:
        lanes = 64
    elif elements == {"i16"} or (elements == {"bf16"} and names <= set(_ORDERED)):
        lanes = 32
    for op in loop_nest.body:
        _check(op, lanes, has_form)
    return lanes


def calls_library(loop_nest: LoopNest) -> bool:
    """Whether the body on scalars calls the run-time library: cores have no floating-point arithmetic but that of vectors."""
    return any(op.name in _CALLS or op.name.startswith("math.") for op in loop_nest.body)


def _check(op: ir.Operation, lanes: int, has_form: Callable[[ir.Operation], bool]) -> None:
    if not len(op.operands):
        return
    if op.name.startswith("math."):
        if not has_form(op):
            raise NotALoopNest(f"'{op.name}' has no vector form")
        return
    source = element_of((op.operands[1] if op.name == "arith.select" else op.operands[0]).type)
    if not op.name.startswith("arith.") or op.name.removeprefix("arith.") not in _TAKEN.get(source, ()):
        raise NotALoopNest(f"'{op.name}' of {source} has no vector form")
    if op.name == "arith.cmpi" and op.attributes["predicate"].value in _UNSIGNED and not all(map(_is_count, op.operands)):
        raise NotALoopNest("unsigned comparisons have no vector form")
    if lanes != {"i16": 32, "i8": 64}.get(source, lanes) and op.name not in _OF_ANY_LENGTH:
        raise NotALoopNest(f"'{op.name}' of {source} has no vector form of {lanes} lanes, which the other types need")
    result = element_of(op.results[0].type)
    if {source, result} == {"i1", "i8"} and lanes != FILLED:
        raise NotALoopNest(f"'{op.name}' of {source} to {result} has a vector form of {FILLED} lanes only")
    if op.name in _RESULTS and result not in _RESULTS[op.name]:
        raise NotALoopNest(f"'{op.name}' to {result} has no vector form")
    if op.name == "arith.shrsi" and constant_of(op.operands[1]) not in range(32):
        raise NotALoopNest("a vector can only be shifted by a constant")


def _is_count(value: ir.Value) -> bool:
    """Whether `value` is a loop variable, or a non-negative constant."""
    owner = defining_op(value)
    if owner is None:
        return False
    number = constant_of(value)
    return owner.name == "linalg.index" or (number is not None and number >= 0)
