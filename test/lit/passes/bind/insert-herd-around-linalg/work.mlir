// RUN: allo-opt %s --split-input-file --insert-herd-around-linalg=bytes=8000 | filecheck %s

// In a segment: a herd of one core, in tiles of as many rows as fit.
// CHECK-LABEL: func.func @rows
// CHECK:         air.herd @fill_0 {{.*}} args(%[[M:.*]]=%{{.*}})
// CHECK:           scf.for %[[I:.*]] =
// CHECK:             %[[V:.*]] = memref.subview %[[M]][%[[I]], 0] [2, 1000] [1, 1]
// CHECK:             %[[T:.*]] = memref.alloc() : memref<2x1000xi32, 2>
// CHECK:             linalg.fill ins(%{{.*}} : i32) outs(%[[T]] : memref<2x1000xi32, 2>)
// CHECK:             memref.copy %[[T]], %[[V]]
func.func @rows() {
  air.launch () in () {
    air.segment @s {
      %c5 = arith.constant 5 : i32
      %m = memref.alloc() : memref<8x1000xi32, 1>
      linalg.fill ins(%c5 : i32) outs(%m : memref<8x1000xi32, 1>)
    }
  }
  return
}

// -----

// On host buffers: a launch of its own. Inputs, and outputs that are read, are copied in. The reduction is not tiled.
// CHECK-LABEL: func.func @product
// CHECK-NOT:     linalg.
// CHECK:         air.launch
// CHECK:           air.segment @product_0
// CHECK:             air.herd @matmul_0
// CHECK-COUNT-3:       memref.copy
// CHECK:               linalg.matmul ins({{.*}} : memref<8x16xf32, 2>, memref<16x4xf32, 2>) outs({{.*}} : memref<8x4xf32, 2>)
// CHECK:               memref.copy
// CHECK:         air.launch
func.func @product(%a: memref<8x16xf32>, %b: memref<16x4xf32>, %c: memref<8x4xf32>) {
  linalg.matmul ins(%a, %b : memref<8x16xf32>, memref<16x4xf32>) outs(%c : memref<8x4xf32>)
  air.launch () in () {
  }
  return
}

// -----

// Copies, work on L1 buffers, and functions without AIR stay.
// CHECK-LABEL: func.func @stays
// CHECK-NOT:     air.herd
func.func @stays(%a: memref<8xf32>) {
  %c5 = arith.constant 5.0 : f32
  linalg.fill ins(%c5 : f32) outs(%a : memref<8xf32>)
  return
}
// CHECK-LABEL: func.func @copies
// CHECK-NOT:     air.herd
func.func @copies() {
  air.launch () in () {
    air.segment @s {
      %c5 = arith.constant 5.0 : f32
      %m = memref.alloc() : memref<8xf32, 1>
      %n = memref.alloc() : memref<8xf32, 1>
      %l = memref.alloc() : memref<8xf32, 2>
      linalg.copy ins(%m : memref<8xf32, 1>) outs(%n : memref<8xf32, 1>)
      linalg.fill ins(%c5 : f32) outs(%l : memref<8xf32, 2>)
    }
  }
  return
}

// -----

// The result covers a part of the buffer, so the other elements are copied in and out. A whole tile has the same indices.
// CHECK-LABEL: func.func @column
// CHECK:         linalg.fill
// CHECK:         air.herd
// CHECK:           %[[T:.*]] = memref.alloc() : memref<64x4xi32, 2>
// CHECK:           memref.copy %{{.*}}, %[[T]]
// CHECK:           linalg.generic {{.*}} outs(%[[T]] : memref<64x4xi32, 2>)
// CHECK:             linalg.index
func.func @column() {
  air.launch () in () {
    air.segment @s {
      %zero = arith.constant 0 : i32
      %m = memref.alloc() : memref<64x4xi32, 1>
      linalg.fill ins(%zero : i32) outs(%m : memref<64x4xi32, 1>)
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, 0)>], iterator_types = ["parallel"]} outs(%m : memref<64x4xi32, 1>) {
      ^bb0(%o: i32):
        %n = linalg.index 0 : index
        %k = arith.index_cast %n : index to i32
        linalg.yield %k : i32
      }
    }
  }
  return
}
