"""Matrix multiplications that are drawn: shapes, types, orders in memory, batches, and what follows the product."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import ml_dtypes
import numpy as np
from hypothesis import strategies as st

DTYPES = {"bf16": ml_dtypes.bfloat16, "f32": np.float32, "i8": np.int8, "i16": np.int16, "i32": np.int32}
WIDE = {"bf16": "f32", "f32": "f32", "i8": "i32", "i16": "i32", "i32": "i32"}


@dataclass(frozen=True)
class Product:
    """A (m x k, or k x m with `turned[0]`) times B, `batch` times (0: no dimension for it), plus a tensor of `side_type` that
    follows the loops in `side`, as elements of type `result`."""

    m: int
    n: int
    k: int
    element: str
    device: str
    turned: tuple[bool, bool]
    batch: int
    side: str
    side_type: str
    result: str

    def _tensor(self, loops: str, element: str) -> str:
        sizes = {"b": self.batch, "m": self.m, "n": self.n, "k": self.k}
        return f"tensor<{''.join(f'{sizes[loop]}x' for loop in loops)}{element}>"

    def inputs(self) -> list[Any]:
        """Small integers, of which floats hold all sums."""
        front = "b" * bool(self.batch)
        a, b = front + ("km" if self.turned[0] else "mk"), front + ("nk" if self.turned[1] else "kn")
        sizes = {"b": self.batch, "m": self.m, "n": self.n, "k": self.k}
        given = [(a, self.element), (b, self.element), *([(self.side, self.side_type)] if self.side else [])]
        rng = np.random.default_rng(prod((self.m, self.n, self.k)))
        return [rng.integers(-3, 4, [sizes[d] for d in dims]).astype(DTYPES[kind]) for dims, kind in given]

    def expected(self, a: Any, b: Any, side: Any = 0) -> Any:
        """The result of these inputs."""
        a, b, side = (np.asarray(x).astype(np.float32) for x in (a, b, side))
        sums = (np.swapaxes(a, -1, -2) if self.turned[0] else a) @ (np.swapaxes(b, -1, -2) if self.turned[1] else b)
        found = sums + (side[:, None] if self.side == "m" else side)
        return (
            found.astype(DTYPES[self.result])
            if WIDE[self.element] == "f32"
            else found.astype(np.int64).astype(DTYPES[self.result])
        )

    @property
    def text(self) -> str:
        """The function."""
        wide = WIDE[self.element]
        front, kind, zero = "b" * bool(self.batch), "f" if wide == "f32" else "i", "0.0" if wide == "f32" else "0"
        loops, extend = f"{front}mnk", "extf" if wide == "f32" else "extsi"
        a, b, c = front + ("km" if self.turned[0] else "mk"), front + ("nk" if self.turned[1] else "kn"), f"{front}mn"
        of_a, of_b, of_c = self._tensor(a, self.element), self._tensor(b, self.element), self._tensor(c, wide)
        of_d, of_r = self._tensor(self.side, self.side_type), self._tensor(c, self.result)
        x, y, both = "%x", "%y", ""
        if self.element != wide:
            x, y, both = (
                "%p",
                "%q",
                "\n".join(f"{v} = arith.{extend} {u} : {self.element} to {wide}" for v, u in (("%p", "%x"), ("%q", "%y"))),
            )
        body, last, side = "", "%x", "%y"
        if self.side and self.side_type != wide:
            body, side = f"%w = arith.{extend} %y : {self.side_type} to {wide}\n", "%w"
        if self.side:
            body, last = body + f"%s = arith.add{kind} %x, {side} : {wide}\n", "%s"
        if self.result != wide:
            body, last = body + f"%t = arith.trunc{kind} {last} : {wide} to {self.result}\n", "%t"
        inputs = f"%r, %d : {of_c}, {of_d}" if self.side else f"%r : {of_c}"
        arguments = f"%x: {wide}, %y: {self.side_type}" if self.side else f"%x: {wide}"
        maps = [_map(c, c), *([_map(c, self.side)] if self.side else []), _map(c, c)]
        return f"""func.func @gemm(%a: {of_a}, %b: {of_b}{f", %d: {of_d}" if self.side else ""}) -> {of_r} {{
          %zero = arith.constant {zero} : {wide}
          %e = tensor.empty() : {of_c}
          %i = linalg.fill ins(%zero : {wide}) outs(%e : {of_c}) -> {of_c}
          %r = linalg.generic {{indexing_maps = [{_map(loops, a)}, {_map(loops, b)}, {_map(loops, c)}],
              iterator_types = [{_kinds(loops)}]}} ins(%a, %b : {of_a}, {of_b}) outs(%i : {of_c}) {{
          ^bb0(%x: {self.element}, %y: {self.element}, %o: {wide}):
            {both}
            %m = arith.mul{kind} {x}, {y} : {wide}
            %s = arith.add{kind} %o, %m : {wide}
            linalg.yield %s : {wide}
          }} -> {of_c}
          %f = tensor.empty() : {of_r}
          %g = linalg.generic {{indexing_maps = [{", ".join(maps)}], iterator_types = [{_kinds(c)}]}}
              ins({inputs}) outs(%f : {of_r}) {{
          ^bb0({arguments}, %o: {self.result}):
            {body}linalg.yield {last} : {self.result}
          }} -> {of_r}
          return %g : {of_r}
        }}"""


def _map(loops: str, dims: str) -> str:
    return f"affine_map<({', '.join(loops)}) -> ({', '.join(dims)})>"


def _kinds(loops: str) -> str:
    return ", ".join('"reduction"' if loop == "k" else '"parallel"' for loop in loops)


@st.composite
def products(draw: st.DrawFn, largest: int) -> Product:
    """Those of at most about `largest` multiply-adds, from a single row to squares."""
    element = draw(st.sampled_from(("bf16", "i8", "i16", "f32", "i32")))
    most = largest // {"i32": 8, "f32": 6, "i16": 2}.get(element, 1)
    m, n, k = (
        draw(st.one_of(st.integers(1, end), st.integers(1, end // 16).map(lambda v: 16 * v))) for end in (700, 700, 1500)
    )
    while m * n * k > most:
        if k >= max(m, n):
            k = max(1, k // 2)
        elif m >= n:
            m = max(1, m // 2)
        else:
            n = max(1, n // 2)
    side = draw(st.sampled_from(("", "", "mn", "n", "m")))
    kinds = st.sampled_from((WIDE[element], element))
    return Product(
        m, n, k, element,
        draw(st.sampled_from(("npu1", "npu2", "npu1_2col"))),
        (draw(st.booleans()), draw(st.booleans())),
        draw(st.sampled_from((0, 0, 0, 2, 3))), side, draw(kinds), draw(kinds),
    )  # fmt: skip


@st.composite
def thin_products(draw: st.DrawFn, largest: int) -> Product:
    """Those of few rows or columns, of at most about `largest` multiply-adds, whose cores may all lie along the other ones."""
    element = draw(st.sampled_from(("bf16", "i8", "bf16", "i8", "i16", "f32")))
    most = largest // {"f32": 6, "i16": 2}.get(element, 1)
    few = draw(st.one_of(st.integers(1, 128), st.sampled_from((16, 32, 64, 128))))
    many = draw(st.one_of(st.integers(8 * few, 16 * few + 512), st.integers(1, 8).map(lambda v: 512 * v)))
    k = draw(st.one_of(st.integers(64, 2000), st.integers(1, 16).map(lambda v: 128 * v)))
    while few * many * k > most:
        if k > many:
            k //= 2
        else:
            many //= 2
    m, n = draw(st.permutations((few, many)))
    side = draw(st.sampled_from(("", "", "mn", "n", "m")))
    kinds = st.sampled_from((WIDE[element], element))
    return Product(
        m, n, k, element,
        draw(st.sampled_from(("npu1", "npu1", "npu2", "npu1_2col", "npu1_3col", "npu2_4col"))),
        (draw(st.booleans()), draw(st.booleans())), 0, side, draw(kinds) if side else WIDE[element],
        draw(kinds) if side else WIDE[element],
    )  # fmt: skip
