// RUN: allo-opt --syntax=2026-03 %s --air-to-std=fewest-waits=true | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --air-to-std=fewest-waits=true --air-to-std | filecheck %s

// CHECK-NOT: air.channel
// CHECK-LABEL: func.func @launch
// CHECK-SAME: (%[[A:.*]]: memref<64x32xi32>, %[[B:.*]]: memref<64x32xi32>)
// CHECK: affine.for %[[I:.*]] = 0 to 2 {
// CHECK: airrt.segment_load "seg" : i64
// CHECK: %[[ROW:.*]] = arith.muli %[[I]], %c32{{.*}} : index
// CHECK: %[[O:.*]] = arith.index_cast %[[ROW]] : index to i64
// CHECK: %[[E:.*]] = airrt.dma_memcpy_nd(%c7_i32, %c0_i64, %c0_i64, %[[A]][%c0_i64, %c0_i64, %[[O]], %c0_i64], [%c1_i64, %c1_i64, %c32_i64, %c32_i64], [%c0_i64, %c0_i64, %c32_i64, %c1_i64]) {chan_name = @in, metadata = @shim_in}
// CHECK: %[[F:.*]] = airrt.dma_memcpy_nd(%c2_i32, %c0_i64, %c0_i64, %[[B]]{{.*}} {chan_name = @out, metadata = @shim_out}
// CHECK: airrt.herd_load "herd_0" () {segment_name = "seg"} : () -> i64
// CHECK-NEXT: airrt.wait_all %[[E]], %[[F]] {air.launch = 0 : i32, air.launch_end}
// CHECK: } {affine_opt_label = "tiling"}
// CHECK-NOT: memref.alloc
// CHECK: return
air.channel @in []
air.channel @out []
func.func @launch(%a: memref<64x32xi32>, %b: memref<64x32xi32>) {
  %c2 = arith.constant 2 : index
  %0 = air.launch async (%i) in (%s=%c2) args(%x=%a, %y=%b) : memref<64x32xi32>, memref<64x32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %row = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%i]
    %1 = air.channel.put async @in[] (%x[%row, %c0] [%c32, %c32] [%c32, %c1]) {id = 1 : i32, metadataArray = [{base = "shim_in", index = 0 : i32}]} : (memref<64x32xi32>)
    %2 = air.channel.get async @out[] (%y[%row, %c0] [%c32, %c32] [%c32, %c1]) {id = 2 : i32, metadataArray = [{base = "shim_out", index = 0 : i32}]} : (memref<64x32xi32>)
    %3 = air.segment @seg async {
      %c1_0 = arith.constant 1 : index
      %t, %l2 = air.execute -> (memref<32x32xi32, 1>) {
        %alloc = memref.alloc() : memref<32x32xi32, 1>
        air.execute_terminator %alloc : memref<32x32xi32, 1>
      }
      %4 = air.channel.get async [%t] @in[] (%l2[] [] []) {id = 7 : i32} : (memref<32x32xi32, 1>)
      %5 = air.herd @herd_0 async [%4] tile (%tx, %ty) in (%sx=%c1_0, %sy=%c1_0) {
      }
      %6 = air.channel.put async [%5] @out[] (%l2[] [] []) : (memref<32x32xi32, 1>)
    }
  }
  return
}

// Channels of a bundle are picked by constants, so the loop over them is unrolled; the one inside stays.
// CHECK-LABEL: func.func @pick
// CHECK: affine.for %{{.*}} = 0 to 1 {
// CHECK: scf.for
// CHECK: metadata = @shim_0
// CHECK: scf.for
// CHECK: metadata = @shim_1
air.channel @bundle [2, 1]
func.func @pick(%a: memref<64xi32>) {
  air.launch () in () args(%x=%a) : memref<64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %0 = air.wait_all async
    %1 = scf.parallel (%p) = (%c0) to (%c2) step (%c1) init (%0) -> !air.async.token {
      %2 = scf.for %k = %c0 to %c32 step %c8 iter_args(%t = %0) -> (!air.async.token) {
        %3 = air.channel.put async [%t] @bundle[%p, %c0] (%x[%p, %k] [%c1, %c8] [%c32, %c1]) {metadataArray = [{base = "shim_0", index = 0 : i32}, {base = "shim_1", index = 1 : i32}]} : (memref<64xi32>)
        scf.yield %3 : !air.async.token
      }
      scf.reduce (%2 : !air.async.token) {
      ^bb0(%l: !air.async.token, %r: !air.async.token):
        %j = air.wait_all async [%l, %r]
        scf.reduce.return %j : !air.async.token
      }
    }
  }
  return
}

