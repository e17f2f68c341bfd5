"""Rewrites contractions of transposed matrices with the maps of a plain matrix product: (m, k), (k, n), (m, n).

The matrix is transposed by a separate operation, before it is extended to the accumulator's type, when it has the fewest bits.
"""

from allo_air.core.walking import defining_op, walk_named
from allo_air.dialects.mac import PLAIN
from allo_air.mlir import AnyOp, ir, vector
from allo_air.passes._ir.generic import maps_attr
from allo_air.passes.kernel._factors import flattened, loops_of
from allo_air.passes.kernel._vectors import has_transpose_instruction

_EXTENSIONS = ("arith.extf", "arith.extsi", "arith.extui")


def make_plain(op: AnyOp, arch: str) -> None:
    """Gives contractions in `op` plain maps; matrices are transposed by an instruction, or by a shuffle."""
    for contract in walk_named(op, "vector.contract"):
        results = [loops_of(m.value) for m in contract.attributes["indexing_maps"]]
        if [sorted(f) for f in results] != [sorted(p) for p in PLAIN] or results[2] != PLAIN[2] or results == [*PLAIN]:
            continue
        for number in (0, 1):
            if results[number] != PLAIN[number]:
                old = contract.operands[number]
                contract.operands[number] = _transposed(contract, old, arch)
                if not isinstance(old, ir.BlockArgument) and not list(old.uses):
                    old.owner.erase()
        plain_maps = [ir.AffineMap.get(3, 0, [ir.AffineDimExpr.get(i) for i in loops]) for loops in PLAIN]
        contract.attributes["indexing_maps"] = maps_attr(plain_maps)


def _transposed(contract: ir.Operation, value: ir.Value, arch: str) -> ir.Value:
    owner = defining_op(value)
    extension = None if owner is None or owner.name not in _EXTENSIONS else owner
    source = value if extension is None else extension.operands[0]
    with ir.InsertionPoint(contract if extension is None else extension), contract.location:
        transposed = _transpose(source, arch)
        if extension is None:
            return transposed
        return ir.Operation.create(extension.name, [_transposed_type(value.type)], [transposed]).results[0]


def _transpose(matrix: ir.Value, arch: str) -> ir.OpResult:
    kind = matrix.type
    rows, columns = kind.shape
    if has_transpose_instruction(kind, arch):
        return vector.transpose(_transposed_type(kind), matrix, [1, 0])
    lanes = flattened(matrix)
    order = [row * columns + column for column in range(columns) for row in range(rows)]
    return vector.shape_cast(_transposed_type(kind), vector.shuffle(lanes, lanes, order))


def _transposed_type(kind: ir.VectorType) -> ir.VectorType:
    return ir.VectorType.get(list(kind.shape)[::-1], kind.element_type)
