// RUN: allo-opt %s --air-annotate-packet-ids="report=true assign=true emit-headers=false" 2>&1 | filecheck %s

// A header is half of an element of 64 bits: nine words arrive, gets take eight.
// CHECK: remark: 'air.channel' op @wide is unclassified: its gets together receive neither as many elements as are put, nor as many
air.channel @wide [1] {channel_type = "npu_dma_packet", broadcast_shape = [2], air.src_writes_pkt_header}

// Where the flow ends the header goes, so gets take a word less each than is put: this is dealt out, too.
// CHECK: remark: 'air.channel' op @dealt is a demultiplexer
// CHECK: air.channel @dealt [1] {{{.*}}packet_ids = [31, 30]}
air.channel @dealt [1] {channel_type = "npu_dma_packet", broadcast_shape = [2]}
func.func @f() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @source tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %v = arith.constant 7 : i16
    %b = memref.alloc() : memref<10xi16, 2>
    scf.for %i = %c0 to %two step %one {
      linalg.fill ins(%v : i16) outs(%b : memref<10xi16, 2>)
      air.channel.put @dealt[%c0] (%b[] [] []) dest(%i) : (memref<10xi16, 2>)
    }
    %w = arith.constant 7 : i64
    %d = memref.alloc() : memref<5xi64, 2>
    scf.for %i = %c0 to %two step %one {
      linalg.fill ins(%w : i64) outs(%d : memref<5xi64, 2>)
      air.channel.put @wide[%c0] (%d[] [] []) : (memref<5xi64, 2>)
    }
  }
  air.herd @sinks tile (%x, %y) in (%sx=%c2, %sy=%c1) {
    %b = memref.alloc() : memref<8xi16, 2>
    air.channel.get @dealt[%x] (%b[] [] []) : (memref<8xi16, 2>)
    %d = memref.alloc() : memref<4xi64, 2>
    air.channel.get @wide[%x] (%d[] [] []) : (memref<4xi64, 2>)
  }
  return
}
