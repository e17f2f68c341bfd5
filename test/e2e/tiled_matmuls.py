"""Tiled matrix multiplications as somebody writes them: buffers, copies and linalg.matmul on whole tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from allo_air.dtypes import numpy_dtype


@dataclass(frozen=True)
class Tiled:
    """C = A B (MxNxK), with `bias` along N and `relu`, on tiles of `tile`; A and B are given transposed if `turned`.

    With `adds` the product is added to what C holds; with `unsigned` A and B have no signs. If it is
    added `twice`, a second loop goes over A and B again.
    """

    element: str
    total: str
    sizes: tuple[int, int, int] = (64, 64, 64)
    tile: tuple[int, int, int] = (32, 32, 32)
    turned: tuple[bool, bool] = (False, False)
    adds: bool = False
    bias: bool = False
    relu: bool = False
    unsigned: bool = False
    twice: bool = False

    @property
    def is_float(self) -> bool:
        """Whether the numbers are of floating point."""
        return "f" in self.element

    def arguments(self) -> list[Any]:
        """Random operands, the bias if there is one, and zeros for the result."""
        random = np.random.default_rng(0)
        m, n, k = self.sizes

        def draw(shape: tuple[int, ...], name: str) -> Any:
            kind = numpy_dtype(name)
            if self.is_float:
                return random.standard_normal(shape).astype(np.float32).astype(kind)
            most = np.iinfo(kind).max
            return random.integers(-most, most, shape).astype(kind)

        a, b = (draw(s[:: -1 if t else 1], self.element) for s, t in zip(((m, k), (k, n)), self.turned, strict=True))
        return [a, b, *([draw((n,), self.total)] if self.bias else []), draw((m, n), self.total)]

    def expected(self, a: Any, b: Any, *rest: Any) -> Any:
        """The result of `arguments` in wide numbers; integers wrap as those of its type."""
        wide = np.float64 if self.is_float else np.int64
        if self.unsigned:
            a, b = (x.view(f"u{x.dtype}") for x in (a, b))
        a, b = ((x.T if t else x).astype(wide) for x, t in zip((a, b), self.turned, strict=True))
        found = (1 + self.twice) * (a @ b) + sum(x.astype(wide) for x in (*rest[: self.bias], *rest[-1:][: self.adds]))
        found = found if self.is_float else found.astype(numpy_dtype(self.total)).astype(wide)
        return np.maximum(found, 0) if self.relu else found

    def text(self) -> str:
        """The program."""
        (m, n, k), (tm, tn, tk), (ta, tb) = self.sizes, self.tile, self.turned
        zero, add, most = ("0.0", "addf", "maximumf") if self.is_float else ("0", "addi", "maxsi")
        total = self.total
        shapes = {"a": (k, m) if ta else (m, k), "b": (n, k) if tb else (k, n), "c": (m, n), "d": (n,)}
        tiles = {"a": (tk, tm) if ta else (tm, tk), "b": (tn, tk) if tb else (tk, tn), "c": (tm, tn), "d": (tn,)}
        places = {"a": ("%k", "%y") if ta else ("%y", "%k"), "b": ("%x", "%k") if tb else ("%k", "%x"), "c": ("%y", "%x")}
        places |= {"d": ("%x",)}
        types = {name: self.element if name in "ab" else total for name in shapes}

        def kind(shape: tuple[int, ...], name: str, space: str = "") -> str:
            return f"memref<{'x'.join(map(str, shape))}x{types[name]}{space}>"

        host, core = ({name: kind(of[name], name, s) for name in shapes} for of, s in ((shapes, ""), (tiles, ", 2")))
        views = {
            name: kind(tiles[name], name, f", strided<[{', '.join(map(str, (*s[1:], 1)))}], offset: ?>")
            for name, s in shapes.items()
        }

        def view(name: str) -> str:
            ones = ", ".join("1" for _ in tiles[name])
            return (
                f"%v{name} = memref.subview %{name}[{', '.join(places[name])}] [{', '.join(map(str, tiles[name]))}] [{ones}]"
                f" : {host[name]} to {views[name]}"
            )

        def load(name: str) -> str:
            return f"""%l{name} = memref.alloc() : {core[name]}
      {view(name)}
      memref.copy %v{name}, %l{name} : {views[name]} to {core[name]}"""

        rows = [
            f"affine_map<(m, n, k) -> {'(k, m)' if ta else '(m, k)'}>",
            f"affine_map<(m, n, k) -> {'(n, k)' if tb else '(k, n)'}>",
        ]
        maps = f"indexing_maps = [{', '.join(rows)}, affine_map<(m, n, k) -> (m, n)>]"
        cast = " {cast = #linalg.type_fn<cast_unsigned>}" if self.unsigned else ""
        same, along = "affine_map<(i, j) -> (i, j)>", "affine_map<(i, j) -> (j)>"
        kinds = 'iterator_types = ["parallel", "parallel"]'
        behind = ""
        if self.bias:
            behind += f"""
    {load("d")}
    linalg.generic {{indexing_maps = [{along}, {same}], {kinds}}} ins(%ld : {core["d"]}) outs(%lc : {core["c"]}) {{
    ^bb0(%p: {total}, %q: {total}):
      %s = arith.{add} %p, %q : {total}
      linalg.yield %s : {total}
    }}"""
        if self.relu:
            behind += f"""
    linalg.generic {{indexing_maps = [{same}], {kinds}}} outs(%lc : {core["c"]}) {{
    ^bb0(%q: {total}):
      %s = arith.{most} %zero, %q : {total}
      linalg.yield %s : {total}
    }}"""
        start = f"memref.copy %vc, %lc : {views['c']} to {core['c']}"
        start = start if self.adds else f"linalg.fill ins(%zero : {total}) outs(%lc : {core['c']})"
        loop = f"""
    scf.for %k = %c0 to %depth step %step {{
      {load("a")}
      {load("b")}
      linalg.matmul {maps}{cast} ins(%la, %lb : {core["a"]}, {core["b"]}) outs(%lc : {core["c"]})
      memref.dealloc %la : {core["a"]}
      memref.dealloc %lb : {core["b"]}
    }}"""
        given = ", ".join(f"%{name}: {host[name]}" for name in ("abdc" if self.bias else "abc"))
        return f"""
func.func @tiled({given}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant {m // tm} : index
  %columns = arith.constant {n // tn} : index
  %step = arith.constant {tk} : index
  %depth = arith.constant {k} : index
  %zero = arith.constant {zero} : {total}
  scf.parallel (%i, %j) = (%c0, %c0) to (%rows, %columns) step (%c1, %c1) {{
    %y = affine.apply affine_map<(d0) -> (d0 * {tm})>(%i)
    %x = affine.apply affine_map<(d0) -> (d0 * {tn})>(%j)
    %lc = memref.alloc() : {core["c"]}
    {view("c")}
    {start}{loop}{loop if self.twice else ""}{behind}
    memref.copy %lc, %vc : {core["c"]} to {views["c"]}
    memref.dealloc %lc : {core["c"]}
    scf.reduce
  }}
  return
}}
"""
