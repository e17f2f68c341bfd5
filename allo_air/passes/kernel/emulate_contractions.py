"""emulate-contractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from allo_air.arch import Core, core_of
from allo_air.arch.core import PARTS_OF
from allo_air.core.pass_ import Pass
from allo_air.core.walking import defining_op, parents, walk_named
from allo_air.dialects.mac import PARTIAL, PLAIN
from allo_air.mlir import AnyOp, arith, ir, linalg, memref, vector
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.effects import accesses
from allo_air.passes._ir.device_option import device_option
from allo_air.passes._ir.generic import iterators_attr, maps_attr
from allo_air.passes.kernel._bf16x3 import MOST, PARTS
from allo_air.passes.kernel._dual_accumulator import with_dual_accumulator
from allo_air.passes.kernel._factors import adds, flattened, loops_of, splat
from allo_air.passes.kernel._vector_integers import halves

LANES = 16
"""Lanes of a register of i32."""
_HOLDERS = ("air.herd", "air.segment", "air.launch", "func.func")
"""Operations that contain the allocations of a core's buffers before `air-to-aie`, which turns allocations into buffers."""


@dataclass(frozen=True)
class EmulateContractions(Pass):
    """Emulates contractions of f32 by six of bf16, and of i32 by three of i16, for which the cores have instructions.

    Each input buffer of a nest is split first. f32 becomes three bf16 numbers whose sum differs from it by at most 2^-27 of its
    value. Six of the nine products of parts contribute to an f32 result; they are added from the smallest to the largest.
    Infinite factors give NaN. i32 becomes the unsigned halves l + 2^16 h. Sums wrap at 32 bits, so the product is the sum of
    l l' and 2^16 times the sum of h l' + l h', which the loop over k carries as a second accumulator. A contraction stays
    unchanged if its factors are not read from buffers of these types, or if the device has no instruction for its shape in the
    types of the parts.

    Before:

        scf.for %i ... { scf.for %j ... {
          %r = scf.for %k ... iter_args(%acc = %c) -> (vector<4x4xf32>) {
            %a = vector.transfer_read %A[%i, %k, %c0, %c0] : memref<2x8x4x8xf32, 2>, vector<4x8xf32>
            %b = vector.transfer_read %B[%j, %k, %c0, %c0] : memref<2x4x8x4xf32, 2>, vector<8x4xf32>
            %n = vector.contract %a, %b, %acc

    After:

        linalg.generic ins(%A) outs(%A0, %A1, %A2 : memref<2x8x4x8xbf16, 2>, ...) {
          %0 = truncf %in; %1 = truncf(%in - %0); %2 = truncf(%in - %0 - %1)
        }
        ... // the same of %B
        scf.for %i ... { scf.for %j ... {
          %r = scf.for %k ... iter_args(%acc = %c) -> (vector<4x4xf32>) {
            // reads and extensions of the six
            %0 = vector.contract %a0, %b2, %acc
            ...
            %n = vector.contract %a0, %b0, %4
    """

    name = "emulate-contractions"
    works_on = ("vector.contract",)

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""

    def run(self, op: AnyOp, /) -> None:
        core = core_of(device_option(self.name, self.device).arch)
        splits = _Splits()
        for contract in walk_named(op, "vector.contract"):
            if (reads := _reads(contract, core)) and any(p.name in _HOLDERS for p in parents(contract)):
                nest = _outermost_loop(contract, [r.operands[0] for r in reads])
                parts = [splits.parts(read.operands[0], number, nest) for number, read in enumerate(reads)]
                multiply = _multiply if str(reads[0].operands[0].type.element_type) == "f32" else _multiply_halves
                multiply(contract, reads, parts)


def _reads(contract: ir.Operation, core: Core) -> list[ir.Operation]:
    """The reads of the two f32 or i32 factors, if the device multiplies matrices of this shape in the types of their parts."""
    maps = [loops_of(m.value) for m in contract.attributes["indexing_maps"]]
    if [sorted(m) for m in maps] != [sorted(p) for p in PLAIN] or maps[2] != PLAIN[2] or not adds(contract):
        return []
    reads = [defining_op(v, "vector.transfer_read") for v in list(contract.operands)[:2]]
    if any(read is None for read in reads) or len(contract.operands) != 3:
        return []
    sizes: dict[int, int] = {}
    for read, loops in zip(reads, maps, strict=False):
        kind = read.operands[0].type
        if not isinstance(kind, ir.MemRefType) or str(kind.element_type) not in PARTS_OF:
            return []
        if read.opview.mask is not None or not all(flag.value for flag in read.opview.in_bounds):
            return []
        sizes |= dict(zip(loops, read.results[0].type.shape, strict=True))
    wholes = {str(read.operands[0].type.element_type) for read in reads}
    if len(wholes) > 1:
        return []
    [whole] = wholes
    return reads if core.contraction(PARTS_OF[whole][0], (sizes[0], sizes[2], sizes[1]), whole) else []


