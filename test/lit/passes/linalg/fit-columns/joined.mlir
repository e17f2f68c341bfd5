// RUN: allo-opt %s --fit-columns --split-input-file | filecheck %s

// Two kernels with 2 columns each, and one with 1 between them, do not fit 4 columns. Elementwise kernel @rows loses least.

// CHECK-LABEL: func.func private @product
// CHECK-SAME:    count = 2 : i64, of = 4 : i64
// CHECK:       func.func private @rows
// CHECK-SAME:    chosen = "1 of 4: about {{.*}} cycles more, and other kernels share the configuration", count = 1 : i64
// CHECK-SAME:    cores = array<i64: 1, 4>
// CHECK:       func.func private @move
// CHECK-SAME:    count = 1 : i64
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func private @product(%a: tensor<144x136xi8>, %b: tensor<136x72xi8>) -> tensor<144x72xi32> attributes {allo.columns = {chosen = "2 of 4", count = 2 : i64, of = 4 : i64}, allo.kernel, allo.plan = {core = array<i64: 24, 24, 136>, cores = array<i64: 2, 3>, family = "matmul", launch = array<i64: 48, 72, 136>, launches = 3 : i64, micro = array<i64: 4, 8, 8>, padded = array<i64: 144, 72, 136>, piece = 136 : i64}} {
    %zero = arith.constant 0 : i32
    %e = tensor.empty() : tensor<144x72xi32>
    %f = linalg.fill ins(%zero : i32) outs(%e : tensor<144x72xi32>) -> tensor<144x72xi32>
    %c = linalg.matmul ins(%a, %b : tensor<144x136xi8>, tensor<136x72xi8>) outs(%f : tensor<144x72xi32>) -> tensor<144x72xi32>
    return %c : tensor<144x72xi32>
  }
  func.func private @rows(%x: tensor<34x4x67xi32>, %y: tensor<67xi32>) -> tensor<34x4x67xi32> attributes {allo.columns = {chosen = "2 of 4", count = 2 : i64, of = 4 : i64}, allo.kernel, allo.plan = {along = 0 : i64, core = array<i64: 1, 1, 0>, cores = array<i64: 2, 4>, family = "tiles", launch = array<i64: 2, 4, 0>, launches = 17 : i64}} {
    %e = tensor.empty() : tensor<34x4x67xi32>
    %s = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %y : tensor<34x4x67xi32>, tensor<67xi32>) outs(%e : tensor<34x4x67xi32>) {
    ^bb0(%p: i32, %q: i32, %o: i32):
      %t = arith.addi %p, %q : i32
      linalg.yield %t : i32
    } -> tensor<34x4x67xi32>
    return %s : tensor<34x4x67xi32>
  }
  func.func private @move(%x: tensor<144x72xi32>) -> tensor<136x67xi32> attributes {allo.columns = {chosen = "1 of 4", count = 1 : i64, of = 4 : i64}, allo.kernel, allo.plan = {along = 3 : i64, core = array<i64: 8, 67>, cores = array<i64: 1, 1>, family = "tiles", launch = array<i64: 8, 67>, launches = 17 : i64}} {
    %s = tensor.extract_slice %x[0, 0] [136, 67] [1, 1] : tensor<144x72xi32> to tensor<136x67xi32>
    %e = tensor.empty() : tensor<136x67xi32>
    %c = linalg.copy ins(%s : tensor<136x67xi32>) outs(%e : tensor<136x67xi32>) -> tensor<136x67xi32>
    return %c : tensor<136x67xi32>
  }
  func.func @f(%a: tensor<144x136xi8>, %b: tensor<136x72xi8>, %y: tensor<67xi32>) -> tensor<34x4x67xi32> {
    %0 = call @product(%a, %b) : (tensor<144x136xi8>, tensor<136x72xi8>) -> tensor<144x72xi32>
    %1 = call @move(%0) : (tensor<144x72xi32>) -> tensor<136x67xi32>
    %2 = tensor.expand_shape %1 [[0, 1], [2]] output_shape [34, 4, 67] : tensor<136x67xi32> into tensor<34x4x67xi32>
    %3 = call @rows(%2, %y) : (tensor<34x4x67xi32>, tensor<67xi32>) -> tensor<34x4x67xi32>
    return %3 : tensor<34x4x67xi32>
  }
}

// -----

// A product on all columns leaves the one that the movement needs, not half of them.

