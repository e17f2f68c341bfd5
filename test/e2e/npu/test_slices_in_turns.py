"""Rotations by halves: slices of one argument take turns, and their concatenation is part of the kernel that reads it."""

from typing import Any

import ml_dtypes
import numpy as np

import allo_air

HEADS, TOKENS, HALF = 4, 256, 32
X, P = f"tensor<{HEADS}x{TOKENS}x{2 * HALF}xbf16>", f"tensor<{HEADS}x{TOKENS}x{HALF}xbf16>"
C = f"tensor<{TOKENS}x{HALF}xbf16>"


def _half(name: str, first: str, second: str, combine: str) -> str:
    return f"""
  %{name} = linalg.generic {{indexing_maps = [#x, #x, #c, #c, #x], iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%a, %b, %cos, %sin : {P}, {P}, {C}, {C}) outs(%e : {P}) {{
  ^b(%u: bf16, %v: bf16, %c: bf16, %s: bf16, %o: bf16):
    %m = arith.mulf %{first}, %c : bf16
    %n = arith.mulf %{second}, %s : bf16
    %r = arith.{combine} %m, %n : bf16
    linalg.yield %r : bf16
  }} -> {P}"""


ROTATION = f"""
#x = affine_map<(h, t, d) -> (h, t, d)>
#c = affine_map<(h, t, d) -> (t, d)>
func.func @f(%x: {X}, %cos: {C}, %sin: {C}) -> {X} {{
  %a = tensor.extract_slice %x[0, 0, 0] [{HEADS}, {TOKENS}, {HALF}] [1, 1, 1] : {X} to {P}
  %b = tensor.extract_slice %x[0, 0, {HALF}] [{HEADS}, {TOKENS}, {HALF}] [1, 1, 1] : {X} to {P}
  %e = tensor.empty() : {P}{_half("p", "u", "v", "subf")}{_half("q", "v", "u", "addf")}
  %r = tensor.concat dim(2) %p, %q : ({P}, {P}) -> {X}
  return %r : {X}
}}
"""

F = f"tensor<{TOKENS}x{2 * HALF}xbf16>"
ROTATE_HALF = f"""
#x = affine_map<(h, t, d) -> (h, t, d)>
#c = affine_map<(h, t, d) -> (t, d)>
func.func @f(%x: {X}, %cos: {F}, %sin: {F}) -> {X} {{
  %a = tensor.extract_slice %x[0, 0, 0] [{HEADS}, {TOKENS}, {HALF}] [1, 1, 1] : {X} to {P}
  %b = tensor.extract_slice %x[0, 0, {HALF}] [{HEADS}, {TOKENS}, {HALF}] [1, 1, 1] : {X} to {P}
  %e = tensor.empty() : {P}
  %minus = linalg.generic {{indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%b : {P}) outs(%e : {P}) {{
  ^b(%u: bf16, %o: bf16):
    %n = arith.negf %u : bf16
    linalg.yield %n : bf16
  }} -> {P}
  %rotated = tensor.concat dim(2) %minus, %a : ({P}, {P}) -> {X}
  %f = tensor.empty() : {X}
  %r = linalg.generic {{indexing_maps = [#x, #x, #c, #c, #x], iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%x, %rotated, %cos, %sin : {X}, {X}, {F}, {F}) outs(%f : {X}) {{
  ^b(%u: bf16, %v: bf16, %c: bf16, %s: bf16, %o: bf16):
    %m = arith.mulf %u, %c : bf16
    %n = arith.mulf %v, %s : bf16
    %p = arith.addf %m, %n : bf16
    linalg.yield %p : bf16
  }} -> {X}
  return %r : {X}
}}
"""


def _numbers(*shapes: tuple[int, ...]) -> list[Any]:
    rng = np.random.default_rng(0)
    return [rng.standard_normal(shape).astype(ml_dtypes.bfloat16) for shape in shapes]


def test_what_reads_a_concatenation_is_in_its_kernel() -> None:
    x, cos, sin = _numbers((HEADS, TOKENS, 2 * HALF), (TOKENS, 2 * HALF), (TOKENS, 2 * HALF))
    program = allo_air.compile(ROTATE_HALF, pipeline="npu", device="npu2")
    result = program(x, cos, sin)
    wide, c, s = (v.astype(np.float32) for v in (x, cos, sin))
    expected = wide * c + np.concatenate([-wide[..., HALF:], wide[..., :HALF]], -1) * s
    np.testing.assert_allclose(result.astype(np.float32), expected, rtol=0.02, atol=0.02)
    moved = sum(v.nbytes for v in (x, x, x, cos, sin))  # the slices again
    assert program.report().run.ddr_bytes <= moved


def test_a_rotation_by_halves() -> None:
    x, cos, sin = _numbers((HEADS, TOKENS, 2 * HALF), (TOKENS, HALF), (TOKENS, HALF))
    program = allo_air.compile(ROTATION, pipeline="npu", device="npu2")
    result = program(x, cos, sin)
    a, b, c, s = (v.astype(np.float32) for v in (x[..., :HALF], x[..., HALF:], cos, sin))
    expected = np.concatenate([a * c - b * s, b * c + a * s], -1)
    np.testing.assert_allclose(result.astype(np.float32), expected, rtol=0.02, atol=0.02)
    assert program.lowered.text.count("dma_configure_task_for") <= 8
