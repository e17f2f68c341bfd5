// RUN: allo-opt %s --plan-attention --pad-families | filecheck %s

// Heads and queries of two sequences beside each other in one tensor: a sequence's queries cannot grow in it, and the
// tiles taken divide them.

// CHECK: func.func @main(%arg0: tensor<20x48xf32>) -> tensor<20x16xf32>
// CHECK-SAME: allo.plan = {{{.*}}padded = array<i64: 10, 10>

func.func @main(%x: tensor<20x48xf32>) -> tensor<20x16xf32> {
  %zero = arith.constant 0.0 : f32
  %x3 = tensor.expand_shape %x [[0,1],[2,3]] output_shape [2,10,6,8] : tensor<20x48xf32> into tensor<2x10x6x8xf32>
  %q0 = tensor.extract_slice %x3[0,0,0,0][2,10,2,8][1,1,1,1] : tensor<2x10x6x8xf32> to tensor<2x10x2x8xf32>
  %k = tensor.extract_slice %x3[0,0,2,0][2,10,2,8][1,1,1,1] : tensor<2x10x6x8xf32> to tensor<2x10x2x8xf32>
  %v = tensor.extract_slice %x3[0,0,4,0][2,10,2,8][1,1,1,1] : tensor<2x10x6x8xf32> to tensor<2x10x2x8xf32>
  %q = tensor.expand_shape %q0 [[0],[1],[2,3],[4]] output_shape [2,10,2,1,8] : tensor<2x10x2x8xf32> into tensor<2x10x2x1x8xf32>
  %se = tensor.empty() : tensor<2x2x1x10x10xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x2x1x10x10xf32>) -> tensor<2x2x1x10x10xf32>
  %dots = linalg.generic {indexing_maps = [affine_map<(b,g,r,m,n,k)->(b,m,g,r,k)>, affine_map<(b,g,r,m,n,k)->(b,n,g,k)>, affine_map<(b,g,r,m,n,k)->(b,g,r,m,n)>], iterator_types = ["parallel","parallel","parallel","parallel","parallel","reduction"]} ins(%q, %k : tensor<2x10x2x1x8xf32>, tensor<2x10x2x8xf32>) outs(%sf : tensor<2x2x1x10x10xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    
    
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x2x1x10x10xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(b,g,r,m,n)->(b,g,r,m,n)>, affine_map<(b,g,r,m,n)->(b,g,r,m,n)>], iterator_types = ["parallel","parallel","parallel","parallel","parallel"]} ins(%dots : tensor<2x2x1x10x10xf32>) outs(%se : tensor<2x2x1x10x10xf32>) {
  ^bb0(%s: f32, %o: f32):
    %scale = arith.constant 0.3535533905932738 : f32
    %t = arith.mulf %s, %scale : f32
    linalg.yield %t : f32
  } -> tensor<2x2x1x10x10xf32>
  %w = linalg.softmax dimension(4) ins(%scores : tensor<2x2x1x10x10xf32>) outs(%se : tensor<2x2x1x10x10xf32>) -> tensor<2x2x1x10x10xf32>
  %oe = tensor.empty() : tensor<2x10x2x1x8xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x10x2x1x8xf32>) -> tensor<2x10x2x1x8xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(b,g,r,m,n,k)->(b,g,r,m,k)>, affine_map<(b,g,r,m,n,k)->(b,k,g,n)>, affine_map<(b,g,r,m,n,k)->(b,m,g,r,n)>], iterator_types = ["parallel","parallel","parallel","parallel","parallel","reduction"]} ins(%w, %v : tensor<2x2x1x10x10xf32>, tensor<2x10x2x8xf32>) outs(%of : tensor<2x10x2x1x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x10x2x1x8xf32>
  %c = tensor.collapse_shape %out [[0,1],[2,3,4]] : tensor<2x10x2x1x8xf32> into tensor<20x16xf32>
  return %c : tensor<20x16xf32>
}
