// RUN: allo-opt --syntax=2026-03 %s --air-opt-memtile-dma-bds=device=npu1 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --pass-pipeline='builtin.module(func.func(air-opt-memtile-dma-bds{device=npu2_4col}))' | filecheck %s

air.channel @in [1]
air.channel @out [1]
air.channel @again [1]

// Gets and puts of one loop part, and each loop becomes a dimension; one that only repeats stays; the end waits for all.

// CHECK-LABEL: func.func @f
// CHECK:         air.segment @s async
// CHECK:           %[[G:.*]] = air.channel.get async {{.*}}@in[%c0{{[_0-9]*}}] (%[[M:.*]][] [] []) : (memref<16x64xi32, 1>)
// CHECK:           %[[P:.*]] = air.channel.put async {{.*}}@out[%c0{{[_0-9]*}}] (%[[M]][%c0{{[_0-9]*}}, %c0{{[_0-9]*}}, %c0{{[_0-9]*}}] [%c4{{[_0-9]*}}, %c16{{[_0-9]*}}, %c16{{[_0-9]*}}] [%c16{{[_0-9]*}}, %c64{{[_0-9]*}}, %c1{{[_0-9]*}}]) : (memref<16x64xi32, 1>)
// CHECK:           %[[A:.*]] = scf.for
// CHECK:             air.channel.put async {{.*}}@again[%c0{{[_0-9]*}}] (%[[M]][] [] [])
// CHECK:           %[[D:.*]] = air.execute
// CHECK:           air.wait_all [%[[D]]] {air.segment_end}
func.func @f(%a: memref<16x64xi32>, %b: memref<16x64xi32>, %c: memref<3x16x64xi32>) {
  %t = air.launch async () in () args(%x=%a, %y=%b, %z=%c) : memref<16x64xi32>, memref<16x64xi32>, memref<3x16x64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %p = air.channel.put async @in[%c0] (%x[] [] []) : (memref<16x64xi32>)
    %g = air.channel.get async @out[%c0] (%y[] [] []) : (memref<16x64xi32>)
    %h = air.channel.get async @again[%c0] (%z[] [] []) : (memref<3x16x64xi32>)
    %s = air.segment @s async {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d3 = arith.constant 3 : index
      %d4 = arith.constant 4 : index
      %d16 = arith.constant 16 : index
      %d64 = arith.constant 64 : index
      %at, %m = air.execute -> (memref<16x64xi32, 1>) {
        %alloc = memref.alloc() : memref<16x64xi32, 1>
        air.execute_terminator %alloc : memref<16x64xi32, 1>
      }
      %1 = scf.for %i = %d0 to %d16 step %d4 iter_args(%u = %at) -> (!air.async.token) {
        %2 = air.channel.get async [%u] @in[%d0] (%m[%i, %d0] [%d4, %d64] [%d64, %d1]) : (memref<16x64xi32, 1>)
        scf.yield %2 : !air.async.token
      }
      %3 = scf.for %i = %d0 to %d64 step %d16 iter_args(%u = %1) -> (!air.async.token) {
        %4 = air.channel.put async [%u] @out[%d0] (%m[%d0, %i] [%d16, %d16] [%d64, %d1]) : (memref<16x64xi32, 1>)
        scf.yield %4 : !air.async.token
      }
      %5 = scf.for %i = %d0 to %d3 step %d1 iter_args(%u = %3) -> (!air.async.token) {
        %6 = air.channel.put async [%u] @again[%d0] (%m[] [] []) : (memref<16x64xi32, 1>)
        scf.yield %6 : !air.async.token
      }
      %f = air.execute [%5] {
        memref.dealloc %m : memref<16x64xi32, 1>
      }
    }
  }
  air.wait_all [%t]
  return
}

// Cores keep their loops, and a synchronous segment gets no end.

// CHECK-LABEL: func.func @cores
// CHECK:         air.herd
// CHECK:           scf.for
// CHECK-NEXT:        air.channel.get @in
// CHECK-NOT:     air.segment_end
func.func @cores() {
  air.launch () in () {
    air.segment @cores_0 {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%m=%c1, %n=%c1) {
        %c0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %l = memref.alloc() : memref<4xi32, 2>
        scf.for %i = %c0 to %c4 step %d1 {
          air.channel.get @in[%c0] (%l[%i] [%d1] [%d1]) : (memref<4xi32, 2>)
        }
        memref.dealloc %l : memref<4xi32, 2>
      }
    }
  }
  return
}