def _outermost_loop(contract: ir.Operation, wholes: Sequence[ir.Value]) -> ir.Operation:
    """The outermost loop around `contract` that neither writes nor allocates any of `wholes`."""
    nest, roots = contract, [root_of(v) for v in wholes]
    made_in = {
        around
        for v in wholes
        for around in ([v.owner.owner.operation] if isinstance(v, ir.BlockArgument) else parents(v.owner))
    }
    for outer in parents(contract):
        if outer.name != "scf.for" or outer in made_in:
            break
        if any(a.kind != "read" and a.root in roots for a in accesses(outer)):
            break
        nest = outer
    return nest


class _Splits:
    """The buffers that are split, and the buffers of their parts."""

    def __init__(self) -> None:
        self._done: dict[tuple[Any, Any], list[Any]] = {}
        self._sets: dict[tuple[Any, ...], list[tuple[list[Any], list[tuple[list[Any], bool]]]]] = {}
        """Buffers that are already allocated for parts, each with the nests that use them: for each nest, the loops around it,
        and whether it is a loop itself.
        """

    def parts(self, whole: ir.Value, number: int, nest: ir.Operation) -> list[Any]:
        """The buffers with the parts of `whole`, which is factor `number` of a contraction; the parts are computed before
        `nest`.
        """
        is_loop = nest.name == "scf.for"
        if is_loop and (nest, whole) in self._done:
            return self._done[nest, whole]
        ancestors = [nest, *parents(nest)] if is_loop else list(parents(nest))
        with nest.location:
            parts = self._free(whole, number, ancestors, is_loop)
            _split(whole, parts, nest)
        if is_loop:
            self._done[nest, whole] = parts
        return parts

    def _free(self, whole: ir.Value, number: int, enclosing_ops: list[ir.Operation], is_loop: bool) -> list[Any]:
        """Buffers for parts that no nest inside or around this one uses."""
        holder = next(p for p in enclosing_ops if p.name in _HOLDERS)
        part, count = PARTS_OF[str(whole.type.element_type)]
        kind = ir.MemRefType.get(whole.type.shape, ir.Type.parse(part), memory_space=whole.type.memory_space)
        nests = (enclosing_ops, is_loop)
        sets = self._sets.setdefault((holder, kind, number), [])
        for buffers, users in sets:
            if not any(_is_nested(nests, user) for user in users):
                users.append(nests)
                return buffers
        with ir.InsertionPoint.at_block_begin(holder.regions[0].blocks[0]):
            results = [memref.AllocOp(kind, [], []).result for _ in range(count)]
        sets.append((results, [nests]))
        return results


def _is_nested(first: tuple[list[Any], bool], second: tuple[list[ir.Value], bool]) -> bool:
    """Whether one of two nests is, or contains, the other. Each is given by the operations around it, and whether its root is a
    loop.
    """
    return any(is_loop and around[0] in rest for (around, is_loop), (rest, _) in ((first, second), (second, first)))


def _split(whole: ir.Value, parts: list[ir.Value], nest: ir.Operation) -> None:
    kind, part = whole.type.element_type, parts[0].type.element_type
    rank = len(whole.type.shape)
    same = [ir.AffineMap.get_identity(rank)] * (1 + len(parts))
    with ir.InsertionPoint(nest):
        op = linalg.GenericOp([], [whole], parts, maps_attr(same), iterators_attr(["parallel"] * rank))
    block = op.regions[0].blocks.append(kind, *[part] * len(parts))
    with ir.InsertionPoint(block):
        split_parts = (
            _rounded(block.arguments[0], part) if isinstance(kind, ir.F32Type) else _i16_halves(block.arguments[0], part)
        )
        linalg.YieldOp(split_parts)


