// RUN: allo-opt %s --split-input-file --air-check-deadlock | filecheck %s

// Request and answer, each in the order that the other side expects.
// CHECK-LABEL: func.func @ping
air.channel @there []
air.channel @back []
func.func @ping() {
  %c1 = arith.constant 1 : index
  %a = air.herd @a async tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %l1 = memref.alloc() : memref<8xi32, 2>
    air.channel.put @there[] (%l1[] [] []) : (memref<8xi32, 2>)
    air.channel.get @back[] (%l1[] [] []) : (memref<8xi32, 2>)
  }
  %b = air.herd @b async tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %l1 = memref.alloc() : memref<8xi32, 2>
    air.channel.get @there[] (%l1[] [] []) : (memref<8xi32, 2>)
    air.channel.put @back[] (%l1[] [] []) : (memref<8xi32, 2>)
  }
  return
}

// -----

// Both put first: each channel holds one transfer, which is enough.
// CHECK-LABEL: func.func @crossed
air.channel @there []
air.channel @back []
func.func @crossed() {
  %c1 = arith.constant 1 : index
  %a = air.herd @a async tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %l1 = memref.alloc() : memref<8xi32, 2>
    air.channel.put @there[] (%l1[] [] []) : (memref<8xi32, 2>)
    air.channel.get @back[] (%l1[] [] []) : (memref<8xi32, 2>)
  }
  %b = air.herd @b async tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %l1 = memref.alloc() : memref<8xi32, 2>
    air.channel.put @back[] (%l1[] [] []) : (memref<8xi32, 2>)
    air.channel.get @there[] (%l1[] [] []) : (memref<8xi32, 2>)
  }
  return
}