// CHECK-LABEL: func.func private @wide
// CHECK-SAME:    count = 3 : i64, of = 4 : i64
// CHECK-SAME:    cores = array<i64: 3,
module {
  func.func private @wide(%a: tensor<384x384xi8>, %b: tensor<384x384xi8>) -> tensor<384x384xi32> attributes {allo.kernel, allo.plan = {core = array<i64: 96, 96, 384>, cores = array<i64: 4, 4>, family = "matmul", launch = array<i64: 384, 384, 384>, launches = 1 : i64, micro = array<i64: 4, 8, 8>, padded = array<i64: 384, 384, 384>, piece = 384 : i64}} {
    %zero = arith.constant 0 : i32
    %e = tensor.empty() : tensor<384x384xi32>
    %f = linalg.fill ins(%zero : i32) outs(%e : tensor<384x384xi32>) -> tensor<384x384xi32>
    %c = linalg.matmul ins(%a, %b : tensor<384x384xi8>, tensor<384x384xi8>) outs(%f : tensor<384x384xi32>) -> tensor<384x384xi32>
    return %c : tensor<384x384xi32>
  }
  func.func private @beside(%x: tensor<384x384xi32>) -> tensor<120x67xi32> attributes {allo.columns = {chosen = "1 of 4", count = 1 : i64, of = 4 : i64}, allo.kernel, allo.plan = {along = 3 : i64, core = array<i64: 8, 67>, cores = array<i64: 1, 1>, family = "tiles", launch = array<i64: 8, 67>, launches = 15 : i64}} {
    %s = tensor.extract_slice %x[0, 0] [120, 67] [1, 1] : tensor<384x384xi32> to tensor<120x67xi32>
    %e = tensor.empty() : tensor<120x67xi32>
    %c = linalg.copy ins(%s : tensor<120x67xi32>) outs(%e : tensor<120x67xi32>) -> tensor<120x67xi32>
    return %c : tensor<120x67xi32>
  }
  func.func @f(%a: tensor<384x384xi8>, %b: tensor<384x384xi8>) -> tensor<120x67xi32> {
    %0 = call @wide(%a, %b) : (tensor<384x384xi8>, tensor<384x384xi8>) -> tensor<384x384xi32>
    %1 = call @beside(%0) : (tensor<384x384xi32>) -> tensor<120x67xi32>
    return %1 : tensor<120x67xi32>
  }
}

// -----

// Kernels that fit side by side keep their columns; so does one whose plan came from a tuner (`key`), and the group stays apart.

