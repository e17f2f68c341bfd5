"""New symbol names, and the names of herds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING, Any

from allo_air.core.names import sym_name_of
from allo_air.core.walking import names_in, parents, walk_named
from allo_air.dialects.air import L1, HerdOp
from allo_air.mlir import ir
from allo_air.passes._analysis.memory import buffer, is_in

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

_NAMELESS = (
    "arith.", "vector.", "scf.", "affine.", "aie.use_lock", "aie.dma_bd", "aie.next_bd",
    "air.channel.", "air.wait_all", "air.execute",
)  # fmt: skip
"""Prefixes of frequent operations that have no symbol."""


class Names:
    """The symbols of a module, or of several operations, and new ones."""

    def __init__(self, *roots: AnyOp):
        ops = (op for root in roots for op in walk_named(root, *(n for n in names_in(root) if not n.startswith(_NAMELESS))))
        self._taken: set[str] = {op.attributes["sym_name"].value for op in ops if "sym_name" in op.attributes}
        self._numbers: dict[str, Iterator[int]] = {}

    def fresh(self, stem: str) -> str:
        """The first of `stem`_0, `stem`_1, ... that is free; it is taken from then on."""
        numbers = self._numbers.setdefault(stem, count())
        name = next(name for n in numbers if (name := f"{stem}_{n}") not in self._taken)
        self._taken.add(name)
        return name


def name_around(op: ir.Operation, default: str) -> str:
    """The name of the innermost symbol around `op`, or `default`."""
    return next((sym_name_of(p) for p in parents(op) if "sym_name" in p.attributes), default)


def name_herds(root: ir.Operation, names: Names) -> None:
    """Gives every unnamed herd a symbol: that of a herd that shares an L1 buffer with it, else herd_0, herd_1, ...

    Herds that share an L1 buffer are phases of the same cores; a common symbol says so.
    """
    herds = [HerdOp(op) for op in walk_named(root, HerdOp.OPERATION_NAME)]
    for group in _groups(herds):
        unnamed = [herd for herd in group if herd.sym_name is None]
        if not unnamed:
            continue
        name = next((herd.sym_name for herd in group if herd.sym_name is not None), None) or names.fresh("herd")
        for herd in unnamed:
            herd.sym_name = name


def _groups(herds: list[HerdOp]) -> list[list[HerdOp]]:
    """The herds, grouped by L1 buffers that they share, directly or through others."""
    parent = {herd: herd for herd in herds}
    order = {herd: n for n, herd in enumerate(herds)}

    def first(herd: HerdOp) -> Any:
        while parent[herd] != herd:
            herd = parent[herd]
        return herd

    users: dict[ir.Value, HerdOp] = {}
    for herd in herds:
        for shared in {buffer(v) for v in herd.args if is_in(v.type, L1)}:
            other = first(users.setdefault(shared, herd))
            group = first(herd)
            first_root, second_root = sorted((other, group), key=order.__getitem__) if other != group else (group, group)
            parent[second_root] = first_root
    groups: dict[HerdOp, list[HerdOp]] = {}
    for herd in herds:
        groups.setdefault(first(herd), []).append(herd)
    return list(groups.values())
