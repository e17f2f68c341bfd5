"""signed-contractions."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.arch import arch_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects import load
from allo_air.dialects.mac import MAC, PARTIAL, Mac, form_of
from allo_air.mlir import AnyOp, arith, ir, vector
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.kernel._factors import Factor, factors, flattened, shape_of
from allo_air.passes.kernel._unit_loops import without_unit_loops

BYTES, WORDS, LANES = 64, 16, 16
"""Lanes of the instruction's registers: i8 of A, i32 of B, i64 of the accumulator."""


@dataclass(frozen=True)
class SignedContractions(Pass):
    """Replaces integer contractions by AIE2's MAC instruction, whose configuration word keeps the signs of both factors.

    mlir-aie's lowering does not record which factors of a `vector.contract` were sign-extended: on AIE2 A becomes unsigned and
    B signed. Products with other signs are replaced by the instruction itself (sources.md#vector-kernels): i8 of 4 x 8 x 8 and
    i16 of 4 x 2 x 8, into i32, also with further loops of one trip. Loops carry these sums as accumulator registers. Other
    contractions, and those for other devices, stay.

    Before:

        %x = arith.extsi %a : vector<4x8xi8> to vector<4x8xi32>
        %y = arith.extsi %b : vector<8x8xi8> to vector<8x8xi32>
        %r = vector.contract {...} %x, %y, %c : vector<4x8xi32>, vector<8x8xi32> into vector<4x8xi32>

    After:

        %a0 = vector.shape_cast %a : vector<4x8xi8> to vector<32xi8>
        %a1 = vector.shuffle %a0, %a0 [0, ..., 31, -1, ...] : vector<32xi8>, vector<32xi8>
        %b0 = vector.shape_cast %b : vector<8x8xi8> to vector<64xi8>
        %b1 = vector.bitcast %b0 : vector<64xi8> to vector<16xi32>
        %c1 = ... %c as vector<16xi64>
        %r1 = "xllvm.intr.aie2.I512.I512.ACC1024.acc32.mac.conf"(%a1, %b1, %c1, %c776_i32)
        %r = ... %r1 as vector<4x8xi32>
    """

    name = "signed-contractions"
    works_on = ("vector.contract",)

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""

    def run(self, op: AnyOp, /) -> None:
        core = arch_of(device_option(self.name, self.device)).core
        if core is None or not core.mixes_signs:
            return
        for contract in walk_named(op, "vector.contract"):
            without_unit_loops(contract)
        ops = [c for c in walk_named(op, "vector.contract") if _loses_sign(c)]
        if not ops:
            return
        load(op.context, ("xllvm",))
        kinds = set()
        for contract in ops:
            kinds.add(contract.results[0].type)
            _write(contract)
        for loop in walk_named(op, "scf.for"):
            for number, result in enumerate(loop.results):
                if result.type in kinds and any(use.owner.name == "vector.shape_cast" for use in _carried(loop, number).uses):
                    _carry_registers(loop, number)


def _loses_sign(contract: ir.Operation) -> bool:
    result = factors(contract)
    if result is None or result[0].bits != result[1].bits or form_of(result[0].bits, shape_of(contract)) is None:
        return False
    return (result[0].signed, result[1].signed) != (False, True)


def _write(contract: ir.Operation) -> None:
    result = factors(contract)
    assert result is not None
    a, b = result
    form = form_of(a.bits, shape_of(contract))
    assert form is not None
    with ir.InsertionPoint(contract), contract.location:
        i32 = ir.IntegerType.get_signless(32)
        kind = contract.results[0].type
        conf = arith.constant(i32, Mac(form, a.signed, b.signed).word)
        registers = [_register(a, 8, BYTES), _register(b, 32, WORDS), _accumulator(contract.operands[2]), conf]
        op = ir.Operation.create(MAC, [registers[2].type], registers)
        if PARTIAL in contract.attributes:
            op.attributes[PARTIAL] = ir.UnitAttr.get()
        out = op.results[0]
        contract.results[0].replace_all_uses_with(_tile(out, kind))
    contract.erase()


def _register(factor: Factor, width: int, lanes: int) -> ir.Value:
    """The factor in the low lanes of a register of `lanes` elements with `width` bits each."""
    value = flattened(factor.value)
    count = value.type.shape[0] * factor.bits // width
    element = ir.IntegerType.get_signless(width)
    if factor.bits != width:
        value = vector.bitcast(ir.VectorType.get([count], element), value)
    return value if count == lanes else vector.shuffle(value, value, [*range(count), *[-1] * (lanes - count)])


def _accumulator(tile: ir.Value) -> ir.OpResult:
    return vector.bitcast(ir.VectorType.get([LANES], ir.IntegerType.get_signless(64)), flattened(tile))


def _tile(register: ir.Value, kind: ir.VectorType) -> ir.OpResult:
    lanes = ir.VectorType.get([kind.shape[0] * kind.shape[1]], kind.element_type)
    return vector.shape_cast(kind, vector.bitcast(lanes, register))


def _carried(loop: ir.Operation, number: int) -> ir.BlockArgument:
    return loop.regions[0].blocks[0].arguments[1 + number]


def _carry_registers(loop: ir.Operation, number: int) -> None:
    """Makes the loop carry an accumulator register instead of the tile; the casts at its borders fold."""
    [block] = loop.regions[0].blocks
    end = block.operations[-1].operation
    with loop.location:
        with ir.InsertionPoint(loop):
            loop.operands[3 + number] = _accumulator(loop.operands[3 + number])
        with ir.InsertionPoint(end):
            end.operands[number] = _accumulator(end.operands[number])
        for value, ip in (
            (_carried(loop, number), ir.InsertionPoint.at_block_begin(block)),
            (loop.results[number], ir.InsertionPoint.after(loop)),
        ):
            kind = value.type
            value.set_type(loop.operands[3 + number].type)
            with ip:
                tile = _tile(value, kind)
            value.replace_all_uses_except(tile, tile.owner.operands[0].owner.operation)
