"""`transform.air.eliminate_redundant_vector_transfers`: removes repeated reads."""

from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.effects import accesses
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes.kernel._transfers import Transfer, same_place, transfer
from allo_air.transform.operations import Application


def apply(call: Application) -> list[list[ir.Operation]]:
    """Removes reads that repeat an earlier read of the same block, without a write in between; returns the operations."""

    def rewrite(target: ir.Operation) -> ir.Operation:
        values = IndexValues()
        done: list[ir.Block] = []
        for read in walk_named(target, "vector.transfer_read"):
            if all(read.block != block for block in done):
                done.append(read.block)
        for block in done:
            _eliminate(block, values)
        return target

    return call.each(rewrite)


def _eliminate(block: ir.Block, values: IndexValues) -> None:
    earlier: list[Transfer] = []
    for view in list(block.operations):
        op = view.operation
        result = transfer(op)
        if result is not None and result.is_read:
            before = next((k for k in earlier if same_place(k, result, values)), None)
            if before is None:
                earlier.append(result)
            else:
                op.results[0].replace_all_uses_with(before.op.results[0])
                op.erase()
            continue
        written = [a.root for a in accesses(op) if a.kind != "read"]
        earlier = [k for k in earlier if all(root_of(k.base) != root for root in written)]
