// RUN: allo-opt %s --tile-matmul='m=32 n=16' --canonicalize --cse | filecheck %s

// A schedule tiles a matrix multiplication over a 2 x 4 grid.
// CHECK: func.func @matmul
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, 4)
// CHECK: linalg.matmul ins({{.*}} : tensor<32x64xf32>, tensor<64x16xf32>) outs({{.*}} : tensor<32x16xf32>)

func.func @matmul(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
