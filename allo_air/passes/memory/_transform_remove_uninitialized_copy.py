"""`transform.air.remove_uninitialized_copy`."""

from allo_air.core.walking import ancestor_in, parents, walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes.memory._preceding_writes import Writes, source_buffer
from allo_air.transform.operations import Application


def apply(call: Application) -> list[list[ir.Operation]]:
    """The same functions, without copies of buffers that were never written; copies of filled buffers become fills.

    A write counts if it may run before the copy, in an earlier iteration too.
    """

    def rewrite(target: ir.Operation) -> ir.Operation:
        call.expect(target, "func.func")
        writes = Writes(target)
        for copy in walk_named(target, "memref.copy", "linalg.copy"):
            if not len(copy.results):
                _remove_uninitialized(copy, writes)
        return target

    return call.each(rewrite)


def _remove_uninitialized(copy: ir.Operation, writes: Writes) -> None:
    source, destination = list(copy.operands)[:2]
    buffer = source_buffer(source)
    if buffer is None or root_of(destination) == buffer or source.type.element_type != destination.type.element_type:
        return
    before = writes.before(buffer, copy)
    if before == []:
        copy.erase()
    elif before is not None and len(before) == 1 and _fills(before[0], buffer, copy):
        value = before[0].operands[0]
        with ir.InsertionPoint(copy), copy.location:
            from allo_air.mlir import linalg

            linalg.fill(value, outs=[destination])
        copy.erase()


def _fills(write: ir.Operation, buffer: ir.Value, copy: ir.Operation) -> bool:
    """Whether `write` fills all of `buffer` and always runs before `copy`."""
    if write.name != "linalg.fill" or write.operands[1] != buffer:
        return False
    inner = ancestor_in(copy, write.block)
    if inner is None or not write.is_before_in_block(inner):
        return False
    return not any(p.name.startswith("air.") and p not in list(parents(write)) for p in parents(copy))
