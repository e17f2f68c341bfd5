"""Attention as linalg on tensors, of any sizes, and what it has to give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from allo_air.dtypes import numpy_dtype

MAPS = """
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m = affine_map<(b, m, n, k) -> (b, m, k)>
#n = affine_map<(b, m, n, k) -> (b, n, k)>
#kn = affine_map<(b, m, n, k) -> (b, k, n)>
#mn = affine_map<(b, m, n, k) -> (b, m, n)>
"""
PRODUCT = 'iterator_types = ["parallel", "parallel", "parallel", "reduction"]'
EACH = 'iterator_types = ["parallel", "parallel", "parallel"]'


@dataclass(frozen=True)
class Case:
    """`heads` of `queries` x `d`, `keys` x `d` and `keys` x `v`; `group` heads share keys and values.

    `mask` is None, "causal" (from indices), "added" or "least" (-inf, or the least number, is added to the scores that a causal
    mask hides), "window" (causal, and at most 9 keys back), "near" (at most 9 keys before or after), "constant" (a causal
    tensor of 0 and -inf is added), "slopes" (head times key, from indices), or the shape of a tensor that is added to the
    scores, with 1 where it is broadcast.
    """

    heads: int
    queries: int
    keys: int
    d: int
    v: int
    element: str = "f32"
    group: int = 1
    mask: Any = None

    @property
    def scale(self) -> float:
        return float(self.d) ** -0.5

    def source(self) -> str:
        """The function, with linalg.softmax between two generics."""
        h, m, n, e = self.heads, self.queries, self.keys, self.element
        q, s, o = f"tensor<{h}x{m}x{self.d}x{e}>", f"tensor<{h}x{m}x{n}xf32>", f"tensor<{h}x{m}x{self.v}xf32>"
        k, v = (f"tensor<{h // self.group}x{n}x{size}x{e}>" for size in (self.d, self.v))
        wide_k, wide_v = (f"tensor<{h}x{n}x{size}x{e}>" for size in (self.d, self.v))
        extend, x = (lambda name: f"%{name}x = arith.extf %{name} : bf16 to f32", "x") if e == "bf16" else (lambda _: "", "")
        r = f"tensor<{h}x{m}x{self.v}x{e}>"
        shared = self._shared("k", self.d) + self._shared("v", self.v) if self.group > 1 else ""
        name_k, name_v = ("%kc", "%vc") if shared else ("%k", "%v")
        mask, mask_map, body = self._mask()
        finish, constant = "", f"tensor<{m}x{n}xf32>"
        if e == "bf16":
            finish = f"""
  %re = tensor.empty() : {r}
  %result = linalg.generic {{indexing_maps = [#id, #id], {EACH}}} ins(%out : {o}) outs(%re : {r}) {{
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  }} -> {r}"""
        return f"""{MAPS}
func.func @attention(%q: {q}, %k: {k}, %v: {v}{f", %mask: {mask}" if mask else ""}) -> {r} {{
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : {s}{shared}{self._constant()}
  %sf = linalg.fill ins(%zero : f32) outs(%se : {s}) -> {s}
  %dots = linalg.generic {{indexing_maps = [#m, #n, #mn], {PRODUCT}}} ins(%q, {name_k} : {q}, {wide_k}) outs(%sf : {s}) {{
  ^bb0(%a: {e}, %b: {e}, %o: f32):
    {extend("a")}
    {extend("b")}
    %p = arith.mulf %a{x}, %b{x} : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  }} -> {s}
  %scores = linalg.generic {{indexing_maps = [#id, {mask_map}#id], {EACH}}}
      ins(%dots{", %mask" if mask_map else ""} : {s}{f", {mask or constant}" if mask_map else ""}) outs(%se : {s}) {{
  ^bb0(%s: f32, {"%b: f32, " if mask_map else ""}%o: f32):
    %scale = arith.constant {self.scale!r} : f32
    %t = arith.mulf %s, %scale : f32
    {body}
  }} -> {s}
  %weights = linalg.softmax dimension(2) ins(%scores : {s}) outs(%se : {s}) -> {s}
  %oe = tensor.empty() : {o}
  %of = linalg.fill ins(%zero : f32) outs(%oe : {o}) -> {o}
  %out = linalg.generic {{indexing_maps = [#m, #kn, #mn], {PRODUCT}}} ins(%weights, {name_v} : {s}, {wide_v}) outs(%of : {o}) {{
  ^bb0(%a: f32, %b: {e}, %o: f32):
    {extend("b")}
    %p = arith.mulf %a, %b{x} : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  }} -> {o}{finish}
  return {"%result" if finish else "%out"} : {r}
}}
"""

    def _shared(self, name: str, size: int) -> str:
        """%namec: %name for each head of its group."""
        front, rest = f"{self.heads // self.group}x", f"{self.keys}x{size}x{self.element}>"
        wide = f"tensor<{front}{self.group}x{rest}"
        return f"""
  %{name}e = tensor.empty() : {wide}
  %{name}b = linalg.broadcast ins(%{name} : tensor<{front}{rest}) outs(%{name}e : {wide}) dimensions = [1]
  %{name}c = tensor.collapse_shape %{name}b [[0, 1], [2], [3]] : {wide} into tensor<{self.heads}x{rest}"""

    def _constant(self) -> str:
        """The operation %mask of a constant mask."""
        if self.mask != "constant":
            return ""
        rows = ["[" + ", ".join("0.0" if k <= q else "0xFF800000" for k in range(self.keys)) + "]" for q in range(self.queries)]
        return f"\n  %mask = arith.constant dense<[{', '.join(rows)}]> : tensor<{self.queries}x{self.keys}xf32>"

    def _mask(self) -> tuple[str, str, str]:
        """The type of the mask, its map, and what makes the score of %t and of the mask's element %b."""
        if isinstance(self.mask, tuple):
            places = ", ".join("0" if extent == 1 else f"d{n}" for n, extent in enumerate(self.mask))
            shape = "x".join(map(str, self.mask))
            body = "%u = arith.addf %t, %b : f32\n    linalg.yield %u : f32"
            return f"tensor<{shape}xf32>", f"affine_map<(d0, d1, d2) -> ({places})>, ", body
        if self.mask is None:
            return "", "", "linalg.yield %t : f32"
        if self.mask == "constant":
            return "", "affine_map<(d0, d1, d2) -> (d1, d2)>, ", "%u = arith.addf %t, %b : f32\n    linalg.yield %u : f32"
        if self.mask == "slopes":
            body = """%h = linalg.index 0 : index
    %j = linalg.index 2 : index
    %p = arith.muli %h, %j : index
    %i = arith.index_cast %p : index to i32
    %f = arith.sitofp %i : i32 to f32
    %u = arith.subf %t, %f : f32
    linalg.yield %u : f32"""
            return "", "", body
        body = """%i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi sle, %j, %i : index
    %low = arith.constant 0xFF800000 : f32
    %u = arith.select %c, %t, %low : f32
    linalg.yield %u : f32"""
        if self.mask != "causal":
            body = body.replace("select %c, %t, %low : f32", "select %c, %none, %low : f32\n    %y = arith.addf %t, %u : f32")
            body = "%none = arith.constant 0.0 : f32\n    " + body.replace("yield %u", "yield %z")
            body = body.replace("linalg.yield", "%z = arith.addf %y, %none : f32\n    linalg.yield")
        if self.mask == "least":
            body = body.replace("0xFF800000", "0xFF7FFFFF")
        if self.mask == "window":
            near = "%nine = arith.constant 9 : index\n    %p = arith.subi %i, %nine : index\n    "
            near += "%n = arith.cmpi sge, %j, %p : index\n    %both = arith.andi %c, %n : i1\n    "
            body = body.replace("%low =", f"{near}%low =").replace("select %c", "select %both")
        if self.mask == "near":
            near = "%nine = arith.constant 9 : index\n    %p = arith.subi %i, %j : index\n    %a = math.absi %p : index\n    "
            near += "%n = arith.cmpi sge, %nine, %a : index\n    "
            body = body.replace("%low =", f"{near}%low =").replace("select %c", "select %n")
        return "", "", body

    def inputs(self, seed: int = 0) -> list[np.ndarray]:
        """Random arguments of the standard normal distribution; 3 of 10 elements of a mask are -inf."""
        random = np.random.default_rng(seed)
        shapes = [(self.heads, self.queries, self.d), *((self.heads // self.group, self.keys, n) for n in (self.d, self.v))]
        arrays = [random.standard_normal(s).astype(np.float32).astype(numpy_dtype(self.element)) for s in shapes]
        if isinstance(self.mask, tuple):
            hidden = random.random(self.mask) < 0.3
            arrays.append(np.where(hidden, -np.inf, random.standard_normal(self.mask)).astype(np.float32))
        return arrays

    def wanted(self, arrays: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """The result in float64, and for each element of it the sum of the weights times the magnitudes of the values."""
        q, k, v = (a.astype(np.float64) for a in arrays[:3])
        k, v = np.repeat(k, self.group, 0), np.repeat(v, self.group, 0)
        scores = q @ k.transpose(0, 2, 1) * self.scale
        if isinstance(self.mask, tuple):
            scores = scores + arrays[3].astype(np.float64)
        elif self.mask == "slopes":
            scores = scores - np.arange(self.heads)[:, None, None] * np.arange(self.keys)
        elif self.mask is not None:
            back, ahead = (9 if self.mask in ("window", "near") else self.queries), 9 if self.mask == "near" else 0
            shown = np.tri(self.queries, self.keys, ahead, dtype=bool) & ~np.tri(self.queries, self.keys, -1 - back, dtype=bool)
            scores = np.where(shown, scores, -np.inf)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        return weights @ v, weights @ np.abs(v)
