"""`transform.air.transpose_reduce`: makes the reduced dimensions the innermost ones."""

from allo_air.errors import PassError, counted
from allo_air.mlir import ir, linalg
from allo_air.passes._ir.tensors import empty
from allo_air.transform.operations import Application


def apply(call: Application) -> list[list[ir.Operation]]:
    """Moves the reduced dimensions of each reduction innermost; returns the reductions.

    Before: `linalg.reduce ins(%x : tensor<96x4xf32>) dimensions = [0]`
    After:  `%t = linalg.transpose ins(%x) permutation = [1, 0]; linalg.reduce ins(%t : tensor<4x96xf32>) dimensions = [1]`
    """

    def rewrite(target: ir.Operation) -> ir.Operation:
        call.expect(target, "linalg.reduce")
        return _transposed(target)

    return call.each(rewrite)


def _transposed(target: ir.Operation) -> ir.Operation:
    if len(target.results) != 1:
        raise PassError(
            f"has {counted(len(target.results), 'result')}; only reductions of one tensor are transposed", target.location
        )
    value = target.operands[0]
    kind = value.type
    if not isinstance(kind, ir.RankedTensorType) or not kind.has_static_shape:
        raise PassError(f"reduces {kind}; only tensors of static shape are transposed", target.location, target.name)
    reduced = list(target.attributes["dimensions"])
    kept_dims = [d for d in range(kind.rank) if d not in reduced]
    if reduced == list(range(len(kept_dims), kind.rank)):
        return target
    order = [*kept_dims, *reduced]
    shape = ir.RankedTensorType.get([kind.shape[d] for d in order], kind.element_type)
    transposed = linalg.TransposeOp([shape], value, empty(shape), order)
    linalg.fill_builtin_region(transposed.operation)
    new = target.clone()
    new.operands[0] = transposed.results[0]
    new.attributes["dimensions"] = ir.DenseI64ArrayAttr.get(list(range(len(kept_dims), kind.rank)))
    target.results[0].replace_all_uses_with(new.results[0])
    target.erase()
    return new
