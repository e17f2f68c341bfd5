// RUN: allo-opt --syntax=2026-03 %s --split-input-file --air-to-aie='device=npu1 row-offset=2 col-offset=0 use-objectfifo=true logical-tiles=false' | filecheck %s

// Channels are fifos; a core holds an object from the start of the block that moves a buffer to where the buffer is freed. L2
// buffers are links, of parts by where they start.

// CHECK-LABEL: aie.device(npu1) @s
// CHECK-DAG: %[[SHIM:.*]] = aie.tile(0, 0)
// CHECK-DAG: %[[MEM:.*]] = aie.tile(0, 1)
// CHECK-DAG: %[[C0:.*]] = aie.tile(0, 2)
// CHECK-DAG: %[[C1:.*]] = aie.tile(0, 3)
// CHECK-DAG: aie.objectfifo @air_in(%[[SHIM]], {%[[MEM]]}, 1 : i32) : !aie.objectfifo<memref<64xi32, 1>>
// CHECK-DAG: aie.objectfifo @air_down_0(%[[MEM]], {%[[C0]]}, 2 : i32) : !aie.objectfifo<memref<32xi32, {{[12]}}>>
// CHECK-DAG: aie.objectfifo @air_down_1(%[[MEM]], {%[[C1]]}, 2 : i32)
// CHECK-DAG: aie.objectfifo @air_up_0(%[[C0]], {%[[SHIM]]}, 1 : i32)
// CHECK-DAG: aie.objectfifo @air_up_1(%[[C1]], {%[[SHIM]]}, 1 : i32)
// CHECK-DAG: aie.objectfifo.link [@air_in] -> [@air_down_0, @air_down_1]([] [0, 32])
// CHECK: aie.core(%[[C1]]) {
// CHECK:   scf.for
// CHECK-DAG: %[[I:.*]] = aie.objectfifo.acquire @air_down_1(Consume, 1)
// CHECK-DAG: %[[X:.*]] = aie.objectfifo.subview.access %[[I]][0]
// CHECK-DAG: %[[O:.*]] = aie.objectfifo.acquire @air_up_1(Produce, 1)
// CHECK-DAG: %[[Y:.*]] = aie.objectfifo.subview.access %[[O]][0]
// CHECK:   memref.copy %[[X]], %[[Y]]
// CHECK-DAG: aie.objectfifo.release @air_down_1(Consume, 1)
// CHECK-DAG: aie.objectfifo.release @air_up_1(Produce, 1)
// CHECK-NOT: aie.buffer
// CHECK-NOT: aie.shim_dma_allocation
// CHECK: air.channel.put @in[] {{.*}} {metadataArray = [{base = "air_in_shim_alloc", index = 0 : i32}]}
air.channel @in []
air.channel @down [1, 2] {buffer_resources = 2 : i64}
air.channel @up [1, 2]
func.func @f(%a: memref<64xi32>, %b: memref<64xi32>) {
  air.launch () in () args(%x=%a, %y=%b) : memref<64xi32>, memref<64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    air.channel.put @in[] (%x[] [] []) : (memref<64xi32>)
    air.channel.get @up[%c0, %c0] (%y[%c0] [%c32] [%c1]) : (memref<64xi32>)
    air.channel.get @up[%c0, %c1] (%y[%c32] [%c32] [%c1]) : (memref<64xi32>)
    air.segment @s {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32_0 = arith.constant 32 : index
      %m = memref.alloc() : memref<64xi32, 1>
      air.channel.get @in[] (%m[] [] []) : (memref<64xi32, 1>)
      air.channel.put @down[%c0_0, %c0_0] (%m[%c0_0] [%c32_0] [%c1_0]) : (memref<64xi32, 1>)
      air.channel.put @down[%c0_0, %c1_0] (%m[%c32_0] [%c32_0] [%c1_0]) : (memref<64xi32, 1>)
      memref.dealloc %m : memref<64xi32, 1>
      air.herd @h tile (%i, %j) in (%p=%c1_0, %n=%c2) {
        %c0_1 = arith.constant 0 : index
        %c1_1 = arith.constant 1 : index
        scf.for %k = %c0_1 to %c1_1 step %c1_1 {
          %l = memref.alloc() : memref<32xi32, 2>
          %o = memref.alloc() : memref<32xi32, 2>
          air.channel.get @down[%i, %j] (%l[] [] []) : (memref<32xi32, 2>)
          memref.copy %l, %o : memref<32xi32, 2> to memref<32xi32, 2>
          memref.dealloc %l : memref<32xi32, 2>
          air.channel.put @up[%i, %j] (%o[] [] []) : (memref<32xi32, 2>)
          memref.dealloc %o : memref<32xi32, 2>
        }
      }
    }
  }
  return
}

// -----

// A core that gets and puts one buffer copies the object that it got to the one that it puts.
// CHECK-LABEL: aie.device(npu1) @both
// CHECK: %[[I:.*]] = aie.objectfifo.acquire @air_in(Consume, 1)
// CHECK: %[[X:.*]] = aie.objectfifo.subview.access %[[I]][0]
// CHECK: linalg.add ins(%[[X]], %[[X]] : {{.*}}) outs(%[[X]]
// CHECK: %[[O:.*]] = aie.objectfifo.acquire @air_out(Produce, 1)
// CHECK: %[[Y:.*]] = aie.objectfifo.subview.access %[[O]][0]
// CHECK: memref.copy %[[X]], %[[Y]]
// CHECK: aie.objectfifo.release @air_out(Produce, 1)
// CHECK: aie.objectfifo.release @air_in(Consume, 1)
air.channel @in [1, 1]
air.channel @out [1, 1]
func.func @two(%a: memref<8xi32>) {
  air.launch () in () args(%x=%a) : memref<8xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<8xi32>)
    air.channel.get @out[] (%x[] [] []) : (memref<8xi32>)
    air.segment @both {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%m=%c1, %n=%c1) {
        %l = memref.alloc() : memref<8xi32, 2>
        air.channel.get @in[%i, %j] (%l[] [] []) : (memref<8xi32, 2>)
        linalg.add ins(%l, %l : memref<8xi32, 2>, memref<8xi32, 2>) outs(%l : memref<8xi32, 2>)
        air.channel.put @out[%i, %j] (%l[] [] []) : (memref<8xi32, 2>)
        memref.dealloc %l : memref<8xi32, 2>
      }
    }
  }
  return
}
