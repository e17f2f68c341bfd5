"""Two slices of one argument, for many launches, are two descriptors that take turns."""

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


def test_a_rotation_by_halves() -> None:
    rng = np.random.default_rng(0)
    x, cos, sin = (
        rng.standard_normal(shape).astype(ml_dtypes.bfloat16)
        for shape in ((HEADS, TOKENS, 2 * HALF), (TOKENS, HALF), (TOKENS, HALF))
    )
    program = allo_air.compile(ROTATION, pipeline="npu", device="npu2")
    result = program(x, cos, sin)
    a, b, c, s = (v.astype(np.float32) for v in (x[..., :HALF], x[..., HALF:], cos, sin))
    expected = np.concatenate([a * c - b * s, b * c + a * s], -1)
    np.testing.assert_allclose(result.astype(np.float32), expected, rtol=0.02, atol=0.02)
    assert program.lowered.text.count("dma_configure_task_for") <= 8
