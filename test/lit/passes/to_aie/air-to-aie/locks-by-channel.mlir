// RUN: allo-opt --syntax=2026-03 %s --split-input-file --air-to-aie='device=npu1 row-offset=2 col-offset=0 emit-while-loop=true' 2>%t | filecheck %s
// RUN: filecheck %s --input-file=%t --check-prefix=RACE
// RUN: allo-opt --syntax=2026-03 %s --split-input-file --air-to-aie='device=npu1 row-offset=2 col-offset=0' 2>/dev/null | filecheck %s --check-prefix=ONCE

// A pair of locks for each channel; what the core puts it has room for from the start of a round, what it gets from the get on,
// both until the buffer goes.
// CHECK-LABEL: aie.device(npu1) @forwards
// CHECK: %[[ROOM_IN:.*]] = aie.lock(%[[T:.*]], 3) {init = 1 : i32}
// CHECK: %[[IN:.*]] = aie.lock(%[[T]], 2) {init = 0 : i32}
// CHECK: %[[ROOM_OUT:.*]] = aie.lock(%[[T]], 1) {init = 1 : i32}
// CHECK: %[[OUT:.*]] = aie.lock(%[[T]], 0) {init = 0 : i32}
// CHECK: aie.buffer(%[[T]]) {sym_name = "buf
// CHECK-NEXT: aie.external_buffer {sym_name = "__air_external_buffer"} : memref<64xi32>
// CHECK-NEXT: aie.external_buffer {sym_name = "__air_external_buffer_1"} : memref<128xi32>
// CHECK: aie.core
// CHECK: cf.br ^bb1
// CHECK: ^bb1:
// CHECK-NEXT: aie.use_lock(%[[ROOM_OUT]], AcquireGreaterEqual, 1)
// CHECK-NEXT: cf.br ^bb2
// CHECK: ^bb2:
// CHECK-NEXT: aie.use_lock(%[[IN]], AcquireGreaterEqual, 1)
// CHECK-NEXT: func.call @work
// CHECK-NEXT: aie.use_lock(%[[ROOM_IN]], Release, 1)
// CHECK-NEXT: aie.use_lock(%[[OUT]], Release, 1)
// CHECK-NEXT: cf.br ^bb1
// CHECK: {channel = 2 : i64, col = 0 : i64, id = 7 : i64
// RACE: warning: 'air.channel.put' op sends a buffer that '@in' may fill again before all is sent; use-lock-race-condition-fix=true
// ONCE-LABEL: aie.device(npu1) @forwards
// ONCE: aie.core
// ONCE: cf.br ^bb1
// ONCE: ^bb1:
// ONCE-NEXT: aie.use_lock(%{{.*}}, AcquireGreaterEqual, 1)
// ONCE-NEXT: cf.br ^bb2
// ONCE: ^bb2:
// ONCE-NEXT: aie.use_lock(%{{.*}}, AcquireGreaterEqual, 1)
// ONCE-NEXT: func.call @work
// ONCE-NEXT: aie.use_lock(%{{.*}}, Release, 1)
// ONCE-NEXT: aie.use_lock(%{{.*}}, Release, 1)
// ONCE-NEXT: aie.end
air.channel @in [1, 1]
air.channel @out [1, 1]
func.func private @work(memref<64xi32, 2>)
func.func @f(%a: memref<64xi32>, %b: memref<128xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  air.channel.put @in[] (%a[] [] []) {id = 1 : i32} : (memref<64xi32>)
  air.channel.get @out[] (%b[%c0] [%c64] [%c1]) {id = 2 : i32} : (memref<128xi32>)
  air.segment @forwards {
    %one = arith.constant 1 : index
    air.herd @h tile (%x, %y) in (%sx=%one, %sy=%one) {
      %buf = memref.alloc() : memref<64xi32, 2>
      air.channel.get @in[%x, %y] (%buf[] [] []) {id = 7 : i32} : (memref<64xi32, 2>)
      func.call @work(%buf) : (memref<64xi32, 2>) -> ()
      air.channel.put @out[%x, %y] (%buf[] [] []) {id = 8 : i32} : (memref<64xi32, 2>)
      memref.dealloc %buf : memref<64xi32, 2>
    }
  }
  return
}

// -----

