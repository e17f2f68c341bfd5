// RUN: allo-opt %s --pass-pipeline='builtin.module(func.func(air-opt-memtile-dma-bds{device=npu1}))' | filecheck %s

// A loop whose transfers together are longer than a descriptor's length stays several.

// CHECK-LABEL:   @f
// CHECK-COUNT-2: air.channel.get
// CHECK-NOT:     air.channel.get @in[] (%{{.*}}[%{{.*}}] [%c131072]
air.channel @in []
func.func @f() {
  air.launch () in () {
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %half = arith.constant 65536 : index
      %n = arith.constant 131072 : index
      %m = memref.alloc() : memref<131072xi32, 1>
      scf.for %k = %c0 to %n step %half {
        air.channel.get @in[] (%m[%k] [%half] [%c1]) : (memref<131072xi32, 1>)
      }
      memref.dealloc %m : memref<131072xi32, 1>
    }
  }
  return
}
