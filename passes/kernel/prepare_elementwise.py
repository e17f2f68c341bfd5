"""prepare-elementwise."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.schedule import schedule
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.kernel._chains import constant_splat, lone_products
from allo_air.passes.kernel._judge import verdicts

LANES, MARK = 16, "allo.scalar"
"""Lanes of the vectors that vectorize-elementwise makes, and what marks an operation for loop-elementwise."""


@dataclass(frozen=True)
class PrepareElementwise(Pass):
    """Writes the bodies of elementwise linalg.generic operations in forms that mlir-aie's tool chain takes on the device.

    Run it before `vectorize-elementwise`. By the rules of `aie-check-core-code`, for vectors of 16 lanes:

    * the larger or smaller of an f32 and a constant that is not negative is that of their bits, as integers (the smaller
      one of a NaN and the constant is the constant then);
    * the sum of an f32 product and a term is the product less the negated term, on AIE2;
    * what has no such form, or is refused or wrong as a vector, becomes loops of scalars, where an i32 is shifted as an index.

    Without `vectors` all of them are to be scalars, and nothing becomes loops here.

    Before:

        %r = arith.maximumf %x, %zero : f32

    After:

        %b = arith.bitcast %x : f32 to i32
        %m = arith.maxsi %b, %c0_i32 : i32
        %r = arith.bitcast %m : i32 to f32
    """

    name = "prepare-elementwise"

    device: str = "npu1"
    vectors: bool = True

    def run(self, op: AnyOp, /) -> None:
        arch = device_option(self.name, self.device).arch
        marked = False
        for generic in walk_named(op, "linalg.generic"):
            if any("parallel" not in str(kind) for kind in generic.attributes["iterator_types"]):
                continue
            if self.vectors and arch == "AIE2":
                _subtract(_body(generic))
            if self.vectors:
                _compare_bits(_body(generic))
            if not self.vectors or not all(_is_taken(inner, arch) for inner in _body(generic)):
                _shift_indices(_body(generic))
                generic.attributes[MARK] = ir.UnitAttr.get()
                marked = True
        if marked and self.vectors:
            schedule("loop-elementwise").run(op)
        for generic in walk_named(op, "linalg.generic"):
            if MARK in generic.attributes:
                del generic.attributes[MARK]


def _body(generic: AnyOp) -> list[ir.Operation]:
    return [op.operation for op in generic.regions[0].blocks[0]][:-1]


def _is_taken(op: ir.Operation, arch: str) -> bool:
    return all(verdict.kind == "slow" for verdict in verdicts(op, arch, LANES))


def _subtract(body: list[ir.Operation]) -> None:
    """a b + c as a b - (-c), which is not taken for a fused operation."""
    for op in body:
        products = lone_products(op) if op.name == "arith.addf" and str(op.results[0].type) == "f32" else []
        if not products:
            continue
        product = products[0]
        term = next((v for v in op.operands if v != product), product)
        with ir.InsertionPoint(op), op.location:
            zero = arith.constant(term.type, 0.0)
            op.results[0].replace_all_uses_with(arith.subf(product, arith.subf(zero, term)))
        op.erase()


def _compare_bits(body: list[ir.Operation]) -> None:
    by_bits = {"arith.maximumf": arith.maxsi, "arith.maxnumf": arith.maxsi, "arith.minimumf": arith.minsi}
    for op in body:
        if op.name not in by_bits or str(op.results[0].type) != "f32":
            continue
        constants = [v for v in op.operands if (number := _number(v)) is not None and _is_positive(number)]
        if not constants:
            continue
        bound = constants[0]
        value = next((v for v in op.operands if v != bound), bound)
        with ir.InsertionPoint(op), op.location:
            i32 = ir.IntegerType.get_signless(32)
            chosen = by_bits[op.name](arith.bitcast(i32, value), arith.bitcast(i32, bound))
            op.results[0].replace_all_uses_with(arith.bitcast(op.results[0].type, chosen))
        op.erase()


def _number(value: ir.Value) -> float | None:
    if isinstance(value.owner, ir.Block) or value.owner.name != "arith.constant":
        return None
    return float(value.owner.attributes["value"].value)


def _is_positive(number: float) -> bool:
    return number > 0 or (number == 0 and not str(number).startswith("-"))


def _shift_indices(body: list[ir.Operation]) -> None:
    for op in body:
        if op.name == "arith.shrsi" and str(op.results[0].type) == "i32" and constant_splat(op.operands[1]) != 0:
            with ir.InsertionPoint(op), op.location:
                index = ir.IndexType.get()
                shifted = arith.shrsi(*(arith.index_cast(index, v) for v in op.operands))
                op.results[0].replace_all_uses_with(arith.index_cast(op.results[0].type, shifted))
            op.erase()
