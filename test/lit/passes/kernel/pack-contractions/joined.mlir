// RUN: allo-opt %s --split-input-file --pack-contractions | filecheck %s

// What works element by element on a packed matrix is laid out alike, and reads what goes along its rows and columns in parts.
// CHECK-LABEL: func.func private @joined
// CHECK:       %[[C:.*]] = memref.alloc() : memref<2x2x4x8xi32, 2>
// CHECK:       %[[D:.*]] = memref.alloc() : memref<2x2x4x8xi32, 2>
// CHECK:       linalg.generic {{.*}} outs(%[[C]] : memref<2x2x4x8xi32, 2>)
// CHECK:       %[[ROW:.*]] = memref.expand_shape %{{.*}} {{\[}}[0, 1]] output_shape [2, 8] : memref<16xi32, 2> into memref<2x8xi32, 2>
// CHECK:       %[[COLUMN:.*]] = memref.expand_shape %{{.*}} {{\[}}[0, 1]] output_shape [2, 4] : memref<8xi32, 2> into memref<2x4xi32, 2>
// CHECK:       linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%[[C]], %[[ROW]], %[[COLUMN]] : {{.*}}) outs(%[[D]] : memref<2x2x4x8xi32, 2>)
// CHECK:       linalg.add ins(%[[C]], %[[D]] : memref<2x2x4x8xi32, 2>, memref<2x2x4x8xi32, 2>) outs(%[[D]] : memref<2x2x4x8xi32, 2>)
// CHECK:       air.channel.put @c[] (%[[D]][
air.channel @a [1, 1]
air.channel @b [1, 1]
air.channel @c [1, 1]
func.func private @joined(%row: memref<16xi32, 2>, %column: memref<8xi32, 2>) {
  %zero = arith.constant 0 : i32
  %a = memref.alloc() : memref<8x16xi8, 2>
  %b = memref.alloc() : memref<16x16xi8, 2>
  %c = memref.alloc() : memref<8x16xi32, 2>
  %d = memref.alloc() : memref<8x16xi32, 2>
  linalg.fill ins(%zero : i32) outs(%c : memref<8x16xi32, 2>)
  air.channel.get @a[] (%a[] [] []) : (memref<8x16xi8, 2>)
  air.channel.get @b[] (%b[] [] []) : (memref<16x16xi8, 2>)
  linalg.matmul ins(%a, %b : memref<8x16xi8, 2>, memref<16x16xi8, 2>) outs(%c : memref<8x16xi32, 2>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%c, %row, %column : memref<8x16xi32, 2>, memref<16xi32, 2>, memref<8xi32, 2>) outs(%d : memref<8x16xi32, 2>) {
  ^bb0(%x: i32, %y: i32, %z: i32, %o: i32):
    %s = arith.addi %x, %y : i32
    %t = arith.subi %s, %z : i32
    linalg.yield %t : i32
  }
  linalg.add ins(%c, %d : memref<8x16xi32, 2>, memref<8x16xi32, 2>) outs(%d : memref<8x16xi32, 2>)
  air.channel.put @c[] (%d[] [] []) : (memref<8x16xi32, 2>)
  return
}
func.func @main(%A: memref<8x16xi8>, %B: memref<16x16xi8>, %R: memref<16xi32>, %L: memref<8xi32>, %C: memref<8x16xi32>) {
  air.launch () in () args(%x=%A, %y=%B, %r=%R, %l=%L, %z=%C) : memref<8x16xi8>, memref<16x16xi8>, memref<16xi32>, memref<8xi32>, memref<8x16xi32> {
    air.channel.put @a[] (%x[] [] []) : (memref<8x16xi8>)
    air.channel.put @b[] (%y[] [] []) : (memref<16x16xi8>)
    air.segment @s args(%r1=%r, %l1=%l) : memref<16xi32>, memref<8xi32> {
      %one = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx=%one, %sy=%one) args(%r2=%r1, %l2=%l1) : memref<16xi32>, memref<8xi32> {
        %row = memref.alloc() : memref<16xi32, 2>
        %column = memref.alloc() : memref<8xi32, 2>
        air.dma_memcpy_nd (%row[] [] [], %r2[] [] []) : (memref<16xi32, 2>, memref<16xi32>)
        air.dma_memcpy_nd (%column[] [] [], %l2[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
        func.call @joined(%row, %column) : (memref<16xi32, 2>, memref<8xi32, 2>) -> ()
      }
    }
    air.channel.get @c[] (%z[] [] []) : (memref<8x16xi32>)
  }
  return
}

// -----

// The transposed factors of a product are laid out as they lie, and a result as n x m is that of the factors' places changed.
// CHECK-DAG:   #[[A:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d5, d3)>
// CHECK-DAG:   #[[B:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d1, d4, d5)>
// CHECK-DAG:   #[[C:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d0, d3, d4)>
// CHECK-LABEL: func.func private @turned
// CHECK:       %[[X:.*]] = memref.alloc() : memref<2x1x8x4xbf16, 2>
// CHECK:       %[[Y:.*]] = memref.alloc() : memref<1x1x4x8xbf16, 2>
// CHECK:       linalg.generic {indexing_maps = [#[[A]], #[[B]], #[[C]]], {{.*}}} ins(%[[X]], %[[Y]] :
// CHECK:         ^bb0(%[[IN:.*]]: bf16, %[[IN2:.*]]: bf16, %{{.*}}: f32):
// CHECK:           arith.extf %[[IN2]]
// CHECK:           arith.extf %[[IN]] 
func.func private @turned(%x: memref<8x8xbf16>, %y: memref<4x8xbf16>, %z: memref<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8x8xbf16, 2>
  %b = memref.alloc() : memref<4x8xbf16, 2>
  %c = memref.alloc() : memref<8x4xf32, 2>
  %one = arith.constant 1.0 : bf16
  linalg.fill ins(%one : bf16) outs(%a : memref<8x8xbf16, 2>)
  linalg.fill ins(%one : bf16) outs(%b : memref<4x8xbf16, 2>)
  linalg.fill ins(%zero : f32) outs(%c : memref<8x4xf32, 2>)
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%b, %a : memref<4x8xbf16, 2>, memref<8x8xbf16, 2>) outs(%c : memref<8x4xf32, 2>) {
  ^bb0(%u: bf16, %v: bf16, %o: f32):
    %0 = arith.extf %u : bf16 to f32
    %1 = arith.extf %v : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
func.func @main(%x: memref<8x8xbf16>, %y: memref<4x8xbf16>, %z: memref<8x4xf32>) {
  call @turned(%x, %y, %z) : (memref<8x8xbf16>, memref<4x8xbf16>, memref<8x4xf32>) -> ()
  return
}

// -----

// A row that is repeated into the sums at first is read in parts.
// CHECK-LABEL: func.func @main
// CHECK:       memref.expand_shape %{{.*}} {{\[}}[0, 1]] output_shape [2, 8] : memref<16xi32, 2> into memref<2x8xi32, 2>
// CHECK:       linalg.generic {{.*}} outs(%{{.*}} : memref<2x1x4x8xi32, 2>)
// CHECK:       linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : memref<1x1x4x8xi8, 2>, memref<2x1x8x8xi8, 2>) outs(
func.func @main(%x: memref<16xi32>) {
  %one = arith.constant 1 : i8
  %two = arith.constant 2 : i32
  %row = memref.alloc() : memref<16xi32, 2>
  %a = memref.alloc() : memref<4x8xi8, 2>
  %b = memref.alloc() : memref<8x16xi8, 2>
  %c = memref.alloc() : memref<4x16xi32, 2>
  linalg.fill ins(%two : i32) outs(%row : memref<16xi32, 2>)
  linalg.fill ins(%one : i8) outs(%a : memref<4x8xi8, 2>)
  linalg.fill ins(%one : i8) outs(%b : memref<8x16xi8, 2>)
  linalg.broadcast ins(%row : memref<16xi32, 2>) outs(%c : memref<4x16xi32, 2>) dimensions = [0]
  linalg.matmul ins(%a, %b : memref<4x8xi8, 2>, memref<8x16xi8, 2>) outs(%c : memref<4x16xi32, 2>)
  return
}
