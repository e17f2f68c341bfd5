"""How many lanes the vectors of a linalg.generic have, or why it has none."""

from __future__ import annotations

from allo_air.mlir import ir
from allo_air.passes.kernel._approximations import approximation
from allo_air.passes.kernel._chains import is_clamped
from allo_air.passes.kernel._form import element_of, width
from allo_air.passes.kernel._leaf import Leaf, NoLeaf

_FLOAT = ("addf", "subf", "mulf", "divf", "negf", "maximumf", "minimumf", "maxnumf", "minnumf", "cmpf", "select")
_TAKEN = {
    "f32": (*_FLOAT, "truncf", "bitcast"),
    "bf16": (*_FLOAT, "extf"),
    "i32": ("addi", "subi", "maxsi", "minsi", "cmpi", "select", "trunci", "bitcast", "index_cast"),
    "i16": ("addi", "maxsi", "minsi", "cmpi", "select", "extsi"),
    "i8": ("addi", "maxsi", "minsi"),
    "i1": ("andi", "ori", "xori", "select"),
    "index": ("index_cast",),
}
"""Operations of arith that have vectors of such operands, or get them by legalize-vectors."""

_ORDERED = ("maximumf", "minimumf", "maxnumf", "cmpf", "select")
_UNSIGNED = range(6, 10)


def lanes_of_leaf(leaf: Leaf, arch: str) -> int:
    """Lanes of the vectors that the body becomes; raises NoLeaf for a body that has no vector form."""
    elements = {element_of(v.type) for op in leaf.body for v in (*op.operands, *op.results)} - {"index", "i1"}
    elements |= {str(o.element) for o in leaf.operands}
    unknown = elements - set(_TAKEN)
    if unknown:
        raise NoLeaf(f"there are no vectors of {min(unknown)}")
    if not leaf.body:
        return 512 // max(width(e) for e in elements)
    if "i8" in elements and len(elements) > 1:
        raise NoLeaf("vectors of i8 go with no others")
    names = {op.name.removeprefix("arith.") for op in leaf.body} - {"arith.constant", "constant"}
    lanes = 16
    if elements == {"i8"}:
        lanes = 64
    elif elements == {"i16"} or (elements == {"bf16"} and names <= set(_ORDERED)):
        lanes = 32
    for op in leaf.body:
        _check(op, lanes)
    return lanes


def _check(op: ir.Operation, lanes: int) -> None:
    if op.name in ("arith.constant", "linalg.index"):
        return
    if op.name.startswith("math."):
        if approximation(op) is None:
            raise NoLeaf(f"'{op.name}' has no vector form")
        return
    source = element_of((op.operands[1] if op.name == "arith.select" else op.operands[0]).type)
    if not op.name.startswith("arith.") or op.name.removeprefix("arith.") not in _TAKEN.get(source, ()):
        raise NoLeaf(f"'{op.name}' of {source} has no vector form")
    if op.name == "arith.cmpi" and op.attributes["predicate"].value in _UNSIGNED:
        raise NoLeaf("unsigned numbers are not compared as vectors")
    if source == "i16" and lanes != 32 and op.name != "arith.extsi":
        raise NoLeaf("vectors of i16 go with no others")
    if op.name == "arith.trunci" and not is_clamped(op):
        raise NoLeaf("a vector that is truncated saturates in place of wrapping")
    if op.name == "arith.index_cast" and element_of(op.results[0].type) != "i32":
        raise NoLeaf(f"there are no vectors of {element_of(op.results[0].type)}")