// CHECK-LABEL: func.func private @first
// CHECK-SAME:    allo.columns = {chosen = "2 of 4"
// CHECK:       func.func private @second
// CHECK-SAME:    allo.columns = {chosen = "2 of 4"
// CHECK:       func.func private @tuned
// CHECK-SAME:    allo.columns = {chosen = "3 of 4"
#map2 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func private @first(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {allo.columns = {chosen = "2 of 4", count = 2 : i64, of = 4 : i64}, allo.kernel, allo.plan = {along = 0 : i64, core = array<i64: 4, 64>, cores = array<i64: 2, 4>, family = "tiles", key = "k", launch = array<i64: 32, 64>, launches = 2 : i64}} {
    %e = tensor.empty() : tensor<64x64xf32>
    %s = linalg.add ins(%x, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    return %s : tensor<64x64xf32>
  }
  func.func private @second(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {allo.columns = {chosen = "2 of 4", count = 2 : i64, of = 4 : i64}, allo.kernel, allo.plan = {along = 0 : i64, core = array<i64: 4, 64>, cores = array<i64: 2, 4>, family = "tiles", key = "k", launch = array<i64: 32, 64>, launches = 2 : i64}} {
    %e = tensor.empty() : tensor<64x64xf32>
    %s = linalg.mul ins(%x, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    return %s : tensor<64x64xf32>
  }
  func.func private @tuned(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {allo.columns = {chosen = "3 of 4", count = 3 : i64, of = 4 : i64}, allo.kernel, allo.plan = {along = 0 : i64, core = array<i64: 4, 64>, cores = array<i64: 2, 4>, family = "tiles", key = "k", launch = array<i64: 32, 64>, launches = 2 : i64}} {
    %e = tensor.empty() : tensor<64x64xf32>
    %s = linalg.exp ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    return %s : tensor<64x64xf32>
  }
  func.func @g(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = call @first(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %1 = call @second(%0) : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = call @tuned(%1) : (tensor<64x64xf32>) -> tensor<64x64xf32>
    return %2 : tensor<64x64xf32>
  }
}

// -----

// A kernel that takes as long on two columns as on four has all that are left.

// CHECK-LABEL: func.func private @even
// CHECK-SAME:    count = 3 : i64, of = 4 : i64
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row3 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func private @even(%x: tensor<34x4x67xi32>, %y: tensor<67xi32>) -> tensor<34x4x67xi32> attributes {allo.kernel, allo.plan = {along = 0 : i64, core = array<i64: 1, 1, 0>, cores = array<i64: 4, 4>, family = "tiles", launch = array<i64: 4, 4, 0>, launches = 9 : i64}} {
    %e = tensor.empty() : tensor<34x4x67xi32>
    %s = linalg.generic {indexing_maps = [#map3, #row3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %y : tensor<34x4x67xi32>, tensor<67xi32>) outs(%e : tensor<34x4x67xi32>) {
    ^bb0(%p: i32, %q: i32, %o: i32):
      %t = arith.addi %p, %q : i32
      linalg.yield %t : i32
    } -> tensor<34x4x67xi32>
    return %s : tensor<34x4x67xi32>
  }
  func.func private @above(%x: tensor<144x72xi32>) -> tensor<136x67xi32> attributes {allo.columns = {chosen = "1 of 4", count = 1 : i64, of = 4 : i64}, allo.kernel, allo.plan = {along = 3 : i64, core = array<i64: 8, 67>, cores = array<i64: 1, 1>, family = "tiles", launch = array<i64: 8, 67>, launches = 17 : i64}} {
    %s = tensor.extract_slice %x[0, 0] [136, 67] [1, 1] : tensor<144x72xi32> to tensor<136x67xi32>
    %e = tensor.empty() : tensor<136x67xi32>
    %c = linalg.copy ins(%s : tensor<136x67xi32>) outs(%e : tensor<136x67xi32>) -> tensor<136x67xi32>
    return %c : tensor<136x67xi32>
  }
 func.func @f(%x: tensor<144x72xi32>, %y: tensor<67xi32>) -> tensor<34x4x67xi32> {
    %1 = call @above(%x) : (tensor<144x72xi32>) -> tensor<136x67xi32>
    %2 = tensor.expand_shape %1 [[0, 1], [2]] output_shape [34, 4, 67] : tensor<136x67xi32> into tensor<34x4x67xi32>
    %3 = call @even(%2, %y) : (tensor<34x4x67xi32>, tensor<67xi32>) -> tensor<34x4x67xi32>
    return %3 : tensor<34x4x67xi32>
  }
}

// -----

// It has fewer if the next kernel then shares the configuration, too.

// CHECK-LABEL: func.func private @less
// CHECK-SAME:    count = 2 : i64, of = 4 : i64
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row4 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func private @less(%x: tensor<34x4x67xi32>, %y: tensor<67xi32>) -> tensor<34x4x67xi32> attributes {allo.kernel, allo.plan = {along = 0 : i64, core = array<i64: 1, 1, 0>, cores = array<i64: 4, 4>, family = "tiles", launch = array<i64: 4, 4, 0>, launches = 9 : i64}} {
    %e = tensor.empty() : tensor<34x4x67xi32>
    %s = linalg.generic {indexing_maps = [#map4, #row4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %y : tensor<34x4x67xi32>, tensor<67xi32>) outs(%e : tensor<34x4x67xi32>) {
    ^bb0(%p: i32, %q: i32, %o: i32):
      %t = arith.addi %p, %q : i32
      linalg.yield %t : i32
    } -> tensor<34x4x67xi32>
    return %s : tensor<34x4x67xi32>
  }
  func.func private @top(%x: tensor<144x72xi32>) -> tensor<136x67xi32> attributes {allo.columns = {chosen = "1 of 4", count = 1 : i64, of = 4 : i64}, allo.kernel, allo.plan = {along = 3 : i64, core = array<i64: 8, 67>, cores = array<i64: 1, 1>, family = "tiles", launch = array<i64: 8, 67>, launches = 17 : i64}} {
    %s = tensor.extract_slice %x[0, 0] [136, 67] [1, 1] : tensor<144x72xi32> to tensor<136x67xi32>
    %e = tensor.empty() : tensor<136x67xi32>
    %c = linalg.copy ins(%s : tensor<136x67xi32>) outs(%e : tensor<136x67xi32>) -> tensor<136x67xi32>
    return %c : tensor<136x67xi32>
  }
  func.func private @last(%x: tensor<34x4x67xi32>) -> tensor<34x4xi32> attributes {allo.columns = {chosen = "1 of 4", count = 1 : i64, of = 4 : i64}, allo.kernel, allo.plan = {along = 3 : i64, core = array<i64: 2, 4>, cores = array<i64: 1, 1>, family = "tiles", launch = array<i64: 2, 4>, launches = 17 : i64}} {
    %s = tensor.extract_slice %x[0, 0, 0] [34, 4, 1] [1, 1, 1] : tensor<34x4x67xi32> to tensor<34x4xi32>
    %e = tensor.empty() : tensor<34x4xi32>
    %c = linalg.copy ins(%s : tensor<34x4xi32>) outs(%e : tensor<34x4xi32>) -> tensor<34x4xi32>
    return %c : tensor<34x4xi32>
  }
 func.func @f(%x: tensor<144x72xi32>, %y: tensor<67xi32>) -> tensor<34x4xi32> {
    %1 = call @top(%x) : (tensor<144x72xi32>) -> tensor<136x67xi32>
    %2 = tensor.expand_shape %1 [[0, 1], [2]] output_shape [34, 4, 67] : tensor<136x67xi32> into tensor<34x4x67xi32>
    %3 = call @less(%2, %y) : (tensor<34x4x67xi32>, tensor<67xi32>) -> tensor<34x4x67xi32>
    %4 = call @last(%3) : (tensor<34x4x67xi32>) -> tensor<34x4xi32>
    return %4 : tensor<34x4xi32>
  }
}

// -----

// A convolution in blocks on all columns leaves half of them to the kernel after it: its arrays keep their layout.

// CHECK-LABEL: func.func private @conv
// CHECK-SAME:    count = 2 : i64, of = 4 : i64
// CHECK-SAME:    chosen = "herd 2x1, about 4e+03 cycles, with the blocks of herd 4x1", core = array<i64: 1, 1, 1, 1>, cores = array<i64: 2, 1>
// CHECK-SAME:    cycles = 4000 : i64, family = "window", launch = array<i64: 1, 2, 1, 1>
#sum = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func private @conv(%x: tensor<1x4x1x2x6x9x4x8xf32>, %w: tensor<1x2x2x3x3x8x4xf32>) -> tensor<1x4x1x1x2x4x7x4x4xf32> attributes {allo.kernel, allo.plan = {chosen = "herd 4x1", core = array<i64: 1, 1, 1, 1>, cores = array<i64: 4, 1>, cycles = 2000 : i64, family = "window", launch = array<i64: 1, 4, 1, 1>, piece = 1 : i64}} {
    %e = tensor.empty() : tensor<1x4x1x1x2x4x7x4x4xf32>
    return %e : tensor<1x4x1x1x2x4x7x4x4xf32>
  }
  func.func private @rows(%x: tensor<32x112xf32>) -> tensor<32x112xf32> attributes {allo.columns = {chosen = "1 of 4", count = 1 : i64, of = 4 : i64}, allo.kernel, allo.plan = {along = 0 : i64, core = array<i64: 1, 0>, cores = array<i64: 1, 4>, family = "tiles", launch = array<i64: 4, 0>, launches = 8 : i64}} {
    %e = tensor.empty() : tensor<32x112xf32>
    %s = linalg.generic {indexing_maps = [#sum, #sum], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x112xf32>) outs(%e : tensor<32x112xf32>) {
    ^bb0(%p: f32, %o: f32):
      %t = arith.addf %p, %p : f32
      linalg.yield %t : f32
    } -> tensor<32x112xf32>
    return %s : tensor<32x112xf32>
  }
  func.func @f(%x: tensor<1x4x1x2x6x9x4x8xf32>, %w: tensor<1x2x2x3x3x8x4xf32>) -> tensor<32x112xf32> {
    %0 = call @conv(%x, %w) : (tensor<1x4x1x2x6x9x4x8xf32>, tensor<1x2x2x3x3x8x4xf32>) -> tensor<1x4x1x1x2x4x7x4x4xf32>
    %1 = tensor.collapse_shape %0 [[0, 1, 2, 3, 4, 5], [6, 7, 8]] : tensor<1x4x1x1x2x4x7x4x4xf32> into tensor<32x112xf32>
    %2 = call @rows(%1) : (tensor<32x112xf32>) -> tensor<32x112xf32>
    return %2 : tensor<32x112xf32>
  }
}
