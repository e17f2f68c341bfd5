// RUN: allo-opt --syntax=2026-08 %s --air-to-std=fewest-waits=true | filecheck %s

// A switch that yields tokens yields events.
// CHECK: %[[E:.*]] = scf.index_switch %{{.*}} -> !airrt.event
// CHECK: case 1 {
// CHECK:   %[[P:.*]] = airrt.dma_memcpy_nd({{.*}}metadata = @air_c
// CHECK:   scf.yield %[[P]] : !airrt.event
// CHECK: default {
// CHECK:   %[[W:.*]] = airrt.wait_all : !airrt.event
// CHECK:   scf.yield %[[W]] : !airrt.event
// CHECK: airrt.wait_all %[[E]] {{.*}}air.launch_end
air.channel @c []
func.func @f(%m: memref<8xi32>, %n: index) {
  air.launch () in () args(%x=%m, %k=%n) : memref<8xi32>, index {
    %0 = scf.index_switch %k -> !air.async.token
    case 1 {
      %1 = air.channel.put async @c[] (%x[] [] []) {metadataArray = [{base = "air_c", index = 0 : i32}]} : (memref<8xi32>)
      scf.yield %1 : !air.async.token
    }
    default {
      %1 = air.wait_all async
      scf.yield %1 : !air.async.token
    }
    air.wait_all [%0]
  }
  return
}
