// RUN: allo-opt %s --prepare-elementwise | filecheck %s
// RUN: allo-opt %s --prepare-elementwise=device=npu2 | filecheck %s --check-prefix=NPU2
// RUN: allo-opt %s --prepare-elementwise=vectors=false | filecheck %s --check-prefix=SCALAR

#id = affine_map<(a, b, c, d) -> (a, b, c, d)>

// As integers, floats that are not negative have the same order.
// CHECK-LABEL: func.func @relu
// CHECK:         linalg.generic
// CHECK:           %[[B:.*]] = arith.bitcast %{{.*}} : f32 to i32
// CHECK:           %[[M:.*]] = arith.maxsi %[[B]], %{{.*}} : i32
// CHECK:           arith.bitcast %[[M]] : i32 to f32
// SCALAR-LABEL: func.func @relu
// SCALAR:         arith.maximumf
func.func @relu(%a: memref<4x4x4x4xf32, 2>, %c: memref<4x4x4x4xf32, 2>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%a : memref<4x4x4x4xf32, 2>) outs(%c : memref<4x4x4x4xf32, 2>) {
  ^bb0(%x: f32, %u: f32):
    %k = arith.constant 0.0 : f32
    %y = arith.maximumf %x, %k : f32
    linalg.yield %y : f32
  }
  return
}

// A negative bound has no such form: loops, and no operation of linalg.
// CHECK-LABEL: func.func @below
// CHECK-NOT:     linalg.generic
// CHECK-COUNT-4: scf.for
// CHECK:         memref.load
// CHECK:         arith.maximumf
// CHECK:         memref.store
func.func @below(%a: memref<4x4x4x4xf32, 2>, %c: memref<4x4x4x4xf32, 2>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%a : memref<4x4x4x4xf32, 2>) outs(%c : memref<4x4x4x4xf32, 2>) {
  ^bb0(%x: f32, %u: f32):
    %k = arith.constant -0.0 : f32
    %y = arith.maximumf %x, %k : f32
    linalg.yield %y : f32
  }
  return
}

// A product and a sum would be taken for one operation; AIE2p has no f32 product.
// CHECK-LABEL: func.func @affine
// CHECK:         linalg.generic
// CHECK:           %[[W:.*]] = arith.mulf
// CHECK:           %[[N:.*]] = arith.subf %{{.*}}, %[[X:.*]] : f32
// CHECK:           arith.subf %[[W]], %[[N]]
// NPU2-LABEL: func.func @affine
// NPU2-NOT:       linalg.generic
// NPU2:           scf.for
func.func @affine(%a: memref<4x4x4x4xf32, 2>, %c: memref<4x4x4x4xf32, 2>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%a : memref<4x4x4x4xf32, 2>) outs(%c : memref<4x4x4x4xf32, 2>) {
  ^bb0(%x: f32, %u: f32):
    %k = arith.constant 0.5 : f32
    %w = arith.mulf %x, %k : f32
    %y = arith.addf %w, %x : f32
    linalg.yield %y : f32
  }
  return
}

// As a scalar, an i32 is shifted as an index, which is not rounded.
// CHECK-LABEL: func.func @requantise
// CHECK-NOT:     linalg.generic
// CHECK:         %[[I:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK:         %[[S:.*]] = arith.shrsi %[[I]], %{{.*}} : index
// CHECK:         arith.index_cast %[[S]] : index to i32
// SCALAR-LABEL: func.func @requantise
// SCALAR:         linalg.generic
// SCALAR:         arith.shrsi %{{.*}} : index
func.func @requantise(%a: memref<4x4x4x4xi32, 2>, %c: memref<4x4x4x4xi8, 2>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%a : memref<4x4x4x4xi32, 2>) outs(%c : memref<4x4x4x4xi8, 2>) {
  ^bb0(%x: i32, %u: i8):
    %s = arith.constant 4 : i32
    %p = arith.shrsi %x, %s : i32
    %y = arith.trunci %p : i32 to i8
    linalg.yield %y : i8
  }
  return
}

// What is taken stays.
// CHECK-LABEL: func.func @plain
// CHECK:         linalg.generic
// CHECK-NOT:       allo.scalar
// CHECK:           arith.addf
func.func @plain(%a: memref<4x4x4x4xf32, 2>, %c: memref<4x4x4x4xbf16, 2>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%a : memref<4x4x4x4xf32, 2>) outs(%c : memref<4x4x4x4xbf16, 2>) {
  ^bb0(%x: f32, %u: bf16):
    %w = arith.addf %x, %x : f32
    %y = arith.truncf %w : f32 to bf16
    linalg.yield %y : bf16
  }
  return
}
