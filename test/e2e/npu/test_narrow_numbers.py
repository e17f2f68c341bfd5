"""Single numbers of types below 32 bits, which no transfer moves alone, beside tensors that many cores share."""

import ml_dtypes
import numpy as np
import pytest

import allo_air

MAP = "affine_map<(d0, d1) -> (d0, d1)>"


@pytest.mark.parametrize(("device", "element", "kind", "at"), [("npu1", "bf16", "bf16", ""), ("npu2", "i8", "3xi8", "1")])
def test_tensor_times_a_number_is_divided_over_cores(device: str, element: str, kind: str, at: str) -> None:
    multiply, wide = "mulf" if element == "bf16" else "muli", f"tensor<130x514x{element}>"
    program = allo_air.compile(
        f"""func.func @main(%x: {wide}, %s: tensor<{kind}>) -> {wide} {{
  %e = tensor.empty() : {wide}
  %y = linalg.generic {{indexing_maps = [{MAP}, affine_map<(d0, d1) -> ({at})>, {MAP}],
      iterator_types = ["parallel", "parallel"]}} ins(%x, %s : {wide}, tensor<{kind}>) outs(%e : {wide}) {{
  ^bb0(%a: {element}, %b: {element}, %o: {element}):
    %r = arith.{multiply} %a, %b : {element}
    linalg.yield %r : {element}
  }} -> {wide}
  return %y : {wide}
}}
""",
        "npu",
        device=device,
        cache=False,
    )
    dtype = ml_dtypes.bfloat16 if element == "bf16" else np.int8
    x = np.random.default_rng(0).integers(-11, 12, (130, 514)).astype(dtype)
    s = np.array([2, 3, 5][: None if at else 1], dtype).reshape((3,) if at else ())
    expected = x * (s[1] if at else s)
    np.testing.assert_array_equal(program(x, s).astype(np.float32), expected.astype(np.float32))
    assert program.report().cycles < 300_000  # of scalar code for i8, which one core alone would run eight times as long