def _rounded(number: ir.Value, bf16: ir.Type) -> list[Any]:
    """The parts whose sum is an f32, the largest first."""
    rest: Any = number
    results: list[Any] = []
    for _ in range(PARTS):
        if results:
            rest = arith.subf(rest, arith.extf(number.type, results[-1]))
        part = arith.truncf(bf16, rest)
        if not results:  # without this, the largest floats would round to infinity
            most = [arith.constant(bf16, sign * MOST) for sign in (1, -1)]
            part = arith.maximumf(arith.minimumf(part, most[0]), most[1])
        results.append(part)
    return results


def _i16_halves(number: ir.Value, i16: ir.Type) -> list[Any]:
    """The lower and the upper half of an i32."""
    upper = arith.shrsi(number, arith.constant(number.type, 16))
    return [arith.trunci(i16, number), arith.trunci(i16, upper)]


def _multiply(contract: ir.Operation, reads: list[ir.Operation], parts: list[list[ir.Value]]) -> None:
    with ir.InsertionPoint(contract), contract.location:
        factors = _factors(reads, parts, arith.extf)
        total = contract.operands[2]
        pairs = [(a, b) for a, b in product(range(PARTS), repeat=2) if a + b < PARTS]
        for a, b in sorted(pairs, key=lambda pair: (-sum(pair), pair)):
            total = _added(contract, factors[0][a], factors[1][b], total, partial=bool(a or b))
    contract.results[0].replace_all_uses_with(total)
    contract.erase()
    _erase_reads(reads)


def _multiply_halves(contract: ir.Operation, reads: list[ir.Operation], parts: list[list[ir.Value]]) -> None:
    def sums(total: ir.Value, off: ir.Value) -> tuple[ir.Value, ir.Value]:
        [(low, high), (lower, higher)] = _factors(reads, parts, arith.extui)
        off = _added(contract, low, higher, _added(contract, high, lower, off, partial=True), partial=True)
        return _added(contract, low, lower, total, partial=False), off

    def combined(total: ir.Value, off: ir.Value) -> Any:
        return vector.shape_cast(total.type, arith.addi(flattened(total), _moved_up(flattened(off))))

    with_dual_accumulator(contract, sums, combined)
    _erase_reads(reads)


def _moved_up(value: ir.Value) -> Any:
    """A vector of i32 times 2^16: the lower halves of the lanes become the upper ones."""
    kind = ir.VectorType.get([LANES], value.type.element_type)
    results: list[Any] = []
    for first in range(0, value.type.shape[0], LANES):
        low, _ = halves(vector.extract_strided_slice(kind, value, [first], [LANES], [1]))
        results.append(vector.bitcast(kind, vector.InterleaveOp(arith.constant(low.type, splat(low.type, 0)), low).result))
    while len(results) > 1:
        pairs = zip(results[::2], results[1::2], strict=True)
        results = [vector.shuffle(low, high, [*range(2 * low.type.shape[0])]) for low, high in pairs]
    return results[0]


def _factors(reads: list[ir.Operation], parts: list[list[ir.Value]], extend: Any) -> list[list[Any]]:
    """The micro-tiles of the parts, extended, that replace the results of `reads`."""
    factors = []
    for read, of in zip(reads, parts, strict=True):
        view, wide = read.opview, read.results[0].type
        element = of[0].type.element_type
        nothing = arith.constant(element, 0 if isinstance(element, ir.IntegerType) else 0.0)
        kind, indices = ir.VectorType.get(wide.shape, element), list(view.indices)
        parts_of_factor = [vector.transfer_read(kind, p, indices, view.permutation_map, nothing, view.in_bounds) for p in of]
        factors.append([extend(wide, f) for f in parts_of_factor])
    return factors


def _added(contract: ir.Operation, lhs: ir.Value, rhs: ir.Value, total: ir.Value, *, partial: bool) -> Any:
    """Emits `contract` with other factors and another accumulator; returns its result."""
    clone = contract.clone()
    for number, operand in enumerate((lhs, rhs, total)):
        clone.operands[number] = operand
    if partial:
        clone.attributes[PARTIAL] = ir.UnitAttr.get()
    return clone.results[0]


def _erase_reads(reads: list[ir.Operation]) -> None:
    for read in dict.fromkeys(reads):
        if not list(read.results[0].uses):
            read.erase()
