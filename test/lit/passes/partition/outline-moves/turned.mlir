// RUN: allo-opt %s --split-input-file --outline-moves | filecheck %s

// Where nothing else is done, memtiles turn tiles of 32-bit numbers: four columns a band of the source each. Shorter runs, and
// numbers of 16 bits, go through the cores.

// CHECK-LABEL: func.func private @words_moves_0(%arg0: tensor<512x1024xf32>) -> tensor<1024x512xf32>
// CHECK-SAME:    4 streams of external memory
// CHECK-SAME:    routes = [{operand = "0", turn = array<i64: 128, 1, {{[0-9, ]*}}>, walks = [array<i64: 0, 0, 512, 1024, 128, 1>, array<i64: 1, 0, {{[0-9, ]*}}, 1>
// CHECK-LABEL: func.func @words
// CHECK:         call @words_moves_0
// CHECK-LABEL: func.func @narrow
// CHECK:         linalg.generic
// CHECK-LABEL: func.func @brief
// CHECK:         linalg.generic
func.func @words(%a: tensor<512x1024xf32>) -> tensor<1024x512xf32> {
  %e = tensor.empty() : tensor<1024x512xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<512x1024xf32>) outs(%e : tensor<1024x512xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<1024x512xf32>
  return %r : tensor<1024x512xf32>
}

// -----

func.func @narrow(%a: tensor<1024x16xf32>) -> tensor<16x1024xf32> {
  %e = tensor.empty() : tensor<16x1024xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<1024x16xf32>) outs(%e : tensor<16x1024xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<16x1024xf32>
  return %r : tensor<16x1024xf32>
}

// -----

func.func @brief(%a: tensor<512x1024xbf16>) -> tensor<1024x512xbf16> {
  %e = tensor.empty() : tensor<1024x512xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<512x1024xbf16>) outs(%e : tensor<1024x512xbf16>) {
  ^bb0(%x: bf16, %o: bf16):
    linalg.yield %x : bf16
  } -> tensor<1024x512xbf16>
  return %r : tensor<1024x512xbf16>
}
