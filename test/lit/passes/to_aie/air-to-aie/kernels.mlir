// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0 stack-size=2048' | filecheck %s

// What a core calls and reads is copied into the device, through the functions that it calls.

// CHECK-LABEL: aie.device(npu1) @seg
// CHECK: aie.core(%tile_0_2) {
// CHECK:   func.call @helper(%buf0)
// CHECK:   memref.get_global @table
// CHECK: } {{{.*}}link_with = "kernel.o", stack_size = 2048 : i32}
// CHECK-NOT: aie.mem(
// CHECK: func.func private @helper(%{{.*}}: memref<8xi32, 2>)
// CHECK: memref.global "private" constant @table : memref<8xi32, 2>
// CHECK: func.func private @kernel(memref<8xi32, 2>){{$}}
// CHECK: func.func private @kernel(memref<8xi32, 2>) attributes {link_with = "kernel.o"}
memref.global "private" constant @table : memref<8xi32, 2> = dense<1>
func.func private @kernel(memref<8xi32, 2>) attributes {link_with = "kernel.o"}
func.func private @helper(%a: memref<8xi32, 2>) {
  call @kernel(%a) : (memref<8xi32, 2>) -> ()
  return
}
func.func @f() {
  %c1 = arith.constant 1 : index
  air.segment @seg {
    %s1 = arith.constant 1 : index
    air.herd @herd tile (%i, %j) in (%m = %s1, %n = %s1) attributes {link_with = "kernel.o"} {
      %a = memref.alloc() : memref<8xi32, 2>
      func.call @helper(%a) : (memref<8xi32, 2>) -> ()
      %t = memref.get_global @table : memref<8xi32, 2>
      memref.copy %t, %a : memref<8xi32, 2> to memref<8xi32, 2>
    }
  }
  return
}
