// Rows of bf16 that are not whole words get longer, by an eighth at most, where no tiles are found otherwise. A core turns
// 32 columns of 128 rows, in a fifth of the time that it takes for a square.
// RUN: allo-opt %s --plan-tiles | filecheck %s

// CHECK-LABEL: func.func private @turned(%arg0: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
// CHECK-SAME:    core = array<i64: 128, 32>, {{.*}}launch = array<i64: 512, 128>
func.func private @turned(%x: tensor<1001x1003xbf16>) -> tensor<1003x1001xbf16> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<1003x1001xbf16>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1001x1003xbf16>) outs(%e : tensor<1003x1001xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    linalg.yield %a : bf16
  } -> tensor<1003x1001xbf16>
  return %t : tensor<1003x1001xbf16>
}

// CHECK-LABEL: func.func @main
// CHECK:         tensor.insert_slice %arg0 into %{{.*}}[0, 0] [1001, 1003] [1, 1] : tensor<1001x1003xbf16> into tensor<1024x1024xbf16>
// CHECK:         tensor.extract_slice %{{.*}}[0, 0] [1003, 1001] [1, 1] : tensor<1024x1024xbf16> to tensor<1003x1001xbf16>
func.func @main(%x: tensor<1001x1003xbf16>) -> tensor<1003x1001xbf16> {
  %t = call @turned(%x) : (tensor<1001x1003xbf16>) -> tensor<1003x1001xbf16>
  return %t : tensor<1003x1001xbf16>
}
