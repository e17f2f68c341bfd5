// RUN: allo-opt %s --air-annotate-packet-ids="assign=true emit-headers=false" | filecheck %s
// RUN: allo-opt %s --air-annotate-packet-ids="assign=true" | filecheck %s --check-prefixes=CHECK,HEADER
// RUN: allo-opt %s --air-annotate-packet-ids="report=true emit-headers=false" 2>&1 | filecheck %s --check-prefix=REPORT

// One channel to one place needs no ids; one that all get in full neither.
// CHECK: air.channel @plain [1, 1] {channel_type = "{{(npu_)?}}dma_packet"}
// CHECK: air.channel @all [1] {broadcast_shape = [2], channel_type = "{{(npu_)?}}dma_packet"}
// CHECK: air.channel @first [1] {{{.*}}keep_pkt_header, packet_ids = [31, 30]}
// CHECK: air.channel @dealt [1] {{{.*}}keep_pkt_header, packet_ids = [31, 30]}
// REPORT: remark: 'air.channel' op @all is a broadcast
// REPORT: remark: 'air.channel' op @dealt is a demultiplexer
// REPORT: @dealt needs the ids [31, 30]; forwarding channels: @first
air.channel @plain [1, 1] {channel_type = "npu_dma_packet"}
air.channel @all [1] {channel_type = "npu_dma_packet", broadcast_shape = [2]}
air.channel @first [1] {channel_type = "npu_dma_packet"}
air.channel @dealt [1] {channel_type = "npu_dma_packet", broadcast_shape = [2], keep_pkt_header}
func.func @f(%in: memref<8xi32>, %out: memref<2x8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.launch () in () args(%p=%in, %q=%out) : memref<8xi32>, memref<2x8xi32> {
    air.segment @s {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d2 = arith.constant 2 : index
      %l2 = memref.alloc() : memref<8xi32, 1>
      air.herd @source tile (%x, %y) in (%sx=%d1, %sy=%d1) {
        %e0 = arith.constant 0 : index
        %e1 = arith.constant 1 : index
        %e2 = arith.constant 2 : index
        %v = arith.constant 7 : i32
        %t, %b = air.execute -> (memref<8xi32, 2>) {
          %m = memref.alloc() : memref<8xi32, 2>
          air.execute_terminator %m : memref<8xi32, 2>
        }
        %r = scf.for %i = %e0 to %e2 step %e1 iter_args(%u = %t) -> (!air.async.token) {
          // HEADER: %[[S:.*]] = arith.muli %[[I:.*]], %c-1
          // HEADER: %[[A:.*]] = arith.addi %[[S]], %c31
          // HEADER: %[[W:.*]] = arith.index_cast %[[A]] : index to i32
          // HEADER: %[[H:.*]] = vector.broadcast %[[W]] : i32 to vector<1xi32>
          // HEADER: air.execute
          // HEADER:   linalg.fill
          // HEADER:   vector.store %[[H]], %{{.*}}[%{{.*}}] {alignment = 4 : i64} : memref<8xi32, 2>, vector<1xi32>
          // HEADER: air.channel.put async
          // HEADER-NOT: dest(
          // HEADER: scf.yield
          %f = air.execute [%u] {
            linalg.fill ins(%v : i32) outs(%b : memref<8xi32, 2>)
          }
          %1 = air.channel.put async [%f] @first[%e0] (%b[] [] []) dest(%i) : (memref<8xi32, 2>)
          scf.yield %1 : !air.async.token
        }
      }
      scf.for %i = %d0 to %d2 step %d1 {
        air.channel.get @first[%d0] (%l2[] [] []) : (memref<8xi32, 1>)
        air.channel.put @dealt[%d0] (%l2[] [] []) : (memref<8xi32, 1>)
      }
      air.channel.put @all[%d0] (%l2[] [] []) : (memref<8xi32, 1>)
      air.herd @sinks tile (%x, %y) in (%sx=%d2, %sy=%d1) {
        %b = memref.alloc() : memref<8xi32, 2>
        air.channel.get @dealt[%x] (%b[] [] []) : (memref<8xi32, 2>)
        air.channel.get @all[%x] (%b[] [] []) : (memref<8xi32, 2>)
      }
    }
  }
  air.channel.put @plain[%c0, %c0] (%in[] [] []) : (memref<8xi32>)
  air.channel.get @plain[%c0, %c0] (%out[%c0, %c0] [%c1, %c2] [%c1, %c1]) : (memref<2x8xi32>)
  return
}
