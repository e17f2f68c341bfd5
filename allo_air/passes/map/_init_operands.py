"""Turns destinations that elementwise operations read into inputs."""

from __future__ import annotations

from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.walking import is_unused
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.generic import Generic, generic, generics
from allo_air.passes._ir.tensors import empty


def read_init_operands(function: AnyOp) -> None:
    """Makes elementwise operations read their destination as an input, if their body uses it and another operation uses the
    result.

    Otherwise `linalg-fuse-elementwise-ops` would keep the destination, and each iteration of a reduction would add it again.

    Before:

        %y = linalg.generic ["parallel"] ins(%x) outs(%zeros) { linalg.yield (arith.addf %out, %in) }

    After:

        %y = linalg.generic ["parallel"] ins(%x, %zeros) outs(%empty) { linalg.yield (arith.addf %in_0, %in) }
    """
    for generic_op in generics(function):
        users = [u.owner.operation.name for r in generic_op.op.results for u in r.uses]
        if generic_op.is_parallel and generic_op.reads_outs and any(name.startswith("linalg.") for name in users):
            _read(generic_op)


def _read(generic_op: Generic) -> None:
    count, arguments = len(generic_op.inputs), generic_op.arguments
    read = [n for n in range(len(generic_op.outs)) if not is_unused(arguments[count + n])]
    used = [*arguments[:count], *(arguments[count + n] for n in read)]
    out_maps = generic_op.maps[count:]

    def body(values: list[ir.Value]) -> list[Any]:
        mapping = dict(zip(used, values, strict=False))
        for op in generic_op.body:
            clone(op, mapping)
        return [mapping.get(v, v) for v in generic_op.yielded]

    with ir.InsertionPoint(generic_op.op), generic_op.op.location:
        outs = [empty(o.type) if n in read else o for n, o in enumerate(generic_op.outs)]
        maps = [*generic_op.maps[:count], *(out_maps[n] for n in read), *out_maps]
        result = generic([*generic_op.inputs, *(generic_op.outs[n] for n in read)], outs, maps, generic_op.iterators, body)
    for old, new in zip(generic_op.op.results, result.results, strict=True):
        old.replace_all_uses_with(new)
    generic_op.op.erase()
