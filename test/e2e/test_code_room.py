"""A program whose operations have more code together than a core's program memory becomes several kernels."""

from __future__ import annotations

import numpy as np
import pytest

import allo_air
from allo_air.errors import DiagnosticError

ROWS, COLUMNS, FUNCTIONS = 4, 16, 13


def chain(functions: int) -> str:
    kind = f"tensor<{ROWS}x{COLUMNS}xf32>"
    ops = "\n".join(
        f"%e{n} = tensor.empty() : {kind}\n%x{n + 1} = linalg.tanh ins(%x{n} : {kind}) outs(%e{n} : {kind}) -> {kind}"
        for n in range(functions)
    )
    return f"func.func @chain(%x0: {kind}) -> {kind} {{\n{ops}\nreturn %x{functions} : {kind}\n}}"


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_a_chain_of_functions_is_divided_where_its_code_does_not_fit(device: str) -> None:
    program = allo_air.compile(chain(FUNCTIONS), device=device, cache=False)
    x = np.random.default_rng(0).standard_normal((ROWS, COLUMNS), np.float32)
    expected = x.astype(np.float64)
    for _ in range(FUNCTIONS):
        expected = np.tanh(expected)
    program(x, expect=expected.astype(np.float32))
    reasons = [note for name, note in program.notes.items() if name.endswith(" partition")]
    assert len(reasons) == 2 and all("bytes of code, for program memory" in reason for reason in reasons)
    report = program.report()
    assert all(code.bytes <= code.of for code in report.code_bytes)
    assert report.reconfigurations == 0


def test_one_operation_that_is_too_long_is_an_error_at_its_line() -> None:
    kind = f"tensor<{ROWS}x{COLUMNS}xf32>"
    body = "\n".join(f"%t{n + 1} = math.tanh %t{n} : f32" for n in range(FUNCTIONS))
    text = f"""#map = affine_map<(i, j) -> (i, j)>
    func.func @long(%x: {kind}) -> {kind} {{
      %e = tensor.empty() : {kind}
      %r = linalg.generic {{indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}}
          ins(%x : {kind}) outs(%e : {kind}) {{
      ^bb0(%t0: f32, %o: f32):
        {body}
        linalg.yield %t{FUNCTIONS} : f32
      }} -> {kind}
      return %r : {kind}
    }}"""
    pattern = (
        r":4:\d+: error: kernel @long_rows_0, 1 operation, takes at least 1[6-9],\d+ bytes of code .* it cannot be divided"
    )
    with pytest.raises(DiagnosticError, match=pattern):
        allo_air.compile(text, device="npu1", cache=False)
