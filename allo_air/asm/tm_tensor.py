"""Scans and scatters of torch-mlir's dialect tm_tensor (cumsum, index_put, scatter_add), spelled as linalg.generic.

Both become reductions over an additional loop: an element of a scan combines all elements up to its own; an element of a
scatter combines the updates with its indices, in order. The work grows with the square of a scan's length. The bindings lack
tm_tensor, so the text is rewritten. Not supported are exclusive scans, scans whose last sums are used, and scatters of
windows. Sorts are in `tm_sort`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from allo_air.asm import tm_sort

Edit = tuple[int, int, str]
"""A replacement of the text between two offsets."""

_TENSOR = r"tensor<([\dx]*x)?([a-z]+\d+)>"
_BODY = r"\s*\{\s*\^\w+\(\s*(%[\w$.-]+)\s*:\s*\w+\s*,\s*(%[\w$.-]+)\s*:\s*\w+\s*\)\s*:"
_SCAN = re.compile(
    r"(%[\w$.-]+):2\s*=\s*tm_tensor\.scan\s+dimension\((\d+)\)\s*inclusive\(true\)\s*"
    rf"ins\((%[\w$.#-]+)\s*:\s*({_TENSOR})\)\s*outs\((%[\w$.#-]+)\s*,[^:]*:\s*tensor<[^<>]*>\s*,\s*tensor<[^<>]*>\s*\){_BODY}"
)
_SCATTER = re.compile(
    r"tm_tensor\.scatter\s*\{dimension_map = array<i64: ([\d, ]+)>\}\s*unique_indices\(\w+\)\s*"
    rf"ins\((%[\w$.#-]+)\s*,\s*(%[\w$.#-]+)\s*:\s*{_TENSOR}\s*,\s*({_TENSOR})\s*\)\s*outs\((%[\w$.#-]+)\s*:\s*({_TENSOR})\s*\){_BODY}"
)
_YIELD = re.compile(r"tm_tensor\.yield\s+(%[\w$.#-]+)\s*:\s*(\w+)")
_RESULTS = re.compile(r"(\}\s*->\s*tensor<[^<>]*>)\s*,\s*tensor<[^<>]*>")


def edits(text: str) -> list[Edit]:
    """The replacements of all scans, scatters and sorts in `text`."""
    return [*_scans(text), *_scatters(text), *tm_sort.edits(text)] if "tm_tensor." in text else []


@dataclass(frozen=True)
class _Reduction:
    """A generic whose last loop is a reduction: its operands with the results of their maps, and names within its body."""

    operands: list[tuple[str, str, str]]  # value, type, results of the map
    out: tuple[str, str, str]
    loops: int

    def head(self) -> str:
        dims = ", ".join(f"d{n}" for n in range(self.loops))
        maps = ", ".join(f"affine_map<({dims}) -> ({how})>" for _, _, how in (*self.operands, self.out))
        kinds = ", ".join(['"parallel"'] * (self.loops - 1) + ['"reduction"'])
        values, types = (", ".join(o[n] for o in self.operands) for n in (0, 1))
        return (
            f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
            f"ins({values} : {types}) outs({self.out[0]} : {self.out[1]})"
        )


def _scans(text: str) -> list[Edit]:
    """An element j of a scan: the first element, then that of operation and element k, for each k up to j."""
    scans: list[Edit] = []
    for match in _SCAN.finditer(text):
        name, dim, source, kind, extents, element, target, before, new = match.groups()
        rank = (extents or "").count("x")
        done, ends = _YIELD.search(text, match.end()), _RESULTS.search(text, match.end())
        if done is None or ends is None or re.search(rf"{re.escape(name)}#1\b", text[ends.end() :].split("func.func")[0]):
            continue
        axis, own = int(dim), f"%scan_{match.start()}"
        places = [f"d{rank if n == axis else n}" for n in range(rank)]
        whole = _Reduction([(source, kind, ", ".join(places))], (target, kind, _dims(rank)), rank + 1)
        scans.append((match.start(), match.end(), f"{name}:1 = {whole.head()} {{ ^bb0({new}: {element}, {before}: {element}):"))
        body = (
            f"{own}_j = linalg.index {axis} : index {own}_k = linalg.index {rank} : index {own}_0 = arith.constant 0 : index "
            f"{own}_i = arith.cmpi eq, {own}_k, {own}_0 : index {own}_c = arith.cmpi ule, {own}_k, {own}_j : index "
            f"{own}_s = arith.select {own}_i, {new}, {done[1]} : {element} "
            f"{own}_r = arith.select {own}_c, {own}_s, {before} : {element} linalg.yield {own}_r : {element}"
        )
        scans += [(done.start(), done.end(), body), (ends.end(1), ends.end(), "")]
    return scans


def _scatters(text: str) -> list[Edit]:
    """An element of a scatter: combines it with each update whose indices select it."""
    scatters: list[Edit] = []
    for match in _SCATTER.finditer(text):
        where, update, places, value, element, kind, pairs, whole, target, result, shape, _, new, old = match.groups()
        dims, extents, into = [int(d) for d in where.split(",")], _extents(value), _extents(shape)
        rank, window = len(into), _window(extents[1:], into, dims)
        done = _YIELD.search(text, match.end())
        if window is None or done is None or len(_extents(pairs)) != 2:
            continue
        own = f"%scatter_{match.start()}"
        indices = [(places, kind, f"d{rank}, {n}") for n in range(len(dims))]
        updates = (update, f"tensor<{value or ''}{element}>", ", ".join([f"d{rank}", *window]))
        generic = _Reduction([updates, *indices], (target, result, _dims(rank)), rank + 1)
        names = [f"{own}_{n}" for n in range(len(dims))]
        arguments = ", ".join([f"{new}: {element}", *(f"{n}: {whole}" for n in names), f"{old}: {element}"])
        scatters.append((match.start(), match.end(), f"{generic.head()} {{ ^bb0({arguments}):"))
        body = [f"{own}_t = arith.constant true"]
        same = f"{own}_t"
        for name, dim in zip(names, dims, strict=True):
            body.append(f"{name}_d = linalg.index {dim} : index {name}_i = arith.index_cast {name}_d : index to {whole}")
            body.append(f"{name}_e = arith.cmpi eq, {name}, {name}_i : {whole} {name}_a = arith.andi {same}, {name}_e : i1")
            same = f"{name}_a"
        body.append(f"{own}_r = arith.select {same}, {done[1]}, {old} : {element} linalg.yield {own}_r : {element}")
        scatters.append((done.start(), done.end(), " ".join(body)))
    return scatters


def _window(extents: list[int], into: list[int], dims: list[int]) -> list[str] | None:
    """The loops that an update's further dimensions follow, which must be all dimensions without an index; None for other
    updates.
    """
    rest = [n for n in range(len(into)) if n not in dims]
    if extents == [1 if n in dims else size for n, size in enumerate(into)]:
        return ["0" if n in dims else f"d{n}" for n in range(len(into))]
    return [f"d{n}" for n in rest] if extents == [into[n] for n in rest] else None


def _extents(text: str | None) -> list[int]:
    return [int(n) for n in (text or "").split("x") if n]


def _dims(rank: int) -> str:
    return ", ".join(f"d{n}" for n in range(rank))
