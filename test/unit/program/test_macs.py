"""Products that a source on tensors adds up, which reports count, not those of padding."""

import pytest

import allo_air
from allo_air.program.source import source_of

OUT = "affine_map<(n, o, i, c, k) -> (n, o, i)>"


def summed(body: str) -> str:
    return f"""func.func @main(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %init: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {{
      %y = linalg.generic {{indexing_maps = [affine_map<(n, o, i, c, k) -> (n, c, i + k)>,
          affine_map<(n, o, i, c, k) -> (o, c, k)>, {OUT}],
          iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}}
          ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) outs(%init : tensor<2x5x8xf32>) {{
      ^bb0(%a: f32, %b: f32, %o: f32):
        {body}
        linalg.yield %s : f32
      }} -> tensor<2x5x8xf32>
      return %y : tensor<2x5x8xf32>
    }}"""


@pytest.mark.parametrize(
    ("body", "macs"),
    [
        ("%m = arith.mulf %a, %b : f32\n%s = arith.addf %o, %m : f32", 2 * 5 * 8 * 3 * 2),
        ("%m = arith.mulf %a, %b : f32\n%s = arith.maximumf %o, %m : f32", 0),
        ("%m = arith.addf %a, %b : f32\n%s = arith.addf %o, %m : f32", 0),
    ],
)
def test_sums_of_products_are_counted(body: str, macs: int) -> None:
    assert source_of(summed(body)).macs == macs


def test_report_counts_what_the_source_adds_up() -> None:
    source = """func.func @main(%a: tensor<3x7xbf16>, %b: tensor<7x5xbf16>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
      %y = linalg.matmul ins(%a, %b : tensor<3x7xbf16>, tensor<7x5xbf16>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
      return %y : tensor<3x5xf32>
    }"""
    assert allo_air.compile(source, cache=False).estimate().macs == 3 * 7 * 5
