// RUN: allo-opt %s --plan-tiles | filecheck %s --check-prefix=PLAN
// RUN: allo-opt %s --plan-tiles --expand-families | filecheck %s --check-prefix=TILE

// Columns of which a core holds no vector stay in L2: a core takes parts of 16 columns there, for the sum and for the results again.
// What both are made of is computed by each. Columns of odd length get longer, and a mask ends the sum.

// PLAN-LABEL: func.func private @columns(%arg0: tensor<1024x{{.*}}xf32>)
// PLAN-SAME:    allo.multi_sweep = 0 : i64
// PLAN-SAME:    core = array<i64: 0, 1, 16>
// PLAN-SAME:    piece = {{32|64|128}} : i64
// PLAN-COUNT-2: math.exp
// PLAN-LABEL: func.func private @odd(%arg0: tensor<1024x{{.*}}xf32>)
// PLAN:         linalg.index 0

// TILE-LABEL: func.func private @columns
// TILE:         scf.forall
// TILE:           bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<1024x4x{{32|64}}xf32>
// TILE:           scf.forall
// TILE:             scf.for %[[K:.*]] = %c0 to %c1024 step %[[STEP:.*]] iter_args(%{{.*}} = %{{.*}}) -> (tensor<1x16xf32>)
// TILE:               tensor.extract_slice %[[X:.*]][%[[K]], 0, 0]
// TILE:               linalg.generic {{.*}} iterator_types = ["reduction", "parallel", "parallel"]
// TILE:               math.exp
// TILE:             %[[OUT:.*]] = tensor.extract_slice %{{.*}} [1024, 1, 16] [1, 1, 1] : tensor<1024x4x{{32|64}}xf32>
// TILE:             scf.for %[[L:.*]] = %c0 to %c1024 step %[[STEP]] iter_args(%[[R:.*]] = %[[OUT]])
// TILE:               tensor.extract_slice %[[X]][%[[L]], 0, 0]
// TILE:               math.exp
// TILE:               arith.divf
// TILE:               tensor.insert_slice %{{.*}} into %[[R]][%[[L]], 0, 0]
// TILE-LABEL: func.func private @odd
// TILE:           %[[I:.*]] = linalg.index 0
// TILE:           %[[J:.*]] = arith.addi %[[I]], %{{.*}} : index
// TILE:           arith.cmpi slt, %[[J]], %c999
#here = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func private @columns(%a: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024xf32>
  %f = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %q = linalg.generic {indexing_maps = [#here, #here], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<1024x1024xf32>
  %s = linalg.generic {indexing_maps = [#here, #column], iterator_types = ["reduction", "parallel"]}
      ins(%q : tensor<1024x1024xf32>) outs(%z : tensor<1024xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<1024xf32>
  %r = linalg.generic {indexing_maps = [#here, #column, #here], iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<1024x1024xf32>, tensor<1024xf32>) outs(%f : tensor<1024x1024xf32>) {
  ^bb0(%x: f32, %n: f32, %o: f32):
    %y = arith.divf %x, %n : f32
    linalg.yield %y : f32
  } -> tensor<1024x1024xf32>
  return %r : tensor<1024x1024xf32>
}

func.func private @odd(%a: tensor<999x4096xf32>) -> tensor<999x4096xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096xf32>
  %f = tensor.empty() : tensor<999x4096xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %q = linalg.generic {indexing_maps = [#here, #here], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<999x4096xf32>) outs(%f : tensor<999x4096xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<999x4096xf32>
  %s = linalg.generic {indexing_maps = [#here, #column], iterator_types = ["reduction", "parallel"]}
      ins(%q : tensor<999x4096xf32>) outs(%z : tensor<4096xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<4096xf32>
  %r = linalg.generic {indexing_maps = [#here, #column, #here], iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<999x4096xf32>, tensor<4096xf32>) outs(%f : tensor<999x4096xf32>) {
  ^bb0(%x: f32, %n: f32, %o: f32):
    %y = arith.divf %x, %n : f32
    linalg.yield %y : f32
  } -> tensor<999x4096xf32>
  return %r : tensor<999x4096xf32>
}
