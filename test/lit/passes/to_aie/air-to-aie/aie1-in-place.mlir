// RUN: not allo-opt --syntax=2026-03 %s --air-to-aie='use-lock-race-condition-fix=true row-offset=2 col-offset=2 emit-while-loop=true' --split-input-file 2>/dev/null | filecheck %s
// RUN: not allo-opt --syntax=2026-03 %s --air-to-aie='use-lock-race-condition-fix=true row-offset=2 col-offset=2' --split-input-file 2>&1 | filecheck %s --check-prefix=L2

// What comes in goes out from the same buffer: it is not refilled before it is sent. Without use by the core, the core hands
// the buffer over from one DMA channel to the other.

air.channel @in [1, 1]
air.channel @out [1, 1]
// CHECK-LABEL: aie.device(xcvc1902) @s
// CHECK: aie.core(%tile_2_2) {
// CHECK:   aie.use_lock(%[[S:.*]], Acquire, 1)
// CHECK:   aie.use_lock(%[[M:.*]], Acquire, 0)
// CHECK:   linalg.fill
// CHECK:   aie.use_lock(%[[M]], Release, 1)
// CHECK:   aie.use_lock(%[[M]], Acquire, 0)
// CHECK:   aie.use_lock(%[[M]], Release, 0)
// CHECK:   aie.use_lock(%[[S]], Release, 0)
func.func @f(%a: memref<64xi32>, %b: memref<64xi32>) {
  air.launch () in () args(%x=%a, %y=%b) : memref<64xi32>, memref<64xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<64xi32>)
    air.channel.get @out[] (%y[] [] []) : (memref<64xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%m=%c1, %n=%c1) {
        %c = arith.constant 7 : i32
        %l = memref.alloc() : memref<64xi32, 2>
        air.channel.get @in[%i, %j] (%l[] [] []) : (memref<64xi32, 2>)
        linalg.fill ins(%c : i32) outs(%l : memref<64xi32, 2>)
        air.channel.put @out[%i, %j] (%l[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %l : memref<64xi32, 2>
      }
    }
  }
  return
}

// -----

air.channel @in [1, 1]
// L2: error: {{.*}}needs a memtile; xcvc1902 has none
func.func @f(%a: memref<64xi32>) {
  air.launch () in () args(%x=%a) : memref<64xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<64xi32>)
    air.segment @s {
      %l = memref.alloc() : memref<64xi32, 1>
      air.channel.get @in[] (%l[] [] []) : (memref<64xi32, 1>)
      memref.dealloc %l : memref<64xi32, 1>
    }
  }
  return
}
