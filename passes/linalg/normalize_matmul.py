"""normalize-matmul."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.schedule import schedule
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes.linalg._addends import add_later, fold_broadcasts, generalize
from allo_air.passes.linalg._attempt import attempt
from allo_air.passes.linalg._contraction import order
from allo_air.passes.linalg._elementwise import chain, operands, refuse_others
from allo_air.passes.linalg._indexing import maps, positions
from allo_air.passes.linalg._match import NAMES

_OF_VECTORS = {
    "linalg.matvec": "column",
    "linalg.batch_matvec": "column",
    "linalg.vecmat": "row",
    "linalg.batch_vecmat": "row",
    "linalg.dot": "row (the first) or column (the second)",
}
"""Products with a vector, and what the vector is as a matrix."""
_MARK = "allo.contraction"
_DROPPED = ("linalg.transpose", "linalg.broadcast", "linalg.generic", "tensor.empty", "linalg.fill", "arith.constant")


@dataclass(frozen=True)
class NormalizeMatmul(Pass):
    """Brings the spellings of a matrix multiplication to linalg.matmul and linalg.batch_matmul, for `plan-gemm`.

    A linalg.generic that multiplies matrices gets its name, whatever the order of its loops and operands. A linalg.transpose of
    an operand becomes part of the matmul's indexing maps: the transposition is done by the DMAs on the way to the cores, or by
    the cores. What the sums start from, if it is no linalg.fill, is added to the result instead. A broadcast of an operand of
    elementwise operations on the result becomes part of their indexing maps. What is left besides constants, fills, the
    matmul, and elementwise operations on its result and on arguments has no place in these pipelines, and is an error.
    Without `share-channels` such an argument, as a bias, is an error, too: a core's two channels bring A and B. Without
    `strict` a function that would be an error stays as it is, for other passes.

    Before:

        %t = linalg.transpose ins(%b : tensor<32x64xbf16>) outs(%e : tensor<64x32xbf16>) permutation = [1, 0]
        %c = linalg.matmul ins(%a, %t : tensor<16x64xbf16>, tensor<64x32xbf16>) outs(%zero : tensor<16x32xf32>)

    After:

        %c = linalg.matmul indexing_maps = [(m, n, k) -> (m, k), (m, n, k) -> (n, k), (m, n, k) -> (m, n)]
            ins(%a, %b : tensor<16x64xbf16>, tensor<32x64xbf16>) outs(%zero : tensor<16x32xf32>)
    """

    name = "normalize-matmul"

    share_channels: bool = True
    strict: bool = True

    def run(self, op: AnyOp, /) -> None:
        functions = [f for f in walk_named(op, "func.func") if len(f.regions[0].blocks)]
        for function in functions:
            if self.strict:
                self._normalize(function)
            else:
                attempt(function, self._normalize)
        if self.strict and functions and not any(walk_named(f, *NAMES) for f in functions):
            _refuse_vectors(functions)
            raise error_at(
                functions[0],
                "has no matrix multiplication that the GEMM pipelines know: linalg.matmul, linalg.batch_matmul, or a "
                "linalg.generic that adds up products, on tensors",
            )

    def _normalize(self, function: ir.Operation) -> None:
        generics = [g for g in walk_named(function, "linalg.generic") if order(g)]
        for generic in generics:
            generic.attributes[_MARK] = ir.UnitAttr.get()
        if generics:
            schedule("name-contractions").run(function)
        _refuse_second(walk_named(function, *NAMES))
        for matmul in walk_named(function, *NAMES):
            if not matmul.results:
                raise error_at(matmul, "works on buffers, and the GEMM pipelines bufferize themselves; give it tensors")
            _fold_transposes(matmul)
            _check(matmul)
            add_later(matmul)
            generalize(function, matmul)
            fold_broadcasts(matmul)
        if matmuls := walk_named(function, *NAMES):
            _drop_unused(function)
            epilogue = [o for m in matmuls for o in chain(m)]
            refuse_others(function, [*matmuls, *epilogue])
            if not self.share_channels:
                _refuse_operands(epilogue)


def _refuse_second(matmuls: list[ir.Operation]) -> None:
    """Raises an error at the second of the matmuls of a function."""
    if len(matmuls) > 1:
        raise error_at(
            matmuls[1],
            f"is the second matrix multiplication of its function, of {len(matmuls)}, and the GEMM pipelines take one; put "
            "each in a function of its own, and hand the result of one to the next on the host",
        )


def _refuse_operands(epilogue: list[ir.Operation]) -> None:
    """Raises an error at an elementwise operation that takes another tensor than the result of the matmul."""
    for op in epilogue:
        for operand in operands([op]):
            raise error_at(
                op,
                f"takes {operand.value.type} beside the result of the matrix multiplication, and a core of this pipeline "
                "has two channels for incoming data, one for A and one for B; use gemm-bf16, where channels are shared, or "
                "add it in a function of its own",
            )


def _refuse_vectors(functions: list[ir.Operation]) -> None:
    """Raises an error at a product that has a vector for an operand."""
    for op in (found for function in functions for found in walk_named(function, *_OF_VECTORS)):
        raise error_at(
            op,
            f"multiplies {op.operands[0].type} and {op.operands[1].type}, and the GEMM pipelines take matrices: make the "
            f"vector one of a single {_OF_VECTORS[op.name]}, as argument of the function, and the operation a linalg."
            f"{'batch_' * op.name.startswith('linalg.batch_')}matmul",
        )


def _fold_transposes(matmul: ir.Operation) -> None:
    """Takes each operand from in front of the linalg.transpose that makes it."""
    for number in (0, 1):
        while (made := _producer(matmul.operands[number])) is not None and made.name == "linalg.transpose":
            indexing = maps(matmul)
            results = positions(indexing[number])
            permutation = list(made.attributes["permutation"])
            before = [0] * len(results)
            for at, source in enumerate(permutation):
                before[source] = results[at]
            loops = indexing[number].n_dims
            indexing[number] = ir.AffineMap.get(loops, 0, [ir.AffineDimExpr.get(i) for i in before])
            matmul.attributes["indexing_maps"] = ir.ArrayAttr.get([ir.AffineMapAttr.get(m) for m in indexing])
            matmul.operands[number] = made.operands[0]


def _check(matmul: ir.Operation) -> None:
    """The maps that the pipelines know: a batch in front, each operand as it is or transposed."""
    batch = int(matmul.name == NAMES[1])
    indexing = maps(matmul)
    found = [tuple(positions(m)) if m.is_projected_permutation else () for m in indexing]
    front, m, n, k = tuple(range(batch)), batch, batch + 1, batch + 2
    allowed = [{(*front, m, k), (*front, k, m)}, {(*front, k, n), (*front, n, k)}, {(*front, m, n)}]
    for number, (have, want) in enumerate(zip(found, allowed, strict=True)):
        if have not in want:
            raise error_at(
                matmul,
                f"has {indexing[number]} for operand {number}; wanted a matrix as it is or transposed, behind the batch if "
                "there is one. Write other layouts and broadcasts as operations of their own, in another function",
            )


def _drop_unused(function: ir.Operation) -> None:
    [block] = function.regions[0].blocks
    for op in reversed([o.operation for o in block.operations]):
        if op.name in _DROPPED and not any(len(list(r.uses)) for r in op.results):
            op.erase()


def _producer(value: ir.Value) -> ir.OpView | None:
    return None if isinstance(value.owner, ir.Block) else value.owner
