// RUN: allo-opt --outline-families %s | filecheck %s

// Not grouped: an elementwise operation that reads what is in its destination, or a number that is not a constant;
// groups whose products have results of several widths.

// CHECK-NOT:  allo.kernel
// CHECK:      func.func @destination
// CHECK:      arith.constant dense<5.000000e+00>
// CHECK:      tensor.concat
// CHECK:      func.func @lifted_destination
// CHECK:      linalg.generic {{.*}} outs(%arg5 :
// CHECK:      tensor.concat
// CHECK:      func.func @argument
// CHECK:      tensor.concat
// CHECK:      func.func @widths
// CHECK:      tensor.concat dim(0) {{.*}} (tensor<5x16xf32>, tensor<7x16xf32>)
#id = affine_map<(i, j) -> (i, j)>
module {
  func.func @destination(%x: tensor<12x8xf32>, %w0: tensor<8x16xf32>, %w1: tensor<8x16xf32>) -> tensor<12x16xf32> {
    %zero = arith.constant 0.0 : f32
    %x0 = tensor.extract_slice %x[0, 0] [5, 8] [1, 1] : tensor<12x8xf32> to tensor<5x8xf32>
    %e_m0 = tensor.empty() : tensor<5x16xf32>
    %f_m0 = linalg.fill ins(%zero : f32) outs(%e_m0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %m0 = linalg.matmul ins(%x0, %w0 : tensor<5x8xf32>, tensor<8x16xf32>) outs(%f_m0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %d0 = arith.constant dense<5.0> : tensor<5x16xf32>
    %r0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%m0 : tensor<5x16xf32>) outs(%d0 : tensor<5x16xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %s = arith.addf %i0, %o : f32
      linalg.yield %s : f32
    } -> tensor<5x16xf32>
    %x1 = tensor.extract_slice %x[5, 0] [7, 8] [1, 1] : tensor<12x8xf32> to tensor<7x8xf32>
    %e_m1 = tensor.empty() : tensor<7x16xf32>
    %f_m1 = linalg.fill ins(%zero : f32) outs(%e_m1 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %m1 = linalg.matmul ins(%x1, %w1 : tensor<7x8xf32>, tensor<8x16xf32>) outs(%f_m1 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %d1 = arith.constant dense<5.0> : tensor<7x16xf32>
    %r1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%m1 : tensor<7x16xf32>) outs(%d1 : tensor<7x16xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %s = arith.addf %i0, %o : f32
      linalg.yield %s : f32
    } -> tensor<7x16xf32>
    %r = tensor.concat dim(0) %r0, %r1 : (tensor<5x16xf32>, tensor<7x16xf32>) -> tensor<12x16xf32>
    return %r : tensor<12x16xf32>
  }
  func.func @lifted_destination(%x: tensor<12x8xf32>, %g0: tensor<8x16xf32>, %g1: tensor<8x16xf32>, %c0: tensor<16x16xf32>, %c1: tensor<16x16xf32>, %d0: tensor<5x16xf32>, %d1: tensor<7x16xf32>) -> tensor<12x16xf32> {
    %zero = arith.constant 0.0 : f32
    %x0 = tensor.extract_slice %x[0, 0] [5, 8] [1, 1] : tensor<12x8xf32> to tensor<5x8xf32>
    %e_m0 = tensor.empty() : tensor<5x16xf32>
    %f_m0 = linalg.fill ins(%zero : f32) outs(%e_m0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %m0 = linalg.matmul ins(%x0, %g0 : tensor<5x8xf32>, tensor<8x16xf32>) outs(%f_m0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %e_n0 = tensor.empty() : tensor<5x16xf32>
    %f_n0 = linalg.fill ins(%zero : f32) outs(%e_n0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %n0 = linalg.matmul ins(%x0, %g0 : tensor<5x8xf32>, tensor<8x16xf32>) outs(%f_n0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %p0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%m0, %n0 : tensor<5x16xf32>, tensor<5x16xf32>) outs(%d0 : tensor<5x16xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %p = arith.mulf %i0, %i1 : f32
      %s = arith.addf %p, %o : f32
      linalg.yield %s : f32
    } -> tensor<5x16xf32>
    %e_r0 = tensor.empty() : tensor<5x16xf32>
    %f_r0 = linalg.fill ins(%zero : f32) outs(%e_r0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %r0 = linalg.matmul ins(%p0, %c0 : tensor<5x16xf32>, tensor<16x16xf32>) outs(%f_r0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %x1 = tensor.extract_slice %x[5, 0] [7, 8] [1, 1] : tensor<12x8xf32> to tensor<7x8xf32>
    %e_m1 = tensor.empty() : tensor<7x16xf32>
    %f_m1 = linalg.fill ins(%zero : f32) outs(%e_m1 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %m1 = linalg.matmul ins(%x1, %g1 : tensor<7x8xf32>, tensor<8x16xf32>) outs(%f_m1 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %e_n1 = tensor.empty() : tensor<7x16xf32>
    %f_n1 = linalg.fill ins(%zero : f32) outs(%e_n1 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %n1 = linalg.matmul ins(%x1, %g1 : tensor<7x8xf32>, tensor<8x16xf32>) outs(%f_n1 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %p1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%m1, %n1 : tensor<7x16xf32>, tensor<7x16xf32>) outs(%d1 : tensor<7x16xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %p = arith.mulf %i0, %i1 : f32
      %s = arith.addf %p, %o : f32
      linalg.yield %s : f32
    } -> tensor<7x16xf32>
    %e_r1 = tensor.empty() : tensor<7x16xf32>
    %f_r1 = linalg.fill ins(%zero : f32) outs(%e_r1 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %r1 = linalg.matmul ins(%p1, %c1 : tensor<7x16xf32>, tensor<16x16xf32>) outs(%f_r1 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %r = tensor.concat dim(0) %r0, %r1 : (tensor<5x16xf32>, tensor<7x16xf32>) -> tensor<12x16xf32>
    return %r : tensor<12x16xf32>
  }
  func.func @argument(%x: tensor<12x8xf32>, %g0: tensor<8x16xf32>, %g1: tensor<8x16xf32>, %c0: tensor<16x16xf32>, %c1: tensor<16x16xf32>, %number: f32) -> tensor<12x16xf32> {
    %zero = arith.constant 0.0 : f32
    %x0 = tensor.extract_slice %x[0, 0] [5, 8] [1, 1] : tensor<12x8xf32> to tensor<5x8xf32>
    %e_m0 = tensor.empty() : tensor<5x16xf32>
    %f_m0 = linalg.fill ins(%zero : f32) outs(%e_m0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %m0 = linalg.matmul ins(%x0, %g0 : tensor<5x8xf32>, tensor<8x16xf32>) outs(%f_m0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %e_n0 = tensor.empty() : tensor<5x16xf32>
    %f_n0 = linalg.fill ins(%zero : f32) outs(%e_n0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %n0 = linalg.matmul ins(%x0, %g0 : tensor<5x8xf32>, tensor<8x16xf32>) outs(%f_n0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %d0 = tensor.empty() : tensor<5x16xf32>
    %p0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%m0, %n0 : tensor<5x16xf32>, tensor<5x16xf32>) outs(%d0 : tensor<5x16xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %p = arith.mulf %i0, %i1 : f32
      %s = arith.addf %p, %number : f32
      linalg.yield %s : f32
    } -> tensor<5x16xf32>
    %e_r0 = tensor.empty() : tensor<5x16xf32>
    %f_r0 = linalg.fill ins(%zero : f32) outs(%e_r0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %r0 = linalg.matmul ins(%p0, %c0 : tensor<5x16xf32>, tensor<16x16xf32>) outs(%f_r0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %x1 = tensor.extract_slice %x[5, 0] [7, 8] [1, 1] : tensor<12x8xf32> to tensor<7x8xf32>
    %e_m1 = tensor.empty() : tensor<7x16xf32>
    %f_m1 = linalg.fill ins(%zero : f32) outs(%e_m1 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %m1 = linalg.matmul ins(%x1, %g1 : tensor<7x8xf32>, tensor<8x16xf32>) outs(%f_m1 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %e_n1 = tensor.empty() : tensor<7x16xf32>
    %f_n1 = linalg.fill ins(%zero : f32) outs(%e_n1 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %n1 = linalg.matmul ins(%x1, %g1 : tensor<7x8xf32>, tensor<8x16xf32>) outs(%f_n1 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %d1 = tensor.empty() : tensor<7x16xf32>
    %p1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%m1, %n1 : tensor<7x16xf32>, tensor<7x16xf32>) outs(%d1 : tensor<7x16xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %p = arith.mulf %i0, %i1 : f32
      %s = arith.addf %p, %number : f32
      linalg.yield %s : f32
    } -> tensor<7x16xf32>
    %e_r1 = tensor.empty() : tensor<7x16xf32>
    %f_r1 = linalg.fill ins(%zero : f32) outs(%e_r1 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %r1 = linalg.matmul ins(%p1, %c1 : tensor<7x16xf32>, tensor<16x16xf32>) outs(%f_r1 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %r = tensor.concat dim(0) %r0, %r1 : (tensor<5x16xf32>, tensor<7x16xf32>) -> tensor<12x16xf32>
    return %r : tensor<12x16xf32>
  }
  func.func @widths(%x: tensor<12x8xf32>, %g0: tensor<8x16xf32>, %g1: tensor<8x24xf32>, %c0: tensor<16x16xf32>, %c1: tensor<24x16xf32>) -> tensor<12x16xf32> {
    %zero = arith.constant 0.0 : f32
    %x0 = tensor.extract_slice %x[0, 0] [5, 8] [1, 1] : tensor<12x8xf32> to tensor<5x8xf32>
    %e_m0 = tensor.empty() : tensor<5x16xf32>
    %f_m0 = linalg.fill ins(%zero : f32) outs(%e_m0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %m0 = linalg.matmul ins(%x0, %g0 : tensor<5x8xf32>, tensor<8x16xf32>) outs(%f_m0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %e_n0 = tensor.empty() : tensor<5x16xf32>
    %f_n0 = linalg.fill ins(%zero : f32) outs(%e_n0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %n0 = linalg.matmul ins(%x0, %g0 : tensor<5x8xf32>, tensor<8x16xf32>) outs(%f_n0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %d0 = tensor.empty() : tensor<5x16xf32>
    %p0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%m0, %n0 : tensor<5x16xf32>, tensor<5x16xf32>) outs(%d0 : tensor<5x16xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %p = arith.mulf %i0, %i1 : f32
      %s = arith.addf %p, %zero : f32
      linalg.yield %s : f32
    } -> tensor<5x16xf32>
    %e_r0 = tensor.empty() : tensor<5x16xf32>
    %f_r0 = linalg.fill ins(%zero : f32) outs(%e_r0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %r0 = linalg.matmul ins(%p0, %c0 : tensor<5x16xf32>, tensor<16x16xf32>) outs(%f_r0 : tensor<5x16xf32>) -> tensor<5x16xf32>
    %x1 = tensor.extract_slice %x[5, 0] [7, 8] [1, 1] : tensor<12x8xf32> to tensor<7x8xf32>
    %e_m1 = tensor.empty() : tensor<7x24xf32>
    %f_m1 = linalg.fill ins(%zero : f32) outs(%e_m1 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %m1 = linalg.matmul ins(%x1, %g1 : tensor<7x8xf32>, tensor<8x24xf32>) outs(%f_m1 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %e_n1 = tensor.empty() : tensor<7x24xf32>
    %f_n1 = linalg.fill ins(%zero : f32) outs(%e_n1 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %n1 = linalg.matmul ins(%x1, %g1 : tensor<7x8xf32>, tensor<8x24xf32>) outs(%f_n1 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %d1 = tensor.empty() : tensor<7x24xf32>
    %p1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%m1, %n1 : tensor<7x24xf32>, tensor<7x24xf32>) outs(%d1 : tensor<7x24xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %p = arith.mulf %i0, %i1 : f32
      %s = arith.addf %p, %zero : f32
      linalg.yield %s : f32
    } -> tensor<7x24xf32>
    %e_r1 = tensor.empty() : tensor<7x16xf32>
    %f_r1 = linalg.fill ins(%zero : f32) outs(%e_r1 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %r1 = linalg.matmul ins(%p1, %c1 : tensor<7x24xf32>, tensor<24x16xf32>) outs(%f_r1 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %r = tensor.concat dim(0) %r0, %r1 : (tensor<5x16xf32>, tensor<7x16xf32>) -> tensor<12x16xf32>
    return %r : tensor<12x16xf32>
  }
}
