// RUN: allo-opt %s --air-annotate-append-barrier | filecheck %s
// RUN: allo-opt %s --air-annotate-append-barrier --air-to-std=fewest-waits=true | filecheck %s --check-prefix=STD

air.channel @new [1]
air.channel @all [1]
air.channel @in [1]

// The read of what was written waits for it, on the host as well; reads of other buffers, and further ones, do not.

// CHECK-LABEL: func.func @f
// CHECK: air.channel.get async @new{{.*}} {air.append_barrier
// CHECK: air.channel.put async @in
// CHECK-NEXT: air.channel.put async @all{{.*}}air.await_appends
// CHECK: air.channel.put async @all
// CHECK-NOT: air.await_appends
// CHECK: return
// STD: %[[W:.*]] = airrt.dma_memcpy_nd({{.*}}@new
// STD: airrt.dma_memcpy_nd({{.*}}@in
// STD: airrt.wait_all %[[W]]
// STD-NEXT: airrt.dma_memcpy_nd({{.*}}@all
// STD-NEXT: airrt.dma_memcpy_nd({{.*}}@all
func.func @f(%k: memref<64xi32>, %x: memref<8xi32>) {
  air.launch () in () args(%cache=%k, %a=%x) : memref<64xi32>, memref<8xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %0 = air.channel.get async @new[%c0] (%cache[%c8] [%c8] [%c1]) {id = 1 : i32, metadataArray = [{base = "new", index = 0 : i32}]} : (memref<64xi32>)
    %1 = air.channel.put async @in[%c0] (%a[] [] []) {id = 2 : i32, metadataArray = [{base = "in", index = 0 : i32}]} : (memref<8xi32>)
    %2 = air.channel.put async @all[%c0] (%cache[] [] []) {id = 3 : i32, metadataArray = [{base = "all", index = 0 : i32}]} : (memref<64xi32>)
    %3 = air.channel.put async @all[%c0] (%cache[] [] []) {id = 4 : i32, metadataArray = [{base = "all", index = 0 : i32}]} : (memref<64xi32>)
  }
  return
}
