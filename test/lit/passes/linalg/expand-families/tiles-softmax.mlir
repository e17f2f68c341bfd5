// A softmax by rows: all of it is computed in the tiles of its last operation.
// RUN: allo-opt %s --plan-tiles --expand-families --cse | filecheck %s

// CHECK-LABEL: func.func private @sm(%arg0: tensor<16x4x48xf32>) -> tensor<16x4x48xf32>
// CHECK:         scf.forall {{.*}} to (16, 4) step (4, 4)
// CHECK:           bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4x4x48xf32>
// CHECK:           scf.forall {{.*}} in (4, 4)
// CHECK-COUNT-5:     bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<1x1
// CHECK-NOT:         bufferization.alloc_tensor
// CHECK:             tensor.parallel_insert_slice

#id = affine_map<(d0,d1)->(d0,d1)>
#r = affine_map<(d0,d1)->(d0)>
func.func private @sm(%x: tensor<64x48xf32>) -> tensor<64x48xf32> attributes {allo.kernel} {
  %ninf = arith.constant 0xFF800000 : f32
  %z = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<64xf32>
  %e2 = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%ninf : f32) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.generic {indexing_maps=[#id,#r], iterator_types=["parallel","reduction"]} ins(%x : tensor<64x48xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32): %s = arith.maximumf %a, %o : f32 
    linalg.yield %s : f32 } -> tensor<64xf32>
  %ex = linalg.generic {indexing_maps=[#id,#r,#id], iterator_types=["parallel","parallel"]} ins(%x, %m : tensor<64x48xf32>, tensor<64xf32>) outs(%e2 : tensor<64x48xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32): %s = arith.subf %a, %b : f32 
    %t = math.exp %s : f32
    linalg.yield %t : f32 } -> tensor<64x48xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps=[#id,#r], iterator_types=["parallel","reduction"]} ins(%ex : tensor<64x48xf32>) outs(%f2 : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32): %s = arith.addf %a, %o : f32 
    linalg.yield %s : f32 } -> tensor<64xf32>
  %d = linalg.generic {indexing_maps=[#id,#r,#id], iterator_types=["parallel","parallel"]} ins(%ex, %sum : tensor<64x48xf32>, tensor<64xf32>) outs(%e2 : tensor<64x48xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32): %s = arith.divf %a, %b : f32 
    linalg.yield %s : f32 } -> tensor<64x48xf32>
  return %d : tensor<64x48xf32>
}
func.func @main(%x: tensor<64x48xf32>) -> tensor<64x48xf32> { %r = call @sm(%x) : (tensor<64x48xf32>) -> tensor<64x48xf32>
 return %r : tensor<64x48xf32> }
