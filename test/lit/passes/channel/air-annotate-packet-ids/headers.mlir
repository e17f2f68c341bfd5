// RUN: allo-opt %s --air-annotate-packet-ids="assign=true" | filecheck %s

// Ids that are not a row are selected; halves of a word are made of it; the header goes where the payload starts. A destination
// that comes after the payload is stored beside the put, in order.
// CHECK: packet_ids = [1, 4, 2]
// CHECK: arith.cmpi eq, %{{.*}}, %c1
// CHECK: arith.select %{{.*}}, %c4
// CHECK: arith.cmpi eq, %{{.*}}, %c2
// CHECK: arith.select %{{.*}}, %c2
// CHECK: %[[W:.*]] = vector.broadcast %{{.*}} : i32 to vector<1xi32>
// CHECK: %[[H:.*]] = vector.bitcast %[[W]] : vector<1xi32> to vector<2xbf16>
// CHECK: %[[T:.*]] = air.execute [%[[F:.*]]] {
// CHECK:   vector.store %[[H]], %{{.*}}[%{{.*}}] {alignment = 4 : i64} : memref<80xbf16, 2>, vector<2xbf16>
// CHECK: air.channel.put async [%[[F]], %[[T]]] @c[%{{.*}}] (%{{.*}}[{{.*}}]) : (memref<80xbf16, 2>)
air.channel @c [1] {channel_type = "npu_dma_packet", broadcast_shape = [3], packet_ids = [1, 4, 2]}
func.func @f() {
  air.segment @s {
    %d1 = arith.constant 1 : index
    %d3 = arith.constant 3 : index
    air.herd @source tile (%x, %y) in (%sx=%d1, %sy=%d1) {
      %e0 = arith.constant 0 : index
      %e1 = arith.constant 1 : index
      %e3 = arith.constant 3 : index
      %e14 = arith.constant 14 : index
      %e66 = arith.constant 66 : index
      %v = arith.constant 7.0 : bf16
      %t, %b = air.execute -> (memref<80xbf16, 2>) {
        %m = memref.alloc() : memref<80xbf16, 2>
        air.execute_terminator %m : memref<80xbf16, 2>
      }
      %r = scf.for %i = %e0 to %e3 step %e1 iter_args(%u = %t) -> (!air.async.token) {
        %f = air.execute [%u] {
          linalg.fill ins(%v : bf16) outs(%b : memref<80xbf16, 2>)
        }
        %d = arith.addi %i, %e0 : index
        %1 = air.channel.put async [%f] @c[%e0] (%b[%e14] [%e66] [%e1]) dest(%d) : (memref<80xbf16, 2>)
        scf.yield %1 : !air.async.token
      }
    }
    air.herd @sinks tile (%x, %y) in (%sx=%d3, %sy=%d1) {
      %b = memref.alloc() : memref<66xbf16, 2>
      air.channel.get @c[%x] (%b[] [] []) : (memref<66xbf16, 2>)
    }
  }
  return
}
