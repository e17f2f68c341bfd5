// RUN: allo-opt --syntax=2026-03 %s --pack-contractions | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --pack-contractions --verify-each=execute -o /dev/null
// RUN: allo-opt --syntax=2026-03 %s --pack-contractions=device=npu2 | filecheck %s --check-prefix=NPU2
// RUN: allo-opt --syntax=2026-03 %s --pack-contractions --pack-contractions | filecheck %s
// RUN: not allo-opt --syntax=2026-03 %s --pack-contractions=device=npu3 2>&1 | filecheck %s --check-prefix=UNKNOWN

// UNKNOWN: 'npu3'

// Buffers are laid out in micro-tiles; transfers walk them row by row: all of A, in two parts B, and the result.
// CHECK-DAG:   #[[A:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d0, d3, d5)>
// CHECK-DAG:   #[[B:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d5, d4)>
// CHECK-DAG:   #[[C:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d0, d3, d4)>
// CHECK-LABEL: func.func @main
// CHECK:       air.herd
// CHECK:         %[[BUF:.*]] = memref.alloc() : memref<2x4x4x8xbf16, 2>
// CHECK:         memref.alloc() : memref<2x2x8x4xbf16, 2>
// CHECK:         memref.alloc() : memref<2x4x4x4xf32, 2>
// CHECK:         linalg.fill {{.*}} outs(%{{.*}} : memref<2x4x4x4xf32, 2>)
// CHECK:         air.channel.get @a[] (%[[BUF]][%{{.*}}, %{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}, %{{.*}}]) : (memref<2x4x4x8xbf16, 2>)
// CHECK:         air.channel.get @b[]
// CHECK:         air.channel.get @b[]
// CHECK:         linalg.generic {indexing_maps = [#[[A]], #[[B]], #[[C]]], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : memref<2x4x4x8xbf16, 2>, memref<2x2x8x4xbf16, 2>) outs(%{{.*}} : memref<2x4x4x4xf32, 2>)
// CHECK:         air.channel.put @c[]

// Micro-tiles of 8 x 8 x 4.
// NPU2:          memref.alloc() : memref<2x2x8x8xbf16, 2>
// NPU2:          memref.alloc() : memref<2x2x8x4xbf16, 2>
// NPU2:          memref.alloc() : memref<2x2x8x4xf32, 2>
air.channel @a [1, 1]
air.channel @b [1, 1]
air.channel @c [1, 1]
func.func @main(%A: memref<16x16xbf16>, %B: memref<16x8xbf16>, %C: memref<16x8xf32>) {
  air.launch () in () args(%x=%A, %y=%B, %z=%C) : memref<16x16xbf16>, memref<16x8xbf16>, memref<16x8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    air.channel.put @a[] (%x[] [] []) : (memref<16x16xbf16>)
    air.channel.put @b[] (%y[%c0, %c0] [%c8, %c8] [%c8, %c1]) : (memref<16x8xbf16>)
    air.channel.put @b[] (%y[%c8, %c0] [%c8, %c8] [%c8, %c1]) : (memref<16x8xbf16>)
    air.segment @s {
      %one = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx=%one, %sy=%one) {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d8 = arith.constant 8 : index
        %zero = arith.constant 0.0 : f32
        %la = memref.alloc() : memref<16x16xbf16, 2>
        %lb = memref.alloc() : memref<16x8xbf16, 2>
        %lc = memref.alloc() : memref<16x8xf32, 2>
        linalg.fill ins(%zero : f32) outs(%lc : memref<16x8xf32, 2>)
        air.channel.get @a[] (%la[] [] []) : (memref<16x16xbf16, 2>)
        air.channel.get @b[] (%lb[%d0, %d0] [%d8, %d8] [%d8, %d1]) : (memref<16x8xbf16, 2>)
        air.channel.get @b[] (%lb[%d8, %d0] [%d8, %d8] [%d8, %d1]) : (memref<16x8xbf16, 2>)
        linalg.matmul ins(%la, %lb : memref<16x16xbf16, 2>, memref<16x8xbf16, 2>) outs(%lc : memref<16x8xf32, 2>)
        air.channel.put @c[] (%lc[] [] []) : (memref<16x8xf32, 2>)
        memref.dealloc %la : memref<16x16xbf16, 2>
        memref.dealloc %lb : memref<16x8xbf16, 2>
        memref.dealloc %lc : memref<16x8xf32, 2>
      }
    }
    air.channel.get @c[] (%z[] [] []) : (memref<16x8xf32>)
  }
  return
}
