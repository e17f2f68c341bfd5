// RUN: allo-opt %s --pack-contractions | filecheck %s
// RUN: allo-opt %s --pack-contractions=device=npu2 | filecheck %s --check-prefix=NPU2

// Products stay whose sizes no micro-tile divides, whose buffers something looks at row by row, that multiply what comes from
// elsewhere, that want one buffer in two layouts, and of types that no instruction multiplies.
// CHECK-LABEL: func.func @divides
// CHECK:       linalg.matmul ins(%{{.*}} : memref<6x8xbf16, 2>
func.func @divides() {
  %a = memref.alloc() : memref<6x8xbf16, 2>
  %b = memref.alloc() : memref<8x4xbf16, 2>
  %c = memref.alloc() : memref<6x4xf32, 2>
  linalg.matmul ins(%a, %b : memref<6x8xbf16, 2>, memref<8x4xbf16, 2>) outs(%c : memref<6x4xf32, 2>)
  return
}

// CHECK-LABEL: func.func @looks
// CHECK:       linalg.matmul
// CHECK:       memref.load %{{.*}} : memref<4x4xf32, 2>
func.func @looks() -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x8xbf16, 2>
  %b = memref.alloc() : memref<8x4xbf16, 2>
  %c = memref.alloc() : memref<4x4xf32, 2>
  linalg.matmul ins(%a, %b : memref<4x8xbf16, 2>, memref<8x4xbf16, 2>) outs(%c : memref<4x4xf32, 2>)
  %e = memref.load %c[%c0, %c0] : memref<4x4xf32, 2>
  return %e : f32
}

// CHECK-LABEL: func.func @sums
// CHECK:       linalg.matmul
func.func @sums(%s: memref<4xf32, 2>) {
  %a = memref.alloc() : memref<4x8xbf16, 2>
  %b = memref.alloc() : memref<8x4xbf16, 2>
  %c = memref.alloc() : memref<4x4xf32, 2>
  linalg.matmul ins(%a, %b : memref<4x8xbf16, 2>, memref<8x4xbf16, 2>) outs(%c : memref<4x4xf32, 2>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%c : memref<4x4xf32, 2>) outs(%s : memref<4xf32, 2>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.addf %x, %o : f32
    linalg.yield %t : f32
  }
  return
}

// CHECK-LABEL: func.func @elsewhere
// CHECK:       linalg.matmul
func.func @elsewhere(%a: memref<4x8xbf16, 2>) {
  %b = memref.alloc() : memref<8x4xbf16, 2>
  %c = memref.alloc() : memref<4x4xf32, 2>
  linalg.matmul ins(%a, %b : memref<4x8xbf16, 2>, memref<8x4xbf16, 2>) outs(%c : memref<4x4xf32, 2>)
  return
}

// CHECK-LABEL: func.func @two
// CHECK:       linalg.matmul
func.func @two() {
  %a = memref.alloc() : memref<8x8xbf16, 2>
  %c = memref.alloc() : memref<8x8xf32, 2>
  linalg.matmul ins(%a, %a : memref<8x8xbf16, 2>, memref<8x8xbf16, 2>) outs(%c : memref<8x8xf32, 2>)
  return
}

// CHECK-LABEL: func.func @types
// CHECK:       linalg.matmul
func.func @types() {
  %a = memref.alloc() : memref<8x8xi64, 2>
  %b = memref.alloc() : memref<8x8xi64, 2>
  %c = memref.alloc() : memref<8x8xi64, 2>
  linalg.matmul ins(%a, %b : memref<8x8xi64, 2>, memref<8x8xi64, 2>) outs(%c : memref<8x8xi64, 2>)
  return
}

// Columns that are not a whole blocks come by themselves.
// CHECK-LABEL: func.func @columns
// CHECK:       linalg.matmul
air.channel @a [1, 1]
func.func @columns() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<4x16xbf16, 2>
  %b = memref.alloc() : memref<16x4xbf16, 2>
  %c = memref.alloc() : memref<4x4xf32, 2>
  air.channel.get @a[] (%a[%c0, %c0] [%c4, %c4] [%c16, %c1]) : (memref<4x16xbf16, 2>)
  linalg.matmul ins(%a, %b : memref<4x16xbf16, 2>, memref<16x4xbf16, 2>) outs(%c : memref<4x4xf32, 2>)
  return
}

// So do several rows as one: they are none in blocks.
// CHECK-LABEL: func.func @rows_as_one
// CHECK:       linalg.matmul
func.func @rows_as_one() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<4x16xbf16, 2>
  %b = memref.alloc() : memref<16x4xbf16, 2>
  %c = memref.alloc() : memref<4x4xf32, 2>
  air.channel.get @a[] (%a[%c0, %c0] [%c1, %c64] [%c16, %c1]) : (memref<4x16xbf16, 2>)
  linalg.matmul ins(%a, %b : memref<4x16xbf16, 2>, memref<16x4xbf16, 2>) outs(%c : memref<4x4xf32, 2>)
  return
}

// Instructions of i8 on npu2 take signed numbers alone; those of npu1 are told which have signs.
// CHECK-LABEL: func.func @unsigned
// CHECK:       linalg.generic {{.*}} memref<2x2x4x8xi8, 2>
// NPU2-LABEL: func.func @unsigned
// NPU2:       linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%{{.*}} : memref<8x16xi8, 2>
func.func @unsigned() {
  %a = memref.alloc() : memref<8x16xi8, 2>
  %b = memref.alloc() : memref<16x8xi8, 2>
  %c = memref.alloc() : memref<8x8xi32, 2>
  linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : memref<8x16xi8, 2>, memref<16x8xi8, 2>) outs(%c : memref<8x8xi32, 2>)
  return
}

// A buffer that a segment makes is each core's own: herds are passed it as it is.
// CHECK-LABEL: func.func @passed
// CHECK:       linalg.matmul
func.func @passed() {
  air.segment @s {
    %c2 = arith.constant 2 : index
    %a = memref.alloc() : memref<8x8xbf16, 2>
    %b = memref.alloc() : memref<8x8xbf16, 2>
    air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%p=%a, %q=%b) : memref<8x8xbf16, 2>, memref<8x8xbf16, 2> {
      %c = memref.alloc() : memref<8x8xf32, 2>
      linalg.matmul ins(%p, %q : memref<8x8xbf16, 2>, memref<8x8xbf16, 2>) outs(%c : memref<8x8xf32, 2>)
    }
  }
  return
}
