"""Contractions of any loops, operand order and types as one kernel, run on the simulator against numpy in float64."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import allo_air

DTYPES = {"bf16": ml_dtypes.bfloat16, "f32": np.float32, "i32": np.int32, "i8": np.int8, "i16": np.int16}
WIDE = {"bf16": "f32", "f32": "f32", "i8": "i32", "i16": "i32", "i32": "i32"}


def einsum(text: str, sizes: dict[str, int], element: str) -> str:
    """A function of one linalg.generic that multiplies and adds up as `text` says, as in bmhd,bnhd->bhmn."""
    ins, out = text.split("->")
    a, b = ins.split(",")
    loops = sorted(sizes)
    wide = WIDE[element]
    suffix = "f" if wide == "f32" else "i"
    kinds = ", ".join('"parallel"' if loop in out else '"reduction"' for loop in loops)
    maps = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(dims)})>" for dims in (a, b, out))
    of_a, of_b, of_c = (
        f"tensor<{''.join(f'{sizes[d]}x' for d in dims)}{kind}>" for dims, kind in ((a, element), (b, element), (out, wide))
    )
    extension = {"f": "extf", "i": "extsi"}[suffix]
    x, y, extensions = "%x", "%y", ""
    if element != wide:
        x, y = "%p", "%q"
        extensions = f"%p = arith.{extension} %x : {element} to {wide}\n%q = arith.{extension} %y : {element} to {wide}"
    return f"""func.func @contraction(%a: {of_a}, %b: {of_b}) -> {of_c} {{
      %zero = arith.constant {"0.0" if suffix == "f" else "0"} : {wide}
      %empty = tensor.empty() : {of_c}
      %init = linalg.fill ins(%zero : {wide}) outs(%empty : {of_c}) -> {of_c}
      %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}
          ins(%a, %b : {of_a}, {of_b}) outs(%init : {of_c}) {{
      ^bb0(%x: {element}, %y: {element}, %o: {wide}):
        {extensions}
        %m = arith.mul{suffix} {x}, {y} : {wide}
        %s = arith.add{suffix} %o, %m : {wide}
        linalg.yield %s : {wide}
      }} -> {of_c}
      return %r : {of_c}
    }}"""


@pytest.mark.parametrize(
    ("text", "shape", "element", "options"),
    [
        ("bmhd,bnhd->bhmn", "b2 h3 m16 n8 d16", "f32", ""),  # heads inside of rows
        ("bhmn,bnhd->bmhd", "b2 h2 m8 n16 d16", "bf16", "{device=npu2}"),  # the result's, too
        ("bmk,kn->bmn", "b3 m7 k10 n9", "i8", ""),  # a layer on sequences; nothing divides
        ("mk,bkn->bmn", "b3 m8 k16 n8", "i16", ""),
        ("kgmd,knd->kgmn", "k2 g2 m8 n8 d16", "bf16", ""),  # one head of keys for several of queries
        ("kn,mk->nm", "m12 n20 k8", "bf16", ""),  # transposed result
        ("mk,k->m", "m33 k17", "f32", ""),
        ("k,kn->n", "n20 k24", "bf16", "{device=npu2}"),
        ("mk,kn->mn", "m1 n1100 k130", "bf16", "{device=npu2}"),  # one row, which is multiplied as a column
        ("bmk,bk->bm", "b3 m12 k16", "i32", "{device=npu2}"),
        ("k,k->", "k40", "i8", ""),
        ("bk,bk->b", "b5 k16", "f32", ""),
        ("abcmk,abckn->abcmn", "a2 b1 c3 m4 k8 n4", "i32", ""),  # three loops around it
    ],
)
def test_contraction(text: str, shape: str, element: str, options: str) -> None:
    sizes = {word[0]: int(word[1:]) for word in shape.split()}
    ins, _ = text.split("->")
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-4, 5, [sizes[d] for d in dims]).astype(DTYPES[element]) for dims in ins.split(","))
    program = allo_air.compile(einsum(text, sizes, element), f"gemm-{element}{options}", cache=False)
    exact = np.einsum(text, a.astype(np.float64), b.astype(np.float64))
    np.testing.assert_array_equal(np.asarray(program(a, b), np.float64), exact)


@pytest.mark.parametrize("device", ["npu1", pytest.param("npu2", marks=pytest.mark.slow)])
def test_sums_of_bf16_are_made_by_mac_instructions_and_rounded_once(device: str) -> None:
    m, n, k = 20, 24, 40
    source = f"""func.func @f(%a: tensor<{m}x{k}xbf16>, %b: tensor<{k}x{n}xbf16>) -> tensor<{m}x{n}xbf16> {{
      %z = arith.constant 0.0 : bf16
      %e = tensor.empty() : tensor<{m}x{n}xbf16>
      %f = linalg.fill ins(%z : bf16) outs(%e : tensor<{m}x{n}xbf16>) -> tensor<{m}x{n}xbf16>
      %c = linalg.matmul ins(%a, %b : tensor<{m}x{k}xbf16>, tensor<{k}x{n}xbf16>)
          outs(%f : tensor<{m}x{n}xbf16>) -> tensor<{m}x{n}xbf16>
      return %c : tensor<{m}x{n}xbf16>
    }}"""
    program = allo_air.compile(source, device=device, cache=False)
    assert "vector.contract" in program.text("aie")
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(s).astype(ml_dtypes.bfloat16) for s in ((m, k), (k, n)))
    wide = a.astype(np.float64) @ b.astype(np.float64)
    assert (np.abs(program(a, b).astype(np.float64) - wide) <= 2.0**-8 * np.abs(wide) + 1e-5).all()
