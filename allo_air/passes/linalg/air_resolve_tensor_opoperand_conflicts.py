"""air-resolve-tensor-opoperand-conflicts."""

from collections.abc import Iterator
from dataclasses import dataclass

from allo_air.core.constants import index_constant
from allo_air.core.pass_ import Pass
from allo_air.core.walking import is_unused, walk_post_order
from allo_air.mlir import AnyOp, bufferization, ir, tensor
from allo_air.passes._analysis.structured import first_output, is_structured


@dataclass(frozen=True)
class AirResolveTensorOpoperandConflicts(Pass):
    """Gives an operation a destination of its own if it overwrites a tensor that it also reads as an earlier operand.

    A frontend without a tensor for a result passes one of the inputs. Bufferization would then overwrite the input, or copy
    it. The new tensor is empty, or a copy if the operation reads its destination (`linalg.matmul` adds to it).

    Before:

        %0 = linalg.add ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%a : tensor<64xf32>) -> tensor<64xf32>

    After:

        %t = bufferization.alloc_tensor() : tensor<64xf32>
        %0 = linalg.add ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%t : tensor<64xf32>) -> tensor<64xf32>
    """

    name = "air-resolve-tensor-opoperand-conflicts"
    anchor = "func.func"

    def run(self, op: AnyOp, /) -> None:
        for inner in walk_post_order(op):
            for number, is_read in _overwritten_operands(inner):
                before = list(inner.operands)[:number]
                if any(value == inner.operands[number] and _reads(inner, n) for n, value in enumerate(before)):
                    inner.operands[number] = _allocated(inner, inner.operands[number], is_read)


def _overwritten_operands(op: ir.Operation) -> Iterator[tuple[int, bool]]:
    """The operands of `op` that are tensors it overwrites, and whether it also reads their content."""
    if op.name in ("tensor.insert_slice", "tensor.insert"):
        yield 1, True
    elif is_structured(op):
        for n in range(first_output(op), len(op.operands)):
            if isinstance(op.operands[n].type, ir.RankedTensorType):
                yield n, _reads(op, n)


def _reads(op: ir.Operation, n: int) -> bool:
    """Whether `op` reads the content of its operand `n`."""
    blocks = [block for region in op.regions for block in region.blocks]
    if not op.name.startswith("linalg.") or len(blocks) != 1 or len(blocks[0].arguments) != len(op.operands):
        return True
    return not is_unused(blocks[0].arguments[n])


def _allocated(op: ir.Operation, old: ir.Value, copied: bool) -> ir.OpResult:
    """A new tensor like `old`, before `op`."""
    with ir.InsertionPoint(op), op.location as location:
        if copied:
            return bufferization.AllocTensorOp(old.type, [], copy=old).result
        open_dims = [d for d in range(old.type.rank) if old.type.is_dynamic_dim(d)]
        sizes = [tensor.DimOp(old, index_constant(d, location)).result for d in open_dims]
        return bufferization.AllocTensorOp(old.type, sizes).result
