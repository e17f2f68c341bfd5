"""Unrolls and jams the loops around a reduction of vector.contract, so that a loaded operand is used several times."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, prod

from allo_air.arch import Core
from allo_air.core.constants import constant_of
from allo_air.core.loops import Loop
from allo_air.core.schedule import schedule
from allo_air.core.walking import body_of, defining_op, is_result_of, walk_named
from allo_air.dialects.memrefs import total_bits
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.blocking import Jam, Nest, Read, fastest_jam
from allo_air.passes.kernel._contracts import instructions, makes_blocks

LONG = 1 << 20
"""Assumed trip count of a reduction if it is unknown: large, so that setup code is negligible."""
MARK = "allo.jam"
TURNS = ("vector.transpose", "vector.shuffle", "vector.shape_cast")
"""Operations that may be between the read of a matrix and its contraction."""


def jam(op: AnyOp, core: Core, contractions: int) -> None:
    """Unrolls and jams the loops around each reduction by the factors that need the fewest cycles. Reductions of at most
    `contractions` instructions are unrolled afterwards.

    With a single accumulator a core loads both operands for each MAC instruction, and the loads limit the speed. Candidates
    are powers of two that divide the trip counts, whose accumulators fit into the registers of the device's cores, and both
    orders of the loops. The choice needs the fewest cycles: one contraction instruction per cycle, as far as the loads and
    stores of a core allow, plus a cost for each iteration of the outer loop. More than half of the registers are used only if
    that gains much, since the others are for the next accumulators while these are stored.
    Loops with dependent iterations, or without constant trip counts, stay unchanged. If only the inner loop can be jammed,
    as for a tile of so few rows that the loop over them has vanished, it is jammed alone, into two iterations at least, and
    only around a reduction that is not unrolled: the code of one that is would grow with the factor.
    """
    inner_jams: list[tuple[ir.Operation, int]] = []
    outer_jams: list[tuple[ir.Operation, int]] = []
    for reduction in walk_named(op, "scf.for"):
        loops = _loops_around(reduction)
        if not loops or (len(loops) == 1 and is_short(reduction, core, contractions)):
            continue
        choice = _fastest(reduction, loops, core)
        *outer, inner = zip(loops, choice.factors[-len(loops) :], strict=True)
        if not outer:  # the loop stays a loop, into which fuse-into-contractions moves others
            inner = (inner[0], min(inner[1], (Loop(inner[0]).trips() or 0) // 2))
        if choice.swap:
            _swap(*loops)
        inner_jams.append(inner)
        outer_jams += outer
    _jam(op, inner_jams)
    for loop, _ in outer_jams:
        _hoist_constants(loop)
    _jam(op, outer_jams)
    for division in walk_named(op, "arith.divui") if inner_jams else []:
        _divide_once(division)


def is_short(reduction: ir.Operation, core: Core, contractions: int) -> bool:
    """Whether `reduction` has a constant trip count and at most `contractions` instructions."""
    count = sum(instructions(op, core) for op in body_of(reduction) if op.name == "vector.contract")
    return 0 < count * (Loop(reduction).trips() or 0) <= contractions


def _fastest(reduction: ir.Operation, loops: Sequence[ir.Operation], core: Core) -> Jam:
    """The fastest jam of `loops`; without an outer one, that loop has one iteration."""
    *outer, inner = map(Loop, loops)
    body = body_of(reduction)
    reads = [op for op in body if op.name == "vector.transfer_read"]
    nest = Nest(
        (outer[0].trips() or 0 if outer else 1, inner.trips() or 0),
        tuple(_read(r, (bool(outer) and _follows(r, *outer[0].ivs), _follows(r, *inner.ivs)), core) for r in reads),
        sum(_bits(r.type) for r in reduction.results),
        Loop(reduction).trips() or LONG,
        _instructions([op for op in body if op.name == "vector.contract"], core),
    )
    return fastest_jam(nest, core)


def _instructions(contracts: list[ir.Operation], core: Core) -> int:
    """Instructions per iteration and accumulator. For f32, those of all parts; for integers, those of one contraction, since
    sign corrections have separate accumulators or none.
    """
    count = [instructions(op, core) for op in contracts]
    return sum(count) if isinstance(contracts[0].results[0].type.element_type, ir.FloatType) else max(count)


def _read(read: ir.Operation, by: tuple[bool, bool], core: Core) -> Read:
    """A read of a factor, with the operations between it and its contraction."""
    bits, moves, vectors, blocks, op = _bits(read.results[0].type), 0, 0, False, read
    while uses := list(op.results[0].uses):
        user = uses[0].owner.operation
        if any(use.owner.operation != user for use in uses):  # a shuffle uses a vector twice if it permutes a single one
            break
        if user.name == "vector.contract" and makes_blocks(user, core):
            result, widened = core.blocks_of(prod(op.results[0].type.shape), uses[0].operand_number == 1)
            blocks, vectors, moves = True, result, moves + widened
        if not user.results or user.name in ("vector.contract", "scf.for"):
            break
        if user.name in ("vector.transpose", "vector.shuffle"):
            moves += ceil(bits / core.vector_bits)
        op = user
    return Read(bits, by, moves, vectors, blocks)


def _follows(read: ir.Operation, iv: ir.Value) -> bool:
    """Whether the position of `read` depends on `iv`."""
    for value in read.operands:
        if value == iv:
            return True
        if not isinstance(value, ir.BlockArgument) and _is_arithmetic(value.owner) and _follows(value.owner, iv):
            return True
    return False


def _is_arithmetic(op: AnyOp) -> bool:
    return op.name.startswith("arith.") or op.name == "affine.apply"


def _swap(outer: ir.Operation, inner: ir.Operation) -> None:
    """Exchanges the bounds and variables of the two loops, whose iterations are independent."""
    bounds = [list(loop.operands)[:3] for loop in (outer, inner)]
    for loop, rest in zip((outer, inner), reversed(bounds), strict=True):
        for operand_number, bound in enumerate(rest):
            loop.operands[operand_number] = bound
    [of_outer], [of_inner] = Loop(outer).ivs, Loop(inner).ivs
    uses = [(use.owner.operation, use.operand_number, of_inner) for use in of_outer.uses]
    uses += [(use.owner.operation, use.operand_number, of_outer) for use in of_inner.uses]
    for user, number, counter in uses:
        user.operands[number] = counter


def _jam(root: AnyOp, loops: list[tuple[ir.Operation, int]]) -> None:
    for loop, factor in loops:
        if factor > 1:
            loop.attributes[MARK] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), factor)
    if any(factor > 1 for _, factor in loops):
        schedule("jam-loops").run(root)
    for loop in walk_named(root, "scf.for"):
        if MARK in loop.attributes:
            del loop.attributes[MARK]


def _divide_once(division: ir.Operation) -> None:
    """Replaces the dividend iv + n by iv, the variable of a jammed loop: if the loop's step divides the divisor and n is less
    than the step, the quotient is the same.
    """
    by, more = constant_of(division.operands[1]), defining_op(division.operands[0], "arith.addi")
    if not by or more is None or not isinstance(more.operands[0], ir.BlockArgument):
        return
    loop, beyond = more.operands[0].owner.owner, constant_of(more.operands[1])
    if loop.name != "scf.for" or Loop(loop).ivs != [more.operands[0]] or beyond is None:
        return
    begin, step = constant_of(loop.operands[0]), constant_of(loop.operands[2])
    if begin == 0 and step and 0 <= beyond < step and by % step == 0:
        division.operands[0] = more.operands[0]


def _hoist_constants(loop: ir.Operation) -> None:
    """Moves constants out of `loop`: MLIR jams only loops whose inner bounds are defined outside, and defines the step
    inside.
    """
    for op in body_of(loop):
        if op.name == "arith.constant":
            op.move_before(loop)


def _loops_around(reduction: ir.Operation) -> tuple[ir.Operation, ...]:
    """The loops around `reduction` that can be jammed, outermost first: two, one if the other has vanished, or none."""
    if not any(op.name == "vector.contract" for op in body_of(reduction)):
        return ()
    inner = reduction.parent
    if not _has_trips(inner):
        return ()
    outer = inner.parent
    is_pair = _has_trips(outer) and [op.name for op in body_of(outer)] == ["scf.for", "scf.yield"]
    loops = (outer, inner) if is_pair else (inner,)
    return loops if _independent(reduction, inner, [iv for loop in loops for iv in Loop(loop).ivs]) else ()


def _has_trips(op: AnyOp | None) -> bool:
    """Whether `op` is a loop with a constant number of iterations that carries no values."""
    return op is not None and op.name == "scf.for" and bool(Loop(op).trips()) and not len(op.results)


def _independent(reduction: ir.Operation, inner: ir.Operation, ivs: list[ir.Value]) -> bool:
    """Whether each iteration accesses its own part of the written buffers: the indices of the writes contain both loop
    variables.
    """
    outer_ops, inside = body_of(inner), body_of(reduction)
    writes = [op for op in outer_ops if op.name == "vector.transfer_write"]
    reads = [op for op in (*outer_ops, *inside) if op.name == "vector.transfer_read"]
    allowed = ("vector.transfer_write", "vector.transfer_read", "scf.for", "scf.yield", "vector.contract", *TURNS)
    if any(op.name not in allowed and not _is_arithmetic(op) for op in (*outer_ops, *inside)):
        return False
    if not writes or any(op.name == "vector.transfer_write" for op in inside):
        return False
    for write in writes:
        place = list(write.operands)[1:]
        if not all(any(_varies_with(iv, index, ivs) for index in place) for iv in ivs):
            return False
        if any(read.operands[0] == place[0] and list(read.operands)[1 : len(place)] != place[1:] for read in reads):
            return False
    return len(writes) == 1 or len({str(write.operands[1]) for write in writes}) == len(writes)


def _varies_with(iv: ir.Value, index: ir.Value, ivs: list[ir.Value]) -> bool:
    """Whether `index` is `iv`, or `iv` plus a sum that does not contain the variables `ivs`."""
    if index == iv:
        return True
    if not is_result_of(index, "affine.apply"):
        return False
    operands, mapping = list(index.owner.operands), index.owner.attributes["map"].value
    coefficients = _coefficients(mapping.results[0], mapping.n_dims)
    return (
        coefficients is not None
        and sum(v in ivs for v in operands) == 1
        and iv in operands
        and bool(coefficients.get(operands.index(iv)))
    )


def _coefficients(expression: ir.AffineExpr, dims: int) -> dict[int, int] | None:
    """The factor of each operand in a sum, -1 for a constant; None for other expressions."""
    match expression:
        case ir.AffineConstantExpr():
            return {-1: expression.value}
        case ir.AffineDimExpr():
            return {expression.position: 1}
        case ir.AffineSymbolExpr():
            return {dims + expression.position: 1}
        case ir.AffineAddExpr() | ir.AffineMulExpr():
            lhs, rhs = (_coefficients(e, dims) for e in (expression.lhs, expression.rhs))
            if lhs is None or rhs is None:
                return None
            if isinstance(expression, ir.AffineAddExpr):
                return {n: lhs.get(n, 0) + rhs.get(n, 0) for n in {*lhs, *rhs}}
            if set(rhs) == {-1}:
                return {n: c * rhs[-1] for n, c in lhs.items()}
    return None


def _bits(kind: ir.VectorType) -> int:
    return total_bits(kind) or 0 if isinstance(kind, ir.VectorType) else 0
