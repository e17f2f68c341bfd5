// RUN: allo-opt --outline-families %s | filecheck %s

// Experts of two layers: the concatenation of the results moves in front of what is computed row by row, so that each of the three
// products of all groups is a kernel, and what is between them an operation on all rows.

// CHECK:      func.func private @main_grouped_0(
// CHECK:      func.func private @main_grouped_1(
// CHECK:      func.func @main
// CHECK:        %[[G:.*]] = call @main_grouped_0(%{{.*}}, %{{.*}}) : (tensor<20x16xf32>, tensor<2x16x24xf32>) -> tensor<20x24xf32>
// CHECK:        %[[H:.*]] = call @main_grouped_0(%{{.*}}, %{{.*}}) : (tensor<20x16xf32>, tensor<2x16x24xf32>) -> tensor<20x24xf32>
// CHECK:        %[[S:.*]] = linalg.generic {{.*}} ins(%[[G]], %[[H]] : tensor<20x24xf32>, tensor<20x24xf32>)
// CHECK:        %[[Y:.*]] = call @main_grouped_1(%[[S]], %{{.*}}) : (tensor<20x24xf32>, tensor<2x24x16xf32>) -> tensor<20x16xf32>
// CHECK-NEXT:   return %[[Y]]
#map = affine_map<(i, j) -> (i, j)>
module {
  func.func @main(%x: tensor<20x16xf32>, %a: tensor<2x16x24xf32>, %b: tensor<2x16x24xf32>, %c: tensor<2x24x16xf32>) -> tensor<20x16xf32> {
    %zero = arith.constant 0.0 : f32
    %x0 = tensor.extract_slice %x[0, 0] [7, 16] [1, 1] : tensor<20x16xf32> to tensor<7x16xf32>
    %a0 = tensor.extract_slice %a[0, 0, 0] [1, 16, 24] [1, 1, 1] : tensor<2x16x24xf32> to tensor<16x24xf32>
    %b0 = tensor.extract_slice %b[0, 0, 0] [1, 16, 24] [1, 1, 1] : tensor<2x16x24xf32> to tensor<16x24xf32>
    %c0 = tensor.extract_slice %c[0, 0, 0] [1, 24, 16] [1, 1, 1] : tensor<2x24x16xf32> to tensor<24x16xf32>
    %eg0 = tensor.empty() : tensor<7x24xf32>
    %fg0 = linalg.fill ins(%zero : f32) outs(%eg0 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %g0 = linalg.matmul ins(%x0, %a0 : tensor<7x16xf32>, tensor<16x24xf32>) outs(%fg0 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %eh0 = tensor.empty() : tensor<7x24xf32>
    %fh0 = linalg.fill ins(%zero : f32) outs(%eh0 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %h0 = linalg.matmul ins(%x0, %b0 : tensor<7x16xf32>, tensor<16x24xf32>) outs(%fh0 : tensor<7x24xf32>) -> tensor<7x24xf32>
    %s0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%g0, %h0 : tensor<7x24xf32>, tensor<7x24xf32>) outs(%eg0 : tensor<7x24xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %u = arith.maximumf %p, %zero : f32
      %v = arith.mulf %u, %q : f32
      linalg.yield %v : f32
    } -> tensor<7x24xf32>
    %ey0 = tensor.empty() : tensor<7x16xf32>
    %fy0 = linalg.fill ins(%zero : f32) outs(%ey0 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %y0 = linalg.matmul ins(%s0, %c0 : tensor<7x24xf32>, tensor<24x16xf32>) outs(%fy0 : tensor<7x16xf32>) -> tensor<7x16xf32>
    %x1 = tensor.extract_slice %x[7, 0] [13, 16] [1, 1] : tensor<20x16xf32> to tensor<13x16xf32>
    %a1 = tensor.extract_slice %a[1, 0, 0] [1, 16, 24] [1, 1, 1] : tensor<2x16x24xf32> to tensor<16x24xf32>
    %b1 = tensor.extract_slice %b[1, 0, 0] [1, 16, 24] [1, 1, 1] : tensor<2x16x24xf32> to tensor<16x24xf32>
    %c1 = tensor.extract_slice %c[1, 0, 0] [1, 24, 16] [1, 1, 1] : tensor<2x24x16xf32> to tensor<24x16xf32>
    %eg1 = tensor.empty() : tensor<13x24xf32>
    %fg1 = linalg.fill ins(%zero : f32) outs(%eg1 : tensor<13x24xf32>) -> tensor<13x24xf32>
    %g1 = linalg.matmul ins(%x1, %a1 : tensor<13x16xf32>, tensor<16x24xf32>) outs(%fg1 : tensor<13x24xf32>) -> tensor<13x24xf32>
    %eh1 = tensor.empty() : tensor<13x24xf32>
    %fh1 = linalg.fill ins(%zero : f32) outs(%eh1 : tensor<13x24xf32>) -> tensor<13x24xf32>
    %h1 = linalg.matmul ins(%x1, %b1 : tensor<13x16xf32>, tensor<16x24xf32>) outs(%fh1 : tensor<13x24xf32>) -> tensor<13x24xf32>
    %s1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%g1, %h1 : tensor<13x24xf32>, tensor<13x24xf32>) outs(%eg1 : tensor<13x24xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %u = arith.maximumf %p, %zero : f32
      %v = arith.mulf %u, %q : f32
      linalg.yield %v : f32
    } -> tensor<13x24xf32>
    %ey1 = tensor.empty() : tensor<13x16xf32>
    %fy1 = linalg.fill ins(%zero : f32) outs(%ey1 : tensor<13x16xf32>) -> tensor<13x16xf32>
    %y1 = linalg.matmul ins(%s1, %c1 : tensor<13x24xf32>, tensor<24x16xf32>) outs(%fy1 : tensor<13x16xf32>) -> tensor<13x16xf32>
    %r = tensor.concat dim(0) %y0, %y1 : (tensor<7x16xf32>, tensor<13x16xf32>) -> tensor<20x16xf32>
    return %r : tensor<20x16xf32>
  }
}
