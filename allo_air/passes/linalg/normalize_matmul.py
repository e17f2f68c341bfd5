"""normalize-matmul."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from allo_air.core.diagnostics import error_at
from allo_air.core.match import NoMatch, expect_match, no_match
from allo_air.core.names import function_type_of, sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.schedule import schedule
from allo_air.core.walking import defining_op, enclosing, walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.kernels import KERNEL, called, is_kernel
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes._ir.accumulate_in_f32 import widen_sums
from allo_air.passes._ir.device_option import device_option
from allo_air.passes._ir.generic import maps_attr
from allo_air.passes._ir.named import generalize_named
from allo_air.passes.linalg._addends import add_later, fold_broadcasts, generalize
from allo_air.passes.linalg._attempt import attempt
from allo_air.passes.linalg._callers import reshape_callers, split_arguments
from allo_air.passes.linalg._canonical import canonical
from allo_air.passes.linalg._contraction import NAMED, extents_of, loops_of_contraction, product
from allo_air.passes.linalg._elementwise import chain, dependent_operations, operands, unsupported_operation
from allo_air.passes.linalg._indexing import positions
from allo_air.passes.linalg._match import CONTRACTION, NAMES, contractions, dynamic_or_empty
from allo_air.passes.linalg._rates import LANES
from allo_air.passes.linalg._split import is_worth_a_kernel, split

_DROPPED = ("linalg.transpose", "linalg.broadcast", "linalg.generic", "tensor.empty", "linalg.fill", "arith.constant")

_LONG = 1 << 18
"""Bytes of a matrix above which more channels are faster. Eight channels instead of four save 3000 cycles on 180 KB, which is
the time the control processor needs to start four more (docs/sources.md#timing).
"""

_RUN = 512
"""Rows must be a multiple of this number of bytes, so that cores receive whole vectors."""


@dataclass(frozen=True)
class NormalizeMatmul(Pass):
    """Brings contractions to linalg.matmul, linalg.batch_matmul, or loops around linalg.matmul, for `plan-gemm`.

    A linalg.generic that multiplies matrices becomes a named operation, for any order of its loops and operands. If it has
    further loops, it keeps them in front of m, n, k, with attribute `allo.contraction`.

    * A vector becomes a matrix with one row, also in the function's signature: its calls reshape it, or the host does
      (`allo_air.host_layouts`). If `device` has more columns than rows of cores it becomes a matrix with one column, so that
      all columns read the other matrix; a matrix with one row then becomes one column if the other one is large.
    * A linalg.transpose of an operand becomes part of the matmul's indexing maps; the DMAs or the cores transpose.
    * An initial value other than a linalg.fill is added to the result. Sums of bf16 are accumulated in f32 and rounded once.
    * A broadcast of an operand of elementwise operations on the result becomes part of their indexing maps.

    Other operations are an error, except constants, fills and elementwise operations on the result and on arguments. Without
    `share-channels` such an argument, for example a bias, is an error as well, since a core's two channels bring A and B.
    Without `strict` a function with errors stays unchanged for other passes, and a large kernel is divided around its
    contraction.

    Before:

        %t = linalg.transpose ins(%b : tensor<32x64xbf16>) outs(%e : tensor<64x32xbf16>) permutation = [1, 0]
        %c = linalg.matmul ins(%a, %t : tensor<16x64xbf16>, tensor<64x32xbf16>) outs(%zero : tensor<16x32xf32>)

    After:

        %c = linalg.matmul indexing_maps = [(m, n, k) -> (m, k), (m, n, k) -> (n, k), (m, n, k) -> (m, n)]
            ins(%a, %b : tensor<16x64xbf16>, tensor<32x64xbf16>) outs(%zero : tensor<16x32xf32>)
    """

    name = "normalize-matmul"

    share_channels: bool = True
    """Allow arguments besides the operands, such as a bias, to share the operands' channels; otherwise they are errors."""
    strict: bool = True
    """Fail if a function is not a matmul with elementwise operations on its result; otherwise leave it unchanged."""
    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""

    def run(self, op: AnyOp, /) -> None:
        functions = [f for f in walk_named(op, "func.func") if len(f.regions[0].blocks)]
        for function in functions:
            if self.strict:
                _check_calls(function)
                expect_match(self.normalize(function))
            else:
                self._attempt(function)
        if self.strict and functions and not any(map(contractions, functions)):
            raise error_at(
                functions[0],
                "has no matrix multiplication that the GEMM pipelines know: linalg.matmul, linalg.batch_matmul, or a "
                "linalg.generic that adds up products, on tensors",
            )

    def _attempt(self, function: ir.Operation) -> None:
        """Normalizes `function` if possible; in a large kernel, otherwise only its contraction, as a separate kernel.

        Nothing is done if several vectors are multiplied by a matrix each, or one vector by long rows: see `_are_small_rows`.
        """
        if is_kernel(function) and any(map(self._are_small_rows, products := _products(function))):
            generalize_named(function, [op for op in products if op.name != "linalg.generic"])
            return
        function, failure = attempt(function, self.normalize)
        for also_after in (False, True):
            products = _products(function)
            if failure is None or not is_kernel(function) or len(products) != 1 or not is_worth_a_kernel(products[0]):
                return
            why = f"apart: {failure.message}"
            if separate := split(function, products[0], why, also_after=also_after):
                function, failure = attempt(separate, self.normalize)

    def _vector_is_column(self, generic: ir.Operation) -> bool:
        """Whether a vector should be B instead of A. Rows of A have a shim channel for each column of the device, columns of B
        one for each row of cores.

        32-bit elements are multiplied in vector lanes, which hold columns.
        """
        device = device_option(self.name, self.device)
        wide = max(v.type.element_type.width for v in list(generic.operands)[:2])
        return device.columns > len(device.core_rows) and wide < 32

    def _is_long_row(self, op: ir.Operation) -> bool:
        """Whether a contraction computes one row without an epilogue from a matrix that is large enough to use all columns."""
        kinds = [v.type for v in list(op.operands)[:2]]
        shape = list(op.results[0].type.shape)
        matrix = max(prod(k.shape) * k.element_type.width // 8 for k in kinds)
        return (
            len(shape) == 2
            and shape[0] == 1
            and matrix >= _LONG
            and self._vector_is_column(op)
            and not dependent_operations(op)
        )

    def _are_long_sums(self, op: ir.Operation, rows: int, row_bytes: int) -> bool:
        """Whether `rows` rows of a matrix, each summed times a vector, arrive faster over all shim channels than over one
        channel for each row of cores, as operands of a matrix multiplication do.

        The kernel then has no other operands, since the vector is multiplexed on a channel of the matrix. Rows go to cores in
        parts.
        """
        device = device_option(self.name, self.device)
        function = enclosing(op, "func.func")
        arguments = function.regions[0].blocks[0].arguments
        cores = device.columns * len(device.core_rows)
        if len(arguments) > 2 or rows % (2 * cores) or row_bytes % _RUN or rows * row_bytes < _LONG:
            return False
        return 1 < device.columns <= len(device.core_rows)

    def _are_small_rows(self, op: ir.Operation) -> bool:
        """Whether vector lanes are faster for a contraction than MAC instructions: several float vectors times a matrix each
        that a memtile can hold, or one vector times long rows.

        As a matrix of one row, each vector would need its own launch, which takes longer than the product. With the plan for
        row or column sums, cores compute several at a time. Rows should be whole vectors, and factors of columns whole words.
        For rows of shorter elements, MAC instructions are as fast.
        """
        if not op.results or not all(isinstance(v.type.element_type, ir.FloatType) for v in op.operands):
            return False
        extents, indexing = extents_of(op), indexing_maps(op)
        loops = loops_of_contraction(indexing, extents, words=True)
        if isinstance(loops, str):
            return False
        sides = [extents[loop] if loop is not None else 1 for loop in (loops.m, loops.n)]
        bits = max(v.type.element_type.width for v in list(op.operands)[:2])
        matrix = indexing[sides.index(max(sides)) ^ int(loops.swapped)]
        k, row = extents[loops.k], positions(matrix)[-1]
        if prod(extents[loop] for loop in loops.outer) == 1:
            return min(sides) == 1 and row == loops.k and self._are_long_sums(op, max(sides), k * bits // 8)
        room = device_option(self.name, self.device).tiles["mem"].memory
        if min(sides) > 1 or max(sides) * k * bits // 8 > room or extents[row] % LANES[1] or k * bits % 32:
            return False
        return row != loops.k or bits == 32

    def normalize(self, function: ir.Operation) -> NoMatch | None:
        """Normalizes the contraction of `function`, if it has one. After a match failure the function is half rewritten."""
        before = function_type_of(function)
        products = _products(function)
        if not products:
            return None
        if len(products) > 1:
            return _second_matmul(products)
        if all(len(op.results) for op in products):
            widen_sums(function)
            products = _products(function)
        repeated = split_arguments(function)
        for op in products:
            if not op.results:
                return no_match(op, "works on buffers, and the GEMM pipelines bufferize themselves; give it tensors")
            if failure := dynamic_or_empty(op):
                return failure
            _fold_transposes(op)
            add_later(op)
            generalize(function, op)
            fold_broadcasts(op)
            if not _is_plain(op) or self._is_long_row(op):
                generalize_named(function, [op] if op.name != "linalg.generic" else [])
                [generic] = _products(function)
                body = product(generic)
                assert body is not None, "a contraction multiplies and adds"
                named = canonical(function, generic, body, self._vector_is_column(generic), self._is_long_row(generic))
                if isinstance(named, NoMatch):
                    return named
                _name(function, named)
        for matmul in contractions(function):
            _drop_unused(function)
            epilogue = chain(matmul)
            if isinstance(epilogue, NoMatch):
                return epilogue
            if failure := unsupported_operation(function, [matmul, *epilogue]):
                return failure
            if not self.share_channels and (failure := _operand_without_channel(epilogue)):
                return failure
            reshape_callers(function, before, repeated)
        return None


def _check_calls(function: ir.Operation) -> None:
    """Raises an error at a call of a function that is no kernel: its arguments would change shape with its matmul."""
    for call in walk_named(function, "func.call"):
        if (callee := called(call)) is not None and not is_kernel(callee):
            raise error_at(
                call,
                f"calls @{sym_name_of(callee)}, which is no kernel, and the GEMM pipelines do not inline calls; give the "
                f"function attribute {KERNEL}, write its body here, or use pipeline npu",
            )


def _products(function: ir.Operation) -> list[ir.Operation]:
    """The contractions of `function`."""
    return [op for op in walk_named(function, *NAMED, "linalg.generic") if op.name in NAMED or _sums_products(op)]


def _sums_products(generic: ir.Operation) -> bool:
    kinds = [str(kind) for kind in generic.attributes["iterator_types"]]
    are_permutations = [m.is_projected_permutation for m in indexing_maps(generic)]
    return any("reduction" in kind for kind in kinds) and all(are_permutations) and product(generic) is not None


def _is_plain(op: ir.Operation) -> bool:
    """Whether `op` is a linalg.matmul or linalg.batch_matmul of matrices, plain or transposed, after the batch dimensions."""
    if op.name not in NAMES:
        return False
    batch = int(op.name == NAMES[1])
    results = [tuple(positions(m)) if m.is_projected_permutation else () for m in indexing_maps(op)]
    front, m, n, k = tuple(range(batch)), batch, batch + 1, batch + 2
    allowed = [{(*front, m, k), (*front, k, m)}, {(*front, k, n), (*front, n, k)}, {(*front, m, n)}]
    return all(have in want for have, want in zip(results, allowed, strict=True))


def _name(function: ir.Operation, generic: ir.Operation) -> None:
    """Rewrites a contraction of matrices, with leading batch dimensions or not, as a named operation, and marks other
    contractions.
    """
    generic.attributes[CONTRACTION] = ir.UnitAttr.get()
    of_a, of_b, of_c = (positions(m) for m in indexing_maps(generic))
    batch = generic.attributes["iterator_types"].__len__() - 3
    front = list(range(batch))
    if batch <= 1 and all(dims[:batch] == front for dims in (of_a, of_b, of_c)):
        schedule("name-contractions").run(function)


def _second_matmul(matmuls: list[ir.Operation]) -> NoMatch:
    """The failure of a function with several matmuls, at the second."""
    return no_match(
        matmuls[1],
        f"is the second matrix multiplication of its function, of {len(matmuls)}, and the GEMM pipelines take one; put "
        "each in a function of its own, and hand the result of one to the next on the host",
    )


def _operand_without_channel(epilogue: list[ir.Operation]) -> NoMatch | None:
    """The failure of an elementwise operation with a tensor operand other than the result of the matmul, else None."""
    for op in epilogue:
        for operand in operands([op]):
            return no_match(
                op,
                f"takes {operand.value.type} beside the result of the matrix multiplication, and a core of this pipeline "
                "has two channels for incoming data, one for A and one for B; use gemm-bf16, where channels are shared, or "
                "add it in a function of its own",
            )
    return None


def _fold_transposes(matmul: ir.Operation) -> None:
    """Replaces operands by the sources of their linalg.transpose."""
    for number in (0, 1):
        while (result := defining_op(matmul.operands[number])) is not None and result.name == "linalg.transpose":
            indexing = indexing_maps(matmul)
            results = positions(indexing[number])
            permutation = list(result.attributes["permutation"])
            before = [0] * len(results)
            for dim, source in enumerate(permutation):
                before[source] = results[dim]
            loops = indexing[number].n_dims
            indexing[number] = ir.AffineMap.get(loops, 0, [ir.AffineDimExpr.get(i) for i in before])
            matmul.attributes["indexing_maps"] = maps_attr(indexing)
            matmul.operands[number] = result.operands[0]


def _drop_unused(function: ir.Operation) -> None:
    [block] = function.regions[0].blocks
    for op in reversed([o.operation for o in block.operations]):
        if op.name in _DROPPED and not any(len(list(r.uses)) for r in op.results):
            op.erase()
