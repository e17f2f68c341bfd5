"""Turns the destinations that elementwise operations read into operands."""

from __future__ import annotations

from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.walking import is_unused
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.generic import Generic, generic, generics
from allo_air.passes._ir.tensors import empty


def read_init_operands(function: AnyOp) -> None:
    """Gives elementwise operations whose results are used the parts of destinations that their bodies read as operands.

    `linalg-fuse-elementwise-ops` would otherwise keep the destination, and each iteration of a reduction would add it again.

    Before:

        %y = linalg.generic ["parallel"] ins(%x) outs(%zeros) { linalg.yield (arith.addf %out, %in) }

    After:

        %y = linalg.generic ["parallel"] ins(%x, %zeros) outs(%empty) { linalg.yield (arith.addf %in_0, %in) }
    """
    for found in generics(function):
        users = [u.owner.operation.name for r in found.op.results for u in r.uses]
        if found.is_parallel and found.reads_outs and any(name.startswith("linalg.") for name in users):
            _read(found)


def _read(found: Generic) -> None:
    count, arguments = len(found.inputs), found.arguments
    read = [n for n in range(len(found.outs)) if not is_unused(arguments[count + n])]
    used = [*arguments[:count], *(arguments[count + n] for n in read)]
    out_maps = found.maps[count:]

    def body(given: list[ir.Value]) -> list[Any]:
        known = dict(zip(used, given, strict=False))
        for op in found.body:
            clone(op, known)
        return [known.get(v, v) for v in found.yielded]

    with ir.InsertionPoint(found.op), found.op.location:
        outs = [empty(o.type) if n in read else o for n, o in enumerate(found.outs)]
        maps = [*found.maps[:count], *(out_maps[n] for n in read), *out_maps]
        made = generic([*found.inputs, *(found.outs[n] for n in read)], outs, maps, found.iterators, body)
    for old, new in zip(found.op.results, made.results, strict=True):
        old.replace_all_uses_with(new)
    found.op.erase()