// The second transfer reads what the first one writes: the host waits in between. The third one does not.
// CHECK-LABEL: func.func @through_memory
// CHECK: %[[W:.*]] = airrt.dma_memcpy_nd({{.*}} {chan_name = @out, metadata = @o}
// CHECK-NEXT: airrt.wait_all %[[W]]{{$}}
// CHECK: airrt.dma_memcpy_nd({{.*}} {chan_name = @in, metadata = @i}
// CHECK-NEXT: airrt.dma_memcpy_nd({{.*}} {chan_name = @in, metadata = @i}
func.func @through_memory(%a: memref<64xi32>, %b: memref<64xi32>) {
  air.launch () in () args(%x=%a, %y=%b) : memref<64xi32>, memref<64xi32> {
    %1 = air.channel.get async @out[] (%x[] [] []) {metadataArray = [{base = "o", index = 0 : i32}]} : (memref<64xi32>)
    %2 = air.channel.put async [%1] @in[] (%x[] [] []) {metadataArray = [{base = "i", index = 0 : i32}]} : (memref<64xi32>)
    %3 = air.channel.put async [%2] @in[] (%y[] [] []) {metadataArray = [{base = "i", index = 0 : i32}]} : (memref<64xi32>)
  }
  return
}

// Round by round through memory: a write waits for the read of the round before, which waits for the write of its own.
// CHECK-LABEL: func.func @rounds_through_memory
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}})
// CHECK: airrt.wait_all %[[T]]{{$}}
// CHECK: airrt.dma_memcpy_nd({{.*}} {chan_name = @out, metadata = @o}
// CHECK: %[[G:.*]] = airrt.wait_all %{{.*}}, %[[T]] : !airrt.event
// CHECK-NEXT: airrt.wait_all %[[G]]{{$}}
// CHECK: airrt.dma_memcpy_nd({{.*}} {chan_name = @in, metadata = @i}
func.func @rounds_through_memory(%a: memref<64xi32>) {
  air.launch () in () args(%x=%a) : memref<64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %0 = air.wait_all async
    %1 = scf.for %k = %c0 to %c32 step %c8 iter_args(%t = %0) -> (!air.async.token) {
      %g = air.channel.get async [%t] @out[] (%x[%c0] [%c8] [%c1]) {metadataArray = [{base = "o", index = 0 : i32}]} : (memref<64xi32>)
      %p = air.channel.put async [%g] @in[] (%x[%c0] [%c8] [%c1]) {metadataArray = [{base = "i", index = 0 : i32}]} : (memref<64xi32>)
      scf.yield %p : !air.async.token
    }
  }
  return
}

// A core's own transfer of external memory keeps its loops over the herd; a synchronous one that meets another is waited for.
// CHECK-LABEL: func.func @from_a_core
// CHECK: airrt.herd_load "h" () {segment_name = "seg"} : () -> i64
// CHECK: affine.for %[[X:.*]] = 0 to 2 {
// CHECK-NEXT: affine.for %[[Y:.*]] = 0 to 1 {
// CHECK: airrt.dma_memcpy_nd(%c3_i32, %{{.*}}, %{{.*}}, {{.*}} {metadata = @i}
func.func @from_a_core(%a: memref<64xi32>) {
  air.launch () in () args(%x=%a) : memref<64xi32> {
    air.segment @seg args(%z=%x) : memref<64xi32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      air.herd @h tile (%tx, %ty) in (%sx=%c2, %sy=%c1) args(%w=%z) : memref<64xi32> {
        %l1 = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%l1[] [] [], %w[] [] []) {id = 3 : i32, metadata = @i} : (memref<64xi32, 2>, memref<64xi32>)
        memref.dealloc %l1 : memref<64xi32, 2>
      }
    }
  }
  return
}
