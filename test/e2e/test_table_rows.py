"""Rows of a table, picked by numbers of an argument, on few columns."""

import numpy as np

import allo_air

ROWS = """
func.func @f(%at: tensor<128xi32>, %table: tensor<1000x1024xf32>) -> tensor<128x1024xf32> {
  %e = tensor.empty() : tensor<128x1024xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%at : tensor<128xi32>) outs(%e : tensor<128x1024xf32>) {
  ^bb0(%a: i32, %o: f32):
    %row = arith.index_cast %a : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%row, %j] : tensor<1000x1024xf32>
    linalg.yield %v : f32
  } -> tensor<128x1024xf32>
  return %r : tensor<128x1024xf32>
}"""


def test_the_numbers_of_rows_and_many_pieces_of_a_table_do_not_share_a_channel() -> None:
    """The four channels of two columns suffice for four parts of the table only if the numbers precede one part: its memtile
    would need a descriptor for each of 40 pieces."""
    rng = np.random.default_rng(0)
    at, table = rng.integers(0, 1000, 128).astype(np.int32), rng.standard_normal((1000, 1024)).astype(np.float32)
    program = allo_air.compile(ROWS, "npu", device="npu1_2col", cache=False)
    np.testing.assert_array_equal(program(at, table), table[at])