// Buffers that take turns share a pair; those that are deallocated elsewhere are given back after the last use in the same block.
// CHECK-LABEL: aie.device(npu1) @loops
// CHECK: aie.lock(%{{.*}}, {{.*}}) {init = 2 : i32}
// CHECK: aie.core
// CHECK: scf.for
// CHECK-NEXT: aie.use_lock(%[[DATA:.*]], AcquireGreaterEqual, 1)
// CHECK-NEXT: func.call @work
// CHECK-NEXT: aie.use_lock(%[[ROOM:.*]], Release, 1)
// CHECK-NEXT: aie.use_lock(%[[DATA]], AcquireGreaterEqual, 1)
// CHECK-NEXT: func.call @work
// CHECK-NEXT: aie.use_lock(%[[ROOM]], Release, 1)
// CHECK-NEXT: }
func.func private @work(memref<64xi32, 2>)
air.channel @from [1, 1]
func.func @g(%a: memref<64xi32>) {
  air.channel.put @from[] (%a[] [] []) : (memref<64xi32>)
  air.segment @loops {
    %one = arith.constant 1 : index
    air.herd @h2 tile (%x, %y) in (%sx=%one, %sy=%one) attributes {x_loc = 1 : i64} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %ping = memref.alloc() : memref<64xi32, 2>
      %pong = memref.alloc() : memref<64xi32, 2>
      scf.for %i = %c0 to %c4 step %c1 {
        air.channel.get @from[%x, %y] (%ping[] [] []) : (memref<64xi32, 2>)
        func.call @work(%ping) : (memref<64xi32, 2>) -> ()
        air.channel.get @from[%x, %y] (%pong[] [] []) : (memref<64xi32, 2>)
        func.call @work(%pong) : (memref<64xi32, 2>) -> ()
      }
      memref.dealloc %ping : memref<64xi32, 2>
      memref.dealloc %pong : memref<64xi32, 2>
    }
  }
  return
}

// -----

// A core that uses a buffer outside of what its locks would cover has the locks of the fix.
// CHECK-LABEL: aie.device(npu1) @before
// CHECK: aie.core
// CHECK: func.call @work
// CHECK: scf.for
// CHECK-NOT: func.call
// CHECK: aie.use_lock
func.func private @work(memref<64xi32, 2>)
air.channel @to [1, 1]
func.func @h(%a: memref<64xi32>) {
  air.channel.get @to[] (%a[] [] []) : (memref<64xi32>)
  air.segment @before {
    %one = arith.constant 1 : index
    air.herd @h3 tile (%x, %y) in (%sx=%one, %sy=%one) attributes {x_loc = 2 : i64} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %buf = memref.alloc() : memref<64xi32, 2>
      func.call @work(%buf) : (memref<64xi32, 2>) -> ()
      scf.for %i = %c0 to %c4 step %c1 {
        air.channel.put @to[%x, %y] (%buf[] [] []) : (memref<64xi32, 2>)
      }
      memref.dealloc %buf : memref<64xi32, 2>
    }
  }
  return
}

// -----

// Two channels fill one buffer, each when its own lock says so.
// RACE: warning: 'air.channel.get' op fills a buffer that '@second' may fill, too, before the core has read it; use-lock-race
// CHECK-LABEL: aie.device(npu1) @both_fill
air.channel @first [1, 1]
air.channel @second [1, 1]
func.func private @work(memref<64xi32, 2>)
func.func @i(%a: memref<64xi32>) {
  air.channel.put @first[] (%a[] [] []) : (memref<64xi32>)
  air.channel.put @second[] (%a[] [] []) : (memref<64xi32>)
  air.segment @both_fill {
    %one = arith.constant 1 : index
    air.herd @h4 tile (%x, %y) in (%sx=%one, %sy=%one) attributes {x_loc = 3 : i64} {
      %buf = memref.alloc() : memref<64xi32, 2>
      air.channel.get @first[%x, %y] (%buf[] [] []) : (memref<64xi32, 2>)
      func.call @work(%buf) : (memref<64xi32, 2>) -> ()
      air.channel.get @second[%x, %y] (%buf[] [] []) : (memref<64xi32, 2>)
      func.call @work(%buf) : (memref<64xi32, 2>) -> ()
      memref.dealloc %buf : memref<64xi32, 2>
    }
  }
  return
}

// -----

// Two channels fill a half each, which is not a race.
// RACE-NOT: warning
// CHECK-LABEL: aie.device(npu1) @halves
air.channel @lower [1, 1]
air.channel @upper [1, 1]
func.func private @work(memref<64xi32, 2>)
func.func @j(%a: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c1 = arith.constant 1 : index
  air.channel.put @lower[] (%a[%c0] [%c32] [%c1]) : (memref<64xi32>)
  air.channel.put @upper[] (%a[%c32] [%c32] [%c1]) : (memref<64xi32>)
  air.segment @halves {
    %one = arith.constant 1 : index
    air.herd @h5 tile (%x, %y) in (%sx=%one, %sy=%one) {
      %buf = memref.alloc() : memref<64xi32, 2>
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k32 = arith.constant 32 : index
      air.channel.get @lower[%x, %y] (%buf[%k0] [%k32] [%k1]) : (memref<64xi32, 2>)
      air.channel.get @upper[%x, %y] (%buf[%k32] [%k32] [%k1]) : (memref<64xi32, 2>)
      func.call @work(%buf) : (memref<64xi32, 2>) -> ()
      memref.dealloc %buf : memref<64xi32, 2>
    }
  }
  return
}
