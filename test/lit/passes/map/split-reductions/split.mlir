// A row that does not fit into L1 is reduced in parts, and these again.
// RUN: allo-opt %s --split-reductions --canonicalize | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK:         tensor.expand_shape %arg0 {{.*}} output_shape [4, 16, 6250]
// CHECK:         linalg.generic {{.*}}["parallel", "parallel", "reduction"]} {{.*}} outs(%{{.*}} : tensor<16x4xf32>)
// CHECK:           arith.maximumf
// CHECK:         linalg.generic {{.*}}["reduction", "parallel"]} ins(%{{.*}} : tensor<16x4xf32>)
func.func @main(%a: tensor<4x100000xf32>) -> tensor<4xf32> {
  %z = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i,k) -> (i,k)>, affine_map<(i,k) -> (i)>], iterator_types = ["parallel","reduction"]}
      ins(%a : tensor<4x100000xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %c : tensor<4xf32>
}

// A row that fits stays; one of prime length is longer by numbers that change nothing, which the caller adds.
// CHECK-LABEL: func.func @short
// CHECK-NOT:     tensor.pad
// CHECK:         linalg.generic {{.*}}["parallel", "reduction"]} ins(%arg0 : tensor<4x1000xf32>)
// CHECK:         tensor.pad %arg1 low[0] high[7613]
// CHECK:         } {allo.brought} : tensor<1000003xf32> to tensor<1007616xf32>
// CHECK:         tensor.expand_shape {{.*}} output_shape [128, 7872]
func.func @short(%a: tensor<4x1000xf32>, %b: tensor<1000003xf32>, %z: f32) -> (tensor<4xf32>, tensor<f32>) {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i,k) -> (i,k)>, affine_map<(i,k) -> (i)>], iterator_types = ["parallel","reduction"]}
      ins(%a : tensor<4x1000xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %g = tensor.empty() : tensor<f32>
  %h = linalg.fill ins(%z : f32) outs(%g : tensor<f32>) -> tensor<f32>
  %d = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%b : tensor<1000003xf32>) outs(%h : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %c, %d : tensor<4xf32>, tensor<f32>
}

// Two loops side by side become one; of others one is reduced after the rest.
// CHECK-LABEL: func.func @several
// CHECK:         tensor.collapse_shape %arg0 {{.*}} : tensor<3x1009x997xf32> into tensor<3x1005973xf32>
// CHECK:         linalg.generic {{.*}}["parallel", "parallel", "reduction"]} ins(%{{.*}} : tensor<3x{{.*}}xf32>)
// CHECK:         linalg.generic {{.*}}["parallel", "parallel", "reduction"]} ins(%arg1 : tensor<500x7x500xi32>) outs(%{{.*}} : tensor<500x7xi32>)
// CHECK:           arith.muli
// CHECK:         linalg.generic {{.*}}["reduction", "parallel"]} ins(%{{.*}} : tensor<500x7xi32>) outs(%{{.*}} : tensor<7xi32>)
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      arith.addi
func.func @several(%a: tensor<3x1009x997xf32>, %b: tensor<500x7x500xi32>, %f: tensor<3xf32>, %g: tensor<7xi32>) -> (tensor<3xf32>, tensor<7xi32>) {
  %c = linalg.generic {indexing_maps = [affine_map<(i,j,k) -> (i,j,k)>, affine_map<(i,j,k) -> (i)>], iterator_types = ["parallel","reduction","reduction"]}
      ins(%a : tensor<3x1009x997xf32>) outs(%f : tensor<3xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i,j,k) -> (i,j,k)>, affine_map<(i,j,k) -> (j)>], iterator_types = ["reduction","parallel","reduction"]}
      ins(%b : tensor<500x7x500xi32>) outs(%g : tensor<7xi32>) {
  ^bb0(%x: i32, %o: i32):
    %q = arith.muli %x, %x : i32
    %s = arith.addi %q, %o : i32
    linalg.yield %s : i32
  } -> tensor<7xi32>
  return %c, %d : tensor<3xf32>, tensor<7xi32>
}

// What the body makes of an element is computed first where no number changes nothing; what an elementwise operation makes
// for it alone is computed in the body.
// CHECK-LABEL: func.func @bodies
// CHECK:         linalg.generic {{.*}}["parallel"]} ins(%{{.*}} : tensor<100003xf32>)
// CHECK:           math.cos
// CHECK:         tensor.pad
// CHECK:         linalg.generic {{.*}}["parallel", "reduction"]} ins(%{{.*}} : tensor<64x1600xf32>)
// CHECK:         linalg.generic {{.*}}["parallel", "reduction"]} ins(%{{.*}} : tensor<64x2048xf32>)
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      math.absf
// CHECK-NEXT:      arith.maximumf
func.func @bodies(%a: tensor<100003xf32>, %b: tensor<131072xf32>, %f: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %c = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%a : tensor<100003xf32>) outs(%f : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %e = math.cos %x : f32
    %s = arith.addf %e, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %e = tensor.empty() : tensor<131072xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>], iterator_types = ["parallel"]}
      ins(%b : tensor<131072xf32>) outs(%e : tensor<131072xf32>) {
  ^bb0(%x: f32, %o: f32):
    %n = math.absf %x : f32
    linalg.yield %n : f32
  } -> tensor<131072xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%h : tensor<131072xf32>) outs(%f : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %c, %d : tensor<f32>, tensor<f32>
}

// Numbers of which the body makes 0 can be added to a sum.
// CHECK-LABEL: func.func @powers
// CHECK:         tensor.pad %arg0
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      tensor.yield %[[LOW:.*]] : f32
// CHECK:         linalg.generic {{.*}}["parallel", "reduction"]}
// CHECK:           math.exp
func.func @powers(%a: tensor<100003xf32>, %m: tensor<f32>, %f: tensor<f32>) -> tensor<f32> {
  %c = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%a, %m : tensor<100003xf32>, tensor<f32>) outs(%f : tensor<f32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %d = arith.subf %x, %y : f32
    %e = math.exp %d : f32
    %s = arith.addf %e, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %c : tensor<f32>
}

// The mean of each channel of a picture that stays a picture, as gates of channels take it: MLIR splits no operation with an index 0.

// CHECK-LABEL: func.func @kept(
// CHECK:         outs({{.*}} : tensor<2x1x32xf32>)
// CHECK:         linalg.generic {{.*}} ["reduction", "parallel", "parallel"]
// CHECK:         tensor.expand_shape {{.*}} : tensor<1x32xf32> into tensor<1x32x1x1xf32>
func.func @kept(%x: tensor<1x32x12544xf32>) -> tensor<1x32x1x1xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x32x1x1xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x32x1x1xf32>) -> tensor<1x32x1x1xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, 0, 0)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<1x32x12544xf32>) outs(%f : tensor<1x32x1x1xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.addf %i, %o : f32
    linalg.yield %s : f32
  } -> tensor<1x32x1x1xf32>
  return %r : tensor<1x32x1x1xf32>
}
