// One operand that cores want in two ways takes two streams; a core has channels for two.
// RUN: allo-opt %s --plan-tiles | filecheck %s

// Rows and columns of cores along the first two loops would bring %i in two ways beside %x, which has a third: the last loop is cut.

// CHECK-LABEL: func.func private @picked
// CHECK-SAME:    cores = array<i64: 4, 4>, cut = array<i64: 3, 64, 16>
#map = affine_map<(a, b, c, p, q) -> (a)>
#other = affine_map<(a, b, c, p, q) -> (b)>
#table = affine_map<(a, b, c, p, q) -> (p, q, c)>
#out = affine_map<(a, b, c, p, q) -> (a, b, c)>
func.func private @picked(%i: tensor<8xi32>, %x: tensor<9x9x64xf32>) -> tensor<8x8x64xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8x64xf32>) -> tensor<8x8x64xf32>
  %y = linalg.generic {indexing_maps = [#map, #other, #table, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%i, %i, %x : tensor<8xi32>, tensor<8xi32>, tensor<9x9x64xf32>) outs(%f : tensor<8x8x64xf32>) {
  ^bb0(%a: i32, %b: i32, %v: f32, %o: f32):
    %p = linalg.index 3 : index
    %q = linalg.index 4 : index
    %m = arith.index_cast %a : i32 to index
    %n = arith.index_cast %b : i32 to index
    %s = arith.cmpi eq, %m, %p : index
    %t = arith.cmpi eq, %n, %q : index
    %g = arith.andi %s, %t : i1
    %r = arith.select %g, %v, %o : f32
    linalg.yield %r : f32
  } -> tensor<8x8x64xf32>
  return %y : tensor<8x8x64xf32>
}
func.func @main(%i: tensor<8xi32>, %x: tensor<9x9x64xf32>) -> tensor<8x8x64xf32> {
  %0 = call @picked(%i, %x) : (tensor<8xi32>, tensor<9x9x64xf32>) -> tensor<8x8x64xf32>
  return %0 : tensor<8x8x64xf32>
}
