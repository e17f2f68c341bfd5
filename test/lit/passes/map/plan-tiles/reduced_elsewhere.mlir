// RUN: allo-opt %s --plan-tiles --verify-each=execute | filecheck %s

// A dimension that another operation sums up is divided among cores, but not padded: the sums would include the padding.

// CHECK: @reduced(%{{.*}}: tensor<5x7x9x1xf32>)

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#columns = affine_map<(d0, d1, d2) -> (d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#last = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func private @reduced(%a: tensor<5x7x9xf32>) -> tensor<5x7x9xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %cfirst = tensor.empty() : tensor<7x9xf32>
  %ffirst = linalg.fill ins(%zero : f32) outs(%cfirst : tensor<7x9xf32>) -> tensor<7x9xf32>
  %first = linalg.generic {indexing_maps = [#all, #columns], iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%a : tensor<5x7x9xf32>) outs(%ffirst : tensor<7x9xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<7x9xf32>
  %csecond = tensor.empty() : tensor<5x9xf32>
  %fsecond = linalg.fill ins(%zero : f32) outs(%csecond : tensor<5x9xf32>) -> tensor<5x9xf32>
  %second = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%a : tensor<5x7x9xf32>) outs(%fsecond : tensor<5x9xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<5x9xf32>
  %cthird = tensor.empty() : tensor<5x7xf32>
  %fthird = linalg.fill ins(%zero : f32) outs(%cthird : tensor<5x7xf32>) -> tensor<5x7xf32>
  %third = linalg.generic {indexing_maps = [#all, #last], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a : tensor<5x7x9xf32>) outs(%fthird : tensor<5x7xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<5x7xf32>
  %e = tensor.empty() : tensor<5x7x9xf32>
  %0 = linalg.generic {indexing_maps = [#all, #columns, #rows, #last, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %first, %second, %third : tensor<5x7x9xf32>, tensor<7x9xf32>, tensor<5x9xf32>, tensor<5x7xf32>)
      outs(%e : tensor<5x7x9xf32>) {
  ^bb0(%x: f32, %s: f32, %t: f32, %u: f32, %o: f32):
    %y = math.exp %x : f32
    %z = math.log %y : f32
    %p = arith.mulf %z, %s : f32
    %q = arith.divf %p, %t : f32
    %r = arith.divf %q, %u : f32
    linalg.yield %r : f32
  } -> tensor<5x7x9xf32>
  return %0 : tensor<5x7x9xf32>
}
func.func @main(%a: tensor<5x7x9xf32>) -> tensor<5x7x9xf32> {
  %0 = call @reduced(%a) : (tensor<5x7x9xf32>) -> tensor<5x7x9xf32>
  return %0 : tensor<5x7x9xf32>
}
