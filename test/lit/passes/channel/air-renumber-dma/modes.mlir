// RUN: allo-opt %s --air-renumber-dma | filecheck %s --check-prefixes=CHECK,GLOBAL
// RUN: allo-opt %s --air-renumber-dma --air-renumber-dma | filecheck %s --check-prefixes=CHECK,GLOBAL
// RUN: allo-opt %s --pass-pipeline='builtin.module(func.func(air-renumber-dma{mode=launch}))' | filecheck %s --check-prefixes=CHECK,LAUNCH
// RUN: allo-opt %s --air-renumber-dma=mode=segment | filecheck %s --check-prefixes=CHECK,SEGMENT
// RUN: allo-opt %s --air-renumber-dma=mode=herd | filecheck %s --check-prefixes=CHECK,HERD

air.channel @c [1]

// Ids of launches, segments and herds are not renumbered.

// CHECK-LABEL:  func.func @f
// GLOBAL:       air.channel.put @c{{.*}}id = 1 : i32
// LAUNCH:       air.channel.put @c{{.*}}id = 9 : i32
// SEGMENT:      air.channel.put @c{{.*}}id = 9 : i32
// HERD:         air.channel.put @c{{.*}}id = 9 : i32
// CHECK:        air.launch {{.*}}id = 7 : i32
// GLOBAL:       air.dma_memcpy_nd {{.*}}id = 2 : i32
// LAUNCH:       air.dma_memcpy_nd {{.*}}id = 1 : i32
// SEGMENT:      air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[] [] []) :
// HERD:         air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[] [] []) :
// CHECK:        air.segment @s
// GLOBAL:       air.channel.get @c{{.*}}id = 3 : i32
// LAUNCH:       air.channel.get @c{{.*}}id = 2 : i32
// SEGMENT:      air.channel.get @c{{.*}}id = 1 : i32
// HERD:         air.channel.get @c{{.*}}id = 9 : i32
// CHECK:        air.herd @h
// GLOBAL:       air.channel.put @c{{.*}}id = 4 : i32
// LAUNCH:       air.channel.put @c{{.*}}id = 3 : i32
// SEGMENT:      air.channel.put @c{{.*}}id = 2 : i32
// HERD:         air.channel.put @c{{.*}}id = 1 : i32
// CHECK:        air.herd @h
// GLOBAL:       air.channel.get @c{{.*}}id = 5 : i32
// LAUNCH:       air.channel.get @c{{.*}}id = 4 : i32
// SEGMENT:      air.channel.get @c{{.*}}id = 3 : i32
// HERD:         air.channel.get @c{{.*}}id = 1 : i32
func.func @f(%a: memref<8xi32>, %b: memref<8xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  air.channel.put @c[%c0] (%a[] [] []) {id = 9 : i32} : (memref<8xi32>)
  air.launch (%i) in (%n=%c1) args(%x=%a, %y=%b) : memref<8xi32>, memref<8xi32, 1> attributes {id = 7 : i32} {
    air.dma_memcpy_nd (%y[] [] [], %x[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
    air.segment @s args(%z=%y) : memref<8xi32, 1> {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      air.channel.get @c[%d0] (%z[] [] []) {id = 9 : i32} : (memref<8xi32, 1>)
      air.herd @h tile (%u, %v) in (%s=%d1, %t=%d1) args(%w=%z) : memref<8xi32, 1> {
        %e0 = arith.constant 0 : index
        air.channel.put @c[%e0] (%w[] [] []) {id = 9 : i32} : (memref<8xi32, 1>)
      }
      air.herd @h tile (%u, %v) in (%s=%d1, %t=%d1) args(%w=%z) : memref<8xi32, 1> {
        %e0 = arith.constant 0 : index
        air.channel.get @c[%e0] (%w[] [] []) {id = 9 : i32} : (memref<8xi32, 1>)
      }
    }
  }
  return
}

// Each function counts from 1.

// CHECK-LABEL:  func.func @g
// GLOBAL:       air.channel.get async @c{{.*}}id = 1 : i32
func.func @g(%a: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %t = air.channel.get async @c[%c0] (%a[] [] []) : (memref<8xi32>)
  return
}
